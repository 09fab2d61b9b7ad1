"""Suckback and blowback: calls on the chute, and what a hit or a miss does (RULES 2.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from uckers_table.game.board import BASE
from uckers_table.game.challenge import is_mixed
from uckers_table.game.events import Call
from uckers_table.game.options import RuleSet
from uckers_table.game.position import Position
from uckers_table.game.situation import Situation
from uckers_table.game.survey import survey
from uckers_table.game.turn import Attempt, Piece
from uckers_table.game.ways import SIX

SUCKBACK = "suckback"
BLOWBACK = "blowback"


@dataclass(frozen=True)
class Visit:
    """What is remembered of a piece that called, as long as it stands where it called from.

    For a blowback `piece` is the colour's own mouth, and the visit lasts as long as the threat.
    """

    kind: str
    piece: Piece
    misses: int = 0
    is_blocked: bool = False


def called_attempt(situation: Situation, call: Call, visits: Sequence[Visit]) -> Attempt | str:
    """The attempt that a call begins, or in a few words why it is refused."""
    attempt = _suckback(situation, call) if call.kind == SUCKBACK else _blowback(situation, call)
    if isinstance(attempt, Attempt) and is_used_up(situation, visit_of(situation, attempt, visits)):
        return "there are no attempts left from there"
    return attempt


def _suckback(situation: Situation, call: Call) -> Attempt | str:
    setting, board, bit = situation.setting, situation.setting.board, situation.setting.ways.bit
    piece = _caller(situation, call, [(s, p) for s in _callers(situation) for p in situation.position[s]])
    if isinstance(piece, str):
        return piece
    square = bit[piece[0]][piece[1]]
    prey = next((e for e in setting.captured[piece[0]] if square and bit[e][board.mouth] == square), None)
    if prey is None:
        return "that piece does not stand on an enemy's mouth"
    if is_mixed(situation, *piece) and not setting.rules.suckback_from_mixed:
        return "it stands on a mixed square"
    if call.target is None:
        return "say the number"
    steps = board.mouth + call.target + _uncounted(situation)
    targets = tuple((prey, s) for s in situation.position[prey] if s == steps)
    if call.target < 1:
        return "no throw shows that number"
    if steps not in board.chute or not targets:
        return "nobody stands at that number"
    if len(targets) > 1 and setting.rules.suckback_chute_blob == "immune":
        return "a blob in its chute is immune"
    if len(targets) > 1 and not call.double:
        return "a blob must be called as a double"
    if call.double and setting.rules.suckback_dice == "one":
        return "one die throws no double"
    return Attempt(SUCKBACK, piece, call.target, call.double, targets)


def _blowback(situation: Situation, call: Call) -> Attempt | str:
    setting, board, bit = situation.setting, situation.setting.board, situation.setting.ways.bit
    in_chute = [(s, p) for s in _callers(situation) for p in situation.position[s] if p in board.chute]
    piece = _caller(situation, call, in_chute)
    if isinstance(piece, str):
        return piece
    mouth = bit[piece[0]][board.mouth]
    attackers = tuple(
        (e, s) for e in setting.captured[piece[0]] for s in situation.position[e] if bit[e][s] == mouth
    )
    if not attackers:
        return "no enemy stands on the mouth"
    number = piece[1] - board.mouth - _uncounted(situation)
    if number < 1:
        return "there is no square between, and no throw shows nothing"
    if call.target not in (None, number):
        return f"the number is {number}"
    if mouth & survey(situation).barriers and not call.double:
        return "a blob must be called as a double"
    if call.double and setting.rules.suckback_dice == "one":
        return "one die throws no double"
    return Attempt(BLOWBACK, piece, number, call.double, attackers)


def _uncounted(situation: Situation) -> int:
    """How many squares of the way up the chute the number leaves out (suckback_count; ruling A59)."""
    return 1 if situation.setting.rules.suckback_count == "between" else 0


def _callers(situation: Situation) -> tuple[int, ...]:
    """The seats whose pieces the side may call with."""
    if situation.setting.rules.partner_calls_allowed:
        return situation.movers
    return tuple(seat for seat in situation.movers if seat in situation.setting.owned[situation.side])


def _caller(situation: Situation, call: Call, able: Sequence[Piece]) -> Piece | str:
    """The piece that calls; it need only be named where several might."""
    found = {p for p in able if call.seat in (None, p[0]) and call.steps in (None, p[1])}
    if call.kind == SUCKBACK and call.steps is None:
        setting, mouth = situation.setting, situation.setting.board.mouth
        bit = setting.ways.bit
        found = {
            (seat, steps)
            for seat, steps in found
            if any(bit[enemy][mouth] == bit[seat][steps] for enemy in setting.captured[seat])
        }
    if len(found) == 1:
        return found.pop()
    return "say which piece calls" if found else "there is no such piece to call with"


def still_called(position: Position, attempt: Attempt) -> bool:
    """Whether caller and called stand where they did; a board that was left wrong may have moved them."""
    seat, steps = attempt.piece
    return steps in position[seat] and all(
        position[seat].count(steps) >= attempt.targets.count((seat, steps)) for seat, steps in attempt.targets
    )


def hits(rules: RuleSet, attempt: Attempt, dice: Sequence[int]) -> bool:
    """Whether a throw shows the number called; for a blowback a double is that number twice (VAR G9)."""
    if rules.suckback_dice == "one":
        return dice[0] == attempt.number
    if attempt.double and attempt.kind == SUCKBACK and rules.suckback_double_meaning == "any_double":
        return dice[0] == dice[1]
    if attempt.double:
        return all(die == attempt.number for die in dice)
    return attempt.number in dice or attempt.number == sum(dice)


def throws_again(situation: Situation, visit: Visit, dice: Sequence[int]) -> bool:
    """Whether a miss is thrown again within the turn (VAR G2); `visit` is what it leaves of the attempts."""
    rules = situation.setting.rules
    if visit.kind != SUCKBACK or not rules.suckback_six_bonus or SIX not in dice:
        return False
    return rules.suckback_attempt_unit == "turn" or not is_used_up(situation, visit)


def after_attempt(situation: Situation, attempt: Attempt, is_hit: bool) -> tuple[Position, bool]:
    """The board after a hit or a miss, and whether an enemy barrier kept the challenger where it is."""
    rules = situation.setting.rules
    position = situation.position
    if is_hit:
        position = _to_base(position, attempt.targets)
    if attempt.kind == BLOWBACK:
        return position, False
    goes_on = rules.suckback_hit_advance == 1 if is_hit else rules.suckback_miss == "advance"
    if not goes_on:
        return position, False
    seat, steps = attempt.piece
    ways = situation.setting.ways
    onward = ways.moves[seat][steps][1]
    field = survey(situation._replace(position=position))
    if onward is None or onward.landings & field.barriers:
        return position, True
    landed_on = [
        (enemy, s)
        for enemy in situation.setting.captured[seat]
        for s in position[enemy]
        if ways.bit[enemy][s] & onward.landings & field.enemies
    ]
    four = list(position[seat])
    four[four.index(steps)] = onward.end
    moved = (*position[:seat], tuple(sorted(four)), *position[seat + 1 :])
    return _to_base(moved, landed_on), False


def _to_base(position: Position, sent: Sequence[Piece]) -> Position:
    pieces = [list(four) for four in position]
    for seat, steps in sent:
        pieces[seat][pieces[seat].index(steps)] = BASE
    return tuple(tuple(sorted(four)) for four in pieces)


def visit_of(situation: Situation, attempt: Attempt, visits: Sequence[Visit]) -> Visit:
    """What is remembered of earlier attempts from the same square, or against the same threat."""
    piece = attempt.piece
    if attempt.kind == BLOWBACK:
        piece = (piece[0], situation.setting.board.mouth)
    known = (visit for visit in visits if visit.kind == attempt.kind and visit.piece == piece)
    return next(known, Visit(attempt.kind, piece))


def is_used_up(situation: Situation, visit: Visit) -> bool:
    """Whether no further call may be made."""
    return tries_left(situation, visit) == 0


def tries_left(situation: Situation, visit: Visit) -> int | None:
    """How many more calls may be made from there; None where nobody counts."""
    rules = situation.setting.rules
    allowed = rules.suckback_attempts if visit.kind == SUCKBACK else rules.blowback_attempts
    if visit.is_blocked:
        return 0
    return max(0, allowed - visit.misses) if isinstance(allowed, int) else None


def must_move_on(situation: Situation, visits: Sequence[Visit]) -> tuple[Piece, ...]:
    """The pieces that have used up their attempts and must move on if the throw can move them (VAR G3).

    A piece that a barrier keeps from stepping on may stay (SUCK, footnote).
    """
    return tuple(
        visit.piece
        for visit in visits
        if visit.kind == SUCKBACK and not visit.is_blocked and is_used_up(situation, visit)
    )


def still_visits(situation: Situation, visit: Visit) -> bool:
    """Whether the piece stands where it called from, or the threat it called against is still there."""
    seat, steps = visit.piece
    if visit.kind == SUCKBACK:
        return steps in situation.position[seat]
    bit = situation.setting.ways.bit
    mouth = bit[seat][steps]
    return any(bit[e][s] == mouth for e in situation.setting.captured[seat] for s in situation.position[e])

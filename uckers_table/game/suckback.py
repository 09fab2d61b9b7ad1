"""Suckback and blowback: calls on the chute, and what a hit or a miss does (RULES 2.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from uckers_table.game.board import BASE
from uckers_table.game.challenge import is_mixed
from uckers_table.game.events import Call
from uckers_table.game.options import RuleSet
from uckers_table.game.plays import Play
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

    Each piece has a visit of its own: a mate on the same square that never called has none. For a blowback
    `piece` is the colour's own mouth, and the visit lasts as long as the threat.
    """

    kind: str
    piece: Piece
    misses: int = 0
    is_blocked: bool = False


def called_attempt(situation: Situation, call: Call, visits: Sequence[Visit]) -> Attempt | str:
    """The attempt that a call begins, or in a few words why it is refused."""
    attempt = _suckback(situation, call) if call.kind == SUCKBACK else _blowback(situation, call)
    if isinstance(attempt, Attempt) and is_used_up(situation, visit_of(situation, attempt, visits)):
        return "not from there: no attempts are left"
    return attempt


def _suckback(situation: Situation, call: Call) -> Attempt | str:
    setting, board, bit = situation.setting, situation.setting.board, situation.setting.ways.bit
    piece = _caller(situation, call, [(s, p) for s in _callers(situation) for p in situation.position[s]])
    if isinstance(piece, str):
        return piece
    square = bit[piece[0]][piece[1]]
    prey = next((e for e in setting.captured[piece[0]] if square and bit[e][board.mouth] == square), None)
    if prey is None:
        return "not from there: that piece does not stand on an enemy's mouth"
    if is_mixed(situation, *piece) and not setting.rules.suckback_from_mixed:
        return "not from there: it stands on a mixed square"
    if call.target is None:
        return "say the number"
    steps = board.mouth + call.target + _uncounted(situation)
    targets = tuple((prey, s) for s in situation.position[prey] if s == steps)
    if call.target < 1:
        return "not that number: no throw shows it"
    if steps not in board.chute or not targets:
        return "not that number: nobody stands there"
    if len(targets) > 1 and setting.rules.suckback_chute_blob == "immune":
        return "not that number: a blob in its chute is immune"
    if len(targets) > 2 and setting.rules.suckback_chute_blob == "pair_needs_double":
        return "not that number: three in a chute are immune"
    if not setting.rules.suckback_past_blob and _is_behind_blob(situation, prey, steps):
        return "not that number: a blob in the chute stands before it"
    if len(targets) > 1 and not call.double:
        return "not that number: a blob must be called as a double"
    if call.double and setting.rules.suckback_dice == "one":
        return "not that number: one die throws no double"
    return Attempt(SUCKBACK, piece, call.target, call.double, targets)


def _is_behind_blob(situation: Situation, seat: int, steps: int) -> bool:
    """Whether a blob in its chute stands between a piece and its mouth."""
    chute, four = situation.setting.board.chute, situation.position[seat]
    return any(each in chute and each < steps and four.count(each) > 1 for each in four)


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
        return "not from there: no enemy stands on the mouth"
    number = piece[1] - board.mouth - _uncounted(situation)
    if number < 1:
        return "not from there: there is no square between, and no throw shows nothing"
    if call.target not in (None, number):
        return f"not that number: it is {number}"
    if mouth & survey(situation).barriers and not call.double:
        return "not that number: a blob must be called as a double"
    if call.double and setting.rules.suckback_dice == "one":
        return "not that number: one die throws no double"
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
    return (
        "say which: several pieces can call"
        if found
        else "not from there: there is no such piece to call with"
    )


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


def with_other_die(situation: Situation, attempt: Attempt, dice: Sequence[int]) -> Attempt:
    """The attempt that a throw has hit, with the single piece at the other die's number sucked back too.

    Only where both dice suck, and one of them alone shows the number called.
    """
    rules, board = situation.setting.rules, situation.setting.board
    if not rules.suckback_both_dice or attempt.kind == BLOWBACK or attempt.double:
        return attempt
    if attempt.number not in dice or dice[0] == dice[1]:
        return attempt
    (prey, _), *_ = attempt.targets
    other = dice[1] if dice[0] == attempt.number else dice[0]
    steps = board.mouth + other + _uncounted(situation)
    is_single = steps in board.chute and situation.position[prey].count(steps) == 1
    if not is_single or (not rules.suckback_past_blob and _is_behind_blob(situation, prey, steps)):
        return attempt
    return attempt._replace(targets=(*attempt.targets, (prey, steps)))


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
    """What is remembered of the piece that calls, or of the threat that it calls against.

    Mates on one square look alike: the one with attempts begun goes on with them. When they are used up, the
    next call is by a mate that has not called.
    """
    piece = attempt.piece
    if attempt.kind == BLOWBACK:
        piece = (piece[0], situation.setting.board.mouth)
    fresh = Visit(attempt.kind, piece)
    known = [visit for visit in visits if (visit.kind, visit.piece) == (attempt.kind, piece)]
    for visit in known:
        if not is_used_up(situation, visit):
            return visit
    has_mate = attempt.kind == SUCKBACK and situation.position[piece[0]].count(piece[1]) > len(known)
    return known[0] if known and not has_mate else fresh


def with_visit(visits: Sequence[Visit], before: Visit, after: Visit) -> tuple[Visit, ...]:
    """The visits with one of them changed; a first visit is added."""
    others = list(visits)
    if before in others:
        others.remove(before)
    return (*others, after)


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


def calls_left(situation: Situation, visit: Visit, visits: Sequence[Visit]) -> int | None:
    """How many more calls may be made from a visit's square, by whichever piece, or against its threat."""
    left = tries_left(situation, visit)
    if left is None or visit.kind == BLOWBACK:
        return left
    seat, steps = visit.piece
    here = [each for each in visits if (each.kind, each.piece) == (SUCKBACK, visit.piece)]
    fresh = [Visit(SUCKBACK, visit.piece)] * (situation.position[seat].count(steps) - len(here))
    return sum(tries_left(situation, each) or 0 for each in (*here, *fresh))


def must_move_on(situation: Situation, visits: Sequence[Visit]) -> tuple[Piece, ...]:
    """The pieces that have used up their attempts and must move on if the throw can move them (VAR G3).

    A square is named once for each of them on it. A piece that a barrier keeps from stepping on may stay
    (SUCK, footnote).
    """
    return tuple(
        visit.piece
        for visit in visits
        if visit.kind == SUCKBACK and not visit.is_blocked and is_used_up(situation, visit)
    )


def those_moving_on(
    situation: Situation, plays: Sequence[Play], dice: Sequence[int], visits: Sequence[Visit]
) -> list[Play]:
    """Those plays that move on as many of the pieces that must as the throw can; all if it can move none."""
    bound = Counter(must_move_on(situation, visits))
    if not bound:
        return list(plays)
    moved = [(bound & leavers(situation, play, dice)).total() for play in plays]
    most = max(moved, default=0)
    return [play for play, number in zip(plays, moved, strict=True) if number == most]


def leavers(situation: Situation, play: Play, dice: Sequence[int]) -> Counter[Piece]:
    """The squares that pieces may have left in a play, by the board that it leads to.

    A piece that goes the total over a mate may as well have stopped there, and the mate have gone on.
    """
    left = Counter((move.seat, move.start) for move in play)
    if len(play) == 1 and len(dice) == 2:
        ((seat, start, end, *_),) = play
        relays = {situation.setting.ways.out} if start == BASE else {max(start, BASE) + die for die in dice}
        left.update((seat, steps) for steps in relays if start < steps < end)
    return left


def still_visiting(
    before: Position, situation: Situation, visits: Sequence[Visit], left: Counter[Piece] | None = None
) -> tuple[Visit, ...]:
    """The visits that last after pieces were moved.

    Of mates on one square nobody can tell which has left, and it is held against nobody: those that called
    count as gone first, and of them the one that was bound most. `left` are the pieces that left their
    squares, where the play is known; else those that are fewer than before.
    """
    position = situation.position
    lasting = [v for v in visits if v.kind == BLOWBACK and _is_threatened(situation, v.piece)]
    for piece in dict.fromkeys(v.piece for v in visits if v.kind == SUCKBACK):
        seat, steps = piece
        gone = before[seat].count(steps) - position[seat].count(steps)
        if left is not None:
            gone = max(gone, left[piece])
        here = [v for v in visits if v.kind == SUCKBACK and v.piece == piece]
        here.sort(key=lambda v: (is_used_up(situation, v), not v.is_blocked, v.misses), reverse=True)
        lasting += here[max(0, gone) :]
    return tuple(lasting)


def _is_threatened(situation: Situation, mouth: Piece) -> bool:
    """Whether an enemy stands on a colour's mouth, given as its piece would stand there."""
    bit = situation.setting.ways.bit
    square = bit[mouth[0]][mouth[1]]
    return any(
        bit[e][s] == square for e in situation.setting.captured[mouth[0]] for s in situation.position[e]
    )

"""Sixing off a blob: who may call, and how many sixes it takes (RULES 2.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from uckers_table.game.board import BASE, CORNER, DOORSTEP
from uckers_table.game.options import RuleSet
from uckers_table.game.position import Position
from uckers_table.game.setting import Setting
from uckers_table.game.situation import Situation
from uckers_table.game.survey import Field, survey
from uckers_table.game.turn import Piece, Turn
from uckers_table.game.ways import SIX, walk


@dataclass(frozen=True)
class Challenge:
    """A challenge under way: who throws, with which piece, onto which steps, and the sixes counted.

    `spare` counts the misses that will be forgiven (challenge_double_six_spare).
    """

    side: int
    seat: int
    steps: int
    onto: int
    sixes: int = 0
    spare: int = 0


def challengers(situation: Situation, turn: Turn, dice: Sequence[int], field: Field) -> tuple[Piece, ...]:
    """The pieces that may challenge with a throw of which nothing has been moved."""
    rules = situation.setting.rules
    # A partner's blob may bar where he cannot be captured; then there is nothing to be won.
    barriers = field.barriers & field.enemies
    if not barriers or SIX not in dice or rules.dice_per_throw != 2:
        return ()
    if rules.challenge_timing == "start_of_turn" and turn.moved:
        return ()
    # Where all throws of a turn are made first, none but the pieces that stood there stood there before them.
    stood_since_turn = rules.challenge_timing == "next_turn" or rules.extra_timing == "throw_all_first"
    bit = situation.setting.ways.bit
    return tuple(
        (seat, steps)
        for seat in situation.movers
        if seat in situation.setting.owned[situation.side] or rules.partner_calls_allowed
        for steps in dict.fromkeys(situation.position[seat])
        if bit[seat][steps_ahead(situation, seat, steps)] & barriers
        and not (stood_since_turn and steps not in turn.began[seat])
        and (rules.challenge_from_mixed or not is_mixed(situation, seat, steps))
    )


def steps_ahead(situation: Situation, seat: int, steps: int) -> int:
    """Where a piece would go if it won a challenge; its own steps where it has nothing to challenge."""
    board = situation.setting.board
    if steps == BASE:
        return DOORSTEP
    if steps == board.home:
        return steps
    is_backing = (seat, steps) in situation.backing
    if (
        steps == board.mouth
        and situation.setting.rules.challenge_behind_but_off_path == "allowed"
        and not (is_backing or board.arm_end_doorstep)
    ):
        return CORNER
    # A piece that has bounced may challenge behind it (ruling A53).
    return walk(board, seat, steps, 1, is_backing).end


def is_mixed(situation: Situation, seat: int, steps: int) -> bool:
    """Whether a piece shares its square with another colour."""
    bit = situation.setting.ways.bit
    square = bit[seat][steps]
    return bool(square) and any(
        bit[other][s] == square
        for other, pieces in enumerate(situation.position)
        if other != seat
        for s in pieces
    )


def victims(setting: Setting, position: Position, challenge: Challenge) -> tuple[Piece, ...]:
    """The pieces of the barrier that is challenged; empty when it is a barrier no longer."""
    bit = setting.ways.bit
    square = bit[challenge.seat][challenge.onto]
    if not square & survey(Situation(setting, position, challenge.side, (challenge.seat,))).barriers:
        return ()
    return tuple(
        (seat, steps)
        for seat in setting.captured[challenge.seat]
        for steps in position[seat]
        if bit[seat][steps] == square
    )


def after_throw(rules: RuleSet, challenge: Challenge, dice: Sequence[int]) -> Challenge:
    """A challenge after a later throw that it outlives: every six counts, none uses up a spare."""
    sixes = dice.count(SIX)
    spare = challenge.spare + spared(rules, dice) if sixes else challenge.spare - 1
    return replace(challenge, sixes=challenge.sixes + sixes, spare=spare)


def spared(rules: RuleSet, dice: Sequence[int]) -> int:
    """The misses that a throw forgives in advance: a double six earns a throw too many (VAR F)."""
    return int(rules.challenge_double_six_spare and dice.count(SIX) == 2)


def still_stands(setting: Setting, position: Position, challenge: Challenge) -> bool:
    """Whether challenger and barrier are both where they were."""
    return challenge.steps in position[challenge.seat] and bool(victims(setting, position, challenge))


def sixes_wanted(setting: Setting, position: Position, challenge: Challenge) -> int:
    """The sixes still to be thrown: X + 1 for X pieces, more at a doorstep, less those counted."""
    barrier = victims(setting, position, challenge)
    wanted = len(barrier)
    if setting.rules.challenge_sixes == "X+1":
        wanted += 1
    if _is_harder(setting, challenge, barrier):
        wanted += setting.rules.doorstep_extra_sixes
    return wanted - challenge.sixes


def _is_harder(setting: Setting, challenge: Challenge, barrier: Sequence[Piece]) -> bool:
    """Whether a doorstep adds sixes (doorstep_extra_scope; ruling A46)."""
    match setting.rules.doorstep_extra_scope:
        case "own_doorstep_barrier":
            return any(steps == DOORSTEP for _, steps in barrier)
        case "any_doorstep":
            return bool(setting.ways.bit[challenge.seat][challenge.onto] & setting.ways.doorsteps)
        case _:
            return challenge.steps == BASE


def won_position(setting: Setting, position: Position, challenge: Challenge) -> Position:
    """The board after a challenge is won: the challenger on the square, the barrier in base."""
    pieces = [list(four) for four in position]
    for seat, steps in victims(setting, position, challenge):
        pieces[seat][pieces[seat].index(steps)] = BASE
    own = pieces[challenge.seat]
    own[own.index(challenge.steps)] = challenge.onto
    return tuple(tuple(sorted(four)) for four in pieces)

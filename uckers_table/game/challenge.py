"""Sixing off a blob: who may call, and how many sixes it takes (RULES 2.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from uckers_table.game.board import BASE, DOORSTEP
from uckers_table.game.plays import SIX, survey
from uckers_table.game.position import Position
from uckers_table.game.setting import Setting
from uckers_table.game.turn import Turn
from uckers_table.game.ways import ways_of


@dataclass(frozen=True)
class Challenge:
    """A challenge under way: who throws, with which piece, and the sixes counted."""

    side: int
    seat: int
    steps: int
    sixes: int = 0


def challengers(
    setting: Setting, position: Position, side: int, movers: Sequence[int], turn: Turn, dice: Sequence[int]
) -> tuple[tuple[int, int], ...]:
    """The pieces (seat, steps) that may challenge with a throw of which nothing has been moved."""
    if SIX not in dice or setting.rules.dice_per_throw != 2:
        return ()
    if setting.rules.challenge_timing == "start_of_turn" and turn.moved:
        return ()
    barriers = survey(setting, position, side).barriers
    if not barriers:
        return ()
    return tuple(
        (seat, steps)
        for seat in movers
        if seat in setting.owned(side) or setting.rules.partner_calls_allowed
        for steps in dict.fromkeys(position[seat])
        if _square_ahead(setting, seat, steps) & barriers
        and not (setting.rules.challenge_timing == "next_turn" and steps not in turn.began[seat])
        and (setting.rules.challenge_from_mixed or not is_mixed(setting, position, seat, steps))
    )


def is_mixed(setting: Setting, position: Position, seat: int, steps: int) -> bool:
    """Whether a piece shares its square with another colour."""
    bit = ways_of(setting.board).bit
    square = bit[seat][steps]
    return bool(square) and any(
        bit[other][s] == square for other, pieces in enumerate(position) if other != seat for s in pieces
    )


def victims(setting: Setting, position: Position, challenge: Challenge) -> tuple[tuple[int, int], ...]:
    """The pieces (seat, steps) of the barrier that is challenged; empty when it is a barrier no longer."""
    square = _square_ahead(setting, challenge.seat, challenge.steps)
    if not square & survey(setting, position, challenge.side).barriers:
        return ()
    bit = ways_of(setting.board).bit
    return tuple(
        (seat, steps)
        for seat in setting.enemies[challenge.side]
        for steps in position[seat]
        if bit[seat][steps] == square
    )


def still_stands(setting: Setting, position: Position, challenge: Challenge) -> bool:
    """Whether challenger and barrier are both where they were."""
    return challenge.steps in position[challenge.seat] and bool(victims(setting, position, challenge))


def sixes_wanted(setting: Setting, position: Position, challenge: Challenge) -> int:
    """The sixes still to be thrown: X + 1 for X pieces, one more from base, those counted taken off."""
    wanted = len(victims(setting, position, challenge))
    if setting.rules.challenge_sixes == "X+1":
        wanted += 1
    if challenge.steps == BASE:
        wanted += setting.rules.doorstep_extra_sixes
    return wanted - challenge.sixes


def won_position(setting: Setting, position: Position, challenge: Challenge) -> Position:
    """The board after a challenge is won: the challenger on the square, the barrier in base."""
    pieces = [list(four) for four in position]
    for seat, steps in victims(setting, position, challenge):
        pieces[seat][pieces[seat].index(steps)] = BASE
    own = pieces[challenge.seat]
    own[own.index(challenge.steps)] = _steps_ahead(setting, challenge.seat, challenge.steps)
    return tuple(tuple(sorted(four)) for four in pieces)


def _steps_ahead(setting: Setting, seat: int, steps: int) -> int:
    if steps == BASE:
        return DOORSTEP
    reach = ways_of(setting.board).forward[seat][steps][1]
    return steps if reach is None else reach.end


def _square_ahead(setting: Setting, seat: int, steps: int) -> int:
    """The bit of the track square directly ahead; 0 where nothing is ahead on the track."""
    if steps == BASE and not setting.rules.challenge_from_base:
        return 0
    if steps == setting.board.home:
        return 0
    return ways_of(setting.board).bit[seat][_steps_ahead(setting, seat, steps)]

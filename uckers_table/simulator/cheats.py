"""How players who are not there cheat: boards that the rules see through, each of one plain kind."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from uckers_table.game.board import BASE, DOORSTEP
from uckers_table.game.match import Awaiting, Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Reason
from uckers_table.simulator.placing import moves_between


@dataclass(frozen=True)
class Cheat:
    """A board that does not follow, and what was done: padded, trimmed, wrong_side or timber_shift."""

    kind: str
    position: Position


def crooked_play(match: Match, rng: random.Random) -> Cheat | None:
    """A board put up instead of a legal play: a count padded or trimmed, or somebody else's piece moved."""
    ways = [_miscounts, _wrong_sides]
    rng.shuffle(ways)
    for way in ways:
        tries = list(way(match, rng))
        rng.shuffle(tries)
        for cheat in tries:
            if _is_caught(match, cheat, Kind.ILLEGAL, Kind.TIMBER_SHIFT):
                return cheat
    return None


def timber_shift(match: Match, rng: random.Random) -> Cheat | None:
    """A piece on the track walked a few squares while nobody's play is due."""
    if match.awaiting is not Awaiting.THROW:
        return None
    tries = [
        Cheat("timber_shift", moved)
        for seat, pieces in enumerate(match.position)
        for steps in sorted(set(pieces))
        for by in (-2, -1, 1, 2, 3)
        if (moved := _walked(match, match.position, seat, steps, by)) is not None
    ]
    rng.shuffle(tries)
    return next((cheat for cheat in tries if _is_caught(match, cheat, Kind.TIMBER_SHIFT)), None)


def _miscounts(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """A legal play whose last piece is set down a square or two off."""
    for play in rng.sample(sorted(match.plays), min(4, len(match.plays))):
        for move in moves_between(match.position, play):
            for by in (-2, -1, 1, 2):
                wrong = _walked(match, play, move.seat, move.end, by)
                if wrong is not None and move.end != BASE:
                    yield Cheat("padded" if by > 0 else "trimmed", wrong)


def _wrong_sides(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """Another seat's piece moved by the dice."""
    for seat, pieces in enumerate(match.position):
        if seat == match.to_play:
            continue
        for steps in sorted(set(pieces)):
            moved = _walked(match, match.position, seat, steps, sum(match.thrown))
            if moved is not None:
                yield Cheat("wrong_side", moved)


def _walked(match: Match, position: Position, seat: int, steps: int, by: int) -> Position | None:
    """The board with one piece on the track walked to an empty square; None where it cannot be."""
    end = steps + by
    board = match.board
    if not (DOORSTEP <= steps <= board.mouth and DOORSTEP <= end <= board.mouth):
        return None
    taken = {
        board.square(other, at)
        for stood in (position, match.position)
        for other, pieces in enumerate(stood)
        for at in pieces
    }
    if board.square(seat, end) in taken:
        return None
    four = list(position[seat])
    four[four.index(steps)] = end
    return (*position[:seat], tuple(sorted(four)), *position[seat + 1 :])


def _is_caught(match: Match, cheat: Cheat, *kinds: Kind) -> bool:
    """Whether the rules see through it, and without mistaking it for another fault."""
    rulings = match.see(cheat.position).rulings
    if not rulings or rulings[-1].kind not in kinds:
        return False
    return cheat.kind not in ("padded", "trimmed") or rulings[-1].reason is Reason.WRONG_COUNT

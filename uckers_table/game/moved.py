"""What was moved between two boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations

from uckers_table.game.board import BASE, DOORSTEP
from uckers_table.game.position import Position
from uckers_table.game.ruling import Move, left_and_reached
from uckers_table.game.ways import SIX


def moved_seats(position: Position, seen: Position) -> tuple[int, ...]:
    """The seats whose pieces stand otherwise."""
    return tuple(seat for seat, pieces in enumerate(position) if pieces != seen[seat])


def differences(
    position: Position, seen: Position, dice: Sequence[int] = (), out: int = DOORSTEP
) -> tuple[Move, ...]:
    """What was moved, as far as it can be told: of several ways the one that best fits the dice.

    The fewest pieces are named; a piece of a colour on a square that holds as many as before has not moved.
    `out` are the steps of a piece that has just come out of base.
    """
    return tuple(
        Move(seat, start, end)
        for seat in moved_seats(position, seen)
        for start, end in _paired(position[seat], seen[seat], dice, out)
    )


def _paired(
    before: Sequence[int], after: Sequence[int], dice: Sequence[int], out: int
) -> list[tuple[int, int]]:
    """Which start went to which end: where nothing else decides, nobody overtakes anybody."""
    starts, ends = left_and_reached(before, after)
    if len(starts) == 1:
        # Nearly every play: the match asks this of each.
        return [(starts[0], ends[0])]

    def unlikeliness(order: Iterable[int]) -> tuple[int, int, int]:
        strange = backwards = distance = 0
        total, thrown = Counter([sum(dice)]), Counter(dice)
        for start, end in zip(starts, order, strict=True):
            if end == BASE:
                continue
            used = Counter(numbers_used(start, end, out) if end > start else (start - end,))
            is_total = used == total and thrown == Counter(dice)
            strange += not (is_total or used <= thrown)
            thrown -= thrown if is_total else used
            backwards += end < start
            distance += abs(end - start)
        return strange, backwards, distance

    return list(zip(starts, min(permutations(ends), key=unlikeliness), strict=True))


def numbers_used(start: int, end: int, out: int) -> tuple[int, ...]:
    """What must be thrown to go from one to the other; coming out of base takes a six of its own.

    The corner, like base, lies one before the doorstep.
    """
    if start != BASE:
        return (end - max(start, BASE),)
    return (SIX,) if end == out else (SIX, end - out)

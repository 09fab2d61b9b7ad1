"""Boards that a hand passes through on its way to a legal play, so that nobody is accused in mid-play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from uckers_table.game.plays import Lister, Play
from uckers_table.game.position import Position
from uckers_table.game.ways import DieMove


def halfway_positions(lister: Lister, dice: Sequence[int]) -> frozenset[Position]:
    """The boards on which one die of a legal two-dice play has been moved and the other not yet.

    What the play knocks off may be in base already, or still stand.
    """
    found = set()
    plays = lister.two_dice_plays(dice)
    if lister.rules.exit_optional is not True:
        legal = lister.plays(dice)
        plays = [play for play in plays if play in legal]
    for play in plays:
        landings = 0
        for move in play:
            landings |= move.landings
        squares = _bits(landings & lister.field.enemies)
        for half in _halves(lister, play, dice):
            for spared in _all_sums(squares):
                found.add(lister.after((half._replace(landings=landings),), spared))
    return frozenset(found)


def _halves(lister: Lister, play: Play, dice: Sequence[int]) -> Iterator[DieMove]:
    """The single moves that are half of a play."""
    if len(play) == 2:
        yield from play
        return
    (move,) = play
    first, second = dice
    for die, other in ((first, second), (second, first)):
        half = lister.ways.moves[move.seat][move.start][die]
        if half:
            yield half
            # One's own piece half-way may go on first, and this one take its place.
            relieved = lister.ways.moves[move.seat][half.end][other]
            if relieved and half.end in lister.position[move.seat]:
                yield relieved


def _bits(number: int) -> list[int]:
    """The powers of two in a number."""
    bits = []
    while number:
        lowest = number & -number
        bits.append(lowest)
        number ^= lowest
    return bits


def _all_sums(bits: Sequence[int]) -> list[int]:
    """The sums of all subsets."""
    sums = [0]
    for bit in bits:
        sums += [each | bit for each in sums]
    return sums

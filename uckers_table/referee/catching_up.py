"""Boards on which people have still to move what a ruling moved: a challenge won, a penalty. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from uckers_table.game.position import Pieces, Position


def on_the_way(old: Position, new: Position) -> Iterator[Position]:
    """Every position on the way from `old` to `new`, both included: any pieces may have been moved."""
    choices = []
    for before, after in zip(old, new, strict=True):
        stays = list((Counter(before) & Counter(after)).elements())
        leaves = sorted((Counter(before) - Counter(after)).elements())
        arrives = sorted((Counter(after) - Counter(before)).elements())
        choices.append(_mixed(stays, list(zip(leaves, arrives, strict=True))))
    yield from product(*choices)


def lagging(old: Position, new: Position, played: Position) -> Iterator[Position]:
    """The boards after a play on which some pieces that a ruling moved may still stand where they were.

    The play was made on the board on record, `new`. A piece that it moved on from there does not lag.
    """
    choices = []
    for before, after, now in zip(old, new, played, strict=True):
        leaves = sorted((Counter(before) - Counter(after)).elements())
        arrives = Counter(after) - Counter(before)
        still = sorted((arrives & Counter(now)).elements())
        stays = list((Counter(now) - Counter(still)).elements())
        choices.append(_mixed(stays, list(zip(leaves, still, strict=False))))
    yield from product(*choices)


def _mixed(stays: list[int], moves: list[tuple[int, int]]) -> list[Pieces]:
    return [tuple(sorted([*stays, *moved])) for moved in product(*moves)]

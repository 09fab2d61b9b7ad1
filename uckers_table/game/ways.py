"""Where every step of every colour leads on one board, worked out once so that plays are quick to list.

A track square is a bit, so that "is there a barrier between here and there" is one `&`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from uckers_table.game.board import BASE, CORNER, DOORSTEP, Board

LONGEST = 12
"""The furthest a piece goes in one move: the total of a double six."""


class Reach(NamedTuple):
    """A move along the board: the steps it ends on, the bits of the squares passed, the bit landed on."""

    end: int
    passed: int
    landing: int


@dataclass(frozen=True)
class Ways:
    """Tables of one board. A piece on its corner has steps -1, which Python takes as the last entry."""

    bit: tuple[tuple[int, ...], ...]
    """bit[seat][steps]: the track square of those steps; 0 in base, chute and home."""
    forward: tuple[tuple[tuple[Reach | None, ...], ...], ...]
    """forward[seat][steps][n]: going n squares on; None past home and for pieces in base."""


@lru_cache(maxsize=8)
def ways_of(board: Board) -> Ways:
    """The tables of a board."""
    seats = range(board.arms)
    bit = tuple(tuple(_bit(board, seat, steps) for steps in _all_steps(board)) for seat in seats)
    forward = tuple(tuple(_reaches(board, bit[seat], start) for start in _all_steps(board)) for seat in seats)
    return Ways(bit, forward)


def _all_steps(board: Board) -> tuple[int, ...]:
    """Base to home, then the corner: the order of the tables."""
    return (*range(board.home + 1), CORNER)


def _bit(board: Board, seat: int, steps: int) -> int:
    square = board.square(seat, steps)
    return 0 if square is None else 1 << square


def _reaches(board: Board, bit: tuple[int, ...], start: int) -> tuple[Reach | None, ...]:
    if start == BASE:
        return (None,) * (LONGEST + 1)
    # From the corner the next square is the doorstep.
    first = DOORSTEP if start == CORNER else start + 1
    reaches: list[Reach | None] = [None]
    passed = 0
    for end in range(first, first + LONGEST):
        if end > board.home:
            reaches.append(None)
            continue
        reaches.append(Reach(end, passed, bit[end]))
        passed |= bit[end]
    return tuple(reaches)

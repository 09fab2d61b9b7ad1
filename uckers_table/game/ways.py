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


class DieMove(NamedTuple):
    """One piece's move: its seat, its steps before and after, the bits of the squares it lands on.

    `backing` tells that it ends going backwards, having bounced off home.
    """

    seat: int
    start: int
    end: int
    landings: int
    backing: bool = False


class Reach(NamedTuple):
    """A move along the board, and the bits of the squares it passes over."""

    move: DieMove
    passed: int


@dataclass(frozen=True)
class Ways:
    """Tables of one board. A piece on its corner has steps -1, which Python takes as the last entry."""

    bit: tuple[tuple[int, ...], ...]
    """bit[seat][steps]: the track square of those steps; 0 in base, chute and home."""
    forward: tuple[tuple[tuple[Reach | None, ...], ...], ...]
    """forward[seat][steps][n]: going n squares on; None past home and for pieces in base."""
    doorsteps: int
    """The bits of all doorsteps: the coloured squares of the track (WL p10)."""


@lru_cache(maxsize=8)
def ways_of(board: Board) -> Ways:
    """The tables of a board."""
    seats = range(board.arms)
    bit = tuple(tuple(_bit(board, seat, steps) for steps in _all_steps(board)) for seat in seats)
    forward = tuple(
        tuple(_reaches(board, bit[seat], seat, start) for start in _all_steps(board)) for seat in seats
    )
    doorsteps = sum(bit[seat][DOORSTEP] for seat in seats)
    return Ways(bit, forward, doorsteps)


def _all_steps(board: Board) -> tuple[int, ...]:
    """Base to home, then the corner: the order of the tables."""
    return (*range(board.home + 1), CORNER)


def _bit(board: Board, seat: int, steps: int) -> int:
    square = board.square(seat, steps)
    return 0 if square is None else 1 << square


def _reaches(board: Board, bit: tuple[int, ...], seat: int, start: int) -> tuple[Reach | None, ...]:
    if start == BASE:
        return (None,) * (LONGEST + 1)
    first = _next(start)
    reaches: list[Reach | None] = [None]
    passed = 0
    for end in range(first, first + LONGEST):
        if end > board.home:
            reaches.append(None)
            continue
        reaches.append(Reach(DieMove(seat, start, end, bit[end]), passed))
        passed |= bit[end]
    return tuple(reaches)


def walk(board: Board, seat: int, start: int, squares: int, backwards: bool) -> Reach:
    """A move that turns round at home, and going back turns again at its own doorstep (VAR D)."""
    bit = ways_of(board).bit[seat]
    steps, passed = start, 0
    for squares_left in range(squares, 0, -1):
        if backwards and steps == DOORSTEP:
            backwards = False
        elif not backwards and steps == board.home:
            backwards = True
        steps = steps - 1 if backwards else _next(steps)
        if squares_left > 1:
            passed |= bit[steps]
    return Reach(DieMove(seat, start, steps, bit[steps], backwards), passed)


def walk_back(board: Board, seat: int, start: int, squares: int) -> Reach:
    """A move backwards past the doorstep, over the corner to the mouth (WIKI oth6; ruling A54)."""
    bit = ways_of(board).bit[seat]
    steps, passed = start, 0
    for squares_left in range(squares, 0, -1):
        # Where nothing is skipped on the way round, the mouth itself lies behind the doorstep.
        if steps == CORNER or (steps == DOORSTEP and board.arm_end_doorstep):
            steps = board.mouth
        else:
            steps = CORNER if steps == DOORSTEP else steps - 1
        if squares_left > 1:
            passed |= bit[steps]
    return Reach(DieMove(seat, start, steps, bit[steps]), passed)


def _next(steps: int) -> int:
    """One square on; from the corner that is the doorstep."""
    return DOORSTEP if steps == CORNER else steps + 1

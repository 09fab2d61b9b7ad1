"""Where every step of every colour leads on one board, worked out once so that plays are quick to list.

A track square is a bit, so that "is there a barrier between here and there" is one `&`. What a rule set
says of leaving base and coming home is worked into the tables, so that listing plays asks nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from uckers_table.game.board import BASE, CORNER, DOORSTEP, Board

LONGEST = 12
"""The furthest a piece goes in one move: the total of a double six."""
SIX = 6
"""The number that brings a piece out and earns a throw."""
ANY_DIE = frozenset(range(1, SIX + 1))
EXIT_DICE = {"6": frozenset({SIX}), "1_or_6": frozenset({1, SIX})}
"""What brings a piece out, by `exit_throw`."""


class DieMove(NamedTuple):
    """One piece's move: its seat, its steps before and after.

    `landings` are the bits of the squares it lands on, `passed` those of the squares it passes over;
    `backing` tells that it ends going backwards, having bounced off home.
    """

    seat: int
    start: int
    end: int
    landings: int
    passed: int = 0
    backing: bool = False


Moves = tuple[DieMove | None, ...]
"""One piece's moves by the number of squares, 0 to 12; None where there is no such move."""


@dataclass(frozen=True)
class Ways:
    """Tables of one board. A piece on its corner has steps -1, which Python takes as the last entry."""

    bit: tuple[tuple[int, ...], ...]
    """bit[seat][steps]: the track square of those steps; 0 in base, chute and home."""
    onward: tuple[tuple[Moves, ...], ...]
    """onward[seat][steps]: the moves of a piece on its way; nothing from base, where only `out` leads."""
    out: tuple[Moves, ...]
    """out[seat][die]: coming out of base with a die; None where it does not bring a piece out."""
    out_and_on: tuple[Moves, ...]
    """out_and_on[seat][die]: coming out and walking on by the other die."""
    doorsteps: int
    """The bits of all doorsteps: the coloured squares of the track (WL p10)."""


@lru_cache(maxsize=32)
def ways_of(
    board: Board,
    exit_dice: frozenset[int] = EXIT_DICE["6"],
    exit_square: str = "doorstep",
    home_exact: str = "exact",
) -> Ways:
    """The tables of a board; the options are those of the rule set."""
    seats = range(board.arms)
    bit = _bits_of(board)
    onward = tuple(
        tuple(_onward(board, seat, start, home_exact) for start in _every_step(board)) for seat in seats
    )
    doorstep = DOORSTEP if exit_square == "doorstep" else SIX
    out = tuple(
        tuple(
            DieMove(seat, BASE, doorstep, bit[seat][doorstep]) if die in exit_dice else None
            for die in range(SIX + 1)
        )
        for seat in seats
    )
    out_and_on = tuple(
        tuple(
            move and move._replace(start=BASE, landings=move.landings | bit[seat][doorstep])
            for move in onward[seat][doorstep]
        )
        for seat in seats
    )
    return Ways(bit, onward, out, out_and_on, sum(bit[seat][DOORSTEP] for seat in seats))


def _every_step(board: Board) -> tuple[int, ...]:
    """Base to home, then the corner: the order of the tables."""
    return (*range(board.home + 1), CORNER)


@lru_cache(maxsize=8)
def _bits_of(board: Board) -> tuple[tuple[int, ...], ...]:
    """The bit of every seat's every step."""
    return tuple(
        tuple(
            0 if (square := board.square(seat, steps)) is None else 1 << square
            for steps in _every_step(board)
        )
        for seat in range(board.arms)
    )


def _onward(board: Board, seat: int, start: int, home_exact: str) -> Moves:
    """The moves of a piece on its way from `start`."""
    bit = _bits_of(board)[seat]
    if start in (BASE, board.home):
        return (None,) * (LONGEST + 1)
    moves: list[DieMove | None] = [None]
    for squares in range(1, LONGEST + 1):
        if home_exact == "bounce":
            moves.append(walk(board, seat, start, squares, backwards=False))
            continue
        first = _next(start)
        end = first + squares - 1
        if end > board.home and home_exact == "excess_allowed":
            end = board.home
        passed = sum(bit[first:end])
        moves.append(DieMove(seat, start, end, bit[end], passed) if end <= board.home else None)
    return tuple(moves)


def walk(board: Board, seat: int, start: int, squares: int, backwards: bool) -> DieMove:
    """A move that turns round at home, and going back turns again at its own doorstep (VAR D)."""
    bit = _bits_of(board)[seat]
    steps, passed = start, 0
    for squares_left in range(squares, 0, -1):
        if backwards and steps == DOORSTEP:
            backwards = False
        elif not backwards and steps == board.home:
            backwards = True
        steps = steps - 1 if backwards else _next(steps)
        if squares_left > 1:
            passed |= bit[steps]
    return DieMove(seat, start, steps, bit[steps], passed, backwards)


def walk_back(board: Board, seat: int, start: int, squares: int) -> DieMove:
    """A move backwards past the doorstep, over the corner to the mouth (WIKI oth6; ruling A54)."""
    bit = _bits_of(board)[seat]
    steps, passed = start, 0
    for squares_left in range(squares, 0, -1):
        # Where nothing is skipped on the way round, the mouth itself lies behind the doorstep.
        if steps == CORNER or (steps == DOORSTEP and board.arm_end_doorstep):
            steps = board.mouth
        else:
            steps = CORNER if steps == DOORSTEP else steps - 1
        if squares_left > 1:
            passed |= bit[steps]
    return DieMove(seat, start, steps, bit[steps], passed)


def _next(steps: int) -> int:
    """One square on; from the corner that is the doorstep."""
    return DOORSTEP if steps == CORNER else steps + 1

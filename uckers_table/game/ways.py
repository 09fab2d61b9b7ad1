"""Where every step of every colour leads on one board, worked out once so that plays are quick to list.

A track square is a bit, so that "is there a barrier between here and there" is one `&`. What a rule set
says of leaving base and coming home is worked into the tables, so that listing plays asks nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from uckers_table.game.board import BASE, CORNER, DOORSTEP, Board

SIX = 6
"""The number that brings a piece out and earns a throw."""
ANY_DIE = frozenset(range(1, SIX + 1))
TWO_DICE = tuple(product(range(1, SIX + 1), repeat=2))
EXIT_DICE = {"6": frozenset({SIX}), "1_or_6": frozenset({1, SIX})}
"""What brings a piece out, by `exit_throw`."""


class DieMove(NamedTuple):
    """One piece's move: its seat, its steps before and after.

    `landings` are the bits of the squares it lands on, `passed` those of the squares it passes over.
    `backing`: it ends going backwards, having bounced off home. `was_backing`: it began so.
    """

    seat: int
    start: int
    end: int
    landings: int
    passed: int = 0
    backing: bool = False
    was_backing: bool = False


Moves = tuple[DieMove | None, ...]
"""What one piece may do, if nobody is in the way: with one die, at its number; with two, at `both(…)`."""


def both(one: int, other: int) -> int:
    """Where `Moves` has what two dice do together: behind what each does alone.

    Where either of them brings a piece out of base, `one` does, and it walks on by `other`.
    """
    return SIX * one + other


@dataclass(frozen=True)
class Ways:
    """Tables of one board. A piece on its corner has steps -1, which Python takes as the last entry."""

    bit: tuple[tuple[int, ...], ...]
    """bit[seat][steps]: the track square of those steps; 0 in base, chute and home."""
    moves: tuple[tuple[Moves, ...], ...]
    """moves[seat][steps]: out of base by what brings out, elsewhere on by the die, or the total of two."""
    out: int
    """The steps of a piece that has just come out of base."""
    doorsteps: int
    """The bits of all doorsteps: the coloured squares of the track (WL p10)."""


@lru_cache(maxsize=32)
def ways_of(
    board: Board,
    exit_dice: frozenset[int] = EXIT_DICE["6"],
    exit_square: str = "doorstep",
    exit_captures: bool = True,
    home_exact: str = "exact",
) -> Ways:
    """The tables of a board; the options are those of the rule set."""
    bit = _bits_of(board)
    doorstep = DOORSTEP if exit_square == "doorstep" else SIX

    def moves(seat: int, start: int) -> Moves:
        if start == BASE:
            passed = sum(bit[seat][DOORSTEP:doorstep])
            # Where nobody is captured by coming out, one but passes over the square.
            landed, over = (bit[seat][doorstep], 0) if exit_captures else (0, bit[seat][doorstep])
            out = DieMove(seat, BASE, doorstep, landed, passed | over)
            return _out(out, exit_dice, moves(seat, doorstep))
        return _onward(board, seat, start, home_exact)

    every_seat = tuple(
        tuple(moves(seat, start) for start in _every_step(board)) for seat in range(board.arms)
    )
    return Ways(bit, every_seat, doorstep, sum(bit[seat][DOORSTEP] for seat in range(board.arms)))


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
    """What a piece on its way may do; one that is home nothing."""
    by_squares = [_steps_on(board, seat, start, squares, home_exact) for squares in range(2 * SIX + 1)]
    return tuple(by_squares[: SIX + 1] + [by_squares[one + other] for one, other in TWO_DICE])


def _steps_on(board: Board, seat: int, start: int, squares: int, home_exact: str) -> DieMove | None:
    """A piece going so many squares on, if they do not lead past home."""
    if start == board.home or not squares:
        return None
    if home_exact == "bounce":
        return walk(board, seat, start, squares, backwards=False)
    bit = _bits_of(board)[seat]
    first = _next(start)
    end = first + squares - 1
    if end > board.home:
        if home_exact == "exact":
            return None
        end = board.home
    return DieMove(seat, start, end, bit[end], sum(bit[first:end]))


def _out(out: DieMove, exit_dice: frozenset[int], onward: Moves) -> Moves:
    """What a piece in base may do: come out, and walk on from there by the other die."""

    def out_and_on(one: int, other: int) -> DieMove | None:
        on = onward[other] if one in exit_dice else onward[one] if other in exit_dice else None
        if on is None:
            return None
        return on._replace(start=BASE, landings=on.landings | out.landings, passed=on.passed | out.passed)

    return (
        *(out if die in exit_dice else None for die in range(SIX + 1)),
        *(out_and_on(*dice) for dice in TWO_DICE),
    )


def walk(board: Board, seat: int, start: int, squares: int, backwards: bool) -> DieMove:
    """A move that turns round at home, and going back turns again at its own doorstep (VAR D)."""
    bit = _bits_of(board)[seat]
    steps, passed, was_backing = start, 0, backwards
    for squares_left in range(squares, 0, -1):
        if backwards and steps == DOORSTEP:
            backwards = False
        elif not backwards and steps == board.home:
            backwards = True
        steps = steps - 1 if backwards else _next(steps)
        if squares_left > 1:
            passed |= bit[steps]
    return DieMove(seat, start, steps, bit[steps], passed, backwards, was_backing)


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

"""The way of a piece as people count it: square by square, along its own colour's way."""

from __future__ import annotations

from collections.abc import Sequence

from uckers_table.announce.words import MOST_COUNTED
from uckers_table.game.board import BASE, CORNER, DOORSTEP, Board


def way_counted(board: Board, start: int, end: int, throw: Sequence[int] = ()) -> tuple[int, ...]:
    """The steps that a piece came to, from its first square on to its last.

    The doorstep that it comes out to is none of them. Backwards, where it stands behind its start, unless the
    throw takes it past its own chute and on round the board. Empty into base, and where nobody counts so far.
    """
    if end == BASE or not CORNER <= end <= board.home:
        return ()
    if went_round(board, start, end, throw):
        corner = () if board.arm_end_doorstep else (CORNER,)
        return (*range(start + 1, board.mouth + 1), *corner, *range(DOORSTEP, end + 1))
    first = {BASE: DOORSTEP, CORNER: BASE}.get(start, start)
    if end > first:
        way = tuple(range(first + 1, end + 1))
    else:
        way = tuple(range(first - 1, max(end, DOORSTEP) - 1, -1)) + (CORNER,) * (end == CORNER != start)
    return way if len(way) <= MOST_COUNTED else ()


def went_round(board: Board, start: int, end: int, throw: Sequence[int]) -> bool:
    """Whether a piece went on by a number thrown, past its mouth and on round the board."""
    is_on_track = BASE < end < start <= board.mouth
    return is_on_track and board.track + end - start in (*throw, sum(throw))

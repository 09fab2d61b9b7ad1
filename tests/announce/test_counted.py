"""A way counted square by square, by hand on the usual board: 51 is the mouth, 57 home."""

import pytest

from uckers_table.announce.counted import way_counted
from uckers_table.game.board import BASE, CORNER, Board


@pytest.mark.parametrize(
    ("start", "end", "throw", "way"),
    [
        (10, 13, (), (11, 12, 13)),
        (1, 2, (), (2,)),
        (BASE, 1, (6, 4), ()),
        (BASE, 4, (6, 3), (2, 3, 4)),
        (49, 53, (), (50, 51, 52, 53)),
        (55, 57, (), (56, 57)),
        (13, 10, (6, 5), (12, 11, 10)),
        (2, CORNER, (), (1, CORNER)),
        (CORNER, 2, (), (1, 2)),
        (10, BASE, (), ()),
        (0, 29, (), ()),
        (1, 13, (), tuple(range(2, 14))),
        (1, 14, (), ()),
        (50, 4, (5, 4), ()),
        (50, 2, (4, 1), (51, CORNER, 1, 2)),
        (10, 99, (), ()),
    ],
)
def test_a_way_is_counted(start, end, throw, way):
    assert way_counted(Board(), start, end, throw) == way


def test_where_nothing_is_skipped_the_doorstep_comes_after_the_mouth():
    board = Board(arm_end_doorstep=True)
    assert way_counted(board, board.mouth - 1, 2, (3,)) == (board.mouth, 1, 2)

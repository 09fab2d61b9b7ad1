"""What a reading costs, and which differences look like errors of the reader's. By hand."""

import pytest

from tests.referee.scripted import BOARD
from uckers_table.game.position import position_from
from uckers_table.referee.matching import looks_misread, may_be_error


@pytest.mark.parametrize(
    ("red", "is_likely"),
    [
        ([11, 20, 57, 57], True),
        ([12, 20, 57, 57], False),
        ([11, 21, 57, 57], False),
        ([10, 20, 57, 57], False),
    ],
)
def test_readers_err_by_one_piece_and_one_square(red, is_likely):
    record = position_from(BOARD, {"red": [10, 20, 57, 57]})
    assert looks_misread(BOARD, record, position_from(BOARD, {"red": red})) is is_likely


@pytest.mark.parametrize(
    ("red", "is_likely"),
    [
        ([10, 0, 0, 0], True),
        ([10, 21, 0, 0], True),
        ([10, 10, 0, 0], True),
        ([10, 10, 20, 0], True),
        ([10, 22, 0, 0], False),
        ([10, 57, 0, 0], False),
        ([11, 21, 0, 0], False),
        ([10, 20, 1, 0], False),
        ([10, 20, 0, 0], False),
    ],
)
def test_readers_miss_pieces_and_think_them_under_others(red, is_likely):
    record = position_from(BOARD, {"red": [10, 20, 0, 0]})
    assert may_be_error(BOARD, record, position_from(BOARD, {"red": red})) is is_likely

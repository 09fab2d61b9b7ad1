"""The board against the drawing: numbers of squares, the plan, there and back again."""

import pytest

from uckers_table.errors import RulesError
from uckers_table.game.board import CORNER, Board, Plan

BOARD, PLAN = Board(), Plan()


def test_the_usual_board_in_numbers():
    assert (BOARD.track, BOARD.mouth, list(BOARD.chute), BOARD.home) == (52, 51, [52, 53, 54, 55, 56], 57)


@pytest.mark.parametrize(
    ("board", "track", "mouth", "home"),
    [
        (Board(arm_length=8), 68, 67, 75),
        (Board(("a", "b", "c", "d", "e", "f")), 78, 77, 83),
        (Board(arm_end_doorstep=True), 52, 52, 58),
    ],
)
def test_other_boards_in_numbers(board, track, mouth, home):
    assert (board.track, board.mouth, board.home) == (track, mouth, home)


def test_the_same_square_for_four_colours():
    assert [BOARD.square(seat, steps) for seat, steps in ((0, 16), (1, 3), (2, 42), (3, 29))] == [15] * 4


def test_steps_and_squares_there_and_back():
    for seat in range(4):
        for steps in (CORNER, *range(1, 52)):
            assert BOARD.steps_on(seat, BOARD.square(seat, steps)) == steps
        assert [BOARD.square(seat, steps) for steps in (0, *BOARD.chute, 57)] == [None] * 7


def test_seat_0_on_the_plan_as_it_is_drawn():
    assert PLAN.cell(0, 51) == (0, 7)
    assert PLAN.cell(0, CORNER) == (0, 6)
    assert [PLAN.cell(0, steps) for steps in range(1, 6)] == [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6)]
    assert [PLAN.cell(0, steps) for steps in range(6, 14)] == [
        *((6, 5), (6, 4), (6, 3), (6, 2), (6, 1), (6, 0)),
        *((7, 0), (8, 0)),
    ]
    assert [PLAN.cell(0, steps) for steps in BOARD.chute] == [(column, 7) for column in range(1, 6)]


def test_the_other_seats_follow_by_quarter_turns():
    for steps in (CORNER, *range(1, 57)):
        column, row = PLAN.cell(0, steps)
        assert PLAN.cell(1, steps) == (14 - row, column)
        assert PLAN.cell(2, steps) == (14 - column, 14 - row)
        assert PLAN.cell(3, steps) == (row, 14 - column)


def test_every_track_square_has_a_cell_of_its_own_in_reach_of_the_next():
    cells = PLAN.track_cells
    assert len(set(cells)) == 52
    for (c1, r1), (c2, r2) in zip(cells, (*cells[1:], cells[0]), strict=True):
        # One square on, or round an inner corner of the cross.
        assert max(abs(c1 - c2), abs(r1 - r2)) == 1


def test_a_cells_centre_lies_in_it():
    for cell in {PLAN.cell(seat, steps) for seat in range(4) for steps in range(1, 57)}:
        assert PLAN.cell_at(*PLAN.centre_mm(cell)) == cell


@pytest.mark.parametrize(
    ("seats", "arm_length", "complaint"),
    [
        (("red", "green"), 6, "four or six arms, not 2"),
        (("red", "green", "red", "blue"), 6, "a colour sits twice"),
        (("red", "green", "yellow", "blue"), 1, "at least two squares"),
    ],
)
def test_no_such_board(seats, arm_length, complaint):
    with pytest.raises(RulesError, match=complaint):
        Board(seats, arm_length)

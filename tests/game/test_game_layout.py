"""The drawing of a board: four arms lie as on the real board's plan, six as geometry has them."""

from itertools import pairwise
from math import dist, sqrt

import pytest

from uckers_table.game.board import BASE, COLOURS, CORNER, DOORSTEP, Board, Plan
from uckers_table.game.layout import Layout
from uckers_table.game.setting import SIX_COLOURS


@pytest.mark.parametrize("arm_length", [2, 6, 9])
@pytest.mark.parametrize("arm_end_doorstep", [False, True])
def test_a_board_of_four_arms_is_drawn_as_it_is_painted(arm_length, arm_end_doorstep):
    board = Board(COLOURS, arm_length, arm_end_doorstep)
    plan, layout = Plan(board, cell_mm=1, border_mm=0), Layout(board)
    half = plan.side_mm / 2
    for seat in range(4):
        for steps in (CORNER, *range(DOORSTEP, board.home)):
            x, y = plan.centre_mm(plan.cell(seat, steps))
            place = layout.place(seat, steps)
            assert (place.x, place.y) == pytest.approx((x - half, y - half)), (seat, steps)
        for number in range(4):
            place = layout.place(seat, BASE, number)
            assert plan.base_of(plan.cell_at(place.x + half, place.y + half)) == seat
        home = layout.place(seat, board.home)
        assert plan.is_home(plan.cell_at(home.x + half, home.y + half))
    assert layout.size == pytest.approx((plan.side_mm, plan.side_mm))
    corners = {(round(x + half, 6) + 0.0, round(y + half, 6) + 0.0) for x, y in layout.base(0)}
    assert corners == {(0, 0), (arm_length, 0), (arm_length, arm_length), (0, arm_length)}


SIX = Board(SIX_COLOURS)


def test_six_arms_make_a_hexagon_round_a_hexagon():
    """Home's sides are three squares long, so its corners are three from the middle; the board's apothem is
    the arms' six squares more than home's.
    """
    layout = Layout(SIX)
    for seat in range(6):
        one, other, tip = layout.home(seat)
        assert tip == (0, 0)
        assert (dist(one, tip), dist(one, other)) == pytest.approx((3, 3))
    apothem = 1.5 * sqrt(3) + 6
    assert layout.size == pytest.approx((2 * apothem, 4 * apothem / sqrt(3)))
    # Red's arm points left, and green's doorstep lies as far round as red's.
    doorstep = layout.place(0, DOORSTEP)
    assert (doorstep.x, doorstep.y) == pytest.approx((-(apothem - 1.5), -1))
    assert (layout.place(0, SIX.mouth).x, layout.place(0, SIX.mouth).y) == pytest.approx((0.5 - apothem, 0))


def arm(board):
    """How long an arm is."""
    return f"arms of {board.arm_length}"


@pytest.mark.parametrize("board", [SIX, Board(SIX_COLOURS, 2), Board(SIX_COLOURS, 20, True)], ids=arm)
def test_who_goes_round_six_arms_goes_from_square_to_square(board):
    layout = Layout(board)
    way = [layout.place(0, steps) for steps in range(DOORSTEP, board.home)]
    gaps = [dist((a.x, a.y), (b.x, b.y)) for a, b in pairwise(way)]
    turns = [gap for gap in gaps if gap != pytest.approx(1)]
    # Round home squares share only a corner: their middles are half a diagonal from it, 45 + 60 + 45 degrees
    # apart.
    assert turns == pytest.approx([sqrt(2) * sin75()] * 6)
    assert len({(round(place.x, 6), round(place.y, 6)) for place, _ in layout.squares}) == len(layout.squares)


def sin75():
    return (sqrt(6) + sqrt(2)) / 4


def test_pieces_in_base_lie_beside_one_another_where_there_is_room():
    for board, apart in ((Board(), 2.0), (SIX, 1.46), (Board(SIX_COLOURS, 3), 0.0)):
        layout = Layout(board)
        spots = [layout.place(2, BASE, number) for number in range(4)]
        gaps = [dist((a.x, a.y), (b.x, b.y)) for a, b in pairwise([*spots, spots[0]])]
        assert gaps == pytest.approx([apart] * 4, abs=0.01)


def test_each_colour_has_a_letter_of_its_own():
    assert SIX.letters == ("R", "G", "Y", "B", "W", "K")
    assert Board(("green", "red", "blue", "black")).letters == ("G", "R", "B", "K")
    assert Board(("aba", "ba", "ab", "abab")).letters == ("A", "B", "2", "3")

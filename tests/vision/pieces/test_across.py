"""Pieces near lines: which other squares they may be meant for. Cells of 40 mm from 5 mm on, by hand."""

import pytest

from uckers_table.game.board import Plan
from uckers_table.vision.pieces.across import across_a_line

PLAN = Plan()
RED, GREEN = 0, 1


def told(seat, x_mm, y_mm):
    return sorted(
        (PLAN.cell_at(x, y), round(cost, 2)) for x, y, cost in across_a_line(PLAN, seat, x_mm, y_mm)
    )


def test_a_piece_in_the_middle_of_its_square_stands_nowhere_else():
    assert told(RED, *PLAN.centre_mm((3, 6))) == []


@pytest.mark.parametrize("off_mm, cost", [(1.0, 0.5), (4.0, 2.0), (7.5, 3.75)])
def test_the_nearer_the_line_the_likelier_the_square_beyond_it(off_mm, cost):
    # Cells (3, 6) and (4, 6) of the track meet at x = 165 mm.
    assert told(RED, 165.0 - off_mm, 265.0) == [((4, 6), cost)]
    assert told(RED, 165.0 + off_mm, 265.0) == [((3, 6), cost)]


def test_squares_that_the_colour_never_uses_are_not_thought_of():
    # Below (3, 6) lies red's own chute, which green never walks.
    assert told(RED, 145.0, 284.0) == [((3, 7), 0.5)]
    assert told(GREEN, 145.0, 284.0) == []


def test_a_piece_that_stands_off_the_track_may_be_meant_for_a_square_of_it():
    # Two millimetres above (3, 6), in red's base.
    assert told(GREEN, 145.0, 243.0) == [((3, 6), 1.0)]

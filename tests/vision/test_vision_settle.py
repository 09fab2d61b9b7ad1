"""What is claimed of the tops that were found, at places worked out by hand."""

import pytest

from uckers_table.game.board import Plan
from uckers_table.vision.camera import Camera
from uckers_table.vision.pieces import Stack
from uckers_table.vision.settle import settle

PLAN = Plan()
OVERHEAD = Camera(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
RED = 0
HIGH = (0.0, 9.0)
"""Evidence that would do for a second piece anywhere."""


def pieces_of(*stacks):
    return settle(stacks, PLAN, OVERHEAD, 18.0, 0.0, hand=False).pieces["red"]


@pytest.mark.parametrize(
    ("place_mm", "steps"),
    [
        (PLAN.centre_mm((1, 6)), (1, 1)),  # on the doorstep: a stack
        ((265.0, 305.0), (57,)),  # in red's own triangle of home
        ((79.0, 79.0), (0,)),  # on a spot of its base
    ],
)
def test_a_second_piece_is_claimed_on_the_track_and_never_in_base_or_home(place_mm, steps):
    assert pieces_of(Stack((RED, RED), *place_mm, 5.0, HIGH)) == steps


def test_no_colour_is_claimed_more_than_four_times():
    cells = [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6)]
    stacks = [Stack((RED,), *PLAN.centre_mm(cell), 5.0 - k) for k, cell in enumerate(cells)]
    assert pieces_of(*stacks) == (1, 2, 3, 4)


def test_a_top_that_is_not_claimed_is_told_as_what_else_there_may_be():
    doubtful = Stack((RED,), *PLAN.centre_mm((2, 6)), -1.0, is_claimed=False)
    settled = settle([doubtful], PLAN, OVERHEAD, 18.0, 0.0, hand=False)
    assert settled.pieces["red"] == ()
    assert [(a.place, dict(a.contents)) for a in settled.alternatives] == [("1", {"red": 1})]

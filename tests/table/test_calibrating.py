"""Calibration step by step, with pictures of the simulated table."""

from queue import Queue

import cv2
import numpy as np
import pytest

from tests.patience import HANGS_S
from tests.repainted import ORANGE, painted
from uckers_table.errors import CalibrationError, InputError
from uckers_table.game.board import COLOURS, Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.table.calibrating import Calibrating, ShownPicture
from uckers_table.vision.place.lens import wide_lens
from uckers_table.web.feed import CalibrationProgress

SIZE = (1152, 648)


@pytest.fixture(scope="module")
def table():
    return Renderer(Plan(Board()), look_for(3), size=SIZE, seed=3)


class Steps:
    """A calibration, and what it tells."""

    def __init__(self):
        self.told = Queue()
        self.calibrating = Calibrating(COLOURS, self.told.put)

    def show(self, what, image, **settings):
        self.calibrating.show(ShownPicture(what, image, settings))
        return self.outcome()

    def corners(self, corners):
        self.calibrating.set_corners(corners)
        return self.outcome()

    def outcome(self):
        """What is told once nothing is being worked out any more."""
        while (told := self.told.get(timeout=HANGS_S)).quality[-1:] and told.quality[-1].endswith("…"):
            continue
        return told


@pytest.fixture
def steps():
    steps = Steps()
    yield steps
    steps.calibrating.close()


def true_corners(table):
    """Clockwise from the picture's top left, in whichever corner of the plan that is."""
    side = table.plan.side_mm
    corners = table.view.project([(0, 0, 0), (side, 0, 0), (side, side, 0), (0, side, 0)])
    return np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)


def test_two_pictures_make_a_profile(steps, table):
    bare = steps.show("empty", table.empty, exposure_us=50000.0)
    assert (bare.size, bare.taken, bare.trouble, bare.is_acceptable) == (SIZE, ("empty",), "", False)
    assert np.abs(np.array(bare.corners) - true_corners(table)).max() < 3.0
    with pytest.raises(InputError, match="nothing to be accepted yet"):
        steps.calibrating.accepted()
    both = steps.show("start", table.start, exposure_us=40000.0)
    assert (both.taken, both.trouble, both.is_acceptable) == (("empty", "start"), "", True)
    assert any("all sixteen read back" in line for line in both.quality)
    assert np.abs(np.array(both.corners) - true_corners(table)).max() < 3.0
    profile = steps.calibrating.accepted()
    assert (profile.seats, profile.settings) == (COLOURS, {"exposure_us": 50000.0})


def test_the_seats_are_those_that_are_said_and_a_board_of_others_is_no_such_board(steps):
    seats = ("red", "blue", "yellow", "green")
    mirrored = Renderer(Plan(Board(seats)), look_for(3), size=SIZE, seed=3)
    assert not steps.show("empty", mirrored.empty).is_acceptable
    assert not steps.show("start", mirrored.start).is_acceptable
    steps.calibrating.set_seats(seats)
    both = steps.outcome()
    assert (both.taken, both.trouble, both.is_acceptable) == (("empty", "start"), "", True)
    assert steps.calibrating.accepted().seats == seats


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        ("empty", "empty", "one and the same"),
        ("start", "empty", "The pictures are swapped"),
        ("start", "start", "one and the same"),
    ],
)
def test_a_wrong_pair_is_refused_with_what_is_wrong(steps, table, first, second, named):
    steps.show("empty", getattr(table, first))
    both = steps.show("start", getattr(table, second))
    assert named in both.trouble
    assert not both.is_acceptable
    with pytest.raises(InputError):
        steps.calibrating.accepted()


NAMELESS = ("orange", "purple", "pink", "brown")
"""Colours of which no hue is known."""


def test_whose_base_is_at_the_top_left_is_asked_where_no_picture_tells_it(steps, table):
    steps.calibrating.set_seats(NAMELESS)
    assert steps.outcome().may_be_top_left == ()
    steps.show("empty", table.empty)
    both = steps.show("start", table.start)
    assert "neither paint nor pieces tell" in both.trouble.lower()
    assert "--" not in both.trouble
    assert (both.may_be_top_left, both.is_acceptable) == (NAMELESS, False)
    side = table.plan.side_mm
    corners = np.asarray(table.view.project([(0, 0, 0), (side, 0, 0), (side, side, 0), (0, side, 0)]))
    steps.calibrating.set_top_left(NAMELESS[int(corners.sum(axis=1).argmin())])
    told = steps.outcome()
    assert (told.trouble, told.is_acceptable) == ("", True)
    found = steps.calibrating.accepted().camera.project([(0, 0), (side, 0)])
    np.testing.assert_allclose(found, corners[:2], atol=2.0)


def test_a_colour_said_in_error_is_said_anew_until_another_board_is_shown(steps, table):
    steps.calibrating.set_seats(NAMELESS)
    steps.outcome()
    steps.show("empty", table.empty)
    for colour in NAMELESS[:2]:
        steps.calibrating.set_top_left(colour)
        assert steps.outcome().may_be_top_left == NAMELESS
    assert steps.show("empty", table.empty).may_be_top_left == ()


@pytest.mark.parametrize(("model", "lens"), [("imx708_wide", wide_lens(*SIZE)), ("imx708", None)])
def test_the_lens_begins_with_what_the_camera_says_of_itself(steps, table, monkeypatch, model, lens):
    begun = []

    def learned(*given, lens, **more):
        begun.append(lens)
        raise CalibrationError("enough")

    monkeypatch.setattr("uckers_table.table.calibrating.calibrate", learned)
    for what, picture in (("empty", table.empty), ("start", table.start)):
        steps.calibrating.show(ShownPicture(what, picture, model=model))
        steps.outcome()
    assert begun == [lens]


def test_a_strange_piece_is_asked_about_and_counts_as_its_bases_colour(steps, table):
    steps.show("empty", table.empty)
    asked = steps.show("start", painted(table, ORANGE, seat=1))
    assert asked.trouble == "One piece in green’s base is orange."
    assert (asked.may_count_as, asked.is_acceptable) == (COLOURS, False)
    steps.calibrating.count_as("red")
    assert steps.outcome().trouble == (
        "It stands in green’s base. Put it in red’s, and take that picture again."
    )
    steps.calibrating.count_as("green")
    told = steps.outcome()
    assert (told.trouble, told.may_count_as, told.is_acceptable) == ("", (), True)
    assert [len(paints) for paints in steps.calibrating.accepted().strange_colours] == [0, 1, 0, 0]
    # What was said of one picture is not said of the next.
    assert steps.show("start", table.start).is_acceptable
    assert steps.calibrating.accepted().strange_colours == ((), (), (), ())


def test_a_board_that_is_not_bare_is_told_before_the_second_picture(steps, table):
    shown = steps.show("empty", table.start)
    assert shown.trouble.startswith("Pieces stand in the bases in the empty picture")


def test_a_picture_without_a_board_is_refused_and_another_taken(steps, table):
    dark = steps.show("empty", np.full((648, 1152, 3), 40, np.uint8))
    assert dark.trouble.startswith("No board found in the empty picture")
    assert "--" not in dark.trouble
    again = steps.show("empty", table.empty)
    assert (again.trouble, len(again.corners)) == ("", 4)


def test_corners_dragged_are_tried_and_what_is_wrong_with_them_is_said(steps, table):
    steps.show("empty", table.empty)
    assert steps.show("start", table.start).is_acceptable
    wrong = tuple((float(x) + 18.0, float(y)) for x, y in true_corners(table))
    dragged = steps.corners(wrong)
    assert (dragged.corners, dragged.is_acceptable) == (wrong, False)
    assert "painted lines" in dragged.trouble
    nearly = tuple((float(x) + 3.0, float(y) - 2.0) for x, y in true_corners(table))
    assert steps.corners(nearly).is_acceptable
    found = steps.corners(None)
    assert found.is_acceptable
    assert np.abs(np.array(found.corners) - true_corners(table)).max() < 3.0


def test_corners_that_cross_are_no_board(steps, table):
    steps.show("empty", table.empty)
    a, b, c, d = (tuple(map(float, corner)) for corner in true_corners(table))
    assert steps.corners((a, c, b, d)).trouble.startswith("The corners do not go round the board")


def test_the_bare_board_taken_again_begins_anew(steps, table):
    steps.show("empty", table.empty)
    assert steps.show("start", table.start).is_acceptable
    again = steps.show("empty", cv2.convertScaleAbs(table.empty, alpha=0.95))
    assert (again.taken, again.is_acceptable) == (("empty",), False)


def test_a_camera_that_finds_no_focus_says_so(steps):
    steps.calibrating.show(ShownPicture("empty", trouble="the camera finds no focus"))
    assert steps.outcome() == CalibrationProgress((0, 0), trouble="the camera finds no focus")


def test_the_picture_with_the_pieces_may_come_first(steps, table):
    assert steps.show("start", table.start).taken == ("start",)
    assert steps.show("empty", table.empty).is_acceptable

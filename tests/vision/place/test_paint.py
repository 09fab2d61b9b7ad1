"""Which way round a board lies, told by its paint and its pieces: colours by hand, and chutes as drawn."""

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from uckers_table.game.board import Board, Plan
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.paint import at_top_left, chute_paints, is_unpainted, order_cost, turned, turns

SEATS = ("yellow", "blue", "red", "green")
PLAN = Plan(Board(SEATS))
PAINT = {"yellow": (235, 190, 110), "blue": (125, 140, 217), "red": (205, 54, 66), "green": (60, 130, 80)}
CAMERA = CameraModel(640, 640, 1000.0, 319.5, 319.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 1000.0))


def paints(**other: tuple[int, int, int]) -> Floats:
    """The corners' paints, white = 1."""
    return np.array([{**PAINT, **other}[seat] for seat in SEATS]) / 250


def board(paint: Mapping[str, tuple[int, int, int]]) -> Image:
    """Its chutes in these paints, red, green and blue, all else white, a pixel a millimetre."""
    picture = np.full((640, 640, 3), 250, dtype=np.uint8)
    for seat, colour in enumerate(SEATS):
        for steps in PLAN.board.chute:
            x, y = CAMERA.project([PLAN.centre_mm(PLAN.chute_cell(seat, steps))])[0].astype(int)
            cv2.rectangle(picture, (x - 20, y - 20), (x + 19, y + 19), paint[colour][::-1], -1)
    return picture


@pytest.mark.parametrize("corner", range(4))
def test_the_corner_of_the_first_seat_is_told(corner: int) -> None:
    told = turns([np.roll(paints(), corner, axis=0)], SEATS)
    assert told.best == corner
    assert told.is_clear
    assert told.order == (*SEATS[-corner:], *SEATS[:-corner])


@pytest.mark.parametrize(
    "other",
    [
        {"green": (145, 197, 201)},
        {"green": (181, 214, 217)},
        {"green": (204, 223, 224), "blue": (232, 240, 250)},
        {"green": (250, 250, 250)},
        {"green": (30, 30, 30)},
        {"red": (230, 120, 30)},
    ],
    ids=["leans to blue", "mirrors a lamp", "two mirror strips", "white", "black", "orange"],
)
def test_paint_that_is_odd_or_drowned_costs_little_where_the_others_fit(other) -> None:
    told = turns([paints(**other)], SEATS)
    assert told.best == 0
    assert told.is_clear


def test_plywood_for_white_makes_all_paint_bluish_and_costs_little() -> None:
    """A bottle green under a warm lamp (frames/hard/V8). By its name alone the second chute is blue."""
    seen = np.array([(1.05, 1.03, 0.62), (0.29, 0.59, 0.79), (0.71, 0.28, 0.64), (0.3, 0.49, 1.26)])
    told = turns([seen], ("yellow", "green", "red", "blue"))
    assert told.best == 0
    assert told.is_clear
    assert told.costs[0] < 0.5


def test_another_order_of_the_seats_is_told() -> None:
    told = turns([paints()], ("red", "yellow", "blue", "green"))
    assert not told.is_in_order
    assert told.order == SEATS


def test_two_chutes_of_one_paint_are_told_apart_by_the_pieces() -> None:
    odd = paints(red=PAINT["yellow"], green=PAINT["blue"])
    assert not turns([odd], SEATS).is_clear
    told = turns([odd, paints()], SEATS)
    assert told.is_clear
    assert told.best == 0


def test_four_chutes_of_one_paint_tell_nothing() -> None:
    for one in ((250, 250, 250), (50, 60, 200)):
        same = np.array([one] * 4) / 250
        assert is_unpainted(same)
        assert turns([same], SEATS).lead < 0.01
    assert not is_unpainted(paints())


def test_pieces_are_compared_in_the_cast_of_the_paint() -> None:
    """A green piece that is bluer than any blue paint by its shares, where all paint is bluish."""
    cast = np.array([0.7, 0.9, 1.6])
    own = order_cost([paints() * cast, paints() * cast], [SEATS, SEATS])
    exchanged = order_cost([paints() * cast, paints() * cast], [SEATS, ("yellow", "green", "red", "blue")])
    assert own < 0.2
    assert exchanged > own + 0.3


def test_a_lamp_mirrored_in_one_arm_adds_its_colour_to_all_its_squares() -> None:
    """Of paint and lamp together the hue is the lamp's, but not of how they differ from white beside them."""
    glaring = board(PAINT).astype(np.float64)
    middle = PLAN.centre_mm(PLAN.chute_cell(SEATS.index("green"), PLAN.board.chute[2]))
    rows, columns = np.indices(glaring.shape[:2])
    (x, y), *_ = CAMERA.project([middle])
    lamp = np.array([160.0, 110.0, 60.0])
    off = np.hypot(rows - y, columns - x)
    seen = (glaring * 0.3 + np.exp(-((off / 240) ** 2))[..., None] * lamp).astype(np.uint8)
    assert turns([chute_paints(seen, CAMERA, PLAN)], SEATS).best == 0


@pytest.mark.parametrize("quarters", range(4))
def test_cells_are_turned_so_that_the_first_seat_sits_at_that_corner(quarters: int) -> None:
    to_px = np.array([[40.0, 0, 20], [0, 40.0, 20], [0, 0, 1]])
    cells = turned(to_px, PLAN, quarters)
    assert at_top_left(cells, PLAN) == -quarters % 4

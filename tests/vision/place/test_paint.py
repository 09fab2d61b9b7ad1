"""Which way round a board lies, told by its paint: boards drawn in their plan's own cells."""

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from uckers_table.errors import CalibrationError
from uckers_table.game.board import Board, Plan
from uckers_table.vision.picture.arrays import Image
from uckers_table.vision.place.paint import turn_by_paint

PLAN = Plan(Board(("yellow", "blue", "red", "green")))
PAINT = {"yellow": (235, 190, 110), "blue": (125, 140, 217), "red": (205, 54, 66), "green": (60, 130, 80)}
CELL_PX = 20
TO_PX = np.array([[CELL_PX, 0, CELL_PX / 2], [0, CELL_PX, CELL_PX / 2], [0, 0, 1.0]])


def board(paints: Mapping[str, tuple[int, int, int]]) -> Image:
    """Its chutes in these paints, red, green and blue, all else white."""
    size = PLAN.cells * CELL_PX
    picture = np.full((size, size, 3), 250, dtype=np.uint8)
    for seat, colour in enumerate(PLAN.board.seats):
        for steps in PLAN.board.chute:
            column, row = PLAN.chute_cell(seat, steps)
            corner = column * CELL_PX, row * CELL_PX
            end = corner[0] + CELL_PX - 1, corner[1] + CELL_PX - 1
            cv2.rectangle(picture, corner, end, paints[colour][::-1], -1)
    return picture


def test_a_chute_that_mirrors_a_lamp_is_told_by_the_others() -> None:
    drowned = {**PAINT, "green": (181, 214, 217)}
    np.testing.assert_allclose(turn_by_paint(board(drowned), TO_PX, PLAN, None), TO_PX)


def test_a_lamp_mirrored_in_one_arm_adds_its_colour_to_all_its_squares() -> None:
    """Of paint and lamp together the hue is the lamp's, but not of how they differ from white beside them."""
    glaring = board(PAINT).astype(np.float64)
    middle = PLAN.chute_cell(PLAN.board.seats.index("green"), PLAN.board.chute[2])
    rows, columns = np.indices(glaring.shape[:2])
    off = np.hypot(rows - (middle[1] + 0.5) * CELL_PX, columns - (middle[0] + 0.5) * CELL_PX)
    lamp = np.array([160.0, 110.0, 60.0])
    seen = (glaring * 0.3 + np.exp(-((off / (6 * CELL_PX)) ** 2))[..., None] * lamp).astype(np.uint8)
    np.testing.assert_allclose(turn_by_paint(seen, TO_PX, PLAN, None), TO_PX)


def test_two_chutes_that_mirror_strips_keep_enough_of_their_hue() -> None:
    drowned = {**PAINT, "green": (204, 223, 224), "blue": (232, 240, 250)}
    np.testing.assert_allclose(turn_by_paint(board(drowned), TO_PX, PLAN, None), TO_PX)


def test_a_chute_that_a_lamp_leaves_little_of_its_hue_is_told_by_the_others() -> None:
    """Green paint that looks rather blue."""
    np.testing.assert_allclose(
        turn_by_paint(board({**PAINT, "green": (145, 197, 201)}), TO_PX, PLAN, None), TO_PX
    )


def test_two_chutes_that_may_be_white_paint_tell_nothing() -> None:
    with pytest.raises(CalibrationError, match="white"):
        turn_by_paint(board({**PAINT, "green": (248, 250, 249), "blue": (232, 240, 250)}), TO_PX, PLAN, None)


def test_two_chutes_without_colour_tell_nothing() -> None:
    with pytest.raises(CalibrationError, match="white"):
        turn_by_paint(board({**PAINT, "green": (181, 214, 217), "blue": (217, 214, 181)}), TO_PX, PLAN, None)


def test_a_chute_of_another_colour_is_told() -> None:
    with pytest.raises(CalibrationError, match="yellow, blue, red, red"):
        turn_by_paint(board({**PAINT, "green": PAINT["red"]}), TO_PX, PLAN, None)

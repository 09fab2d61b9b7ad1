"""Boards whose cells are not square: drawn, with arms wider than their cells are long."""

import cv2
import numpy as np
import pytest

from uckers_table.errors import CalibrationError
from uckers_table.game.board import COLOURS
from uckers_table.vision.calibrate import find_board
from uckers_table.vision.place.locate import oblong_cells


def drawn(long_px, wide_px, tilt=0.0):
    """A board of cells so long along their arms and so wide across, white with black lines."""
    home, arm = 3 * wide_px, 6 * long_px
    side = home + 2 * arm
    picture = np.full((side + 80, side + 200, 3), (90, 120, 60), np.uint8)
    cv2.rectangle(picture, (100, 40), (100 + side, 40 + side), (150, 190, 210), -1)
    for k in range(6):
        for j in range(3):
            for start in (0, arm + home):
                along, across = start + k * long_px, arm + j * wide_px
                for x, y, w, h in ((along, across, long_px, wide_px), (across, along, wide_px, long_px)):
                    corner, end = (100 + x, 40 + y), (100 + x + w, 40 + y + h)
                    cv2.rectangle(picture, corner, end, (235, 235, 235), -1)
                    cv2.rectangle(picture, corner, end, (20, 20, 20), 2)
    if tilt:
        h, w = picture.shape[:2]
        seen = np.float32([(tilt * w, 0), (w - tilt * w, 0), (w, h * (1 - tilt)), (0, h * (1 - tilt))])
        to = cv2.getPerspectiveTransform(np.float32([(0, 0), (w, 0), (w, h), (0, h)]), seen)
        picture = cv2.warpPerspective(picture, to, (w, h))
    return picture


def test_oblong_cells_are_measured():
    assert oblong_cells(drawn(40, 50)) == pytest.approx(1.25, abs=0.06)


@pytest.mark.parametrize("tilt", [0.0, 0.08])
def test_square_cells_are_square_even_from_aslant(tilt):
    assert oblong_cells(drawn(46, 46, tilt)) is None


def test_a_board_of_oblong_cells_is_refused_for_that():
    with pytest.raises(
        CalibrationError, match=r"cells in the empty picture are not square: .* 1\.[23] times"
    ):
        find_board(drawn(40, 50), COLOURS)

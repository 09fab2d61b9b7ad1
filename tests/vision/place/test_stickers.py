"""Stickers at the board's corners: pasted into rendered pictures where the renderer's camera sees them."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from uckers_table.errors import CalibrationError
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.place.stickers import MARKER_MM, STICKER_MM, by_stickers, sheet_svg

SEATS = ("red", "blue", "yellow", "green")
CORNERS_MM = ((0, 0), (610 - STICKER_MM, 0), (610 - STICKER_MM, 610 - STICKER_MM), (0, 610 - STICKER_MM))
PX_PER_MM = 6


def with_stickers(table, picture, numbers=(0, 1, 2, 3), turns=(0, 1, 2, 3), grey=False):
    """The picture with these stickers (None: none there) clockwise from the first seat's corner."""
    out = picture.copy()
    if grey:
        out = np.repeat(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    border = round((STICKER_MM - MARKER_MM) / 2 * PX_PER_MM)
    for number, turn, (x, y) in zip(numbers, turns, CORNERS_MM, strict=True):
        if number is None:
            continue
        marker = cv2.aruco.generateImageMarker(dictionary, number, round(MARKER_MM * PX_PER_MM))
        sticker = np.rot90(cv2.copyMakeBorder(marker, *[border] * 4, cv2.BORDER_CONSTANT, value=255), turn)
        sticker = np.repeat(sticker[..., None], 3, axis=2) // 5 * 4
        side = sticker.shape[0]
        source = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
        square = [(x, y), (x + STICKER_MM, y), (x + STICKER_MM, y + STICKER_MM), (x, y + STICKER_MM)]
        target = table.renderer.view.project([(*p, 0.0) for p in square]).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(source, target)
        size = out.shape[1::-1]
        laid = cv2.warpPerspective(np.ascontiguousarray(sticker), matrix, size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.ones((side, side), np.uint8), matrix, size)
        out[mask > 0] = laid[mask > 0]
    return out


def test_stickers_say_where_the_board_is_and_which_way_round(table):
    """On grey paint, which says nothing of it."""
    plan = table.renderer.plan
    cells = by_stickers(with_stickers(table, table.renderer.empty, grey=True), plan)
    places = np.array([(0.0, 6.0), (14.0, 8.0), (6.0, 14.0), (7.0, 7.0)])
    seen = cv2.perspectiveTransform(places[:, None], cells)[:, 0]
    true = table.renderer.view.project([(*plan.centre_mm((int(c), int(r))), 0.0) for c, r in places])
    np.testing.assert_allclose(seen, true, atol=3.0)


def test_a_table_is_calibrated_by_stickers(table):
    empty, start = (with_stickers(table, p) for p in (table.renderer.empty, table.renderer.start))
    profile = calibrate(empty, start, SEATS, stickers=True)
    spread = np.stack(np.meshgrid(np.linspace(20, 590, 5), np.linspace(20, 590, 5)), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(profile.camera.project(spread), table.profile.camera.project(spread), atol=1.0)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((0, None, 2, None), "the empty picture does not show 1, 3: stick 0"),
        ((None,) * 4, "the empty picture does not show 0, 1, 2, 3: stick 0"),
        ((0, 3, 2, 1), "do not go clockwise"),
    ],
)
def test_stickers_that_do_not_say_it(table, numbers, said):
    with pytest.raises(CalibrationError, match=said):
        by_stickers(with_stickers(table, table.renderer.empty, numbers), table.renderer.plan)


def test_an_opencv_without_markers_is_said_plainly(table, monkeypatch):
    monkeypatch.delattr(cv2, "aruco")
    with pytest.raises(CalibrationError, match=r"OpenCV \(.*\) was built without ArUco markers"):
        by_stickers(table.renderer.empty, table.renderer.plan)


def test_the_sheet_in_the_repository_is_the_one_that_is_looked_for():
    sheet = Path(__file__).parents[3] / "calibration" / "stickers.svg"
    assert sheet.read_text(encoding="utf-8") == sheet_svg()

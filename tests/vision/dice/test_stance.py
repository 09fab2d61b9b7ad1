"""Dice drawn as they lie flat and as they lean, straight under the camera, two pixels a millimetre."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from uckers_table.vision.dice.dice import _LEANS
from uckers_table.vision.dice.faces import DIE_MM, Face
from uckers_table.vision.dice.spots import Smoothed
from uckers_table.vision.dice.stance import SeenScene, leaning
from uckers_table.vision.picture.channels import Halves
from uckers_table.vision.place.camera import CameraModel

CAMERA = CameraModel(240, 120, 1840.0, 119.5, 59.5, 0.0, (0.0, 0.0, 0.0), (-60.0, -30.0, 920.0))
BOARD, FACE, SIDE, PIP = (120, 90, 60), (210, 225, 230), (120, 130, 135), (30, 30, 30)
AT = (20.0, 30.0)
TILT = np.radians(25.0)


def picture(dice: Sequence[tuple[float, bool]]) -> np.ndarray:
    """Of dice with their one up: where they are, and whether they lean to the left. A side has two pips."""
    fine = np.full((960, 1920, 3), BOARD, dtype=np.uint8)

    def px(x: float, y: float) -> tuple[int, int]:
        u, v = CAMERA.project(np.array([(x, y, -DIE_MM)]))[0]
        return round(8 * u + 3.5), round(8 * v + 3.5)

    for x, leans in dice:
        half, y = DIE_MM / 2, AT[1]
        wide = half * (np.cos(TILT) if leans else 1.0)
        cv2.rectangle(fine, px(x - wide, y - half), px(x + wide, y + half), FACE, -1)
        cv2.circle(fine, px(x, y), 26, PIP, -1)
        if leans:
            side = DIE_MM * np.sin(TILT)
            cv2.rectangle(fine, px(x + wide, y - half), px(x + wide + side, y + half), SIDE, -1)
            for away in (-4.0, 4.0):
                axes = (round(26 * np.sin(TILT)), 26)
                cv2.ellipse(fine, px(x + wide + side / 2, y + away), axes, 0, 0, 360, PIP, -1)
    return np.asarray(cv2.resize(fine, (240, 120), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def odds(dice: Sequence[tuple[float, bool]], others_pips: Sequence[tuple[float, float]] = ()) -> float:
    bare = np.full((120, 240, 3), BOARD, dtype=np.uint8)
    now, then = (Smoothed.of(Halves(p), CAMERA.px_per_mm) for p in (picture(dice), bare))
    face = Face(*AT, 0.0, 4.0, 1, colour=(210.0, 225.0, 230.0))
    return leaning(
        SeenScene(now, CAMERA, then, CAMERA, 230.0),
        face,
        (),
        np.array(others_pips, dtype=np.float64).reshape(-1, 2),
    )


@pytest.mark.parametrize("leans", [False, True])
def test_a_side_where_one_that_lies_flat_has_none_shows_that_a_die_leans(leans: bool) -> None:
    assert (odds([(AT[0], leans)]) > _LEANS) == leans


def test_the_side_of_another_die_is_not_its_own() -> None:
    other = AT[0] - DIE_MM - 7.0
    pips = [(other, AT[1]), *((other + 10.6, AT[1] + away) for away in (-4.0, 4.0))]
    assert odds([(other, True), (AT[0], False)], pips) < odds([(other, True), (AT[0], False)])
    assert odds([(other, True), (AT[0], False)], pips) < _LEANS

"""The rendered pictures: there, small, and true where something outside them can tell."""

from math import radians, tan
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from hardware.pictures import as_the_camera_sees
from hardware.tower import DIE_MM, Tower
from uckers_table.vision.dice.photo_dice import read_dice

RENDERS = Path(__file__).parents[2] / "hardware" / "renders"
HARDWARE = RENDERS.parent


def test_the_referees_own_dice_reader_reads_the_tray():
    """The dice are drawn as a six and a three, their middles at (-18, -10) and (22, 8) mm of the tray.

    The faces read are 204 mm below the lens. A drawn die's round corners take a little off its edge.
    """
    frame = cv2.imread(str(RENDERS / "tray-camera.png"))
    dice = sorted(read_dice(frame), key=lambda die: die.x_px)
    focal = 1280 / 2 / tan(radians(68.2) / 2)
    scale = focal / (Tower().lens_mm - DIE_MM)
    assert [(die.value, die.state) for die in dice] == [(6, "flat"), (3, "flat")]
    assert [die.x_px for die in dice] == pytest.approx([640 - 18 * scale, 640 + 22 * scale], abs=2.0)
    assert [die.y_px for die in dice] == pytest.approx([360 + 10 * scale, 360 - 8 * scale], abs=2.0)
    assert [die.size_px for die in dice] == pytest.approx([DIE_MM * scale] * 2, rel=0.1)


def test_the_picture_in_the_folder_is_the_one_of_today():
    small = (320, 180)
    kept = np.asarray(Image.open(RENDERS / "tray-camera.png").convert("RGB").resize(small), float)
    drawn = np.asarray(as_the_camera_sees(Tower(), small), float)
    assert np.abs(kept - drawn).mean() < 3.0


def test_everything_that_is_made_is_small():
    made = [
        path
        for folder in ("drawings", "printed", "renders", "wiring")
        for path in (HARDWARE / folder).iterdir()
    ]
    assert sum(path.stat().st_size for path in made) < 5_000_000

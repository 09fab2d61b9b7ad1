"""The tray camera's reader, on the picture that the tower's own parts were rendered to."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from uckers_table.errors import CalibrationError
from uckers_table.vision.dice.tray import TrayReader, TraySight, tray_scale

PICTURE = Path(__file__).parents[3] / "hardware" / "renders" / "tray-camera.png"
PX_MM = 4.3
THREE = (740, 324)
"""Where the three lies, in pixels."""


@pytest.fixture(scope="module")
def frame():
    """A six and a three on the tray's floor."""
    return cv2.imread(str(PICTURE))


def still(reader, frame):
    """What is seen once a picture has come twice."""
    reader.see(frame)
    return reader.see(frame)


def patched(frame, k=1.0, at=THREE, half=62):
    """The three, enlarged or moved."""
    out = frame.copy()
    x, y = THREE
    patch = frame[y - half : y + half, x - half : x + half]
    if at != THREE:
        out[y - half : y + half, x - half : x + half] = frame[500, 700]
    patch = cv2.resize(patch, None, fx=k, fy=k, interpolation=cv2.INTER_CUBIC)
    top, left = at[1] - patch.shape[0] // 2, at[0] - patch.shape[1] // 2
    out[top : top + patch.shape[0], left : left + patch.shape[1]] = patch
    return out


def test_dice_that_lie_still_are_read(frame):
    assert still(TrayReader(PX_MM), frame) == TraySight((6, 3))


def test_nothing_is_read_while_things_move(frame):
    reader = TrayReader(PX_MM)
    assert reader.see(frame) == TraySight(None)
    assert reader.see(frame).dice == (6, 3)
    assert reader.see(patched(frame, at=(640, 500))).dice is None


def test_noise_of_a_camera_is_no_motion(frame):
    rng = np.random.default_rng(3)
    reader = TrayReader(PX_MM)
    noisy = [np.clip(frame + rng.normal(0, 6, frame.shape), 0, 255).astype(np.uint8) for _ in range(3)]
    assert [reader.see(each).dice for each in noisy] == [None, (6, 3), (6, 3)]


def test_an_empty_floor_has_no_dice(frame):
    empty = frame.copy()
    empty[250:470, 500:810] = frame[500, 700]
    assert still(TrayReader(PX_MM), empty) == TraySight(())


def test_a_die_that_looks_too_large_lies_on_another(frame):
    """220 mm below the lens the upper face of a second storey looks 8.5% larger."""
    reader = TrayReader(PX_MM)
    assert still(reader, frame).dice == (6, 3)
    assert still(reader, patched(frame, 1.085)) == TraySight((6, 0), doubt="stacked")


def test_what_is_no_die_is_no_value(frame):
    coin = frame.copy()
    cv2.circle(coin, (640, 520), 45, (60, 120, 150), -1)
    sight = still(TrayReader(PX_MM), coin)
    assert sorted(sight.dice) == [0, 3, 6]


def test_a_hand_is_seen_and_nothing_read(frame):
    hand = frame.copy()
    cv2.rectangle(hand, (560, 400), (700, 720), (120, 150, 205), -1)
    assert still(TrayReader(PX_MM), hand) == TraySight(None, hand=True)


@pytest.mark.parametrize("light", [0.1, 3.0])
def test_without_its_lamp_or_in_the_sun_it_is_blind(frame, light):
    lit = np.clip(frame * light, 0, 255).astype(np.uint8)
    assert still(TrayReader(PX_MM), lit) == TraySight(None, blind=True)


@pytest.mark.parametrize("enlarged", [0.8, 1.0, 1.25])
def test_the_scale_is_measured_by_two_dice_well_enough_to_read_them(frame, enlarged):
    seen = cv2.resize(frame, None, fx=enlarged, fy=enlarged, interpolation=cv2.INTER_AREA)
    scale = tray_scale(seen)
    # Round edges make a face read larger or smaller by up to a tenth.
    assert scale == pytest.approx(PX_MM * enlarged, rel=0.1)
    assert still(TrayReader(scale), seen) == TraySight((6, 3))
    # The same picture, of larger dice, is one with fewer pixels to a millimetre.
    assert tray_scale(seen, 18.0) < scale


def test_without_two_dice_that_are_alike_there_is_no_scale(frame):
    empty = np.full_like(frame, 128)
    for seen in (frame[:, : THREE[0] - 70], empty, patched(frame, k=1.3)):
        with pytest.raises(CalibrationError, match="lay two of one size"):
            tray_scale(seen)

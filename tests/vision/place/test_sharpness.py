"""Blurred frames say so and claim nothing; sharp ones, however lit, are not taken for blurred."""

import cv2
import numpy as np
import pytest

from uckers_table.simulator.scene import Hand, Scene, WoodenPiece

AT_TWENTY = (305.0, 145.0)


@pytest.fixture(scope="module")
def frame(table):
    return table.renderer.frame(Scene((WoodenPiece(0, 20, *AT_TWENTY),)))


def moved(picture, length_px, across):
    """As if the camera had moved so many pixels while the frame was taken."""
    kernel = np.full((1, length_px) if across else (length_px, 1), 1 / length_px, np.float32)
    return cv2.filter2D(picture, -1, kernel)


@pytest.mark.parametrize("sigma_px", [1.5, 3.0, 6.0, 12.0])
def test_a_frame_out_of_focus_claims_nothing(table, frame, sigma_px):
    sighting = table.reader.read(cv2.GaussianBlur(frame, (0, 0), sigma_px))
    assert (sighting.trouble, sighting.confidence) == (("blurred",), 0.0)
    assert set(sighting.pieces.values()) == {()}
    assert (sighting.stray, sighting.dice, sighting.hand) == ((), (), False)


@pytest.mark.parametrize("across", [True, False])
@pytest.mark.parametrize("length_px", [7, 15, 40])
def test_motion_in_either_direction_is_noticed(table, frame, length_px, across):
    assert table.reader.read(moved(frame, length_px, across)).trouble == ("blurred",)


def test_sharp_frames_are_not_blurred(table, frame):
    shadow = np.ones(frame.shape[:2], np.float32)
    cv2.circle(shadow, (500, 300), 250, 0.5, -1)
    shaded = (frame * cv2.GaussianBlur(shadow, (0, 0), 20)[..., None]).astype(np.uint8)
    hazy = np.clip(frame * 0.8 + 25, 0, 255).astype(np.uint8)
    noise = np.random.default_rng(0).normal(0, 6, frame.shape)
    noisy = np.clip(frame + noise, 0, 255).astype(np.uint8)
    reached_over = table.renderer.frame(Scene(hands=(Hand(320.0, 300.0, 200.0),)))
    for picture in (table.renderer.empty, frame, frame // 2, shaded, hazy, noisy, reached_over):
        assert "blurred" not in table.reader.read(picture).trouble


def test_what_is_no_board_is_not_a_blurred_one(table, frame):
    cloth = np.random.default_rng(0).normal(110, 20, frame.shape[:2])[..., None].repeat(3, axis=2)
    for picture in (cloth, cv2.GaussianBlur(cloth, (0, 0), 4.0)):
        assert table.reader.read(picture.astype(np.uint8)).trouble == ("board_not_found",)

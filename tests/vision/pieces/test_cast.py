"""Shadows of a hard lamp, drawn in perspective: where they fall, and how many pieces cast them."""

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from uckers_table.vision.pieces import cast
from uckers_table.vision.pieces.shape import Shape, draw_disc
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas

CAMERA = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
CANVAS = Canvas(610.0)
HEIGHT_MM, DIAMETER_MM = 17.0, 20.4
SHAPE = Shape(CAMERA, CANVAS, HEIGHT_MM, DIAMETER_MM)
STANDING = [
    ((100.0, 100.0), 1), ((230.0, 105.0), 1), ((390.0, 120.0), 2), ((520.0, 90.0), 1), ((105.0, 260.0), 1),
    ((265.0, 250.0), 3), ((430.0, 270.0), 1), ((535.0, 300.0), 2), ((120.0, 420.0), 1), ((270.0, 455.0), 1),
    ((400.0, 430.0), 1), ((505.0, 480.0), 1),
]  # fmt: skip
"""Feet, and how many pieces on each."""
LAMPS_MM = [(900.0, 60.0, 660.0), (-300.0, 640.0, 760.0), (3000.0, -2500.0, 3500.0)]
SHADE = 0.45


def shown(lamp_mm, soft_mm=0.0, shade=SHADE):
    """What is seen of a white board with the pieces' shadows, the tops, and where pieces are."""
    dark = np.zeros((CANVAS.size, CANVAS.size), dtype=np.uint8)
    owners = np.zeros_like(dark)
    tops = []
    x_mm, y_mm, above_mm = lamp_mm
    for me, (foot, count) in enumerate(STANDING, 1):
        at = np.array(foot)
        for z in np.linspace(0.0, count * HEIGHT_MM, 60):
            shadow = at + (at - (x_mm, y_mm)) * z / (above_mm - z)
            radius = DIAMETER_MM / 2 * above_mm / (above_mm - z)
            draw_disc(dark, CANVAS.px(shadow[None])[0], radius * CANVAS.px_per_mm)
        top = CANVAS.px(CAMERA.lifted(at[None], count * HEIGHT_MM))[0]
        SHAPE.draw(owners, top, (count,))
        owners[owners == 1] = me + 100
        tops.append(top)
    owners[owners > 100] -= 100
    lit = np.where(dark > 0, shade, 1.0).astype(np.float32)
    if soft_mm:
        lit = cv2.GaussianBlur(lit, (0, 0), soft_mm * CANVAS.px_per_mm)
    now = np.repeat(lit[..., None], 3, axis=2)
    seen = SimpleNamespace(
        compared=lambda rows, columns: (now[rows, columns], np.ones_like(now[rows, columns]))
    )
    return seen, np.array(tops), owners


@pytest.mark.parametrize("lamp_mm", LAMPS_MM)
def test_a_lamps_shadows_are_learned_from_what_casts_them(lamp_mm):
    seen, tops, owners = shown(lamp_mm)
    learned = cast.learn(seen, tops, SHAPE, owners)
    assert learned is not None
    for foot, _ in STANDING:
        for count in (1, 2):
            z = count * HEIGHT_MM
            truth = (np.array(foot) - lamp_mm[:2]) * z / (lamp_mm[2] - z)
            told = learned.shadow_px(CANVAS.px(np.array([foot]))[0], count) / CANVAS.px_per_mm
            assert np.hypot(*(told - truth)) < 3.0 * count


@pytest.mark.parametrize("lamp_mm", LAMPS_MM)
@pytest.mark.parametrize("shade", [SHADE, 0.85], ids=["one lamp", "a lamp among others"])
def test_a_shadow_is_as_long_as_its_pieces_are_many(lamp_mm, shade):
    seen, tops, owners = shown(lamp_mm, shade=shade)
    learned = cast.learn(seen, tops, SHAPE, owners)
    looks = cast.lengths(learned, seen, tops, SHAPE, owners, 4, len(tops))
    for (foot, count), look in zip(STANDING, looks, strict=True):
        assert all(v > 0.5 or v == 0 for v in look[: count - 1]), foot
        assert all(v < -0.5 or v == 0 for v in look[count - 1 : count]), foot
    assert (looks[:, 0] != 0).mean() > 0.8


def test_what_may_be_no_top_throws_no_shadow():
    seen, tops, owners = shown(LAMPS_MM[0])
    learned = cast.learn(seen, tops, SHAPE, owners)
    alone = cast.lengths(learned, seen, tops, SHAPE, owners, 4, len(tops))
    doubtful = tops + learned.shadow_px(SHAPE.feet_px(tops))
    both = cast.lengths(learned, seen, np.vstack([tops, doubtful]), SHAPE, owners, 4, len(tops))
    assert np.array_equal(both[: len(tops)], alone)


def test_shadows_most_of_which_seem_to_be_stacks_tell_nothing():
    seen, tops, owners = shown(LAMPS_MM[0])
    learned = cast.learn(seen, tops, SHAPE, owners)
    too_short = cast.Cast(0.4 * learned.offset_px, 0.4 * learned.spread, learned.depth)
    assert not cast.lengths(too_short, seen, tops, SHAPE, owners, 4, len(tops)).any()


def test_soft_shadows_tell_nothing():
    seen, tops, owners = shown(LAMPS_MM[0], soft_mm=14.0)
    assert cast.learn(seen, tops, SHAPE, owners) is None


def test_no_shadows_tell_nothing():
    seen, tops, owners = shown(LAMPS_MM[0])
    seen.compared = lambda rows, columns: np.ones((2, *rows.shape, 3), dtype=np.float32)
    assert cast.learn(seen, tops, SHAPE, owners) is None


def test_a_few_pieces_tell_no_lamp():
    seen, tops, owners = shown(LAMPS_MM[0])
    assert cast.learn(seen, tops[:4], SHAPE, owners) is None

"""What stands under a top: on paint of its own colour only joints and feet tell."""

from types import SimpleNamespace

import numpy as np
import pytest

from uckers_table.vision.camera import Camera
from uckers_table.vision.flat import Canvas
from uckers_table.vision.shape import Shape
from uckers_table.vision.sides import Shade, Side, weigh

CAMERA = Camera(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
CANVAS = Canvas(610.0)
SHAPE = Shape(CAMERA, CANVAS, 18.0, 20.4)
PAINTS = np.array([[0.06, 0.75, 0.98], [0.6, 0.2, 0.1]])
SHADE = Shade(np.ones(3), 0.4)
BOARD, SIDE, JOINT = 1.0, 0.88, 0.72
"""Light of the bare board's: there, on a side of its paint, and where brass meets brass."""


def under(count, paint=PAINTS[0], owners=None, far_mm=300.0):
    """The log-likelihoods of a second piece of each paint under a top of so many, on a board of the first."""
    top = CANVAS.px(np.array([[305.0 + far_mm, 305.0]]))[0]
    if owners is None:
        owners = np.zeros((CANVAS.size, CANVAS.size), dtype=np.uint8)
    side = Side.below(top, SHAPE, owners, 1)
    lean = np.hypot(*SHAPE.lean_px(top))
    columns, rows = np.meshgrid(np.arange(CANVAS.size), np.arange(CANVAS.size))
    beside = np.clip(np.abs(rows - top[1]), 0, SHAPE.top_radius_px)
    down = (top[0] - columns - np.sqrt(SHAPE.top_radius_px**2 - beside**2)) / lean
    level = np.floor(np.maximum(down, 0))
    light = np.where(down - level < 0.7, SIDE, JOINT)
    light = np.where((down < count) & (down > -3), light, BOARD)
    now = light[..., None] * np.where((level == 0)[..., None], PAINTS[0], paint)
    now = np.where((down < count)[..., None], now, PAINTS[0]).astype(np.float32)
    bare = np.broadcast_to(PAINTS[0], now.shape)
    seen = SimpleNamespace(compared=lambda rows, columns: (now[rows, columns], bare[rows, columns]))
    return weigh(seen, [side], PAINTS, SHADE)[0, 0]


def test_a_joint_and_a_farther_foot_tell_a_second_piece_on_its_own_paint():
    assert under(2)[0] > 1
    assert under(1)[0] < -1


def test_a_second_piece_of_another_paint_is_told_by_it():
    as_other, as_own = under(2, PAINTS[1])[::-1]
    assert as_other > 1
    assert as_other > as_own


@pytest.mark.parametrize("count", [1, 2])
def test_what_other_pieces_hide_and_what_leans_too_little_tell_nothing(count):
    hidden = np.full((CANVAS.size, CANVAS.size), 2, dtype=np.uint8)
    assert not under(count, owners=hidden).any()
    assert not under(count, far_mm=20.0).any()


def test_a_side_is_looked_for_from_where_the_top_is_and_not_from_where_it_was_found():
    """Tops are found 0.3 mm too far from the lens."""
    free = np.zeros((CANVAS.size, CANVAS.size), dtype=np.uint8)
    middles_mm = []
    for part in np.arange(0.05, 1, 0.1):
        top = CANVAS.px(np.array([[604.0 + part, 305.0]]))[0]
        side = Side.below(top + 0.3 * CANVAS.px_per_mm * SHAPE.outward(top), SHAPE, free, 1)
        along_px = top[0] - side.columns[:, side.columns.shape[1] // 2] - SHAPE.top_radius_px
        middles_mm.append(along_px.mean() / CANVAS.px_per_mm)
    # From 1 mm above the rim's own place to 37.5 mm below it.
    assert np.mean(middles_mm) == pytest.approx((37.5 - 1.0) / 2, abs=0.1)

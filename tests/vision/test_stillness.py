"""What has moved between two small flat pictures: things, and neither light nor noise."""

import numpy as np
import pytest

from uckers_table.vision.stillness import moved

SIZE = 364
MIDDLE = slice(170, 180), slice(170, 180)
"""A square of 20 mm: a piece, or a die with its shadow."""
YELLOW, GREY = (4, 110, 160), (90, 90, 90)


def board(paint, seed, light=1.0):
    """A board of one paint in so much light, with what noise is left in a small flat picture."""
    picture = np.full((SIZE, SIZE, 3), paint, dtype=float) * light
    return np.clip(picture + np.random.default_rng(seed).normal(0, 1.2, picture.shape), 0, 255).astype(
        np.uint8
    )


def shade():
    """The light that a head and shoulders leave (size, size, 1)."""
    y, x = np.mgrid[:SIZE, :SIZE]
    away = np.hypot(x - 120, y - 200) / 110
    return (1 - 0.45 / (1 + np.exp((away - 1) * 7)))[..., None]


@pytest.mark.parametrize("paint", [YELLOW, GREY, (8, 34, 46)])
def test_a_shadow_on_dark_paint_is_no_thing(paint):
    assert not moved(board(paint, 1, shade()), board(paint, 2)).any()


@pytest.mark.parametrize("light", [1.0, "shade"])
@pytest.mark.parametrize("paint", [YELLOW, GREY])
def test_a_thing_is_one_also_as_a_shadow_falls(paint, light):
    after = board(paint, 1, shade() if light == "shade" else light)
    after[MIDDLE] = (after[MIDDLE] * 0.7).astype(np.uint8)
    where = moved(after, board(paint, 2))
    assert where[MIDDLE].mean() > 0.8
    assert where.sum() < 150


def test_what_changes_here_and_there_is_none():
    # Lines that are narrower than a pixel: ten of them change by two by two pixels.
    after = board(GREY, 1)
    for k in range(10):
        after[20 + 32 * k : 22 + 32 * k, 100:102] = 30
    assert not moved(after, board(GREY, 2)).any()


def test_where_the_camera_shook_an_edge_may_change_and_paint_may_not():
    # Beside an edge, a shift of 0.4 pixels changes 0.4 of the step.
    before, edge, paint = (board(GREY, seed) for seed in (1, 2, 3))
    for picture in (before, edge, paint):
        picture[160:190, 176:] = 190
    edge[160:190, 174:176] = 125
    paint[170:180, 100:110] = 60
    assert moved(edge, before).any()
    assert not moved(edge, before, 0.4).any()
    assert moved(paint, before, 0.4).any()

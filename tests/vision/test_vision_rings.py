"""Pieces on paint of their own colour, in noise, by the rings that they show."""

import cv2
import numpy as np
import pytest

from uckers_table.vision import pieces
from uckers_table.vision.appearance import Noise, evidence
from uckers_table.vision.camera import Camera
from uckers_table.vision.flat import Canvas
from uckers_table.vision.light import BareBoard, light_change, softened
from uckers_table.vision.pieces import find
from uckers_table.vision.rings import Rings, own_paint
from uckers_table.vision.shape import Shape, draw_disc

CAMERA = Camera(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
SHAPE = Shape(CAMERA, Canvas(610.0), 18.0, 20.4)
SIZE = SHAPE.canvas.size
WHITE, BLUE_PAINT = (200, 205, 210), (120, 72, 56)
COLOURS = np.array(
    [[0.05, 0.60, 0.75], [0.60, 0.35, 0.27], [0.17, 0.10, 0.80], [0.25, 0.45, 0.20]], np.float32
)
BLUE = 1
RINGS = np.array([8, 6, -2, -11, -14, -9, 2, 5, -2, -14, -13, -10, -7, -4, -1])
"""How much lighter than blue paint a blue piece is, from its middle outward, and its shadow: grey levels."""
AT, PLAIN = (320.0, 360.0), [(200.0, 200.0), (200.0, 500.0), (520.0, 520.0)]


def board():
    """White, with a field of blue paint in its middle."""
    out = np.full((SIZE, SIZE, 3), WHITE, np.uint8)
    out[260:460, 260:460] = BLUE_PAINT
    return out


def ringed(at=AT, rings=RINGS):
    """What rings round a place add to a picture."""
    rows, columns = np.mgrid[:SIZE, :SIZE]
    far = np.hypot(columns - at[0], rows - at[1])
    return np.interp(far, np.arange(len(rings)) + 0.5, rings, right=0)[..., None]


def step(at=AT):
    """What the edge of a shadow through a place adds."""
    return np.where(np.arange(SIZE) > at[0], -12.0, 0.0)[None, :, None] * np.ones((SIZE, 1, 1))


def blob(at=AT):
    """What haze round a place adds."""
    rows, columns = np.mgrid[:SIZE, :SIZE]
    return 12 * np.exp(-((columns - at[0]) ** 2 + (rows - at[1]) ** 2) / 18**2)[..., None]


def seen(added=0.0):
    """Evidence of a picture in noise: three blue pieces on white paint, and what is added."""
    now = board().astype(np.float64)
    for top in PLAIN:
        on_top = np.zeros((SIZE, SIZE), np.uint8)
        draw_disc(on_top, np.array(top), SHAPE.top_radius_px)
        now[on_top > 0] = COLOURS[BLUE] * WHITE
    random = np.random.default_rng(3)
    now = cv2.GaussianBlur(now + added, (0, 0), 0.7) + random.normal(0, 6, now.shape)
    bare = board() + random.normal(0, 6, now.shape)
    now, bare = (softened(np.clip(a, 0, 255).astype(np.uint8), SHAPE.canvas) for a in (now, bare))
    white = np.full((SIZE, SIZE, 3), WHITE, np.float32)
    bare = BareBoard(bare, white)
    light = light_change(now, bare)
    return evidence(now, bare, COLOURS, Noise.between(now, bare, light), light)


def on_own_paint(added, missing=(BLUE,), taken=0):
    """Where the rings of missing pieces are found, and how much they tell."""
    all_taken = np.full((SIZE, SIZE), taken, np.uint8)
    for top in PLAIN:
        draw_disc(all_taken, np.array(top), 2 * SHAPE.top_radius_px)
    shown = seen(added)
    found = Rings.on_own_paint(shown, own_paint(shown, COLOURS, np.array(missing), all_taken, SHAPE), SHAPE)
    return found.at_px, found.log_odds


def test_a_faint_piece_on_its_own_paint_is_claimed() -> None:
    blue = [s for s in find(seen(ringed()), SHAPE, COLOURS) if s.colour == BLUE and s.is_claimed]
    assert len(blue) == 4
    foot = SHAPE.foot_mm(np.array(AT))
    assert min(np.hypot(s.x_mm - foot[0], s.y_mm - foot[1]) for s in blue) < 1.5


def test_rings_tell_where_a_piece_is() -> None:
    at, log_odds = on_own_paint(ringed())
    best = log_odds.argmax()
    assert np.abs(at[best] - AT).max() <= 1
    assert log_odds[best] > 4.0


@pytest.mark.parametrize("added", [step(), blob(), 0.0], ids=["a shadow's edge", "haze", "noise"])
def test_nothing_else_is_seen_in_rings(added) -> None:
    _, log_odds = on_own_paint(added)
    assert log_odds.max(initial=0.0) < 1.0


def test_rings_are_looked_for_on_missing_pieces_paint_alone() -> None:
    assert len(on_own_paint(ringed(), missing=(0, 2, 3))[0]) == 0
    assert len(on_own_paint(ringed(), taken=1)[0]) == 0


@pytest.mark.parametrize(("is_clear", "times"), [(True, 2), (False, 1)])
def test_what_is_barely_claimed_is_looked_at_once_more_where_no_hand_is(monkeypatch, is_clear, times) -> None:
    tops = [
        pieces._Top.at(
            np.array([160.0 + 120 * k, 160.0 + 120 * seat]), seat, 0.5 if k + seat == 0 else 6.0, SHAPE
        )
        for seat in range(4)
        for k in range(4)
    ]
    asked = []

    def chosen(*asking):
        asked.append(asking)
        return tops, []

    monkeypatch.setattr(pieces, "_chosen", chosen)
    assert len(find(seen(), SHAPE, COLOURS, is_clear=is_clear)) == len(tops)
    assert len(asked) == times

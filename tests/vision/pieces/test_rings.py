"""Where pieces may stand on paint of their own colour, in noise, by the rings that they show."""

import cv2
import numpy as np
import pytest

from uckers_table.vision.light.appearance import SensorNoise, evidence
from uckers_table.vision.light.light import BareBoard, light_change, softened
from uckers_table.vision.pieces import pieces
from uckers_table.vision.pieces.pieces import find
from uckers_table.vision.pieces.rings import own_paint, round_places
from uckers_table.vision.pieces.shape import Shape, draw_disc
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas

CAMERA = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
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


def seen(added=0.0, noise=6.0):
    """Evidence of a picture in noise: three blue pieces on white paint, and what is added."""
    now = board().astype(np.float64)
    for top in PLAIN:
        on_top = np.zeros((SIZE, SIZE), np.uint8)
        draw_disc(on_top, np.array(top), SHAPE.top_radius_px)
        now[on_top > 0] = COLOURS[BLUE] * WHITE
    random = np.random.default_rng(3)
    now = cv2.GaussianBlur(now + added, (0, 0), 0.7) + random.normal(0, noise, now.shape)
    bare = board() + random.normal(0, noise, now.shape)
    now, bare = (softened(np.clip(a, 0, 255).astype(np.uint8), SHAPE.canvas) for a in (now, bare))
    white = np.full((SIZE, SIZE, 3), WHITE, np.float32)
    bare = BareBoard(bare, white)
    light = light_change(now, bare)
    return evidence(now, bare, COLOURS, SensorNoise.between(now, bare, light), light)


def roundest(added, missing=(BLUE,), taken=0, noise=6.0):
    """Where something round may be on missing pieces' own paint, the roundest first."""
    all_taken = np.full((SIZE, SIZE), taken, np.uint8)
    for top in PLAIN:
        draw_disc(all_taken, np.array(top), 2 * SHAPE.top_radius_px)
    shown = seen(added, noise)
    own = own_paint(shown, COLOURS, np.array(missing), all_taken, SHAPE)
    at, seats = round_places(shown, own, SHAPE, 150)
    assert set(seats) <= set(missing)
    return at


@pytest.mark.parametrize(
    "beside", [step, blob, lambda at: 0.0], ids=["a shadow's edge", "haze", "noise alone"]
)
def test_rings_tell_where_a_piece_is_from_what_else_differs_from_the_bare_board(beside) -> None:
    other = AT[0] + 80.0, AT[1] - 40.0
    found = roundest(ringed() + beside(other))
    assert np.abs(found[0] - AT).max() <= 2


def test_rings_are_looked_for_on_missing_pieces_paint_alone() -> None:
    of_others = roundest(ringed(), missing=(0, 2, 3))
    assert np.abs(of_others - AT).max(axis=1).min() > 20
    assert len(roundest(ringed(), taken=1)) == 0


def test_a_piece_that_differs_at_its_edge_alone_is_looked_for_too() -> None:
    """In little noise the inside of a piece on its own paint is the bare board's."""
    edge = np.where(np.arange(len(RINGS)) < 11, 0, RINGS)
    assert np.abs(roundest(1.5 * ringed(rings=edge), noise=3.0)[0] - AT).max() <= 2


@pytest.mark.parametrize(
    ("is_clear", "there", "times"), [(True, 4, 2), (False, 4, 1), (True, 3, 2), (False, 3, 1)]
)
def test_what_is_barely_claimed_or_missing_is_looked_at_once_more_where_no_hand_is(
    monkeypatch, is_clear, there, times
) -> None:
    tops = [
        pieces._Top(
            np.array([160.0 + 120 * k, 160.0 + 120 * seat]), seat, 0.5 if k + seat == 0 else 6.0, SHAPE
        )
        for seat in range(4)
        for k in range(there)
    ]
    asked = []

    def chosen(*asking):
        asked.append(asking)
        return tops, []

    monkeypatch.setattr(pieces, "_chosen", chosen)
    assert len(find(seen(), SHAPE, COLOURS, is_clear=is_clear)) == len(tops)
    assert len(asked) == times

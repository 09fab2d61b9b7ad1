"""Things that are none of the game's: noticed at their place, and never read as a piece."""

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from uckers_table.sighting import Sighting, Stray
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Scene, WoodenPiece
from uckers_table.vision.pieces.foreign import OFF_COLOUR, of_the_game, off_colour
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas

SEATS = ("red", "blue", "yellow", "green")
SURE = 0.5
"""Of less confidence than this the referee accuses nobody."""


def standing(plan, seat, steps, **more):
    return WoodenPiece(seat, steps, *plan.centre_mm(plan.cell(seat, steps)), **more)


@pytest.fixture(scope="module")
def scene(table):
    """A stretch of play with a stack in it, and nothing of red's."""
    plan = table.renderer.plan
    others = [
        standing(plan, seat, steps) for seat, steps in ((1, 5), (1, 30), (2, 12), (2, 54), (3, 3), (3, 44))
    ]
    return Scene((*others, standing(plan, 2, 12, level=1)))


def test_nothing_of_the_games_own_is_foreign(table, scene):
    sighting = table.reader.read(table.renderer.frame(scene))
    assert (sighting.stray, table.reader.read(table.renderer.start).stray) == ((), ())


@pytest.mark.parametrize(
    "paint", [(24, 24, 26), (236, 110, 20), (110, 40, 130)], ids=["black", "orange", "purple"]
)
@pytest.mark.parametrize("steps", [20, 53])
def test_a_counter_of_another_colour_is_told_and_asked_about(table, scene, paint, steps):
    plan, look = table.renderer.plan, table.renderer.look
    look = replace(look, piece_paints={**look.piece_paints, "red": paint})
    renderer = Renderer(plan, look, size=(1536, 864), seed=1)
    picture = renderer.frame(replace(scene, pieces=(*scene.pieces, standing(plan, 0, steps))))
    clean, sighting = table.reader.read(table.renderer.frame(scene)), table.reader.read(picture)
    assert sighting.stray == (Stray(None, plan.cell(0, steps)),)
    assert (sighting.pieces, sighting.pieces["red"]) == (clean.pieces, ())
    assert sighting.confidence < SURE


@pytest.mark.parametrize(
    ("radius_mm", "bgr"), [(11.0, (70, 130, 165)), (15.0, (40, 120, 30))], ids=["coin", "cap"]
)
def test_a_coin_or_a_cap_is_no_piece(table, scene, radius_mm, bgr):
    plan, view = table.renderer.plan, table.renderer.view
    x, y = plan.centre_mm(plan.cell(0, 33))
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    rim = np.column_stack([x + radius_mm * np.cos(angles), y + radius_mm * np.sin(angles), np.full(48, -2.0)])
    base = [WoodenPiece(0, 0, *spot, grain=k) for k, spot in enumerate(table.renderer.spots(0))]
    picture = table.renderer.frame(replace(scene, pieces=(*scene.pieces, *base))).copy()
    cv2.fillPoly(picture, [np.rint(view.project(rim) * 16).astype(np.int32)], bgr, cv2.LINE_AA, 4)
    sighting = table.reader.read(picture)
    assert sighting.stray == (Stray(None, plan.cell(0, 33)),)
    assert sighting.pieces["red"] == (0, 0, 0, 0)


def test_what_has_no_colour_is_written_and_read_again():
    sighting = Sighting(dict.fromkeys(SEATS, ()), (Stray(None, (3, 6)), Stray("red", None)))
    written = sighting.to_json()
    assert written["stray"] == [{"colour": None, "cell": [3, 6]}, {"colour": "red", "cell": None}]
    assert Sighting.from_json(written, SEATS) == sighting


@pytest.mark.parametrize(
    ("seen", "is_ours"),
    [
        ((0.24, 0.85, 1.05), True),  # as learned
        ((0.02, 0.88, 1.09), True),  # under a dark ceiling, the one learned under a lit one
        ((0.13, 0.47, 0.58), True),  # half as bright
        ((0.10, 0.80, 0.50), False),  # lime
        ((0.15, 0.10, 0.90), False),  # red
    ],
)
def test_yellow_is_yellow_whatever_it_mirrors(seen, is_ours):
    learned = np.array([[0.24, 0.85, 1.05]])
    assert (off_colour(np.array([seen]), learned)[0] < OFF_COLOUR) == is_ours


@pytest.mark.parametrize(("left", "is_ours"), [(0.6, True), (1.0, False)])
def test_a_top_mirrors_less_in_a_persons_shadow_and_is_ours(left, is_ours):
    """Red learned under a lamp that its base mirrors, and seen where somebody hides that lamp."""
    camera = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
    shape = Shape(camera, Canvas(610.0), 18.0, 20.4)
    size = shape.canvas.size
    layers = np.stack([np.full((size, size), 1 / left), np.zeros((size, size))]).astype(np.float32)
    red = np.array([0.20, 0.11, 0.94], np.float32)
    seen = SimpleNamespace(
        now=np.zeros((size, size, 3), np.float32),
        reflected=lambda rows, columns: np.broadcast_to(red, (*rows.shape, 3)),
        light=SimpleNamespace(layers=layers),
    )
    learned = np.array([[[0.38, 0.29, 0.91]]], np.float32)
    stack = Stack(0, 300.0, 200.0, 2.0)
    assert of_the_game([stack], seen, shape, learned) == [stack] * is_ours

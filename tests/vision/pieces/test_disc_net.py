"""What may be a piece's top: a net tells it by all that shows, and where its middle is."""

import numpy as np
import pytest

from tests.calibrated import calibrated
from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Scene, WoodenPiece
from uckers_table.vision.pieces import pieces
from uckers_table.vision.pieces.disc_net import DiscNet
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas
from uckers_table.vision.reader import Reader

SEATS = ("red", "green", "yellow", "blue")
PLAN = Plan(Board(SEATS))
CAMERA = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
SHAPE = Shape(CAMERA, Canvas(610.0), 18.0, 20.4)
EAST, NORTH = np.array([560.0, 363.5]), np.array([363.5, 100.0])
"""Tops in the flat picture, to the right of the point under the lens and above it."""


def test_millimetres_along_and_across_are_counted_from_the_point_under_the_lens():
    tops = np.array([EAST, NORTH])
    along = SHAPE.beside_px(tops, np.array([[4.0, 0.0], [4.0, 0.0]]))
    larger = 980 / (980 - 18)
    np.testing.assert_allclose(along, [[-4 * larger, 0], [0, 4 * larger]], atol=0.05)
    off = np.array([[3.0, -2.0], [-1.0, 5.0]])
    np.testing.assert_allclose(SHAPE.beside_mm(tops, SHAPE.beside_px(tops, off)), off)


@pytest.fixture(scope="module", params=[41, 42])
def table(request):
    """A table of the simulator and who reads it."""
    renderer = Renderer(PLAN, look_for(request.param), seed=request.param)
    return renderer, Reader(calibrated(renderer.empty, renderer.start, SEATS))


def test_tops_are_told_from_bare_paint_on_squares_of_their_own_colour_too(table, monkeypatch):
    renderer, reader = table
    nets = []

    def noted(*of_frame):
        nets.append(DiscNet(*of_frame))
        return nets[-1]

    monkeypatch.setattr(pieces, "DiscNet", noted)
    stood, bare = [], []
    for seat in range(4):
        for k, steps in enumerate(PLAN.board.chute[:5]):
            (stood if (seat + k) % 2 else bare).append((seat, PLAN.centre_mm(PLAN.chute_cell(seat, steps))))
    standing = tuple(WoodenPiece(seat, 1, *at, 0, 7 * seat) for seat, at in stood)
    camera = reader.look(renderer.frame(Scene(standing))).camera
    net = nets[-1]

    def say(places, aside_px):
        at = reader.canvas.px(camera.lifted([at for _, at in places], net.shape.height_mm))
        return at, net.say(at + aside_px, np.array([seat for seat, _ in places]))

    for aside in ((0.0, 0.0), (2.5, -2.0)):
        at, said = say(stood, np.array(aside))
        assert (said.log_odds > 1).all()
        assert np.hypot(*(said.at_px - at).T).max() < 2.0
        assert (say(bare, np.array(aside))[1].log_odds < -1).all()

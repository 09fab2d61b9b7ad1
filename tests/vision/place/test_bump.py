"""A knocked camera or board: the truth is the plane's own motion, applied to rendered pictures."""

import cv2
import numpy as np
import pytest

from uckers_table.simulator.scene import Scene, WoodenPiece
from uckers_table.vision.place.bump import Follower

GRID = np.stack(np.meshgrid(np.linspace(5, 605, 4), np.linspace(5, 605, 4)), axis=-1).reshape(-1, 2)


@pytest.fixture(scope="module")
def follower(table):
    return Follower(table.profile.bare, table.profile.camera, table.profile.plan)


@pytest.fixture(scope="module")
def game(table):
    """Pieces about the board, also on their own paint."""
    plan = table.renderer.plan
    places = [(0, 1), (0, 20), (0, 54), (1, 9), (1, 33), (2, 3), (2, 53), (3, 45), (3, 50)]
    pieces = [WoodenPiece(seat, steps, *plan.centre_mm(plan.cell(seat, steps))) for seat, steps in places]
    for seat in range(4):
        out = sum(1 for other, _ in places if other == seat)
        pieces += [WoodenPiece(seat, 0, *spot) for spot in table.renderer.spots(seat)[out:]]
    return table.renderer.frame(Scene(tuple(pieces)))


def knocked(picture, camera, x_mm, y_mm, degrees, nod_deg=0.0):
    """The picture with its board moved and turned about its middle, or the camera nodded; and where the grid
    then is. A camera that turns about its own lens shows the same picture through a homography.
    """
    turn = np.vstack(
        [cv2.getRotationMatrix2D(tuple(camera.project([(305.0, 305.0)])[0]), degrees, 1.0), [0, 0, 1]]
    )
    turn[:2, 2] += np.array([x_mm, y_mm]) * camera.px_per_mm
    k = np.array([[camera.focal_px, 0, camera.cx_px], [0, camera.focal_px, camera.cy_px], [0, 0, 1]])
    nod = cv2.Rodrigues(np.radians([nod_deg, 0.0, 0.0]))[0]
    matrix = k @ nod @ np.linalg.inv(k) @ turn
    moved = cv2.warpPerspective(picture, matrix, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return moved, cv2.perspectiveTransform(camera.project(GRID)[:, None], matrix)[:, 0]


def test_what_did_not_move_keeps_its_very_camera(table, follower, game):
    assert follower.follow(game).camera is follower.lines.camera


@pytest.mark.parametrize(
    "knock",
    [
        (4, -3, 0.5),
        (20, 0, 0.0),
        (39, 0, 0.0),
        (0, 42, 0.3),
        (-30, 25, 3.0),
        (45, -30, -6.0),
        (12, 8, 2.0, 1.5),
    ],
    ids=lambda knock: f"{knock[0]} {knock[1]} mm, {knock[2]} degrees" + ", nodded" * (len(knock) > 3),
)
def test_a_knock_is_followed(table, follower, game, knock):
    moved, places = knocked(game, table.profile.camera, *knock)
    found = follower.follow(moved).camera
    np.testing.assert_allclose(found.project(GRID), places, atol=1.5)


def test_farther_off_nothing_is_claimed(table, follower, game):
    for knock in ((150, 0, 0.0), (0, 0, 25.0), (20, 10, 180.0)):
        moved, _ = knocked(game, table.profile.camera, *knock)
        assert follower.follow(moved).camera is None


def test_no_board_is_none(table, follower):
    noise = np.random.default_rng(0).integers(0, 255, table.renderer.empty.shape, dtype=np.uint8)
    for picture in (noise, np.zeros_like(noise), np.full_like(noise, 90)):
        assert follower.follow(picture).camera is None


def test_a_reading_after_a_knock_is_by_the_new_pose(table, game):
    before = table.reader.read(game)
    moved, _ = knocked(game, table.profile.camera, 30, -18, 2.0)
    after = table.reader.read(moved)
    assert after.pieces == before.pieces
    assert after.trouble == ("board_moved",)

"""Rendered frames: geometry against formulas worked out apart, paint where the label says, redrawing."""

import os
import subprocess
import sys
from dataclasses import replace
from math import cos, radians, sin
from unittest import mock

import cv2
import numpy as np
import pytest

from tests.painted_once import paint_table, painted_once
from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.optics import Viewpoint
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import PIECE_DIAMETER_MM, Die, Hand, Scene, WoodenPiece
from uckers_table.simulator.solids import PIPS, die_faces
from uckers_table.simulator.truth import label

SIZE = (1152, 648)
PLAN = Plan()


def plumb_look():
    """A look whose camera hangs exactly above the board's middle, with no distortion and no noise."""
    return replace(
        look_for(0), tilt_deg=0.0, yaw_deg=0.0, k1=0.0, aim_off_mm=(0.0, 0.0), height_mm=970.0, noise=0.0
    )


@pytest.fixture(scope="module", autouse=True)
def _every_table_is_painted_anew():
    with mock.patch("uckers_table.simulator.render.Renderer._paint_table", paint_table):
        yield


@pytest.fixture(scope="module")
def plumb():
    return Renderer(PLAN, plumb_look(), size=SIZE, seed=5)


@pytest.fixture(scope="module", params=range(4))
def renderer(request):
    return Renderer(PLAN, look_for(request.param), size=SIZE, seed=request.param)


def standing(renderer, seat, steps, level=0):
    x, y = renderer.plan.centre_mm(renderer.plan.cell(seat, steps))
    return WoodenPiece(seat, steps, x, y, level, grain=4 * seat)


def mid_game(renderer):
    pieces = [standing(renderer, seat, steps) for seat in range(4) for steps in (3, 20, 54)]
    pieces += [WoodenPiece(seat, 0, *renderer.spots(seat)[0], grain=50 + seat) for seat in range(4)]
    return Scene(tuple(pieces))


def textbook_pixel(view, point):
    """A pinhole by hand: the axis from azimuth and tilt, then x right, y down, and x (1 + k1 r²)."""
    tilt, azimuth, yaw = (radians(v) for v in (view.tilt_deg, view.tilt_az_deg, view.yaw_deg))
    axis = np.array([sin(tilt) * cos(azimuth), sin(tilt) * sin(azimuth), cos(tilt)])
    along = view.height_mm / cos(tilt)
    lens = np.array([view.aim_mm[0], view.aim_mm[1], 0.0]) - along * axis
    ray = np.asarray(point, float) - lens
    level = np.array([cos(yaw), sin(yaw), 0.0])
    right = level - (level @ axis) * axis
    right /= np.sqrt(right @ right)
    down = np.array(
        [
            axis[1] * right[2] - axis[2] * right[1],
            axis[2] * right[0] - axis[0] * right[2],
            axis[0] * right[1] - axis[1] * right[0],
        ]
    )
    x, y = (ray @ right) / (ray @ axis), (ray @ down) / (ray @ axis)
    bend = 1 + view.k1 * (x * x + y * y)
    focal = 1774.0 / 2304.0 * view.width
    return (view.width - 1) / 2 + focal * x * bend, (view.height - 1) / 2 + focal * y * bend


def test_projection_is_the_textbook_pinhole(renderer):
    points = [(0, 0, 0), (610, 0, 0), (610, 610, 0), (0, 610, 0), (300, 100, -18), (-80, 700, 12)]
    by_hand = np.array([textbook_pixel(renderer.view, p) for p in points])
    np.testing.assert_allclose(renderer.view.project(points), by_hand, atol=1e-6)


def test_pixels_go_back_to_the_plane_they_came_from(renderer):
    points = np.array([(0.0, 0.0, 12.0), (610.0, 610.0, 12.0), (305.0, 20.0, 12.0)])
    back = renderer.view.on_plane(renderer.view.project(points), 12.0)
    np.testing.assert_allclose(back, points[:, :2], atol=1e-3)


def test_a_camera_straight_above_sees_a_length_as_its_share_of_the_height():
    view = Viewpoint(1000, 800, (305.0, 305.0), 887.0, 0.0, 0.0, 0.0, 0.0)
    (px,) = view.project([(405.0, 305.0, 0.0)])
    assert px == pytest.approx((499.5 + 100 * (1774 * 1000 / 2304) / 887, 399.5))


def test_painted_lines_lie_where_the_projection_puts_them(renderer):
    """Corners of track squares, found in the picture: an unsteady brush, but not a slanted one."""
    corners = np.array(
        [
            (x + dx, y + dy, 0.0)
            for x, y in map(PLAN.centre_mm, PLAN.track_cells)
            for dx in (-20, 20)
            for dy in (-20, 20)
        ]
    )
    expected = renderer.view.project(corners).astype(np.float32)
    grey = cv2.cvtColor(renderer.empty, cv2.COLOR_BGR2GRAY)
    stop = (cv2.TERM_CRITERIA_MAX_ITER + cv2.TERM_CRITERIA_EPS, 30, 0.01)
    found = cv2.cornerSubPix(grey, expected.reshape(-1, 1, 2).copy(), (4, 4), (-1, -1), stop).reshape(-1, 2)
    off = found - expected
    near = np.abs(off).max(axis=1) < 2.0
    assert near.sum() > 150
    assert np.abs(off[near].mean(axis=0)).max() < 0.2


def test_colours_land_where_the_label_says(renderer):
    scene = mid_game(renderer)
    truth = label(renderer, scene)
    frame = renderer.frame(scene)
    looks = {"red": (0, 0, 1), "green": (0, 1, 0), "yellow": (0, 1, 1), "blue": (1, 0, 0)}
    for piece in truth["pieces"]:
        column, row = (round(v) for v in piece["px"])
        top = frame[row - 5 : row + 6, column - 5 : column + 6].reshape(-1, 3).astype(float)
        paint = np.median(top, axis=0)
        chroma = paint / np.linalg.norm(paint)
        nearest = max(looks, key=lambda c: chroma @ (np.array(looks[c]) / np.linalg.norm(looks[c])))
        assert nearest == piece["colour"], (piece, paint)


def test_the_label_of_a_scene(plumb):
    scene = Scene((standing(plumb, 0, 3), standing(plumb, 2, 53)), (Die(4, 300.0, 200.0, 30.0),))
    truth = label(plumb, scene)
    assert truth["seats"] == list(Board().seats)
    assert [(p["colour"], p["place"], p["cell"], p["stack_level"]) for p in truth["pieces"]] == [
        ("red", "track", [3, 6], 0),
        ("yellow", "chute", [12, 7], 0),
    ]
    assert truth["pieces"][0]["xy_mm"] == [145.0, 265.0]
    assert (truth["dice"][0]["value"], truth["dice"][0]["state"]) == (4, "flat")
    assert scene.steps(4) == ((3,), (), (53,), ())


def test_a_stacked_top_is_displaced_outward_by_parallax(plumb):
    """The outer edge of a top at height 2h, seen from H above, lies f (x + r) / (H - 2h) from the middle."""
    below, above = standing(plumb, 0, 4), standing(plumb, 0, 4, level=1)
    one, two = plumb.frame(Scene((below,))), plumb.frame(Scene((below, above)))
    focal, tall, height = 1774.0 / 2304.0 * SIZE[0], plumb.look.piece_height_mm, plumb.look.height_mm
    x, y = below.x_mm - 305.0, below.y_mm - 305.0
    row = round((SIZE[1] - 1) / 2 + focal * y / (height - 2 * tall))
    for frame, levels in ((one, 1), (two, 2)):
        outer = (SIZE[0] - 1) / 2 + focal * (x - PIECE_DIAMETER_MM / 2) / (height - levels * tall)
        line = frame[row].astype(int)
        reddish = np.flatnonzero(line[:, 2] - line[:, 1] > 60)
        nearby = reddish[np.abs(reddish - outer) < 12]
        assert nearby.min() == pytest.approx(outer, abs=1.6), levels


def test_an_unchanged_scene_is_not_rendered_anew(renderer):
    scene = mid_game(renderer)
    first = renderer.frame(scene)
    assert renderer.frame(Scene(scene.pieces)) is first


def test_a_frame_once_given_is_never_written_to(renderer):
    first = renderer.frame(mid_game(renderer))
    kept = first.copy()
    renderer.frame(Scene(hands=(Hand(300.0, 300.0, 90.0),)))
    np.testing.assert_array_equal(first, kept)
    with pytest.raises(ValueError, match="read-only"):
        first[0, 0] = 0


def test_only_the_neighbourhood_of_a_change_is_drawn_anew(renderer):
    scene = mid_game(renderer)
    before = renderer.frame(scene)
    moved = standing(renderer, 0, 5)
    after = renderer.frame(Scene((moved, *scene.pieces[1:])))
    rows, columns = np.nonzero((before != after).any(axis=2))
    places = renderer.view.project([(p.x_mm, p.y_mm, 0.0) for p in (moved, scene.pieces[0])])
    low, high = places.min(axis=0) - 90, places.max(axis=0) + 90
    assert columns.min() > low[0] and columns.max() < high[0]
    assert rows.min() > low[1] and rows.max() < high[1]
    assert len(rows) > 200


def test_a_frame_reached_by_small_changes_is_the_frame_drawn_at_once(plumb):
    scene = mid_game(plumb)
    dice = (Die(2, 130.0, 480.0, 10.0), Die(6, 470.0, 120.0, 75.0))
    fresh = Renderer(PLAN, plumb_look(), size=SIZE, seed=5).frame(Scene(scene.pieces, dice))
    for step in (Scene(scene.pieces[:5]), Scene(hands=(Hand(200.0, 400.0, 90.0),)), scene):
        plumb.frame(step)
    reached = plumb.frame(Scene(scene.pieces, dice))
    np.testing.assert_allclose(reached.astype(int), fresh.astype(int), atol=1)


def test_hands_cover_the_board_from_the_players_edge(renderer):
    bare = renderer.empty
    shown = renderer.frame(Scene(hands=(Hand(305.0, 420.0, 90.0),)))
    changed = (np.abs(shown.astype(int) - bare.astype(int)).max(axis=2) > 30).astype(np.uint8)
    assert 0.01 < changed.mean() < 0.25
    edge = {"bottom": changed[-1], "top": changed[0], "left": changed[:, 0], "right": changed[:, -1]}
    assert [side for side, pixels in edge.items() if pixels.any()] == ["bottom"]


def test_the_same_seed_paints_the_same_table_and_another_seed_another():
    small = (384, 216)
    first, again, other = (
        Renderer(PLAN, look_for(look), size=small, seed=seed).empty for look, seed in ((3, 8), (3, 8), (6, 9))
    )
    np.testing.assert_array_equal(first, again)
    assert (np.abs(first.astype(int) - other.astype(int)) > 10).mean() > 0.3


@pytest.mark.parametrize("skin", [(104, 70, 52), (226, 178, 148)])
@pytest.mark.parametrize("seats", [("red", "green", "yellow", "blue"), ("red", "blue", "yellow", "green")])
@pytest.mark.parametrize(("look", "seed", "width"), [(3, 8, 384), (3, 9, 384), (4, 8, 384), (3, 8, 400)])
def test_a_table_that_tests_share_is_the_one_that_would_be_painted(skin, seats, look, seed, width):
    own = replace(look_for(look), skin=skin)
    renderer = Renderer(Plan(Board(seats)), own, size=(width, 216), seed=seed)
    np.testing.assert_array_equal(painted_once(renderer, renderer._light(), seed), renderer._bare)


DRAWN = """
import hashlib
from uckers_table.game.board import Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Die, Scene
dice = tuple(Die(value, 100.0 * value, 300.0, 0.0) for value in range(1, 6))
renderer = Renderer(Plan(), look_for(1), size=(384, 216), seed=1)
print(hashlib.sha256(renderer.frame(Scene(dice=dice)).tobytes()).hexdigest())
"""


def test_a_scene_is_the_same_picture_each_time_the_program_runs():
    """Python orders sets otherwise each time."""
    pictures = {
        subprocess.run(
            [sys.executable, "-c", DRAWN],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(pictures) == 1


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_its_value_upwards(value):
    faces = {face.value: face for face in die_faces(Die(value, 100.0, 200.0, 33.0))}
    assert faces[value].normal == pytest.approx((0.0, 0.0, -1.0), abs=1e-9)
    assert faces[7 - value].normal == pytest.approx((0.0, 0.0, 1.0), abs=1e-9)
    assert len(faces[value].pips) == value == len(PIPS[value])
    assert faces[value].corners[:, 2] == pytest.approx([-16.0] * 4)


def test_a_cocked_die_leans_with_its_lowest_edge_on_the_board():
    faces = {face.value: face for face in die_faces(Die(3, 0.0, 0.0, 90.0, 30.0, 90.0, "cocked"))}
    depths = np.concatenate([face.corners[:, 2] for face in faces.values()])
    assert depths.max() == pytest.approx(0.0, abs=1e-9)
    assert faces[3].normal == pytest.approx((0.0, 0.5, -(3**0.5) / 2), abs=1e-9)

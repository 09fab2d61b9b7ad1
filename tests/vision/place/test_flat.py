"""Laying flat, halving, following lines and light: against pictures drawn where the camera model says."""

import cv2
import numpy as np
import pytest

from uckers_table.game.board import Plan
from uckers_table.vision.light.appearance import SensorNoise, evidence, in_squares
from uckers_table.vision.light.light import BareBoard, light_change, softened, white_light
from uckers_table.vision.picture.channels import halved, halvings, in_halved, in_whole
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas, Laying
from uckers_table.vision.place.register import Lines, follow

PLAN = Plan()
CANVAS = Canvas(PLAN.side_mm)
SPOTS_MM = np.array([(20.0, 30.0), (305.0, 305.0), (590.0, 40.0), (-30.0, 400.0), (420.0, 600.0)])


def camera(width: int) -> CameraModel:
    """A tilted one over the board, so many pixels wide."""
    return CameraModel(
        width,
        round(width * 0.6),
        0.77 * width,
        width / 2,
        width * 0.3,
        -0.03,
        (0.1, -0.05, 0.3),
        (-240, -390, 960),
    )


@pytest.mark.parametrize(("width", "times"), [(1000, 0), (2304, 1), (4608, 2)])
def test_a_laid_picture_shows_each_place_where_the_canvas_has_it(width, times):
    seen_by = camera(width)
    picture = np.zeros((seen_by.height, seen_by.width, 3), np.uint8)
    outlines = [
        seen_by.project(spot + 4.0 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])) for spot in SPOTS_MM
    ]
    for outline in outlines:
        cv2.fillConvexPoly(picture, np.rint(outline * 16).astype(np.int32), (255, 255, 255), cv2.LINE_AA, 4)
    laying = Laying.of(seen_by, CANVAS)
    assert laying.halvings == times
    flat = laying.lay(picture)
    assert flat.shape == (CANVAS.size, CANVAS.size, 3)
    for x, y in CANVAS.px(SPOTS_MM):
        column, row = round(x), round(y)
        near = flat[row - 8 : row + 9, column - 8 : column + 9, 1].astype(float)
        rows, columns = np.mgrid[-8:9, -8:9]
        middle = (columns * near).sum() / near.sum() + column, (rows * near).sum() / near.sum() + row
        np.testing.assert_allclose(middle, (x, y), atol=0.15)


def test_halving_takes_means_of_four_and_leaves_an_odd_edge_out():
    picture = np.array([[0, 2, 9], [4, 6, 9], [9, 9, 9]], np.float32)
    np.testing.assert_array_equal(halved(picture), [[3.0]])
    assert [halvings(scale) for scale in (0.5, 1.6, 1.7, 3.3)] == [0, 0, 1, 2]
    # The middle between the first two pixels is the middle of the first of the halved picture.
    assert (in_halved(0.5, 1), in_whole(0.0, 1), in_halved(in_whole(7.0, 2), 2)) == (0.0, 0.5, 7.0)


@pytest.mark.parametrize("turn_mm", [(0.0, 0.0), (3.0, -2.0)])
def test_lines_are_followed_to_where_the_board_was_moved(table, turn_mm):
    known, bare = table.profile.camera, table.renderer.empty
    lines = Lines.learn(bare, known, table.profile.plan)
    shift = known.project([turn_mm]) - known.project([(0.0, 0.0)])
    warp = np.array([[1, 0, shift[0, 0]], [0, 1, shift[0, 1]]])
    picture = cv2.warpAffine(bare, warp, bare.shape[1::-1])
    moved = follow(lines.sections(picture, known), known, lines)
    if turn_mm == (0.0, 0.0):
        assert moved is known
    else:
        np.testing.assert_allclose(moved.project(SPOTS_MM), known.project(SPOTS_MM) + shift, atol=0.3)


def board_of(table):
    flat = Laying.of(table.profile.camera, CANVAS).lay(table.renderer.empty)
    return flat, BareBoard(softened(flat, CANVAS), white_light(flat, CANVAS, table.profile.plan))


WHITE = np.ones((1, 3), np.float32)


def seen_in(now, board, colours=WHITE):
    soft, light = softened(now, CANVAS), light_change(now, board)
    return evidence(soft, board, colours, SensorNoise.between(soft, board, light), light)


def test_less_light_on_half_the_board_is_light_and_no_thing(table):
    flat, board = board_of(table)
    dim = np.where(np.arange(CANVAS.size) < 200, 0.6, 1.0)
    now = (flat * cv2.GaussianBlur(np.tile(dim, (CANVAS.size, 1)), (0, 0), 30)[..., None]).astype(np.uint8)
    light = light_change(now, board)
    lit = light.undone(softened(now, CANVAS), board)
    inside = (slice(None), slice(80, -80), slice(80, -80))
    assert np.median(np.abs(lit - board.planes)[inside]) < 2.0
    seen = evidence(
        softened(now, CANVAS),
        board,
        np.ones((1, 3), np.float32),
        SensorNoise.between(now, board, light),
        light,
    )
    assert seen.active[40:-40, 40:-40].mean() < 0.05


def test_a_shadow_in_light_of_another_colour_is_taken_for_that_light(table):
    flat, board = board_of(table)
    left = np.array([0.6, 0.45, 0.35])
    half = np.where(np.arange(CANVAS.size) < 300, 1.0, 0.0)
    share = cv2.GaussianBlur(np.tile(half, (CANVAS.size, 1)), (0, 0), 20)
    now = (flat * (1 - share[..., None] * (1 - left))).astype(np.uint8)
    light = light_change(now, board)
    lit = light.undone(softened(now, CANVAS), board)
    shaded = (slice(None), slice(80, -80), slice(80, 240))
    pale = board.planes[shaded].min(axis=0) > 60
    off = np.abs(lit - board.planes)[shaded][:, pale] / board.planes[shaded][:, pale]
    # Without its colour blue is a fifth too strong there.
    assert np.median(off, axis=1).max() < 0.05
    assert light_change(flat, board).tint is None


def test_a_shadow_that_ends_where_paint_does_is_no_haze_that_is_gone(table):
    """White squares in the light beside wood in a shadow look like all of it, brighter and less hazy."""
    plan = table.profile.plan
    canvas = Canvas(plan.side_mm)
    bare = Laying.of(table.profile.camera, canvas).lay(table.renderer.empty)
    x, y = plan.centre_mm((8, 10))
    into = np.clip((canvas.grid_mm[0] - x - plan.cell_mm / 2) / 8, 0, 1)
    board = BareBoard(softened(bare, canvas), white_light(bare, canvas, plan))
    light = light_change(softened((bare * (1 - 0.55 * into[..., None])).astype(np.uint8), canvas), board)
    column, row = np.rint(canvas.px([(x + 10.0, y)])[0]).astype(int)
    per_gain, veil = light.layers[:, row, column]
    assert 1 / per_gain < 1.15
    assert veil > -0.12


def test_a_thing_is_strange_where_it_lies_and_like_a_piece_of_its_colour(table):
    flat, board = board_of(table)
    now = flat.copy()
    cv2.circle(now, (360, 200), 12, tuple(int(v) for v in 0.5 * board.white[200, 360] * (0.2, 1.0, 0.9)), -1)
    seen = seen_in(now, board, np.array([(0.1, 0.5, 0.45), (0.5, 0.1, 0.1)], np.float32))
    middle = (slice(195, 206), slice(355, 366))
    one, other = (seen.llr(colour, *np.mgrid[middle]) for colour in (0, 1))
    assert seen.active[in_squares(*np.mgrid[middle])].all()
    assert seen.strange[in_squares(*np.mgrid[middle])].min() > 1
    assert (one > other).all()
    assert seen.llr(0, *np.mgrid[500:510, 100:110]).max() < 0


def test_a_thing_shows_where_all_the_paint_as_bright_is_beneath_it(table):
    """What its level's few points mostly show is no noise."""
    flat, _ = board_of(table)
    bare = flat.copy()
    cv2.circle(bare, (360, 200), 20, (254, 254, 254), -1)
    board = BareBoard(softened(bare, CANVAS), white_light(bare, CANVAS, PLAN))
    now = bare.copy()
    cv2.circle(now, (360, 200), 17, (150, 150, 230), -1)
    seen = seen_in(now, board)
    middle = in_squares(*np.mgrid[190:211, 350:371])
    assert seen.active[middle].all()
    assert seen.strange[middle].min() > 1

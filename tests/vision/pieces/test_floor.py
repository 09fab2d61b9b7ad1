"""Pieces that lie beside the board, drawn into rendered frames."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.calibrated import calibrated
from uckers_table.game.board import Board, Plan
from uckers_table.sighting import Stray
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Die, Scene, WoodenPiece
from uckers_table.vision.pieces.floor import Floor, _of_piece
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.place.flat import Canvas
from uckers_table.vision.reader import Reader

SEATS = ("red", "blue", "yellow", "green")


@pytest.fixture(scope="module")
def frame(table):
    return table.renderer.frame(Scene(all_but_one(table.renderer)))


def all_but_one(renderer):
    """Sixteen pieces in their bases but for one red one."""
    stood = [(seat, x, y) for seat in range(4) for x, y in renderer.spots(seat)]
    return tuple(
        WoodenPiece(seat, 0, float(x), float(y), grain=k) for k, (seat, x, y) in enumerate(stood) if k
    )


def with_disc(table, frame, place_mm, colour, across_mm):
    """The frame with a disc of a piece's colour on the table."""
    camera = table.profile.camera
    at, beside = camera.project(np.array([place_mm, np.add(place_mm, (across_mm / 2, 0.0))]))
    white = np.percentile(table.renderer.empty.reshape(-1, 3), 97, axis=0)
    paint = np.array(table.profile.piece_colours[SEATS.index(colour)]) * white
    drawn = frame.copy()
    radius = round(float(np.linalg.norm(beside - at)))
    centre = round(float(at[0])), round(float(at[1]))
    cv2.circle(drawn, centre, radius, [float(v) for v in np.clip(paint, 0, 255)], -1, cv2.LINE_AA)
    return drawn


@pytest.mark.parametrize("place_mm", [(-130.0, 200.0), (735.0, 420.0)])
def test_a_missing_piece_is_seen_beside_the_board(table, frame, place_mm):
    sighting = table.reader.read(with_disc(table, frame, place_mm, "red", 20.4))
    assert sighting.pieces["red"] == (0, 0, 0)
    assert sighting.stray == (Stray("red", None),)


@pytest.mark.parametrize(
    ("seen", "seat"),
    [((0.83, 0.54, 0.42), 3), ((0.78, 0.51, 0.41), 3), ((0.15, 0.41, 0.46), None), ((0.8, 0.78, 0.75), None)],
    ids=["blue under a window", "its rim too", "too dark", "pale grey"],
)
def test_a_lamp_may_be_mirrored_all_over_a_piece_on_the_table(seen, seat):
    """As E517 and E507 show them (red, green, yellow, blue)."""
    colours = [[0.17, 0.10, 0.89], [0.42, 0.54, 0.22], [0.19, 0.92, 1.12], [0.72, 0.28, 0.17]]
    assert _of_piece(np.array(seen, dtype=np.float32), np.array(colours, dtype=np.float32)) == seat


@pytest.mark.parametrize("left", [0.3, 0.6])
def test_so_is_one_with_a_long_shadow_on_a_pale_table(table, left):
    """The shadow is larger than the piece, and differs from the table by as much."""
    profile, canvas, place_mm = table.profile, Canvas(610.0), (-130.0, 200.0)
    bare = table.renderer.empty.copy()
    columns, rows = np.meshgrid(*map(np.arange, bare.shape[1::-1]))
    x, y = profile.camera.unproject(np.column_stack([columns.ravel(), rows.ravel()])).T
    bare[(x < -5).reshape(rows.shape)] = (150, 140, 120)
    white = np.percentile(table.renderer.empty.reshape(-1, 3), 97, axis=0)
    floor = Floor(bare, profile.camera, canvas, np.broadcast_to(white, (200, 200, 3)))
    shape = Shape(profile.camera, canvas, profile.piece_height_mm, profile.piece_diameter_mm)
    shaded = ((np.abs(y - 200.0) < 12) & (x > -130.0) & (x < -80.0)).reshape(rows.shape)[..., None]
    now = with_disc(table, np.where(shaded, bare * left, bare).astype(np.uint8), place_mm, "red", 20.4)
    colours, red = np.array(profile.piece_colours, dtype=np.float32), SEATS.index("red")
    found = floor.find(now, shape, colours, np.ones(3, np.float32), [red])
    assert [piece.colour for piece in found] == [red]
    np.testing.assert_allclose((found[0].x_mm, found[0].y_mm), place_mm, atol=2)


@pytest.mark.parametrize(
    ("place_mm", "tops_mm", "is_found"),
    [
        ((90.0, -30.0), [], True),
        ((640.0, 420.0), [(300.0, 20.0)], True),
        ((640.0, 420.0), [(634.0, 425.0)], False),
        ((616.0, 420.0), [], False),
    ],
    ids=["above", "beside", "a top that was found", "over the edge"],
)
def test_close_beside_the_board_a_spot_is_a_piece_where_no_top_was_found(
    table, frame, place_mm, tops_mm, is_found
):
    """There tops are looked for on the board laid flat, but the table is lower, and sides are as bright."""
    profile, bare = table.profile, table.renderer.empty
    white = np.percentile(bare.reshape(-1, 3), 97, axis=0)
    canvas = Canvas(610.0)
    floor = Floor(bare, profile.camera, canvas, np.broadcast_to(white, (200, 200, 3)))
    shape = Shape(profile.camera, canvas, profile.piece_height_mm, profile.piece_diameter_mm)
    colours = np.array(profile.piece_colours, dtype=np.float32)
    red = SEATS.index("red")
    tops = [Stack(red, x, y, 3.0) for x, y in tops_mm]
    now = with_disc(table, bare, place_mm, "red", 20.4)
    found = floor.find(now, shape, colours, np.ones(3, np.float32), [red], tops)
    assert [(piece.colour, np.allclose((piece.x_mm, piece.y_mm), place_mm, atol=2)) for piece in found] == (
        [(red, True)] * is_found
    )


@pytest.mark.parametrize(
    ("colour", "across_mm"),
    [("red", 45.0), ("red", 9.0), ("blue", 20.4)],
    ids=["too large", "too small", "none of that colour missing"],
)
def test_what_is_no_missing_piece_is_left_alone(table, frame, colour, across_mm):
    sighting = table.reader.read(with_disc(table, frame, (-130.0, 200.0), colour, across_mm))
    assert sighting.stray == ()
    assert sighting.pieces == {c: (0,) * (3 if c == "red" else 4) for c in SEATS}


@pytest.mark.parametrize("place_mm", [(-130.0, 200.0), (735.0, 420.0)])
def test_a_red_die_on_the_table_is_no_red_piece_that_is_missing(place_mm):
    plan = Plan(Board(SEATS))
    renderer = Renderer(plan, look_for(3), size=(1536, 864), seed=3)
    reader = Reader(calibrated(renderer.empty, renderer.start, SEATS))
    assert renderer.look.die[0] > 3 * max(renderer.look.die[1:])
    sighting = reader.read(renderer.frame(Scene(all_but_one(renderer), dice=(Die(2, *place_mm, 25.0),))))
    assert [(die.value, die.state) for die in sighting.dice] == [(2, "off_board")]
    assert (sighting.stray, sighting.pieces["red"]) == ((), (0, 0, 0))


def inside(picture, corners_px):
    """Which pixels of the picture lie between four corners."""
    corners = np.rint(corners_px).astype(np.int32)
    return cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), corners, 1)[..., None] > 0


def board_px(table, camera):
    side = table.renderer.plan.side_mm
    return camera.project([(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)])


def shifted(picture, across, down):
    return cv2.warpAffine(picture, np.array([[1, 0, across], [0, 1, down]]), picture.shape[1::-1])


def with_noise(pictures, deviation):
    draw = np.random.default_rng(1)
    return (
        np.clip(picture + deviation * draw.standard_normal(picture.shape), 0, 255).astype(np.uint8)
        for picture in pictures
    )


@pytest.mark.parametrize(
    ("is_plain", "places_mm", "by_px", "noise"),
    [
        (False, ((-130.0, 200.0), (735.0, 420.0), (-120.0, 450.0)), (14.0, 9.0), 0.0),
        (False, ((-130.0, 200.0), (735.0, 420.0), (-120.0, 450.0)), (14.0, 9.0), 12.0),
        (True, ((-130.0, 200.0),), (30.0, 10.0), 0.0),
        (True, ((-130.0, 200.0),), (30.0, 10.0), 12.0),
    ],
    ids=["wood", "wood in noise", "plain", "plain in noise"],
)
@pytest.mark.parametrize("is_board", [True, False], ids=["the board", "the camera"])
def test_what_lay_on_the_table_lies_there_still_when_something_moved(
    table, is_board, is_plain, places_mm, by_px, noise
):
    """On a plain table, too: in noise what is moved to be compared is smoothed by that, and differs less."""
    profile, bare = table.profile, table.renderer.empty
    if is_plain:
        bare = np.full_like(bare, (60, 70, 80))
    for place_mm in places_mm:
        bare = with_disc(table, bare, place_mm, "red", 20.4)
    across, down = by_px
    now = shifted(bare, across, down)
    camera = replace(profile.camera, cx_px=profile.camera.cx_px + across, cy_px=profile.camera.cy_px + down)
    if is_board:
        now = np.where(inside(bare, board_px(table, camera)), now, bare)
    bare, now = with_noise((bare, now), noise)
    canvas, white = Canvas(610.0), np.percentile(bare.reshape(-1, 3), 97, axis=0)
    floor = Floor(bare, profile.camera, canvas, np.broadcast_to(white, (200, 200, 3)))
    shape = Shape(camera, canvas, profile.piece_height_mm, profile.piece_diameter_mm)
    colours = np.array(profile.piece_colours, dtype=np.float32)
    assert floor.find(now, shape, colours, np.ones(3, np.float32), [SEATS.index("red")]) == []


@pytest.mark.parametrize("is_board", [True, False], ids=["the board", "the camera"])
def test_what_lay_close_beside_the_board_is_no_piece_when_something_moved(table, frame, is_board):
    """There tops are looked for in the flat picture, which moves with the board."""
    place_mm, across, down = (-40.0, 200.0), 12.0, 6.0
    bare, start, now = (
        with_disc(table, picture, place_mm, "red", 20.4)
        for picture in (table.renderer.empty, table.renderer.start, frame)
    )
    reader = Reader(calibrated(bare, start, SEATS))
    there, now = now, shifted(now, across, down)
    if is_board:
        corners = board_px(table, reader.profile.camera)
        was, is_now = (inside(now, at) for at in (corners, corners + np.array([across, down])))
        floor = np.where(was, np.median(there[~was[..., 0]], axis=0), there).astype(np.uint8)
        now = np.where(is_now, now, floor)
    sighting = reader.read(now)
    assert sighting.trouble == ("board_moved",)
    assert (sighting.stray, sighting.pieces["red"]) == ((), (0, 0, 0))

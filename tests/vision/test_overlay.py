"""Drawn pictures: rings lie where pieces are seen, after a knock too; any state of a frame can be drawn."""

import cv2
import numpy as np
import pytest

from uckers_table.simulator.scene import Hand, Scene, WoodenPiece
from uckers_table.vision.overlay import PAINT_BGR, draw_overlay

PLACES = ((0, 3), (1, 20), (2, 40), (3, 54))


def drawn(table, picture):
    looked = table.reader.look(picture)
    return draw_overlay(picture, table.profile, table.reader.sighting(looked), looked)


@pytest.fixture(scope="module")
def game(table):
    plan = table.renderer.plan
    pieces = [WoodenPiece(seat, steps, *plan.centre_mm(plan.cell(seat, steps))) for seat, steps in PLACES]
    pieces += [WoodenPiece(seat, 0, *spot) for seat in range(4) for spot in table.renderer.spots(seat)[1:]]
    return pieces, table.renderer.frame(Scene(tuple(pieces)))


def ringed(picture, middle, colour, reach):
    """Whether a ring of a colour goes round a pixel, seen in each of eight directions."""
    ink = np.abs(picture.astype(int) - PAINT_BGR[colour]).max(axis=2) < 30
    ways = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    along = np.arange(0.6, 1.4, 0.05) * reach
    x, y = (
        np.rint(m + along * f(ways)[:, None]).astype(int)
        for m, f in zip(middle, (np.cos, np.sin), strict=True)
    )
    return ink[y, x].any(axis=1).sum() >= 7


def test_each_piece_is_ringed_where_it_is_seen(table, game):
    pieces, picture = game
    before = picture.copy()
    out = drawn(table, picture)
    np.testing.assert_array_equal(picture, before)
    tops = table.renderer.view.project(
        [(p.x_mm, p.y_mm, -table.renderer.look.piece_height_mm) for p in pieces]
    )
    reach = 12.5 * table.profile.camera.px_per_mm
    missing = [
        (piece.seat, piece.steps)
        for piece, top in zip(pieces, tops, strict=True)
        if not ringed(out, top, table.profile.seats[piece.seat], reach)
    ]
    assert missing == []
    assert not ringed(picture, tops[0], "red", reach)


def test_rings_follow_a_board_that_moved(table, game):
    pieces, picture = game
    turn = cv2.getRotationMatrix2D((768.0, 432.0), 3.0, 1.0)
    turn[:, 2] += 25.0, -12.0
    moved = cv2.warpAffine(picture, turn, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    out = drawn(table, moved)
    tops = table.renderer.view.project(
        [(p.x_mm, p.y_mm, -table.renderer.look.piece_height_mm) for p in pieces]
    )
    there = cv2.transform(np.asarray(tops)[:, None], turn)[:, 0]
    reach = 12.5 * table.profile.camera.px_per_mm
    assert all(
        ringed(out, top, table.profile.seats[piece.seat], reach)
        for piece, top in zip(pieces, there, strict=True)
    )


def test_a_tower_that_leans_over_the_next_square_is_ringed_at_its_top(table):
    renderer, plan = table.renderer, table.renderer.plan
    steps = 12
    x, y = plan.centre_mm(plan.cell(0, steps))
    way = np.sign([x - plan.side_mm / 2, y - plan.side_mm / 2])
    tower = [
        WoodenPiece(0, steps, *(np.array([x, y]) + 7.0 * way).tolist(), level=level) for level in range(4)
    ]
    others = [WoodenPiece(seat, 0, *spot) for seat in range(1, 4) for spot in renderer.spots(seat)]
    picture = renderer.frame(Scene((*tower, *others)))
    looked = table.reader.look(picture)
    assert table.reader.sighting(looked).pieces["red"] == (steps,) * 4
    height = 4 * renderer.look.piece_height_mm
    (top,) = renderer.view.project([(tower[0].x_mm, tower[0].y_mm, -height)])
    single = table.profile.camera.lifted(np.array([[tower[0].x_mm, tower[0].y_mm]]), height)
    foot = table.profile.camera.grounded(single, table.profile.piece_height_mm)[0]
    assert plan.cell_at(*foot) != plan.cell(0, steps)
    assert ringed(drawn(table, picture), top, "red", 12.5 * table.profile.camera.px_per_mm)


def test_what_cannot_be_read_is_drawn_too(table, game):
    pieces, picture = game
    nothing = np.full_like(picture, (70, 90, 110))
    handy = table.renderer.frame(Scene(tuple(pieces), hands=(Hand(320.0, 300.0, 200.0),)))
    for frame in (nothing, picture // 9, handy):
        out = drawn(table, frame)
        assert out.shape == frame.shape
        assert (out != frame).any()


def test_the_same_is_drawn_once_the_pictures_that_it_was_found_in_are_let_go(table, game):
    _, picture = game
    looked = table.reader.look(picture)
    sighting = table.reader.sighting(looked)
    whole, rest = (draw_overlay(picture, table.profile, sighting, each) for each in (looked, looked.found))
    assert whole.tobytes() == rest.tobytes()
    assert (looked.found.light, looked.found.noise, looked.found.seen) == (None, None, None)

"""What a bare board mirrors of a lamp is gone where a person stands in its light."""

from dataclasses import replace

import numpy as np
import pytest

from uckers_table.simulator.scene import Scene, WoodenPiece
from uckers_table.vision.light.appearance import SensorNoise, evidence
from uckers_table.vision.light.light import BareBoard, light_change, softened, white_light
from uckers_table.vision.light.mirrored import Mirrored
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.pieces.tops import discs_at, edge_radius
from uckers_table.vision.place.flat import Laying
from uckers_table.vision.reader import Reader

GAMMA = 2.2
IMAGE_MM, WAVES_MM, HIDDEN = (60.0, 25.0), 30.0, 0.6
"""How wide the image of a lamp is, along the chute and across, and the waves of varnish in it; and how much
of the light is that lamp's.
"""
MUCH = 0.4
"""How much light it adds, of white paint's."""


def light_of(picture):
    return (picture / np.float32(255)) ** GAMMA


def levels(light):
    return np.clip(np.rint(255 * np.maximum(light, 0) ** (1 / GAMMA)), 0, 255).astype(np.uint8)


class Lamp:
    """A lamp that is mirrored in the middle of seat 0's chute, and a person who hides it from that arm."""

    def __init__(self, plan, x_mm, y_mm, much):
        x, y = plan.centre_mm(plan.chute_cell(0, plan.board.chute[2]))
        away = ((x_mm - x) / IMAGE_MM[0]) ** 2 + ((y_mm - y) / IMAGE_MM[1]) ** 2
        waves = 0.5 + 0.5 * np.cos(2 * np.pi * (x_mm - x) / WAVES_MM)
        self.image = (much * np.exp(-away / 2) * waves)[..., None].astype(np.float32)
        edge = (plan.side_mm * 0.4 - x_mm) / 15
        self.hidden = np.broadcast_to(1 / (1 + np.exp(-edge)), away.shape)[..., None].astype(np.float32)

    def on(self, picture):
        """A picture with its image."""
        return levels(light_of(picture) + self.image)

    def hides(self, picture):
        """The same with the person."""
        return levels((1 - HIDDEN * self.hidden) * light_of(picture) + (1 - self.hidden) * self.image)


@pytest.fixture(scope="module")
def board(table):
    """A bare board laid flat, the lamp over it, and what it mirrors."""
    canvas, plan = table.reader.canvas, table.renderer.plan
    dull = Laying.of(table.profile.camera, canvas).lay(table.renderer.empty)
    lamp = Lamp(plan, *canvas.grid_mm, MUCH * float(np.percentile(light_of(dull), 95)))
    flat = lamp.on(dull)
    bare = BareBoard(softened(flat, canvas), white_light(flat, canvas, plan))
    return dull, lamp, bare, Mirrored(bare, plan, canvas, table.profile.base_spots_mm)


def test_the_image_of_a_lamp_is_gone_where_a_person_hides_it(table, board):
    dull, lamp, bare, mirrored = board
    canvas, plan = table.reader.canvas, table.renderer.plan
    now = lamp.hides(dull)
    told = mirrored.without_gone(softened(now, canvas), light_change(now, bare))
    assert told is not None
    chute = [plan.centre_mm(plan.chute_cell(0, plan.board.chute[k])) for k in (1, 2, 3)]
    truth = softened(dull, canvas).astype(float)
    for x, y in np.rint(canvas.px(chute)).astype(int):
        near = slice(y - 12, y + 13), slice(x - 12, x + 13)
        before, left = (np.abs(each.softened[near] - truth[near]).mean() for each in (bare, told))
        assert before > 20
        assert left < 0.3 * before
    far = canvas.grid_mm[0][0] > plan.side_mm * 0.6
    np.testing.assert_array_equal(told.softened[:, far], bare.softened[:, far])


def test_the_image_stays_where_nobody_hides_the_lamp(table, board):
    dull, lamp, bare, mirrored = board
    canvas = table.reader.canvas
    for light in (1.0, 0.7):
        now = levels(light * light_of(lamp.on(dull)))
        assert mirrored.without_gone(softened(now, canvas), light_change(now, bare)) is None


def test_the_image_of_the_next_lamp_stays_as_bright_as_it_was(table, board):
    """Who stands in the light of one strip leaves the other's, which is mirrored right beside the first."""
    dull, _, _, _ = board
    canvas, plan = table.reader.canvas, table.renderer.plan
    lamp = Lamp(plan, *canvas.grid_mm, MUCH * float(np.percentile(light_of(dull), 95)))
    x, y = plan.centre_mm(plan.chute_cell(0, plan.board.chute[2]))
    is_next = (canvas.grid_mm[1] > y + 6)[..., None]
    next_image = lamp.image * is_next
    flat = lamp.on(dull)
    bare = BareBoard(softened(flat, canvas), white_light(flat, canvas, plan))
    mirrored = Mirrored(bare, plan, canvas, table.profile.base_spots_mm)
    now = levels(light_of(lamp.hides(dull)) + lamp.hidden * next_image)
    told = mirrored.without_gone(softened(now, canvas), light_change(now, bare))
    assert told is not None
    left = 1 - HIDDEN * lamp.hidden
    truth = softened(levels(light_of(dull) + next_image / left), canvas).astype(float)
    column, row = np.rint(canvas.px([(x, y + 14)])[0]).astype(int)
    near = slice(row - 4, row + 5), slice(column - 10, column + 11)
    before, after = (np.abs(each.softened[near] - truth[near]).mean() for each in (bare, told))
    assert before > 15
    assert after < 0.4 * before


def white_image(canvas, plan):
    """A lamp whose image is white all over a square, where that is, and how far points lie from there."""
    lamp = Lamp(plan, *canvas.grid_mm, 3.0)
    x_mm, y_mm = canvas.grid_mm
    x, y = plan.centre_mm(plan.chute_cell(0, plan.board.chute[2]))
    away_mm = np.hypot(x_mm - x, y_mm - y)
    lamp.image = np.clip((75 - away_mm) / 40, 0, 1)[..., None].astype(np.float32)
    return lamp, canvas.px([(x, y)])[0], away_mm


def test_an_image_that_is_white_all_over_a_square_is_gone_too(table, board):
    """No paint shows in its middle: what is round it tells whose that is, and it is not sure how lit."""
    dull, _, _, _ = board
    canvas, plan = table.reader.canvas, table.renderer.plan
    lamp, middle_px, _ = white_image(canvas, plan)
    bare_flat, now = lamp.on(dull), lamp.hides(dull)
    bare = BareBoard(softened(bare_flat, canvas), white_light(bare_flat, canvas, plan))
    mirrored = Mirrored(bare, plan, canvas, table.profile.base_spots_mm)
    told = mirrored.without_gone(softened(now, canvas), light_change(now, bare))
    assert told is not None and told.unsure is not None
    middle_x, middle_y = np.rint(middle_px).astype(int)
    near = slice(middle_y - 8, middle_y + 9), slice(middle_x - 8, middle_x + 9)
    truth = softened(dull, canvas).astype(float)
    before, left = (np.abs(each.softened[near] - truth[near]).mean() for each in (bare, told))
    assert before > 60
    assert left < 0.4 * before
    assert told.unsure[near].mean() > 10


def test_how_lit_paint_is_that_was_white_blurs_no_edge_of_what_stands_on_it(table, board):
    """That is not known, but the same all round a top: of its own colour it shows by its rim."""
    dull, _, _, _ = board
    canvas, plan = table.reader.canvas, table.renderer.plan
    lamp, middle_px, away_mm = white_image(canvas, plan)
    bare_flat = lamp.on(dull)
    bare = BareBoard(softened(bare_flat, canvas), white_light(bare_flat, canvas, plan))
    mirrored = Mirrored(bare, plan, canvas, table.profile.base_spots_mm)
    profile = table.profile
    shape = Shape(profile.camera, canvas, profile.piece_height_mm, profile.piece_diameter_mm)
    rim = np.abs(canvas.px_per_mm * away_mm - edge_radius(shape) - 2) < 2
    now = softened(lamp.hides(np.where(rim[..., None], dull * 0.8, dull)), canvas)
    told = mirrored.without_gone(now, light_change(now, bare))
    assert told is not None
    light = light_change(now, told)
    seen = evidence(now, told, np.array(profile.piece_colours), SensorNoise.between(now, told, light), light)
    (edge,) = discs_at(middle_px[None], seen.change, shape).edge
    assert edge > 11


def test_paint_that_mirrored_a_lamp_is_no_piece_in_a_shadow(table):
    plan, camera = table.renderer.plan, table.profile.camera
    columns, rows = np.meshgrid(*(np.arange(n) for n in table.renderer.empty.shape[1::-1]))
    places = camera.unproject(np.column_stack([columns.ravel(), rows.ravel()]).astype(float))
    x, y = (at.reshape(rows.shape) for at in places.T)
    empty = table.renderer.empty
    lamp = Lamp(plan, x, y, MUCH * float(np.percentile(light_of(empty), 95)))
    reader = Reader(replace(table.profile, bare=lamp.on(empty)))
    pieces = []
    for seat in range(4):
        for k, (spot_x, spot_y) in enumerate(table.renderer.spots(seat)):
            if (seat, k) != (0, 0):
                pieces.append(WoodenPiece(seat, 0, float(spot_x), float(spot_y), grain=4 * seat + k))
    # One of the colour is on the floor.
    frame = lamp.hides(table.renderer.frame(Scene(tuple(pieces))))
    sighting = reader.read(frame)
    counts = zip(plan.board.seats, (3, 4, 4, 4), strict=True)
    assert sighting.pieces == {colour: (0,) * count for colour, count in counts}
    assert not sighting.hand

"""The gantry: nothing stands in the camera's way, leads are long enough, no lamp shines into the lens."""

import tomllib
from itertools import product
from pathlib import Path

import pytest
from manifold3d import Manifold

from hardware.gantry import BOARD_THICK_MM, Gantry
from hardware.solids import box, joined
from hardware.tower import Tower
from hardware.tower_parts import parts
from uckers_table.game.board import Plan

CAMERA = Path(__file__).parents[2] / "calibration" / "cameras" / "module-3.toml"
TOWER = Tower()
LOWEST, USUAL, HIGHEST = (Gantry(lens_mm=lens) for lens in (850.0, 920.0, 1050.0))
HEIGHTS = pytest.mark.parametrize("gantry", [LOWEST, USUAL, HIGHEST], ids=["lowest", "usual", "highest"])
TABLE_MM = -BOARD_THICK_MM


def view(gantry, z=TABLE_MM):
    """All that lies between the lens and what it sees at height z."""
    x, y = gantry.seen_mm(z)
    return Manifold.hull_points(
        [(0, 0, gantry.lens_mm), *((sx * x, sy * y, z) for sx, sy in product((-1, 1), repeat=2))]
    )


def standing(gantry):
    """The gantry's own parts, as boxes."""
    g, p = gantry, gantry.profile_mm / 2
    face, half = g.column_y_mm - p, g.display_mm[1] / 2
    for side in (-1, 1):
        y = side * g.column_y_mm
        yield "column", box((-p, p), (y - p, y + p), (TABLE_MM, TABLE_MM + g.column_mm))
        yield (
            "foot",
            box((-g.foot_mm / 2, g.foot_mm / 2), (y - p, y + p), (TABLE_MM, TABLE_MM + g.profile_mm)),
        )
    yield "bridge", box((-p, p), (-face, face), (g.bridge_z_mm, g.bridge_z_mm + g.profile_mm))
    yield "the Pi's box", box((-g.box_mm[0] / 2, g.box_mm[0] / 2), g.box_y_mm, g.box_z_mm)
    ring = g.ring_mm[1] / 2
    yield "light", box((-ring, ring), (-ring, ring), (g.lens_mm + g.ring_z_mm, g.lens_mm + g.ring_z_mm + 8.0))
    wide = g.display_mm[0] / 2
    yield "display", box((-wide, wide), (face - 15.0, face), (g.display_z_mm - half, g.display_z_mm + half))


def tower_beside(gantry):
    """The dice tower's parts, its tray's middle beside the board and the tower outward of it."""
    lift = TABLE_MM + TOWER.wall_mm
    turn = [[0, 1, 0, gantry.tray_x_mm], [-1, 0, 0, 0], [0, 0, 1, lift]]
    return {part.name: part.solid.transform(turn) for part in parts(TOWER)}


def test_the_view_is_the_cameras_published_one():
    assert tomllib.loads(CAMERA.read_text(encoding="utf-8"))["view_deg"] == USUAL.view_deg[0]


@pytest.mark.parametrize(("name", "solid"), list(standing(USUAL)))
def test_nothing_of_the_gantry_is_in_the_picture(name, solid):
    assert (solid ^ view(USUAL)).volume() < 1e-6, name


@HEIGHTS
def test_board_and_pieces_are_in_the_picture(gantry):
    """Down to 0.85 m the board itself is; the margin of 40 mm round it, from the usual height on."""
    half = Plan().side_mm / 2
    across, along = gantry.seen_mm(20.0)
    assert along > half
    assert across > half
    if gantry.lens_mm >= USUAL.lens_mm:
        assert gantry.seen_mm()[1] > half + 38.0


@HEIGHTS
def test_board_and_tray_lie_open_to_the_camera(gantry):
    """No part of gantry or tower stands between the lens and the board's surface or the tray's floor."""
    half, tray = Plan().side_mm / 2, TOWER.tray_mm / 2 - 1.0
    lens, floor = (0.0, 0.0, gantry.lens_mm), TABLE_MM + TOWER.wall_mm
    corners = list(product((-1, 1), repeat=2))
    to_board = Manifold.hull_points([lens, *((sx * half, sy * half, 0.5) for sx, sy in corners)])
    x = gantry.tray_x_mm
    to_tray = Manifold.hull_points([lens, *((x + sx * tray, sy * tray, floor + 16.0) for sx, sy in corners)])
    tower = tower_beside(gantry)
    gantry_itself = joined(*(solid for _, solid in standing(gantry)))
    others = joined(*(solid for name, solid in tower.items() if name != "tray"))
    assert (to_board ^ (gantry_itself + others + tower["tray"])).volume() < 1e-6
    assert (to_tray ^ (gantry_itself + others)).volume() < 1e-6


def test_tower_and_board_do_not_touch():
    left = min(solid.bounding_box()[0] for solid in tower_beside(USUAL).values())
    assert left > Plan().side_mm / 2 + 5.0


@HEIGHTS
def test_leads_reach(gantry):
    """Camera cables end at 500 mm, display leads at 300 mm; 20 mm are left over."""
    assert gantry.camera_cable_mm <= 480.0
    lowered = gantry.display_z_mm + gantry.lens_mm - USUAL.lens_mm
    assert Gantry(lens_mm=gantry.lens_mm, display_z_mm=lowered).display_lead_mm <= 280.0


def test_the_bridge_can_be_set_to_every_height():
    for gantry in (LOWEST, HIGHEST):
        assert 0.0 < gantry.bridge_z_mm + gantry.profile_mm + gantry.brace_mm <= TABLE_MM + gantry.column_mm


def test_the_light_mirrors_inside_home_only():
    """The mirror image of a lamp x to the side and h above a glossy board lies at x·H/(H+h)."""
    out, lamp = USUAL.ring_mm[1] / 2, USUAL.lens_mm + USUAL.ring_z_mm
    assert out * USUAL.lens_mm / (USUAL.lens_mm + lamp) < 1.5 * Plan().cell_mm


@HEIGHTS
def test_nothing_of_the_gantry_casts_a_shadow_on_the_board(gantry):
    """No part stands between any of the ring's face and any of the board."""
    out, half, z = gantry.ring_mm[1] / 2, Plan().side_mm / 2, gantry.lens_mm + gantry.ring_z_mm
    corners = list(product((-1, 1), repeat=2))
    ring, board = ([(sx * r, sy * r, h) for sx, sy in corners] for r, h in ((out, z - 0.1), (half, 0.1)))
    light = Manifold.hull_points([*ring, *board])
    for name, solid in standing(gantry):
        assert (solid ^ light).volume() < 1e-6, name

"""The dice tower's printed parts: whole, printable, and everything that is to pass or fit does."""

from dataclasses import replace
from itertools import combinations, pairwise, product
from math import radians, sqrt, tan
from pathlib import Path

import numpy as np
import pytest
import trimesh
from manifold3d import CrossSection, JoinType, Manifold

from hardware.carrier import pico_middle_mm
from hardware.solids import box, joined, rod, triangles
from hardware.tower import DIE_DIAGONAL_MM, DIE_MM, Tower
from hardware.tower_parts import BED_MM, CARRIER_POST_MM, INSERT_MM, carrier_middle_mm, parts, screws

STL = Path(__file__).parents[2] / "hardware" / "printed"
TOWER = Tower()
PARTS = {part.name: part for part in parts(TOWER)}
WHOLE = joined(*(part.solid for part in PARTS.values()))
NAMES = sorted(PARTS)
TWO_DICE_MM = 2 * DIE_DIAGONAL_MM


def across(solid, x):
    """The cut through a solid at x, as a section in (y, z)."""
    turned = solid.transform([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0]])
    return turned.slice(x)


def ways(solid, x, width):
    """Where the middle of something round and so wide can be at x: separate regions in (y, z).

    There is a lid at the tower's top, so that no way leads round the outside.
    """
    room = CrossSection.square((300.0, TOWER.top_mm + 10.0)).translate((-60.0, -10.0))
    return (room - across(solid, x)).offset(-width / 2, JoinType.Round, circular_segments=96).decompose()


def holds(region, y, z):
    return not (region ^ CrossSection.square((0.2, 0.2), True).translate((y, z))).is_empty()


def passes(solid, x, width):
    """Whether something round gets from above the hopper to the tray without leaving the plane x."""
    hopper = ((TOWER.front_mm + TOWER.first_lip[0]) / 2, TOWER.first_lip[1] + 20.0)
    return any(holds(way, *hopper) and holds(way, 0.0, 60.0) for way in ways(solid, x, width))


@pytest.mark.parametrize("name", NAMES)
def test_each_file_is_one_watertight_body_and_the_part_of_today(name):
    mesh = trimesh.load_mesh(STL / f"{name}.stl")
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    part = PARTS[name].printed
    assert len(part.decompose()) == 1
    assert mesh.volume == pytest.approx(part.volume(), rel=1e-4)
    assert mesh.bounds.ravel() == pytest.approx(part.bounding_box(), abs=0.01)
    assert mesh.area == pytest.approx(part.surface_area(), rel=1e-4)


def test_no_files_of_parts_that_are_no_more():
    assert sorted(path.stem for path in STL.glob("*.stl")) == NAMES


@pytest.mark.parametrize(("one", "other"), list(combinations(NAMES, 2)))
def test_no_two_parts_take_the_same_room(one, other):
    assert (PARTS[one].solid ^ PARTS[other].solid).volume() < 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_each_part_fits_on_the_printer(name):
    x0, y0, z0, x1, y1, z1 = PARTS[name].printed.bounding_box()
    assert z0 == pytest.approx(0.0)
    assert (x1 - x0, y1 - y0, z1) <= BED_MM
    assert max(x1 - x0, y1 - y0) <= BED_MM[0]
    assert z1 <= BED_MM[2]


def thick(layer):
    """A layer without all that is thinner than 1.2 mm, three tracks of a common nozzle."""
    return layer.offset(-0.6, JoinType.Miter, 10.0).offset(0.6, JoinType.Miter, 10.0)


@pytest.mark.parametrize("name", NAMES)
def test_no_wall_is_thinner_than_a_printer_makes_well(name):
    """What a layer loses with all that is thin is the tip of an edge: thick a millimetre above or below."""
    part = PARTS[name].printed
    for height in np.arange(0.37, part.bounding_box()[5], 1.9):
        layer = part.slice(height)
        near = thick(layer) + thick(part.slice(height - 1.0)) + thick(part.slice(height + 1.0))
        lost = (layer - near.offset(0.3, JoinType.Miter, 10.0)).decompose()
        assert max((piece.area() for piece in lost), default=0.0) < 1.5, height


@pytest.mark.parametrize("name", NAMES)
def test_every_layer_lies_on_the_one_below_or_bridges_a_short_way(name):
    """What hangs over by more than 52° from upright bridges 22 mm at most, or juts out 3 mm."""
    part = PARTS[name].printed
    step, top = 0.4, part.bounding_box()[5]
    below = part.slice(0.1)
    for height in np.arange(0.1 + step, top, step):
        layer = part.slice(height)
        for piece in (layer - below.offset(1.28 * step, JoinType.Miter, 4.0)).decompose():
            if piece.is_empty():
                continue
            x0, y0, x1, y1 = piece.bounds()
            assert max(x1 - x0, y1 - y0) < 22.0, (height, piece.bounds())
            if not piece.offset(-1.5, JoinType.Miter, 4.0).is_empty():
                x, y, past = (x0 + x1) / 2, (y0 + y1) / 2, 1.28 * step + 0.2
                across = holds(below, x0 - past, y) and holds(below, x1 + past, y)
                along = holds(below, x, y0 - past) and holds(below, x, y1 + past)
                assert across or along, (height, piece.bounds())
        below = layer


@pytest.mark.parametrize("x", (-29.0, -16.0, 0.0, 16.0, 29.0))
def test_two_dice_end_to_end_pass_wherever_dice_go(x):
    assert passes(WHOLE, x, TWO_DICE_MM)


def test_a_die_at_its_worst_pose_passes_as_a_ball_of_its_diagonal():
    """And two of them end to end: a ball rolled along the middle never touches anything."""
    way = next(w for w in ways(WHOLE, 0.0, TWO_DICE_MM + 0.4) if holds(w, 0.0, 60.0))
    middle = [tuple(point) for polygon in way.to_polygons() for point in polygon]
    ball = Manifold.sphere(TWO_DICE_MM / 2, 48)
    touched = [
        (y, z) for y, z in middle[::3] if z > 28 and not (WHOLE ^ ball.translate((0.0, y, z))).is_empty()
    ]
    assert len(middle) > 40
    assert touched == []


def test_a_jammed_die_would_be_found():
    lip_y, lip_z = TOWER.first_lip
    plug = box((-31.0, 31.0), (lip_y - 40.0, lip_y), (lip_z - 3.0, lip_z))
    assert not passes(WHOLE + plug, 0.0, DIE_DIAGONAL_MM)


def test_no_die_falls_through_untouched():
    """The ramps overlap but for less than a die's width."""
    assert TOWER.first_lip[0] - TOWER.second_lip[0] < DIE_MM


def test_nothing_in_the_shaft_is_flat_enough_for_a_die_to_lie_on():
    """At a friction of 0.6 a die slides from 31°."""
    corners = triangles(WHOLE)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    upward = normals[:, 2] / np.linalg.norm(normals, axis=1)
    x, y, z = corners.mean(axis=1).T
    above = z > TOWER.exit_z(TOWER.tray_mm / 2) + (y - TOWER.tray_mm / 2) * tan(radians(TOWER.exit_deg)) - 1.0
    mouth = (y > TOWER.tray_mm / 2) & (z < TOWER.mouth_mm - 1.0)
    within = (np.abs(x) < TOWER.width_mm / 2 - 0.1) & (y < TOWER.back_mm - 0.1) & (z < TOWER.top_mm - 1.0)
    inside = within & (mouth | (y > TOWER.front_mm + 0.1))
    shaft = inside & above & (upward > 1e-6)
    assert shaft.sum() > 4
    assert np.degrees(np.arccos(upward[shaft])).min() > 31.0


def test_a_die_cannot_lean_on_the_last_ramp():
    assert TOWER.lip_mm > DIE_MM


def test_no_die_passes_between_the_beams_of_the_way_in():
    """A cube holds a ball as wide as its side, which reaches one of the beams wherever its middle is."""
    (lip_y, _), beams = TOWER.first_lip, [y for y, _ in TOWER.in_beams]
    reach = DIE_MM / 2
    middles = np.linspace(TOWER.front_mm + reach, lip_y - reach, 400)
    nearest = np.abs(middles[:, None] - np.array(beams)).min(axis=1)
    assert nearest.max() < reach - 0.5


def test_a_die_on_the_last_ramp_breaks_the_beam_of_the_way_out():
    y, z = TOWER.out_beam
    above = (z - TOWER.exit_z(y)) * np.cos(radians(TOWER.exit_deg))
    assert 2.0 < above < DIE_MM - 2.0


@pytest.mark.parametrize("beam", (*TOWER.in_beams, TOWER.out_beam))
def test_light_goes_from_side_to_side(beam):
    reach = TOWER.outer_mm + 20.0
    assert (WHOLE ^ rod("x", beam, (-reach, reach), 4.0)).is_empty()


def seen(height_mm, across_deg, x_mm, y_mm):
    """Whether a camera of 16:9 with so wide a view, straight above, has a place in its picture."""
    away = TOWER.lens_mm - height_mm
    half = away * tan(radians(across_deg) / 2)
    return abs(x_mm) <= half and abs(y_mm) <= half * 9 / 16


@pytest.mark.parametrize("across_deg", (64.0, 68.2, 75.0))
def test_the_tray_camera_sees_floor_rim_and_patches(across_deg):
    """68.2° is what 4.3 pixels a mm at 220 mm come from. The camera may hang 2° askew: 8 mm at 220 mm."""
    inner, outer = TOWER.tray_mm / 2, TOWER.tray_mm / 2 + TOWER.wall_mm
    for sx, sy in product((-1, 1), repeat=2):
        assert seen(0.0, across_deg, sx * inner, sy * (inner + 8.0))
        assert seen(TOWER.tray_wall_mm, across_deg, sx * (outer + 13.0), sy * outer)


def test_a_narrower_camera_is_refused():
    assert not seen(TOWER.tray_wall_mm, 56.0, 0.0, TOWER.tray_mm / 2 + TOWER.wall_mm)


def test_pixels_on_the_floor_are_as_many_as_the_reader_wants():
    half = TOWER.lens_mm * tan(radians(68.2) / 2)
    assert 1280 / (2 * half) == pytest.approx(4.3, abs=0.01)


def cone(across, z, lens):
    """What lies between the lens and a rectangle of half sizes `across` at height z."""
    corners = [(sx * across[0], sy * across[1], z) for sx, sy in product((-1, 1), repeat=2)]
    return Manifold.hull_points([lens, *corners])


def test_nothing_stands_between_the_camera_and_the_tray():
    outer = TOWER.tray_mm / 2 + TOWER.wall_mm
    others = joined(*(part.solid for name, part in PARTS.items() if name != "tray"))
    lens = TOWER.lens
    assert (others ^ cone((TOWER.tray_mm / 2, TOWER.tray_mm / 2), 0.0, lens)).volume() < 1e-6
    assert (others ^ cone((outer + 13.0, outer), TOWER.tray_wall_mm, lens)).volume() < 1e-6


def test_the_lamps_are_not_in_the_widest_picture():
    lamps = PARTS["lamp-left"].solid + PARTS["lamp-right"].solid
    half = TOWER.lens_mm * tan(radians(75.0) / 2)
    assert (lamps ^ cone((half, half * 9 / 16), 0.0, TOWER.lens)).is_empty()


def strip_edges():
    """(x, z) of the strip's two edges on the right lamp."""
    (x, z), half = TOWER.lamp_mm, TOWER.bought.strip_mm[0] / 2
    dx, dz = half * np.cos(radians(TOWER.lamp_deg)), half * np.sin(radians(TOWER.lamp_deg))
    return (x - dx, z + dz), (x + dx, z - dz)


@pytest.mark.parametrize("edge", strip_edges())
def test_no_die_mirrors_a_lamp_into_the_camera(edge):
    """The mirror image in a die's top lies at x·H/(H+h): beyond where any top can be."""
    height = TOWER.lens_mm - DIE_MM
    mirrored = edge[0] * height / (height + edge[1] - DIE_MM)
    assert mirrored > TOWER.tray_mm / 2 + 2.0


def brightness(x, y, z):
    """Light on a level spot from both strips, as slanting even lights, with the tray's walls in the way."""
    lit = 0.0
    for side in (-1, 1):
        lamp_x, lamp_z = side * TOWER.lamp_mm[0], TOWER.lamp_mm[1]
        for lamp_y in np.linspace(-TOWER.bought.strip_mm[1] / 2, TOWER.bought.strip_mm[1] / 2, 21):
            to = np.array([lamp_x - x, lamp_y - y, lamp_z - z])
            over_wall = z + to[2] * (side * TOWER.tray_mm / 2 - x) / to[0]
            if over_wall < TOWER.tray_wall_mm:
                continue
            far = np.linalg.norm(to)
            facing = np.array([side * sqrt(0.5), 0.0, sqrt(0.5)]) @ to / far
            lit += max(0.0, facing) * (to[2] / far) / far**2
    return lit


def test_dice_are_lit_evenly_and_none_lies_in_the_dark():
    tops = [brightness(x, y, DIE_MM) for x in np.linspace(-47, 47, 9) for y in np.linspace(-47, 47, 9)]
    assert min(tops) > 0.8 * max(tops)
    floor = [brightness(x, y, 0.0) for x in np.linspace(-54, 54, 13) for y in np.linspace(-54, 54, 13)]
    assert min(floor) > 0.25 * max(floor)


def bay_things():
    """What goes into the bay, where it sits: the carrier, all that stands on it, and the Pico's plug."""
    bought, middle = TOWER.bought, carrier_middle_mm(TOWER)
    wide, long, thick = bought.carrier
    top = CARRIER_POST_MM + thick
    front, back = middle - long / 2, middle + long / 2
    board = box((-wide / 2, wide / 2), (front, back), (CARRIER_POST_MM, top))
    loaded = box((-wide / 2, wide / 2), (front, back), (top, top + bought.on_carrier_mm))
    pico_x, pico_y = pico_middle_mm()
    pico_back = middle + pico_y + bought.pico[1] / 2
    plug_x, plug_y, plug_z = bought.usb_plug
    plug = box(
        (pico_x - plug_x / 2, pico_x + plug_x / 2),
        (pico_back, pico_back + plug_y),
        (top + 8.0, top + 8.0 + plug_z),
    )
    return {"carrier": board, "what stands on it": loaded, "the Pico's plug": plug}


@pytest.mark.parametrize("thing", sorted(bay_things()))
def test_carrier_pico_and_cable_fit_into_the_bay(thing):
    solid = bay_things()[thing].translate((0, 0, 0.01))
    assert (solid ^ WHOLE).volume() < 1e-6, thing


def test_the_carrier_goes_in_through_the_back():
    lower = PARTS["tower-lower"].solid
    bought = TOWER.bought
    wide, long, thick = bought.carrier
    way = box(
        (-wide / 2, wide / 2),
        (carrier_middle_mm(TOWER) - long / 2, TOWER.back_mm + 50.0),
        (CARRIER_POST_MM + 0.1, CARRIER_POST_MM + thick + bought.on_carrier_mm),
    )
    assert (way ^ lower).volume() < 1e-6


def test_the_readout_slides_into_its_box_and_shows():
    wide, deep, high = TOWER.bought.readout
    x0, _, z0, _, y1, z1 = PARTS["readout"].solid.bounding_box()
    middle_z = (z0 + z1) / 2
    back = y1 - 2.0
    board = box((x0 - 1.0, x0 - 1.0 + wide), (back - deep, back), (middle_z - high / 2, middle_z + high / 2))
    in_place = board.translate((3.0, 0.0, 0.0))
    for solid in (board, in_place):
        assert (solid.translate((0, -0.01, 0)) ^ WHOLE).volume() < 1e-6
    window_w, window_h = (value - 0.1 for value in TOWER.bought.readout_window)
    look = box(
        (-window_w / 2, window_w / 2),
        (-60.0, back - deep),
        (middle_z - window_h / 2, middle_z + window_h / 2),
    )
    assert (look ^ PARTS["readout"].solid).volume() < 1e-6


def test_the_camera_hangs_where_the_lens_must_be():
    lens_z = TOWER.lens_mm
    plate = PARTS["camera-arm"].solid.trim_by_plane((0, -1, 0), 0.0).bounding_box()[2]
    assert plate - TOWER.bought.camera_drop_mm == pytest.approx(lens_z)
    half_x, half_y = (value / 2 for value in TOWER.bought.camera_board)
    camera = box((-half_x, half_x), (-half_y, half_y), (lens_z, plate))
    assert (camera ^ WHOLE).volume() < 1e-6
    least, most = TOWER.bought.camera_holes_mm
    for hole in (least, 28.0, 30.0, most):
        for sx, sy in product((-1, 1), repeat=2):
            screw = rod("z", (sx * hole / 2, sy * hole / 2), (lens_z, plate + 20.0), 2.5)
            assert (screw ^ PARTS["camera-arm"].solid).volume() < 0.05


def along(screw, start, end, width):
    """A rod in a screw's line, from so far to so far beyond its head's underside."""
    axis = "xyz"[[abs(value) for value in screw.way].index(1)]
    place = "xyz".index(axis)
    at = tuple(value for k, value in enumerate(screw.head) if k != place)
    near, far = sorted(screw.head[place] + screw.way[place] * reach for reach in (start, end))
    return rod(axis, at, (near, far), width)


@pytest.mark.parametrize("screw", screws(TOWER), ids=lambda s: f"{s.through} to {s.into} at {s.head}")
def test_every_screw_goes_through_the_one_part_into_an_insert_of_the_other(screw):
    """Its shank is free all the way, a driver reaches its head, and what it ends in holds an insert."""
    through, into = PARTS[screw.through].solid, PARTS[screw.into].solid
    assert (along(screw, 0.1, screw.length_mm, 3.0) ^ WHOLE).volume() < 0.05
    assert (along(screw, -70.0, -3.5, 6.0) ^ (through + into)).volume() < 1e-6
    clamped = along(screw, 0.5, screw.length_mm - 6.0, 8.0)
    assert (clamped ^ through).volume() > 20.0
    held = along(screw, screw.length_mm - 4.0, screw.length_mm - 1.0, 6.0)
    assert (held ^ into).volume() > 0.9 * held.volume() * (1 - (INSERT_MM / 6.0) ** 2)


def test_other_measures_still_make_whole_parts():
    """A taller, wider tower for dice of 18 mm, say, is a matter of numbers."""
    for part in parts(replace(TOWER, width_mm=70.0, gap_mm=64.0, wall_mm=3.4)):
        assert len(part.solid.decompose()) == 1, part.name
        assert part.solid.volume() > 1000.0


def test_the_measures_that_the_drawings_state():
    assert all(
        a > b for a, b in pairwise((TOWER.top_mm, TOWER.first_lip[1], TOWER.second_lip[1], TOWER.lip_mm))
    )
    assert (TOWER.tray_mm, TOWER.tray_wall_mm, TOWER.lens_mm) == (110.0, 30.0, 220.0)
    assert sqrt(3) * 16 < TOWER.gap_mm / 2

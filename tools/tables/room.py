"""What stays the same in all pictures of a table: the board, the top, lamps, and what lies about."""

from __future__ import annotations

import random
from math import cos, pi, radians, sin

from tools.tables.blender import UNIT, Vector, bpy, linked, world
from tools.tables.look import BOARD_MM, Lamp, Pair, Table, Triple
from tools.tables.materials import darker, plain, top, varnish, wet
from tools.tables.meshes import flat_mesh, lathe, slab
from tools.tables.setting import BOARD_THICK_MM
from tools.tables.things import things
from uckers_table.simulator.paint import Linear

_MIDDLE = BOARD_MM / 2
_TOP_HALF = 14.0
"""Half the side of the top, in Blender's units: it fills the picture."""
_SLATS, _SLAT_SHARE = 9, 0.54
"""A window's blinds: how many slats it has, and the share of the window that they cover."""
_LEAVES = 150


def furnish(
    table: Table, paint: Linear, cloth: Linear, turntable: bpy.types.Object, rng: random.Random
) -> None:
    """Puts it all into the scene; the board on a handle by which it may be moved."""
    _board(table, paint, turntable)
    _top(table, cloth)
    for lamp in table.lamps:
        _lamp(lamp)
    if table.is_dappled:
        _leaves(table.lamps[0])
    _clutter(table, rng)


def _board(table: Table, paint: Linear, turntable: bpy.types.Object) -> None:
    s, t = BOARD_MM / UNIT, BOARD_THICK_MM / UNIT
    corners = [
        (0, 0, 0),
        (s, 0, 0),
        (s, -s, 0),
        (0, -s, 0),
        (0, 0, -t),
        (s, 0, -t),
        (s, -s, -t),
        (0, -s, -t),
    ]
    faces = [(3, 2, 1, 0), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    mesh = flat_mesh("board", corners, faces)
    uv = mesh.uv_layers.new()
    for loop in mesh.loops:
        x, y, _ = corners[loop.vertex_index]
        uv.data[loop.index].uv = (x / s, 1 + y / s)
    for polygon in mesh.polygons[1:]:
        polygon.material_index = 1
    mesh.materials.append(varnish(table, paint))
    mesh.materials.append(plain("edge", darker(table.wood, 0.75), 0.6))
    linked("top", mesh).parent = turntable


def _top(table: Table, cloth: Linear) -> None:
    """What the board lies on; the cloth's picture repeats."""
    middle, down = world(_MIDDLE, _MIDDLE, 0), -BOARD_THICK_MM / UNIT
    corners = [
        (middle.x + sx * _TOP_HALF, middle.y + sy * _TOP_HALF, down)
        for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    mesh = flat_mesh("table", corners, [(0, 1, 2, 3)])
    uv = mesh.uv_layers.new()
    for loop, place in zip(uv.data, ((0, 0), (4, 0), (4, 4), (0, 4)), strict=True):
        loop.uv = place
    mesh.materials.append(top(table, cloth))
    linked("table", mesh)


def _lamp(lamp: Lamp) -> None:
    """Hangs a lamp. Power 1 lights the board's middle about as much as the room does at ambient 1."""
    at, middle = world(*lamp.at_mm), world(_MIDDLE, _MIDDLE, 0)
    far = (at - middle).length
    steep = (at - middle).z / far
    if lamp.kind == "sun":
        data = bpy.data.lights.new("sun", "SUN")
        data.angle, data.energy = radians(lamp.size[0]), pi * lamp.power / steep
    elif lamp.kind == "bulb":
        data = bpy.data.lights.new("bulb", "POINT")
        data.shadow_soft_size = lamp.size[0] / UNIT
        data.energy = 4 * pi * pi * far**2 * lamp.power / steep
    else:
        data = bpy.data.lights.new(lamp.kind, "AREA")
        data.shape, data.size, data.size_y = "RECTANGLE", lamp.size[0] / UNIT, lamp.size[1] / UNIT
        facing = steep if lamp.kind == "strip" else 1.0
        data.energy = pi * pi * far**2 * lamp.power / (steep * facing)
    data.color = lamp.colour
    thing = linked(lamp.kind, data)
    thing.location = at
    if lamp.kind == "strip":
        thing.rotation_euler = (0, 0, pi / 2)
    elif lamp.kind in ("window", "sun"):
        thing.rotation_euler = (at - middle).to_track_quat("Z", "Y").to_euler()
    if lamp.kind == "window":
        _blinds(at, (middle - at).normalized(), lamp.size)


def _blinds(at: Vector, toward: Vector, size: Pair) -> None:
    """Slats across a window: bars between it and the board, seen in the varnish too."""
    side = toward.cross(Vector((0, 0, 1))).normalized()
    upward = side.cross(toward)
    points: list[Triple] = []
    faces: list[tuple[int, ...]] = []
    for k in range(_SLATS):
        middle = at + toward * 0.6 + upward * ((k - (_SLATS - 1) / 2) * size[1] / UNIT / _SLATS)
        half = upward * (size[1] / UNIT / _SLATS * (_SLAT_SHARE / 2))
        across = side * (size[0] / UNIT * 0.55)
        start = len(points)
        points += [tuple(middle - across - half), tuple(middle + across - half)]
        points += [tuple(middle + across + half), tuple(middle - across + half)]
        faces.append((start, start + 1, start + 2, start + 3))
    mesh = flat_mesh("blinds", points, faces)
    mesh.materials.append(plain("slats", things().slats, 0.7))
    linked("blinds", mesh)


def _leaves(lamp: Lamp) -> None:
    """A net of leaves between a lamp and the board, the same one each time."""
    rng = random.Random(7)
    toward = (world(_MIDDLE, _MIDDLE, 0) - world(*lamp.at_mm)).normalized()
    points: list[Triple] = []
    faces: list[tuple[int, ...]] = []
    for _ in range(_LEAVES):
        x, y, up = rng.uniform(-300, 900), rng.uniform(-300, 900), rng.uniform(1000.0, 1900.0)
        middle = world(x, y, 0) - toward * (up / UNIT)
        size = rng.uniform(20.0, 60.0) / UNIT
        start = len(points)
        turn = rng.uniform(0, pi)
        for angle in (turn + k * pi / 3 for k in range(6)):
            corner = Vector((cos(angle) * size, 0.6 * sin(angle) * size, 0.3 * size * cos(angle)))
            points.append(tuple(middle + corner))
        faces.append(tuple(range(start, start + 6)))
    mesh = flat_mesh("leaves", points, faces)
    mesh.materials.append(plain("leaf", things().leaf, 0.8))
    linked("leaves", mesh).visible_camera = False


def _clutter(table: Table, rng: random.Random) -> None:
    """What lies about on the top, clear of the board."""
    clutter = things().clutter
    places = list(clutter.places_mm)
    rng.shuffle(places)
    mug = lathe("mug", [(0, 4), (34, 4), (36, 88), (40, 92), (41, 88), (41, 4), (38, 0), (0, 0)])
    mug.materials.append(plain("china", rng.choice(clutter.mug_paints), 0.2))
    _lay(mug, places[0], rng)
    tea = lathe("tea", [(0, 70), (36, 70)])
    tea.materials.append(plain("tea", clutter.tea, 0.05))
    _lay(tea, places[0], rng)
    for place, box in zip(places[1:], clutter.boxes, strict=False):
        thing = slab(*box.size_mm)
        thing.materials.append(plain("thing", box.paint, 0.35))
        _lay(thing, place, rng)
    for _ in range(clutter.coins):
        coin = lathe("coin", [(0, 1.8), (10, 1.8), (10.5, 1.4), (10.5, 0)])
        coin.materials.append(plain("coin", rng.choice(clutter.coin_paints), 0.3, metal=0.8))
        at = places[6][0] + rng.uniform(-120, 120), places[6][1] + rng.uniform(-40, 40)
        _lay(coin, at, rng)
    ring = lathe("wet", [(38, 0.25), (39.5, 0.5), (42, 0.5), (43, 0.25)])
    ring.materials.append(wet(table.cloth))
    _lay(ring, (places[0][0] + 60, places[0][1] + 90), rng)


def _lay(mesh: bpy.types.Mesh, at: Pair, rng: random.Random) -> None:
    """Lays a thing on the top, turned any way round."""
    thing = linked(mesh.name, mesh)
    thing.location = world(*at, -BOARD_THICK_MM)
    thing.rotation_euler = (0, 0, rng.uniform(0, 2 * pi))

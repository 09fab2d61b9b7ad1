"""The shapes of things. Lengths are millimetres, meshes Blender's units."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, radians, sin
from random import Random

from tools.tables.blender import UNIT, Matrix, Vector, bmesh, bpy
from tools.tables.look import DieLook, Pair, Triple
from tools.tables.materials import plain
from tools.tables.setting import DIE_MM, Hand
from tools.tables.things import BARE

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where the pips of each face are."""
UPWARD = {1: (0, 0), 2: (90, 0), 3: (0, -90), 4: (0, 90), 5: (-90, 0), 6: (180, 0)}
"""Turns about x and y (degrees) that bring a face up. Opposite faces add up to seven."""


def face_up(value: int) -> Matrix:
    """The turn that brings a die's face up."""
    x, y = UPWARD[value]
    return Matrix.Rotation(radians(y), 4, "Y") @ Matrix.Rotation(radians(x), 4, "X")


def flat_mesh(
    name: str, corners: Sequence[Sequence[float]], faces: Sequence[tuple[int, ...]]
) -> bpy.types.Mesh:
    """Faces between corners, in Blender's units."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    return mesh


def case_head(height: float, diameter: float) -> bpy.types.Mesh:
    """A piece: a cartridge case cut off above its head. Its paint is each piece's own."""
    r, h = diameter / 2, height
    # From the primer outwards and down.
    mesh = lathe("piece", [
        (0, h - 0.25), (3.7, h - 0.25), (3.95, h - 0.35), (4.05, h - 0.5), (4.25, h - 0.5), (4.4, h - 0.1),
        (4.6, h), (r - 0.55, h), (r - 0.2, h - 0.15), (r, h - 0.55), (r, h - 1.9), (r - 0.15, h - 2.1),
        (r - 1.7, h - 2.7), (r - 1.7, h - 3.9), (r - 0.1, h - 5.4), (r - 0.1, 0.2), (r - 0.3, 0.0), (0, 0.0),
    ])  # fmt: skip
    mesh.materials.append(None)
    return mesh


def lathe(name: str, profile: Sequence[Pair], steps: int = 72) -> bpy.types.Mesh:
    """A solid of revolution, by a profile of radii and heights. Edges that bend little are smooth."""
    points: list[Triple] = []
    for radius, up in profile:
        points += [
            (radius * cos(2 * pi * k / steps) / UNIT, radius * sin(2 * pi * k / steps) / UNIT, up / UNIT)
            for k in range(steps)
        ]
    faces = []
    for ring in range(len(profile) - 1):
        for k in range(steps):
            a, b = ring * steps + k, ring * steps + (k + 1) % steps
            faces.append((a, a + steps, b + steps, b))
    mesh = flat_mesh(name, points, faces)
    shape = bmesh.new()
    shape.from_mesh(mesh)
    bmesh.ops.remove_doubles(shape, verts=shape.verts, dist=1e-5)
    bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
    for face in shape.faces:
        face.smooth = True
    for edge in shape.edges:
        edge.smooth = len(edge.link_faces) == 2 and edge.calc_face_angle(0.0) < radians(40)
    return _kept(shape, mesh)


def slab(width: float, breadth: float, thick: float) -> bpy.types.Mesh:
    """A flat box that lies on 0."""
    mesh = bpy.data.meshes.new("slab")
    shape = bmesh.new()
    bmesh.ops.create_cube(shape, size=1.0)
    bmesh.ops.scale(shape, vec=Vector((width, breadth, thick)) / UNIT, verts=shape.verts)
    bmesh.ops.translate(shape, vec=Vector((0, 0, thick / 2 / UNIT)), verts=shape.verts)
    return _kept(shape, mesh)


def ball() -> bpy.types.Mesh:
    """A ball of radius 1 (100 mm)."""
    mesh = bpy.data.meshes.new("ball")
    shape = bmesh.new()
    bmesh.ops.create_icosphere(shape, subdivisions=4, radius=1.0)
    return _kept(shape, mesh)


def die(look: DieLook) -> bpy.types.Mesh:
    """A die about its middle, 1 up: rounded edges, pips sunk in."""
    # Pips are cut out with balls. If they ran into each other, nothing of the die would be left.
    pip_mm = min(look.pip_mm, 0.499 * look.apart_mm)
    above = (pip_mm**2 - look.deep_mm**2) / (2 * look.deep_mm)
    reach = (above + look.deep_mm) / UNIT
    body = _rounded_cube(look.round_mm)
    cutter, centres = _pip_balls(look.apart_mm, above, reach)
    solid, tool = bpy.data.objects.new("body", body), bpy.data.objects.new("tool", cutter)
    for thing in (solid, tool):
        bpy.context.scene.collection.objects.link(thing)
    cut = solid.modifiers.new("cut", "BOOLEAN")
    cut.operation, cut.object, cut.solver = "DIFFERENCE", tool, "EXACT"
    bpy.context.view_layer.update()
    out = bpy.data.meshes.new_from_object(solid.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    for thing in (solid, tool):
        bpy.data.objects.remove(thing, do_unlink=True)
    _mark_pips(out, centres, reach)
    out.materials.append(plain("die", look.body, look.rough, coat=look.coat))
    out.materials.append(plain("pips", look.pips, 0.5))
    return out


def _rounded_cube(round_mm: float) -> bpy.types.Mesh:
    shape = bmesh.new()
    bmesh.ops.create_cube(shape, size=DIE_MM / UNIT)
    bmesh.ops.bevel(
        shape, geom=shape.edges[:], offset=round_mm / UNIT, segments=4, profile=0.5, affect="EDGES"
    )
    return _kept(shape, bpy.data.meshes.new("body"))


def _pip_balls(apart_mm: float, above: float, reach: float) -> tuple[bpy.types.Mesh, list[Vector]]:
    """The balls that cut the pips out, and their middles: so far above the faces (mm), of that radius."""
    pips = bmesh.new()
    centres = []
    for value, spots in PIPS.items():
        up = face_up(value).inverted()
        for a, b in spots:
            at = up @ Vector((a * apart_mm, b * apart_mm, DIE_MM / 2 + above))
            centres.append(at / UNIT)
            middle = Matrix.Translation(at / UNIT)
            bmesh.ops.create_icosphere(
                pips, subdivisions=3 if above < 1.0 else 4, radius=reach, matrix=middle
            )
    return _kept(pips, bpy.data.meshes.new("pips")), centres


def _mark_pips(mesh: bpy.types.Mesh, centres: Sequence[Vector], reach: float) -> None:
    """Gives the faces of pips the second material, and smooths all but the die's own flat faces."""
    where = [vertex.co.copy() for vertex in mesh.vertices]
    for polygon in mesh.polygons:
        corners = [where[v] for v in polygon.vertices]
        # A face of a pip has all its corners on one ball. So may a flat one of the die, beside the hole.
        is_pip = any(
            all((at - c).length < reach * 1.001 for at in [*corners, polygon.center]) for c in centres
        )
        is_flat = max(abs(polygon.normal[k]) for k in range(3)) > 0.999
        on_face = is_flat and all(abs(max(map(abs, at)) - DIE_MM / 2 / UNIT) < 1e-4 for at in corners)
        polygon.material_index = int(is_pip and not on_face)
        polygon.use_smooth = not on_face


def hand_and_sleeve(hand: Hand, rng: Random) -> tuple[bpy.types.Mesh, bpy.types.Mesh | None]:
    """A hand and its sleeve, if it has one: fingertips over the origin, the arm along -x."""
    grown = Matrix.Scale(rng.uniform(0.92, 1.08), 4)
    skin = bmesh.new()
    for k, (y, length) in enumerate(((-30, 0.86), (-10, 0.98), (11, 1.0), (31, 0.82))):
        _finger(skin, hand.pose, y, length, is_first=k == 3)
    pinched = hand.pose == "pinch"
    thumb = ((-138.0, 28.0, 52.0), (-88.0, 52.0, 40.0), (-30.0, 30.0 if pinched else 58.0, 26.0))
    _capsule(skin, thumb[0], 17.0, thumb[1], 12.5)
    _capsule(skin, thumb[1], 12.0, thumb[2], 9.0)
    _capsule(skin, (-160.0, 0.0, 60.0), 27.0, (-440.0, 10.0, 135.0), 44.0)
    _capsule(skin, (-160.0, -12.0, 60.0), 22.0, (-440.0, -10.0, 135.0), 44.0)
    bmesh.ops.transform(skin, matrix=grown, verts=skin.verts)
    out = _kept(skin, bpy.data.meshes.new("skin"))
    if hand.sleeve == BARE:
        return out, None
    cloth = bmesh.new()
    cuff = rng.uniform(-250.0, -190.0)
    up = 60.0 + (-160.0 - cuff) * 75.0 / 280.0
    _capsule(cloth, (cuff, 0.0, up), 40.0, (-450.0, 0.0, 138.0), 58.0)
    _capsule(cloth, (-450.0, 0.0, 138.0), 58.0, (-800.0, 40.0, 250.0), 72.0)
    bmesh.ops.transform(cloth, matrix=grown, verts=cloth.verts)
    return out, _kept(cloth, bpy.data.meshes.new("sleeve"))


def _finger(skin: bmesh.types.BMesh, pose: str, y: float, length: float, *, is_first: bool) -> None:
    """A finger and the part of the palm behind it, so far from the hand's middle line."""
    knuckle = (-82.0, y * 0.95, 48.0)
    if pose == "flat":
        middle, tip = (-40 * length, y * 1.15, 30.0), (0.0 - 12 * (1 - length), y * 1.35, 20.0)
    elif pose == "point" and not is_first:
        middle, tip = (-52.0, y, 36.0), (-78.0, y * 0.9, 22.0)
    else:
        aside = 0.4 if pose == "pinch" else 0.8
        middle, tip = (-34.0, y * 0.75, 52.0), (-8 + 10 * length, y * aside, 24.0)
    _capsule(skin, knuckle, 10.5, middle, 9.0)
    _capsule(skin, middle, 9.0, tip, 7.5)
    _capsule(skin, knuckle, 13.5, (-158.0, y * 0.6, 58.0), 15.0)


def _capsule(shape: bmesh.types.BMesh, a: Triple, ra: float, b: Triple, rb: float) -> None:
    """Adds a rounded stick of two thicknesses to a shape."""
    piece = bmesh.new()
    for at, r in ((a, ra), (b, rb)):
        end = Matrix.Translation(Vector(at) / UNIT)
        bmesh.ops.create_uvsphere(piece, u_segments=18, v_segments=12, radius=r / UNIT, matrix=end)
    bmesh.ops.convex_hull(piece, input=piece.verts)
    bmesh.ops.delete(piece, geom=[v for v in piece.verts if not v.link_faces], context="VERTS")
    mesh = _kept(piece, bpy.data.meshes.new("capsule"))
    shape.from_mesh(mesh)
    bpy.data.meshes.remove(mesh)


def _kept(shape: bmesh.types.BMesh, mesh: bpy.types.Mesh) -> bpy.types.Mesh:
    """The mesh, made of a shape that is then done with."""
    shape.to_mesh(mesh)
    shape.free()
    return mesh

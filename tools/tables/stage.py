"""Building one frame's scene in Blender, and rendering it with Cycles.

One unit is 100 mm; x is the plan's, y and z are turned round (up is up).
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from math import cos, pi, radians, sin
from pathlib import Path

import bpy  # isort: skip  # It brings bmesh and mathutils.

import bmesh
import numpy as np
from deal import DIE_MM, SKINS, SLEEVES, Die, Hand, Piece
from lens import Lens
from looks import BOARD_MM, DieLook, Lamp, Rgb, Table, placed
from mathutils import Matrix, Vector

from uckers_table.simulator.paint import cloud

_Triple = tuple[float, float, float]

UNIT = 100.0
BOARD_THICK_MM = 12.0
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_UPWARD = {1: (0, 0), 2: (90, 0), 3: (0, -90), 4: (0, 90), 5: (-90, 0), 6: (180, 0)}
"""Turns about x and y that bring a face up."""


def linear(rgb: Rgb) -> tuple[float, float, float, float]:
    c = np.array(rgb) / 255
    r, g, b = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return float(r), float(g), float(b), 1.0


def world(x: float, y: float, up: float) -> Vector:
    return Vector((x / UNIT, -y / UNIT, up / UNIT))


def middle_mm(die: Die) -> float:
    """How high above the board's top a die's middle is; the lowest edge of one that leans lies on something,
    and edges are round.
    """
    half, tilt = DIE_MM / 2, radians(die.tilt)
    up = half * (cos(tilt) + sin(tilt)) - (0.6 if die.tilt else 0.0)
    return up - (BOARD_THICK_MM if die.on_table else 0.0)


class Stage:
    """The scene of one table, with dice of these looks; `set` sets it for one picture."""

    def __init__(
        self, table: Table, board: np.ndarray, cloth: np.ndarray, seed: str, dice: Sequence[DieLook]
    ) -> None:
        self.table, self.rng = table, random.Random(f"stage {seed}")
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene = bpy.context.scene
        self._settings()
        self._paint = {
            seat: self._piece_paint(table.pieces[seat], 0.08 if seat in table.glossy else table.matt)
            for seat in table.seats
        }
        self._piece = _lathe("piece", _case_head(table.height, table.diameter))
        self._dice = [_die_mesh(look) for look in dice]
        self.turntable = bpy.data.objects.new("board", None)
        self.scene.collection.objects.link(self.turntable)
        self._board(board)
        self._table(cloth)
        self._lamps()
        self._clutter()
        self._moving: list[bpy.types.Object] = []

    def set(
        self,
        lens: Lens,
        pieces: Sequence[Piece],
        dice: Sequence[Die],
        pose: tuple[float, float, float] | None,
        hand: Hand | None,
    ) -> None:
        """Everything that changes from frame to frame, but people's shadows."""
        for thing in self._moving:
            bpy.data.objects.remove(thing, do_unlink=True)
        self._moving = []
        dx, dy, turn = pose or (0.0, 0.0, 0.0)
        middle = world(305.0, 305.0, 0.0)
        self.turntable.matrix_world = (
            Matrix.Translation(world(dx, dy, 0.0))
            @ Matrix.Translation(middle)
            @ Matrix.Rotation(-radians(turn), 4, "Z")
            @ Matrix.Translation(-middle)
        )
        self._camera(lens)
        for piece in pieces:
            self._stand(piece)
        for die in dice:
            self._throw(die)
        if hand is not None:
            self._reach(hand)
        bpy.context.view_layer.update()

    def share_seen(self, lens: Lens, points: np.ndarray) -> float:
        """The share of points (N, 3) of the plan, each just above a surface, that the lens sees."""
        return sum(thing is None for thing in self._before(lens, points)) / len(points)

    def hidden_by_hand(self, lens: Lens, places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """Which places of the plan a hand or a sleeve hides."""
        things = self._before(lens, np.array([(*at, -0.1) for at in places]))
        return [
            at for at, thing in zip(places, things, strict=True) if thing and thing.name.startswith("hand")
        ]

    def _before(self, lens: Lens, points: np.ndarray) -> list[bpy.types.Object | None]:
        """What the lens sees before points (N, 3) of the plan; None for nothing."""
        deps = bpy.context.evaluated_depsgraph_get()
        eye = world(*lens.place[:2], -lens.place[2])
        out = []
        for x, y, z in points:
            to = world(x, y, -z)
            way = to - eye
            *_, thing, _ = self.scene.ray_cast(deps, eye, way.normalized(), distance=way.length - 0.003)
            out.append(thing)
        return out

    def shade(self, azimuth: float) -> None:
        """Somebody whom the camera does not see: who leans over the board from an azimuth (degrees of the
        plan), or is between the first lamp and the board.
        """
        is_leaning = self.table.leant_over
        for at, size in self._leaning(azimuth) if is_leaning else self._in_the_light(azimuth):
            part = bpy.data.objects.new("person", _ball().copy())
            part.location = world(*at)
            part.scale = tuple(s / UNIT for s in size)
            part.rotation_euler.z = -radians(azimuth) if is_leaning else 0.0
            part.visible_camera = part.visible_glossy = False
            self._add(part)

    def _leaning(self, azimuth: float) -> list[tuple[_Triple, _Triple]]:
        """Head and shoulders, each with its place in the plan, up counted positive, and its half axes, the
        first of them along the azimuth.
        """
        rng = self.rng
        away, up = rng.uniform(220.0, 420.0), rng.uniform(330.0, 560.0)
        return [
            (placed(away, azimuth, up), (110.0, 90.0, 130.0)),
            (placed(away + 130.0, azimuth, up - 110.0), (130.0, 230.0, 130.0)),
        ]

    def _in_the_light(self, azimuth: float) -> list[tuple[_Triple, _Triple]]:
        """The same, for a head and shoulders whose shadow falls on the board towards the azimuth."""
        rng = self.rng
        lx, ly, up = self.table.lamps[0].at
        x, y = (
            305 + rng.uniform(150, 330) * cos(radians(azimuth)),
            305 + rng.uniform(150, 330) * sin(radians(azimuth)),
        )
        way = rng.uniform(0.42, 0.6)
        size = rng.uniform(70.0, 110.0)
        out = []
        for share, grow in ((way, 1.0), (way - 0.13, 1.9)):
            at = x + (lx - x) * share, y + (ly - y) * share, up * share
            out.append((at, (size * grow, size * 1.2 * grow, size)))
            x, y = x + 260 * cos(radians(azimuth)), y + 260 * sin(radians(azimuth))
        return out

    def render(self, box: tuple[int, int, int, int], samples: int, percent: int = 100) -> np.ndarray:
        """Linear light (H, W, 3), blue first, of a part (left, top, right, bottom) of the wide picture."""
        r, (w, h) = self.scene.render, (self.scene.render.resolution_x, self.scene.render.resolution_y)
        r.use_border = r.use_crop_to_border = True
        eps = 0.25
        r.border_min_x, r.border_max_x = (box[0] + eps) / w, (box[2] + eps) / w
        r.border_min_y, r.border_max_y = 1 - (box[3] - eps) / h, 1 - (box[1] - eps) / h
        r.resolution_percentage = percent
        self.scene.cycles.samples = samples
        with tempfile.TemporaryDirectory() as folder:
            r.filepath = str(Path(folder) / "out.exr")
            bpy.ops.render.render(write_still=True)
            image = bpy.data.images.load(r.filepath)
            iw, ih = image.size
            pixels = np.empty(iw * ih * 4, np.float32)
            image.pixels.foreach_get(pixels)
            bpy.data.images.remove(image)
        return np.ascontiguousarray(pixels.reshape(ih, iw, 4)[::-1, :, 2::-1])

    def _settings(self) -> None:
        scene, cycles = self.scene, self.scene.cycles
        scene.render.engine = "CYCLES"
        cycles.device = "CPU"
        scene.render.threads_mode, scene.render.threads = "FIXED", 2
        cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 2, 1, 1
        cycles.transmission_bounces = 0
        cycles.caustics_reflective = cycles.caustics_refractive = False
        cycles.sample_clamp_indirect = 4.0
        cycles.use_adaptive_sampling = False
        cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
        cycles.denoising_prefilter, cycles.denoising_quality = "NONE", "FAST"
        cycles.pixel_filter_type, cycles.filter_width = "BLACKMAN_HARRIS", 1.5
        scene.render.use_persistent_data = True
        scene.render.image_settings.file_format = "OPEN_EXR"
        scene.render.image_settings.color_depth = "32"
        scene.view_settings.view_transform = "Raw"
        sky = bpy.data.worlds.new("room")
        scene.world = sky
        sky.use_nodes = True
        back = sky.node_tree.nodes["Background"]
        back.inputs["Color"].default_value = (*self.table.ambient_colour, 1.0)
        back.inputs["Strength"].default_value = self.table.ambient

    def _camera(self, lens: Lens) -> None:
        width, height = lens.wide_size
        data = bpy.data.cameras.new("camera")
        data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
        data.lens = lens.focal / width * 36.0
        camera = bpy.data.objects.new("camera", data)
        right, down, away = lens.rotation * np.array([1.0, -1.0, -1.0])
        eye = world(*lens.place[:2], -lens.place[2])
        camera.matrix_world = Matrix(
            [[right[i], -down[i], -away[i], eye[i]] for i in range(3)] + [[0, 0, 0, 1]]
        )
        self._add(camera)
        self.scene.camera = camera
        self.scene.render.resolution_x, self.scene.render.resolution_y = width, height

    def _add(self, thing: bpy.types.Object, parent: bpy.types.Object | None = None) -> None:
        self.scene.collection.objects.link(thing)
        thing.parent = parent
        self._moving.append(thing)

    def _stand(self, piece: Piece) -> None:
        thing = bpy.data.objects.new("piece", self._piece)
        up = piece.level * self.table.height - (BOARD_THICK_MM if piece.place == "floor" else 0.0)
        thing.location = world(*piece.at, up)
        thing.rotation_euler = (0, 0, self.rng.uniform(0, 2 * pi))
        self._add(thing, None if piece.place == "floor" else self.turntable)
        thing.material_slots[0].link = "OBJECT"
        thing.material_slots[0].material = self._paint[self.table.seats[piece.seat]]

    def _throw(self, die: Die) -> None:
        thing = bpy.data.objects.new("die", self._dice[die.look])
        x, y = _UPWARD[die.value]
        face = Matrix.Rotation(radians(y), 4, "Y") @ Matrix.Rotation(radians(x), 4, "X")
        turn = (
            Matrix.Rotation(-radians(die.yaw), 4, "Z")
            @ Matrix.Rotation(radians(90 * self.rng.randrange(4)), 4, "Z")
            @ face
        )
        at = world(*die.at, middle_mm(die))
        if die.tilt:
            lean = Vector((cos(radians(die.lean)), -sin(radians(die.lean)), 0.0))
            axis = Vector((0, 0, 1)).cross(lean)
            turn = Matrix.Rotation(radians(die.tilt), 4, axis) @ turn
        thing.matrix_local = Matrix.Translation(at) @ turn
        self._add(thing, None if die.state == "off_board" else self.turntable)
        if die.state != "off_board":
            thing.matrix_local = Matrix.Translation(at) @ turn

    def _reach(self, hand: Hand) -> None:
        skin, sleeve = _hand_meshes(hand, self.rng)
        skin.materials.append(_skin(SKINS[hand.tone]))
        turn = Matrix.Rotation(-radians(hand.towards + 180.0), 4, "Z")
        for mesh in (skin, sleeve):
            if mesh is None:
                continue
            thing = bpy.data.objects.new("hand", mesh)
            if mesh is sleeve:
                mesh.materials.append(_woven(SLEEVES[hand.sleeve]))
            self._add(thing)
            thing.matrix_world = Matrix.Translation(world(*hand.at, 0.0)) @ turn
            remesh = thing.modifiers.new("remesh", "REMESH")
            remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", 0.022, True
            smooth = thing.modifiers.new("smooth", "SMOOTH")
            smooth.iterations, smooth.factor = 7, 0.5
            if mesh is sleeve:
                folds = bpy.data.textures.new("folds", "CLOUDS")
                folds.noise_scale = 0.35
                push = thing.modifiers.new("folds", "DISPLACE")
                push.texture, push.strength, push.mid_level = folds, 0.14, 0.5

    def _board(self, paint: np.ndarray) -> None:
        table = self.table
        mesh = bpy.data.meshes.new("board")
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
        mesh.from_pydata(corners, [], [(3, 2, 1, 0), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])
        uv = mesh.uv_layers.new()
        for loop in mesh.loops:
            x, y, _ = corners[loop.vertex_index]
            uv.data[loop.index].uv = (x / s, 1 + y / s)
        for polygon in mesh.polygons[1:]:
            polygon.material_index = 1
        mat, nodes, links, shader = _material("varnish")
        image = nodes.new("ShaderNodeTexImage")
        image.image = _image("board", paint)
        links.new(image.outputs["Color"], shader.inputs["Base Color"])
        # From a picture, not from Blender's noise: that costs half the rendering.
        patches = cloud((256, 256), 30.0, 30.0, np.random.default_rng(3)) + cloud(
            (256, 256), 5.0, 5.0, np.random.default_rng(4)
        )
        rough = nodes.new("ShaderNodeTexImage")
        rough.image = _image("sheen", np.repeat((0.5 + 0.15 * patches)[..., None], 3, axis=2))
        sheen = _mapped(
            nodes, links, rough.outputs["Color"], (0.2, 0.8), (table.sheen * 0.75, table.sheen * 1.3)
        )
        links.new(sheen, shader.inputs["Roughness"])
        shader.inputs["Coat Weight"].default_value = table.coat
        links.new(sheen, shader.inputs["Coat Roughness"])
        mesh.materials.append(mat)
        mesh.materials.append(_plain("edge", tuple(round(0.75 * c) for c in table.wood), 0.6))
        thing = bpy.data.objects.new("top", mesh)
        thing.parent = self.turntable
        self.scene.collection.objects.link(thing)

    def _table(self, cloth: np.ndarray) -> None:
        mesh = bpy.data.meshes.new("table")
        half, down = 14.0, -BOARD_THICK_MM / UNIT
        middle = world(305, 305, 0)
        corners = [
            (middle.x + sx * half, middle.y + sy * half, down)
            for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
        uv = mesh.uv_layers.new()
        for loop, place in zip(uv.data, ((0, 0), (4, 0), (4, 4), (0, 4)), strict=True):
            loop.uv = place
        mat, nodes, links, shader = _material("cloth")
        image = nodes.new("ShaderNodeTexImage")
        image.image = _image("cloth", cloth)
        links.new(image.outputs["Color"], shader.inputs["Base Color"])
        rough, metal = {
            "baize": (0.95, 0.0),
            "planks": (0.35, 0.0),
            "steel": (0.4, 0.5),
            "formica": (0.25, 0.0),
        }[self.table.weave]
        shader.inputs["Roughness"].default_value, shader.inputs["Metallic"].default_value = rough, metal
        mesh.materials.append(mat)
        self.scene.collection.objects.link(bpy.data.objects.new("table", mesh))

    def _lamps(self) -> None:
        for lamp in self.table.lamps:
            self._lamp(lamp)
        if self.table.dapple:
            self._leaves(self.table.lamps[0])

    def _lamp(self, lamp: Lamp) -> None:
        """Powers are such that 1 lights the board's middle about as much as the room would at ambient 1."""
        x, y, up = lamp.at
        at, middle = world(x, y, up), world(305, 305, 0)
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
        thing = bpy.data.objects.new(lamp.kind, data)
        thing.location = at
        if lamp.kind == "strip":
            thing.rotation_euler = (0, 0, pi / 2)
        elif lamp.kind in ("window", "sun"):
            thing.rotation_euler = (at - middle).to_track_quat("Z", "Y").to_euler()
        self.scene.collection.objects.link(thing)
        if lamp.kind == "window":
            self._blinds(at, (middle - at).normalized(), lamp.size)

    def _blinds(self, at: Vector, toward: Vector, size: tuple[float, float]) -> None:
        """Slats across a window: bars between the lamp and the board, seen in the varnish too."""
        side = toward.cross(Vector((0, 0, 1))).normalized()
        upward = side.cross(toward)
        mesh, points, faces = bpy.data.meshes.new("blinds"), [], []
        slats = 9
        for k in range(slats):
            middle = at + toward * 0.6 + upward * ((k - (slats - 1) / 2) * size[1] / UNIT / slats)
            half = upward * (size[1] / UNIT / slats * 0.27)
            across = side * (size[0] / UNIT * 0.55)
            start = len(points)
            points += [tuple(middle - across - half), tuple(middle + across - half)]
            points += [tuple(middle + across + half), tuple(middle - across + half)]
            faces.append((start, start + 1, start + 2, start + 3))
        mesh.from_pydata(points, [], faces)
        mesh.materials.append(_plain("slats", (190, 186, 176), 0.7))
        self.scene.collection.objects.link(bpy.data.objects.new("blinds", mesh))

    def _leaves(self, lamp: Lamp) -> None:
        """A net of leaves between the sun and the board."""
        rng = random.Random(7)
        toward = (world(305, 305, 0) - world(*lamp.at)).normalized()
        mesh, points, faces = bpy.data.meshes.new("leaves"), [], []
        for _ in range(150):
            x, y, up = rng.uniform(-300, 900), rng.uniform(-300, 900), rng.uniform(1000.0, 1900.0)
            middle = world(x, y, 0) - toward * (up / UNIT)
            size = rng.uniform(20.0, 60.0) / UNIT
            start = len(points)
            turn = rng.uniform(0, pi)
            for k in range(6):
                angle = turn + k * pi / 3
                points.append(
                    tuple(
                        middle + Vector((cos(angle) * size, 0.6 * sin(angle) * size, 0.3 * size * cos(angle)))
                    )
                )
            faces.append(tuple(range(start, start + 6)))
        mesh.from_pydata(points, [], faces)
        mesh.materials.append(_plain("leaf", (60, 90, 40), 0.8))
        leaves = bpy.data.objects.new("leaves", mesh)
        leaves.visible_camera = False
        self.scene.collection.objects.link(leaves)

    def _clutter(self) -> None:
        """What lies about on the table, clear of the board."""
        rng, down = self.rng, -BOARD_THICK_MM
        places = [
            (-170, 120),
            (-190, 420),
            (800, 160),
            (790, 480),
            (880, 330),
            (-260, 270),
            (300, -190),
            (320, 800),
        ]
        rng.shuffle(places)
        mug = _lathe("mug", [(0, 4), (34, 4), (36, 88), (40, 92), (41, 88), (41, 4), (38, 0), (0, 0)])
        mug.materials.append(
            _plain("china", rng.choice(((232, 232, 226), (36, 60, 110), (150, 30, 34))), 0.2)
        )
        self._lay(mug, *places[0])
        tea = _lathe("tea", [(0, 70), (36, 70)])
        tea.materials.append(_plain("tea", (92, 52, 26), 0.05))
        self._lay(tea, *places[0])
        for place, (w, h, thick, colour) in zip(
            places[1:],
            (
                (63, 88, 0.4, (236, 234, 226)),
                (63, 88, 0.4, (40, 66, 140)),
                (74, 150, 8.0, (18, 18, 22)),
                (148, 210, 0.3, (238, 236, 228)),
                (175, 7, 7.0, (200, 150, 30)),
            ),
            strict=False,
        ):
            box = _slab(w, h, thick)
            box.materials.append(_plain("thing", colour, 0.35))
            self._lay(box, *place)
        for _ in range(4):
            coin = _lathe("coin", [(0, 1.8), (10, 1.8), (10.5, 1.4), (10.5, 0)])
            coin.materials.append(
                _plain("coin", rng.choice(((150, 110, 60), (170, 170, 170), (190, 40, 40))), 0.3, metal=0.8)
            )
            x, y = places[6][0] + rng.uniform(-120, 120), places[6][1] + rng.uniform(-40, 40)
            self._lay(coin, x, y)
        ring = _lathe("wet", [(38, 0.25), (39.5, 0.5), (42, 0.5), (43, 0.25)])
        wet, _, _, shader = _material("wet")
        shader.inputs["Base Color"].default_value = linear(tuple(round(0.55 * c) for c in self.table.cloth))
        shader.inputs["Roughness"].default_value = 0.03
        ring.materials.append(wet)
        self._lay(ring, places[0][0] + 60, places[0][1] + 90, down)

    def _lay(self, mesh: bpy.types.Mesh, x: float, y: float, up: float = -BOARD_THICK_MM) -> None:
        thing = bpy.data.objects.new(mesh.name, mesh)
        thing.location = world(x, y, up)
        thing.rotation_euler = (0, 0, self.rng.uniform(0, 2 * pi))
        self.scene.collection.objects.link(thing)

    def _piece_paint(self, rgb: Rgb, matt: float) -> bpy.types.Material:
        """Paint over brass: bare below, worn at the rim and here and there."""
        table = self.table
        mat, nodes, links, shader = _material("paint")
        coords, info = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeObjectInfo")
        split = nodes.new("ShaderNodeSeparateXYZ")
        links.new(coords.outputs["Object"], split.inputs["Vector"])
        noise = _noise(nodes, links, coords.outputs["Object"], 9.0, 4.0, info.outputs["Random"])
        low = _mapped(
            nodes,
            links,
            split.outputs["Z"],
            (
                (1 - table.painted) * table.height / UNIT - 0.008,
                (1 - table.painted) * table.height / UNIT + 0.008,
            ),
            (1.0, 0.0),
        )
        across = nodes.new("ShaderNodeVectorMath")
        across.operation = "LENGTH"
        flat = nodes.new("ShaderNodeCombineXYZ")
        links.new(split.outputs["X"], flat.inputs["X"])
        links.new(split.outputs["Y"], flat.inputs["Y"])
        links.new(flat.outputs["Vector"], across.inputs[0])
        rim = _mapped(
            nodes,
            links,
            across.outputs["Value"],
            ((table.diameter / 2 - 0.9) / UNIT, table.diameter / 2 / UNIT),
            (0.0, 0.2 * table.chipped),
        )
        worn = _sum(nodes, links, noise, rim)
        chips = _mapped(
            nodes, links, worn, (0.74 - 0.09 * table.chipped, 0.76 - 0.09 * table.chipped), (0.0, 1.0)
        )
        bare = nodes.new("ShaderNodeMath")
        bare.operation = "MAXIMUM"
        links.new(low, bare.inputs[0])
        links.new(chips, bare.inputs[1])
        mix = nodes.new("ShaderNodeMix")
        mix.data_type = "RGBA"
        links.new(bare.outputs[0], mix.inputs["Factor"])
        tint = nodes.new("ShaderNodeHueSaturation")
        tint.inputs["Color"].default_value = linear(rgb)
        links.new(
            _mapped(nodes, links, info.outputs["Random"], (0.0, 1.0), (0.85, 1.12)), tint.inputs["Value"]
        )
        links.new(tint.outputs["Color"], mix.inputs[6])
        mix.inputs[7].default_value = linear((186, 148, 78))
        links.new(mix.outputs[2], shader.inputs["Base Color"])
        links.new(bare.outputs[0], shader.inputs["Metallic"])
        links.new(
            _mapped(nodes, links, bare.outputs[0], (0.0, 1.0), (matt, 0.35)), shader.inputs["Roughness"]
        )
        brush = _noise(nodes, links, coords.outputs["Object"], 30.0, 3.0, info.outputs["Random"])
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = 0.3, 0.004
        links.new(brush, bump.inputs["Height"])
        links.new(bump.outputs["Normal"], shader.inputs["Normal"])
        return mat


def _material(name: str):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    return mat, mat.node_tree.nodes, mat.node_tree.links, mat.node_tree.nodes["Principled BSDF"]


def _plain(name: str, rgb: Rgb, rough: float, coat: float = 0.0, metal: float = 0.0) -> bpy.types.Material:
    mat, _, _, shader = _material(name)
    shader.inputs["Base Color"].default_value = linear(rgb)
    shader.inputs["Roughness"].default_value = rough
    shader.inputs["Coat Weight"].default_value = coat
    shader.inputs["Metallic"].default_value = metal
    return mat


def _skin(rgb: Rgb) -> bpy.types.Material:
    mat, nodes, links, shader = _material("skin")
    coords = nodes.new("ShaderNodeTexCoord")
    noise = _noise(nodes, links, coords.outputs["Object"], 5.0, 4.0)
    tint = nodes.new("ShaderNodeHueSaturation")
    tint.inputs["Color"].default_value = linear(rgb)
    links.new(_mapped(nodes, links, noise, (0.3, 0.7), (0.75, 1.2)), tint.inputs["Value"])
    links.new(tint.outputs["Color"], shader.inputs["Base Color"])
    shader.inputs["Roughness"].default_value = 0.5
    return mat


def _woven(rgb: Rgb) -> bpy.types.Material:
    mat, nodes, links, shader = _material("cloth")
    coords = nodes.new("ShaderNodeTexCoord")
    noise = _noise(nodes, links, coords.outputs["Object"], 60.0, 3.0)
    tint = nodes.new("ShaderNodeHueSaturation")
    tint.inputs["Color"].default_value = linear(rgb)
    links.new(_mapped(nodes, links, noise, (0.3, 0.7), (0.7, 1.3)), tint.inputs["Value"])
    links.new(tint.outputs["Color"], shader.inputs["Base Color"])
    shader.inputs["Roughness"].default_value = 0.95
    return mat


def _noise(nodes, links, vector, scale: float, detail: float, seed=None):
    node = nodes.new("ShaderNodeTexNoise")
    node.inputs["Scale"].default_value, node.inputs["Detail"].default_value = scale, detail
    links.new(vector, node.inputs["Vector"])
    if seed is not None:
        node.noise_dimensions = "4D"
        grown = nodes.new("ShaderNodeMath")
        grown.operation = "MULTIPLY"
        grown.inputs[1].default_value = 50.0
        links.new(seed, grown.inputs[0])
        links.new(grown.outputs[0], node.inputs["W"])
    return node.outputs[0]


def _mapped(nodes, links, value, span: tuple[float, float], to: tuple[float, float]):
    node = nodes.new("ShaderNodeMapRange")
    for name, number in zip(("From Min", "From Max", "To Min", "To Max"), (*span, *to), strict=True):
        node.inputs[name].default_value = number
    links.new(value, node.inputs["Value"])
    return node.outputs[0]


def _sum(nodes, links, a, b):
    node = nodes.new("ShaderNodeMath")
    node.operation = "ADD"
    links.new(a, node.inputs[0])
    links.new(b, node.inputs[1])
    return node.outputs[0]


def _image(name: str, bgr: np.ndarray) -> bpy.types.Image:
    """Linear reflectance as a texture."""
    height, width = bgr.shape[:2]
    image = bpy.data.images.new(name, width, height, float_buffer=True, is_data=True)
    rgba = np.ones((height, width, 4), np.float32)
    rgba[..., :3] = np.clip(bgr[::-1, :, ::-1], 0, 0.95)
    image.pixels.foreach_set(rgba.ravel())
    image.pack()
    return image


def _case_head(height: float, diameter: float) -> list[tuple[float, float]]:
    """(radius, height) of a cartridge case cut off above its head, from the primer outwards and down."""
    r, h = diameter / 2, height
    return [
        (0, h - 0.25), (3.7, h - 0.25), (3.95, h - 0.35), (4.05, h - 0.5), (4.25, h - 0.5), (4.4, h - 0.1),
        (4.6, h), (r - 0.55, h), (r - 0.2, h - 0.15), (r, h - 0.55), (r, h - 1.9), (r - 0.15, h - 2.1),
        (r - 1.7, h - 2.7), (r - 1.7, h - 3.9), (r - 0.1, h - 5.4), (r - 0.1, 0.2), (r - 0.3, 0.0), (0, 0.0),
    ]  # fmt: skip


def _lathe(name: str, profile: Sequence[tuple[float, float]], steps: int = 72) -> bpy.types.Mesh:
    """A solid of revolution; each stretch of the profile has an edge of its own unless it bends little."""
    mesh = bpy.data.meshes.new(name)
    points = [(0.0, 0.0, 0.0)] * 0
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
    mesh.from_pydata(points, [], faces)
    shape = bmesh.new()
    shape.from_mesh(mesh)
    bmesh.ops.remove_doubles(shape, verts=shape.verts, dist=1e-5)
    bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
    for face in shape.faces:
        face.smooth = True
    for edge in shape.edges:
        edge.smooth = len(edge.link_faces) == 2 and edge.calc_face_angle(0.0) < radians(40)
    shape.to_mesh(mesh)
    shape.free()
    if name == "piece":
        mesh.materials.append(None)
    return mesh


def _slab(width: float, breadth: float, thick: float) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new("slab")
    shape = bmesh.new()
    bmesh.ops.create_cube(shape, size=1.0)
    bmesh.ops.scale(shape, vec=Vector((width, breadth, thick)) / UNIT, verts=shape.verts)
    bmesh.ops.translate(shape, vec=Vector((0, 0, thick / 2 / UNIT)), verts=shape.verts)
    shape.to_mesh(mesh)
    shape.free()
    return mesh


def _ball() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new("ball")
    shape = bmesh.new()
    bmesh.ops.create_icosphere(shape, subdivisions=4, radius=1.0)
    shape.to_mesh(mesh)
    shape.free()
    return mesh


def _die_mesh(look: DieLook) -> bpy.types.Mesh:
    """A die about its middle, 1 up: rounded edges, pips sunk in. Opposite faces add up to seven."""
    # Pips are what balls take away; of a die whose pips ran into each other nothing would be left.
    pip_mm = min(look.pip_mm, 0.499 * look.apart_mm)
    above = (pip_mm**2 - look.deep_mm**2) / (2 * look.deep_mm)
    reach = (above + look.deep_mm) / UNIT
    half = DIE_MM / 2
    shape = bmesh.new()
    bmesh.ops.create_cube(shape, size=DIE_MM / UNIT)
    bmesh.ops.bevel(
        shape, geom=shape.edges[:], offset=look.round_mm / UNIT, segments=4, profile=0.5, affect="EDGES"
    )
    body = bpy.data.meshes.new("body")
    shape.to_mesh(body)
    shape.free()
    pips = bmesh.new()
    centres = []
    for value, spots in _PIPS.items():
        x, y = _UPWARD[value]
        up = (Matrix.Rotation(radians(y), 4, "Y") @ Matrix.Rotation(radians(x), 4, "X")).inverted()
        for a, b in spots:
            at = up @ Vector((a * look.apart_mm, b * look.apart_mm, half + above))
            centres.append(at / UNIT)
            ball = Matrix.Translation(at / UNIT)
            bmesh.ops.create_icosphere(pips, subdivisions=3 if above < 1.0 else 4, radius=reach, matrix=ball)
    cutter = bpy.data.meshes.new("pips")
    pips.to_mesh(cutter)
    pips.free()
    solid, tool = bpy.data.objects.new("body", body), bpy.data.objects.new("tool", cutter)
    for thing in (solid, tool):
        bpy.context.scene.collection.objects.link(thing)
    cut = solid.modifiers.new("cut", "BOOLEAN")
    cut.operation, cut.object, cut.solver = "DIFFERENCE", tool, "EXACT"
    bpy.context.view_layer.update()
    out = bpy.data.meshes.new_from_object(solid.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    for thing in (solid, tool):
        bpy.data.objects.remove(thing, do_unlink=True)
    where = [vertex.co.copy() for vertex in out.vertices]
    for polygon in out.polygons:
        corners = [where[v] for v in polygon.vertices]
        # A face of a pip has all its corners on one ball; so may a flat one of the die, beside the hole.
        is_pip = any(
            all((at - c).length < reach * 1.001 for at in [*corners, polygon.center]) for c in centres
        )
        is_flat = max(abs(polygon.normal[k]) for k in range(3)) > 0.999
        on_face = is_flat and all(abs(max(map(abs, at)) - half / UNIT) < 1e-4 for at in corners)
        polygon.material_index = int(is_pip and not on_face)
        polygon.use_smooth = not on_face
    out.materials.append(_plain("die", look.body, look.rough, coat=look.coat))
    out.materials.append(_plain("pips", look.pips, 0.5))
    return out


def _capsule(shape: bmesh.types.BMesh, a: Sequence[float], ra: float, b: Sequence[float], rb: float) -> None:
    """A rounded stick of two thicknesses, millimetres."""
    piece = bmesh.new()
    for at, r in ((a, ra), (b, rb)):
        ball = Matrix.Translation(Vector(at) / UNIT)
        bmesh.ops.create_uvsphere(piece, u_segments=18, v_segments=12, radius=r / UNIT, matrix=ball)
    out = bmesh.ops.convex_hull(piece, input=piece.verts)
    bmesh.ops.delete(piece, geom=[v for v in piece.verts if not v.link_faces], context="VERTS")
    del out
    mesh = bpy.data.meshes.new("capsule")
    piece.to_mesh(mesh)
    piece.free()
    shape.from_mesh(mesh)
    bpy.data.meshes.remove(mesh)


def _hand_meshes(hand: Hand, rng: random.Random) -> tuple[bpy.types.Mesh, bpy.types.Mesh | None]:
    """A hand and its sleeve; fingertips over the origin, the arm along -x, heights above the board."""
    skin = bmesh.new()
    grown = rng.uniform(0.92, 1.08)
    for k, (y, length) in enumerate(((-30, 0.86), (-10, 0.98), (11, 1.0), (31, 0.82))):
        knuckle = (-82.0, y * 0.95, 48.0)
        curled = hand.pose == "point" and k != 3
        if hand.pose == "flat":
            middle, tip = (-40 * length, y * 1.15, 30.0), (0.0 - 12 * (1 - length), y * 1.35, 20.0)
        elif curled:
            middle, tip = (-52.0, y, 36.0), (-78.0, y * 0.9, 22.0)
        else:
            middle, tip = (
                (-34.0, y * 0.75, 52.0),
                (-8 + 10 * length, y * (0.4 if hand.pose == "pinch" else 0.8), 24.0),
            )
        _capsule(skin, knuckle, 10.5, middle, 9.0)
        _capsule(skin, middle, 9.0, tip, 7.5)
        _capsule(skin, knuckle, 13.5, (-158.0, y * 0.6, 58.0), 15.0)
    thumb = ((-138.0, 28.0, 52.0), (-88.0, 52.0, 40.0), (-30.0, 30.0 if hand.pose == "pinch" else 58.0, 26.0))
    _capsule(skin, thumb[0], 17.0, thumb[1], 12.5)
    _capsule(skin, thumb[1], 12.0, thumb[2], 9.0)
    _capsule(skin, (-160.0, 0.0, 60.0), 27.0, (-440.0, 10.0, 135.0), 44.0)
    _capsule(skin, (-160.0, -12.0, 60.0), 22.0, (-440.0, -10.0, 135.0), 44.0)
    scale = Matrix.Scale(grown, 4)
    bmesh.ops.transform(skin, matrix=scale, verts=skin.verts)
    out = bpy.data.meshes.new("skin")
    skin.to_mesh(out)
    skin.free()
    if SLEEVES[hand.sleeve] is None:
        return out, None
    cloth = bmesh.new()
    cuff = rng.uniform(-250.0, -190.0)
    up = 60.0 + (-160.0 - cuff) * 75.0 / 280.0
    _capsule(cloth, (cuff, 0.0, up), 40.0, (-450.0, 0.0, 138.0), 58.0)
    _capsule(cloth, (-450.0, 0.0, 138.0), 58.0, (-800.0, 40.0, 250.0), 72.0)
    bmesh.ops.transform(cloth, matrix=scale, verts=cloth.verts)
    sleeve = bpy.data.meshes.new("sleeve")
    cloth.to_mesh(sleeve)
    cloth.free()
    return out, sleeve

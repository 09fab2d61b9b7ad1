"""The scene of one table in Blender: set for one frame after the other, and rendered with Cycles."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from math import cos, pi, radians, sin
from pathlib import Path

import numpy as np

from tools.tables.blender import UNIT, Matrix, Vector, bpy, linked, world
from tools.tables.lens import Lens
from tools.tables.look import BOARD_MM, DieLook, Pair, Table, Triple, placed
from tools.tables.materials import piece_paint, skin, woven
from tools.tables.meshes import ball, case_head, die, face_up, hand_and_sleeve
from tools.tables.room import furnish
from tools.tables.setting import BOARD_THICK_MM, Die, Hand, Piece, Setting, middle_mm
from tools.tables.things import things
from uckers_table.simulator.paint import Linear
from uckers_table.vision.picture.arrays import Floats, Map

Box = tuple[int, int, int, int]
"""A part of a picture: left, top, right, bottom."""
THREADS = 2
HAND = "hand"
"""The name of a hand and of its sleeve. Labels tell by it what a hand hides."""
_MIDDLE = BOARD_MM / 2


class Stage:
    """The scene of one table. `dice` are the looks that its dice may have."""

    def __init__(
        self, table: Table, board: Linear, cloth: Linear, seed: str, dice: Sequence[DieLook]
    ) -> None:
        self.table, self.rng = table, random.Random(f"stage {seed}")
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene = bpy.context.scene
        _render_settings(self.scene)
        self._ambient()
        self._paint = {colour: piece_paint(table, colour) for colour in table.seats}
        self._piece = case_head(table.piece_height_mm, table.piece_diameter_mm)
        self._dice = [die(look) for look in dice]
        self.turntable = linked("board", None)
        furnish(table, board, cloth, self.turntable, self.rng)
        self._moving: list[bpy.types.Object] = []

    def set(self, lens: Lens, setting: Setting) -> None:
        """Sets the scene for a frame: camera, pieces, dice and a hand. `shade` adds people's shadows."""
        for thing in self._moving:
            bpy.data.objects.remove(thing, do_unlink=True)
        self._moving = []
        dx, dy, turn = setting.board_pose or (0.0, 0.0, 0.0)
        middle = world(_MIDDLE, _MIDDLE, 0.0)
        self.turntable.matrix_world = (
            Matrix.Translation(world(dx, dy, 0.0))
            @ Matrix.Translation(middle)
            @ Matrix.Rotation(-radians(turn), 4, "Z")
            @ Matrix.Translation(-middle)
        )
        self._camera(lens)
        for piece in setting.pieces:
            self._stand(piece)
        for thrown in setting.dice:
            self._throw(thrown)
        if setting.hand is not None:
            self._reach(setting.hand)
        bpy.context.view_layer.update()

    def shade(self, azimuth: float) -> None:
        """Adds somebody whom the camera does not see: over the board from that side if the table is
        `leant_over`, else between the first lamp and the board.
        """
        is_leaning = self.table.leant_over
        for at, size in self._leaning(azimuth) if is_leaning else self._in_the_light(azimuth):
            part = self._added("person", ball().copy())
            part.location = world(*at)
            part.scale = tuple(s / UNIT for s in size)
            part.rotation_euler.z = -radians(azimuth) if is_leaning else 0.0
            part.visible_camera = part.visible_glossy = False

    def render(self, box: Box, samples: int, percent: int = 100) -> Map:
        """Linear light (H, W, 3), blue first, of a part of the wide picture, at a percentage of its size."""
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

    def share_seen(self, lens: Lens, points: Floats) -> float:
        """The share of points (N, 3) of the plan, each just above a surface, that the lens sees."""
        return sum(thing is None for thing in self._before(lens, points)) / len(points)

    def hidden_by_hand(self, lens: Lens, places: Sequence[Pair]) -> list[Pair]:
        """The places of the plan that a hand or a sleeve hides."""
        before = self._before(lens, np.array([(*at, -0.1) for at in places]))
        return [at for at, thing in zip(places, before, strict=True) if thing and thing.name.startswith(HAND)]

    def _before(self, lens: Lens, points: Floats) -> list[bpy.types.Object | None]:
        """What is between the lens and each of some points (N, 3) of the plan; None for nothing."""
        deps = bpy.context.evaluated_depsgraph_get()
        eye = _eye(lens)
        out = []
        for x, y, z in points:
            to = world(x, y, -z)
            way = to - eye
            *_, thing, _ = self.scene.ray_cast(deps, eye, way.normalized(), distance=way.length - 0.003)
            out.append(thing)
        return out

    def _leaning(self, azimuth: float) -> list[tuple[Triple, Triple]]:
        """Head and shoulders of a person who leans over the board: their places, and their half axes in mm,
        the first along the azimuth.
        """
        rng = self.rng
        away, up = rng.uniform(220.0, 420.0), rng.uniform(330.0, 560.0)
        return [
            (placed(away, azimuth, up), (110.0, 90.0, 130.0)),
            (placed(away + 130.0, azimuth, up - 110.0), (130.0, 230.0, 130.0)),
        ]

    def _in_the_light(self, azimuth: float) -> list[tuple[Triple, Triple]]:
        """Head and shoulders of a person whose shadow falls on the board towards the azimuth."""
        rng = self.rng
        lx, ly, up = self.table.lamps[0].at_mm
        way_x, way_y = cos(radians(azimuth)), sin(radians(azimuth))
        x, y = _MIDDLE + rng.uniform(150, 330) * way_x, _MIDDLE + rng.uniform(150, 330) * way_y
        share = rng.uniform(0.42, 0.6)
        size = rng.uniform(70.0, 110.0)
        out: list[tuple[Triple, Triple]] = []
        for along, grow in ((share, 1.0), (share - 0.13, 1.9)):
            at = x + (lx - x) * along, y + (ly - y) * along, up * along
            out.append((at, (size * grow, size * 1.2 * grow, size)))
            x, y = x + 260 * way_x, y + 260 * way_y
        return out

    def _ambient(self) -> None:
        """Lights the room evenly from all around."""
        sky = bpy.data.worlds.new("room")
        self.scene.world = sky
        sky.use_nodes = True
        back = sky.node_tree.nodes["Background"]
        back.inputs["Color"].default_value = (*self.table.ambient_colour, 1.0)
        back.inputs["Strength"].default_value = self.table.ambient

    def _camera(self, lens: Lens) -> None:
        width, height = lens.wide_size
        data = bpy.data.cameras.new("camera")
        data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
        data.lens = lens.focal / width * 36.0
        right, down, away = lens.rotation * np.array([1.0, -1.0, -1.0])
        eye = _eye(lens)
        camera = self._added("camera", data)
        camera.matrix_world = Matrix(
            [[right[i], -down[i], -away[i], eye[i]] for i in range(3)] + [[0, 0, 0, 1]]
        )
        self.scene.camera = camera
        self.scene.render.resolution_x, self.scene.render.resolution_y = width, height

    def _added(self, name: str, data: object, parent: bpy.types.Object | None = None) -> bpy.types.Object:
        """A thing that the next frame takes away."""
        thing = linked(name, data)
        thing.parent = parent
        self._moving.append(thing)
        return thing

    def _stand(self, piece: Piece) -> None:
        on_floor = piece.place == "floor"
        thing = self._added("piece", self._piece, None if on_floor else self.turntable)
        up = piece.level * self.table.piece_height_mm - (BOARD_THICK_MM if on_floor else 0.0)
        thing.location = world(*piece.at, up)
        thing.rotation_euler = (0, 0, self.rng.uniform(0, 2 * pi))
        thing.material_slots[0].link = "OBJECT"
        thing.material_slots[0].material = self._paint[self.table.seats[piece.seat]]

    def _throw(self, die: Die) -> None:
        quarter = Matrix.Rotation(radians(90 * self.rng.randrange(4)), 4, "Z")
        turn = Matrix.Rotation(-radians(die.yaw), 4, "Z") @ quarter @ face_up(die.value)
        if die.tilt:
            lean = Vector((cos(radians(die.lean)), -sin(radians(die.lean)), 0.0))
            axis = Vector((0, 0, 1)).cross(lean)
            turn = Matrix.Rotation(radians(die.tilt), 4, axis) @ turn
        off_board = die.state == "off_board"
        thing = self._added("die", self._dice[die.look], None if off_board else self.turntable)
        thing.matrix_local = Matrix.Translation(world(*die.at, middle_mm(die))) @ turn

    def _reach(self, hand: Hand) -> None:
        arm, sleeve = hand_and_sleeve(hand, self.rng)
        arm.materials.append(skin(things().skins[hand.tone]))
        self._held_over(hand, arm)
        if sleeve is not None:
            sleeve.materials.append(woven(things().sleeves[hand.sleeve]))
            thing = self._held_over(hand, sleeve)
            folds = bpy.data.textures.new("folds", "CLOUDS")
            folds.noise_scale = 0.35
            push = thing.modifiers.new("folds", "DISPLACE")
            push.texture, push.strength, push.mid_level = folds, 0.14, 0.5

    def _held_over(self, hand: Hand, mesh: bpy.types.Mesh) -> bpy.types.Object:
        """A hand's or a sleeve's sticks, melted together, where the hand is."""
        turn = Matrix.Rotation(-radians(hand.towards + 180.0), 4, "Z")
        thing = self._added(HAND, mesh)
        thing.matrix_world = Matrix.Translation(world(*hand.at, 0.0)) @ turn
        remesh = thing.modifiers.new("remesh", "REMESH")
        remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", 0.022, True
        smooth = thing.modifiers.new("smooth", "SMOOTH")
        smooth.iterations, smooth.factor = 7, 0.5
        return thing


def _eye(lens: Lens) -> Vector:
    """Where the lens is, in Blender's units."""
    x, y, z = lens.place
    return world(x, y, -z)


def _render_settings(scene: bpy.types.Scene) -> None:
    """Few paths and few bounces: the denoiser does the rest."""
    cycles = scene.cycles
    scene.render.engine = "CYCLES"
    cycles.device = "CPU"
    scene.render.threads_mode, scene.render.threads = "FIXED", THREADS
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

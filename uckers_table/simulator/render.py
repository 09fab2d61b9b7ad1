"""Frames of a simulated table: a hand-painted board, casings, dice and hands under a camera.

A `Renderer` paints the bare table once. A frame redraws only what changed since the frame before. An
unchanged scene gives the very same array back. Arrays that were given out are never written to again.
"""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.devices.base import BgrImage
from uckers_table.game.board import BASE, Plan
from uckers_table.simulator.brush import Box
from uckers_table.simulator.clutter import MessTable, strew
from uckers_table.simulator.drawing import Draughtsman, Solid
from uckers_table.simulator.look import Look
from uckers_table.simulator.optics import Viewpoint
from uckers_table.simulator.outlines import PlanPoint, base_spots
from uckers_table.simulator.paint import (
    BOARD_PX_PER_MM,
    CLOTH_PX_PER_MM,
    Linear,
    linear,
    paint_board,
    paint_cloth,
)
from uckers_table.simulator.scene import Scene, WoodenPiece

BOARD_THICK_MM = 12.0
SHEEN, SHEEN_MM = 0.12, 70.0
"""How bright and how wide (mm) a lamp shows in varnish, if all light is its own."""
LENS_BLUR_PX = 0.55
"""The blur of the lens and the sensor's colour filter together, as a standard deviation."""
_TONES = 1 << 14
"""The entries of the table from linear light to sRGB."""
_COARSE = 8
"""The camera's rays are traced this many fine pixels apart."""


class Renderer:
    """Draws one table. Its seats are those of the plan's board, clockwise from the plan's top left."""

    def __init__(self, plan: Plan, look: Look, *, size: tuple[int, int] = (1536, 864), seed: int = 0) -> None:
        width, height = size
        middle = plan.side_mm / 2
        self.plan, self.look = plan, look
        self.view = Viewpoint(
            width,
            height,
            (middle + look.aim_off_mm[0], middle + look.aim_off_mm[1]),
            look.height_mm,
            look.tilt_deg,
            look.tilt_az_deg,
            look.yaw_deg,
            look.k1,
        )
        self._whole = Box(0, 0, width, height)
        self._rng = np.random.default_rng([seed, 3])
        self._noise = self._grain(height, width)
        light = self._light()
        self._bare = self._paint_table(light, seed)
        self._draughtsman = Draughtsman(self.view, look, plan.board.seats, light)
        self._tone_curve = _srgb_curve()
        self._solids: dict[Solid, None] = {}
        self._scene = Scene()
        self._image = np.zeros((height, width, 3), np.uint8)
        self._redraw(self._image, self._whole, ())
        self._image.flags.writeable = False

    def spots(self, seat: int) -> tuple[PlanPoint, ...]:
        """The middles of a seat's four base spots, in mm, clockwise from the board's own corner."""
        return base_spots(self.plan, seat, self.look.spot_offset_mm)

    @property
    def empty(self) -> BgrImage:
        """The bare board: one of the two pictures to calibrate from."""
        return self.frame(Scene())

    @property
    def start(self) -> BgrImage:
        """All sixteen pieces in their bases: the other picture to calibrate from."""
        pieces = [
            WoodenPiece(seat, BASE, x, y, grain=4 * seat + i)
            for seat in range(self.plan.board.arms)
            for i, (x, y) in enumerate(self.spots(seat))
        ]
        return self.frame(Scene(tuple(pieces)))

    def frame(self, scene: Scene) -> BgrImage:
        """The picture of a scene, BGR (height, width, 3), read-only. While nothing changes it is the same
        array.
        """
        if scene == self._scene:
            return self._image
        # Noise is drawn in this order. A set would have another order each time the program runs.
        solids: dict[Solid, None] = dict.fromkeys((*scene.pieces, *scene.dice, *scene.hands))
        gone = [s for s in self._solids if s not in solids]
        new = [s for s in solids if s not in self._solids]
        boxes = [self._draughtsman.footprint(s).within(self._whole) for s in (*gone, *new)]
        image = self._image.copy()
        for box in _merged([box for box in boxes if not box.empty]):
            self._redraw(image, box, solids)
        image.flags.writeable = False
        self._scene, self._solids, self._image = scene, solids, image
        return image

    def _redraw(self, image: BgrImage, box: Box, solids: Collection[Solid]) -> None:
        """Draws one part of the frame anew, with fresh sensor noise."""
        part = box.grown(4).within(self._whole)
        picture = self._bare[part.slices].copy()
        near = [s for s in solids if self._draughtsman.footprint(s).meets(part)]
        near.sort(key=self._draughtsman.order)
        self._draughtsman.cast_shadows(picture, part, near)
        for solid in near:
            self._draughtsman.draw(picture, part, solid)
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), LENS_BLUR_PX), np.float32)
        image[box.slices] = self._expose(picture[box.seen_from(part).slices], box)

    def _expose(self, picture: Linear, box: Box) -> BgrImage:
        """What the sensor makes of light: sRGB, with noise."""
        steps = np.clip(picture * (_TONES - 1), 0, _TONES - 1).astype(np.int32)
        tones = self._tone_curve[steps]
        dy, dx = (int(v) for v in self._rng.integers(0, 64, 2))
        noise = self._noise[box.top + dy : box.bottom + dy, box.left + dx : box.right + dx]
        return np.asarray(np.clip(tones + noise, 0.0, 255.0), np.uint8)

    def _grain(self, height: int, width: int) -> npt.NDArray[np.float32]:
        """Sensor noise after the camera's own smoothing. It is stronger in colour than in brightness."""
        shape = (height + 64, width + 64)
        grey = self._rng.standard_normal((*shape, 1), np.float32)
        colour = cv2.GaussianBlur(self._rng.standard_normal((*shape, 3), np.float32), (0, 0), 0.7)
        return np.asarray((0.7 * grey + 1.6 * colour) * self.look.noise + 0.5, np.float32)

    def _light(self) -> Linear:
        """The light that reaches the lens from a white board (height, width, 3)."""
        view, look = self.view, self.look
        pixels = _coarse_pixels(view.width, view.height, 1)
        points = view.on_plane(pixels.reshape(-1, 2))
        middle = self.plan.side_mm / 2
        level = np.full(len(points), 1.0 - sum(light.share for light in look.lights))
        for light in look.lights:
            lamp = np.array([light.x_mm, light.y_mm])
            reach = light.height_mm**2 + ((points - lamp) ** 2).sum(axis=1)
            at_middle = light.height_mm**2 + ((lamp - middle) ** 2).sum()
            level += light.share * (at_middle / reach) ** 1.5
        off = (pixels - (view.width / 2, view.height / 2)) / np.hypot(view.width, view.height) * 2
        level = level.reshape(pixels.shape[:2]) * (1.0 - look.vignette * (off**2).sum(axis=2))
        tinted = level[..., None] * np.array(look.tint[::-1]) * look.exposure
        return _refined(tinted, view.width, view.height)

    def _paint_table(self, light: Linear, seed: int) -> Linear:
        """The bare table as the camera sees it, in linear light (height, width, 3)."""
        board, cloth = paint_board(self.plan, self.look, seed), paint_cloth(self.look, seed)
        table = self._seen(cloth, CLOTH_PX_PER_MM, BOARD_THICK_MM, cv2.BORDER_REFLECT)
        strew(MessTable(table, self.view, self.look.lights, BOARD_THICK_MM), self.plan.side_mm, seed)
        self._shade_table(table)
        self._draw_edges(table)
        top = self._seen(np.dstack([board, np.ones(board.shape[:2], np.float32)]), BOARD_PX_PER_MM, 0.0)
        cover = top[..., 3:]
        return np.asarray((table * (1.0 - cover) + top[..., :3] + self._sheen()) * light, np.float32)

    def _sheen(self) -> Linear:
        """The lamps mirrored in the varnish: broad soft patches (height, width, 3), as reflectances."""
        pixels = _coarse_pixels(self.view.width, self.view.height, 1)
        points = self.view.on_plane(pixels.reshape(-1, 2))
        lens, up = self.view.centre_mm[:2], -self.view.centre_mm[2]
        shine = np.zeros(len(points))
        for light in self.look.lights:
            lamp = np.array([light.x_mm, light.y_mm])
            mirrored = lens + (lamp - lens) * up / (up + light.height_mm)
            off = ((points - mirrored) ** 2).sum(axis=1)
            shine += SHEEN * self.look.gloss * light.share * np.exp(-off / (2.0 * SHEEN_MM**2))
        patches = np.repeat(shine.reshape(*pixels.shape[:2], 1), 3, axis=2)
        return _refined(patches, self.view.width, self.view.height)

    def _seen(self, flat: Linear, px_per_mm: float, z_mm: float, border: int = cv2.BORDER_CONSTANT) -> Linear:
        """A flat picture at depth `z_mm` as the camera sees it. Each pixel is the mean of four rays."""
        view = self.view
        pixels = _coarse_pixels(view.width, view.height, 2)
        at = view.on_plane(pixels.reshape(-1, 2), z_mm) * px_per_mm - 0.5
        maps = _refined(at.reshape(pixels.shape), 2 * view.width, 2 * view.height)
        fine = cv2.remap(flat, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=border)
        return np.asarray(
            cv2.resize(fine, (view.width, view.height), interpolation=cv2.INTER_AREA), np.float32
        )

    def _shade_table(self, table: Linear) -> None:
        """Darkens the table in the shadow of the board."""
        side, up = self.plan.side_mm, BOARD_THICK_MM
        outline = np.array([[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]])
        for light in self.look.lights:
            lamp = np.array([light.x_mm, light.y_mm])
            fallen = outline + (outline - lamp) * (up / light.height_mm)
            mask = np.zeros(table.shape[:2], np.uint8)
            points = self.view.project(np.column_stack([fallen, np.full(4, up)]))
            cv2.fillConvexPoly(mask, np.rint(points * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
            mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.0 + light.soft_mm), np.uint8)
            table *= 1.0 - mask[..., None].astype(np.float32) * np.float32(light.share / 255.0)

    def _draw_edges(self, table: Linear) -> None:
        """Draws the sides of the plywood where the camera sees past the rim: each ply is a stripe."""
        side = self.plan.side_mm
        corners = np.array([[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]])
        plies = 5
        for ply in range(plies, 0, -1):
            depth = np.full(4, BOARD_THICK_MM * ply / plies)
            tone = linear(self.look.wood) * np.float32(0.55 if ply % 2 else 0.32)
            points = self.view.project(np.column_stack([corners, depth]))
            cv2.fillConvexPoly(table, np.rint(points * 16).astype(np.int32), tone.tolist(), cv2.LINE_8, 4)


def _coarse_pixels(width: int, height: int, fine: int) -> npt.NDArray[np.float64]:
    """Every `_COARSE`-th pixel of a frame drawn `fine` times finer (rows, columns, 2), as (x, y) in the
    frame.

    They lie where `cv2.resize` by `_COARSE` takes its samples, with one beyond each edge.
    """
    columns, rows = (
        ((np.arange(-1, size * fine // _COARSE + 2) + 0.5) * _COARSE) / fine - 0.5 for size in (width, height)
    )
    return np.stack(np.meshgrid(columns, rows), axis=2)


def _refined(coarse: npt.NDArray[np.float64], width: int, height: int) -> Linear:
    """Values at `_coarse_pixels`, interpolated to every pixel. They change slowly enough
    for straight lines.
    """
    size = (coarse.shape[1] * _COARSE, coarse.shape[0] * _COARSE)
    smooth = cv2.resize(coarse.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(smooth[_COARSE : _COARSE + height, _COARSE : _COARSE + width], np.float32)


def _merged(boxes: list[Box]) -> list[Box]:
    """Boxes that cover the same pixels and share none."""
    out: list[Box] = []
    for box in boxes:
        while (hit := next((other for other in out if other.meets(box)), None)) is not None:
            out.remove(hit)
            box = box.joined(hit)
        out.append(box)
    return out


def _srgb_curve() -> npt.NDArray[np.float32]:
    c = np.linspace(0.0, 1.0, _TONES)
    curve = np.where(c <= 0.0031308, 12.92 * c, 1.055 * c ** (1 / 2.4) - 0.055)
    return (curve * 255.0).astype(np.float32)

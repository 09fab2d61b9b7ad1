"""Paints the plywood board, seen flat, and the table under it, as reflectances.

Pictures here are float32 arrays (height, width, 3), blue first, in linear light: 1 reflects all. The board's
are in the plan frame at `BOARD_PX_PER_MM`. The table's is a tile that repeats.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.game.board import Plan
from uckers_table.simulator.arrays import Coverage
from uckers_table.simulator.look import LINES, WHITE_PAINT, Look, Rgb
from uckers_table.simulator.outlines import (
    LINE_MM,
    SPOT_RADIUS_MM,
    PlanPoint,
    base_spots,
    circle,
    home_triangle,
    panel,
    square,
)

Linear = npt.NDArray[np.float32]
"""A picture in linear light (height, width, 3), blue first, or one channel of it."""

BOARD_PX_PER_MM = 2.5
"""Finer than the finest camera used (1.9 px/mm), so painting adds no blur of its own."""
CLOTH_PX_PER_MM = 1.5

_SUBPIXEL_BITS = 4


def linear(rgb: Rgb) -> Linear:
    """The linear reflectance (3,), blue first, of a colour in sRGB."""
    c = np.array(rgb[::-1], np.float32) / 255.0
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4).astype(np.float32)


def cloud(shape: tuple[int, int], across: float, down: float, rng: np.random.Generator) -> Linear:
    """Smooth noise (height, width) of mean 0 and deviation 1. Its grains are `across` by `down` pixels."""
    height, width = shape
    seeds = rng.standard_normal((max(4, round(height / down)), max(4, round(width / across))), np.float32)
    out = cv2.resize(seeds, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray((out - out.mean()) / out.std(), np.float32)


def paint_board(plan: Plan, look: Look, seed: int) -> Linear:
    """The whole board, flat (side, side, 3), at `BOARD_PX_PER_MM`."""
    return _BoardPainter(plan, look, seed).paint()


class _BoardPainter:
    def __init__(self, plan: Plan, look: Look, seed: int) -> None:
        self._plan, self._look = plan, look
        self._rng = np.random.default_rng([seed, 1])
        self._hand = random.Random(f"painter {seed}")
        side = round(plan.side_mm * BOARD_PX_PER_MM)
        self._shape = (side, side)

    def paint(self) -> Linear:
        board = self._wood()
        chips = self._chips()
        strokes = 1.0 + 0.05 * cloud(self._shape, 90.0, 3.0, self._rng)
        upright = 1.0 + 0.05 * cloud(self._shape, 3.0, 90.0, self._rng)
        patches = 1.0 + 0.04 * cloud(self._shape, 70.0, 70.0, self._rng)
        for seat, colour in enumerate(self._plan.board.seats):
            brush = strokes if seat % 2 == 0 else upright
            self._coat(board, self._coloured(seat), self._look.board_paints[colour], brush * patches, chips)
        self._coat(board, self._white(), WHITE_PAINT, upright * patches, chips)
        self._coat(board, self._ink(), LINES, np.ones(self._shape, np.float32), chips)
        return board

    def _wood(self) -> Linear:
        """Plywood: wavy rings along x, fine streaks, a few dark years."""
        height, _ = self._shape
        rows = np.arange(height, dtype=np.float32)[:, None]
        warp = cloud(self._shape, 320.0, 120.0, self._rng) * 1.3 + cloud(self._shape, 900.0, 300.0, self._rng)
        rings = np.sin(rows / 9.0 + 3.0 * warp) * 0.5 + 0.5
        tone = 1.0 - 0.14 * rings**2 + 0.045 * cloud(self._shape, 60.0, 1.6, self._rng)
        tone += 0.04 * cloud(self._shape, 500.0, 60.0, self._rng)
        return np.asarray(tone[..., None] * linear(self._look.wood), np.float32)

    def _chips(self) -> Linear:
        """Where paint is gone, 0 to 1: flakes within a few worn places."""
        places = cloud(self._shape, 110.0, 110.0, self._rng)
        flakes = cloud(self._shape, 6.0, 5.0, self._rng)
        worn = (places - (2.9 - 0.8 * self._look.wear)) * 2.0 + flakes
        return np.asarray(np.clip(worn * 2.0, 0.0, 0.85), np.float32)

    def _coat(self, board: Linear, mask: Coverage, colour: Rgb, brush: Linear, chips: Linear) -> None:
        cover = (mask.astype(np.float32) * (0.96 / 255.0) * (1.0 - chips))[..., None]
        board += cover * (linear(colour) * brush[..., None] - board)

    def _white(self) -> Coverage:
        mask = self._blank()
        plan = self._plan
        doorsteps = {plan.cell(seat, 1) for seat in range(4)}
        for cell in plan.track_cells:
            if cell not in doorsteps:
                self._fill(mask, square(self._plan, cell))
        for seat in range(4):
            for spot in base_spots(plan, seat, self._look.spot_offset_mm):
                self._fill(mask, circle(spot, SPOT_RADIUS_MM), hand_mm=0.3)
        return mask

    def _coloured(self, seat: int) -> Coverage:
        """One seat's paint: base panel, doorstep, chute, and its triangle of home."""
        mask = self._blank()
        self._fill(mask, panel(self._plan, seat, self._look.panel))
        for steps in (1, *self._plan.board.chute):
            cell = self._plan.cell(seat, steps)
            assert cell is not None
            self._fill(mask, square(self._plan, cell))
        self._fill(mask, home_triangle(self._plan, seat))
        return mask

    def _ink(self) -> Coverage:
        mask = self._blank()
        plan = self._plan
        cells = [
            *plan.track_cells,
            *(plan.chute_cell(seat, s) for seat in range(4) for s in plan.board.chute),
        ]
        for cell in cells:
            self._line(mask, square(self._plan, cell))
        for seat in range(4):
            self._line(mask, home_triangle(self._plan, seat))
            self._line(mask, panel(self._plan, seat, self._look.panel))
            for spot in base_spots(plan, seat, self._look.spot_offset_mm):
                self._line(mask, circle(spot, SPOT_RADIUS_MM), hand_mm=0.3)
        self._letter(mask)
        return mask

    def _letter(self, mask: Coverage) -> None:
        """The mess's name along the board's lower edge, right of the lower arm."""
        face, scale, weight = cv2.FONT_HERSHEY_TRIPLEX, 0.055 * BOARD_PX_PER_MM * 8.0, 3
        (width, height), _ = cv2.getTextSize(self._look.lettering, face, scale, weight)
        size = 70.0 * BOARD_PX_PER_MM / max(width, 1) * scale
        (width, height), _ = cv2.getTextSize(self._look.lettering, face, size, 2)
        x = (self._plan.side_mm - 120.0) * BOARD_PX_PER_MM - width / 2
        y = (self._plan.side_mm - 18.0) * BOARD_PX_PER_MM + height / 2
        cv2.putText(mask, self._look.lettering, (round(x), round(y)), face, size, 255, 2, cv2.LINE_AA)

    def _blank(self) -> Coverage:
        return np.zeros(self._shape, np.uint8)

    def _fill(self, mask: Coverage, outline: Sequence[PlanPoint], hand_mm: float = 0.45) -> None:
        cv2.fillPoly(mask, [self._by_hand(outline, hand_mm)], 255, cv2.LINE_AA, _SUBPIXEL_BITS)

    def _line(self, mask: Coverage, outline: Sequence[PlanPoint], hand_mm: float = 0.5) -> None:
        width = round(LINE_MM * self._hand.uniform(0.85, 1.15) * BOARD_PX_PER_MM)
        path = [self._by_hand(outline, hand_mm)]
        cv2.polylines(mask, path, True, 255, width, cv2.LINE_AA, _SUBPIXEL_BITS)

    def _by_hand(self, outline: Sequence[PlanPoint], hand_mm: float) -> npt.NDArray[np.int32]:
        """An outline as an unsteady hand draws it: points about 7 mm apart, each a little off."""
        points: list[PlanPoint] = []
        for (x0, y0), (x1, y1) in zip(outline, [*outline[1:], outline[0]], strict=True):
            pieces = max(1, round(max(abs(x1 - x0), abs(y1 - y0)) / 7.0))
            for i in range(pieces):
                share = i / pieces
                points.append((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share))
        shaky = [
            (x + self._hand.gauss(0.0, hand_mm) / 1.5, y + self._hand.gauss(0.0, hand_mm) / 1.5)
            for x, y in points
        ]
        scaled = np.array(shaky) * (BOARD_PX_PER_MM * (1 << _SUBPIXEL_BITS)) - (1 << _SUBPIXEL_BITS) / 2
        return np.rint(scaled).astype(np.int32).reshape(-1, 1, 2)


def paint_cloth(look: Look, seed: int) -> Linear:
    """A tile of the table's surface (1024, 1024, 3), at `CLOTH_PX_PER_MM`."""
    rng = np.random.default_rng([seed, 2])
    shape = (1024, 1024)
    if look.cloth_weave == "baize":
        tone = 1.0 + 0.09 * cloud(shape, 1.6, 1.6, rng) + 0.08 * cloud(shape, 40.0, 40.0, rng)
    elif look.cloth_weave == "planks":
        rows = np.arange(shape[0], dtype=np.float32)[:, None]
        warp = cloud(shape, 240.0, 40.0, rng)
        tone = 1.0 - 0.2 * (np.sin(rows / 5.0 + 2.2 * warp) * 0.5 + 0.5) + 0.07 * cloud(shape, 50.0, 1.5, rng)
        tone[np.asarray(rows[:, 0] % 256 < 2.5)] *= 0.35
    else:
        tone = 1.0 + 0.03 * cloud(shape, 70.0, 1.5, rng) + 0.05 * cloud(shape, 120.0, 120.0, rng)
    return np.asarray(np.clip(tone, 0.1, 2.0)[..., None] * linear(look.cloth), np.float32)

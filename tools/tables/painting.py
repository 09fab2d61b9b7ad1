"""The board's paint and the top that it lies on, as reflectances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from tools.tables.look import Table
from uckers_table.game.board import Cell, Plan
from uckers_table.simulator import paint
from uckers_table.simulator.look import Look, look_for
from uckers_table.simulator.outlines import (
    SPOT_RADIUS_MM,
    PlanPoint,
    base_spots,
    circle,
    home_triangle,
    panel,
    square,
)
from uckers_table.simulator.paint import Linear, linear, paint_cloth
from uckers_table.vision.picture.arrays import Flags, Mask

DUST = (225, 220, 205)
PENCIL = (150, 140, 124)


class _Painter(paint._BoardPainter):
    """The simulator's painter. It also tints the corners' wood, and paints bases by other schemes."""

    def __init__(self, plan: Plan, look: Look, seed: int, table: Table) -> None:
        super().__init__(plan, look, seed)
        self._table = table

    def _wood(self) -> Linear:
        wood = super()._wood()
        half = wood.shape[0] // 2
        for seat, (x, y) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
            quarter = wood[y * half : (y + 1) * half or None, x * half : (x + 1) * half or None]
            own = linear(self._table.board[self._table.seats[seat]])
            quarter += self._table.tinted_corners * (0.75 * own + 0.25 * linear(DUST) - quarter)
        return wood

    def _white(self) -> Mask:
        if self._table.scheme == "spots":
            return super()._white()
        mask, plan = self._blank(), self._plan
        doorsteps = {plan.cell(seat, 1) for seat in range(4)}
        for cell in plan.track_cells:
            if cell not in doorsteps:
                self._fill(mask, square(plan, cell))
        return mask

    def _coloured(self, seat: int) -> Mask:
        if self._table.scheme not in ("wood", "discs"):
            return super()._coloured(seat)
        mask, plan = self._blank(), self._plan
        for steps in (1, *plan.board.chute):
            cell = plan.cell(seat, steps)
            assert cell is not None
            self._fill(mask, square(plan, cell))
        self._fill(mask, home_triangle(plan, seat))
        if self._table.scheme == "discs":
            self._spots(seat, lambda spot: self._fill(mask, circle(spot, SPOT_RADIUS_MM), hand_mm=0.3))
        return mask

    def _ink(self) -> Mask:
        scheme, is_outlined = self._table.scheme, self._table.is_outlined
        if scheme == "spots" and is_outlined:
            return super()._ink()
        mask, plan = self._blank(), self._plan
        for cell in [*plan.track_cells, *self._chutes()]:
            self._line(mask, square(plan, cell))
        for seat in range(4):
            self._line(mask, home_triangle(plan, seat))
            if scheme == "wood" or (is_outlined and scheme != "spots"):
                self._line(mask, panel(plan, seat, self._look.panel))
            if scheme == "rings":
                self._spots(seat, lambda spot: self._line(mask, circle(spot, SPOT_RADIUS_MM), hand_mm=0.3))
        self._letter(mask)
        return mask

    def _spots(self, seat: int, draw: Callable[[PlanPoint], None]) -> None:
        for spot in base_spots(self._plan, seat, self._look.spot_offset_mm):
            draw(spot)

    def _chutes(self) -> list[Cell]:
        return [self._plan.chute_cell(seat, s) for seat in range(4) for s in self._plan.board.chute]


def painting(table: Table, plan: Plan, name: str) -> tuple[Linear, Flags]:
    """The board's paint (side, side, 3), linear, blue first, and where its white paint lies (side, side)."""
    # The simulator has one paint for lines and one for white; tables here have their own.
    for constant, colour in (("LINES", table.line_paint), ("WHITE_PAINT", table.white_paint)):
        setattr(paint, constant, colour)
    look = replace(
        look_for(0),
        board_paints=table.board,
        wood=table.wood,
        panel=table.panel,
        spot_offset_mm=table.spots_mm,
        wear=table.wear,
        lettering=table.lettering,
    )
    seed = sum(name.encode())
    board = _Painter(plan, look, seed, table).paint()
    rng = np.random.default_rng(seed)
    grey = board.mean(axis=2, keepdims=True)
    dirt = np.clip(paint.cloud(board.shape[:2], 160.0, 130.0, rng) - 0.6, 0, 1.5)[..., None]
    faded = board + (0.7 * grey + 0.3 * linear(DUST) - board) * table.fade
    faded = faded * (1 - 0.16 * table.wear * dirt)
    for _ in range(round(14 * table.wear)):
        faded = _scratched(faded, rng)
    near = np.abs(board - linear(table.white_paint)).max(axis=2) < 0.12
    return faded.astype(np.float32), near


def cloth(table: Table, name: str) -> Linear:
    """The top that the board lies on: a tile that repeats."""
    look = replace(look_for(0), cloth=table.cloth, cloth_weave=table.weave)
    return paint_cloth(look, sum(name.encode()))


def _scratched(board: Linear, rng: np.random.Generator) -> Linear:
    """The board with one more scratch or pencil mark."""
    a = rng.uniform(0, board.shape[0], 2)
    b = a + rng.normal(0, 60, 2)
    line = np.zeros(board.shape[:2], np.float32)
    start, end = ([int(v * 16) for v in point] for point in (a, b))
    cv2.line(line, start, end, rng.uniform(0.1, 0.4), 1, cv2.LINE_AA, 4)
    return np.asarray(board * (1 - line[..., None]) + line[..., None] * linear(PENCIL))

"""The board's paint and the mess table's top, as reflectances."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from looks import Table

from uckers_table.game.board import Plan
from uckers_table.simulator import paint
from uckers_table.simulator.look import Look, look_for
from uckers_table.simulator.outlines import home_triangle
from uckers_table.simulator.paint import linear, paint_cloth


class Painter(paint._BoardPainter):
    """The simulator's painter, who may also paint a quarter's wood thinly, and leave bases without lines."""

    def __init__(self, plan: Plan, look: Look, seed: int, table: Table) -> None:
        super().__init__(plan, look, seed)
        self._table = table

    def _wood(self) -> np.ndarray:
        wood = super()._wood()
        half = wood.shape[0] // 2
        for seat, (x, y) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
            quarter = wood[y * half : (y + 1) * half or None, x * half : (x + 1) * half or None]
            own = linear(self._table.board[self._table.seats[seat]])
            quarter += self._table.corners * (0.75 * own + 0.25 * linear((225, 220, 205)) - quarter)
        return wood

    def _ink(self) -> np.ndarray:
        if self._table.is_outlined:
            return super()._ink()
        mask = self._blank()
        for cell in [*self._plan.track_cells, *self._chutes()]:
            self._line(mask, paint.square(self._plan, cell))
        for seat in range(4):
            self._line(mask, home_triangle(self._plan, seat))
        self._letter(mask)
        return mask

    def _chutes(self) -> list[tuple[int, int]]:
        return [self._plan.chute_cell(seat, s) for seat in range(4) for s in self._plan.board.chute]


def painting(table: Table, plan: Plan, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The board's paint, linear, and where its white paint lies."""
    paint.LINES, paint.WHITE_PAINT = table.lines, table.white
    look = replace(
        look_for(0),
        board_paints=table.board,
        wood=table.wood,
        panel=table.panel,
        spot_offset_mm=table.spots,
        wear=table.wear,
        lettering=table.lettering,
    )
    seed = sum(name.encode())
    board = Painter(plan, look, seed, table).paint()
    rng = np.random.default_rng(seed)
    grey = board.mean(axis=2, keepdims=True)
    dirt = np.clip(paint.cloud(board.shape[:2], 160.0, 130.0, rng) - 0.6, 0, 1.5)[..., None]
    faded = board + (0.7 * grey + 0.3 * linear((225, 220, 205)) - board) * table.fade
    faded = faded * (1 - 0.16 * table.wear * dirt)
    for _ in range(round(14 * table.wear)):
        # Scratches and pencil marks.
        a = rng.uniform(0, board.shape[0], 2)
        b = a + rng.normal(0, 60, 2)
        line = np.zeros(board.shape[:2], np.float32)
        ends = [tuple(int(v * 16) for v in p) for p in (a, b)]
        cv2.line(line, ends[0], ends[1], rng.uniform(0.1, 0.4), 1, cv2.LINE_AA, 4)
        faded = faded * (1 - line[..., None]) + line[..., None] * linear((150, 140, 124))
    near = np.abs(board - linear(table.white)).max(axis=2) < 0.12
    return faded.astype(np.float32), near


def cloth(table: Table, name: str) -> np.ndarray:
    """The mess table's top: a tile."""
    look = replace(look_for(0), cloth=table.cloth, cloth_weave=table.weave)
    return paint_cloth(look, sum(name.encode()))

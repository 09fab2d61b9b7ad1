"""A table before its camera, and the pictures that the camera takes of it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np

from tools.tables.by_name import table
from tools.tables.drawn import die_looks
from tools.tables.labels import Label, label_of_frame
from tools.tables.lens import Lens
from tools.tables.look import BOARD_MM
from tools.tables.painting import cloth, painting
from tools.tables.sensor import Locked, expose
from tools.tables.setting import DIE_MM, Point, Setting
from tools.tables.stage import Stage
from uckers_table.game.board import Board, Plan
from uckers_table.simulator import paint
from uckers_table.vision.picture.arrays import Flags, Map

SAMPLES = 2
"""Paths for each pixel on the board. The denoiser knows the surfaces, so paint stays sharp."""
SAMPLES_AROUND, AROUND_PERCENT = 3, 25
"""The same beside the board, where a quarter of the picture's width is enough."""
EDGE_PX = 30
"""How far from the picture's edge all lies that must be seen whole."""
MARGIN_MM, HIGHEST_MM = 45.0, 40.0
"""What is rendered anew for each frame: so much around the board, and things so high on it."""
UNFINISHED = "unfinished.npz"
"""A file in a table's folder while pictures are missing: what its camera has settled on."""


class Rendering:
    """A table and its camera. Its dice have so many looks."""

    def __init__(self, name: str, looks: int = 1) -> None:
        self.table = table(name)
        self.plan = Plan(Board(self.table.seats))
        self.lens = Lens.of(self.table.view)
        painted, self._white = painting(self.table, self.plan, name)
        self._name = name
        dice = (self.table.die,) if looks == 1 else die_looks(name, looks)
        self.stage = Stage(self.table, painted, cloth(self.table, name), name, dice)

    def sees(self, at: Point) -> bool:
        """Whether a point of the plan is well within the picture."""
        (u, v), *_ = self.lens.project(np.array([(*at, 0.0)]))
        width, height = self.lens.size
        return bool(EDGE_PX < u < width - EDGE_PX and EDGE_PX < v < height - EDGE_PX)

    def mirrors(self) -> list[Point]:
        """Where on the board, at the height of a die's top, the camera sees lamps mirrored."""
        x, y, z = (float(v) for v in self.lens.place)
        up = abs(z) - DIE_MM
        out = []
        for lamp in self.table.lamps:
            share = up / (up + lamp.at_mm[2] - DIE_MM)
            at = x + (lamp.at_mm[0] - x) * share, y + (lamp.at_mm[1] - y) * share
            if all(0 < v < BOARD_MM for v in at):
                out.append(at)
        return out

    def pictures(self, settings: Iterable[Setting], out: Path, *, anew: bool = False) -> Iterator[Label]:
        """Takes a picture of each setting into a folder, and gives its label.

        The camera keeps what it had settled on if an earlier run was stopped, unless it begins `anew`.
        """
        locked, around = None, None
        kept = out / UNFINISHED
        if kept.exists() and not anew:
            with np.load(kept) as file:
                locked, around = Locked(file["gains"]), file["around"]
        for setting in settings:
            begun = time.monotonic()
            is_still = not (setting.hand or setting.camera_push or setting.shadow is not None)
            label, light, seen = self._frame(setting, around if is_still else None)
            around = seen if around is None else around
            if locked is None:
                locked = Locked.on(light, self._white_px(), self.table.sensor)
                np.savez(kept, gains=locked.gains, around=around)
            seed = self._name + setting.name
            picture, quality = expose(light, locked, self.table.sensor, setting.gain, seed)
            cv2.imwrite(str(out / setting.name), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
            print(f"{self._name}/{setting.name}: {time.monotonic() - begun:.0f} s", flush=True)
            yield label

    def _white_px(self) -> Flags:
        """Where white paint near the board's middle is in the picture (H, W)."""
        rows, columns = np.nonzero(self._white)
        mm = np.column_stack([columns, rows, np.zeros(len(rows))]) / paint.BOARD_PX_PER_MM
        mm = mm[(np.abs(mm[:, :2] - BOARD_MM / 2) < 150).all(axis=1)][::7]
        mask = np.zeros(self.lens.size[::-1], bool)
        u, v = np.rint(self.lens.project(mm)).astype(int).T
        mask[v, u] = True
        return mask

    def _frame(self, setting: Setting, around: Map | None) -> tuple[Label, Map, Map]:
        """A frame's label, its linear light (H, W, 3), and the wide picture of what is around the board.

        With the `around` of an earlier frame only the board is rendered, and what lies near it.
        """
        stage, lens = self.stage, Lens.of(self.table.view, setting.camera_push)
        stage.set(lens, setting)
        label = label_of_frame(stage, self.table, setting, lens)
        if setting.shadow is not None:
            stage.shade(setting.shadow)
        width, height = lens.wide_size
        if around is None:
            small = stage.render((0, 0, width, height), SAMPLES_AROUND, AROUND_PERCENT)
            wide = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
            around = np.asarray(wide, np.float32)
        out = around.copy()
        left, top, right, bottom = _changed(setting, lens)
        out[top:bottom, left:right] = stage.render((left, top, right, bottom), SAMPLES)
        return label, lens.bend(out), around


def _changed(setting: Setting, lens: Lens) -> tuple[int, int, int, int]:
    """The part of the wide picture that is rendered anew: left, top, right, bottom."""
    beside = [d.at for d in setting.dice if d.on_table] + [p.at for p in setting.pieces if p.place == "floor"]
    points = [(0.0, 0.0), (BOARD_MM, BOARD_MM), *beside]
    (x0, y0), (x1, y1) = np.min(points, axis=0) - MARGIN_MM, np.max(points, axis=0) + MARGIN_MM
    edge = lens.wide(np.array([(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (0, -HIGHEST_MM)]))
    left, top = np.maximum(np.floor(edge.min(axis=0)), 0).astype(int)
    right, bottom = np.minimum(np.ceil(edge.max(axis=0)), lens.wide_size).astype(int)
    return int(left), int(top), int(right), int(bottom)

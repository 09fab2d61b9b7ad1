"""Laying the camera model on the painted lines to a fraction of a pixel, and following a board that moved."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from uckers_table.game.board import Plan
from uckers_table.vision.camera import Camera, Floats, Image, fit
from uckers_table.vision.channels import brightest
from uckers_table.vision.locate import cross_cells

_PX_PER_MM = 2.0
_LINE_MM = 1.5
"""A painted line is one to two millimetres wide."""
_LINE_SIGMA_PX = 1.0
"""Hand-painted lines stray by about half a millimetre."""


@dataclass(frozen=True)
class Edges:
    """Sides of painted cells: middles (N, 2) in plan mm and unit normals (N, 2) on the plan."""

    middles_mm: Floats
    normals: Floats


def cell_edges(plan: Plan) -> Edges:
    """Every side of every cell of the cross, once."""
    half = plan.cell_mm / 2
    sides = set()
    for cell in cross_cells(plan):
        x, y = plan.centre_mm(cell)
        sides |= {(x - half, y, 1, 0), (x + half, y, 1, 0), (x, y - half, 0, 1), (x, y + half, 0, 1)}
    table = np.array(sorted(sides), dtype=np.float64)
    return Edges(table[:, :2], table[:, 2:])


def _line_offsets(
    flat: Image, edges: Edges, reach_mm: float, margin_mm: float, plan: Plan
) -> tuple[Floats, Floats]:
    """How far (mm, along the normals) each painted line lies from where it should, and its darkness."""
    reach = round(reach_mm * _PX_PER_MM)
    along = round(plan.cell_mm * 0.3 * _PX_PER_MM)
    width = max(1, round(_LINE_MM * _PX_PER_MM))
    # A sample stands for the middle of its square (Camera.maps), hence the half.
    places = (edges.middles_mm + margin_mm) * _PX_PER_MM - 0.5
    whole = np.rint(places).astype(np.intp)
    upright = edges.normals[:, 0] > 0
    last = np.array(flat.shape[::-1]) - 1
    steps, beside = np.arange(-reach, reach + 1), np.arange(-along, along + 1)
    profiles = np.zeros((len(places), len(steps)), dtype=np.float32)
    for lines, dx, dy in (
        (upright, steps[:, None], beside[None, :]),
        (~upright, beside[None, :], steps[:, None]),
    ):
        x, y = whole[lines].T[:, :, None, None]
        strips = flat[np.clip(y + dy, 0, last[1]), np.clip(x + dx, 0, last[0])]
        profiles[lines] = strips.mean(axis=2, dtype=np.float32)
    smooth = cv2.GaussianBlur(profiles, (0, 1), width * 0.6)
    best = smooth[:, 1:-1].argmin(axis=1) + 1
    each = np.arange(len(places))
    left, middle, right = (smooth[each, best + k] for k in (-1, 0, 1))
    bend = left - 2 * middle + right
    fine = np.where(bend > 1e-6, 0.5 * (left - right) / np.maximum(bend, 1e-6), 0.0)
    shoulder = 3 * width // 2
    shoulders = np.minimum(
        smooth[each, np.maximum(0, best - shoulder)], smooth[each, np.minimum(2 * reach, best + shoulder)]
    )
    rounding = np.where(upright, (whole - places)[:, 0], (whole - places)[:, 1])
    offsets = (best + fine - reach + rounding) / _PX_PER_MM
    return offsets, (shoulders - middle) / np.maximum(shoulders, 8.0)


_MIN_DEPTH = 0.08
"""A line darker than both sides by less is dirt or wood."""
_MARGIN_MM = 20.0


def refine(picture: Image, camera: Camera, plan: Plan) -> tuple[Camera, float, int]:
    """The camera laid on the painted lines, the median miss in mm, and how many lines held it."""
    edges = cell_edges(plan)
    used, miss = 0, np.inf
    side = plan.side_mm + 2 * _MARGIN_MM
    for reach, lens in ((8.0, False), (5.0, True), (4.0, True), (4.0, True)):
        maps = camera.maps(-_MARGIN_MM, -_MARGIN_MM, side, side, _PX_PER_MM)
        flat = brightest(cv2.remap(picture, *maps, cv2.INTER_LINEAR))
        offsets, depths = _line_offsets(flat, edges, reach, _MARGIN_MM, plan)
        good = (depths > _MIN_DEPTH) & (np.abs(offsets) < reach - 1.5)
        used = int(good.sum())
        if used < 40:
            break
        middles, normals = edges.middles_mm[good], edges.normals[good]
        seen = camera.project(middles + normals * offsets[good, None])
        # The line is known across itself only: its normal as the picture shows it.
        along = camera.project(middles + normals[:, ::-1]) - camera.project(middles)
        across = np.column_stack([along[:, 1], -along[:, 0]])
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        miss = float(np.median(np.abs(offsets[good] - np.median(offsets[good]))))
        camera = fit(camera, middles, seen, _LINE_SIGMA_PX, lens, across)
    return camera, miss, used


@dataclass(frozen=True)
class Lines:
    """The painted lines of one table as its bare board shows them, offsets in mm; NaN where none shows."""

    edges: Edges
    offsets_mm: Floats

    @classmethod
    def learn(cls, flat: Image, margin_mm: float, plan: Plan) -> Lines:
        """From the bare board laid flat (2 px/mm, with a margin)."""
        edges = cell_edges(plan)
        offsets, depths = _line_offsets(brightest(flat), edges, _REACH_MM, margin_mm, plan)
        return cls(
            edges, np.where((depths > _MIN_DEPTH) & (np.abs(offsets) < _REACH_MM / 2), offsets, np.nan)
        )

    def shifts(self, flat: Image, margin_mm: float, plan: Plan) -> Floats:
        """How far (mm, along the normals) each line now is from where it was; NaN where it does not show."""
        offsets, depths = _line_offsets(brightest(flat), self.edges, _REACH_MM, margin_mm, plan)
        seen = (depths > _MIN_DEPTH) & (np.abs(offsets) < _REACH_MM - 1)
        return np.asarray(np.where(seen, offsets - self.offsets_mm, np.nan), dtype=np.float64)


_REACH_MM = 8.0
_STILL_MM = 0.3
"""Lines that moved less have not moved: a quarter of a pixel of noise in each."""
_MIN_AGREEING = 40


def follow(flat: Image, camera: Camera, lines: Lines, margin_mm: float, plan: Plan) -> Camera | None:
    """The camera at the pose from which the board now is seen: the very same if nothing moved.

    `flat` is the picture laid flat by `camera`, 2 px/mm. None when too few lines agree on any pose.
    """
    shifts = lines.shifts(flat, margin_mm, plan)
    known = np.isfinite(shifts)
    if known.sum() < _MIN_AGREEING:
        return None
    if np.mean(np.abs(shifts[known]) < _STILL_MM) > 0.7:
        return camera
    middles, normals = lines.edges.middles_mm[known], lines.edges.normals[known]
    there = middles + normals * lines.offsets_mm[known, None]
    seen = camera.project(there + normals * shifts[known, None])
    along = camera.project(middles + normals[:, ::-1]) - camera.project(middles)
    across = np.column_stack([along[:, 1], -along[:, 0]])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    moved = fit(camera, there, seen, _FOLLOW_SIGMA_PX, False, across)
    off = np.abs(((moved.project(there) - seen) * across).sum(axis=1))
    if (off < _AGREE_PX).sum() < _MIN_AGREEING or np.mean(off < _AGREE_PX) < 0.5:
        return None
    return moved


_FOLLOW_SIGMA_PX = 0.3
_AGREE_PX = 1.0

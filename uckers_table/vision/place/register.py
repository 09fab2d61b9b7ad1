"""Laying the camera model on the painted lines to a fraction of a pixel, and following a board that moved.

Only strips across the sides of the painted cells are looked at, straight in the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.game.board import Plan
from uckers_table.vision.picture.arrays import Floats, Image, Maps
from uckers_table.vision.picture.channels import brightest
from uckers_table.vision.place.camera import CameraModel, fit, fixed_point
from uckers_table.vision.place.locate import cross_cells

_LINE_MM = 1.5
"""A painted line is one to two millimetres wide."""
SECTION_STEP_MM, _BESIDE_MM = 0.5, 1.0
"""How finely strips are sampled across their line, and along it."""
_ALONG = 0.3
"""How far strips reach along a cell's side from its middle, in sides: they stop before the corners."""
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


@dataclass(frozen=True)
class Strips:
    """Strips of the board across painted lines (N). Each goes from -`reach_mm` to +`reach_mm` across its
    edge, and `half_mm` to both sides along it.
    """

    edges: Edges
    reach_mm: float
    half_mm: float

    @classmethod
    def across(cls, edges: Edges, reach_mm: float, plan: Plan) -> Strips:
        """The strips of these lines."""
        return cls(edges, reach_mm, plan.cell_mm * _ALONG)

    def maps(self, camera: CameraModel) -> Maps:
        """The maps (N · across, along) for cv2.remap with which `sections` cuts the strips out of this
        camera's pictures.
        """
        # The points (N, across, along, 2) take megabytes and are needed for few pictures: not kept.
        across = np.arange(-self.reach_mm, self.reach_mm + SECTION_STEP_MM / 2, SECTION_STEP_MM)
        along = np.arange(-self.half_mm, self.half_mm + _BESIDE_MM / 2, _BESIDE_MM)
        normals = self.edges.normals[:, None, None]
        points_mm = (
            self.edges.middles_mm[:, None, None]
            + across[:, None, None] * normals
            + along[:, None] * normals[..., ::-1]
        )
        px = camera.project(points_mm.reshape(-1, 2)).astype(np.float32)
        x, y = px.T.reshape(2, -1, len(along))
        return fixed_point(np.ascontiguousarray(x), np.ascontiguousarray(y))

    def sections(self, picture: Image, maps: Maps) -> Floats:
        """The grey levels (N, across) of the strips, averaged along the lines."""
        seen = brightest(cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
        means = cv2.reduce(seen, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
        return np.asarray(means.reshape(len(self.edges.middles_mm), -1))

    def offsets(self, sections: Floats) -> tuple[Floats, Floats]:
        """How far (mm, along the normals) each painted line lies off the plan, and its darkness."""
        width = round(_LINE_MM / SECTION_STEP_MM)
        smooth = cv2.GaussianBlur(sections, (0, 1), width * 0.6)
        best = smooth[:, 1:-1].argmin(axis=1) + 1
        each, last = np.arange(len(smooth)), smooth.shape[1] - 1
        left, middle, right = (smooth[each, best + k] for k in (-1, 0, 1))
        bend = left - 2 * middle + right
        fine = np.where(bend > 1e-6, 0.5 * (left - right) / np.maximum(bend, 1e-6), 0.0)
        shoulder = 3 * width // 2
        shoulders = np.minimum(
            smooth[each, np.maximum(0, best - shoulder)], smooth[each, np.minimum(last, best + shoulder)]
        )
        depths = (shoulders - middle) / np.maximum(shoulders, 8.0)
        return (best + fine) * SECTION_STEP_MM - self.reach_mm, depths


_MIN_DEPTH = 0.08
"""A line darker than both sides by less is dirt or wood."""


def refine(picture: Image, camera: CameraModel, plan: Plan) -> tuple[CameraModel, float, int]:
    """The camera laid on the painted lines, the median miss in mm, and how many lines held it.

    If too few lines were found, the miss is infinite.
    """
    edges = cell_edges(plan)
    used, miss = 0, np.inf
    for reach, lens in ((8.0, False), (5.0, True), (4.0, True), (4.0, True)):
        strips = Strips.across(edges, reach, plan)
        offsets, depths = strips.offsets(strips.sections(picture, strips.maps(camera)))
        good = (depths > _MIN_DEPTH) & (np.abs(offsets) < reach - 1.5)
        used = int(good.sum())
        if used < 40:
            break
        middles, normals = edges.middles_mm[good], edges.normals[good]
        seen = camera.project(middles + normals * offsets[good, None])
        # A line is known across itself only: `across` is its normal as the picture shows it.
        along = camera.project(middles + normals[:, ::-1]) - camera.project(middles)
        across = np.column_stack([along[:, 1], -along[:, 0]])
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        miss = float(np.median(np.abs(offsets[good] - np.median(offsets[good]))))
        camera = fit(camera, middles, seen, _LINE_SIGMA_PX, lens, across)
    return camera, miss, used


@dataclass(frozen=True)
class Lines:
    """The painted lines of one table as `camera` saw them on the bare board. `offsets_mm`: how far each lies
    off the plan; NaN if it did not show. `maps` cut their strips out of that camera's pictures.
    """

    edges: Edges
    strips: Strips
    camera: CameraModel
    maps: Maps
    offsets_mm: Floats

    @classmethod
    def learn(cls, bare: Image, camera: CameraModel, plan: Plan) -> Lines:
        """From the picture of the bare board."""
        edges = cell_edges(plan)
        strips = Strips.across(edges, _REACH_MM, plan)
        maps = strips.maps(camera)
        offsets, depths = strips.offsets(strips.sections(bare, maps))
        known = (depths > _MIN_DEPTH) & (np.abs(offsets) < _REACH_MM / 2)
        return cls(edges, strips, camera, maps, np.where(known, offsets, np.nan))

    def sections(self, picture: Image, camera: CameraModel) -> Floats:
        """The grey levels (N, across) across the lines, as `camera` sees them."""
        maps = self.maps if camera is self.camera else self.strips.maps(camera)
        return self.strips.sections(picture, maps)

    def shifts(self, sections: Floats) -> Floats:
        """How far (mm, along the normals) each line has moved, by the `sections` that some camera sees; NaN
        if it does not show.
        """
        offsets, depths = self.strips.offsets(sections)
        seen = (depths > _MIN_DEPTH) & (np.abs(offsets) < _REACH_MM - 1)
        return np.asarray(np.where(seen, offsets - self.offsets_mm, np.nan), dtype=np.float64)

    def hold(self, agree: npt.NDArray[np.bool_]) -> bool:
        """Whether enough upright and enough level lines agree (lines,) to say where the board is."""
        learned = np.isfinite(self.offsets_mm)
        upright = self.edges.normals[:, 0] > 0
        return all((agree & kind).sum() > _MIN_SHARE * (learned & kind).sum() for kind in (upright, ~upright))


_REACH_MM = 8.0
_STILL_MM = 0.3
"""Lines that moved less have not moved: noise shifts each by a quarter of a pixel."""
_MIN_AGREEING = 40
_MIN_SHARE = 0.3
"""The share of upright lines, and of level ones, that must agree. Hands over the board leave half of both. A
board that slid along its lines by more than the strips' reach leaves one kind where it was.
"""


def follow(sections: Floats, camera: CameraModel, lines: Lines) -> CameraModel | None:
    """The camera at the pose from which the board is now seen: `camera` itself if nothing moved. `sections`
    are those of the lines in a picture, as `camera` sees them.

    None if too few lines agree on any pose near by.
    """
    shifts = lines.shifts(sections)
    known = np.isfinite(shifts)
    if known.sum() < _MIN_AGREEING:
        return None
    still = np.abs(shifts) < _STILL_MM
    if still.sum() > 0.7 * known.sum() and lines.hold(still):
        return camera
    middles, normals = lines.edges.middles_mm[known], lines.edges.normals[known]
    there = middles + normals * lines.offsets_mm[known, None]
    seen = camera.project(there + normals * shifts[known, None])
    along = camera.project(middles + normals[:, ::-1]) - camera.project(middles)
    across = np.column_stack([along[:, 1], -along[:, 0]])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    moved = fit(camera, there, seen, _FOLLOW_SIGMA_PX, False, across)
    off = np.abs(((moved.project(there) - seen) * across).sum(axis=1))
    agree = np.zeros(len(known), dtype=bool)
    agree[known] = off < _AGREE_PX
    if agree.sum() < max(_MIN_AGREEING, 0.5 * known.sum()) or not lines.hold(agree):
        return None
    gaps = np.linalg.norm(moved.project(there) - camera.project(there), axis=1)
    return moved if gaps.max() < _FARTHEST * _REACH_MM * camera.px_per_mm else None


_FOLLOW_SIGMA_PX = 0.3
_AGREE_PX = 1.0
_FARTHEST = 2.5
"""In reaches: how far lines may move at most. A turn moves the outer ones farther than one reach."""

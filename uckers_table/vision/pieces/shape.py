"""The shape of pieces as a flat picture shows it: upright cylinders that lean away from the point under the
lens.

Laid flat, a piece is the hull of two discs. One is its foot. The other is its top, moved away from that
point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import Floats, Mask
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas

_FIXED_POINT = 4
"""Fractional bits of the coordinates at which cv2 draws."""
_WINDOW = 2.2
"""Half the side of a window that holds the highest stack, in diameters."""


@dataclass(frozen=True)
class Shape:
    """How pieces of one height and diameter look from one camera."""

    camera: CameraModel
    canvas: Canvas
    height_mm: float
    diameter_mm: float

    @cached_property
    def _swell(self) -> float:
        return self.camera.swell(self.height_mm)

    @cached_property
    def _lens_px(self) -> Floats:
        """The point (2,) of the flat picture that lies under the lens."""
        return np.asarray(self.canvas.px(self.camera.centre_mm[None, :2])[0])

    @cached_property
    def top_radius_px(self) -> float:
        """The radius of a single piece's top, in pixels of the flat picture."""
        return self.diameter_mm / 2 * self._swell * self.canvas.px_per_mm

    def top_px(self, foot_mm: Floats) -> Floats:
        """The centre (…, 2) of the top of a piece with this foot (…, 2), in pixels of the flat picture."""
        return self.canvas.px(self.camera.lifted(foot_mm, self.height_mm))

    def foot_mm(self, top_px: Floats) -> Floats:
        """The foot (…, 2), in mm of the plan, of a piece whose top is centred here (…, 2) in the flat
        picture.
        """
        return self.camera.grounded(self.canvas.mm(top_px), self.height_mm)

    def feet_px(self, tops_px: Floats) -> Floats:
        """The centres (…, 2), in pixels of the flat picture, of the feet of pieces with these tops (…, 2)."""
        return self.canvas.px(self.foot_mm(tops_px))

    def outward(self, px: Floats) -> Floats:
        """The directions (…, 2) in the flat picture in which things that stand up lean at these pixels
        (…, 2).
        """
        away = px - self._lens_px
        return np.asarray(away / np.maximum(np.hypot(away[..., 0], away[..., 1]), 1e-6)[..., None])

    def lean_px(self, top_px: Floats) -> Floats:
        """The way (…, 2) from the centre of a piece's top to its foot's, in pixels of the flat picture."""
        return (self._lens_px - top_px) * (1 - 1 / self._swell)

    def beside_px(self, tops_px: Floats, off_mm: Floats) -> Floats:
        """How far off tops (N, 2) things are seen in the flat picture (N, 2), in pixels.

        `off_mm` (N, 2) is how far off they are on the tops' plane: millimetres towards the point under the
        lens, and across.
        """
        off = (off_mm[:, :, None] * self._ways(tops_px)).sum(axis=1)
        return np.asarray(off * self._swell * self.canvas.px_per_mm)

    def beside_mm(self, tops_px: Floats, off_px: Floats) -> Floats:
        """The inverse of `beside_px`: millimetres (N, 2) on the tops' plane."""
        off = (off_px[:, None] * self._ways(tops_px)).sum(axis=2)
        return np.asarray(off / (self._swell * self.canvas.px_per_mm))

    def _ways(self, px: Floats) -> Floats:
        """The directions (N, 2, 2) in the flat picture towards the point under the lens, and across."""
        toward = -self.outward(px)
        return np.stack([toward, np.stack([-toward[:, 1], toward[:, 0]], axis=1)], axis=1)

    def window(self, top_px: Floats) -> tuple[int, int, int]:
        """The corner (x, y) and the side, in pixels, of a window round a top that holds the highest stack."""
        half = int(self.diameter_mm * self.canvas.px_per_mm * _WINDOW)
        return round(float(top_px[0])) - half, round(float(top_px[1])) - half, 2 * half + 1

    def outline(self, top_px: Floats, pieces: float) -> Mask:
        """What a top and this many piece heights of side below it cover in `window`: 1 inside, 0 outside."""
        return self.stretches(top_px, (pieces,))

    def stretches(self, top_px: Floats, runs: Sequence[float]) -> Mask:
        """What a top and more and more of side below it cover in `window`.

        `runs` are rising numbers of piece heights. A pixel is k + 1 if the k-th of them is the first to cover
        it; 0 outside.
        """
        x0, y0, size = self.window(top_px)
        mask = np.zeros((size, size), dtype=np.uint8)
        self.draw(mask, top_px, runs, (x0, y0))
        return mask

    def draw(
        self, target: Mask, top_px: Floats, runs: Sequence[float], corner: tuple[int, int] = (0, 0)
    ) -> None:
        """Draws what `stretches` gives into a part of the flat picture with this corner (x, y)."""
        # Number by number: for so few, numpy takes several times as long.
        x, y = float(top_px[0]) - corner[0], float(top_px[1]) - corner[1]
        lean_x, lean_y = self.lean_px(top_px).tolist()
        length, radius = hypot(lean_x, lean_y), self.diameter_mm / 2 * self.canvas.px_per_mm
        across_x, across_y = -lean_y / max(length, 1e-6), lean_x / max(length, 1e-6)
        for k in reversed(range(len(runs))):
            foot_x, foot_y = x + lean_x * runs[k], y + lean_y * runs[k]
            draw_disc(target, (foot_x, foot_y), radius, k + 1)
            if length * runs[k] > 0.5:
                # What of the side shows between the top and that foot.
                corners = [
                    (side_x + way * across_x * r, side_y + way * across_y * r)
                    for side_x, side_y, way, r in (
                        (x, y, 1, self.top_radius_px),
                        (foot_x, foot_y, 1, radius),
                        (foot_x, foot_y, -1, radius),
                        (x, y, -1, self.top_radius_px),
                    )
                ]
                fixed = np.array([(_fixed(a), _fixed(b)) for a, b in corners], dtype=np.int32)
                cv2.fillConvexPoly(target, fixed, (k + 1,), cv2.LINE_8, _FIXED_POINT)
        draw_disc(target, (x, y), self.top_radius_px)


def _fixed(px: float) -> int:
    return round(px * (1 << _FIXED_POINT))


def draw_disc(target: Mask, centre: Floats | tuple[float, float], radius: float, value: int = 1) -> None:
    """Draws a disc whose centre (x, y) may lie between pixels."""
    at = _fixed(float(centre[0])), _fixed(float(centre[1]))
    cv2.circle(target, at, _fixed(radius), (value,), -1, cv2.LINE_8, _FIXED_POINT)


def paste(target: Mask, mask: npt.NDArray[Any], window: tuple[int, int, int], value: int) -> None:
    """Sets the target to a value where the mask of a window is set."""
    x0, y0, size = window
    height, width = target.shape
    ya, yb, xa, xb = max(0, y0), min(height, y0 + size), max(0, x0), min(width, x0 + size)
    if ya < yb and xa < xb:
        where = mask[ya - y0 : yb - y0, xa - x0 : xb - x0].astype(bool, copy=False)
        np.copyto(target[ya:yb, xa:xb], value, where=where)

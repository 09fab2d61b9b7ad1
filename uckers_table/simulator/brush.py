"""Lays antialiased shapes over a part of a picture, in linear light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.simulator.arrays import Numbers
from uckers_table.simulator.paint import Linear

Colour = npt.NDArray[np.floating[Any]]
"""A colour in linear light (3,), blue first. 1 reflects all light."""

FINE = 4
"""Shapes are drawn in pixels this many times finer than the picture's, then averaged."""
_SUBPIXEL_BITS = 4
"""Fractional bits of the coordinates that OpenCV is given."""


@dataclass(frozen=True)
class Box:
    """A rectangle of pixels of the frame. `left` and `top` lie inside it, `right` and `bottom` outside."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, points_px: Numbers, margin: float) -> Box:
        """The smallest box around points (N, 2) of the frame with a margin, in pixels."""
        low, high = points_px.min(axis=0) - margin, points_px.max(axis=0) + margin
        return cls(
            int(np.floor(low[0])), int(np.floor(low[1])), int(np.ceil(high[0])) + 1, int(np.ceil(high[1])) + 1
        )

    @property
    def empty(self) -> bool:
        """Whether the box holds no pixel."""
        return self.right <= self.left or self.bottom <= self.top

    @property
    def slices(self) -> tuple[slice, slice]:
        """The box as an index into a picture (rows, columns)."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def within(self, other: Box) -> Box:
        """The part of the box inside another one."""
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def joined(self, other: Box) -> Box:
        """The smallest box around this one and another."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def seen_from(self, origin: Box) -> Box:
        """The same box, counted from the top left corner of `origin`."""
        return Box(
            self.left - origin.left, self.top - origin.top, self.right - origin.left, self.bottom - origin.top
        )

    def meets(self, other: Box) -> bool:
        """Whether the two boxes share a pixel."""
        return not self.within(other).empty

    def snapped(self, step: int) -> Box:
        """The smallest box around this one with its edges on multiples of `step`."""
        return Box(
            self.left // step * step,
            self.top // step * step,
            -(-self.right // step) * step,
            -(-self.bottom // step) * step,
        )

    def grown(self, by: int) -> Box:
        """The box with a margin of `by` pixels on all sides."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True)
class Sprite:
    """Something drawn in a `box` of the frame.

    `colour`: its colours (height, width, 3) in linear light, weighted by how far they cover.
    `kept`: how much of what is behind stays seen (height, width, 1).
    """

    box: Box
    colour: Linear
    kept: Linear

    def lay_over(self, picture: Linear, origin: Box) -> None:
        """Covers what lies under the sprite in `picture`, which shows the part `origin` of the frame."""
        part = self.box.within(origin)
        if part.empty:
            return
        here = part.seen_from(self.box).slices
        there = picture[part.seen_from(origin).slices]
        there *= self.kept[here]
        there += self.colour[here]


class Stencil:
    """A small sheet of fine pixels. Shapes are drawn on it, then it is laid over the picture once."""

    def __init__(self, box: Box) -> None:
        self._box = box
        shape = ((box.bottom - box.top) * FINE, (box.right - box.left) * FINE)
        self._colour = np.zeros((*shape, 3), np.float32)
        self._cover = np.zeros(shape, np.uint8)

    def fill(self, outline_px: Numbers, colour: Colour) -> None:
        """Fills a convex outline (N, 2), in pixels of the frame."""
        points = self._fine(outline_px)
        cv2.fillConvexPoly(self._colour, points, colour.tolist(), cv2.LINE_8, _SUBPIXEL_BITS)
        cv2.fillConvexPoly(self._cover, points, 255, cv2.LINE_8, _SUBPIXEL_BITS)

    def stroke(self, path_px: Numbers, width_px: float, colour: Colour, closed: bool = False) -> None:
        """Draws a path (N, 2), in pixels of the frame, with round joins."""
        width = max(1, round(width_px * FINE))
        points = [self._fine(path_px)]
        cv2.polylines(self._colour, points, closed, colour.tolist(), width, cv2.LINE_8, _SUBPIXEL_BITS)
        cv2.polylines(self._cover, points, closed, 255, width, cv2.LINE_8, _SUBPIXEL_BITS)

    def finished(self) -> Sprite:
        """What was drawn, in pixels of the frame."""
        size = (self._box.right - self._box.left, self._box.bottom - self._box.top)
        colour = cv2.resize(self._colour, size, interpolation=cv2.INTER_AREA)
        cover = cv2.resize(self._cover, size, interpolation=cv2.INTER_AREA)
        kept = 1.0 - cover[..., None].astype(np.float32) / 255.0
        return Sprite(self._box, np.asarray(colour, np.float32), kept)

    def _fine(self, points_px: Numbers) -> npt.NDArray[np.int32]:
        shifted = (points_px - (self._box.left, self._box.top) + 0.5) * FINE - 0.5
        return np.rint(shifted * (1 << _SUBPIXEL_BITS)).astype(np.int32).reshape(-1, 1, 2)


def shade_polygon(mask: npt.NDArray[np.uint8], outline_px: Numbers, origin: Box, coarse: int = 1) -> None:
    """Fills the hull of points (N, 2) of the frame into `mask`, which shows `origin`. A pixel of the mask is
    `coarse` pixels of the frame wide.
    """
    shifted = (outline_px - (origin.left, origin.top) + 0.5) / coarse - 0.5
    points = np.rint(shifted * (1 << _SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillConvexPoly(mask, cv2.convexHull(points.reshape(-1, 1, 2)), 255, cv2.LINE_AA, _SUBPIXEL_BITS)

"""Pieces that lie on the table farther from the board than the flat picture reaches: knocked off, say.

Looked for in the picture itself at a quarter of its size, and only when a piece is missing: spots that were
not there when the board was bare, as large as a piece and of a missing colour.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import cv2
import numpy as np

from uckers_table.vision.camera import Camera, Floats, Image
from uckers_table.vision.channels import brightest
from uckers_table.vision.flat import Canvas
from uckers_table.vision.light import Map
from uckers_table.vision.pieces import Stack
from uckers_table.vision.shape import Shape
from uckers_table.vision.tops import Flags, nearest_colours

_SMALLER = 4
_SHADED, _CLEAR, _NOISE = 0.05, 0.12, 3.0
"""Of white paint: what differs by more was not there before, with its shadow and without; and times the usual
difference.
"""
_AREA, _SIZE = (0.6, 2.6), (0.75, 2.0)
"""Of a piece's top: the area and the sides of what may be one, with what is seen of its side."""
_NEAR_MM = 14.0
"""So near to its edge the flat picture shows no whole piece."""
_MISFIT, _LEAD = 6.0, 3.0
"""How well a piece's colour fits, and how much better than the next: the table's light is known less well."""
_DARKEST = 0.55
"""Of a piece's colour as it is on the board: what is darker may be of any colour."""
_SCORE = 2.0
"""Log-odds of a piece so found."""


class Floor:
    """What lay on one table round the bare board."""

    def __init__(self, bare: Image, camera: Camera, canvas: Canvas, white: Map) -> None:
        """`white` (size, size, 3) is what white paint shows on the board."""
        self._bare = _small(bare)
        self._camera = camera
        self._canvas = canvas
        self._white = np.asarray(np.median(white.reshape(-1, 3)[::97], axis=0), dtype=np.float32)

    def find(
        self, picture: Image, shape: Shape, colours: Map, balance: Map, missing: Collection[int]
    ) -> list[Stack]:
        """Pieces of the `missing` seats beside the board; `balance` (3,) is the change of light since."""
        now = _small(picture)
        off = self._difference(now, shape.camera, balance)
        white = float(self._white.max())
        found: list[Stack] = []
        for least in (max(_SHADED * white, _NOISE * float(off.mean())), _CLEAR * white):
            for piece in self._pieces(now, off > least, shape, colours, balance):
                apart = [np.hypot(f.x_mm - piece.x_mm, f.y_mm - piece.y_mm) for f in found]
                if piece.colour in missing and min(apart, default=np.inf) > shape.diameter_mm:
                    found.append(piece)
        return found

    def _pieces(
        self, now: Image, changed: Flags, shape: Shape, colours: Map, balance: Map
    ) -> Iterator[Stack]:
        """The changed spots (of the small picture) that are as large as a piece and of a piece's colour."""
        lone = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        _, labels, stats, middles = cv2.connectedComponentsWithStats(lone, connectivity=8)
        usual = _diameter_px(shape, np.full(2, self._canvas.side_mm / 2)) ** 2
        for k in np.flatnonzero((stats[:, 4] > usual / 4) & (stats[:, 4] < 4 * usual)):
            left, top, width, height, area = stats[k]
            at = middles[k] * _SMALLER + (_SMALLER - 1) / 2
            place = shape.camera.unproject(at[None])[0]
            size = _diameter_px(shape, place)
            filled = area / (np.pi * size**2 / 4)
            sides = np.array([width, height]) / size
            fits = _AREA[0] < filled < _AREA[1] and _SIZE[0] < sides.min() and sides.max() < _SIZE[1]
            if not fits or not self._is_beyond(place):
                continue
            part = slice(top, top + height), slice(left, left + width)
            seen = np.median(now[part][labels[part] == k], axis=0) / balance / self._white
            best, misfit, lead, lit = nearest_colours(seen[None].astype(np.float32), colours)
            if misfit[0] < _MISFIT and lead[0] > _LEAD and lit[0] > _DARKEST:
                yield Stack(int(best[0]), float(place[0]), float(place[1]), _SCORE)

    def _difference(self, now: Image, camera: Camera, balance: Map) -> Image:
        """How much the small picture differs from the bare board's in this light. If the camera's pose is
        another, either the board was moved, and the table looks as it did, or the camera was.
        """
        lit = np.asarray(cv2.transform(self._bare, np.diag(balance)), dtype=np.uint8)
        offs = [brightest(cv2.absdiff(now, lit))]
        if camera is not self._camera:
            offs.append(brightest(cv2.absdiff(now, self._as_seen_by(lit, camera))))
        return min(offs, key=lambda off: float(off.mean()))

    def _as_seen_by(self, bare: Image, camera: Camera) -> Image:
        side = self._canvas.side_mm
        corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float64)
        then, now = (c.project(corners).astype(np.float32) / _SMALLER for c in (self._camera, camera))
        warped = cv2.warpPerspective(
            bare, cv2.getPerspectiveTransform(then, now), bare.shape[1::-1],
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        return np.asarray(warped, dtype=np.uint8)

    def _is_beyond(self, place_mm: Floats) -> bool:
        reach = self._canvas.margin_mm - _NEAR_MM
        return bool((place_mm < -reach).any() or (place_mm > self._canvas.side_mm + reach).any())


def _diameter_px(shape: Shape, place_mm: Floats) -> float:
    """A piece's diameter there in the small picture."""
    beside = place_mm + np.array([shape.diameter_mm, 0.0])
    ends = shape.camera.project(np.array([place_mm, beside]))
    return float(np.linalg.norm(ends[1] - ends[0])) / _SMALLER


def _small(picture: Image) -> Image:
    return np.asarray(cv2.blur(picture[1::_SMALLER, 1::_SMALLER], (3, 3)), dtype=np.uint8)

"""Where the light comes from, told by the shadows of plain pieces. The shadows of other pieces follow from
it.

A piece is an upright cylinder, and any lamp is many points of light. Each point has a slope: how many
millimetres aside the shadow of a thing 1 mm high ends, if the thing stands in the middle of the board.
Elsewhere the distance from the middle, over the lamp's height, is added. So the same few points explain all
shadows on the board. They explain those of stacks too: a stack is a piece several times as high.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Floats, Map, Mask, Places

_FINE, _FINE_TO, _COARSE, _COARSE_TO = 0.25, 1.5, 0.5, 3.25
"""Slopes are tried every `_FINE` up to `_FINE_TO`, then every `_COARSE` up to `_COARSE_TO`. At last they are
tried at half of `_FINE` round those that give light.
"""
_HIGH_MM = (650.0, 1100.0, 2000.0)
"""Heights above the board that the lamps may have. The height that explains most is taken."""
_NEAR = 3.0
"""Shadows are looked at within this many piece heights of a foot."""
_FAINT = 0.004
"""Points that give a smaller share of the light are left out."""
_IMPROVEMENTS, _LEAST_PULL = 150, 0.002
"""How often shares are improved; and how little a point must explain to keep its share, in parts of what the
best one explains.
"""
_HALF_COUNTED = (40.0, 10.0, 4.0, 2.0)
"""Something else may darken a cell. If a cell is darker than explained by this many squared sigmas, it counts
half. Each round has its own value.
"""
_SHIFT = 4
"""Fractional bits of the coordinates at which cv2 draws."""


def _grid(apart: float, most: float) -> Floats:
    """Slopes (N, 2) on a square grid, `apart` from each other, none steeper than `most`."""
    along = np.arange(-np.ceil(most / apart), np.ceil(most / apart) + 1) * apart
    points = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    return np.asarray(points[np.hypot(*points.T) <= most])


def _slopes() -> Floats:
    """All slopes that are tried at first (N, 2)."""
    coarse = _grid(_COARSE, _COARSE_TO)
    return np.concatenate([_grid(_FINE, _FINE_TO), coarse[np.hypot(*coarse.T) > _FINE_TO + _FINE / 2]])


_SLOPES = _slopes()
_BESIDE = _grid(_FINE / 2, _FINE / 1.9)
"""Slopes that are added to those that give light, for the last look."""


@dataclass(frozen=True)
class Lamps:
    """The light as points, by the shadows of the board's pieces.

    `slopes` (N, 2) are the slopes of the points at the `middle` (2,) of the board. `shares` (N,) are their
    parts of all the light. All of them are at one `height` above the board. A piece is as high as `piece` and
    has this `radius`. All lengths are in cells of the map that shadows are drawn into.
    """

    slopes: Floats
    shares: Floats
    middle: Floats
    height: float
    piece: float
    radius: float

    @classmethod
    def learned(
        cls, missing: Map, weight: Map, feet: Floats, piece: float, radius: float, px_per_mm: float
    ) -> Lamps | None:
        """The lamps that explain the shadows of plain pieces with these feet (N, 2); None if no point gives
        light.

        `missing` (n, n) is the share of the light that is missing in each cell. `weight` (n, n) is how surely
        that is told: one over its variance. `px_per_mm` is the number of the map's cells a millimetre; all
        lengths are in cells.
        """
        size = len(missing)
        middle = np.full(2, size / 2)
        near = np.zeros(missing.shape, dtype=np.uint8)
        for x, y in np.rint(feet).astype(int).tolist():
            cv2.circle(near, (x, y), round(_NEAR * piece + radius), (1,), -1)
        cells = np.flatnonzero((near > 0) & (weight > 0))
        cells = cells[(cells % size % 2 == 0) & (cells // size % 2 == 0)]
        if not len(cells):
            return None
        wanted, trust = missing.ravel()[cells], weight.ravel()[cells]

        def fitted(slopes: Floats, height: float) -> tuple[Lamps, float]:
            """The points that give light if they are this high, and what they leave unexplained."""
            even = np.full(len(slopes), 1 / len(slopes))
            lamps = cls(slopes, even, middle, height, piece, radius)
            hidden = np.stack([mask.ravel()[cells] for mask in lamps._hidden(feet, size)], axis=1)
            shares, cost = _fitted(hidden.astype(np.float32), wanted, trust)
            gives = shares > _FAINT
            return replace(lamps, slopes=slopes[gives], shares=shares[gives]), cost

        lamps, _ = min((fitted(_SLOPES, mm * px_per_mm) for mm in _HIGH_MM), key=lambda fit: fit[1])
        if not len(lamps.shares):
            return None
        finer = (lamps.slopes[:, None] + _BESIDE).reshape(-1, 2)
        return fitted(np.unique(finer, axis=0), lamps.height)[0]

    def _offsets(self, foot: Floats, pieces: int) -> Floats:
        """For each point of light, the way (N, 2) from a foot (2,) to the shadow of the middle of its stack's
        top.
        """
        high = pieces * self.piece
        aside = self.slopes + (foot - self.middle) / self.height
        return np.asarray(aside * high / (1 - high / self.height))

    def _hidden(self, feet: Floats, size: int) -> Iterator[Mask]:
        """Yields for each point of light where pieces with these feet (N, 2) hide it: maps (size, size) of 0
        and 1.
        """
        tips = np.stack([foot + self._offsets(foot, 1) for foot in feet], axis=1)
        for each in tips:
            mask = np.zeros((size, size), dtype=np.uint8)
            _draw(mask, feet, each, self.radius)
            yield mask

    def shadow(self, foot: Floats, size: int, pieces: int = 1) -> Map:
        """The share of the light that a stack with this foot (2,) takes from the cells (size, size) round its
        foot.
        """
        out = np.zeros((size, size), dtype=np.float32)
        at = np.full((1, 2), (size - 1) / 2)
        (start,), ends = _drawn_at(at), _drawn_at(at + self._offsets(foot, pieces))
        wide = _wide(self.radius)
        for share, end in zip(self.shares.astype(np.float32), ends, strict=True):
            mask = np.zeros((size, size), dtype=np.uint8)
            cv2.line(mask, start, end, (1,), wide, cv2.LINE_8, _SHIFT)
            out += share * mask
        return out


def _draw(mask: Mask, feet: Floats, tips: Floats, radius: float) -> None:
    """Draws the shadows of discs that are moved from feet to tips (N, 2)."""
    wide = _wide(radius)
    for start, end in zip(_drawn_at(feet), _drawn_at(tips), strict=True):
        cv2.line(mask, start, end, (1,), wide, cv2.LINE_8, _SHIFT)


def _wide(radius: float) -> int:
    """How wide the shadow of a disc is drawn."""
    return max(1, round(2 * radius))


def _drawn_at(places: Floats) -> list[list[int]]:
    """Places (N, 2) as cv2 takes them."""
    drawn: list[list[int]] = np.rint(places * (1 << _SHIFT)).astype(int).tolist()
    return drawn


def _fitted(hidden: Map, wanted: Map, trust: Map) -> tuple[Floats, float]:
    """The shares (N,) of points of light, and what they leave unexplained.

    `hidden` (cells, N) says in which cells pieces hide each point. `wanted` (cells,) is the share of the
    light that is missing there, and `trust` (cells,) one over its variance. Each step multiplies a share by
    what is wanted over what there is. That finds the least squares without any share below 0.
    """
    shares: Map = np.full(hidden.shape[1], 0.5 / hidden.shape[1], dtype=np.float32)
    weight, cost = trust, 0.0
    cells, pairs = _together(hidden)
    for half in _HALF_COUNTED:
        pull = np.maximum(hidden.T @ (weight * wanted), 0)
        gram = _gram(cells, pairs, weight, len(shares))
        least = np.float32(_LEAST_PULL * float(pull.max(initial=0)) + 1e-9)
        for _ in range(_IMPROVEMENTS):
            shares = np.asarray(shares * pull / (gram @ shares + least), dtype=np.float32)
        off = wanted - hidden @ shares
        # Other things darken the board as well. So a cell that is lit where there should be shadow tells
        # most.
        darker = np.where(off > 0, off * off * trust, 0)
        weight = np.asarray(trust / (1 + darker / half) ** 2, dtype=np.float32)
        cost = float(np.where(off > 0, half * darker / (half + darker), off * off * trust).sum())
    return shares.astype(np.float64), cost


def _together(hidden: Map) -> tuple[Places, Places]:
    """Which points of light are hidden together: a cell, and a pair of points that pieces hide there.

    A pair of points is the first times N plus the second, and is there in one order only. `hidden` (cells, N)
    is 0 or 1. Most of it is 0: a piece hides a cell from a few points only. So the pairs are few as well.
    """
    count = hidden.shape[1]
    cells, points = np.divmod(np.flatnonzero(hidden > 0).astype(np.int32), np.int32(count))
    ends = np.cumsum(np.bincount(cells, minlength=len(hidden)))
    place = np.arange(len(cells))
    # Each goes with itself and with those that follow it in its cell.
    partners = ends[cells] - place
    last = np.cumsum(partners)
    second = np.arange(partners.sum()) - np.repeat(last - partners - place, partners)
    return np.repeat(cells.astype(np.intp), partners), np.repeat(
        points.astype(np.intp) * count, partners
    ) + points[second]


def _gram(cells: Places, pairs: Places, weight: Map, count: int) -> Map:
    """How much weight (count, count) the cells have that pieces hide from both of two points."""
    weights = weight.astype(np.float64)[cells]
    upper = np.bincount(pairs, weights, minlength=count * count).reshape(count, count)
    return np.asarray(upper + np.triu(upper, 1).T, dtype=np.float32)

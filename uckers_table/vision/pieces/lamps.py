"""Where the light comes from, told by the shadows of plain pieces: what others throw follows from it.

A piece is an upright cylinder, and any lamp is many points of light. The shadow of a thing in the middle of
the board, a millimetre high, ends so many millimetres aside: that is a point's slope. Elsewhere it is more,
by the distance from the middle over the lamp's height. So the same few points explain all shadows on the
board, wherever they fall, and those of stacks, which are pieces so many times as high.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Floats, Map, Mask

_FINE, _FINE_TO, _COARSE, _COARSE_TO = 0.25, 1.5, 0.5, 3.25
"""Slopes that are tried: so far apart up to there, then farther apart; at last half as far apart round those
that give light.
"""
_HIGH_MM = (650.0, 1100.0, 2000.0)
"""How high above the board the lamps may be: that which explains most."""
_NEAR = 3.0
"""So many pieces' heights round a foot its shadow is looked at."""
_FAINT = 0.004
"""Points that give less of the light are left out."""
_STEPS, _FEW = 150, 0.002
"""How often shares are bettered, and how little each must explain, in parts of what the best does."""
_MUCH = (40.0, 10.0, 4.0, 2.0)
"""Squared sigmas, round after round, by which a cell that is darker than explained tells half: something else
darkens it.
"""
_SHIFT = 4
"""Bits after the point of the places that cv2 draws at."""


def _grid(apart: float, most: float) -> Floats:
    """Slopes (N, 2) so far apart, up to the steepest."""
    along = np.arange(-np.ceil(most / apart), np.ceil(most / apart) + 1) * apart
    points = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    return np.asarray(points[np.hypot(*points.T) <= most])


def _slopes() -> Floats:
    """All that are tried (N, 2)."""
    coarse = _grid(_COARSE, _COARSE_TO)
    return np.concatenate([_grid(_FINE, _FINE_TO), coarse[np.hypot(*coarse.T) > _FINE_TO + _FINE / 2]])


_SLOPES = _slopes()
_BESIDE = _grid(_FINE / 2, _FINE / 1.9)


@dataclass(frozen=True)
class Lamps:
    """Points of light by the `slopes` (N, 2) of their shadows in the `middle` (2,), their `shares` (N,) of
    all the light, and how high they are. All lengths are in cells of the map that shadows are drawn into; a
    `piece` is so high, and has that `radius`.
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
        """From the share of the light that is `missing` in cells (n, n), told with so much `weight`, round
        the feet (N, 2) of pieces that are plain.
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
            """The shares of these points, so high, and what they leave unexplained."""
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
        """From a foot (2,) to where the middle of a stack's top is shadowed, point of light by point of light
        (N, 2).
        """
        high = pieces * self.piece
        aside = self.slopes + (foot - self.middle) / self.height
        return np.asarray(aside * high / (1 - high / self.height))

    def _hidden(self, feet: Floats, size: int) -> Iterator[Mask]:
        """Where pieces with these feet (N, 2) hide each point of light: maps (size, size) of 0 and 1."""
        tips = np.stack([foot + self._offsets(foot, 1) for foot in feet], axis=1)
        for each in tips:
            mask = np.zeros((size, size), dtype=np.uint8)
            _draw(mask, feet, each, self.radius)
            yield mask

    def shadow(self, foot: Floats, size: int, pieces: int = 1) -> Map:
        """The share of the light that so many pieces with that foot (2,) take from cells (size, size) round
        it.
        """
        out = np.zeros((size, size), dtype=np.float32)
        at = np.full((1, 2), (size - 1) / 2)
        for share, offset in zip(self.shares, self._offsets(foot, pieces), strict=True):
            mask = np.zeros((size, size), dtype=np.uint8)
            _draw(mask, at, at + offset, self.radius)
            out += np.float32(share) * mask
        return out


def _draw(mask: Mask, feet: Floats, tips: Floats, radius: float) -> None:
    """Draws the shadows that discs on their way from feet to tips (N, 2) throw."""
    wide = max(1, round(2 * radius))
    starts, ends = (np.rint(at * (1 << _SHIFT)).astype(int).tolist() for at in (feet, tips))
    for start, end in zip(starts, ends, strict=True):
        cv2.line(mask, start, end, (1,), wide, cv2.LINE_8, _SHIFT)


def _fitted(hidden: Map, wanted: Map, trust: Map) -> tuple[Floats, float]:
    """The shares (N,) of points that are `hidden` from cells (cells, N), so that what is missing of their
    light is as `wanted` where it is told with `trust`; and what is left over.

    Multiplying by what is wanted over what there is finds the least squares without a share below none.
    """
    shares: Map = np.full(hidden.shape[1], 0.5 / hidden.shape[1], dtype=np.float32)
    weight, cost = trust, 0.0
    for much in _MUCH:
        pull = np.maximum(hidden.T @ (weight * wanted), 0)
        gram = hidden.T @ (hidden * weight[:, None])
        least = np.float32(_FEW * float(pull.max(initial=0)) + 1e-9)
        for _ in range(_STEPS):
            shares = np.asarray(shares * pull / (gram @ shares + least), dtype=np.float32)
        off = wanted - hidden @ shares
        # Other things darken the board as well; what would be shadow and is lit tells most.
        darker = np.where(off > 0, off * off * trust, 0)
        weight = np.asarray(trust / (1 + darker / much) ** 2, dtype=np.float32)
        cost = float(np.where(off > 0, much * darker / (much + darker), off * off * trust).sum())
    return shares.astype(np.float64), cost

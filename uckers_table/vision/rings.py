"""Pieces on paint of their own colour, by the rings that they show: their edge, their bevel and their primer.

Such a piece is about as light as what lies round it, and its edge drowns in noise. But whatever differs from
the bare board there lies in rings round one place. What the edge of a shadow, haze, a lamp's image or noise
differs by does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from uckers_table.vision.appearance import Evidence
from uckers_table.vision.camera import Floats
from uckers_table.vision.channels import Places, channel_sum
from uckers_table.vision.light import Map
from uckers_table.vision.shape import Mask, Shape
from uckers_table.vision.tops import MIRRORED, edge_radius, nearest_colours

_BEYOND_MM = 0.5
"""So far beyond a top's edge, which is dark, rings are looked at."""
_CAP = 30.0
"""No point differs by more sigmas."""
_OWN_PAINT = 39.0
"""Paint of the bare board that is off a piece's colour by less (`nearest_colours`) may be its own."""
_WORTH, _MOST_PLACES = 0.2, 200
"""The share of rings from which places found to 2 mm are looked at more closely, and how many at most."""
_FROM, _STEEP, _MOST = 0.28, 30.0, 6.0
"""From what share of rings on they speak for a piece, by so many nats for all of it, and by so much at most.
Of what differs at 17 pieces on their own paint that were in doubt rings are 0.41 and more at twelve, 0.25
and more at the others; at 541 other places there that look somewhat like a top, and lie on no piece, 0.38 and
less but for one (fifteen tables).
"""
_AT_A_TIME = 256
"""So many places are looked at a time: what all of them take would stay in a service's memory."""
_SIDE_PX, _ASIDE_PX = 2, np.array([(x, y) for y in range(-2, 3) for x in range(-2, 3)])


@dataclass(frozen=True)
class Rings:
    """Places (N, 2) in the flat picture, (x, y), with rings on paint of the colours (N,), and log-odds (N,)
    that they speak for a piece.
    """

    at_px: Floats
    colours: Places
    log_odds: Floats

    @classmethod
    def on_own_paint(cls, seen: Evidence, own: tuple[Places, Places], shape: Shape) -> Rings:
        """Those on squares of missing pieces' `own_paint`."""
        places, seats = own
        if not len(places):
            return cls(np.empty((0, 2)), np.empty(0, dtype=np.intp), np.empty(0))
        n = len(seen.active)
        at = np.stack([places % n, places // n], axis=1) * _SIDE_PX
        grey = channel_sum(seen.change)[..., None] / np.float32(3**0.5)
        coarse = np.zeros((n, n), dtype=np.float32)
        coarse.ravel()[places] = _shares(grey, at, shape)
        is_peak = (coarse >= cv2.dilate(coarse, np.ones((3, 3), np.uint8))) & (coarse > _WORTH)
        best = np.flatnonzero(is_peak.ravel()[places])
        best = best[np.argsort(-coarse.ravel()[places[best]], kind="stable")][:_MOST_PLACES]
        around = at[best][:, None] + _ASIDE_PX
        shares = _shares(seen.change, around.reshape(-1, 2), shape).reshape(-1, len(_ASIDE_PX))
        each, finest = np.arange(len(best)), shares.argmax(axis=1)
        log_odds = np.clip(_STEEP * (shares[each, finest] - _FROM), 0, _MOST)
        some = log_odds > 0
        return cls(around[each, finest][some].astype(np.float64), seats[best][some], log_odds[some])


def own_paint(
    seen: Evidence, colours: Map, missing: Places, taken: Mask, shape: Shape
) -> tuple[Places, Places]:
    """The squares of `evidence` where anything differs from the bare board that is painted like `missing`
    pieces (seats), and nothing is `taken` (size, size), counted row by row, and in which of their colours.
    `colours` as reflected, (seats, 3) or of several paints (paints, seats, 3).
    """
    margin = int(_reach_px(shape) + _ASIDE_PX.max()) // _SIDE_PX + 1
    is_free = np.zeros(seen.active.shape, dtype=bool)
    inside = slice(margin, -margin), slice(margin, -margin)
    is_free[inside] = (seen.active & (taken[::_SIDE_PX, ::_SIDE_PX] == 0))[inside]
    places = np.flatnonzero(is_free)
    if not len(places):
        return places, places
    paint = np.stack([plane.ravel().take(places) for plane in seen.board.squares.reflected], axis=-1)
    seats, off, _, _ = nearest_colours(paint.astype(np.float64), colours, MIRRORED)
    own = np.isin(seats, missing) & (off < _OWN_PAINT)
    return places[own], seats[own]


def _reach_px(shape: Shape) -> float:
    return edge_radius(shape) + _BEYOND_MM * shape.canvas.px_per_mm


def _shares(layers: Map, at: Places, shape: Shape) -> Map:
    """Of what layers (size, size, channels) differ by round pixels (N, 2), (x, y), from anything that changes
    gradually there: the shares (N,) that lie in rings.
    """
    rows, columns, gradual, rings = _basis(_reach_px(shape))
    size, _, channels = layers.shape
    flat = layers.ravel()
    whole, in_rings = np.zeros((2, len(at)), dtype=np.float32)
    for first in range(0, len(at), _AT_A_TIME):
        some = slice(first, first + _AT_A_TIME)
        points = ((at[some, 1:] + rows) * size + at[some, :1] + columns) * channels
        for channel in range(channels):
            values = np.clip(flat.take(points + channel), -_CAP, _CAP)
            whole[some] += (values**2).sum(axis=1) - ((values @ gradual) ** 2).sum(axis=1)
            in_rings[some] += ((values @ rings) ** 2).sum(axis=1)
    return np.asarray(in_rings / np.maximum(whole, 1e-6))


@lru_cache(maxsize=8)
def _basis(radius: float) -> tuple[Places, Places, Map, Map]:
    """The points of a disc, rows and columns (M,) from its middle, and orthonormal bases (M, …) of what
    changes gradually over it, to the second order, and of rings a pixel wide apart from that.
    """
    whole = int(radius)
    rows, columns = np.mgrid[-whole : whole + 1, -whole : whole + 1]
    far = np.hypot(rows, columns)
    rows, columns, far = (a[far <= radius] for a in (rows, columns, far))
    x, y = columns / radius, rows / radius
    gradual = np.linalg.qr(np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y]))[0]
    rings = np.eye(whole)[np.minimum(far.astype(np.intp), whole - 1)]
    rings, sizes, _ = np.linalg.svd(rings - gradual @ (gradual.T @ rings), full_matrices=False)
    rings = rings[:, sizes > 1e-6]
    return rows, columns, gradual.astype(np.float32), rings.astype(np.float32)

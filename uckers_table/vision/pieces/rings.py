"""Pieces on paint of their own colour, by the rings that they show: their edge, their bevel and their primer.

Such a piece is about as light as what lies round it, and its edge drowns in noise. But whatever differs from
the bare board there lies in rings round one place. What the edge of a shadow, haze, a lamp's image or noise
differs by does not.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.picture.arrays import Floats, Map, Mask, Places
from uckers_table.vision.picture.channels import channel_sum
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.pieces.tops import MIRRORED, are_lit, edge_radius, nearest_colours

_BEYOND_MM = 0.5
"""So far beyond a top's edge, which is dark, rings are looked at."""
_CAP = 30.0
"""No point differs by more sigmas."""
_OWN_PAINT = 39.0
"""Paint of the bare board that is off a piece's colour by less (`nearest_colours`) may be its own."""
_LEAST = 0.08
"""The share of rings from which something may be round. Of what differs at 17 pieces on their own paint that
were in doubt rings are 0.25 and more, where they are looked for to a pixel; one in noise, found to 2 mm, had
0.1.
"""
_SPREAD_MM = 8.0
"""So far apart are places that are asked about one by one: the net tells of a top up to 6 mm off."""
_AT_A_TIME = 256
"""So many places are looked at a time: what all of them take would stay in a service's memory."""
_SIDE_PX = 2


def square_px(places: Places, seen: Evidence) -> Places:
    """Where in the flat picture (N, 2), (x, y), squares of `evidence` are, counted row by row."""
    n = len(seen.active)
    return np.stack([places % n, places // n], axis=1) * _SIDE_PX


def round_places(
    seen: Evidence, own: tuple[Places, Places], shape: Shape, most: int
) -> tuple[Floats, Places]:
    """Where in the flat picture (N, 2), (x, y), something round may be on squares of missing pieces'
    `own_paint`, so many at `most`, the roundest first; and of which colours (N,) that is.
    """
    places, seats = own
    n = len(seen.active)
    at = square_px(places, seen)
    grey = channel_sum(seen.change)[..., None] / np.float32(3**0.5)
    shares = np.zeros((n, n), dtype=np.float32)
    shares.ravel()[places] = _shares(grey, at, shape)
    is_peak = (shares >= cv2.dilate(shares, np.ones((3, 3), np.uint8))) & (shares > _LEAST)
    best = np.flatnonzero(is_peak.ravel()[places])
    best = best[np.argsort(-shares.ravel()[places[best]], kind="stable")][:most]
    return at[best].astype(np.float64), seats[best]


def shaded_places(seen: Evidence, own: tuple[Places, Places], shape: Shape) -> tuple[Floats, Places]:
    """The same, evenly spread over what of the `own_paint` lies in somebody's shadow: there nothing may be
    rounder than noise is.
    """
    places, seats = own
    rows, columns = np.divmod(places, len(seen.active))
    every = round(_SPREAD_MM * shape.canvas.px_per_mm / _SIDE_PX)
    some = (rows % every == 0) & (columns % every == 0)
    at = square_px(places[some], seen).astype(np.float64)
    is_shaded = ~are_lit(seen, at)
    return at[is_shaded], seats[some][is_shaded]


def own_paint(
    seen: Evidence, colours: Map, missing: Places, taken: Mask, shape: Shape
) -> tuple[Places, Places]:
    """The squares of `evidence` painted like `missing` pieces (seats) of which anything, as near as a top's
    edge, differs from the bare board, and where nothing is `taken` (size, size), counted row by row; and in
    which of their colours. `colours` as reflected, (seats, 3) or of several paints (paints, seats, 3).

    In little noise the inside of a piece differs from its own paint by nothing.
    """
    margin = int(_reach_px(shape)) // _SIDE_PX + 1
    is_free = np.zeros(seen.active.shape, dtype=bool)
    inside = slice(margin, -margin), slice(margin, -margin)
    across = 2 * (int(edge_radius(shape)) // _SIDE_PX) + 1
    as_near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    differs = cv2.dilate(seen.active.view(np.uint8), as_near).view(np.bool_)
    is_free[inside] = (differs & (taken[::_SIDE_PX, ::_SIDE_PX] == 0))[inside]
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

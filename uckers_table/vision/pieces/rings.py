"""Finds pieces on paint of their own colour by the rings that they show: their edge, bevel and primer.

A piece there is about as light as what lies round it, and its edge drowns in noise. But whatever differs from
the bare board at a piece lies in rings round one place. At a shadow's edge, in haze, at a lamp's image and in
noise it does not.
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
"""Rings are looked at up to this far beyond a top's edge, where it is dark."""
_CAP = 30.0
"""The most sigmas by which one point may differ."""
_OWN_PAINT = 39.0
"""Paint of the bare board may be a piece's own if it is off the piece's colour by less than this (see
`nearest_colours`).
"""
_LEAST = 0.08
"""The share of rings from which something may be round. At 17 pieces in doubt on their own paint, rings are
0.25 or more of what differs, if they are looked for to a pixel. One piece in noise, found to 2 mm, had 0.1.
"""
_SPREAD_MM = 8.0
"""How far apart places lie that are asked about one by one. The net tells of a top up to 6 mm off."""
_AT_A_TIME = 256
"""How many places are looked at together. What all of them take at once would stay in a service's memory."""
_SIDE_PX = 2
"""Pixels of the flat picture along the side of a square of `evidence`."""


def square_px(places: Places, seen: Evidence) -> Places:
    """The places (N, 2), as (x, y) in the flat picture, of squares of `evidence` that are counted row by row
    (N,).
    """
    n = len(seen.active)
    return np.stack([places % n, places // n], axis=1) * _SIDE_PX


def round_places(
    seen: Evidence, own: tuple[Places, Places], shape: Shape, most: int
) -> tuple[Floats, Places]:
    """Where something round may be on squares of missing pieces' `own_paint`, and whose.

    Gives the places (M, 2), as (x, y) in the flat picture, the roundest first and at most `most`; and their
    seats (M,).
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
    """Places spread evenly over the part of the `own_paint` that lies in somebody's shadow, as `round_places`
    gives them. A piece there may be no rounder than noise is.
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
    """The squares of `evidence` (N,) on which a missing piece may stand on its own paint, and whose paint it
    is (N,).

    Squares are counted row by row. A square counts if it is painted like a piece of a `missing` seat, and if
    nothing is `taken` (size, size) there. Something as near as a top's edge must also differ from the bare
    board: in little noise the inside of a piece does not differ from its own paint. `colours` are as
    reflected: (seats, 3), or of several paints (paints, seats, 3).
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
    """How much of what differs round pixels (N, 2), (x, y), lies in rings: shares (N,).

    `layers` (size, size, channels) hold the differences. What changes gradually round a pixel is taken off
    first.
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
    """The points of a disc, and two orthonormal bases over them (M, …).

    The points are rows and columns (M,) from the middle. The first basis is of what changes gradually over
    the disc, to the second order. The second is of rings one pixel wide, without what the first holds.
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

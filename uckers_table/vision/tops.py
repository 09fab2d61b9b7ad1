"""Tops of pieces: discs of one size with an edge all round, even inside, and of a piece's colour.

The edge is looked for in the difference from the bare board, where painted lines cancel out: so a piece
shows on paint of its own colour too.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.appearance import Evidence, Map
from uckers_table.vision.camera import Floats
from uckers_table.vision.channels import channel_sum
from uckers_table.vision.shape import Mask, Shape

_ANGLES = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_RING = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_BEVEL_MM = 0.5
"""A case's rim is rounded: its edge is seen that much further in."""
_EDGE_MM = 2.2
"""Half the distance over which a top's edge is looked for: wider than its blur, narrower than a rim."""
_EDGE_CAP = 12.0
"""Squared sigmas: any stronger step is an edge and no more."""
_MIN_EDGE = 7.0
"""Mean squared step round a top: pieces on their own paint in poor light have 8.6 and more."""
_COARSE_EDGE = 1.7
"""Mean logarithm of the steps that makes a place worth a closer look: bare board has 1.2."""
_COARSE_PX = 2
"""Every so manieth pixel is tried first."""
_MOST_PLACES = 240
_AWAY = -0.2
"""Cosine to the outward direction from which an angle belongs to the far side of a top."""
_BESIDE_MM = 1.5
"""A piece found before that comes so near hides the edge."""
_MAX_OVERLAP = 0.35
_CORE = 0.75
"""The part of a top's radius that its bevel and its neighbours don't reach."""
_SHEEN = 0.08
"""Varnish has a sheen that differs from place to place: so much white (of 1) is added now and then."""

_WEIGHTS = np.array([0.780, 0.629, 0.454, 4.493, -1.250, 0.024, -6.052, 5.977, 0.144, 0.124, 0.441, -0.929])
_BIAS = -15.09
"""Of a logistic regression over 4500 discs, 1340 of them tops, in pictures of six tables under five kinds of
light; with each table left out in turn, 3 % of all discs were told wrongly."""

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Disc:
    """A disc with an edge: its centre in the flat picture and the squared steps (angles,) across the edge."""

    at_px: Floats
    steps: Map

    @property
    def sharpness(self) -> float:
        """The mean logarithm of the steps: what no edge on one side spoils most."""
        return float(np.log1p(self.steps).mean())


def find_discs(seen: Evidence, shape: Shape) -> list[Disc]:
    """All discs of a top's size with an edge nearly all round, the sharpest first. Many are no tops."""
    radius = _edge_radius(shape)
    discs = [_sharpest(seen.change, at, radius, shape) for at in _places(seen, radius, shape)]
    kept = [d for d in discs if float(np.minimum(d.steps, _EDGE_CAP).mean()) > _MIN_EDGE]
    return sorted(kept, key=lambda d: -d.sharpness)


def free_angles(disc: Disc, claimed: Mask, shape: Shape) -> Flags:
    """At which angles no piece found before stands beside a disc; none at all where one covers it."""
    radius, scale = _edge_radius(shape), shape.canvas.px_per_mm

    def at(r: float) -> Flags:
        places = np.clip(np.rint(disc.at_px + _RING * r).astype(np.intp), 0, claimed.shape[0] - 1)
        return np.asarray(claimed[places[:, 1], places[:, 0]] > 0)

    inside = at(radius - _EDGE_MM * scale)
    if inside.mean() > _MAX_OVERLAP:
        return np.zeros(len(_RING), dtype=bool)
    return ~(at(radius + _BESIDE_MM * scale) | at(radius + _EDGE_MM * scale) | inside)


def core(disc: Disc, shape: Shape) -> tuple[slice, slice]:
    """Rows and columns of the flat picture well inside a disc."""
    r = int(_edge_radius(shape) * _CORE)
    x, y = np.rint(disc.at_px).astype(int)
    return slice(max(0, y - r), y + r + 1), slice(max(0, x - r), x + r + 1)


def weigh(disc: Disc, free: Flags, seen: Evidence, colours: Map, shape: Shape) -> tuple[int, float]:
    """The likeliest colour (its index) of a disc, and the log-odds that it is a piece's top."""
    area = core(disc, shape)
    patch = seen.reflected[area].reshape(-1, 3)
    middle = np.maximum(np.median(patch, axis=0), 0.01)
    colour, misfit, margin, shade = _colour(middle, colours)
    sharp = np.log1p(disc.steps[free])
    features = np.array([
        sharp.mean(),
        np.minimum(disc.steps[free], _EDGE_CAP).mean(),
        np.percentile(sharp, 20),
        free.mean(),
        misfit**0.5,
        margin,
        abs(shade - 1),
        _evenness(patch, middle),
        seen.solid[area].mean(),
        seen.strange[area].mean(),
        seen.llr[colour][area].mean(),
        np.log1p(channel_sum(seen.change[area] ** 2)).mean(),
    ])  # fmt: skip
    return colour, float(features @ _WEIGHTS + _BIAS)


def _edge_radius(shape: Shape) -> float:
    bevel = _BEVEL_MM * shape.camera.swell(shape.height_mm) * shape.canvas.px_per_mm
    return shape.top_radius_px - bevel


def _places(seen: Evidence, radius: float, shape: Shape) -> list[Floats]:
    """Pixels (x, y) where discs with an edge may be, the best first."""
    wide = cv2.dilate(seen.active.astype(np.uint8), np.ones((5, 5), np.uint8))
    near = wide[::_COARSE_PX, ::_COARSE_PX] > 0
    rows, columns = np.nonzero(near)
    points = np.column_stack([columns, rows]) * _COARSE_PX
    scores = np.zeros(near.shape, dtype=np.float32)
    scores[rows, columns] = _ring_steps(seen.change, points, radius, shape.canvas.px_per_mm)
    highest = cv2.dilate(scores, np.ones((3, 3), np.uint8))
    peak_rows, peak_columns = np.nonzero((scores >= highest) & (scores > _COARSE_EDGE))
    order = np.argsort(-scores[peak_rows, peak_columns])[:_MOST_PLACES]
    return list(np.column_stack([peak_columns, peak_rows])[order].astype(np.float64) * _COARSE_PX)


def _ring_steps(change: Map, points: npt.NDArray[np.intp], radius: float, px_per_mm: float) -> Map:
    """The mean logarithm of the squared step (in sigmas) across circles round whole pixels (N, 2)."""
    limit = np.array(change.shape[1::-1]) - 1
    total = np.zeros(len(points), dtype=np.float32)
    for ring in _RING:
        inner = np.clip(points + np.rint(ring * (radius - _EDGE_MM * px_per_mm)).astype(np.intp), 0, limit)
        outer = np.clip(points + np.rint(ring * (radius + _EDGE_MM * px_per_mm)).astype(np.intp), 0, limit)
        step = change[inner[:, 1], inner[:, 0]] - change[outer[:, 1], outer[:, 0]]
        total += np.log1p(channel_sum(step**2) / 2)
    return np.asarray(total / len(_RING), dtype=np.float32)


def _sharpest(change: Map, at: Floats, radius: float, shape: Shape) -> Disc:
    """The disc near a pixel with the sharpest edge, to half a pixel.

    Only the side away from the lens's foot point counts: on the other, a top's edge is weak against its
    own side, and the side's edge would draw it in.
    """
    offsets = np.arange(-2, 2.1, 0.5)
    points = at + np.stack(np.meshgrid(offsets, offsets), axis=-1).reshape(-1, 2)
    reach = _EDGE_MM * shape.canvas.px_per_mm

    def around(r: float) -> Map:
        places = (points[:, None] + _RING[None] * r).reshape(-1, 1, 2).astype(np.float32)
        x, y = np.ascontiguousarray(places[..., 0]), np.ascontiguousarray(places[..., 1])
        ring = cv2.remap(change, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(ring.reshape(len(points), len(_RING), 3), dtype=np.float32)

    steps = channel_sum((around(radius - reach) - around(radius + reach)) ** 2) / 2
    away = _RING @ shape.outward(at) > _AWAY
    best = int(np.log1p(steps[:, away]).mean(axis=1).argmax())
    return Disc(np.asarray(points[best]), np.asarray(steps[best], dtype=np.float32))


def _colour(middle: Map, colours: Map) -> tuple[int, float, float, float]:
    """The nearest of the pieces' colours: index, misfit, lead over the next, and how brightly lit it is."""
    shade = np.clip(channel_sum(colours * middle) / channel_sum(colours**2), 0.3, 1.5)
    expected = colours * shade[:, None]
    variance = (0.08 * expected + 0.03) ** 2
    off = middle - expected
    sheen = channel_sum(off / variance) / (channel_sum(1 / variance) + 1 / _SHEEN**2)
    misfit = channel_sum((off - sheen[:, None]) ** 2 / variance) + (sheen / _SHEEN) ** 2
    total = misfit + ((shade - 1) / 0.25) ** 2
    best = int(total.argmin())
    lead = float(np.delete(total, best).min() - total[best])
    return best, min(float(misfit[best]), 40.0), min(lead, 40.0), float(shade[best])


def _evenness(patch: Map, middle: Map) -> float:
    """The share of points (N, 3) that have the middle colour, more or less lit: a die's pips don't."""
    lit = patch @ middle / float((middle**2).sum())
    off = ((patch - lit[:, None] * middle) / (0.1 * middle + 0.05)) ** 2
    return float((off.sum(axis=1) + ((lit - 1) / 0.25) ** 2 < 6).mean())

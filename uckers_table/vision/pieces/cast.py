"""Shadows that one hard lamp casts: their length tells how many pieces stand on each other.

A lamp above the plan's point L casts every shadow away from L. The way from a piece's foot to its shadow's
tip is k × (foot - L). So the shadow is longer, the farther the piece stands from L. If shadows are soft, or
the lamps are many, this module tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.picture.arrays import Flags, Floats, Mask, Places
from uckers_table.vision.picture.channels import gathered, places_at, seen_medians
from uckers_table.vision.pieces.shape import Shape, draw_disc

Band = tuple[float, float]

_DIRECTIONS = np.linspace(0, 2 * np.pi, 72, endpoint=False)
_LENGTHS_MM = np.arange(8.0, 46.0, 2.0)
"""The lengths of shadows that are tried first."""
_SPREADS = np.array([0.0, 0.012, 0.024, 0.036])
"""How much longer a shadow is for each unit of distance from the lamp's place on the plan. For a lamp 500 mm
above the board it is 0.035.
"""
_STEP_MM = 1.0
_REACH_MM = 80.0
"""Rays are looked at every `_STEP_MM`, up to this far from the foot."""
_WITHIN, _BEYOND_MM = (0.25, 0.85), (3.0, 9.0)
"""First round: the part of a shadow's length that is surely dark, and the stretch beyond its tip (mm) that is
surely light.
"""
_FINER_MM = (2.5, 2.5, 1.0)
_FINER_SPREADS = np.array([-0.012, -0.006, 0.0, 0.006, 0.012])
"""Later rounds, one after the other: tips move by up to two of these steps to each side, and the spread
changes by one of these values.
"""
_TURNS = (-8, -5, -3, 0, 3, 5, 8)
"""Directions in which a shadow's outline is looked at: steps of 5° to either side of the shadow's own."""
_TIP_MM, _SOFT_MM = 4.0, 1.0
"""To find the tip, up to 4 mm of board on either side of it are compared. To tell how hard it is, the nearest
1 mm is left out, where it is soft.
"""
_SHORTEST_MM = 12.0
"""In shadows shorter than this, a second piece's share is lost in the soft tip."""
_DARK = 0.02
_MOST_DARK = 1.2
"""Nothing counts as darker than `_DARK`, in parts of white. No point counts as darker than the bare board by
more than `_MOST_DARK` (natural logarithm).
"""
_HARD, _LEAST_SHARE, _FEWEST = 0.1, 0.6, 5
"""A lamp is hard enough if most shadows are darker, by 0.1 (natural logarithm), than the board beyond their
tips. At least a share of 0.6 of the pieces whose shadows are seen must show that, and at least 5 must be
seen. On seven path-traced tables two bulbs and a side lamp are found in 18 of 22 frames, strip lamps in none.
Shadows from windows are mostly too short.
"""
_STEP_LIMITS = (-0.5, 0.7)
"""The least and the most darkening (natural logarithm) that one piece counts for. Other pieces' shadows,
glare and lines would count for more.
"""


@dataclass(frozen=True)
class Cast:
    """How single pieces cast shadows under one lamp.

    `offset_px + spread × foot` is the way (2,) from a foot (2,) to its shadow's tip, in pixels of the flat
    picture. `depth` is how much darker the shadow is than the lit board (natural logarithm).
    """

    offset_px: Floats
    spread: float
    depth: float

    def shadow_px(self, foot_px: Floats, pieces: npt.ArrayLike = 1) -> Floats:
        """The ways (…, 2) from feet (…, 2) to their shadows' tips, in pixels of the flat picture. `pieces`
        (…, 1) is how many pieces stand on each foot.
        """
        once = self.offset_px + self.spread * foot_px
        count = np.asarray(pieces)
        # `part` is a piece's height in parts of the lamp's. The top of a higher stack is nearer to the lamp,
        # so its shadow is more than proportionally longer.
        part = self.spread / (1 + self.spread)
        return np.asarray(once * count * (1 - part) / (1 - count * part))


def learn(seen: Evidence, tops_px: Floats, shape: Shape, owners: Mask) -> Cast | None:
    """The shadow that most pieces with these tops (N, 2) cast alike, with tops in pixels of the flat picture.
    It is None if there are too few tops, no shadows, or only soft or short ones.

    `owners` (size, size) is above 0 where pieces stand.
    """
    if len(tops_px) < _FEWEST:
        return None
    scale = shape.canvas.px_per_mm
    feet = shape.feet_px(tops_px)
    middle = feet.mean(axis=0)
    rays = _Rays(seen, feet, shape, owners)

    way, length, spread = (v.ravel() for v in np.meshgrid(_DIRECTIONS, _LENGTHS_MM, _SPREADS, indexing="ij"))
    offset = np.column_stack([np.cos(way), np.sin(way)]) * (length * scale)[:, None]
    shadows = offset[:, None] + spread[:, None, None] * (feet - middle)
    best = int(rays.steps(shadows, _WITHIN, (0.0, 0.0), _BEYOND_MM)[0].sum(axis=1).argmax())
    few = np.arange(-2, 3)
    dx, dy, finer = (v.ravel() for v in np.meshgrid(few, few, _FINER_SPREADS, indexing="ij"))
    for by_mm in _FINER_MM:
        offset = offset[best] + np.column_stack([dx, dy]) * by_mm * scale
        spread = np.maximum(spread[best] + finer, 0)
        shadows = offset[:, None] + spread[:, None, None] * (feet - middle)
        best = int(rays.outlines(shadows, (-_TIP_MM, 0.0), (0.0, _TIP_MM)).sum(axis=1).argmax())
    (step,), (told,) = rays.steps(
        shadows[best : best + 1], (1.0, 1.0), (-_TIP_MM, -_SOFT_MM), (_SOFT_MM, _TIP_MM)
    )
    if told.sum() < _FEWEST or (step[told] > _HARD).mean() < _LEAST_SHARE:
        return None
    if np.hypot(*offset[best]) < _SHORTEST_MM * scale:
        return None
    return Cast(offset[best] - spread[best] * middle, float(spread[best]), float(np.median(step[told])))


class _Rays:
    """How dark the board is round feet (N, 2), along 72 directions."""

    def __init__(self, seen: Evidence, feet_px: Floats, shape: Shape, owners: Mask) -> None:
        self._scale = shape.canvas.px_per_mm
        self._radius_mm = shape.diameter_mm / 2
        far_mm = np.arange(self._radius_mm, _REACH_MM, _STEP_MM)
        rays = np.column_stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)])
        at = feet_px[:, None, None] + rays[:, None] * (far_mm * self._scale)[:, None]
        dark, clear = _seen_at(at, seen, owners)
        # The sums run outward from the foot, so that the sum over any stretch is a difference of two of them.
        none = np.zeros((*clear.shape[:2], 1))
        self._dark, self._clear = (
            np.concatenate([none, v.cumsum(axis=2)], axis=2)
            for v in (np.where(clear, dark, 0.0), clear * 1.0)
        )

    def steps(self, shadows_px: Floats, part: Band, within: Band, beyond: Band) -> tuple[Floats, Flags]:
        """How much darker (guesses, N; natural logarithm) the board is within shadows (guesses, N, 2) than
        beyond them. The second array (guesses, N) says where both are seen.

        The way within runs between the two parts `part` of the length, each moved by its `within` mm. The way
        beyond runs between the two `beyond`, in mm from the tip.
        """
        long_mm, way = self._polar(shadows_px)
        return self._step(
            way, [p * long_mm + mm for p, mm in zip(part, within, strict=True)], long_mm, beyond
        )

    def outlines(self, shadows_px: Floats, within: Band, beyond: Band) -> Floats:
        """The same difference (guesses, N), added up all round the outline of a shadow's tip."""
        long_mm, way = self._polar(shadows_px)
        total = np.zeros(long_mm.shape)
        for turn in _TURNS:
            angle = abs(turn) * _DIRECTIONS[1]
            # How far from the foot's rim the outline lies in this direction: on the arc round the tip, or on
            # the straight flank if that comes first.
            arc = long_mm * np.cos(angle) + np.sqrt(
                np.maximum(self._radius_mm**2 - (long_mm * np.sin(angle)) ** 2, 0)
            )
            flank = self._radius_mm / max(np.sin(angle), 1e-6)
            edge_mm = np.where(flank * np.cos(angle) < long_mm, flank, arc) - self._radius_mm
            total += self._step(way + turn, [edge_mm + mm for mm in within], edge_mm, beyond)[0]
        return total

    def _polar(self, shadows_px: Floats) -> tuple[Floats, Places]:
        """The lengths (…) of shadows (…, 2) in mm, and the numbers (…) of the nearest of `_DIRECTIONS`."""
        turn = np.arctan2(shadows_px[..., 1], shadows_px[..., 0]) / (2 * np.pi) * len(_DIRECTIONS)
        return np.hypot(*np.moveaxis(shadows_px, -1, 0)) / self._scale, np.rint(turn).astype(np.intp)

    def _step(
        self, way: Places, within_mm: Sequence[Floats], edge_mm: Floats, beyond: Band
    ) -> tuple[Floats, Flags]:
        dark, is_dark_seen = self._mean(way % len(_DIRECTIONS), *within_mm)
        light, is_light_seen = self._mean(way % len(_DIRECTIONS), *(edge_mm + mm for mm in beyond))
        told = is_dark_seen & is_light_seen
        return np.where(told, np.clip(dark - light, *_STEP_LIMITS), 0.0), told

    def _mean(self, way: Places, low_mm: Floats, high_mm: Floats) -> tuple[Floats, Flags]:
        """The mean darkness (guesses, N) between two distances from the feet, and whether enough is seen."""
        feet, ways, steps = self._dark.shape
        first = (np.arange(feet) * ways + way) * steps
        a, b = (
            np.minimum(np.maximum(np.rint(v / _STEP_MM), 0), steps - 1).astype(np.intp)
            for v in (low_mm, high_mm)
        )
        least = np.maximum(2, (b - a) / 2)
        a += first
        b += first
        total, count = (sums.take(b) - sums.take(a) for sums in (self._dark, self._clear))
        return total / np.maximum(count, 1), count >= least


def _seen_at(at_px: Floats, seen: Evidence, owners: Mask) -> tuple[Floats, Flags]:
    """How much darker than the bare board points (…, 2) of the flat picture are (natural logarithm), and
    whether they show the board.
    """
    rows, columns, inside = places_at(at_px, len(owners))
    now, then = seen.compared(rows, columns)
    share = np.maximum(then, _DARK) / np.maximum(now, _DARK)
    off = np.log(share[..., 0] * share[..., 1] * share[..., 2]) / 3
    dark = np.asarray(np.clip(off, -_MOST_DARK, _MOST_DARK), dtype=np.float64)
    return dark, inside & (gathered(owners, rows, columns) == 0)


_PARTS = np.linspace(0.2, 0.8, 7)
"""Where a shadow is looked at along the length that a further piece adds, in parts of that length."""
_BESIDE = np.linspace(-0.45, 0.45, 5)
"""Where it is looked at across: distances from the shadow's middle line, in parts of a piece's radius."""
_LEAST_LONGER_MM, _LEAST_CLEAR = 5.0, 0.4
"""How much longer a further piece must make a shadow, and the share of that length that must be seen, to tell
anything.
"""
_PLAIN = 0.2
"""A shadow of this depth (natural logarithm) or more counts in full, and a fainter one less. Shadows 0.13 to
0.3 deep are right as often as deeper ones.
"""
_SHAPE_STEPS = 5
"""How many discs make a shadow's outline."""


def lengths(
    cast: Cast, seen: Evidence, tops_px: Floats, shape: Shape, owners: Mask, highest: int, sure: int
) -> Floats:
    """How the shadows of tops (N, 2), in pixels of the flat picture, go with two, three … pieces:
    (N, highest - 1).

    1 means that the board there is in shadow, -1 that it is as lit as the bare board, 0 that it cannot be
    seen. Tops after the first `sure` ones may be none. Their shadows therefore hide nothing of what belongs
    to the first ones.
    """
    radius = shape.diameter_mm / 2 * shape.canvas.px_per_mm
    shaded = np.zeros_like(owners)
    for me, foot in reversed(list(enumerate(shape.feet_px(tops_px), 1))):
        for part in np.linspace(0.0, 1.0, _SHAPE_STEPS):
            draw_disc(shaded, foot + part * cast.shadow_px(foot), radius, me)
    levels = np.arange(1, highest)[:, None]
    feet = tops_px[:, None] + shape.lean_px(tops_px)[:, None] * (levels + 1)
    short, long = (cast.shadow_px(feet, levels + more) for more in (0, 1))
    length = np.hypot(*np.moveaxis(long - short, -1, 0))[..., None, None, None]
    along = (long - short)[..., None, None, :] / np.maximum(length, 1e-6)
    aside = along[..., ::-1] * (-1, 1) * radius * _BESIDE[:, None]
    ahead = radius * np.sqrt(1 - _BESIDE**2)[:, None]
    # Points on arcs, from the tip that one piece less would cast onward: (tops, levels, parts, beside, 2).
    at = (feet + short)[..., None, None, :] + (ahead + _PARTS[:, None, None] * length) * along + aside
    at = at.reshape(*feet.shape[:2], -1, 2)
    dark, clear = _seen_at(at, seen, owners)
    shadow = gathered(shaded, *places_at(at, len(owners))[:2])
    each = np.arange(1, len(tops_px) + 1)[:, None, None]
    clear &= (shadow == 0) | (shadow == each) | ((shadow > sure) & (each <= sure))
    shade = seen_medians(dark, clear) / cast.depth
    told = length[..., 0, 0, 0] >= _LEAST_LONGER_MM * shape.canvas.px_per_mm
    told &= clear.mean(axis=-1) >= _LEAST_CLEAR
    looks = np.clip(2 * shade - 1, -1, 1) * min(1.0, cast.depth / _PLAIN)
    second = looks[:sure][told[:sure, 0], 0]
    if len(second) and np.median(second) > 0:
        # Most pieces stand alone. If most seem to have a second piece below, the length that was learned is
        # wrong.
        return np.zeros_like(looks)
    return np.where(told, looks, 0.0)

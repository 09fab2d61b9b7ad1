"""Shadows that one hard lamp casts: how long a piece's is tells how many pieces stand there.

A lamp over a point L of the plan casts shadows away from L, and the longer the farther from there a piece
stands: from foot to tip it is k × (foot - L). Where shadows are soft, or lamps many, nothing is told.
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
_SPREADS = np.array([0.0, 0.012, 0.024, 0.036])
"""How much longer shadows grow on the way away from the lamp: a lamp 500 mm above the board has 0.035."""
_STEP_MM = 1.0
_REACH_MM = 80.0
_WITHIN, _BEYOND_MM = (0.25, 0.85), (3.0, 9.0)
"""At first: the part of a shadow that is surely dark, and how far beyond its tip it is light."""
_FINER_MM = (2.5, 2.5, 1.0)
_FINER_SPREADS = np.array([-0.012, -0.006, 0.0, 0.006, 0.012])
"""Then, round after round: up to two such steps to each side, and how much more or less they may grow."""
_TURNS = (-8, -5, -3, 0, 3, 5, 8)
"""Directions beside a shadow's own in which its outline is looked at, to either side of its tip."""
_TIP_MM, _SOFT_MM = 4.0, 1.0
"""What is compared on either side of a shadow's tip, to find its place, but for what is soft."""
_SHORTEST_MM = 12.0
"""Of shorter shadows a second piece's share is lost in what is soft at their tips."""
_DARK = 0.02
_MOST_DARK = 1.2
_HARD, _MOST_PIECES, _FEWEST = 0.1, 0.6, 5
"""How much darker (a logarithm) shadows are than what lies beyond their tips, for so many of the pieces, and
at least of so many: else no lamp is hard enough. Of seven path-traced tables two bulbs and a side lamp are
found in 18 of 22 frames, strips in none; what a window casts is mostly too short.
"""
_STEPS = (-0.5, 0.7)
"""No single piece says more: other pieces' shadows, glare and lines happen."""


@dataclass(frozen=True)
class Cast:
    """Shadows of single pieces: from foot to tip `offset_px + spread × foot`, in pixels of the flat picture,
    and how much darker they are (a logarithm).
    """

    offset_px: Floats
    spread: float
    depth: float

    def shadow_px(self, foot_px: Floats, pieces: npt.ArrayLike = 1) -> Floats:
        """From feet (…, 2) to tips (…, 2), of so many pieces (…, 1) on each other."""
        once = self.offset_px + self.spread * foot_px
        count = np.asarray(pieces)
        # A lamp so many piece heights above the board; higher stacks come nearer to it.
        part = self.spread / (1 + self.spread)
        return np.asarray(once * count * (1 - part) / (1 - count * part))


def learn(seen: Evidence, tops_px: Floats, shape: Shape, owners: Mask) -> Cast | None:
    """The shadows that most of these tops (N, 2) cast alike; None where there are none, or soft ones.

    `owners` (size, size) says where pieces stand.
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
    if told.sum() < _FEWEST or (step[told] > _HARD).mean() < _MOST_PIECES:
        return None
    if np.hypot(*offset[best]) < _SHORTEST_MM * scale:
        return None
    return Cast(offset[best] - spread[best] * middle, float(spread[best]), float(np.median(step[told])))


class _Rays:
    """How dark the board is round feet (N, 2), direction by direction."""

    def __init__(self, seen: Evidence, feet_px: Floats, shape: Shape, owners: Mask) -> None:
        self._scale = shape.canvas.px_per_mm
        self._radius_mm = shape.diameter_mm / 2
        far_mm = np.arange(self._radius_mm, _REACH_MM, _STEP_MM)
        rays = np.column_stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)])
        at = feet_px[:, None, None] + rays[:, None] * (far_mm * self._scale)[:, None]
        dark, clear = _seen_at(at, seen, owners)
        # Sums from the foot on, so that any stretch's is a difference.
        none = np.zeros((*clear.shape[:2], 1))
        self._dark, self._clear = (
            np.concatenate([none, v.cumsum(axis=2)], axis=2)
            for v in (np.where(clear, dark, 0.0), clear * 1.0)
        )

    def steps(self, shadows_px: Floats, part: Band, within: Band, beyond: Band) -> tuple[Floats, Flags]:
        """How much darker (guesses, N) the board is within shadows (guesses, N, 2) from foot to tip than
        beyond, and where that shows: from `part` of the way, and `within` mm of that, to `beyond` mm.
        """
        long_mm, way = self._polar(shadows_px)
        return self._step(
            way, [p * long_mm + mm for p, mm in zip(part, within, strict=True)], long_mm, beyond
        )

    def outlines(self, shadows_px: Floats, within: Band, beyond: Band) -> Floats:
        """The same (guesses, N) across a shadow's outline all round its tip, added up."""
        long_mm, way = self._polar(shadows_px)
        total = np.zeros(long_mm.shape)
        for turn in _TURNS:
            angle = abs(turn) * _DIRECTIONS[1]
            # From the foot's middle to its rim, to the tip's arc, or to the straight flank before that.
            arc = long_mm * np.cos(angle) + np.sqrt(
                np.maximum(self._radius_mm**2 - (long_mm * np.sin(angle)) ** 2, 0)
            )
            flank = self._radius_mm / max(np.sin(angle), 1e-6)
            edge_mm = np.where(flank * np.cos(angle) < long_mm, flank, arc) - self._radius_mm
            total += self._step(way + turn, [edge_mm + mm for mm in within], edge_mm, beyond)[0]
        return total

    def _polar(self, shadows_px: Floats) -> tuple[Floats, Places]:
        """How long shadows (…, 2) are, in mm, and which direction is nearest to theirs."""
        turn = np.arctan2(shadows_px[..., 1], shadows_px[..., 0]) / (2 * np.pi) * len(_DIRECTIONS)
        return np.hypot(*np.moveaxis(shadows_px, -1, 0)) / self._scale, np.rint(turn).astype(np.intp)

    def _step(
        self, way: Places, within_mm: Sequence[Floats], edge_mm: Floats, beyond: Band
    ) -> tuple[Floats, Flags]:
        dark, is_dark_seen = self._mean(way % len(_DIRECTIONS), *within_mm)
        light, is_light_seen = self._mean(way % len(_DIRECTIONS), *(edge_mm + mm for mm in beyond))
        told = is_dark_seen & is_light_seen
        return np.where(told, np.clip(dark - light, *_STEPS), 0.0), told

    def _mean(self, way: Places, low_mm: Floats, high_mm: Floats) -> tuple[Floats, Flags]:
        """The mean darkness (guesses, N) between two distances from feet, and whether enough is seen."""
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
    """How much darker than the bare board points (…, 2) are (logarithms), and whether they show the board."""
    rows, columns, inside = places_at(at_px, len(owners))
    now, then = seen.compared(rows, columns)
    share = np.maximum(then, _DARK) / np.maximum(now, _DARK)
    off = np.log(share[..., 0] * share[..., 1] * share[..., 2]) / 3
    dark = np.asarray(np.clip(off, -_MOST_DARK, _MOST_DARK), dtype=np.float64)
    return dark, inside & (gathered(owners, rows, columns) == 0)


_PARTS = np.linspace(0.2, 0.8, 7)
"""Of what a further piece adds to a shadow: where it is looked at."""
_BESIDE = np.linspace(-0.45, 0.45, 5)
"""Of a piece's radius: how far beside a shadow's middle."""
_LEAST_LONGER_MM, _LEAST_CLEAR = 5.0, 0.4
_PLAIN = 0.2
"""Shadows so deep tell as much as any, fainter ones less: of those of 0.13 to 0.3 as many are right as of
deeper ones.
"""
_SHAPE_STEPS = 5
"""Discs that make a shadow's outline."""


def lengths(
    cast: Cast, seen: Evidence, tops_px: Floats, shape: Shape, owners: Mask, highest: int, sure: int
) -> Floats:
    """Whether the shadows of tops (N, 2) are as long as those of two, three … pieces (N, highest - 1).

    From -1, as lit as bare board, to 1, in shadow; 0 where that cannot be seen. Those after the first `sure`
    ones may be no tops, and throw no shadow on what belongs to these.
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
    # The arc of its tip, from where one piece less would leave it: (tops, levels, parts, beside, 2).
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
        # Most pieces stand alone: shadows of another length than this one were learned.
        return np.zeros_like(looks)
    return np.where(told, looks, 0.0)

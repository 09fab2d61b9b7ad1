"""What stands under a top: a stack's side, weighed against the board in its pieces' shadow.

Each piece more shows a further stretch of side towards the lens's foot point, painted above and bare brass
below. A shadow darkens the board along one line of colours, the same all over a frame, and smoothly; paint
does not, and where one piece stands on another there is a joint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from uckers_table.vision.appearance import Evidence
from uckers_table.vision.camera import Floats
from uckers_table.vision.channels import (
    Flags,
    Places,
    channel_sum,
    doubled,
    gathered,
    medians,
    places_at,
    seen_medians,
)
from uckers_table.vision.light import Map
from uckers_table.vision.shape import Mask, Shape

HIGHEST = 4
"""Pieces in the highest stack looked for."""
_LEVELS = np.arange(1, HIGHEST)
"""Where further pieces stand: a second from the top, a third …"""

_EVERY = 6
"""Every so manieth row tells what shadows look like."""
_PALE = 0.5
"""Paint that sends back so much in each channel shows the colour of a shadow."""
_DIM = (0.2, 0.75)
"""How much light is missing in shadows whose colour is learned."""
_ENOUGH = 100
_USUAL_DEEPEST = 0.5
_DEEPEST = 90
"""Percentile of the missing light that counts as the deepest shadow."""


@dataclass(frozen=True)
class Shade:
    """What shadows do to the board in one frame: they take `tint` (3,), whose mean is 1, times so much of its
    light, up to `deepest`.
    """

    tint: Floats
    deepest: float

    @classmethod
    def learned(cls, seen: Evidence, covered: Mask, margin_px: int) -> Shade:
        """From the pale paint that changed and that no piece covers."""
        some = slice(margin_px, -margin_px, _EVERY), slice(margin_px, -margin_px)
        rows, columns = np.nonzero(doubled(seen.active)[some] & (covered[some] == 0))
        now, then = _now_and_then(seen, rows * _EVERY + margin_px, columns + margin_px)
        pale = then.min(axis=1) > _PALE
        missing = 1 - now[pale] / then[pale]
        dim = channel_sum(missing) / 3
        shadow = (missing.min(axis=1) > 0) & (dim > _DIM[0] / 2)
        deepest = float(np.percentile(dim[shadow], _DEEPEST)) if shadow.sum() > _ENOUGH else _USUAL_DEEPEST
        clear = shadow & (dim > _DIM[0]) & (dim < _DIM[1])
        if clear.sum() <= _ENOUGH:
            return cls(np.ones(3), deepest)
        return cls(np.median(missing[clear] / dim[clear, None], axis=0).astype(np.float64), deepest)


@dataclass(frozen=True)
class Side:
    """What is seen below one top: places (steps, across) along arcs parallel to its rim, one every `STEP_MM`
    towards the lens's foot point from the rim's own place on, and whether nothing else hides them.

    Each piece takes `lean_mm` of that way.
    """

    rows: Places
    columns: Places
    is_seen: Flags
    lean_mm: float

    @classmethod
    def below(cls, top_px: Floats, shape: Shape, owners: Mask, me: int) -> Side:
        """Below a top; `owners` (size, size) says which top each pixel belongs to, 0 and `me` being free."""
        lean, scale = shape.lean_px(top_px), shape.canvas.px_per_mm
        length = float(np.hypot(*lean))
        toward = lean / max(length, 1e-6)
        beside = _ACROSS * shape.top_radius_px
        along = np.sqrt(shape.top_radius_px**2 - beside**2) + (_STEPS_MM[:, None] + _TOO_FAR_OUT_MM) * scale
        x, y = (top_px[k] + along * toward[k] for k in (0, 1))
        at_px = np.stack([x - beside * toward[1], y + beside * toward[0]], axis=-1)
        rows, columns, inside = places_at(at_px, len(owners))
        owner = gathered(owners, rows, columns)
        return cls(rows, columns, inside & ((owner == 0) | (owner == me)), length / scale)


_TOO_FAR_OUT_MM = 0.3
"""Tops are found so much too far from the lens, by their rounded far edge: 41 tables on the whole."""
STEP_MM = 0.5
_STEPS_MM = np.arange(-1.0, 38.0, STEP_MM)
_ACROSS = np.linspace(-0.8, 0.8, 17)
"""Of a top's radius: farther out an arc is seen too much from the side."""

WEIGHTS = np.array([1.6, -6.11, 7.31, 3.33, -2.56, -2.56])
BIAS = -0.22
"""Of a logistic regression (`scripts/fit_sides.py`) that tells a further piece from none, as if both were as
frequent: of 3069 places under tops, 418 of them pieces, on seven tables, four of them in nine versions.
"""
MOST = 5.0
"""No side says more, as a log-likelihood: it was learned from some hundreds."""


def weigh(seen: Evidence, sides: Sequence[Side], colours: Map, shade: Shade) -> Floats:
    """Log-likelihoods (sides, HIGHEST - 1, colours) of a second, third … piece of each colour under tops,
    against the bare board there.
    """
    known, looks = looks_of(seen, sides, colours, shade)
    odds = looks @ WEIGHTS + BIAS
    # Which colour it is may be told better than that there is a piece at all.
    odds -= np.maximum(odds.max(axis=-1, keepdims=True) - MOST, 0)
    return np.where(known[..., None], np.maximum(odds, -MOST), 0.0)


def looks_of(seen: Evidence, sides: Sequence[Side], colours: Map, shade: Shade) -> tuple[Flags, Floats]:
    """What is weighed (sides, HIGHEST - 1, colours, 6), and where (sides, HIGHEST - 1) enough is seen for it.

    How much better paint of that colour explains the painted stretch than the board in shadow; the step into
    the light at the foot of the piece above, and at this one's; how uneven the side is lit, for joints and
    brass show where a shadow is smooth; how far off the line of shadows its colour lies; and how much of it
    is as bright as the bare board.
    """
    rows, columns, is_seen = (
        np.stack([getattr(s, n) for s in sides]) for n in ("rows", "columns", "is_seen")
    )
    lean_mm = np.array([s.lean_mm for s in sides])
    now, then = _now_and_then(seen, rows, columns)
    brightness = channel_sum(np.log(np.maximum(now, _DARK) / np.maximum(then, _DARK))) / 3
    profiles = _Profiles.of(brightness, is_seen, lean_mm)
    painted = is_seen[:, None] & _painted(lean_mm)[..., None]
    counts = painted.sum(axis=(2, 3))
    known = (lean_mm >= _LEAST_LEAN_MM)[:, None] & (counts >= _LEAST_POINTS)
    looks = np.zeros((*known.shape, len(colours), len(WEIGHTS)))
    if not known.any():
        return known, looks
    is_bare = (np.abs(brightness) < _BARE)[:, None] & painted
    for look, values in (
        (1, profiles.rises(_LEVELS)),
        (2, profiles.rises(_LEVELS + 1)),
        (3, profiles.unevenness()),
        (5, is_bare.sum(axis=(2, 3)) / np.maximum(counts, 1)),
    ):
        looks[..., look] = np.where(known, values, 0.0)[..., None]
    # All points of all stretches of side in one row, `each` saying which stretch's they are.
    tops, places = np.nonzero(known)
    counts = counts[tops, places]
    each, steps, across = np.nonzero(painted[tops, places])
    n, t = (colour[tops[each], steps, across] for colour in (now, then))
    ground = _ground(n, t, shade)
    unpainted = np.minimum(_surface(n, _BRASS), _UNKNOWN) + _UNPAINTED_COST
    area = counts * STEP_MM
    paints = [np.minimum(_surface(n, np.asarray(colour, dtype=np.float64)), unpainted) for colour in colours]
    best = np.min(paints, axis=0)
    there = np.clip((ground - best) / 2, -_CAP, _CAP)
    for seat, paint in enumerate(paints):
        # That something is there for sure says nothing for a colour that it has not.
        gains = np.maximum(there - np.minimum((paint - best) / 2, _CAP), -_CAP)
        gain = np.bincount(each, weights=gains) / counts
        looks[tops, places, seat, 0] = gain * area / (area + _HALF_AREA)
    both = np.split(np.concatenate([n, t], axis=1), counts.cumsum()[:-1])
    middles = np.array([medians(points) for points in both])
    looks[tops, places, :, 4] = _off_shadow(middles[:, :3], middles[:, 3:], shade)[:, None]
    return known, looks


_DARK = 0.02
_LEAST_LEAN_MM, _LEAST_POINTS = 0.6, 5
_BARE = 0.06
"""So little brighter or darker, as a logarithm, is lit as the bare board was."""
_CAP = 2.0
"""No single point says more: worn paint, highlights and the picture's own blur happen."""
_HALF_AREA = 20.0
"""So many square millimetres tell half of what a large stretch does."""
_PAINT = (0.15, 0.7)
"""The part of a piece's side that shows its paint and not the edges."""
_STEP_REACH_MM, _STEP_SLACK_MM, _STEP_SLACK = 0.75, 1.5, 0.35
"""Half the distance over which light rises at a foot, and how far from its place that is looked for: so many
millimetres, or that part of a piece's side."""
_MOST_RISE, _MOST_UNEVEN, _MOST_OFF = (-0.5, 0.8), 0.15, 1.0


def _painted(lean_mm: Floats) -> Flags:
    """Which steps (sides, levels, steps) show the paint of a second piece, a third …"""
    low, high = ((_LEVELS + part) * lean_mm[:, None] for part in _PAINT)
    painted = (low[..., None] <= _STEPS_MM) & (high[..., None] >= _STEPS_MM)
    nearest = np.abs(_STEPS_MM - ((low + high) / 2)[..., None]) <= STEP_MM / 2
    return np.where(painted.any(axis=-1, keepdims=True), painted, nearest)


@dataclass(frozen=True)
class _Profiles:
    """How bright sides are, compared with the bare board: logarithms (sides, steps), between steps that are
    `told` on the line from one to the next.
    """

    brightness: Floats
    told: Flags
    lean_mm: Floats

    @classmethod
    def of(cls, brightness: Floats, is_seen: Flags, lean_mm: Floats) -> _Profiles:
        """From what is seen of them (sides, steps, across)."""
        told = is_seen.sum(axis=-1) >= _LEAST_POINTS
        middles = seen_medians(brightness, is_seen)
        filled = [
            np.interp(_STEPS_MM, _STEPS_MM[some], middle[some]) if some.any() else middle
            for some, middle in zip(told, middles, strict=True)
        ]
        return cls(np.array(filled), told, lean_mm)

    def rises(self, feet: npt.NDArray[np.intp]) -> Floats:
        """The steepest rises (sides, feet) near the feet of so many pieces."""
        slack = np.minimum(_STEP_SLACK_MM, _STEP_SLACK * self.lean_mm)[:, None]
        steps = np.arange(0, 2 * _STEP_SLACK_MM + 0.01, STEP_MM)
        near = (feet * self.lean_mm[:, None] - slack)[..., None] + steps
        rise = self._at(near + _STEP_REACH_MM) - self._at(near - _STEP_REACH_MM)
        within = (steps < 2 * slack + 0.01)[:, None]
        return np.asarray(np.clip(np.where(within, rise, -np.inf).max(axis=-1), *_MOST_RISE))

    def _at(self, along_mm: Floats) -> Floats:
        """The brightness of each side at places (sides, …) along it."""
        place = np.clip((along_mm - _STEPS_MM[0]) / STEP_MM, 0, len(_STEPS_MM) - 1)
        before = np.minimum(place.astype(np.intp), len(_STEPS_MM) - 2)
        side = np.arange(len(place))[:, None, None]
        here, beyond = self.brightness[side, before], self.brightness[side, before + 1]
        return np.asarray(here + (beyond - here) * (place - before))

    def unevenness(self) -> Floats:
        """How far brightness lies off a straight line along each further piece and its foot (sides, levels);
        × 10.
        """
        low, high = ((_LEVELS + part) * self.lean_mm[:, None] for part in (0.1, 1.3))
        inner = (low[..., None] <= _STEPS_MM) & (high[..., None] >= _STEPS_MM) & self.told[:, None]
        count = np.maximum(inner.sum(axis=-1, keepdims=True), 1)

        def centred(values: Floats) -> Floats:
            return np.where(inner, values - (values * inner).sum(axis=-1, keepdims=True) / count, 0.0)

        x, y = centred(_STEPS_MM), centred(self.brightness[:, None])
        slope = (x * y).sum(axis=-1) / np.maximum((x * x).sum(axis=-1), 1e-9)
        off = y - x * slope[..., None]
        spread = np.sqrt((off * off).sum(axis=-1) / count[..., 0])
        return np.where(count[..., 0] > 3, 10 * np.minimum(spread, _MOST_UNEVEN), 0.0)


def _off_shadow(now: Floats, then: Floats, shade: Shade) -> Floats:
    """How far (N,) the hues of colours (N, 3) lie off those that the board has in its shadow."""
    missing = np.maximum(1 - now.mean(axis=1) / np.maximum(then.mean(axis=1), 0.03), 0)
    hue, shadow = now / np.maximum(then, 0.03), 1 - missing[:, None] * shade.tint
    hue, shadow = hue / np.maximum(hue.mean(axis=1), 0.02)[:, None], shadow / shadow.mean(axis=1)[:, None]
    return np.asarray(np.minimum(np.abs(hue - shadow).max(axis=1), _MOST_OFF))


def _now_and_then(
    seen: Evidence, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """The colours (…, 3) now and of the bare board at pixels (…), white paint = 1."""
    now, then = seen.compared(rows, columns)
    return np.asarray(now, dtype=np.float64), np.asarray(then, dtype=np.float64)


_HAZE_LOSS = 0.06
"""A shadow takes away the sheen of varnish too, so much white."""
_SHADOW_COST = 1.5
_TOO_DEEP, _MOST_TOO_DEEP = 0.08, 4.0
"""How much deeper than the deepest a shadow may be at a price, and the highest price."""


def _ground(now: Floats, then: Floats, shade: Shade) -> Floats:
    """-2 log likelihood (N,) of the bare board, lit or in shadow: then - missing × tint × then - haze."""
    weight = 1 / (0.025 + 0.05 * then) ** 2
    lost = then * shade.tint
    a = channel_sum(weight * lost * lost) + 1 / 0.6**2
    b = channel_sum(weight * lost)
    c = channel_sum(weight) + 1 / _HAZE_LOSS**2
    p, q = channel_sum(weight * (then - now) * lost), channel_sum(weight * (then - now))
    missing = np.clip((p * c - q * b) / (a * c - b * b), -0.15, 0.95)
    haze = np.clip((q - missing * b) / c, -0.05, 0.2)
    expected = np.maximum(then - missing[:, None] * lost - haze[:, None], 0)
    sigma = 0.025 + 0.04 * expected + 0.03 * np.maximum(missing, 0)[:, None] * then
    cost = _SHADOW_COST * (missing > 0.08) + (haze / _HAZE_LOSS) ** 2 * np.where(missing > 0.08, 0.5, 1)
    cost += np.minimum((np.maximum(missing - shade.deepest, 0) / _TOO_DEEP) ** 2, _MOST_TOO_DEEP)
    cost += (np.maximum(-missing - 0.05, 0) / 0.05) ** 2
    return _misfit(now - expected, sigma) + cost


_BRASS = np.array([0.3, 0.5, 0.7])
_UNKNOWN, _UNPAINTED_COST = 6.0, 6.0
_LIT, _LIT_SPREAD = 0.6, 0.35
"""How brightly a side is lit, compared with a top."""
_SHEEN = 0.25
"""A side mirrors the board and the room: so much white is added."""


def _surface(now: Floats, colour: Floats) -> Floats:
    """-2 log likelihood (N,) of a side of this colour, more or less lit, with more or less sheen."""
    weight = 1 / (0.02 + 0.075 * colour) ** 2
    a, b = float((weight * colour * colour).sum()) + 1 / _LIT_SPREAD**2, float((weight * colour).sum())
    c = float(weight.sum()) + 1 / _SHEEN**2
    p, q = (now * (weight * colour)).sum(axis=1) + _LIT / _LIT_SPREAD**2, (now * weight).sum(axis=1)
    lit = np.clip((p * c - q * b) / (a * c - b * b), 0.12, 1.2)
    sheen = np.clip((q - lit * b) / c, -0.03, 0.5)
    expected = lit[:, None] * colour + sheen[:, None]
    sigma = 0.02 + 0.15 * lit[:, None] * colour + 0.1 * np.abs(sheen)[:, None]
    cost = ((lit - _LIT) / _LIT_SPREAD) ** 2 + (sheen / _SHEEN) ** 2
    return np.asarray(_misfit(now - expected, sigma) + cost)


def _misfit(off: Floats, sigma: Floats) -> Floats:
    """-2 log likelihood of deviations (N, 3), the constant left out."""
    return np.asarray(channel_sum((off / sigma) ** 2) + 2 * np.log(sigma[:, 0] * sigma[:, 1] * sigma[:, 2]))

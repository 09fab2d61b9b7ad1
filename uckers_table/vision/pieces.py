"""Finding pieces: upright cylinders of known size and colours, each hiding the board behind it.

Laid flat, a piece is the hull of two discs: its foot, and its top moved away from the point under the
lens. How far the top is from the foot tells how many pieces are stacked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from uckers_table.game.board import PIECES
from uckers_table.vision.appearance import Canvas, Evidence, Map
from uckers_table.vision.camera import Camera, Floats

HIGHEST = 4
"""Pieces in the highest stack looked for."""


@dataclass(frozen=True)
class Stack:
    """A top, and what may stand under it; the foot of a single piece in plan millimetres.

    `colours` are seats' indices, the top last; those under it are what they would be if there. `score` is
    the log-odds of the top; `levels` how much better each height 1 … explains the picture than one piece.
    """

    colours: tuple[int, ...]
    x_mm: float
    y_mm: float
    score: float
    levels: tuple[float, ...] = ()


@dataclass(frozen=True)
class Shape:
    """How pieces look from this camera.

    Of a piece's side only the upper `solid_mm` can be told by its colour; below, a case's groove is as
    dark as the shadow it stands in.
    """

    camera: Camera
    canvas: Canvas
    height_mm: float
    diameter_mm: float
    solid_mm: float

    def top_px(self, foot_mm: Floats, level: int = 1) -> tuple[Floats, float]:
        """Centre and radius in the flat picture of the top of a stack with this foot (2,)."""
        height = self.height_mm * level
        centre = self.canvas.px(self.camera.lifted(foot_mm[None], height))[0]
        return centre, self.diameter_mm / 2 * self.camera.swell(height) * self.canvas.px_per_mm

    def outward(self, px: Floats) -> Floats:
        """The direction (2,) in the flat picture in which things that stand up lean there."""
        away = px - self.canvas.px(self.camera.centre_mm[None, :2])[0]
        return np.asarray(away / max(float(np.linalg.norm(away)), 1e-6))

    def foot_mm(self, top_px: Floats, level: int = 1) -> Floats:
        """The foot (2,) of a stack whose top is centred there in the flat picture."""
        return self.camera.grounded(self.canvas.mm(top_px[None]), self.height_mm * level)[0]


_DISC_STEPS = 16
"""Sub-pixel steps of cv2's shifted drawing."""


def _draw_disc(target: np.ndarray, centre: Floats, radius: float, value: int = 1) -> None:
    x, y = (round(float(v) * _DISC_STEPS) for v in centre)
    cv2.circle(target, (x, y), round(radius * _DISC_STEPS), value, -1, cv2.LINE_8, 4)


def hull_mask(shape: tuple[int, int], a: Floats, ra: float, b: Floats, rb: float) -> np.ndarray:
    """A mask (uint8) of the hull of two discs."""
    mask = np.zeros(shape, dtype=np.uint8)
    _draw_disc(mask, a, ra)
    _draw_disc(mask, b, rb)
    along = b - a
    length = float(np.hypot(*along))
    if length > 0.5:
        side = np.array([-along[1], along[0]]) / length
        ring = np.array([a + side * ra, b + side * rb, b - side * rb, a - side * ra])
        cv2.fillConvexPoly(mask, np.rint(ring * _DISC_STEPS).astype(np.int32), 1, cv2.LINE_8, 4)
    return mask


MIN_SCORE = 0.3
"""Log-odds of being a piece from which one is claimed."""
_MISSED = 1.0
"""Less is enough for a colour of which fewer than four were found: what is missing stands somewhere."""

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
_COARSE = 2
"""Every second pixel is tried first."""
_AWAY = -0.2
_MOST = 40
_SLACK_PX = 5
"""How far an outline may lie from the first guess."""


def find(seen: Evidence, shape: Shape, colours: Map, min_score: float = MIN_SCORE, dice_px: Sequence[Floats] = (), likely: Map | None = None) -> list[Stack]:
    """All stacks, the most certain first: discs with an edge all round and a piece's colour inside.

    `colours` (seats, 3) as reflected; without any, all discs are found, of colour 0.
    """
    scale = shape.canvas.px_per_mm
    radius = (shape.diameter_mm / 2 - _BEVEL_MM) * shape.camera.swell(shape.height_mm) * scale
    found: list[tuple[float, Floats, Map]] = []
    for at in _discs(seen, radius, scale):
        top, steps = _sharpest(seen.change, at, radius, scale, shape.outward(at))
        if float(np.minimum(steps, _EDGE_CAP).mean()) > _MIN_EDGE:
            found.append((float(np.log1p(steps).mean()), top, steps))
    found.sort(key=lambda item: -item[0])
    tops: list[tuple[Floats, int, float]] = []
    claimed = np.zeros(seen.active.shape, dtype=np.uint8)
    for die in dice_px:
        _draw_disc(claimed, die, _DIE_RADIUS_MM * scale, 255)
    seen_of = np.zeros(max(len(colours), 1), dtype=int)
    for least in (min_score, min_score - _MISSED):
        for order, top, steps in found:
            free = _unclaimed(claimed, top, radius, scale)
            if free.sum() < len(_RING) * _MIN_FREE:
                continue
            colour, features = _features(seen, top, radius, steps, free, colours)
            if len(colours):
                score = float(features @ _WEIGHTS + _BIAS)
                if likely is not None:
                    column, row = np.clip(np.rint(shape.canvas.px(shape.foot_mm(top)[None])[0]), 0, shape.canvas.size - 1)
                    score += float(likely[int(row), int(column)])
                if least < min_score and seen_of[colour] >= PIECES:
                    continue
            else:
                score = order + 0.4 * _inside(seen.strange, top, radius)
            if LOG is not None:
                LOG.append((top, colour, features, score))
            if len(colours) and score < least:
                continue
            seen_of[colour] += 1
            tops.append((top, colour, score))
            _claim(claimed, shape, top, _first_level(seen, top, shape), len(tops))
    owners = np.zeros(claimed.shape, dtype=np.uint8)
    for me, (top, _, _) in reversed(list(enumerate(tops, 1))):
        _claim(owners, shape, top, 1, me)
    return [
        _climb(seen, colour, top, score, shape, owners, me) for me, (top, colour, score) in enumerate(tops, 1)
    ]


LOG = None
_WEIGHTS = np.array([0.780, 0.629, 0.454, 4.493, -1.250, 0.024, -6.052, 5.977, 0.144, 0.124, 0.441, 0.000, -0.929])
_BIAS = -15.09
_MIN_FREE = 0.4
_DIE_RADIUS_MM = 10.0
_CLAIMED_SLACK_MM = 1.5


def _unclaimed(claimed: np.ndarray, top: Floats, radius: float, scale: float) -> np.ndarray:
    """At which angles no piece found before stands beside a top; none at all where one stands inside."""
    size = claimed.shape[0]

    def at(r: float) -> np.ndarray:
        places = np.clip(np.rint(top + _RING * r).astype(np.intp), 0, size - 1)
        return claimed[places[:, 1], places[:, 0]] > 0

    inside = at(radius - _EDGE_MM * scale)
    if inside.mean() > 0.35:
        return np.zeros(len(_RING), dtype=bool)
    return ~(at(radius + _CLAIMED_SLACK_MM * scale) | at(radius + _EDGE_MM * scale) | inside)


def _inside(layer: Map, top: Floats, radius: float) -> float:
    """The mean of a map well inside a top."""
    r = int(radius * 0.75)
    x, y = np.rint(top).astype(int)
    patch = layer[max(0, y - r) : y + r + 1, max(0, x - r) : x + r + 1]
    return float(patch.mean()) if patch.size else 0.0


_SHEEN = 0.08


def _features(
    seen: Evidence, top: Floats, radius: float, steps: Map, free: np.ndarray, colours: Map
) -> tuple[int, Floats]:
    """The likeliest colour of a top, and what speaks for and against its being one."""
    r = int(radius * 0.75)
    x, y = np.rint(top).astype(int)
    rows, columns = slice(max(0, y - r), y + r + 1), slice(max(0, x - r), x + r + 1)
    patch = seen.reflected[rows, columns].reshape(-1, 3)
    sharp = np.log1p(steps[free])
    capped = np.minimum(steps[free], _EDGE_CAP)
    edge = [float(sharp.mean()), float(capped.mean()), float(np.percentile(sharp, 20)), float(free.mean())]
    if not len(colours):
        return 0, np.array(edge)
    middle = np.maximum(np.median(patch, axis=0), 0.01)
    shade = np.clip((colours * middle).sum(axis=1) / (colours**2).sum(axis=1), 0.3, 1.5)
    expected = colours * shade[:, None]
    variance = (0.08 * expected + 0.03) ** 2
    off = middle - expected
    # Varnish has a sheen that differs from place to place: it adds some white.
    sheen = (off / variance).sum(axis=1) / ((1 / variance).sum(axis=1) + 1 / _SHEEN**2)
    misfit = ((off - sheen[:, None]) ** 2 / variance).sum(axis=1) + (sheen / _SHEEN) ** 2
    total = misfit + ((shade - 1) / 0.25) ** 2
    best = int(total.argmin())
    others = np.delete(total, best)
    own = patch @ middle / max(float((middle**2).sum()), 1e-6)
    even = (((patch - own[:, None] * middle) / (0.1 * middle + 0.05)) ** 2).sum(axis=1) + ((own - 1) / 0.25) ** 2
    inside = [
        float(np.minimum(misfit[best], 40) ** 0.5),
        float(np.minimum(others.min() - total[best], 40)) if len(others) else 0.0,
        float(abs(shade[best] - 1)),
        float((even < 6).mean()),
        float(seen.solid[rows, columns].mean()),
        float(seen.strange[rows, columns].mean()),
        float(seen.llr[best][rows, columns].mean()),
        float(seen.active[rows, columns].mean()),
        float(np.log1p((seen.change[rows, columns] ** 2).sum(axis=2)).mean()),
    ]
    return best, np.array(edge + inside)


def _edge_scores(change: Map, points: np.ndarray, radius: float, px_per_mm: float) -> Map:
    """Mean logarithm of the squared step (in sigmas) across circles round whole pixels (N, 2)."""
    height, width = change.shape[:2]
    total = np.zeros(len(points), dtype=np.float32)
    for ring in _RING:
        inner = np.rint(points + ring * (radius - _EDGE_MM * px_per_mm)).astype(np.intp)
        outer = np.rint(points + ring * (radius + _EDGE_MM * px_per_mm)).astype(np.intp)
        a = change[np.clip(inner[:, 1], 0, height - 1), np.clip(inner[:, 0], 0, width - 1)]
        b = change[np.clip(outer[:, 1], 0, height - 1), np.clip(outer[:, 0], 0, width - 1)]
        total += np.log1p(((a - b) ** 2).sum(axis=1) / 2)
    return total / len(_RING)


def _discs(seen: Evidence, radius: float, px_per_mm: float) -> list[Floats]:
    """Pixels (x, y) where discs with an edge may be, the best first."""
    near = cv2.dilate(seen.active.astype(np.uint8), np.ones((5, 5), np.uint8))[::_COARSE, ::_COARSE] > 0
    rows, columns = np.nonzero(near)
    points = np.column_stack([columns, rows]) * _COARSE
    scores = np.zeros(near.shape, dtype=np.float32)
    scores[rows, columns] = _edge_scores(seen.change, points.astype(np.float64), radius, px_per_mm)
    highest = cv2.dilate(scores, np.ones((3, 3), np.uint8))
    peak_rows, peak_columns = np.nonzero((scores >= highest) & (scores > _COARSE_EDGE))
    order = np.argsort(-scores[peak_rows, peak_columns])[: 6 * _MOST]
    return [np.array([peak_columns[k], peak_rows[k]], dtype=np.float64) * _COARSE for k in order]


def _sharpest(change: Map, at: Floats, radius: float, px_per_mm: float, outward: Floats) -> tuple[Floats, Map]:
    """The centre near a pixel with the sharpest edge, to half a pixel, and the steps (angles,) there.

    Only the half away from the lens's foot point counts: on the other, a top's edge is weak against its
    own side, and the side's edge would draw it in.
    """
    offsets = np.arange(-2, 2.1, 0.5)
    points = at + np.stack(np.meshgrid(offsets, offsets), axis=-1).reshape(-1, 2)
    reach = _EDGE_MM * px_per_mm

    def around(r: float) -> Map:
        places = (points[:, None] + _RING[None] * r).reshape(-1, 1, 2).astype(np.float32)
        seen = cv2.remap(change, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen.reshape(len(points), len(_RING), 3), dtype=np.float32)

    steps = ((around(radius - reach) - around(radius + reach)) ** 2).sum(axis=2) / 2
    away = _RING @ outward > _AWAY
    best = int(np.log1p(steps[:, away]).mean(axis=1).argmax())
    return points[best], steps[best]


def _outline(shape: Shape, top: Floats, level: int) -> tuple[np.ndarray, int, int]:
    """The mask of a stack's outline and its corner (x, y) in the flat picture."""
    half = int(shape.diameter_mm * shape.canvas.px_per_mm * 2.2)
    x0, y0 = (round(float(v)) - half for v in top)
    mask = _run_mask(shape, top, top - np.array([x0, y0]), float(level), 2 * half + 1)
    return mask[max(0, -y0) :, max(0, -x0) :], max(0, x0), max(0, y0)


def _claim(claimed: np.ndarray, shape: Shape, top: Floats, level: int, value: int) -> None:
    mask, x0, y0 = _outline(shape, top, level)
    part = claimed[y0 : y0 + mask.shape[0], x0 : x0 + mask.shape[1]]
    part[mask[: part.shape[0], : part.shape[1]] > 0] = value


def _climb(seen: Evidence, colour: int, top: Floats, score: float, shape: Shape, owners: np.ndarray, me: int) -> Stack:
    """The stack under a top: each piece more shows a further stretch of side towards the lens's foot point.

    `owners` says which piece each pixel belongs to: what others cover says nothing.
    """
    half = int(shape.diameter_mm * shape.canvas.px_per_mm * 2.2)
    x0, y0 = (round(float(v)) - half for v in top)
    window = 2 * half + 1
    at = top - np.array([x0, y0])
    others = _cut((owners > 0).astype(np.float32), x0, y0, window) > 0
    others &= _cut((owners == me).astype(np.float32), x0, y0, window) <= 0
    body = np.where(others, 0, _cut(seen.solid, x0, y0, window))
    runs = np.arange(_RUN_STEP, HIGHEST + _RUN_STEP / 2, _RUN_STEP)
    totals, before = np.zeros(len(runs)), np.zeros(body.shape, dtype=np.uint8)
    bands = []
    for k, run in enumerate(runs):
        now = _run_mask(shape, top, at, float(run), window)
        bands.append((now > 0) & (before == 0) & ~others)
        totals[k] = (totals[k - 1] if k else 0.0) + float(body[bands[k]].sum())
        before |= now
    lean = float(np.linalg.norm(shape.canvas.px(shape.foot_mm(top)[None])[0] - top))
    unit = 1 + lean * shape.diameter_mm * shape.canvas.px_per_mm
    # The lowest piece shows a fifth of its side at least, and none shows more than all of it.
    per_level = np.array([
        totals[(runs > level - 1 + _RUN_SLACK) & (runs <= level + _RUN_SLACK)].max()
        for level in range(1, HIGHEST + 1)
    ]) / unit  # fmt: skip
    colours = [colour]
    for level in range(2, HIGHEST + 1):
        band = np.any([b for b, r in zip(bands, runs, strict=True) if level - 1 < r <= level - 0.4], axis=0)
        gains = [float(_cut(layer, x0, y0, window)[band].sum()) for layer in seen.llr]
        colours.append(int(np.argmax(gains)) if gains else 0)
    foot = shape.foot_mm(top)
    return Stack(
        tuple(reversed(colours)), float(foot[0]), float(foot[1]), score, tuple(float(v) for v in per_level - per_level[0])
    )


def _first_level(seen: Evidence, top: Floats, shape: Shape) -> int:
    """How many pieces high what stands there seems to be, before its neighbours are known."""
    low, x0, y0 = _outline(shape, top, 1)
    body = seen.solid[y0 : y0 + low.shape[0], x0 : x0 + low.shape[1]]
    level = 1
    for higher in range(2, HIGHEST + 1):
        mask, _, _ = _outline(shape, top, higher)
        band = (mask[: body.shape[0], : body.shape[1]] > 0) & (low[: body.shape[0], : body.shape[1]] == 0)
        if not band.any() or float(body[band].mean()) < _FIRM:
            break
        level, low = higher, mask
    return level


_FIRM = 1.0


def _run_mask(shape: Shape, top: Floats, at: Floats, run: float, window: int) -> np.ndarray:
    """The outline of a top and so many piece heights of side below it."""
    low = shape.canvas.px(shape.foot_mm(top, 1)[None])[0] - top
    radius = shape.diameter_mm / 2 * shape.canvas.px_per_mm
    return hull_mask((window, window), at, radius * shape.camera.swell(shape.height_mm), at + low * run, radius)


_RUN_STEP = 0.25
_RUN_SLACK = 0.15


def _masks(shape: Shape, top: Floats, at: Floats, level: int, window: int) -> tuple[np.ndarray, np.ndarray]:
    """Hull and top of a stack whose top is at a flat pixel, drawn with the top at `at` of a small window."""
    foot = shape.foot_mm(top, level)[None]
    low_mm = shape.height_mm - shape.solid_mm
    low = shape.canvas.px(shape.camera.lifted(foot, low_mm))[0]
    radius = shape.diameter_mm / 2 * shape.canvas.px_per_mm
    top_radius = radius * shape.camera.swell(shape.height_mm * level)
    disc = np.zeros((window, window), dtype=np.uint8)
    _draw_disc(disc, at, top_radius)
    return hull_mask((window, window), at, top_radius, at + low - top, radius * shape.camera.swell(low_mm)), disc


def _cut(layer: Map, x0: int, y0: int, size: int) -> Map:
    """A square of a map, bare board where it reaches outside."""
    height, width = layer.shape
    out = np.full((size, size), -2.0, dtype=np.float32)
    ya, yb, xa, xb = max(0, y0), min(height, y0 + size), max(0, x0), min(width, x0 + size)
    if ya < yb and xa < xb:
        out[ya - y0 : yb - y0, xa - x0 : xb - x0] = layer[ya:yb, xa:xb]
    return out


def _peak(values: Map, index: int) -> float:
    """Where a parabola through the largest value and its neighbours has its top."""
    if not 0 < index < len(values) - 1:
        return float(index)
    left, middle, right = (float(v) for v in values[index - 1 : index + 2])
    bend = left - 2 * middle + right
    return index + (0.5 * (left - right) / bend if bend < -1e-6 else 0.0)


def outline_fit(solid: Map, guess: Floats, shape: Shape) -> float:
    """How well one piece's outline near a flat pixel fits what is solid, at its best place."""
    half = _SLACK_PX + int(shape.diameter_mm * shape.canvas.px_per_mm * 1.6)
    x0, y0 = (round(float(v)) - half for v in guess)
    window = 2 * half + 1
    hull, _ = _masks(shape, guess, np.array([half, half], dtype=np.float64), 1, window)
    inner = slice(_SLACK_PX, window - _SLACK_PX)
    fits = cv2.matchTemplate(_cut(solid, x0, y0, window), hull[inner, inner].astype(np.float32), cv2.TM_CCORR)
    return float(fits.max())

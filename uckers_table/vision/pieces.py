"""Finding pieces: upright cylinders of known size and colours, each hiding the board behind it.

Laid flat, a piece is the hull of two discs: its foot, and its top moved away from the point under the
lens. How far the top is from the foot tells how many pieces are stacked.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from uckers_table.vision.appearance import Canvas, Evidence, Map
from uckers_table.vision.camera import Camera, Floats

HIGHEST = 4
"""Pieces in the highest stack looked for."""


@dataclass(frozen=True)
class Stack:
    """Pieces standing on one another: seats' indices, bottom to top; the foot in plan millimetres.

    `score` is the mean log-likelihood ratio of its top against bare board; `levels` the log-likelihood of
    each height 1 …, relative to the best.
    """

    colours: tuple[int, ...]
    x_mm: float
    y_mm: float
    score: float
    levels: tuple[float, ...] = ()


@dataclass(frozen=True)
class Shape:
    """How pieces look from this camera."""

    camera: Camera
    canvas: Canvas
    height_mm: float
    diameter_mm: float

    def top_px(self, foot_mm: Floats, level: int = 1) -> tuple[Floats, float]:
        """Centre and radius in the flat picture of the top of a stack with this foot (2,)."""
        height = self.height_mm * level
        centre = self.canvas.px(self.camera.lifted(foot_mm[None], height))[0]
        return centre, self.diameter_mm / 2 * self.camera.swell(height) * self.canvas.px_per_mm

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


_MIN_TOP = 0.9
"""Mean log-likelihood ratio over a top below which nothing is claimed."""
_MIN_BAND = 1.0
"""The same over the further stretch of side that one more piece in a stack shows."""
_SLACK_PX = 7
"""How far a fit may move a piece from the first guess at its top."""


def find(seen: Evidence, shape: Shape, min_top: float = _MIN_TOP) -> list[Stack]:
    """All stacks, the most certain first."""
    llr, solid = seen.llr.copy(), seen.solid.copy()
    radius = shape.diameter_mm / 2 * shape.camera.swell(shape.height_mm) * shape.canvas.px_per_mm
    size = 2 * int(np.ceil(radius)) + 1
    disc = np.zeros((size, size), dtype=np.uint8)
    _draw_disc(disc, np.array([size // 2] * 2, dtype=np.float64), radius - 0.5)
    kernel = disc.astype(np.float32) / disc.sum()
    scores = np.stack([cv2.filter2D(layer, -1, kernel, borderType=cv2.BORDER_CONSTANT) for layer in llr])
    stacks: list[Stack] = []
    for _ in range(_MOST):
        colour, y, x = (int(i) for i in np.unravel_index(int(scores.argmax()), scores.shape))
        if scores[colour, y, x] < min_top:
            break
        stack, mask, (x0, y0) = _fit(llr, solid, colour, np.array([x, y], dtype=np.float64), shape)
        stacks.append(stack)
        rows, columns = slice(y0, y0 + mask.shape[0]), slice(x0, x0 + mask.shape[1])
        llr[:, rows, columns][:, mask > 0] = -_CLAIMED
        solid[rows, columns][mask > 0] = -_CLAIMED
        # Only windows that reach the hull have changed.
        ya, xa = max(0, y0 - size), max(0, x0 - size)
        yb, xb = rows.stop + size, columns.stop + size
        for k, layer in enumerate(llr):
            around = cv2.filter2D(
                np.ascontiguousarray(layer[ya:yb, xa:xb]), -1, kernel, borderType=cv2.BORDER_CONSTANT
            )
            edge = size // 2 + 1
            top, left = (edge if ya else 0), (edge if xa else 0)
            inner = around[top : around.shape[0] - edge, left : around.shape[1] - edge]
            scores[k, ya + top : ya + top + inner.shape[0], xa + left : xa + left + inner.shape[1]] = inner
        scores[:, y, x] = -_CLAIMED
    return stacks


_MOST = 40
"""Stacks looked for: sixteen pieces, and room for what turns out to be none."""
_CLAIMED = 4.0
"""What speaks against a second piece where one has been found."""


def _fit(
    llr: Map, solid: Map, colour: int, guess: Floats, shape: Shape
) -> tuple[Stack, np.ndarray, tuple[int, int]]:
    """The stack whose top of this colour is near a flat pixel, its hull's mask, and the mask's corner (x, y)."""
    half = _SLACK_PX + int(shape.diameter_mm * shape.canvas.px_per_mm * 2.2)
    x0, y0 = (int(v) - half for v in guess)
    window = 2 * half + 1
    body = _cut(solid, x0, y0, window)
    tint = _cut(llr[colour], x0, y0, window) - body
    middle = np.array([half, half], dtype=np.float64)
    fits: list[tuple[float, Floats, float]] = []
    for level in range(1, HIGHEST + 1):
        hull, disc = _masks(shape, guess, middle, level, window)
        inner = slice(_SLACK_PX, window - _SLACK_PX)
        total = cv2.matchTemplate(body, hull[inner, inner].astype(np.float32), cv2.TM_CCORR)
        total += cv2.matchTemplate(tint, disc[inner, inner].astype(np.float32), cv2.TM_CCORR)
        row, column = (int(i) for i in np.unravel_index(int(total.argmax()), total.shape))
        shift = np.array([_peak(total[row], column), _peak(total[:, column], row)]) - _SLACK_PX
        at = middle + shift
        hull, _ = _masks(shape, guess + shift, at, level, window)
        weakest = np.inf
        if level > 1:
            before, _ = _masks(shape, guess + shift, at, level - 1, window)
            band = (hull > 0) & (before == 0)
            weakest = float(body[band].mean()) if band.any() else 0.0
        fits.append((float(total[row, column]), shift, weakest))
    best = 0
    for level in range(1, HIGHEST):
        if fits[level][2] < _MIN_BAND:
            break
        if fits[level][0] > fits[best][0]:
            best = level
    total_best, shift, _ = fits[best]
    top, at = guess + shift, middle + shift
    hull, disc = _masks(shape, top, at, best + 1, window)
    colours = [colour]
    for level in range(2, best + 2):
        before, _ = _masks(shape, top, at, level - 1, window)
        now, _ = _masks(shape, top, at, level, window)
        band = (now > 0) & (before == 0)
        gains = [float(_cut(layer, x0, y0, window)[band].sum()) for layer in llr]
        colours.append(int(np.argmax(gains)))
    foot = shape.foot_mm(top, best + 1)
    score = float((tint + body)[disc > 0].mean())
    stack = Stack(
        tuple(reversed(colours)), float(foot[0]), float(foot[1]), score, tuple(f[0] - total_best for f in fits)
    )
    y_cut, x_cut = max(0, -y0), max(0, -x0)
    return stack, hull[y_cut:, x_cut:], (x0 + x_cut, y0 + y_cut)


def _masks(shape: Shape, top: Floats, at: Floats, level: int, window: int) -> tuple[np.ndarray, np.ndarray]:
    """Hull and top of a stack whose top is at a flat pixel, drawn with the top at `at` of a small window."""
    foot = shape.canvas.px(shape.foot_mm(top, level)[None])[0]
    radius = shape.diameter_mm / 2 * shape.canvas.px_per_mm
    top_radius = radius * shape.camera.swell(shape.height_mm * level)
    disc = np.zeros((window, window), dtype=np.uint8)
    _draw_disc(disc, at, top_radius)
    return hull_mask((window, window), at, top_radius, at + foot - top, radius), disc


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

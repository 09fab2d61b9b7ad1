"""The board laid out flat, its light, and how likely each point of it shows bare board or a piece.

Flat pictures cover the plan and a margin round it; (row, column) maps to plan millimetres by `Canvas`.
Colours are divided by what white paint would show at the same place ("reflected", BGR, white = 1), so
that one description of a piece's colour holds all over the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.game.board import Plan
from uckers_table.vision.camera import Camera, Floats, Image
from uckers_table.vision.channels import brightest, channel_sum

Map = npt.NDArray[np.float32]

MARGIN_MM = 60.0
"""Round the board: room for dice that fell off and pieces that stand over the edge."""


@dataclass(frozen=True)
class Canvas:
    """Which plan square a flat picture covers, and how finely."""

    side_mm: float
    px_per_mm: float = 1.0
    margin_mm: float = MARGIN_MM

    @property
    def size(self) -> int:
        """Rows and columns of the flat picture."""
        return round((self.side_mm + 2 * self.margin_mm) * self.px_per_mm)

    def px(self, points_mm: npt.ArrayLike) -> Floats:
        """Flat pixels (x, y) of plan points (N, 2)."""
        return (np.asarray(points_mm, dtype=np.float64) + self.margin_mm) * self.px_per_mm - 0.5

    def mm(self, points_px: npt.ArrayLike) -> Floats:
        """Plan points of flat pixels (N, 2)."""
        return (np.asarray(points_px, dtype=np.float64) + 0.5) / self.px_per_mm - self.margin_mm

    def maps(self, camera: Camera) -> tuple[Map, Map]:
        """The maps for cv2.remap that lay a picture of this camera flat."""
        side = self.side_mm + 2 * self.margin_mm
        return camera.maps(-self.margin_mm, -self.margin_mm, side, side, self.px_per_mm)

    @cached_property
    def grid_mm(self) -> tuple[Map, Map]:
        """Plan x (1, N) and y (N, 1) of the flat pixels."""
        along = (np.arange(self.size, dtype=np.float32) + 0.5) / self.px_per_mm - self.margin_mm
        return along[None, :], along[:, None]


_BLUR_MM = 0.9
"""Softens the camera's noise three times over, and edges by less than a millimetre."""


def softened(flat: Image, canvas: Canvas) -> Map:
    """A flat picture as float32, its noise softened: what `evidence` compares."""
    return cv2.GaussianBlur(flat, (0, 0), _BLUR_MM * canvas.px_per_mm).astype(np.float32)


def white_light(flat: Image, canvas: Canvas, plan: Plan) -> Map:
    """What white paint shows all over the board (size, size, 3): a smooth surface through its white squares.

    A quadratic in the logarithm, fitted with outliers (glare, worn paint) put aside.
    """
    cells = [c for square, c in enumerate(plan.track_cells) if square % plan.board.squares_per_seat]
    points = np.array([plan.centre_mm(c) for c in cells])
    half = round(plan.cell_mm * 0.3 * canvas.px_per_mm)
    levels = []
    for x, y in np.rint(canvas.px(points)).astype(int):
        patch = flat[y - half : y + half + 1, x - half : x + half + 1].reshape(-1, 3)
        levels.append(np.percentile(patch, 60, axis=0))
    logs = np.log(np.maximum(np.array(levels), 2.0))
    x_mm, y_mm = canvas.grid_mm
    middle, scale = plan.side_mm / 2, plan.side_mm / 2
    u, v = (points[:, 0] - middle) / scale, (points[:, 1] - middle) / scale
    terms = np.column_stack([np.ones_like(u), u, v, u * u, u * v, v * v])
    gu, gv = np.clip((x_mm - middle) / scale, -1.1, 1.1), np.clip((y_mm - middle) / scale, -1.1, 1.1)
    out = np.empty((canvas.size, canvas.size, 3), dtype=np.float32)
    for channel in range(3):
        weight = np.ones(len(u))
        for _ in range(5):
            w = weight[:, None]
            k = np.linalg.lstsq(terms * w, logs[:, channel] * weight, rcond=None)[0]
            off = np.abs(terms @ k - logs[:, channel])
            weight = 1 / np.maximum(1.0, off / 0.05)
        out[..., channel] = np.exp(
            k[0] + k[1] * gu + k[2] * gv + k[3] * gu * gu + k[4] * gu * gv + k[5] * gv * gv
        )
    return out


@dataclass(frozen=True)
class Light:
    """How the light differs from what fell on the bare board: now = gain × bare + veil, slowly varying.

    `gain` (size, size, 3); `veil` (size, size) in parts of white paint: the haze of a lamp on glossy paint,
    which a person's shadow takes away. `balance` (3,) is the change of the whole picture, BGR.
    """

    gain: Map
    veil: Map
    balance: Map

    def undone(self, now: Map, white: Map) -> Map:
        """A flat picture as it would be in the bare board's light."""
        return np.asarray((now - white * self.veil[..., None]) / self.gain, dtype=np.float32)


_LIGHT_MM = 2.5
_LIGHT_WINDOW = 25
"""Windows of 62 mm: larger than what pieces and their shadows fill, smaller than a person's shadow."""
_LOG_STEPS = 90.0
"""Steps of a byte per doubling, for the median's first guess: 0.8 % each, ±1.4 stops."""
_TRUST = (0.25, 0.12, 0.06)
"""How far a point may lie off its window's light to count, in parts of white, round after round."""
_DARKEST_SHADOW = 0.35
"""Of the grey level as it was: what is darker is no shadow but something dark."""
_VEIL_RIDGE, _GAIN_RIDGE = 0.004, 0.004
"""Hold the veil at none and the gain at the first guess where a window shows one paint only."""


def light_change(flat: Image, bare: Map, white: Map) -> Light:
    """What has become of the light: in each window the gain and veil that most of its points agree on."""
    small = (round(flat.shape[1] / _LIGHT_MM), round(flat.shape[0] / _LIGHT_MM))
    now, then, paint = (
        cv2.resize(a, small, interpolation=cv2.INTER_AREA).astype(np.float32) for a in (flat, bare, white)
    )
    board = (brightest(then) > 8) & (brightest(now) > 3)
    ratio = np.log2((now + 2.0) / (then + 2.0))
    balance = (
        np.exp2(np.median(ratio[board], axis=0)).astype(np.float32) if board.any() else np.ones(3, np.float32)
    )
    n, e = now / (paint * balance), then / paint
    steps = np.clip(np.log2((channel_sum(n) + 0.03) / (channel_sum(e) + 0.03)) * _LOG_STEPS + 128, 0, 255)
    first = np.exp2(
        (cv2.medianBlur(steps.astype(np.uint8), _LIGHT_WINDOW).astype(np.float32) - 128) / _LOG_STEPS
    )
    gain, veil = first, np.zeros_like(first)
    window = (_LIGHT_WINDOW, _LIGHT_WINDOW)
    inside = board.astype(np.float32)
    for trust in _TRUST:
        off = n - gain[..., None] * e - veil[..., None]
        weight = inside / (1 + channel_sum(off**2) / trust**2) ** 2
        sums = cv2.blur(
            np.dstack([
                weight * 3,
                weight * channel_sum(e),
                weight * channel_sum(e * e),
            ]),
            window,
        )  # fmt: skip
        rights = cv2.blur(np.dstack([weight * channel_sum(n), weight * channel_sum(n * e)]), window)
        a, b, c = sums[..., 0] + _VEIL_RIDGE, sums[..., 1], sums[..., 2] + _GAIN_RIDGE
        p, q = rights[..., 0], rights[..., 1] + _GAIN_RIDGE * first
        det = a * c - b * b
        gain = np.clip((a * q - b * p) / det, _DARKEST_SHADOW, 2.5)
        veil = np.clip((c * p - b * q) / det, -0.4, 0.4)
    size = flat.shape[1::-1]
    full = cv2.resize(
        cv2.GaussianBlur(np.dstack([gain, veil]), (0, 0), 3.0), size, interpolation=cv2.INTER_LINEAR
    )
    return Light(full[..., :1] * balance, full[..., 1] * float(balance.mean()), balance)


DARKEST_WHITE = 40.0
"""White paint below this grey level (of 255) drowns in the noise: near-dark shows 23, dim light 110."""
MIN_BALANCE = 0.25
"""The weakest channel of white paint over the strongest: warm bulbs give 0.7, red light 0.07."""


def light_trouble(white: Map, gain: Map | float, plan: Plan, canvas: Canvas) -> tuple[str, ...]:
    """Why colours cannot be told in this light: `too_dark`, `colours_indistinct`, or nothing."""
    rows, columns = np.rint(canvas.px([plan.centre_mm(c) for c in plan.track_cells])).astype(int).T[::-1]
    level = np.median(white[rows, columns], axis=0) * gain
    if level.max() < DARKEST_WHITE:
        return ("too_dark",)
    if level.min() < MIN_BALANCE * level.max():
        return ("colours_indistinct",)
    return ()


@dataclass(frozen=True)
class Noise:
    """The camera's noise as a function of the grey level, per channel: 16 levels of 16 steps each."""

    sigma: Map

    @classmethod
    def between(cls, now: Map, then: Map) -> Noise:
        """From two flat pictures of mostly the same thing (values 0 … 255); every third row will do."""
        sigma = np.empty((16, 3), dtype=np.float32)
        now, then = now[::3], then[::3]
        off = np.abs(now - then)
        bins = np.clip(then / 16, 0, 15).astype(np.uint8)
        for channel in range(3):
            seen, where = off[..., channel], bins[..., channel]
            overall = 1.48 * float(np.median(seen))
            for level in range(16):
                here = seen[where == level]
                spread = 1.48 * float(np.median(here)) if len(here) > 150 else overall
                # A channel clipped to black seems to have no noise.
                sigma[level, channel] = max(spread, overall / 2)
        sigma[0] = np.maximum(sigma[0], sigma[1])
        return cls(np.maximum(sigma, 0.5))

    def at(self, values: Map) -> Map:
        """Sigma for pixel values (N, 3)."""
        level = np.clip(values / 16, 0, 15).astype(np.intp)
        return np.column_stack([self.sigma[level[:, c], c] for c in range(3)])


@dataclass(frozen=True)
class Evidence:
    """What each point of the board shows, as log-likelihood ratios against the bare board.

    `change` (size, size, 3): the difference from the bare board in sigmas. `reflected` (size, size, 3):
    the colour now, white paint = 1. `llr` (colours, size, size): how much better a piece of each colour
    explains the point than bare board, lit or in shadow; `solid` (size, size): how much better anything at
    all does, `strange` (size, size) things of no piece's colour. `active` (size, size): where anything
    differs from the bare board, all evidence elsewhere being `_QUIET`.
    """

    change: Map
    reflected: Map
    llr: Map
    solid: Map
    strange: Map
    active: npt.NDArray[np.bool_]


_QUIET = -2.0
"""Log-likelihood ratio where nothing changed: a piece would have been seen."""
_CAP = 4.0
"""No single point may say more: highlights, worn paint and the frame's own blur happen."""
_ACTIVE_SCORE = 5.0
"""Mean squared deviation, in sigmas, over 5 × 5 mm; bare board has 3 (three channels), by definition."""


def evidence(lit: Map, bare: Map, white: Map, colours: Map, noise: Noise, light: Light) -> Evidence:
    """Weighs each point of a flat picture against `bare`, and against pieces' `colours`.

    `lit` is the picture in the bare board's light (`Light.undone`), 0 … 255 like `bare`; `white` as from
    `white_light`; `colours` (colours, 3), white = 1.
    """
    change = lit - bare
    level = np.clip(bare * (1 / 16), 0, 15).astype(np.uint8)
    inverse = (1 / noise.sigma).astype(np.float32)
    for channel in range(3):
        change[..., channel] *= inverse[:, channel][level[..., channel]]
    smooth = cv2.blur(channel_sum(change * change), (5, 5))
    active = cv2.dilate((smooth > 3 + _ACTIVE_SCORE).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    size = lit.shape[0]
    llr = np.full((len(colours), size, size), _QUIET, dtype=np.float32)
    solid = np.full((size, size), _QUIET, dtype=np.float32)
    strange = solid.copy()
    if active.any():
        w = white[active]
        n, e = lit[active] / w, bare[active] / w
        sigma = noise.at(np.minimum(lit[active], bare[active])) / w
        dim = 1 - cv2.erode(
            light.gain[..., 0] / light.balance[0], np.ones((_DIM_REACH, _DIM_REACH), np.uint8)
        )
        ground = _misfit_ground(n, e, sigma, np.clip(dim[active], 0, 1))
        best = np.full(len(n), _UNKNOWN, dtype=np.float32)
        for k, colour in enumerate(colours):
            piece = _misfit_piece(n, colour, sigma)
            llr[k][active] = np.clip(
                (np.minimum(ground, _UNKNOWN) - np.minimum(piece, _UNKNOWN)) / 2, -_CAP, _CAP
            )
            best = np.minimum(best, piece)
        strange[active] = np.clip((ground - _UNKNOWN) / 2, -_CAP, _CAP)
        solid[active] = np.clip((ground - best) / 2, -_CAP, _CAP)
    return Evidence(change, lit / white, llr, solid, strange, active)


_DIM_REACH = 41
_VEIL_SIGMA, _VEIL_LOSS, _DIM_TINT = 0.01, 0.35, 0.15
"""A shadow of a person takes away haze that the windows of `light_change` are too coarse to follow."""


def _misfit_ground(n: Map, e: Map, sigma: Map, dim: Map) -> Map:
    """-2 log likelihood of bare board, lit or in shadow, for points (N, 3)."""
    weight = 1 / sigma**2
    s = np.clip(channel_sum(n * e * weight) / np.maximum(channel_sum(e * e * weight), 1e-6), 0.2, 1.25)
    tolerance = ((0.03 + 0.12 * np.clip(1 - s, 0, 1) + _DIM_TINT * dim) * s)[:, None] * e
    veil_sigma = _VEIL_SIGMA + _VEIL_LOSS * dim
    off, variance = n - s[:, None] * e, sigma**2 + tolerance**2
    veil = channel_sum(off / variance) / (channel_sum(1 / variance) + 1 / veil_sigma**2)
    fit = _misfit(off - veil[:, None], variance) + (veil / veil_sigma) ** 2
    # In shadow costs something, since most of the board is not; brighter than ever costs more.
    # A lamp's own shadow keeps the room's light, 0.4 and more of the grey level: deeper is a dark piece.
    deep = ((1 - s) / 0.3) ** 2 + (np.clip(0.42 - s, 0, 1) / 0.04) ** 2
    change = np.where(s < 1, np.minimum(((1 - s) / 0.05) ** 2, 3.0) + deep, ((s - 1) / 0.05) ** 2)
    return np.asarray(fit + change, dtype=np.float32)


def _misfit_piece(n: Map, colour: Map, sigma: Map) -> Map:
    """-2 log likelihood of a piece's surface of one colour, more or less lit, for points (N, 3)."""
    weight = 1 / sigma**2
    s = np.clip(channel_sum(n * colour * weight) / channel_sum(colour * colour * weight), 0.3, 1.5)
    tolerance = 0.1 * colour[None, :] * s[:, None] + 0.02
    fit = _misfit(n - s[:, None] * colour, sigma**2 + tolerance**2)
    return np.asarray(fit + ((s - 1) / 0.25) ** 2 + _PIECE_ODDS, dtype=np.float32)


_UNKNOWN = 0.0
"""-2 log likelihood of anything else (hands, dice, gold rims): any colour alike, and rare."""
_PIECE_ODDS = 2.0
"""What a piece costs to begin with, since little of the board has one on it."""


def _misfit(off: npt.NDArray[np.floating[Any]], variance: npt.NDArray[np.floating[Any]]) -> Map:
    """-2 log likelihood of deviations (N, 3) with these variances, the constant left out."""
    return np.asarray(channel_sum(off**2 / variance + np.log(variance)), dtype=np.float32)

"""The board laid out flat, its light, and how likely each point of it shows bare board or a piece.

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
from uckers_table.vision.camera import Image
from uckers_table.vision.flat import Canvas

Map = npt.NDArray[np.float32]

_BLUR_MM = 0.8
"""Softens the camera's noise three times over, and edges by less than a millimetre."""


def softened(flat: Image, canvas: Canvas) -> Image:
    """A flat picture, its noise softened: what `evidence` compares."""
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), _BLUR_MM * canvas.px_per_mm), dtype=np.uint8)


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


def _planes(picture: npt.NDArray[Any]) -> Map:
    """A picture (height, width, 3) as float32 channels (3, height, width), which numpy is quickest with."""
    return np.stack(cv2.split(picture)).astype(np.float32)


@dataclass(frozen=True)
class BareBoard:
    """The board without pieces, laid flat: `softened` as `softened` gives it, `white` as `white_light`
    (size, size, 3), and what follows from them for every frame.
    """

    softened: Image
    white: Map

    @cached_property
    def planes(self) -> Map:
        """The board's channels (3, size, size)."""
        return _planes(self.softened)

    @cached_property
    def white_planes(self) -> Map:
        """White paint's channels (3, size, size)."""
        return _planes(self.white)

    @cached_property
    def levels(self) -> npt.NDArray[np.uint8]:
        """Which of `Noise.sigma`'s levels each channel has (3, size, size)."""
        return _noise_level(self.planes)

    @cached_property
    def coarse(self) -> tuple[Map, Map]:
        """Channels of the board and of white paint (3, n, n), as `light_change` compares them."""
        board, paint = (_planes(_coarse(a.astype(np.float32))) for a in (self.softened, self.white))
        return board, paint


@dataclass(frozen=True)
class Light:
    """How the light differs from what fell on the bare board: now = gain × balance × bare + veil.

    `gain` (size, size) and `veil` (size, size, in parts of white paint) vary slowly; the veil is the haze of
    a lamp on glossy paint, which a person's shadow takes away. `balance` (3,) is the change of the whole
    picture, BGR.
    """

    gain: Map
    veil: Map
    balance: Map

    def undone(self, now: Image, board: BareBoard) -> Map:
        """The channels (3, size, size) of a flat picture as they would be in the bare board's light."""
        out = board.white_planes * self.veil
        np.subtract(_planes(now), out, out=out)
        out /= self.gain
        out /= self.balance[:, None, None]
        return out


_LIGHT_MM = 2.5
_LIGHT_WINDOW = 25
"""Windows of 62 mm: larger than what pieces and their shadows fill, smaller than a person's shadow."""
_BALANCE_EVERY = 5
"""Every fifth of 50 000 points tells the change of the whole picture as well."""
_LOG_STEPS = 90.0
"""Steps of a byte per doubling, for the median's first guess: 0.8 % each, ±1.4 stops."""
_TRUST = (0.25, 0.12, 0.06)
"""How far a point may lie off its window's light to count, in parts of white, round after round."""
_DARKEST_SHADOW = 0.35
"""Of the grey level as it was: what is darker is no shadow but something dark."""
_VEIL_RIDGE, _GAIN_RIDGE = 0.004, 0.004
"""Hold the veil at none and the gain at the first guess where a window shows one paint only."""


def _coarse(flat: npt.NDArray[Any]) -> npt.NDArray[Any]:
    size = round(flat.shape[0] / _LIGHT_MM)
    return cv2.resize(flat, (size, size), interpolation=cv2.INTER_AREA)


def light_change(flat: Image, board: BareBoard) -> Light:
    """What has become of the light: in each window the gain and veil that most of its points agree on."""
    then, paint = board.coarse
    now = _planes(_coarse(flat))
    lit = (then.max(axis=0) > 8) & (now.max(axis=0) > 3)
    balance = np.ones(3, dtype=np.float32)
    if lit.any():
        some = np.flatnonzero(lit)[::_BALANCE_EVERY]
        now_some, then_some = (a.reshape(3, -1).take(some, axis=1) for a in (now, then))
        balance = np.median((now_some + 2) / (then_some + 2), axis=1).astype(np.float32)
    n, e = now / (paint * balance[:, None, None]), then / paint
    n_sum, e_sum, ee_sum, ne_sum = n.sum(axis=0), e.sum(axis=0), (e * e).sum(axis=0), (n * e).sum(axis=0)
    steps = np.clip(np.log2((n_sum + 0.03) / (e_sum + 0.03)) * _LOG_STEPS + 128, 0, 255)
    middle = cv2.medianBlur(steps.astype(np.uint8), _LIGHT_WINDOW)
    first = np.exp2((middle.astype(np.float32) - 128) / _LOG_STEPS)
    gain, veil = first, np.zeros_like(first)
    window = (_LIGHT_WINDOW, _LIGHT_WINDOW)
    inside = lit.astype(np.float32)
    for trust in _TRUST:
        off = n - gain * e - veil
        weight = inside / (1 + (off * off).sum(axis=0) / trust**2) ** 2
        a, b, c, p, q = (
            cv2.blur(weight * terms, window) for terms in (np.float32(3), e_sum, ee_sum, n_sum, ne_sum)
        )
        a, c, q = a + _VEIL_RIDGE, c + _GAIN_RIDGE, q + _GAIN_RIDGE * first
        det = a * c - b * b
        gain = np.clip((a * q - b * p) / det, _DARKEST_SHADOW, 2.5)
        veil = np.clip((c * p - b * q) / det, -0.4, 0.4)
    gain, veil = (
        cv2.resize(cv2.GaussianBlur(a, (0, 0), 3.0), flat.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        for a in (gain, veil)
    )
    return Light(gain, veil * balance.mean(), balance)


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


_NOISE_LEVELS = 16
_NOISE_STEPS, _NOISE_CAP = 16, 64
"""Differences from the bare board are counted in sixteenths of a grey level, up to so many of them."""


def _noise_level(values: Map) -> npt.NDArray[np.uint8]:
    level = np.clip(values * (_NOISE_LEVELS / 256), 0, _NOISE_LEVELS - 1)
    return np.asarray(level, dtype=np.uint8)


@dataclass(frozen=True)
class Noise:
    """The camera's noise (3, 16) as a function of the grey level, per channel: 16 levels of 16 steps each."""

    sigma: Map

    @classmethod
    def between(cls, lit: Map, board: BareBoard) -> Noise:
        """From a flat picture's channels (as from `Light.undone`), mostly of the bare board; every third row
        will do.
        """
        sigma = np.empty((3, _NOISE_LEVELS), dtype=np.float32)
        for channel in range(3):
            off = np.abs(lit[channel, ::3] - board.planes[channel, ::3])
            steps = np.minimum(off * _NOISE_STEPS, _NOISE_STEPS * _NOISE_CAP - 1).astype(np.intp)
            steps += board.levels[channel, ::3] * np.intp(_NOISE_STEPS * _NOISE_CAP)
            counts = np.bincount(steps.ravel(), minlength=_NOISE_LEVELS * _NOISE_STEPS * _NOISE_CAP)
            counts = counts.reshape(_NOISE_LEVELS, -1)
            overall = 1.48 * _middle(counts.sum(axis=0))
            for level, seen in enumerate(counts):
                spread = 1.48 * _middle(seen) if seen.sum() > 150 else overall
                # A channel clipped to black seems to have no noise.
                sigma[channel, level] = max(spread, overall / 2)
        sigma[:, 0] = np.maximum(sigma[:, 0], sigma[:, 1])
        return cls(np.maximum(sigma, 0.5))


def _middle(counts: npt.NDArray[np.intp]) -> float:
    """The median, in grey levels, of differences counted by their size."""
    below = np.cumsum(counts)
    half = below[-1] / 2
    k = int(np.searchsorted(below, half))
    return float(k + 1 - (below[k] - half) / max(int(counts[k]), 1)) / _NOISE_STEPS


@dataclass(frozen=True)
class Evidence:
    """What each point of the board shows, as log-likelihood ratios against the bare board.

    `change` (size, size, 3): the difference from the bare board in sigmas. `lit` (3, size, size): the
    channels now, in the bare board's light. `llr` (colours, size, size): how much better a piece of each
    colour explains the point than bare board, lit or in shadow; `solid` (size, size): how much better
    anything at all does, `strange` (size, size) things of no piece's colour. `active` (size, size): where
    anything differs from the bare board, all evidence elsewhere being `_QUIET`.
    """

    change: Map
    lit: Map
    llr: Map
    solid: Map
    strange: Map
    active: npt.NDArray[np.bool_]
    board: BareBoard

    def reflected(self, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> Map:
        """The colours now (…, 3) at pixels, white paint = 1."""
        now = self.lit[:, rows, columns] / self.board.white_planes[:, rows, columns]
        return np.ascontiguousarray(np.moveaxis(now, 0, -1))


_QUIET = -2.0
"""Log-likelihood ratio where nothing changed: a piece would have been seen."""
_CAP = 4.0
"""No single point may say more: highlights, worn paint and the frame's own blur happen."""
_ACTIVE_SCORE = 5.0
"""Mean squared deviation, in sigmas, over 5 × 5 mm; bare board has 3 (three channels), by definition."""


def evidence(lit: Map, board: BareBoard, colours: Map, noise: Noise, light: Light) -> Evidence:
    """Weighs each point of a flat picture against the bare board, and against pieces' `colours`.

    `lit` are the picture's channels in the bare board's light (`Light.undone`), 0 … 255; `colours`
    (colours, 3), white = 1.
    """
    size = lit.shape[1]
    change = lit - board.planes
    inverse = np.zeros((3, 256), dtype=np.float32)
    inverse[:, :_NOISE_LEVELS] = 1 / noise.sigma
    for channel in range(3):
        change[channel] *= cv2.LUT(board.levels[channel], inverse[channel])
    smooth = cv2.blur((change * change).sum(axis=0), (5, 5))
    active = cv2.dilate((smooth > 3 + _ACTIVE_SCORE).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    llr = np.full((len(colours), size, size), _QUIET, dtype=np.float32)
    solid = np.full((size, size), _QUIET, dtype=np.float32)
    strange = solid.copy()
    at = np.flatnonzero(active)
    if len(at):
        w, now, then = (a.reshape(3, -1).take(at, axis=1) for a in (board.white_planes, lit, board.planes))
        n, e = now / w, then / w
        level = _noise_level(np.minimum(now, then))
        sigma = np.stack([noise.sigma[c].take(level[c]) for c in range(3)]) / w
        variance: Map = np.asarray(sigma * sigma, dtype=np.float32)
        ground = _misfit_ground(n, e, variance, np.clip(_dimmed(light).take(at), 0, 1))
        best = np.full(len(at), _UNKNOWN, dtype=np.float32)
        likely = np.minimum(ground, _UNKNOWN)
        for k, colour in enumerate(colours):
            piece = _misfit_piece(n, colour, variance)
            llr[k].reshape(-1)[at] = np.clip((likely - np.minimum(piece, _UNKNOWN)) / 2, -_CAP, _CAP)
            np.minimum(best, piece, out=best)
        strange.reshape(-1)[at] = np.clip((ground - _UNKNOWN) / 2, -_CAP, _CAP)
        solid.reshape(-1)[at] = np.clip((ground - best) / 2, -_CAP, _CAP)
    return Evidence(cv2.merge(list(change)), lit, llr, solid, strange, active, board)


_DIM_REACH = 41
_VEIL_SIGMA, _VEIL_LOSS, _DIM_TINT = 0.01, 0.35, 0.15
"""A shadow of a person takes away haze that the windows of `light_change` are too coarse to follow."""


def _dimmed(light: Light) -> Map:
    """How much light (size, size) is missing at most nearby: 0 none, 1 all of it."""
    # The gain is smooth: a quarter of its points have all of it.
    size = light.gain.shape[::-1]
    half = cv2.resize(light.gain, (size[0] // 2, size[1] // 2), interpolation=cv2.INTER_AREA)
    dimmest = cv2.erode(half, np.ones((_DIM_REACH // 2 + 1, _DIM_REACH // 2 + 1), np.uint8))
    return np.asarray(1 - cv2.resize(dimmest, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def _misfit_ground(n: Map, e: Map, variance: Map, dim: Map) -> Map:
    """-2 log likelihood of bare board, lit or in shadow, for the channels of points (3, N)."""
    ew = e / variance
    s = np.clip((n * ew).sum(axis=0) / np.maximum((e * ew).sum(axis=0), 1e-6), 0.2, 1.25)
    tolerance = ((0.03 + 0.12 * np.clip(1 - s, 0, 1) + _DIM_TINT * dim) * s) * e
    veil_sigma = _VEIL_SIGMA + _VEIL_LOSS * dim
    off, spread = n - s * e, variance + tolerance * tolerance
    veil = (off / spread).sum(axis=0) / ((1 / spread).sum(axis=0) + 1 / veil_sigma**2)
    fit = _misfit(off - veil, spread) + (veil / veil_sigma) ** 2
    # In shadow costs something, since most of the board is not; brighter than ever costs more.
    # A lamp's own shadow keeps the room's light, 0.4 and more of the grey level: deeper is a dark piece.
    deep = ((1 - s) / 0.3) ** 2 + (np.clip(0.42 - s, 0, 1) / 0.04) ** 2
    change = np.where(s < 1, np.minimum(((1 - s) / 0.05) ** 2, 3.0) + deep, ((s - 1) / 0.05) ** 2)
    return np.asarray(fit + change, dtype=np.float32)


def _misfit_piece(n: Map, colour: Map, variance: Map) -> Map:
    """-2 log likelihood of a piece's surface of one colour, more or less lit, for points (3, N)."""
    colour = colour[:, None]
    cw = colour / variance
    s = np.clip((n * cw).sum(axis=0) / (colour * cw).sum(axis=0), 0.3, 1.5)
    expected = s * colour
    tolerance = 0.1 * expected + 0.02
    fit = _misfit(n - expected, variance + tolerance * tolerance)
    return np.asarray(fit + ((s - 1) / 0.25) ** 2 + _PIECE_ODDS, dtype=np.float32)


_UNKNOWN = 0.0
"""-2 log likelihood of anything else (hands, dice, gold rims): any colour alike, and rare."""
_PIECE_ODDS = 2.0
"""What a piece costs to begin with, since little of the board has one on it."""


def _misfit(off: Map, variance: Map) -> Map:
    """-2 log likelihood of deviations (3, N) with these variances, the constant left out."""
    volume = variance[0] * variance[1] * variance[2]
    return np.asarray((off * off / variance).sum(axis=0) + np.log(volume), dtype=np.float32)

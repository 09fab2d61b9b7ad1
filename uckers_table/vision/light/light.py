"""The light on the board, laid flat: what white paint shows in it, and how it has changed since.

Colours are divided by what white paint would show at the same place ("reflected", BGR, white = 1). So one
description of a piece's colour holds all over the board. Light varies slowly: its changes are looked for in
squares of eight millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.game.board import Plan
from uckers_table.vision.picture.arrays import Image, Map, Places
from uckers_table.vision.picture.channels import channels_of, halved, medians
from uckers_table.vision.place.flat import Canvas

T = TypeVar("T", bound=np.generic)

EVERY_ROW = slice(None)

_BLUR_MM, _BLUR_REACH = 0.8, 2.5
"""The sigma of the blur, and how many sigmas it reaches. It softens the camera's noise threefold, and edges
by less than a millimetre. What lies beyond its reach changes no byte.
"""


def softened(flat: Image, canvas: Canvas) -> Image:
    """A flat picture (size, size, 3) with its noise softened, as `evidence` compares it."""
    sigma = _BLUR_MM * canvas.px_per_mm
    size = 2 * round(_BLUR_REACH * sigma) + 1
    return np.asarray(cv2.GaussianBlur(flat, (size, size), sigma), dtype=np.uint8)


def white_light(flat: Image, canvas: Canvas, plan: Plan) -> Map:
    """What white paint shows all over the board, in grey levels (size, size, 3), float32.

    It is a smooth surface through the white squares: a quadratic in the logarithm. Outliers (glare, worn
    paint) hardly count.
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
    # Channel by channel, as every frame needs it.
    out = np.empty((3, canvas.size, canvas.size), dtype=np.float32)
    for channel in range(3):
        weight = np.ones(len(u))
        for _ in range(5):
            w = weight[:, None]
            k = np.linalg.lstsq(terms * w, logs[:, channel] * weight, rcond=None)[0]
            off = np.abs(terms @ k - logs[:, channel])
            weight = 1 / np.maximum(1.0, off / 0.05)
        out[channel] = np.exp(k[0] + k[1] * gu + k[2] * gv + k[3] * gu * gu + k[4] * gu * gv + k[5] * gv * gv)
    return np.moveaxis(out, 0, -1)


def _planes(picture: npt.NDArray[Any]) -> Map:
    """A picture (height, width, 3) as float32 channels (3, height, width), with which numpy is quickest."""
    return np.asarray(channels_of(picture), dtype=np.float32)


def planar(picture: npt.NDArray[T]) -> npt.NDArray[T]:
    """The same picture (height, width, 3), kept channel by channel, so that `BareBoard` needs no copy of its
    channels.
    """
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(picture, -1, 0)), 0, -1)


LEVELS = 16
"""How many grey levels are told apart where only a point's rough brightness matters, for its noise."""


def grey_level(values: Map) -> npt.NDArray[np.uint8]:
    """The level, of `LEVELS`, to which each of these grey levels (0 … 255) belongs."""
    return np.asarray(np.clip(values * (LEVELS / 256), 0, LEVELS - 1), dtype=np.uint8)


@dataclass(frozen=True)
class BareBoard:
    """The board without pieces, laid flat, and what follows from it for every frame.

    `softened` (size, size, 3) is what `softened` gives, and `white` (size, size, 3) what `white_light` gives,
    in half precision if need be: its steps are an eighth of a grey level at most.
    `unsure` (size, size) is set if the board is not known as it was seen: how many grey levels it may be off.
    `uneven` (size, size) is the part of that which may differ from point to point. The rest is off by the
    same all round.

    A table's service holds this all the time. So what is kept of the whole board is kept once, and small.
    """

    softened: Image
    white: npt.NDArray[np.floating[Any]]
    unsure: Map | None = None
    uneven: Map | None = None

    @property
    def planes(self) -> Map:
        """The board's channels (3, size, size), float32."""
        return self.grey.astype(np.float32)

    @cached_property
    def grey(self) -> npt.NDArray[np.uint8]:
        """The board's channels (3, size, size) in bytes; those of `softened` itself if it is `planar`."""
        return np.ascontiguousarray(np.moveaxis(self.softened, -1, 0), dtype=np.uint8)

    @cached_property
    def reflected(self) -> Map:
        """The board's channels over white paint's (3, size, size)."""
        return np.asarray(self.planes / self.white_planes, dtype=np.float32)

    def white_at(self, places: Places) -> Map:
        """What white paint shows at places (N…), counted row by row: channels (3, N…)."""
        return self.white_planes.reshape(3, -1).take(places, axis=1).astype(np.float32, copy=False)

    @cached_property
    def white_planes(self) -> npt.NDArray[np.floating[Any]]:
        """White paint's channels (3, size, size); those of `white` itself if it is `planar`."""
        return np.ascontiguousarray(np.moveaxis(self.white, -1, 0))

    @cached_property
    def levels(self) -> npt.NDArray[np.uint8]:
        """The level of each of the board's channels (3, size, size), see `grey_level`."""
        return grey_level(self.planes)

    @cached_property
    def squares(self) -> BareBoard:
        """The same board at half the size."""
        unsure = None if self.unsure is None else halved(self.unsure)
        softened = np.asarray(halved(self.softened), dtype=np.uint8)
        return BareBoard(softened, planar(halved(self.white.astype(np.float32))), unsure)

    @cached_property
    def coarse(self) -> tuple[Map, Map]:
        """The channels (3, n, n) of the board and of white paint, in the squares that `light_change`
        compares.
        """
        board, paint = (
            _planes(halved(a.astype(np.float32), _LIGHT_HALVINGS)) for a in (self.softened, self.white)
        )
        return board, paint


@dataclass(frozen=True)
class Light:
    """How the light differs from what fell on the bare board: now = gain × balance × bare + veil.

    `layers` (2, size, size) are one over the gain, and the veil in parts of white paint. Both vary slowly.
    The veil is the haze of a lamp on glossy paint, which a person's shadow takes away. `dimmest`
    (size / 2, size / 2) is the least gain near each square of 2 × 2 points. `above` (size / 2, size / 2) is
    the least gain that may fall on what stands up there, in parts of the gain there. A shadow's edge lies
    elsewhere on it.

    `balance` (3,) is the change of the whole picture, BGR. `tint` (3,) is how much more of each channel is
    left in shadows, in parts of the light that they take. What lights shadows has another colour than the
    lamp. `brightest` (size / 2, size / 2) is the most gain near each square, in parts of the gain there. A
    shadow's edge is sharper than the gain tells. `tint` and `brightest` are None if nothing lies in shadow.
    """

    layers: Map
    dimmest: Map
    above: Map
    balance: Map
    tint: Map | None = None
    brightest: Map | None = None

    def undone(self, now: Image, board: BareBoard, rows: slice = EVERY_ROW) -> Map:
        """The channels (3, rows, size) of a flat picture, in grey levels, as they would be in the bare
        board's light.
        """
        per_gain, veil = self.layers[:, rows]
        out = _planes(now[rows])
        out -= board.white_planes[:, rows] * veil
        out *= self.per_channel(per_gain)
        out *= 1 / self.balance[:, None, None]
        return out

    def per_channel(self, per_gain: Map) -> Map:
        """One over the gain of each channel (3, …), where one over the gain of all is `per_gain` (…). If the
        channels are alike it is (1, …), for all three at once.
        """
        if self.tint is None:
            return per_gain[None]
        return np.stack([per_gain / (1 + t * np.maximum(per_gain - 1, 0)) for t in self.tint])


_LIGHT_HALVINGS = 3
"""How often a picture is halved before its light is compared: squares of 8 mm."""
_LIGHT_WINDOW = 7
"""Squares along a window's side, 56 mm. A window is larger than pieces with their shadows, and smaller than a
person's shadow.
"""
_LIGHT_SOFT = 1.0
"""How far, in squares, what windows say is smoothed."""
_DIM_REACH_MM = 40
"""The width round a square whose dimmest part counts for the square: 20 mm to all sides."""
_ABOVE_REACH_MM = 88
"""The same for what stands up, 44 mm to all sides. Under a low lamp a shadow lies 25 mm aside on a piece."""
_ABOVE, _ABOVE_FINE = 0.9, 0.95
"""If at least this share of the gain is left near by, no shadow's edge is near. `_ABOVE` is for gains as
windows tell them, `_ABOVE_FINE` for gains told more closely.
"""
_LOG_STEPS = 90.0
"""Steps of a byte per doubling of the light, for the median's first guess: 0.8 % each, ±1.4 stops."""
_TRUST = (0.25, 0.12, 0.06)
"""How far a point may be off its window's light and still count, in parts of white. Each round has its own
value.
"""
_DARKEST_SHADOW = 0.35
"""The least gain that a shadow leaves, in parts of the grey level as it was. What is darker is not a shadow
but something dark.
"""
_DARKEST_FINE = 0.25
"""The same where light is told more closely."""
_VEIL_RIDGE, _GAIN_RIDGE = 0.02, 0.004
"""Weights that hold the veil at 0 and the gain at the first guess. They count where a window shows one paint
only, or two of which one lies in a shadow.
"""


def light_change(flat: Image, board: BareBoard) -> Light:
    """How the light has changed since the bare board: in each window, the gain and the veil on which most of
    its points agree.

    `flat` is the flat picture (size, size, 3).
    """
    then, paint = board.coarse
    now = _planes(halved(flat, _LIGHT_HALVINGS))
    lit = _lit(then, now)
    balance = np.ones(3, dtype=np.float32)
    if lit.any():
        share = ((now + 2) / (then + 2)).reshape(3, -1)
        balance = medians(share.compress(lit.ravel(), axis=1).T)
    n, e = now / (paint * balance[:, None, None]), then / paint
    steps = np.clip(np.log2((n.sum(axis=0) + 0.03) / (e.sum(axis=0) + 0.03)) * _LOG_STEPS + 128, 0, 255)
    middle = cv2.medianBlur(steps.astype(np.uint8), _LIGHT_WINDOW)
    first = np.exp2((middle.astype(np.float32) - 128) / _LOG_STEPS)
    inside = lit.astype(np.float32)
    gain, veil = _agreed(n, e, inside, first)
    tint = None
    for _ in range(_TINT_ROUNDS):
        tint = _tint(n, e, inside, gain, veil)
        if tint is None:
            break
        even = n / (1 + tint[:, None, None] * (1 / np.minimum(gain, 1) - 1))
        gain, veil = _agreed(even.astype(np.float32), e, inside, first)
    return _light_of(gain, veil, balance, tint, len(flat), soft=_LIGHT_SOFT, edge=_ABOVE)


def _lit(then: Map, now: Map) -> npt.NDArray[np.bool_]:
    """Where the bare board and the picture, both (3, n, n), are light enough to be compared: (n, n)."""
    return np.asarray((then.max(axis=0) > 8) & (now.max(axis=0) > 3))


def _light_of(
    gain: Map, veil: Map, balance: Map, tint: Map | None, size: int, *, soft: float, edge: float
) -> Light:
    """The light on a picture of `size` pixels a side, by what its squares (n, n) tell, smoothed over `soft`
    of them. Where less than `edge` of the gain is left near by, a shadow's edge is near.
    """
    gain, veil = (
        np.asarray(cv2.GaussianBlur(a, (0, 0), soft), dtype=np.float32) for a in (gain, veil * balance.mean())
    )
    mm = size / len(gain)

    def around(reach_mm: int) -> npt.NDArray[np.uint8]:
        return np.ones((round(reach_mm / mm) | 1,) * 2, np.uint8)

    dimmest = cv2.erode(gain, around(_DIM_REACH_MM))
    above = cv2.erode(gain, around(_ABOVE_REACH_MM)) / gain
    above[above > edge] = 1
    layers = np.empty((2, size, size), dtype=np.float32)
    for coarse, layer in zip((np.reciprocal(gain), veil), layers, strict=True):
        cv2.resize(coarse, (size, size), dst=layer, interpolation=cv2.INTER_LINEAR)

    def in_squares(coarse: npt.NDArray[Any]) -> Map:
        fine = cv2.resize(coarse, (size // 2, size // 2), interpolation=cv2.INTER_LINEAR)
        return np.asarray(fine, dtype=np.float32)

    brightest = None if tint is None else in_squares(cv2.dilate(gain, around(_DIM_REACH_MM)) / gain)
    return Light(layers, in_squares(dimmest), in_squares(above), balance, tint, brightest)


_FINE_HALVINGS, _FINE_REACH = 2, 5
"""Near a shadow's edge light is followed in squares of 4 mm, with windows that reach this many squares to all
sides.
"""
_FINE_TRUST, _FINE_SOFT = (0.15, 0.1, 0.06, 0.06), 0.7
"""How far a point may be off, as in `_TRUST`, and how far, in squares, what is told is smoothed."""
_FINE_VEIL_RIDGE, _BENT_RIDGE = 0.4, 0.02
"""`_FINE_VEIL_RIDGE` holds the veil at the haze round about, much more firmly than for the whole board.
`_BENT_RIDGE` holds the light at one that does not change, where a window shows little.
"""
_HAZE_SOFT, _HAZE_RIDGE = 16.0, 0.01
"""How far, in squares, haze in shadows is alike; and what holds it at 0 where little light is taken."""
_ROWS = 32
"""How many rows of squares are solved for at a time."""
_POWERS = [(i, j) for i in range(3) for j in range(3 - i)]
"""The powers of a place's column and row in the window, by which light changes there."""


def told_closely(flat: Image, board: BareBoard, light: Light) -> Light:
    """The same light told more closely: how it changes over a window is told with it, to the second order.

    Where a shadow ends, one gain for all of a window is a mixture of both sides. What it leaves unexplained,
    light and shadow on two paints, looks like haze that is gone. So haze is held at what there is round
    about. This light is not used to tell what is a hand.

    `flat` (size, size, 3) is `softened`.
    """
    then, paint = (
        _planes(halved(a.astype(np.float32), _FINE_HALVINGS)) for a in (board.softened, board.white)
    )
    now = _planes(halved(flat, _FINE_HALVINGS))
    lit = _lit(then, now).astype(np.float32)
    per_gain, veil = (halved(layer, _FINE_HALVINGS) for layer in light.layers)
    e = then / paint
    n = now / (paint * light.balance[:, None, None]) * (light.per_channel(per_gain) / per_gain)
    gain = np.asarray(np.reciprocal(per_gain), dtype=np.float32)
    veil = np.asarray(veil / light.balance.mean(), dtype=np.float32)
    haze = _haze_in_shadow(gain, veil)
    window = _Window(_FINE_REACH)
    for trust in _FINE_TRUST:
        off = n - gain * e - veil
        weight = lit / (1 + (off * off).sum(axis=0) / trust**2) ** 2
        gain, veil = window.told(weight, n, e, gain, haze * (1 - gain))
    size = len(flat)
    return _light_of(gain, veil, light.balance, light.tint, size, soft=_FINE_SOFT, edge=_ABOVE_FINE)


def _haze_in_shadow(gain: Map, veil: Map) -> Map:
    """How much haze (n, n) a shadow leaves or takes round each square, in parts of the light that it takes.

    Where a lamp's light is gone, what paint mirrors of the room stays.
    """
    taken = np.maximum(1 - gain, 0)
    haze, all_of_it = (cv2.GaussianBlur(a, (0, 0), _HAZE_SOFT) for a in (veil * taken, taken * taken))
    return np.asarray(haze / (all_of_it + _HAZE_RIDGE), dtype=np.float32)


class _Window:
    """The squares within `reach` of each one, of which the nearer count more; and how the light changes
    there.
    """

    def __init__(self, reach: int) -> None:
        along = np.arange(-reach, reach + 1) / reach
        x, y = np.meshgrid(along, along)
        near = np.maximum(1 - x * x - y * y, 0)
        near /= near.sum()
        self._kernels = {
            (i, j): (x**i * y**j * near).astype(np.float32) for i in range(5) for j in range(5 - i)
        }

    def told(self, weight: Map, n: Map, e: Map, gain: Map, haze: Map) -> tuple[Map, Map]:
        """The gain and the veil (n, n) in the middle of each window on which its points agree most.

        `n` now and `e` then (3, n, n) are in parts of white, and count by their `weight` (n, n). Where no
        points count, the gain stays as `gain` (n, n) and the veil as `haze` (n, n).
        """
        count = len(_POWERS)
        ee, ne = (weight * (a * e).sum(axis=0) for a in (e, n))
        e_sum, n_sum = (weight * a.sum(axis=0) for a in (e, n))
        squared = {power: self._sum(ee, power) for power in self._kernels}
        crossed, by_gain = ({p: self._sum(a, p) for p in _POWERS} for a in (e_sum, ne))
        counted, by_veil = self._sum(3 * weight, (0, 0)), self._sum(n_sum, (0, 0))
        found = np.empty((2, *weight.shape), dtype=np.float32)
        # Some rows at a time: all equations at once would take tens of megabytes.
        for top in range(0, len(weight), _ROWS):
            rows = np.s_[top : top + _ROWS]
            left = np.empty((*weight[rows].shape, count + 1, count + 1), dtype=np.float32)
            right = np.empty((*weight[rows].shape, count + 1), dtype=np.float32)
            for k, (i, j) in enumerate(_POWERS):
                for m, (more_i, more_j) in enumerate(_POWERS):
                    left[..., k, m] = squared[i + more_i, j + more_j][rows]
                left[..., k, count] = left[..., count, k] = crossed[i, j][rows]
                left[..., k, k] += _BENT_RIDGE if k else _GAIN_RIDGE
                right[..., k] = by_gain[i, j][rows]
            right[..., 0] += _GAIN_RIDGE * gain[rows]
            left[..., count, count] = counted[rows] + _FINE_VEIL_RIDGE
            right[..., count] = by_veil[rows] + _FINE_VEIL_RIDGE * haze[rows]
            solved = np.linalg.solve(left, right[..., None])[..., 0]
            found[0, rows], found[1, rows] = solved[..., 0], solved[..., count]
        return np.clip(found[0], _DARKEST_FINE, 2.5), np.clip(found[1], -0.4, 0.4)

    def _sum(self, layer: Map, power: tuple[int, int]) -> Map:
        summed = cv2.filter2D(layer, -1, self._kernels[power], borderType=cv2.BORDER_REFLECT)
        return np.asarray(summed, dtype=np.float32)


def _agreed(n: Map, e: Map, inside: Map, first: Map) -> tuple[Map, Map]:
    """The gain and the veil on which most points of each window agree.

    `n` now and `e` then (3, …) are in parts of white, and count where they are `inside`. `first` is the guess
    at the gain.
    """
    gain, veil, window = first, np.zeros_like(first), (_LIGHT_WINDOW, _LIGHT_WINDOW)
    n_sum, e_sum, ee_sum, ne_sum = n.sum(axis=0), e.sum(axis=0), (e * e).sum(axis=0), (n * e).sum(axis=0)
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
    return gain, veil


_TINT_ROUNDS = 2
"""How often the tint is found, in turn with the gain and the veil."""
_SHADOW, _SHADOW_SHARE = 0.8, 0.01
"""Where less than `_SHADOW` of the grey level is left, there is shadow. At least the share `_SHADOW_SHARE` of
the board must lie in shadow to tell its colour.
"""
_TINT_TRUST, _TINTS = 0.06, (-0.3, 0.6)
"""How far a point may be off the tint and still count, in parts of white; and the least and the most tint. A
lamp beside a window leaves 0.43 of blue and -0.27 of red.
"""


def _tint(n: Map, e: Map, inside: Map, gain: Map, veil: Map) -> Map | None:
    """The `tint` (3,) of shadows; None if there are none."""
    shadow = (gain < _SHADOW) & (inside > 0)
    if shadow.mean() < _SHADOW_SHARE:
        return None
    left, then = gain[shadow], e[:, shadow]
    taken, more = (1 - left) * then, n[:, shadow] - veil[shadow] - left * then
    weight = np.ones_like(left)
    tint = np.zeros(3, dtype=np.float32)
    for _ in range(_TINT_STEPS):
        tint = (weight * taken * more).sum(axis=1) / ((weight * taken * taken).sum(axis=1) + 1e-6)
        off = more - tint[:, None] * taken
        weight = 1 / (1 + (off * off).sum(axis=0) / _TINT_TRUST**2) ** 2
    return np.asarray(np.clip(tint, *_TINTS), dtype=np.float32)


_TINT_STEPS = 4
"""How often points that do not fit are given less weight."""


DARKEST_WHITE = 40.0
"""White paint below this grey level (of 255) drowns in the noise. Near-dark shows 23, dim light 110."""
MIN_BALANCE = 0.25
"""The least that the weakest channel of white paint may have, over the strongest. Warm bulbs give 0.7, red
light 0.07.
"""


def white_level(white: Map, plan: Plan, canvas: Canvas) -> Map:
    """What white paint shows (3,) on most of the track's squares, in grey levels, from `white`
    (size, size, 3).
    """
    rows, columns = np.rint(canvas.px([plan.centre_mm(c) for c in plan.track_cells])).astype(int).T[::-1]
    return np.asarray(np.median(white[rows, columns], axis=0))


@dataclass(frozen=True)
class PaintColour:
    """How strong the colours of the bare board's paint are, where they are strongest.

    `places` (N,) are those, counted row by row of the flat picture, and `strength` (N,) is as `_strength`.
    """

    places: Places
    strength: Map

    @classmethod
    def of(cls, flat: Image) -> PaintColour:
        """Of the bare board's flat picture (size, size, 3)."""
        some = np.arange(flat.shape[0] * flat.shape[1])[::_FEW]
        strength = _strength(flat.reshape(-1, 3).take(some, axis=0).astype(np.float32))
        strong = strength > np.percentile(strength, 100 * (1 - _STRONGEST))
        return cls(some[strong], strength[strong])

    def is_pale(self, flat: Image) -> bool:
        """Whether hardly any colour is left in a flat picture (size, size, 3)."""
        now = flat.reshape(-1, 3).take(self.places, axis=0).astype(np.float32)
        return bool(np.median(_strength(now) / np.maximum(self.strength, 1e-3)) < PALE)


def _strength(colours: Map) -> Map:
    """How far colours (N, 3) are from grey (N,), from 0 to 1."""
    most, least = colours.max(axis=1), colours.min(axis=1)
    return np.asarray((most - least) / np.maximum(most, 8.0))


_FEW, _STRONGEST = 37, 0.2
"""One place in 37 is looked at; those with the strongest colours are a fifth of them."""
PALE = 0.75
"""Paint that has less than this share of its colour is pale. In 124 pictures of seven tables it has 0.93 or
more, and at half their saturation 0.6 at most. In a pale picture every place looks like a piece's, and would
be put to the nets.
"""


def light_trouble(level: Map) -> tuple[str, ...]:
    """Why colours cannot be told where white paint shows this (3,): `too_dark` or `colours_indistinct`; empty
    if they can.
    """
    if level.max() < DARKEST_WHITE:
        return ("too_dark",)
    if level.min() < MIN_BALANCE * level.max():
        return ("colours_indistinct",)
    return ()

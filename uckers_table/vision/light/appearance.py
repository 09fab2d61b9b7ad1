"""How likely each point of the board, laid flat, is to show bare board or a piece."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.light.light import LEVELS, BareBoard, Light, grey_level
from uckers_table.vision.picture.arrays import Image, Map, Places
from uckers_table.vision.picture.channels import channels_at, gathered, halved

_NOISE_STEPS, _NOISE_CAP = 16, 32
"""Differences from the bare board are counted in sixteenths of a grey level, up to this many grey levels."""
_SOME_ROWS = slice(None, None, 13)
"""One row in 13 is enough of half a million points."""
_ENOUGH = 54
"""How many points of a level are needed to tell its noise."""
_LOUDEST = 4.0
"""The most noise that a level has, in parts of what most points have."""


@dataclass(frozen=True)
class SensorNoise:
    """The camera's noise: `sigma` (3, 16), in grey levels, by channel and level. Each of the 16 levels covers
    16 grey levels.
    """

    sigma: Map

    @classmethod
    def between(cls, now: Image, board: BareBoard, light: Light) -> SensorNoise:
        """Learned from `now`, a softened flat picture that shows mostly bare board."""
        off = light.undone(now, board, _SOME_ROWS)
        off -= board.grey[:, _SOME_ROWS]
        np.abs(off, out=off)
        off *= _NOISE_STEPS
        sizes = _NOISE_STEPS * _NOISE_CAP
        # Two bytes hold every number, and OpenCV counts them in half of numpy's time.
        steps = np.minimum(off, sizes - 1, out=off).astype(np.uint16)
        # The channel and level of each point, in the order in which they are counted.
        level = board.grey[:, _SOME_ROWS] // (256 // LEVELS)
        level += np.arange(0, 3 * LEVELS, LEVELS, dtype=np.uint8)[:, None, None]
        steps += level * np.uint16(sizes)
        every = 3 * LEVELS * sizes
        counts = cv2.calcHist([steps.reshape(1, -1)], [0], None, [every], [0, every]).astype(np.intp)
        counts = counts.reshape(3, LEVELS, -1)
        overall = 1.48 * _middle(counts.sum(axis=1))[:, None]
        sigma = np.where(counts.sum(axis=2) > _ENOUGH, 1.48 * _middle(counts), overall)
        # A channel that is clipped to black seems to have no noise.
        sigma = np.maximum(sigma, overall / 2)
        sigma[:, 0] = np.maximum(sigma[:, 0], sigma[:, 1])
        # If most of a level's few points have changed, something stands on them.
        sigma = np.minimum(sigma, _LOUDEST * overall)
        return cls(np.maximum(sigma, 0.5).astype(np.float32))


def _middle(counts: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    """The medians (…), in grey levels, of differences that are counted by their size (…, sizes)."""
    below = np.cumsum(counts, axis=-1)
    half = below[..., -1:] / 2
    k = (below < half).sum(axis=-1, keepdims=True)
    over, at_k = (np.take_along_axis(a, k, axis=-1) for a in (below, counts))
    return np.asarray((k + 1 - (over - half) / np.maximum(at_k, 1))[..., 0] / _NOISE_STEPS)


@dataclass(frozen=True)
class Evidence:
    """What each point of the board shows, as log-likelihood ratios (nats) against the bare board.

    `now` is the flat picture (size, size, 3), softened, in this `light`. `squares` is the same, halved.
    `board` is the bare board. `change` (size, size, 3) is the difference from it in sigmas, in the bare
    board's light; edges show in it. Its sigmas count what is not known of the board (`uneven`).

    All else is for squares of 2 × 2 points (n, n), see `in_squares`. `ratios` (colours, n, n) say how much
    better a piece of each colour explains a square than bare board does, lit or in shadow. `solid` says it of
    anything at all, and `strange` of things of no piece's colour. `active` marks where something differs from
    the bare board. All ratios elsewhere are `_QUIET`.
    """

    now: Image
    squares: Image
    board: BareBoard
    light: Light
    change: Map
    ratios: Map
    solid: Map
    strange: Map
    active: npt.NDArray[np.bool_]

    @cached_property
    def lit(self) -> Map:
        """The channels (3, size, size) in the bare board's light. It takes time to make all of them."""
        return self.light.undone(self.now, self.board)

    def llr(self, colours: npt.ArrayLike, rows: Places, columns: Places) -> Map:
        """How much better (nats) pieces of these colours explain points than the bare board does.

        `colours` are seats, and `rows` and `columns` those of the flat picture. The three arrays are
        broadcast to one shape, which is that of the answer.
        """
        rows, columns = in_squares(rows, columns)
        first = np.asarray(colours) * self.ratios[0].size
        return np.asarray(self.ratios.ravel().take(first + rows * self.ratios.shape[2] + columns))

    def reflected(self, rows: Places, columns: Places) -> Map:
        """The colours (…, 3) of things at pixels (…) in the bare board's light, with white paint = 1.

        New haze lies on the board's varnish, and not on what stands on it.
        """
        places = rows * self.now.shape[1] + columns
        return np.moveaxis(self._reflected(places, self.board.white_at(places)), 0, -1)

    def compared(self, rows: Places, columns: Places) -> tuple[Map, Map]:
        """The same colours, and the bare board's own (…, 3) there."""
        places = rows * self.now.shape[1] + columns
        white = self.board.white_at(places)
        then = np.divide(self.board.grey.reshape(3, -1).take(places, axis=1), white, dtype=np.float32)
        return np.moveaxis(self._reflected(places, white), 0, -1), np.moveaxis(then, 0, -1)

    def _reflected(self, places: Places, white: Map) -> Map:
        return self._undone(channels_at(self.now, places), places, white)

    def in_its_light(self, grey: Map, row: int, column: int) -> Map:
        """Grey levels (3, …) of this frame, as `reflected` would give them at one pixel."""
        place = np.array([row * self.now.shape[1] + column])
        lit = self._undone(grey.reshape(3, -1), place, self.board.white_at(place))
        return np.asarray(lit.reshape(grey.shape))

    def _undone(self, grey: npt.NDArray[Any], places: Places, white: Map) -> Map:
        per_gain, veil = (layer.ravel().take(places) for layer in self.light.layers)
        lit = np.divide(grey, white, dtype=np.float32)
        lit -= np.minimum(veil, _NEW_HAZE, out=veil)
        lit *= self.light.per_channel(per_gain)
        lit /= self.light.balance.reshape(3, *(1,) * places.ndim)
        return np.asarray(lit, dtype=np.float32)


def in_squares(rows: Places, columns: Places) -> tuple[Places, Places]:
    """The rows and columns of the squares in which points lie."""
    return rows // 2, columns // 2


_NEW_HAZE = 0.02
"""The most new haze, in parts of white, that is taken off what stands on the board."""
_QUIET = -2.0
"""Log-likelihood ratio (nats) where nothing has changed: a piece would have been seen."""
_CAP = 4.0
"""The most nats that one point may say. Highlights, worn paint and the frame's own blur happen."""
_ACTIVE_SCORE = 5.0
"""How far the mean squared deviation (sigmas), over 6 × 6 mm, must be above that of bare board. Bare board
has 3 by definition, one for each channel.
"""
_BAND, _AT_ONCE = 28, 16384
"""Rows, and squares, that are weighed at once. All that is made in between stays in the processor's cache."""


def evidence(now: Image, board: BareBoard, colours: Map, noise: SensorNoise, light: Light) -> Evidence:
    """Weighs each point of a flat picture against the bare board, and against pieces of these `colours`.

    `now` is `softened`. `colours` are (colours, 3), white = 1; or of several paints (paints, colours, 3), of
    which the best counts. Squares of 2 mm tell where something has changed, and what it is likely to be.
    Softened points are much like their neighbours.
    """
    size = len(now)
    change = np.empty((size, size, 3), dtype=np.float32)
    loud = []
    finer = np.repeat(1 / noise.sigma, 256 // LEVELS, axis=1)
    for start in range(0, size, _BAND):
        rows = slice(start, start + _BAND)
        off = light.undone(now, board, rows)
        off -= board.grey[:, rows]
        for channel in range(3):
            per_sigma = cv2.LUT(board.grey[channel, rows], finer[channel])
            if board.uneven is not None:
                per_sigma = per_sigma / np.sqrt(1 + (board.uneven[rows] * per_sigma) ** 2)
            off[channel] *= per_sigma
        cv2.merge(list(off), dst=change[rows])
        off *= off
        off[0] += off[1]
        off[0] += off[2]
        loud.append(halved(off[0]))
    score = cv2.blur(np.concatenate(loud), (3, 3))
    active = cv2.dilate((score > 3 + _ACTIVE_SCORE).view(np.uint8), np.ones((5, 5), np.uint8)).view(np.bool_)
    squares = halved(now)
    colours = colours if colours.ndim > 2 else colours[None]
    ratios = np.full((colours.shape[1] + 2, active.size), _QUIET, dtype=np.float32)
    at = np.flatnonzero(active)
    for some in np.split(at, range(_AT_ONCE, len(at), _AT_ONCE)):
        for ratio, layer in zip(_weighed(squares, some, board, colours, noise, light), ratios, strict=True):
            layer[some] = ratio
    ratios = ratios.reshape(-1, *active.shape)
    return Evidence(now, squares, board, light, change, ratios[:-2], ratios[-2], ratios[-1], active)


def _weighed(
    squares: Image, at: npt.NDArray[np.intp], board: BareBoard, colours: Map, noise: SensorNoise, light: Light
) -> Map:
    """The log-likelihood ratios (colours + 2, N), in nats, at flat indices (N,) of a halved picture.

    First comes each colour, in the best of its paints (paints, colours, 3). Then come anything at all, and
    things of no piece's colour.
    """
    w, e, level = (
        np.stack([plane.ravel().take(at) for plane in planes])
        for planes in (board.squares.white_planes, board.squares.reflected, board.squares.levels)
    )
    rows, columns = np.divmod(at, squares.shape[1])
    per_gain, veil = (gathered(layer, 2 * rows, 2 * columns) for layer in light.layers)
    dimmest = light.dimmest.ravel().take(at)
    n = (squares.reshape(-1, 3).take(at, axis=0).T / w - veil) * light.per_channel(per_gain)
    n /= light.balance[:, None]
    np.minimum(level, grey_level(n * w), out=level)
    sigma = np.stack([noise.sigma[c].take(level[c]) for c in range(3)]) / w
    variance: Map = sigma * sigma
    if board.squares.unsure is not None:
        variance = variance + (board.squares.unsure.ravel().take(at) / w) ** 2
    most = 1.0 if light.brightest is None else np.maximum(light.brightest.ravel().take(at), 1)
    ground = _misfit_ground(n, e, variance, np.clip(1 - dimmest, 0, 1), most)
    pieces = _misfit_pieces(n, colours.reshape(-1, 3), variance)
    pieces = pieces.reshape(*colours.shape[:2], len(at)).min(axis=0)
    np.minimum(pieces, _UNKNOWN, out=pieces)
    out = np.empty((len(pieces) + 2, len(at)), dtype=np.float32)
    np.subtract(np.minimum(ground, _UNKNOWN), pieces, out=out[:-2])
    np.subtract(ground, pieces.min(axis=0, initial=_UNKNOWN), out=out[-2])
    np.subtract(ground, _UNKNOWN, out=out[-1])
    out /= 2
    return np.clip(out, -_CAP, _CAP, out=out)


_VEIL_SIGMA, _VEIL_LOSS, _DIM_TINT = 0.01, 0.35, 0.15
"""How far haze may be off, in parts of white: anywhere, and besides where a person's shadow takes it away.
The windows of `light_change` are too coarse to follow that. `_DIM_TINT` is how far colours may be off in that
shadow.
"""


def _misfit_ground(n: Map, e: Map, variance: Map, dim: Map, most: Map | float = 1.0) -> Map:
    """-2 log-likelihood (N,) of bare board, lit or in shadow.

    `n` and `e` (3, N) are the channels now and on the bare board. `dim` (N,) is the light that a person's
    shadow takes near by. Where that shadow ends, up to `most` times the light that was told may fall.
    """
    ew = e / variance
    s = np.clip((n * ew).sum(axis=0) / np.maximum((e * ew).sum(axis=0), 1e-6), 0.2, 1.25 * most)
    tolerance = ((0.03 + 0.12 * np.clip(1 - s, 0, 1) + _DIM_TINT * dim) * s) * e
    veil_sigma = _VEIL_SIGMA + _VEIL_LOSS * dim
    off, spread = n - s * e, variance + tolerance * tolerance
    veil = (off / spread).sum(axis=0) / ((1 / spread).sum(axis=0) + 1 / veil_sigma**2)
    fit = _misfit(off - veil, spread) + (veil / veil_sigma) ** 2
    # A shadow costs something, since most of the board has none. Brighter than ever costs more. A lamp's own
    # shadow keeps the room's light, 0.4 or more of the grey level. What is deeper is a dark piece.
    deep = ((1 - s) / 0.3) ** 2 + (np.clip(0.42 - s, 0, 1) / 0.04) ** 2
    over = np.maximum(s - most, 0) / 0.05
    change = np.where(s < 1, np.minimum(((1 - s) / 0.05) ** 2, 3.0) + deep, over * over)
    return np.asarray(fit + change, dtype=np.float32)


def _misfit_pieces(n: Map, colours: Map, variance: Map) -> Map:
    """-2 log-likelihood (colours, N) of pieces' surfaces, more or less lit, for points (3, N)."""
    precise = 1 / variance
    shades = np.clip((colours @ (n * precise)) / ((colours * colours) @ precise), 0.3, 1.5)
    out = ((shades - 1) / 0.25) ** 2 + _PIECE_ODDS
    for colour, shade, misfit in zip(colours, shades, out, strict=True):
        expected = shade * colour[:, None]
        tolerance = 0.1 * expected + 0.02
        misfit += _misfit(n - expected, variance + tolerance * tolerance)
    return np.asarray(out, dtype=np.float32)


_UNKNOWN = 0.0
"""-2 log-likelihood of anything else (hands, dice, gold rims): any colour is as likely, and all are rare."""
_PIECE_ODDS = 2.0
"""What a piece costs to begin with (-2 log-likelihood), since little of the board has one on it."""


def _misfit(off: Map, variance: Map) -> Map:
    """-2 log-likelihood (N,) of deviations (3, N) with these variances, without its constant."""
    volume = variance[0] * variance[1] * variance[2]
    return np.asarray((off * off / variance).sum(axis=0) + np.log(volume), dtype=np.float32)

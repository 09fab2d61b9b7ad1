"""Spots of a pip's size in a picture. A die shows them wherever it lies; painted boards seldom do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import Floats, Grey, Image, Places
from uckers_table.vision.picture.channels import (
    GAMMA,
    Halves,
    halvings,
    in_halved,
    in_whole,
    medians,
    remapped,
)
from uckers_table.vision.place.camera import CameraModel

Changed = Callable[[Floats], npt.NDArray[np.bool_]]
"""Tells of places (N, 2), in pixels, whether anything there may differ from the bare board: (N,)."""

_SPOT_MM, _ROUND_MM, _APART_MM, _RING_MM = 0.6, 5.0, 2.4, 2.5
"""Lengths (mm): a blur inside a pip; a box round one; how near two spots may be; the radius of a ring on the
face. Pips of 16 mm dice measure 2.6 to 3.5 mm and lie 3.2 to 5 mm apart.
"""
_STEP, _STEP_SHARE = 10, 0.08
"""How far a spot must differ from what is round it, in grey levels plus a share: weeds out noise early."""
_DARK_FLOOR = 80.0
"""Contrast is a share of the brighter part. Where all is darker than this grey level, it
is a share of this.
"""
CLEAR, FAINT = 0.28, 0.15
"""Least contrasts of clear spots and of faint ones. Pips on upper faces have 0.5 to 0.9, on glossy dice under
a lamp 0.18.
"""
_OLD_SHARE = 0.5
"""If the bare board shows a spot with more than this part of its contrast, the spot is the board's."""
_RUNS_ON, _WHOLE = 0.5, 0.75
"""The exception to `_OLD_SHARE`: a pip where the die hides a painted line. The ring round a place on a line
has, at its least, less than `_RUNS_ON` of its contrast. The ring round a pip has more than `_WHOLE`.
"""
_DIMMER, _OLD_LIGHT = 0.75, 1.1
"""A spot is the board's too if two things hold. Less than `_DIMMER` of the grey level is left, and the step
in light was more than `_OLD_LIGHT` times as large. A lamp's glare on varnish drowns painted lines; a shadow
that takes the glare away brings them out.
"""
_NOISE_MM = 0.45
"""The blur (mm) that takes off the noise of a picture that is not halved."""
_OTHER, _OTHER_SHARE = 6, 0.08
"""How far a place's colour must differ from the bare board's to hold a die, in grey levels plus a share."""
_PIP_SHARE = 0.4
"""The part of a box round a pip that is the pip; the rest is the face. Dark pips on a white face may bring
the box's mean to the board's own level.
"""
_MOST = 400
"""The most spots that are kept, the strongest. The rest are texture."""

_ANGLES = np.linspace(0, 2 * np.pi, 12, endpoint=False)
_BESIDE = ((0, -2), (-2, 0), (0, 2), (2, 0), (-2, -2), (2, 2), (-2, 2), (2, -2))
"""Steps (x, y) to pixels of a halved picture that lie about as far from the middle as a ring."""
_RING = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
"""The unit vectors (12, 2) from a place to the points of its ring."""


@dataclass(frozen=True)
class Spots:
    """N spots.

    `px`: their pixels (N, 2), to a fraction.
    `dark`: they are darker than what is round them (N,).
    `contrast`: the step to what is round them (N,), as a share of the brighter.
    `around`: the colour round them, BGR (N, 3).
    `may_be_old`: the board has moved, and may show the bare board's spots there (N,).
    """

    px: Floats
    dark: npt.NDArray[np.bool_]
    contrast: Floats
    around: Floats
    may_be_old: npt.NDArray[np.bool_]

    def where(self, kept: npt.NDArray[np.bool_]) -> Spots:
        """Only the spots marked (N,)."""
        return Spots(*(values[kept] for values in vars(self).values()))


def sample(picture: Image, px: Floats) -> Floats:
    """What a picture (rows, columns[, channels]) shows at pixels (N, M, 2), bilinear: (N, M[, channels])."""
    places = np.ascontiguousarray(px, dtype=np.float32)
    return np.asarray(remapped(picture, places, np.empty(0, np.float32)), dtype=np.float64)


@dataclass(frozen=True)
class Smoothed:
    """A picture, and the same halved to about a pixel a millimetre: noise is averaged away, pips are not.

    `picture`: the picture at full size, BGR. Places are given in its pixels.
    `times`: how often it is halved. `scale`: the pixels a millimetre after that.
    `halved`: the halved picture, BGR.
    `green`: its green channel, in which red, blue and black dice are all dark.
    `soft`: the green channel, blurred inside a pip's size.
    `wide`: the mean of the green channel in a box round each place.
    """

    picture: Image
    times: int
    scale: float
    halved: Image
    green: Grey
    soft: Grey
    wide: Grey

    @classmethod
    def of(cls, picture: Halves, px_per_mm: float) -> Smoothed:
        """A picture with this many pixels a millimetre, smoothed."""
        times = halvings(px_per_mm)
        scale, small = px_per_mm / 2**times, picture.at(times)
        if not times:
            small = np.asarray(cv2.GaussianBlur(small, (3, 3), _NOISE_MM * scale), dtype=np.uint8)
        green = np.asarray(cv2.extractChannel(small, 1), dtype=np.uint8)
        soft = np.asarray(cv2.GaussianBlur(green, (3, 3), _SPOT_MM * scale), dtype=np.uint8)
        wide = np.asarray(cv2.blur(green, _box(_ROUND_MM, scale)), dtype=np.uint8)
        return cls(picture.whole, times, scale, small, green, soft, wide)

    def around(self, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> Floats:
        """The mean colours (N, 3), in whole grey levels, round places of the halved picture: in a box as in
        `wide`.
        """
        near = np.arange(_box(_ROUND_MM, self.scale)[0])
        near -= len(near) // 2
        at_row, at_column = (
            np.abs(last - np.abs(last - (middle[:, None] + near)))
            for middle, last in zip((rows, columns), (n - 1 for n in self.halved.shape[:2]), strict=True)
        )
        places = at_row[:, :, None] * self.halved.shape[1] + at_column[:, None]
        seen = self.halved.reshape(-1, 3).take(places.reshape(-1, len(near) ** 2), axis=0)
        # As a product of matrices. A sum over an axis in the middle takes numpy ten times as long.
        sums = np.ones(seen.shape[1], dtype=np.float32) @ seen.astype(np.float32)
        return np.asarray(np.rint(sums / np.float64(seen.shape[1])))

    def at(self, px: Floats) -> Floats:
        """Colours (N, M, 3) of the halved picture at pixels (N, M, 2), in grey levels."""
        return sample(self.halved, in_halved(px, self.times))


def find_spots(
    now: Smoothed, camera: CameraModel, bare: Smoothed, bare_camera: CameraModel, changed: Changed
) -> Spots:
    """The spots that a picture has and the bare board has not, faint ones too. Each is seen by its own
    camera.

    `changed` tells of places (N, 2) in the picture whether anything there may differ from the bare board.
    """
    px, dark = _peaks(now, bare, changed)
    px = _centred(now.picture, px, dark)
    rings = _Rings.seen(now, px)
    dark, contrast = rings.dark, rings.contrast
    order = np.argsort(-contrast)[:_MOST]
    order = order[contrast[order] > FAINT]
    px, dark, contrast, rings = px[order], dark[order], contrast[order], rings.where(order)
    # After a bump the paint has moved, but what lies round the board has not. Either may explain a spot.
    views, may_be_old = [px], np.zeros(len(px), dtype=bool)
    if camera is not bare_camera:
        moved = bare_camera.project(camera.unproject(px))
        # Its old place is known to a pixel only. Thin lines may lie beside that.
        near = _Rings.seen(bare, _centred(bare.picture, moved, dark))
        views, may_be_old = [px, moved], (near.dark == dark) & (near.contrast > _OLD_SHARE * contrast)
    for view in views:
        was = _Rings.seen(bare, view)
        drowned = (rings.level < _DIMMER * was.level) & (was.light > _OLD_LIGHT * rings.light)
        old = (was.dark == dark) & ((was.contrast > _OLD_SHARE * contrast) | drowned)
        old &= ~rings.cover(was)
        contrast = np.where(old, 0.0, contrast)
    new = (contrast > 0) & ~_repeated(px, _APART_MM / 2 * camera.px_per_mm)
    px, dark, contrast, may_be_old = px[new], dark[new], contrast[new], may_be_old[new]
    if not len(px):
        return Spots(px, dark, contrast, np.empty((0, 3)), may_be_old)
    around = medians(now.at(px[:, None] + _RING * _RING_MM * camera.px_per_mm))
    reach, plain = round(_PIP_REACH_MM * camera.px_per_mm), contrast > _PLAIN
    if reach >= _LEAST_REACH_PX and plain.any():
        # The middle of the two places is least often far off.
        px[plain] = (px[plain] + _middles(now.picture, px[plain], around[plain, 1], reach)) / 2
    return Spots(px, dark, contrast, around, may_be_old)


def _box(size_mm: float, scale: float) -> tuple[int, int]:
    size = round(size_mm * scale) | 1
    return size, size


def _repeated(px: Floats, near_px: float) -> npt.NDArray[np.bool_]:
    """Which places (N, 2), the best first, lie nearer than this to an earlier one. Flat tops peak twice."""
    x, y = (places[:, None] - places for places in px.T)
    away = np.hypot(x, y)
    return np.asarray(np.tril(away < near_px, -1).any(axis=1))


def _peaks(now: Smoothed, bare: Smoothed, changed: Changed) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Where a picture differs most from what is round it, and the bare board does not: pixels (N, 2). Also
    whether it is darker there (N,).
    """
    step = cv2.absdiff(now.soft, now.wide)
    highest = cv2.dilate(step, np.ones(_box(_APART_MM, now.scale), np.uint8))
    least = cv2.convertScaleAbs(cv2.max(now.soft, now.wide), alpha=_STEP_SHARE, beta=_STEP)
    places = np.flatnonzero(step >= cv2.max(highest, least))
    level, was, around, was_around = (
        a.ravel().take(places).astype(np.int16) for a in (now.soft, bare.soft, now.wide, bare.wide)
    )
    here, then = level - around, was - was_around
    new = np.abs(here - then) > _OLD_SHARE * np.abs(here)
    # Most spots that are as they were are lines. A spot that stands out on all sides is compared with the
    # board's.
    plain = np.abs(here) > CLEAR * np.maximum(np.maximum(level, around), _DARK_FLOOR)
    old = _whole(now.soft, places, here, np.flatnonzero(~new & plain))
    found = np.concatenate([np.flatnonzero(new), old])
    rows, columns = np.divmod(places[found], step.shape[1])
    px = in_whole(np.column_stack([columns, rows]).astype(np.float64), now.times)
    kept = changed(px)
    old = kept & ~new[found]
    if old.any():
        middles = _centred(now.picture, px[old], here[found[old]] < 0)
        kept[old] = _Rings.seen(now, middles).cover(_Rings.seen(bare, middles))
    rows, columns, px, here, then = rows[kept], columns[kept], px[kept], here[found[kept]], then[found[kept]]
    colour, other = now.around(rows, columns), bare.around(rows, columns)
    off = np.abs(colour - other).max(axis=1)
    face = np.abs((colour - other)[:, 1] - _PIP_SHARE * (here - then))
    own = np.maximum(off, face) > _OTHER + _OTHER_SHARE * colour.max(axis=1)
    return px[own], here[own] < 0


def _whole(soft: Grey, places: Places, here: npt.NDArray[np.int16], some: Places) -> Places:
    """The indices among `some` of places in a flattened picture that stand out from what is round them on all
    sides. `here` is each place's step to its surroundings.
    """
    levels = soft.ravel()
    for x, y in _BESIDE:
        at, step = places[some], here[some]
        beside = levels.take(at + (y * soft.shape[1] + x), mode="clip").astype(np.int16) - levels[at]
        some = some[beside * -np.sign(step) > np.abs(step) * _WHOLE]
    return some


@dataclass(frozen=True)
class _Rings:
    """Green grey levels of N places, and of the rings round them (N, 12), each ring in rising order."""

    middle: Floats
    around: Floats

    @classmethod
    def seen(cls, picture: Smoothed, px: Floats) -> _Rings:
        """The places (N, 2), in pixels of the picture, with their rings."""
        if not len(px):
            return cls(np.zeros(0), np.zeros((0, len(_RING))))
        ring = in_halved(px, picture.times)[:, None] + _RING * _RING_MM * picture.scale
        middle = _windows(picture.picture, np.rint(px).astype(np.intp), 0)[:, 0]
        return cls(middle, np.sort(sample(picture.green, ring), axis=1))

    def where(self, order: npt.NDArray[np.intp]) -> _Rings:
        """The same places in another order."""
        return _Rings(self.middle[order], self.around[order])

    @cached_property
    def level(self) -> Floats:
        """The median of each ring (N,)."""
        return np.asarray((self.around[:, len(_RING) // 2 - 1] + self.around[:, len(_RING) // 2]) / 2)

    @cached_property
    def dark(self) -> npt.NDArray[np.bool_]:
        """Whether each place is darker than its ring (N,)."""
        return self.level > self.middle

    @cached_property
    def contrast(self) -> Floats:
        """How much nearly all of each ring differs from the place (N,), as a share of the brighter."""
        return self._differs(but=2)

    @cached_property
    def least(self) -> Floats:
        """How much all of each ring differs from the place (N,), as a share of the brighter. On a line,
        hardly.
        """
        return self._differs(but=0)

    def _differs(self, but: int) -> Floats:
        """The same without `but` points of each ring: the ones that differ least."""
        nearest = np.where(self.dark, self.around[:, but], self.around[:, -1 - but])
        step = np.where(self.dark, nearest - self.middle, self.middle - nearest)
        return np.asarray(step / np.maximum(np.maximum(self.middle, self.level), _DARK_FLOOR))

    def cover(self, was: _Rings) -> npt.NDArray[np.bool_]:
        """Which places (N,) stand out on all sides where the bare board shows a line that runs on."""
        runs_on = was.least < _RUNS_ON * np.maximum(was.contrast, 0)
        return np.asarray(runs_on & (self.contrast > _PLAIN) & (self.least > _WHOLE * self.contrast))

    @cached_property
    def light(self) -> Floats:
        """The step in light between each place and its ring (N,). A full pixel's light is 1."""
        place, ring = ((level / 255) ** GAMMA for level in (self.middle, self.level))
        return np.asarray(np.abs(ring - place))


def _offsets(reach: int) -> npt.NDArray[np.intp]:
    """The offsets (M, 2) to all pixels within `reach` of one, in columns and rows, row by row."""
    return np.stack(np.meshgrid(*[np.arange(-reach, reach + 1)] * 2), axis=-1).reshape(-1, 2)


def _centred(picture: Image, px: Floats, dark: npt.NDArray[np.bool_]) -> Floats:
    """The places (N, 2) of spots to a fraction of a pixel: the middle of where they stand out most."""
    sign = np.where(dark, -1.0, 1.0)[:, None]
    whole = np.rint(px).astype(np.intp)
    whole += _NEAR[(sign * _windows(picture, whole, _NEAR_PX)).argmax(axis=1)]
    level = sign * _windows(picture, whole, _NEAR_PX)
    weight = np.maximum(level - medians(level[..., None]), 0) + 1e-6
    return np.asarray(whole + weight @ _NEAR / weight.sum(axis=1, keepdims=True))


def _middles(picture: Image, px: Floats, around: Floats, reach: int) -> Floats:
    """The middles (N, 2) of whole pips near pixels (N, 2). A pip's rim is `reach` pixels from its middle, and
    its face has the green grey level `around` (N,).

    Noise moves these middles half as far as it moves where pips stand out most. A pip's shaded side moves
    them farther.
    """
    near = _offsets(reach)
    for _ in range(_ROUNDS):
        whole = np.rint(px).astype(np.intp)
        off = whole[:, None] + near - px[:, None]
        away = np.hypot(off[..., 0], off[..., 1])
        step = _windows(picture, whole, reach) - around[:, None]
        core = away < reach / 2
        pip = (step * core).sum(axis=1, keepdims=True) / core.sum(axis=1, keepdims=True)
        share = step / np.where(np.abs(pip) < 1, 1, pip)
        weight = np.clip(share - _LEAST_SHARE, 0, 1 - 2 * _LEAST_SHARE) * (away < reach + 0.5) + 1e-6
        px = px + (weight[..., None] * off).sum(axis=1) / weight.sum(axis=1, keepdims=True)
    return px


_PIP_REACH_MM, _LEAST_REACH_PX, _ROUNDS = 1.65, 3, 2
"""The distance (mm) from a pip's middle to its rim, its least in pixels, and how often a middle is refined.
Where it is less, what is round a pip blurs into the next one.
"""
_PLAIN = 0.35
"""The least contrast of pips that are placed by their whole. In a lamp's glare their
surroundings are uneven.
"""
_LEAST_SHARE = 0.25
"""The least part of a pip's step that counts as the pip. Less is the face, or noise."""
_NEAR_PX = 2
_NEAR = _offsets(_NEAR_PX)
"""How far (pixels) round a spot its middle is looked for, and the offsets (25, 2) there."""


def _windows(picture: Image, whole: npt.NDArray[np.intp], reach: int) -> Floats:
    """The green channel (N, M) at all pixels within `reach` of whole ones (N, 2), row by row. Each is the
    mean of nine. A place at the picture's edge counts as the nearest one that has all its pixels.
    """
    height, width, channels = picture.shape
    near = np.arange(-reach - 1, reach + 2)
    places = np.clip(whole[:, 1], reach + 1, height - reach - 2) * width
    places += np.clip(whole[:, 0], reach + 1, width - reach - 2)
    around = (near[:, None] * width + near).ravel()
    green = picture.reshape(-1).take((places[:, None] + around) * channels + 1)
    return np.asarray(green.astype(np.float64) @ _nines(reach) / 9)


@lru_cache
def _nines(reach: int) -> Floats:
    """Which nine of all pixels within `reach` and one more lie round each of those within `reach`: 1 where
    so.
    """
    at = np.arange(2 * reach + 3)
    near = np.abs(at[:, None] - at[1:-1]) <= 1
    return np.kron(near, near).astype(np.float64)

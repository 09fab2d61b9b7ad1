"""What differs between two frames of a stream apart from light: things that came, went or moved.

Frames are compared laid flat, at half a pixel to a millimetre, which averages noise away. Light and shadow
change a whole neighbourhood alike; a piece or a die changes its own place alone. So the median change within
25 mm is subtracted from each point's change, both as logarithms. What is left has to be more than noise as
well: on dark paint two grey levels are a fifth of the light.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import Flags, Image, Map, Mask, Places
from uckers_table.vision.picture.channels import brightest

PX_PER_MM = 0.5
_NOISE = 14
"""Grey levels, after the averaging: a larger change is more than noise and flicker."""
_SPECK_PX = 6
"""Fewer changed pixels than this are noise."""
_FLOOR, _STEPS = 4.0, 90.0
"""`_FLOOR`: grey levels that are added before the logarithm. `_STEPS`: a byte's steps to 1 of it, so that it
holds ±1.4."""
_LOG = (np.log(np.arange(256) + _FLOOR) * _STEPS).astype(np.int16)
_WINDOW_PX = 25
"""50 mm: a piece and its shadow fill a fifth of the window, the edge of a person's shadow half."""
_OFF, _OFF_LEVELS = 18, 8.0
"""What is lighter or darker than its neighbourhood: by `_OFF` steps (a fifth) and, in the darker frame, by
`_OFF_LEVELS` grey levels. Pieces on paint of their own colour have a fifth at their rims and shadows. Soft
shadows on S2 and W701 make crowds (see `_THING_PX`) of up to 26 without `_OFF_LEVELS`, and none with it."""
_BLURRED = 1.0
"""The share of the difference between neighbouring pixels that is left after laying back by a pixel. On S2
and W701 frames of a trembling camera have crowds of up to 12 without it, and none with it."""
_WITHIN_PX, _THING_PX = 11, 12
"""A thing has more than `_THING_PX` changed pixels crowded within a square of 22 mm. On S2 and W701 an
untouched board has none. A piece that is lifted leaves 76 to 116, one that is moved 110 to 116, a die that
goes 91 to 115 (`python -m bench.stillness`: crowd)."""
_GREY = np.expm1(np.arange(256) / _STEPS).astype(np.float32)
"""By how much of its light a place has changed that is off by so many steps."""


def differs(one: Image, other: Image) -> bool:
    """Whether anything, even light, has changed between two small flat pictures."""
    return bool(np.count_nonzero(_raw(one, other)) >= _SPECK_PX)


def moved(one: Image, other: Image, shaken_px: float = 0.0) -> Flags:
    """Where things differ between two small flat pictures (size, size), light and shadow left aside.

    `shaken_px`: by how much either was laid back, at most, because the camera trembles.
    """
    changed = _changed(one, other, shaken_px)
    if changed is None:
        return np.zeros(one.shape[:2], dtype=bool)
    things = (_crowd(changed) > _THING_PX).astype(np.uint8)
    near = np.asarray(cv2.dilate(things, np.ones((_WITHIN_PX, _WITHIN_PX), np.uint8)))
    return np.asarray((changed > 0) & (near > 0))


def _changed(one: Image, other: Image, shaken_px: float) -> Mask | None:
    """Where more than light, shadow and noise has changed, two by two pixels at least. None for nowhere."""
    raw = _raw(one, other)
    if np.count_nonzero(raw) < _SPECK_PX:
        return None
    change = np.clip(_LOG[one] - _LOG[other] + 128, 0, 255).astype(np.uint8)
    own = cv2.absdiff(change, cv2.medianBlur(change, _WINDOW_PX))
    # Beyond the picture's edge nothing is known, so points near it have no whole neighbourhood.
    known = (brightest(one) > 0) & (brightest(other) > 0)
    known = cv2.erode(known.astype(np.uint8), np.ones((_WINDOW_PX, _WINDOW_PX), np.uint8)) > 0
    changed = ((brightest(own) > _OFF) & raw & known).astype(np.uint8)
    places = np.flatnonzero(changed)
    if len(places) < _SPECK_PX:
        return None
    changed.reshape(-1)[places] = _is_off(one, other, own, places, shaken_px)
    return np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))


def _crowd(changed: Mask) -> npt.NDArray[np.uint16]:
    """How many changed places lie in the square round each."""
    within = _WITHIN_PX, _WITHIN_PX
    crowd = cv2.boxFilter(changed, cv2.CV_16U, within, normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(crowd, dtype=np.uint16)


def _is_off(one: Image, other: Image, own: Image, places: Places, shaken_px: float) -> Flags:
    """Which places (N,) are off by more than noise in one channel. `own`: by how many steps each is off."""
    steps, seen, seen_before = (each.reshape(-1, 3).take(places, axis=0) for each in (own, one, other))
    levels = (np.minimum(seen, seen_before) + _FLOOR) * _GREY[steps]
    most: float | Map = _OFF_LEVELS
    if shaken_px:
        around = np.ones((3, 3), np.uint8)
        relief = cv2.subtract(cv2.dilate(other, around), cv2.erode(other, around))
        most = _OFF_LEVELS + np.float32(_BLURRED * shaken_px) * relief.reshape(-1, 3).take(places, axis=0)
    return np.asarray(((steps > _OFF) & (levels > most)).any(axis=1))


def relit(one: Image, other: Image) -> float:
    """The share by which the light over a small flat picture has changed, in the most changed channel."""
    means = (np.array(cv2.mean(picture)[:3]) + _FLOOR for picture in (one, other))
    now, then = means
    return float(np.abs(np.log(now / then)).max())


def _raw(one: Image, other: Image) -> Flags:
    return np.asarray(brightest(cv2.absdiff(one, other)) > _NOISE)

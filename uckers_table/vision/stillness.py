"""What differs between two frames of a stream apart from light: things that came, went or moved.

Frames are compared laid flat, at half a pixel to a millimetre, which averages noise away. Light and shadow
change a whole neighbourhood alike; a piece or a die changes its own place alone. So the median change within
25 mm is subtracted from each point's change, both as logarithms.
"""

from __future__ import annotations

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Flags, Image
from uckers_table.vision.picture.channels import brightest

PX_PER_MM = 0.5
_NOISE = 14
"""Grey levels, after the averaging: a larger change is more than noise and flicker."""
_SPECK_PX, _THING_PX = 6, 16
"""Fewer changed pixels than the first are noise. A thing changes more than the second: a die that goes leaves
64, a piece 200, a highlight that a shadow takes away 7."""
_FLOOR, _STEPS = 4.0, 90.0
"""`_FLOOR`: grey levels that are added before the logarithm. `_STEPS`: a byte's steps to 1 of it, so that it
holds ±1.4."""
_LOG = (np.log(np.arange(256) + _FLOOR) * _STEPS).astype(np.int16)
_WINDOW_PX = 25
"""50 mm: a piece and its shadow fill a fifth of the window, the edge of a person's shadow half."""
_OFF = 18
"""In steps: a fifth lighter or darker than its neighbourhood. Pieces on paint of their own colour have as
much at their rims and shadows."""


def differs(one: Image, other: Image) -> bool:
    """Whether anything, even light, has changed between two small flat pictures."""
    return bool(np.count_nonzero(_raw(one, other)) >= _SPECK_PX)


def moved(one: Image, other: Image) -> Flags:
    """Where things differ between two small flat pictures (size, size), light and shadow left aside."""
    raw = _raw(one, other)
    if np.count_nonzero(raw) < _SPECK_PX:
        return np.zeros(raw.shape, dtype=bool)
    change = np.clip(_LOG[one] - _LOG[other] + 128, 0, 255).astype(np.uint8)
    own = cv2.absdiff(change, cv2.medianBlur(change, _WINDOW_PX))
    # Beyond the picture's edge nothing is known, so points near it have no whole neighbourhood.
    known = (brightest(one) > 0) & (brightest(other) > 0)
    known = cv2.erode(known.astype(np.uint8), np.ones((_WINDOW_PX, _WINDOW_PX), np.uint8)) > 0
    things = ((brightest(own) > _OFF) & raw & known).astype(np.uint8)
    solid = np.asarray(cv2.morphologyEx(things, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))) > 0
    return np.asarray(solid & (np.count_nonzero(solid) > _THING_PX))


def relit(one: Image, other: Image) -> float:
    """The share by which the light over a small flat picture has changed, in the most changed channel."""
    means = (np.array(cv2.mean(picture)[:3]) + _FLOOR for picture in (one, other))
    now, then = means
    return float(np.abs(np.log(now / then)).max())


def _raw(one: Image, other: Image) -> Flags:
    return np.asarray(brightest(cv2.absdiff(one, other)) > _NOISE)

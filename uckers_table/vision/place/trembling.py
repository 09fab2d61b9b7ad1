"""A camera that trembles: each small flat picture is laid on one of them, so that nothing seems to move.

A camera that swings by a third of a pixel shows every painted line beside its place. How far it has swung is
told by the steepest places of the picture, in least squares. What stands elsewhere than before has no say:
places that fit far worse than most are left out.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Floats, Image, Map, Places
from uckers_table.vision.picture.channels import brightest

_PLACES = 6000
"""How many places tell the shift: the steepest of 132,000."""
_FLOOR = 16.0
"""Grey levels added before logarithms are taken: noise on a dark table is no slope."""
_LOG = np.log(np.arange(256) + _FLOOR).astype(np.float32)
_ROUND_PX = 15
"""The mean over so many pixels is subtracted. So neither light nor soft shadows count as shifts."""
_SOFT_PX = 1.0
"""How far this is smoothed: painted lines are narrower than a pixel, and jump from one to the next."""
_SLOPE = np.array([1, -8, 0, 8, -1], dtype=np.float32) / 12
"""How steeply five levels in a row rise. Two neighbours alone say a third too little."""
_FITS = 3.0
"""In median errors: places that fit worse do not count."""
_MOST_PX = 0.75
"""How far a camera trembles at most: 1.5 mm on the board. A picture that is farther off is left as it is."""
_BUMPED_PX, _FRAMES = 0.35, 16
"""Camera or board was bumped if the median of so many pictures is off by this: 0.7 mm on the board. On S2 and
W701 a camera that trembles by 0.3 pixels of its own was off by 0.30 here at most, and by 0.18 in the median
(`python -m bench.stillness`)."""


class Trembling:
    """Lays the pictures (size, size, 3) of a camera that may tremble on one of them: `on`.

    `shaken_px`: by how much the last two were laid back, at most.
    """

    def __init__(self, on: Image) -> None:
        self.on, self._anchor = on, _Anchor.of(on)
        self._offs = deque[Floats]([np.zeros(2)], maxlen=_FRAMES)
        self.shaken_px = 0.0

    def stilled(self, picture: Image, *, is_other: bool) -> Image:
        """The picture laid back, if it `is_other` at all."""
        off, before = np.zeros(2), self._offs[-1]
        if is_other:
            found = self._anchor.off_px(picture)
            if np.linalg.norm(found) <= _MOST_PX:
                off, picture = found, _laid_back(picture, found)
        self._offs.append(off)
        self.shaken_px = float(max(np.linalg.norm(off), np.linalg.norm(before)))
        return picture

    @property
    def is_bumped(self) -> bool:
        """Whether the pictures have been off for longer than a camera trembles."""
        is_full = len(self._offs) == _FRAMES
        return is_full and float(np.linalg.norm(np.median(self._offs, axis=0))) > _BUMPED_PX


@dataclass(frozen=True)
class _Anchor:
    """The picture on which others are laid. `places`: the steepest ones, as rows and columns. `levels` (N,):
    what `_shown` gives there. `slopes` (2, N): how these rise, along x and y.
    """

    places: tuple[Places, Places]
    slopes: Map
    levels: Map

    @classmethod
    def of(cls, picture: Image) -> _Anchor:
        """For pictures (size, size, 3) that show the same as this one."""
        shown = _shown(picture)
        rises = [cv2.filter2D(shown, cv2.CV_32F, way) for way in (_SLOPE[None], _SLOPE[:, None])]
        # What lies beyond the frame is black, and never shifts.
        reach = np.ones((_ROUND_PX + 4, _ROUND_PX + 4), np.uint8)
        known = cv2.erode((brightest(picture) > 0).astype(np.uint8), reach, borderValue=0)
        steepness = np.hypot(*rises) * known
        rows, columns = np.divmod(np.argpartition(steepness.ravel(), -_PLACES)[-_PLACES:], shown.shape[1])
        slopes = np.stack([rise[rows, columns] for rise in rises]).astype(np.float32)
        return cls((rows, columns), slopes, shown[rows, columns])

    def off_px(self, picture: Image) -> Floats:
        """By how much (x, y) a picture shows everything beside its place."""
        off = self.levels - _shown(picture)[self.places]
        error = np.abs(off)
        fits = self.slopes * (error <= _FITS * np.median(error))
        return np.asarray(np.linalg.lstsq(fits @ self.slopes.T, fits @ off, rcond=None)[0], dtype=np.float64)


def _laid_back(picture: Image, shift_px: Floats) -> Image:
    """A picture without a shift (x, y). Beyond its edge, its edge goes on."""
    x, y = shift_px
    back = np.array([[1.0, 0.0, x], [0.0, 1.0, y]])
    how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    laid = cv2.warpAffine(picture, back, picture.shape[1::-1], flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(laid, dtype=np.uint8)


def _shown(picture: Image) -> Map:
    """What tells where a picture shows things: its grey levels over those round about, as logarithms."""
    levels = cv2.LUT(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), _LOG)
    round_about = cv2.blur(levels, (_ROUND_PX, _ROUND_PX))
    return np.asarray(cv2.GaussianBlur(levels - round_about, (0, 0), _SOFT_PX), dtype=np.float32)

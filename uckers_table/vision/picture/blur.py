"""How blurred any picture is, by its sharpest edges. What it shows need not be known."""

from __future__ import annotations

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Image

_REBLUR_PX = 2.0
_SHARP_SHARE, _MIN_SLOPE = 99, 12.0
"""In a picture with a board in it the steepest hundredth of all points are edges. If even these rise by less
than 1.5 grey levels a pixel there are none. (Sobel's operator gives eight times that.)
"""


def blur_px(picture: Image) -> float:
    """The standard deviation, in pixels, of the blur of a picture's sharpest edges, in the worse direction; 0
    if it has no edges.

    Blurred once more by a known amount, a sharp edge loses much of its slope and a soft one little: a blur of
    s becomes one of sqrt(s² + r²), and slopes fall in that ratio.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    softer = cv2.GaussianBlur(grey, (0, 0), _REBLUR_PX)
    worst = 0.0
    for dx, dy in ((1, 0), (0, 1)):
        slope, less = (np.abs(cv2.Sobel(p, cv2.CV_32F, dx, dy)) for p in (grey, softer))
        steep = float(np.percentile(slope[::4, ::4], _SHARP_SHARE))
        if steep < _MIN_SLOPE:
            continue
        edges = slope > steep
        ratio = float(np.median(slope[edges] / np.maximum(less[edges], 1e-3)))
        worst = max(worst, _REBLUR_PX / max(ratio**2 - 1, 1e-6) ** 0.5)
    return worst

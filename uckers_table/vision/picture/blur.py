"""How blurred a picture is, by its sharpest edges. It may show anything."""

from __future__ import annotations

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Image

_REBLUR_PX = 2.0
"""The standard deviation (pixels) by which a picture is blurred once more."""
_SHARP_SHARE, _MIN_SLOPE = 99, 12.0
"""Where a picture shows a board, the steepest hundredth of its points are edges. If even these rise by less
than 1.5 grey levels a pixel, it has none. Sobel's operator gives eight times that: 12.
"""


def blur_px(picture: Image) -> float:
    """The blur of a picture's sharpest edges in the worse direction, as a standard deviation in pixels. 0 if
    it has no edges. The picture is BGR (rows, columns, 3).

    Blurred once more by a known r, a sharp edge loses much of its slope and a soft one little. A blur of s
    becomes sqrt(s² + r²), and slopes fall in that ratio.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    softer = cv2.GaussianBlur(grey, (0, 0), _REBLUR_PX)
    worst = 0.0
    for dx, dy in ((1, 0), (0, 1)):
        slope, less = (np.abs(cv2.Sobel(p, cv2.CV_32F, dx, dy)) for p in (grey, softer))
        steep = float(np.percentile(slope[::4, ::4], _SHARP_SHARE))
        edges = slope > steep
        # In a drawing of two greys all edges may be as steep.
        if steep < _MIN_SLOPE or not edges.any():
            continue
        ratio = float(np.median(slope[edges] / np.maximum(less[edges], 1e-3)))
        worst = max(worst, _REBLUR_PX / max(ratio**2 - 1, 1e-6) ** 0.5)
    return worst

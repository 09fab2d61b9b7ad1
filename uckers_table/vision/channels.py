"""What is done to every pixel of a picture, in the way that takes least time.

numpy's own reductions over a last axis of three cost ten times what three additions do, and OpenCV shrinks a
picture to exactly half its size in a tenth of the time that any other size takes.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]


def channel_sum(values: Floats) -> Floats:
    """The sum over the last axis, which has three entries: (…, 3) to (…)."""
    return values[..., 0] + values[..., 1] + values[..., 2]


def brightest(picture: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The largest of the three channels of a picture: (height, width, 3) to (height, width)."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=picture.dtype)


def halved(picture: npt.NDArray[Any], times: int = 1) -> npt.NDArray[Any]:
    """A picture at half its size, so many times over; each pixel is the mean of four. An odd last row or
    column is left out.
    """
    for _ in range(times):
        height, width = picture.shape[0] // 2, picture.shape[1] // 2
        even = picture[: 2 * height, : 2 * width]
        picture = cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA)
    return picture

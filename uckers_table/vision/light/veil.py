"""A veil over the whole picture: glare in the lens, or a camera whose black is grey.

A veil adds the same to everything. So it makes hues pale, and shadows look as no lack of light explains. In a
picture of a room something is nearly black, in one channel at least. Whatever it shows more than black is
veil.
"""

from __future__ import annotations

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Floats, Image

_EVERY = 4
"""One row and one column in this many are enough."""
_WHITEST, _DARKEST = 95, 0.1
"""The percentiles of grey levels that count as whitest and as darkest."""
_USUAL, _LEAST = 0.05, 0.1
"""What is darkest, in parts of what is whitest: the usual value, and the least with which there is a veil.
Path-traced tables come to 0 to 0.16. Tables that are taken for veiled are read as well as before.
"""


def veil_of(bare: Image) -> Floats:
    """The grey levels (3,) that a veil adds to a BGR picture (rows, columns, 3) of the bare board: 0 if there
    is none.
    """
    some = bare[::_EVERY, ::_EVERY].reshape(-1, 3)
    darkest, white = np.percentile(some, (_DARKEST, _WHITEST), axis=0)
    share = float((darkest / np.maximum(white, 1)).min())
    return np.asarray(np.round((share - _USUAL) * white) if share >= _LEAST else np.zeros(3))


def without(veil: Floats, picture: Image) -> Image:
    """A picture (rows, columns, 3) with the veil taken off; the very same array if there is no veil."""
    if not veil.any():
        return picture
    left = np.clip(np.arange(256)[:, None] - veil, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, left[None]), dtype=np.uint8)

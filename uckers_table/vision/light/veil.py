"""A veil over the whole picture: glare in the lens, or a camera whose black is grey.

It adds to everything alike, and so turns hues pale and shadows into what no lack of light explains. In a
picture of a room something is nearly black, in one channel at least: what that has more is veil.
"""

from __future__ import annotations

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Floats, Image

_EVERY = 4
"""Every so manieth row and column will do."""
_WHITEST, _DARKEST = 95, 0.1
"""Percentiles of grey levels."""
_USUAL, _LEAST = 0.05, 0.1
"""What is darkest comes to so much of what is whitest; from so much on there is a veil. Path-traced tables
come to 0 to 0.16, and those that are taken for veiled are read as well as before.
"""


def veil_of(bare: Image) -> Floats:
    """The grey levels (3,) that lie over a BGR picture of the bare board: none, or many."""
    some = bare[::_EVERY, ::_EVERY].reshape(-1, 3)
    darkest, white = np.percentile(some, (_DARKEST, _WHITEST), axis=0)
    share = float((darkest / np.maximum(white, 1)).min())
    return np.asarray(np.round((share - _USUAL) * white) if share >= _LEAST else np.zeros(3))


def without(veil: Floats, picture: Image) -> Image:
    """A picture with the veil taken off: the very same where there is none."""
    if not veil.any():
        return picture
    left = np.clip(np.arange(256)[:, None] - veil, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, left[None]), dtype=np.uint8)

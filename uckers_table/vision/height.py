"""How high pieces are, from where their feet meet the board in the picture of the sixteen in their bases.

A piece's foot lies nearer to the lens's foot point than its top, the farther the higher it is: its edge shows
where the dark side meets the lit board.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np

from uckers_table.vision.camera import Floats
from uckers_table.vision.light import Map
from uckers_table.vision.shape import Shape

HEIGHTS_MM = (12.0, 20.0)
"""Case heads are cut to 12 to 20 mm."""
_SLACK_MM = 2.0
"""So much beyond these a single piece may seem, for its top is found to a millimetre only."""
_STEP_MM = 0.25
_BESIDE_MM = np.array([-4.0, -2.0, 0.0, 2.0, 4.0])
"""How far beside the middle of its edge a foot is looked at."""
_EDGE_MM = 0.75
"""Half the distance over which the light must rise."""
_MIN_LEAN_MM = 2.5
"""From less between foot and top nothing can be told."""
_MAX_RISE = 0.6
"""A stronger rise, a piece's shadow against glare say, counts for no more."""


def fit_height(bright: Map, feet_mm: Iterable[Floats], shape: Shape) -> Shape:
    """The shape with the height of pieces whose feet (2,) would be there if `shape` were right.

    `bright` is the flat picture over the bare board's (1 = as lit as bare). The weighted median of what each
    piece says: highlights mislead some, shadows others.
    """
    told = [_told(bright, shape.top_px(foot), shape) for foot in feet_mm]
    heights, weights = np.array([t for t in told if t is not None]).reshape(-1, 2).T
    if not len(heights):
        return shape
    order = np.argsort(heights)
    sums = np.cumsum(weights[order])
    middle = float(heights[order][np.searchsorted(sums, sums[-1] / 2)])
    return replace(shape, height_mm=float(np.clip(middle, *HEIGHTS_MM)))


def _told(bright: Map, top_px: Floats, shape: Shape) -> tuple[float, float] | None:
    """The height that one piece's foot tells, and the weight of that; None where the side can't be seen."""
    scale = shape.canvas.px_per_mm
    toward = shape.lean_px(top_px)
    lean = float(np.linalg.norm(toward)) / scale
    if lean < _MIN_LEAN_MM:
        return None
    toward = toward / np.linalg.norm(toward)
    radius = shape.diameter_mm / 2
    lowest, highest = HEIGHTS_MM[0] - _SLACK_MM, HEIGHTS_MM[1] + _SLACK_MM
    per_mm = lean / shape.height_mm
    reach = np.arange(lowest * per_mm, highest * per_mm, _STEP_MM)
    # Along the foot's rim, which curves back on either side.
    back = radius - np.sqrt(radius**2 - _BESIDE_MM**2)
    across = np.array([-toward[1], toward[0]])

    def level(further: float) -> Floats:
        along = radius + reach[:, None] - back + further
        at = top_px + (along[..., None] * toward + _BESIDE_MM[:, None] * across) * scale
        seen = cv2.remap(
            bright, at.astype(np.float32), np.empty(0), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(seen.mean(axis=1), dtype=np.float64)

    rise = level(_EDGE_MM) - level(-_EDGE_MM)
    best = int(rise.argmax())
    return float(reach[best] / per_mm), per_mm * float(np.clip(rise[best], 0.0, _MAX_RISE))

"""Pictures for a dispute: the frame, with a ring where each moved piece stood and one where it went."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Image
from uckers_table.vision.profile import TableProfile

FROM_BGR = (255, 255, 255)
TO_BGR = (0, 0, 255)
RING_MM = 26.0
"""A ring is a little larger than a square, so that it hides nothing of it."""
OUTLINE_POINTS = 48


def mark_moves(image: Image, profile: TableProfile, moves: Iterable[tuple[int, int, int]]) -> Image:
    """A copy of a frame (BGR) with each move (seat, steps before, steps after) ringed: white from, red to."""
    marked = image.copy()
    for seat, start, end in moves:
        here, there = (profile.middle_mm(seat, steps) for steps in (start, end))
        _ring(marked, profile, here, FROM_BGR)
        _ring(marked, profile, there, TO_BGR)
        tail, tip = profile.camera.project([here, there]).round().astype(int).tolist()
        cv2.arrowedLine(marked, tail, tip, TO_BGR, _thickness(image), cv2.LINE_AA, tipLength=0.1)
    return marked


def _ring(
    image: Image, profile: TableProfile, middle_mm: tuple[float, float], colour: tuple[int, int, int]
) -> None:
    angles = np.linspace(0, 2 * np.pi, OUTLINE_POINTS, endpoint=False)
    outline_mm = np.array(middle_mm) + RING_MM * np.column_stack([np.cos(angles), np.sin(angles)])
    outline = profile.camera.project(outline_mm).round().astype(np.int32)
    cv2.polylines(image, [outline], True, colour, _thickness(image), cv2.LINE_AA)


def _thickness(image: Image) -> int:
    return max(2, int(image.shape[1]) // 700)

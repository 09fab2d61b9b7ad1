"""Pictures for a dispute.

One is the frame, with a ring where each moved piece stood and one where it went. The other is cut to some
places of the board and lightened. It comes with where on it they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import cv2
import numpy as np

from uckers_table.errors import InputError
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.picture.files import packed
from uckers_table.vision.place.bump import Follower
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.profile import TableProfile

FROM_BGR = (255, 255, 255)
TO_BGR = (0, 0, 255)
RING_MM = 26.0
"""A ring is a little larger than a square, so that it hides nothing of it."""
OUTLINE_POINTS = 48
AROUND_MM = 50.0
"""From a place's middle to the edge of a picture that is cut to it: the place, and most of the next."""
LEAST_MM = 280.0
"""The shortest side of such a picture. Seven squares tell where on the board they are."""
ASLANT = 0.75
"""A picture that is cut is at most so narrow, shorter side to longer: it has to fit a phone either way."""
WIDEST_PX = 1000
"""What is wider is made smaller: a phone shows no more of it."""
WHITE = 235
"""The grey level that the brightest fiftieth of a cut picture is lightened to: most of it is white paint."""
MOST_LIGHTENED = 5.0
"""In deeper dark there is as much noise as light."""
_QUALITY = 85

SeatSteps = tuple[int, int]
"""A place of the board: a seat, and the steps of its pieces there."""


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


class PlaceSeen(NamedTuple):
    """Where a place of the board is on a picture (x, y): its middle, and its four corners in turn."""

    middle: tuple[float, float]
    corners: tuple[tuple[float, float], ...]


class CloseUp(NamedTuple):
    """A picture cut to some places and lightened: a JPEG, its width and height, and the places in order.

    All in its pixels. A corner of the picture is (0, 0), so that a pixel's middle is at a half.
    """

    jpeg: bytes
    size: tuple[int, int]
    places: tuple[PlaceSeen, ...]


def close_up(picture: Image, profile: TableProfile, places: Iterable[SeatSteps]) -> CloseUp:
    """A frame (BGR) cut to these places, wherever it shows the board; InputError where it shows none.

    ProfileError where it has another size than the profile's.
    """
    profile.check_size(picture)
    camera = Follower(profile.bare, profile.camera, profile.plan).follow(picture).camera
    if camera is None:
        raise InputError("the board is not found in that picture")
    middles_mm = np.array([profile.middle_mm(*place) for place in places])
    left, top, right, bottom = _window(picture, camera, middles_mm)
    scale = min(1.0, WIDEST_PX / (right - left))
    cut = lightened(np.ascontiguousarray(picture[top:bottom, left:right]))
    if scale < 1:
        cut = np.asarray(cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)

    def px(points_mm: Floats) -> tuple[tuple[float, float], ...]:
        points = (camera.project(points_mm) + 0.5 - (left, top)) * scale
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)

    square = profile.plan.cell_mm / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    seen = tuple(PlaceSeen(px(middle[None])[0], px(middle + square)) for middle in middles_mm)
    return CloseUp(packed(cut, _QUALITY), (cut.shape[1], cut.shape[0]), seen)


def lightened(picture: Image) -> Image:
    """The picture (BGR) with its light raised so that white paint in it is white; never darker."""
    brightest = float(np.percentile(picture.max(axis=2), 98))
    gain = min(MOST_LIGHTENED, max(1.0, WHITE / max(brightest, 1.0)))
    return np.asarray(cv2.convertScaleAbs(picture, alpha=gain), dtype=np.uint8)


def _window(picture: Image, camera: CameraModel, middles_mm: Floats) -> tuple[int, int, int, int]:
    """The part of a picture that shows these places and some of what is around: left, top, right, bottom."""
    around = AROUND_MM * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    points = camera.project((middles_mm[:, None] + around).reshape(-1, 2))
    low, high = points.min(axis=0), points.max(axis=0)
    least = max(LEAST_MM * camera.px_per_mm, ASLANT * float((high - low).max()))
    sides = np.minimum(np.maximum(high - low, least), picture.shape[1::-1])
    starts = np.clip((low + high - sides) / 2, 0, picture.shape[1::-1] - sides)
    left, top = starts.astype(int).tolist()
    right, bottom = np.ceil(starts + sides).astype(int).tolist()
    return left, top, right, bottom

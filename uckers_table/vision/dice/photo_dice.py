"""Reads ordinary pip dice in any picture from above. Neither the table nor the size of the dice is known.

There are two ways of finding them. Where pips are large enough to be seen one by one, dots that lie like pips
suggest faces, on any ground. A small die on a plain table is a dot itself, and is looked at as a whole. Of a
die's faces the upper one has the pips that look largest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from uckers_table.vision.dice.dots import Dots, Planes, find_dots, planes_of
from uckers_table.vision.dice.photo_faces import PhotoFace, faces_suggested
from uckers_table.vision.dice.small_dice import may_be_dice, small_die
from uckers_table.vision.picture.arrays import Image

_WORK_PX, _MOST_ENLARGED = 1280.0, 2.0
"""The length (pixels) of the longer side at which a picture is read, and how far it may be enlarged for that.
Dice with edges of a thirtieth to a sixth of that length are found.
"""
_WORK_EDGE_PX = 64.0
"""The length (pixels) of a die's edge at which a picture is read, if the dice's size is known."""
_MOST_PX = 2560.0
"""The longest side (pixels) at which a picture is read if the dice's size is known."""
_KNOWN_SIZE = 0.25
"""How far a die's size may be off the known one, by the logarithm of their ratio."""
_RADII_PX = (3.0, 45.0)
"""The radii (pixels) of dots to look for: from the smallest pips that show their shape, to small dice."""
_SOFT_PX = 0.8
"""The blur (pixels) that takes off noise before faces are looked at."""
_MOST_UNEVEN = 0.6
"""How uneven the ground round a pip may be. Round other dots several colours meet."""
_SURE_DOUBT, _PLAIN_DOUBT, _MOST_DOUBT = 0.8, 0.45, 1.2
"""Limits of a face's doubt: below the first it is sure, below the second plain, above the third no face."""
_LIKE_SIZE = {_MOST_DOUBT: 0.25, _SURE_DOUBT: 0.45, _PLAIN_DOUBT: 0.6}
"""Which faces count beside a sure die: those with less doubt than a key, if their size differs by less than
its value. Sizes differ by the logarithm of their ratio. The dice of one throw are mostly of one set.
"""
_CLEAR_DOUBT = 0.5
"""A face with less doubt needs no second way of looking."""
_LEAST_ASPECT, _LEAST_ASPECT_BELOW = 0.62, 0.8
"""The least aspect of a die that lies flat: in any picture, and if the size is known. A flat die's upper face
is seen from at most 52 degrees aside. Where the size is known the camera looks straight down, so at most 37
degrees. The shapes of pips tell the aspect to about 0.1.
"""
_ONE_DIE = 0.75
"""The middles of two dice are farther apart than this, in edges. Faces of one die have them at most 0.71
edges apart. Dice side by side, seen from 40 degrees aside, have them 0.77 apart.
"""
_OTHER_PAINT = 25.0
"""Grey levels by which the paints of two bases differ."""
_PAINTED_SIZE, _PAINTED_DEG, _PAINTED_EDGES = 0.12, 6.0, (1.5, 5.0)
"""How two bases of a board look. Their sizes differ by at most the first, by the logarithm of their ratio.
Their directions differ by at most the second (degrees). They are two or three of their edges apart, or that
far diagonally: within the third, in edges.
"""


@dataclass(frozen=True)
class PhotoDie:
    """A die in a picture.

    `value`: of its upper face; None if it cannot be told.
    `state`: "flat" or "cocked".
    `x_px`, `y_px`: the middle of the upper face, in pixels of the picture.
    `size_px`: the length of the face's edge as it looks there.
    """

    value: int | None
    state: str
    x_px: float
    y_px: float
    size_px: float


def read_dice(picture: Image, edge_px: float | None = None) -> tuple[PhotoDie, ...]:
    """The dice in a BGR picture from above, from left to right. `edge_px` is how long their edges look, in
    pixels, if that is known: dice of other sizes are then left out.
    """
    scale = min(_MOST_ENLARGED, _WORK_PX / max(picture.shape[:2]))
    if edge_px is not None:
        scale = min(_WORK_EDGE_PX / edge_px, _MOST_PX / max(picture.shape[:2]))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    planes = planes_of(np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way)))
    dots = find_dots(planes, _RADII_PX)
    planes = np.asarray(cv2.GaussianBlur(planes, (0, 0), _SOFT_PX), dtype=np.float32)
    faces = _with_small_dice(planes, dots, _of_pips(planes, dots.where(dots.uneven < _MOST_UNEVEN)))
    if edge_px is not None:
        faces = [f for f in faces if abs(np.log(f.edge_px / (edge_px * scale))) < _KNOWN_SIZE]
    least_aspect = _LEAST_ASPECT if edge_px is None else _LEAST_ASPECT_BELOW
    dice = (_told(face, scale, face.aspect < least_aspect) for face in _of_a_kind(faces))
    return tuple(sorted(dice, key=lambda die: die.x_px))


def _told(face: PhotoFace, scale: float, leans: bool) -> PhotoDie:
    # Integer coordinates are pixel centres, before resizing and after.
    x, y = ((face.middle + 0.5) / scale - 0.5).tolist()
    size_px = face.size_px / scale
    return PhotoDie(None, "cocked", x, y, size_px) if leans else PhotoDie(face.value, "flat", x, y, size_px)


def _of_pips(planes: Planes, dots: Dots) -> list[PhotoFace]:
    """The upper faces that dots suggest, one for each die."""
    faces = [face for face in faces_suggested(planes, dots) if face.doubt < _MOST_DOUBT]
    painted = _painted(faces)
    kept: list[PhotoFace] = []
    for face in sorted(faces, key=_explained, reverse=True):
        on_paint = any(np.abs(base.local(face.middle)).max() < 1 for base in painted)
        taken = any(set(face.dots) & set(other.dots) for other in kept)
        if _within(face, planes) and not on_paint and not taken:
            kept.append(face)
    upper: list[PhotoFace] = []
    for face in sorted(kept, key=lambda face: -face.pip_px):
        away = ((other, float(np.linalg.norm(face.middle - other.middle))) for other in upper)
        if all(distance > _ONE_DIE * max(face.edge_px, other.edge_px) for other, distance in away):
            upper.append(face)
    return upper


def _explained(face: PhotoFace) -> float:
    """How much speaks for a face: the pips that it explains, less what is missing or in doubt."""
    missing = face.value - len(face.dots) if face.dots else 0
    return face.value - 2.5 * missing - 2 * face.doubt


def _within(face: PhotoFace, planes: Planes) -> bool:
    """Whether the whole face lies within the picture."""
    corners = face.on_picture(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1.0]]))
    return bool((corners >= 0).all() and (corners <= (planes.shape[1] - 1, planes.shape[0] - 1)).all())


def _painted(faces: Iterable[PhotoFace]) -> list[PhotoFace]:
    """The fours that are bases of a painted Uckers board: white spots on squares of different paints. The
    squares are parallel, equally large, and straight or diagonally across from each other.
    """
    fours = [face for face in faces if face.value == 4]
    return [face for face in fours if any(_partners(face, other) for other in fours)]


def _partners(one: PhotoFace, other: PhotoFace) -> bool:
    if one.ground is None or other.ground is None:
        return False
    same_paint = np.abs(one.ground - other.ground).max() < _OTHER_PAINT
    if same_paint or abs(np.log(one.size_px / other.size_px)) > _PAINTED_SIZE:
        return False
    way = one.local(other.middle[None])[0] / 2
    turn = np.linalg.inv(one.axes) @ other.axes[:, 0]
    if not _PAINTED_EDGES[0] < np.hypot(*way) < _PAINTED_EDGES[1]:
        return False
    return _off_deg(way[0], way[1], 45.0) < _PAINTED_DEG and _off_deg(turn[0], turn[1], 90.0) < _PAINTED_DEG


def _off_deg(x: float, y: float, step_deg: float) -> float:
    """How far a direction (x, y) is from the nearest multiple of a step, in degrees."""
    angle = float(np.degrees(np.arctan2(y, x))) % step_deg
    return min(angle, step_deg - angle)


def _with_small_dice(planes: Planes, dots: Dots, faces: list[PhotoFace]) -> list[PhotoFace]:
    """These faces and those of small dice. If one die is seen both ways, the face with less doubt counts."""
    out = list(faces)
    for k in np.nonzero(may_be_dice(dots))[0]:
        here = [f for f in faces if np.linalg.norm(f.middle - dots.px[k]) < dots.radius[k]]
        if any(face.doubt < _CLEAR_DOUBT for face in here):
            continue
        small = small_die(planes, dots, int(k))
        if small is not None and all(small.doubt < f.doubt or small.value == f.value for f in here):
            out = [*(face for face in out if face not in here), small]
    return out


def _of_a_kind(faces: list[PhotoFace]) -> list[PhotoFace]:
    """The surest face, those that may be of the same set of dice, and those that are
    plainly dice themselves.
    """
    flat = [face for face in faces if face.aspect > _LEAST_ASPECT]
    sure = [face for face in flat if not face.dots or face.doubt < _SURE_DOUBT]
    if not sure:
        return []
    surest = max(sure, key=_explained)
    apart = {id(face): abs(float(np.log(face.edge_px / surest.edge_px))) for face in faces}
    return [
        face
        for face in faces
        if any(
            (face.doubt < doubt or not face.dots) and apart[id(face)] < unlike
            for doubt, unlike in _LIKE_SIZE.items()
        )
    ]

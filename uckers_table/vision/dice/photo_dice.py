"""Ordinary pip dice in any picture from above: no table is known, nor how large the dice are.

Two ways of looking find them. Dots that lie like pips suggest faces, whatever the ground, where pips are
large enough to be seen one by one; a small die on a plain table is a dot itself, and looked at as a whole.
Of a die's faces the upper one is the one whose pips look largest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from uckers_table.vision.dice.dots import Dots, Planes, find_dots, planes_of
from uckers_table.vision.dice.photo_faces import Face, faces_suggested
from uckers_table.vision.dice.small_dice import may_be_dice, small_die
from uckers_table.vision.picture.arrays import Image

_WORK_PX, _MOST_ENLARGED = 1280.0, 2.0
"""A picture is read at about this many pixels along its longer side: dice with edges of a thirtieth to a
sixth of it are found."""
_WORK_EDGE_PX = 64.0
"""Where their size is known, dice are read with edges of about so many pixels."""
_MOST_PX = 2560.0
"""However small the dice are said to be."""
_KNOWN_SIZE = 0.25
"""How unlike the known size others may be, by the logarithm."""
_RADII_PX = (3.0, 45.0)
"""Dots to look for: the smallest pips that show their shape, and small dice."""
_SOFT_PX = 0.8
"""Blur against noise before faces are looked at."""
_MOST_UNEVEN = 0.6
"""Round a pip; several colours meet round what is none."""
_SURE_DOUBT, _PLAIN_DOUBT, _MOST_DOUBT = 0.8, 0.45, 1.2
_LIKE_SIZE = {_MOST_DOUBT: 0.25, _SURE_DOUBT: 0.45, _PLAIN_DOUBT: 0.6}
"""Beside a die that is sure others may have so much doubt if their size differs by no more than this, by
the logarithm: the dice of one throw are mostly of one set."""
_CLEAR_DOUBT = 0.5
"""A face with less needs no second way of looking."""
_LEAST_ASPECT, _LEAST_ASPECT_BELOW = 0.62, 0.8
"""An upper face is seen from no more than 52 degrees aside, else the die leans; from no more than 37 where
the size is known, for such a camera looks straight down. Pips' shapes are told to about 0.1.
"""
_ONE_DIE = 0.75
"""Faces of one die have their middles no farther apart than 0.71 edges; dice side by side, seen from 40
degrees aside, 0.77."""
_OTHER_PAINT = 25.0
"""Grey levels by which the paints of two bases differ."""
_PAINTED_SIZE, _PAINTED_DEG, _PAINTED_EDGES = 0.12, 6.0, (1.5, 5.0)
"""How unlike two bases look in size, by the logarithm, and in direction, by tilt; how far apart they are:
twice their edge or three times, and diagonally.
"""


@dataclass(frozen=True)
class PhotoDie:
    """A die: `value` of its upper face (None when it cannot be told), `state` flat or cocked, the upper
    face's centre in pixels of the picture and the length of its edge as it looks.
    """

    value: int | None
    state: str
    x_px: float
    y_px: float
    size_px: float


def read_dice(picture: Image, edge_px: float | None = None) -> tuple[PhotoDie, ...]:
    """The dice in a BGR picture from above, from left to right; `edge_px` is how long their edges look in
    it, where that is known: others are left out then.
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


def _told(face: Face, scale: float, leans: bool) -> PhotoDie:
    # Integer coordinates are pixel centres, before resizing and after.
    x, y = ((face.middle + 0.5) / scale - 0.5).tolist()
    size_px = face.size_px / scale
    return PhotoDie(None, "cocked", x, y, size_px) if leans else PhotoDie(face.value, "flat", x, y, size_px)


def _of_pips(planes: Planes, dots: Dots) -> list[Face]:
    """The upper faces that dots suggest, one for each die."""
    faces = [face for face in faces_suggested(planes, dots) if face.doubt < _MOST_DOUBT]
    painted = _painted(faces)
    kept: list[Face] = []
    for face in sorted(faces, key=_explained, reverse=True):
        on_paint = any(np.abs(base.local(face.middle)).max() < 1 for base in painted)
        taken = any(set(face.dots) & set(other.dots) for other in kept)
        if _within(face, planes) and not on_paint and not taken:
            kept.append(face)
    upper: list[Face] = []
    for face in sorted(kept, key=lambda face: -face.pip_px):
        away = ((other, float(np.linalg.norm(face.middle - other.middle))) for other in upper)
        if all(distance > _ONE_DIE * max(face.edge_px, other.edge_px) for other, distance in away):
            upper.append(face)
    return upper


def _explained(face: Face) -> float:
    """How much speaks for a face: the pips that it explains, less what is missing or in doubt."""
    missing = face.value - len(face.dots) if face.dots else 0
    return face.value - 2.5 * missing - 2 * face.doubt


def _within(face: Face, planes: Planes) -> bool:
    """Whether the whole face lies within the picture."""
    corners = face.on_picture(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1.0]]))
    return bool((corners >= 0).all() and (corners <= (planes.shape[1] - 1, planes.shape[0] - 1)).all())


def _painted(faces: Iterable[Face]) -> list[Face]:
    """Fours that are an Uckers board's bases: white spots on squares of different paints, parallel, equally
    large, and straight or diagonally across from each other.
    """
    fours = [face for face in faces if face.value == 4]
    return [face for face in fours if any(_partners(face, other) for other in fours)]


def _partners(one: Face, other: Face) -> bool:
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
    """How far a direction is from the nearest multiple of a step."""
    angle = float(np.degrees(np.arctan2(y, x))) % step_deg
    return min(angle, step_deg - angle)


def _with_small_dice(planes: Planes, dots: Dots, faces: list[Face]) -> list[Face]:
    """The faces and those of small dice; where both are seen, the one with less doubt."""
    out = list(faces)
    for k in np.nonzero(may_be_dice(dots))[0]:
        here = [f for f in faces if np.linalg.norm(f.middle - dots.px[k]) < dots.radius[k]]
        if any(face.doubt < _CLEAR_DOUBT for face in here):
            continue
        small = small_die(planes, dots, int(k))
        if small is not None and all(small.doubt < f.doubt or small.value == f.value for f in here):
            out = [*(face for face in out if face not in here), small]
    return out


def _of_a_kind(faces: list[Face]) -> list[Face]:
    """The surest face and those that may be of the same set of dice, or are plainly dice themselves."""
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

"""Dice on and beside the board: square faces with pips, seen from above."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.sighting import SeenDie
from uckers_table.vision.appearance import Canvas, Evidence, Map
from uckers_table.vision.camera import Camera, Floats, Image

DIE_MM = 16.0
_PITCHES = (0.22, 0.25, 0.28)
"""Pip pitch over the die's side: ordinary dice have 0.21 to 0.30."""
_YAWS = np.radians(np.arange(0, 90, 7.5))
_PLACES = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], dtype=np.float64)
_PATTERNS = {
    1: ["000010000"],
    2: ["100000001", "001000100"],
    3: ["100010001", "001010100"],
    4: ["101000101"],
    5: ["101010101"],
    6: ["101101101", "111000111"],
}
_MASKS = np.array([[c == "1" for c in text] for texts in _PATTERNS.values() for text in texts])
_VALUES = np.array([value for value, texts in _PATTERNS.items() for _ in texts])
_FACE = np.array([(x, y) for x in (-1, 1) for y in (-1, 1)], dtype=np.float64)
"""Between the pips, half a pitch out both ways."""
_RIM = np.array([(x, y) for x in (-1, 1) for y in (-0.5, 0.5)] + [(y, x) for x in (-1, 1) for y in (-0.5, 0.5)])
_INSIDE, _OUTSIDE = 0.40, 0.565
"""Just inside the face, and just outside its sides' middles, in sides: still inside a piece's top."""
_SIDES = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], dtype=np.float64)
_MIN_PIP = 0.22
"""Contrast of a pip against its face, in parts of white: shaded pips on a white die have 0.35."""
_MIN_BORDER = 0.06
_MIN_SOLID = 0.55


def find_dice(
    fine: Image, seen: Evidence, white: Map, camera: Camera, canvas: Canvas, hidden: npt.NDArray[np.bool_] | None
) -> list[tuple[SeenDie, Floats]]:
    """Dice that lie flat, and the flat pixels (canvas) of their top faces' centres.

    `fine` is the picture laid flat at twice the canvas's fineness.
    """
    solid = (seen.solid > 0).astype(np.float32)
    if hidden is not None:
        solid[hidden] = 0
    inside = cv2.blur(solid, (11, 11))
    rows, columns = np.nonzero(inside[::2, ::2] > _MIN_SOLID)
    if not len(rows):
        return []
    side = DIE_MM * camera.swell(DIE_MM) * canvas.px_per_mm
    centres = np.column_stack([columns, rows]).astype(np.float64) * 2
    picture = cv2.GaussianBlur(fine, (0, 0), 1.0).astype(np.float32)
    scored = _score(picture, white, centres, side, _YAWS)
    order = np.argsort(-scored[:, 0])
    found: list[tuple[SeenDie, Floats]] = []
    taken: list[Floats] = []
    for k in order[:200]:
        if scored[k, 0] <= 0 or len(found) == 2:
            break
        centre = centres[k]
        if any(np.linalg.norm(centre - t) < side * 0.9 for t in taken):
            continue
        steps = np.arange(-1.5, 1.6, 0.5)
        around = centre + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        yaw = float(scored[k, 2])
        fine_yaws = yaw + np.radians([-5.0, -2.5, 0.0, 2.5, 5.0])
        close = _score(picture, white, around, side, fine_yaws)
        best = int(close[:, 0].argmax())
        place = around[best]
        taken.append(place)
        score, value = float(close[best, 0]), int(close[best, 1])
        face = _face(seen, place, side)
        if score < _MIN_SCORE or not _is_die_coloured(face):
            continue
        found.append((_placed(value, "flat", place, camera, canvas), place))
    return found[:2]


_MIN_SCORE = 0.92
"""Highlights on glossy pieces give up to 0.9, dice 0.94 and more."""


def _placed(value: int | None, state: str, place: Floats, camera: Camera, canvas: Canvas) -> SeenDie:
    x, y = camera.grounded(canvas.mm(place[None]), DIE_MM)[0]
    beside = not (0 <= x <= canvas.side_mm and 0 <= y <= canvas.side_mm)
    return SeenDie(value, "off_board" if beside else state, float(x), float(y))


def _face(seen: Evidence, place: Floats, side: float) -> Map:
    """The middle colour (3,) of a face, as reflected."""
    r = int(side * 0.42)
    x, y = np.rint(place).astype(int)
    patch = seen.reflected[max(0, y - r) : y + r + 1, max(0, x - r) : x + r + 1].reshape(-1, 3)
    return np.asarray(np.median(patch, axis=0), dtype=np.float32)


def _is_die_coloured(face: Map) -> bool:
    """Whether dice have such faces: white, ivory and red, but not the green and blue of glossy pieces."""
    blue, green, red = (float(v) for v in face)
    whitish = min(face) > 0.55 * max(face) and max(face) > 0.5
    reddish = red > 0.5 and red > 1.4 * green and red > 1.4 * blue
    return whitish or reddish


def _score(picture: Map, white: Map, centres: Floats, side: float, yaws: Floats) -> Floats:
    """For each centre (N, 2) in canvas pixels: (best score or 0, value, yaw) as (N, 3)."""
    out = np.zeros((len(centres), 3))
    rows = np.clip(np.rint(centres[:, 1]).astype(np.intp), 0, white.shape[0] - 1)
    columns = np.clip(np.rint(centres[:, 0]).astype(np.intp), 0, white.shape[1] - 1)
    paint = white[rows, columns][:, None, :]

    def sample(offsets: Floats, yaw: float) -> Map:
        turn = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
        at = np.rint((centres[:, None] + (offsets @ turn)[None]) * 2 + 0.5).astype(np.intp)
        np.clip(at, 0, picture.shape[0] - 1, out=at)
        return np.asarray(picture[at[..., 1], at[..., 0]] / paint, dtype=np.float32)

    for pitch in _PITCHES:
        for yaw in yaws:
            face = sample(_FACE * (pitch / 2 * side), float(yaw))
            rim = sample(_RIM * (_INSIDE * side), float(yaw))
            surface = np.concatenate([face, rim], axis=1)
            middle = np.median(surface, axis=1)
            uneven = np.abs(surface - middle[:, None]).sum(axis=2).mean(axis=1) / 3
            pips = np.abs(sample(_PLACES * (pitch * side), float(yaw)) - middle[:, None]).sum(axis=2) / 3
            beyond = np.abs(sample(_SIDES * (_OUTSIDE * side), float(yaw)) - middle[:, None]).sum(axis=2) / 3
            for mask, value in zip(_MASKS, _VALUES, strict=True):
                least = pips[:, mask].min(axis=1)
                most = pips[:, ~mask].max(axis=1)
                border = np.sort(beyond, axis=1)[:, 1]
                good = (least > _MIN_PIP) & (most < 0.5 * least) & (uneven < 0.3 * least) & (border > _MIN_BORDER)
                score = np.where(good, least - most - uneven + np.minimum(border, 0.2) + 0.08 * mask.sum(), 0)
                better = score > out[:, 0]
                out[better] = np.column_stack([score, np.full(len(score), value), np.full(len(score), yaw)])[better]
    return out

"""Small dice on a plain table: the whole die is a dot, and its inside is compared with all patterns.

It is for dice whose pips are a few pixels large, run together or have glare on them, as on marbled dice. No
pip needs to be seen as a dot of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from uckers_table.vision.dice.dots import DIM, LEAST_CONTRAST, Dots, Planes, samples
from uckers_table.vision.dice.photo_faces import GRID, LEAST_SPREAD, SIX_WIDTHS, PhotoFace, mask
from uckers_table.vision.dice.pips import PATTERNS, SITES
from uckers_table.vision.picture.arrays import Flags, Floats

_RADIUS_PX = (24.0, 45.0)
"""The radius (pixels) of the outline of dice with edges of 36 to 70 pixels. Smaller dice show too little.
Larger ones have pips that are dots.
"""
_LEAST_CONTRAST, _MOST_UNEVEN, _LEAST_ASPECT = 0.3, 0.15, 0.78
"""Limits of the outline against the table. On cloth and boards many dark or bright things are no dice. A
playing card is longer than it is wide.
"""
_PITCHES, _PIP_RADII = (0.40, 0.45, 0.5, 0.55, 0.6), (0.16, 0.21, 0.26)
"""The pitches of pips and their radii that are tried, in halves of the face's edge."""
_PITCHES_OF_TWO = (0.3, 0.35, *_PITCHES)
"""The pitches of twos: on some dice their pips lie nearer together."""
_TURNS = np.radians(np.arange(0, 90, 7.5))
"""The turns (radians) that are tried."""
_HALF_EDGES = (0.68, 0.76, 0.84)
"""Half an edge, in radii of the outline. A sharp die from straight above has more, one
whose sides show less.
"""
_SHIFTS = np.stack(np.meshgrid(np.linspace(-0.4, 0.4, 7), np.linspace(-0.4, 0.4, 7)), axis=-1).reshape(-1, 2)
"""Where the face's middle may be (49, 2), in half edges from the outline's: the sides show on one side."""
_COARSE = np.arange(len(GRID)).reshape(21, 21)[::2, ::2].ravel()
"""Every second row and column of `GRID`: enough for a first look."""
_CLOSE = 0.12
"""How far below the best likeness a value may be and still get a closer look."""
_NUDGES = np.stack(np.meshgrid((-1, 0, 1), (-1, 0, 1)), axis=-1).reshape(-1, 2).astype(np.float64)
"""The shifts (9, 2) that a round tries, in its steps. One of them is no shift."""
_STEP, _STEP_TURN, _STEP_SIZE = 0.06, np.radians(3.5), 0.06
"""How far each round of the closer look shifts (half edges), turns (radians) and resizes (share)."""
_ROUNDS, _FINER = 3, 0.6
"""The rounds of the closer look, and how much finer each is than the one before."""
_LEAST_LIKENESS, _AS_LIKE = 0.66, 0.1
"""The least likeness of a die, and how far below the likeliest another value may be. Flat discs reach 0.64;
the poorest dice have 0.74.
"""
_ASIDE_COST = 0.4
"""What a face's middle one radius off the outline's costs in likeness. The cost grows with the square."""
_OUTSIDE, _MOST_OUTSIDE = 1.9, 0.75
"""The face shows again this far outwards from a pip's middle, in its radii. If a place there has more than
`_MOST_OUTSIDE` of the pip's contrast, it is the table, seen past a corner.
"""


def small_die(planes: Planes, dots: Dots, k: int) -> PhotoFace | None:
    """The upper face of the die that dot `k` is; None if it is no die."""
    tried = _likeliest(planes, dots.px[k], float(dots.radius[k]))
    fit = [face for face in tried if face.likeness > max(_LEAST_LIKENESS, tried[0].likeness - _AS_LIKE)]
    return next((face for face in fit if _has_spots(planes, face)), None)


def may_be_dice(dots: Dots) -> Flags:
    """Which dots (N,) may be small dice."""
    low, high = np.linalg.eigvalsh(dots.shape).T
    fit = (dots.radius > _RADIUS_PX[0]) & (dots.radius < _RADIUS_PX[1]) & (low > _LEAST_ASPECT**2 * high)
    return np.asarray(fit & (dots.contrast > _LEAST_CONTRAST) & (dots.uneven < _MOST_UNEVEN))


@dataclass(frozen=True)
class _Look:
    """How a face of a value looks: the places (value, 2) and radius of its pips, in halves of its edge."""

    value: int
    pips: Floats
    radius: float


@cache
def _looks() -> tuple[tuple[_Look, ...], npt.NDArray[np.float32]]:
    """All looks, and their masks (N, grid)."""
    looks = [
        _Look(value, SITES[pattern] * pitch * ((width, 1.0) if pattern[3] else (1.0, width)), radius)
        for value, pattern in PATTERNS
        for pitch in _pitches(value)
        for width in (SIX_WIDTHS if value == 6 else (1.0,))
        for radius in _PIP_RADII
        if value < 3 or radius <= 0.51 * pitch * max(width, 0.8)
    ]
    return tuple(looks), np.array([mask(look.pips, look.radius) for look in looks], dtype=np.float32)


def _pitches(value: int) -> tuple[float, ...]:
    """The pitches of a value that are tried. A one has no pitch, so one is enough."""
    return {1: _PITCHES[:1], 2: _PITCHES_OF_TWO}.get(value, _PITCHES)


@dataclass(frozen=True)
class _Fit:
    likeness: float
    middle: Floats
    axes: Floats
    plane: int
    look: int


def _likeliest(planes: Planes, middle: Floats, radius: float) -> list[PhotoFace]:
    """The likeliest faces of several values within an outline, the likeliest first. Its middle (2,) and
    radius are in pixels.
    """
    corner = np.maximum(np.floor(middle - 2 * radius), 0).astype(np.intp)
    end = np.ceil(middle + 2 * radius).astype(np.intp)
    near = np.ascontiguousarray(planes[corner[1] : end[1], corner[0] : end[0]])
    looks, _ = _looks()
    values = np.array([look.value for look in looks])
    best = _first_fits(near, middle - corner, radius)
    first = max(fit.likeness for fit in best.values())
    faces = []
    for value, fit in best.items():
        if fit.likeness > first - _CLOSE:
            fit = _nudged(near, fit, np.nonzero(values == value)[0])
            look, at = looks[fit.look], fit.middle + corner
            pip_px = look.radius * float(np.sqrt(abs(np.linalg.det(fit.axes))))
            face = PhotoFace(value, at, fit.axes, at + look.pips @ fit.axes.T, pip_px, likeness=fit.likeness)
            faces.append((_ASIDE_COST * float(((at - middle) ** 2).sum()) / radius**2 - fit.likeness, face))
    return [face for _, face in sorted(faces, key=lambda scored: scored[0])]


def _first_fits(planes: Planes, middle: Floats, radius: float) -> dict[int, _Fit]:
    """The best fit of each value that a coarse search finds."""
    looks, masks = _looks()
    coarse = masks[:, _COARSE] - masks[:, _COARSE].mean(axis=1, keepdims=True)
    coarse /= np.linalg.norm(coarse, axis=1, keepdims=True)
    by_value = {look.value: [k for k, own in enumerate(looks) if own.value == look.value] for look in looks}
    best: dict[int, _Fit] = {}
    for turn in _TURNS:
        for half in _HALF_EDGES:
            axes = _turned(turn) * half * radius
            middles = middle + _SHIFTS @ axes.T
            like = _likeness(planes, middles, axes, GRID[_COARSE], coarse)
            top = like.max(axis=(0, 1))
            for value, own in by_value.items():
                k = own[int(top[own].argmax())]
                if value not in best or top[k] > best[value].likeness:
                    at, plane = np.unravel_index(int(like[:, :, k].argmax()), like.shape[:2])
                    best[value] = _Fit(float(top[k]), middles[at], axes, int(plane), k)
    return best


def _nudged(planes: Planes, fit: _Fit, own: npt.NDArray[np.intp]) -> _Fit:
    """The fit, shifted, turned and resized to where one of its value's looks, at the indices `own`, is
    likeliest.
    """
    plane = np.ascontiguousarray(planes[..., fit.plane : fit.plane + 1])
    masks = _looks()[1][own]
    fit = _Fit(0.0, fit.middle, fit.axes, fit.plane, fit.look)
    for k in range(_ROUNDS):
        start, fine = fit, _FINER**k
        for turn in (-_STEP_TURN, 0.0, _STEP_TURN):
            for size in (1 - _STEP_SIZE * fine, 1.0, 1 + _STEP_SIZE * fine):
                axes = start.axes @ _turned(turn * fine) * size
                middles = start.middle + _STEP * fine * _NUDGES @ axes.T
                like = _likeness(plane, middles, axes, GRID, masks)[:, 0]
                at, look = np.unravel_index(int(like.argmax()), like.shape)
                if like[at, look] > fit.likeness:
                    fit = _Fit(float(like[at, look]), middles[at], axes, fit.plane, int(own[look]))
    return fit


def _turned(turn: float) -> Floats:
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[c, -s], [s, c]])


def _likeness(
    planes: Planes, middles: Floats, axes: Floats, grid: Floats, masks: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """How like each mask each plane is at each middle, dark or bright: (middles, planes, masks). 1 is just
    like it.
    """
    seen = samples(planes, grid[None] @ axes.T + middles[:, None]).reshape(len(middles), len(grid), -1)
    seen = seen - seen.mean(axis=1, keepdims=True)
    size = np.linalg.norm(seen, axis=1, keepdims=True)
    seen = (seen / np.maximum(size, LEAST_SPREAD * np.sqrt(len(grid)))).astype(np.float32)
    return np.asarray(np.abs(np.moveaxis(seen, 1, 2) @ masks.T), dtype=np.float32)


def _has_spots(planes: Planes, face: PhotoFace) -> bool:
    """Whether the pips stand out as dots do, unlike the grain of wood, and each ends before the face does."""
    pips, radius = face.local(face.pips), face.pip_px * 2 / face.size_px
    away = np.linalg.norm(pips, axis=1, keepdims=True)
    out = np.where(away > radius, pips / np.maximum(away, radius), (1.0, 0.0))
    free = GRID[np.linalg.norm(GRID[:, None] - pips, axis=2).min(axis=1) > 1.4 * radius]
    beyond, inside, ground = (
        samples(planes, face.on_picture(local)[None])[0]
        for local in (pips + _OUTSIDE * radius * out, pips, free)
    )
    level = np.median(ground, axis=0)
    way = np.median(inside, axis=0) - level
    shows = np.abs(way).max() > LEAST_CONTRAST * max(float(np.maximum(level, level + way)[:3].max()), DIM)
    return bool(shows and ((beyond - level) @ way).max() < _MOST_OUTSIDE * float(way @ way))

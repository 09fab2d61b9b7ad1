"""The upper faces of dice that lie flat: what spots suggest, and whether the picture bears it out.

Faces are squares in plan millimetres at the height of a die's upper face; a `Patch` says where the picture
shows what is at that height.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from uckers_table.vision.camera import Camera, Floats
from uckers_table.vision.pips import MANY, MANY_PIPS, PATTERNS, SITES, Marks
from uckers_table.vision.spots import Smoothed, Spots

DIE_MM = 16.0
USUAL_PITCH_MM = 4.0
_PITCH_MM = (3.3, 4.9)
"""Dice have their pips 0.21 to 0.30 of the edge apart (measured on photographs of dice)."""


@dataclass(frozen=True)
class Face:
    """A square upper face: its middle (plan mm, at its own height), its turn and the distance of its pips.

    `contrast` and `dark` are its spots', `colour` (BGR) is its own; `off_mm` is how far the worst of its
    spots lies from the grid. `score` grows with the number of pips that speak for it. One that is not `sure`
    may be a piece's top.
    """

    x_mm: float
    y_mm: float
    yaw: float
    pitch_mm: float
    value: int = 0
    score: float = 0.0
    off_mm: float = 0.0
    dark: bool = True
    contrast: float = 1.0
    sure: bool = True
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def middle(self) -> Floats:
        """(x, y) in plan mm."""
        return np.array([self.x_mm, self.y_mm])

    @property
    def axes(self) -> Floats:
        """The face's own axes as rows (2, 2)."""
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        return np.array([[c, s], [-s, c]])

    def on_plan(self, local_mm: Floats) -> Floats:
        """Plan points of points of the face (N, 2)."""
        return np.asarray(local_mm @ self.axes + self.middle)


# What spots suggest ------------------------------------------------------------------------------------

_SNAP_MM = 0.9
"""How far a spot may lie from a place of the grid to be its pip."""
_MISS_COST, _EXTRA_COST = 1.5, 0.7
_MIN_SCORE = 0.4
"""A pip missing or one too many costs about what another pip gains."""
DIM = 60.0
"""Of what is darker than this, differences are taken as parts of this level: noise is as strong there."""
_FACE_SPREAD = 0.35
"""How much the light may differ within a die, and between two: parts of the brighter one's level."""


def alike(a: Floats, b: Floats) -> Marks:
    """Whether colours (..., 3) may belong to faces of the same dice."""
    level = np.maximum(np.maximum(a.max(axis=-1), b.max(axis=-1)), DIM)
    return np.asarray(np.abs(a - b).max(axis=-1) < _FACE_SPREAD * level)


def suggested(spots: Spots, places_mm: Floats) -> Iterator[Face]:
    """Faces of two or more pips: every pair of spots taken as a diagonal, and as a side of the square."""
    reach = _PITCH_MM[1] * np.sqrt(8)
    for dark in (True, False):
        group = np.nonzero(spots.dark == dark)[0]
        at, around, contrast = places_mm[group], spots.around[group], spots.contrast[group]
        away = np.linalg.norm(at[:, None] - at[None], axis=2)
        pairs = (away > 2 * _PITCH_MM[0]) & (away < reach) & alike(around[:, None], around[None])
        for i, j in np.argwhere(np.triu(pairs, 1)):
            near = at[away[i] < reach]
            for guess in _squares(at[i], at[j]):
                face = _fitted(guess, near)
                if face.score > _MIN_SCORE and _PITCH_MM[0] <= face.pitch_mm <= _PITCH_MM[1]:
                    yield replace(face, dark=dark, contrast=float(min(contrast[i], contrast[j])))


_MAY_BE_PIP = 0.4
"""How much of a pip's contrast may show at the eight places round it where a face with one pip has none: more
than `confirmed` lets pass, since the face's colour is known only roughly yet.
"""


def ones(spots: Spots, places_mm: Floats, picture: Smoothed, px_per_mm: float) -> Iterator[Face]:
    """Every spot that stands alone, as the single pip of a face whose turn is not known yet."""
    if not len(places_mm):
        return
    around = SITES[SITES.any(axis=1)] * (USUAL_PITCH_MM * px_per_mm)
    step = picture.at(spots.px[:, None])[:, 0] - spots.around
    off = picture.at(spots.px[:, None] + around) - spots.around[:, None]
    shown = (off * step[:, None]).sum(axis=2) / np.maximum((step * step).sum(axis=1), 1.0)[:, None]
    for k in np.flatnonzero(shown.max(axis=1) < _MAY_BE_PIP):
        x, y = places_mm[k]
        yield Face(
            float(x), float(y), 0.0, USUAL_PITCH_MM, 1, 1.0,
            dark=bool(spots.dark[k]), contrast=float(spots.contrast[k]),
        )  # fmt: skip


def _squares(a: Floats, b: Floats) -> Iterator[Face]:
    way = b - a
    length, angle = float(np.hypot(*way)), float(np.arctan2(way[1], way[0]))
    middle = (a + b) / 2
    if _PITCH_MM[0] < length / np.sqrt(8) < _PITCH_MM[1]:
        yield Face(float(middle[0]), float(middle[1]), angle + np.pi / 4, length / float(np.sqrt(8)))
    if _PITCH_MM[0] < length / 2 < _PITCH_MM[1]:
        aside = np.array([-way[1], way[0]]) / 2
        for x, y in (middle + aside, middle - aside):
            yield Face(float(x), float(y), angle, length / 2)


def _fitted(guess: Face, places_mm: Floats) -> Face:
    """The guess moved to fit the spots that its best pattern explains; its value and score."""
    face, places = guess, places_mm @ np.array([1, 1j])
    for _ in range(2):
        local = (places_mm - face.middle) @ face.axes.T / face.pitch_mm
        cell = np.clip(np.rint(local), -1, 1)
        on = np.linalg.norm(local - cell, axis=1) * face.pitch_mm < _SNAP_MM
        site = ((cell[:, 1] + 1) * 3 + cell[:, 0] + 1).astype(np.intp)
        taken = np.zeros(9, dtype=bool)
        taken[site[on]] = True
        stray = int(((np.abs(local).max(axis=1) * face.pitch_mm < DIE_MM / 2 - 1) & ~on).sum())
        hits = MANY_PIPS @ taken
        missed, extra = MANY_PIPS.sum(axis=1) - hits, taken.sum() - hits + stray
        scores = hits - _MISS_COST * missed - _EXTRA_COST * extra
        value, pattern = MANY[int(np.argmax(scores))]
        on &= pattern[site]
        if on.sum() < 2:
            return face
        # On complex numbers a turn and a size are one factor, and a shift is one term.
        grid, seen = SITES[site[on]] @ np.array([1, 1j]), places[on]
        apart = grid - grid.mean()
        if not apart.any():
            return face
        factor = np.vdot(apart, seen) / np.vdot(apart, apart)
        shift = seen.mean() - factor * grid.mean()
        off = float(np.abs(grid * factor + shift - seen).max())
        face = Face(
            float(shift.real), float(shift.imag), float(np.angle(factor)), float(abs(factor)), value,
            float(max(scores)) - off, off,
        )  # fmt: skip
    return face


# What the picture says ---------------------------------------------------------------------------------

_NEAR_MM = 12.0
"""Within so much of a place the camera's view is as good as linear: a hundredth of a pixel off."""


@dataclass(frozen=True)
class Patch:
    """A picture where it shows a plan point at a height: `px` of it are at `origin_px`, and a step of a
    millimetre on the plan is `step_px`, rows for x and y.
    """

    picture: Smoothed
    middle_mm: Floats
    origin_px: Floats
    step_px: Floats

    @classmethod
    def cut(cls, picture: Smoothed, camera: Camera, middle_mm: Floats, height_mm: float) -> Patch:
        """The surroundings of a plan point at a height above the board."""
        places = np.array(
            [middle_mm, *(middle_mm + _NEAR_MM * np.array([[1, 0], [-1, 0], [0, 1], [0, -1.0]]))]
        )
        px = camera.project(np.column_stack([places, np.full(len(places), -height_mm)]))
        return cls(picture, middle_mm, px[0], (px[1::2] - px[2::2]) / (2 * _NEAR_MM))

    def at(self, points_mm: Floats) -> Floats:
        """Colours (N, M, 3) at plan points (N, M, 2)."""
        return self.picture.at((points_mm - self.middle_mm) @ self.step_px + self.origin_px)


_MIN_SHOWN = 0.75
"""Pips as different from the face as their median, places without one as the face: flat dice have 0.8."""
_Least = dict[int, tuple[tuple[float, float], ...]]
_FEW, _MANY = ((0.7, 0.7),), ((0.6, 0.5),)
_LEAST: _Least = {1: ((0.9, 0.75), (0.7, 0.9)), 2: _FEW, 3: _FEW, 4: _MANY, 5: _MANY, 6: _MANY}
"""By value, pairs of how even a face must be and how much of its edge must show. The more pips, the less
else is asked. Flat dice have 0.8 and 0.8; leaning dice, pieces and cloth mostly less of one.
"""
_LEAST_DOUBTFUL: _Least = {**_LEAST, **dict.fromkeys((1, 2, 3), ((0.93, 0.6), (0.7, 0.9)))}
"""White dice on white, or against their own sides, are even but show less edge; so do some pieces."""
SURE_PIPS = 4
"""So many pips on a grid are a die whatever else."""
_PLAIN_CONTRAST = 0.5
"""Of fewer pips: a lamp's highlights on a piece have less."""
_LESS_SHOWN, _LESS_EDGE = 0.25, 0.1
"""How much less is asked of a faint die in a lamp's glare where another like it lies in plain sight."""
_MIN_BRIGHT = 0.35
"""The brighter of pips and face, as a part of the board's white: leaves out dark cloth and wood."""


def confirmed(guess: Face, patch: Patch, white: float, lenient: bool = False) -> Face | None:
    """The guess, its turn made certain, or None where the picture shows no such face.

    `white` is the green grey level of the table's white paint; `lenient` asks for less.
    """
    sites = patch.at(guess.on_plan(SITES * guess.pitch_mm)[None])[0]
    patterns = [pattern for value, pattern in PATTERNS if value == guess.value]
    may_glare = lenient or guess.value > 1
    looks = [_look(guess, patch, sites, pattern, may_glare) for pattern in patterns]
    look = max(looks, key=lambda seen: seen.shown)
    less_shown, less_edge = (_LESS_SHOWN, _LESS_EDGE) if lenient else (0.0, 0.0)
    if look.shown < _MIN_SHOWN - less_shown or look.bright < _MIN_BRIGHT * white:
        return None
    if look.even < min(even for least in (_LEAST, _LEAST_DOUBTFUL) for even, _ in least[guess.value]):
        return None
    turns = guess.yaw + _NEAR_TURNS
    if guess.value == 1:
        rough = _edges(patch, guess.middle, _ANY_TURN, _NO_SHIFT_MM, look.level)
        turns = _ANY_TURN[np.argsort(-rough)[:_LIKELY_TURNS]]
    edges = _edges(patch, guess.middle, turns, _SHIFTS_MM, look.level)
    edge, yaw = float(edges.max()), float(turns[edges.argmax()])

    def enough(least: _Least) -> bool:
        return any(look.even >= e and edge >= shown - less_edge for e, shown in least[guess.value])

    if not enough(_LEAST_DOUBTFUL) and not enough(_LEAST):
        return None
    plain = guess.contrast >= _PLAIN_CONTRAST or guess.value >= SURE_PIPS
    sure = plain and not lenient and enough(_LEAST)
    return replace(guess, yaw=yaw, score=guess.score + look.even + edge, sure=sure, colour=look.colour)


@dataclass(frozen=True)
class _Look:
    """How `even` a face is apart from its pips, its grey `level`, how well its pips are `shown`, the green
    grey level of the brighter of pips and face, and the face's colour.
    """

    even: float
    level: float
    shown: float
    bright: float
    colour: tuple[float, float, float]


_GRID = np.stack(np.meshgrid(np.arange(-6.5, 6.6, 1.0), np.arange(-6.5, 6.6, 1.0)), axis=-1).reshape(-1, 2)
_PIP_REACH_MM = 2.8
_EVEN, _GLARE, _MOST_GLARE = 0.25, -0.1, 0.3
"""Parts of the face's level within which it is even; where it is as bright or brighter in all channels, it
glares, and up to so large a part of a face may."""


def _look(face: Face, patch: Patch, sites: Floats, pattern: Marks, may_glare: bool) -> _Look:
    pips = SITES[pattern] * face.pitch_mm
    free = np.linalg.norm(_GRID[:, None] - pips[None], axis=2).min(axis=1) > _PIP_REACH_MM
    colours = patch.at(face.on_plan(_GRID[free])[None])[0]
    ground = np.median(colours, axis=0)
    level = float(max(ground.max(), DIM))
    step = (colours - ground) / level
    same = np.abs(step).max(axis=1) < _EVEN
    glare = (step.min(axis=1) > _GLARE) & ~same
    pip = np.median(sites[pattern], axis=0)
    shown = ((sites - ground) @ (pip - ground)) / max(float((pip - ground) @ (pip - ground)), 1.0)
    return _Look(
        float(same.mean() + (min(glare.mean(), _MOST_GLARE) if may_glare else 0.0)),
        level,
        float(min(shown[pattern].min(), (1 - shown[~pattern]).min())),
        float(max(pip[1], ground[1])),
        (float(ground[0]), float(ground[1]), float(ground[2])),
    )


_ALONG_MM = np.linspace(-0.72, 0.72, 9) * DIE_MM / 2
_SIDES = np.array([[1, 0], [0, 1], [-1, 0], [0, -1.0]])
_STEP_MM, _STEP = 0.5, 0.15
"""An edge is a step of so much of the face's level from so far inside to so far outside."""
_ANY_TURN, _NEAR_TURNS = np.radians(np.arange(0, 90, 3.0)), np.radians([-2.0, 0, 2])
_LIKELY_TURNS = 8
"""How many turns of a face with one pip are looked at closely, with shifts."""
_NO_SHIFT_MM = np.zeros((1, 2))
_SHIFTS_MM = np.stack(np.meshgrid([-0.4, 0, 0.4], [-0.4, 0, 0.4]), axis=-1).reshape(-1, 2)


def _edge_points() -> Floats:
    """Points (2 · 4 · 9, 2) of an upright face, just inside its sides and just outside."""
    across = np.column_stack([-_SIDES[:, 1], _SIDES[:, 0]])
    line = _SIDES[:, None] * DIE_MM / 2 + across[:, None] * _ALONG_MM[:, None]
    return np.stack([line - _SIDES[:, None] * _STEP_MM, line + _SIDES[:, None] * _STEP_MM]).reshape(-1, 2)


_EDGE_POINTS = _edge_points()


def _edges(patch: Patch, middle_mm: Floats, turns: Floats, shifts_mm: Floats, level: float) -> Floats:
    """How much of the square's edge shows at each of these turns, with the best of the shifts (N, 2)."""
    c, s = np.cos(turns), np.sin(turns)
    axes = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=1)
    points = (_EDGE_POINTS @ axes)[:, None] + (middle_mm + shifts_mm)[None, :, None]
    seen = patch.at(points.reshape(-1, len(_EDGE_POINTS), 2))
    inside, outside = np.moveaxis(seen.reshape(len(turns), len(shifts_mm), 2, -1, 3), 2, 0)
    # Means of three neighbours keep noise from looking like an edge.
    steps = (outside - inside).reshape(*outside.shape[:2], -1, 3, 3).mean(axis=-2)
    rise = np.abs(steps).max(axis=-1) / level
    return np.asarray((np.minimum(rise, _STEP) / _STEP).mean(axis=-1).max(axis=1))

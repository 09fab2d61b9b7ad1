"""The upper faces of flat dice: what spots suggest, and whether the picture confirms it.

Faces are squares in plan millimetres, at the height of a die's upper face. A `Patch` tells where the picture
shows points at that height.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from uckers_table.vision.dice.pips import MANY, MANY_PIPS, PATTERNS, SITES
from uckers_table.vision.dice.spots import Smoothed, Spots, sample
from uckers_table.vision.picture.arrays import Flags, Floats
from uckers_table.vision.picture.channels import GAMMA, medians
from uckers_table.vision.place.camera import CameraModel

DIE_MM = 16.0
USUAL_PITCH_MM = 4.0
"""The distance (mm) between neighbouring pips of a face with one pip, whose own cannot be measured."""
PITCH_MM = (3.3, 4.9)
"""The least and the largest distance (mm) between neighbouring pips. On photographs of dice it is 0.21 to
0.30 of the edge.
"""


@dataclass(frozen=True)
class Face:
    """A square upper face, in plan millimetres at its own height.

    `x_mm`, `y_mm`: its middle.
    `yaw`: its turn, in radians.
    `pitch_mm`: the distance between neighbouring pips of its grid.
    `score`: grows with each pip that speaks for it.
    `off_mm`: how far its worst spot lies from the grid.
    `dark`: its pips are darker than the face.
    `contrast`: its pips' contrast.
    `sure`: it is a die. A face that is not sure may be a piece's top.
    `colour`: its own colour, BGR in grey levels.
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
    def is_faint(self) -> bool:
        """Whether its pips are hard to see, as in a lamp's glare."""
        return self.contrast < _FAINT_BELOW

    @property
    def axes(self) -> Floats:
        """The face's own axes, x and y, as rows (2, 2) of unit vectors on the plan."""
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        return np.array([[c, s], [-s, c]])

    def on_plan(self, local_mm: Floats) -> Floats:
        """The plan points (N, 2), in mm, of points (N, 2) of the face, in mm from its
        middle along its axes.
        """
        return np.asarray(local_mm @ self.axes + self.middle)


# What spots suggest ------------------------------------------------------------------------------------

_SNAP_MM = 0.9
"""How far (mm) a spot may lie from a place of the grid and still be its pip."""
_MISS_COST, _EXTRA_COST = 1.5, 0.7
_MIN_SCORE = 0.4
"""What a missing pip and one too many take from a face's score, and the least score. Each pip in its place
adds 1, about as much as either costs.
"""
DIM = 60.0
"""Below this grey level, differences are parts of this level: noise is as strong there."""
SPREAD = 0.35
"""How much the light may differ within a die, and between two dice, in parts of the brighter one's level."""


def alike(a: Floats, b: Floats) -> Flags:
    """Whether colours (..., 3), in grey levels, may belong to faces of the same dice in the same light."""
    return _off(a, b) < SPREAD


def alike_in_any_light(a: Floats, b: Floats) -> Flags:
    """Whether colours (..., 3) may belong to faces of the same dice, one in light and one in shadow."""
    return off_in_any_light(a, b) < SPREAD


def alike_but_for_a_lamp(face: Floats, colour: Floats) -> bool:
    """Whether a face (3,) may be of dice of this colour (3,), with a lamp mirrored all over it.

    A mirrored lamp adds the same light in all channels. False for dice with hardly any hue: there it cannot
    be told.
    """
    here, own = _light(np.stack([face, colour]))
    hue = own - own.mean()
    if np.abs(hue).max() < _COLOURED * own.max():
        return False
    lit = float((here - here.mean()) @ hue / (hue @ hue))
    lamp = max(float((here - lit * own).mean()), 0.0)
    seen = 255 * np.maximum(lit * own + lamp, 0) ** (1 / GAMMA)
    return _IN_SHADOW < lit < 1 / _IN_SHADOW and bool(_off(seen, face) < _OFF_LAMP)


def off_in_any_light(a: Floats, b: Floats) -> Floats:
    """How far (...) colours (..., 3) are off each other, whatever light either is in. The result is in parts
    of the brighter one's level.
    """
    lit = (a * b).sum(axis=-1) / np.maximum((a * a).sum(axis=-1), 1.0)
    return _off(a * np.clip(lit, _IN_SHADOW, 1 / _IN_SHADOW)[..., None], b)


def _off(a: Floats, b: Floats) -> Floats:
    level = np.maximum(np.maximum(a.max(axis=-1), b.max(axis=-1)), DIM)
    return np.asarray(np.abs(a - b).max(axis=-1) / level)


_IN_SHADOW = 0.3
"""The part of its grey level that a face keeps in a lamp's shadow, at the least."""
_OFF_LAMP = 0.1
"""How far a face may be off, in parts of its level, once a lamp's light is taken off. Red faces are 0.02 off.
Orange and green faces compared with red are 0.2 off.
"""


def suggested(spots: Spots, places_mm: Floats) -> Iterator[Face]:
    """Faces of two pips and more, suggested by spots at plan places (N, 2), in mm. Every pair of like spots
    is tried as a diagonal of the pips' square, and as a side.
    """
    reach = PITCH_MM[1] * np.sqrt(8)
    for dark in (True, False):
        group = np.nonzero(spots.dark == dark)[0]
        if len(group) < 2:
            continue
        at, around, contrast = places_mm[group], spots.around[group], spots.contrast[group]
        away = np.linalg.norm(at[:, None] - at[None], axis=2)
        pairs = (away > 2 * PITCH_MM[0]) & (away < reach) & alike(around[:, None], around[None])
        pair, squares = _squares(at @ _AS_COMPLEX, np.argwhere(np.triu(pairs, 1)))
        if not len(pair):
            continue
        # As many neighbours as the spot with the most has, itself among them.
        near = np.argsort(away, axis=1)[:, : int((away < reach).sum(axis=1).max())][pair[:, 0]]
        is_near = np.take_along_axis(away[pair[:, 0]], near, axis=1) < reach
        fitted = _fitted(squares, (at @ _AS_COMPLEX)[near], is_near)
        likely = (fitted.score > _MIN_SCORE) & (PITCH_MM[0] <= fitted.pitch) & (fitted.pitch <= PITCH_MM[1])
        for k in np.flatnonzero(likely):
            yield Face(
                float(fitted.middle[k].real), float(fitted.middle[k].imag), float(np.angle(fitted.side[k])),
                float(fitted.pitch[k]), int(fitted.value[k]), float(fitted.score[k]), float(fitted.off[k]),
                dark, float(contrast[pair[k]].min()),
            )  # fmt: skip


_MAY_BE_PIP = 0.4
"""The largest part of a pip's contrast at the eight places round the pip of a one. `confirmed` lets less
pass; here the face's colour is known only roughly.
"""


def ones(spots: Spots, places_mm: Floats, picture: Smoothed, px_per_mm: float) -> Iterator[Face]:
    """Every spot at plan places (N, 2), in mm, that stands alone, as a face with one pip. Its turn is not
    known yet.
    """
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


_AS_COMPLEX = np.array([1, 1j])
"""Points as complex numbers: a turn with a change of size is one factor, and a shift is one term."""
Complexes = npt.NDArray[np.complex128]


@dataclass(frozen=True)
class _Squares:
    """Faces (N,) on the plan, in mm as complex numbers.

    `middle`: the middles.
    `side`: from each pip's place to the next along the face's first axis.
    `value`, `score`: 0 until the squares are fitted.
    `off`: how far (mm) the worst spot lies off the grid; 0 until fitted.
    """

    middle: Complexes
    side: Complexes
    value: npt.NDArray[np.intp]
    score: Floats
    off: Floats

    @property
    def pitch(self) -> Floats:
        """The distances (N,), in mm, between neighbouring pips."""
        return np.abs(self.side)

    @classmethod
    def guessed(cls, middle: Complexes, side: Complexes) -> _Squares:
        """Squares without values, not fitted yet."""
        return cls(middle, side, np.zeros(len(side), dtype=np.intp), *np.zeros((2, len(side))))


def _squares(places: Complexes, pairs: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.intp], _Squares]:
    """Squares with pairs (N, 2) of places at their corners, and the pair that each came from. Each pair comes
    first as a diagonal, then as a side of two squares.
    """
    a, b = places[pairs.T]
    way, middle = b - a, (a + b) / 2
    middles = np.column_stack([middle, middle + way * 0.5j, middle - way * 0.5j])
    sides = np.column_stack([way * np.exp(0.25j * np.pi) / np.sqrt(8), way / 2, way / 2])
    fit = (PITCH_MM[0] < np.abs(sides)) & (np.abs(sides) < PITCH_MM[1])
    return pairs[np.nonzero(fit)[0]], _Squares.guessed(middles[fit], sides[fit])


def _fitted(squares: _Squares, places: Complexes, is_near: Flags) -> _Squares:
    """The squares (N,) with their best patterns, moved to fit the spots that these explain. `places` (N, M)
    are the spots near each square; only those that `is_near` (N, M) marks count.
    """
    for _ in range(2):
        pitch = squares.pitch[:, None]
        local = (places - squares.middle[:, None]) / squares.side[:, None]
        columns, rows = (np.clip(np.rint(part), -1, 1) for part in (local.real, local.imag))
        grid = columns + 1j * rows
        on = is_near & (np.abs(local - grid) * pitch < _SNAP_MM)
        site = ((rows + 1) * 3 + columns + 1).astype(np.intp)
        taken = (on[..., None] & (site[..., None] == np.arange(9))).any(axis=1)
        inside = np.maximum(np.abs(local.real), np.abs(local.imag)) * pitch < DIE_MM / 2 - 1
        stray = (is_near & inside & ~on).sum(axis=1)
        hits = taken @ MANY_PIPS.T
        extra = (taken.sum(axis=1) + stray)[:, None] - hits
        scores = hits - _MISS_COST * (MANY_PIPS.sum(axis=1) - hits) - _EXTRA_COST * extra
        best = scores.argmax(axis=1)
        on &= np.take_along_axis(MANY_PIPS[best] > 0, site, axis=1)
        count = np.maximum(on.sum(axis=1), 1)
        middle = (grid * on).sum(axis=1) / count
        apart = (grid - middle[:, None]) * on
        power = (np.abs(apart) ** 2).sum(axis=1)
        side = (apart.conj() * places).sum(axis=1) / np.maximum(power, 1e-9)
        shift = (places * on).sum(axis=1) / count - side * middle
        off = (np.abs(grid * side[:, None] + shift[:, None] - places) * on).max(axis=1)
        # Two spots on different places of the grid are enough to tell where it lies.
        held = power > 1e-9
        squares = _Squares(
            np.where(held, shift, squares.middle),
            np.where(held, side, squares.side),
            np.where(held, _MANY_VALUES[best], squares.value),
            np.where(held, scores.max(axis=1) - off, squares.score),
            np.where(held, off, squares.off),
        )
    return squares


_MANY_VALUES = np.array([value for value, _ in MANY])
"""The values (8,) of the patterns in `MANY`."""


# What the picture says ---------------------------------------------------------------------------------

_NEAR_MM = 12.0
"""Within this distance (mm) of a place the camera's view is linear to a hundredth of a pixel."""


@dataclass(frozen=True)
class Patch:
    """A picture where it shows plan points near one point, all at one height.

    `middle_mm`: the plan point (2,).
    `origin_px`: where it is seen (2,).
    `step_px`: the pixels of a millimetre on the plan (2, 2), a row for x and one for y.
    """

    picture: Smoothed
    middle_mm: Floats
    origin_px: Floats
    step_px: Floats

    @classmethod
    def cut(cls, picture: Smoothed, camera: CameraModel, middle_mm: Floats, height_mm: float) -> Patch:
        """The surroundings of a plan point (2,), in mm, at a height above the board."""
        places = np.array(
            [middle_mm, *(middle_mm + _NEAR_MM * np.array([[1, 0], [-1, 0], [0, 1], [0, -1.0]]))]
        )
        px = camera.project(np.column_stack([places, np.full(len(places), -height_mm)]))
        return cls(picture, middle_mm, px[0], (px[1::2] - px[2::2]) / (2 * _NEAR_MM))

    def at(self, points_mm: Floats) -> Floats:
        """Colours (N, M, 3), in grey levels, at plan points (N, M, 2), in mm. Noise is averaged away."""
        return self.picture.at((points_mm - self.middle_mm) @ self.step_px + self.origin_px)

    def laid(self, grid_mm: Floats) -> Floats:
        """The picture's own channels (3, N, M) at points (N, M, 2), in mm on the plan from the middle."""
        return sample(self.picture.picture, grid_mm @ self.step_px + self.origin_px).transpose(2, 0, 1)


_MIN_SHOWN = 0.75
"""How well pips must show: each must differ from the face, and each place without one must be like it. In
parts of how far the median pip differs. Flat dice have 0.8.
"""
_Least = dict[int, tuple[tuple[float, float], ...]]
_FEW, _MANY = ((0.7, 0.7),), ((0.6, 0.5),)
"""How even a face must be, and how much of its edge must show: of faces with few pips, and with many."""
_LEAST: _Least = {1: ((0.9, 0.75), (0.7, 0.9)), 2: _FEW, 3: _FEW, 4: _MANY, 5: _MANY, 6: _MANY}
"""For each value, pairs of how even a face must be and how much of its edge must show. One pair is enough.
The more pips, the less else is asked. Flat dice have 0.8 of both; leaning dice, pieces and cloth mostly less
of one.
"""
_LEAST_DOUBTFUL: _Least = {**_LEAST, **dict.fromkeys((1, 2, 3), ((0.93, 0.6), (0.7, 0.9)))}
"""The same for doubtful faces. White dice on white, or against their own sides, are even but show less edge.
Some pieces do too.
"""
SURE_PIPS = 4
"""From this number on, pips on a grid are a die, whatever else is seen."""
PLAIN_CONTRAST = 0.5
"""The contrast that fewer pips need to be sure. A lamp's highlights on a piece have less."""
_LESS_SHOWN, _LESS_EDGE = 0.25, 0.1
"""How much less is asked beside a die in plain sight. The first is for the pips of a faint die in a lamp's
glare, the second for the edge of any die. Paint of a die's own colour hides its edge.
"""
_FAINT_BELOW = 0.35
"""A face whose pips have less contrast is faint."""
_MIN_BRIGHT = 0.35
"""The least level of the brighter of pips and face, in parts of the board's white. It leaves out dark cloth
and wood.
"""


def confirmed(guess: Face, patch: Patch, white: float, lenient: bool = False) -> Face | None:
    """The guessed face with its turn found, or None if the picture shows no such face.

    `white` is the green grey level of the table's white paint. `lenient` asks for less: see `_LESS_SHOWN`.
    The result may have another value: a lamp's image can hide the middle pip of a five.
    """
    sites = patch.at(guess.on_plan(SITES * guess.pitch_mm)[None])[0]
    patterns = [pattern for value, pattern in PATTERNS if value == guess.value]
    may_glare = lenient or guess.value > 1
    looks = [_look(guess, patch, sites, pattern, may_glare) for pattern in patterns]
    look = max(looks, key=lambda seen: seen.shown)
    if not guess.dark and min(look.even, look.shown) < _PLAINLY:
        # A five whose middle pip a lamp's image drowns looks like a four.
        values = guess.value, guess.value + (guess.value == SURE_PIPS)
        hues = [
            (*_hue_look(guess, patch, sites, pattern), value)
            for value, pattern in PATTERNS
            if value in values
        ]
        shown, even, value = max(hues)
        if min(even, shown) > min(look.even, look.shown):
            look, guess = replace(look, even=even, shown=shown), replace(guess, value=value)
    less_shown, less_edge = (_LESS_SHOWN * guess.is_faint, _LESS_EDGE) if lenient else (0.0, 0.0)
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
    plain = guess.contrast >= PLAIN_CONTRAST or guess.value >= SURE_PIPS
    sure = plain and not lenient and enough(_LEAST)
    return replace(guess, yaw=yaw, score=guess.score + look.even + edge, sure=sure, colour=look.colour)


@dataclass(frozen=True)
class _Look:
    """What the picture shows of a guessed face.

    `even`: the part of the face, its pips aside, that has its colour.
    `level`: its grey level, the brightest channel's.
    `shown`: how well its pips are shown, as in `_MIN_SHOWN`.
    `bright`: the green grey level of the brighter of pips and face.
    `colour`: the face's colour, BGR.
    """

    even: float
    level: float
    shown: float
    bright: float
    colour: tuple[float, float, float]


_GRID = np.stack(np.meshgrid(np.arange(-6.5, 6.6, 1.0), np.arange(-6.5, 6.6, 1.0)), axis=-1).reshape(-1, 2)
"""Points (196, 2) of a face, in mm from its middle, a millimetre apart."""
_PIP_REACH_MM = 2.8
"""Points nearer (mm) to the middle of a pip are no part of the face's ground."""
_PLAINLY, _HUE_EVEN, _COLOURED = 0.95, 0.35, 0.15
"""When and how a face is told by its hue.

`_PLAINLY`: a face this even that shows its pips this well needs no look at its hue.
`_HUE_EVEN`: a point has the face's hue if it is off by less than this part of it.
`_COLOURED`: the least hue of a face, in parts of the brightest light on it. Red dice have it; white, ivory
and black ones have not.
"""
_EVEN, _GLARE, _MOST_GLARE = 0.25, -0.1, 0.3
"""In parts of the face's level: a point is even if it is off by less than `_EVEN`. A point that is not even
glares if no channel is darker than the face by more than `_GLARE`. Up to `_MOST_GLARE` of the face may glare.
"""


def _look(face: Face, patch: Patch, sites: Floats, pattern: Flags, may_glare: bool) -> _Look:
    pips = SITES[pattern] * face.pitch_mm
    off = _GRID[:, None] - pips
    free = (off * off).sum(axis=2).min(axis=1) > _PIP_REACH_MM**2
    colours = patch.at(face.on_plan(_GRID[free])[None])[0]
    ground = medians(colours)
    level = float(max(ground.max(), DIM))
    step = (colours - ground) / level
    same = np.abs(step).max(axis=1) < _EVEN
    glare = (step.min(axis=1) > _GLARE) & ~same
    pip = medians(sites[pattern])
    shown = ((sites - ground) @ (pip - ground)) / max(float((pip - ground) @ (pip - ground)), 1.0)
    return _Look(
        float(same.mean() + (min(glare.mean(), _MOST_GLARE) if may_glare else 0.0)),
        level,
        float(min(shown[pattern].min(), (1 - shown[~pattern]).min())),
        float(max(pip[1], ground[1])),
        (float(ground[0]), float(ground[1]), float(ground[2])),
    )


def _hue_look(face: Face, patch: Patch, sites: Floats, pattern: Flags) -> tuple[float, float]:
    """How well a face's pips are shown by hue, and how even its hue is, in parts of 1. Both are 0 for a grey
    face.

    A lamp's image in the face may be as bright as white pips. It has the same light in all channels, so it
    leaves the hue as it is.
    """
    off = _GRID[:, None] - SITES[pattern] * face.pitch_mm
    free = (off * off).sum(axis=2).min(axis=1) > _PIP_REACH_MM**2
    colours = patch.at(face.on_plan(_GRID[free])[None])[0]
    hues, at_sites = _hues(colours), _hues(sites)
    own = medians(hues)
    much = float(np.abs(own).max())
    if much < _COLOURED * float((colours.max() / 255) ** GAMMA):
        return 0.0, 0.0
    same = np.abs(hues - own).max(axis=1) / much < _HUE_EVEN
    shown = 1 - (at_sites @ own) / float(own @ own)
    return float(min(shown[pattern].min(), (1 - shown[~pattern]).min())), float(same.mean())


def _hues(colours: Floats) -> Floats:
    """How far (N, 3) the light of colours (N, 3) is off grey."""
    light = _light(colours)
    return np.asarray(light - light.mean(axis=1, keepdims=True))


def _light(colours: Floats) -> Floats:
    """The light (N, 3) of colours (N, 3) in grey levels. A full pixel has 1."""
    return np.asarray((np.maximum(colours, 0) / 255) ** GAMMA)


_ALONG_MM = np.linspace(-0.72, 0.72, 9) * DIE_MM / 2
"""Where along a side (9,), in mm from its middle, the edge is looked at."""
_SIDES = np.array([[1, 0], [0, 1], [-1, 0], [0, -1.0]])
"""The directions (4, 2) from a face's middle to its sides."""
_STEP_MM, _STEP = 0.5, 0.15
"""An edge is a step of `_STEP` of the face's level, between points this far (mm) inside and outside."""
_ANY_TURN, _NEAR_TURNS = np.radians(np.arange(0, 90, 3.0)), np.radians([-2.0, 0, 2])
"""The turns (radians) that are tried: of a face with one pip, and beside a turn that pips tell."""
_LIKELY_TURNS = 8
"""How many turns of a face with one pip are looked at closely, with shifts."""
_NO_SHIFT_MM = np.zeros((1, 2))
_SHIFTS_MM = np.stack(np.meshgrid([-0.4, 0, 0.4], [-0.4, 0, 0.4]), axis=-1).reshape(-1, 2)
"""Shifts (N, 2), in mm, of a face's middle that are tried."""


def _edge_points() -> Floats:
    """Points (72, 2), in mm from the middle of an upright face: nine along each side, just inside, then just
    outside.
    """
    across = np.column_stack([-_SIDES[:, 1], _SIDES[:, 0]])
    line = _SIDES[:, None] * DIE_MM / 2 + across[:, None] * _ALONG_MM[:, None]
    return np.stack([line - _SIDES[:, None] * _STEP_MM, line + _SIDES[:, None] * _STEP_MM]).reshape(-1, 2)


_EDGE_POINTS = _edge_points()


def _edges(patch: Patch, middle_mm: Floats, turns: Floats, shifts_mm: Floats, level: float) -> Floats:
    """How much of a square's edge shows at each of these turns (N,), in parts of 1, with the best of the
    shifts (M, 2). `level` is the face's grey level.
    """
    c, s = np.cos(turns), np.sin(turns)
    axes = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=1)
    points = (_EDGE_POINTS @ axes)[:, None] + (middle_mm + shifts_mm)[None, :, None]
    seen = patch.at(points.reshape(-1, len(_EDGE_POINTS), 2))
    inside, outside = np.moveaxis(seen.reshape(len(turns), len(shifts_mm), 2, -1, 3), 2, 0)
    # The mean of three neighbours keeps noise from looking like an edge.
    steps = (outside - inside).reshape(*outside.shape[:2], -1, 3, 3).mean(axis=-2)
    rise = np.abs(steps).max(axis=-1) / level
    return np.asarray((np.minimum(rise, _STEP) / _STEP).mean(axis=-1).max(axis=1))

"""Faces of dice in any picture: what dots suggest as one, and how well the picture bears it out.

A face is a square seen aslant. Its own coordinates run from -1 to 1 between opposite edges; pips lie on a
3 × 3 grid whose pitch is a quarter of the edge or so. How aslant is told by the pips' ellipses, which are
circles on the die.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from uckers_table.vision.dice.dots import DIM, WAYS, Dots, Planes, samples
from uckers_table.vision.dice.pips import MANY, MANY_PIPS, SITES
from uckers_table.vision.picture.arrays import Flags, Floats

_MANY_VALUES = np.array([value for value, _ in MANY])
SIX_WIDTHS = (1.0, 0.78, 0.56)
"""The rows of a six are nearer together than its pips are in a row, on some dice by nearly half."""


@dataclass(frozen=True, eq=False)
class Face:
    """A face: its `middle` (2,) in pixels and `axes` (2, 2), in columns the ways from there to the middles of
    two neighbouring edges; `pips` (value, 2) are its pips' places and `pip_px` their radius. `aspect` is how
    much shorter it looks one way than the other, for being aslant. `likeness` (to 1) is how well its pips,
    and only these, show, `edged` (0 to 1) how much of its edge does, `paired` (0 to 1) how much does, of each
    two opposite edges, of the one that shows better, `off` how far the worst pip lies from the grid, in
    pitches, and `unequal` the logarithm of the ratio between the largest pip and the smallest.
    `dots` are the indices of its pips, if it was suggested by them, and `ground` (4,) is its own colour.
    """

    value: int
    middle: Floats
    axes: Floats
    pips: Floats
    pip_px: float
    aspect: float = 1.0
    likeness: float = 1.0
    edged: float = 1.0
    paired: float = 1.0
    off: float = 0.0
    unequal: float = 0.0
    dots: tuple[int, ...] = ()
    ground: Floats | None = None

    @property
    def size_px(self) -> float:
        """The length of its edge as it looks on average."""
        return 2 * float(np.sqrt(abs(np.linalg.det(self.axes))))

    @property
    def edge_px(self) -> float:
        """The length of its edge seen from straight above."""
        return self.size_px / float(np.sqrt(self.aspect))

    @property
    def doubt(self) -> float:
        """How much speaks against it, all in all, less what each pip in its place speaks for it: plain dice
        have less than 0.4, and side faces, playing cards and cloth mostly more than 0.8.
        """
        against = (1 - self.likeness) / _UNLIKE + (1 - self.edged) / _UNEDGED
        against += self.off / _ASTRAY + self.unequal / _UNEQUAL
        against += max(0.0, _UPRIGHT - self.aspect) / _ASLANT
        return against - _EACH_PIP * (self.value - 1)

    def local(self, px: Floats) -> Floats:
        """Pixels (N, 2) in the face's own coordinates."""
        return np.asarray((px - self.middle) @ np.linalg.inv(self.axes).T)

    def on_picture(self, local: Floats) -> Floats:
        """Pixels of points (N, 2) of the face."""
        return np.asarray(self.middle + local @ self.axes.T)


_UNLIKE, _UNEDGED, _ASTRAY, _UNEQUAL, _UPRIGHT, _ASLANT = 0.2, 0.5, 0.2, 0.6, 0.9, 0.5
"""What makes a doubt of one: of photographed dice that are plainly seen, hardly any is a third of it away
from perfect in any of these; an upper face seen from 26 degrees aside is still upright.
"""
_EACH_PIP = 0.05
"""What each pip but the first takes away from doubt: five dots on a grid are seldom there by chance."""


# What dots suggest -------------------------------------------------------------------------------------

_PITCH = (1.75, 3.9)
"""Pips lie 1.9 to 3.6 of their radii apart on dice."""
_LIKE_SIZE, _LIKE_COLOUR = 0.45, 0.45
"""How far the pips of a face may differ: logarithm of the radii's ratio, and part of the level. One in a
lamp's glare looks smaller and paler."""
_NEIGHBOURS = 16
_SNAP = 0.34
"""How far, in pitches of a first guess, a dot may lie from a place of the grid to be its pip."""
_MISS_COST, _EXTRA_COST, _LEAST_SCORE = 1.5, 0.7, 0.4
"""A pip missing or one too many costs about what another pip gains."""
_MOST_OFF = 0.2
_LEAST_SQUARE = {4: 0.7, 5: 0.7, 6: 0.45}
"""Shorter side of the pips' rectangle over the longer one, made upright: how far from a square it may be."""
_PITCHES_TO_EDGE, _LEAST_PITCHES = np.arange(1.5, 2.75, 0.08), 1.7
"""From a face's middle, in pitches: the pitch is 0.18 to 0.29 of the edge, on sixes up to 0.33."""
_RADII_TO_EDGE = np.exp(np.arange(np.log(2.8), np.log(8.5), 0.06))
"""The same in a single pip's radii: those of ones are often larger."""
_SHAKY_PX = 2.0
"""An ellipse of this radius is as uncertain as that it is no circle."""
_ONE_OFF, _ONE_UNEVEN = 0.12, 0.35
"""A single pip must be clean."""
_TURNS = np.radians(np.arange(0, 90, 6.0))
_ALONE = 3.6
"""Within so many radii of a one's pip no other like it may be."""
_ACROSS, _AS_LARGE, _CARD = 1.03, 0.15, 2
"""On playing cards what looks like an edge is the next pips' rims: of pips as large (by the logarithm) as the
face's own two or more, one beside a single pip, lie within 1.0 of its middle, in halves of its edge. On the
next face of a die, seen from far aside, and on a die alongside they lie at 1.05 and more.
"""
_LEAST_PAIRED = 0.72
"""A die's own sides hide no two opposite edges of its upper face: even of a poor one 0.77 shows. On playing
cards other pips look like two thirds of an edge.
"""
_LEAST_EDGED, _LEAST_LIKENESS = 0.6, 0.6
"""Less is not worth a closer look."""
_MOST_MOTTLED = 0.6
"""Glare on a hollow pip makes 0.5; pieces on the white spots of their base, on a painted board, 0.7."""


def faces_suggested(planes: Planes, dots: Dots) -> Iterator[Face]:
    """Faces of any value that dots look like, their edges found as well as there are any."""
    shapes = _shapes(dots)
    slants = _roots(shapes)
    distances = (_PITCHES_TO_EDGE, _PITCHES_TO_EDGE[_PITCHES_TO_EDGE >= _LEAST_PITCHES])
    for value, pattern, places, slant in _patterned(dots, shapes):
        face = _fitted(dots, value, pattern, places, slant)
        if face is not None:
            yield from _seen(planes, dots, face, np.zeros(1), distances[value < 6])
    lone = (dots.uneven < _ONE_UNEVEN) & (dots.off < _ONE_OFF)
    for k in np.nonzero(lone)[0].tolist():
        near = np.linalg.norm((dots.px - dots.px[k]) @ np.linalg.inv(slants[k]).T, axis=1) / dots.radius[k]
        others = (near < _ALONE) & _alike(dots, k, slice(None))
        if others.sum() == 1:
            face = _face(dots, 1, dots.px[k : k + 1], slants[k] * dots.radius[k], (k,), 0.0)
            yield from _seen(planes, dots, face, _TURNS, _RADII_TO_EDGE)


def _seen(planes: Planes, dots: Dots, face: Face, turns: Floats, distances: Floats) -> Iterator[Face]:
    """The face, if the picture shows one there: its edges and its likeness found."""
    face = _with_edges(planes, face, turns, distances)
    if face.edged > _LEAST_EDGED and face.paired > _LEAST_PAIRED and not _on_card(dots, face):
        face = _with_likeness(planes, dots, face)
        if (
            face.likeness > _LEAST_LIKENESS
            and _mottled(planes, dots.where(np.array(face.dots))) < _MOST_MOTTLED
        ):
            yield face


def _on_card(dots: Dots, face: Face) -> bool:
    """Whether other pips just like its own reach across its edge, or lie within."""
    others = _alike(dots, face.dots[0], slice(None))
    others[list(face.dots)] = False
    others &= np.abs(np.log(dots.radius / face.pip_px)) < _AS_LARGE
    nearest = np.abs(face.local(dots.px)).max(axis=1) - dots.radius / (face.size_px / 2)
    return int((others & (nearest < _ACROSS)).sum()) >= min(face.value, _CARD)


def _shapes(dots: Dots) -> Floats:
    """The dots' ellipses (N, 2, 2), as large as a circle of radius one; small ones rounder than they look."""
    sure = (dots.radius**2 / (dots.radius**2 + _SHAKY_PX**2))[:, None, None]
    return np.asarray(dots.shape / dots.radius[:, None, None] ** 2 * sure + (1 - sure) * np.eye(2))


def _roots(shapes: Floats) -> Floats:
    """The ways of looking aslant (N, 2, 2) that make such ellipses of circles; their areas are kept."""
    values, vectors = np.linalg.eigh(shapes)
    roots = (vectors * np.sqrt(values)[..., None, :]) @ np.swapaxes(vectors, -1, -2)
    return np.asarray(roots / np.sqrt(np.linalg.det(roots))[..., None, None])


def _alike(dots: Dots, first: npt.NDArray[np.intp] | int, second: npt.NDArray[np.intp] | slice) -> Flags:
    """Whether dots may be pips of one face."""
    like = np.abs(np.log(dots.radius[first] / dots.radius[second])) < _LIKE_SIZE
    bright = np.maximum(dots.colour, dots.ground)[:, :3].max(axis=1)
    level = np.maximum(np.maximum(bright[first], bright[second]), DIM)
    for colours in (dots.colour[:, :3], dots.ground[:, :3]):
        like = like & (np.abs(colours[first] - colours[second]).max(axis=-1) < _LIKE_COLOUR * level)
    step = dots.colour - dots.ground
    return np.asarray(like & ((step[first] * step[second]).sum(axis=-1) > 0))


def _patterned(dots: Dots, shapes: Floats) -> Iterator[tuple[int, Flags, dict[int, int], Floats]]:
    """Values of two and more, which dot lies on which place of the grid, and how aslant they lie.

    Every pair of dots that are alike is taken as a diagonal of the pips' square, and as one of its sides.
    """
    count = len(dots.px)
    if count < 2:
        return
    away = np.linalg.norm(dots.px[:, None] - dots.px[None], axis=2)
    reach = _PITCH[1] * np.sqrt(8) * np.sqrt(dots.radius[:, None] * dots.radius[None])
    every = np.arange(count)
    like = _alike(dots, every[:, None], every[None]) & (away < reach)
    order = np.argsort(np.where(like, away, np.inf), axis=1)[:, : _NEIGHBOURS + 1]
    there = np.take_along_axis(like, order, axis=1)
    first, rank = np.nonzero(there & (order > every[:, None]))
    second = order[first, rank]
    slant = _roots((shapes[first] + shapes[second]) / 2)
    way = np.einsum("kij,kj->ki", np.linalg.inv(slant), dots.px[second] - dots.px[first])
    length = np.linalg.norm(way, axis=1)
    along = way / np.maximum(length, 1e-6)[:, None]
    aside = np.column_stack([-along[:, 1], along[:, 0]])
    radius = np.sqrt(dots.radius[first] * dots.radius[second])
    guesses = [(np.sqrt(8), along - aside, along + aside, 0.5 * way)]
    for width in SIX_WIDTHS:
        for side in (aside * width, -aside * width):
            guesses.append((2.0, along, side, 0.5 * way + side * (length / 2)[:, None]))
    told: set[tuple[int, tuple[int, ...]]] = set()
    for pitches, across, down, middle in guesses:
        pitch = length / pitches
        fit = np.nonzero((pitch > _PITCH[0] * radius) & (pitch < _PITCH[1] * radius))[0]
        scale = (pitch / (np.sqrt(2) if pitches > 2 else 1.0))[fit, None]
        axes = slant[fit] @ np.stack([across[fit] * scale, down[fit] * scale], axis=2)
        start = dots.px[first[fit]] + np.einsum("kij,kj->ki", slant[fit], middle[fit])
        for k, value, pattern, places in _on_grid(dots, start, axes, order[first[fit]], there[first[fit]]):
            key = (value, tuple(sorted(places.values())))
            if key not in told:
                told.add(key)
                yield value, pattern, places, slant[fit[k]]


def _on_grid(
    dots: Dots, middles: Floats, axes: Floats, near: npt.NDArray[np.intp], there: Flags
) -> Iterator[tuple[int, int, Flags, dict[int, int]]]:
    """Which of many guessed grids (K,) have a face's pattern on them, of which value, and which dots."""
    if not len(middles):
        return
    local = np.einsum("kij,kmj->kmi", np.linalg.inv(axes), dots.px[near] - middles[:, None])
    cell = np.clip(np.rint(local), -1, 1)
    away = np.linalg.norm(local - cell, axis=2)
    site = ((cell[..., 1] + 1) * 3 + cell[..., 0] + 1).astype(np.intp)
    on = (away < _SNAP) & there
    taken = (on[..., None] & (site[..., None] == np.arange(9))).any(axis=1)
    stray = ((np.abs(local).max(axis=2) < 1.5) & ~on & there).sum(axis=1)
    hits = taken @ MANY_PIPS.T
    missed = MANY_PIPS.sum(axis=1) - hits
    extra = taken.sum(axis=1)[:, None] - hits + stray[:, None]
    scores = hits - _MISS_COST * missed - _EXTRA_COST * extra
    best = scores.argmax(axis=1)
    rows = np.arange(len(best))
    fit = (scores[rows, best] > _LEAST_SCORE) & (missed[rows, best] <= (_MANY_VALUES[best] > 4))
    for k in np.nonzero(fit & (extra[rows, best] <= (_MANY_VALUES[best] > 3)))[0]:
        value, pattern = MANY[best[k]]
        mine = np.nonzero(on[k] & pattern[site[k]])[0]
        # One dot a place, the nearest.
        places = {int(site[k, m]): int(near[k, m]) for m in mine[np.argsort(-away[k, mine])]}
        yield int(k), value, pattern, places


def _fitted(dots: Dots, value: int, pattern: Flags, places: dict[int, int], slant: Floats) -> Face | None:
    """The face whose pips are those dots, by place of the grid; None where they lie on no square."""
    chosen = tuple(places.values())
    grid, seen = SITES[list(places)], dots.px[list(chosen)]
    if value < 4:
        # On complex numbers a turn and a size are one factor, and a shift is one term.
        flat = seen @ np.linalg.inv(slant).T @ np.array([1, 1j])
        site = grid @ np.array([1, 1j])
        apart = site - site.mean()
        factor = np.vdot(apart, flat) / np.vdot(apart, apart)
        shift = flat.mean() - factor * site.mean()
        off = float(np.abs(site * factor + shift - flat).max() / abs(factor))
        across = factor
        middle = slant @ np.array([shift.real, shift.imag])
        axes = slant @ _turned(across)
    else:
        fit = np.linalg.lstsq(np.column_stack([grid, np.ones(len(grid))]), seen, rcond=None)[0]
        axes, middle = np.asarray(fit[:2].T, dtype=np.float64), fit[2]
        off = float(np.linalg.norm(((seen - middle) @ np.linalg.inv(axes).T) - grid, axis=1).max())
        upright = np.linalg.inv(slant) @ axes
        spread = np.linalg.svd(upright)[1]
        if spread[1] < _LEAST_SQUARE[value] * spread[0]:
            return None
        # Along a six's rows of three the pitch is the usual one, across them it may be shorter.
        along = upright[:, 1 if value == 6 and pattern[3] else 0]
        across = complex(along[0], along[1])
    radius = float(np.exp(np.log(dots.radius[list(chosen)]).mean()))
    if off > _MOST_OFF or not _PITCH[0] * 0.9 < abs(across) / radius < _PITCH[1] * 1.1:
        return None
    pips = middle + SITES[pattern] @ axes.T
    return _face(dots, value, pips, slant @ _turned(across), chosen, off)


def _turned(factor: complex) -> Floats:
    return np.array([[factor.real, -factor.imag], [factor.imag, factor.real]])


def _face(dots: Dots, value: int, places: Floats, axes: Floats, chosen: tuple[int, ...], off: float) -> Face:
    """A face with pips at these places (value, 2) and those dots for them, no edges found yet."""
    pips = dots.where(np.array(chosen))
    low, high = np.linalg.eigvalsh((pips.shape / pips.radius[:, None, None] ** 2).mean(axis=0))
    return Face(
        value,
        places.mean(axis=0),
        axes,
        places,
        float(np.exp(np.log(pips.radius).mean())),
        float(np.sqrt(low / high)),
        off=off,
        unequal=float(np.ptp(np.log(pips.radius))),
        dots=chosen,
        ground=np.median(pips.ground, axis=0),
    )


# What the picture says ---------------------------------------------------------------------------------

_ALONG = np.linspace(-0.7, 0.7, 9)
_SIDES = np.array([[1, 0], [0, 1], [-1, 0], [0, -1.0]])
_STEP, _STEP_AWAY = 0.12, 0.07
"""An edge is a step of so much of the level, from so far inside to so far outside, in halves of an edge."""
_EDGES_APART = 0.13
"""How unlike the four edges' distances from the pips' middle may be: perspective, and sloppy moulds."""
_AS_GOOD = 0.05
"""Edges that show less well than the best by this are as good."""


def _edge_points() -> Floats:
    """Points (2 · 4 · 9, 2) just inside the edges of a face and just outside."""
    across = np.column_stack([-_SIDES[:, 1], _SIDES[:, 0]])[:, None] * _ALONG[:, None]
    steps = (_SIDES[:, None] * reach + across for reach in (1 - _STEP_AWAY, 1 + _STEP_AWAY))
    return np.concatenate([step.reshape(-1, 2) for step in steps])


_EDGE_POINTS = _edge_points()


def _with_edges(planes: Planes, face: Face, turns: Floats, distances: Floats) -> Face:
    """The face, of axes that are a pitch or a radius long, with axes that reach to where edges show best."""
    c, s = np.cos(turns), np.sin(turns)
    turned = np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=1)
    ways = face.axes @ turned
    local = _EDGE_POINTS * distances[:, None, None]
    points = (local[None] @ np.swapaxes(ways, 1, 2)[:, None]).reshape(len(turns), -1, 2) + face.middle
    seen = samples(planes, points)[..., :3].reshape(len(turns), len(distances), 2, 4, 3, 3, 3)
    # Means of three neighbours keep noise from looking like an edge.
    inside, outside = np.moveaxis(seen.mean(axis=-2), 2, 0)
    level = max(float(np.median(inside.max(axis=-1))), DIM)
    shown = np.minimum(np.abs(outside - inside).max(axis=-1) / (_STEP * level), 1.0).mean(axis=-1)
    near = np.abs(np.log(distances[:, None] / distances)) < _EDGES_APART
    best = np.stack([shown[:, row].max(axis=1).mean(axis=-1) for row in near], axis=1)
    # Where the ground is rough, or a die lies alongside, there are edges farther out as well: of several as
    # good, the nearest, and there where most of them lie just so.
    score = near[int((best.max(axis=0) > best.max() - _AS_GOOD).argmax())] * (best + shown.mean(axis=2))
    turn, k = np.unravel_index(int(score.argmax()), best.shape)
    sides = shown[turn, near[k]].max(axis=0)
    paired = float(np.maximum(sides[:2], sides[2:]).min())
    return replace(face, axes=ways[turn] * distances[k], edged=float(best[turn, k]), paired=paired)


GRID = np.stack(np.meshgrid(np.linspace(-0.8, 0.8, 21), np.linspace(-0.8, 0.8, 21)), axis=-1).reshape(-1, 2)
"""Where a face is compared with its pattern: short of its rounded edges."""
_SOFT = 0.03
"""A pip's rim is blurred over about so much."""
LEAST_SPREAD = 3.0
"""Grey levels: where a face varies less, it is noise."""


def mask(pips: Floats, radius: float) -> Floats:
    """How a face with these pips (local) looks on the grid, mean taken off, of length one."""
    away = np.linalg.norm(GRID[:, None] - pips[None], axis=2).min(axis=1)
    seen = 1 / (1 + np.exp(np.clip((away - radius) / _SOFT, -50, 50)))
    seen -= seen.mean()
    return np.asarray(seen / np.linalg.norm(seen))


def _with_likeness(planes: Planes, dots: Dots, face: Face) -> Face:
    """The face with its likeness: the correlation of the picture there with its pattern."""
    way = np.median(dots.colour[list(face.dots)] - dots.ground[list(face.dots)], axis=0)[:3]
    seen = samples(planes, face.on_picture(GRID)[None])[0, :, :3] @ (way / np.linalg.norm(way))
    seen -= seen.mean()
    look = mask(face.local(face.pips), face.pip_px * 2 / face.size_px)
    size = max(float(np.linalg.norm(seen)), LEAST_SPREAD * np.sqrt(len(GRID)))
    return replace(face, likeness=float(seen @ look) / size)


_WITHIN = np.concatenate([radius * WAYS for radius in (0.15, 0.35, 0.5, 0.65)])
"""Points of a pip, in its radii: clear of its blurred rim."""


def _mottled(planes: Planes, pips: Dots) -> float:
    """How much the colour varies within most pips, as a part of what they differ from the ground by."""
    places = pips.px[:, None] + _WITHIN @ np.swapaxes(np.linalg.cholesky(pips.shape), 1, 2)
    away = np.abs(samples(planes, places) - pips.colour[:, None]).max(axis=2)
    step = np.abs(pips.colour - pips.ground).max(axis=1)
    return float(np.median(np.quantile(away, 0.8, axis=1) / np.maximum(step, 1.0)))

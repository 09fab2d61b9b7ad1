"""Faces of dice in any picture: what dots suggest as one, and how well the picture confirms it.

A face is a square seen aslant. Its own coordinates run from -1 to 1 between opposite edges. Its pips lie on a
3 × 3 grid with a pitch of about a quarter of the edge. The pips are circles on the die: their ellipses tell
how aslant the face is seen.
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
"""The values (8,) of the patterns in `MANY`."""
SIX_WIDTHS = (1.0, 0.78, 0.56)
"""How near the rows of a six may be, in pitches along a row: on some dice nearly half of it."""


@dataclass(frozen=True, eq=False)
class PhotoFace:
    """A face of a die in a picture.

    `middle`: its middle (2,), in pixels.
    `axes`: the ways from there to the middles of two neighbouring edges (2, 2), in columns.
    `pips`: the middles of its pips (value, 2), in pixels. `pip_px`: their radius.
    `aspect`: the shorter over the longer axis of its pips' ellipses; 1 if seen from straight above.
    `likeness`: how well its pips, and nothing else, show; 1 at most.
    `edged`: the part of its edge that shows.
    `paired`: the part that shows of the better of two opposite edges, for the worse pair.
    `off`: how far the worst pip lies from the grid, in pitches.
    `unequal`: the logarithm of the ratio of the largest pip to the smallest.
    `dots`: the indices of its pips among the dots; empty if dots did not suggest it.
    `ground`: its own colour (4,), as in `Planes`; None if dots did not suggest it.
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
        """The length (pixels) of its edge as it looks on average."""
        return 2 * float(np.sqrt(abs(np.linalg.det(self.axes))))

    @property
    def edge_px(self) -> float:
        """The length (pixels) of its edge if it were seen from straight above."""
        return self.size_px / float(np.sqrt(self.aspect))

    @property
    def doubt(self) -> float:
        """How much speaks against it, less what each pip in its place speaks for it. Plain dice have less
        than 0.4. Side faces, playing cards and cloth mostly have more than 0.8.
        """
        against = (1 - self.likeness) / _UNLIKE + (1 - self.edged) / _UNEDGED
        against += self.off / _ASTRAY + self.unequal / _UNEQUAL
        against += max(0.0, _UPRIGHT - self.aspect) / _ASLANT
        return against - _EACH_PIP * (self.value - 1)

    def local(self, px: Floats) -> Floats:
        """Pixels (N, 2) in the face's own coordinates, (N, 2)."""
        return np.asarray((px - self.middle) @ np.linalg.inv(self.axes).T)

    def on_picture(self, local: Floats) -> Floats:
        """The pixels (N, 2) of points (N, 2) in the face's own coordinates."""
        return np.asarray(self.middle + local @ self.axes.T)


_UNLIKE, _UNEDGED, _ASTRAY, _UNEQUAL, _UPRIGHT, _ASLANT = 0.2, 0.5, 0.2, 0.6, 0.9, 0.5
"""What makes a doubt of 1 in each respect. `_UPRIGHT` is the least aspect without any doubt: an upper face
seen from 26 degrees aside. Of photographed dice in plain sight, hardly any is off perfect by a third of a
doubt in any respect.
"""
_EACH_PIP = 0.05
"""What each pip but the first takes from doubt. Five dots seldom lie on a grid by chance."""


# What dots suggest -------------------------------------------------------------------------------------

_PITCH = (1.75, 3.9)
"""The distance between neighbouring pips, in their radii. On dice it is 1.9 to 3.6."""
_LIKE_SIZE, _LIKE_COLOUR = 0.45, 0.45
"""How far the pips of a face may differ. The first is the logarithm of the ratio of their radii, the second a
part of the level of their colour. A pip in a lamp's glare looks smaller and paler.
"""
_NEIGHBOURS = 16
"""The most dots near one that are paired with it."""
_SNAP = 0.34
"""How far a dot may lie from a place of the grid and still be its pip, in pitches of a first guess."""
_MISS_COST, _EXTRA_COST, _LEAST_SCORE = 1.5, 0.7, 0.4
"""What a missing pip and one too many take from a face's score, and the least score. A pip in its place adds
1.
"""
_MOST_OFF = 0.2
"""How far the worst pip may lie off the grid, in pitches."""
_LEAST_SQUARE = {4: 0.7, 5: 0.7, 6: 0.45}
"""By value, the least ratio of the sides of the pips' rectangle, the slant taken away. A square has 1."""
_PITCHES_TO_EDGE, _LEAST_PITCHES = np.arange(1.5, 2.75, 0.08), 1.7
"""Distances from a face's middle to its edge that are tried, in pitches; and the least for a value below six.
The pitch is 0.18 to 0.29 of the edge, on sixes up to 0.33.
"""
_RADII_TO_EDGE = np.exp(np.arange(np.log(2.8), np.log(8.5), 0.06))
"""The same for ones, in radii of the single pip. The pips of ones are often larger."""
_SHAKY_PX = 2.0
"""An ellipse with this radius (pixels) counts half: its shape is as uncertain as whether it is one at all."""
_ONE_OFF, _ONE_UNEVEN = 0.12, 0.35
"""How far the rim of a single pip may be off an ellipse, in radii, and how uneven its ground may be."""
_TURNS = np.radians(np.arange(0, 90, 6.0))
"""The turns (radians) of a face with one pip that are tried."""
_ALONE = 3.6
"""No other dot like a one's pip lies within this many of its radii."""
_ACROSS, _AS_LARGE, _CARD = 1.03, 0.15, 2
"""How a playing card is told: other pips, as large as the face's own, lie within `_ACROSS` of its middle, in
halves of its edge. `_CARD` of them are enough, or one beside a single pip. Pips are as large if the logarithm
of the ratio of their radii is below `_AS_LARGE`.

On cards the rims of the next pips look like an edge, and reach within 1.0. On the next face of a die, seen
from far aside, and on a die alongside, pips lie at 1.05 and more.
"""
_LEAST_PAIRED = 0.72
"""How much must show of each two opposite edges, of the one that shows better. A die's own sides hide no two
opposite edges of its upper face: 0.77 shows even of a poor one. On playing cards other pips look like two
thirds of an edge.
"""
_LEAST_EDGED, _LEAST_LIKENESS = 0.6, 0.6
"""How much of its edge a face must show, and how like its pattern it must be, for a closer look."""
_MOST_MOTTLED = 0.6
"""How mottled a face's pips may be. Glare on a hollow pip makes 0.5. Pieces on the white spots of a painted
board's bases make 0.7.
"""


def faces_suggested(planes: Planes, dots: Dots) -> Iterator[PhotoFace]:
    """Faces of any value that dots look like, each with the best edges that the picture shows."""
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


def _seen(
    planes: Planes, dots: Dots, face: PhotoFace, turns: Floats, distances: Floats
) -> Iterator[PhotoFace]:
    """The face with its edges and its likeness, if the picture shows one there."""
    face = _with_edges(planes, face, turns, distances)
    if face.edged > _LEAST_EDGED and face.paired > _LEAST_PAIRED and not _on_card(dots, face):
        face = _with_likeness(planes, dots, face)
        if (
            face.likeness > _LEAST_LIKENESS
            and _mottled(planes, dots.where(np.array(face.dots))) < _MOST_MOTTLED
        ):
            yield face


def _on_card(dots: Dots, face: PhotoFace) -> bool:
    """Whether other pips like the face's own lie within it or reach across its edge: then it is a playing
    card.
    """
    others = _alike(dots, face.dots[0], slice(None))
    others[list(face.dots)] = False
    others &= np.abs(np.log(dots.radius / face.pip_px)) < _AS_LARGE
    nearest = np.abs(face.local(dots.px)).max(axis=1) - dots.radius / (face.size_px / 2)
    return int((others & (nearest < _ACROSS)).sum()) >= min(face.value, _CARD)


def _shapes(dots: Dots) -> Floats:
    """The dots' ellipses (N, 2, 2), all of the area of a circle of radius one. Small ones are taken to be
    rounder than they look.
    """
    sure = (dots.radius**2 / (dots.radius**2 + _SHAKY_PX**2))[:, None, None]
    return np.asarray(dots.shape / dots.radius[:, None, None] ** 2 * sure + (1 - sure) * np.eye(2))


def _roots(shapes: Floats) -> Floats:
    """The slants (N, 2, 2) that make these ellipses (N, 2, 2) of circles. A slant keeps areas."""
    values, vectors = np.linalg.eigh(shapes)
    roots = (vectors * np.sqrt(values)[..., None, :]) @ np.swapaxes(vectors, -1, -2)
    return np.asarray(roots / np.sqrt(np.linalg.det(roots))[..., None, None])


def _alike(dots: Dots, first: npt.NDArray[np.intp] | int, second: npt.NDArray[np.intp] | slice) -> Flags:
    """Whether dots may be pips of one face, by size and colour. `first` and `second` are indices of dots."""
    like = np.abs(np.log(dots.radius[first] / dots.radius[second])) < _LIKE_SIZE
    bright = np.maximum(dots.colour, dots.ground)[:, :3].max(axis=1)
    level = np.maximum(np.maximum(bright[first], bright[second]), DIM)
    for colours in (dots.colour[:, :3], dots.ground[:, :3]):
        like = like & (np.abs(colours[first] - colours[second]).max(axis=-1) < _LIKE_COLOUR * level)
    step = dots.colour - dots.ground
    return np.asarray(like & ((step[first] * step[second]).sum(axis=-1) > 0))


def _patterned(dots: Dots, shapes: Floats) -> Iterator[tuple[int, Flags, dict[int, int], Floats]]:
    """Patterns of two pips and more that lie among the dots. Each comes with its value, the dot on each place
    of the grid, and the slant (2, 2).

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
    """Which of K guessed grids have a face's pattern on them, with its value and the dot on each place.

    `middles`, `axes`: of the grids (K, 2) and (K, 2, 2), in pixels.
    `near`: the indices of dots near each (K, M). `there` tells which of these count.
    """
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
        # Each place has one dot, the nearest.
        places = {int(site[k, m]): int(near[k, m]) for m in mine[np.argsort(-away[k, mine])]}
        yield int(k), value, pattern, places


def _fitted(
    dots: Dots, value: int, pattern: Flags, places: dict[int, int], slant: Floats
) -> PhotoFace | None:
    """The face with these dots for pips, by place of the grid; None if they lie on no square."""
    chosen = tuple(places.values())
    grid, seen = SITES[list(places)], dots.px[list(chosen)]
    if value < 4:
        # As complex numbers, a turn with a change of size is one factor, and a shift is one term.
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
        # Along a six's rows of three the pitch is the usual one. Across them it may be shorter.
        along = upright[:, 1 if value == 6 and pattern[3] else 0]
        across = complex(along[0], along[1])
    radius = float(np.exp(np.log(dots.radius[list(chosen)]).mean()))
    if off > _MOST_OFF or not _PITCH[0] * 0.9 < abs(across) / radius < _PITCH[1] * 1.1:
        return None
    pips = middle + SITES[pattern] @ axes.T
    return _face(dots, value, pips, slant @ _turned(across), chosen, off)


def _turned(factor: complex) -> Floats:
    return np.array([[factor.real, -factor.imag], [factor.imag, factor.real]])


def _face(
    dots: Dots, value: int, places: Floats, axes: Floats, chosen: tuple[int, ...], off: float
) -> PhotoFace:
    """A face with pips at these places (value, 2) and these dots for them. Its edges are not found yet."""
    pips = dots.where(np.array(chosen))
    low, high = np.linalg.eigvalsh((pips.shape / pips.radius[:, None, None] ** 2).mean(axis=0))
    return PhotoFace(
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
"""Where along an edge (9,) it is looked at, and the directions (4, 2) from a face's middle to its edges."""
_SIDES = np.array([[1, 0], [0, 1], [-1, 0], [0, -1.0]])
_STEP, _STEP_AWAY = 0.12, 0.07
"""An edge is a step of `_STEP` of the level, between points `_STEP_AWAY` inside and outside, in halves of an
edge.
"""
_EDGES_APART = 0.13
"""How far the distances of the four edges from the pips' middle may differ, by the logarithm of their ratio.
Perspective and poor moulds make them differ.
"""
_AS_GOOD = 0.05
"""A face's edges count as good as the best if what shows of them is less by at most this part."""


def _edge_points() -> Floats:
    """Points (72, 2) of a face: nine along each edge, just inside, then just outside."""
    across = np.column_stack([-_SIDES[:, 1], _SIDES[:, 0]])[:, None] * _ALONG[:, None]
    steps = (_SIDES[:, None] * reach + across for reach in (1 - _STEP_AWAY, 1 + _STEP_AWAY))
    return np.concatenate([step.reshape(-1, 2) for step in steps])


_EDGE_POINTS = _edge_points()


def _with_edges(planes: Planes, face: PhotoFace, turns: Floats, distances: Floats) -> PhotoFace:
    """The face with axes that reach to where edges show best. Its own axes are a pitch or a radius long.
    `turns` (radians) and `distances`, in such lengths, are tried.
    """
    c, s = np.cos(turns), np.sin(turns)
    turned = np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=1)
    ways = face.axes @ turned
    local = _EDGE_POINTS * distances[:, None, None]
    points = (local[None] @ np.swapaxes(ways, 1, 2)[:, None]).reshape(len(turns), -1, 2) + face.middle
    seen = samples(planes, points)[..., :3].reshape(len(turns), len(distances), 2, 4, 3, 3, 3)
    # The mean of three neighbours keeps noise from looking like an edge.
    inside, outside = np.moveaxis(seen.mean(axis=-2), 2, 0)
    level = max(float(np.median(inside.max(axis=-1))), DIM)
    shown = np.minimum(np.abs(outside - inside).max(axis=-1) / (_STEP * level), 1.0).mean(axis=-1)
    near = np.abs(np.log(distances[:, None] / distances)) < _EDGES_APART
    best = np.stack([shown[:, row].max(axis=1).mean(axis=-1) for row in near], axis=1)
    # Rough ground and a die alongside show edges farther out as well. So the nearest of several that are as
    # good counts, and of these the one where most edges lie just so.
    score = near[int((best.max(axis=0) > best.max() - _AS_GOOD).argmax())] * (best + shown.mean(axis=2))
    turn, k = np.unravel_index(int(score.argmax()), best.shape)
    sides = shown[turn, near[k]].max(axis=0)
    paired = float(np.maximum(sides[:2], sides[2:]).min())
    return replace(face, axes=ways[turn] * distances[k], edged=float(best[turn, k]), paired=paired)


GRID = np.stack(np.meshgrid(np.linspace(-0.8, 0.8, 21), np.linspace(-0.8, 0.8, 21)), axis=-1).reshape(-1, 2)
"""The points (441, 2) where a face is compared with its pattern. They stop short of its rounded edges."""
_SOFT = 0.03
"""The blur of a pip's rim, in halves of the face's edge."""
LEAST_SPREAD = 3.0
"""Grey levels. Where a face varies by less, it is noise."""


def mask(pips: Floats, radius: float) -> Floats:
    """How a face with these pips (N, 2) looks at the points of `GRID` (441,): mean 0, length 1. Places and
    `radius` are in halves of the face's edge.
    """
    away = np.linalg.norm(GRID[:, None] - pips[None], axis=2).min(axis=1)
    seen = 1 / (1 + np.exp(np.clip((away - radius) / _SOFT, -50, 50)))
    seen -= seen.mean()
    return np.asarray(seen / np.linalg.norm(seen))


def _with_likeness(planes: Planes, dots: Dots, face: PhotoFace) -> PhotoFace:
    """The face with its likeness: how well the picture there correlates with its pattern."""
    way = np.median(dots.colour[list(face.dots)] - dots.ground[list(face.dots)], axis=0)[:3]
    seen = samples(planes, face.on_picture(GRID)[None])[0, :, :3] @ (way / np.linalg.norm(way))
    seen -= seen.mean()
    look = mask(face.local(face.pips), face.pip_px * 2 / face.size_px)
    size = max(float(np.linalg.norm(seen)), LEAST_SPREAD * np.sqrt(len(GRID)))
    return replace(face, likeness=float(seen @ look) / size)


_WITHIN = np.concatenate([radius * WAYS for radius in (0.15, 0.35, 0.5, 0.65)])
"""Points of a pip (64, 2), in its radii: clear of its blurred rim."""


def _mottled(planes: Planes, pips: Dots) -> float:
    """How much the colour varies within most of the pips, in parts of how far they differ from the ground."""
    places = pips.px[:, None] + _WITHIN @ np.swapaxes(np.linalg.cholesky(pips.shape), 1, 2)
    away = np.abs(samples(planes, places) - pips.colour[:, None]).max(axis=2)
    step = np.abs(pips.colour - pips.ground).max(axis=1)
    return float(np.median(np.quantile(away, 0.8, axis=1) / np.maximum(step, 1.0)))

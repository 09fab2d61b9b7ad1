"""Tops of pieces: discs of one size, with an edge all round and one piece's colour all over.

The edge is looked for in the difference from the bare board, where painted lines cancel out. So a piece shows
on paint of its own colour too.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.light.appearance import Evidence, in_squares
from uckers_table.vision.picture.arrays import Flags, Floats, Map, Mask, Places
from uckers_table.vision.picture.channels import GAMMA, channel_sum, gathered, places_at, remapped
from uckers_table.vision.pieces.shape import Shape

_ANGLES = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_RING = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_BEVEL_MM = 0.5
"""A case's rim is rounded: its edge is seen this much further in."""
_EDGE_MM = 2.2
"""Half the distance over which a top's edge is looked for: wider than its blur, narrower than a rim."""
EDGE_CAP = 12.0
"""The most that a step counts, in squared sigmas. Anything stronger is an edge and no more."""
_MIN_EDGE = 6.0
"""The least mean squared step (sigmas) round a top. Pieces on their own paint in poor light have 8.6 or more.
Where the camera blurs colours or packs hard they have 6.7.
"""
_ACTIVE = 0.75
"""The share of a top's size that must differ from the bare board. Its rim beyond the edge and its side count
too. 2459 tops on 23 tables have 0.87 or more.
"""
_COARSE_EDGE = 1.7
"""Mean logarithm of the steps from which a place is worth a closer look. Bare board has 1.2."""
FEW_PLACES, SOME_PLACES, MANY_PLACES = 128, 240, 3000
"""How many places are looked at: at first; where there is no second look, under a hand or before colours are
learned; and where a piece is missing. On nine tables, tops of pieces in their bases lie in the first 21
places. In games all sixteen lie in the first 113, in all pictures but one. Noise in a person's shadow has
enough edges to put tops in the 530th place, and one in the 1308th.
"""
_AT_ONCE = 6
"""Steps that are multiplied before their logarithm is taken. Sigmas have 12 bits, and six of them, squared,
still fit a float32.
"""
_PLACES_AT_ONCE = 128
"""Places near which the sharpest discs are looked for at once. That takes eight megabytes."""
_AWAY = -0.2
"""An angle belongs to the far side of a top if its cosine to the outward direction is above this."""
_BESIDE_MM = 1.5
"""A piece found before hides the edge where it comes this near."""
_MAX_OVERLAP = 0.35
"""The share of a disc's inner ring from which a piece that was found before covers the disc."""
_CORE = 0.75
"""The part of a top's radius that is clear of its bevel and of its neighbours."""
_EVEN = 0.7
"""The share of a top that should have one colour. 98 tops in 100 have more, even with mirrored lamps, and
dice have less.
"""
_BESIDE_SHINE = 0.35
"""The share of a top on which no lamp is mirrored, in nearly all tops."""
_SHEEN = 0.08
"""Varnish has a sheen that differs from place to place. Now and then it adds this much white (of 1)."""

MIRRORED, _DARKEST = 0.022, 0.1
"""What paint mirrors of the room differs from place to place and in colour. Each channel varies by this much
light, in parts of white paint's. Grey levels are the `GAMMA`-th root of light. So that changes dark channels
most, down to `_DARKEST`.
"""
_LAMPS, _OFF_PAINT, _LIT = (0.05, 0.07, 0.09, 0.11, 0.14), 3.0, 0.85
"""Light, in parts of white paint's, that a strip lamp or a window adds if it is mirrored all over a top. Each
is tried on paint that is off by more than `_OFF_PAINT`. Where more than `_LIT` of the grey level is left, no
person stands in the light.
"""
_LESS = (-0.015, -0.03, -0.06)
"""In a person's shadow tops may also mirror this much less light than those whose colour was learned."""
_LAMP_COST, _MUCH_LAMP = 1.0, 0.15
"""Paint that needs a lamp counts as farther off: by `_LAMP_COST`, and by the square of the lamp's light over
`_MUCH_LAMP`.
"""

WEIGHTS = np.array([1.27, 0.88, 7.72, -1.541, -17.001, -1.461, 1.201, -1.334, -12.7])
BIAS = -12.012
"""Weights and bias of a logistic regression over 19800 discs, 2850 of them tops, in pictures of twelve tables
(`tools/fit.py tops`). Eight of the tables are simulated. With each of the other four left out in turn, 1.4
% of its discs were told wrongly.
"""

EVERY_DISC = slice(None)


@dataclass(frozen=True)
class Discs:
    """Discs with an edge: `at_px` (N, 2) are their centres in the flat picture. `steps` (N, angles) are the
    squared steps across their edges, in sigmas.
    """

    at_px: Floats
    steps: Map

    def __len__(self) -> int:
        return len(self.at_px)

    def where(self, kept: Flags | Places | slice) -> Discs:
        """Only the discs that are marked, or the discs in this order."""
        return Discs(self.at_px[kept], self.steps[kept])

    def joined(self, more: Discs) -> Discs:
        """These discs, and more after them."""
        return Discs(np.concatenate([self.at_px, more.at_px]), np.concatenate([self.steps, more.steps]))

    def moved(self, some: Places, at_px: Floats) -> Discs:
        """The discs with `some` of them at other places (M, 2), their edges as they were seen."""
        all_px = self.at_px.copy()
        all_px[some] = at_px
        return Discs(all_px, self.steps)

    @property
    def edge(self) -> Map:
        """The mean (N,) of the steps, each counted up to `EDGE_CAP`."""
        return np.asarray(np.minimum(self.steps, EDGE_CAP).mean(axis=1))

    @property
    def sharpness(self) -> Map:
        """The mean logarithms (N,) of the steps. A missing edge on one side lowers these most."""
        return np.asarray(np.log1p(self.steps).mean(axis=1))


def are_lit(seen: Evidence, at_px: Floats) -> Mask:
    """Which places (N, 2) of the flat picture lie in nobody's shadow: (N,)."""
    rows, columns, _ = places_at(at_px, len(seen.now))
    return np.asarray(np.reciprocal(seen.light.layers[0][rows, columns]) > _LIT)


def find_discs(seen: Evidence, places: Floats, shape: Shape) -> Discs:
    """All discs at these `disc_places` (N, 2) with an edge nearly all round, the sharpest first. Many are no
    tops.
    """
    if not len(places):
        return Discs(places, np.empty((0, len(_RING)), dtype=np.float32))
    discs = _sharpest(seen.change, places, edge_radius(shape), shape)
    discs = discs.where(discs.edge > _MIN_EDGE)
    return discs.where(np.argsort(-discs.sharpness, kind="stable"))


class Rims:
    """Where round each disc pieces found before are looked for."""

    def __init__(self, discs: Discs, shape: Shape) -> None:
        radius, scale, size = edge_radius(shape), shape.canvas.px_per_mm, shape.canvas.size
        radii = radius + np.array([-_EDGE_MM, _BESIDE_MM, _EDGE_MM]) * scale
        px = discs.at_px[:, None, None] + _RING * radii[:, None, None]
        columns, rows = np.moveaxis(np.clip(np.rint(px).astype(np.intp), 0, size - 1), -1, 0)
        self._places: Places = rows * size + columns

    def where(self, order: Places) -> Rims:
        """The same in another order."""
        out = copy(self)
        out._places = self._places[order]
        return out

    def free(self, claimed: Mask, some: Places | slice = EVERY_DISC, covering: Mask | None = None) -> Flags:
        """At which angles (N, angles) no piece found before stands beside some of the discs.

        A covered disc has no free angle. What covers it is what is `claimed` (size, size), or what is
        `covering` (size, size) if that is given.
        """
        taken = claimed.ravel()[self._places[some]] > 0
        within = taken[:, 0] if covering is None else covering.ravel()[self._places[some, 0]] > 0
        covered = within.mean(axis=1) > _MAX_OVERLAP
        return np.asarray(~(taken.any(axis=1) | covered[:, None]))


def core(discs: Discs, shape: Shape) -> tuple[Places, Places]:
    """The rows and columns (N, points) of the flat picture that lie well inside discs."""
    r = int(edge_radius(shape) * _CORE)
    rows, columns = (v.ravel() for v in np.mgrid[-r : r + 1 : 2, -r : r + 1 : 2])
    x, y = np.rint(discs.at_px).astype(np.intp).T
    last = shape.canvas.size - 1
    return np.clip(y[:, None] + rows, 0, last), np.clip(x[:, None] + columns, 0, last)


class Likeness:
    """How like pieces' tops discs look: the seats of their likeliest `colours` (N,), and log-odds of being a
    top.

    If discs `may_mirror` lamps, a strip lamp or a window may be mirrored all over them.
    """

    def __init__(
        self, discs: Discs, seen: Evidence, colours: Map, shape: Shape, may_mirror: bool = False
    ) -> None:
        self.may_mirror = may_mirror
        area = core(discs, shape)
        patches = seen.reflected(*area)
        at = np.clip(np.rint(discs.at_px).astype(np.intp), 0, len(seen.now) - 1).T
        dimmest = gathered(seen.light.above, *in_squares(at[1], at[0]))
        self.colours, middles, misfit, shade = _paints(patches, colours, dimmest)
        if may_mirror:
            # A person who stands in the light of one lamp leaves others.
            for lamps, where in ((_LAMPS, True), (_LESS, ~are_lit(seen, discs.at_px))):
                some = np.flatnonzero(where & (misfit > _OFF_PAINT))
                found = self.colours[some], misfit[some], shade[some]
                found = _under_lamps(middles[some], colours, dimmest[some], lamps, *found)
                self.colours[some], misfit[some], shade[some] = found
        self._inside = np.column_stack([
            *_paint_looks(misfit, shade, dimmest),
            seen.llr(self.colours[:, None], *area).mean(axis=1),
            np.log1p(channel_sum(gathered(seen.change, *area) ** 2)).mean(axis=1),
            np.maximum(_EVEN - _evenness(patches, middles), 0),
        ])  # fmt: skip
        self._sharp = np.log1p(discs.steps)
        self._capped = np.minimum(discs.steps, EDGE_CAP)

    def joined(self, more: Likeness) -> Likeness:
        """These discs, and more after them."""
        out = copy(self)
        out.colours = np.concatenate([self.colours, more.colours])
        out._inside = np.concatenate([self._inside, more._inside])
        out._sharp = np.concatenate([self._sharp, more._sharp])
        out._capped = np.concatenate([self._capped, more._capped])
        return out

    def of(self, colours: Places) -> Likeness:
        """The same discs, taken for tops of these seats (N,)."""
        out = copy(self)
        out.colours = colours
        return out

    def where(self, order: Places) -> Likeness:
        """The same in another order."""
        out = copy(self)
        out.colours, out._inside = self.colours[order], self._inside[order]
        out._sharp, out._capped = self._sharp[order], self._capped[order]
        return out

    def looks(self, free: Flags, some: Places | slice = EVERY_DISC) -> Floats:
        """What is weighed (N, 9) of some of the discs. Their edge counts at the `free` angles (N, angles)
        alone.
        """
        count = free.sum(axis=1)
        at_least_one = np.maximum(count, 1)
        edge = [
            (self._sharp[some] * free).sum(axis=1) / at_least_one,
            (self._capped[some] * free).sum(axis=1) / at_least_one,
            count / free.shape[1],
        ]
        return np.column_stack([*edge, self._inside[some]])

    def log_odds(self, free: Flags, some: Places | slice = EVERY_DISC) -> Floats:
        """Log-odds (N,), in nats, that some of the discs are tops. Their edge counts at the `free` angles
        (N, angles) alone.
        """
        return np.asarray(self.looks(free, some) @ WEIGHTS + BIAS)


def placed_tops(
    discs: Discs, like: Likeness, seen: Evidence, colours: Map, shape: Shape, plain: float
) -> tuple[Discs, Likeness]:
    """The discs, with those that may be tops moved step by step to where they look more like one; and how
    they look.

    Discs are found where their edge is sharpest. On paint of a piece's own colour that is its shadow's edge.
    Discs whose log-odds are `plain` or more lie well enough.
    """
    odds = like.log_odds(np.ones(discs.steps.shape, dtype=bool))
    some = np.flatnonzero((odds > _MAY_BE_TOP) & (odds < plain))
    if not len(some):
        return discs, like
    at_px, steps = discs.at_px.copy(), discs.steps.copy()
    for _ in range(_MOVES):
        around = discs_at((at_px[some, None] + _ASIDE_PX).reshape(-1, 2), seen.change, shape)
        like_beside = Likeness(around, seen, colours, shape, like.may_mirror)
        beside = like_beside.log_odds(np.ones(around.steps.shape, dtype=bool)).reshape(len(some), -1)
        better = beside.max(axis=1) > odds[some]
        moved = (np.arange(len(some)) * len(_ASIDE_PX) + beside.argmax(axis=1))[better]
        some = some[better]
        odds[some] = beside.max(axis=1)[better]
        at_px[some], steps[some] = around.at_px[moved], around.steps[moved]
        if not len(some):
            break
    discs = Discs(at_px, steps)
    return discs, Likeness(discs, seen, colours, shape, like.may_mirror)


_MOVES = 4
"""How often a disc is moved on. On paint of a piece's own colour its shadow's edge drew one disc 8 mm away.
There it looked like a top by 1.7 nats; half way back it did by 4.7.
"""
_MAY_BE_TOP = -4.0
"""Log-odds (nats) above which a disc may be a top if it is put better."""
_ASIDE_PX = np.array([(x, y) for x in (-2.0, 0.0, 2.0) for y in (-2.0, 0.0, 2.0) if x or y])
"""The places, from where a disc lies, at which it is tried."""


def discs_at(at_px: Floats, change: Map, shape: Shape) -> Discs:
    """Discs at places (N, 2) of the flat picture. `change` (size, size, 3) is as in `Evidence`."""
    rings = np.broadcast_to(_RING, (len(at_px), *_RING.shape))
    return Discs(at_px, _steps(change, at_px, np.zeros((1, 2)), rings, edge_radius(shape), shape)[..., 0])


def edge_radius(shape: Shape) -> float:
    """The radius, in pixels of the flat picture, at which a top's edge is seen."""
    bevel = _BEVEL_MM * shape.camera.swell(shape.height_mm) * shape.canvas.px_per_mm
    return shape.top_radius_px - bevel


def disc_places(seen: Evidence, shape: Shape) -> Floats:
    """The pixels (N, 2), (x, y), where discs of a top's size with an edge may be, the best first.

    One pixel of each square is tried, if anything differs in most of a top's size round it.
    """
    radius = edge_radius(shape)
    size = 2 * round(radius / 2) + 1
    near = cv2.blur(seen.active.astype(np.float32), (size, size)) > _ACTIVE
    # A disc that reaches out of the picture lies far beside the board, and is no piece of the game's.
    rim = int(np.ceil(np.ceil(radius + _EDGE_MM * shape.canvas.px_per_mm) / 2))
    near[:rim], near[-rim:], near[:, :rim], near[:, -rim:] = False, False, False, False
    at = np.flatnonzero(near)
    rows, columns = np.divmod(at, near.shape[1])
    scores = np.zeros(near.shape, dtype=np.float32)
    scores.ravel()[at] = ring_steps(seen.change, 2 * rows, 2 * columns, radius, shape.canvas.px_per_mm)
    highest = cv2.dilate(scores, np.ones((3, 3), np.uint8))
    peaks = np.flatnonzero((scores >= highest) & (scores > _COARSE_EDGE))
    peak_rows, peak_columns = np.divmod(peaks, near.shape[1])
    order = np.argsort(-scores[peak_rows, peak_columns])
    return np.column_stack([peak_columns, peak_rows])[order].astype(np.float64) * 2


def ring_steps(change: Map, rows: Places, columns: Places, radius: float, px_per_mm: float) -> Map:
    """The mean logarithm (N,) of the squared steps (sigmas) across circles round pixels (N,), all within the
    picture.
    """
    reach = _EDGE_MM * px_per_mm
    pixels, width = change.reshape(-1, 3), change.shape[1]
    x, y = np.rint(_RING * np.array([[[radius - reach]], [[radius + reach]]])).astype(np.intp).T
    rings = y * width + x

    middles = rows * width + columns
    total = np.zeros(len(middles), dtype=np.float32)
    # The logarithm of a product is the sum of several. The factors are few enough not to overflow.
    for few in np.split(rings, len(rings) // _AT_ONCE):
        product = np.ones(len(middles), dtype=np.float32)
        for inner, outer in few:
            step = pixels.take(middles + inner, axis=0)
            step -= pixels.take(middles + outer, axis=0)
            step *= step
            product *= 1 + step @ _HALVES
        total += np.log(product)
    total /= len(_RING)
    return total


_HALVES = np.full(3, 0.5, dtype=np.float32)
"""The variance of a difference is twice that of either value."""


def _sharpest(change: Map, places: Floats, radius: float, shape: Shape) -> Discs:
    """The discs within two pixels of places (N, 2) that have the sharpest edge, to half a pixel.

    Only the side away from the point under the lens counts. On the other one a top's edge is weak against the
    piece's own side, and the edge of that side would draw the disc in.
    """
    best = places.astype(np.float64)
    for some in np.split(best, range(_PLACES_AT_ONCE, len(best), _PLACES_AT_ONCE)):
        leaning = shape.outward(some) @ _RING.T
        # As many angles as the disc with the most of them has on that side.
        nearest = np.argsort(-leaning, axis=1)[:, : int((leaning > _AWAY).sum(axis=1).max())]
        counts = np.take_along_axis(leaning, nearest, axis=1)[..., None] > _AWAY
        for offset in (np.arange(-2.0, 2.1), np.array([-0.5, 0.0, 0.5])):
            offsets = np.stack(np.meshgrid(offset, offset), axis=-1).reshape(-1, 2)
            steps = _steps(change, some, offsets, _RING[nearest], radius, shape)
            some += offsets[(np.log1p(steps) * counts).sum(axis=1).argmax(axis=1)]
    return discs_at(best, change, shape)


def _steps(change: Map, places: Floats, offsets: Floats, rings: Floats, radius: float, shape: Shape) -> Map:
    """The squared steps (N, angles, M), in sigmas, across circles that lie `offsets` (M, 2) away from places
    (N, 2).

    `rings` (N, angles, 2) are the directions in which steps are wanted.
    """
    reach = _EDGE_MM * shape.canvas.px_per_mm

    middles = np.asarray(places.T[..., None] + offsets.T[:, None], dtype=np.float32)
    ways = np.ascontiguousarray(np.moveaxis(rings, -1, 0), dtype=np.float32)

    def around(r: float) -> Map:
        columns, rows = middles[:, :, None] + ways[..., None] * np.float32(r)
        x, y = (a.reshape(len(a), -1) for a in (columns, rows))
        return np.asarray(remapped(change, x, y), dtype=np.float32).reshape(*columns.shape, 3)

    step = around(radius - reach)
    step -= around(radius + reach)
    step *= step
    # The steps are rows of one matrix: numpy multiplies a stack of matrices one by one.
    return np.asarray(step.reshape(-1, 3) @ _HALVES, dtype=np.float32).reshape(step.shape[:-1])


def _paints(patches: Map, colours: Map, dimmest: Map) -> tuple[Places, Map, Map, Map]:
    """The paint that discs of points (N, M, 3) show, in light from `dimmest` (N,) to 1.

    It gives the seat of the nearest colour (N,), the paint (N, 3), how far off that colour it is (N,), and
    how lit (N,). The paint is the middle of all points, or that of the darker ones: whichever is more like a
    piece. A lamp that is mirrored in the top spoils the middle of all.
    """
    # Sorting runs that lie side by side in memory takes a tenth of the time of a partition.
    ordered = np.sort(np.ascontiguousarray(patches.swapaxes(1, 2)), axis=2)
    ranks = int(patches.shape[1] * _BESIDE_SHINE), patches.shape[1] // 2
    darker, middles = (np.maximum(ordered[..., rank], 0.01) for rank in ranks)
    nearest = nearest_colours(middles, colours, MIRRORED, dimmest)
    beside = nearest_colours(darker, colours, MIRRORED, dimmest)
    is_shiny = beside[1] + _unusual(beside[3], dimmest) < nearest[1] + _unusual(nearest[3], dimmest)
    best = np.where(is_shiny, beside[0], nearest[0])
    misfit, shade = (np.where(is_shiny, beside[k], nearest[k]) for k in (1, 3))
    return best, np.where(is_shiny[:, None], darker, middles), misfit, shade


def _under_lamps(
    paints: Map,
    colours: Map,
    dimmest: Map,
    lamps: tuple[float, ...],
    best: Places,
    misfit: Map,
    shade: Map,
) -> tuple[Places, Map, Map]:
    """The nearest colours of paints (N, 3) that mirror some light of `lamps` all over: seats, how far off,
    how lit; (N,).

    A lamp's light is what is mirrored more than was learned, or less if it is negative. A paint keeps its
    `best`, `misfit` and `shade` if no lamp makes it more like a piece.
    """
    for lamp in lamps if len(paints) else ():
        seats, off, _, lit = nearest_colours(paints, colours, MIRRORED, dimmest, lamp)
        off = off + _LAMP_COST + (lamp / _MUCH_LAMP) ** 2
        better = _unlike(off, lit, dimmest) < _unlike(misfit, shade, dimmest)
        best = np.where(better, seats, best)
        misfit, shade = np.where(better, off, misfit), np.where(better, lit, shade)
    return best, misfit, shade


def _paint_looks(misfit: Map, shade: Map, dimmest: Map) -> tuple[Map, Map, Map]:
    """What `looks` weighs of paint that is this far off a piece's (N,) and this brightly lit (N,)."""
    return misfit**0.5, np.maximum(dimmest - shade, 0), np.maximum(shade - 1, 0)


def _unlike(misfit: Map, shade: Map, dimmest: Map) -> Map:
    """Nats (N,) against a top whose paint is this far off and this brightly lit."""
    return np.asarray(-np.column_stack(_paint_looks(misfit, shade, dimmest)) @ WEIGHTS[3:6])


def _unusual(shade: npt.NDArray[np.floating], dimmest: Map | float = 1.0) -> Map:
    """-2 log-likelihood of how brightly paint is lit, compared with what was learned, in light from `dimmest`
    to 1.
    """
    return np.asarray(((shade - np.clip(shade, dimmest, 1)) / 0.25) ** 2)


def nearest_colours(
    middles: Map, colours: Map, mirrored: float = 0.0, dimmest: Map | float = 1.0, lamp: float = 0.0
) -> tuple[Places, Map, Map, Map]:
    """The nearest of the pieces' colours to each of N paints: seats, misfits, leads over the next, and how
    brightly lit.

    All four are (N,). `middles` (N, 3) are the paints as reflected. `colours` are (seats, 3), or of several
    paints (paints, seats, 3). Misfits and leads are squared, and 40 at most.

    `mirrored` is how much light each channel may have more or less, and `dimmest` the least that may fall
    there. `lamp` is the light that is mirrored all over besides. Light is in parts of white paint's.
    """
    seats = colours.shape[-2]
    colours = colours.reshape(-1, 3)
    middle = middles[:, None]
    paint = np.maximum(middle**GAMMA - lamp, 0) ** (1 / GAMMA) if lamp else middle
    shade = np.clip(channel_sum(colours * paint) / channel_sum(colours**2), 0.3, 1.5)
    expected = colours * shade[..., None]
    if lamp:
        expected = np.maximum(expected**GAMMA + lamp, 0) ** (1 / GAMMA)
    steep = GAMMA * np.maximum(expected, _DARKEST) ** (GAMMA - 1)
    variance = (0.08 * expected + 0.03) ** 2 + (mirrored / steep) ** 2
    off = middle - expected
    sheen = channel_sum(off / variance) / (channel_sum(1 / variance) + 1 / _SHEEN**2)
    misfit = channel_sum((off - sheen[..., None]) ** 2 / variance) + (sheen / _SHEEN) ** 2
    total = misfit + _unusual(shade, np.asarray(dimmest)[..., None])
    best, each = total.argmin(axis=1), np.arange(len(middles))
    by_seat = total.reshape(len(middles), -1, seats).min(axis=1)
    first, second = np.sort(by_seat, axis=1)[:, :2].T
    off, lead = np.minimum(misfit[each, best], 40.0), np.minimum(second - first, 40.0)
    return best % seats, off, lead, shade[each, best]


ALIKE = 6.0
"""Paints less far apart (see `paint_off`) are one. A base's pieces are 4.1 apart at most, or up to 18.8 where
one mirrors a lamp. Orange is 4.2 to 22 off the nearest of a board's paints (`python -m
tools.tables.repainted` on S1 to S4, V6, V8, X1 and W1 to W4).
"""


def paint_off(one: Floats, other: Floats) -> float:
    """How far a paint (3,) is off another, in one picture, where it may be lit a little otherwise: the misfit
    of `nearest_colours`, and what the light costs.
    """
    both = np.asarray([other, other], dtype=np.float32)
    _, off, _, lit = nearest_colours(np.maximum(one, 0.01)[None].astype(np.float32), both)
    return float(off[0] + _unusual(lit)[0])


def _evenness(patches: Map, middles: Map) -> Map:
    """The shares (N,) of points (N, M, 3) that have the middle colour (N, 3), more or less lit. A die's pips
    do not.
    """
    middle = middles[:, None]
    lit = channel_sum(patches * middle) / channel_sum(middle**2)
    off = ((patches - lit[..., None] * middle) / (0.1 * middle + 0.05)) ** 2
    return np.asarray((channel_sum(off) + _unusual(lit) < 6).mean(axis=1))

"""Telling what reaches over the board by the board's own edge, which everything that comes in must cross.

Light and shadow fall on the board and on the table beside it alike: the step from one to the other stays as
it is in the picture of the bare board, but for what a glossy table mirrors, which a shadow takes away.
Whatever lies over the edge hides that step, be it skin or sleeve, and of the board's own colour too, since
the table has another. A piece, a stack or a die may hide a little of it, but reaches no farther over the
table: an arm goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import Flags, Image
from uckers_table.vision.picture.channels import GAMMA, brightest, medians
from uckers_table.vision.place.flat import Canvas

Levels = npt.NDArray[np.float32]

_FLOOR = 16.0
"""Grey levels added before logarithms are taken: on a table as dark as that, noise is no change."""
_LOG = np.log(np.arange(256) + _FLOOR).astype(np.float32)
_INSIDE_MM, _OUTSIDE_MM = (4.0, 12.0), (-16.0, -8.0)
"""The two strips compared, in from the edge: the board's side and its shadow, up to 6 mm, lie between."""
_OVER_MM, _OVER = (2.0, 6.0), 0.1
"""What comes in at all covers this much, and be it pale skin over pale wood shows there: what stands or lies
close beside the board does not.
"""
_FAR_MM = ((-28.0, -20.0), (-40.0, -32.0), (-52.0, -44.0))
"""Strips of the table farther out, as far as it is in the picture."""
_ALONG_MM = 10.0
"""Changes are averaged over so much of the edge: less than a finger."""
_STEP, _PEAK = 0.25, 0.35
"""Logarithms by which a hidden step changes, everywhere and at most: hands have peaks of 0.6 to 1.4."""
_PEAK_NOISES = 4.0
"""A peak is as many times what is usual on its side: a board that moved leaves the table's grain behind. Dark
fingers over a dark table, in noise, come to 4.99 times; of 341 frames without a hand none is taken for one by
that.
"""
_REACHES_ON = 0.3
"""How much the table differs beyond the first of the far strips, the light on it taken away: under arms 0.4
to 1.5, beyond pieces up to 0.25."""
_DARKEST = 0.25
"""The least light in any channel of a shadow: under one hard lamp red has 0.23. Black cloth has less."""
_BESIDE_MM = 20.0
"""The light on the table is that on the board so far from what hides the edge, on one side or the other."""
_GAP_MM = 14.0
"""Fingers may be so far apart."""
_FINGER_MM, _WRIST_MM, _ARM_MM = 10.0, 55.0, 85.0
"""How much of the edge is hidden, at least: by what reaches on over the table as far as that is seen; by what
reaches on a little, where no more is seen or a sleeve of the table's colour follows (two stacks side by side
hide 48 mm, and their shadows reach 30 mm); and by an arm of the table's colour. No heap of pieces at the edge
hides as much as that.
"""
_REACHES = (_REACHES_ON, _FINGER_MM), (0.2, 52.0), (0.12, 70.0)
"""How much is hidden, at least, where the table differs by so much in all strips farther out. Dark skin over
dark wood differs by 0.18 to 0.29 there. Shadows of pieces end before.
"""
WITH_CORE_MM = 52.0
"""The same where what hides it is strange on the board, and wider than pieces."""
_BRIGHTER, _OVER_DARK = 0.12, 0.6
"""So is a finger of skin as dark as the table, if it is brighter than that by so much in all strips, and
covers so much of the board's edge: no shadow makes anything brighter than it was, or than what lies beside.
"""
_COVERED, _STACK_MM, _HEAP_MM, _AS_LIT = 0.05, 30.0, 90.0, 0.2
"""Where the table may lie in shadow, what comes in covers most of the board's very edge: the median of its
logarithms there is so much more than a shadow's. Stacks side by side hide the step too, with their shadows
under a low lamp, and have 0.06 less than a shadow at most; dark hands on dark tables have 0.12 to 0.34 more.
A high stack that leans out over the edge covers less than so much of it; no three stacks side by side hide so
much. And how far beyond light and shade noise takes a place.
"""
_PALE, _EVEN, _SHADES, _SHADE_MM2 = 0.5, 0.15, (0.35, 0.85), 400.0
"""The least that pale paint sends back, of white; how nearly the same a shadow leaves of each channel, what
it leaves, and how much of the board must lie in one.
"""
_ALIKE = 1.15
"""What a deep shadow leaves of one channel, at most, in parts of what it leaves of another: the deepest that
lies on pale paint is not the deepest that there is.
"""
_DULL, _SHEEN, _FAINT = 25.0, 0.6, 0.005
"""The percentile of a strip's light that shows the table itself, and how much more is mirrored, in parts of
that light in its darkest channel and of the most that a picture can show.
"""
_MOST = 0.5
"""A strip of which less is in the picture does not tell for itself what it shows without a lamp."""
_BRIGHT, _PALEST = 0.8, 0.4
"""What is mirrored has its colour where it comes to so much of the most there is; and a lamp sends so much of
its brightest channel in every one.
"""
_SHADE, _GREY = 0.85, 0.7
"""Where so little is left of the board's grey level, and so nearly as much of one channel as of another, is a
shadow, and what is mirrored beside it may be gone; where skin lies on the board, hardly ever.
"""
_MIRRORED = 0.5
"""Where a lamp is mirrored in more of a strip, nothing tells that it lies in a shadow. Light that falls off
along the edge seems to be mirrored in 0.15 of it.
"""
_HIDDEN = 0.2
"""The logarithm by which what is hidden differs from the bare board."""


def crossing(now: Image, bare: Image, canvas: Canvas, least_mm: float = np.inf) -> Flags | None:
    """What a thing that reaches in over the board's edge hides (size, size), its shadow included; None where
    nothing does.

    Both are flat pictures, BGR, each in its own light; half a pixel to a millimetre is enough. Where either
    is black, beyond its frame's edge, nothing is known. Where the table lies in no shadow so much of the edge
    hidden, `least_mm`, is enough.
    """
    seeds = _seeds(now, bare, canvas, 1.0, least_mm)
    if seeds.any():
        seeds = _seeds(now, bare, canvas, _shade(now, bare, canvas), least_mm)
    if not seeds.any():
        return None
    change = _LOG[now] - _LOG[bare]
    known = (brightest(now) > 0) & (brightest(bare) > 0)
    hidden = (brightest(np.abs(change - np.median(change[known], axis=0))) > _HIDDEN) & known
    _, labels = cv2.connectedComponents((hidden | seeds).astype(np.uint8))
    return np.asarray(np.isin(labels, np.unique(labels[seeds])))


def _seeds(now: Image, bare: Image, canvas: Canvas, shade: float, enough_mm: float) -> Flags:
    """Where on the board's outline (size, size) something comes in, if shadows leave `shade` of what was, and
    that it hides so much is enough.
    """
    low, high = _side(canvas)
    seeds = np.zeros(now.shape[:2], dtype=bool)
    for quarter in range(4):
        side, bare_side = (np.rot90(picture, quarter)[:, low:high] for picture in (now, bare))
        np.rot90(seeds, quarter)[low, low:high] |= _comes_in(side, bare_side, canvas, shade, enough_mm)
    return seeds


def _side(canvas: Canvas) -> tuple[int, int]:
    """The first row and column of the board, and those behind the last."""
    low, high = (round((canvas.margin_mm + mm) * canvas.px_per_mm) for mm in (0.0, canvas.side_mm))
    return low, high


def _shade(now: Image, bare: Image, canvas: Canvas) -> float:
    """How much is left of the grey level in the deepest shadows that lie on pale paint; 1 without any."""
    board = slice(*_side(canvas))
    then, left = (picture[board, board].reshape(-1, 3).astype(np.float32) for picture in (bare, now))
    pale = then.min(axis=1) > _PALE * np.percentile(then, 95)
    share = left[pale] / np.maximum(then[pale], 1.0)
    middle = share.mean(axis=1)
    shadow = (np.ptp(share, axis=1) < _EVEN) & (middle > _SHADES[0]) & (middle < _SHADES[1])
    if np.count_nonzero(shadow) < _SHADE_MM2 * canvas.px_per_mm**2:
        return 1.0
    return float(np.percentile(middle[shadow], 10))


def _comes_in(now: Image, bare: Image, canvas: Canvas, shade: float, enough_mm: float) -> Flags:
    """Where along a side (N,) something comes in: both (rows, N, 3), the first row farthest outside.

    Shadows leave at least `shade` of the grey level. Where the table lies in none, what hides
    `enough_mm` comes in whatever else it shows.
    """

    def strip(strip_mm: tuple[float, float]) -> _Strip:
        return _Strip.cut(now, bare, strip_mm, canvas)

    board, outside = strip(_INSIDE_MM), strip(_OUTSIDE_MM)
    step = board.step(outside)
    out = np.zeros(len(step), dtype=bool)
    if not (step > _PEAK).any():
        return out
    peak = max(_PEAK, _PEAK_NOISES * float(np.median(step)))
    outside, *table = _Strip.dulled([outside, *map(strip, _FAR_MM)])
    step = board.step(outside)
    if not (step > peak).any():
        return out
    over = strip(_OVER_MM).change()
    beside = round(_BESIDE_MM * canvas.px_per_mm)
    for start, stop in _runs(step > _STEP, round(_GAP_MM * canvas.px_per_mm)):
        if step[start:stop].max() < peak or over[start:stop].max() < _OVER:
            continue
        sides = (
            slice(max(0, start - 2 * beside), max(0, start - beside)),
            slice(stop + beside, stop + 2 * beside),
        )
        lights = [board.light(part) for part in sides]
        run = slice(start, stop)
        hidden = step[run] > _STEP
        visible = [far for far in table if far.known[run].any()]
        seen = [far.unlike(run, lights) for far in visible]
        least_mm = _WRIST_MM if max(seen, default=0.0) > _REACHES_ON else _ARM_MM
        if len(seen) > 1:
            reach = min(seen[1:])
            least_mm = min([least_mm, *(mm for far, mm in _REACHES if reach > far)])
            if reach > _BRIGHTER and over[start:stop].max() > _OVER_DARK:
                bright = [far.brighter(run, [*lights, *map(far.light, sides)]) for far in visible]
                least_mm = _FINGER_MM if min(bright) > _BRIGHTER else least_mm
            if shade < 1 and all(far.is_shaded(run, shade) for far in visible):
                is_covered = np.median(over[start:stop]) > _COVERED - np.log(shade)
                least_mm = max(least_mm, _STACK_MM if is_covered else _HEAP_MM)
                if not is_covered:
                    hidden &= ~board.in_shadow(run, shade)
            else:
                least_mm = min(least_mm, enough_mm)
        if np.count_nonzero(hidden) >= least_mm * canvas.px_per_mm:
            out[start:stop] = True
    return out


@dataclass(frozen=True)
class _Strip:
    """Grey levels (N, 3) along a side, now and on the bare board, and where both are `known` (N,).

    `dull`: those of the bare board without what lamps and windows mirror beside it.
    """

    now: Levels
    bare: Levels
    known: Flags
    dull: Levels

    @classmethod
    def cut(cls, now: Image, bare: Image, strip_mm: tuple[float, float], canvas: Canvas) -> _Strip:
        """The means across the rows that lie so far in from the edge."""
        rows = slice(*(round((canvas.margin_mm + mm) * canvas.px_per_mm) for mm in strip_mm))
        along = round(_ALONG_MM * canvas.px_per_mm) | 1
        parts = [np.ascontiguousarray(a[rows]) for a in (now, bare)]
        known = (np.minimum(*map(brightest, parts)) > 0).all(axis=0)
        means = [cv2.reduce(part, 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F) for part in parts]
        levels = [cv2.blur(mean, (along, 1))[0] for mean in means]
        return cls(np.asarray(levels[0]), np.asarray(levels[1]), np.asarray(known), np.asarray(levels[1]))

    @staticmethod
    def dulled(strips: Sequence[_Strip]) -> list[_Strip]:
        """Strips of one table, what is mirrored in it told: light that most of a strip has less of, in all
        channels, and everywhere of the colour that it has where there is most of it.
        """
        lights = [strip.bare**GAMMA for strip in strips]
        known = [light[strip.known] for light, strip in zip(lights, strips, strict=True)]
        of_all = np.concatenate(known)
        if not len(of_all):
            return list(strips)
        out = []
        for strip, light, own in zip(strips, lights, known, strict=True):
            # The little that is in the picture may all lie in a lamp's image.
            usual = np.percentile(own if len(own) > _MOST * len(light) else of_all, _DULL, axis=0)
            more = light - usual
            common = np.where(strip.known, more.min(axis=1), 0)
            least = max(_SHEEN * usual.min(), _FAINT * 255**GAMMA)
            colour = np.ones(3)
            if common.max() >= least:
                colour = np.median(more[common >= max(least, _BRIGHT * common.max())], axis=0)
                colour = np.maximum(colour / colour.max(), _PALEST)
            sheen = (more / colour).min(axis=1, keepdims=True) * colour
            sheen[common < least] = 0.0
            dull = np.asarray((light - sheen) ** (1 / GAMMA), dtype=np.float32)
            out.append(replace(strip, dull=dull))
        return out

    def change(self) -> Levels:
        """The logarithms (N,) by which the strip has changed, more than most of it has; 0 where not known."""
        return _more_than_most(np.log((self.now + _FLOOR) / (self.bare + _FLOOR)), self.known)

    def step(self, beside: _Strip) -> Levels:
        """The same for the step between this strip and one beside it.

        In each channel the brighter of the two tells the light in which the darker is expected; this one
        where the other mirrors any.
        """
        brighter = (self.bare >= beside.bare) | (beside.dull < beside.bare)
        shares = (strip.now / np.maximum(strip.bare, 1.0) for strip in (self, beside))
        light = np.maximum(np.where(brighter, *shares), _DARKEST)
        off = np.where(brighter, beside._changed(light), self._changed(light))
        return _more_than_most(off, self.known & beside.known)

    def light(self, part: slice) -> Levels:
        """How much of the bare board's light (3,) falls on a part of the strip."""
        if not self.known[part].any():
            return np.ones(3, dtype=np.float32)
        return np.asarray(np.median(self.now[part] / np.maximum(self.bare[part], 1.0), axis=0))

    def is_shaded(self, part: slice, shade: float) -> bool:
        """Whether a part of the strip is nowhere brighter than it was, nor darker than in this shade.

        Never where a lamp is mirrored in most of it.
        """
        known = self.known[part]
        is_mirror = (self.dull < self.bare)[part][known].any(axis=1)
        if np.count_nonzero(is_mirror) > _MIRRORED * np.count_nonzero(known):
            return False
        return bool(self._beyond_shade(part, shade)[known].max() < _AS_LIT)

    def in_shadow(self, part: slice, shade: float) -> Flags:
        """Which places of a part of the strip (N,) a shadow explains, this shade or a fainter one: they are
        darker than they were, and nearly as much so in each channel. Where they are so in all channels
        alike, it may be as deep as any shadow.
        """
        left = self.now[part] / np.maximum(self.bare[part], 1.0)
        least, most = left.min(axis=1), left.max(axis=1)
        by_shade = (most - least < _EVEN) & (self._beyond_shade(part, shade) < _AS_LIT)
        is_alike = (most < 1) & (least > _DARKEST) & (most < _ALIKE * least)
        return np.asarray((by_shade | is_alike) & self.known[part])

    def _beyond_shade(self, part: slice, shade: float) -> Levels:
        """The logarithms (N,) by which places of a part of the strip are brighter than they were, or darker
        than in this shade, in the channel in which they are most so.
        """
        now, bare = self.now[part], self.bare[part]
        brighter = np.log((now + _FLOOR) / (bare + _FLOOR)).max(axis=1)
        darker = np.log((shade * bare + _FLOOR) / (now + _FLOOR)).max(axis=1)
        return np.asarray(np.maximum(brighter, darker))

    def unlike(self, part: slice, lights: Sequence[Levels]) -> float:
        """The largest logarithm by which a part of the strip differs from what it is in whichever of these
        lights explains it best.
        """
        return self._least(part, [np.abs(off) for off in self._off(part, lights)])

    def brighter(self, part: slice, lights: Sequence[Levels]) -> float:
        """The largest logarithm by which a part of the strip is brighter in any channel than what it is in
        whichever of these lights explains it best.
        """
        return self._least(part, self._off(part, lights))

    def _off(self, part: slice, lights: Sequence[Levels]) -> list[Levels]:
        """The logarithms (N, 3) by which a part of the strip differs from what it is in each light."""
        cut = _Strip(self.now[part], self.bare[part], self.known[part], self.dull[part])
        return [cut._changed(light) for light in lights]

    def _changed(self, light: Levels) -> Levels:
        """The logarithms (N, 3) by which the strip differs from what it is in this light, (3,) or (N, 3); in
        a shadow with as much of what is mirrored there as explains it best.
        """
        if self.dull is self.bare:
            # Nothing is mirrored that might be gone.
            return np.asarray(np.log((self.now + _FLOOR) / (light * self.bare + _FLOOR)))
        most, least = (pick(light, axis=-1, keepdims=True) for pick in (np.max, np.min))
        is_dull = (most < _SHADE) & (least > _GREY * most)
        dull, bare, now = (level**GAMMA for level in (self.dull, self.bare, self.now))
        expected = light**GAMMA * np.where(is_dull, dull, bare)
        left = np.clip(now - expected, 0.0, np.where(is_dull, np.maximum(bare - dull, 0.0), 0.0))
        each = (expected + left.T[..., None]) ** (1 / GAMMA)
        off = np.log((self.now + _FLOOR) / (each + _FLOOR))
        best = np.abs(off).max(axis=2).argmin(axis=0)
        return np.asarray(off[best, np.arange(len(now))])

    def _least(self, part: slice, off: Sequence[Levels]) -> float:
        """The largest of a part's logarithms, of those of the light in which each place is least off."""
        each = np.min([of_light.max(axis=1) for of_light in off], axis=0)
        return float(each[self.known[part]].max())


def _more_than_most(change: Levels, known: Flags) -> Levels:
    """The largest of the channels' changes (N, 3), what most points that are known have taken away."""
    if not known.any():
        return np.zeros(len(known), dtype=np.float32)
    own = np.abs(change - medians(change[known])).max(axis=1)
    return np.asarray(np.where(known, own, 0), dtype=np.float32)


def _runs(marked: Flags, gap: int) -> Iterator[tuple[int, int]]:
    """Where marks begin and end, gaps of up to so many in between left out."""
    at = np.flatnonzero(marked)
    if len(at):
        for part in np.split(at, np.flatnonzero(np.diff(at) > gap) + 1):
            yield int(part[0]), int(part[-1]) + 1

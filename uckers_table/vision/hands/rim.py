"""Tells what reaches over the board by the board's own edge. Everything that comes in must cross it.

Light and shadow fall alike on the board and on the table beside it. So the step from one to the other stays
as it is in the picture of the bare board. The exception is a glossy table: a shadow takes away what it
mirrors.

Anything over the edge hides that step: skin and sleeves do. A thing of the board's own colour does too, since
the table has another. A piece, a stack or a die may hide a little of the step, but it reaches no farther over
the table. An arm goes on.
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
"""Grey levels, or logarithms of them."""

_FLOOR = 16.0
"""Grey levels added before logarithms are taken. On a table as dark as this, noise is then no change."""
_LOG = np.log(np.arange(256) + _FLOOR).astype(np.float32)
"""The logarithm of each grey level (256,)."""
_INSIDE_MM, _OUTSIDE_MM = (4.0, 12.0), (-16.0, -8.0)
"""The two strips that are compared, in mm in from the edge. The board's side and its shadow lie between, up
to 6 mm wide.
"""
_OVER_MM, _OVER = (2.0, 6.0), 0.1
"""The strip (mm) just inside the edge, and the logarithm by which whatever comes in changes it. Even pale
skin over pale wood does. Things that stand or lie close beside the board do not.
"""
_FAR_MM = ((-28.0, -20.0), (-40.0, -32.0), (-52.0, -44.0))
"""Strips of the table farther out, in mm in from the edge. They count as far as the picture shows them."""
_ALONG_MM = 10.0
"""Changes are averaged over this length (mm) of the edge, which is less than a finger."""
_STEP, _PEAK = 0.25, 0.35
"""Logarithms by which a hidden step changes: everywhere along it, and at its peak. Hands have peaks of 0.6 to
1.4.
"""
_PEAK_NOISES = 4.0
"""A peak is at least this many times the median along its side: a board that moved leaves the table's grain
behind. Dark fingers over a dark table, in noise, have 4.99 times. This takes none of 341 frames without a
hand for one.
"""
_REACHES_ON = 0.3
"""The logarithm by which a far strip differs, the light on it taken away, if something reaches on over the
table. Beyond the first far strip arms have 0.4 to 1.5, and pieces up to 0.25.
"""
_DARKEST = 0.25
"""The least light that a shadow leaves in any channel. Under one hard lamp it leaves 0.23 of red. Black cloth
seems to leave less.
"""
_BESIDE_MM = 20.0
"""The light on the table is taken from the board this far (mm) beside what hides the edge, on either side."""
_GAP_MM = 14.0
"""Gaps (mm) between fingers may be this wide."""
_FINGER_MM, _WRIST_MM, _ARM_MM = 10.0, 55.0, 85.0
"""How much (mm) of the edge must be hidden.

`_FINGER_MM`: by what reaches on over the table as far as the picture goes.
`_WRIST_MM`: by what reaches on a little, where the picture ends or a sleeve of the table's colour follows.
Two stacks side by side hide 48 mm, and their shadows reach 30 mm.
`_ARM_MM`: by an arm of the table's colour. No heap of pieces at the edge hides as much.
"""
_REACHES = (_REACHES_ON, _FINGER_MM), (0.2, 52.0), (0.12, 70.0)
"""Pairs: the logarithm by which all strips farther out differ, and how much (mm) of the edge must then be
hidden. Dark skin over dark wood differs by 0.18 to 0.29 there. Shadows of pieces end before these strips.
"""
WITH_CORE_MM = 52.0
"""How much (mm) must be hidden by what is strange on the board and wider than pieces."""
_BRIGHTER, _OVER_DARK = 0.12, 0.6
"""A finger with skin as dark as the table is told by two things. It is brighter than the table by `_BRIGHTER`
(logarithm) in all strips. It changes the board's edge by `_OVER_DARK` (logarithm). A shadow makes nothing
brighter than it was, or than what lies beside it.
"""
_COVERED, _STACK_MM, _HEAP_MM, _AS_LIT = 0.05, 30.0, 90.0, 0.2
"""What is asked where the table may lie in shadow.

`_COVERED`: what comes in covers most of the board's very edge. The median of its logarithms there exceeds a
shadow's by this. Dark hands on dark tables exceed it by 0.12 to 0.34. Stacks side by side hide the step too,
with their shadows under a low lamp, but stay 0.06 below it.
`_STACK_MM`: how much (mm) is then hidden, at least. A high stack that leans out over the edge covers less.
`_HEAP_MM`: how much (mm) is hidden otherwise. No three stacks side by side hide as much.
`_AS_LIT`: the logarithm by which noise takes a place beyond light and shade.
"""
_PALE, _EVEN, _SHADES, _SHADE_MM2 = 0.5, 0.15, (0.35, 0.85), 400.0
"""What a shadow on pale paint is. Pale paint sends back at least `_PALE` of what white does. A shadow leaves
shares of the channels that differ by less than `_EVEN`, with a mean within `_SHADES`. At least `_SHADE_MM2`
of the board lies in it.
"""
_ALIKE = 1.15
"""How much more a deep shadow may leave of one channel than of another, as a ratio. The deepest shadow on
pale paint need not be the deepest of all.
"""
_DULL, _SHEEN, _FAINT = 25.0, 0.6, 0.005
"""The percentile of a strip's light that shows the table itself. Light that exceeds it is mirrored if two
things hold. The excess is `_SHEEN` of the table's light in its darkest channel, and `_FAINT` of the most that
a picture can show.
"""
_MOST = 0.5
"""If less of a strip is in the picture, all strips together tell what it shows without a lamp."""
_BRIGHT, _PALEST = 0.8, 0.4
"""What is mirrored has its colour where it comes to `_BRIGHT` of the most there is. In every channel a lamp
sends at least `_PALEST` of its brightest one.
"""
_SHADE, _GREY = 0.85, 0.7
"""A shadow leaves less than `_SHADE` of the board's grey level, and of each channel at least `_GREY` of any
other's. What is mirrored beside it may then be gone. Where skin lies on the board this hardly ever holds.
"""
_MIRRORED = 0.5
"""If a lamp is mirrored in more than this part of a strip, nothing tells that the strip lies in a shadow.
Light that falls off along the edge seems to be mirrored in 0.15 of it.
"""
_HIDDEN = 0.2
"""The logarithm by which what is hidden differs from the bare board."""


def crossing(now: Image, bare: Image, canvas: Canvas, least_mm: float = np.inf) -> Flags | None:
    """What a thing that reaches in over the board's edge hides (size, size), its shadow included; None if
    nothing does.

    `now` and `bare` are flat pictures (size, size, 3), BGR, each in its own light. Half a pixel to a
    millimetre is enough. Where either is black, beyond its frame's edge, nothing is known. `least_mm`: where
    the table lies in no shadow, this much of the edge hidden is enough.
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
    """Where on the board's outline (size, size) something comes in. Shadows leave at least `shade` of what
    was. `enough_mm` of the edge hidden is enough.
    """
    low, high = _side(canvas)
    seeds = np.zeros(now.shape[:2], dtype=bool)
    for quarter in range(4):
        side, bare_side = (np.rot90(picture, quarter)[:, low:high] for picture in (now, bare))
        np.rot90(seeds, quarter)[low, low:high] |= _comes_in(side, bare_side, canvas, shade, enough_mm)
    return seeds


def _side(canvas: Canvas) -> tuple[int, int]:
    """The first row and column of the board, and the first behind it, in points of the flat picture."""
    low, high = (round((canvas.margin_mm + mm) * canvas.px_per_mm) for mm in (0.0, canvas.side_mm))
    return low, high


def _shade(now: Image, bare: Image, canvas: Canvas) -> float:
    """How much of the grey level is left in the deepest shadows on pale paint; 1 if there are none."""
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
    """Where along a side (N,) something comes in. Both pictures are (rows, N, 3), the first row farthest
    outside.

    Shadows leave at least `shade` of the grey level. Where the table lies in none, anything that hides
    `enough_mm` comes in.
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
    """A strip along a side of the board, N points long.

    `now`, `bare`: its grey levels (N, 3) in the picture and on the bare board.
    `known`: both pictures show it (N,).
    `dull`: the bare board's grey levels without what lamps and windows mirror there (N, 3).
    """

    now: Levels
    bare: Levels
    known: Flags
    dull: Levels

    @classmethod
    def cut(cls, now: Image, bare: Image, strip_mm: tuple[float, float], canvas: Canvas) -> _Strip:
        """The means over the rows between these distances (mm) in from the edge."""
        rows = slice(*(round((canvas.margin_mm + mm) * canvas.px_per_mm) for mm in strip_mm))
        along = round(_ALONG_MM * canvas.px_per_mm) | 1
        parts = [np.ascontiguousarray(a[rows]) for a in (now, bare)]
        known = (np.minimum(*map(brightest, parts)) > 0).all(axis=0)
        means = [cv2.reduce(part, 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F) for part in parts]
        levels = [cv2.blur(mean, (along, 1))[0] for mean in means]
        return cls(np.asarray(levels[0]), np.asarray(levels[1]), np.asarray(known), np.asarray(levels[1]))

    @staticmethod
    def dulled(strips: Sequence[_Strip]) -> list[_Strip]:
        """Strips of one table, with what is mirrored in each told. That is light that most of the strip has
        less of, in all channels. Everywhere it has the colour that it has where there is most of it.
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
        """The logarithms (N,) by which the strip has changed more than most of it; 0
        where it is not known.
        """
        return _more_than_most(np.log((self.now + _FLOOR) / (self.bare + _FLOOR)), self.known)

    def step(self, beside: _Strip) -> Levels:
        """The logarithms (N,) by which the step between this strip and one beside it has changed more than
        most.

        In each channel the brighter of the two tells the light, and so what the darker should be. The
        exception: if the other strip mirrors anything, this one tells it.
        """
        brighter = (self.bare >= beside.bare) | (beside.dull < beside.bare)
        shares = (strip.now / np.maximum(strip.bare, 1.0) for strip in (self, beside))
        light = np.maximum(np.where(brighter, *shares), _DARKEST)
        off = np.where(brighter, beside._changed(light), self._changed(light))
        return _more_than_most(off, self.known & beside.known)

    def light(self, part: slice) -> Levels:
        """How much of the bare board's light falls on a part of the strip, by channel (3,)."""
        if not self.known[part].any():
            return np.ones(3, dtype=np.float32)
        return np.asarray(np.median(self.now[part] / np.maximum(self.bare[part], 1.0), axis=0))

    def is_shaded(self, part: slice, shade: float) -> bool:
        """Whether no place in a part of the strip is brighter than it was, or darker than in this shade.
        False if a lamp is mirrored in most of it.
        """
        known = self.known[part]
        is_mirror = (self.dull < self.bare)[part][known].any(axis=1)
        if np.count_nonzero(is_mirror) > _MIRRORED * np.count_nonzero(known):
            return False
        return bool(self._beyond_shade(part, shade)[known].max() < _AS_LIT)

    def in_shadow(self, part: slice, shade: float) -> Flags:
        """Which places of a part of the strip (N,) a shadow explains. They are darker than they were, nearly
        evenly in all channels, and no darker than in this shade. Places that are alike in all channels may
        lie in any shadow.
        """
        left = self.now[part] / np.maximum(self.bare[part], 1.0)
        least, most = left.min(axis=1), left.max(axis=1)
        by_shade = (most - least < _EVEN) & (self._beyond_shade(part, shade) < _AS_LIT)
        is_alike = (most < 1) & (least > _DARKEST) & (most < _ALIKE * least)
        return np.asarray((by_shade | is_alike) & self.known[part])

    def _beyond_shade(self, part: slice, shade: float) -> Levels:
        """How far each place of a part of the strip (N,) is brighter than it was, or darker than in this
        shade. It is the logarithm of the channel where that is most.
        """
        now, bare = self.now[part], self.bare[part]
        brighter = np.log((now + _FLOOR) / (bare + _FLOOR)).max(axis=1)
        darker = np.log((shade * bare + _FLOOR) / (now + _FLOOR)).max(axis=1)
        return np.asarray(np.maximum(brighter, darker))

    def unlike(self, part: slice, lights: Sequence[Levels]) -> float:
        """How much a part of the strip differs from the bare board in the best of these lights. It is the
        largest logarithm, with the best light for each place.
        """
        return self._least(part, [np.abs(off) for off in self._off(part, lights)])

    def brighter(self, part: slice, lights: Sequence[Levels]) -> float:
        """How much brighter than the bare board a part of the strip is in any channel, in the best of these
        lights. It is the largest logarithm, with the best light for each place.
        """
        return self._least(part, self._off(part, lights))

    def _off(self, part: slice, lights: Sequence[Levels]) -> list[Levels]:
        """The logarithms (N, 3) by which a part of the strip differs from the bare board in each of these
        lights.
        """
        cut = _Strip(self.now[part], self.bare[part], self.known[part], self.dull[part])
        return [cut._changed(light) for light in lights]

    def _changed(self, light: Levels) -> Levels:
        """The logarithms (N, 3) by which the strip differs from the bare board in this light, (3,) or (N, 3).
        In a shadow, as much of what is mirrored is left as explains the strip best.
        """
        if self.dull is self.bare:
            # Nothing is mirrored that may have gone.
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
        """The largest logarithm of a part of the strip. Each place counts in the light in which it is least
        off.
        """
        each = np.min([of_light.max(axis=1) for of_light in off], axis=0)
        return float(each[self.known[part]].max())


def _more_than_most(change: Levels, known: Flags) -> Levels:
    """The largest change of the channels (N, 3) at each point (N,), less the median of all known points."""
    if not known.any():
        return np.zeros(len(known), dtype=np.float32)
    own = np.abs(change - medians(change[known])).max(axis=1)
    return np.asarray(np.where(known, own, 0), dtype=np.float32)


def _runs(marked: Flags, gap: int) -> Iterator[tuple[int, int]]:
    """Where runs of marks begin and end (half open). Gaps of up to `gap` in between count as marked."""
    at = np.flatnonzero(marked)
    if len(at):
        for part in np.split(at, np.flatnonzero(np.diff(at) > gap) + 1):
            yield int(part[0]), int(part[-1]) + 1

"""Telling what reaches over the board by the board's own edge, which everything that comes in must cross.

Light and shadow fall on the board and on the table beside it alike: the step from one to the other stays as
it is in the picture of the bare board. Whatever lies over the edge hides that step, be it skin or sleeve, and
of the board's own colour too, since the table has another. A piece, a stack or a die may hide a little of it,
but reaches no farther over the table: an arm goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.camera import Image
from uckers_table.vision.channels import brightest
from uckers_table.vision.flat import Canvas

Mask = npt.NDArray[np.bool_]
Logs = npt.NDArray[np.float32]

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
_STEP, _PEAK = 0.25, 0.4
"""Logarithms by which a hidden step changes, everywhere and at most: hands have peaks of 0.6 to 1.8."""
_PEAK_NOISES = 5.0
"""A peak is as many times what is usual on its side: a board that moved leaves the table's grain behind."""
_REACHES_ON = 0.35
"""How much the table differs beyond the first of the far strips: by an arm 0.4 to 1.5, by the shadows of
pieces up to 0.3."""
_GAP_MM = 14.0
"""Fingers may be so far apart."""
_FINGER_MM, _TWO_PIECES_MM, _ARM_MM = 10.0, 45.0, 85.0
"""How much of the edge is hidden, at least: by what reaches on as far as the table is seen; by what reaches
on, where one strip is all that is seen or a sleeve of the table's colour follows (a stack's shadow reaches
40 mm, and that of two beside each other is as wide as this); and by an arm of the table's colour. No heap of
pieces at the edge hides as much as that.
"""
_HIDDEN = 0.2
"""The logarithm by which what is hidden differs from the bare board."""


def crossing(now: Image, bare: Image, canvas: Canvas) -> Mask | None:
    """What a thing that reaches in over the board's edge hides (size, size), its shadow included; None where
    nothing does.

    Both are flat pictures, BGR, each in its own light; half a pixel to a millimetre is enough. Where either
    is black, beyond its frame's edge, nothing is known.
    """
    low, high = (round((canvas.margin_mm + mm) * canvas.px_per_mm) for mm in (0.0, canvas.side_mm))
    seeds = np.zeros(now.shape[:2], dtype=bool)
    for quarter in range(4):
        side, bare_side = (np.rot90(picture, quarter)[:, low:high] for picture in (now, bare))
        np.rot90(seeds, quarter)[low, low:high] |= _comes_in(side, bare_side, canvas)
    if not seeds.any():
        return None
    change = _LOG[now] - _LOG[bare]
    known = (brightest(now) > 0) & (brightest(bare) > 0)
    hidden = (brightest(np.abs(change - np.median(change[known], axis=0))) > _HIDDEN) & known
    _, labels = cv2.connectedComponents((hidden | seeds).astype(np.uint8))
    return np.asarray(np.isin(labels, np.unique(labels[seeds])))


def _comes_in(now: Image, bare: Image, canvas: Canvas) -> Mask:
    """Where along a side (N,) something comes in: both (rows, N, 3), the first row farthest outside."""
    inside, outside = (_change(now, bare, strip, canvas) for strip in (_INSIDE_MM, _OUTSIDE_MM))
    step = _size(inside - outside)
    out = np.zeros(len(step), dtype=bool)
    if not (step > _PEAK).any():
        return out
    peak = max(_PEAK, _PEAK_NOISES * float(np.median(step)))
    over = _size(_change(now, bare, _OVER_MM, canvas))
    beyond = [_size(_change(now, bare, strip, canvas)) for strip in _FAR_MM]
    for start, stop in _runs(step > _STEP, round(_GAP_MM * canvas.px_per_mm)):
        if step[start:stop].max() < peak or over[start:stop].max() < _OVER:
            continue
        seen = [float(strip[start:stop].max()) for strip in beyond if strip[start:stop].any()]
        reaching = [size > _REACHES_ON for size in seen[1:] or seen]
        least_mm = _TWO_PIECES_MM if any(reaching) else _ARM_MM
        if len(seen) > 1 and all(reaching):
            least_mm = _FINGER_MM
        if np.count_nonzero(step[start:stop] > _STEP) >= least_mm * canvas.px_per_mm:
            out[start:stop] = True
    return out


def _change(now: Image, bare: Image, strip_mm: tuple[float, float], canvas: Canvas) -> Logs:
    """What has changed (N, 3) in a strip along a side, more than along most of it; NaN where not known."""
    rows = slice(*(round((canvas.margin_mm + mm) * canvas.px_per_mm) for mm in strip_mm))
    known = (np.minimum(brightest(now[rows]), brightest(bare[rows])) > 0).all(axis=0)
    change = (_LOG[now[rows]] - _LOG[bare[rows]]).mean(axis=0)
    along = cv2.blur(change[None], (round(_ALONG_MM * canvas.px_per_mm) | 1, 1))[0]
    if known.any():
        along = along - np.median(along[known], axis=0)
    return np.asarray(np.where(known[:, None], along, np.float32(np.nan)), dtype=np.float32)


def _size(change: Logs) -> Logs:
    """The largest of the channels' changes (N,), 0 where it is not known."""
    return np.asarray(np.nan_to_num(np.abs(change).max(axis=1)), dtype=np.float32)


def _runs(marked: npt.NDArray[Any], gap: int) -> Iterator[tuple[int, int]]:
    """Where marks begin and end, gaps of up to so many in between left out."""
    at = np.flatnonzero(marked)
    if len(at):
        for part in np.split(at, np.flatnonzero(np.diff(at) > gap) + 1):
            yield int(part[0]), int(part[-1]) + 1

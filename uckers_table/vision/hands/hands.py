"""Telling that something reaches over the board: a large strange region that comes in from outside, or one
in a shadow in which the board's own lines do not show.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.picture.arrays import Flags, Image
from uckers_table.vision.picture.channels import brightest, doubled
from uckers_table.vision.place.flat import Canvas

Bits = npt.NDArray[np.uint8]

_STRANGE = 0.5
_CLOSE_MM, _OPEN_MM = 9, 25
"""Gaps between fingers are closed; then pieces and dice (20 mm) are opened away, palms and sleeves stay."""
_SQUARE = 0.68
"""The side of a square within a disc, in diameters."""
_MIN_CORE_MM2 = 1200.0
"""What is left of a hand after that: 1500 mm² for finger tips at the edge, 70000 mm² for an arm."""
_MIN_OUTSIDE_MM2 = 600.0
_MIN_INSIDE_MM2 = 250.0
"""Hands come in from outside: pieces heaped together do not reach there, things on the table not in here."""
_WHOLE_HAND_MM2 = 5500.0
"""So much is a hand even where its wrist is hard to tell from the table: sixteen pieces heaped give 4000."""
_DARK = 0.55
"""So little light is left by deep shadows, and seems to be left on black cloth. In shadows of people what is
strange over the board, pieces opened away, comes to 440 mm² at most.
"""
_EDGE_MM = 8.0
"""Beyond the board's edge by less is its own side and shadow."""
_REACH_MM = 13
"""How far round a hand nothing is certain."""
_SHADED, _GRADUAL_MM, _WINDOW_MM, _LINES = 0.6, 26, 22, 10.0
"""In a shadow, where no more than so much of the grey level is left, lines and edges of paint are what does
not change gradually over so many millimetres; told in such windows, where they come to so many grey levels.
"""
_LOST = 0.35
"""Less of them than that, in parts of what the light leaves, does not show the board."""
_UNLIKE = 0.5
"""Nor does what is less like them, of 1: noise in a shadow leaves 0.8."""
_BROAD_MM, _MIN_COVERED_MM2, _AT_EDGE_MM = 34, 1700.0, 6.0
"""What hides them is broader than single pieces, and comes in over the board's edge. So much of it is left
of four hands in deep shadow (2100 mm² and more); of shadows, lamps' images that are gone and pieces in them
1150 mm² at most, 8 mm off the edge (34 tables).
"""


@dataclass(frozen=True)
class Strange:
    """Where anything is `known`, in squares; the `whole` of what is strange there, and the `core` of that,
    what is wider than pieces, both (size, size).
    """

    known: Bits
    whole: Bits
    core: Bits

    @classmethod
    def of(cls, seen: Evidence, canvas: Canvas) -> Strange | None:
        """None where there is too little for a hand."""
        strange = (seen.strange > _STRANGE).astype(np.uint8)
        if not _may_reach(strange, canvas):
            return None
        known = _known(seen, canvas)
        return cls(known, *_closed(doubled(strange & known), canvas.px_per_mm))


def reaching(seen: Evidence, canvas: Canvas, strange: Strange | None) -> Flags | None:
    """What a hand or a sleeve hides (size, size), or None where nothing reaches over the board."""
    if strange is None:
        return None
    known, whole, core = strange.known, strange.whole, strange.core
    rim = round((canvas.margin_mm - _EDGE_MM) * canvas.px_per_mm)
    outside = _border(whole, rim)
    labels, (area, outer, cores) = _regions(whole, (outside, core), canvas.px_per_mm)
    hands = (cores > _MIN_CORE_MM2) & (outer > _MIN_OUTSIDE_MM2) & (area - outer > _MIN_INSIDE_MM2)
    hands |= (cores > _WHOLE_HAND_MM2) & (area - outer > _MIN_INSIDE_MM2)
    if not hands[1:].any():
        # A dark sleeve is like a deep shadow: what is strange over the board may come in by that.
        dark = (seen.light.layers[0] > 1 / _DARK) & doubled(known > 0)
        labels, (_, outer, cores) = _regions(whole | dark, (outside, core * (1 - outside)), canvas.px_per_mm)
        hands = (cores > _MIN_CORE_MM2) & (outer > _MIN_OUTSIDE_MM2)
    grown = _grown(hands, labels, canvas.px_per_mm)
    return None if grown is None else grown > 0


def cores(canvas: Canvas, strange: Strange | None) -> Flags | None:
    """What is strange and wider than pieces (size, size), as much of it as a hand has at least, wherever that
    comes from; None where there is none.
    """
    if strange is None:
        return None
    labels, (area,) = _regions(strange.core, (), canvas.px_per_mm)
    large = area > _MIN_CORE_MM2
    large[0] = False
    return np.asarray(large[labels]) if large.any() else None


def covering(seen: Evidence, canvas: Canvas) -> Flags | None:
    """What hides the board's lines in a deep shadow and comes in over its edge (size, size), or None where
    nothing does. Light is told by what most of a window shows: a dark hand seems to be a shadow as dark.
    """
    per_gain = seen.light.layers[0][::2, ::2]
    low = round(canvas.margin_mm * canvas.px_per_mm / 2)
    board = slice(low, len(per_gain) - low), slice(low, len(per_gain) - low)
    if not (per_gain[board] > 1 / _SHADED).any():
        return None
    half = canvas.px_per_mm / 2
    _, lost, _ = lines(seen, canvas)
    covered = np.zeros(lost.shape, dtype=np.uint8)
    covered[board] = (lost & (per_gain > 1 / _SHADED))[board]
    core = np.asarray(cv2.morphologyEx(covered, cv2.MORPH_OPEN, _disc(_BROAD_MM, half)), dtype=np.uint8)
    edge = _border(covered, low + round(_AT_EDGE_MM * half))
    labels, (_, cores, edges) = _regions(covered, (core, edge), half)
    grown = _grown((cores > _MIN_COVERED_MM2) & (edges > 0), labels, half)
    return None if grown is None else doubled(grown) > 0


def lines(seen: Evidence, canvas: Canvas) -> tuple[Flags, Flags, Flags]:
    """In which squares (n, n) the bare board shows lines or edges of paint, where of those they do not show
    now in the light that is told, and where they would not in any: it is not told where a shadow ends. The
    frame's own edge is no line.
    """
    half = canvas.px_per_mm / 2

    def sharp(picture: Image) -> npt.NDArray[np.float32]:
        grey = picture.astype(np.float32).mean(axis=2)
        return np.asarray(grey - cv2.blur(grey, _window(_GRADUAL_MM, half)))

    now, bare = sharp(seen.squares), sharp(seen.board.squares.softened)
    window = _window(_WINDOW_MM, half)
    much, left, there = (cv2.blur(a * b, window) for a, b in ((bare, bare), (now, bare), (now, now)))
    known = _known(seen, canvas)
    lined = (known > 0) & (much > _LINES**2)
    lost = lined & (left * seen.light.layers[0][::2, ::2] < _LOST * much)
    # Where nothing is, rounding leaves a little less than nothing.
    unlike = lost & (left < _UNLIKE * np.sqrt(np.maximum(much * there, 0)))
    away = cv2.erode(known, _disc(_WINDOW_MM + _GRADUAL_MM, half))
    return lined & (away > 0), lost, unlike


def around(seen: Evidence, canvas: Canvas, places: Flags, lost: Flags) -> Flags:
    """What hides the board (size, size) round some squares (n, n), strange there or its lines `lost` (n, n),
    and what is not certain round that.
    """
    half = canvas.px_per_mm / 2
    covered = (seen.strange > _STRANGE) & (_known(seen, canvas) > 0) | lost | places
    closed = cv2.morphologyEx(covered.astype(np.uint8), cv2.MORPH_CLOSE, _disc(_CLOSE_MM, half))
    labels, (_, here) = _regions(np.asarray(closed, dtype=np.uint8), (places,), half)
    grown = _grown(here > 0, labels, half)
    return np.zeros(seen.change.shape[:2], dtype=bool) if grown is None else doubled(grown) > 0


def _window(size_mm: float, px_per_mm: float) -> tuple[int, int]:
    size = round(size_mm * px_per_mm) | 1
    return size, size


def _regions(
    covered: Bits, parts: tuple[Bits | Flags, ...], px_per_mm: float
) -> tuple[npt.NDArray[np.int32], list[npt.NDArray[np.float64]]]:
    """Which region of what is `covered` each point is in, 0 for none, and the areas (regions,) of all of them
    and of their `parts`, in mm².
    """
    count, labels = cv2.connectedComponents(covered)
    weights = (None, *(part.ravel() for part in parts))
    areas = [np.bincount(labels.ravel(), w, count) / px_per_mm**2 for w in weights]
    return np.asarray(labels, dtype=np.int32), areas


def _border(like: Bits, width: int) -> Bits:
    """What of a square lies no farther from its edge than so many points."""
    border = np.ones_like(like)
    border[width:-width, width:-width] = 0
    return border


def _grown(hands: Flags, labels: npt.NDArray[np.int32], px_per_mm: float) -> Bits | None:
    """The regions that are hands (regions,), with what is not certain round them; None where none is."""
    hands[0] = False
    if not hands.any():
        return None
    return np.asarray(cv2.dilate(hands[labels].astype(np.uint8), _disc(_REACH_MM, px_per_mm)), dtype=np.uint8)


def _known(seen: Evidence, canvas: Canvas) -> Bits:
    """Which squares (n, n) are in the picture now and were in that of the bare board: beyond a frame's edge
    all is black, and a board that was moved has that edge elsewhere.
    """
    inside = [brightest(squares) > 0 for squares in (seen.squares, seen.board.squares.softened)]
    known = (inside[0] & inside[1]).astype(np.uint8)
    return np.asarray(cv2.erode(known, _disc(_BESIDE_FRAME_MM, canvas.px_per_mm / 2)), dtype=np.uint8)


_BESIDE_FRAME_MM = 8
"""So wide a strip along a frame's edge is a blend with the black beyond it."""


def _may_reach(strange: Bits, canvas: Canvas) -> bool:
    """Whether a closer look for hands is worth it: at half the scale, in an eighth of the time, something
    shows half of the least a hand has.
    """
    _, core = _closed(strange, canvas.px_per_mm / 2)
    return bool(np.count_nonzero(core) > _MIN_CORE_MM2 / 2 * (canvas.px_per_mm / 2) ** 2)


def _closed(strange: Bits, px_per_mm: float) -> tuple[Bits, Bits]:
    """What is strange with its gaps closed, and the parts of that which are wider than pieces."""
    whole = cv2.morphologyEx(strange, cv2.MORPH_CLOSE, _disc(_CLOSE_MM, px_per_mm))
    disc = _disc(_OPEN_MM, px_per_mm)
    # The square within the disc takes a quarter of its time, and leaves nothing of pieces. Most boards have
    # nothing else on them.
    core = cv2.erode(whole, np.ones((round(_SQUARE * len(disc)),) * 2, np.uint8))
    if core.any():
        core = cv2.morphologyEx(whole, cv2.MORPH_OPEN, disc)
    return np.asarray(whole, dtype=np.uint8), np.asarray(core, dtype=np.uint8)


def _disc(size_mm: int, px_per_mm: float) -> Bits:
    size = round(size_mm * px_per_mm) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)

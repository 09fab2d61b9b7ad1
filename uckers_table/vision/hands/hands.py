"""Tells whether something reaches over the board. It is a large strange region that comes in from outside, or
one in a shadow in which the board's own lines do not show.
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
"""A mask of 0 and 1."""

_STRANGE = 0.5
"""The log-likelihood ratio (nats) above which a square is strange."""
_CLOSE_MM, _OPEN_MM = 9, 25
"""Discs (mm). The first closes gaps between fingers. The second then takes away pieces and dice, which are 20
mm wide; palms and sleeves stay.
"""
_SQUARE = 0.68
"""The side of a square that lies within a disc, in diameters of the disc."""
_MIN_CORE_MM2 = 1200.0
"""What is left of a hand after that, at the least. Finger tips at the edge leave 1500
mm², an arm 70000 mm².
"""
_MIN_OUTSIDE_MM2 = 600.0
_MIN_INSIDE_MM2 = 250.0
"""The least areas of a hand beyond the board's edge and on the board. Pieces heaped together do not reach
beyond it; things on the table do not reach in.
"""
_WHOLE_HAND_MM2 = 5500.0
"""The core of a hand whose wrist is hard to tell from the table. Sixteen pieces in a heap have 4000 mm²."""
_DARK = 0.55
"""The light that deep shadows leave is less than this; black cloth seems to lie in one. In people's shadows
what is strange on the board, with pieces taken away, is 440 mm² at most.
"""
_EDGE_MM = 8.0
"""Nearer (mm) beyond the board's edge are its own side and shadow."""
_REACH_MM = 13
"""How far (mm) round a hand nothing is certain."""
_SHADED, _GRADUAL_MM, _WINDOW_MM, _LINES = 0.6, 26, 22, 10.0
"""How the board's lines are told in a shadow, where at most `_SHADED` of the grey level is left. Lines and
edges of paint are what does not change gradually over `_GRADUAL_MM`. They are told in windows of `_WINDOW_MM`
in which they come to `_LINES` grey levels.
"""
_LOST = 0.35
"""Lines are lost if less than this shows of them, in parts of what the light leaves."""
_UNLIKE = 0.5
"""Lines are lost in any light if their likeness to the bare board's is less, of 1. Noise in a shadow leaves
0.8.
"""
_BROAD_MM, _MIN_COVERED_MM2, _AT_EDGE_MM = 34, 1700.0, 6.0
"""What hides the lines in a shadow is a hand if it has this area where it is broader than `_BROAD_MM`. It
must also come within `_AT_EDGE_MM` of the board's edge. Single pieces are narrower.

Four hands in deep shadow have 2100 mm² and more. Shadows, with lamp images that are gone and pieces in them,
have 1150 mm² at most, and lie 8 mm off the edge (34 tables).
"""


@dataclass(frozen=True)
class Strange:
    """What is strange in one frame, as masks.

    `known`: the squares (n, n) that both pictures show.
    `whole`: all that is strange there (size, size), gaps closed.
    `core`: the parts of it that are wider than pieces (size, size).
    """

    known: Bits
    whole: Bits
    core: Bits

    @classmethod
    def of(cls, seen: Evidence, canvas: Canvas) -> Strange | None:
        """What is strange in a frame; None if it is too little for a hand."""
        strange = (seen.strange > _STRANGE).astype(np.uint8)
        if not _may_reach(strange, canvas):
            return None
        known = _known(seen, canvas)
        return cls(known, *_closed(doubled(strange & known), canvas.px_per_mm))


def reaching(seen: Evidence, canvas: Canvas, strange: Strange | None) -> Flags | None:
    """What a hand or a sleeve hides (size, size); None if nothing reaches over the board."""
    if strange is None:
        return None
    known, whole, core = strange.known, strange.whole, strange.core
    rim = round((canvas.margin_mm - _EDGE_MM) * canvas.px_per_mm)
    outside = _border(whole, rim)
    labels, (area, outer, cores) = _regions(whole, (outside, core), canvas.px_per_mm)
    hands = (cores > _MIN_CORE_MM2) & (outer > _MIN_OUTSIDE_MM2) & (area - outer > _MIN_INSIDE_MM2)
    hands |= (cores > _WHOLE_HAND_MM2) & (area - outer > _MIN_INSIDE_MM2)
    if not hands[1:].any():
        # A dark sleeve looks like a deep shadow. What is strange on the board may come in by way of it.
        dark = (seen.light.layers[0] > 1 / _DARK) & doubled(known > 0)
        labels, (_, outer, cores) = _regions(whole | dark, (outside, core * (1 - outside)), canvas.px_per_mm)
        hands = (cores > _MIN_CORE_MM2) & (outer > _MIN_OUTSIDE_MM2)
    grown = _grown(hands, labels, canvas.px_per_mm)
    return None if grown is None else grown > 0


def cores(canvas: Canvas, strange: Strange | None) -> Flags | None:
    """What is strange, wider than pieces, and as large as a hand's core (size, size); None if nothing is. It
    need not come in from outside.
    """
    if strange is None:
        return None
    labels, (area,) = _regions(strange.core, (), canvas.px_per_mm)
    large = area > _MIN_CORE_MM2
    large[0] = False
    return np.asarray(large[labels]) if large.any() else None


def covering(seen: Evidence, canvas: Canvas) -> Flags | None:
    """What hides the board's lines in a deep shadow and comes in over its edge (size, size); None if nothing
    does. The light is that of most of a window, so a dark hand seems to be a shadow as dark.
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
    """What the board's lines tell, in squares (n, n) each.

    First: where the bare board shows lines or edges of paint. Second: where they do not show now, in the
    light as it is told. Third: where they would not show in any light. Near a shadow's end its light is not
    told well. The frame's own edge is no line.
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
    # Where there is nothing, rounding leaves a little less than nothing.
    unlike = lost & (left < _UNLIKE * np.sqrt(np.maximum(much * there, 0)))
    away = cv2.erode(known, _disc(_WINDOW_MM + _GRADUAL_MM, half))
    return lined & (away > 0), lost, unlike


def around(seen: Evidence, canvas: Canvas, places: Flags, lost: Flags) -> Flags:
    """What hides the board (size, size) round the squares `places` (n, n). It is strange there, or its lines
    are `lost` (n, n). What is not certain round it is added.
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
    """The region of `covered` that each point is in, 0 for none, and areas (regions,) in mm². The first areas
    are the whole regions', then those of each of the `parts` in them.
    """
    count, labels = cv2.connectedComponents(covered)
    weights = (None, *(part.ravel() for part in parts))
    areas = [np.bincount(labels.ravel(), w, count) / px_per_mm**2 for w in weights]
    return np.asarray(labels, dtype=np.int32), areas


def _border(like: Bits, width: int) -> Bits:
    """The border of a square mask, this many points wide."""
    border = np.ones_like(like)
    border[width:-width, width:-width] = 0
    return border


def _grown(hands: Flags, labels: npt.NDArray[np.int32], px_per_mm: float) -> Bits | None:
    """The regions that are `hands` (regions,), with what is not certain round them; None
    if there are none.
    """
    hands[0] = False
    if not hands.any():
        return None
    return np.asarray(cv2.dilate(hands[labels].astype(np.uint8), _disc(_REACH_MM, px_per_mm)), dtype=np.uint8)


def _known(seen: Evidence, canvas: Canvas) -> Bits:
    """Which squares (n, n) lie within the picture now and within that of the bare board. Beyond a frame's
    edge all is black; once the board has moved, that edge is elsewhere.
    """
    inside = [brightest(squares) > 0 for squares in (seen.squares, seen.board.squares.softened)]
    known = (inside[0] & inside[1]).astype(np.uint8)
    return np.asarray(cv2.erode(known, _disc(_BESIDE_FRAME_MM, canvas.px_per_mm / 2)), dtype=np.uint8)


_BESIDE_FRAME_MM = 8
"""A strip along a frame's edge, this wide, is blended with the black beyond it."""


def _may_reach(strange: Bits, canvas: Canvas) -> bool:
    """Whether a closer look for hands is worth it: half the core that a hand has shows at half the scale.
    This takes an eighth of the time.
    """
    _, core = _closed(strange, canvas.px_per_mm / 2)
    return bool(np.count_nonzero(core) > _MIN_CORE_MM2 / 2 * (canvas.px_per_mm / 2) ** 2)


def _closed(strange: Bits, px_per_mm: float) -> tuple[Bits, Bits]:
    """What is strange, with its gaps closed, and the parts of it that are wider than pieces."""
    whole = cv2.morphologyEx(strange, cv2.MORPH_CLOSE, _disc(_CLOSE_MM, px_per_mm))
    disc = _disc(_OPEN_MM, px_per_mm)
    # Eroding with the square within the disc takes a quarter of the time, and leaves nothing of pieces. Most
    # boards have nothing else on them.
    core = cv2.erode(whole, np.ones((round(_SQUARE * len(disc)),) * 2, np.uint8))
    if core.any():
        core = cv2.morphologyEx(whole, cv2.MORPH_OPEN, disc)
    return np.asarray(whole, dtype=np.uint8), np.asarray(core, dtype=np.uint8)


def _disc(size_mm: int, px_per_mm: float) -> Bits:
    size = round(size_mm * px_per_mm) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)

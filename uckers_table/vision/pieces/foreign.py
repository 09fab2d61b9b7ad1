"""Noticing what stands on the board and is none of the game's: a counter of another colour, a coin, a cap.

A top that is like no piece's paint, lit more or less and with a lamp's sheen on it, is no piece's. And what
is left that neither light nor shadow makes of the board, once pieces, dice and hands have taken their own, is
told by its place alone. White and grey things on white paint are not noticed: they look like the paint in
light and in shadow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.sighting import SeenDie
from uckers_table.vision.dice.faces import DIE_MM
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.picture.arrays import Floats, Mask
from uckers_table.vision.picture.channels import GAMMA, channel_sum, doubled, halved, medians
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.shape import Shape, draw_disc
from uckers_table.vision.pieces.stack_net import HIGHEST
from uckers_table.vision.pieces.tops import Discs, are_lit, core
from uckers_table.vision.place.flat import Canvas

_SHEENS = np.concatenate([np.linspace(-0.04, 0.04, 9), np.geomspace(0.05, 0.4, 16)])
"""Light, of white paint's, that a top mirrors more than those whose colour was learned, tried one by one.
Paint mirrors a twenty-fifth of what is above it, and much more of a lamp.
"""
_IN_SHADOW = np.linspace(-0.07, -0.05, 3)
"""In a person's shadow it may mirror so much less: no lamp, where those did that were learned."""
_SHADES = (0.03, 2.5)
_PAINT, _PAINT_SHARE = 0.03, 0.08
"""How far paint strays from the colour learned, in parts of white and of itself."""
OFF_COLOUR = 8.5
"""Squared: pieces come to 4.7 in the light and 7.6 in deep shadow, orange taken for yellow to 9.3."""
_STRANGE = 0.5
"""Evidence against the bare board from which a point is looked at."""
_DIE_REACH_MM = 12.0
"""From the middle of a die's foot, or upper face, to its corners."""
_ROUND_MM = 1.0
"""So far round pieces and dice is taken for theirs."""
_DARKEST = 0.7
"""The share of the light that a shadow takes at most: under one hard lamp 0.65, a black counter 0.9."""
_EVERY = 3
"""Every so manieth row of squares tells what shadows look like."""
_PALE = 0.5
"""Paint that sends back so much in each channel shows the colour of a shadow."""
_DIM, _ENOUGH = (0.2, 0.75), 50
"""How much light is missing in shadows whose colour is learned, and from how many squares."""
_OFF, _OFF_SHARE = 0.05, 0.04
"""How far paint in shadow lies from the line of shadows, in parts of white and of itself: worn and rough."""
_OPEN_MM, _LEAST_MM2, _LEAST_RADIUS_MM = 6.0, 180.0, 5.5
"""Crumbs and rims of shadows are opened away. The smallest coin covers 250 mm², a piece 330 and its side;
what is left of shadows on six tables comes to 150 mm², and is 5 mm from edge to middle."""
_RAGGED = 2.2
"""Times the circle within it: a piece with its side is 1.3, haze that a person's shadow takes away 3."""


def of_the_game(
    stacks: Sequence[Stack], seen: Evidence, shape: Shape, colours: npt.NDArray[np.float32]
) -> list[Stack]:
    """The stacks whose top has the colour they are said to have, as reflected (paints, seats, 3)."""
    if not stacks:
        return []
    at = shape.top_px(np.array([(s.x_mm, s.y_mm) for s in stacks]))
    patches = seen.reflected(*core(Discs(at, np.empty((len(at), 0), dtype=np.float32)), shape))
    # Where haze is taken away that a shadow took before, less than nothing would be left.
    middles = np.maximum(medians(patches), 0.01).astype(np.float64)
    paints = colours[:, [s.colour for s in stacks]].astype(np.float64)
    off = np.min([off_colour(middles, paint) for paint in paints], axis=0)
    shaded = np.min([off_colour(middles, paint, _IN_SHADOW) for paint in paints], axis=0)
    off = np.where(are_lit(seen, at), off, np.minimum(off, shaded))
    return [s for s, misfit in zip(stacks, off, strict=True) if misfit < OFF_COLOUR]


def off_colour(seen: Floats, paint: Floats, sheens: Floats = _SHEENS) -> Floats:
    """How far (N,) tops seen (N, 3) are off the paint (N, 3) that was learned, squared, however lit they are
    and whatever they mirror of these `sheens` (M,), in light; all else in grey levels, white = 1.
    """
    learned, sheen = paint[:, None] ** GAMMA, sheens[:, None]
    now = seen[:, None] ** GAMMA - sheen
    lit = np.clip((now * learned).sum(axis=2) / (learned * learned).sum(axis=2), *_SHADES)[..., None]
    expected = np.maximum(lit * learned + sheen, 0) ** (1 / GAMMA)
    off = ((seen[:, None] - expected) / (_PAINT_SHARE * expected + _PAINT)) ** 2
    return np.asarray(off.sum(axis=2).min(axis=1))


def find_foreign(
    seen: Evidence, shape: Shape, stacks: Iterable[Stack], dice: Iterable[SeenDie]
) -> list[tuple[float, float]]:
    """Where on the plan (mm) something stands that none of the claimed stacks and dice is."""
    half = Canvas(shape.canvas.side_mm, shape.canvas.px_per_mm / 2)
    shape = replace(shape, canvas=half, diameter_mm=shape.diameter_mm + 2 * _ROUND_MM)
    edge = round(half.margin_mm * half.px_per_mm)
    board = slice(edge, -edge), slice(edge, -edge)
    own = _own(seen, shape, stacks, dice)
    left = np.zeros_like(own)
    left[board] = (seen.strange[board] > _STRANGE) & (own[board] == 0)
    if not len(_compact(left, shape)):
        return []
    fine = doubled(left)
    rows, columns = np.nonzero(fine)
    fine[rows, columns] = ~_is_shadow(seen, rows, columns, _tint(seen, own, edge))
    left = (halved(fine * np.uint8(255)) > 127).astype(np.uint8)
    return [(float(x), float(y)) for x, y in _compact(left, shape)]


def _own(seen: Evidence, shape: Shape, stacks: Iterable[Stack], dice: Iterable[SeenDie]) -> Mask:
    """Which squares pieces and dice cover: 1 there, 0 elsewhere. Of stacks all that the highest would."""
    own = np.zeros(seen.active.shape, dtype=np.uint8)
    canvas = shape.canvas
    for top_px in shape.top_px(np.array([(s.x_mm, s.y_mm) for s in stacks]).reshape(-1, 2)):
        shape.draw(own, top_px, (HIGHEST,))
    for die in dice:
        place = np.array([[die.x_mm, die.y_mm]])
        for at in canvas.px(np.vstack([place, shape.camera.lifted(place, DIE_MM)])):
            draw_disc(own, at, (_DIE_REACH_MM + _ROUND_MM) * canvas.px_per_mm)
    return own


def _tint(seen: Evidence, covered: Mask, margin: int) -> Floats:
    """What this frame's shadows take of each channel (3,) of the board's light, in parts of what they take of
    all three: from the pale paint that changed and that nothing covers, in squares.
    """
    some = slice(margin, -margin, _EVERY), slice(margin, -margin)
    rows, columns = np.nonzero(seen.active[some] & (covered[some] == 0))
    now, then = seen.compared(2 * (rows * _EVERY + margin), 2 * (columns + margin))
    pale = then.min(axis=1) > _PALE
    missing = 1 - now[pale].astype(np.float64) / then[pale]
    dim = channel_sum(missing) / 3
    clear = (missing.min(axis=1) > 0) & (dim > _DIM[0]) & (dim < _DIM[1])
    if clear.sum() <= _ENOUGH:
        return np.ones(3)
    return np.asarray(np.median(missing[clear] / dim[clear, None], axis=0))


def _is_shadow(
    seen: Evidence, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp], tint: Floats
) -> npt.NDArray[np.bool_]:
    """Whether points (N,) show the bare board with some of the light gone that this frame's shadows take."""
    now, then = seen.compared(rows, columns)
    then = np.maximum(then, 0.01)
    taken = then * tint
    share = ((then - now) * taken).sum(axis=1) / (taken * taken).sum(axis=1)
    off = np.abs(now - then + np.clip(share, 0, _DARKEST)[:, None] * taken).max(axis=1)
    return np.asarray(off < _OFF + _OFF_SHARE * then.max(axis=1))


def _compact(left: Mask, shape: Shape) -> Floats:
    """The middles (N, 2) on the plan of marked regions large and round enough to be a thing."""
    scale = shape.canvas.px_per_mm
    size = round(_OPEN_MM * scale) | 1
    things = cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    if not things.any():
        return np.empty((0, 2))
    count, labels, stats, middles = cv2.connectedComponentsWithStats(things)
    depth = cv2.distanceTransform(things, cv2.DIST_L2, cv2.DIST_MASK_5) / scale
    radius = np.array([depth[labels == k].max() for k in range(1, count)])
    area = stats[1:, cv2.CC_STAT_AREA] / scale**2
    kept = (area > _LEAST_MM2) & (radius > _LEAST_RADIUS_MM) & (area < _RAGGED * np.pi * radius**2)
    # Between top and foot, if it is a piece.
    return shape.camera.grounded(shape.canvas.mm(middles[1:][kept]), shape.height_mm / 2)

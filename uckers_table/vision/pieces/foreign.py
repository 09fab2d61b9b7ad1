"""Notices what stands on the board and does not belong to the game: a counter of another colour, a coin, a
cap.

A top is none of the game's if it looks like no piece's paint. Paint may be lit in many ways and have a lamp's
sheen on it. Pieces, dice and hands then take their own. If neither light nor shadow explains what is left,
only its place is told.

White and grey things on white paint go unnoticed: they look like the paint in light and in shadow.
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
"""Light that a top may mirror beyond what tops mirrored when colours were learned, in parts of white paint's.
Each value is tried. Paint mirrors a twenty-fifth of what is above it, and much more of a lamp.
"""
_IN_SHADOW = np.linspace(-0.07, -0.05, 3)
"""A top in a person's shadow may mirror this much less. It mirrors no lamp there, and the tops whose colours
were learned may have mirrored one.
"""
_SHADES = (0.03, 2.5)
"""How brightly a top may be lit, in light: in parts of the paint that was learned."""
_PAINT, _PAINT_SHARE = 0.03, 0.08
"""How far a top's paint may stray from the colour learned: a part of white, and a part of its own level."""
OFF_COLOUR = 8.5
"""The squared distance from the learned colour from which a top is no piece's. Pieces come to 4.7 in the
light and 7.6 in deep shadow. Orange taken for yellow comes to 9.3.
"""
_STRANGE = 0.5
"""Evidence (nats) against the bare board from which a point is looked at."""
_DIE_REACH_MM = 12.0
"""From the middle of a die's foot, or of its upper face, to its corners."""
_ROUND_MM = 1.0
"""What lies this near to pieces and dice counts as theirs."""
_DARKEST = 0.7
"""The largest share of the light that a shadow takes. Under one hard lamp it is 0.65; a black counter takes
0.9.
"""
_EVERY = 3
"""Shadows are learned from one row of squares in this many."""
_PALE = 0.5
"""Paint shows the colour of a shadow if it sends back this much of every channel, in parts of white."""
_DIM, _ENOUGH = (0.2, 0.75), 50
"""Shadows whose colour is learned lack a share of the light between these two. More squares than this must
show them.
"""
_OFF, _OFF_SHARE = 0.05, 0.04
"""How far paint in shadow may be off the colour that a shadow should leave, since paint is worn and rough: a
part of white, and a part of its own level.
"""
_OPEN_MM, _LEAST_MM2, _LEAST_RADIUS_MM = 6.0, 180.0, 5.5
"""Opening by the first removes crumbs and the rims of shadows. A thing then has at least this area, and this
distance from edge to middle. The smallest coin covers 250 mm²; a piece covers 330 mm² and its side. What is
left of shadows on six tables covers up to 150 mm², with 5 mm from edge to middle.
"""
_RAGGED = 2.2
"""The largest area of a thing, in parts of the largest circle within it. A piece with its side has 1.3. Haze
that a person's shadow takes away has 3.
"""


def of_the_game(
    stacks: Sequence[Stack], seen: Evidence, shape: Shape, colours: npt.NDArray[np.float32]
) -> list[Stack]:
    """The stacks whose top has the colour that they are said to have. `colours` (paints, seats, 3) are as
    reflected.
    """
    if not stacks:
        return []
    at = shape.top_px(np.array([(s.x_mm, s.y_mm) for s in stacks]))
    middles = paints_at(seen, shape, at)
    paints = colours[:, [s.colour for s in stacks]].astype(np.float64)
    off = np.min([off_colour(middles, paint) for paint in paints], axis=0)
    shaded = np.min([off_colour(middles, paint, _IN_SHADOW) for paint in paints], axis=0)
    off = np.where(are_lit(seen, at), off, np.minimum(off, shaded))
    return [s for s, misfit in zip(stacks, off, strict=True) if misfit < OFF_COLOUR]


def paints_at(seen: Evidence, shape: Shape, tops_px: Floats) -> Floats:
    """What tops (N, 2) in the flat picture send back (N, 3), BGR, white = 1."""
    patches = seen.reflected(*core(Discs(tops_px, np.empty((len(tops_px), 0), dtype=np.float32)), shape))
    # A person's shadow may have taken the haze already. Taking it off once more could leave less than
    # nothing.
    return np.maximum(medians(patches), 0.01).astype(np.float64)


def off_colour(seen: Floats, paint: Floats, sheens: Floats = _SHEENS) -> Floats:
    """How far tops seen (N, 3) are off the paint that was learned (N, 3): squared deviations, summed, (N,).

    A top may be lit in any way, and may mirror any one of these `sheens` (M,). Sheens are light and colours
    are grey levels; white is 1 in both.
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
    """The places (x, y) on the plan, in mm, of things that are none of these claimed stacks and dice."""
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
    """The squares (n, n) that pieces and dice cover: 1 there, 0 elsewhere. A stack covers all that the
    highest one would.
    """
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
    """What this frame's shadows take of each channel (3,), in parts of the mean of all three.

    It is learned from squares of pale paint that have changed and that nothing covers. It is 1 for every
    channel if they are too few. `covered` (n, n) and `margin` are in squares.
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
    """Whether points (N,) show the bare board with a part of the light gone, in the tint of this frame's
    shadows.
    """
    now, then = seen.compared(rows, columns)
    then = np.maximum(then, 0.01)
    taken = then * tint
    share = ((then - now) * taken).sum(axis=1) / (taken * taken).sum(axis=1)
    off = np.abs(now - then + np.clip(share, 0, _DARKEST)[:, None] * taken).max(axis=1)
    return np.asarray(off < _OFF + _OFF_SHARE * then.max(axis=1))


def _compact(left: Mask, shape: Shape) -> Floats:
    """The middles (N, 2), in mm of the plan, of marked regions large and round enough to be a thing."""
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
    # Half way between top and foot, if it is a piece.
    return shape.camera.grounded(shape.canvas.mm(middles[1:][kept]), shape.height_mm / 2)

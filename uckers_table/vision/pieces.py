"""Finding pieces and stacks: tops first, each hiding the board behind it; then what stands under them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from uckers_table.game.board import PIECES
from uckers_table.vision.appearance import Evidence, Map
from uckers_table.vision.camera import Floats
from uckers_table.vision.shape import Mask, Shape, cut, draw_disc, paste
from uckers_table.vision.tops import Disc, core, find_discs, free_angles, weigh

HIGHEST = 4
"""Pieces in the highest stack looked for."""
MIN_SCORE = 0.3
"""Log-odds of being a piece from which one is claimed."""
_MISSED = 1.0
"""Less is enough for a colour of which fewer than four were found: what is missing stands somewhere."""
_DOUBTFUL = 3.0
"""So much less is told as a doubt, and not claimed."""
_MIN_FREE = 0.4
"""The share of a top's edge that other pieces must leave free."""
_STRONG = 3.0
"""Log-odds of a top that is claimed within what looks like the side of a stack."""
_DIE_RADIUS_MM = 10.0
_OTHERS = 255
"""What is claimed by dice and doubts."""
_RUN_STEP, _RUN_SLACK = 0.25, 0.15
"""Sides are weighed in quarters of a piece; the foot's contact shadow may add a little to the last."""
_FIRM = 1.0
"""Mean evidence of a stretch of side that surely is one."""
_STRANGE_WEIGHT = 0.4
_BARE = -2.0


@dataclass(frozen=True)
class Stack:
    """A top, and what may stand under it; the foot of a single piece in plan millimetres.

    `colours` are seats' indices, the top last; those under it are what they would be if there. `score` is
    the log-odds of the top; `levels` how much better each height 1 … explains the picture than one piece.
    Those not claimed are too doubtful, and told only as what else there might be.
    """

    colours: tuple[int, ...]
    x_mm: float
    y_mm: float
    score: float
    levels: tuple[float, ...] = (0.0,)
    is_claimed: bool = True


@dataclass(frozen=True)
class _Top:
    disc: Disc
    colour: int
    score: float


def find(
    seen: Evidence,
    shape: Shape,
    colours: Map,
    likely: Map | None = None,
    dice_px: Sequence[Floats] = (),
    min_score: float = MIN_SCORE,
) -> list[Stack]:
    """All stacks, those claimed first.

    `colours` (seats, 3) as reflected. `likely` (size, size) adds to the log-odds of a piece by where its
    foot is; `dice_px` are the centres of dice's upper faces in the flat picture.
    """
    claimed = np.zeros(seen.active.shape, dtype=np.uint8)
    for die in dice_px:
        draw_disc(claimed, die, _DIE_RADIUS_MM * shape.canvas.px_per_mm, _OTHERS)
    singly = claimed.copy()
    discs = find_discs(seen, shape)
    weighed: list[_Top] = []

    def take(least: float, wanted: Sequence[bool], into: list[_Top], is_claimed: bool) -> None:
        for disc in discs:
            free, needed = free_angles(disc, claimed, shape), least
            if free.mean() < _MIN_FREE:
                # What looks like a stack's side may be a neighbour: four pieces side by side, say.
                free, needed = free_angles(disc, singly, shape), max(least, _STRONG)
            if free.mean() < _MIN_FREE:
                continue
            colour, score = weigh(disc, free, seen, colours, shape)
            score += _at(likely, shape.canvas.px(shape.foot_mm(disc.at_px)[None])[0])
            if score < needed or not wanted[colour]:
                continue
            into.append(_Top(disc, colour, score))
            window = shape.window(disc.at_px)
            height = _first_height(seen, disc.at_px, shape) if is_claimed else 1
            paste(claimed, shape.outline(disc.at_px, height), window, _OTHERS)
            paste(singly, shape.outline(disc.at_px, 1), window, _OTHERS)

    everyone = [True] * len(colours)
    take(min_score, everyone, weighed, True)
    counts = np.bincount([top.colour for top in weighed], minlength=len(colours))
    take(min_score - _MISSED, list(counts < PIECES), weighed, True)
    doubts: list[_Top] = []
    take(min_score - _DOUBTFUL, everyone, doubts, False)
    owners = np.zeros_like(claimed)
    for me, top in reversed(list(enumerate(weighed, 1))):
        paste(owners, shape.outline(top.disc.at_px, 1), shape.window(top.disc.at_px), me)
    stacks = [_climb(seen, top, shape, owners, me) for me, top in enumerate(weighed, 1)]
    return stacks + [_stack(shape, top, is_claimed=False) for top in doubts]


def find_any(seen: Evidence, shape: Shape) -> list[Stack]:
    """All discs of no known colour, the likeliest tops first: what there is before colours are learned."""
    claimed = np.zeros(seen.active.shape, dtype=np.uint8)
    found = []
    for disc in find_discs(seen, shape):
        if free_angles(disc, claimed, shape).mean() < _MIN_FREE:
            continue
        # Shadows have edges as sharp as dark pieces, but nothing strange inside.
        score = disc.sharpness + _STRANGE_WEIGHT * float(seen.strange[core(disc, shape)].mean())
        found.append(_stack(shape, _Top(disc, 0, score)))
        paste(claimed, shape.outline(disc.at_px, 1), shape.window(disc.at_px), _OTHERS)
    return sorted(found, key=lambda s: -s.score)


def _stack(shape: Shape, top: _Top, is_claimed: bool = True) -> Stack:
    x, y = shape.foot_mm(top.disc.at_px)
    return Stack((top.colour,), float(x), float(y), top.score, is_claimed=is_claimed)


def _at(layer: Map | None, px: Floats) -> float:
    if layer is None:
        return 0.0
    column, row = np.clip(np.rint(px).astype(int), 0, layer.shape[0] - 1)
    return float(layer[row, column])


def _first_height(seen: Evidence, top_px: Floats, shape: Shape) -> int:
    """How many pieces high what stands there seems to be, before its neighbours are known."""
    body = cut(seen.solid, shape.window(top_px), _BARE)
    below = shape.outline(top_px, 1)
    for height in range(2, HIGHEST + 1):
        mask = shape.outline(top_px, height)
        band = (mask > 0) & (below == 0)
        if not band.any() or float(body[band].mean()) < _FIRM:
            return height - 1
        below = mask
    return HIGHEST


def _climb(seen: Evidence, top: _Top, shape: Shape, owners: Mask, me: int) -> Stack:
    """The stack under a top: each piece more shows a further stretch of side towards the lens's foot point.

    `owners` says which piece each pixel belongs to: what others cover says nothing.
    """
    window = shape.window(top.disc.at_px)
    owner = cut(owners.astype(np.float32), window, 0)
    mine = (owner == 0) | (owner == me)
    body = cut(seen.solid, window, _BARE)
    runs = np.arange(_RUN_STEP, HIGHEST + _RUN_STEP / 2, _RUN_STEP)
    bands, before = [], np.zeros(body.shape, dtype=np.uint8)
    for run in runs:
        mask = shape.outline(top.disc.at_px, float(run))
        bands.append((mask > 0) & (before == 0) & mine)
        before |= mask
    totals = np.cumsum([float(body[band].sum()) for band in bands])
    # Per square millimetre of what one piece shows of its side: near the lens's foot point next to nothing.
    side = 1 + float(np.linalg.norm(shape.lean_px(top.disc.at_px))) * 2 * shape.top_radius_px
    heights = range(1, HIGHEST + 1)
    # The lowest piece shows a fifth of its side at least, and none shows more than all of it.
    levels = [
        float(totals[(runs > h - 1 + _RUN_SLACK) & (runs <= h + _RUN_SLACK)].max()) / side for h in heights
    ]
    colours = [top.colour]
    layers = [cut(layer, window, _BARE) for layer in seen.llr]
    for height in heights[1:]:
        band = np.any(
            [b for b, run in zip(bands, runs, strict=True) if height - 1 < run <= height - 0.4], axis=0
        )
        colours.append(int(np.argmax([float(layer[band].sum()) for layer in layers])))
    x, y = shape.foot_mm(top.disc.at_px)
    return Stack(
        tuple(reversed(colours)), float(x), float(y), top.score, tuple(v - levels[0] for v in levels)
    )

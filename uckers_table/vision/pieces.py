"""Finding pieces and stacks: tops first, each hiding the board behind it; then what stands under them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from uckers_table.game.board import PIECES
from uckers_table.vision.appearance import Evidence, Map
from uckers_table.vision.camera import Floats
from uckers_table.vision.shape import Mask, Shape, cut, draw_disc, paste
from uckers_table.vision.tops import Flags, Likeness, Rims, core, find_discs

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
    at_px: Floats
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
    if not len(discs):
        return []
    rims, like = Rims(discs, shape), Likeness(discs, seen, colours, shape)
    by_place = _at(likely, shape.feet_px(discs.at_px))

    def next_top(start: int, least: float, wanted: Flags) -> tuple[int, float] | None:
        """The first disc from there on that is a top, and its score."""
        free, needed = rims.free(claimed, start), np.full(len(discs) - start, least)
        hidden = free.mean(axis=1) < _MIN_FREE
        if hidden.any():
            # What looks like a stack's side may be a neighbour: four pieces side by side, say.
            free[hidden] = rims.free(singly, start)[hidden]
            needed[hidden] = max(least, _STRONG)
        scores = like.log_odds(free, start) + by_place[start:]
        good = (free.mean(axis=1) >= _MIN_FREE) & (scores >= needed) & wanted[like.colours[start:]]
        k = int(good.argmax()) if good.any() else None
        return None if k is None else (start + k, float(scores[k]))

    def take(least: float, wanted: Flags, is_claimed: bool) -> Iterator[_Top]:
        found = next_top(0, least, wanted)
        while found is not None:
            k, score = found
            top_px = discs.at_px[k]
            yield _Top(top_px, int(like.colours[k]), score)
            window = shape.window(top_px)
            pieces = shape.stretches(top_px, range(1, HIGHEST + 1))
            height = _first_height(pieces, cut(seen.solid, window, _BARE)) if is_claimed else 1
            paste(claimed, (pieces > 0) & (pieces <= height), window, _OTHERS)
            paste(singly, pieces == 1, window, _OTHERS)
            found = next_top(k + 1, least, wanted) if k + 1 < len(discs) else None

    everyone = np.ones(len(colours), dtype=bool)
    weighed = list(take(min_score, everyone, is_claimed=True))
    counts = np.bincount([top.colour for top in weighed], minlength=len(colours))
    weighed += take(min_score - _MISSED, counts < PIECES, is_claimed=True)
    doubts = list(take(min_score - _DOUBTFUL, everyone, is_claimed=False))
    owners = np.zeros_like(claimed)
    for me, top in reversed(list(enumerate(weighed, 1))):
        paste(owners, shape.outline(top.at_px, 1), shape.window(top.at_px), me)
    stacks = [_climb(seen, top, shape, owners, me) for me, top in enumerate(weighed, 1)]
    return stacks + [_stack(shape, top, is_claimed=False) for top in doubts]


def find_any(seen: Evidence, shape: Shape) -> list[Stack]:
    """All discs of no known colour, the likeliest tops first: what there is before colours are learned."""
    claimed = np.zeros(seen.active.shape, dtype=np.uint8)
    discs = find_discs(seen, shape)
    rims = Rims(discs, shape)
    # Shadows have edges as sharp as dark pieces, but nothing strange inside.
    scores = discs.sharpness + _STRANGE_WEIGHT * seen.strange[core(discs, shape)].mean(axis=1)
    found = []
    for k, (at_px, score) in enumerate(zip(discs.at_px, scores, strict=True)):
        if rims.free(claimed, k)[0].mean() >= _MIN_FREE:
            found.append(_stack(shape, _Top(at_px, 0, float(score))))
            paste(claimed, shape.outline(at_px, 1), shape.window(at_px), _OTHERS)
    return sorted(found, key=lambda s: -s.score)


def _stack(shape: Shape, top: _Top, is_claimed: bool = True) -> Stack:
    x, y = shape.foot_mm(top.at_px)
    return Stack((top.colour,), float(x), float(y), top.score, is_claimed=is_claimed)


def _at(layer: Map | None, px: Floats) -> Floats:
    """A layer's values (N,) at places (N, 2)."""
    if layer is None:
        return np.zeros(len(px))
    columns, rows = np.clip(np.rint(px).astype(np.intp), 0, layer.shape[0] - 1).T
    return np.asarray(layer[rows, columns], dtype=np.float64)


def _first_height(pieces: Mask, solid: Map) -> int:
    """How many pieces high what stands there seems to be, before its neighbours are known.

    Both are windows: which piece of the highest stack, counted from 1 at the top, each pixel would show
    (`Shape.stretches`), and the evidence for anything there.
    """
    sums = np.bincount(pieces.ravel(), weights=solid.ravel(), minlength=HIGHEST + 1)
    areas = np.bincount(pieces.ravel(), minlength=HIGHEST + 1)
    for height in range(2, HIGHEST + 1):
        if not areas[height] or sums[height] / areas[height] < _FIRM:
            return height - 1
    return HIGHEST


def _climb(seen: Evidence, top: _Top, shape: Shape, owners: Mask, me: int) -> Stack:
    """The stack under a top: each piece more shows a further stretch of side towards the lens's foot point.

    `owners` says which piece each pixel belongs to: what others cover says nothing.
    """
    window = shape.window(top.at_px)
    runs = np.arange(_RUN_STEP, HIGHEST + _RUN_STEP / 2, _RUN_STEP)
    stretch = shape.stretches(top.at_px, runs.tolist())
    owner = cut(owners, window, 0)
    mine = np.nonzero((stretch > 0) & ((owner == 0) | (owner == me)))
    # By stretch, the evidence for anything and for each colour.
    solid, *by_colour = (
        np.bincount(stretch[mine] - 1, weights=cut(layer, window, _BARE)[mine], minlength=len(runs))
        for layer in (seen.solid, *seen.llr)
    )
    totals = np.cumsum(solid)
    # Per square millimetre of what one piece shows of its side: near the lens's foot point next to nothing.
    side = 1 + float(np.linalg.norm(shape.lean_px(top.at_px))) * 2 * shape.top_radius_px
    heights = range(1, HIGHEST + 1)
    # The lowest piece shows a fifth of its side at least, and none shows more than all of it.
    levels = [
        float(totals[(runs > h - 1 + _RUN_SLACK) & (runs <= h + _RUN_SLACK)].max()) / side for h in heights
    ]
    colours = [top.colour]
    for height in heights[1:]:
        band = (runs > height - 1) & (runs <= height - 0.4)
        colours.append(int(np.argmax([layer[band].sum() for layer in by_colour])))
    x, y = shape.foot_mm(top.at_px)
    return Stack(
        tuple(reversed(colours)), float(x), float(y), top.score, tuple(v - levels[0] for v in levels)
    )

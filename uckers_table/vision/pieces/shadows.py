"""The shadow that pieces throw in one frame, by what plain ones tell of the lamps; and which others throw it.

It falls mostly on other paint than theirs. So in noise, and on paint of its own colour, it is the plainest
sign of a piece. What a stain or a person's shadow makes look like one throws none. Two pieces on each other
throw one that reaches twice as far, which shows where the lens sees nothing of their side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.picture.arrays import Flags, Floats, Map, Mask
from uckers_table.vision.picture.channels import GAMMA, halved
from uckers_table.vision.pieces.lamps import Lamps
from uckers_table.vision.pieces.shape import Shape

Block = tuple[int, int]

_CELL = 2
"""Pixels of the flat picture to a cell's side, as `evidence` has it."""
_REACH, _SIDE = 24, 49
"""Cells round a foot in which its shadow is looked at: to each side, and from side to side."""
_BLOCK = 15
"""Feet in a block of so many cells from side to side throw one shadow."""
_FEWEST = 5
"""Plain pieces that tell what a shadow looks like."""
_LIT = 0.85
"""Where less of the grey level is left lies a person's shadow, and pieces throw another."""
_ASIDE_MM = 20.0
"""So far from where a person's shadow ends only some of the lamps may shine: pieces throw fainter shadows."""
_SHADOW = 0.03
"""What is darker by so much (a logarithm) is shadow."""
_TAKEN = 0.04
"""Where the shadow of a plain piece is as dark as that, nothing tells of another's."""
_MOST_GONE = 0.95
"""No shadow takes more of the light."""
_UNSURE, _DARKEST = 0.1, 1.05
"""How far (a logarithm) shadows are off what lamps make of them, and the darkest: less than 0.35 of the grey
level is something dark.
"""
_GREY, _UNEVEN, _OFF = 0.5, 0.025, 0.35
"""How far (a logarithm) cells are off what is expected: by so many grey levels of noise, by so much besides,
and by such a part of the shadow.
"""
_BRIGHTER, _DARKER = 0.5, 1.5
"""No cell tells more than one so much brighter, or darker, than the shadow would be."""
_HALF, _STEEP, _LOOKS = 0.8, 5.0, (-3.0, 1.5)
"""Of that shadow pieces show 1.3 in the middle, nineteen in twenty 0.8 and more; other discs 0.05, three in
four less than 0.2 (84 and 1031 on twelve tables). So many nats a whole shadow, from none that tells nothing,
and never more than these.
"""
_ENOUGH = 180.0
"""What is seen of a shadow, in squared sigmas, that tells as much as any."""
_SHOWN, _SOME = 0.8, 30.0
"""Plain pieces show so much of their shadows in the middle, of which so much is seen: where they show less,
lamps are not known.
"""
_FURTHER = (0.4, 15.0, -3.0, 5.0), (0.36, 8.0, -1.7, 3.5)
"""Of what a second piece adds to a shadow, stacks show 1.2 in the middle, 49 in 50 0.55 and more; single
pieces 0.0, 49 in 50 less than 0.45 (81 and 596 on those tables). From what share nothing is told, so many
nats for the whole of it, never less and never more; fewer for a third piece and a fourth: of a third's share
stacks show 1.1 in the middle, one in four less than 0.7; those of two -0.1, one in twenty 0.3 and more.
"""
_FURTHER_ENOUGH, _FURTHER_SEEN = 100.0, (0.1, 0.7)
"""The same for what further pieces add, which other things darken as well; and how much of it must be seen to
tell anything, and as much as any: among other pieces least is.
"""
_WITHIN = 0.1, 0.2
"""How much of what a third piece adds must lie within `_REACH`, as a part of what the first throws there
(squared), to tell anything, and as much as any. A low lamp throws it beyond, and edges are left, which feet a
millimetre off make as well: below the first, 19 places told of a third piece, or none, with a mean loss of
0.83 nats, and to say nothing costs 0.69. Of second pieces, and of fourth ones, such edges tell well enough.
"""
_THIRD = 1
"""Between a third piece and the top stands one."""


@dataclass(frozen=True)
class Shadows:
    """What shadow (side, side) so many pieces throw, `thrown` tells by the block of their foot: how much
    darker it makes the board, a logarithm. How dark the board is (`dark`), in cells with a margin of `_REACH`
    round them, and how surely that is told (`clear`, one over its variance): 0 where things stand, and in
    plain pieces' shadows. `partly` (n, n), without that margin, says where a person's shadow lies or ends.
    """

    dark: Map
    clear: Map
    partly: Flags
    thrown: Callable[[Block, int], Map]
    shape: Shape
    lamps: Lamps

    @classmethod
    def learned(
        cls, seen: Evidence, tops_px: Floats, shape: Shape, owners: Mask, lamps: Lamps | None = None
    ) -> Shadows | None:
        """From plain tops (N, 2) in the flat picture, if the `lamps` are not known; None where they are too
        few, throw none, or throw others than these lamps explain. `owners` (size, size) says where pieces and
        dice stand.
        """
        if len(tops_px) < _FEWEST:
            return None
        dark, told, partly = _darkness(seen, shape, owners)
        feet = shape.feet_px(tops_px) / _CELL
        is_known = lamps is not None
        if lamps is None:
            lamps = _lamps(dark, told, feet, shape)
        if lamps is None:
            return None
        dark, told = (np.pad(cells, _REACH) for cells in (dark, told))

        @cache
        def thrown(block: Block, pieces: int) -> Map:
            row, column = ((k + 0.5) * _BLOCK for k in block)
            gone = lamps.shadow(np.array([column, row]), _SIDE, pieces)
            shadow = -np.log(1 - np.minimum(gone, _MOST_GONE)) / GAMMA
            shadow = np.where(_hidden(block, shape), 0, np.where(shadow > _SHADOW, shadow, 0))
            return np.asarray(cv2.GaussianBlur(shadow.astype(np.float32), (0, 0), 0.7))

        shadows = [thrown(_block(y, x), 1) for x, y in feet]
        total = float(np.sum(shadows))
        if not total:
            return None
        depth = float(np.square(shadows).sum()) / total
        dark = np.clip(dark, -_BRIGHTER * depth, _DARKER * float(np.max(shadows)))
        out = cls(dark, told / (1 + told * (_OFF * depth) ** 2), partly, thrown, shape, lamps)
        # What darkens the board elsewhere may have been taken for shadow.
        return out if is_known or out._usual(tops_px) > _SHOWN else None

    def take(self, top_px: Floats, clear: Map) -> None:
        """Takes a piece with that top (2,), and its shadow as far as it goes, from what is `clear`."""
        for at, taken in self._taken(top_px, clear):
            clear[at][taken] = 0

    def further(self, tops_px: Floats, sure: int, highest: int) -> Floats:
        """Log-likelihoods (N, highest - 1) of a second piece, a third … under tops (N, 2), by how far their
        shadows reach; 0 where that cannot be seen. Those after the first `sure` ones may be no tops, and
        throw no shadow on what belongs to these.
        """
        thrown_by = np.zeros((sure, *self.clear.shape), dtype=np.uint8)
        for own, top_px in zip(thrown_by, tops_px[:sure], strict=True):
            for at, taken in self._taken(top_px, self.clear):
                own[at][taken] = 1
        in_all = thrown_by.sum(axis=0, dtype=np.uint8)
        out = np.zeros((len(tops_px), highest - 1))
        for k, top_px in enumerate(tops_px):
            row, column = self._cell(top_px)
            at = slice(row, row + _SIDE), slice(column, column + _SIDE)
            by_others = in_all[at] - thrown_by[k][at] if k < sure else in_all[at]
            sides = np.zeros((_SIDE * _CELL, _SIDE * _CELL), dtype=np.uint8)
            self.shape.draw(
                sides, top_px, (highest - 1,), ((column - _REACH) * _CELL, (row - _REACH) * _CELL)
            )
            is_free = (by_others == 0) & (cv2.dilate(halved(sides * 255), _AROUND) == 0)
            lower, dark = self.thrown(_block(row, column), 1), self.dark[at]
            once = max(1e-6, float(np.square(lower).sum()))
            lean = self.shape.lean_px(top_px) / _CELL
            for below in range(highest - 1):
                # A stack's foot is nearer to the lens than that of a single piece with the same top.
                move = np.column_stack([np.eye(2), lean * (below + 1)])
                shadow = self.thrown(_block(row, column), below + 2)
                shadow = np.asarray(cv2.warpAffine(shadow, move, (_SIDE, _SIDE)), dtype=np.float32)
                added = shadow - lower
                look = _look_further(dark - lower, added, self.clear[at] * is_free, below)
                if below == _THIRD:
                    look *= _trust(float(np.square(added[added > 0]).sum()) / once, _WITHIN)
                out[k, below] = look
                lower = shadow
        return out

    def _taken(self, top_px: Floats, clear: Map) -> Iterator[tuple[tuple[slice, slice], Flags]]:
        """Windows of the cells, and what a piece with that top (2,) takes in them, with its shadow as far as
        that goes by what is `clear`.
        """
        row, column = self._cell(top_px)
        shadow = self.thrown(_block(row, column), 1)
        near = (shadow > _TAKEN) | _hidden(_block(row, column), self.shape)
        near = cv2.dilate(near.astype(np.uint8), _AROUND) > 0
        reach = self._reach(shadow)
        depth = float(shadow.sum()) / max(1, int((shadow > 0).sum()))
        for part in _FARTHER:
            r, c = np.rint([row, column] + part * reach).astype(int).tolist()
            if not (0 <= r <= len(clear) - _SIDE and 0 <= c <= len(clear) - _SIDE):
                break
            at = slice(r, r + _SIDE), slice(c, c + _SIDE)
            more = self.dark[at][near & (clear[at] > 0)]
            if part and len(more) and more.mean() < _HALF * depth:
                break
            yield at, near

    def _reach(self, shadow: Map) -> Floats:
        """From a foot to the middle of the tip (2,), rows and columns, of its shadow's longest part."""
        if not shadow.any():
            return np.zeros(2)
        cells = np.argwhere(shadow) - _REACH
        way = (cells * shadow[shadow > 0][:, None]).sum(axis=0)
        way = way / max(1e-6, float(np.hypot(*way)))
        radius = self.shape.diameter_mm / 2 * self.shape.canvas.px_per_mm / _CELL
        return np.asarray(way * max(0.0, float(np.percentile(cells @ way, 98)) - radius))

    def looks(self, tops_px: Floats, clear: Map) -> Floats:
        """Log-odds (N,) that pieces have these tops (N, 2), by the shadows that they throw, or don't, on
        what is `clear`; 0 where that cannot be seen. Where a person's shadow is near none speaks against one.
        """
        cells = [self._cell(top_px) for top_px in tops_px]
        return np.array(
            [max(self._look(*cell, clear), 0.0 if self.partly[cell] else -np.inf) for cell in cells]
        )

    def _look(self, row: int, column: int, clear: Map) -> float:
        return max((_told(*shown) for shown in self._shares(row, column, clear)), default=0.0)

    def _shares(self, row: int, column: int, clear: Map) -> Iterator[tuple[float, float]]:
        """How much of its shadow a piece with a foot there, or right beside, shows, and how much of it is
        seen.
        """
        shadow = self.thrown(_block(row, column), 1)
        for y, x in _BESIDE:
            part = slice(row + y, row + y + _SIDE), slice(column + x, column + x + _SIDE)
            weight = clear[part] * shadow
            whole = float(np.vdot(weight, shadow))
            if whole:
                yield float(np.vdot(weight, self.dark[part])) / whole, whole

    def _usual(self, tops_px: Floats) -> float:
        """How much of their shadows pieces with these tops (N, 2) show in the middle."""
        shown = [max(self._shares(*self._cell(top_px), self.clear), default=(0.0, 0.0)) for top_px in tops_px]
        return float(np.median([share for share, whole in shown if whole > _SOME] or [1.0]))

    def _cell(self, top_px: Floats) -> tuple[int, int]:
        """The cell of the foot of a piece with that top (2,), or the nearest that has others all round."""
        foot = np.rint(self.shape.feet_px(top_px[None])[0] / _CELL)
        column, row = np.clip(foot, 1, len(self.dark) - _SIDE - 1).astype(int).tolist()
        return row, column


_FARTHER = np.arange(0.0, 3.1, 0.5)
"""How much farther, in one piece's shadows, those of stacks reach."""
_AROUND = np.ones((3, 3), np.uint8)
_BESIDE = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1)]
"""Tops, and with them feet, are found to a cell or so."""


def _told(share: float, whole: float) -> float:
    """The log-odds of a piece that shows this share of its shadow, of which so much is seen."""
    return float(np.clip(_STEEP * (share - _HALF), *_LOOKS)) * min(1.0, whole / _ENOUGH)


def _look_further(dark: Map, added: Map, clear: Map, below: int) -> float:
    """The log-likelihood of one more piece, by how much darker cells (side, side) are than the pieces above
    make them, and how much it would add; so many stand between it and the top.
    """
    weight = clear * added
    whole = float(np.vdot(weight, added))
    if not whole:
        return 0.0
    seen = float(np.square(added[clear > 0]).sum() / np.square(added).sum())
    half, steep, least, most = _FURTHER[min(below, len(_FURTHER) - 1)]
    look = float(np.clip(steep * (float(np.vdot(weight, dark)) / whole - half), least, most))
    return look * min(1.0, whole / _FURTHER_ENOUGH) * _trust(seen, _FURTHER_SEEN)


def _trust(part: float, between: tuple[float, float]) -> float:
    """None up to the first part, whole from the second on."""
    low, high = between
    return float(np.clip((part - low) / (high - low), 0, 1))


def _block(row: int, column: int) -> Block:
    return int(row) // _BLOCK, int(column) // _BLOCK


def _hidden(block: Block, shape: Shape) -> Flags:
    """What a piece in the middle of a block hides of the cells (side, side) round its foot."""
    row, column = ((b + 0.5) * _BLOCK for b in block)
    foot_mm = shape.canvas.mm(np.array([[column, row]]) * _CELL)[0]
    target = np.zeros((_SIDE * _CELL, _SIDE * _CELL), dtype=np.uint8)
    corner = round(column - _REACH) * _CELL, round(row - _REACH) * _CELL
    shape.draw(target, shape.top_px(foot_mm), (1,), corner)
    return np.asarray(cv2.dilate(halved(target * 255), _AROUND) > 0)


def _darkness(seen: Evidence, shape: Shape, owners: Mask) -> tuple[Map, Map, Flags]:
    """How much darker than it was the board is (n, n), a logarithm, and one over the variance of that; 0
    where things stand, in a person's shadow and beside the board. And where such a shadow is near.
    """
    then, now = seen.board.planes, seen.lit
    bright = halved(then[0] * then[0] + then[1] * then[1] + then[2] * then[2])
    share = halved(now[0] * then[0] + now[1] * then[1] + now[2] * then[2]) / np.maximum(bright, 1)
    dark = -np.log(np.clip(share, 0.2, 2.0))
    # A piece's outline is soft.
    near = cv2.dilate((owners > 0).view(np.uint8), np.ones((5, 5), np.uint8))
    gain = halved(np.reciprocal(seen.light.layers[0]))
    clear = (halved(near) == 0) & (gain > _LIT)
    aside = 2 * round(_ASIDE_MM * shape.canvas.px_per_mm / _CELL) + 1
    partly = cv2.erode(gain, np.ones((aside, aside), np.uint8)) < _LIT
    margin = round(shape.canvas.margin_mm * shape.canvas.px_per_mm) // _CELL + 1
    inside = np.zeros(clear.shape, dtype=bool)
    inside[margin:-margin, margin:-margin] = True
    variance = _GREY**2 / np.maximum(bright, 1) + _UNEVEN**2
    told = np.where(clear & inside, 1 / variance, 0)
    return dark.astype(np.float32), told.astype(np.float32), np.asarray(partly)


def _lamps(dark: Map, told: Map, feet: Floats, shape: Shape) -> Lamps | None:
    """The lamps that explain how `dark` cells are round feet (N, 2) of plain pieces, where that is `told`."""
    left = np.exp(-GAMMA * dark)
    spread = (GAMMA * left) ** 2 * (1 / np.maximum(told, 1e-9) + _UNSURE**2)
    is_thing = cv2.dilate((dark > _DARKEST).view(np.uint8), _AROUND) > 0
    scale = shape.canvas.px_per_mm / _CELL
    return Lamps.learned(
        1 - left,
        np.where((told > 0) & ~is_thing, 1 / spread, 0),
        feet,
        shape.height_mm * scale,
        shape.diameter_mm / 2 * scale,
        scale,
    )

"""The shadows that pieces cast in one frame: plain pieces tell of the lamps, and shadows then tell of other
pieces.

A shadow falls mostly on other paint than its piece stands on. So it is the plainest sign of a piece in noise,
and on paint of the piece's own colour. Stains cast no shadow, and neither does what a person's shadow makes
look like a piece. Two pieces on each other cast a shadow that reaches twice as far. It shows even where the
lens sees nothing of their side.
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
"""Pixels of the flat picture along a cell's side, as in the squares of `evidence`."""
_REACH, _SIDE = 24, 49
"""Cells round a foot in which its shadow is looked at: to each side, and from side to side."""
_BLOCK = 15
"""All feet in a block of this many cells from side to side are taken to cast the same shadow."""
_FEWEST = 5
"""How many plain pieces are needed to tell what a shadow looks like."""
_LIT = 0.85
"""Where less than this share of the grey level is left, a person's shadow lies. Pieces cast other shadows
there.
"""
_ASIDE_MM = 20.0
"""Within this distance of the end of a person's shadow only some of the lamps may shine. Pieces cast fainter
shadows there.
"""
_SHADOW = 0.03
"""What is darker by this (natural logarithm) is shadow."""
_TAKEN = 0.04
"""Where a plain piece's shadow is as dark as this (natural logarithm), nothing tells of another's."""
_MOST_GONE = 0.95
"""The largest share of the light that a shadow takes."""
_UNSURE, _DARKEST = 0.1, 1.05
"""How far shadows are off what lamps explain, and how dark the darkest is (natural logarithms). What has less
than 0.35 of its grey level left is something dark.
"""
_GREY, _UNEVEN, _OFF = 0.5, 0.025, 0.35
"""How far cells may be off what is expected: by this many grey levels of noise, by this much besides
(natural logarithm), and by this part of the shadow.
"""
_BRIGHTER, _DARKER = 0.5, 1.5
"""A cell counts as brighter by no more than `_BRIGHTER` times a shadow's mean depth. It counts as darker by
no more than `_DARKER` times the deepest.
"""
_NEUTRAL, _NATS_A_SHADOW, _LOOKS = 0.8, 5.0, (-3.0, 1.5)
"""How the share of its shadow that a disc shows becomes nats. `_NEUTRAL` gives none, each whole shadow more
gives `_NATS_A_SHADOW`, and `_LOOKS` are the least and the most. On twelve tables 84 pieces show 1.3 of their
shadow in the median, and nineteen in twenty 0.8 or more. The 1031 other discs show 0.05, and three in four
less than 0.2.
"""
_ENOUGH = 180.0
"""How much must be seen of a shadow, in squared sigmas, for it to count in full."""
_SHOWN, _SOME = 0.8, 30.0
"""The lamps are known if plain pieces show at least `_SHOWN` of their shadows, in the median. A piece counts
if more than `_SOME` squared sigmas of its shadow are seen.
"""
_FURTHER = (0.4, 15.0, -3.0, 5.0), (0.36, 8.0, -1.7, 3.5)
"""The same for what further pieces add to a shadow: the share that tells nothing, the nats for the whole of
it, the least and the most. The first four are for a second piece, the others, which tell less, for a third
and a fourth. Of what a second piece adds, 81 stacks on those tables show 1.2 in the median, and 49 in 50 show
0.55 or more. The 596 single pieces show 0.0, and 49 in 50 less than 0.45. Of what a third piece adds, stacks
of three show 1.1, and one in four less than 0.7. Stacks of two show -0.1, and one in twenty 0.3 or more.
"""
_FURTHER_ENOUGH, _FURTHER_SEEN = 100.0, (0.1, 0.7)
"""`_FURTHER_ENOUGH`: how much must be seen of what a further piece adds, in squared sigmas, for it to count
in full. Other things darken it as well. `_FURTHER_SEEN`: the share of it that must be seen to count at all,
and to count in full. Among other pieces least of it is seen.
"""
_WITHIN = 0.1, 0.2
"""How much of what a third piece adds must lie within `_REACH`, to count at all and to count in full. It is
measured (squared) in parts of what the first piece casts there. A low lamp casts the third piece's part
farther out. Only edges of it are left within, and feet that are 1 mm off make edges too. Below the first
value, 19 places told of a third piece, or of none. Their mean loss was 0.83 nats; to say nothing costs 0.69.
For second and fourth pieces edges like that tell well enough.
"""
_THIRD = 1
"""How many pieces stand between a third piece and the top."""


@dataclass(frozen=True)
class Shadows:
    """How dark the board is, in cells, and what shadows pieces cast on it.

    `dark` is how much darker each cell is than the bare board (natural logarithm). `clear` is how surely that
    is told: one over its variance, 0 where things stand, in a person's shadow and beside the board. Both have
    a margin of `_REACH` cells all round. `partly` (n, n), without that margin, marks where a person's shadow
    lies or ends.

    `thrown` gives the shadow (side, side) that a stack casts, by the block of its foot and by its pieces: how
    much darker it makes the board (natural logarithm).
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
        """Learns the lamps, unless they are known, from plain tops (N, 2) in the flat picture.

        It is None if the tops are too few, cast no shadows, or cast others than these lamps explain. `owners`
        (size, size) is above 0 where pieces and dice stand.
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
        # Something else that darkens the board may have been taken for shadow.
        return out if is_known or out._usual(tops_px) > _SHOWN else None

    def take(self, top_px: Floats, clear: Map) -> None:
        """Sets `clear` to 0 where a piece with this top (2,) stands, and along its shadow to the end."""
        for at, taken in self._taken(top_px, clear):
            clear[at][taken] = 0

    def further(self, tops_px: Floats, sure: int, highest: int) -> Floats:
        """Log-likelihoods (N, highest - 1), in nats, of a second piece, a third … under tops (N, 2) of the
        flat picture.

        They follow from how far the shadows reach; 0 where that cannot be seen. Tops after the first `sure`
        ones may be none. Their shadows therefore hide nothing of what belongs to the first ones.
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
        """Yields windows of the cells, and what a piece with this top (2,) takes in each of them, with its
        shadow. They follow the shadow as far as it goes by what is `clear`.
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
            if part and len(more) and more.mean() < _NEUTRAL * depth:
                break
            yield at, near

    def _reach(self, shadow: Map) -> Floats:
        """The way (2,), as rows and columns, from a foot to the tip of the longest part of its shadow."""
        if not shadow.any():
            return np.zeros(2)
        cells = np.argwhere(shadow) - _REACH
        way = (cells * shadow[shadow > 0][:, None]).sum(axis=0)
        way = way / max(1e-6, float(np.hypot(*way)))
        radius = self.shape.diameter_mm / 2 * self.shape.canvas.px_per_mm / _CELL
        return np.asarray(way * max(0.0, float(np.percentile(cells @ way, 98)) - radius))

    def looks(self, tops_px: Floats, clear: Map) -> Floats:
        """Log-odds (N,), in nats, that pieces have these tops (N, 2), by their shadows on what is `clear`.

        It is 0 where that cannot be seen. Near a person's shadow a missing shadow speaks against no piece.
        """
        cells = [self._cell(top_px) for top_px in tops_px]
        return np.array(
            [max(self._look(*cell, clear), 0.0 if self.partly[cell] else -np.inf) for cell in cells]
        )

    def _look(self, row: int, column: int, clear: Map) -> float:
        return max((_told(*shown) for shown in self._shares(row, column, clear)), default=0.0)

    def _shares(self, row: int, column: int, clear: Map) -> Iterator[tuple[float, float]]:
        """Yields what share of its shadow a piece shows whose foot is there or right beside. The second value
        is how much of the shadow is seen (squared sigmas).
        """
        shadow = self.thrown(_block(row, column), 1)
        for y, x in _BESIDE:
            part = slice(row + y, row + y + _SIDE), slice(column + x, column + x + _SIDE)
            weight = clear[part] * shadow
            whole = float(np.vdot(weight, shadow))
            if whole:
                yield float(np.vdot(weight, self.dark[part])) / whole, whole

    def _usual(self, tops_px: Floats) -> float:
        """The share of their shadows that pieces with these tops (N, 2) show in the median."""
        shown = [max(self._shares(*self._cell(top_px), self.clear), default=(0.0, 0.0)) for top_px in tops_px]
        return float(np.median([share for share, whole in shown if whole > _SOME] or [1.0]))

    def _cell(self, top_px: Floats) -> tuple[int, int]:
        """The cell (row, column) of the foot of a piece with this top (2,), or the nearest with cells all
        round.
        """
        foot = np.rint(self.shape.feet_px(top_px[None])[0] / _CELL)
        column, row = np.clip(foot, 1, len(self.dark) - _SIDE - 1).astype(int).tolist()
        return row, column


_FARTHER = np.arange(0.0, 3.1, 0.5)
"""The steps in which a shadow is followed, in lengths of one piece's shadow beyond the first. Shadows of
stacks reach that far.
"""
_AROUND = np.ones((3, 3), np.uint8)
_BESIDE = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1)]
"""The cells round a foot that are tried too. Tops, and with them feet, are found to a cell or so."""


def _told(share: float, whole: float) -> float:
    """The log-odds (nats) of a piece that shows this `share` of its shadow, of which `whole` squared sigmas
    are seen.
    """
    return float(np.clip(_NATS_A_SHADOW * (share - _NEUTRAL), *_LOOKS)) * min(1.0, whole / _ENOUGH)


def _look_further(dark: Map, added: Map, clear: Map, below: int) -> float:
    """The log-likelihood (nats) of one more piece, with `below` pieces between it and the top.

    `dark` (side, side) is how much darker cells are than the pieces above make them, and `added` how much the
    piece would add.
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
    """0 up to the first of the two, 1 from the second on, and in proportion in between."""
    low, high = between
    return float(np.clip((part - low) / (high - low), 0, 1))


def _block(row: int, column: int) -> Block:
    return int(row) // _BLOCK, int(column) // _BLOCK


def _hidden(block: Block, shape: Shape) -> Flags:
    """The cells (side, side) round its foot that a piece in the middle of a block hides."""
    row, column = ((b + 0.5) * _BLOCK for b in block)
    foot_mm = shape.canvas.mm(np.array([[column, row]]) * _CELL)[0]
    target = np.zeros((_SIDE * _CELL, _SIDE * _CELL), dtype=np.uint8)
    corner = round(column - _REACH) * _CELL, round(row - _REACH) * _CELL
    shape.draw(target, shape.top_px(foot_mm), (1,), corner)
    return np.asarray(cv2.dilate(halved(target * 255), _AROUND) > 0)


def _darkness(seen: Evidence, shape: Shape, owners: Mask) -> tuple[Map, Map, Flags]:
    """How dark the board is: three layers of cells (n, n).

    The first is how much darker it is than it was (natural logarithm). The second is one over the variance of
    that: 0 where things stand, in a person's shadow and beside the board. The third marks where a person's
    shadow is near.
    """
    then, now = seen.board.planes, seen.lit
    bright = halved(then[0] * then[0] + then[1] * then[1] + then[2] * then[2])
    share = halved(now[0] * then[0] + now[1] * then[1] + now[2] * then[2]) / np.maximum(bright, 1)
    dark = -np.log(np.clip(share, 0.2, 2.0))
    # A piece's outline is soft, so the cells next to it do not count either.
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
    """The lamps that explain how `dark` cells are round feet (N, 2) of plain pieces, where that is `told`;
    None if no lamps do.
    """
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

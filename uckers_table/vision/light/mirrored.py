"""What the varnish of the bare board mirrors of lamps, and how much of that a person's shadow takes away.

The image of a lamp lies on the board's paint in the picture of the bare board. If a person stands in that
lamp's light, its image is gone, and the paint that it lay on shows. That paint is darker and of a purer
colour, as if something stood there.

Paint tells what is mirrored. The light of an image is the same in all channels. It comes on top of the
paint's own colour, of which each seat has one. An image is finer than light, which varies slowly. But how
much of an image is left varies slowly too.

All values here are light, not grey levels, in parts of what white paint sends back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.game.board import DOORSTEP, Plan
from uckers_table.vision.light.light import EVERY_ROW, BareBoard, Light
from uckers_table.vision.picture.arrays import Flags, Floats, Image, Map
from uckers_table.vision.picture.channels import GAMMA, halved, places_at
from uckers_table.vision.place.flat import Canvas

_SpotsBySeat = Sequence[Sequence[tuple[float, float]]]

_MOST = 1.6
"""The most light there is, in parts of white paint's."""
_HUE, _PALE, _OWN = 0.95, 0.5, 0.15
"""How a seat's paint is told. A point shows it if its difference from grey has the paint's direction (a
cosine above `_HUE`). That difference must also have at least `_PALE` of its 80th percentile. The share `_OWN`
of these points that is darkest, by the darkest channel, shows the paint's own colour.
"""
_LIT, _AS_LIT = (0.3, 1.25), 0.75
"""`_LIT`: how brightly paint may be lit, in parts of its own colour. `_AS_LIT`: paint beside a base must be
lit by at least this part of what the base is. Wood of the paint's hue is pale, and seems half as brightly
lit.
"""
_OFF, _OFF_SHARE, _MUCH = 0.07, 0.15, 0.6
"""Light may be off the paint's own and what is mirrored by `_OFF`, and by `_OFF_SHARE` of what is mirrored.
If more than `_MUCH` is mirrored, the picture is white and tells no paint.
"""
_WHITE, _HALO = 0.45, 0.2
"""Paint that sends back more than `_WHITE` in every channel is white with a lamp, if the paint beside it
mirrors more than `_HALO`.
"""
_BASE_CELLS, _WIDE_BASE, _SPOT_MM = 2.05, 2.4, 19.0
"""A base is painted within `_BASE_CELLS` cells of its middle, except for spots with a radius of `_SPOT_MM`.
Some of its paint may lie farther out, up to `_WIDE_BASE` cells along either axis.
"""
_SPECK_MM, _SOFT_MM = 5.0, 1.2
"""Specks up to `_SPECK_MM` are worn paint and no lamps. Noise is softened by a blur with a sigma of
`_SOFT_MM`.
"""
_BESIDE_MM, _FADES, _LEAST_BESIDE = 8.0, 0.1, 0.3
"""Lines, white paint and wood mirror what paint does within `_BESIDE_MM`. `_FADES` lets that fade where
little paint is near. They keep at least `_LEAST_BESIDE` of their light.
"""
_LEAST = 0.8
"""Paint without what it mirrors is never darker than this part of its own colour."""
_EVERY, _WINDOW = 8, 7
"""Squares of `_EVERY` pixels a side, in windows of `_WINDOW` squares a side, tell what is left of the light
and of what is mirrored.
"""
_BAND = 8 * _EVERY
"""How many rows of light are made at once. A layer of the whole board takes six megabytes."""
_TRUST = (0.2, 0.1, 0.06, 0.04)
"""How far a square may be off its window's light and still count. Each round has its own value."""
_HOLD_LIGHT, _HOLD_MIRRORED = 0.002, 0.002
"""Weights that hold the light as it was told before, and hold the images at what is left of the light. They
count where a window shows little of either.
"""
_SHADOW, _LESS, _SHARE = 0.8, 0.05, 0.01
"""A shadow may take a lamp's image away where less than `_SHADOW` of the grey level is left. It may also do
so where the haze has lost more than `_LESS` of white. At least `_SHARE` of the picture must show either.
"""
_DIM, _KEPT, _GONE = 0.92, 0.9, 0.12
"""In a shadow less than `_DIM` of the light is left, and of what is mirrored less than `_KEPT` of that.
Somewhere more than `_GONE` of white's light must be gone to be worth the work.
"""
_NEAR_MM, _NEAR_OFF = 9.0, 0.15
"""Of lamps side by side one may be hidden and the other not. A window of `_NEAR_MM` tells which. Light that
is off by more than `_NEAR_OFF` counts for no more.
"""
_MORE, _MORE_COST = np.linspace(0, 1, 5, dtype=np.float32), 0.002
"""Windows tell how much of an image is missing. `_MORE` are the shares of it that are tried as still there.
`_MORE_COST` is what all of it costs, in squared light.
"""
_AROUND_MM, _SOME_PAINT = 30.0, 0.05
"""How far to all sides of a piece paint is looked at for what it mirrors; and the share of it that must be
paint.
"""
_FINE_MM, _UNSURE = 4.0, 0.25
"""In what is gone, detail finer than `_FINE_MM` is uncertain by the part `_UNSURE` of its size."""
_BLIND = 0.2
"""Paint that was white in a lamp's image may be lit otherwise than told, by this part of its level."""


class Mirrored:
    """What a bare board mirrors in its paint. It is learned when it is first asked for.

    `spots_mm` (seats, 4, 2) are the places of pieces in their bases, in mm of the plan. The spots there have
    other paint.
    """

    def __init__(self, board: BareBoard, plan: Plan, canvas: Canvas, spots_mm: _SpotsBySeat) -> None:
        self._board, self._plan, self._canvas, self._spots_mm = board, plan, canvas, spots_mm

    def without_gone(self, now: Image, light: Light) -> BareBoard | None:
        """The bare board without what is mirrored in it and missing in this picture; None if next to nothing
        is missing.

        `now` is a flat picture, `softened`. `light` is told without any knowledge of images.
        """
        every = slice(_EVERY // 2, None, _EVERY)
        per_gain, veil = light.layers[:, every, every]
        if ((per_gain > 1 / _SHADOW) | (veil < -_LESS)).mean() < _SHARE:
            return None
        left = self._left(now, light, per_gain, veil)
        dull, most = np.empty_like(self._board.grey), np.empty(left.shape, dtype=np.float32)
        off = np.empty_like(most)
        for rows in self._bands():
            was, grey = self._was(rows), self._board.grey[:, rows]
            gone = (was - self._told[0][:, rows]) * (1 - left[rows])
            now_dull = np.maximum(was - gone, 0) ** (1 / GAMMA) * self._board.white_planes[:, rows]
            dull[:, rows] = np.where(gone != 0, np.clip(np.rint(now_dull), 0, 255).astype(np.uint8), grey)
            most[rows] = gone.max(axis=0)
            off[rows] = (grey.astype(np.float32) - dull[:, rows]).mean(axis=0)
        if float(most.max()) < _GONE:
            return None
        fine = _FINE_MM * self._canvas.px_per_mm
        off -= cv2.GaussianBlur(off, (0, 0), fine)
        unsure = _UNSURE * cv2.GaussianBlur(off * off, (0, 0), fine) ** 0.5
        # How paint is lit that was white changes gradually, and blurs no edge.
        uneven = unsure.copy()
        blind = self._told[2] & (most > 0)
        unsure[blind] += _BLIND * dull[:, blind].mean(axis=0)
        without = np.asarray(np.moveaxis(dull, 0, -1), dtype=np.uint8)
        return BareBoard(without, self._board.white, unsure, uneven)

    def around(self, places_mm: Floats) -> Floats:
        """How much light (N,) is mirrored in the paint round pieces at places (N, 2) of the plan (mm); NaN
        where no paint is near.
        """
        known = self._told[1]
        off = [(self._was(rows) - self._told[0][:, rows]).mean(axis=0) for rows in self._bands()]
        mirrored = np.where(known, np.concatenate(off), 0)
        rows, columns, _ = places_at(self._canvas.px(places_mm), self._canvas.size)
        size = 2 * round(_AROUND_MM * self._canvas.px_per_mm) + 1
        total, paint = (
            cv2.blur(layer.astype(np.float32), (size, size))[rows, columns] for layer in (mirrored, known)
        )
        return np.asarray(np.where(paint > _SOME_PAINT, total / np.maximum(paint, _SOME_PAINT), np.nan))

    def _bands(self) -> Iterator[slice]:
        """The rows of the board, some at a time."""
        size = self._canvas.size
        return (slice(start, min(start + _BAND, size)) for start in range(0, size, _BAND))

    def _was(self, rows: slice = EVERY_ROW) -> Map:
        """The light (3, rows, size) of the bare board as it was seen. It is too large to be kept."""
        return _light(self._board.grey[:, rows].astype(np.float32) / self._board.white_planes[:, rows])

    @cached_property
    def _told(self) -> tuple[npt.NDArray[np.float16], Flags, Flags]:
        """The dull light of the bare board, and where its paint is known and white.

        The dull light (3, size, size) is without what is mirrored in the paint, in half the memory. The
        second (size, size) marks paint whose own colour is known. The third (size, size) marks where that is
        so although the paint was white.
        """
        light = self._was()
        scale, shape = self._canvas.px_per_mm, light.shape[1:]
        own, mirrored = np.zeros_like(light), np.zeros(shape, dtype=np.float32)
        known, white = np.zeros((2, *shape), dtype=bool)
        speck = np.ones((round(_SPECK_MM * scale) | 1,) * 2, np.uint8)

        def spread(layer: Map, mm: float) -> Map:
            return np.asarray(cv2.GaussianBlur(layer, (0, 0), mm * scale), dtype=np.float32)

        for seat in range(self._plan.board.arms):
            paint = _Paint.on(light, self._paint(seat))
            if paint is not None:
                for layer, colour in zip(own, paint.colour, strict=True):
                    layer += paint.lit * colour
                mirrored += np.where(paint.known, paint.mirrored, 0)
                known |= paint.known
                white |= paint.white
        is_beside = spread(mirrored, _BESIDE_MM) > _HALO * spread(known.astype(np.float32), _BESIDE_MM)
        _, labels = cv2.connectedComponents(white.astype(np.uint8))
        white &= np.isin(labels, np.unique(labels[white & is_beside]))
        mirrored[white] = (light - own).mean(axis=0)[white]
        known |= white
        mirrored = spread(np.asarray(cv2.morphologyEx(mirrored, cv2.MORPH_OPEN, speck)), _SOFT_MM)
        around = spread(np.where(known, mirrored, 0), _BESIDE_MM)
        around /= spread(known.astype(np.float32), _BESIDE_MM) + _FADES
        mirrored = np.where(known, mirrored, around)
        whole = np.asarray(cv2.morphologyEx(white.astype(np.float32), cv2.MORPH_CLOSE, speck))
        whole = spread(whole * known, _SOFT_MM) * known
        for was, layer in zip(light, own, strict=True):
            dull = np.maximum(was - mirrored, np.where(known, _LEAST * layer, _LEAST_BESIDE * was))
            layer[:] = np.minimum(was, dull + whole * (layer - dull))
        return own.astype(np.float16), known, white

    @cached_property
    def _coarse(self) -> tuple[Map, Map, Map]:
        """In squares: the dull light (3, n, n), what is mirrored (3, n, n), and how much of each is known
        (n, n).
        """
        dull, known, _ = self._told
        squares = _squares(dull)
        was = np.concatenate([_squares(self._was(rows)) for rows in self._bands()], axis=1)
        return squares, was - squares, _squares(known[None])[0]

    def _left(self, now: Image, light: Light, per_gain: Map, veil: Map) -> Map:
        """How much is left (size, size) of what is mirrored, in parts of what is left of the light.

        `per_gain` (n, n) is one over the gain, and `veil` (n, n) the haze, in squares.
        """
        dull, mirrored, known = self._coarse
        seen = np.concatenate([_squares(self._in_white(now, light, rows)) for rows in self._bands()], axis=1)
        seen *= (light.per_channel(per_gain) / per_gain) ** GAMMA
        inside = np.where(seen.max(axis=0) > 0, known, 0)
        # This guess is right on white paint, which sends back much more than it mirrors.
        first = np.clip(1 / per_gain + veil / light.balance.mean(), 0.3, 1.2) ** GAMMA
        lit = kept = first
        for trust in _TRUST:
            off = seen - lit * dull - kept * mirrored
            weight = inside / (1 + (off * off).sum(axis=0) / trust**2) ** 2
            pairs = (dull, dull), (dull, mirrored), (mirrored, mirrored), (dull, seen), (mirrored, seen)
            sums = [weight * (one * other).sum(axis=0) for one, other in pairs]
            a, b, c, p, q = (cv2.blur(each, (_WINDOW, _WINDOW)) for each in sums)
            a, b, c = a + _HOLD_LIGHT + _HOLD_MIRRORED, b - _HOLD_MIRRORED, c + _HOLD_MIRRORED
            p = p + _HOLD_LIGHT * first
            det = a * c - b * b
            lit = np.clip((p * c - b * q) / det, 0.05, _MOST)
            kept = np.clip((a * q - b * p) / det, 0, _MOST)
        left = np.clip(kept / lit, 0, 1)
        left = np.where((lit < _DIM) & (left < _KEPT), left, 1)
        return self._of_each_lamp(now, light, *(np.asarray(a, dtype=np.float32) for a in (lit, left)))

    def _of_each_lamp(self, now: Image, light: Light, lit: Map, left: Map) -> Map:
        """How much is left (size, size) of what is mirrored, in parts of what is left of the light, point by
        point.

        At some points more is left than windows tell. A person who stands in the light of one lamp leaves the
        image of the next as bright as it was.
        """
        size, scale = now.shape[1::-1], self._canvas.px_per_mm
        lit, left = (
            cv2.resize(a, size, interpolation=cv2.INTER_LINEAR).astype(np.float32) for a in (lit, left)
        )
        told = self._told[1] & (left < 1) & (now.max(axis=2) > 0)
        if not told.any():
            return left
        costs = np.empty((len(_MORE), *told.shape), dtype=np.float32)
        for rows in self._bands():
            dull, per_gain, kept = self._told[0][:, rows], light.layers[0, rows], lit[rows] * left[rows]
            mirrored, rest = self._was(rows) - dull, self._in_white(now, light, rows)
            rest *= (light.per_channel(per_gain) / per_gain) ** GAMMA
            rest -= lit[rows] * dull
            for cost, more in zip(costs, _MORE, strict=True):
                off = rest - (kept + more * (1 - kept)) * mirrored
                cost[rows] = np.minimum((off * off).sum(axis=0), _NEAR_OFF**2) * told[rows]
        window = (round(_NEAR_MM * scale) | 1,) * 2
        for cost, more in zip(costs, _MORE, strict=True):
            cost[:] = cv2.blur(cost, window) + more * _MORE_COST
        more = _MORE[np.argmin(costs, axis=0)]
        return np.asarray(
            left + cv2.GaussianBlur(more, (0, 0), _SOFT_MM * scale) * np.maximum(1 / lit - left, 0)
        )

    def _in_white(self, now: Image, light: Light, rows: slice) -> Map:
        """The light (3, rows, size) that a flat picture shows, in parts of white paint's. Shadows have their
        tint.
        """
        white = self._board.white_planes[:, rows] * light.balance[:, None, None]
        return _light(np.asarray(np.moveaxis(now[rows], -1, 0) / white, dtype=np.float32))

    def _paint(self, seat: int) -> _Parts:
        """Where the paint of a seat is."""
        plan, board = self._plan, self._plan.board
        x, y = self._canvas.grid_mm
        middle, half = plan.side_mm / 2, plan.cell_mm / 2
        chute = [plan.chute_cell(seat, steps) for steps in board.chute]
        way_x, way_y = np.sign(np.rint(np.subtract(plan.centre_mm(chute[-1]), middle))).tolist()
        towards = (x - middle) * way_x + (y - middle) * way_y
        across = (x - middle) * way_y - (y - middle) * way_x
        squares = (towards < 3 * half) & (towards > np.abs(across))
        for cell in (*chute, plan.cell(seat, DOORSTEP)):
            if cell is not None:
                cell_x, cell_y = plan.centre_mm(cell)
                squares |= (np.abs(x - cell_x) < half) & (np.abs(y - cell_y) < half)
        corner = [cell for cell in np.ndindex(plan.cells, plan.cells) if plan.base_of(cell) == seat]
        base_x, base_y = np.mean([plan.centre_mm(cell) for cell in corner], axis=0).tolist()
        base = np.hypot(x - base_x, y - base_y) < _BASE_CELLS * plan.cell_mm
        wide = np.maximum(np.abs(x - base_x), np.abs(y - base_y)) < _WIDE_BASE * plan.cell_mm
        return _Parts(squares, base & ~self._spots, (wide & ~base) | (base & self._spots))

    @cached_property
    def _spots(self) -> Flags:
        """Where the spots of all bases are (size, size)."""
        x, y = self._canvas.grid_mm
        spots = np.zeros((self._canvas.size, self._canvas.size), dtype=bool)
        for spot_x, spot_y in (spot for of_seat in self._spots_mm for spot in of_seat):
            rows, columns = (
                np.flatnonzero(np.abs(along - at) < _SPOT_MM) for along, at in ((y, spot_y), (x, spot_x))
            )
            near = np.ix_(rows, columns)
            spots[near] |= np.hypot(x[0, columns] - spot_x, y[rows] - spot_y) < _SPOT_MM
        return spots


@dataclass(frozen=True)
class _Parts:
    """Where a seat's paint is (size, size).

    `squares` are its chute, doorstep and home, and `base` is its base. `beside` is where some of its paint
    may lie beside the base.
    """

    squares: Flags
    base: Flags
    beside: Flags


@dataclass(frozen=True)
class _Paint:
    """A seat's paint, with its own `colour` (3,). All else is (size, size), and 0 elsewhere.

    `lit` is how brightly it is lit, and `mirrored` how much it mirrors where that is `known`. `white` marks
    where it is too white to tell.
    """

    colour: Map
    lit: Map
    mirrored: Map
    known: Flags
    white: Flags

    @classmethod
    def on(cls, light: Map, parts: _Parts) -> _Paint | None:
        """The paint by the light (3, size, size) that the board sends back; None if the paint is grey."""
        squares, base, beside = parts.squares, parts.base, parts.beside
        colour = _own_colour(light[:, squares], light[:, squares | base])
        if colour is None:
            return None
        lit, mirrored = np.zeros((2, *light.shape[1:]), dtype=np.float32)
        known, white = np.zeros((2, *light.shape[1:]), dtype=bool)
        may_be = squares | base | beside
        lit[may_be], mirrored[may_be], known[may_be] = _on_paint(light[:, may_be], colour)
        if (known & base).any():
            known &= ~beside | (lit > _AS_LIT * np.median(lit[known & base]))
        for part in (squares, base):
            if (known & part).any():
                lit[part & ~known] = np.median(lit[known & part])
                white |= part & ~known & (light.min(axis=0) > _WHITE)
        return cls(colour, lit, mirrored, known, white)


def _light(planes: Map) -> Map:
    """The light of grey levels, both in parts of white paint's."""
    return np.asarray(np.clip(planes, 0, _MOST ** (1 / GAMMA)) ** GAMMA, dtype=np.float32)


def _squares(planes: npt.NDArray[Any]) -> Map:
    """The means of planes (…, size, size) in squares: (…, n, n)."""
    return np.stack([halved(plane.astype(np.float32), _EVERY.bit_length() - 1) for plane in planes])


def _own_colour(squares: Map, painted: Map) -> Map | None:
    """The own colour (3,) of a seat's paint, from where it mirrors least; None if the paint is grey.

    `squares` (3, N) is light on the seat's squares, and `painted` (3, M) wherever its paint surely is.
    """
    way = np.median(squares - squares.min(axis=0), axis=1)
    off = painted - painted.min(axis=0)
    much = np.linalg.norm(off, axis=0)
    is_hue = way @ off > _HUE * np.linalg.norm(way) * np.maximum(much, 1e-6)
    if not is_hue.any():
        return None
    is_hue &= much > _PALE * np.quantile(much[is_hue], 0.8)
    darkest = painted.min(axis=0)
    own = is_hue & (darkest <= np.quantile(darkest[is_hue], _OWN))
    return np.asarray(np.median(painted[:, own], axis=1), dtype=np.float32)


def _on_paint(light: Map, own: Map) -> tuple[Map, Map, Flags]:
    """How brightly paint of its `own` colour (3,) is lit (N,), how much it mirrors (N,), and whether it is
    that paint (N,).

    `light` (3, N) is what it sends back.
    """
    power, total = float(own @ own), float(own.sum())
    lit = (3 * (own @ light) - total * light.sum(axis=0)) / (3 * power - total**2)
    lit = np.clip(lit, *_LIT).astype(np.float32)
    rest = light - lit * own[:, None]
    mirrored = np.maximum(rest.mean(axis=0), 0)
    known = np.abs(rest - mirrored).max(axis=0) < _OFF + _OFF_SHARE * mirrored
    return lit, mirrored, known & (mirrored < _MUCH)

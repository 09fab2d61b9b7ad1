"""Pieces that lie on the table beside the board: knocked off, for example.

They are looked for only when a piece is missing, in the camera's picture at a quarter of its size. A piece is
a spot that was not there when the board was bare, as large as a piece and of a missing colour.

Beyond the flat picture nothing else looks for pieces. Within it `tops` does, but as if the table were as high
as the board, so it misses some.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.sighting import SeenDie
from uckers_table.vision.picture.arrays import Flags, Floats, Image, Map
from uckers_table.vision.picture.channels import brightest, channel_sum
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.shape import Shape, draw_disc
from uckers_table.vision.pieces.tops import nearest_colours
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas

_SMALLER = 4
"""How many pixels of the picture, along a side, one pixel of the small picture stands for."""
_SHADED, _CLEAR, _NOISE = 0.05, 0.12, 3.0
"""Least differences from the bare table, in parts of white paint's level. `_SHADED` shows what was not there
before, with its shadow; it is raised to `_NOISE` times the mean difference. `_CLEAR` shows it without its
shadow.
"""
_AREA, _SIZE = (0.6, 2.6), (0.75, 2.0)
"""The area and the sides of a spot that may be a piece, in parts of a top's. They allow for what is seen of
the piece's side.
"""
_BESIDE_MM = 4.0
"""What reaches nearer to the board's edge than this may stand on the board and lean out over the table."""
_MISFIT, _LEAD = 6.0, 3.0
"""The most misfit of a piece's colour, and its least lead over the next one (see `nearest_colours`). The
light on the table is known less well than the board's.
"""
_LAMP, _LEAD_IN_LAMP = 0.1, 8.0
"""A spot is also tried with this much light, in parts of white paint's, mirrored all over it; its lead must
then be this large. A blue piece under a window had a misfit of 5.7 to 10.9 without that light. With it the
misfit was 1.3 and the lead 11.9.
"""
_DARKEST = 0.55
"""The least brightness, in parts of the colour's on the board. What is darker may be of any colour."""
_SCORE = 2.0
"""Log-odds (nats) of a piece that is found on the table."""


class Floor:
    """What lay on one table round the bare board."""

    def __init__(self, bare: Image, camera: CameraModel, canvas: Canvas, white: Map) -> None:
        """`bare` is the camera's picture of the bare board, and `white` (size, size, 3) what white paint
        shows on the board laid flat.
        """
        self._bare = _small(bare)
        self._camera = camera
        self._canvas = canvas
        self._white = np.asarray(np.median(white.reshape(-1, 3)[::97], axis=0), dtype=np.float32)

    def find(
        self,
        picture: Image,
        shape: Shape,
        colours: Map,
        balance: Map,
        missing: Collection[int],
        known: Sequence[Stack | SeenDie] = (),
    ) -> list[Stack]:
        """Pieces of the `missing` seats that lie beside the board in a camera's picture.

        `shape` has the camera's pose in this picture. `colours` (seats, 3) are as reflected. `balance` (3,)
        is how the light has changed since the bare board, for each channel. A piece that lies within a
        diameter of a `known` top or die is left out.
        """
        now = _small(picture)
        bare = self._as_it_may_look(shape.camera, balance)
        off, unlike = (_difference(now, bare, how_much) for how_much in (_at_all, _but_shadow))
        found: list[Stack] = []
        clear = _CLEAR * float(self._white.max())
        for changed in (off > self._least(off), off > clear, unlike > clear):
            for piece in self._pieces(now, changed, shape, colours, balance):
                apart = [np.hypot(f.x_mm - piece.x_mm, f.y_mm - piece.y_mm) for f in (*found, *known)]
                if piece.colour in missing and min(apart, default=np.inf) > shape.diameter_mm:
                    found.append(piece)
        return found

    def new(self, picture: Image, shape: Shape, balance: Map, tops: Sequence[Stack]) -> list[Stack]:
        """The `tops` without those beside the board where the table looks as it did round the bare board.

        Those are false tops. They appear when the board moves: the flat picture moves with it, and the table
        does not.
        """
        side = self._canvas.side_mm
        beside = [top for top in tops if not (0 < top.x_mm < side and 0 < top.y_mm < side)]
        if not beside:
            return list(tops)
        off = _difference(_small(picture), self._as_it_may_look(shape.camera, balance), _at_all)
        least = self._least(off)
        places = np.array([(top.x_mm, top.y_mm) for top in beside])
        middles = shape.camera.project(shape.camera.lifted(places, shape.height_mm)) / _SMALLER
        old = []
        for top, middle, diameter in zip(beside, middles, _diameters_px(shape, places), strict=True):
            disc = np.zeros(off.shape, np.uint8)
            draw_disc(disc, middle, float(diameter) / 2)
            differs = off[disc > 0]
            if len(differs) and np.median(differs) <= least:
                old.append(top)
        return [top for top in tops if top not in old]

    def _least(self, off: Image) -> float:
        """The difference (grey levels) from which something was not there before, or lies in a shadow now. It
        rises with the mean difference all over the picture.
        """
        return max(_SHADED * float(self._white.max()), _NOISE * float(off.mean()))

    def _pieces(
        self, now: Image, changed: Flags, shape: Shape, colours: Map, balance: Map
    ) -> Iterator[Stack]:
        """Yields the changed spots of the small picture that have the size and the colour of a piece."""
        lone = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        _, labels, stats, middles = cv2.connectedComponentsWithStats(lone, connectivity=8)
        usual = _diameters_px(shape, np.full((1, 2), self._canvas.side_mm / 2))[0] ** 2
        some = np.flatnonzero((stats[:, 4] > usual / 4) & (stats[:, 4] < 4 * usual))
        places = shape.camera.unproject(middles[some] * _SMALLER + (_SMALLER - 1) / 2)
        sizes = _diameters_px(shape, places)
        filled = stats[some, 4] / (np.pi * sizes**2 / 4)
        sides = stats[some, 2:4] / sizes[:, None]
        fits = (_AREA[0] < filled) & (filled < _AREA[1])
        fits &= (_SIZE[0] < sides.min(axis=1)) & (sides.max(axis=1) < _SIZE[1])
        fits &= self._are_beyond(stats[some, :4], shape.camera)
        for k, place in zip(some[fits], places[fits], strict=True):
            left, top, width, height, _ = stats[k]
            part = slice(top, top + height), slice(left, left + width)
            own = (labels[part] == k).astype(np.uint8)
            # The rim is left out, since it blends with the table.
            core = cv2.erode(own, np.ones((3, 3), np.uint8), borderValue=0)
            seen = np.median(now[part][(core if core.any() else own) > 0], axis=0) / balance / self._white
            seat = _of_piece(seen.astype(np.float32), colours)
            if seat is not None:
                yield Stack(seat, float(place[0]), float(place[1]), _SCORE)

    def _as_it_may_look(self, camera: CameraModel, balance: Map) -> list[Image]:
        """The small picture of the bare board in this light, in one or two versions.

        If the camera's pose has changed, either the board or the camera was moved. If it was the board, the
        table looks as it did. There is a version for each.
        """
        lit = np.asarray(cv2.transform(self._bare, np.diag(balance)), dtype=np.uint8)
        return [lit] if camera is self._camera else [lit, self._as_seen_by(lit, camera)]

    def _as_seen_by(self, bare: Image, camera: CameraModel) -> Image:
        side = self._canvas.side_mm
        corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float64)
        then, now = (c.project(corners).astype(np.float32) / _SMALLER for c in (self._camera, camera))
        warped = cv2.warpPerspective(
            bare, cv2.getPerspectiveTransform(then, now), bare.shape[1::-1],
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        return np.asarray(warped, dtype=np.uint8)

    def _are_beyond(self, boxes: npt.NDArray[np.generic], camera: CameraModel) -> Flags:
        """Which boxes (N, 4) of the small picture lie beyond the board's edge: left, top, width and height of
        each.
        """
        left, top, width, height = boxes.T
        ends = [
            np.column_stack([left + right * width, top + low * height]) for right in (0, 1) for low in (0, 1)
        ]
        corners = camera.unproject(np.vstack(ends) * float(_SMALLER)).reshape(len(ends), -1, 2)
        before = corners.max(axis=0) < -_BESIDE_MM
        behind = corners.min(axis=0) > self._canvas.side_mm + _BESIDE_MM
        return np.asarray((before | behind).any(axis=1))


def _difference(now: Image, bare: Sequence[Image], how_much: Callable[[Image, Image], Image]) -> Image:
    """How much a picture differs, point by point, from the one of these that is most like it there."""
    return np.asarray(np.min([how_much(now, then) for then in bare], axis=0), dtype=np.uint8)


def _but_shadow(now: Image, then: Image) -> Image:
    """How much a picture differs, in its worst channel, from another that is dimmed point by point to fit."""
    seen, was = now.astype(np.float32), then.astype(np.float32)
    left = np.clip(channel_sum(seen * was) / np.maximum(channel_sum(was * was), 1), 0, 1)
    return np.asarray(brightest(np.abs(seen - left[..., None] * was)), dtype=np.uint8)


def _at_all(now: Image, then: Image) -> Image:
    """How much a picture differs from another in its worst channel."""
    return np.asarray(brightest(cv2.absdiff(now, then)), dtype=np.uint8)


def _of_piece(seen: Map, colours: Map) -> int | None:
    """The seat whose piece has this colour (3,), in parts of the board's white; None if no piece has.

    `colours` (seats, 3) are as reflected. A lamp may be mirrored in the piece.
    """
    for lamp, least in ((0.0, _LEAD), (_LAMP, _LEAD_IN_LAMP)):
        best, misfit, lead, lit = nearest_colours(seen[None], colours, lamp=lamp)
        if misfit[0] < _MISFIT and lead[0] > least and lit[0] > _DARKEST:
            return int(best[0])
    return None


def _diameters_px(shape: Shape, places_mm: Floats) -> Floats:
    """The diameters (N,) of pieces at places (N, 2) of the plan, in pixels of the small picture."""
    beside = places_mm + np.array([shape.diameter_mm, 0.0])
    across = shape.camera.project(beside) - shape.camera.project(places_mm)
    return np.asarray(np.linalg.norm(across, axis=1) / _SMALLER)


def _small(picture: Image) -> Image:
    return np.asarray(cv2.blur(picture[1::_SMALLER, 1::_SMALLER], (3, 3)), dtype=np.uint8)

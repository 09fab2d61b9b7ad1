"""Pictures in which one lone piece is gone, or stands elsewhere. All else in them is as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import dist

import cv2
import numpy as np

from tools.reader.tables import Piece, Stand
from uckers_table.game.board import Cell, Plan
from uckers_table.vision.picture.arrays import Floats, Image, Map
from uckers_table.vision.place.camera import CameraModel

Point = tuple[float, float]
"""(x, y) on the plan, in millimetres."""

_HALF_MM, _RING_MM = 36.0, 7.0
"""Half the side of the patch that is exchanged, and how far round it the light is compared."""
_CLEAR_MM = 50.0
"""How near to the middle of a patch nothing else may stand, along the board's sides."""
_PLAIN = 0.9
"""The share of its top that a plainly visible piece shows."""
_IN_SQUARE_MM = 9.0
"""How far off its square's middle a piece may stand that is moved."""
_TOLD = 12
"""Grey levels of the bare board from which a pixel tells the light."""
_DIFFERS = 14
"""Grey levels from which a pixel is of the piece or its shadow."""
MOST_SQUARES = 4
"""How far a piece is moved at most."""


def lone(stand: Stand) -> list[Piece]:
    """Pieces on the track that are plainly visible and have nothing near them."""
    return [
        piece
        for piece in stand.pieces
        if piece.place == "track" and not piece.level and piece.visible > _PLAIN
        if _is_clear(piece.xy_mm, stand, piece)
    ]


def goals(plan: Plan, stand: Stand, piece: Piece) -> Iterator[Cell]:
    """Empty squares, nothing near them, in the piece's own lane and one to four squares on or back."""
    steps_by_cell = plan.steps_by_cell[plan.board.seat(piece.colour)]
    if piece.cell not in steps_by_cell or _far(piece.xy_mm, plan.centre_mm(piece.cell)) > _IN_SQUARE_MM:
        return
    doorsteps = {plan.track_cells[n * plan.board.squares_per_seat] for n in range(plan.board.arms)}
    for cell in steps_by_cell:
        squares = dist(cell, piece.cell)
        is_in_lane = 0 in (cell[0] - piece.cell[0], cell[1] - piece.cell[1])
        # Doorsteps have other paint, which a patch would carry along.
        is_near = is_in_lane and 1 <= squares <= MOST_SQUARES and not {cell, piece.cell} & doorsteps
        if is_near and all(_is_clear(plan.centre_mm(at), stand, piece) for at in (cell, piece.cell)):
            yield cell


def lifted(stand: Stand, piece: Piece) -> Stand:
    """The same without that piece."""
    return replace(stand, pieces=tuple(p for p in stand.pieces if p is not piece))


def moved(plan: Plan, stand: Stand, piece: Piece, cell: Cell) -> Stand:
    """The same with that piece in the middle of another square."""
    there = replace(piece, cell=cell, xy_mm=plan.centre_mm(cell))
    return replace(stand, pieces=(*lifted(stand, piece).pieces, there))


def without(picture: Image, bare: Image, camera: CameraModel, at: Point) -> Image:
    """The picture without what stands there: the bare board, in the light that falls round it."""
    inner, outer = _patch(camera, at), _patch(camera, at, _HALF_MM + _RING_MM)
    ring = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(ring, np.rint(outer).astype(np.int32), 255)
    cv2.fillConvexPoly(ring, np.rint(inner).astype(np.int32), 0)
    # The median: the piece's own shadow may lie over a part of the ring.
    told = (ring > 0) & (bare.min(axis=2) >= _TOLD)
    light = np.median(picture[told] / bare[told].astype(np.float64), axis=0) if told.any() else np.ones(3)
    return _mixed(picture, bare * light, _inside(picture, inner))


def put(picture: Image, gone: Image, camera: CameraModel, here: Point, there: Point) -> Image:
    """`gone`, the picture without the piece that stands here, with that piece and its shadow there."""
    soft, bare = (cv2.GaussianBlur(each, (0, 0), 1.2) for each in (picture, gone))
    differs = (cv2.absdiff(soft, bare).max(axis=2) > _DIFFERS).astype(np.uint8)
    whole = cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    whole = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((13, 13), np.uint8))
    _, parts, sizes, _ = cv2.connectedComponentsWithStats(whole)
    # Other parts are specks of worn paint.
    largest = (parts == 1 + int(sizes[1:, cv2.CC_STAT_AREA].argmax())) if len(sizes) > 1 else whole > 0
    wide = cv2.dilate(largest.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(np.float32)
    thing = np.asarray(cv2.GaussianBlur(wide, (0, 0), 1.5)) * _inside(picture, _patch(camera, here))
    way = cv2.getPerspectiveTransform(
        _patch(camera, here).astype(np.float32), _patch(camera, there).astype(np.float32)
    )
    size = picture.shape[1], picture.shape[0]
    patch = cv2.warpPerspective(picture, way, size, flags=cv2.INTER_CUBIC)
    share = np.asarray(cv2.warpPerspective(thing, way, size, flags=cv2.INTER_LINEAR), dtype=np.float32)
    return _mixed(gone, patch.astype(np.float64), share.clip(0, 1))


def _far(one: Point, other: Point) -> float:
    """How far apart two points are along the board's sides."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _is_clear(at: Point, stand: Stand, but: Piece) -> bool:
    """Whether nothing but that piece is near a point."""
    things = [*(p.xy_mm for p in stand.pieces if p is not but), *(die.xy_mm for die in stand.dice)]
    return all(_far(thing, at) > _CLEAR_MM for thing in things)


def _patch(camera: CameraModel, at: Point, half_mm: float = _HALF_MM) -> Floats:
    """The corners (4, 2), in pixels, of a square on the plan."""
    ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return camera.project([(at[0] + half_mm * x, at[1] + half_mm * y) for x, y in ways])


def _inside(picture: Image, corners_px: Floats) -> Map:
    """1 inside, 0 outside, and soft between (rows, columns)."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners_px).astype(np.int32), 255)
    soft = cv2.GaussianBlur(cv2.erode(mask, np.ones((9, 9), np.uint8)), (0, 0), 3)
    return np.asarray(soft.astype(np.float32) / 255)


def _mixed(picture: Image, other: Floats, share: Map) -> Image:
    return np.clip(picture * (1 - share[..., None]) + other * share[..., None], 0, 255).astype(np.uint8)

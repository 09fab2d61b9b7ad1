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
from uckers_table.vision.profile import TableProfile

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
_SHADOW_PX = 2.5
"""How far the light round a piece is smoothed before its shadow is taken along."""
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
    # On deep paint a shadow is told badly, and a rim of the paint round the piece comes along.
    doorsteps = plan.track_cells[:: plan.board.squares_per_seat]
    arm, steps_by_cell = plan.board.arm_length, plan.steps_by_cell[plan.board.seat(piece.colour)]
    if piece.cell not in steps_by_cell or piece.cell in doorsteps:
        return
    if _far(piece.xy_mm, plan.centre_mm(piece.cell)) > _IN_SQUARE_MM:
        return
    for cell in steps_by_cell:
        lanes = ((cell[n], piece.cell[n]) for n in (0, 1))
        is_in_lane = any(here == there and here in (arm, arm + 2) for here, there in lanes)
        is_near = is_in_lane and 1 <= dist(cell, piece.cell) <= MOST_SQUARES and cell not in doorsteps
        if is_near and _is_clear(plan.centre_mm(cell), stand, piece):
            yield cell


def lifted(stand: Stand, piece: Piece) -> Stand:
    """The same without that piece."""
    return replace(stand, pieces=tuple(p for p in stand.pieces if p is not piece))


def moved(plan: Plan, piece: Piece, cell: Cell) -> Piece:
    """That piece on another square, as far from its middle."""
    assert piece.cell is not None
    (x, y), (from_x, from_y), (to_x, to_y) = piece.xy_mm, plan.centre_mm(piece.cell), plan.centre_mm(cell)
    return replace(piece, cell=cell, xy_mm=(x + to_x - from_x, y + to_y - from_y))


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


def put(picture: Image, gone: Image, profile: TableProfile, here: Point, there: Point) -> Image:
    """`gone`, the picture without the piece that stands here, with that piece and its shadow there.

    The piece is copied. Its shadow takes the share of light that it takes here, whatever the paint there.
    """
    camera = profile.camera
    corners_px = [_patch(camera, at).astype(np.float32) for at in (here, there)]
    way = cv2.getPerspectiveTransform(corners_px[0], corners_px[1])
    soft, bare = (cv2.GaussianBlur(each, (0, 0), _SHADOW_PX).astype(np.float32) for each in (picture, gone))
    inside = _inside(picture, _patch(camera, here))[..., None]
    dimmed = 1 - inside * (1 - (soft / np.maximum(1, bare)).clip(0.1, 1))
    angles = np.linspace(0, 2 * np.pi, 32)
    round_mm = np.column_stack([np.cos(angles), np.sin(angles)]) * profile.piece_diameter_mm / 2 + here
    rims = [np.column_stack([round_mm, np.full(32, -z)]) for z in (0.0, profile.piece_height_mm)]
    outline = cv2.convexHull(camera.project(np.vstack(rims)).astype(np.float32))
    body = np.zeros(picture.shape[:2], np.float32)
    cv2.fillConvexPoly(body, np.rint(outline).astype(np.int32), 1.0)
    body = np.asarray(cv2.GaussianBlur(body, (0, 0), 0.8))
    size = picture.shape[1], picture.shape[0]
    piece, share = (cv2.warpPerspective(each, way, size, flags=cv2.INTER_LINEAR) for each in (picture, body))
    shadow = cv2.warpPerspective(dimmed, way, size, borderMode=cv2.BORDER_REPLICATE)
    return _mixed((gone * shadow).astype(np.uint8), piece.astype(np.float64), np.asarray(share, np.float32))


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

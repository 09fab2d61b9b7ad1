"""Whether a picture that should show the bare board does, told from that picture alone.

Nothing can be compared with an earlier picture. So a white square is compared with those at the same place of
the other arms, and a base with itself blurred so far that no piece is left in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from uckers_table.game.board import PIECES, Plan
from uckers_table.vision.dice.spots import Smoothed
from uckers_table.vision.dice.stance import SeenScene
from uckers_table.vision.light.appearance import SensorNoise, evidence
from uckers_table.vision.light.light import BareBoard, light_change, softened, white_light
from uckers_table.vision.picture.arrays import Image
from uckers_table.vision.picture.channels import Halves
from uckers_table.vision.pieces.first_seen import first_seen
from uckers_table.vision.pieces.height import HEIGHTS_MM
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas, Laying

_HALF_MM = 14.0
"""Half the side of the patch that is looked at in a square: its lines stay outside."""
_DARK, _SHARE, _SQUARES = 0.3, 0.25, 3
"""A point is covered if a channel lacks `_DARK` of white. A square is, if `_SHARE` more of it is covered than
of its like on the other arms. On bare boards the third most covered square had 0.14 at most (`python -m
tools.tables.turns`, on the tables named in `paint`); with a hand over them, 0.4 and more on nine of twelve.
"""
_BLUR_MM = 44.0
"""The side of the window whose median stands for the bare board. A piece fills a quarter of it."""
_FOUR = 5.5
"""The score (nats, see `first_seen`) of the fourth best disc in a base from which pieces stand there. A
single disc may be a printed spot. On bare boards it is 2.6 at most, with all sixteen in base 8.6 at least
(`python -m tools.tables.turns`, on the tables named in `paint`).
"""


_Place = tuple[float, float]


@dataclass(frozen=True)
class NotBare:
    """Something on a board that should be bare: where in the picture (pixels), and what it is."""

    x_px: float
    y_px: float
    is_piece: bool


@dataclass(frozen=True)
class Signs:
    """What speaks against a bare board.

    `covered`: how much more of a square is covered than of its like, for the square that is `_SQUARES`-th
    most; it lies, with the most covered one, at `square_mm`. `fourth`: the score of the best fourth disc of
    a base, and `piece_mm` the foot of the best disc there.
    """

    covered: float
    square_mm: _Place
    fourth: float
    piece_mm: _Place


def standing_on(picture: Image, camera: CameraModel, plan: Plan, diameter_mm: float) -> NotBare | None:
    """What stands on the board in a BGR picture that `camera` took; None if it is bare.

    `diameter_mm` is that of a piece. Four pieces are looked for in each base, and anything on the squares.
    """
    signs = signs_of(picture, camera, plan, diameter_mm)
    is_piece = signs.fourth > _FOUR
    if not is_piece and signs.covered < _SHARE:
        return None
    x, y = camera.project([signs.piece_mm if is_piece else signs.square_mm])[0]
    return NotBare(float(x), float(y), is_piece)


def signs_of(picture: Image, camera: CameraModel, plan: Plan, diameter_mm: float) -> Signs:
    """What speaks against a bare board in a picture; see `standing_on`."""
    canvas = Canvas(plan.side_mm)
    flat = Laying.of(camera, canvas).lay(picture)
    covered, square = _covered(flat, canvas, plan)
    fourth, piece = _fourth(picture, flat, camera, canvas, plan, diameter_mm)
    return Signs(covered, square, fourth, piece)


def _covered(flat: Image, canvas: Canvas, plan: Plan) -> tuple[float, _Place]:
    reflected = flat / white_light(flat, canvas, plan)
    half = round(_HALF_MM * canvas.px_per_mm)
    middles = [plan.centre_mm(cell) for cell in plan.track_cells]
    shares = np.array(
        [
            (reflected[y - half : y + half + 1, x - half : x + half + 1].min(axis=2) < 1 - _DARK).mean()
            for x, y in np.rint(canvas.px(middles)).astype(int)
        ]
    ).reshape(-1, plan.board.squares_per_seat)
    more = shares - np.median(shares, axis=0)
    more[:, 0] = 0.0  # Doorsteps have their seats' paint.
    return float(np.sort(more.ravel())[-_SQUARES]), middles[int(more.argmax())]


def _fourth(
    picture: Image, flat: Image, camera: CameraModel, canvas: Canvas, plan: Plan, diameter_mm: float
) -> tuple[float, _Place]:
    blurred = _without_pieces(picture, camera)
    bare_flat = Laying.of(camera, canvas).lay(blurred)
    bare, now = (Smoothed.of(Halves(one), camera.px_per_mm) for one in (blurred, picture))
    white = white_light(flat, canvas, plan)
    board = BareBoard(softened(bare_flat, canvas), white)
    light = light_change(bare_flat, board)
    soft = softened(flat, canvas)
    seen = evidence(soft, board, np.empty((0, 3), np.float32), SensorNoise.between(soft, board, light), light)
    reflected = np.ascontiguousarray(soft / white, dtype=np.float32)
    shape = Shape(camera, canvas, float(np.mean(HEIGHTS_MM)), diameter_mm)
    scene = SeenScene(now, camera, bare, camera, float(white.mean()))
    fourths = [
        (stacks[PIECES - 1].score, (stacks[0].x_mm, stacks[0].y_mm))
        for stacks in first_seen(seen, shape, scene, reflected, reflected, plan)
        if len(stacks) >= PIECES
    ]
    return max(fourths, default=(-np.inf, (0.0, 0.0)))


def _without_pieces(picture: Image, camera: CameraModel) -> Image:
    """The picture with everything gone that is as small as a piece."""
    small = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    median = cv2.medianBlur(small, round(_BLUR_MM * camera.px_per_mm / 4) * 2 + 1)
    size = picture.shape[1], picture.shape[0]
    return np.asarray(cv2.resize(median, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)

"""Finding the board in a picture by its painted cells, whatever it lies on and whichever way round.

The cells of the cross are squares between dark lines: their outlines make a lattice, and the cross of
72 cells fits a lattice in one place only. Which quarter turn it is, the paint tells (`paint`).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.errors import CalibrationError
from uckers_table.game.board import Cell, Plan
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.picture.channels import brightest, channels_of

_SIDE_RANGE = (0.016, 0.075)
"""A cell's side over the picture's short side: boards that fill from a quarter of it to all of it."""
_ENOUGH_CELLS = 24
"""Of 72. With fewer the place in the lattice is not certain: an arm alone fits in several."""
_PLENTY_OF_CELLS = 60
"""With this many cells in one lattice no other is tried."""
_MOST_ASLANT = 1.3
"""How many times as long as wide a square cell may seem."""
_OBLONG, _OBLONG_FROM, _LIKE, _ENOUGH_OBLONG = 1.8, 1.1, 0.35, 12
"""Cells that are `_OBLONG_FROM` to `_OBLONG` times as long as wide are no squares, if `_ENOUGH_OBLONG` or
more lie one way and as many across. `_LIKE`: how far, as a logarithm, their sizes may be apart.
"""
_SEEDS = 60
_FINE_PX = 1300
"""Pictures with a short side of twice as many pixels are halved before squares are looked for: lines are two
pixels wide then.
"""


def cross_cells(plan: Plan) -> tuple[Cell, ...]:
    """The cells of the four arms (home left out): 72."""
    arm = plan.board.arm_length
    middle = range(arm, arm + 3)
    return tuple(
        (c, r) for c in range(plan.cells) for r in range(plan.cells) if (c in middle) != (r in middle)
    )


def _squares(picture: Image) -> Floats:
    """Outlines like a painted cell's, each once: (N, 4) of centre x, y, side, angle in degrees (-45 … 45)."""
    x, y, across, down, angle = _outlines(picture, _MOST_ASLANT).T
    squares = np.column_stack([x, y, np.sqrt(across * down), (angle + 45) % 90 - 45])
    return np.asarray(squares[_each_once(squares)])


def _outlines(picture: Image, longest: float) -> Floats:
    """Outlines (N, 5) of four-sided things of a cell's size: centre x, y, two sides, the angle of the first.

    The longer side is at most `longest` times the shorter. One thing may have several outlines.
    """
    shrink = max(1, round(min(picture.shape[:2]) / _FINE_PX))
    if shrink > 1:
        size = (picture.shape[1] // shrink, picture.shape[0] // shrink)
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    short = min(picture.shape[:2])
    low, high = (share * short for share in _SIDE_RANGE)
    found: list[tuple[float, float, float, float, float]] = []
    smooth = cv2.GaussianBlur(picture, (0, 0), short / _FINE_PX)
    blue, green, red = channels_of(smooth)
    dimmest = cv2.min(cv2.min(blue, green), red)
    for channel in (cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY), brightest(smooth), dimmest):
        mean = cv2.blur(channel, (round(short * 0.025) | 1,) * 2)
        for depth in (0.92, 0.8):
            inside = cv2.compare(channel, cv2.convertScaleAbs(mean, alpha=depth), cv2.CMP_GT)
            outlines, _ = cv2.findContours(inside, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
            for outline in outlines:
                if len(outline) < 4:
                    continue
                # Most are specks. Their upright boxes show it in a tenth of the time.
                _, _, across, down = cv2.boundingRect(outline)
                if not (low < min(across, down) and max(across, down) < 1.5 * high):
                    continue
                (x, y), (w, h), angle = cv2.minAreaRect(outline)
                if not (low < min(w, h) and max(w, h) < high):
                    continue
                if max(w, h) > longest * min(w, h) or cv2.contourArea(outline) < 0.75 * w * h:
                    continue
                found.append((x, y, w, h, angle))
    out = np.array(found).reshape(-1, 5)
    # A shrunken pixel stands for the middle of its square.
    out[:, :2] = (out[:, :2] + 0.5) * shrink - 0.5
    out[:, 2:4] *= shrink
    return out


def oblong_cells(picture: Image) -> float | None:
    """How many times as long as wide the cells of a board are whose cells are not square; None if no board
    of oblong cells is seen.

    Those of two arms lie across those of the others. A slanting view makes all oblong the same way.
    """
    outlines = _outlines(picture, _OBLONG)
    sides = np.sqrt(outlines[:, 2] * outlines[:, 3])
    cells = _each_once(np.column_stack([outlines[:, :2], sides]))
    if len(cells) < _ENOUGH_CELLS:
        return None
    across, down, angle = outlines[cells, 2:].T
    long = np.maximum(across, down) / np.minimum(across, down)
    is_alike = np.abs(np.log(sides[cells] / np.median(sides[cells]))) < _LIKE
    is_oblong = is_alike & (long > _OBLONG_FROM)
    if not is_oblong.any():
        return None
    way = np.radians(np.where(across > down, angle, angle + 90))
    # Ways a quarter turn apart count as one, which tells how the board lies.
    board = np.angle(np.exp(4j * way[is_oblong]).sum()) / 4
    along = np.cos(2 * (way - board))
    fewer = min(np.count_nonzero(is_oblong & (side * along > _ALONG)) for side in (1, -1))
    return float(np.median(long[is_oblong])) if fewer >= _ENOUGH_OBLONG else None


_ALONG = 0.7
"""The cosine of twice the angle within which cells lie one way, or across it."""


def _each_once(squares: Floats) -> list[int]:
    """Of outlines (N, …), each a centre x, y, a side and more, the numbers of one for each cell: of several,
    the one of middle size.
    """
    kept: list[int] = []
    left = np.ones(len(squares), dtype=bool)
    for k in range(len(squares)):
        if left[k]:
            off = np.abs(squares[:, :2] - squares[k, :2]).max(axis=1)
            same = np.flatnonzero(left & (off < 0.25 * squares[k, 2]))
            left[same] = False
            kept.append(int(same[np.argsort(squares[same, 2])[len(same) // 2]]))
    return kept


def _homography(source: Floats, target: Floats) -> Floats | None:
    matrix, _ = cv2.findHomography(source, target, cv2.RANSAC, 4.0)
    return None if matrix is None else np.asarray(matrix, dtype=np.float64)


def _affine(source: Floats, target: Floats) -> Floats | None:
    matrix, _ = cv2.estimateAffine2D(source, target)
    return None if matrix is None else np.vstack([matrix, [0.0, 0.0, 1.0]])


def apply(matrix: Floats, points: npt.ArrayLike) -> Floats:
    """Points (N, 2) under a homography (3 × 3)."""
    p = np.asarray(points, dtype=np.float64)
    q = np.column_stack([p, np.ones(len(p))]) @ matrix.T
    return np.asarray(q[:, :2] / q[:, 2:])


def _grow(squares: Floats, seed: int) -> tuple[Floats, Floats]:
    """The lattice that contains one square: (N, 2) indices and (N, 2) centres in pixels."""
    x, y, side, angle = squares[seed]
    a = np.radians(angle)
    pitch = side * 1.07
    basis = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) * pitch
    matrix = np.eye(3)
    matrix[:2, :2], matrix[:2, 2] = basis, (x, y)
    index, centre = np.zeros((1, 2)), squares[seed : seed + 1, :2]
    reach = 1
    for _ in range(9):
        near = _round_about(index, reach)
        places = apply(matrix, near)
        gap = ((places[:, None] - squares[None, :, :2]) ** 2).sum(axis=2)
        best = gap.argmin(axis=1)
        # In a lattice that has collapsed many places lie near one square: it counts for the nearest.
        is_its_own = gap.argmin(axis=0)[best] == np.arange(len(near))
        hit = is_its_own & (gap[np.arange(len(near)), best] < (0.17 * pitch) ** 2)
        if hit.sum() < 4:
            return index, centre
        grown = hit.sum() > len(index)
        index, centre = near[hit], squares[best[hit], :2]
        better = _affine(index, centre) if len(index) < 6 else _homography(index, centre)
        if better is None:
            return index, centre
        matrix = better
        if not grown:
            if reach > 1:
                break
            reach = 4
    return index, centre


def _round_about(index: Floats, reach: int) -> Floats:
    """The lattice places (N, 2) at most `reach` steps from those given, and at most 14 from the first."""
    grid = np.zeros((29, 29), dtype=np.uint8)
    columns, rows = np.rint(index).astype(np.intp).T + 14
    grid[columns, rows] = 1
    wide = cv2.dilate(grid, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    return np.argwhere(wide > 0).astype(np.float64) - 14


def lattice(picture: Image, plan: Plan) -> Floats | None:
    """The homography (3 × 3) from cells (column, row; a cell's centre is whole) to pixels, or None.

    It may be any of the four quarter turns. Its place on the lattice is the one where the cross fits.
    """
    squares = _squares(picture)
    if len(squares) < _ENOUGH_CELLS:
        return None
    index, centre = np.zeros((0, 2)), np.zeros((0, 2))
    typical = np.median(squares[:, 2])
    order = np.argsort(np.abs(squares[:, 2] - typical))
    for seed in order[:: max(1, len(order) // _SEEDS)]:
        grown = _grow(squares, int(seed))
        if len(grown[0]) > len(index):
            index, centre = grown
        if len(index) >= _PLENTY_OF_CELLS:
            break
    if len(index) < _ENOUGH_CELLS:
        return None
    cells = np.rint(index).astype(np.intp)
    inside, shift = _best_shift(cells, plan)
    if inside < _ENOUGH_CELLS:
        return None
    cross = set(cross_cells(plan))
    keep = np.array([(int(c), int(r)) in cross for c, r in cells + shift])
    return _homography(index[keep] + shift, centre[keep])


def _best_shift(cells: npt.NDArray[np.intp], plan: Plan) -> tuple[int, npt.NDArray[np.intp]]:
    """Where on the lattice the cross fits cells (N, 2) best: how many it takes in, and the shift (2,)."""
    far = 43
    room = np.zeros((plan.cells + 2 * far,) * 2, dtype=np.intp)
    columns, rows = np.array(cross_cells(plan)).T + far
    room[columns, rows] = 1
    shifts = np.arange(-14, 29)
    inside = np.zeros((len(shifts), len(shifts)), dtype=np.intp)
    for column, row in cells + far:
        inside += room[column + shifts[:, None], row + shifts]
    # A square outside the cross counts against a place twice as much as one inside counts for it.
    best = np.unravel_index(int((3 * inside - 2 * len(cells)).argmax()), inside.shape)
    return int(inside[best]), shifts[np.array(best)]


def from_corners(corners_px: Sequence[tuple[float, float]], plan: Plan) -> Floats:
    """The homography from cells to pixels for the board's corners, clockwise from the picture's top left."""
    if len(corners_px) != 4:
        raise CalibrationError(f"--corners takes four points, not {len(corners_px)}")
    target = np.array(corners_px, dtype=np.float32)
    if not np.isfinite(target).all():
        raise CalibrationError("--corners must be pixels in the empty picture, X,Y each")
    if not cv2.isContourConvex(target) or cv2.contourArea(target) < 100:
        raise CalibrationError(
            "--corners do not go round the board but cross it: give them in order, clockwise from the "
            "picture's top left"
        )
    if cv2.contourArea(target, oriented=True) < 0:
        raise CalibrationError("--corners go round anticlockwise: give them clockwise from the top left")
    side = plan.side_mm
    return cell_homography([(0, 0), (side, 0), (side, side), (0, side)], target, plan)


def cell_homography(places_mm: npt.ArrayLike, places_px: npt.ArrayLike, plan: Plan) -> Floats:
    """The homography from cells to pixels that takes four places on the plan (4, 2) to pixels (4, 2)."""
    cells = (np.asarray(places_mm) - plan.border_mm) / plan.cell_mm - 0.5
    target = np.asarray(places_px, dtype=np.float32)
    return np.asarray(cv2.getPerspectiveTransform(cells.astype(np.float32), target), dtype=np.float64)


def mm_homography(cell_to_px: Floats, plan: Plan) -> Floats:
    """The same homography for plan millimetres."""
    half = plan.border_mm + plan.cell_mm / 2
    to_cell = np.array([[1, 0, -half], [0, 1, -half], [0, 0, plan.cell_mm]]) / plan.cell_mm
    return cell_to_px @ to_cell

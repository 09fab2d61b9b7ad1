"""Which way round the board lies: one assignment of all four seats, by their paint and by their pieces.

Colours are told by their hue: the direction in which they depart from the white beside them. The names of the
hues are rough, so all four seats are compared at once. What departs alike on all four is the light's or the
white's: varnish, plywood for white, a warm lamp. It is taken off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from uckers_table.game.board import Plan
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.locate import apply

HUES = {
    "red": (0.53, 0.24, 0.23),
    "green": (0.22, 0.48, 0.30),
    "yellow": (0.52, 0.40, 0.08),
    "blue": (0.18, 0.30, 0.52),
}
"""Roughly the shares of red, green and blue that paint of each name sends back in white light."""
_PALE = 0.05
"""A departure that is shorter tells no hue. Faded paint had 0.09."""
_BLACK = 0.35
"""Black paint sends back less of white's light. Dark blue, the darkest colour, is no grey."""
_CAST, _CAST_STEP, _PER_CAST = 0.12, 0.02, 0.05
"""How far all four may depart alike, and the step in which that is tried. A cast of 0.1 costs `_PER_CAST`."""
CLEAR = 0.3
"""How much less the right turn must cost than the next best. `python -m tools.tables.turns` prints both. On
S1 to S4, V6, V8, X1 and 40 tables of other looks the next best turn cost 1.05 more at least.
"""
_OTHER_ORDER = 0.15
"""How much less another order of the same colours must cost, to say that the seats are in that order.
On the same
tables every other order cost 0.1 more than the right one at least, all but one 0.23.
"""
_UNLIKE = 1.5
"""A turn that costs more does not fit: four colours of no hue cost 3. The right turn cost 0.65 at most on the
same tables.
"""


@dataclass(frozen=True)
class Turns:
    """What each quarter turn of the board costs (4,).

    A turn's number is the corner of the cells found at which seat 0 sits. `order`: the colours from corner 0
    on, clockwise, in the order that fits best of all, and `least` what that costs.
    """

    costs: Floats
    order: tuple[str, ...]
    least: float

    @property
    def best(self) -> int:
        """The turn that costs least."""
        return int(self.costs.argmin())

    @property
    def lead(self) -> float:
        """How much more the next best turn costs."""
        first, second = np.sort(self.costs)[:2]
        return float(second - first)

    @property
    def is_in_order(self) -> bool:
        """Whether no other order of the seats fits clearly better."""
        return float(self.costs.min()) < self.least + _OTHER_ORDER

    @property
    def is_clear(self) -> bool:
        """Whether one turn fits, and no other nearly as well."""
        return self.is_in_order and self.lead > CLEAR and float(self.costs.min()) < _UNLIKE


def turns(colours: Sequence[Floats], seats: Sequence[str]) -> Turns:
    """What each turn costs.

    `colours` are one or more of (4, 3), red, green and blue, white = 1: what the corners of the cells show,
    clockwise. The chutes' paint is one, pieces in the bases are another. `seats` are their names, clockwise.
    """
    corners = range(len(seats))
    costs = {names: order_cost(colours, [names] * len(colours)) for names in permutations(seats)}
    by_turn = [costs[tuple(seats[(k - quarters) % len(seats)] for k in corners)] for quarters in corners]
    best = min(costs, key=lambda names: costs[names])
    return Turns(np.array(by_turn), best, costs[best])


def order_cost(colours: Sequence[Floats], names: Sequence[Sequence[str]]) -> float:
    """What colours cost (see `turns`) if they have these names, kind by kind.

    That is the sum over the corners of 1 - cosine between hues, where the cast fits best; the mean of all
    kinds.
    """
    total = _PER_CAST * (np.linalg.norm(_CASTS, axis=1) / 0.1) ** 2
    for kind, named in zip(colours, names, strict=True):
        for colour, name in zip(kind, named, strict=True):
            off = _departure(colour) - _CASTS
            length = np.linalg.norm(off, axis=1)
            if name in HUES:
                hue = np.array(HUES[name]) - 1 / 3
                total = total + 1 - off @ hue / (np.linalg.norm(hue) * np.maximum(length, _PALE))
            else:
                total = total + np.minimum(1.0, length / (2 * _PALE))
    return float(total.min()) / len(colours)


def _casts() -> Floats:
    """Departures (N, 3) that all colours may share."""
    along = np.arange(-_CAST, _CAST + _CAST_STEP / 2, _CAST_STEP)
    plane = np.array([[1, -1, 0], [0.5, 0.5, -1]]) / np.array([[2.0], [1.5]]) ** 0.5
    grid = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    return np.asarray(grid[np.linalg.norm(grid, axis=1) <= _CAST] @ plane)


_CASTS = _casts()


def turned(cell_to_px: Floats, plan: Plan, quarters: int) -> Floats:
    """The homography (3 × 3) from the plan's own cells to pixels, where seat 0 sits at corner `quarters` of
    the cells of `cell_to_px`.
    """
    return cell_to_px @ _turn_matrix(plan, quarters)


def at_top_left(cell_to_px: Floats, plan: Plan) -> int:
    """Which corner of the cells, clockwise from their own top left, lies nearest the picture's top left."""
    low, high = plan.board.arm_length / 2 - 0.5, plan.cells - plan.board.arm_length / 2 - 0.5
    middles = [[low, low], [high, low], [high, high], [low, high]]
    return int(apply(cell_to_px, middles).sum(axis=1).argmin())


def is_unpainted(paints: Floats) -> bool:
    """Whether paints (4, 3) are all alike and pale, or of one hue."""
    off = np.array([_departure(paint) for paint in paints])
    return bool(np.linalg.norm(off - off.mean(axis=0), axis=1).max() < _PALE)


def chute_paints(picture: Image, camera: CameraModel, plan: Plan) -> Floats:
    """What each seat's chute sends back (seats, 3), red, green and blue, where the white squares beside it
    send back 1. Whatever the varnish mirrors there lies on both.
    """
    board = plan.board
    seats = range(len(board.seats))
    ways = np.array([_sides(plan, seat) for seat in seats])
    chutes = np.array([[plan.chute_cell(seat, steps) for steps in board.chute] for seat in seats])
    cells = chutes[:, :, None] + np.array([0, -1, 1])[:, None] * ways[:, None, None]
    levels = _levels(picture, camera, plan, cells.reshape(-1, 2)).reshape(*cells.shape[:3], 3)
    # One of the two beside it may be somebody's painted square.
    white = levels[:, :, 1:].max(axis=2)
    paint = np.median(levels[:, :, 0] / np.maximum(white, 1.0), axis=1)
    return np.asarray(paint[:, ::-1])


def track_level(picture: Image, camera: CameraModel, plan: Plan) -> Floats:
    """What most of the track's squares show (3,), BGR."""
    return np.asarray(np.median(_levels(picture, camera, plan, np.array(plan.track_cells)), axis=0))


_PATCH = 0.2
"""Half the side of the patch that is looked at in a square, in sides of a square."""


def _levels(picture: Image, camera: CameraModel, plan: Plan, cells: npt.NDArray[np.intp]) -> Floats:
    """The median colours (N, 3), BGR, in the middles of cells (N, 2)."""
    places = camera.project([plan.centre_mm((int(column), int(row))) for column, row in cells])
    return _sample(picture, places, max(2, round(plan.cell_mm * camera.px_per_mm * _PATCH)))


def _sides(plan: Plan, seat: int) -> tuple[int, int]:
    """The step in cells across a seat's chute."""
    chute = plan.board.chute
    (x, y), (further_x, further_y) = (plan.chute_cell(seat, steps) for steps in (chute[0], chute[1]))
    return y - further_y, further_x - x


def misfit(paint: Floats, colour: str) -> float:
    """How far a paint (3,), red, green and blue, is off a colour's hue: 0 very like, 1 grey, 2 opposite."""
    off = _departure(paint)
    length = float(np.linalg.norm(off))
    if colour not in HUES:
        return min(1.0, length / (2 * _PALE))
    hue = np.array(HUES[colour]) - 1 / 3
    return float(1 - off @ hue / (np.linalg.norm(hue) * max(length, _PALE)))


def paint_name(paint: Floats) -> str:
    """What people would call a paint (3,), red, green and blue."""
    if np.linalg.norm(_departure(paint)) < _PALE:
        return "black" if paint.max() < _BLACK else "white"
    return min(HUES, key=lambda colour: misfit(paint, colour))


def _departure(paint: Floats) -> Floats:
    return np.asarray(paint / max(float(paint.sum()), 1e-6) - 1 / 3)


def _sample(picture: Image, places: Floats, radius: int) -> Floats:
    """Median colours (N, 3), BGR, around places in pixels, each moved into the picture if outside."""
    height, width = picture.shape[:2]
    out = np.empty((len(places), 3))
    limits = np.array([width, height]) - 1 - radius
    for k, (x, y) in enumerate(np.clip(np.rint(places), radius, limits).astype(int)):
        patch = picture[y - radius : y + radius + 1, x - radius : x + radius + 1].reshape(-1, 3)
        out[k] = np.median(patch, axis=0)
    return out


def _turn_matrix(plan: Plan, quarters: int) -> Floats:
    """A 3 × 3 matrix that turns cells by `quarters` quarter turns: the inverse of `Plan.turned` repeated."""
    n = plan.cells - 1
    step = np.array([[0, -1, n], [1, 0, 0], [0, 0, 1.0]])
    return np.linalg.matrix_power(step, quarters % 4)

"""Which way round the board lies, told by its paint: each seat's chute has its colour.

Paint is told by its hue: the direction in which it departs from the white beside it. Faded paint keeps its
hue, and light of another colour changes it little.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from uckers_table.errors import CalibrationError
from uckers_table.game.board import Plan
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.place.locate import apply

HUES = {
    "red": (0.53, 0.24, 0.23),
    "green": (0.22, 0.48, 0.30),
    "yellow": (0.52, 0.40, 0.08),
    "blue": (0.18, 0.30, 0.52),
}
"""Roughly the shares of red, green and blue that paint of each name sends back in white light."""
_PALE = 0.05
"""Paint whose shares depart from a third each by less is white or black. The palest colour had 0.09."""
_BLACK = 0.35
"""Black paint sends back less of white's light. Dark blue, the darkest colour, is no grey."""
_WRONG_HUE = 0.3
"""1 - cosine between hues, for one chute. The right name cost 0.05 at most over twelve boards in five
lights, the next best 0.21 at least and 0.6 on average."""
_FAINT = 0.1
"""Paint whose shares depart by less may lie under a lamp's image, which leaves little of its hue."""
_DROWNED, _RATHER = 2, 0.75
"""How many chutes may mirror lamps at most, and how far each may be off its seat's hue; a pale one that is
alone may be farther off. White paint is off any hue by 1. A green and a blue chute that mirrored strips were
off by 0.65 and 0.08; one that was lit from aside, by 0.30.
"""
_WRONG_ORDER = 0.3
"""How much better another order of the same colours must fit, summed over all chutes, to be the right one.
Exchanging red and yellow, the nearest, cost at least 0.45."""


def turn_by_paint(picture: Image, cell_to_px: Floats, plan: Plan, top_left: str | None) -> Floats:
    """The homography from the plan's own cells (seat 0 at the top left) to pixels, of the four quarter
    turns of `cell_to_px` (3 × 3).

    Raises CalibrationError if the paint fits no turn, or another than `top_left` says. It names the paint
    that is there.
    """
    seats = plan.board.seats
    turned = [cell_to_px @ _turn_matrix(plan, quarters) for quarters in range(4)]
    paints = [chute_paints(picture, matrix, plan) for matrix in turned]
    costs = np.array([[misfit(p, colour) for p, colour in zip(row, seats, strict=True)] for row in paints])
    best = int(costs.sum(axis=1).argmin())
    seen = [paint_name(p) for p in paints[_first_at_top_left(turned, plan, 0)]]
    if top_left is not None:
        wanted = _first_at_top_left(turned, plan, plan.board.seat(top_left))
        if costs[wanted].sum() > costs[best].sum() + _WRONG_ORDER:
            raise CalibrationError(
                f"the paint of the empty picture goes {', '.join(seen)} clockwise from its top left, where "
                f"--top-left says {top_left}: check --top-left and --seats, or leave --top-left out"
            )
        return turned[wanted]
    each = np.array([[misfit(p, colour) for colour in seats] for p in paints[best]])
    likeliest = min(sum(each[k, n] for k, n in enumerate(order)) for order in permutations(range(len(seats))))
    is_named_so = [paint_name(p) for p in paints[best]] == list(seats)
    # A chute that mirrors a lamp keeps hardly any colour. The others tell which way round the board is.
    colour = np.linalg.norm([_departure(paint) for paint in paints[best]], axis=1)
    is_off, is_pale = costs[best] > _WRONG_HUE, colour < _PALE
    is_only_one = np.count_nonzero(is_off | is_pale) == 1
    is_drowned = (is_pale & is_only_one) | ((colour < _FAINT) & (costs[best] < _RATHER))
    is_wrong = (is_off & ~is_drowned).any() or np.count_nonzero(is_off) > _DROWNED
    is_wrong = is_wrong or costs[best].sum() > likeliest + _WRONG_ORDER
    if is_wrong and not is_named_so:
        raise CalibrationError(
            f"the paint of the empty picture goes {', '.join(seen)} clockwise from its top left, which does "
            f"not fit the seats {', '.join(seats)}: check --seats, or say --top-left if the paint is odd"
        )
    return turned[best]


def chute_paints(picture: Image, cell_to_px: Floats, plan: Plan) -> Floats:
    """What each seat's chute sends back (seats, 3), red, green and blue, where the white squares beside it
    send back 1. Whatever the varnish mirrors there lies on both.
    """
    board = plan.board
    pitch = float(np.linalg.norm(apply(cell_to_px, [[7, 7]]) - apply(cell_to_px, [[8, 7]])))
    radius = max(2, round(pitch * 0.2))
    seats = range(len(board.seats))
    ways = np.array([_sides(plan, seat) for seat in seats])
    chutes = np.array([[plan.chute_cell(seat, steps) for steps in board.chute] for seat in seats])
    cells = chutes[:, :, None] + np.array([0, -1, 1])[:, None] * ways[:, None, None]
    levels = _sample(picture, apply(cell_to_px, cells.reshape(-1, 2)), radius).reshape(*cells.shape[:3], 3)
    # One of the two beside it may be somebody's painted square.
    white = levels[:, :, 1:].max(axis=2)
    paint = np.median(levels[:, :, 0] / np.maximum(white, 1.0), axis=1)
    return np.asarray(paint[:, ::-1])


def track_level(picture: Image, cell_to_px: Floats, plan: Plan) -> Floats:
    """What most of the track's squares show (3,), BGR."""
    places = apply(cell_to_px, plan.track_cells)
    return np.asarray(np.median(_sample(picture, places, 2), axis=0))


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


def _first_at_top_left(turned: Sequence[Floats], plan: Plan, seat: int) -> int:
    """Which of the turned homographies puts a seat's base nearest the picture's top-left corner."""
    low, high = plan.board.arm_length / 2 - 0.5, plan.cells - plan.board.arm_length / 2 - 0.5
    middles = [[low, low], [high, low], [high, high], [low, high]]
    return int(np.argmin([apply(matrix, middles)[seat].sum() for matrix in turned]))

"""Pieces near a line between squares, or across it: the other squares that each may be meant for. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from uckers_table.game.board import Plan

LINE_MM = 8.0
"""A piece whose middle lies less than this outside a square may be meant for that square."""
COST_PER_MM = 0.5
"""Nats against the other square for each millimetre from the piece's middle to it. Nats against the piece's
own square are counted alike, from there. 2 mm off the line a piece may still be meant for either square; at 5
mm the other one is doubtful.
"""

_AROUND = tuple((aside, down) for aside in (-1, 0, 1) for down in (-1, 0, 1) if (aside, down) != (0, 0))


def across_a_line(plan: Plan, seat: int, x_mm: float, y_mm: float) -> Iterator[tuple[float, float, float]]:
    """Yields the other squares that a piece at (`x_mm`, `y_mm`) may be meant for, in millimetres of the plan.

    Only squares of track and chute that the colour of this seat uses count. Each is given as the x and the y
    of its middle, in millimetres of the plan, and the nats that it costs (see `Alternative`).
    """
    column, row = ((along - plan.border_mm) // plan.cell_mm for along in (x_mm, y_mm))
    half = plan.cell_mm / 2
    for aside, down in _AROUND:
        cell = int(column) + aside, int(row) + down
        if cell not in plan.steps_by_cell[seat]:
            continue
        x, y = plan.centre_mm(cell)
        off_mm = hypot(max(0.0, abs(x_mm - x) - half), max(0.0, abs(y_mm - y) - half))
        if off_mm < LINE_MM:
            yield x, y, COST_PER_MM * off_mm

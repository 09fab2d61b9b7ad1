"""Pieces put down near a line, or across it: on which other square they may be meant to stand. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from uckers_table.game.board import Plan

LINE_MM = 8.0
"""A piece whose middle is so near to a square may be meant to stand on that."""
COST_PER_MM = 0.5
"""What each millimetre that is missing tells against the other square, and as much for the one that it is on:
2 mm off the line a piece may still be meant for either, 5 mm off it is in doubt."""

_AROUND = tuple((aside, down) for aside in (-1, 0, 1) for down in (-1, 0, 1) if (aside, down) != (0, 0))


def across_a_line(plan: Plan, seat: int, x_mm: float, y_mm: float) -> Iterator[tuple[float, float, float]]:
    """The squares of track and chute near a piece that stands elsewhere, of those that its colour uses: the
    middle of each (x, y, millimetres of the plan) and what it costs (see `Alternative`) that it is meant.
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

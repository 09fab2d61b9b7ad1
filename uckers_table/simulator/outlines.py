"""The shapes that are painted on a board, as outlines in millimetres of the plan, exact as a ruler.

The painter of simulated boards draws them with an unsteady hand. The paint plan in `hardware/` draws them as
they are.
"""

from __future__ import annotations

from math import cos, pi, sin

from uckers_table.game.board import Cell, Plan

PlanPoint = tuple[float, float]
"""(x, y) in mm of the plan."""

LINE_MM = 1.5
SPOT_RADIUS_MM = 17.0
"""The width of painted lines, and the radius of base spots."""
PANEL_HALF_MM = 83.0
"""Half the side of a base's panel."""


def base_spots(plan: Plan, seat: int, offset_mm: float) -> tuple[PlanPoint, ...]:
    """The middles of the four spots of a seat's base, clockwise from the board's own corner."""
    near = plan.border_mm + plan.board.arm_length / 2 * plan.cell_mm
    far = plan.side_mm - near
    x, y = ((near, near), (far, near), (far, far), (near, far))[seat]
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple((x + sx * offset_mm, y + sy * offset_mm) for sx, sy in corners[seat:] + corners[:seat])


def square(plan: Plan, cell: Cell) -> list[PlanPoint]:
    """A cell's four corners, clockwise from its top left."""
    x, y = plan.centre_mm(cell)
    half = plan.cell_mm / 2
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def home_triangle(plan: Plan, seat: int) -> list[PlanPoint]:
    """A seat's quarter of home: a triangle that starts at the board's middle."""
    middle, half = plan.side_mm / 2, 1.5 * plan.cell_mm
    corners = [(-1, 1), (-1, -1), (1, -1), (1, 1)]
    ends = [corners[seat], corners[(seat + 1) % 4]]
    return [(middle, middle), *((middle + sx * half, middle + sy * half) for sx, sy in ends)]


def panel(plan: Plan, seat: int, shape: str) -> list[PlanPoint]:
    """The panel of a seat's base. `shape` is "square", "rounded" or "round"."""
    x, y = base_spots(plan, seat, 0.0)[0]
    if shape == "round":
        return circle((x, y), PANEL_HALF_MM + 12.0)
    turn = 22.0 if shape == "rounded" else 0.5
    out: list[PlanPoint] = []
    inner = PANEL_HALF_MM - turn
    for quarter, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for i in range(7):
            angle = pi / 2 * (quarter + i / 6)
            out.append((x + sx * inner + turn * cos(angle), y + sy * inner + turn * sin(angle)))
    return out


def circle(centre: PlanPoint, radius_mm: float) -> list[PlanPoint]:
    """A circle as 48 points."""
    angles = [2 * pi * i / 48 for i in range(48)]
    return [(centre[0] + radius_mm * cos(a), centre[1] + radius_mm * sin(a)) for a in angles]

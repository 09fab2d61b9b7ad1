"""The board's paint plan, at full size: what to paint where, from the geometry that the game plays on."""

from __future__ import annotations

from math import cos, pi, sin

from hardware.sheet import GREY, INK, Pen, Point, Sheet
from uckers_table.game.board import Cell, Plan
from uckers_table.simulator.interfaces import USUAL_SPOT_OFFSET_MM
from uckers_table.simulator.look import BOARD_PAINTS, WHITE_PAINT, WOODS, Rgb
from uckers_table.simulator.outlines import (
    LINE_MM,
    PANEL_HALF_MM,
    SPOT_RADIUS_MM,
    base_spots,
    home_triangle,
    panel,
    square,
)

MARGIN_MM = 60.0
"""Paper around the board, for dimensions."""
LEGEND_MM = 56.0
_TRIM_MM = 6.0


def hex_colour(rgb: Rgb) -> str:
    """A colour as "#rrggbb"."""
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _moved(points: list[Point], by_mm: float) -> list[Point]:
    return [(x + by_mm, y + by_mm) for x, y in points]


def draw_paint(sheet: Sheet, plan: Plan, margin_mm: float) -> None:
    """The painted board, its top-left corner at (margin, margin) of the paper."""
    ink = Pen(stroke=hex_colour((28, 28, 34)), width_mm=LINE_MM)
    side = plan.side_mm
    sheet.box(margin_mm, margin_mm, side, side, Pen(width_mm=0.4, fill=hex_colour(WOODS[0])))
    whites = [cell for cell in plan.track_cells if cell not in {plan.cell(seat, 1) for seat in range(4)}]
    for cell in whites:
        _cell(sheet, plan, cell, margin_mm, hex_colour(WHITE_PAINT), ink)
    for seat, colour in enumerate(plan.board.seats):
        paint = hex_colour(BOARD_PAINTS[colour][0])
        for steps in (1, *plan.board.chute):
            square_of = plan.cell(seat, steps)
            assert square_of is not None
            _cell(sheet, plan, square_of, margin_mm, paint, ink)
        filled = Pen(stroke=ink.stroke, width_mm=LINE_MM, fill=paint)
        sheet.path(_moved(home_triangle(plan, seat), margin_mm), filled)
        sheet.path(_moved(panel(plan, seat, "rounded"), margin_mm), filled)
        for x, y in base_spots(plan, seat, USUAL_SPOT_OFFSET_MM):
            spot = Pen(stroke=ink.stroke, width_mm=LINE_MM, fill=hex_colour(WHITE_PAINT))
            sheet.circle((x + margin_mm, y + margin_mm), SPOT_RADIUS_MM, spot)


def _cell(sheet: Sheet, plan: Plan, cell: Cell, margin_mm: float, paint: str, ink: Pen) -> None:
    sheet.path(_moved(square(plan, cell), margin_mm), Pen(ink.stroke, ink.width_mm, paint))


def paint_plan(plan: Plan) -> Sheet:
    """The whole plan with its dimensions, at full size."""
    side = plan.side_mm
    sheet = Sheet(side + 2 * MARGIN_MM, side + 2 * MARGIN_MM + LEGEND_MM, "Uckers board, paint plan 1:1")
    draw_paint(sheet, plan, MARGIN_MM)
    _dimensions(sheet, plan)
    _way_round(sheet, plan)
    _legend(sheet, plan)
    return sheet


def tile_plan(plan: Plan) -> Sheet:
    """The board alone at full size, with its own edge to lay against the wood: for home printers."""
    sheet = Sheet(plan.side_mm + 2 * _TRIM_MM, plan.side_mm + 2 * _TRIM_MM, "Uckers board 1:1")
    draw_paint(sheet, plan, _TRIM_MM)
    return sheet


def _dimensions(sheet: Sheet, plan: Plan) -> None:
    m, side, cell, border = MARGIN_MM, plan.side_mm, plan.cell_mm, plan.border_mm
    arm = plan.board.arm_length
    size = 5.0

    def x(column: float) -> float:
        return m + border + column * cell

    bottom = m + side
    sheet.dimension((m, m), (m + side, m), f"{side:g}", 48, size)
    marks = [(m, "0"), *((x(c), f"{x(c) - m:g}") for c in range(plan.cells + 1)), (m + side, f"{side:g}")]
    for at, text in marks[1:-1]:
        sheet.line((at, m - 1), (at, m - 6), Pen(width_mm=0.18, stroke=GREY))
        sheet.text((at + 1.4, m - 7.5), text, 4.0, turn_deg=-90)
    for at, text in marks[1:-1]:
        sheet.line((m - 1, at), (m - 6, at), Pen(width_mm=0.18, stroke=GREY))
        sheet.text((m - 7.5, at + 1.4), text, 4.0, anchor="end")
    sheet.dimension((m, bottom), (m, m), f"{side:g}", 48, size)
    sheet.dimension((x(arm), bottom), (x(arm + 3), bottom), f"3 squares = {3 * cell:g}", -16, size)
    sheet.dimension((x(0), bottom), (x(arm), bottom), f"{arm} squares = {arm * cell:g}", -16, size)
    sheet.dimension(
        (x(arm + 3), bottom), (x(plan.cells), bottom), f"{arm} squares = {arm * cell:g}", -16, size
    )
    right = m + side
    _, py = base_spots(plan, 1, 0.0)[0]
    top, low = py - PANEL_HALF_MM + m, py + PANEL_HALF_MM + m
    sheet.dimension((right, top), (right, low), f"panel {2 * PANEL_HALF_MM:g}, corners r 22", 16, size)
    spots = sorted({y for _, y in base_spots(plan, 1, USUAL_SPOT_OFFSET_MM)})
    sheet.dimension(
        (right, spots[0] + m), (right, spots[1] + m), f"spots {spots[1] - spots[0]:g} apart", 34, size
    )
    x0, y0 = max(base_spots(plan, 2, USUAL_SPOT_OFFSET_MM))
    edge = (x0 + m + SPOT_RADIUS_MM * cos(pi / 4), y0 + m + SPOT_RADIUS_MM * sin(pi / 4))
    foot = (right + 8, edge[1] + 22)
    sheet.line(edge, foot, Pen(width_mm=0.25))
    sheet.text((foot[0] + 1.5, foot[1] + 1.5), f"spot, {2 * SPOT_RADIUS_MM:g} across", size)


def _way_round(sheet: Sheet, plan: Plan) -> None:
    """Arrows of travel and names, as annotations that are not painted."""
    m = MARGIN_MM
    hint = "#55555c"
    for seat, colour in enumerate(plan.board.seats):
        doorstep, onward = plan.cell(seat, 1), plan.cell(seat, 2)
        assert doorstep is not None
        assert onward is not None
        x, y = plan.centre_mm(doorstep)
        to_x, to_y = plan.centre_mm(onward)
        start = (x + m - 0.25 * (to_x - x), y + m - 0.25 * (to_y - y))
        end = (x + m + 0.3 * (to_x - x), y + m + 0.3 * (to_y - y))
        light = "#ffffff" if colour != "yellow" else INK
        sheet.arrow(start, end, Pen(stroke=light, width_mm=1.0), head_mm=6.0)
        at = base_spots(plan, seat, 0.0)[0]
        sheet.text((at[0] + m, at[1] + m + 3), colour, 9.0, anchor="middle", colour=light, bold=True)
        mouth = plan.cell(seat, plan.board.mouth)
        assert mouth is not None
        x, y = plan.centre_mm(mouth)
        sheet.text((x + m, y + m + 1.6), "mouth", 5.0, anchor="middle", colour=hint)
    middle = m + plan.side_mm / 2
    sheet.text((middle, middle - 34), "home", 8.0, anchor="middle", colour="#ffffff", bold=True)


def _legend(sheet: Sheet, plan: Plan) -> None:
    top = MARGIN_MM + plan.side_mm + 48
    for index, colour in enumerate((*plan.board.seats, "white")):
        rgb = WHITE_PAINT if colour == "white" else BOARD_PAINTS[colour][0]
        left = MARGIN_MM + index * 48
        sheet.box(left, top, 12, 12, Pen(fill=hex_colour(rgb)))
        sheet.text((left + 15, top + 8.5), colour, 6.0)
    sheet.lines(
        (MARGIN_MM, top + 24),
        [
            "*Board: plywood 12 mm. All sizes in millimetres from the board's top left corner. "
            "Words and arrows are not painted.",
            f"Lines {LINE_MM:g} mm, black, over the paint's edges. Matt paint, then matt varnish: "
            "gloss mirrors the lamp.",
            "Travel is clockwise. A doorstep is the coloured square one in from the end of the arm; "
            "its arrow shows the first step out.",
        ],
        5.0,
    )
    sheet.dimension(
        (sheet.width_mm - MARGIN_MM - 100, top + 8),
        (sheet.width_mm - MARGIN_MM, top + 8),
        "100: check your print here",
        6,
        4.5,
    )

"""A drawing in millimetres, written as SVG and as PDF.

Coordinates are (x, y) in millimetres of the paper, origin at its top left, x right, y down. The same
drawing gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import atan2, cos, degrees, hypot, radians, sin
from pathlib import Path
from typing import Literal

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

INK = "#1c1c22"
GREY = "#7a7a82"
_POINTS_PER_MM = 72 / 25.4


@dataclass(frozen=True)
class Pen:
    """How an outline is drawn: colours as "#rrggbb" or None, lengths in millimetres."""

    stroke: str | None = INK
    width_mm: float = 0.35
    fill: str | None = None
    dash_mm: tuple[float, ...] = ()


@dataclass(frozen=True)
class _Path:
    points: tuple[Point, ...]
    closed: bool
    pen: Pen


@dataclass(frozen=True)
class _Round:
    centre: Point
    radius_mm: float
    pen: Pen


@dataclass(frozen=True)
class _Text:
    at: Point
    text: str
    size_mm: float
    anchor: Anchor
    turn_deg: float
    colour: str
    bold: bool


class Sheet:
    """A drawing of `width_mm` by `height_mm` of paper."""

    def __init__(self, width_mm: float, height_mm: float, title: str) -> None:
        self.width_mm, self.height_mm, self.title = width_mm, height_mm, title
        self._items: list[_Path | _Round | _Text] = []

    def path(self, points: Sequence[Point], pen: Pen, closed: bool = True) -> None:
        """An outline through `points`; filled if the pen has a fill."""
        self._items.append(_Path(tuple(points), closed, pen))

    def line(self, start: Point, end: Point, pen: Pen | None = None) -> None:
        """A straight line."""
        self.path([start, end], pen or Pen(), closed=False)

    def box(self, left: float, top: float, width_mm: float, height_mm: float, pen: Pen) -> None:
        """An upright rectangle."""
        right, bottom = left + width_mm, top + height_mm
        self.path([(left, top), (right, top), (right, bottom), (left, bottom)], pen)

    def circle(self, centre: Point, radius_mm: float, pen: Pen) -> None:
        """A true circle."""
        self._items.append(_Round(centre, radius_mm, pen))

    def text(
        self,
        at: Point,
        text: str,
        size_mm: float = 3.0,
        *,
        anchor: Anchor = "start",
        turn_deg: float = 0.0,
        colour: str = INK,
        bold: bool = False,
    ) -> None:
        """A line of text on its baseline; `size_mm` is the font's, `turn_deg` turns it clockwise."""
        self._items.append(_Text(at, text, size_mm, anchor, turn_deg, colour, bold))

    def lines(
        self, at: Point, lines: Sequence[str], size_mm: float = 3.0, *, colour: str = INK, step: float = 1.45
    ) -> None:
        """Lines of text one below the other; those that begin with a star are bold."""
        for index, line in enumerate(lines):
            bold = line.startswith("*")
            self.text(
                (at[0], at[1] + index * step * size_mm), line.lstrip("*"), size_mm, colour=colour, bold=bold
            )

    def arrow(self, start: Point, end: Point, pen: Pen | None = None, head_mm: float = 2.2) -> None:
        """A line with a head at its end."""
        pen = pen or Pen(width_mm=0.25)
        self.line(start, end, pen)
        self._head(start, end, pen, head_mm)

    def dimension(
        self, start: Point, end: Point, label: str, off_mm: float, size_mm: float = 3.0, gap_mm: float = 1.0
    ) -> None:
        """A dimension line `off_mm` to the left of the way from start to end, with its extension lines."""
        length = hypot(end[0] - start[0], end[1] - start[1])
        ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        nx, ny = uy, -ux
        pen = Pen(width_mm=0.18, stroke=GREY)
        sign = 1 if off_mm > 0 else -1
        ends = []
        for x, y in (start, end):
            beyond = off_mm + sign * 1.5
            self.line(
                (x + sign * gap_mm * nx, y + sign * gap_mm * ny), (x + beyond * nx, y + beyond * ny), pen
            )
            ends.append((x + off_mm * nx, y + off_mm * ny))
        inward = length > 7.0
        self.line(ends[0], ends[1], pen)
        for tip, away in ((ends[0], -1), (ends[1], 1)):
            tail = (
                (tip[0] - away * ux, tip[1] - away * uy)
                if inward
                else (tip[0] + away * ux, tip[1] + away * uy)
            )
            self._head(tail, tip, pen, 1.8)
        angle = degrees(atan2(uy, ux))
        turned = angle - 180 if angle > 90.01 else angle + 180 if angle < -89.99 else angle
        # The text stands on the dimension line, on the side that is up when it is read.
        up = (sin(radians(turned)), -cos(radians(turned)))
        middle = ((ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2)
        at = (middle[0] + 0.9 * up[0], middle[1] + 0.9 * up[1])
        self.text(at, label, size_mm, anchor="middle", turn_deg=turned)

    def _head(self, start: Point, end: Point, pen: Pen, head_mm: float) -> None:
        angle = atan2(end[1] - start[1], end[0] - start[0])
        sides = [
            (end[0] - head_mm * cos(angle + turn), end[1] - head_mm * sin(angle + turn))
            for turn in (0.28, -0.28)
        ]
        self.path([end, *sides], Pen(stroke=None, fill=pen.stroke))

    def svg(self) -> str:
        """The drawing as SVG, true to scale when printed at 100 %."""
        width, height = _number(self.width_mm), _number(self.height_mm)
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, Liberation Sans, sans-serif">',
            f"<title>{escape(self.title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            *(_svg(item) for item in self._items),
            "</svg>",
        ]
        return "\n".join(out) + "\n"

    def write_pdf(self, path: Path) -> None:
        """The drawing as a PDF of one page, true to scale when printed at 100 %."""
        canvas = _canvas(path, self.width_mm, self.height_mm, self.title)
        self._draw(canvas, self.height_mm)
        canvas.showPage()
        canvas.save()

    def write_tiles(self, path: Path, page: tuple[float, float], margin_mm: float) -> tuple[int, int]:
        """The drawing over as many pages as it takes, to be glued together: (columns, rows).

        Each page shows its part inside `margin_mm`, framed by a thin line to cut along, and names its
        place.
        """
        wide, high = page[0] - 2 * margin_mm, page[1] - 2 * margin_mm
        columns, rows = _pages(self.width_mm, wide), _pages(self.height_mm, high)
        canvas = _canvas(path, *page, self.title)
        for row in range(rows):
            for column in range(columns):
                canvas.saveState()
                clip = canvas.beginPath()
                clip.rect(*(value * _POINTS_PER_MM for value in (margin_mm, margin_mm, wide, high)))
                canvas.clipPath(clip, stroke=0, fill=0)
                canvas.translate(
                    (margin_mm - column * wide) * _POINTS_PER_MM, -(margin_mm - row * high) * _POINTS_PER_MM
                )
                self._draw(canvas, page[1])
                canvas.restoreState()
                frame = Sheet(*page, "")
                frame.box(margin_mm, margin_mm, wide, high, Pen(stroke=GREY, width_mm=0.1))
                place = f"column {column + 1} of {columns}, row {row + 1} of {rows}"
                label = f"{self.title}: {place}. Print at 100 %."
                frame.text((margin_mm, margin_mm - 2), label, 2.6, colour=GREY)
                frame._draw(canvas, page[1])
                canvas.showPage()
        canvas.save()
        return columns, rows

    def _draw(self, canvas: Canvas, height_mm: float) -> None:
        for item in self._items:
            _pdf(canvas, item, height_mm)


def _pages(length_mm: float, page_mm: float) -> int:
    return int(-(-length_mm // page_mm))


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if round(value, 3) else "0"


def _svg(item: _Path | _Round | _Text) -> str:
    if isinstance(item, _Text):
        x, y = map(_number, item.at)
        turn = f' transform="rotate({_number(item.turn_deg)} {x} {y})"' if item.turn_deg else ""
        weight = ' font-weight="bold"' if item.bold else ""
        return (
            f'<text x="{x}" y="{y}" font-size="{_number(item.size_mm)}" text-anchor="{item.anchor}" '
            f'fill="{item.colour}"{weight}{turn}>{escape(item.text)}</text>'
        )
    pen = item.pen
    look = f'fill="{pen.fill or "none"}"'
    if pen.stroke:
        look += f' stroke="{pen.stroke}" stroke-width="{_number(pen.width_mm)}"'
    if pen.dash_mm:
        look += f' stroke-dasharray="{" ".join(map(_number, pen.dash_mm))}"'
    if isinstance(item, _Round):
        x, y = map(_number, item.centre)
        return f'<circle cx="{x}" cy="{y}" r="{_number(item.radius_mm)}" {look}/>'
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in item.points)
    return f'<{"polygon" if item.closed else "polyline"} points="{points}" {look}/>'


def _canvas(path: Path, width_mm: float, height_mm: float, title: str) -> Canvas:
    size = (width_mm * _POINTS_PER_MM, height_mm * _POINTS_PER_MM)
    canvas = Canvas(str(path), pagesize=size, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    return canvas


def _pdf(canvas: Canvas, item: _Path | _Round | _Text, height_mm: float) -> None:
    canvas.saveState()
    if isinstance(item, _Text):
        canvas.setFont("Helvetica-Bold" if item.bold else "Helvetica", item.size_mm * _POINTS_PER_MM)
        canvas.setFillColor(HexColor(item.colour))
        canvas.translate(item.at[0] * _POINTS_PER_MM, (height_mm - item.at[1]) * _POINTS_PER_MM)
        canvas.rotate(-item.turn_deg)
        draw = {
            "start": canvas.drawString,
            "middle": canvas.drawCentredString,
            "end": canvas.drawRightString,
        }[item.anchor]
        draw(0, 0, item.text)
        canvas.restoreState()
        return
    pen = item.pen
    if pen.stroke:
        canvas.setStrokeColor(HexColor(pen.stroke))
        canvas.setLineWidth(pen.width_mm * _POINTS_PER_MM)
    if pen.fill:
        canvas.setFillColor(HexColor(pen.fill))
    if pen.dash_mm:
        canvas.setDash([value * _POINTS_PER_MM for value in pen.dash_mm])
    drawn = {"stroke": int(pen.stroke is not None), "fill": int(pen.fill is not None)}
    if isinstance(item, _Round):
        x, y = item.centre
        canvas.circle(
            x * _POINTS_PER_MM, (height_mm - y) * _POINTS_PER_MM, item.radius_mm * _POINTS_PER_MM, **drawn
        )
    else:
        path = canvas.beginPath()
        for index, (x, y) in enumerate(item.points):
            go = path.moveTo if index == 0 else path.lineTo
            go(x * _POINTS_PER_MM, (height_mm - y) * _POINTS_PER_MM)
        if item.closed:
            path.close()
        canvas.drawPath(path, **drawn)
    canvas.restoreState()

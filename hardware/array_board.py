"""The reflective array: where its sensors sit under the pockets, and the pockets over them.

The origin is the middle of pocket 0's floor as one looks down on it, x to pocket 1, y to the players; z is up
from the floor's upper face. Channels and emitters are numbered as the firmware's pin file has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardware.legs import tower_pins
from hardware.sheet import GREY, Pen, Point, Sheet

A4_WIDE_MM = (297.0, 210.0)
SCALE = 2.0
DIE_MM = 16.0
_OUTPUTS = 8
"""Of a 74HC595."""


@dataclass(frozen=True)
class Array:
    """Measures, in millimetres. What sits on the 4 mm grid cannot be moved; the rest is yours."""

    pitch: float = 4.0
    body: tuple[float, float] = (3.6, 2.9)
    """Of a QRE1113 with legs, its long side along x."""
    pocket: float = 18.0
    """Inside, square: wide enough for most dice to fall flat, narrow enough to read them as they lie."""
    between: float = 34.0
    """From pocket to pocket: walls, and the legs of both boards' multiplexers between them."""
    wall: float = 3.0
    floor: float = 1.0
    """Clear acrylic on the sensors' faces, its upper face matt from no more than use."""
    wall_high: float = 26.0
    beam_high: float = 17.5
    """Over a die that lies flat, and under the top of one that lies on another or on its edge."""
    beam_hole: float = 5.0
    references: float = 17.0
    """How far behind a pocket's middle its reference sensors are."""
    board: tuple[float, float] = (70.0, 50.0)
    screw: float = 4.0
    """From the board's edges to its screws, M3."""

    def sensors(self, pocket: int) -> tuple[Point, ...]:
        """The middle of each sensor by its channel: row by row, then the references for white and dark, then
        the one that sees what light there is.
        """
        x = pocket * self.between
        grid = [(x + self.pitch * (k % 3 - 1), self.pitch * (k // 3 - 1)) for k in range(9)]
        return (*grid, *((x + offset, -self.references) for offset in (-7.0, 0.0, 7.0)))


def emitter_place(pocket: int, channel: int, pins: dict[str, Any]) -> str | None:
    """Which 74HC595, from the Pico on, and which of its outputs lights a sensor: "2 QC"; None for ambient.

    The first bit that goes out ends up farthest away, so bit 0 is the first chip's QA.
    """
    if channel == pins["AMBIENT_CHANNEL"]:
        return None
    chip, output = divmod(pocket * pins["EMITTERS_A_POCKET"] + channel, _OUTPUTS)
    return f"{chip + 1} Q{'ABCDEFGH'[output]}"


def array_sheet(array: Array) -> Sheet:
    """The board and the pockets, twice as large, with the table of wires."""
    sheet, pins = Sheet(*A4_WIDE_MM, "Reflective array 2:1"), tower_pins()
    sheet.text((12, 13), "Reflective array, instead of the tray camera", 6.0, bold=True)
    note = "2 : 1. Looking down on it; measures in millimetres. Not yet built: try one pocket before two."
    sheet.text((12, 19), note, 3.2, colour=GREY)
    _board(sheet, (52.0, 88.0), array)
    _section(sheet, (52.0, 192.0), array)
    _table(sheet, (208.0, 30.0), pins)
    return sheet


def _board(sheet: Sheet, origin: Point, array: Array) -> None:
    """The board from above; `origin` is where the middle of pocket 0 is drawn."""

    def at(x: float, y: float) -> Point:
        return origin[0] + SCALE * x, origin[1] + SCALE * y

    wide, high = array.board
    left, top = (array.between - wide) / 2, -array.references - 8.0
    sheet.box(*at(left, top), SCALE * wide, SCALE * high, Pen(width_mm=0.4))
    for sx in (left + array.screw, left + wide - array.screw):
        for sy in (top + array.screw, top + high - array.screw):
            sheet.circle(at(sx, sy), SCALE * 1.6, Pen(width_mm=0.2))
    # The beam crosses both pockets.
    sheet.line(
        at(left - 4, 0), at(left + wide + 4, 0), Pen(stroke="#c03030", width_mm=0.2, dash_mm=(3.0, 1.0))
    )
    outside, dotted = array.pocket + 2 * array.wall, Pen(stroke=GREY, width_mm=0.25, dash_mm=(1.5, 1.0))
    for pocket in (0, 1):
        x = pocket * array.between
        for side, pen in ((outside, dotted), (array.pocket, Pen(width_mm=0.3))):
            sheet.box(*at(x - side / 2, -side / 2), SCALE * side, SCALE * side, pen)
        for channel, place in enumerate(array.sensors(pocket)):
            _sensor(sheet, at(*place), array, channel)
        sheet.text(
            at(x - 0.8, outside / 2 + 2.6),
            f"pocket {pocket}: {array.pocket:g} × {array.pocket:g} inside",
            3.0,
            anchor="end",
        )
    upper = -array.pitch - array.body[1] / 2
    sheet.dimension(at(-array.pitch, upper), at(0, upper), f"{array.pitch:g}", 3.0, 2.6)
    below = outside / 2
    sheet.dimension(at(0, below), at(array.between, below), f"{array.between:g}", -13.0, 2.6)
    beside = -array.sensors(0)[10][0] - outside / 2
    sheet.dimension(at(beside, 0), at(beside, -array.references), f"{array.references:g}", 5.0, 2.6)
    sheet.dimension(at(left, top), at(left + wide, top), f"{wide:g}", 5.0, 2.6)
    sheet.dimension(at(left, top + high), at(left, top), f"{high:g}", 5.0, 2.6)


def _sensor(sheet: Sheet, at: Point, array: Array, channel: int) -> None:
    wide, high = (SCALE * side for side in array.body)
    fill = "#dfe8f5" if channel < 9 else "#f3e6cf"
    sheet.box(at[0] - wide / 2, at[1] - high / 2, wide, high, Pen(width_mm=0.2, fill=fill))
    sheet.text((at[0], at[1] + 1.1), str(channel), 3.0, anchor="middle")


def _section(sheet: Sheet, origin: Point, array: Array) -> None:
    """Both pockets cut through their middles; `origin` is where the middle of pocket 0's floor is drawn."""

    def at(x: float, z: float) -> Point:
        return origin[0] + SCALE * x, origin[1] - SCALE * z

    half, outside = array.pocket / 2, array.pocket / 2 + array.wall
    left, wide = (array.between - array.board[0]) / 2, array.board[0]
    sheet.box(*at(left, -array.floor - 1.7), SCALE * wide, SCALE * 1.6, Pen(width_mm=0.2, fill="#cfe3cf"))
    sheet.box(
        *at(-outside, 0.0),
        SCALE * (array.between + 2 * outside),
        SCALE * array.floor,
        Pen(width_mm=0.2, fill="#e6f2fb"),
    )
    for pocket in (0, 1):
        x = pocket * array.between
        for inner, outer in ((x - half, x - outside), (x + half, x + outside)):
            corner = at(min(inner, outer), array.wall_high)
            sheet.box(
                *corner, SCALE * array.wall, SCALE * array.wall_high, Pen(width_mm=0.25, fill="#e4e0da")
            )
            hole = at(min(inner, outer), array.beam_high + array.beam_hole / 2)
            sheet.box(*hole, SCALE * array.wall, SCALE * array.beam_hole, Pen(stroke=None, fill="#ffffff"))
        for column in (-1, 0, 1):
            corner = at(x + column * array.pitch - array.body[0] / 2, -array.floor)
            sheet.box(*corner, SCALE * array.body[0], SCALE * 1.7, Pen(width_mm=0.2, fill="#dfe8f5"))
    sheet.box(*at(-DIE_MM / 2, DIE_MM), SCALE * DIE_MM, SCALE * DIE_MM, Pen(width_mm=0.3))
    sheet.text(at(0, DIE_MM / 2), "die", 3.0, anchor="middle")
    beam = Pen(stroke="#c03030", width_mm=0.2, dash_mm=(3.0, 1.0))
    sheet.line(at(-outside - 8, array.beam_high), at(array.between + outside + 8, array.beam_high), beam)
    right = array.between + outside
    sheet.dimension(at(right, 0), at(right, array.beam_high), f"{array.beam_high:g}", -14.0, 2.6)
    sheet.dimension(at(right, 0), at(right, array.wall_high), f"{array.wall_high:g}", -24.0, 2.6)
    sheet.text(
        at(left, -array.floor - 5.0),
        f"from below: board, sensors, {array.floor:g} mm of clear acrylic that touches them, pockets",
        2.8,
        colour=GREY,
    )


def _table(sheet: Sheet, at: Point, pins: dict[str, Any]) -> None:
    """Which output lights each sensor."""
    white, dark, ambient = (pins[f"{name}_CHANNEL"] for name in ("WHITE", "DARK", "AMBIENT"))
    what = {white: "white card", dark: "black card", ambient: "ambient"}
    sheet.lines(at, ["*Sensor n is on channel n of its pocket's CD74HC4067"], 3.0)
    for column, title in ((0.0, "n"), (14.0, "sees"), (38.0, "pocket 0"), (58.0, "pocket 1")):
        sheet.text((at[0] + column, at[1] + 6.0), title, 2.8, colour=GREY)
    for channel in range(ambient + 1):
        y = at[1] + 11.0 + 4.4 * channel
        places = [emitter_place(pocket, channel, pins) or "no emitter" for pocket in (0, 1)]
        for column, text in zip(
            (0.0, 14.0, 38.0, 58.0), (str(channel), what.get(channel, "die"), *places), strict=True
        ):
            sheet.text((at[0] + column, y), text, 3.0)
    notes = (
        "*Each sensor (QRE1113 with legs; by its data sheet)",
        "collector to 3.3 V, emitter to its channel;",
        "anode through 220 Ω to its 74HC595 output,",
        "cathode to ground. Ambient: LED not connected.",
        "10 kΩ from each CD74HC4067's SIG to ground.",
        "",
        "*White and black card",
        "are glued 1 mm over sensors 9 and 10, under a lid",
        "that keeps light out; over 11 there is only acrylic.",
        "",
        "*Pockets",
        "printed in black, one block; a funnel above each",
        "parts the dice. Red: the beam through both, holes",
        f"of {Array().beam_hole:g} mm; a bought pair as at the way in.",
        "",
        "*Check",
        "`uckers-table tower dump`: each of the nine falls",
        "when a black card is laid over it, and no other.",
        "Then `tower learn white`, `tower learn black`.",
    )
    sheet.lines((at[0], at[1] + 70.0), notes, 2.9)

"""The little board in the tower's bay: where each part goes and every wire on its underside.

Holes are (column, row), counted from the back left corner as one looks at the parts, the Pico's USB to the
back. Pins come from the firmware's pin file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardware.legs import PICO_LEGS, tower_pins
from hardware.sheet import GREY, Pen, Point, Sheet
from hardware.tower import Bought

Hole = tuple[int, int]

PITCH_MM = 2.54
COLUMNS, ROWS = 19, 27
A4_MM = (210.0, 297.0)
SCALE = 2.0
USB_ROW = 5
"""Row of the Pico's legs 1 and 40."""
PICO_COLUMNS = (5, 12)


@dataclass(frozen=True)
class Plug:
    """A row of pins for a lead, from its first hole towards the front."""

    name: str
    what: str
    first: Hole
    pins: tuple[str, ...]

    def hole(self, pin: str) -> Hole:
        """The hole of one of its pins."""
        return self.first[0], self.first[1] + self.pins.index(pin)


PLUGS = (
    Plug("A", "in-beam senders", (2, 4), ("+", "GND")),
    Plug("B", "in-beam receivers", (2, 7), ("+", "GND", "out")),
    Plug("C", "out-beam sender", (2, 11), ("+", "GND")),
    Plug("D", "out-beam receiver", (2, 14), ("+", "GND", "out")),
    Plug("E", "lamps", (2, 18), ("+", "−")),
    Plug("F", "readout", (16, 13), ("VCC", "GND", "DIN", "CS", "CLK")),
)
CHIP: Hole = (14, 5)
"""Leg 1 of the 74AHCT125; legs 8 to 14 lie three columns to the right."""
MOSFET: Hole = (14, 19)
RESISTORS: dict[str, tuple[Hole, Hole]] = {
    "10 kΩ": ((14, 21), (17, 21)),
    "4.7 Ω": ((14, 23), (17, 23)),
}
CAPACITOR: tuple[Hole, Hole] = ((14, 4), (17, 4))


def pico_hole(leg: int) -> Hole:
    """The hole of a leg of the Pico."""
    if leg <= 20:
        return PICO_COLUMNS[0], USB_ROW + leg - 1
    return PICO_COLUMNS[1], USB_ROW + 40 - leg


def pico_middle_mm() -> Point:
    """The Pico's middle from the carrier's: (to the right, to the back)."""
    across = sum(PICO_COLUMNS) / 2 - (COLUMNS - 1) / 2
    along = (ROWS - 1) / 2 - (USB_ROW + 9.5)
    return across * PITCH_MM, along * PITCH_MM


def wires(pins: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """Every wire on the underside: from where, to which places one after the other."""

    def pico(number: int) -> str:
        return f"Pico {PICO_LEGS[number]} (GP{number})"

    return [
        ("Pico 36 (3.3 V)", ("A +", "B +", "C +", "D +")),
        ("Pico 38 (GND)", ("A GND", "B GND", "C GND", "D GND", "F GND", "chip 7", "chip 1, 4, 10, 13, 12")),
        ("Pico 40 (5 V)", ("chip 14", "F VCC", "E +")),
        (pico(pins["IN_BEAM"]), ("B out",)),
        (pico(pins["OUT_BEAM"]), ("D out",)),
        (pico(pins["TRAY_LAMP"]), ("MOSFET gate", "10 kΩ, one end")),
        ("10 kΩ, other end", ("Pico 33 (AGND)",)),
        ("MOSFET drain", ("E −",)),
        ("MOSFET source", ("4.7 Ω, one end", pico(pins["LAMP_MONITOR"]["tray"]))),
        ("4.7 Ω, other end", ("Pico 33 (AGND)",)),
        (pico(pins["READOUT_MOSI"]), ("chip 2",)),
        (pico(pins["READOUT_CS"]), ("chip 5",)),
        (pico(pins["READOUT_SCK"]), ("chip 9",)),
        ("chip 3", ("F DIN",)),
        ("chip 6", ("F CS",)),
        ("chip 8", ("F CLK",)),
        ("100 nF, one end", ("chip 14",)),
        ("100 nF, other end", ("chip 7",)),
    ]


def carrier_sheet(bought: Bought) -> Sheet:
    """The parts' side at 2 : 1 and the list of wires."""
    sheet = Sheet(*A4_MM, "Carrier 2:1")
    sheet.text((16, 20), "Carrier in the tower's bay", 6.0, bold=True)
    sheet.text((16, 26), "2 : 1, from the side of the parts. Not yet built.", 3.2, colour=GREY)
    left, top = 20.0, 40.0
    wide, long = bought.carrier[0] * SCALE, bought.carrier[1] * SCALE
    sheet.box(left, top, wide, long, Pen(width_mm=0.35, fill="#f3e3bf"))
    edge = (
        (bought.carrier[0] - (COLUMNS - 1) * PITCH_MM) / 2,
        (bought.carrier[1] - (ROWS - 1) * PITCH_MM) / 2,
    )

    def at(hole: tuple[float, float]) -> Point:
        return (
            left + SCALE * (edge[0] + hole[0] * PITCH_MM),
            top + SCALE * (edge[1] + hole[1] * PITCH_MM),
        )

    for column in range(COLUMNS):
        for row in range(ROWS):
            sheet.circle(at((column, row)), 0.55, Pen(stroke=None, fill="#cbb27c"))
    _screw_holes(sheet, bought, (left + wide / 2, top + long / 2))
    _pico(sheet, at)
    _small_parts(sheet, at)
    for plug in PLUGS:
        _plug(sheet, at, plug)
    sheet.text((left + wide / 2, top - 3), "back: USB lead", 3.2, anchor="middle")
    sheet.text((left + wide / 2, top + long + 5.5), "front: under the ramp's foot", 3.2, anchor="middle")
    sheet.dimension((left, top + long), (left + wide, top + long), f"{bought.carrier[0]:g}", -12, 3.0)
    sheet.dimension((left + wide, top), (left + wide, top + long), f"{bought.carrier[1]:g}", 6, 3.0)
    _wire_list(sheet, (142.0, 42.0))
    _remarks(sheet, (16.0, 208.0))
    return sheet


def _screw_holes(sheet: Sheet, bought: Bought, middle: Point) -> None:
    for sx in (-1, 1):
        for sy in (-1, 1):
            x = middle[0] + sx * bought.carrier_holes[0] / 2 * SCALE
            y = middle[1] + sy * bought.carrier_holes[1] / 2 * SCALE
            sheet.circle((x, y), 1.5 * SCALE, Pen(width_mm=0.3, fill="#ffffff"))


def _pico(sheet: Sheet, at: Any) -> None:
    x0, y0 = at((PICO_COLUMNS[0] - 0.6, USB_ROW - 0.55))
    x1, y1 = at((PICO_COLUMNS[1] + 0.6, USB_ROW + 19.55))
    sheet.box(x0, y0, x1 - x0, y1 - y0, Pen(width_mm=0.3, fill="#bfe0c6"))
    middle = (x0 + x1) / 2
    sheet.box(middle - 6.5, y0 - 2.6, 13.0, 12.0, Pen(width_mm=0.25, fill="#d9dce1"))
    sheet.text((middle, y0 + 5.5), "USB", 3.2, anchor="middle")
    sheet.text((middle, (y0 + y1) / 2 + 13.0), "Pico", 6.0, anchor="middle", bold=True)
    sheet.text((middle, (y0 + y1) / 2 + 18.0), "in sockets", 3.0, anchor="middle")
    names = {leg: f"GP{number}" for number, leg in PICO_LEGS.items()}
    names |= {33: "AGND", 36: "3.3 V", 38: "GND", 40: "5 V"}
    used = {int(word.split()[1]) for word in _ends() if word.startswith("Pico ")}
    for leg in range(1, 41):
        x, y = at(pico_hole(leg))
        sheet.circle((x, y), 1.1, Pen(width_mm=0.2, fill="#c0392b" if leg in used else "#ffffff"))
        if leg in used:
            side = 1 if leg <= 20 else -1
            sheet.text(
                (x + side * 2.2, y + 1.0),
                f"{leg} {names[leg]}" if side > 0 else f"{names[leg]} {leg}",
                2.9,
                anchor="start" if side > 0 else "end",
            )


def _ends() -> list[str]:
    return [end for start, ends in wires(tower_pins()) for end in (start, *ends)]


def _small_parts(sheet: Sheet, at: Any) -> None:
    x0, y0 = at((CHIP[0] - 0.5, CHIP[1] - 0.5))
    x1, y1 = at((CHIP[0] + 3.5, CHIP[1] + 6.5))
    sheet.box(x0, y0, x1 - x0, y1 - y0, Pen(width_mm=0.3, fill="#d9dce1"))
    sheet.text(
        ((x0 + x1) / 2 + 1.0, (y0 + y1) / 2), "74AHCT125", 3.0, anchor="middle", turn_deg=90, bold=True
    )
    for leg in range(1, 15):
        column, row = (CHIP[0], CHIP[1] + leg - 1) if leg <= 7 else (CHIP[0] + 3, CHIP[1] + 14 - leg)
        x, y = at((column, row))
        sheet.circle((x, y), 0.9, Pen(width_mm=0.2, fill="#ffffff"))
        side = 1 if leg <= 7 else -1
        sheet.text((x + side * 1.8, y + 0.9), str(leg), 2.4, anchor="start" if side > 0 else "end")
    for name, (one, other) in {**RESISTORS, "100 nF": CAPACITOR}.items():
        (ax, ay), (bx, _) = at(one), at(other)
        sheet.line((ax, ay), (bx, ay), Pen(width_mm=0.5))
        sheet.box(ax + 2.6, ay - 1.9, bx - ax - 5.2, 3.8, Pen(width_mm=0.25, fill="#e8c9a0"))
        sheet.text(((ax + bx) / 2, ay + 0.95), name, 2.6, anchor="middle")
        for x in (ax, bx):
            sheet.circle((x, ay), 0.9, Pen(width_mm=0.2, fill="#ffffff"))
    x, y = at(MOSFET)
    sheet.box(x - 2.5, y - 3.0, 15.2, 6.0, Pen(width_mm=0.3, fill="#c9c6d8"))
    for k, letter in enumerate("GDS"):
        sheet.circle((x + k * PITCH_MM * SCALE, y + 1.0), 0.9, Pen(width_mm=0.2, fill="#ffffff"))
        sheet.text((x + k * PITCH_MM * SCALE, y - 0.8), letter, 2.6, anchor="middle", bold=True)
    sheet.text((x - 2.5, y - 4.0), "MOSFET", 2.8, bold=True)


def _plug(sheet: Sheet, at: Any, plug: Plug) -> None:
    x, y0 = at(plug.first)
    _, y1 = at((plug.first[0], plug.first[1] + len(plug.pins) - 1))
    sheet.box(x - 2.5, y0 - 2.5, 5.0, y1 - y0 + 5.0, Pen(width_mm=0.3, fill="#ffffff"))
    for pin in plug.pins:
        px, py = at(plug.hole(pin))
        sheet.circle((px, py), 0.9, Pen(width_mm=0.2, fill="#f2d46b"))
        sheet.text((px + 3.2, py + 0.9), pin, 2.4)
    sheet.text((x - 4.5, (y0 + y1) / 2 + 1.8), plug.name, 5.0, anchor="middle", bold=True)


def _wire_list(sheet: Sheet, corner: Point) -> None:
    x, y = corner
    sheet.text((x, y), "Wires on the underside", 3.6, bold=True)
    y += 6.0
    for start, ends in wires(tower_pins()):
        sheet.text((x, y), start, 2.9, bold=True)
        y += 3.9
        for end in ends:
            sheet.text((x + 4.0, y), f"to {end}", 2.9)
            y += 3.7
        y += 1.4


def _remarks(sheet: Sheet, corner: Point) -> None:
    sheet.lines(
        corner,
        [
            "*Plugs",
            *(f"{plug.name}: {plug.what} ({', '.join(plug.pins)})" for plug in PLUGS),
            "",
            "The beams run from 3.3 V, never from 5 V: an output that is pulled up",
            "to 5 V would harm the Pico.",
            "MOSFET: the order of its legs differs by make; go by its data sheet.",
            "Chip: leg 11 stays free. All wires of GND meet at Pico 38; only the",
            "10 kΩ and the 4.7 Ω go to AGND.",
        ],
        2.9,
    )

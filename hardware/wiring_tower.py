"""Diagrams of the dice tower: with its tray camera, and with the reflective array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardware.diagram import Diagram
from hardware.legs import CORES, PICO_LEGS, pico_pin

_GROUND, _SUPPLY, _USB_5V = 38, 36, 40


def tower(pins: dict[str, Any]) -> Diagram:
    """The Pico in the dice tower: beams, lamps, readout."""
    d = Diagram("Dice tower")
    _pico_of_tower(d, pins)
    _round_the_tower(d)
    _leads_of_beams(d, pins)
    _leads_of_lamp(d, pins)
    _leads_of_readout(d, pins)
    return d


def _pico_of_tower(d: Diagram, pins: dict[str, Any]) -> None:
    """The Pico, drawn as three parts: one for each thing that hangs on it."""
    d.part(
        "Pico beams",
        "Raspberry Pi Pico",
        [
            (_SUPPLY, "3V3 out"),
            (_GROUND, "GND"),
            pico_pin(pins["IN_BEAM"], "in-beam"),
            pico_pin(pins["OUT_BEAM"], "out-beam"),
        ],
    )
    d.part(
        "Pico lamp",
        "Raspberry Pi Pico",
        [
            (_USB_5V, "VBUS 5 V"),
            pico_pin(pins["TRAY_LAMP"], "lamp"),
            pico_pin(pins["LAMP_MONITOR"]["tray"], "monitor"),
            (33, "AGND"),
        ],
    )
    d.part(
        "Pico readout",
        "Raspberry Pi Pico",
        [
            (_USB_5V, "VBUS 5 V"),
            (_GROUND, "GND"),
            pico_pin(pins["READOUT_MOSI"], "MOSI"),
            pico_pin(pins["READOUT_CS"], "CS"),
            pico_pin(pins["READOUT_SCK"], "SCK"),
        ],
    )


def _round_the_tower(d: Diagram) -> None:
    """The parts at the other ends: beams, lamps and what drives them, the readout."""
    for name, many in (("In-beam", "three pairs, side by side"), ("Out-beam", "one pair")):
        d.part(
            f"{name} senders",
            f"infrared, 940 nm: {many}",
            [(1, "+"), (2, "GND")],
            **({"notes": "all + together, all GND together"} if name == "In-beam" else {}),
        )
        d.part(
            f"{name} receivers",
            f"open collector: {many}",
            [(1, "+"), (2, "GND"), (3, "out")],
            **({"notes": "all outputs together: any dark one pulls low"} if name == "In-beam" else {}),
        )
    d.part(
        "MOSFET",
        "logic level, N channel",
        [("G", "gate, 10 kΩ to GND"), ("D", "drain"), ("S", "source")],
    )
    d.part("Resistor", "4.7 Ω, 0.5 W", [(1, "source side"), (2, "GND")])
    d.part(
        "Lamps",
        "two 5 V LED strips, side by side",
        [(1, "+"), (2, "−")],
        notes="47 Ω in the + lead of each strip: see BUILD.md",
    )
    d.part(
        "74AHCT125",
        "at 5 V",
        [
            (14, "5 V"),
            (7, "GND"),
            (2, "1A"),
            (5, "2A"),
            (9, "3A"),
            (3, "1Y"),
            (6, "2Y"),
            (8, "3Y"),
            ("1, 4, 10, 13", "enable: to GND"),
        ],
        notes="12 to GND, 11 free; 100 nF between 14 and 7",
    )
    d.part(
        "Readout",
        "MAX7219, eight digits",
        [(1, "VCC"), (2, "GND"), (3, "DIN"), (4, "CS"), (5, "CLK")],
    )


def _leads_of_beams(d: Diagram, pins: dict[str, Any]) -> None:
    for name, gp in (("In-beam", pins["IN_BEAM"]), ("Out-beam", pins["OUT_BEAM"])):
        d.lead(
            f"{name.lower()} s",
            "Pico beams",
            f"{name} senders",
            [(_SUPPLY, "RD", 1), (_GROUND, "BK", 2)],
            category="bundle",
        )
        d.lead(
            f"{name.lower()} r",
            "Pico beams",
            f"{name} receivers",
            [(_SUPPLY, "RD", 1), (_GROUND, "BK", 2), (PICO_LEGS[gp], "WH", 3)],
            category="bundle",
        )


def _leads_of_lamp(d: Diagram, pins: dict[str, Any]) -> None:
    monitor = PICO_LEGS[pins["LAMP_MONITOR"]["tray"]]
    d.lead("supply", "Pico lamp", "Lamps", [(_USB_5V, "RD", 1)], category="bundle")
    d.lead("gate", "Pico lamp", "MOSFET", [(PICO_LEGS[pins["TRAY_LAMP"]], "YE", "G")], category="bundle")
    d.lead("switched", "MOSFET", "Lamps", [("D", "BU", 2)], category="bundle")
    d.lead(
        "monitor",
        "Pico lamp",
        "Resistor",
        [(monitor, "GN", 1), (33, "BK", 2)],
        category="bundle",
    )
    d.lead("current", "MOSFET", "Resistor", [("S", "GN", 1)], category="bundle")


def _leads_of_readout(d: Diagram, pins: dict[str, Any]) -> None:
    d.lead(
        "signals",
        "Pico readout",
        "74AHCT125",
        [
            (_USB_5V, "RD", 14),
            (_GROUND, "BK", 7),
            (PICO_LEGS[pins["READOUT_MOSI"]], "WH", 2),
            (PICO_LEGS[pins["READOUT_CS"]], "YE", 5),
            (PICO_LEGS[pins["READOUT_SCK"]], "GN", 9),
        ],
        category="bundle",
    )
    d.lead(
        "readout lead",
        "74AHCT125",
        "Readout",
        [(14, "RD", 1), (7, "BK", 2), (3, "WH", 3), (6, "YE", 4), (8, "GN", 5)],
        length=0.4,
    )


def array(pins: dict[str, Any]) -> Diagram:
    """The reader under the floor, instead of the tray camera: sensors, multiplexers, emitters."""
    d = Diagram("Reflective array (option)")
    select = [(pico_pin(number, f"S{k}"), PICO_LEGS[number]) for k, number in enumerate(pins["ARRAY_SELECT"])]
    shift = [("EMITTER_DATA", "data", 14), ("EMITTER_SCK", "clock", 11), ("EMITTER_LATCH", "latch", 12)]
    d.part(
        "Pico sensors",
        "Raspberry Pi Pico",
        [
            (_SUPPLY, "3V3 out"),
            (33, "AGND"),
            *(pin for pin, _ in select),
            *(pico_pin(number, f"pocket {k}") for k, number in enumerate(pins["ARRAY_SENSORS"])),
        ],
    )
    d.part(
        "Pico emitters",
        "Raspberry Pi Pico",
        [
            (_SUPPLY, "3V3 out"),
            (_GROUND, "GND"),
            *(pico_pin(pins[name], label) for name, label, _ in shift),
            pico_pin(pins["STACK_BEAM"], "stack beam"),
        ],
    )
    _multiplexers(d, pins, [leg for _, leg in select])
    _emitters(d, pins, shift)
    _stack_beam(d, pins)
    return d


def _multiplexers(d: Diagram, pins: dict[str, Any], select_legs: Sequence[int]) -> None:
    """One for each pocket, and the lead to it."""
    for pocket, number in enumerate(pins["ARRAY_SENSORS"]):
        d.part(
            f"Multiplexer {pocket}",
            "CD74HC4067 at 3.3 V",
            [
                ("VCC", "3.3 V"),
                ("GND", "and EN"),
                *((f"S{k}", "select") for k in range(4)),
                ("SIG", "10 kΩ to GND"),
                ("C0-C8", "sensors, row by row"),
                (f"C{pins['WHITE_CHANNEL']}", "white reference"),
                (f"C{pins['DARK_CHANNEL']}", "dark reference"),
                (f"C{pins['AMBIENT_CHANNEL']}", "ambient, no emitter"),
            ],
        )
        d.lead(
            f"select {pocket}",
            "Pico sensors",
            f"Multiplexer {pocket}",
            [
                (_SUPPLY, "RD", "VCC"),
                (33, "BK", "GND"),
                *((leg, CORES[k + 2], f"S{k}") for k, leg in enumerate(select_legs)),
                (PICO_LEGS[number], "WH", "SIG"),
            ],
            category="bundle",
        )


def _emitters(d: Diagram, pins: dict[str, Any], shift: Sequence[tuple[str, str, int]]) -> None:
    """The shift registers that light one emitter at a time, and the lead to them."""
    d.part(
        "74HC595",
        "three in a row at 3.3 V",
        [
            (16, "3.3 V"),
            (8, "GND, and 13"),
            (14, "data of the first"),
            (11, "clock, all"),
            (12, "latch, all"),
            ("Q", f"{2 * pins['EMITTERS_A_POCKET']} emitters, one lit at a time"),
        ],
        notes="9 of one to 14 of the next; 10 to 3.3 V",
    )
    d.lead(
        "shift",
        "Pico emitters",
        "74HC595",
        [
            (_SUPPLY, "RD", 16),
            (_GROUND, "BK", 8),
            *(
                (PICO_LEGS[pins[name]], colour, leg)
                for (name, _, leg), colour in zip(shift, ("WH", "GN", "YE"), strict=True)
            ),
        ],
        category="bundle",
    )


def _stack_beam(d: Diagram, pins: dict[str, Any]) -> None:
    """The beam that sees a die on another."""
    d.part(
        "Stack beam",
        "open collector",
        [(1, "+"), (2, "GND"), (3, "out")],
        notes="across the pockets, 17.5 mm above their floor",
    )
    d.lead(
        "stack lead",
        "Pico emitters",
        "Stack beam",
        [(_SUPPLY, "RD", 1), (_GROUND, "BK", 2), (PICO_LEGS[pins["STACK_BEAM"]], "WH", 3)],
        category="bundle",
    )

"""How everything is wired: WireViz sources and pin tables, made from the files that the programs read.

Pins of the Raspberry Pi come from `uckers_table.devices.pins`, the Pico's from the firmware's own
`firmware/dice_tower/pins.py`.
"""

from __future__ import annotations

import runpy
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hardware.diagram import Diagram
from uckers_table.devices.pins import BUTTONS, DISPLAY, KEPT, LAMPS, NUMBERED

TOWER_PINS = Path(__file__).parents[1] / "firmware" / "dice_tower" / "pins.py"

PI_LEGS = dict(
    zip(
        (2, 3, 4, 14, 15, 17, 18, 27, 22, 23, 24, 10, 9, 25, 11, 8, 7, 5, 6, 12, 13, 19, 16, 26, 20, 21),
        (3, 5, 7, 8, 10, 11, 12, 13, 15, 16, 18, 19, 21, 22, 23, 24, 26, 29, 31, 32, 33, 35, 36, 37, 38, 40),
        strict=True,
    )
)
"""GPIO number: place on the Raspberry Pi's header of forty."""
PICO_LEGS = dict(
    zip(
        (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 26, 27, 28),
        (1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 29, 31, 32, 34),
        strict=True,
    )
)
"""GP number: leg of the Raspberry Pi Pico."""


def pi_pin(gpio: int, label: str) -> tuple[int, str]:
    """A pin of the Raspberry Pi's header by its GPIO number."""
    return PI_LEGS[gpio], f"GPIO{gpio} {label}".strip()


def name_of(button: str) -> str:
    """A button's name for people, with its digit."""
    digit = f" ({NUMBERED.index(button) + 1})" if button in NUMBERED else ""
    return button.replace("_", " ").replace("cocked dropped", "cocked/dropped") + digit


# A network lead's eight wires, in the order of its plug.
_LAN = ("WHOG", "OG", "WHGN", "BU", "WHBU", "GN", "WHBN", "BN")
_CORES = ("BN", "RD", "OG", "YE", "GN", "BU", "VT", "GY", "WH", "BK")


def buttons() -> Diagram:
    """The Pi's header, the little board beside it, two network leads, and the box of buttons."""
    d = Diagram("Button box")
    names = list(BUTTONS)
    d.part(
        "Pi switches",
        "Raspberry Pi, header",
        [*(pi_pin(BUTTONS[name], name_of(name)) for name in names), (39, "GND")],
    )
    d.part(
        "Pi lamps",
        "Raspberry Pi, header",
        [*(pi_pin(LAMPS[name], name_of(name)) for name in names), (2, "5 V"), (34, "GND")],
    )
    d.part(
        "Filter",
        "1 kΩ in each line, 100 nF from its Pi side to GND",
        [*((k + 1, name_of(name)) for k, name in enumerate(names)), (8, "GND")],
        subtype="on stripboard at the Pi",
    )
    d.part(
        "ULN2803A",
        "eight switches to ground",
        [
            *((k + 1, f"in {k + 1}") for k in range(7)),
            (9, "GND"),
            *((18 - k, f"out {k + 1}") for k in range(7)),
            (10, "COM"),
        ],
        subtype="on stripboard at the Pi; legs 8 and 11 stay free",
    )
    d.part(
        "Switches",
        "in the button box",
        [*((k + 1, name_of(name)) for k, name in enumerate(names)), (8, "all other sides")],
    )
    d.part(
        "Button lamps",
        "in the button box, 5 V with resistor",
        [*((k + 1, f"{name_of(name)} −") for k, name in enumerate(names)), (8, "all + sides")],
    )
    pi_switches = [PI_LEGS[BUTTONS[name]] for name in names]
    pi_lamps = [PI_LEGS[LAMPS[name]] for name in names]
    d.lead(
        "to the filter",
        "Pi switches",
        "Filter",
        [*((leg, _CORES[k], k + 1) for k, leg in enumerate(pi_switches)), (39, "BK", 8)],
        category="bundle",
    )
    d.lead(
        "to the driver",
        "Pi lamps",
        "ULN2803A",
        [*((leg, _CORES[k], k + 1) for k, leg in enumerate(pi_lamps)), (34, "BK", 9), (2, "RD", 10)],
        category="bundle",
    )
    d.lead(
        "lead S",
        "Filter",
        "Switches",
        [(k + 1, _LAN[k], k + 1) for k in range(8)],
        type="network lead, screened",
        length=1,
        shield=True,
        notes="screen to GND at the Pi only",
    )
    d.lead(
        "lead L",
        "ULN2803A",
        "Button lamps",
        [*((18 - k, _LAN[k], k + 1) for k in range(7)), (10, _LAN[7], 8)],
        type="network lead, screened",
        length=1,
        shield=True,
        notes="screen to GND at the Pi only",
    )
    return d


def display() -> Diagram:
    """The OLED, and the clock chip that a Pi 4 needs, on one I²C bus."""
    d = Diagram("Display and clock chip")
    sda, scl = PI_LEGS[DISPLAY["SDA"]], PI_LEGS[DISPLAY["SCL"]]
    d.part(
        "Pi",
        "Raspberry Pi, header",
        [(1, "3.3 V"), pi_pin(DISPLAY["SDA"], "SDA"), pi_pin(DISPLAY["SCL"], "SCL"), (6, "GND")],
    )
    d.part(
        "OLED",
        'SSD1309, 2.42", I²C at 0x3C',
        [(1, "GND"), (2, "VCC"), (3, "SCL"), (4, "SDA")],
        notes="go by the names printed on yours",
    )
    d.part(
        "Clock",
        "DS3231 at 0x68, on a Pi 4 only",
        [(1, "VCC"), (2, "SDA"), (3, "SCL"), (4, "GND")],
    )
    d.lead(
        "display lead",
        "Pi",
        "OLED",
        [(6, "BK", 1), (1, "RD", 2), (scl, "YE", 3), (sda, "GN", 4)],
        length=0.3,
        notes="no longer",
    )
    d.lead(
        "clock lead",
        "Pi",
        "Clock",
        [(1, "RD", 1), (sda, "GN", 2), (scl, "YE", 3), (6, "BK", 4)],
        category="bundle",
    )
    return d


def tower_pins(path: Path = TOWER_PINS) -> dict[str, Any]:
    """The names in the tower firmware's pin file."""
    return {name: value for name, value in runpy.run_path(str(path)).items() if name.isupper()}


def pico_pin(number: int, label: str) -> tuple[int, str]:
    """A leg of the Pico by its GP number."""
    return PICO_LEGS[number], f"GP{number} {label}"


_GROUND, _SUPPLY, _USB_5V = 38, 36, 40


def tower(pins: dict[str, Any]) -> Diagram:
    """The Pico in the dice tower: beams, lamps, readout."""
    d = Diagram("Dice tower")
    lamp_monitor = pins["LAMP_MONITOR"]["tray"]
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
            pico_pin(lamp_monitor, "monitor"),
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
        notes="22 Ω, 0.5 W in the + lead: see BUILD.md",
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
    d.lead("supply", "Pico lamp", "Lamps", [(_USB_5V, "RD", 1)], category="bundle")
    d.lead("gate", "Pico lamp", "MOSFET", [(PICO_LEGS[pins["TRAY_LAMP"]], "YE", "G")], category="bundle")
    d.lead("switched", "MOSFET", "Lamps", [("D", "BU", 2)], category="bundle")
    d.lead(
        "monitor",
        "Pico lamp",
        "Resistor",
        [(PICO_LEGS[lamp_monitor], "GN", 1), (33, "BK", 2)],
        category="bundle",
    )
    d.lead("current", "MOSFET", "Resistor", [("S", "GN", 1)], category="bundle")
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
    return d


def table() -> Diagram:
    """What plugs into what."""
    d = Diagram("The whole table")
    d.part("Supply", "27 W, USB-C", [(1, "USB-C")])
    d.part(
        "Pi",
        "Raspberry Pi 5",
        [
            (1, "power"),
            (2, "CAM/DISP 0, 22-way"),
            (3, "USB 3"),
            (4, "USB 2"),
            (5, "header: display"),
            (6, "header: buttons"),
            (7, "header: lamps"),
        ],
    )
    d.part("Board camera", "Camera Module 3", [(1, "15-way")])
    d.part("Hub", "USB 2, at the tower's back", [(1, "up"), (2, "port"), (3, "port")])
    d.part("Tower", "Pico", [(1, "micro-USB")])
    d.part("Tray camera", "720p, fixed focus", [(1, "USB")])
    d.part("Speaker", "USB", [(1, "USB")])
    d.part("Display", 'OLED 2.42"', [(1, "I²C")])
    d.part("Button box", "seven lit buttons", [(1, "lead S"), (2, "lead L")])
    d.part("12 V supply", "10 W, on its own", [(1, "12 V")])
    d.part("Board light", "ring round the lens", [(1, "12 V")])
    d.lead("power lead", "Supply", "Pi", [(1, "BK", 1)])
    d.lead("camera cable", "Pi", "Board camera", [(2, "OG", 1)], length=0.5, type="flat, standard to mini")
    d.lead("tower lead", "Pi", "Hub", [(3, "BU", 1)], length=1, notes="clamped at both ends")
    d.lead("to the Pico", "Hub", "Tower", [(2, "BU", 1)], length=0.3)
    d.lead("to the camera", "Hub", "Tray camera", [(3, "BU", 1)], length=0.5)
    d.lead("speaker lead", "Pi", "Speaker", [(4, "BU", 1)])
    d.lead("display lead", "Pi", "Display", [(5, "GN", 1)], length=0.3)
    d.lead("lead S", "Pi", "Button box", [(6, "GY", 1)], length=1, type="network lead, screened")
    d.lead("lead L", "Pi", "Button box", [(7, "GY", 2)], length=1, type="network lead, screened")
    d.lead("light lead", "12 V supply", "Board light", [(1, "RD", 1)])
    return d


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
                *((leg, _CORES[k + 2], f"S{k}") for k, (_, leg) in enumerate(select)),
                (PICO_LEGS[number], "WH", "SIG"),
            ],
            category="bundle",
        )
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
    return d


def diagrams() -> dict[str, Diagram]:
    """Every diagram by the name of its files."""
    pins = tower_pins()
    return {
        "table": table(),
        "buttons": buttons(),
        "display": display(),
        "tower": tower(pins),
        "array": array(pins),
    }


def pin_tables() -> str:
    """All pins in use, as a page."""
    pins = tower_pins()
    monitor = pins["LAMP_MONITOR"]
    pi = {
        **{gpio: f"button: {name_of(name)}" for name, gpio in BUTTONS.items()},
        **{gpio: f"lamp: {name_of(name)}" for name, gpio in LAMPS.items()},
        **{gpio: f"display, I²C {name}" for name, gpio in DISPLAY.items()},
        **{gpio: f"kept: {what}" for gpio, what in KEPT.items()},
    }
    tray: dict[int, str] = {
        pins["IN_BEAM"]: "in-beam receivers (three outputs together)",
        pins["OUT_BEAM"]: "out-beam receiver",
        pins["TRAY_LAMP"]: "MOSFET of the tray's lamps",
        pins["READOUT_CS"]: "readout CS",
        pins["READOUT_SCK"]: "readout clock",
        pins["READOUT_MOSI"]: "readout data",
        monitor["tray"]: "lamp monitor",
    }
    extra: dict[int, str] = {
        pins["STACK_BEAM"]: "stack beam",
        **{number: f"multiplexers, S{k}" for k, number in enumerate(pins["ARRAY_SELECT"])},
        **{number: f"pocket {k}, common pin" for k, number in enumerate(pins["ARRAY_SENSORS"])},
        pins["EMITTER_SCK"]: "emitters, clock",
        pins["EMITTER_DATA"]: "emitters, data",
        pins["EMITTER_LATCH"]: "emitters, latch",
        monitor["array"]: "lamp monitor",
    }
    out = [
        "# Pins",
        "",
        "Made by `python -m hardware` from [the Pi's pin file](../../uckers_table/devices/pins.py) and",
        "[the tower's](../../firmware/dice_tower/pins.py): change those, not this page.",
        "",
        "## Raspberry Pi",
        "",
        *_rows(("Header", "GPIO", "For"), ((PI_LEGS[gpio], gpio, what) for gpio, what in pi.items())),
        "",
        "Power for the display: 1 (3.3 V), 6 (ground). For the buttons' lamps: 2 (5 V). Ground: 34, 39.",
        "",
        "## Pico in the dice tower, tray camera",
        "",
        *_rows(("Leg", "GP", "For"), ((PICO_LEGS[number], number, what) for number, what in tray.items())),
        "",
        f"GP{pins['QUIET_SUPPLY']} is inside the Pico: the firmware sets it before it measures. Legs 36",
        "(3.3 V), 38 (ground), 33 (ground for measuring) and 40 (5 V from USB) feed the rest.",
        "",
        "## Pico, besides, with the reflective array",
        "",
        f"The lamp monitor moves from GP{monitor['tray']} to GP{monitor['array']}.",
        "",
        *_rows(("Leg", "GP", "For"), ((PICO_LEGS[number], number, what) for number, what in extra.items())),
    ]
    return "\n".join(out) + "\n"


def _rows(head: tuple[str, str, str], rows: Iterable[tuple[int, int, str]]) -> list[str]:
    return [
        f"| {' | '.join(head)} |",
        "|---|---|---|",
        *(f"| {leg} | {number} | {what} |" for leg, number, what in sorted(rows)),
    ]

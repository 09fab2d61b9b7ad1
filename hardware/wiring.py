"""How everything is wired: WireViz diagrams and pin tables, made from the files that the programs read.

Pins of the Raspberry Pi come from `uckers_table.devices.pins`, the Pico's from the firmware's own
`firmware/dice_tower/pins.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from hardware.diagram import Diagram
from hardware.legs import PI_LEGS, PICO_LEGS, name_of, tower_pins
from hardware.wiring_pi import buttons, display, table
from hardware.wiring_tower import array, tower
from uckers_table.devices.pins import BUTTONS, DISPLAY, KEPT, LAMPS


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

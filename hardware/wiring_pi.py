"""Diagrams of what hangs on the Raspberry Pi, and of what plugs into what."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.diagram import Diagram
from hardware.legs import CORES, PI_LEGS, name_of, pi_pin
from uckers_table.devices.pins import BUTTONS, DISPLAY, LAMPS

# A network lead's eight wires, in the order of its plug.
_LAN = ("WHOG", "OG", "WHGN", "BU", "WHBU", "GN", "WHBN", "BN")


def buttons() -> Diagram:
    """The Pi's header, the little board beside it, two network leads, and the box of buttons."""
    d = Diagram("Button box")
    _button_parts(d, list(BUTTONS))
    _button_leads(d, list(BUTTONS))
    return d


def _button_parts(d: Diagram, names: Sequence[str]) -> None:
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
            (10, "COM, lamps +"),
        ],
        subtype="on stripboard at the Pi; legs 8 and 11 stay free",
        notes="a resettable fuse of 0.25 A in the red wire to 10",
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


def _button_leads(d: Diagram, names: Sequence[str]) -> None:
    pi_switches = [PI_LEGS[BUTTONS[name]] for name in names]
    pi_lamps = [PI_LEGS[LAMPS[name]] for name in names]
    d.lead(
        "to the filter",
        "Pi switches",
        "Filter",
        [*((leg, CORES[k], k + 1) for k, leg in enumerate(pi_switches)), (39, "BK", 8)],
        category="bundle",
    )
    d.lead(
        "to the driver",
        "Pi lamps",
        "ULN2803A",
        [*((leg, CORES[k], k + 1) for k, leg in enumerate(pi_lamps)), (34, "BK", 9), (2, "RD", 10)],
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

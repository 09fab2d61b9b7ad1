"""Where each pin is found: on the Raspberry Pi's header, and on the legs of the Pico."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from uckers_table.devices.pins import NUMBERED

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

CORES = ("BN", "RD", "OG", "YE", "GN", "BU", "VT", "GY", "WH", "BK")
"""Colours of loose wires, in the order of resistors' rings."""


def pi_pin(gpio: int, label: str) -> tuple[int, str]:
    """A pin of the Raspberry Pi's header by its GPIO number."""
    return PI_LEGS[gpio], f"GPIO{gpio} {label}".strip()


def pico_pin(number: int, label: str) -> tuple[int, str]:
    """A leg of the Pico by its GP number."""
    return PICO_LEGS[number], f"GP{number} {label}"


def name_of(button: str) -> str:
    """A button's name for people, with its digit."""
    digit = f" ({NUMBERED.index(button) + 1})" if button in NUMBERED else ""
    return button.replace("_", " ").replace("cocked dropped", "cocked/dropped") + digit


def tower_pins(path: Path = TOWER_PINS) -> dict[str, Any]:
    """The names in the tower firmware's pin file."""
    return {name: value for name, value in runpy.run_path(str(path)).items() if name.isupper()}

"""The bill of materials: the page is the list's, and the counts are the drawings'."""

from collections import Counter
from pathlib import Path

import pytest

from hardware.gantry import Gantry
from hardware.parts_list import parts_page, read_parts
from hardware.tower import Tower
from hardware.tower_parts import parts, screws
from uckers_table.devices.pins import BUTTONS

HARDWARE = Path(__file__).parents[2] / "hardware"
PARTS = read_parts()


def quantity(start):
    (line,) = [line for line in PARTS if line.part.startswith(start)]
    return line.quantity


def test_the_page_in_the_folder_is_the_one_of_today():
    assert (HARDWARE / "parts.md").read_text(encoding="utf-8") == parts_page(PARTS)


def test_the_sum_is_the_estimate_and_two_more_beams():
    """The estimate was 329 with two pairs of beams at 8 pounds; there are four pairs now."""
    assert sum(line.price_gbp for line in PARTS) == 329 + 8


def test_there_are_as_many_beams_buttons_and_screws_as_are_drawn():
    assert quantity("Break-beam pair") == len(Tower().in_beams) + 1
    assert quantity("Lit push button") == quantity("Resistor 1 kΩ") == len(BUTTONS)
    lengths = Counter(screw.length_mm for screw in screws(Tower()))
    assert {length: quantity(f"Screw M3 × {length}") for length in (8, 10, 12)} == lengths
    assert quantity("Heat-set insert M3") == lengths.total()


def test_profile_lengths_are_the_gantrys():
    gantry = Gantry()
    (line,) = [line for line in PARTS if line.part.startswith("Profile")]
    bridge = 2 * gantry.column_y_mm - gantry.profile_mm
    assert f"2 of {gantry.column_mm:.0f} mm, 2 of {gantry.foot_mm:.0f} mm, 1 of {bridge:.0f} mm" in line.part


def test_there_is_plastic_enough():
    """1.27 g a cubic centimetre, PETG, all solid."""
    grams = sum(part.solid.volume() for part in parts(Tower())) / 1000 * 1.27
    (line,) = [line for line in PARTS if line.part.startswith("Print")]
    assert line.part.startswith("Print, 0.8 kg")
    assert grams == pytest.approx(800, abs=40)


def test_every_line_is_whole():
    for line in PARTS:
        assert line.quantity > 0
        assert line.group
        assert line.part
        assert not line.gbp or line.gbp.split()[0].isdigit() or line.gbp.startswith("with the ")

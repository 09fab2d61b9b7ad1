"""Wiring: the diagrams in the folder are those of the pin files, and every wire goes where it should."""

import re
from html import unescape
from pathlib import Path

import pytest
import yaml
from gpiozero.pins.pi import PiBoardInfo

from hardware.legs import PI_LEGS, PICO_LEGS, tower_pins
from hardware.wiring import diagrams, pin_tables
from uckers_table.devices.pins import BUTTONS, DISPLAY, KEPT, LAMPS

WIRING = Path(__file__).parents[2] / "hardware" / "wiring"
NAMES = sorted(diagrams())
TOWER = tower_pins()

PICO = """GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15
    GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 AGND GP28 ADC_VREF 3V3 3V3_EN GND VSYS VBUS"""
"""The Pico's legs 1 to 40, as published in its data sheet."""


def drawn(name):
    return yaml.safe_load((WIRING / f"{name}.yml").read_text(encoding="utf-8"))


def wires(tree):
    """Every wire: ((part, pin), (part, pin))."""
    for (one, a), _, (other, b) in (((*step.items(),)[0] for step in chain) for chain in tree["connections"]):
        yield from zip(((one, pin) for pin in a), ((other, pin) for pin in b), strict=True)


def label(tree, part, pin):
    connector = tree["connectors"][part]
    return connector["pinlabels"][connector["pins"].index(pin)]


@pytest.mark.parametrize("name", NAMES)
def test_the_source_in_the_folder_is_the_one_of_today(name):
    assert (WIRING / f"{name}.yml").read_text(encoding="utf-8") == diagrams()[name].source()


def test_the_pin_tables_in_the_folder_are_those_of_today():
    assert (WIRING / "pins.md").read_text(encoding="utf-8") == pin_tables()


@pytest.mark.parametrize("name", NAMES)
def test_the_drawing_shows_every_pin_of_its_source(name):
    svg = (WIRING / f"{name}.svg").read_text(encoding="utf-8")
    texts = {unescape(text).replace("\xa0", " ") for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)}
    for part, connector in drawn(name)["connectors"].items():
        assert part in texts
        assert {str(pin) for pin in connector["pins"]} | set(connector["pinlabels"]) <= texts


@pytest.mark.parametrize("name", NAMES)
def test_every_pin_that_a_wire_ends_on_is_the_parts(name):
    tree = drawn(name)
    for ends in wires(tree):
        for part, pin in ends:
            assert pin in tree["connectors"][part]["pins"]


def test_the_header_is_laid_out_as_gpiozero_knows_it():
    header = PiBoardInfo.from_revision(0xD04170).headers["J8"].pins
    for gpio, leg in PI_LEGS.items():
        assert f"GPIO{gpio}" in header[leg].names, (gpio, leg)
    assert {leg: header[leg].name for leg in (1, 2, 6, 34, 39)} == {
        1: "3V3",
        2: "5V",
        6: "GND",
        34: "GND",
        39: "GND",
    }


def test_the_picos_legs_are_the_published_ones():
    legs = PICO.split()
    assert len(legs) == 40
    for number, leg in PICO_LEGS.items():
        assert legs[leg - 1] == f"GP{number}"
    assert [legs[leg - 1] for leg in (33, 36, 38, 40)] == ["AGND", "3V3", "GND", "VBUS"]


@pytest.mark.parametrize("button", sorted(BUTTONS))
def test_each_button_and_its_lamp_are_wired_to_their_pins(button):
    tree = drawn("buttons")
    onward = dict(wires(tree))
    said = button.replace("_", " ").replace("cocked dropped", "cocked/dropped")

    filtered = onward["Pi switches", PI_LEGS[BUTTONS[button]]]
    switch = onward[filtered]
    assert filtered[0] == "Filter"
    assert label(tree, *filtered).startswith(said)
    assert switch[0] == "Switches"
    assert label(tree, *switch).startswith(said)

    driver, leg = onward["Pi lamps", PI_LEGS[LAMPS[button]]]
    # The ULN2803A's outputs lie across from its inputs: 1 and 18, 2 and 17.
    lamp = onward[driver, 19 - leg]
    assert label(tree, *lamp).startswith(said)


def test_the_display_is_on_its_bus():
    tree = drawn("display")
    ends = {(a[1], label(tree, *b)) for a, b in wires(tree) if b[0] == "OLED"}
    assert ends == {
        (1, "VCC"),
        (6, "GND"),
        (PI_LEGS[DISPLAY["SDA"]], "SDA"),
        (PI_LEGS[DISPLAY["SCL"]], "SCL"),
    }


def test_no_pin_of_the_pi_serves_two_things():
    used = [*BUTTONS.values(), *LAMPS.values(), *DISPLAY.values(), *KEPT]
    assert sorted(used) == list(range(2, 28))


def test_the_towers_wires_reach_the_pins_of_its_firmware():
    tree = drawn("tower")
    reached = {(a[1], b[0], label(tree, *b)) for a, b in wires(tree) if a[0].startswith("Pico")}
    signals = {(leg, part, name) for leg, part, name in reached if leg not in (33, 36, 38, 40)}
    assert signals == {
        (PICO_LEGS[TOWER["IN_BEAM"]], "In-beam receivers", "out"),
        (PICO_LEGS[TOWER["OUT_BEAM"]], "Out-beam receivers", "out"),
        (PICO_LEGS[TOWER["TRAY_LAMP"]], "MOSFET", "gate, 10 kΩ to GND"),
        (PICO_LEGS[TOWER["LAMP_MONITOR"]["tray"]], "Resistor", "source side"),
        (PICO_LEGS[TOWER["READOUT_MOSI"]], "74AHCT125", "1A"),
        (PICO_LEGS[TOWER["READOUT_CS"]], "74AHCT125", "2A"),
        (PICO_LEGS[TOWER["READOUT_SCK"]], "74AHCT125", "3A"),
    }
    levels = {(label(tree, *a), label(tree, *b)) for a, b in wires(tree) if b[0] == "Readout"}
    assert levels == {("5 V", "VCC"), ("GND", "GND"), ("1Y", "DIN"), ("2Y", "CS"), ("3Y", "CLK")}


def test_the_arrays_wires_reach_the_pins_of_its_firmware():
    tree = drawn("array")
    reached = {(a[1], b) for a, b in wires(tree) if a[1] not in (33, 36, 38)}
    select = {
        (PICO_LEGS[n], (f"Multiplexer {p}", f"S{k}"))
        for p in (0, 1)
        for k, n in enumerate(TOWER["ARRAY_SELECT"])
    }
    sensed = {(PICO_LEGS[n], (f"Multiplexer {p}", "SIG")) for p, n in enumerate(TOWER["ARRAY_SENSORS"])}
    shifted = {
        (PICO_LEGS[TOWER["EMITTER_DATA"]], ("74HC595", 14)),
        (PICO_LEGS[TOWER["EMITTER_SCK"]], ("74HC595", 11)),
        (PICO_LEGS[TOWER["EMITTER_LATCH"]], ("74HC595", 12)),
        (PICO_LEGS[TOWER["STACK_BEAM"]], ("Stack beam", 3)),
    }
    assert reached == select | sensed | shifted

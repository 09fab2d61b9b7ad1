"""The carrier: every part has its own holes, and its wires say what the wiring diagram says."""

from itertools import chain
from math import dist
from pathlib import Path

import yaml

from hardware.carrier import (
    CAPACITOR,
    CHIP,
    COLUMNS,
    MOSFET,
    PITCH_MM,
    PLUGS,
    RESISTORS,
    ROWS,
    pico_hole,
    wires,
)
from hardware.legs import tower_pins
from hardware.tower import Bought

TOWER = Path(__file__).parents[2] / "hardware" / "wiring" / "tower.yml"
WIRES = wires(tower_pins())


def holes():
    """Every hole that a leg or pin goes into."""
    yield from (pico_hole(leg) for leg in range(1, 41))
    yield from ((CHIP[0] + side, CHIP[1] + k) for side in (0, 3) for k in range(7))
    yield from ((MOSFET[0] + k, MOSFET[1]) for k in range(3))
    yield from chain.from_iterable([*RESISTORS.values(), CAPACITOR])
    yield from (plug.hole(pin) for plug in PLUGS for pin in plug.pins)


def test_no_two_legs_share_a_hole_and_all_lie_on_the_board():
    used = list(holes())
    assert len(set(used)) == len(used)
    assert all(0 <= column < COLUMNS and 0 <= row < ROWS for column, row in used)


def test_no_leg_is_under_a_screws_head():
    bought = Bought()
    middle = ((COLUMNS - 1) / 2, (ROWS - 1) / 2)
    for sx in (-1, 1):
        for sy in (-1, 1):
            screw = tuple(
                m + s * between / 2 / PITCH_MM
                for m, s, between in zip(middle, (sx, sy), bought.carrier_holes, strict=True)
            )
            assert min(dist(screw, hole) for hole in holes()) * PITCH_MM > 3.5


def legs_joined():
    """The nets of the wire list: sets of ends that hang together."""
    nets = []
    for start, ends in WIRES:
        net = {start, *ends}
        for other in [n for n in nets if n & net]:
            nets.remove(other)
            net |= other
        nets.append(net)
    return nets


def net_of(end):
    return next(net for net in legs_joined() if end in net)


def test_the_wires_are_those_of_the_diagram():
    """Each wire of tower.yml, its ends named as on the carrier, lies within one net."""
    tree = yaml.safe_load(TOWER.read_text(encoding="utf-8"))
    plug = {
        "In-beam senders": "A",
        "In-beam receivers": "B",
        "Out-beam senders": "C",
        "Out-beam receivers": "D",
    }
    plug |= {"Lamps": "E", "Readout": "F"}

    def ends(part, pin):
        connector = tree["connectors"][part]
        label = connector["pinlabels"][connector["pins"].index(pin)]
        if part in plug:
            return f"{plug[part]} {label}"
        if part == "74AHCT125":
            return f"chip {pin}"
        if part == "MOSFET":
            return f"MOSFET {label.split(',')[0]}"
        if part == "Resistor":
            return {"source side": "4.7 Ω, one end", "GND": "4.7 Ω, other end"}[label]
        return next(e for net in legs_joined() for e in net if e.startswith(f"Pico {pin} "))

    for (one, a), _, (other, b) in (
        ((*step.items(),)[0] for step in chained) for chained in tree["connections"]
    ):
        for here, there in zip(a, b, strict=True):
            assert ends(other, there) in net_of(ends(one, here)), (one, here, other, there)


def test_supplies_are_kept_apart():
    assert not net_of("Pico 36 (3.3 V)") & net_of("Pico 40 (5 V)")
    assert not net_of("Pico 38 (GND)") & (net_of("Pico 36 (3.3 V)") | net_of("Pico 40 (5 V)"))
    assert {"B +", "D +"} <= net_of("Pico 36 (3.3 V)")

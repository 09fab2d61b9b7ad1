"""The reflective array's drawing: sensors lie where the reader takes them to lie, wires go as they light."""

from itertools import combinations, product
from math import cos, hypot, radians, sin
from pathlib import Path
from xml.etree import ElementTree

from hardware.array_board import DIE_MM, Array, array_sheet, emitter_place
from hardware.legs import tower_pins
from hardware.parts_list import read_parts
from uckers_table.devices.pico.array import FACES, POCKETS, SENSORS

ARRAY, PINS = Array(), tower_pins()
DRAWINGS = Path(__file__).parents[2] / "hardware" / "drawings"
EVERY = [place for pocket in range(POCKETS) for place in ARRAY.sensors(pocket)]


def test_the_drawing_in_the_folder_is_the_one_of_today():
    assert (DRAWINGS / "array.svg").read_text(encoding="utf-8") == array_sheet(ARRAY).svg()


def test_the_nine_lie_row_by_row_as_a_dies_pips_do():
    """A six shows pips in two rows or two columns of three, a two in opposite corners."""
    grid = ARRAY.sensors(0)[:SENSORS]
    for face, shapes in FACES.items():
        for shape in shapes:
            pips = [place for place, char in zip(grid, shape, strict=True) if char == "o"]
            assert len(pips) == face
            assert abs(sum(x for x, _ in pips)) + abs(sum(y for _, y in pips)) < 1e-9
    assert sorted(grid) == sorted(product((-4.0, 0.0, 4.0), repeat=2))
    assert grid == tuple(sorted(grid, key=lambda place: (place[1], place[0])))


def test_no_two_sensors_touch_and_all_are_on_the_board_under_pocket_or_lid():
    wide, high = ARRAY.body
    for (x, y), (other_x, other_y) in combinations(EVERY, 2):
        assert abs(x - other_x) > wide or abs(y - other_y) > high
    middle = ARRAY.between / 2
    assert all(abs(x - middle) < (ARRAY.board[0] - wide) / 2 for x, _ in EVERY)
    half = ARRAY.pocket / 2
    for pocket in range(POCKETS):
        for x, y in ARRAY.sensors(pocket)[:SENSORS]:
            assert max(abs(x - pocket * ARRAY.between) + wide / 2, abs(y) + high / 2) < half
        for _, y in ARRAY.sensors(pocket)[SENSORS:]:
            assert y + high / 2 < -half - ARRAY.wall


def test_the_beam_passes_over_a_flat_die_but_no_leaning_or_stacked_one():
    assert DIE_MM + 1.0 < ARRAY.beam_high < 2 * DIE_MM
    turn = radians(8.0)
    assert DIE_MM * (sin(turn) + cos(turn)) > ARRAY.beam_high
    # A die that has turned as far as the pocket lets it still fits.
    assert hypot(DIE_MM, DIE_MM) > ARRAY.pocket > DIE_MM + 1.5
    assert ARRAY.wall_high > ARRAY.beam_high + ARRAY.beam_hole / 2


def test_each_emitter_has_the_output_that_the_firmware_lights():
    """The firmware sends three bytes, highest first, with one bit set: the first ends up in the last chip."""
    places = {}
    for pocket, channel in product(range(POCKETS), range(PINS["EMITTERS_A_POCKET"])):
        word = (1 << (pocket * PINS["EMITTERS_A_POCKET"] + channel)).to_bytes(3, "big")
        (chip,) = [number for number, byte in enumerate(reversed(word), start=1) if byte]
        output = "ABCDEFGH"[word[3 - chip].bit_length() - 1]
        places[pocket, channel] = f"{chip} Q{output}"
        assert emitter_place(pocket, channel, PINS) == places[pocket, channel]
    assert len(set(places.values())) == len(places)
    assert emitter_place(0, PINS["AMBIENT_CHANNEL"], PINS) is None
    words = [
        t.text
        for t in ElementTree.fromstring(array_sheet(ARRAY).svg()).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert all(words.count(place) == 1 for place in places.values())


def test_there_are_as_many_parts_as_are_drawn():
    parts = {line.part: line.quantity for line in read_parts()}
    assert parts["QRE1113 with legs"] == len(EVERY)
    assert parts["Resistor 220 Ω"] == POCKETS * PINS["EMITTERS_A_POCKET"]

"""The readout's bytes, against the MAX7219's own tables."""

from uckers_table.devices.pico.messages import MAX_TEXT
from uckers_table.devices.pico.readout import DIGITS, commands, segments
from uckers_table.devices.pico.watch import READOUT


def test_digits_are_those_of_the_chips_own_decoder():
    """What the MAX7219 shows for 0 to 9 in decode mode, from its data sheet (table 5: segments A to G)."""
    sheet = ["1111110", "0110000", "1101101", "1111001", "0110011"]
    sheet += ["1011011", "1011111", "1110000", "1111111", "1111011"]
    assert [segments(str(digit)) for digit in range(10)] == [int(bits, 2) for bits in sheet]


def test_a_text_is_told_with_all_that_a_spike_may_have_upset():
    assert commands("6 3", 2) == [
        b"\x0f\x00",
        b"\x09\x00",
        b"\x0b\x07",
        b"\x0a\x02",
        b"\x08\x5f",
        b"\x07\x00",
        b"\x06\x79",
        b"\x05\x00",
        b"\x04\x00",
        b"\x03\x00",
        b"\x02\x00",
        b"\x01\x00",
        b"\x0c\x01",
    ]


def test_every_text_of_the_tower_can_be_told_apart_and_fits():
    shown = {bytes(segments(char) for char in text) for text in {*READOUT.values(), "SIX 2", "6 3", ""}}
    assert len(shown) == len({*READOUT.values()}) + 3
    assert all(segments(char) for text in READOUT.values() for char in text)
    assert DIGITS == MAX_TEXT


def test_what_cannot_be_shown_is_dark():
    assert segments("%") == segments(" ") == 0

"""The message text: there and back, damage, bounds, and that MicroPython can run it."""

import ast
import doctest
from pathlib import Path

import pytest

from uckers_table.devices import pico
from uckers_table.devices.pico import messages
from uckers_table.devices.pico.messages import (
    MAX_LINE,
    TO_HOST,
    TO_TOWER,
    BadLineError,
    LineBuffer,
    crc16,
    decode,
    encode,
)

MESSAGES = [
    ("hello", "3fa9c1d2", "12", "2", "array", "0.1.0", "uckers-tower e661a4d3"),
    ("beat", "3fa9c1d2", "12", "on", "dice=2,bright=2", "rEd  6-3"),
    ("beat", "3fa9c1d2", "0", "off", "dice=1,bright=0", ""),
    ("begun", "3fa9c1d2", "13", "0"),
    ("throw", "3fa9c1d2", "14", "120", "6 3"),
    ("throw", "3fa9c1d2", "15", "600000", "4"),
    ("ended", "3fa9c1d2", "14", "7", "2", "1"),
    ("cocked", "3fa9c1d2", "16", "7", "tilted"),
    ("jam", "3fa9c1d2", "16", "7", "between"),
    ("freed", "3fa9c1d2", "16", "7"),
    ("lift", "3fa9c1d2", "16", "7"),
    ("spoilt", "3fa9c1d2", "16", "7", "crowd"),
    ("handled", "3fa9c1d2", "16", "7"),
    ("dark", "3fa9c1d2", "16", "7"),
    ("lit", "3fa9c1d2", "16", "7"),
    ("blind", "3fa9c1d2", "16", "7", "ambient"),
    ("sees", "3fa9c1d2", "16", "7"),
    ("learnt", "3fa9c1d2", "16", "7", "white"),
    ("raw", "3fa9c1d2", "3", "1", "2", "pocket0", "0 65535 12"),
    ("dropped", "3fa9c1d2", "17", "7"),
    ("who",),
    ("ack", "3fa9c1d2", "14"),
    ("show", "6*3 _"),
    ("show", ""),
    ("light", "off"),
    ("set", "dice=1"),
    ("dump", "3"),
    ("learn", "black"),
    ("prompt", "3fa9c1d2"),
]
SHARED = sorted(Path(str(pico.__file__)).parent.glob("*.py"))


def test_the_samples_cover_every_kind():
    assert {message[0] for message in MESSAGES} == {*TO_HOST, *TO_TOWER}


@pytest.mark.parametrize("message", MESSAGES, ids=" ".join)
def test_there_and_back(message):
    line = encode(*message)
    assert line.endswith(b"\n")
    assert decode(line[:-1]) == message


@pytest.mark.parametrize("message", MESSAGES, ids=" ".join)
def test_every_damaged_byte_is_noticed(message):
    line = encode(*message)[:-1]
    for place in range(len(line)):
        for byte in set(range(256)) - {line[place]}:
            with pytest.raises(BadLineError):
                decode(line[:place] + bytes([byte]) + line[place + 1 :])


@pytest.mark.parametrize("message", MESSAGES, ids=" ".join)
def test_every_lost_byte_is_noticed(message):
    line = encode(*message)[:-1]
    for place in range(len(line)):
        with pytest.raises(BadLineError):
            decode(line[:place] + line[place + 1 :])


def test_the_published_check_value_of_the_crc():
    assert crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize(
    "body",
    [
        b"throw 3fa9c1d2 14 120 6 7",
        b"throw 3fa9c1d2 14 120 6 3 1",
        b"throw 3fa9c1d2 14 120 6  3",
        b"throw 3fa9c1d2 14 120",
        b"throw 3fa9c1d2 -1 120 6 3",
        b"throw  14 120 6 3",
        b"show 123456789",
        b"show caf\xe9",
        b"show a\tb",
        b"sing 1",
        b"who me",
        b"set dice=3",
        b"set dice=2,loud=1",
        b"jam 3fa9c1d2 1 0 sideways",
        b"begun 3fa9c1d2 99999999999 0",
        b"raw 3fa9c1d2 1 1 1 lamp 12 -1",
        b"",
    ],
)
def test_nonsense_with_a_good_check_is_refused(body):
    with pytest.raises(BadLineError):
        decode(body + b"*%04x" % crc16(body))


@pytest.mark.parametrize(
    "message",
    [
        ("show", "123456789"),
        ("show", "a\nb"),
        ("throw", "3fa9c1d2", 1, 0, "0 6"),
        ("ack", "two words", 1),
        ("beat", "3fa9c1d2", -1, ""),
        ("sing",),
        ("hello", "3fa9c1d2", 1, 2, "array", "0.1.0", "n" * MAX_LINE),
    ],
)
def test_what_could_not_be_read_back_is_not_sent(message):
    with pytest.raises(BadLineError):
        encode(*message)


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_lines_are_found_however_they_are_cut(size):
    stream = b"junk\n" + encode("who") + b"\r\n" + b"x" * 500 + b"\n" + encode("show", "6-3")
    buffer = LineBuffer()
    lines = [line for at in range(0, len(stream), size) for line in buffer.feed(stream[at : at + size])]
    assert lines == [b"junk", encode("who")[:-1], b"", encode("show", "6-3")[:-1]]


def test_a_line_without_end_takes_no_room():
    buffer = LineBuffer()
    for _ in range(1000):
        assert buffer.feed(b"x" * 1000) == []
        assert len(buffer._kept) < MAX_LINE
    assert buffer.feed(b"\nwho\n") == [b"who"]


def test_the_examples_in_the_documentation():
    assert doctest.testmod(messages).failed == 0


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.stem)
def test_shared_modules_import_nothing_that_a_pico_lacks(path):
    imported = set()
    # What stands under TYPE_CHECKING no machine runs.
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    assert all(name.startswith("uckers_table.devices.pico.") for name in imported)

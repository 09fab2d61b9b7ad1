"""The firmware folder says what the package says."""

import re
from pathlib import Path

from uckers_table import __version__
from uckers_table.devices.pico.messages import MAX_LINE, TO_HOST, TO_TOWER, decode

FIRMWARE = Path(__file__).parents[2] / "firmware"
DOCUMENT = FIRMWARE / "PROTOCOL.md"


def test_the_tables_name_every_kind_and_field():
    rows = re.findall(r"^\| `(\w+)` \|([\w, ]*)\|", DOCUMENT.read_text(), re.MULTILINE)
    assert {kind: tuple(re.findall(r"\w+", fields)) for kind, fields in rows} == {**TO_HOST, **TO_TOWER}


def test_the_example_line_is_a_line():
    (example,) = re.findall(r"^    (\w.*\*\w{4})$", DOCUMENT.read_text(), re.MULTILINE)
    assert decode(example.encode()) == ("throw", "3fa9c1d2", "7", "120", "6 3")


def test_the_bound_of_a_line():
    assert f"at most {MAX_LINE} bytes" in DOCUMENT.read_text()


def test_the_firmware_is_of_this_release():
    assert f'VERSION = "{__version__}"' in (FIRMWARE / "dice_tower" / "main.py").read_text()

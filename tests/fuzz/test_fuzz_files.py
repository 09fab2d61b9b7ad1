"""Every file that is written by hand or comes from another machine, mangled: read, or refused in a line."""

import json
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.fuzz.mangling import (
    chances,
    fuzzed,
    mangled,
    said_in_one_line,
    with_numbers_changed,
    with_value_changed,
)
from uckers_table.config import Config, default_file, load_config
from uckers_table.devices.tower_memory import TowerMemory
from uckers_table.errors import ConfigError, InputError, ProfileError, RecordError
from uckers_table.machine.network import own_network
from uckers_table.machine.pin import SESSIONS, print_pin
from uckers_table.machine.starts import Starts
from uckers_table.record.heading import Heading, read_heading
from uckers_table.table.last_time import LAST_TIME, LastTime
from uckers_table.vision.place.lens import published_lens
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.settings import read_settings
from uckers_table.web.sessions import Sessions

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "tests" / "scenarios").glob("*.toml"))
OPENING = ROOT / "tests" / "recordings" / "opening"
CONFIG = """
rules = "br4006"
players = 4
seats = ["red", "green", "yellow", "blue"]
table = "table.toml"
record = "matches"
camera = "simulated"
tower = "simulated"
dice = "tower"
loudness = "calls"
mains_hz = 50
page_port = 8000
[options]
var_a = true
[names]
red = "Jones"
[simulator]
seed = 7
speed = 2.5
"""


def altered(text, chance):
    """Text of a format with bytes or words of it changed."""
    if chance.random() < 0.5:
        return mangled(text.encode(), chance)
    return with_numbers_changed(text, chance).encode(errors="surrogatepass")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "file.toml"


@pytest.fixture(scope="module")
def folder():
    with TemporaryDirectory() as folder:
        yield Path(folder)


@fuzzed(150, chance=chances)
def test_a_mangled_configuration_is_read_or_refused_by_its_name(folder, chance):
    file = folder / "config.toml"
    file.write_bytes(altered(chance.choice((CONFIG, default_file())), chance))
    said_in_one_line("config", "--config", file)
    try:
        assert isinstance(load_config(file), Config)
    except ConfigError as error:
        assert str(file) in str(error)


@fuzzed(60, chance=chances)
def test_a_mangled_scenario_is_judged_or_refused_in_a_line(folder, chance):
    text = chance.choice(SCENARIOS).read_text()
    cases = text.split("[[scenario]]")
    file = folder / "case.toml"
    file.write_bytes(altered(f"[[scenario]]{chance.choice(cases[1:])}", chance))
    said_in_one_line("judge", file)


@fuzzed(40, chance=chances)
def test_mangled_rules_are_printed_or_refused_in_a_line(folder, chance):
    rules = chance.choice(sorted((ROOT / "uckers_table" / "game" / "rulesets").glob("*.toml")))
    (folder / "own.toml").write_bytes(altered(rules.read_text(), chance))
    said_in_one_line("rules", folder / "own.toml")


@fuzzed(60, chance=chances)
def test_a_mangled_profile_is_read_or_refused_by_its_name(folder, chance):
    text = (ROOT / "calibration" / "sample-table.toml").read_text()
    cut = text.index("[bare]")
    # Mostly not in the picture, which has nearly all of the letters.
    head, tail = text[:cut].encode(), text[cut:].encode()
    if chance.random() < 0.8:
        head = altered(text[:cut], chance)
    else:
        tail = mangled(tail, chance)
    (folder / "table.toml").write_bytes(head + tail)
    try:
        TableProfile.load(folder / "table.toml")
    except ProfileError as error:
        assert "table.toml" in str(error)


@fuzzed(60, chance=chances)
def test_mangled_settings_and_lenses_are_read_or_refused_by_their_names(folder, chance):
    file = folder / "settings.toml"
    file.write_bytes(altered("exposure_us = 20000.0\ngain = 1.5\nlens_position = 0.8\n", chance))
    try:
        read_settings(file)
    except InputError as error:
        assert str(file) in str(error)
    lens = chance.choice(sorted((ROOT / "calibration" / "cameras").glob("*.toml")))
    file.write_bytes(altered(lens.read_text(), chance))
    try:
        assert published_lens(file, 2304, 1296).focal_px > 0
    except ProfileError as error:
        assert str(file) in str(error)


@fuzzed(60, chance=chances)
def test_a_mangled_recording_is_judged_or_refused_in_a_line(folder, chance):
    recording = folder / "recording"
    shutil.rmtree(recording, ignore_errors=True)
    shutil.copytree(OPENING, recording)
    name = chance.choice(("recording.toml", "events.jsonl", "events.jsonl"))
    text = (recording / name).read_text()
    if name == "events.jsonl" and chance.random() < 0.6:
        lines = with_value_changed([json.loads(line) for line in text.splitlines()], chance)
        (recording / name).write_text(
            "".join(f"{json.dumps(line)}\n" for line in with_value_changed(lines, chance))
        )
    else:
        (recording / name).write_bytes(altered(text, chance))
    said_in_one_line("replay", recording)


OWN = {
    "heading.json": {
        "names": {"red": "Jones"},
        "title": "Ours",
        "begun": {"date": "2026-01-01T20:00:00+00:00", "boot": "b", "since_boot_s": 1.0},
        "ended": {"date": None, "boot": "", "since_boot_s": 0.0},
    },
    "tower.json": {"boot": "3fa9c1d2", "number": 7, "open": [["6", "begun", "x"]]},
    "page.pin": {"address": "http://x", "pin": "123456", "pid": 1, "boot": "b"},
    "page.sessions": {"boot": "b", "since_boot_s": 1.0, "unix_s": 2.0, "left_s": {"a" * 64: 60.0}},
    "network.json": {"name": "uckers", "password": "12345678"},
    "starts.json": {"serial": 3, "failed": {"camera": 2}, "trying": ["match"], "running": []},
    "last-time.json": {
        "configured": {},
        "played": {"rules": "br4006", "seats": ["red"], "loudness": "calls"},
    },
}
"""What the machine keeps beside the record for itself."""


@fuzzed(100, chance=chances)
def test_mangled_files_of_the_machine_s_own_stop_nothing(folder, chance):
    config = Config(record=folder)
    last_time = LastTime(config)
    last_time.keep(config)
    played = json.loads((folder / LAST_TIME).read_text())
    for name, data in (OWN | {LAST_TIME: played}).items():
        content = json.dumps(with_value_changed(json.loads(json.dumps(data)), chance)).encode()
        (folder / name).write_bytes(content if chance.random() < 0.6 else mangled(content, chance))
        (folder / name).chmod(0o600)
    assert isinstance(read_heading(folder), Heading)
    TowerMemory(folder / "tower.json")
    assert isinstance(last_time.offered(config, seats_are_fixed=False), Config)
    assert Starts([folder], ["camera"]).left_out <= {"camera"}
    assert not Sessions(folder / SESSIONS).has("")
    with suppress(InputError):
        print_pin(folder, None)
    with suppress(RecordError):
        own_network(folder)

"""What the doctor says of a table: devices that are well, absent, stuck, slow or half blind."""

import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from importlib.machinery import ModuleSpec
from pathlib import Path

import cv2
import numpy as np
import pytest

from uckers_table.announce.oled import draw
from uckers_table.commands import doctor
from uckers_table.commands.cli import main
from uckers_table.commands.doctor import (
    LEAST_FREE,
    LOOK_S,
    TEST_PAGE,
    TEST_SENTENCE,
    TO_TRY,
    TOWER_WAIT_S,
    Diagnosis,
    State,
    examine,
    numpy_of,
    run_doctor,
)
from uckers_table.config import Config, simulated_config
from uckers_table.devices.base import Back, Frame, Lost, NoThrow, Remark
from uckers_table.devices.pins import BUTTONS
from uckers_table.devices.tower_link import Dump
from uckers_table.errors import ConfigError, DeviceError
from uckers_table.game.board import Board, Plan
from uckers_table.sighting import TROUBLES
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.table.examining import rules_findings
from uckers_table.table.parts import Openers
from uckers_table.vision.calibrate import calibrate

GOOD, DOUBTFUL, BAD, UNUSED = State
SYSTEM, ENVIRONMENT = "/usr/lib/python3/dist-packages", "/opt/uckers-table/current"
LOCKED = "exposure_us = 50000.0"


class Part:
    """A device that is well, and remembers what it was asked."""

    def __init__(self, name, told, **others):
        self.name, self.told, self.asked, self.closed = name, told, [], 0
        self.waits, self.down, self.why, self.frames, self.ends = False, frozenset(), "", [], True
        self.remark = ""
        self.__dict__.update(others)

    def read(self):
        return self.frames.pop(0) if self.frames else None

    def listen(self, listener):
        if self.why:
            listener(Lost(self.name, self.why))

    def show(self, what, *, stays=False):
        self.asked.append(what)

    def light(self, names):
        self.asked.append(names)

    def say(self, sentence, *, urgent=False):
        self.asked.append(sentence)
        if self.why:
            self.told(Lost(self.name, self.why))
        self.told(Remark(self.name, self.remark))

    def finish(self, wait_s):
        return self.ends

    def close(self):
        self.closed += 1


@pytest.fixture(scope="module")
def pictures():
    renderer = Renderer(Plan(Board()), look_for(3), size=(1152, 648), seed=3)
    return renderer.empty, renderer.start


@pytest.fixture(scope="module")
def table(pictures, tmp_path_factory):
    """A table's profile whose camera was locked."""
    path = tmp_path_factory.mktemp("table") / "table.toml"
    calibrate(*pictures, Board().seats).save(path)
    path.write_text(path.read_text().replace("# exposure_us =", LOCKED))
    return path


def module(name, folder):
    """Where a module lies, None for nowhere."""
    return ModuleSpec(name, None, origin=f"{folder}/{name}/__init__.py") if folder else None


class Table:
    """A table of parts that are well, each of which a test may spoil; `findings` are made once."""

    def __init__(self, config, monkeypatch, picture):
        self.config, self.pauses, self.absent = config, [], {}
        self.frames = [Frame(0.1 * number, picture) for number in range(20)]
        self.spoilt, self.parts = {}, {}
        self.picos = {"/dev/ttyACM0": {"beams": (0, 0), "lamp": (5600,)}}
        monkeypatch.setattr(doctor, "openers", self._openers)
        monkeypatch.setattr(doctor, "find_picos", lambda: list(self.picos))
        monkeypatch.setattr(doctor, "ask_tower", self._ask)
        monkeypatch.setattr(doctor, "find_spec", lambda name: module(name, SYSTEM))

    def _ask(self, port, ask, done):
        reads = self.picos.get(port, "no dice tower answers there")
        if isinstance(reads, str):
            raise DeviceError(reads)
        return Dump(tuple(reads.items()))

    def _openers(self, config, profile, clock, listener):
        def opener(name):
            def opened():
                if name in self.absent:
                    raise DeviceError(self.absent[name])
                others = {"frames": self.frames} if name == "camera" else {}
                self.parts[name] = Part(name, listener, **others, **self.spoilt.get(name, {}))
                return self.parts[name]

            return opened

        return Openers(*map(opener, ("camera", "tower", "buttons", "display", "voice")))

    def findings(self):
        return {finding.device: finding for finding in examine(self.config, pause=self.pauses.append)}

    def states(self):
        return {device: finding.state for device, finding in self.findings().items()}


@pytest.fixture
def examined(monkeypatch, tmp_path, table, pictures):
    return Table(Config(table=table, record=tmp_path / "matches"), monkeypatch, pictures[1])


ALL = ("clock", "record", "table", "numpy", "camera", "tower", "display", "buttons", "voice")


def test_a_table_that_is_well(examined, table):
    findings = examined.findings()
    assert {device: finding.state for device, finding in findings.items()} == dict.fromkeys(ALL, GOOD)
    assert findings["camera"].what == (
        "1152 × 648, 10 frames a second; the board is found, sharp and well lit"
    )
    assert findings["table"].what == f"{table}: red, green, yellow, blue"
    parts = examined.parts
    (page,) = parts["display"].asked
    assert page.tobytes() == draw(TEST_PAGE).tobytes()
    assert parts["buttons"].asked == [frozenset(BUTTONS)]
    assert parts["voice"].asked == [TEST_SENTENCE]
    assert [part.closed for part in parts.values()] == [1] * 5
    assert examined.pauses == [TOWER_WAIT_S, LOOK_S]


@pytest.mark.parametrize("name", ["camera", "tower", "display", "buttons", "voice"])
def test_a_device_that_is_not_there_is_bad_and_the_others_are_examined(examined, name):
    examined.absent[name] = f"no {name} answers: is its lead in?"
    findings = examined.findings()
    assert findings[name] == Diagnosis(name, BAD, f"no {name} answers: is its lead in?")
    assert {device for device, finding in findings.items() if finding.state is GOOD} == {*ALL} - {name}
    assert all(part.closed == 1 for part in examined.parts.values())


def test_what_the_configuration_does_without_is_not_opened(examined):
    without = {"tower": "none", "display": "none", "buttons": "none", "voice": "silent", "dice": "camera"}
    examined.config = Config(table=examined.config.table, record=examined.config.record, **without)
    states = examined.states()
    assert [device for device, state in states.items() if state is UNUSED] == list(ALL[5:])
    assert list(examined.parts) == ["camera"]
    assert examined.pauses == []


def test_a_table_without_a_camera_needs_no_profile(examined):
    examined.config = replace(examined.config, camera="none", table=None, dice="tower")
    states = examined.states()
    assert (states["camera"], "table" in states) == (UNUSED, False)
    assert states["tower"] is GOOD


def test_a_tower_that_does_not_answer_and_a_voice_that_is_lost_say_why(examined):
    examined.spoilt = {"tower": {"why": "it says nothing"}, "voice": {"why": "no sound: no such card"}}
    findings = examined.findings()
    assert findings["tower"] == Diagnosis("tower", BAD, "it says nothing")
    assert findings["voice"] == Diagnosis("voice", BAD, "no sound: no such card")


def test_beams_and_lamp_of_the_tower_are_asked_for(examined):
    examined.picos = {"/dev/ttyACM0": {"beams": (0, 1), "lamp": (12,)}}
    finding = examined.findings()["tower"]
    assert (finding.state, finding.what) == (BAD, "the out-beam is dark; the tray's lamp draws no current")
    assert finding.to_try.startswith("take out what is in the out-beam's way")
    assert "tower" not in examined.parts
    examined.picos = {"/dev/ttyACM0": {"beams": (1, 0), "lamp": (5600,), "pocket0": (0,) * 9}}
    assert examined.findings()["tower"].what == "the in-beam is dark"


def test_the_tower_may_be_the_second_pico_or_none(examined):
    well = examined.picos["/dev/ttyACM0"]
    examined.picos = {"/dev/ttyACM0": "another gadget", "/dev/ttyACM1": well}
    assert examined.states()["tower"] is GOOD
    examined.picos = {"/dev/ttyACM0": "another gadget"}
    assert examined.findings()["tower"] == Diagnosis("tower", BAD, "another gadget")
    examined.picos = {}
    assert examined.findings()["tower"].what.startswith("no Pico is plugged in")
    examined.config = replace(examined.config, tower_port="/dev/ttyACM7")
    assert examined.findings()["tower"].what == "no dice tower answers there"


def test_a_tray_camera_that_is_not_locked_is_doubtful(examined):
    assert "tray" not in examined.states()
    examined.config = replace(examined.config, tray_camera="tray")
    assert examined.states()["tray"] is State.DOUBTFUL
    examined.config = replace(examined.config, tray_settings=Path("tray.toml"))
    assert "tray" not in examined.states()


def test_a_tower_whose_reader_is_blind(examined):
    examined.spoilt = {"tower": {"listen": lambda listener: listener(NoThrow("blind"))}}
    assert examined.findings()["tower"].what.startswith("the tower's reader sees nothing")


def test_a_tray_lamp_of_which_one_strip_is_dead(examined):
    examined.spoilt = {"tower": {"listen": lambda listener: listener(NoThrow("dark"))}}
    assert examined.findings()["tower"].what.startswith("the tray's lamp draws less than it did")


def test_a_voice_whose_recordings_do_not_hold(examined):
    examined.spoilt = {"voice": {"remark": "ours: the computer speaks for red.wav: missing"}}
    line = "ours: the computer speaks for red.wav: missing"
    assert examined.findings()["voice"] == Diagnosis("voice", DOUBTFUL, line)


def test_a_voice_that_does_not_end(examined):
    examined.spoilt = {"voice": {"ends": False}}
    assert examined.findings()["voice"].what.startswith("the voice did not end a sentence in 15 s")


def test_a_button_that_is_stuck_is_named(examined):
    examined.spoilt = {"buttons": {"down": frozenset({"undo", "done"})}}
    finding = examined.findings()["buttons"]
    assert (finding.state, finding.to_try) == (BAD, "let go; is a lead shorted?")
    assert finding.what.endswith("done, undo")


def test_a_lens_covered_moved_or_out_of_focus(examined, pictures):
    spoil = {
        "too dark": np.zeros_like(pictures[1]),
        "blurred": cv2.GaussianBlur(pictures[1], (0, 0), 6.0),
        "board not found": np.full_like(pictures[1], 128),
    }
    for words, picture in spoil.items():
        examined.frames = [Frame(0.1 * number, picture) for number in range(20)]
        finding = examined.findings()["camera"]
        assert finding.state is BAD
        assert words in finding.what
        assert TO_TRY[words.replace(" ", "_")] in finding.to_try


def test_every_trouble_of_the_reader_has_something_to_try_or_is_followed():
    assert set(TROUBLES) - set(TO_TRY) == {"board_moved"}
    assert set(TO_TRY) <= set(TROUBLES)


def test_a_camera_that_is_slow_of_another_size_or_gives_nothing(examined, pictures):
    examined.frames = [Frame(0.5 * number, pictures[1]) for number in range(20)]
    finding = examined.findings()["camera"]
    assert (finding.state, finding.what) == (DOUBTFUL, "1152 × 648, 2 frames a second: that is slow")
    examined.frames = [Frame(0.1, pictures[1][:-8])]
    assert "the picture is 1152 × 640" in examined.findings()["camera"].what
    examined.frames = []
    assert examined.findings()["camera"].what.startswith("the camera gives no pictures")


def test_a_camera_that_was_never_locked_is_doubtful(examined, tmp_path):
    unlocked = tmp_path / "table.toml"
    unlocked.write_text(examined.config.table.read_text().replace(LOCKED, ""))
    examined.config = Config(table=unlocked, record=examined.config.record)
    finding = examined.findings()["camera"]
    assert finding.state is DOUBTFUL
    assert "not locked" in finding.what


def test_without_a_profile_the_camera_is_not_tried(examined, tmp_path):
    torn = tmp_path / "torn.toml"
    torn.write_text("seats = [")
    learned_on_the_page = examined.config.record / "table.toml"
    for table, what in (
        (None, f"there is no {learned_on_the_page}"),
        (tmp_path / "nowhere.toml", "there is no"),
        (torn, "torn.toml"),
    ):
        examined.config = Config(table=table, record=examined.config.record)
        findings = examined.findings()
        assert (findings["table"].state, findings["camera"].state) == (BAD, DOUBTFUL)
        assert what in findings["table"].what
        assert '"Set up" on the page' in findings["table"].to_try
        assert "camera" not in examined.parts


def test_a_table_that_was_shown_on_the_page_is_found_where_the_page_keeps_it(examined):
    record = examined.config.record
    record.mkdir(exist_ok=True)
    (record / "table.toml").write_text(examined.config.table.read_text())
    examined.config = Config(record=record)
    assert examined.states()["table"] is GOOD


def test_a_record_that_cannot_be_kept(examined, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    examined.config = Config(table=examined.config.table, record=tmp_path / "file" / "matches")
    assert examined.states()["record"] is BAD
    folder = tmp_path / "matches"
    examined.config = Config(table=examined.config.table, record=folder)
    monkeypatch.setattr(doctor, "LEAST_FREE", 1e18)
    assert examined.states()["record"] is DOUBTFUL
    assert list(folder.iterdir()) == []
    assert LEAST_FREE == 1e9


@pytest.mark.parametrize(
    ("rules", "options", "expected"),
    [
        ("submariners", {}, []),
        ("submariners", {"superblob_mobility": "frozen"}, [(DOUBTFUL, "standstill")]),
        ("subs", {}, [(BAD, "there is no rule set 'subs'")]),
    ],
)
def test_rules_that_can_stand_still_or_do_not_exist_are_found(examined, rules, options, expected):
    config = replace(examined.config, rules=rules, options=options)
    found = list(rules_findings(config))
    assert [each.state for each in found] == [state for state, _ in expected]
    assert all(words in each.what for each, (_, words) in zip(found, expected, strict=True))
    examined.config = config
    assert ("rules" in examined.findings()) is bool(expected)


def test_a_clock_that_was_never_set():
    assert doctor._clock(datetime(1970, 1, 1, tzinfo=UTC)).state is DOUBTFUL
    assert doctor._clock(datetime(2026, 11, 20, tzinfo=UTC)).state is GOOD


@pytest.mark.parametrize(("spoilt", "status"), [({}, 0), ({"buttons": {"down": frozenset({"done"})}}, 1)])
def test_the_exit_status_is_by_the_result(examined, spoilt, status, monkeypatch):
    monkeypatch.setattr(doctor, "TOWER_WAIT_S", 0.0)
    monkeypatch.setattr(doctor, "LOOK_S", 0.0)
    examined.spoilt = spoilt
    out = io.StringIO()
    assert run_doctor(examined.config, json_lines=True, out=out) == status
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["device"] for line in lines] == list(ALL)
    assert all(line.keys() == {"device", "state", "what", "to_try"} for line in lines)
    assert {line["state"] for line in lines} <= {*State}


def test_a_device_that_came_back_is_not_lost(examined):
    examined.spoilt = {"tower": {"listen": lambda listener: listener(Back("tower"))}}
    assert examined.states()["tower"] is GOOD


def test_a_simulated_table_has_nothing_to_examine():
    with pytest.raises(ConfigError, match=r"the configuration's table is simulated"):
        run_doctor(simulated_config(seed=1), json_lines=False, out=io.StringIO())


def test_a_real_table_of_pictures_from_the_command_line(tmp_path, table, pictures, capsys):
    frames = tmp_path / "frames"
    frames.mkdir()
    cv2.imwrite(str(frames / "1.png"), pictures[1])
    config = tmp_path / "config.toml"
    config.write_text(
        f'table = "{table}"\ncamera = "folder"\ncamera_source = "{frames}"\nrecord = "{tmp_path}/matches"\n'
        'tower = "none"\nbuttons = "none"\ndisplay = "none"\nvoice = "silent"\n'
    )
    assert main(["doctor", "--config", str(config)]) == 0
    told = capsys.readouterr().out
    assert "GOOD      camera   1152 × 648; the board is found, sharp and well lit\n" in told
    assert "UNUSED    voice    the configuration does without it\n" in told
    cv2.imwrite(str(frames / "1.png"), pictures[1] // 20)
    assert main(["doctor", "--config", str(config)]) == 1
    assert "\n                   try: light the lamp over the board" in capsys.readouterr().out
    config.write_text("nonsense = 1\n")
    assert main(["doctor", "--config", str(config)]) == 2


@pytest.mark.parametrize(
    ("picamera2", "numpy", "state", "said"),
    [
        (SYSTEM, SYSTEM, GOOD, "built against"),
        (SYSTEM, ENVIRONMENT, BAD, "do not go together"),
        (ENVIRONMENT, ENVIRONMENT, GOOD, "built against"),
        (None, ENVIRONMENT, BAD, "not seen"),
    ],
)
def test_the_numpy_that_the_camera_was_built_against_is_looked_for(picamera2, numpy, state, said):
    found = numpy_of(module("picamera2", picamera2), module("numpy", numpy), Path(ENVIRONMENT))
    assert (found.device, found.state) == ("numpy", state)
    assert said in found.what

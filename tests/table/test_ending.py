"""An end is an end: whatever hangs or is under way, a table that is switched off is off."""

import json
import os
import socket
import threading

import numpy as np
import pytest

from tests import warmed
from tests.patience import HANGS_S
from tests.table_that_hangs import WORK
from uckers_table.machine.starts import ANEW, Starts
from uckers_table.table.calibrating import EMPTY, READ_BACK, START, Calibrating, ShownPicture
from uckers_table.table.left_out import SafeStart
from uckers_table.table.reminders import Reminders

HOW = {"switch_off": (0, True), "start_anew": (ANEW, False), "TERM": (0, False)}
"""By how the table is told to end, its exit status, and whether the command that switches off is run."""
HANGS = "#!/bin/sh\ntouch '{}'\nexec sleep 100000\n"
"""A program that never ends."""


@pytest.fixture
def table(tmp_path):
    """The configuration of a table with nothing at it, and what its programs are found by."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("flite", "aplay"):
        (programs / name).write_text(HANGS.format(tmp_path / "voice-hangs"))
        (programs / name).chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    keys = {
        "camera": "none",
        "tower": "none",
        "buttons": "gpio",
        "display": "sh1106",
        "voice": "silent",
        "dice": "buttons",
        "headless": True,
        "record": str(tmp_path / "matches"),
        "page_port": port,
        "switch_off": f"touch '{tmp_path / 'is-off'}'",
    }

    def write(**others):
        path = tmp_path / "table.toml"
        lines = [f"{key} = {json.dumps(value)}\n" for key, value in (keys | others).items()]
        path.write_text("".join(lines))
        return path

    return write, os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "NOTIFY_SOCKET": "@nobody-hears"}


def ended(table, what, how, **keys):
    """What a table says of whose ends one was told to come to, while something hangs; and how it ended."""
    write, environment = table
    path = write(**keys)
    done = warmed.run("tests.table_that_hangs", path, what, how, env=environment)
    assert f"hangs {what}" in done.stdout, done.stderr
    return done.returncode, (path.parent / "is-off").exists(), done.stderr


KEYS = {
    "calibration": {"camera": "webcam"},
    "frame": {"camera": "webcam"},
    "voice": {"voice": "flite"},
}


@pytest.mark.parametrize("what", [*WORK, "voice"])
def test_whatever_hangs_a_table_that_is_switched_off_is_off(table, what):
    status, is_off, said = ended(table, what, "switch_off", **KEYS.get(what, {}))
    assert (status, is_off) == HOW["switch_off"], said


@pytest.mark.parametrize("how", ["start_anew", "TERM"])
def test_each_way_to_end_is_one_while_a_backup_hangs(table, how):
    status, is_off, said = ended(table, "backup", how)
    assert (status, is_off) == HOW[how], said
    assert "backup does not stop and is left behind" in said


class Step:
    """A step of long work that is on until the test has told the work to stop."""

    def __init__(self):
        self.begun, self.is_told = threading.Event(), threading.Event()

    def __call__(self):
        self.begun.set()
        assert self.is_told.wait(HANGS_S)

    def stop(self, worker):
        """Tell the work to stop in the middle of this step, and wait until it has ended."""
        assert self.begun.wait(HANGS_S)
        worker.stopping.set()
        self.is_told.set()
        worker._thread.join(HANGS_S)
        assert not worker._thread.is_alive()


def test_an_old_match_is_judged_no_further_than_the_next_event(monkeypatch, tmp_path):
    step, told = Step(), []

    def pick_up(record, rest):
        step()
        rest()
        told.append("judged on")

    monkeypatch.setattr("uckers_table.table.left_out.pick_up", pick_up)
    safe = SafeStart(Starts(), Reminders(), told.append)
    safe.judge_again(tmp_path)
    step.stop(safe._judging)
    assert told == []


def test_a_calibration_is_worked_out_no_further_than_the_next_step(monkeypatch):
    step, told = Step(), []

    def calibrate(*_, **__):
        step()
        return ShownPicture("stands in for what was learned")

    monkeypatch.setattr("uckers_table.table.calibrating.calibrate", calibrate)
    calibrating = Calibrating(("red",), told.append)
    for what in (EMPTY, START):
        calibrating._pictures[what] = ShownPicture(what, np.zeros((4, 4, 3), np.uint8))
    calibrating.set_corners(None)
    step.stop(calibrating._worker)
    assert not any(READ_BACK.what in line for each in told for line in each.quality)

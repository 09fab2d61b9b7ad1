"""Who is in, when the program starts again: by the file, which is this user's own, or makes no sense."""

import errno
import json
import os
import stat
from unittest import mock

import pytest

from tests.web.test_gate import Clock
from uckers_table.machine.pin import SESSIONS
from uckers_table.web.gate import Gate
from uckers_table.web.sessions import MOST_SESSIONS, SESSION_S, Instant, Sessions

PIN = "004217"
START = Instant("one", 100.0, 1_800_000_000.0)


class Machine:
    """A machine whose table is started again and again; `sessions` are those of its latest start."""

    def __init__(self, folder):
        self.path, self.clock, self.instant = folder / "matches" / SESSIONS, Clock(), START
        self.start()

    def start(self):
        self.sessions = Sessions(self.path, self.clock, lambda: self.instant)

    def passes(self, span_s):
        """Time, while the machine is on."""
        boot, since_boot_s, unix_s = self.instant
        self.clock.t += span_s
        self.instant = Instant(boot, since_boot_s + span_s, unix_s + span_s)

    def loses_power(self, off_s):
        """`off_s` by its clock; a negative span is a clock that began anew at some old date."""
        self.clock.t = 0.0
        self.instant = Instant(f"{self.instant.boot} more", 20.0, self.instant.unix_s + off_s)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_who_is_in_stays_in_when_the_program_starts_again_and_for_an_evening_in_all(machine):
    token = machine.sessions.begin()
    machine.passes(SESSION_S - 60.0)
    machine.start()
    assert machine.sessions.has(token)
    machine.passes(59.0)
    machine.start()
    assert machine.sessions.has(token)
    machine.passes(2.0)
    assert not machine.sessions.has(token)
    machine.start()
    assert not machine.sessions.has(token)


@pytest.mark.parametrize(("off_s", "is_in"), [(60.0, True), (SESSION_S + 1.0, False), (-1e9, True)])
def test_a_power_cut_counts_by_the_clock_where_that_did_not_begin_anew(machine, off_s, is_in):
    token = machine.sessions.begin()
    machine.loses_power(off_s)
    machine.start()
    assert machine.sessions.has(token) == is_in
    machine.passes(SESSION_S)
    assert not machine.sessions.has(token)


def test_who_has_left_stays_out(machine):
    one, other = machine.sessions.begin(), machine.sessions.begin()
    machine.sessions.end(one)
    machine.start()
    assert (machine.sessions.has(one), machine.sessions.has(other)) == (False, True)


def test_the_file_is_the_tables_own_to_read_and_lets_nobody_in(machine):
    token = machine.sessions.begin()
    assert stat.S_IMODE(machine.path.stat().st_mode) == 0o600
    text = machine.path.read_text()
    assert token not in text
    assert not any(machine.sessions.has(digest) for digest in json.loads(text)["left_s"])
    assert [path.name for path in machine.path.parent.iterdir()] == [SESSIONS]


def _planted(machine, change):
    """The file of a table at which somebody is in, after a change."""
    token = machine.sessions.begin()
    kept = json.loads(machine.path.read_text())
    change(machine.path, kept)
    machine.start()
    return machine.sessions.has(token)


@pytest.mark.parametrize(
    "change",
    [
        lambda path, kept: path.chmod(0o644),
        lambda path, kept: path.write_text("{"),
        lambda path, kept: path.write_text("[" * 50_000),
        lambda path, kept: path.write_text("[]"),
        lambda path, kept: path.write_text(json.dumps(kept | {"left_s": [1]})),
        lambda path, kept: path.write_text(json.dumps(kept | {"boot": "other", "unix_s": float("nan")})),
        lambda path, kept: path.write_text(
            json.dumps(kept | {"left_s": dict.fromkeys(kept["left_s"], 1e999)})
        ),
        lambda path, kept: path.write_text(json.dumps(kept | {"since_boot_s": 10**400})),
        lambda path, kept: path.write_text(json.dumps(kept) + " " * 100_000),
        lambda path, kept: (path.rename(path.with_name("elsewhere")), path.symlink_to("elsewhere")),
        lambda path, kept: (path.unlink(), os.mkfifo(path, 0o600)),
    ],
)
def test_a_file_that_is_not_its_own_or_makes_no_sense_lets_nobody_in(machine, change):
    assert not _planted(machine, change)


def test_a_file_that_somebody_else_put_there_lets_nobody_in(machine, monkeypatch):
    token = machine.sessions.begin()
    monkeypatch.setattr("uckers_table.web.sessions.os.geteuid", lambda: os.getuid() + 1)
    machine.start()
    assert not machine.sessions.has(token)


def test_no_file_keeps_anybody_in_for_longer_than_an_evening(machine):
    assert _planted(
        machine,
        lambda path, kept: path.write_text(json.dumps(kept | {"left_s": dict.fromkeys(kept["left_s"], 1e9)})),
    )
    machine.passes(SESSION_S)
    assert not any(until > machine.clock.t for until in machine.sessions._until.values())


def test_no_more_are_kept_than_there_may_be(machine):
    first, *others = [machine.sessions.begin() for _ in range(MOST_SESSIONS + 1)]
    machine.start()
    assert not machine.sessions.has(first)
    assert all(machine.sessions.has(token) for token in others)


def test_a_card_that_takes_nothing_lets_people_in_all_the_same(machine, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    before = machine.sessions.begin()
    monkeypatch.setattr("uckers_table.web.sessions.os.fsync", full)
    machine.start()
    assert machine.sessions.has(before), "what is on the card already still counts"
    token = machine.sessions.begin()
    assert machine.sessions.has(token)
    assert not machine.sessions.are_taken_away()
    # Now the file would be wrong of who has left since.
    machine.sessions.end(before)
    machine.start()
    assert not machine.sessions.has(before)


def test_whoever_takes_the_file_away_puts_everybody_out_and_the_pin_is_new(machine):
    gate = Gate(PIN, machine.clock, machine.sessions)
    token = gate.admit(PIN, "10.0.0.2").token
    gate.renew_if_asked()
    assert (gate.pin, gate.knows(token)) == (PIN, True)
    machine.path.unlink()
    gate.renew_if_asked()
    assert gate.pin != PIN
    assert not gate.knows(token)
    machine.start()
    assert not machine.sessions.has(token)


def test_a_card_that_does_not_say_whether_the_file_is_there_puts_nobody_out(machine):
    gate = Gate(PIN, machine.clock, machine.sessions)
    token = gate.admit(PIN, "10.0.0.2").token
    with mock.patch("pathlib.Path.stat", side_effect=OSError(errno.EIO, "Input/output error")):
        gate.renew_if_asked()
    assert (gate.pin, gate.knows(token)) == (PIN, True)

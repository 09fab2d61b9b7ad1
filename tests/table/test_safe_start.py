"""A table that keeps failing comes up without what it failed at: real processes that end in the middle."""

import http.client
import json
import os
import signal
import socket
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests import warmed
from tests.patience import HANGS_S, until
from tests.table.test_table_without_camera import CONFIG, Kept
from uckers_table.machine.pin import FILE as PIN_FILE
from uckers_table.machine.starts import FILE, RUNTIME
from uckers_table.record.library import Library
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table
from uckers_table.table.parts import build_parts

PARTS = {"match": "match", "camera": "camera", "frame": "camera", "tower": "tower"}
"""By where it fails, the part that is left out."""


class Program:
    """A table in a process of its own, and its page."""

    def __init__(self, record, **environment):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.record, self.lines = record, []
        with Path(os.devnull).open("w") as nowhere:
            self.process = warmed.Program(
                "tests.table_that_fails", record, self.port, env=os.environ | environment, stderr=nowhere
            )

    def read(self, wanted):
        """Read what it prints, until a line begins as wanted; False where it ends before."""
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if line.startswith(wanted):
                return True
        return False

    @contextmanager
    def answer(self, method, path, data=None, cookie=""):
        """What the page answers."""
        headers = {
            "content-type": "application/json",
            "origin": f"http://127.0.0.1:{self.port}",
            "cookie": cookie,
        }
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANGS_S)) as line:
            line.request(method, path, None if data is None else json.dumps(data), headers)
            yield line.getresponse()

    def do(self, **command):
        """Ask for something with the PIN."""
        pin = json.loads((self.record / PIN_FILE).read_text())["pin"]
        with self.answer("POST", "/api/pin", {"pin": pin}) as admitted:
            cookie = admitted.getheader("set-cookie").partition(";")[0]
        with self.answer("POST", "/api/do", command, cookie) as done:
            return json.loads(done.read())

    def page(self):
        """All that the page shows now."""
        with self.answer("GET", "/api/feed") as feed:
            assert feed.readline() == b"event: all\n"
            return json.loads(feed.readline().removeprefix(b"data: "))

    def reminders(self):
        return [(each["title"], each["offer"]) for each in self.page()["reminders"]]

    def close(self):
        self.process.close()


@contextmanager
def started(record, **environment):
    """A table whose page is up, or that has ended before."""
    with closing(Program(record, **environment)) as program:
        program.read("Page:")
        yield program


def fail(record, times=3, **environment):
    """Start it so often; each time it fails."""
    for _ in range(times):
        with started(record, **environment) as program:
            assert not program.read("never"), program.lines
            assert program.process.wait() != 0


def stop(program):
    program.process.send_signal(signal.SIGTERM)
    program.read("never")
    assert program.process.wait() == 0


@pytest.fixture
def record(tmp_path):
    """A record in which a match is on."""
    folder, inbox = tmp_path / "record", Inbox()
    config = replace(CONFIG, record=folder)
    inbox.interject(None)
    Table(config, build_parts(config, inbox.post), inbox, Kept()).run()
    assert Library(folder).unfinished() == [1]
    return folder


def to_fail(record, where, how):
    (record / "fault").write_text(f"{where} {how}")


def heal(record):
    (record / "fault").unlink()


@pytest.mark.parametrize(
    ("where", "how"), [("match", "segv"), ("camera", "exit"), ("frame", "segv"), ("tower", "raise")]
)
def test_after_three_failed_starts_it_comes_up_without_and_tries_again(record, where, how):
    part = PARTS[where]
    to_fail(record, where, how)
    fail(record)
    with started(record) as table:
        until(lambda: table.reminders() == [("SAFE START", part)])
        heal(record)
        assert table.do(do="try_again", part=part)["is_done"]
        until(lambda: table.reminders() == [])
        assert table.page()["match"] == 1
        stop(table)
        assert table.lines.count(f"tried {where}") == 1
    # It is tried as ever by the next.
    with started(record) as table:
        until(lambda: table.page()["match"] == 1)
        assert table.reminders() == []
        stop(table)
        assert f"tried {where}" in table.lines


@pytest.mark.parametrize("where", ["match", "camera", "tower"])
def test_what_fails_again_in_a_table_that_runs_is_said_and_ends_nothing(record, where):
    to_fail(record, where, "raise")
    fail(record)
    with started(record) as table:
        until(lambda: table.reminders() == [("SAFE START", where)])
        table.do(do="try_again", part=where)
        until(lambda: table.reminders() == [("FAILED AGAIN", ""), ("SAFE START", where)])
        told = table.page()["reminders"][0]
        assert told["sentence"] == f"The {where}: the {where} broke"
        table.do(do="dismiss", number=told["number"])
        until(lambda: table.reminders() == [("SAFE START", where)])
        stop(table)
    # It went well without: the next start gives the part one try, not three.
    fail(record, times=1)
    with started(record) as table:
        until(lambda: table.reminders() == [("SAFE START", where)])


def test_two_failed_starts_are_forgotten_once_one_goes_well(record):
    to_fail(record, "camera", "exit")
    fail(record, times=2)
    heal(record)
    with started(record) as table:
        until(lambda: table.page()["frame"])
        stop(table)
    to_fail(record, "camera", "exit")
    fail(record, times=3)


def test_a_table_that_is_killed_while_it_runs_has_started_well(record):
    for _ in range(5):
        with started(record) as table:
            until(lambda: table.page()["frame"] > 1)
            assert table.reminders() == []


def test_where_the_card_takes_nothing_the_service_s_folder_counts(record, tmp_path):
    (record / FILE).with_suffix(".new").mkdir()
    in_memory = {RUNTIME: str(tmp_path / "run")}
    to_fail(record, "tower", "exit")
    fail(record, **in_memory)
    with started(record, **in_memory) as table:
        until(lambda: table.reminders() == [("SAFE START", "tower")])
    # With neither nothing is known, and no start fails of that.
    heal(record)
    with started(record) as table:
        assert table.reminders() == []

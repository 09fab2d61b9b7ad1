"""The PIN as its keeper finds it: kept for one user, and only while the table runs."""

import errno
import http.client
import io
import json
import os
import socket
import stat
import subprocess
import sys
from contextlib import ExitStack, contextmanager

import pytest

from tests.patience import HANGS_S
from uckers_table.commands.cli import main
from uckers_table.config import Config
from uckers_table.errors import InputError, RecordError
from uckers_table.machine.messages import Invitation
from uckers_table.machine.pin import FILE, SESSIONS, kept_pin, print_pin, spoken_pin
from uckers_table.table.inbox import Inbox
from uckers_table.table.serving import open_page

INVITATION = Invitation("http://10.0.0.4:8080/", "012345")


def test_the_pin_is_printed_while_the_table_runs_and_no_longer(tmp_path):
    out = io.StringIO()
    with kept_pin(tmp_path / "matches", INVITATION):
        assert print_pin(tmp_path / "matches", out) == 0
        assert stat.S_IMODE((tmp_path / "matches" / FILE).stat().st_mode) == 0o600
    assert out.getvalue() == "012345  http://10.0.0.4:8080/\n"
    with pytest.raises(InputError, match="no table with a page is running"):
        print_pin(tmp_path / "matches", out)


def test_nobody_reads_it_through_a_file_that_was_there_before(tmp_path):
    before = tmp_path / FILE
    before.write_text("")
    before.chmod(0o666)
    with before.open() as somebody, kept_pin(tmp_path, INVITATION):
        assert stat.S_IMODE(before.stat().st_mode) == 0o600
        assert somebody.read() == ""


@pytest.mark.parametrize("changes", [{"boot": "another"}, {"pid": None}])
def test_what_a_table_that_was_killed_left_behind_is_no_pin(tmp_path, changes):
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    with kept_pin(tmp_path, INVITATION):
        left = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps(left | {k: v or ended.pid for k, v in changes.items()}))
    with pytest.raises(InputError, match="no table with a page is running"):
        print_pin(tmp_path, io.StringIO())


def test_a_torn_file_is_one_line(tmp_path):
    (tmp_path / FILE).write_text("{")
    with pytest.raises(InputError, match="start the table again"):
        print_pin(tmp_path, io.StringIO())


def test_a_card_that_takes_nothing_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="cannot be kept"), kept_pin(tmp_path / "file", INVITATION):
        pass


def test_another_pin_takes_its_place_and_is_as_private(tmp_path):
    out = io.StringIO()
    with kept_pin(tmp_path, INVITATION) as keep:
        keep(Invitation(INVITATION.address, "482755019326"))
        assert print_pin(tmp_path, out) == 0
        assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert out.getvalue() == "482755019326  http://10.0.0.4:8080/\n"
    assert list(tmp_path.iterdir()) == []


class Pages:
    """The page of a table that is started again and again, as a phone sees it."""

    def __init__(self, record):
        self.record, self.cookie = record, ""

    @contextmanager
    def open(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        with ExitStack() as closing:
            self.page = open_page(Config(record=self.record, page_port=port), Inbox(), closing, io.StringIO())
            self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS_S)
            closing.callback(self.line.close)
            yield self

    def ask(self, method, path, data=None):
        headers = {"Origin": f"http://127.0.0.1:{self.line.port}", "Content-Type": "application/json"}
        self.line.request(method, path, json.dumps(data), headers | {"Cookie": self.cookie})
        response = self.line.getresponse()
        response.read()
        self.cookie = (response.headers["set-cookie"] or self.cookie).partition(";")[0]
        return response.status

    def may_change(self):
        # Nothing is done by it: whoever may not is told so before it is read.
        return self.ask("POST", "/api/do", {}) != 401

    def told(self):
        out = io.StringIO()
        print_pin(self.record, out)
        return out.getvalue().split()[0]


def test_who_is_in_stays_in_when_the_program_starts_again(tmp_path):
    pages = Pages(tmp_path)
    with pages.open():
        assert not pages.may_change()
        assert pages.ask("POST", "/api/pin", {"pin": pages.page.invitation.pin}) == 200
        assert pages.may_change()
    with pages.open():
        assert pages.may_change()
        assert pages.ask("POST", "/api/lock", {}) == 200
    with pages.open():
        assert not pages.may_change()


def test_the_owner_puts_everybody_out_and_the_pin_is_new(tmp_path, capsys):
    config, pages = tmp_path / "config.toml", Pages(tmp_path / "matches")
    config.write_text(f'record = "{tmp_path / "matches"}"')
    with pages.open():
        before = pages.page.invitation
        assert pages.ask("POST", "/api/pin", {"pin": before.pin}) == 200
        assert pages.page.renewed(before) == before
        assert main(["pin", "--new", "--config", str(config)]) == 0
        assert "Nobody is in" in capsys.readouterr().out
        now = pages.page.renewed(before)
        assert not pages.may_change()
        assert now.pin != before.pin
        assert pages.told() == now.pin
    (tmp_path / "matches" / SESSIONS).unlink()
    (tmp_path / "matches" / SESSIONS).mkdir()
    assert main(["pin", "--new", "--config", str(config)]) == 2


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("out", [Terminal(), io.StringIO()], ids=["terminal", "journal"])
def test_a_terminal_is_told_the_pin_and_a_journal_how_to_ask_for_it(tmp_path, out):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with ExitStack() as closing:
        page = open_page(Config(record=tmp_path, page_port=port), Inbox(), closing, out)
        said = out.getvalue()
    assert page.invitation.address in said
    assert (page.invitation.pin in said) == out.isatty()
    assert ("uckers-table pin" in said) != out.isatty()


NOWHERE = dict.fromkeys(("display", "buttons"), "none") | {"voice": "silent"}


@pytest.mark.parametrize(
    ("devices", "told"),
    [
        ({}, "the display shows its PIN; undo, pressed between matches, has it said"),
        ({"display": "none"}, "(undo, pressed between matches, has it said)"),
        (NOWHERE, "its PIN cannot be told: start the table again when there is room"),
    ],
    ids=["all", "no display", "nothing"],
)
def test_a_full_card_keeps_no_pin_and_people_are_told_who_tells_it(tmp_path, monkeypatch, devices, told):
    def full(*what, **how):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("uckers_table.machine.pin.write_whole", full)
    out = io.StringIO()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with ExitStack() as closing:
        open_page(Config(record=tmp_path, page_port=port, **devices), Inbox(), closing, out)
    first, second = out.getvalue().splitlines()
    why = "the PIN cannot be kept (No space left on device); the card is full: back it up, and clear it"
    assert first == f"{tmp_path / FILE}: {why}"
    assert told in second
    assert "uckers-table pin" not in out.getvalue()


def test_it_is_a_command(tmp_path, capsys):
    config = tmp_path / "config.toml"
    config.write_text(f'record = "{tmp_path}"')
    with kept_pin(tmp_path, INVITATION):
        assert main(["pin", "--config", str(config)]) == 0
    assert capsys.readouterr().out.startswith("012345 ")
    assert main(["pin", "--config", str(config)]) == 2
    assert os.linesep not in capsys.readouterr().err.rstrip()


def test_it_is_said_digit_by_digit():
    assert spoken_pin("012345") == "The PIN is 0, 1, 2, 3, 4, 5."

"""The PIN as its keeper finds it: kept for one user, and only while the table runs."""

import io
import json
import os
import socket
import stat
import subprocess
import sys
from contextlib import ExitStack

import pytest

from uckers_table.commands.cli import main
from uckers_table.config import Config
from uckers_table.errors import InputError, RecordError
from uckers_table.machine.messages import Invitation
from uckers_table.machine.pin import FILE, kept_pin, print_pin, spoken_pin
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

"""What the program logs, and where it goes."""

import logging
import socket

import pytest

from tests.patience import HANGS_S
from uckers_table.machine.journal import LOGGER, facts, keep_traceback, log_as


@pytest.fixture(autouse=True)
def as_it_was():
    logger = logging.getLogger(LOGGER)
    before = logger.handlers[:], logger.level, logger.propagate
    yield
    for handler in set(logger.handlers) - set(before[0]):
        handler.close()
    logger.handlers[:], logger.level, logger.propagate = before


@pytest.fixture
def journal(tmp_path, monkeypatch):
    """The end of the journal's socket that systemd has."""
    monkeypatch.setenv("JOURNAL_STREAM", "8:12345")
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(str(path))
        end.settimeout(HANGS_S)
        yield path, end


def test_an_entry_reaches_the_journal_with_its_facts_as_fields(journal):
    path, end = journal
    log_as("info", path)
    logging.getLogger("uckers_table.table.loop").info("a match begins", extra=facts(match=3, rules="wafu"))
    fields = dict(line.split(b"=", 1) for line in end.recv(65536).splitlines())
    assert fields[b"MESSAGE"] == b"a match begins"
    assert fields[b"PRIORITY"] == b"6"
    assert (fields[b"UCKERS_MATCH"], fields[b"UCKERS_RULES"]) == (b"3", b"wafu")
    assert fields[b"LOGGER"] == b"uckers_table.table.loop"


def test_a_traceback_keeps_its_lines_and_starts_no_fields_of_its_own(journal):
    path, end = journal
    log_as("warning", path)
    try:
        raise ValueError("PRIORITY=0\nand more")
    except ValueError:
        logging.getLogger(LOGGER).exception("a frame could not be read")
    entry = end.recv(65536)
    name, _, rest = entry.partition(b"\n")
    assert name == b"MESSAGE"
    length = int.from_bytes(rest[:8], "little")
    message = rest[8 : 8 + length]
    assert message.startswith(b"a frame could not be read\nTraceback")
    assert message.endswith(b"PRIORITY=0\nand more")
    assert rest[8 + length :].startswith(b"\nPRIORITY=3\n")


def test_what_is_less_important_is_not_logged(journal):
    path, end = journal
    log_as("warning", path)
    logging.getLogger(LOGGER).info("a match begins")
    logging.getLogger(LOGGER).warning("tower lost", extra=facts(device="tower"))
    assert b"MESSAGE=tower lost\n" in end.recv(65536)


def test_a_journal_that_has_gone_stops_nobody(journal):
    path, end = journal
    log_as("info", path)
    end.close()
    logging.getLogger(LOGGER).warning("tower lost")


def test_outside_a_service_it_is_a_line_on_standard_error(monkeypatch, capsys):
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    log_as("info")
    logging.getLogger("uckers_table.table.loop").info("a match begins", extra=facts(match=3))
    assert capsys.readouterr().err == "INFO: a match begins match=3\n"


def test_a_service_s_traceback_is_kept_in_the_journal(journal):
    path, end = journal
    try:
        raise ZeroDivisionError("by nothing")
    except ZeroDivisionError as error:
        assert keep_traceback(error, path) == "`journalctl -t uckers-table` has the traceback"
    entry = end.recv(65536)
    assert b"PRIORITY=3\n" in entry
    assert b"Traceback (most recent call last)" in entry
    assert b"by nothing" in entry


def test_an_entry_on_a_terminal_commands_it_nothing(tmp_path, capsys):
    log_as("warning", tmp_path / "no journal")
    try:
        raise ValueError("\x1b[2J")
    except ValueError:
        logging.getLogger(LOGGER).exception("key '\x1b]0;x\x07\u202e' is unknown")
    said = capsys.readouterr().err
    assert said.startswith("ERROR: key '") and "Traceback" in said
    assert not {"\x1b", "\x07", "\u202e"} & set(said)


def test_the_traceback_of_a_user_without_a_home_is_kept(tmp_path, monkeypatch):
    def refuse(path):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr("pathlib.Path.expanduser", refuse)
    monkeypatch.setattr("uckers_table.machine.journal.gettempdir", lambda: str(tmp_path))
    assert str(tmp_path) in keep_traceback(ValueError("odd"), tmp_path / "no journal")
    (kept,) = tmp_path.rglob("failures.log")
    assert "ValueError: odd" in kept.read_text()

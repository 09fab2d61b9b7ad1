"""What goes wrong and nobody foresaw: one line for people, the traceback for who mends the program."""

import io
import re
import sys
from pathlib import Path

import pytest

from uckers_table.commands import matches
from uckers_table.commands.cli import main


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    return tmp_path / "state" / "uckers-table" / "failures.log"


def failing(error):
    def run(arguments):
        raise error

    return run


@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError("a\nb\x1b[2J"), MemoryError(), RecursionError("x"), OSError(28, "No space left")],
)
def test_what_nobody_foresaw_is_one_line_and_its_traceback_is_kept(state, monkeypatch, capsys, error):
    monkeypatch.setattr(matches, "run", failing(error))
    assert main(["matches"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(f"uckers-table: matches: {type(error).__name__}: ")
    assert said.endswith(f"that is a fault of this program; the traceback is in {state}\n")
    assert "\x1b" not in said
    kept = state.read_text()
    assert "Traceback (most recent call last)" in kept
    assert "test_unforeseen.py" in kept
    assert state.stat().st_mode & 0o077 == 0


def test_tracebacks_are_added_until_there_are_too_many(state, monkeypatch):
    monkeypatch.setattr(matches, "run", failing(ZeroDivisionError()))
    for _ in range(2):
        main(["matches"])
    assert state.read_text().count("Traceback") == 2
    monkeypatch.setattr("uckers_table.machine.journal.MOST_FAILURES", 10)
    main(["matches"])
    assert state.read_text().count("Traceback") == 1


def test_where_no_state_can_be_kept_the_traceback_is_with_what_is_temporary(tmp_path, monkeypatch, capsys):
    (tmp_path / "state").write_text("a file")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("uckers_table.machine.journal.gettempdir", lambda: str(tmp_path))
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    monkeypatch.setattr(matches, "run", failing(ZeroDivisionError()))
    assert main(["matches"]) == 2
    kept = Path(re.search(r"the traceback is in (.+)", capsys.readouterr().err)[1])
    assert tmp_path in kept.parents
    assert "ZeroDivisionError" in kept.read_text()


def test_an_interrupt_is_no_fault(monkeypatch, capsys):
    monkeypatch.setattr(matches, "run", failing(KeyboardInterrupt()))
    assert main(["matches"]) == 130
    assert capsys.readouterr().err == ""


def test_what_a_verb_prints_commands_no_terminal(tmp_path, capsys):
    (tmp_path / "case.toml").write_text('[[scenario]]\nname = "\\u001b[2J"\nrules = "br4006"\n')
    assert main(["judge", str(tmp_path / "case.toml")]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_a_terminal_without_a_character_is_shown_its_number(monkeypatch):
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(matches, "run", lambda arguments: print("4 → 7") or 0)
    assert main(["matches"]) == 0
    terminal.flush()
    assert terminal.buffer.getvalue() == b"4 \\u2192 7\n"

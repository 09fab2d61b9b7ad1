"""What the page has set counts for the commands that use the devices, and they say where it is from."""

import io
import json

import pytest

from uckers_table.commands import run as run_module
from uckers_table.commands import stopped
from uckers_table.commands.config import print_config
from uckers_table.config import OWN_FILE
from uckers_table.machine.starts import ANEW


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text(f"record = '{tmp_path}'\nvolume = 90\nvoice = 'espeak'\n")
    return path


def origins(path):
    out = io.StringIO()
    print_config(path, default=False, json_lines=True, out=out)
    return {
        line["key"]: (line["value"], line["origin"]) for line in map(json.loads, out.getvalue().splitlines())
    }


def test_config_says_what_the_page_has_set(table, tmp_path):
    (tmp_path / OWN_FILE).write_text("# The page's.\nvolume = 40\n")
    shown = origins(table)
    assert shown["volume"] == ("40", f"{tmp_path / OWN_FILE}:2 (set on the page)")
    assert shown["voice"] == ('"espeak"', f"{table}:3")


def test_config_says_why_what_the_page_has_set_does_not_count(table, tmp_path, capsys):
    (tmp_path / OWN_FILE).write_text("volume = 400\n")
    assert origins(table)["volume"] == ("90", f"{table}:2")
    assert "'volume' is 400" in capsys.readouterr().err


def test_a_table_that_starts_anew_is_no_failure_and_its_display_stays(table, monkeypatch):
    monkeypatch.setattr(stopped, "openers", None)
    environment = {"SERVICE_RESULT": "exit-code", "EXIT_STATUS": str(ANEW)}
    assert stopped.show_stopped(table, environment) == 0


@pytest.mark.parametrize("has_service", [False, True])
def test_without_a_service_the_program_starts_itself_anew(table, monkeypatch, has_service):
    started = []
    monkeypatch.setattr(run_module, "run_table", lambda config, out: ANEW)
    monkeypatch.setattr(run_module.os, "execv", lambda path, words: started.append(words[1:3]))
    if has_service:
        monkeypatch.setenv("NOTIFY_SOCKET", "@service")
    else:
        monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    arguments = type("Arguments", (), {"config": table})
    assert run_module.run(arguments) == ANEW
    assert started == ([] if has_service else [["-m", "uckers_table"]])

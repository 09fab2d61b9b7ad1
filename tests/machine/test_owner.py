"""The record of a table that is installed is its user's, whoever sees to it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import HANGS_S
from uckers_table.commands.cli import main
from uckers_table.machine.owner import become_owner

NOBODY = 65534
ROOT = Path(__file__).parents[2]
MATCH = re.search(r"```text\n(.*?)```", (ROOT / "docs/notation.md").read_text(encoding="utf-8"), re.DOTALL)[1]


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "uckers_table", *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=HANGS_S,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )


@pytest.fixture
def table(tmp_path):
    """The folder of a table that belongs to nobody, where nobody can get at it."""
    if os.geteuid() != 0:
        pytest.skip("only root can have files of somebody else")
    for folder in (*tmp_path.parents, tmp_path):
        if folder != Path("/tmp") and folder.is_relative_to("/tmp"):
            folder.chmod(0o755)
    folder = tmp_path / "table"
    folder.mkdir()
    os.chown(folder, NOBODY, NOBODY)
    return folder


def owners(folder):
    return {path.name: path.stat().st_uid for path in folder.rglob("*")}


def test_what_root_does_to_a_record_is_its_owners(table, tmp_path):
    record, text = table / "matches", tmp_path / "match.txt"
    text.write_text(MATCH, encoding="utf-8")
    done = run("import", text, "--record", record)
    assert done.returncode == 0, done.stderr
    stick = tmp_path / "stick"
    stick.mkdir()
    assert run("backup", stick, "--record", record).returncode == 0
    done = run("restore", stick, "--record", record, "--force")
    assert done.returncode == 0, done.stderr
    assert run("recover", "--record", record).returncode == 0
    assert "record.sqlite" in owners(table)
    assert set(owners(table).values()) == {NOBODY}


def test_whoever_may_not_read_a_record_is_told_so_in_a_line(monkeypatch, tmp_path, capsys):
    def refuse(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(Path, "stat", refuse)
    monkeypatch.setattr(shutil, "copyfile", refuse)
    assert main(["matches", "--record", str(tmp_path)]) == 2
    said = f"uckers-table: {tmp_path / 'record.sqlite'}: cannot be read (Permission denied); try with sudo\n"
    assert capsys.readouterr() == ("", said)


def test_an_owner_stays_who_he_is(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(os, "setuid", lambda uid: pytest.fail("became somebody else"))
    become_owner(tmp_path / "matches")

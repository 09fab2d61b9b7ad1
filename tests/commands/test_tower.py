"""`uckers-table tower`: what is copied where, and what is said when it cannot be."""

import io
import os
import subprocess
import sys
import tty
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from uckers_table.commands import tower as tower_command
from uckers_table.commands.cli import main
from uckers_table.devices import pico, tower_link
from uckers_table.devices.dice_tower import PICO
from uckers_table.devices.tower_link import Told
from uckers_table.errors import DeviceError


@pytest.fixture
def port(monkeypatch):
    """A port that nobody answers at, as of a Pico without firmware."""
    monkeypatch.setattr(tower_link, "HELLO_S", 0.05)
    ends = os.openpty()
    tty.setraw(ends[1])
    yield os.ttyname(ends[1])
    for end in ends:
        os.close(end)


def test_all_that_the_firmware_imports_is_copied_under_its_name(port):
    ran, readers = [], []

    def run(arguments):
        ran.append(list(arguments))
        if arguments[-1] == ":reader.py":
            readers.append(Path(arguments[-2]).read_text())

    out = io.StringIO()
    assert tower_command.install(port, "array", out, run) == 0
    assert all(arguments[:3] == ["connect", port, "resume"] for arguments in ran)
    shared = sorted(path.name for path in Path(pico.__file__).parent.glob("*.py"))
    copied = [arguments[-1] for arguments in ran if "cp" in arguments]
    assert copied == [f":uckers_table/devices/pico/{name}" for name in shared] + [
        ":reader.py",
        ":pins.py",
        ":board.py",
        ":main.py",
    ]
    assert readers == ['READER = "array"\n']
    assert ran[-1][-1] == "reset"
    assert "reader 'array'" in out.getvalue()


@pytest.mark.parametrize(
    ("found", "said"),
    [([], "no Pico is plugged in: name the port"), (["/dev/a", "/dev/b"], r"2 Picos .*\(/dev/a, /dev/b\)")],
)
def test_without_exactly_one_pico_the_port_has_to_be_named(monkeypatch, found, said):
    ports = [SimpleNamespace(device=name, vid=PICO[0], pid=PICO[1]) for name in found]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    with pytest.raises(DeviceError, match=said):
        tower_command.dump("auto", io.StringIO())


def test_a_port_that_nobody_answers_at_says_what_to_try(port, capsys):
    assert main(["tower", "dump", "--port", port]) == 2
    assert "no dice tower answers" in capsys.readouterr().err
    assert main(["tower", "prompt", "--port", port]) == 2


@pytest.mark.parametrize(
    ("stderr", "said"),
    [
        ("/x/python: No module named mpremote", "sudo ./install.sh"),
        ("could not enter raw repl", r"could not enter raw repl\): has the Pico MicroPython"),
        ("", "no word why"),
    ],
)
def test_what_keeps_mpremote_from_it_is_one_line(monkeypatch, stderr, said):
    done = subprocess.CompletedProcess([], 1, "", stderr)
    monkeypatch.setattr(subprocess, "run", lambda *arguments, **more: done)
    with pytest.raises(DeviceError, match=said):
        tower_command.mpremote(["reset"])


def test_a_pico_that_does_not_answer_mpremote(monkeypatch):
    def hang(*arguments, **more):
        raise subprocess.TimeoutExpired("mpremote", 1)

    monkeypatch.setattr(subprocess, "run", hang)
    with pytest.raises(DeviceError, match="unplug it"):
        tower_command.mpremote(["reset"])


def test_the_firmwares_files_are_found():
    assert {path.name for path in tower_command.firmware_folder().glob("*.py")} == {*tower_command.OWN}


def test_the_firmware_comes_with_the_installed_package(tmp_path):
    project = Path(tower_command.__file__).parents[2]
    if not (project / "pyproject.toml").exists():
        pytest.skip("needs the project's own folder, to build its wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(build, cwd=project, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)
    where = "from uckers_table.commands.tower import firmware_folder; print(firmware_folder())"
    found = subprocess.run(
        [sys.executable, "-c", where],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        check=True,
        capture_output=True,
        text=True,
    )
    folder = Path(found.stdout.strip())
    assert folder == installed / "uckers_table/firmware"
    assert {path.name: path.read_text() for path in folder.glob("*.py")} == {
        name: (tower_command.firmware_folder() / name).read_text() for name in tower_command.OWN
    }


def test_mpremote_is_at_hand_for_these_tests():
    subprocess.run([sys.executable, "-m", "mpremote", "version"], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ([Told("blind", ("unlearnt",), 1.0)], "has not kept the white card, its flash is full or worn"),
        ([], "no dice tower answers"),
    ],
    ids=["blind", "nothing"],
)
def test_a_card_that_flash_does_not_take_is_no_tower_that_is_gone(monkeypatch, told, said):
    def asked(port, ask, done):
        assert not done(None, told)
        raise DeviceError("no dice tower answers at a port")

    monkeypatch.setattr(tower_command, "ask_tower", asked)
    with pytest.raises(DeviceError, match=said):
        tower_command.learn_card("a port", "white", io.StringIO())

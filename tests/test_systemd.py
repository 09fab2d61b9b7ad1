"""The unit files: systemd finds nothing wrong with them, and they let nothing in that need not be."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UNITS = Path(__file__).parents[1] / "systemd"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
MOST_EXPOSED = 3.0

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine"
)


def analyse(*arguments):
    return subprocess.run(
        ["systemd-analyze", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def as_installed(text):
    """A unit as it is on a table, with the program where it is here."""
    program = Path(sys.executable).with_name("uckers-table")
    return text.replace("/opt/uckers-table/current/bin/uckers-table", str(program))


@needs_systemd
def test_systemd_finds_nothing_wrong(tmp_path):
    units = [path for path in UNITS.iterdir() if path.suffix in (".service", ".target", ".timer")]
    for unit in units:
        (tmp_path / unit.name).write_text(as_installed(unit.read_text()))
    done = analyse("verify", *(str(tmp_path / unit.name) for unit in units))
    # It also warns, and is content: so whatever it says is too much.
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@needs_systemd
@pytest.mark.parametrize("service", SERVICES)
def test_a_service_is_little_exposed(service):
    done = analyse("security", "--offline=true", "--no-pager", str(UNITS / service))
    exposure = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert exposure is not None, done.stderr
    assert float(exposure[1]) <= MOST_EXPOSED


def test_the_table_comes_back_whatever_happens_and_however_often():
    text = (UNITS / "uckers-table.service").read_text()
    for setting in ("Type=notify", "WatchdogSec=30", "StartLimitIntervalSec=0", "Restart=on-failure"):
        assert re.search(f"^{setting}$", text, re.MULTILINE), setting


def test_the_rules_name_the_tower_that_the_driver_looks_for():
    from uckers_table.devices.dice_tower import PICO

    rules = (UNITS / "70-uckers-table.rules").read_text()
    vendor, product = re.search(r'idVendor\}=="(\w+)", ATTRS\{idProduct\}=="(\w+)"', rules).groups()
    assert (int(vendor, 16), int(product, 16)) == PICO

"""The unit files: systemd finds nothing wrong with them, and they let nothing in that need not be."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from uckers_table.commands.status import MISCONFIGURED

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


@pytest.mark.parametrize("service", SERVICES)
def test_settings_have_their_reason_beside_them(service):
    settings = (UNITS / service).read_text().partition("[Service]\n")[2].partition("\n[")[0]
    unexplained = ""
    for line in settings.splitlines():
        if line.startswith("#"):
            unexplained = ""
        elif not line:
            unexplained = "after a gap: "
        elif not line.startswith(("Type=oneshot", "ExecStart=")):
            # A reason may be that of the few that follow it.
            assert not unexplained.startswith("after a gap"), line
            unexplained += line + "\n"
            assert unexplained.count("\n") <= 7, unexplained


def test_only_for_a_configuration_that_cannot_be_used_it_does_not_come_back():
    text = (UNITS / "uckers-table.service").read_text()
    assert re.findall(r"^RestartPreventExitStatus=(.*)$", text, re.MULTILINE) == [str(MISCONFIGURED)]
    # What sysexits.h calls it, and systemd shows beside the number.
    assert os.EX_CONFIG == MISCONFIGURED


def test_the_rules_name_the_tower_that_the_driver_looks_for():
    from uckers_table.devices.dice_tower import PICO

    rules = (UNITS / "70-uckers-table.rules").read_text()
    vendor, product = re.search(r'idVendor\}=="(\w+)", ATTRS\{idProduct\}=="(\w+)"', rules).groups()
    assert (int(vendor, 16), int(product, 16)) == PICO

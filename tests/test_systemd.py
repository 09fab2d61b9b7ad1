"""The unit files: systemd finds nothing wrong with them, and they let nothing in that need not be."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from uckers_table.commands.status import MISCONFIGURED
from uckers_table.machine.network import ADDRESS, KEPT, UNIT

UNITS = Path(__file__).parents[1] / "systemd"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
MOST_EXPOSED = 1.6

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
    comes_back = ("Type=notify", "WatchdogSec=30", "StartLimitIntervalSec=0", "Restart=on-failure")
    # What its starts failed at is known to the one that comes next.
    remembers = ("RuntimeDirectory=uckers-table", "RuntimeDirectoryPreserve=restart")
    for setting in (*comes_back, *remembers):
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


def settings_of(service):
    """Each setting of a unit's [Service], the last one if it is there more than once."""
    text = (UNITS / service).read_text().partition("[Service]\n")[2].partition("\n[")[0]
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))


PAGE, LOOKS = "uckers", "uckers-network"


def test_the_page_and_its_network_are_different_users_business():
    users = {service: settings_of(service).get("User", "") for service in SERVICES}
    assert users == {
        "uckers-table.service": PAGE,
        "uckers-table-upkeep.service": PAGE,
        "uckers-table-network.service": LOOKS,
        # Root by name alone, and a user who exists only meanwhile.
        "uckers-table-access-point.service": "",
        "uckers-table-addresses.service": "",
    }
    opens = settings_of("uckers-table-access-point.service")
    assert opens["CapabilityBoundingSet"] == ""
    assert (opens["Group"], opens["StateDirectoryMode"]) == (PAGE, "0750")
    assert settings_of("uckers-table-addresses.service")["DynamicUser"] == "yes"
    made = re.findall(r"^u (\S+)", (UNITS / "uckers-table.sysusers.conf").read_text(), re.MULTILINE)
    assert made == [PAGE, LOOKS]


def test_the_units_of_the_network_are_where_the_program_looks_for_them():
    assert (UNITS / UNIT).exists()
    assert settings_of(UNIT)["StateDirectory"] == KEPT.name
    allowed = settings_of("uckers-table-addresses.service")["IPAddressAllow"].split()
    assert allowed == [f"{ADDRESS.rpartition('.')[0]}.0/24", "0.0.0.0", "255.255.255.255"]


RULED = """
const rules = [];
const polkit = { Result: { YES: "yes" }, addRule: (rule) => rules.push(rule) };
eval(require("fs").readFileSync(process.argv[1], "utf8"));
const asked = JSON.parse(process.argv[2]);
const answers = asked.map(([user, id, details]) =>
    rules.map((rule) => rule({ id, lookup: (name) => details[name] }, { user })).find(Boolean) ?? "no");
console.log(JSON.stringify(answers));
"""
"""What polkit does with a file of rules, for a list of users, actions and their details."""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not on this machine")
def test_polkit_lets_each_user_do_its_own_and_nothing_else():
    units, power = "org.freedesktop.systemd1.manage-units", "org.freedesktop.login1.power-off"
    may = [
        (PAGE, power, {}),
        (PAGE, f"{power}-multiple-sessions", {}),
        (LOOKS, units, {"unit": UNIT, "verb": "restart"}),
        (LOOKS, units, {"unit": UNIT, "verb": "stop"}),
    ]
    network = [
        f"org.freedesktop.NetworkManager.{action}"
        for action in ("network-control", "settings.modify.system", "settings.modify.own")
    ]
    may_not = [
        (LOOKS, power, {}),
        (PAGE, units, {"unit": UNIT, "verb": "restart"}),
        (LOOKS, units, {"unit": "ssh.service", "verb": "restart"}),
        (LOOKS, units, {"unit": UNIT, "verb": "set-property"}),
        (LOOKS, units, {}),
        ("nobody", units, {"unit": UNIT, "verb": "restart"}),
        *((user, action, {}) for user in (PAGE, LOOKS) for action in network),
    ]
    rules = str(UNITS / "50-uckers-table.polkit.rules")
    done = subprocess.run(
        ["node", "-e", RULED, rules, json.dumps([*may, *may_not])], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == ["yes"] * len(may) + ["no"] * len(may_not)

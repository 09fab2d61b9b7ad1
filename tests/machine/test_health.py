"""How the machine is: the files in which it tells, laid out under a folder."""

from queue import Queue

import pytest

from tests.patience import HANGS_S
from uckers_table.machine.health import (
    HOT_C,
    LEAST_FREE_MB,
    LEAST_MEMORY_MB,
    Health,
    HealthWatch,
    read_health,
    warnings,
)

THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"


@pytest.fixture
def machine(tmp_path):
    """Writes what a machine tells; its root."""

    def tell(**files):
        for name, text in files.items():
            path = tmp_path / PLACES[name]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return tell


PLACES = {
    "throttled": THROTTLED,
    "zone0": "sys/class/thermal/thermal_zone0/temp",
    "zone1": "sys/class/thermal/thermal_zone1/temp",
    "meminfo": "proc/meminfo",
    "hwmon_name": "sys/class/hwmon/hwmon1/name",
    "hwmon_alarm": "sys/class/hwmon/hwmon1/in0_lcrit_alarm",
    "other_name": "sys/class/hwmon/hwmon0/name",
    "other_alarm": "sys/class/hwmon/hwmon0/in0_lcrit_alarm",
}


@pytest.mark.parametrize(
    ("bits", "now", "was"),
    [("0", False, False), ("50005", True, True), ("50000", False, True), ("80008", False, False)],
)
def test_the_firmware_tells_the_voltage_bit_by_bit(machine, tmp_path, bits, now, was):
    health = read_health(tmp_path, root=machine(throttled=f"{bits}\n"))
    assert (health.is_under_voltage, health.was_under_voltage) == (now, was)


def test_newer_kernels_are_asked_elsewhere_and_what_was_is_remembered(machine, tmp_path):
    others = {"other_name": "cpu_thermal", "other_alarm": "0", "throttled": "0", "hwmon_name": "rpi_volt"}
    low = read_health(tmp_path, root=machine(**others, hwmon_alarm="1\n"))
    good = read_health(tmp_path, low, root=machine(hwmon_alarm="0\n"))
    assert (low.is_under_voltage, low.was_under_voltage) == (True, True)
    assert (good.is_under_voltage, good.was_under_voltage) == (False, True)


def test_heat_and_memory_and_room_are_told_roughly(machine, tmp_path):
    root = machine(zone0="48312\n", zone1="51700\n", meminfo="MemTotal: 9 kB\nMemAvailable:  1000000 kB\n")
    health = read_health(tmp_path / "not" / "there" / "yet", root=root)
    assert (health.temperature_c, health.memory_free_mb) == (52.0, 1020.0)
    assert health.disk_free_mb is not None
    assert health.disk_free_mb % 10 == 0


def test_a_machine_that_tells_nothing_is_not_warned_about(tmp_path):
    health = read_health(tmp_path, root=tmp_path / "nowhere")
    assert health == Health(disk_free_mb=health.disk_free_mb)
    assert warnings(Health()) == ()


@pytest.mark.parametrize(
    ("health", "title"),
    [
        (Health(is_under_voltage=True), "LOW POWER"),
        (Health(disk_free_mb=LEAST_FREE_MB - 10), "CARD FULL"),
        (Health(is_card_read_only=True), "CARD READ-ONLY"),
        (Health(temperature_c=HOT_C), "TOO HOT"),
        (Health(memory_free_mb=LEAST_MEMORY_MB - 10), "MEMORY"),
    ],
)
def test_what_is_serious_is_named_with_what_to_try(health, title):
    (notice,) = warnings(health)
    assert notice.title == title
    assert notice.sentence


def test_what_was_is_no_warning_any_more():
    just_right = Health(
        temperature_c=HOT_C - 1,
        is_under_voltage=False,
        was_under_voltage=True,
        disk_free_mb=LEAST_FREE_MB,
        memory_free_mb=LEAST_MEMORY_MB,
    )
    assert warnings(just_right) == ()


def test_only_what_changes_is_told(machine, tmp_path, monkeypatch):
    # Others write to this disk.
    monkeypatch.setattr("uckers_table.machine.health._free_mb", lambda record: 1000.0)
    told = Queue()
    root = machine(zone0="40000")
    watch = HealthWatch(tmp_path, told.put, every_s=0.001, root=root)
    try:
        assert told.get(timeout=HANGS_S).temperature_c == 40.0
        machine(zone0="41000")
        while (health := told.get(timeout=HANGS_S)).temperature_c is None:
            # The file was being written.
            continue
        assert health.temperature_c == 41.0
    finally:
        watch.close()

"""How the machine is: its power, heat, memory, and the room on its card.

Read from the files in which Linux and the Raspberry Pi's firmware tell it. What a machine does not tell is
no reason to warn of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from uckers_table.machine.files import is_read_only, nearest_there
from uckers_table.machine.messages import Message
from uckers_table.machine.threads import Worker

EVERY_S = 5.0
HOT_C = 80.0
"""From here on a Raspberry Pi slows itself down."""
LEAST_FREE_MB = 200.0
"""An evening with its pictures may take as much."""
LEAST_MEMORY_MB = 60.0
_UNDER_VOLTAGE, _WAS_UNDER_VOLTAGE = 1 << 0, 1 << 16
"""Of the firmware's `get_throttled`."""
_MB = 1e6
_ROUGHLY_MB = 10.0
"""What is free is told in steps of so much: otherwise the page would have news of it all the time."""


@dataclass(frozen=True)
class Health:
    """The machine, None where it does not tell: under voltage now, and at any time since it started."""

    temperature_c: float | None = None
    is_under_voltage: bool | None = None
    was_under_voltage: bool | None = None
    disk_free_mb: float | None = None
    memory_free_mb: float | None = None
    is_clock_known: bool = True
    is_card_read_only: bool = False


def read_health(record: Path, before: Health | None = None, root: Path = Path("/")) -> Health:
    """How the machine is now; `before` is how it was, `record` a folder on the card, `root` where `/` is."""
    is_low, was_low = _voltage(root)
    if is_low or (before is not None and before.was_under_voltage):
        was_low = True
    return Health(
        temperature_c=_temperature(root),
        is_under_voltage=is_low,
        was_under_voltage=was_low,
        disk_free_mb=_free_mb(record),
        memory_free_mb=_memory_mb(root),
        is_card_read_only=is_read_only(record),
    )


def warnings(health: Health) -> tuple[Message, ...]:
    """What is serious now, worst first, and what to try."""
    told = [
        (health.is_under_voltage, Message("LOW POWER", "Use the Pi's own supply, and a short, thick lead.")),
        (health.is_card_read_only, Message("CARD READ-ONLY", "Nothing is kept. Start again, or replace it.")),
        (_is(health.disk_free_mb, below=LEAST_FREE_MB), Message("CARD FULL", "Back it up, and clear it.")),
        (_is(health.temperature_c, above=HOT_C), Message("TOO HOT", "It slows down. Give the box air.")),
        (_is(health.memory_free_mb, below=LEAST_MEMORY_MB), Message("MEMORY", "End the other programs.")),
    ]
    return tuple(notice for is_so, notice in told if is_so)


class HealthWatch:
    """Looks every few seconds, in a thread of its own, and tells the listener what has changed."""

    def __init__(
        self,
        record: Path,
        listener: Callable[[Health], None],
        *,
        every_s: float = EVERY_S,
        root: Path = Path("/"),
    ) -> None:
        self._record, self._listener, self._every_s, self._root = record, listener, every_s, root
        self._worker = Worker("health", self._run)

    def close(self) -> None:
        """Look no more; safe to call twice."""
        self._worker.stop()

    def _run(self, stopping: Event) -> None:
        before: Health | None = None
        while not stopping.is_set():
            health = read_health(self._record, before, self._root)
            if health != before:
                self._listener(health)
            before = health
            stopping.wait(self._every_s)


def _is(value: float | None, *, below: float = float("-inf"), above: float = float("inf")) -> bool:
    return value is not None and (value < below or value >= above)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _voltage(root: Path) -> tuple[bool | None, bool | None]:
    """Whether the voltage is too low, and whether it was since the machine started, as far as it tells."""
    for name in sorted(root.glob("sys/class/hwmon/hwmon*/name")):
        alarm = _text(name.with_name("in0_lcrit_alarm"))
        if _text(name) == "rpi_volt" and alarm:
            return alarm == "1", alarm == "1"
    # Asked second: newer kernels write a warning into their log when it is read.
    for path in sorted(root.glob("sys/devices/platform/soc*/soc*:firmware/get_throttled")):
        try:
            bits = int(_text(path), 16)
        except ValueError:
            continue
        return bool(bits & _UNDER_VOLTAGE), bool(bits & _WAS_UNDER_VOLTAGE)
    return None, None


def _temperature(root: Path) -> float | None:
    """The hottest zone's, in whole degrees."""
    told = [_text(path) for path in root.glob("sys/class/thermal/thermal_zone*/temp")]
    degrees = [int(milli) / 1000 for milli in told if milli.removeprefix("-").isdigit()]
    return float(round(max(degrees))) if degrees else None


def _free_mb(folder: Path) -> float | None:
    try:
        return _roughly(shutil.disk_usage(nearest_there(folder)).free / _MB)
    except OSError:
        return None


def _memory_mb(root: Path) -> float | None:
    for line in _text(root / "proc/meminfo").splitlines():
        name, _, amount = line.partition(":")
        if name == "MemAvailable":
            return _roughly(int(amount.split()[0]) * 1024 / _MB)
    return None


def _roughly(mb: float) -> float:
    return mb // _ROUGHLY_MB * _ROUGHLY_MB

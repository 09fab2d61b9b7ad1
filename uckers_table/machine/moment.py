"""A moment as the record can name it: a date where the machine's clock can be trusted, and how long after
boot.

A Pi without a battery for its clock begins at some old date each time it has no network. Moments of one boot
can be put in order and dated afterwards, once somebody tells the time; dates of such a clock are never used.
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_CLOCK_ERROR = 5
"""What adjtimex(2) returns while nothing keeps the clock right."""
_TIMEX_BYTES = 512
"""More than `struct timex` has anywhere; its first field, `modes`, is 0 to ask only."""


@dataclass(frozen=True)
class Moment:
    """`date` is ISO with a time zone, None where the clock cannot be trusted; `boot` names the boot."""

    date: str | None
    boot: str
    since_boot_s: float


def now() -> Moment:
    """This moment."""
    date = datetime.now(UTC).isoformat(timespec="seconds") if is_clock_right() else None
    return Moment(date, _boot(), time.clock_gettime(time.CLOCK_BOOTTIME))


def is_clock_right() -> bool:
    """Whether the network keeps the machine's clock right (as the kernel has been told)."""
    try:
        return ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES)) not in (-1, _CLOCK_ERROR)
    except (OSError, AttributeError):
        return False


def _boot() -> str:
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""

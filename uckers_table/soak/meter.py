"""What a running table takes of its machine, and how long it takes to rule, measured as it runs."""

from __future__ import annotations

import os
import statistics
import time
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from uckers_table.devices.base import Back, Lost
from uckers_table.table.inbox import Inbox, Letter
from uckers_table.table.news import News
from uckers_table.table.views import Glimpse

REMAPS = 3
"""How often the yardstick is measured at each sample. The least counts: a busy machine
only makes it longer.
"""
_MB = 1e6


@dataclass(frozen=True)
class Sample:
    """The process at one moment.

    `t`: the simulated clock, in seconds.
    `memory_mb`: its resident memory. `handles`, `threads`: how many it has.
    `rulings`: the processor time of each ruling since the sample before, in milliseconds.
    `remap_ms`: the yardstick at this moment, one remap of a picture, in milliseconds.
    """

    t: float
    memory_mb: float
    handles: int
    threads: int
    rulings: Sequence[float]
    remap_ms: float


class Meter:
    """Takes samples. `samples` has all of them."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self._rulings = array("d")
        picture = np.zeros((648, 1152, 3), np.uint8)
        columns, rows = np.meshgrid(np.linspace(250, 850, 610), np.linspace(25, 625, 610))
        maps = columns.astype(np.float32), rows.astype(np.float32)
        self._remap: Callable[[], object] = lambda: cv2.remap(picture, *maps, cv2.INTER_LINEAR)
        self._remap()

    def ruled(self, took_s: float) -> None:
        """An event led to a ruling. Until everybody was told it took this many seconds of the processor."""
        self._rulings.append(1000 * took_s)

    def sample(self, t: float) -> None:
        """Takes a sample now, at the simulated time `t` in seconds."""
        rulings, self._rulings = self._rulings, array("d")
        self.samples.append(Sample(t, memory_mb(), handles(), threads(), rulings, self._yardstick_ms()))

    def _yardstick_ms(self) -> float:
        took = []
        for _ in range(REMAPS):
            began = time.thread_time()
            self._remap()
            took.append(time.thread_time() - began)
        return 1000 * min(took)


class MeteredInbox(Inbox[News]):
    """An inbox that measures what is done with each letter, and knows which devices are lost.

    The view sets `has_ruled`. `lost` and `back` count the letters that tell of it, by device.
    """

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self._meter, self._began, self.has_ruled = meter, 0.0, False
        self.lost, self.back = Counter[str](), Counter[str]()

    def take(self, wait_s: float | None) -> Letter[News] | None:
        """The next letter, as from any inbox. The loop comes for it once it has dealt with the one before."""
        if self.has_ruled:
            self.has_ruled = False
            self._meter.ruled(time.thread_time() - self._began)
        letter = super().take(wait_s)
        self._began = time.thread_time()
        if letter is not None and isinstance(letter.content, Lost):
            self.lost[letter.content.name] += 1
        elif letter is not None and isinstance(letter.content, Back):
            self.back[letter.content.name] += 1
        return letter

    def is_lost(self, device: str) -> bool:
        """Whether the table was told that a device is lost, and not yet that it is back."""
        return self.lost[device] > self.back[device]


class MeteringView:
    """Shows nothing. It notes that something was ruled, and counts the rulings."""

    def __init__(self, inbox: MeteredInbox) -> None:
        self._inbox = inbox
        self.rulings = 0

    def show(self, glimpse: Glimpse) -> None:
        """Notes the rulings of this glimpse."""
        self.rulings += len(glimpse.rulings)
        self._inbox.has_ruled = self._inbox.has_ruled or bool(glimpse.rulings)

    def close(self) -> None:
        """Does nothing: there is nothing to close."""


def memory_mb() -> float:
    """The memory of this process that is resident, in megabytes (10⁶ bytes)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _MB


def handles() -> int:
    """How many files, sockets and other handles this process has open."""
    # One handle is the folder's own, while it is listed.
    return len(os.listdir("/proc/self/fd")) - 1  # noqa: PTH208


def threads() -> int:
    """How many threads this process has, those of libraries among them."""
    return len(os.listdir("/proc/self/task"))  # noqa: PTH208


def median(values: Sequence[float]) -> float:
    """The median of values; NaN if there are none."""
    return statistics.median(values) if values else float("nan")

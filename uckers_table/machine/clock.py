"""The table's clock: seconds since the match was set up, by the wall or by a simulation."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Tells the table's time. `haste` is how many times faster than the wall's clock it may go."""

    haste: float

    def now(self) -> float:
        """Seconds since the start."""

    def wait_s(self, t: float) -> float | None:
        """How many seconds of real time to wait until `t`; None where time passes only with events."""


class WallClock:
    """Real time, counted from when this was made."""

    haste = 1.0

    def __init__(self) -> None:
        self._start = time.monotonic()

    def now(self) -> float:
        return time.monotonic() - self._start

    def wait_s(self, t: float) -> float | None:
        return max(0.0, t - self.now())


class SimulatedClock:
    """The time of a simulated table, which stands still while the referee thinks."""

    def __init__(self, now: Callable[[], float], haste: float = 1.0) -> None:
        self._now, self.haste = now, haste

    def now(self) -> float:
        return self._now()

    def wait_s(self, t: float) -> float | None:
        return None

"""A thread that can be told to stop, and says so when it does not."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from uckers_table.errors import DeviceError

STOP_WAIT_S = 10.0
"""Long beside any single read or write here; a thread that outlives it hangs in a driver."""


class Worker:
    """Runs `work(stopping)` in a thread of its own; `work` returns soon after `stopping` is set."""

    def __init__(self, name: str, work: Callable[[Event], None]) -> None:
        self.stopping = Event()
        # A daemon, so that a driver that hangs cannot keep the program from ending.
        self._thread = Thread(target=work, args=(self.stopping,), name=name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Tell it to stop and wait for it; DeviceError when it does not end. Safe to call twice."""
        self.stopping.set()
        self._thread.join(STOP_WAIT_S)
        if self._thread.is_alive():
            raise DeviceError(f"{self._thread.name} does not stop: its driver hangs; start the program again")

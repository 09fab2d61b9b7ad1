"""Whether another dice tower is plugged in beside the one that is used: people may throw into that one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Event
from typing import Any

from uckers_table.devices.base import ListenerGoneError
from uckers_table.devices.pico.messages import BadLineError, LineBuffer, decode, encode
from uckers_table.devices.tower_port import what_came
from uckers_table.machine.threads import Apart, Worker

LOOK_S = 5.0
"""How often the ports are looked at: soon enough for the one who plugs it in."""
ASKED_S = 2.0
"""A tower answers a question within a second."""


class SecondTower:
    """Looks for towers beside the one behind the port `used`, and tells of them in one line.

    `tell` gets the line, and an empty one when there is none any more. A port is asked once who is behind it,
    and nothing else: what a tower there has to tell stays there. `used` is empty while no tower answers.
    """

    def __init__(
        self,
        find: Callable[[], Iterable[str]],
        open_port: Callable[[str], Any],
        used: Callable[[], str],
        tell: Callable[[str], None],
    ) -> None:
        self._find, self._open_port, self._used, self._tell = find, open_port, used, tell
        self._is_tower = dict[str, bool]()
        self._line = ""
        self._worker = Worker("second tower", self._run)

    def close(self) -> None:
        """Look no more; safe to call twice."""
        self._worker.stop()

    def _run(self, stopping: Event) -> None:
        with suppress(ListenerGoneError):
            while not stopping.wait(LOOK_S):
                if used := self._used():
                    self._look(used)

    def _look(self, used: str) -> None:
        ports = [port for port in self._find() if port != used]
        asked = {port: self._is_tower.get(port) for port in ports}
        self._is_tower = {
            port: self._is_one(port) if is_tower is None else is_tower for port, is_tower in asked.items()
        }
        others = " and ".join(port for port in ports if self._is_tower[port])
        line = (
            f"A second dice tower is plugged in: the one at {used} is used, the one at {others} is not. "
            f"Unplug one."
            if others
            else ""
        )
        if line != self._line:
            self._line = line
            self._tell(line)

    def _is_one(self, address: str) -> bool:
        port: Apart[Any] = Apart(
            "second tower",
            lambda: self._open_port(address),
            lambda opened: opened.close(),
            hangs=f"{address} hangs",
            opens_within_s=ASKED_S,
        )
        try:
            return port.do(_says_hello, 2 * ASKED_S)
        except OSError:
            # What cannot be asked is no tower that anybody throws into.
            return False
        finally:
            port.close()


def _says_hello(port: Any) -> bool:
    """Whether a dice tower answers behind a port."""
    lines, end = LineBuffer(), time.monotonic() + ASKED_S
    port.write(encode("who"))
    while time.monotonic() < end:
        for line in lines.feed(what_came(port)):
            with suppress(BadLineError):
                if decode(line)[0] == "hello":
                    return True
    return False

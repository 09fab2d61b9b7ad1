"""Devices that are opened anew while the table runs, because the page has set something of them.

A device takes seconds to close and to open, and its thread may be waiting for the loop: so that is done in a
thread beside it, and meanwhile the table has none.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

from uckers_table.config import Config
from uckers_table.devices.absent import NoButtons, NoDisplay, NoTower
from uckers_table.devices.awaited import AwaitedButtons, AwaitedDisplay, AwaitedTower, AwaitedVoice
from uckers_table.devices.base import Listener
from uckers_table.devices.voice import SilentVoice
from uckers_table.errors import DeviceError, InputError
from uckers_table.machine.threads import Worker
from uckers_table.table.news import Reopened
from uckers_table.table.parts import Parts, openers

ABSENT_DEVICES: dict[str, Callable[[], Any]] = {
    "tower": NoTower,
    "buttons": NoButtons,
    "display": NoDisplay,
    "voice": SilentVoice,
}
"""What stands in for a device while it is opened anew."""
AWAITED: dict[str, Callable[[Callable[[], Any], str, Listener], Any]] = {
    "tower": AwaitedTower,
    "buttons": AwaitedButtons,
    "display": AwaitedDisplay,
    "voice": AwaitedVoice,
}
"""What stands in for one that is not there, and looks for it."""


class Reopening:
    """Opens devices anew. `listen` is told by one that is lost, `tell` of each once it is open."""

    def __init__(self, parts: Parts, listen: Listener, tell: Callable[[Reopened], None]) -> None:
        self._parts, self._listen, self._tell = parts, listen, tell
        self._workers: dict[str, Worker] = {}
        self._opened: dict[str, Any] = {}

    def check(self, name: str) -> None:
        """InputError while this device is being opened anew."""
        if name in self._workers:
            raise InputError(f"the {name} is being opened; wait for it")

    def begin(self, name: str, config: Config) -> None:
        """Close a device, and open it as the configuration has it now."""
        self.check(name)
        old = getattr(self._parts, name)
        setattr(self._parts, name, ABSENT_DEVICES[name]())

        def open_anew(stopping: Event) -> None:
            old.close()
            open_it = getattr(openers(config, self._parts.profile, self._parts.clock, self._listen), name)
            is_well = True
            try:
                device = open_it()
            except (DeviceError, InputError) as error:
                device, is_well = AWAITED[name](open_it, str(error), self._listen), False
            self._opened[name] = device
            self._tell(Reopened(name, is_well))

        self._workers[name] = Worker(f"opening the {name}", open_anew)

    def settle(self, news: Reopened) -> None:
        """The table has the device from now on."""
        del self._workers[news.name]
        setattr(self._parts, news.name, self._opened.pop(news.name))

    def close(self) -> None:
        """Wait for what is being opened, and close what nobody has taken; safe to call twice."""
        for worker in self._workers.values():
            worker.stop()
        for device in self._opened.values():
            device.close()
        self._workers, self._opened = {}, {}

"""A dice tower that is not there: the firmware's own end of the line behind a pseudo-terminal.

The product talks to it through the same serial driver as to a real one. Its cable can be kicked, which
also takes its power, as with a Pico: what was not acknowledged is forgotten and it starts anew.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
import tty
from collections.abc import Callable
from threading import Condition, Event

from uckers_table import __version__
from uckers_table.devices.pico.line import Line
from uckers_table.errors import DeviceError
from uckers_table.machine.threads import Worker

TICK_S = 0.01
"""The firmware's loop looks for something due about a hundred times a second."""
PATIENCE_S = 30.0
"""How long a throw waits for the host by the wall's clock; an answer takes milliseconds on a free machine."""

LAMP_LEVEL = 5600
"""Converter counts that its 60 mA give (`pico.tower`)."""


class SimulatedTower:
    """Throws when told to. `port` is where a SerialDiceTower finds it; another one after every `plug`."""

    def __init__(self, *, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._changed = Condition()
        self._tower: Line | None = None
        self._worker: Worker | None = None
        self._port = ""
        self.plug()

    @property
    def port(self) -> str:
        """The path of its serial port; DeviceError while the cable is out."""
        if self._tower is None:
            raise DeviceError("the dice tower's cable is out: plug it in")
        return self._port

    @property
    def readout(self) -> str:
        """What its display says; nothing without power."""
        tower = self._tower
        return "" if tower is None else tower.text

    def begin(self) -> bool:
        """Dice go in. True when the host has been told, False when the line went first or nobody answered."""
        return self._tell(lambda tower: tower.tell(_now_ms(), "begun"))

    def throw(self, dice: tuple[int, ...]) -> bool:
        """A whole throw: the dice go in and lie as given. True when the host has taken it.

        False does not say that it was not taken: the line may have gone before its answer came.
        """
        return self._tell(lambda tower: _whole(tower, "throw", " ".join(map(str, dice))))

    def cocked(self) -> bool:
        """Dice go in and one lies tilted."""
        return self._tell(lambda tower: _whole(tower, "cocked", "tilted"))

    def dropped(self) -> bool:
        """Dice go in and one does not come to rest in the tower."""
        return self._tell(lambda tower: _whole(tower, "dropped"))

    def cut(self) -> None:
        """Somebody kicks the cable: line and power are gone."""
        worker = self._worker
        if worker is not None:
            worker.stop()

    def plug(self) -> None:
        """Plug the cable in (again): a new port, and a tower that has just started."""
        self.cut()
        # Closed by the thread that uses them: another one could close a number that was given out anew.
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._port = os.ttyname(slave)
        self._tower = Line(os.urandom(4).hex(), "array", __version__, "simulated-tower")
        self._worker = Worker("simulated tower", lambda stopping: self._run(stopping, master, slave))

    def close(self) -> None:
        """Stop its thread; safe to call twice."""
        self.cut()

    def _tell(self, happens: Callable[[Line], int]) -> bool:
        with self._changed:
            tower = self._tower
            if tower is None:
                return False
            number = happens(tower)
            self._changed.wait_for(
                lambda: tower.acknowledged >= number or self._tower is not tower, self._patience_s
            )
            return tower.acknowledged >= number

    def _run(self, stopping: Event, master: int, slave: int) -> None:
        try:
            while not stopping.is_set():
                readable, _, _ = select.select([master], [], [], TICK_S)
                with self._changed:
                    self._exchange(master, bool(readable))
        finally:
            with self._changed:
                self._tower = None
                self._changed.notify_all()
            os.close(master)
            os.close(slave)

    def _exchange(self, master: int, readable: bool) -> None:
        tower = self._tower
        if tower is None:
            return
        if readable:
            tower.receive(os.read(master, 4096), _now_ms())
            self._changed.notify_all()
            if tower.dump is not None:
                # Nothing is in its beams' way, and its lamp is lit.
                tower.answer([("beams", [0, 0, 0]), ("lamp", [LAMP_LEVEL])])
            if tower.learn is not None:
                tower.tell(_now_ms(), "learnt", tower.learn)
                tower.learn = None
        # With nobody reading the line is full in time; like USB, it then loses what comes.
        with contextlib.suppress(BlockingIOError):
            os.write(master, tower.due(_now_ms()))


def _whole(line: Line, kind: str, *fields: str) -> int:
    """A throw from its beginning to its end."""
    line.tell(_now_ms(), "begun")
    return line.tell(_now_ms(), kind, *fields)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000

"""The dice tower on a serial port: a thread that reads, gives events, and finds a lost tower again."""

from __future__ import annotations

import termios
import time
from collections.abc import Callable
from threading import Event, Lock
from typing import Any

import serial

from uckers_table.devices.base import Back, Listener, Lost
from uckers_table.devices.threads import Worker
from uckers_table.devices.tower_link import TowerLink
from uckers_table.errors import DeviceError, ProtocolError

READ_WAIT_S = 0.05
"""How long a text for the readout may wait behind a silent line."""
WRITE_WAIT_S = 2.0
"""A line that takes nothing for so long is dead; the kernel alone holds more than we ever send at once."""
RETRY_S = 1.0
"""Between two tries to open a lost port: soon enough for the one who plugs it in again."""
LARGEST_READ = 4096

_GONE = (OSError, termios.error)
"""What pyserial lets out when a port goes away; SerialException is an OSError, termios.error is not."""


class SerialDiceTower:
    """A dice tower behind `port`: a path, a pyserial address, or a function that gives one.

    Best is the path under /dev/serial/by-id, which names this very Pico whichever socket it is in. A
    function may raise DeviceError while there is no port. Raises DeviceError when the port cannot be opened
    at first; later losses are `Lost` events, and the port is tried again every second. Not yet tried on
    hardware.
    """

    name = "tower"

    def __init__(self, port: str | Callable[[], str], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._find_port = port if callable(port) else lambda: port
        self._clock = clock
        self._lock = Lock()
        self._text = ""
        self._lost = False
        self._worker: Worker | None = None
        self._port: Any = self._open()

    def listen(self, listener: Listener) -> None:
        """Start giving events to the listener, from the tower's own thread. Once only."""
        if self._worker is not None:
            raise DeviceError("the dice tower has a listener already")
        self._worker = Worker(self.name, lambda stopping: self._run(stopping, listener))

    def show(self, text: str) -> None:
        """Put at most eight characters on the tower's readout, now or when it is back."""
        with self._lock:
            self._text = text

    def close(self) -> None:
        """Stop the thread and give the port back; safe to call twice."""
        if self._worker is not None:
            self._worker.stop()
        if self._port is not None:
            self._port.close()
            self._port = None

    def _open(self) -> Any:
        address = self._find_port()
        try:
            return serial.serial_for_url(
                address, baudrate=115200, timeout=READ_WAIT_S, write_timeout=WRITE_WAIT_S, exclusive=True
            )
        except (*_GONE, ValueError) as error:
            raise DeviceError(
                f"the dice tower's port {address} cannot be opened ({error}): is the cable in, may this user "
                f"use it (group dialout), and does nothing else have it open?"
            ) from error

    def _run(self, stopping: Event, listener: Listener) -> None:
        link = TowerLink(self._clock())
        while not stopping.is_set():
            try:
                if self._port is None:
                    self._port = self._open()
                self._serve(link, stopping, listener)
            except (DeviceError, ProtocolError) as error:
                self._lose(link, str(error), listener)
            except _GONE:
                self._lose(link, "its line went dead: is the cable in?", listener)
            stopping.wait(RETRY_S)

    def _serve(self, link: TowerLink, stopping: Event, listener: Listener) -> None:
        """Talk until told to stop; raises when the line is dead or the tower is none."""
        link.connect(self._clock())
        while not stopping.is_set():
            with self._lock:
                link.show(self._text)
            self._write(link.due(self._clock()))
            # The first byte is waited for, the rest taken as it is: a plain read(n) would wait for n bytes.
            data = self._port.read(min(max(1, self._port.in_waiting), LARGEST_READ))
            self._write(link.receive(data, self._clock(), listener))
            if self._lost and link.answering:
                self._lost = False
                listener(Back(self.name))
            why = link.trouble(self._clock())
            if why is not None:
                raise DeviceError(why)

    def _write(self, data: bytes) -> None:
        if data:
            self._port.write(data)

    def _lose(self, link: TowerLink, why: str, listener: Listener) -> None:
        if self._port is not None:
            self._port.close()
            self._port = None
        if self._lost:
            return
        self._lost = True
        listener(Lost(self.name, f"{why} (in the middle of a throw)" if link.throwing else why))

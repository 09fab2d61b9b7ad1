"""The button box: seven lit buttons on the Raspberry Pi's pins, through gpiozero."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from threading import Condition, Event
from typing import Any

from uckers_table.devices.base import HeldDown, Listener, Pressed, ignore
from uckers_table.devices.contacts import Change, Contact
from uckers_table.devices.gpio_chip import TO_TRY, header_factory
from uckers_table.devices.pins import BUTTONS, HELD, LAMPS
from uckers_table.errors import COMES_WITH_IT, DeviceError
from uckers_table.machine.threads import Worker


class GpioButtonBox:
    """Buttons that close their pin to ground, lamps that light when their pin is high.

    A button tells when it comes down. One that may also be held tells `HeldDown` once it has been for three
    seconds, and otherwise tells when it comes up. `pin_factory` is gpiozero's; None takes the real pins of a
    Raspberry Pi. A box that is not `is_live` has no thread, and tells only when it is asked to `settle`, by
    the time of its `clock`.

    Raises DeviceError when there are no pins, they may not be used, or one is taken. Not yet tried on
    hardware.
    """

    name = "buttons"

    def __init__(
        self,
        *,
        buttons: Mapping[str, int] = BUTTONS,
        lamps: Mapping[str, int] = LAMPS,
        held: Collection[str] = HELD,
        pin_factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
        is_live: bool = True,
    ) -> None:
        self._stack = ExitStack()
        self._inputs: dict[str, Any] = {}
        self._lamps: dict[str, Any] = {}
        self._open(buttons, lamps, pin_factory)
        self._contacts = {name: Contact() for name in buttons}
        self._held = held
        self._clock = clock
        self._is_live = is_live
        self._listener: Listener = ignore
        self._changed = Condition()
        self._worker: Worker | None = None

    def _open(self, buttons: Mapping[str, int], lamps: Mapping[str, int], pin_factory: Any) -> None:
        """Take the pins; DeviceError, and none taken, when that cannot be done."""
        try:
            # Only here: without pins and their libraries the rest of the package must still import.
            from gpiozero import LED, DigitalInputDevice, PinFactoryFallback
        except ImportError as error:
            raise DeviceError(f"the buttons need gpiozero ({error}): {COMES_WITH_IT}") from error
        try:
            with warnings.catch_warnings():
                # It warns of each pin library that is not there; if none is, that is an error below.
                warnings.simplefilter("ignore", PinFactoryFallback)
                real = header_factory() if pin_factory is None else None
                if real is not None:
                    # Closed last: pins are given back through it.
                    self._stack.callback(real.close)
                    pin_factory = real
                for name, pin in buttons.items():
                    # Not gpiozero's Button, which keeps a thread for each to notice that it is held. And no
                    # bounce time: its meaning depends on the library, and `Contact` needs every edge.
                    self._inputs[name] = self._stack.enter_context(
                        DigitalInputDevice(pin, pull_up=True, pin_factory=pin_factory)
                    )
                for name, pin in lamps.items():
                    self._lamps[name] = self._stack.enter_context(LED(pin, pin_factory=pin_factory))
        except DeviceError:
            self._stack.close()
            raise
        # gpiozero lets out errors of its own, of the pin library and of the system.
        except Exception as error:
            self._stack.close()
            raise DeviceError(_why_not(error)) from error

    def listen(self, listener: Listener) -> None:
        """Start giving `Pressed` and `HeldDown` events to the listener."""
        self._listener = listener
        for name, button in self._inputs.items():
            button.when_activated = self._edge_of(name, is_closed=True)
            button.when_deactivated = self._edge_of(name, is_closed=False)
        if self._is_live and self._worker is None:
            self._worker = Worker(self.name, self._run)

    def light(self, names: frozenset[str]) -> None:
        """Light the lamps of these buttons, and no others."""
        for name, lamp in self._lamps.items():
            lamp.value = name in names

    @property
    def down(self) -> frozenset[str]:
        """The buttons whose contact is closed at this moment."""
        return frozenset(name for name, button in self._inputs.items() if button.value)

    def settle(self) -> None:
        """Tell the listener what the contacts have done by now."""
        with self._changed:
            now = self._clock()
            self._make_good(now)
            changes = [(name, contact.settled(now)) for name, contact in self._contacts.items()]
            events = [self._event(name, change) for name, change in changes if change is not None]
        # Without the lock: the listener may take its time, and edges come meanwhile.
        for event in events:
            if event is not None:
                self._listener(event)

    def close(self) -> None:
        """Give the pins back; the lamps go out. Safe to call twice."""
        if self._worker is not None:
            with self._changed:
                self._worker.stopping.set()
                self._changed.notify()
            self._worker.stop()
        self._stack.close()

    def _make_good(self, now: float) -> None:
        """Edges that were lost in a rush of them: one that let go would leave a button held."""
        for name, contact in self._contacts.items():
            if contact.due is not None and contact.due <= now:
                is_closed = bool(self._inputs[name].value)
                if is_closed != contact.is_closed:
                    contact.edge(now, is_closed=is_closed)

    def _edge_of(self, name: str, *, is_closed: bool) -> Callable[[], None]:
        def edge() -> None:
            with self._changed:
                self._contacts[name].edge(self._clock(), is_closed=is_closed)
                self._changed.notify()

        return edge

    def _event(self, name: str, change: Change) -> Pressed | HeldDown | None:
        if name not in self._held:
            return Pressed(name) if change is Change.PRESSED else None
        if change is Change.HELD:
            return HeldDown(name)
        is_short = change is Change.RELEASED and not self._contacts[name].was_held
        return Pressed(name) if is_short else None

    def _run(self, stopping: Event) -> None:
        while not stopping.is_set():
            with self._changed:
                due = [contact.due for contact in self._contacts.values() if contact.due is not None]
                wait_s = max(0.0, min(due) - self._clock()) if due else None
                if wait_s != 0.0 and not stopping.is_set():
                    self._changed.wait(wait_s)
            self.settle()


def _why_not(error: Exception) -> str:
    """What keeps the pins from being taken, and what to try."""
    if "busy" in str(error).lower():
        return (
            f"the button box's pins are taken ({error}): see that no other program uses them. The table "
            f"itself does while it runs (`systemctl status uckers-table`)"
        )
    return f"the button box has no pins ({error}): {TO_TRY}"

"""The button box: seven lit buttons on the Raspberry Pi's pins, through gpiozero."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

from uckers_table.devices.base import Listener, Pressed
from uckers_table.devices.pins import BUTTONS, LAMPS
from uckers_table.errors import DeviceError

BOUNCE_S = 0.02
"""Arcade buttons bounce for a few milliseconds; nobody presses twice within twenty."""


class GpioButtonBox:
    """Buttons that close their pin to ground, lamps that light when their pin is high.

    `pin_factory` is gpiozero's; None takes the one it finds, which on a Raspberry Pi are the real pins.
    Raises DeviceError when there are no pins or one is taken. Not yet tried on hardware.
    """

    name = "buttons"

    def __init__(
        self,
        *,
        buttons: Mapping[str, int] = BUTTONS,
        lamps: Mapping[str, int] = LAMPS,
        pin_factory: Any = None,
    ) -> None:
        try:
            # Only here: without pins and their libraries the rest of the package must still import.
            from gpiozero import LED, DigitalInputDevice
        except ImportError as error:
            raise DeviceError(f"the buttons need gpiozero ({error}): pip install gpiozero lgpio") from error
        self._stack = ExitStack()
        self._buttons: dict[str, Any] = {}
        self._lamps: dict[str, Any] = {}
        try:
            for name, pin in buttons.items():
                # Not gpiozero's Button: that keeps a thread for each, to notice that one is held.
                self._buttons[name] = self._stack.enter_context(
                    DigitalInputDevice(pin, pull_up=True, bounce_time=BOUNCE_S, pin_factory=pin_factory)
                )
            for name, pin in lamps.items():
                self._lamps[name] = self._stack.enter_context(LED(pin, pin_factory=pin_factory))
        # gpiozero lets out errors of its own, of the pin library and of the system.
        except Exception as error:
            self._stack.close()
            raise DeviceError(
                f"the button box has no pins ({error}): it works on a Raspberry Pi only, with lgpio there "
                f"and no other program using its pins"
            ) from error

    def listen(self, listener: Listener) -> None:
        """Start giving `Pressed` events to the listener, from gpiozero's thread."""
        for name, button in self._buttons.items():
            button.when_activated = _teller(listener, name)

    def light(self, names: frozenset[str]) -> None:
        """Light the lamps of these buttons, and no others."""
        for name, lamp in self._lamps.items():
            lamp.value = name in names

    def close(self) -> None:
        """Give the pins back; the lamps go out. Safe to call twice."""
        self._stack.close()


def _teller(listener: Listener, name: str) -> Callable[[], None]:
    return lambda: listener(Pressed(name))

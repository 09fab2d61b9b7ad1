"""A button box that is not there: the real driver over gpiozero's mock pins, which a program presses."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPin

from uckers_table.devices.base import Listener
from uckers_table.devices.buttons import GpioButtonBox
from uckers_table.devices.contacts import HOLD_S, SETTLE_S
from uckers_table.devices.pins import BUTTONS, LAMPS
from uckers_table.errors import InputError


class SimulatedButtons:
    """Buttons to press and lamps to look at, on pins of its own.

    A press arrives with the listener before `press` returns: the box has a clock of its own, which passes
    only while a button is pressed or held.
    """

    name = "buttons"

    def __init__(self) -> None:
        # The class is named, so that no environment variable can choose another.
        self._pins = MockFactory(pin_class=MockPin)
        self._now = 0.0
        self._box = GpioButtonBox(pin_factory=self._pins, clock=lambda: self._now, is_live=False)

    def listen(self, listener: Listener) -> None:
        """Start giving `Pressed` and `Held` events to the listener."""
        self._box.listen(listener)

    def light(self, names: frozenset[str]) -> None:
        """Light the lamps of these buttons, and no others."""
        self._box.light(names)
        self._forget()

    def press(self, name: str) -> None:
        """Press a button and let it go; InputError for a name that is on no button."""
        self._down_for(name, SETTLE_S)

    def hold(self, name: str) -> None:
        """Hold a button down for long and let it go; InputError for a name that is on no button."""
        self._down_for(name, SETTLE_S, HOLD_S)

    def _down_for(self, name: str, *spans_s: float) -> None:
        if name not in BUTTONS:
            raise InputError(f"no button is called {name!r}: there are {', '.join(BUTTONS)}")
        pin = self._pins.pin(BUTTONS[name])
        pin.drive_low()
        for span_s in spans_s:
            self._pass(span_s)
        pin.drive_high()
        self._pass(SETTLE_S)
        self._forget()

    def _forget(self) -> None:
        """A mock pin keeps every state that it ever had, and a table may stand for days."""
        for pin in self._pins.pins.values():
            pin.clear_states()

    def _pass(self, span_s: float) -> None:
        self._now += span_s
        self._box.settle()

    @property
    def down(self) -> frozenset[str]:
        """The buttons that are pressed at this moment."""
        return self._box.down

    @property
    def lit(self) -> frozenset[str]:
        """The names of the buttons whose lamps are on, as the pins say."""
        return frozenset(name for name, pin in LAMPS.items() if self._pins.pin(pin).state)

    def close(self) -> None:
        """Give the pins back; safe to call twice."""
        self._box.close()
        self._pins.reset()

"""A button box that is not there: the real driver over gpiozero's mock pins, which a program presses."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPin

from uckers_table.devices.base import Listener
from uckers_table.devices.buttons import GpioButtonBox
from uckers_table.devices.pins import BUTTONS, LAMPS
from uckers_table.errors import InputError


class SimulatedButtons:
    """Buttons to press and lamps to look at, on pins of its own.

    A press arrives with the listener before `press` returns. Mock pins ignore the bounce time.
    """

    name = "buttons"

    def __init__(self) -> None:
        # The class is named, so that no environment variable can choose another.
        self._pins = MockFactory(pin_class=MockPin)
        self._box = GpioButtonBox(pin_factory=self._pins)

    def listen(self, listener: Listener) -> None:
        """Start giving `Pressed` events to the listener."""
        self._box.listen(listener)

    def light(self, names: frozenset[str]) -> None:
        """Light the lamps of these buttons, and no others."""
        self._box.light(names)

    def press(self, name: str) -> None:
        """Press a button and let it go; InputError for a name that is on no button."""
        if name not in BUTTONS:
            raise InputError(f"no button is called {name!r}: there are {', '.join(BUTTONS)}")
        pin = self._pins.pin(BUTTONS[name])
        pin.drive_low()
        pin.drive_high()

    @property
    def lit(self) -> frozenset[str]:
        """The names of the buttons whose lamps are on, as the pins say."""
        return frozenset(name for name, pin in LAMPS.items() if self._pins.pin(pin).state)

    def close(self) -> None:
        """Give the pins back; safe to call twice."""
        self._box.close()
        self._pins.reset()

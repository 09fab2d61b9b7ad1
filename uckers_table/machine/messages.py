"""What the machine has for people to read: plain values, which `announce` draws and the page shows."""

from __future__ import annotations

from dataclasses import dataclass

PIN_LINE = 6
"""Digits of a PIN on one line of the display."""


@dataclass(frozen=True)
class Message:
    """A title in capitals, and a sentence that says what happened or what to do."""

    title: str
    sentence: str


@dataclass(frozen=True)
class Reminder:
    """A message that waits to be seen. `number` tells it from all others since the start.

    `offer` is a part of the table that may be tried again to put it right, empty where there is none.
    """

    number: int
    title: str
    sentence: str
    offer: str = ""

    @property
    def message(self) -> Message:
        """What it says."""
        return Message(self.title, self.sentence)


@dataclass(frozen=True)
class Invitation:
    """The address of the table's page, and the PIN by which things can be changed there."""

    address: str
    pin: str = ""

    @property
    def pin_lines(self) -> tuple[str, ...]:
        """The PIN as people read it: six digits a line."""
        return tuple(self.pin[start : start + PIN_LINE] for start in range(0, len(self.pin), PIN_LINE))


@dataclass(frozen=True)
class Joining:
    """A network of the table's own, which phones join before they open its page."""

    name: str
    password: str

    @property
    def code(self) -> str:
        """The text of the QR code that phones join by."""
        return f"WIFI:T:WPA;S:{self.name};P:{self.password};;"

"""A button's contact, from the first touch to rest. Pure: times come in, nothing is waited for.

A contact bounces for some milliseconds when it closes and again when it opens, and a lead a metre long picks
up shorter spikes from a radio. So a contact counts as what it is once it has not changed for `SETTLE_S`; pin
libraries filter too, each in its own way, and their mock does not.
"""

from __future__ import annotations

from enum import Enum

SETTLE_S = 0.012
"""Arcade buttons bounce for five milliseconds at most by their makers, switches in order for 6.2 by Ganssle's
"A Guide to Debouncing"; nobody presses one for less than fifty."""
HOLD_S = 3.0
"""A button held for so long is meant otherwise than one pressed."""


class Change(Enum):
    """What a contact at rest has done."""

    PRESSED = "pressed"
    RELEASED = "released"
    HELD = "held"


class Contact:
    """One contact. Tell it each edge; ask it at `due` what it has done."""

    def __init__(self) -> None:
        self._is_closed = self._is_pressed = self._is_held = False
        self._changed_at = self._pressed_at = 0.0

    def edge(self, t: float, *, is_closed: bool) -> None:
        """It has closed or opened, for however short a time."""
        self._is_closed, self._changed_at = is_closed, t

    @property
    def is_closed(self) -> bool:
        """What its last edge made it."""
        return self._is_closed

    @property
    def due(self) -> float | None:
        """When to ask next, if no edge comes before; None for not at all."""
        if self._is_closed != self._is_pressed:
            return self._changed_at + SETTLE_S
        if self._is_pressed and not self._is_held:
            return self._pressed_at + HOLD_S
        return None

    def settled(self, t: float) -> Change | None:
        """What it has done, if that is due by now; each thing is told once."""
        if self.due is None or t < self.due:
            return None
        if self._is_closed == self._is_pressed:
            self._is_held = True
            return Change.HELD
        self._is_pressed = self._is_closed
        if not self._is_pressed:
            return Change.RELEASED
        self._is_held = False
        # Held from when the finger came down, not from when we were sure of it.
        self._pressed_at = self._changed_at
        return Change.PRESSED

    @property
    def was_held(self) -> bool:
        """Whether it was told as held when it was last down."""
        return self._is_held

"""Dice told by the buttons, where neither tower nor camera reads them: pure, one press after the other.

The button for cocked and dropped dice begins: then six of the buttons are numbers, one for each die, and the
same button again says that the dice were cocked or, after the first number, that it was a wrong one.
"""

from __future__ import annotations

from dataclasses import dataclass

from uckers_table.devices.pins import DICE_BUTTON, NUMBERED
from uckers_table.machine.messages import Message

COCKED = "cocked"


@dataclass(frozen=True)
class DiceByHand:
    """How far somebody has got with telling the dice: None of them asked for yet, or the numbers so far."""

    told: tuple[int, ...] | None = None

    def pressed(self, button: str, dice: int) -> tuple[DiceByHand, tuple[int, ...] | str | None]:
        """What a press makes of it where a throw takes so many `dice`.

        With it comes what is complete: the dice, `COCKED`, or None. A button that says nothing about dice
        changes nothing.
        """
        if button == DICE_BUTTON:
            return (DiceByHand(), COCKED) if self.told == () else (DiceByHand(()), None)
        if self.told is None or button not in NUMBERED:
            return self, None
        told = (*self.told, NUMBERED.index(button) + 1)
        return (DiceByHand(), told) if len(told) == dice else (DiceByHand(told), None)

    @property
    def lamps(self) -> frozenset[str]:
        """The buttons that mean something while numbers are asked for; none while they are not."""
        return frozenset({*NUMBERED, DICE_BUTTON}) if self.told is not None else frozenset()

    def page(self) -> Message | None:
        """What the display asks for; None while nothing is asked."""
        if self.told is None:
            return None
        if not self.told:
            return Message("WHAT DICE?", "Press each die's number. If they were cocked, press dice again.")
        so_far = " and ".join(map(str, self.told))
        return Message("WHAT DICE?", f"{so_far} and? Wrong: press dice again.")

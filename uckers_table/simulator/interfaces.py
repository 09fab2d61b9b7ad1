"""What the simulated table needs of others: a dice tower to throw into, a painter who shows it, and words."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

import numpy as np

from uckers_table.devices.base import BgrImage
from uckers_table.game.board import Plan
from uckers_table.simulator.outlines import base_spots
from uckers_table.simulator.scene import Scene

USUAL_SPOT_OFFSET_MM = 45.0


class Word(StrEnum):
    """What people at the table understand, of what they do something upon."""

    ACCUSED = "accused"
    DICE_REFUSED = "dice_refused"
    DICE_TURNED = "dice_turned"
    WHICH_CALL = "which_call"
    CALL_REFUSED = "call_refused"
    CHECK = "check"
    OUT_OF_STEP = "out_of_step"


_BEGINNINGS = {
    "Illegal": Word.ACCUSED,
    "Timber shift": Word.ACCUSED,
    "I can't read the dice": Word.DICE_REFUSED,
    "Cocked": Word.DICE_REFUSED,
    "Dropped": Word.DICE_REFUSED,
    "Off the IPS": Word.DICE_REFUSED,
    "Dice as they lie": Word.DICE_TURNED,
    "Which one?": Word.WHICH_CALL,
    "Refused": Word.CALL_REFUSED,
    "Check ": Word.CHECK,
}
_OUT_OF_STEP = "Press done to take it as it stands."


def word_of(sentence: str) -> Word | None:
    """What people understand of a sentence that was said aloud; None if they do nothing upon it."""
    found = (word for beginning, word in _BEGINNINGS.items() if sentence.startswith(beginning))
    return next(found, Word.OUT_OF_STEP if sentence.endswith(_OUT_OF_STEP) else None)


class TowerPort(Protocol):
    """The dice tower as the players' hands know it. Every call blocks until the host knows.

    A call gives False if the host could not be told, as far as the tower knows.
    """

    def throw(self, dice: tuple[int, ...]) -> bool:
        """The dice go in and come to lie with these values."""

    def cocked(self) -> bool:
        """A die lies tilted."""

    def dropped(self) -> bool:
        """A die does not come to rest in the tower."""


class Painter(Protocol):
    """What shows the table: a `Renderer`, or `Unpainted` if nobody looks."""

    plan: Plan

    @property
    def empty(self) -> BgrImage:
        """The bare board, BGR."""

    @property
    def start(self) -> BgrImage:
        """All pieces in their bases, BGR."""

    def spots(self, seat: int) -> tuple[tuple[float, float], ...]:
        """The middles of a seat's four base spots, in mm of the plan."""

    def frame(self, scene: Scene) -> BgrImage:
        """The picture of a scene, BGR."""


class Unpainted:
    """For a table that nobody looks at. Every frame is one black pixel; base spots lie `spots_mm` off the
    middle.
    """

    def __init__(self, plan: Plan, spots_mm: float = USUAL_SPOT_OFFSET_MM) -> None:
        self.plan, self._spots_mm = plan, spots_mm
        self.empty = self.start = np.zeros((1, 1, 3), np.uint8)

    def spots(self, seat: int) -> tuple[tuple[float, float], ...]:
        """The middles of a seat's four base spots, in mm of the plan."""
        return base_spots(self.plan, seat, self._spots_mm)

    def frame(self, scene: Scene) -> BgrImage:
        """One black pixel, whatever the scene."""
        return self.empty

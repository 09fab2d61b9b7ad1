"""Two that read the same dice, tower and camera: a throw is taken when they agree, or when only one speaks.

Two different readings are said, and neither is chosen. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from uckers_table.game.ruling import Kind
from uckers_table.referee.events import DiceFault, ThrowMade
from uckers_table.referee.rulings import Notice, NoticeKind

DiceEvent = ThrowMade | DiceFault

CHECKERS = frozenset({"tower", "camera"})
WAIT_S = 2.0
"""So long after one has spoken, the other is waited for: dice that leave the tower still roll."""
LATE_S = 6.0
"""A word so much later is still of the same throw: nobody plays and throws again in less."""


@dataclass(frozen=True)
class CrossCheck:
    """`waiting` is what one of the two has told, `alone` what was taken on the word of one."""

    waiting: DiceEvent | None = None
    alone: DiceEvent | None = None

    @property
    def due(self) -> float | None:
        """When the word of one is enough; None while there is none."""
        return self.waiting.t + WAIT_S if self.waiting is not None else None

    def fallen_due(self) -> tuple[CrossCheck, DiceEvent | None]:
        """The check once it has waited long enough, and what was told."""
        return CrossCheck(alone=self.waiting), self.waiting

    def hear(self, told: DiceEvent) -> tuple[CrossCheck, DiceEvent | Notice | None]:
        """The check after one of the two has spoken, and what comes of it."""
        other = self.waiting
        if other is not None and other.source == told.source:
            # The next throw already: the one before had only this word.
            return CrossCheck(waiting=told), other
        if other is not None:
            return CrossCheck(), told if _shown(other) == _shown(told) else _difference(other, told)
        late = self.alone
        if late is None or late.source == told.source or told.t - late.t > LATE_S:
            return CrossCheck(waiting=told), None
        return CrossCheck(), None if _shown(late) == _shown(told) else _difference(late, told)


def _shown(told: DiceEvent) -> tuple[int, ...] | Kind:
    """What was told of the dice, in an order that both keep."""
    return tuple(sorted(told.dice, reverse=True)) if isinstance(told, ThrowMade) else Kind(told.kind)


def _difference(one: DiceEvent, other: DiceEvent) -> Notice:
    first, second = sorted((one, other), key=lambda told: told.source, reverse=True)
    readings = tuple((told.source, _shown(told)) for told in (first, second))
    return Notice(NoticeKind.DICE_DIFFER, readings=readings)

"""Two that read the same dice, tower and camera: a throw is taken when they agree, or when only one speaks.

Two different readings are said, and neither is chosen, but for what only one of them can know: the tower that
dice in it are no throw, the camera where a die lies that the tower misses. Pure.
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
    """`waiting` is what one of the two has told, `alone` what was taken on the word of one, `void_at` when
    the tower said that the dice in it are no throw, until one of the two has spoken again.
    """

    waiting: DiceEvent | None = None
    alone: DiceEvent | None = None
    void_at: float | None = None

    @property
    def due(self) -> float | None:
        """When the word of one is enough; None while there is none."""
        return self.waiting.t + WAIT_S if self.waiting is not None else None

    def fallen_due(self) -> tuple[CrossCheck, DiceEvent | None]:
        """The check once it has waited long enough, and what was told."""
        return CrossCheck(alone=self.waiting), self.waiting

    def void(self, t: float) -> tuple[CrossCheck, DiceEvent | None]:
        """The check after the tower has said that what lies in it is no throw, and what was told before that.

        What the camera says of these dice, before or after, is void with them.
        """
        before = self.waiting if self.waiting is not None and self.waiting.source == "tower" else None
        return CrossCheck(void_at=t), before

    def hear(self, told: DiceEvent) -> tuple[CrossCheck, DiceEvent | Notice | None]:
        """The check after one of the two has spoken, and what comes of it."""
        if self.void_at is not None and told.source == "camera" and told.t - self.void_at <= LATE_S:
            return CrossCheck(), None
        other = self.waiting
        if other is not None and other.source == told.source:
            # The next throw already: the one before had only this word.
            return CrossCheck(waiting=told), other
        if other is not None:
            return CrossCheck(), _settled(other, told)
        late = self.alone
        if late is None or late.source == told.source or told.t - late.t > LATE_S:
            return CrossCheck(waiting=told), None
        return CrossCheck(), None if _shown(late) == _shown(told) else _difference(late, told)


def _settled(one: DiceEvent, other: DiceEvent) -> DiceEvent | Notice:
    """What two words of the same dice come to."""
    if _shown(one) == _shown(other):
        return other
    for tower, camera in ((one, other), (other, one)):
        is_missing = isinstance(tower, DiceFault) and Kind(tower.kind) is Kind.DROPPED
        if is_missing and tower.source == "tower" and isinstance(camera, ThrowMade):
            return camera
    return _difference(one, other)


def _shown(told: DiceEvent) -> tuple[int, ...] | Kind:
    """What was told of the dice, in an order that both keep."""
    return tuple(sorted(told.dice, reverse=True)) if isinstance(told, ThrowMade) else Kind(told.kind)


def _difference(one: DiceEvent, other: DiceEvent) -> Notice:
    first, second = sorted((one, other), key=lambda told: told.source, reverse=True)
    readings = tuple((told.source, _shown(told)) for told in (first, second))
    return Notice(NoticeKind.DICE_DIFFER, readings=readings)

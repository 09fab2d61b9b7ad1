"""Tower and camera read the same dice: a throw is taken when they agree, or when only one speaks.

Two different readings are said, and neither is taken. There are two exceptions, which only one of them can
know. The tower knows that the dice in it are no throw. The camera knows where a die lies that the tower
misses. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from uckers_table.game.ruling import Kind
from uckers_table.referee.events import DiceEvent, DiceFault, ThrowMade
from uckers_table.referee.rulings import Notice, NoticeKind

CHECKERS = frozenset({"tower", "camera"})
WAIT_S = 2.0
"""Seconds. After one has spoken, the other is waited for this long: dice that leave the tower still roll."""
LATE_S = 6.0
"""Seconds. A word this much later is still of the same throw: nobody plays and throws again in less."""


@dataclass(frozen=True)
class CrossCheck:
    """What tower and camera have told of the dice, until they are settled.

    - `waiting`: what one of the two has told while the other is waited for.
    - `alone`: what was taken on the word of one.
    - `void_at`: when (seconds) the tower said that the dice in it are no throw; None once either has spoken
      again.
    """

    waiting: DiceEvent | None = None
    alone: DiceEvent | None = None
    void_at: float | None = None

    @property
    def due(self) -> float | None:
        """When (seconds) the word of one is enough; None if no word waits."""
        return self.waiting.t + WAIT_S if self.waiting is not None else None

    def fallen_due(self) -> tuple[CrossCheck, DiceEvent | None]:
        """The check once it has waited long enough, and what was told."""
        return CrossCheck(alone=self.waiting), self.waiting

    def void(self, t: float) -> tuple[CrossCheck, DiceEvent | None]:
        """The check after the tower has said that its dice are no throw, and what it told before that.

        What the camera says of these dice, before or after, is void with them.
        """
        before = self.waiting if self.waiting is not None and self.waiting.source == "tower" else None
        return CrossCheck(void_at=t), before

    def hear(self, told: DiceEvent) -> tuple[CrossCheck, DiceEvent | Notice | None]:
        """The check after one of the two has spoken, and what comes of it: dice, a notice, or nothing."""
        if self.void_at is not None and told.source == "camera" and told.t - self.void_at <= LATE_S:
            return CrossCheck(), None
        other = self.waiting
        if other is not None and other.source == told.source:
            # This is the next throw already. The one before had only this word.
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
    """What was told of the dice, in an order that is the same for both."""
    return tuple(sorted(told.dice, reverse=True)) if isinstance(told, ThrowMade) else Kind(told.kind)


def _difference(one: DiceEvent, other: DiceEvent) -> Notice:
    first, second = sorted((one, other), key=lambda told: told.source, reverse=True)
    readings = tuple((told.source, _shown(told)) for told in (first, second))
    return Notice(NoticeKind.DICE_DIFFER, readings=readings)

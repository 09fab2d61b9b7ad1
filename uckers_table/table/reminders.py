"""What people must know of the table: it waits here until somebody has answered it, or it is so no more.

There are two kinds, and neither can push the other away. A message is something that happened: it waits until
somebody says that it was seen. A warning is something that is so: it comes and goes by itself, and who has
seen it is not shown it again as long as it lasts.

Nothing here outlasts the program: what is still so is found out again at the next start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from uckers_table.machine.messages import Message, Reminder


@dataclass(frozen=True)
class _Kept:
    """`source` is who says that it is so, empty for a message."""

    reminder: Reminder
    source: str = ""
    is_seen: bool = False


class Reminders:
    """What waits to be seen, in the order in which it is shown. For one thread: the table's loop."""

    def __init__(self) -> None:
        self._kept: list[_Kept] = []
        self._given = 0
        self._displayed = set[int]()

    def tell(self, message: Message) -> None:
        """This has happened. Told twice before anybody has seen it, it waits once."""
        if not any(each.reminder.message == message for each in self._kept if not each.source):
            self._kept.append(_Kept(self._new(message, "")))

    def warn(self, source: str, messages: Sequence[Message], *, offer: str = "") -> None:
        """These are so now, by this source, and whatever else it said is not so any more.

        `offer` names the part of the table that may be tried again to put it right.
        """
        before = {each.reminder.message for each in self._kept if each.source == source}
        self._kept = [
            each for each in self._kept if each.source != source or each.reminder.message in messages
        ]
        self._kept += [
            _Kept(self._new(message, offer), source) for message in messages if message not in before
        ]

    def see(self, number: int) -> None:
        """Somebody has seen the one with this number; who was the second to see it changes nothing."""
        self._kept = [
            replace(each, is_seen=True) if each.reminder.number == number else each
            for each in self._kept
            if each.source or each.reminder.number != number
        ]

    @property
    def waiting(self) -> tuple[Reminder, ...]:
        """All that nobody has seen: messages first, because what is so would be found out again."""
        unseen = (each for each in self._kept if not each.is_seen)
        return tuple(each.reminder for each in sorted(unseen, key=lambda each: bool(each.source)))

    @property
    def on_page(self) -> tuple[Reminder, ...]:
        """Those, and what can be put right, for as long as it is so: the page alone has room for that."""
        unseen = self.waiting
        offers = (each.reminder for each in self._kept if each.reminder.offer)
        return (*unseen, *(each for each in offers if each not in unseen))

    @property
    def first(self) -> Reminder | None:
        """The one that is to be shown where there is room for one."""
        return next(iter(self.waiting), None)

    def take_fresh(self) -> Reminder | None:
        """The first that was never on the display; from now on it was."""
        fresh = next((each for each in self.waiting if each.number not in self._displayed), None)
        if fresh is not None:
            self._displayed.add(fresh.number)
        return fresh

    def _new(self, message: Message, offer: str) -> Reminder:
        self._given += 1
        return Reminder(self._given, message.title, message.sentence, offer)

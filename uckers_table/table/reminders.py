"""What people must know of the table, until somebody has answered it or it is over.

There are two kinds, and neither can push the other away. A message tells of something that happened. It waits
until somebody has seen it. A warning tells of a state. It comes and goes with that state; once somebody has
seen it, it is not shown again while the state lasts.

Nothing here outlasts the program: a state that still holds is found out again at the next start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from uckers_table.machine.messages import Message, Reminder


@dataclass(frozen=True)
class _Kept:
    """`source` is who gives a warning, empty for a message."""

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
        """Something has happened. If it is told twice before anybody has seen it, it waits once."""
        if not any(each.reminder.message == message for each in self._kept if not each.source):
            self._kept.append(_Kept(self._new(message, "")))

    def warn(self, source: str, messages: Sequence[Message], *, offer: str = "") -> None:
        """These are the source's warnings now; any other that it gave before is over.

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
        """Somebody has seen the one with this number; a second answer to it changes nothing."""
        self._kept = [
            replace(each, is_seen=True) if each.reminder.number == number else each
            for each in self._kept
            if each.source or each.reminder.number != number
        ]

    @property
    def waiting(self) -> tuple[Reminder, ...]:
        """All that nobody has seen. Messages come first: a warning would be found out again."""
        unseen = (each for each in self._kept if not each.is_seen)
        return tuple(each.reminder for each in sorted(unseen, key=lambda each: bool(each.source)))

    @property
    def on_page(self) -> tuple[Reminder, ...]:
        """Those that wait, and every warning that offers something: the page alone has room for them."""
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

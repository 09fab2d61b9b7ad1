"""The matches that a record holds already: which of them goes on, and how the record is made whole."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from uckers_table.errors import RecordError, UckersTableError
from uckers_table.keeping.rebuilding import Rebuilding, Rebuilt
from uckers_table.keeping.resume import BrokenOffError, PickedUp, go_on_from_record, pick_up
from uckers_table.machine.journal import facts
from uckers_table.machine.messages import Message
from uckers_table.record.mending import mend
from uckers_table.table.left_out import UNREAD, SafeStart, broken_off
from uckers_table.table.refereeing import Refereeing
from uckers_table.table.reminders import Reminders

LOG = logging.getLogger(__name__)

TITLE = "THE RECORD"
"""What messages on the record are headed."""
REBUILDING = "rebuilding"
"""What warns while matches are judged again."""


class OldMatches:
    """The record, as it was found. Whatever is wrong with it, a match can be refereed. For the table's loop.

    Where people are `asked`, a match that breaks off is offered to them by `safe`. `post` hears, from a
    thread, how matches were put on record again.
    """

    def __init__(
        self,
        record: Path,
        reminders: Reminders,
        safe: SafeStart,
        post: Callable[[Rebuilt], None],
        *,
        asked: bool,
    ) -> None:
        self._record, self._reminders, self._safe, self._asked = record, reminders, safe, asked
        self._rebuilding = Rebuilding(record, post)
        self._left_undone = ""

    def left_off(self, rest: Callable[[], None], *, resumes: bool) -> PickedUp | None:
        """The match that was on when the power went, if the table `resumes` one, and it can go on.

        A damaged record is mended first. `rest` is called between steps, and after every event judged again.
        """
        rest()
        self.mend()
        rest()
        try:
            return pick_up(self._record, rest) if resumes else None
        except BrokenOffError as broken:
            LOG.error("the last match breaks off: %s", broken, extra=facts(match=broken.number))
            return self._decided(broken)
        except RecordError as error:
            # Nobody knows whether there is a match to go on with.
            self._leave_undone(str(error))
            self._safe.offer(UNREAD)
            return None

    def _decided(self, broken: BrokenOffError) -> PickedUp | None:
        """A match that breaks off is offered to people; where nobody is asked, it goes on by the record."""
        if self._asked:
            self._safe.offer(broken_off(broken.number))
            return None
        try:
            return go_on_from_record(self._record, broken)
        except UckersTableError as error:
            self._leave_undone(str(error))
            return None

    def mend(self, *, reads_through: bool = True) -> bool:
        """If the record is damaged, begin a new one, which has the matches whose recordings are there.

        Whether there is anything to be said of that.
        """
        try:
            done = mend(self._record, reads_through=reads_through)
        except RecordError as error:
            done = str(error)
        if done:
            self._leave_undone(done)
        return bool(done)

    def mend_after(self) -> None:
        """Mend the record that turned out to be damaged in a match which is over."""
        # The record is not put aside while matches are put into it; `rebuild` begins that again.
        self._rebuilding.close()
        self.mend()
        self.rebuild(None)

    def _leave_undone(self, line: str) -> None:
        self._left_undone = line
        self._reminders.tell(Message(TITLE, line))
        LOG.warning("%s", line)

    def say_left_undone(self, match: Refereeing) -> None:
        """What was wrong with the record when the table started is on record in the first match."""
        if self._left_undone:
            match.say_fault(self._left_undone)
            self._left_undone = ""

    def rebuild(self, on: Refereeing | None) -> None:
        """Have matches put on record again that only have their recordings, but not the one that is on."""
        self._reminders.warn(REBUILDING, ())
        try:
            number = self._rebuilding.begin(on.number if on is not None else None)
        except RecordError as error:
            LOG.warning("%s", error)
            return
        if number:
            what = "1 match is" if number == 1 else f"{number} matches are"
            line = f"{what} being judged again from the recordings."
            self._reminders.warn(REBUILDING, [Message(TITLE, line)])
            _say(line, on)

    def hear(self, rebuilt: Rebuilt, on: Refereeing | None) -> None:
        """Matches have been put on record again, or could not be."""
        self._reminders.warn(REBUILDING, ())
        self._reminders.tell(Message(TITLE, rebuilt.line))
        _say(rebuilt.line, on)

    def close(self) -> None:
        """Stop putting matches on record; safe to call twice."""
        self._rebuilding.close()


def _say(line: str, on: Refereeing | None) -> None:
    if on is not None:
        on.say_fault(line)
    else:
        LOG.warning("%s", line)

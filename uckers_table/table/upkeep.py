"""The machine under the table, as people look after it from the page: its health, its date, its backup."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from uckers_table.announce.words import capital
from uckers_table.keeping.backing_up import BackingUp
from uckers_table.keeping.dating import Dating
from uckers_table.machine.health import Health, warnings
from uckers_table.machine.messages import Message
from uckers_table.machine.progress import Progress
from uckers_table.table.reminders import Reminders
from uckers_table.web.commands import Answer, Backup, SetClock

HEALTH = "health"
"""What warns of the machine."""


class Upkeep:
    """For the table's loop. `tell` brings news of a copy to a stick into it."""

    def __init__(
        self, record: Path, dating: Dating, reminders: Reminders, tell: Callable[[Message | Progress], None]
    ) -> None:
        self._dating, self._reminders = dating, reminders
        self.health = Health(is_clock_known=dating.is_known)
        self._backing_up = BackingUp(record, tell)
        self.backup = ""
        """How far the last copy has got, or how it ended, in a line."""

    def hear(self, news: Health | Message | Progress) -> None:
        """How the machine is now; or of a copy to a stick, how far it has got, or how it ended."""
        match news:
            case Health():
                self.health = replace(news, is_clock_known=self._dating.is_known)
                self._reminders.warn(HEALTH, warnings(self.health))
            case Message():
                self.backup = f"{capital(news.title.lower())}: {news.sentence}"
                self._reminders.tell(news)
            case Progress():
                self.backup = f"{news.in_words}."

    def do(self, command: SetClock | Backup) -> Answer:
        """Take the date that a phone tells, or begin a copy. InputError where there is no stick for it."""
        if isinstance(command, SetClock):
            self._dating.be_told(command.unix_s)
            self.health = replace(self.health, is_clock_known=self._dating.is_known)
            return Answer(True)
        stick = self._backing_up.begin()
        self.backup = ""
        return Answer(True, f"Copying to {stick}; display and page say when it is done.")

    def close(self) -> None:
        """Wait for a copy that is being made; safe to call twice."""
        self._backing_up.close()

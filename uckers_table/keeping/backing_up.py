"""The record to the stick that is plugged in, asked for on the page: in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

from uckers_table.errors import InputError, UckersTableError
from uckers_table.machine.messages import Message
from uckers_table.machine.progress import Progress, each_percent
from uckers_table.machine.threads import Worker, unless_stopped
from uckers_table.record.backup import backup, sticks
from uckers_table.record.thinning import MEGABYTE


class BackingUp:
    """Copies the record, and tells how far it has got, and in a notice how that ended; one copy at a time."""

    def __init__(self, record: Path, tell: Callable[[Message | Progress], None]) -> None:
        self._record, self._tell = record, tell
        self._worker: Worker | None = None
        self._is_done = Event()

    def begin(self) -> Path:
        """Copy to the stick that is plugged in, which is returned; InputError where that is not one."""
        if self._worker is not None and not self._is_done.is_set():
            raise InputError("a backup is being made; wait for it")
        found = sticks()
        if not found:
            raise InputError("no stick is plugged in, or the system has not mounted it")
        if len(found) > 1:
            raise InputError(f"several sticks are plugged in ({', '.join(map(str, found))}); leave one")
        self._is_done.clear()
        self._worker = Worker("backup", lambda stopping: self._copy(found[0], stopping))
        return found[0]

    def close(self) -> None:
        """End a copy that is being made: the backup before it stays whole."""
        if self._worker is not None:
            self._worker.stop()

    def _copy(self, stick: Path, stopping: Event) -> None:
        try:
            tell = each_percent(self._tell)
            copied = backup(self._record, stick, tell=tell, look=unless_stopped(stopping))
        except UckersTableError as error:
            told = Message("NO BACKUP", str(error))
        else:
            size = f"{copied.size / MEGABYTE:.0f} MB"
            told = Message("BACKED UP", f"{copied.matches} matches, {size}, checked. You can take the stick.")
        self._is_done.set()
        self._tell(told)

"""Writes that the disk refuses, kept in order and tried again: nothing is lost while the table stays on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

from uckers_table.errors import DamagedRecordError, RecordError

RETRY_S = 5.0
"""How often a disk that refused is tried again."""
MOST = 50_000
"""Writes that wait: more than an hour of sightings, some tens of megabytes."""


class Backlog:
    """Does writes one after the other; one that raises RecordError waits with all that come after it.

    `trouble` is why, in one line, and empty while nothing waits. Where more wait than `MOST`, what comes
    after them is lost, and `trouble` says so from then on: what is written is never a thing with a hole.
    `is_damaged` once the last refusal was that of a damaged record, which takes nothing any more.
    `now` is the clock by which a disk is tried again, in seconds; left out, it is the machine's.
    """

    def __init__(self, now: Callable[[], float] | None = None) -> None:
        self._now = now or monotonic
        self._waiting = deque[Callable[[], object]]()
        self._tried = 0.0
        self._is_cut = False
        self.trouble = ""
        self.is_damaged = False

    def do(self, write: Callable[[], object]) -> None:
        """Do a write, now or once the disk takes it."""
        if self._is_cut or len(self._waiting) >= MOST:
            self._is_cut = True
            return
        self._waiting.append(write)
        if not self.trouble or self._now() >= self._tried + RETRY_S:
            self.retry()

    def retry(self) -> None:
        """Do all that waits, if the disk takes it now."""
        self._tried = self._now()
        try:
            while self._waiting:
                write = self._waiting.popleft()
                try:
                    write()
                except RecordError:
                    self._waiting.appendleft(write)
                    raise
        except RecordError as error:
            self.trouble = str(error)
            self.is_damaged = isinstance(error, DamagedRecordError)
        else:
            self.trouble = "the disk refused for too long: what came after that is not kept" * self._is_cut

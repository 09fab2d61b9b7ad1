"""Dates on a machine that cannot know them: from a phone that has told the time.

The machine's own clock is never set. What a phone said is kept as how far it was from the time since the
machine started, and dates the matches of this start of the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from uckers_table.errors import InputError, RecordError
from uckers_table.machine import moment
from uckers_table.machine.files import is_there
from uckers_table.machine.moment import Moment
from uckers_table.record.store import MatchStore

_EARLIEST, _LATEST = datetime(2026, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
"""A phone that says another year knows no better than this machine."""


class Dating:
    """Knows whether the date is known, and dates matches that began or ended when it was not.

    `now` and `is_clock_right` are those of `record.moment`, or stand in for them.
    """

    def __init__(
        self,
        record: Path,
        *,
        now: Callable[[], Moment] = moment.now,
        is_clock_right: Callable[[], bool] = moment.is_clock_right,
    ) -> None:
        self._record, self._now, self._is_clock_right = record, now, is_clock_right
        self._started: datetime | None = None

    @property
    def is_known(self) -> bool:
        """Whether today's date is known, from the network or from a phone."""
        return self._started is not None or self._is_clock_right()

    def be_told(self, unix_s: float) -> None:
        """A phone has told the time, in seconds since 1970. InputError for one that cannot be right."""
        try:
            told = datetime.fromtimestamp(unix_s, UTC)
        except (OverflowError, ValueError, OSError):
            raise InputError(f"{unix_s} is no time; it is seconds since 1970") from None
        if not _EARLIEST <= told < _LATEST:
            raise InputError(f"that clock says {told:%d %B %Y}: set it, and tell again")
        self._started = told - timedelta(seconds=self._now().since_boot_s)
        self.date_matches()

    def date_matches(self) -> None:
        """Date what has begun or ended since, where only a phone knows the date.

        What the record does not take now is dated when this is called next.
        """
        if self._started is None or self._is_clock_right() or not is_there(self._record):
            return
        now = self._now()
        with suppress(RecordError), closing(MatchStore(self._record)) as store:
            store.set_dates(self._started + timedelta(seconds=now.since_boot_s), now)

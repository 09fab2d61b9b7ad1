"""What a screen on the wall tells of the record: the evening's score, and the last ucking.

It is asked for after each play, on the processor that referees: what it takes long to read is read once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from uckers_table.errors import InputError, SenselessError
from uckers_table.record.evening import evening_score, last_evening, last_ucking
from uckers_table.web.feed import Snapshot, TableState
from uckers_table.web.recorded import ReadableRecord

SCORE_S = 60.0
"""How long a score counts while no match begins or ends: a phone may tell the date meanwhile."""


class EveningBoard:
    """Reads the record for the wall; from one thread at a time."""

    def __init__(self, library: ReadableRecord, clock: Callable[[], float] = time.monotonic) -> None:
        self._library, self._clock = library, clock
        self._score: tuple[int | None, TableState, float, dict[str, Any]] | None = None
        """The score, the match and the state of the table as of which it was, and when it was read."""
        self._ucking = (0, 0, "")
        """The match and the ruling as of which it was, and the sentence on the last ucking."""

    def shown(self, now: Snapshot) -> dict[str, Any]:
        """The score of the evening's matches, since when it is counted, and a sentence on the last ucking."""
        return {**self._score_at(now), "ucking": self._ucking_at(now)}

    def _score_at(self, now: Snapshot) -> dict[str, Any]:
        read_s = self._clock()
        if self._score is not None:
            match, state, before_s, score = self._score
            if (match, state) == (now.match, now.state) and read_s - before_s < SCORE_S:
                return score
        evening = last_evening(self._library.matches())
        score = {"since": evening[0].begun if evening else None, "score": evening_score(evening)}
        self._score = now.match, now.state, read_s, score
        return score

    def _ucking_at(self, now: Snapshot) -> str:
        if now.match is None or not now.rulings:
            return ""
        at = now.match, now.rulings[-1].number
        if self._ucking[:2] != at:
            try:
                found = last_ucking(self._library.match(now.match))
            except (InputError, SenselessError):
                # It makes no sense, or is not in the record.
                found = None
            self._ucking = *at, found.full if found is not None else ""
        return self._ucking[2]

"""A board seen still: since when, how it was read again and again, and what that is worth. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import NamedTuple

from uckers_table.game.position import Position
from uckers_table.referee.matching import Reading, Window

LEGAL_AFTER_S = 0.25
"""A legal play counts once two sightings this far apart (seconds) agree. At three frames a second or more
that is within the half second that is owed."""
ERRS_S = 2.05
"""How long a reader may err on end (seconds). What was read for longer is there, or was never read
rightly."""
ERRS_TWICE_S = 3.1
"""How long two errors in a row mostly last (seconds). On a board that nobody reached over, what looks like an
error may be two."""
ILLEGAL_AFTER_S = 2.6
"""When an accusation falls due that no sighting brings about (seconds). It lies between the 1.5 and 3.5 s
that are owed. A hand that corrects itself is quicker."""
UNWATCHED_S = 1.2
"""After this long without a sighting (seconds), anything may have been moved."""
USUAL_FLICKER, FLICKER_FROM, FLICKER_OVER = 0.02, 100, 400
"""How often a reader with the usual noise reads another board than just before: a share of sightings. A new
reader is taken to be that one, with the weight of FLICKER_FROM sightings. Later the share is told from the
last FLICKER_OVER."""
_LOOKS_S = (LEGAL_AFTER_S, ILLEGAL_AFTER_S)
"""When a still board is looked at by time alone (seconds after the first sighting)."""


class Flicker(NamedTuple):
    """How `often` an untouched board was read otherwise than just before.

    It is a share of the last `over` sightings.
    """

    often: float = USUAL_FLICKER
    over: int = FLICKER_FROM

    def after(self, *, is_other: bool) -> Flicker:
        """The flicker with one more sighting of a board that nobody touched."""
        often = self.often + (is_other - self.often) / self.over
        return Flicker(often, min(self.over + 1, FLICKER_OVER))


@dataclass(frozen=True)
class Stillness:
    """Sightings of a board over which no hand has been seen since it `began`.

    The last is at `until`. Times are seconds. The last `sightings` of them, from `since`, show the same
    pieces in play. `settled`: nothing more is to be said about these. `looks`: how often they were looked at
    by time alone. `is_done`: the player says that this is his play.
    """

    reading: Reading
    since: float
    until: float
    began: float
    recent: tuple[tuple[float, Reading], ...]
    sightings: int = 1
    settled: bool = False
    looks: int = 0
    is_done: bool = False
    thrown_on: tuple[frozenset[Position], ...] = ()
    """For each of the throws held last: all that the board was read as until then (`Reading.key`). Empty
    where that is unknown."""

    @classmethod
    def first(cls, t: float, reading: Reading) -> Stillness:
        """The board seen for the first time since a hand was over it."""
        return cls(reading, t, t, t, ((t, reading),))

    def seen(self, t: float, reading: Reading) -> Stillness:
        """The stillness after one more sighting."""
        if t > self.until + UNWATCHED_S and reading.key != self.reading.key:
            return self.first(t, reading)
        recent = (*_of_late(self.recent, t, ERRS_TWICE_S), (t, reading))
        if reading.key == self.reading.key:
            return replace(self, reading=reading, until=t, recent=recent, sightings=self.sightings + 1)
        return Stillness(reading, t, t, self.began, recent, is_done=self.is_done, thrown_on=self.thrown_on)

    @property
    def due(self) -> float | None:
        """When the board is to be looked at next if no sighting comes before (seconds). None for never."""
        return self.since + _LOOKS_S[self.looks] if not self.settled and self.looks < len(_LOOKS_S) else None

    def window(self, t: float, errs_s: float = ERRS_S) -> Window:
        """How the board was read of late, for as long as the reader may err on end."""
        readings = [reading for _, reading in _of_late(self.recent, t, errs_s)] or [self.reading]
        runs = [(reading, len([*same])) for reading, same in groupby(readings)]
        return Window(tuple(reading for reading, _ in runs), tuple(times for _, times in runs))

    @property
    def is_very_long(self) -> bool:
        """Whether the board has been still for longer than two errors in a row mostly last."""
        return self.until - self.began >= ERRS_TWICE_S

    @property
    def is_read_long(self) -> bool:
        """Whether the board has been read just as now for longer than any error lasts."""
        return self.until - self.since >= ERRS_S

    @property
    def unplayed(self) -> int:
        """How many of the throws held last were made on the board as it is now.

        None of these has been played.
        """
        return sum(1 for _ in takewhile(lambda keys: self.reading.key in keys, reversed(self.thrown_on)))

    @property
    def usual(self) -> Reading:
        """The board as it was read most often of late, with no hand between.

        A reading with more pieces than there are counts only if every reading had them.
        """
        of_late = [reading for t, reading in self.recent if t >= self.began] or [self.reading]
        readings = [reading for reading in of_late if not reading.is_overfull] or of_late
        times = Counter(reading.key for reading in readings)
        return max(reversed(readings), key=lambda reading: times[reading.key])

    @property
    def before(self) -> tuple[Reading, ...]:
        """What was read otherwise of late, with no hand between."""
        return tuple(
            reading
            for t, reading in self.recent
            if self.began <= t < self.since and reading.key != self.reading.key
        )

    def is_long(self, t: float) -> bool:
        """Whether the board has been still for longer than any error lasts."""
        return self.until - self.began >= ERRS_S or t >= self.began + ILLEGAL_AFTER_S


def _of_late(
    recent: Sequence[tuple[float, Reading]], t: float, errs_s: float
) -> Sequence[tuple[float, Reading]]:
    """The sightings of the last `errs_s` seconds, and the one before them."""
    older = sum(seen <= t - errs_s for seen, _ in recent)
    return recent[max(0, older - 1) :]

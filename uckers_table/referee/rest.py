"""Waiting: the same sighting, again and again, that changes nothing any more.

A match may wait for its players for days, while the camera goes on looking. Once a sighting has changed
nothing for longer than the referee waits for anything, more of the same only move its clocks on.
"""

from __future__ import annotations

from typing import NamedTuple

from uckers_table.sighting import Sighting

REST_S = 10.0
"""So long must the same sighting have changed nothing (seconds). Nothing that the referee waits for takes
longer; a test holds all its times against this one."""


class Rest(NamedTuple):
    """`sighting` was seen from `since` until `until` (seconds), at most `every_s` apart. It moved on nothing
    but clocks.
    """

    sighting: Sighting | None = None
    since: float = 0.0
    until: float = 0.0
    every_s: float = 0.0

    def then(self, t: float) -> Rest:
        """The same after one more sighting that changed nothing."""
        return self._replace(until=t, every_s=max(self.every_s, t - self.until))

    def lasts(self, after_s: float) -> bool:
        """Whether the same sighting changes nothing either that comes so long after the last (seconds)."""
        return self.until - self.since >= REST_S and after_s <= self.every_s


NO_REST = Rest()
"""Something else has happened since the last sighting, or nothing was seen."""

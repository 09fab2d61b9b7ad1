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

    def then(self, t: float, sighting: Sighting, *, changed: bool) -> Rest:
        """The same after one more sighting, and whether that changed anything."""
        if changed or sighting != self.sighting:
            return Rest(sighting, t, t)
        return self._replace(until=t, every_s=max(self.every_s, t - self.until))

    def holds(self, t: float, sighting: Sighting) -> bool:
        """Whether one more sighting changes nothing either: the same as ever, and as soon."""
        is_long = self.until - self.since >= REST_S
        return is_long and t - self.until <= self.every_s and sighting == self.sighting


NO_REST = Rest()
"""Something else has happened since the last sighting, or nothing was seen."""

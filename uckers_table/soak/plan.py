"""What happens at a mess, and when. All follows from a seed. Times are seconds of the simulated clock."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

WATCH_S = 6 * 3600.0
"""The length of a watch in seconds. On board, people are six hours on watch and six hours off. Somebody is
always off.
"""
PLAYED = 1 / 12
"""The part of each watch for which people play: half an hour."""


class Deed(StrEnum):
    """What may happen."""

    COME = "people come to the table"
    LEAVE = "people leave it, in the middle of a match or not"
    LOSE = "a device's cable comes out"
    FIND = "it is put back, once the table has noticed"
    LIGHT = "the light becomes another"
    FILL = "the card takes nothing any more"
    CLEAR = "the card takes what it is given again"
    VISIT = "visitors open the page"
    READ = "they look at matches, pictures and figures"
    GO = "they close it"
    PAINT = "from now on the camera's frames are painted and read, or else the referee is told of them"


@dataclass(frozen=True)
class SoakEvent:
    """Something that happens at the time `t`, in seconds. `what` names the device or the light."""

    t: float
    deed: Deed
    what: str = ""


TROUBLES: tuple[tuple[float, Deed, float, Deed, str], ...] = (
    (0.06, Deed.LOSE, 0.03, Deed.FIND, "tower"),
    (0.14, Deed.LOSE, 0.03, Deed.FIND, "camera"),
    (0.22, Deed.LOSE, 0.03, Deed.FIND, "display"),
    (0.30, Deed.LOSE, 0.03, Deed.FIND, "voice"),
    (0.38, Deed.FILL, 0.04, Deed.CLEAR, ""),
    (0.47, Deed.LIGHT, 0.02, Deed.LIGHT, "dark"),
    (0.54, Deed.LIGHT, 0.03, Deed.LIGHT, "red"),
    (0.62, Deed.LIGHT, 0.10, Deed.LIGHT, "lamp"),
    (0.70, Deed.VISIT, 0.12, Deed.GO, ""),
    (0.75, Deed.READ, 0.03, Deed.READ, ""),
    (0.88, Deed.LOSE, 0.02, Deed.FIND, "tower"),
)
"""What goes wrong while people play: when, what, for how long, what ends it, and which device or light. Times
are parts of the time for which people play.
"""
JITTER = 0.02
"""How much later trouble may begin, in the same parts. So it meets each match at another moment."""


@dataclass(frozen=True)
class Routine:
    """How a mess lives.

    `watch_s`: the length of a watch, in seconds.
    `played`: the part of each watch for which people play.
    `painted`: one watch of this many is painted.
    """

    watch_s: float = WATCH_S
    played: float = PLAYED
    painted: int = 1

    def events(self, seed: int) -> Iterator[SoakEvent]:
        """Everything that happens, in order and without end."""
        number = 0
        while True:
            yield from self._watch(number, random.Random(f"watch {seed} {number}"))
            number += 1

    def _watch(self, number: int, rng: random.Random) -> list[SoakEvent]:
        begun, lasts_s = number * self.watch_s, self.watch_s * self.played
        is_painted = number % self.painted == self.painted // 2
        happens = [
            SoakEvent(begun, Deed.PAINT, "yes" if is_painted else ""),
            SoakEvent(begun, Deed.COME),
            SoakEvent(begun, Deed.LIGHT, "day"),
        ]
        for at, deed, lasting, undone, what in TROUBLES:
            start = begun + (at + rng.uniform(0.0, JITTER)) * lasts_s
            end = start + lasting * lasts_s
            after = "day" if undone is Deed.LIGHT else what
            happens += [SoakEvent(start, deed, what), SoakEvent(end, undone, after)]
        over = begun + lasts_s
        happens.append(SoakEvent(over, Deed.LEAVE))
        if number % 2:
            happens.append(SoakEvent(over, Deed.LIGHT, "dark"))
        return sorted(happens, key=lambda event: event.t)

"""What became of the cheats that the people of a simulated table tried, by their own account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from uckers_table.simulator.people import Happening

CAUGHT, ASKED, MISSED = "called", "asked", "stood"
"""How a cheat ends in the log: the referee accused, it asked, or nobody said anything."""


def cheat_score(log: Iterable[Happening]) -> Mapping[str, Counter[str]]:
    """How many cheats of each kind ended in which way, by their kinds in the order in which they were tried.

    One that was still under way when the log ends is missed.
    """
    score: dict[str, Counter[str]] = {}
    for each in log:
        if each.what == "cheat":
            score.setdefault(each.kind, Counter())[MISSED] += 1
        elif each.what in (CAUGHT, ASKED):
            score[each.kind][MISSED] -= 1
            score[each.kind][each.what] += 1
    return score


def accused_wrongly(log: Iterable[Happening]) -> int:
    """How often somebody was accused who had not cheated."""
    return sum(each.what == "accused" for each in log)

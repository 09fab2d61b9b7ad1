"""How the real reader errs, as `python -m tools.reader` measured it: the file `errors.toml`.

Errors belong to readings. What stands on a place is either read rightly always, or misread at each reading
with a chance of its own. So most errors stay until something changes there, and others come and go with
readings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from uckers_table.foreign.documents import toml_from

FILE, SECTION = "errors.toml", "all"

LOSING, GAINING = ("unseen", "fewer"), ("more", "invented")
"""Ways in which a piece is missing, and in which one is too many."""


@dataclass(frozen=True)
class Way:
    """One way in which a thing is misread. Shares are of 1, costs in nats.

    `ever`: the things that have a chance to be misread so. `told`: the errors beside which the truth is told.
    `offered`: the things read rightly of which this is told as an alternative. `tables`: the tables on which
    it was seen at all.
    """

    ever: float
    told: float
    costs: tuple[float, ...]
    offered: float
    offered_at: tuple[float, ...]
    tables: float = 1.0


@dataclass(frozen=True)
class Law:
    """How a reader errs. Shares are of 1.

    `ways`: by thing and way, as in `tools/reader`. `chances`: the chances to be misread at each reading that
    places have, and how many had each. `tables`: how many times more than usual is misread on each table,
    and how many errors it would have if all were alike, by which it counts.

    `elsewhere`: missing pieces that are read at another place. `lifted_elsewhere`: the same of pieces off the
    board. `more_offered`, `more_offered_at`: squares of a missing piece's side where it is told as an
    alternative, and at what cost.

    `readings_a_minute`: of an untouched board. `sure_when_right`, `sure_when_wrong`: confidences from and to,
    and how many boards had each.
    """

    ways: Mapping[str, Mapping[str, Way]]
    chances: tuple[tuple[float, int], ...]
    tables: tuple[tuple[float, float], ...]
    elsewhere: float
    lifted_elsewhere: float
    more_offered: float
    more_offered_at: tuple[float, ...]
    readings_a_minute: float
    sure_when_right: tuple[tuple[float, float, int], ...]
    sure_when_wrong: tuple[tuple[float, float, int], ...]

    @classmethod
    def of(cls, measured: Mapping[str, Any]) -> Law:
        """The law by one section of `errors.toml`."""
        together, lifts, said = measured["together"], measured["lifts"], measured["sureness"]["confidence"]
        wrong_at = together["places_wrong_at_looks"]
        chances = tuple((looks / len(wrong_at), places) for looks, places in enumerate(wrong_at, 1) if places)
        places = sum(number for _, number in chances)
        usual = sum(chance * number for chance, number in chances) / places if places else 1.0
        things = {
            thing: table
            for thing, table in measured.items()
            if isinstance(table, dict)
            and all(isinstance(way, dict) and "wrong" in way for way in table.values())
        }
        wrong = {
            ways: sum(table[way]["wrong"] for table in things.values() for way in ways if way in table)
            for ways in (LOSING, GAINING)
        }
        moved = together["ends_of_one_piece"] / 2
        # A piece too many that is missing elsewhere is no second error.
        alone = {way: 1 - moved / max(moved, wrong[GAINING], 1) for way in GAINING}
        ways = {
            thing: {
                name: Way(
                    way["wrong"] / max(1, way["of"]) / usual * alone.get(name, 1.0),
                    way["told"] / max(1, way["wrong"]),
                    tuple(way.get("costs", ())),
                    way["offered"] / max(1, way["of"]),
                    tuple(way.get("offered_at", ())),
                    way.get("tables", 0) / max(1, len(together["tables"])) or 1.0,
                )
                for name, way in table.items()
            }
            for thing, table in things.items()
        }
        live = measured["live"].values()
        bins = [
            *zip(said["at_least"], [*said["at_least"][1:], 1.0], said["said"], said["right"], strict=True)
        ]
        return cls(
            ways,
            chances or ((1.0, 1),),
            tuple((seen / expected, expected) for seen, expected in together["tables"] if expected)
            or ((1.0, 1.0),),
            moved / max(moved, wrong[LOSING], 1),
            lifts["elsewhere"] / max(1, lifts["of"]),
            lifts["offered"] / max(1, lifts["squares"]),
            tuple(lifts.get("offered_at", ())),
            60 * sum(of["readings"] for of in live) / max(1, sum(of["seconds"] for of in live)),
            tuple((low, high, right) for low, high, _, right in bins),
            tuple((low, high, number - right) for low, high, number, right in bins),
        )


@cache
def measured() -> Law:
    """As it was measured last, on ordinary and hard tables."""
    return Law.of(toml_from((files("uckers_table.trial") / FILE).read_text(encoding="utf-8"))[SECTION])

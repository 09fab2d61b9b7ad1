"""What a soak measured: its quarters side by side, and whether anything grew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from uckers_table.soak.meter import Sample, median

QUARTERS = ("first", "second", "third", "last")
MOST_GROWTH = 1.02
"""How many times the second quarter's memory, handles and threads the last quarter's may be."""
MOST_DRIFT = 1.1
"""The same of the time that a ruling takes. It differs more: each quarter has other plays."""


@dataclass(frozen=True)
class Quarter:
    """A quarter of the time. Its figures are medians over its samples.

    `memory_mb`: resident memory. `handles`, `threads`: numbers of them.
    `ruling`: the median processor time of a ruling, in remaps measured beside it.
    `slow_ruling`: the time that 19 of 20 rulings do not exceed, in remaps. Both are NaN if nothing was ruled.
    `rulings`: the number of rulings.
    """

    memory_mb: float
    handles: float
    threads: float
    ruling: float
    slow_ruling: float
    rulings: int

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> Quarter:
        """The quarter that these samples are from."""
        rulings = sorted(took for sample in samples for took in sample.rulings)
        remap = median([sample.remap_ms for sample in samples])
        slow = rulings[len(rulings) * 19 // 20] if rulings else float("nan")
        return cls(
            median([sample.memory_mb for sample in samples]),
            median([sample.handles for sample in samples]),
            median([sample.threads for sample in samples]),
            median(rulings) / remap,
            slow / remap,
            len(rulings),
        )


JUDGED: Mapping[str, tuple[Callable[[Quarter], float], float]] = {
    "memory": (lambda quarter: quarter.memory_mb, MOST_GROWTH),
    "handles": (lambda quarter: quarter.handles, MOST_GROWTH),
    "threads": (lambda quarter: quarter.threads, MOST_GROWTH),
    "ruling": (lambda quarter: quarter.ruling, MOST_DRIFT),
}
"""What may not grow, and how many times the second quarter's the last quarter's may be."""


@dataclass(frozen=True)
class Verdict:
    """The judgement on one entry of JUDGED. `ratio` is the last quarter's figure over the second's."""

    name: str
    ratio: float
    limit: float

    @property
    def holds(self) -> bool:
        """Whether the ratio is within its limit. False if nothing was measured."""
        return self.ratio <= self.limit


@dataclass(frozen=True)
class SoakFigures:
    """All that was measured in a soak.

    `hours`: its simulated hours. `took_s`: the real seconds that they took.
    `samples`: all of them, in order.
    `counts`: how often each thing happened, by its name.
    """

    hours: float
    took_s: float
    seed: int
    samples: tuple[Sample, ...]
    counts: Mapping[str, int]

    @property
    def faster(self) -> float:
        """How many times faster than life it went."""
        return self.hours * 3600 / self.took_s

    @property
    def quarters(self) -> tuple[Quarter, ...]:
        """Its four quarters."""
        span = self.hours * 3600 / len(QUARTERS)
        return tuple(
            Quarter.of([sample for sample in self.samples if number * span < sample.t <= (number + 1) * span])
            for number in range(len(QUARTERS))
        )

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What grew, and what did not, for each entry of JUDGED."""
        quarters = self.quarters
        return tuple(
            Verdict(name, _over(of(quarters[3]), of(quarters[1])), limit)
            for name, (of, limit) in JUDGED.items()
        )

    @property
    def holds(self) -> bool:
        """Whether nothing grew."""
        return all(verdict.holds for verdict in self.verdicts)

    def to_json(self) -> dict[str, Any]:
        """Everything but the samples, for JSON."""
        return {
            "hours": self.hours,
            "faster": round(self.faster, 1),
            "seed": self.seed,
            "quarters": [
                {
                    "memory_mb": _told(quarter.memory_mb),
                    "handles": _told(quarter.handles),
                    "threads": _told(quarter.threads),
                    "ruling": _told(quarter.ruling),
                    "slow_ruling": _told(quarter.slow_ruling),
                    "rulings": quarter.rulings,
                }
                for quarter in self.quarters
            ],
            "last_over_second": {
                each.name: {"ratio": _told(each.ratio), "limit": each.limit, "ok": each.holds}
                for each in self.verdicts
            },
            "happened": dict(self.counts),
        }


def soak_table(figures: SoakFigures) -> str:
    """The figures for people: a table in Markdown, and a line for each thing that happened."""
    quarters = figures.quarters
    rows: list[tuple[str, Callable[[Quarter], str], str]] = [
        ("memory, MB", lambda quarter: _in_figures(quarter.memory_mb, 1), "memory"),
        ("file handles", lambda quarter: _in_figures(quarter.handles, 0), "handles"),
        ("threads", lambda quarter: _in_figures(quarter.threads, 0), "threads"),
        ("event to ruling, over a remap", lambda quarter: _in_figures(quarter.ruling, 2), "ruling"),
        ("… slower than 19 of 20", lambda quarter: _in_figures(quarter.slow_ruling, 2), ""),
        ("rulings", lambda quarter: str(quarter.rulings), ""),
    ]
    verdicts = {verdict.name: verdict for verdict in figures.verdicts}
    lines = [
        f"| {figures.hours:g} h, {figures.faster:.0f} times faster than life, seed {figures.seed} | "
        + " | ".join(f"{name} quarter" for name in QUARTERS)
        + " | last over second | at most |",
        "| --- " * (len(QUARTERS) + 3) + "|",
    ]
    for title, value, name in rows:
        verdict = verdicts.get(name)
        judged = (
            [f"{_in_figures(verdict.ratio, 3)}{'' if verdict.holds else ' **grows**'}", f"{verdict.limit:g}"]
            if verdict is not None
            else ["", ""]
        )
        lines.append("| " + " | ".join([title, *map(value, quarters), *judged]) + " |")
    lines += ["", *(f"- {what}: {count}" for what, count in figures.counts.items())]
    return "\n".join(lines)


def _over(last: float, second: float) -> float:
    return last / second if second else float("nan")


def _in_figures(value: float, digits: int) -> str:
    return "–" if isnan(value) else f"{value:.{digits}f}"


def _told(value: float) -> float | None:
    return None if isnan(value) else round(value, 3)

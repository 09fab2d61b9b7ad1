"""How sure the reader may say it is: its own odds, set right by how often it was right with such odds.

`sureness.toml` has the numbers, and what they were measured on. `python -m tools.reader` prints it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import exp, inf

from uckers_table.foreign.documents import toml_from
from uckers_table.sighting import LEAST_COST, Alternative

FILE = "sureness.toml"


@dataclass(frozen=True)
class Scale:
    """From odds as the reader reckons them to odds as they were found, both in nats: a straight line."""

    offset: float
    slope: float

    def set_right(self, nats: float) -> float:
        """The odds that were found where the reader reckoned these."""
        return nats if abs(nats) == inf else self.offset + self.slope * nats


@dataclass(frozen=True)
class Sureness:
    """How the odds of a whole board and the costs of alternatives are set right."""

    board: Scale
    alternative: Scale

    def confidence(self, odds: float) -> float:
        """The chance that a board is right of which the reader reckons these odds (nats)."""
        return 1 / (1 + exp(-max(-700.0, self.board.set_right(odds))))

    def told(self, alternatives: Iterable[Alternative]) -> tuple[Alternative, ...]:
        """The same alternatives, at the costs that they were found to have."""
        return tuple(
            replace(each, cost=max(LEAST_COST, self.alternative.set_right(each.cost)))
            for each in alternatives
        )


@cache
def sureness() -> Sureness:
    """As it was measured last."""
    data = toml_from((files("uckers_table.vision") / FILE).read_text(encoding="utf-8"))
    board, alternative = (
        Scale(data[name]["offset"], data[name]["slope"]) for name in ("board", "alternative")
    )
    return Sureness(board, alternative)

"""Invented laws: how often a simulated reader errs, for how long, and what its errors look like.

They are a test of hardness. How the real reader errs is in `trial.law`.

Each rate is the larger of two: the one asked for, and the reader's own on frames that were blurred, darkened,
shadowed and compressed. `bench/reader_noise.py` prints the reader's own, and the costs below. On those frames
an unseen piece was often read as standing under another. The truth was mostly among the alternatives, at
up to 4 nats. Right readings had alternatives too.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import inf

from uckers_table.errors import InputError

SHORTEST_S, MEAN_S = 0.1, 1.05
"""Errors that last up to so many seconds last this at least. Those without a limit last this in the mean."""


@dataclass(frozen=True)
class Lasting:
    """How long an invented error lasts.

    `name`: what `--errors` calls it. `mean_s`: inf if it lasts until what stands there changes.
    """

    name: str
    mean_s: float

    @classmethod
    def named(cls, name: str) -> Lasting:
        """`uniform:4` (up to so many seconds), `exponential` or `stays`. InputError for anything else."""
        if name == "exponential":
            return cls(name, MEAN_S)
        if name == "stays":
            return cls(name, inf)
        try:
            most_s = float(name.removeprefix("uniform:"))
        except ValueError:
            most_s = 0.0
        if not name.startswith("uniform:") or not SHORTEST_S < most_s < inf:
            raise InputError(
                f"--errors {name}: there are measured, exponential, stays, and uniform with seconds, "
                "such as uniform:4"
            )
        return cls(name, (SHORTEST_S + most_s) / 2)

    def drawn_s(self, rng: random.Random) -> float:
        """How long one lasts, in seconds."""
        if self.name == "exponential":
            return rng.expovariate(1 / self.mean_s)
        return inf if self.mean_s == inf else rng.uniform(SHORTEST_S, 2 * self.mean_s - SHORTEST_S)


SHORT = Lasting.named("uniform:2")
"""Up to two seconds."""


@dataclass(frozen=True)
class Noise:
    """Error rates as shares of the time: 1.0 is always. `times` multiplies them."""

    times: float = 1.0
    misread: float = 0.005
    """Of places with single pieces: the place is read as something else."""
    off_by_one: float = 0.05
    """Of stacks: one piece more, or one fewer, is read."""
    hand_missed: float = 0.01
    """Of reaches over the board: the hand is not noticed."""
    die_wrong: float = 0.01
    """Of dice: another value is read, or none."""
    bump: float = 0.001
    """Camera or board is bumped, and nothing can be read."""
    lasting: Lasting = SHORT
    """How long places and dice are misread."""
    away: Lasting = SHORT
    """How long a hand is not noticed, and how long nothing can be read after a bump."""
    stays: float = 0.005
    """Of unseen pieces, at any noise: the piece stays unseen for more than 2 s, as in rendered matches …"""
    stays_s: float = 180.0
    """… up to this long."""
    looked_for: float = 0.02
    """Of knocked-off pieces that are not in base yet: the piece is read as standing under others of its side
    until it is in base, as in rendered matches."""
    most: float = 0.7
    """The largest share of the time that any error takes, whatever `times` is."""

    def share(self, of_time: float) -> float:
        """A rate with `times` applied."""
        return min(self.most, of_time * self.times)

    def begins(self, of_time: float, for_s: float, lasting: Lasting) -> float:
        """The chance that an error begins within `for_s` seconds, if it takes this share of the time."""
        share = self.share(of_time)
        return min(1.0, share / (1.0 - share) * for_s / lasting.mean_s)

    def unseen_s(self, rng: random.Random) -> float:
        """Draws how long a piece stays unseen, in seconds."""
        stays = rng.random() < self.stays
        return rng.uniform(2.0, self.stays_s) if stays else self.lasting.drawn_s(rng)


COSTS_WHEN_RIGHT = (0.52, 1.14, 1.64, 1.96, 2.32, 2.67, 3.01, 3.29, 3.56, 3.82)
COSTS_WHEN_WRONG = (0.3, 0.3, 0.3, 0.57, 0.67, 1.05, 1.55, 1.73, 2.02, 2.87)
"""Costs of alternatives in nats, by deciles of what was seen, for places read rightly and wrongly."""
TOLD_WHEN_WRONG = 0.7
"""Of misread places: the truth is among the alternatives."""
GONE_TOLD = 0.25
"""Of single pieces read rightly: the reader says that there may be none."""
MORE_TOLD, FEWER_TOLD = 0.25, 0.7
"""Of places: one piece more is an alternative. Of stacks: one fewer is."""
SURE_WHEN_RIGHT = (0.61, 0.81, 0.87, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.99)
SURE_WHEN_WRONG = (0.4, 0.76, 0.83, 0.85, 0.86, 0.89, 0.95, 0.97, 0.99, 1.0)
"""How confident it is of the whole board, by deciles."""

"""How wrong a reader is, and how it looks when it is: measured figures, and the ones that are asked for.

The rates are the larger of those asked for and those of the reader on frames that were blurred, darkened,
shadowed and compressed. What a misreading looks like, and what likelihoods come with right and wrong
readings, was taken from the same frames: a piece that is not seen is often taken to be under another one;
the truth is mostly among the alternatives, at any cost up to 4; and right readings have such alternatives
too.
"""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Noise:
    """Shares of the time: 1.0 is always. `times` makes all of it so much more frequent."""

    times: float = 1.0
    misread: float = 0.005
    """Of the places where pieces stand alone or side by side: one is read as something else."""
    off_by_one: float = 0.05
    """Of the stacks: a piece more or fewer is read."""
    hand_missed: float = 0.01
    """Of the times that a hand reaches in: it is not noticed."""
    die_wrong: float = 0.01
    """Of the dice: another value is read, or none."""
    bump: float = 0.001
    """Something moves the camera or the board, and nothing can be read."""
    lasts_s: float = 2.0
    """How long at most an error lasts."""
    most: float = 0.7
    """However much noise there is, this share of the time nothing exceeds."""

    def share(self, of_time: float) -> float:
        """A share of the time, with so much noise."""
        return min(self.most, of_time * self.times)

    def begins(self, of_time: float, for_s: float) -> float:
        """The chance that an error that there is for a share of the time begins within so many seconds."""
        share = self.share(of_time)
        return min(1.0, share / (1.0 - share) * for_s / (self.lasts_s / 2))

    def lasting_s(self, rng: random.Random) -> float:
        """How long an error lasts that begins now."""
        return rng.uniform(0.1, self.lasts_s)


COSTS_WHEN_RIGHT = (0.3, 0.97, 1.5, 1.8, 2.3, 2.5, 2.8, 3.2, 3.5, 3.7, 3.9)
COSTS_WHEN_WRONG = (0.3, 0.3, 0.3, 0.6, 0.7, 0.9, 1.3, 1.7, 2.2, 2.9, 3.7)
"""What alternatives cost, evenly spread over what they were seen to."""
LEAST = 0.3
"""What any alternative costs at least."""
TOLD_WHEN_WRONG = 0.7
"""How often the truth is among the alternatives of a place that is misread."""
GONE_TOLD = 0.2
"""How often a piece that is rightly seen might, the reader says, be none."""
HIDDEN_TOLD = 0.4
"""How often a piece more or fewer in a stack is told as an alternative, where one could be."""
SURE_WHEN_RIGHT = (0.42, 0.48, 0.55, 0.62, 0.7, 0.74, 0.76, 0.82, 0.94, 0.98)
SURE_WHEN_WRONG = (0.35, 0.38, 0.4, 0.44, 0.48, 0.52, 0.57, 0.65, 0.78, 0.95)
"""How confident it is of the whole board."""

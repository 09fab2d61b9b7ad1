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
    stays: float = 0.005
    """Of the errors by which a piece is not seen, whatever the noise: it is not as long as the same stands
    there, as rendered matches showed …"""
    stays_s: float = 180.0
    """… but for so long at most."""
    looked_for: float = 0.02
    """Of the pieces that were knocked off and are nowhere on the board: how many are taken to be under others
    of their side until they are put into base, as rendered matches showed too."""
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

    def unseen_s(self, rng: random.Random) -> float:
        """How long a piece is not seen if that begins now."""
        stays = rng.random() < self.stays
        return rng.uniform(self.lasts_s, self.stays_s) if stays else self.lasting_s(rng)


COSTS_WHEN_RIGHT = (0.52, 1.14, 1.64, 1.96, 2.32, 2.67, 3.01, 3.29, 3.56, 3.82)
COSTS_WHEN_WRONG = (0.3, 0.3, 0.3, 0.57, 0.67, 1.05, 1.55, 1.73, 2.02, 2.87)
"""What alternatives cost, evenly spread over what they were seen to."""
TOLD_WHEN_WRONG = 0.7
"""How often the truth is among the alternatives of a place that is misread."""
GONE_TOLD = 0.25
"""How often a piece that is rightly seen might, the reader says, be none."""
MORE_TOLD, FEWER_TOLD = 0.25, 0.7
"""How often a piece more at a place, or fewer in a stack, is told as an alternative, where one could be."""
SURE_WHEN_RIGHT = (0.61, 0.81, 0.87, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.99)
SURE_WHEN_WRONG = (0.4, 0.76, 0.83, 0.85, 0.86, 0.89, 0.95, 0.97, 0.99, 1.0)
"""How confident it is of the whole board."""

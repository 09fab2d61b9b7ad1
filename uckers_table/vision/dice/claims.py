"""What a frame claims of dice: the sure ones, the doubtful ones, and which count beside the pieces there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from uckers_table.sighting import SeenDie
from uckers_table.vision.dice.faces import DIE_MM
from uckers_table.vision.picture.arrays import Floats

THROWN = 2
"""The most dice that are thrown. Where they all lie in plain sight, what may be a further one is none."""
PLAIN_TOP = 4.0
"""Log-odds from which a top is a plain one. Red dice were red tops with 0.8 to 3.1; tops with highlights like
pips had 5.5 and more.
"""
DIE_REACH_MM = 20.0
"""From one face of a die that leans to the other that can be seen."""
_RIM_MM = 2.0
"""What highlights and joints suggest lies up to 1 mm beside a piece, the middle of a die that leans 4 mm and
more, of one that lies flat 8."""
_GAP_MM, _CROWD = 19.0, 3
"""A die leans on a piece or two. The middle between four that touch is 14 mm from theirs."""
_BESIDE_PIECE_MM = (12.0, 26.0)
"""From a die's middle to the foot of a piece that it may lean on."""


@dataclass(frozen=True)
class Dice:
    """Dice that lie on the board or beside it beyond doubt, the `sure` ones, and those that count only where
    no piece stands: the `doubtful` ones, whose few pips or whose lean a piece's highlights can look like. Of
    those the `likely` ones count where no plain piece stands. Dice among all of them that lie flat rather
    than not, and `may_lean`, do if a piece stands beside them; the `hardly_flat` ones are none elsewhere.
    """

    sure: tuple[SeenDie, ...]
    doubtful: tuple[SeenDie, ...]
    likely: tuple[SeenDie, ...] = ()
    may_lean: tuple[SeenDie, ...] = ()
    hardly_flat: tuple[SeenDie, ...] = ()
    proved: tuple[SeenDie, ...] = ()

    def clear_of(self, tops: TopsSeen, likely_tops: TopsSeen | None = None) -> tuple[SeenDie, ...]:
        """All dice but the doubtful ones on a piece or a stack, its side too; those that lean on one are
        cocked. What is mirrored in tops that are `likely_tops` at best looks like the few pips of one that
        leans as well.
        """

        def is_clear(die: SeenDie) -> bool:
            if die in self.proved:
                return not tops.crowd(die)
            if die in self.likely:
                return tops.best_odds(die) <= PLAIN_TOP
            is_mirror = (
                die.state == "cocked" and likely_tops is not None and likely_tops.best_odds(die) > -np.inf
            )
            return tops.best_odds(die) == -np.inf and not is_mirror

        dice = self.sure + tuple(die for die in self.doubtful if is_clear(die))
        lean = [die for die in dice if die in self.may_lean and tops.are_beside(die)]
        # What shows of the sides of one that leans is no die besides.
        others = [
            die
            for die in dice
            if die not in (*lean, *self.hardly_flat) and not (die.state == "cocked" and _near(die, lean))
        ]
        return (*others, *(replace(die, value=None, state="cocked") for die in lean))

    def without_more(self) -> Dice:
        """The sure dice alone, where they are as many as are thrown."""
        if len(self.sure) < THROWN:
            return self
        return Dice(self.sure, (), may_lean=tuple(die for die in self.may_lean if die in self.sure))

    def taken_for(self, tops: TopsSeen) -> tuple[SeenDie, ...]:
        """The likely dice on tops that are not plain ones, and the proved flat ones that lie just where any
        top is: the top is the die.
        """
        return tuple(
            die
            for die in self.likely
            if -np.inf < tops.best_odds(die) <= PLAIN_TOP
            or (die in self.proved and die.state != "cocked" and tops.are_at(die))
        )


@dataclass(frozen=True)
class TopsSeen:
    """Tops of pieces and stacks as seen at a die's height: their middles and those of the lowest feet (N, 2),
    the radius of them all, and their log-odds (N,) of being tops; and where they stand on the plan (N, 2).
    """

    tops_mm: Floats
    feet_mm: Floats
    radius_mm: float
    odds: Floats
    stand_mm: Floats

    @classmethod
    def none(cls) -> TopsSeen:
        """Of a board without pieces."""
        nowhere = np.empty((0, 2))
        return cls(nowhere, nowhere, 0.0, np.empty(0), nowhere)

    def best_odds(self, die: SeenDie) -> float:
        """The log-odds of the surest top on which, or on whose side, a die lies; less than any if on none."""
        return float(self.best_odds_at(np.array([(die.x_mm, die.y_mm)]))[0])

    def best_odds_at(self, places_mm: Floats) -> Floats:
        """The same (N,) of places (N, 2)."""
        down = self.feet_mm - self.tops_mm
        squared = np.maximum((down * down).sum(axis=1), 1e-9)
        off = places_mm[:, None] - self.tops_mm
        along = np.clip((off * down).sum(axis=2) / squared, 0, 1)
        near = np.linalg.norm(off - along[..., None] * down, axis=2) < self.radius_mm + _RIM_MM
        return np.asarray(np.where(near, self.odds, -np.inf).max(axis=1, initial=-np.inf))

    def are_at(self, die: SeenDie) -> bool:
        """Whether the middle of any lies on a flat die."""
        away = np.linalg.norm(np.array([die.x_mm, die.y_mm]) - self.tops_mm, axis=1)
        return bool((away < DIE_MM / 2).any())

    def crowd(self, die: SeenDie) -> bool:
        """Whether so many stand round a place that the gap between them may look like a die."""
        away = np.linalg.norm(np.array([die.x_mm, die.y_mm]) - self.tops_mm, axis=1)
        return int((away < _GAP_MM).sum()) >= _CROWD

    def are_beside(self, die: SeenDie) -> bool:
        """Whether any stands so near to a die that it may lean on it."""
        away = np.linalg.norm(np.array([die.x_mm, die.y_mm]) - self.stand_mm, axis=1)
        least, most = _BESIDE_PIECE_MM
        return bool(((least < away) & (away < most)).any())


def _near(die: SeenDie, others: Iterable[SeenDie]) -> bool:
    return any(np.hypot(die.x_mm - o.x_mm, die.y_mm - o.y_mm) <= DIE_REACH_MM for o in others)

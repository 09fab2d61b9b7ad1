"""The dice that a frame claims: sure ones, doubtful ones, and which of them count beside the pieces there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uckers_table.sighting import SeenDie
from uckers_table.vision.dice.faces import DIE_MM
from uckers_table.vision.picture.arrays import Floats

THROWN = 2
"""The most dice that are thrown. If as many lie in plain sight, a doubtful further one is no die."""
PLAIN_TOP = 4.0
"""Log-odds (nats) from which a top is plain. Red dice read as red tops had 0.8 to 3.1 nats. Tops with
highlights like pips had 5.5 nats and more.
"""
DIE_REACH_MM = 20.0
"""The distance (mm) between the two faces of a leaning die that can be seen."""
_RIM_MM = 2.0
"""A place lies on a top up to this far (mm) beside it. Highlights and joints suggest dice up to 1 mm beside a
piece. The middle of a leaning die lies 4 mm and more beside a piece, that of a flat die 8 mm and more.
"""
_GAP_MM, _CROWD = 19.0, 3
"""A place is crowded if at least `_CROWD` tops have their middles within `_GAP_MM` of it. A die leans on one
piece or two. The gap between four pieces that touch is 14 mm from their middles.
"""


@dataclass(frozen=True)
class FoundDice:
    """The dice of one frame, on the board and beside it.

    `sure`: a die beyond doubt. It counts wherever it lies.
    `doubtful`: it has few pips, or leans. A piece's highlights can look like it, so it counts only where no
    piece stands.
    `likely`: doubtful, but counted unless a plain piece stands there.
    `proved`: doubtful, but the net is sure of it. Counted on a piece too, unless pieces crowd the place.
    """

    sure: tuple[SeenDie, ...]
    doubtful: tuple[SeenDie, ...]
    likely: tuple[SeenDie, ...] = ()
    proved: tuple[SeenDie, ...] = ()

    def clear_of(self, tops: TopsSeen, likely_tops: TopsSeen | None = None) -> tuple[SeenDie, ...]:
        """All dice that count beside these `tops`.

        A doubtful die on a top, or on the side of a stack, is left out, but for `likely` and `proved` ones.
        `likely_tops` are too doubtful to be claimed. On them doubtful dice without a value are left out
        too: what a top mirrors looks like the few pips of one.
        """

        def is_clear(die: SeenDie) -> bool:
            if die in self.proved:
                return not tops.crowd(die)
            if die in self.likely:
                return tops.best_odds(die) <= PLAIN_TOP
            is_mirror = die.value is None and likely_tops is not None and likely_tops.best_odds(die) > -np.inf
            return tops.best_odds(die) == -np.inf and not is_mirror

        return self.sure + tuple(die for die in self.doubtful if is_clear(die))

    def without_more(self) -> FoundDice:
        """The sure dice alone if they are as many as are thrown; else all of these."""
        if len(self.sure) < THROWN:
            return self
        return FoundDice(self.sure, ())

    def taken_for(self, tops: TopsSeen) -> tuple[SeenDie, ...]:
        """The dice that were read as tops too, where the top is the die. These are likely dice on tops that
        are not plain, and proved flat dice with the middle of any top on them.
        """
        return tuple(
            die
            for die in self.likely
            if -np.inf < tops.best_odds(die) <= PLAIN_TOP
            or (die in self.proved and die.state != "cocked" and tops.are_at(die))
        )


@dataclass(frozen=True)
class TopsSeen:
    """Tops of N pieces and stacks, as seen at the height of a die's upper face, in plan millimetres.

    `tops_mm`: their middles (N, 2).
    `feet_mm`: the middles of the lowest pieces' feet (N, 2), at the same height.
    `radius_mm`: the radius of every top.
    `odds`: each one's log-odds (N,) of being a top, in nats.
    """

    tops_mm: Floats
    feet_mm: Floats
    radius_mm: float
    odds: Floats

    @classmethod
    def none(cls) -> TopsSeen:
        """The tops of a board without pieces."""
        nowhere = np.empty((0, 2))
        return cls(nowhere, nowhere, 0.0, np.empty(0))

    def best_odds(self, die: SeenDie) -> float:
        """The log-odds (nats) of the surest top on which, or on whose side, a die lies; -inf if it lies on
        none.
        """
        return float(self.best_odds_at(np.array([(die.x_mm, die.y_mm)]))[0])

    def best_odds_at(self, places_mm: Floats) -> Floats:
        """The log-odds (N,), in nats, of the surest top at each place (N, 2), as `best_odds` of one die."""
        down = self.feet_mm - self.tops_mm
        squared = np.maximum((down * down).sum(axis=1), 1e-9)
        off = places_mm[:, None] - self.tops_mm
        along = np.clip((off * down).sum(axis=2) / squared, 0, 1)
        near = np.linalg.norm(off - along[..., None] * down, axis=2) < self.radius_mm + _RIM_MM
        return np.asarray(np.where(near, self.odds, -np.inf).max(axis=1, initial=-np.inf))

    def are_at(self, die: SeenDie) -> bool:
        """Whether the middle of a top lies on a flat die."""
        away = np.linalg.norm(np.array([die.x_mm, die.y_mm]) - self.tops_mm, axis=1)
        return bool((away < DIE_MM / 2).any())

    def crowd(self, die: SeenDie) -> bool:
        """Whether enough tops stand round a place for the gap between them to look like a die."""
        away = np.linalg.norm(np.array([die.x_mm, die.y_mm]) - self.tops_mm, axis=1)
        return int((away < _GAP_MM).sum()) >= _CROWD

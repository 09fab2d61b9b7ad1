"""A second look at dice: what pips and edges say is compared with a net that has learned whole dice.

Rules know why something is a die; the net knows what dice look like. It is asked where rules are in doubt or
see nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from uckers_table.sighting import SeenDie
from uckers_table.vision.dice import dice_net
from uckers_table.vision.dice.claims import FoundDice
from uckers_table.vision.dice.faces import DIE_MM
from uckers_table.vision.dice.lean import LEANS, UNSEEN, log_odds, lying, unread
from uckers_table.vision.dice.stance import SeenScene
from uckers_table.vision.picture.arrays import Floats

_APART_MM = 11.0
"""What is found nearer (mm) to a die is the same die."""
_ONE_LEANS_MM = 14.5
"""Two leaning dice nearer together (mm) are faces of one die. On 86 tables that happened four times, at 5.9
to 13.9 mm.
"""
_THINNED_MM = 4.0
"""Of spots nearer together (mm) one is enough: from any pip the net sees the whole die."""
_NO_DIE = -1.0
"""Nats of being a die below which a doubtful one is dropped. On 31 tables that the net had not seen, nine
that are no dice had -3.7 and less, dice 2.7 and more. On 64 others, 26 that are none had -2.1 and less, 802
dice 4.1 and more. A piece that pips alone took for a sure two had -3.8; real twos had 4.0 and more.
"""
_FEW_PIPS = 2
"""No piece looks like a flat die with more pips."""
_ALONE, _PROVED = 2.0, 3.0
"""Nats of being a die. From the first on, a die that the net alone sees counts where no piece is claimed.
From the second on, a doubtful die counts beside pieces too. On those tables nine dice that the net alone sees
had 3.2 and more. Of some 8600 spots that are no dice, one had -0.5 and the others less.
"""
_LEANED_ON, _LEANED_ON_MM = 3.0, 28.0
"""Nats that the net takes a die for leaning too surely if another leaning die lies within this distance (mm).
A flat die on which one leans has up to 2.5.
"""
_LIKELY_VALUE = np.log(0.85)
"""Log-probability of one value that a flat die without a flat face must exceed: a wrong value may accuse
somebody. A die with a lamp all over it had a wrong value with a probability of 0.83. Twelve right values on
50 tables have 0.87 and more.
"""


@dataclass(frozen=True)
class SecondLook:
    """What the net says of a place.

    `middle`: the middle of the die's upper face (2,), in plan mm.
    `odds`: log-probabilities (8,) of no die, of each value, and of a die that leans.
    `is_beside`: the place lies beside the board.
    """

    middle: Floats
    odds: Floats
    is_beside: bool

    @property
    def is_die(self) -> float:
        """The nats for any die being there rather than none."""
        none = float(self.odds[dice_net.NONE])
        return float(np.log(np.maximum(-np.expm1(none), 1e-12))) - none

    @property
    def leans(self) -> float:
        """The nats for the die leaning, if it is one, rather than lying flat with any value."""
        flat = self.odds[dice_net.NONE + 1 : dice_net.LEANS]
        return float(self.odds[dice_net.LEANS] - np.logaddexp.reduce(flat))

    def as_die(self, leans: float) -> SeenDie:
        """The die, if these are the log-odds (nats) of its leaning. It has a value if one is likely."""
        values = self.odds[dice_net.NONE + 1 : dice_net.LEANS]
        x, y = (float(v) for v in self.middle)
        flat = SeenDie(int(values.argmax()) + 1, "off_board" if self.is_beside else "flat", x, y)
        return lying(flat if values.max() > _LIKELY_VALUE else unread(flat), leans)


Height = Callable[[Floats], float]
"""How high above the board's top (mm) a die's upper face is at a plan place (2,), in mm."""


def closely(scene: SeenScene, places_mm: Floats, height_mm: Height) -> list[SecondLook]:
    """What the net says of dice at plan places (N, 2), in mm. Each is looked at from its own middle."""
    if not len(places_mm):
        return []
    heights = [height_mm(place) for place in places_mm]
    middles = places_mm + dice_net.say_of_places(scene, places_mm, heights).off
    said = dice_net.say_closely(scene, middles, heights)
    beside = [height < DIE_MM for height in heights]
    return [
        SecondLook(at + off, odds, is_beside)
        for at, off, odds, is_beside in zip(middles, said.off, said.odds, beside, strict=True)
    ]


def dice_elsewhere(
    scene: SeenScene, spots_mm: Floats, height_mm: Height, dice_mm: Sequence[Floats]
) -> list[SecondLook]:
    """What the net takes for dice at the spots (N, 2, in plan mm), the surest first. The clearest spots come
    first in `spots_mm`; spots on the dice at `dice_mm` are left out.
    """
    places: list[Floats] = []
    for spot in spots_mm:
        if all(np.hypot(*(spot - other)) > _APART_MM for other in dice_mm) and all(
            np.hypot(*(spot - other)) > _THINNED_MM for other in places
        ):
            places.append(spot)
    if not places:
        return []
    some = np.array(places)
    heights = [height_mm(place) for place in some]
    said = dice_net.say_of_places(scene, some, heights)
    likely = said.odds[:, dice_net.NONE] < np.log(0.5)
    # From a pip at the edge of a die that mirrors a lamp, one step to its middle is too short.
    some = some + said.off
    found: list[SecondLook] = []
    for die in sorted(closely(scene, some[likely], height_mm), key=lambda die: die.odds[dice_net.NONE]):
        others = (*dice_mm, *(other.middle for other in found))
        if all(np.hypot(*(die.middle - other)) > _APART_MM for other in others):
            found.append(die)
    return found


def weighed(
    dice: FoundDice, scene: SeenScene, height_mm: Height, leans: Mapping[SeenDie, float]
) -> FoundDice:
    """The dice that pips and edges show, as the net sees them. `leans`: see `Shown`.

    Dropped: doubtful dice, sure ones and twos, and sure leaning dice, if they look like no die to the net. A
    piece has a mark in its middle too, and highlights. Proved: doubtful dice of which the net is sure.

    Whether a die leans, both tell together. A flat die keeps the value that its pips tell: they tell
    it better than the net.
    """
    some = (*dice.doubtful, *dice.sure)
    at = np.array([(die.x_mm, die.y_mm) for die in some]).reshape(-1, 2)
    said = dict(zip(some, closely(scene, at, height_mm), strict=True))
    hardly_seen = [die for die in dice.sure if die.value is None or die.value <= _FEW_PIPS]
    none = {die for die in (*dice.doubtful, *hardly_seen) if said[die].is_die < _NO_DIE}
    leaning = [die for die, found in said.items() if log_odds(found.leans, leans[die]) > LEANS]

    def net_leans(die: SeenDie) -> float:
        apart = (np.hypot(*(said[die].middle - said[other].middle)) for other in leaning if other != die)
        return said[die].leans - (_LEANED_ON if any(mm < _LEANED_ON_MM for mm in apart) else 0.0)

    lie = {die: _lies(die, found, log_odds(net_leans(die), leans[die])) for die, found in said.items()}
    surest_first = sorted((die for die in some if die not in none), key=lambda die: -said[die].is_die)
    for k, die in enumerate(surest_first):
        if _is_of(lie[die], [lie[surer] for surer in surest_first[:k]]):
            none.add(die)

    def left(some: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
        return tuple(lie[die] for die in some if die not in none)

    proved = left([die for die in dice.doubtful if said[die].is_die > _PROVED])
    return replace(
        dice,
        sure=left(dice.sure),
        doubtful=left(dice.doubtful),
        likely=tuple(dict.fromkeys((*left(dice.likely), *proved))),
        proved=proved,
    )


def _lies(die: SeenDie, found: SecondLook, leans: float) -> SeenDie:
    """The die as it lies, if these are the log-odds (nats) of its leaning.

    One that may lean gets the net's place, if the net sees a die there: pips of its sides, and highlights
    beside it, draw its middle aside. Where its pips fit no flat face the net tells the value.
    """
    if found.is_die < _PROVED:
        return lying(unread(die) if die.value is None else die, leans)
    if die.value is None:
        return found.as_die(leans)
    told = lying(die, leans)
    x, y = (float(v) for v in found.middle)
    return told if told is die else replace(told, x_mm=x, y_mm=y)


def _is_of(die: SeenDie, others: Sequence[SeenDie]) -> bool:
    """Whether a die that may lean is another face of one of these, which may lean too."""
    return die.value is None and any(
        np.hypot(die.x_mm - other.x_mm, die.y_mm - other.y_mm) < _ONE_LEANS_MM
        for other in others
        if other.value is None
    )


def with_unseen(dice: FoundDice, scene: SeenScene, spots_mm: Floats, height_mm: Height) -> FoundDice:
    """The dice, and those that the net alone sees. `spots_mm` are the plan places (N, 2) of all possible
    pips, the clearest first.
    """
    known = [np.array([die.x_mm, die.y_mm]) for die in (*dice.sure, *dice.doubtful)]
    found = dice_elsewhere(scene, spots_mm, height_mm, known)
    more = {die.as_die(log_odds(die.leans, UNSEEN)): die.is_die for die in found}
    surely = (*dice.sure, *dice.proved)
    alone = tuple(die for die, nats in more.items() if nats > _ALONE and not _is_of(die, surely))
    proved = tuple(die for die in alone if more[die] > _PROVED)

    def left(some: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
        return tuple(die for die in some if die in dice.proved or not _is_of(die, proved))

    return replace(
        dice,
        doubtful=(*left(dice.doubtful), *alone),
        likely=(*left(dice.likely), *proved),
        proved=(*dice.proved, *proved),
    )

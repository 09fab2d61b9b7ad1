"""A second look at dice: what pips and edges say, against what a net says that has learned whole dice.

Rules know why something is a die, the net knows what dice look like: where rules are in doubt, or see
nothing, it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from uckers_table.sighting import SeenDie
from uckers_table.vision.dice import dice_net
from uckers_table.vision.dice.claims import Dice
from uckers_table.vision.dice.faces import DIE_MM
from uckers_table.vision.dice.stance import Scene
from uckers_table.vision.picture.arrays import Floats

_APART_MM = 11.0
"""What is found nearer to a die is the same one."""
_ONE_LEANS_MM = 14.5
"""Nor are two that lean: less far apart they are faces of one, by 5.9 to 13.9 mm four times on 86 tables."""
_THINNED_MM = 4.0
"""Of spots nearer together one is enough: all pips of a die see the whole of it."""
_NO_DIE = -1.0
"""By fewer nats what is doubtful is no die. On 31 tables that the net had not seen nine that are none had
-3.7 and less, dice 2.7 and more; on 64 others 26 had -2.1 and less, 802 dice 4.1 and more. Of a piece that
pips alone were sure is a die with a two it said -3.8, of real ones 4.0 and more.
"""
_FEW_PIPS = 2
"""No piece looks like a flat die with more."""
_ALONE, _PROVED = 2.0, 3.0
"""By so many nats a die that the net alone sees is one where no piece is claimed, and what is doubtful is one
beside pieces too. There nine that are dice and the net alone sees had 3.2 and more; of some 8600 spots that
are none one had -0.5, the others less.
"""
_LEANS, _LIES = 1.3, 3.0
"""By so many nats the net tells that a die leans, or lies flat, whatever pips and edges say. Of dice on 82
tables that it had not learned 998 that lie flat, and seemed to, have 0.5 and less, and one 1.0; of those that
lean 24 seemed flat, which have 1.4 and more but for one with 0.3; eight flat ones seemed to lean, which have
-3.4 and less but for two with -1.2 and -2.3, and those that do 0.4 and more, but for one with -0.4 and a
simulated one with -2.1. (Before it learned such tables 763 flat ones had up to 1.8.)
"""
_MAY_LEAN = 0.4
"""So many nats are enough of a die that may lean by the whole of it. On 64 tables eight that lean have 0.9
and more, and 19 flat ones -0.1 and less; some of each were wrong, by what stood beside them.
"""
_LEANED_ON, _LEANED_ON_MM = 3.0, 28.0
"""But so many are needed where another that leans lies so near: one on which it leans has up to 2.5."""
_LIKELY_LEANS, _LIKELY_VALUE = np.log(0.5), np.log(0.85)
"""So likely must be that it leans, or its value, to be told of a die that the net alone sees: a value that it
has not may accuse somebody. With a lamp all over it one had a wrong value by 0.83; twelve right ones on 50
tables have 0.87 and more.
"""


@dataclass(frozen=True)
class Found:
    """What the net says of a place: where the middle of a die's upper face is (plan mm), the
    log-probabilities (8,) of none, of each value and of one that leans; and whether it lies beside the board.
    """

    middle: Floats
    odds: Floats
    is_beside: bool

    @property
    def is_die(self) -> float:
        """By how many nats it is one, whichever, rather than none."""
        none = float(self.odds[dice_net.NONE])
        return float(np.log(np.maximum(-np.expm1(none), 1e-12))) - none

    @property
    def leans(self) -> float:
        """By how many nats it leans, if it is one, rather than lies flat with any value."""
        flat = self.odds[dice_net.NONE + 1 : dice_net.LEANS]
        return float(self.odds[dice_net.LEANS] - np.logaddexp.reduce(flat))

    @property
    def is_told(self) -> bool:
        """Whether one die is likely, rather than several that are as unlikely."""
        leans, value = self.odds[dice_net.LEANS], self.odds[dice_net.NONE + 1 : dice_net.LEANS].max()
        return bool(leans > _LIKELY_LEANS or value > _LIKELY_VALUE)

    def as_die(self) -> SeenDie:
        """The likeliest die that it is."""
        value = int(self.odds[dice_net.NONE + 1 :].argmax()) + 1
        x, y = (float(v) for v in self.middle)
        if value == dice_net.LEANS:
            return SeenDie(None, "cocked", x, y)
        return SeenDie(value, "off_board" if self.is_beside else "flat", x, y)


Height = Callable[[Floats], float]
"""How high above the board's top (mm) a die's upper face is at a plan place."""


def closely(scene: Scene, places_mm: Floats, height_mm: Height) -> list[Found]:
    """What the net says of dice at plan places (N, 2), each looked at from its own middle."""
    if not len(places_mm):
        return []
    heights = [height_mm(place) for place in places_mm]
    middles = places_mm + dice_net.say(scene, places_mm, heights).off
    said = dice_net.say_closely(scene, middles, heights)
    beside = [height < DIE_MM for height in heights]
    return [
        Found(at + off, odds, is_beside)
        for at, off, odds, is_beside in zip(middles, said.off, said.odds, beside, strict=True)
    ]


def elsewhere(scene: Scene, spots_mm: Floats, height_mm: Height, dice_mm: Sequence[Floats]) -> list[Found]:
    """What may be dice to the net at some of the spots (N, 2), the clearest first, but for those at
    `dice_mm`; the surest first.
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
    said = dice_net.say(scene, some, heights)
    likely = said.odds[:, dice_net.NONE] < np.log(0.5)
    # From a pip at the edge of a die that mirrors a lamp one step to its middle is too short.
    some = some + said.off
    found: list[Found] = []
    for die in sorted(closely(scene, some[likely], height_mm), key=lambda die: die.odds[dice_net.NONE]):
        others = (*dice_mm, *(other.middle for other in found))
        if all(np.hypot(*(die.middle - other)) > _APART_MM for other in others):
            found.append(die)
    return found


def weighed(dice: Dice, scene: Scene, height_mm: Height) -> Dice:
    """Dice that pips and edges show, but for doubtful ones, ones and twos, and ones that lean, that look like
    none to the net: a piece has a mark in its middle too, and highlights. Doubtful ones that are dice for it
    beyond doubt are proved; whether they lean it tells where it is sure of it, and where those that do lie.

    What value a flat die has its pips tell better.
    """
    some = (*dice.doubtful, *dice.sure)
    at = np.array([(die.x_mm, die.y_mm) for die in some]).reshape(-1, 2)
    said = dict(zip(some, closely(scene, at, height_mm), strict=True))
    hardly_seen = [die for die in dice.sure if die.value is None or die.value <= _FEW_PIPS]
    none = {die for die in (*dice.doubtful, *hardly_seen) if said[die].is_die < _NO_DIE}
    leaning = [die for die, found in said.items() if found.leans > _LEANS]

    def enough(die: SeenDie) -> float:
        apart = (np.hypot(*(said[die].middle - said[other].middle)) for other in leaning if other != die)
        if any(mm < _LEANED_ON_MM for mm in apart):
            return _LEANED_ON
        return _MAY_LEAN if die in dice.may_lean else _LEANS

    lie = {die: _lies(die, found, enough(die)) for die, found in said.items()}
    told = {die for die, found in said.items() if found.is_die >= _PROVED}
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
        may_lean=left([die for die in dice.may_lean if die not in told]),
        hardly_flat=left(dice.hardly_flat),
        proved=proved,
    )


def _lies(die: SeenDie, found: Found, enough: float) -> SeenDie:
    """The die as the net sees it lie, if it is sure of that: flat, or leaning, by `enough` nats, and then
    where, since pips of its sides and highlights beside it draw its middle aside.
    """
    if found.is_die < _PROVED:
        return die
    if die.state == "cocked" and found.leans < -_LIES and found.is_told:
        return found.as_die()
    if die.state == "cocked" or found.leans > enough:
        x, y = (float(v) for v in found.middle)
        return SeenDie(None, "cocked", x, y)
    return die


def _is_of(die: SeenDie, others: Sequence[SeenDie]) -> bool:
    """Whether what seems to be a die that leans is another face of one of these, which leans."""
    return die.state == "cocked" and any(
        np.hypot(die.x_mm - other.x_mm, die.y_mm - other.y_mm) < _ONE_LEANS_MM
        for other in others
        if other.state == "cocked"
    )


def with_unseen(dice: Dice, scene: Scene, spots_mm: Floats, height_mm: Height) -> Dice:
    """The same with dice that the net alone sees; `spots_mm` are the places (N, 2) of all that may be pips,
    the clearest first.
    """
    known = [np.array([die.x_mm, die.y_mm]) for die in (*dice.sure, *dice.doubtful)]
    found = elsewhere(scene, spots_mm, height_mm, known)
    more = {die.as_die(): die.is_die for die in found if die.is_told}
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

"""Dice as they are seen: how they lie, how they lay, what was told of them. `dice` judges them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot

from uckers_table.game.board import Plan
from uckers_table.sighting import SeenDie, Sighting

SeenDice = tuple[SeenDie, ...]
Values = tuple[int, ...]
Reading = tuple[Values, float]
"""What dice were read as, and for how long (seconds)."""
UNKNOWN = "unknown"
"""The state of a thing that lies there and is none of the game's. Mostly dice that were not told apart."""
PLACE_MM = 20.0
"""A die this near to where one lay (millimetres) is in its place. That is a die's width, for one rolled over
an edge, plus the reader's error."""
JUST_THERE_MM = 8.0
"""The same for a die that was gone meanwhile (millimetres). It must lie just there, because others are thrown
near that place too."""
NUDGED_MM = 60.0
"""A die of the same face this near to where one lay (millimetres) was pushed by a sleeve or a piece, or put
back."""
TWICE_S = 3.1
"""How long two errors in a row mostly last (seconds). Nobody is told before then that a die was turned."""
TWICE_APART_S = 4.6
"""Longer than two errors last together with a sighting of something else between (seconds)."""


@dataclass(frozen=True)
class Lying:
    """Dice as they lie, seen from `since` until `until` (seconds) in `times` sightings.

    While a hand is over the board there are none, in no sighting.
    """

    dice: SeenDice = ()
    since: float = 0.0
    until: float = 0.0
    times: int = 0
    read_since: tuple[float, ...] = ()
    """Since when each die has been read as it is now (seconds), whatever the others were read as."""
    other: Lying | None = None
    """What the last sighting alone shows, if it differs. One sighting is soon misread."""
    is_settled: bool = False
    """Nothing more is to be said of them."""
    is_noted: bool = False
    """One looks turned by hand. That is said if it lasts."""

    @property
    def values(self) -> Values:
        """The values that can be read, highest first."""
        return face_values(self.dice)

    @property
    def reading(self) -> Reading:
        """What they are read as, and for how long so far."""
        return self.values, self.until - self.since

    def again(self, t: float, dice: SeenDice) -> Lying | None:
        """The same dice after one more sighting. None if that shows that they lie otherwise."""
        if self.times and lie_alike(dice, self.dice):
            return replace(self, until=t, times=self.times + 1, other=None)
        if self.times > 1 and self.other is None:
            return replace(self, other=Lying(dice, t, t, 1))
        return None

    def waited(self, t: float, times: int) -> Lying:
        """The same dice, or none under a hand, after so many more of the same sighting until `t`."""
        if self.times:
            return replace(self, until=t, times=self.times + times)
        return replace(self, since=t, until=t)

    def otherwise(self, t: float, dice: SeenDice) -> Lying:
        """The dice of a sighting that shows that these do not lie so any more."""
        first = self.other if self.other and lie_alike(dice, self.other.dice) else Lying(since=t)
        pairs = paired(dice, self.dice, PLACE_MM / 2)
        before = {die: self.read_as_now_since(old) for die, old in pairs if die.value == old.value}
        read_since = tuple(before.get(die, first.since) for die in dice)
        return Lying(dice, first.since, t, first.times + 1, read_since)

    def read_as_now_since(self, die: SeenDie) -> float:
        """Since when one of the dice has been read as it is now (seconds)."""
        return dict(zip(self.dice, self.read_since, strict=False)).get(die, self.since)


@dataclass(frozen=True)
class Glimpsed:
    """The dice seen last, even under a hand."""

    dice: SeenDice = ()
    alike_from: float | None = None
    """Since when they have been read alike in every sighting (seconds), counted from when they were told or
    read again. None while none are in sight."""
    readings: frozenset[Values] = frozenset()
    """All that they were read as, even once, since they came to lie there."""

    def then(self, t: float, dice: SeenDice, *, is_watched: bool) -> Glimpsed:
        """What is seen last after one more sighting. `is_watched`: the one before was not long ago."""
        is_there, values = lie_there(dice, self.dice), face_values(dice)
        is_alike = is_watched and is_there and values == face_values(self.dice)
        alike_from = self.alike_from if is_alike and self.alike_from is not None else t
        return Glimpsed(dice, alike_from, (self.readings if is_there else frozenset()) | {values})


@dataclass(frozen=True)
class KnownDice:
    """Dice as they lay when they were last dealt with, and what there has been since."""

    dice: SeenDice = ()
    turned_since: float | None = None
    """Since when a die has been read as any face but its known one (seconds). None while all show it."""
    are_untouched: bool = True
    """No hand has been over the board. Then nobody can have turned one.

    While nothing can be seen of a bumped board, dice are thrown on it rather than turned."""
    was_unwatched: bool = False
    """For a while there was no sighting."""
    were_gone: bool = False
    """At some time none of them was in sight: under a hand, or in it."""
    were_out_of_sight: bool = False
    """At some time none was in sight though no hand was there."""
    were_lifted: bool = False
    """They were seen not to lie there any more."""
    were_played: bool = False
    """A play of them as told was made while they were read as something else."""

    def look(self, dice: SeenDice, *, hand: bool, is_watched: bool) -> KnownDice:
        """The same after one more sighting. `is_watched`: the one before was not long ago."""
        return replace(
            self,
            turned_since=None if hand else self.turned_since,
            are_untouched=self.are_untouched and not hand,
            was_unwatched=self.was_unwatched or not is_watched,
            were_gone=self.were_gone or not dice,
            were_out_of_sight=self.were_out_of_sight or not (dice or hand),
            were_played=self.were_played and not hand,
        )

    def read_as(self, now: Lying) -> KnownDice:
        """The same when dice come to be read otherwise. A die that cannot be read tells nothing new."""
        if self.turned(now.dice):
            return self if self.turned_since is not None else replace(self, turned_since=now.since)
        is_unread = any(die.value is None for die, _ in paired(now.dice, self.dice, PLACE_MM))
        return self if is_unread else replace(self, turned_since=None)

    def turned(self, dice: SeenDice, within_mm: float = PLACE_MM) -> list[SeenDie]:
        """The dice that show another face in the place of one of these."""
        return [die for die, old in paired(dice, self.dice, within_mm) if not same_face(die, old)]


@dataclass(frozen=True)
class ToldDice:
    """What was last told of the known dice, and what else they were read as."""

    values: Values = ()
    """The values of the throw that they were, if those are all its dice."""
    is_fault: bool = False
    """They were a fault."""
    readings: tuple[Reading, ...] = ()
    """How they were read while untouched, each time. The present reading is left out. A reading from before
    they were told has 0 s."""
    read_first: frozenset[Values] = frozenset()
    """What they were read as before they were told, even once. If they are read so again, they were misread
    when they were told."""
    read_since_hand: frozenset[Values] = frozenset()
    """What else they were read as since a hand was there, even once. Either they were turned, or they were
    misread until then."""
    longest_s: float = 0.0
    """The longest time on end in which they were read as told (seconds), with or without a hand."""

    def glimpse(self, dice: SeenDice, alike_s: float, known: KnownDice) -> ToldDice:
        """The same after one more sighting of them in their places, read alike for so long (seconds)."""
        if not self.values:
            return self
        if face_values(dice) == self.values:
            return replace(self, longest_s=max(self.longest_s, alike_s))
        # A die that cannot be read has the value of the one known to lie there.
        lay = {die: old for die, old in paired(dice, known.dice, PLACE_MM / 2) if die.value is None}
        values = face_values([lay.get(die, die) for die in dice])
        if not known.are_untouched:
            return replace(self, read_since_hand=self.read_since_hand | {values})
        if (values, 0.0) in self.readings:
            return self
        return replace(self, readings=(*self.readings, (values, 0.0)))

    def read_s(self, *now: Reading) -> dict[Values, float]:
        """For how long they have been read as what (seconds), in the present reading too if it is given."""
        read_s: dict[Values, float] = {}
        for values, seconds in (*self.readings, *now):
            if len(values) == len(self.values):
                read_s[values] = read_s.get(values, 0.0) + seconds
        return read_s

    @property
    def is_sure(self) -> bool:
        """Whether they were read as told for longer than two errors last: on end, or in all until now."""
        return self.longest_s > TWICE_S or self.read_s().get(self.values, 0.0) > TWICE_APART_S


def things_on(sighting: Sighting) -> Iterator[SeenDie]:
    """Things on the board that are none of the game's, each where its cell is."""
    for stray in sighting.stray:
        if stray.colour is None and stray.cell is not None:
            x_mm, y_mm = (Plan.border_mm + (along + 0.5) * Plan.cell_mm for along in stray.cell)
            yield SeenDie(None, UNKNOWN, x_mm, y_mm)


def dice_among(lying: Sequence[SeenDie]) -> SeenDice:
    """The dice among what lies there."""
    return tuple(die for die in lying if die.state != UNKNOWN)


def face_values(dice: Sequence[SeenDie]) -> Values:
    """The values that can be read, highest first."""
    return tuple(sorted((die.value for die in dice if die.value is not None), reverse=True))


def paired(
    dice: Sequence[SeenDie], others: Sequence[SeenDie], within_mm: float
) -> list[tuple[SeenDie, SeenDie]]:
    """Each die with the nearest of the others, at most `within_mm` away. Each is used once."""
    near = sorted(
        (distance, number, other)
        for number, die in enumerate(dice)
        for other, old in enumerate(others)
        if (distance := hypot(die.x_mm - old.x_mm, die.y_mm - old.y_mm)) <= within_mm
    )
    pairs: dict[int, int] = {}
    for _, number, other in near:
        if number not in pairs and other not in pairs.values():
            pairs[number] = other
    return [(dice[number], others[other]) for number, other in pairs.items()]


def same_face(die: SeenDie, old: SeenDie) -> bool:
    """Whether two readings may be of the same face."""
    return die.value is None or old.value is None or die.value == old.value


def are_put_back(dice: SeenDice, known: SeenDice, near_mm: float) -> bool:
    """Whether each of the dice lies, with the same face, near where one lay."""
    pairs = paired(dice, known, near_mm)
    return len(pairs) == len(dice) and all(die.value == old.value for die, old in pairs)


def lie_there(dice: SeenDice, others: SeenDice) -> bool:
    """Whether dice lie just where the others do, whatever they show."""
    return len(dice) == len(others) == len(paired(dice, others, PLACE_MM / 2))


def lie_alike(dice: SeenDice, before: SeenDice) -> bool:
    """Whether two sightings show the same dice, lying as they did."""
    pairs = paired(dice, before, PLACE_MM / 2)
    return lie_there(dice, before) and all((a.value, a.state) == (b.value, b.state) for a, b in pairs)

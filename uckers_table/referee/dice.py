"""The dice on the board, sighting after sighting: when they are a throw, a fault, or neither. Pure.

They are compared with how they lay when they were last dealt with, by place and face:

    lying now                                               is
    as before; one lifted; nudged or put back               nothing
    in the same places, one with another face               turned, if a hand was there: said, and no throw;
                                                            else misread, now or before: the longer counts
    elsewhere, as many as are thrown, all flat              a throw
    elsewhere, one of them leaning                          cocked
    elsewhere, one of them beside the board                 what the rule set says: good, or dropped
    elsewhere, too few                                      dropped
    elsewhere, too many, or one that cannot be read         said, and no throw

What a throw means, and whether it comes too early, is for the referee to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import NamedTuple

from uckers_table.game.board import Plan
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.ruling import Kind
from uckers_table.referee.rulings import CHECK_DICE, Notice, NoticeKind
from uckers_table.sighting import SeenDie, Sighting

SeenDice = tuple[SeenDie, ...]
Values = tuple[int, ...]


@dataclass(frozen=True)
class Reread:
    """What the dice of the last throw show, which were read otherwise at first."""

    values: Values


DiceOutcome = Values | Kind | Notice | Reread | None
"""The values of a good throw, COCKED or DROPPED, something to be said, another reading, or nothing."""

UNKNOWN = "unknown"
"""The state of a thing that lies there and is none of the game's: dice that are not told apart, mostly."""
_UNREAD = Notice(NoticeKind.DICE_UNREAD)
TURNED = Notice(NoticeKind.DICE_TURNED)
CELL_MM, BORDER_MM = Plan.cell_mm, Plan.border_mm
STILL_S = 0.25
"""Dice that lie the same for so long, in two sightings at least, have come to rest."""
FAULT_S = 0.9
"""A die that leans may still fall, and nobody likes to throw again for nothing."""
COUNTED_S = 1.5
"""So long after those that lie still another die may still be rolling."""
LASTING_S = 2.5
"""What lasts so long is no error of the reader's: a face that is another after a hand was there, or none."""
SURE_S = 2.0
"""Readers err for so long at most: of two readings the one that lasts longer is right."""
TWICE_S = 3.1
"""So long two of them mostly last, one after the other: nobody is told that a die was turned before that."""
TWICE_APART_S = 4.6
"""Longer than two of them last together, and a sighting of something else between."""
FRESH_S = 1.0
"""What falls due by time alone needs a sighting no older than this."""
UNWATCHED_S = 1.0
"""In so long without a sighting dice may have been thrown."""
PLACE_MM = 20.0
"""A die so near to where one lay is in its place: its width, for one that was rolled over an edge, and the
reader's error."""
JUST_THERE_MM = 8.0
"""One that was gone meanwhile is in its place only if it is just there: others are thrown near it too."""
NUDGED_MM = 60.0
"""A die of the same face so near to where one lay was pushed by a sleeve or a piece, or put back."""


class Wanted(NamedTuple):
    """What the match makes of dice: how many a throw may have, whether those beside the board count, and
    whether a throw is due.
    """

    numbers: frozenset[int]
    beside_board_counts: bool
    is_due: bool

    @classmethod
    def by(cls, match: Match) -> Wanted:
        """What a match wants."""
        is_due = match.awaiting in (Awaiting.THROW, Awaiting.THROW_OFF) or match.wrong_board is not None
        may_decline = match.awaiting is Awaiting.PLAY and not match.plays and not match.must_challenge
        return cls(match.dice_wanted, match.rules.dice_off_edge == "table", is_due or may_decline)


class _Finding(NamedTuple):
    """What dice are, once they have lain as they do for so long."""

    after_s: float
    outcome: DiceOutcome


@dataclass(frozen=True)
class DiceWatch:
    """The dice as they lay when they were last dealt with, and as they have been seen since then.

    `known` is None until the board was first seen. `now` has been seen from `since` until `until`, in so
    many sightings. `last_look` is the last sighting of any kind.
    """

    known: SeenDice | None = None
    now: SeenDice = ()
    since: float = 0.0
    until: float = 0.0
    sightings: int = 0
    is_settled: bool = True
    """Nothing more is to be said of the dice as they lie."""
    read_since: tuple[float, ...] = ()
    """Since when each of the dice has been read as it is now, whatever the others were read as."""
    turned_since: float | None = None
    """Since when one of them has been read as any face but the one known of it."""
    read_long: frozenset[Values] = frozenset()
    """What they have been read as since a hand was there, or something was told of them, for longer than an
    error of the reader's lasts, before they were read otherwise."""
    other: SeenDice | None = None
    """What the last sighting alone shows, where it differs: one is soon misread."""
    last_look: float = 0.0
    was_reached_over: bool = False
    """A hand has been over the board since they were dealt with or seen to lie as known."""
    was_unwatched: bool = False
    """So has nothing been seen for a while."""
    were_lifted: bool = False
    """Since then none of them lay there any more."""
    is_fault: bool = False
    """The dice that are known were a fault, and so it was told."""
    maybe_thrown: tuple[Values, ...] = ()
    """What dice were read as, at first and since, that came to lie near where they had lain while a throw was
    due, or that were taken up: put back or turned, it was thought, but they may have been thrown; fewer than
    a throw takes, with the other one dropped."""
    told: Values = ()
    """The values of the throw that the dice known were, where those are all."""
    readings: tuple[tuple[Values, float], ...] = ()
    """How they were read while untouched, each time for so long; the last time is left out. What they were
    read as before they were told, has 0 s."""

    read_first: frozenset[Values] = frozenset()
    """What they were read as, so much as once, before they were told: if again, they were misread then."""
    read_since_hand: frozenset[Values] = frozenset()
    """What else they were read as, so much as once, since a hand was there: turned, or misread until then."""
    told_s: float = 0.0
    """For how long on end they were read as told at most, hand or no hand."""
    lay: SeenDice = ()
    """The dice that were seen last …"""
    alike_from: float | None = None
    """… since when, told or read again, they have been read so in every sighting …"""
    glimpsed: frozenset[Values] = frozenset()
    """… and all that they were read as, if only once, since they came to lie there."""
    is_noted: bool = False
    """As they lie now, one looks turned by hand."""
    were_played: bool = False
    """A play of them as they were told has been made while they are read as something else."""
    were_gone: bool = False
    """None of those known was in sight at a time: under a hand, or in it."""
    were_out_of_sight: bool = False
    """… though no hand was there."""
    was_missed: bool = False
    """Dice came to lie there, and went before anything was told of them: they may have been thrown."""

    def look(self, t: float, sighting: Sighting) -> DiceWatch:
        """What is known after one more sighting, of a board that can be seen or that a hand is over."""
        dice = (*sighting.dice, *_things(sighting))
        if self.known is None:
            # What lies there when the table is set up has not been thrown.
            known = None if sighting.hand else dice
            return DiceWatch(known, dice, since=t, until=t, sightings=1, last_look=t)
        was_unwatched = self.was_unwatched or t - self.last_look >= UNWATCHED_S
        looked = replace(
            self._glimpse(t, dice),
            last_look=t,
            was_unwatched=was_unwatched,
            were_out_of_sight=self.were_out_of_sight or not (dice or sighting.hand),
        )
        if self.sightings and not sighting.hand:
            if _lie_alike(dice, self.now):
                return replace(looked, until=t, sightings=self.sightings + 1, other=None)
            if self.sightings > 1 and self.other is None:
                return replace(looked, other=dice)
        if self.told and self.sightings > 1 and self._are_untouched:
            last = (_values(self.now), self.until - self.since)
            looked = replace(looked, readings=(*self.readings, last))
        if sighting.hand:
            return replace(
                looked,
                now=(),
                read_since=(),
                turned_since=None,
                read_long=frozenset(),
                sightings=0,
                other=None,
                is_settled=True,
                is_noted=False,
                were_played=False,
                was_reached_over=True,
            )
        if self.sightings > 1 and self.until - self.since >= SURE_S:
            looked = replace(looked, read_long=self.read_long | {_values(self.now)})
        is_second = self.other is not None and _lie_alike(dice, self.other)
        since, sightings = (self.last_look, 2) if is_second else (t, 1)
        return replace(
            looked,
            now=dice,
            read_since=self._read_since(dice, since),
            turned_since=self._turned_since(dice, since),
            since=since,
            until=t,
            sightings=sightings,
            other=None,
            is_settled=False,
            is_noted=False,
        )

    def _glimpse(self, t: float, dice: SeenDice) -> DiceWatch:
        """What one sighting tells by itself, though a hand be there."""
        if not dice:
            was_missed = self.was_missed or self._may_be_missed
            return replace(self, alike_from=None, were_gone=True, was_missed=was_missed)
        is_there = _lie_there(dice, self.lay)
        glimpsed = (self.glimpsed if is_there else frozenset()) | {_values(dice)}
        is_watched = t - self.last_look < UNWATCHED_S
        is_alike = is_watched and is_there and _values(dice) == _values(self.lay)
        alike_from = self.alike_from if is_alike and self.alike_from is not None else t
        told_s, readings, read_since_hand = self.told_s, self.readings, self.read_since_hand
        maybe_thrown = self.maybe_thrown
        if maybe_thrown and self._are_untouched and _lie_there(dice, self.known or ()):
            maybe_thrown = _with(maybe_thrown, _values(dice))
        if self.told and _lie_there(dice, self.known or ()):
            if _values(dice) == self.told:
                told_s = max(told_s, t - alike_from)
            elif not self._are_untouched:
                read_since_hand |= {self._values_with_known(dice)}
            elif (read := (self._values_with_known(dice), 0.0)) not in readings:
                readings = (*readings, read)
        return replace(
            self,
            lay=dice,
            glimpsed=glimpsed,
            alike_from=alike_from,
            told_s=told_s,
            readings=readings,
            read_since_hand=read_since_hand,
            maybe_thrown=maybe_thrown,
        )

    @property
    def _may_be_missed(self) -> bool:
        """Whether the dice that were seen last may have been thrown since others were known to lie there:
        they lay elsewhere, or there, once those were gone, with other faces.
        """
        known = self.known or ()
        if not self.lay or not _lie_there(self.lay, known):
            return bool(self.lay)
        is_back = self.were_gone and self.alike_from is not None
        return is_back and not all(_same_face(*pair) for pair in _paired(self.lay, known, PLACE_MM))

    def _values_with_known(self, dice: SeenDice) -> Values:
        """The values of dice; one that cannot be read has that of the one known to lie there."""
        known = dict(_paired(dice, self.known or (), PLACE_MM / 2))
        return _values([known.get(die, die) if die.value is None else die for die in dice])

    def _read_since(self, dice: SeenDice, since: float) -> tuple[float, ...]:
        """Since when each of the dice has been read so, if all of them have since a time."""
        before = {die: old for die, old in _paired(dice, self.now, PLACE_MM / 2) if die.value == old.value}
        return tuple(self._so_since(before[die]) if die in before else since for die in dice)

    def _turned_since(self, dice: SeenDice, since: float) -> float | None:
        """Since when a die has been read as any but the face known of it, if dice are read so since a time;
        None where all show theirs. One that cannot be read tells nothing new.
        """
        pairs = _paired(dice, self.known or (), PLACE_MM)
        if all(_same_face(die, old) for die, old in pairs):
            return self.turned_since if any(die.value is None for die, _ in pairs) else None
        return since if self.turned_since is None else self.turned_since

    def _so_since(self, die: SeenDie) -> float:
        """Since when one of the dice has been read as it is now."""
        read = dict(zip(self.now, self.read_since, strict=False))
        return read.get(die, self.since)

    def due(self, wanted: Wanted) -> float | None:
        """When something is to be said of the dice, if nothing else is seen before; None for never."""
        if self.is_settled or self.sightings < 2 or self.other is not None:
            return None
        after_s, outcome = self._found(wanted)
        due = self.since + after_s
        # Of two readings, time that nobody looked tells for neither.
        latest = self.until if isinstance(outcome, Reread) else self.until + FRESH_S
        return due if due <= latest else None

    def dealt_with(self, t: float, wanted: Wanted) -> tuple[DiceWatch, DiceOutcome]:
        """The watch after what is due has been said, and what that is."""
        due = self.due(wanted)
        if due is None or t < due:
            return self, None
        outcome = self._found(wanted).outcome
        lying = len(_dice(self.now))
        if outcome is None and lying < len(_dice(self.known or ())):
            # Dice that were lifted may be put back.
            return replace(
                self,
                is_settled=True,
                were_lifted=self.were_lifted or not lying,
                maybe_thrown=self._maybe_thrown(wanted),
            ), None
        if outcome is _UNREAD:
            # They may be read in the end.
            return replace(self, is_settled=True), outcome
        if outcome in (TURNED, CHECK_DICE) and not self.is_noted:
            # That is said when it cannot be two errors either; that they may have been thrown is known now.
            return replace(self, is_noted=True, maybe_thrown=self._maybe_thrown(wanted)), None
        if isinstance(outcome, Reread):
            read_s = self._read_s()[outcome.values]
            return replace(
                self.accounted(),
                told=outcome.values,
                alike_from=self.alike_from,
                told_s=read_s,
                readings=self.readings,
            ), outcome
        if isinstance(outcome, tuple):
            glimpsed = tuple((values, 0.0) for values in sorted(self.glimpsed))
            told = outcome if len(outcome) == len(self.now) else ()
            return replace(self.accounted(), told=told, readings=glimpsed, read_first=self.glimpsed), outcome
        if isinstance(outcome, Notice):
            # It is of the throw still how it was read before that.
            return replace(self._settled(), is_fault=False, maybe_thrown=self._maybe_thrown(wanted)), outcome
        if outcome is None and any(die.value is None for die in self.now):
            # Once they can be read they may turn out to have been thrown, or turned.
            return replace(self, is_settled=True, maybe_thrown=self._maybe_thrown(wanted)), outcome
        if outcome is None:
            settled = replace(self._settled(), known=self._as_known(), read_long=self.read_long)
            return replace(settled, maybe_thrown=self._maybe_thrown(wanted)), outcome
        return replace(self.accounted(), is_fault=True), outcome

    def accounted(self) -> DiceWatch:
        """The watch when somebody else has told of the dice, as they lie now or will be seen next."""
        if not self.sightings:
            return DiceWatch(lay=self.lay, glimpsed=self.glimpsed)
        return replace(
            self._settled(),
            is_fault=False,
            maybe_thrown=(),
            told=(),
            alike_from=None,
            told_s=0.0,
            readings=(),
            read_first=frozenset(),
            read_since_hand=frozenset(),
        )

    def _settled(self) -> DiceWatch:
        """The watch when nothing more is to be said of the dice as they lie."""
        return replace(
            self,
            known=self.now,
            turned_since=None,
            read_long=frozenset(),
            is_settled=True,
            was_reached_over=False,
            was_unwatched=False,
            were_lifted=False,
            were_gone=False,
            were_out_of_sight=False,
            is_noted=False,
            were_played=False,
        )

    def played(self) -> DiceWatch:
        """The watch when a play of the dice as they were told has been made."""
        return replace(self, was_missed=False, were_played=bool(self.now) and _values(self.now) != self.told)

    @property
    def _were_taken_up(self) -> bool:
        """Whether dice were gone that lie near where they lay: none was in sight, though no hand was there,
        or none under a hand, and none is just as it lay.
        """
        just_there = _paired(self.now, self.known or (), JUST_THERE_MM)
        is_any_just_there = any(_same_face(die, old) for die, old in just_there)
        return self.were_out_of_sight or (self.were_gone and not is_any_just_there)

    def _as_known(self) -> SeenDice | None:
        """The dice as they are known to lie, when nothing is to be said of how they lie now.

        Of untouched dice that are read otherwise, what they were told as is known, and else nothing.
        """
        turned = [
            die for die, old in _paired(self.now, self.known or (), PLACE_MM) if not _same_face(die, old)
        ]
        if not turned or not self._are_untouched:
            return self.now
        if self.told:
            return self.known
        return tuple(replace(die, value=None) if die in turned else die for die in self.now)

    @property
    def _are_untouched(self) -> bool:
        """Whether nobody has turned a die since they were known to lie as they do, as far as was seen.

        While nothing can be seen of a bumped board, dice are thrown on it rather than turned.
        """
        return not self.was_reached_over

    @property
    def lies_faulty(self) -> bool:
        """Whether dice lie there untouched of which a fault was told."""
        return self.is_fault and self.known is not None and _are_put_back(self.known, self.now, NUDGED_MM)

    def _maybe_thrown(self, wanted: Wanted) -> tuple[Values, ...]:
        """What dice are read as that are taken to be put back or turned, unless they lie as all the time.

        Fewer than a throw takes may be what is left of one whose other die was dropped. Where none is due,
        the play may have been made, and not be recognised yet, when dice were taken up.
        """
        values = _values(self.now)
        is_throw = 0 < len(values) <= max(wanted.numbers) and len(values) == len(self.now)
        if not (wanted.is_due or self.were_out_of_sight) or not is_throw:
            return self.maybe_thrown
        if not (self.were_lifted or self.were_gone) and _are_put_back(
            self.now, self.known or (), JUST_THERE_MM
        ):
            return self.maybe_thrown
        is_there = bool(self.maybe_thrown) and _lie_there(self.now, self.known or ())
        return _with(self.maybe_thrown, values) if is_there else (values,)

    def lie_there(self, sighting: Sighting) -> bool:
        """Whether a sighting shows dice just where they lay when they were seen last."""
        return bool(self.lay) and _lie_there(sighting.dice, self.lay)

    def are_read_alike(self, sighting: Sighting) -> bool:
        """Whether a sighting shows the same faces as the last one did."""
        return _values(sighting.dice) == _values(self.lay)

    def lay_elsewhere(self, sighting: Sighting) -> bool:
        """Whether a sighting was made before any of the dice came to lie where they do."""
        return not _paired(self.now, sighting.dice, PLACE_MM)

    def _found(self, wanted: Wanted) -> _Finding:
        known = self.known or ()
        # Nobody turns a die that is not there; and one that was lifted is no more pushed than turned.
        place_mm = JUST_THERE_MM if self.were_lifted or self.were_out_of_sight else PLACE_MM
        near_mm = JUST_THERE_MM if self.were_lifted else NUDGED_MM
        pairs = _paired(self.now, known, place_mm)
        turned = [die for die, old in pairs if not _same_face(die, old)]
        unmoved = [die for die, _ in pairs if die not in turned]
        dice, still = _dice(self.now), _dice(unmoved)
        is_as_before = len(unmoved) == len(self.now) or 0 < len(still) == len(dice)
        if is_as_before or (dice and _are_put_back(dice, known, near_mm)):
            return _Finding(STILL_S, None)
        thrown = _dice(self._thrown(unmoved, wanted))
        if len(pairs) == len(self.now) and not self._may_have_been_thrown(unmoved, wanted):
            others = () if self._is_sure else self.other_readings
            if self._are_untouched or _values(self.now) in (self.told, *others):
                return self._reread()
            # What the others are read as meanwhile does not matter.
            so_far_s = self.since - min(self._so_since(die) for die in turned)
            after_s = (TWICE_S if self.is_noted else LASTING_S) - so_far_s
            if self.turned_since is not None:
                # Nor what it was read as itself.
                after_s = min(after_s, self.turned_since + TWICE_APART_S - self.since)
            if _values(self.now) in self.read_long:
                # No error lasts so long, let alone twice.
                after_s = min(after_s, SURE_S)
            return _Finding(max(STILL_S, after_s), self._turned(wanted))
        number = len(thrown)
        if number > max(wanted.numbers):
            return _Finding(COUNTED_S, wrong_number(number, wanted.numbers) if wanted.is_due else None)
        if number < min(wanted.numbers):
            return self._missing(unmoved, wanted)
        found = _as_they_lie(thrown, wanted)
        return found if number == max(wanted.numbers) else found._replace(after_s=COUNTED_S)

    def _turned(self, wanted: Wanted) -> Notice | None:
        """What is to be said of dice that show other faces where they lie, since a hand was there."""
        if wanted.is_due and self._were_taken_up:
            return None
        if _values(self.now) in self.maybe_thrown and not self.is_noted:
            # Before the hand came they were read so too.
            return None
        if self.were_out_of_sight:
            # They may have been thrown too early, and lie just there by chance.
            return CHECK_DICE
        if self.were_played:
            # Whoever turns one plays what it shows then: it is misread, most likely.
            return CHECK_DICE
        if not (self.doubted or self.was_unwatched):
            # As they were read at first, they have lain all the time, most likely.
            at_first = next((values for values, seconds in self.readings if seconds > 0.0), None)
            return CHECK_DICE if _values(self.now) == at_first else TURNED
        # Dice that were read in two ways before anybody was there may be so again.
        return None if _values(self.now) in self.doubted else CHECK_DICE

    @property
    def doubted(self) -> tuple[Values, ...]:
        """What else the dice of the last throw may be: all that they were read as, if they were read so much
        as once, unless they were read as told for longer than two errors last.
        """
        return () if self._is_sure else tuple(values for values, _ in self._others())

    @property
    def doubted_since_hand(self) -> tuple[Values, ...]:
        """What else they may be if they were misread until a hand came, rather than turned by it: where they
        were read as told for long, what they had been read as before.
        """
        before = {values for values, _ in self._others()}
        return tuple(sorted(self.read_since_hand & before if self._is_sure else self.read_since_hand))

    @property
    def refuted(self) -> tuple[Values, ...]:
        """What they were read as, and cannot be."""
        return tuple(values for values, _ in self._others()) if self._is_sure else ()

    @property
    def _is_sure(self) -> bool:
        """Whether they were read as told for longer than two errors last, in a row or, until now, apart."""
        return self.told_s > TWICE_S or self._read_s(with_now=False).get(self.told, 0.0) > TWICE_APART_S

    def asked_about(self) -> DiceWatch:
        """The same when people have been asked what the dice show: as told they are not sure any more."""
        others = tuple(each for each in self.readings if each[0] != self.told)
        return replace(self, told_s=0.0, readings=others)

    @property
    def likely(self) -> tuple[Values, ...]:
        """Those of them that may be taken for the throw: none once they were read as told for longer than an
        error lasts.
        """
        return () if self.told_s >= SURE_S else self.doubted

    @property
    def other_readings(self) -> tuple[Values, ...]:
        """How else than told the dice of the last throw were read, more than once, longest first."""
        return tuple(values for values, seconds in self._others() if seconds > 0.0)

    def _others(self) -> list[tuple[Values, float]]:
        """What else they were read as, and for how long, longest first."""
        others = [each for each in self._read_s().items() if each[0] != self.told]
        return sorted(others, key=lambda each: -each[1])

    def _reread(self) -> _Finding:
        """Another face, as the dice were read before anybody was there too: what was read for longer counts.

        Where each was read for longer than two errors last, a hand has been missed, or has turned a die; one
        that was seen need not have been so sure of before.
        """
        values = _values(self.now)
        read_s = self._read_s(with_now=False)
        told_long = read_s.get(self.told, 0.0) >= SURE_S
        is_sure = self._is_sure or (told_long and not self._are_untouched)
        if is_sure and values not in (self.told, ()):
            # Read so for long, or ever since a hand was there, it is no two errors one after the other.
            is_again = values in self.read_long or values in self.read_since_hand
            return _Finding(SURE_S if is_again else TWICE_S, CHECK_DICE)
        is_other = self.told != values and len(values) == len(self.told) and not told_long
        is_again = values in self.read_first and self._are_untouched
        after_s = STILL_S if is_again else max(STILL_S, SURE_S - read_s.get(values, 0.0))
        return _Finding(after_s, Reread(values) if is_other else None)

    def _read_s(self, *, with_now: bool = True) -> dict[Values, float]:
        """For how long the dice of the last throw have been read as what."""
        read_s: dict[Values, float] = {}
        counts = with_now and self.sightings and self._are_untouched
        now = ((_values(self.now), self.until - self.since),) if counts else ()
        for values, seconds in (*self.readings, *now):
            if len(values) == len(self.told):
                read_s[values] = read_s.get(values, 0.0) + seconds
        return read_s

    def _thrown(self, unmoved: Sequence[SeenDie], wanted: Wanted) -> list[SeenDie]:
        """The dice that were thrown, out of all that lie there: spare ones are left out."""
        elsewhere = [die for die in self.now if die not in unmoved]
        if len(_dice(elsewhere)) in wanted.numbers:
            return elsewhere
        return [die for die in self.now if die in elsewhere or die.state != "off_board"]

    def _missing(self, unmoved: Sequence[SeenDie], wanted: Wanted) -> _Finding:
        """What it is that too few dice lie there: one may be the thing that is none of the game's."""
        elsewhere = [die for die in self.now if die not in unmoved]
        if all(die.state != UNKNOWN for die in elsewhere):
            return _Finding(COUNTED_S, Kind.DROPPED)
        is_thrown = wanted.is_due and not _dice(unmoved)
        return _Finding(LASTING_S, _UNREAD if is_thrown else None)

    def _may_have_been_thrown(self, unmoved: Sequence[SeenDie], wanted: Wanted) -> bool:
        """Whether dice that lie in the places of others may be a throw: those are known to have been lifted,
        or nobody looked and both show other faces.
        """
        unseen = self.was_unwatched and not self.was_reached_over and not unmoved
        return wanted.is_due and (self.were_lifted or unseen)


def _things(sighting: Sighting) -> Iterator[SeenDie]:
    """What is none of the game's on the board, each where its cell is."""
    for stray in sighting.stray:
        if stray.colour is None and stray.cell is not None:
            x_mm, y_mm = (BORDER_MM + (along + 0.5) * CELL_MM for along in stray.cell)
            yield SeenDie(None, UNKNOWN, x_mm, y_mm)


def _dice(lying: Sequence[SeenDie]) -> SeenDice:
    """The dice among what lies there."""
    return tuple(die for die in lying if die.state != UNKNOWN)


def wrong_number(number: int, wanted: frozenset[int]) -> Notice:
    """The notice that a throw has another number of dice than it takes."""
    return Notice(NoticeKind.WRONG_DICE, numbers=(number, max(wanted)))


def _as_they_lie(thrown: Sequence[SeenDie], wanted: Wanted) -> _Finding:
    """What as many dice as are thrown are, by the state and face of each."""
    beside = [die for die in thrown if die.state == "off_board"]
    if beside and not wanted.beside_board_counts:
        return _Finding(FAULT_S, Kind.DROPPED)
    # A die beside the board that lies flat has its value.
    if any(die.state == "cocked" for die in thrown) or any(die.value is None for die in beside):
        return _Finding(FAULT_S, Kind.COCKED)
    values = _values(thrown)
    if len(values) < len(thrown):
        return _Finding(LASTING_S, _UNREAD if wanted.is_due else None)
    return _Finding(STILL_S, values)


def _with(readings: tuple[Values, ...], values: Values) -> tuple[Values, ...]:
    """Readings of as many dice, with another one, if it is."""
    is_other = bool(readings) and values not in readings and len(values) == len(readings[0])
    return (*readings, values) if is_other else readings


def _values(dice: Sequence[SeenDie]) -> Values:
    """The values that can be read, highest first."""
    return tuple(sorted((die.value for die in dice if die.value is not None), reverse=True))


def _paired(
    dice: Sequence[SeenDie], others: Sequence[SeenDie], within_mm: float
) -> list[tuple[SeenDie, SeenDie]]:
    """Each die with the one of the others that lies nearest to it, each used once, none farther than that."""
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


def _same_face(die: SeenDie, old: SeenDie) -> bool:
    """Whether nothing tells that two readings are of different faces."""
    return die.value is None or old.value is None or die.value == old.value


def _are_put_back(dice: SeenDice, known: SeenDice, near_mm: float) -> bool:
    """Whether all dice lie with the same face near where one lay."""
    pairs = _paired(dice, known, near_mm)
    return len(pairs) == len(dice) and all(die.value == old.value for die, old in pairs)


def _lie_there(dice: SeenDice, others: SeenDice) -> bool:
    """Whether dice lie just where the others do, whatever they show."""
    return len(dice) == len(others) == len(_paired(dice, others, PLACE_MM / 2))


def _lie_alike(dice: SeenDice, before: SeenDice) -> bool:
    """Whether two sightings show the same dice, lying as they did."""
    pairs = _paired(dice, before, PLACE_MM / 2)
    return len(dice) == len(before) == len(pairs) and all(
        (die.value, die.state) == (old.value, old.state) for die, old in pairs
    )

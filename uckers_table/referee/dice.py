"""The dice on the board, sighting after sighting: when they are a throw, a fault, or neither. Pure.

They are compared, by place and face, with how they lay when they were last dealt with:

    lying now                                               is
    as before; one lifted; nudged or put back               nothing
    in the same places, one with another face               turned, if a hand was there: said, and no throw;
                                                            else misread, now or before: the longer counts
    elsewhere, as many as are thrown, all flat              a throw
    elsewhere, one of them leaning                          cocked
    elsewhere, one of them beside the board                 what the rule set says: good, or dropped
    elsewhere, too few                                      dropped
    elsewhere, too many, or one that cannot be read         said, and no throw

The referee decides what a throw means and whether it comes too early.
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
    """The dice of the last throw were misread at first. `values` is what they show."""

    values: Values


DiceOutcome = Values | Kind | Notice | Reread | None
"""What the dice come to: a throw's values, COCKED or DROPPED, something to say, another reading, or None."""

UNKNOWN = "unknown"
"""The state of a thing that lies there and is none of the game's. Mostly dice that were not told apart."""
_UNREAD = Notice(NoticeKind.DICE_UNREAD)
TURNED = Notice(NoticeKind.DICE_TURNED)
CELL_MM, BORDER_MM = Plan.cell_mm, Plan.border_mm
STILL_S = 0.25
"""Dice have come to rest when they lie the same for this long (seconds), in two sightings at least."""
FAULT_S = 0.9
"""A leaning or dropped die is ruled after this long (seconds). It may still fall, and nobody likes to throw
again for nothing."""
COUNTED_S = 1.5
"""How long to wait for another die that may still be rolling (seconds)."""
LASTING_S = 2.5
"""What lasts this long (seconds) is no error of the reader's. It tells a turned die and one that cannot be
read."""
SURE_S = 2.0
"""How long a reader may err on end (seconds). Of two readings the one that lasts longer is right."""
TWICE_S = 3.1
"""How long two errors in a row mostly last (seconds). Nobody is told before then that a die was turned."""
TWICE_APART_S = 4.6
"""Longer than two errors last together with a sighting of something else between (seconds)."""
FRESH_S = 1.0
"""What falls due by time alone needs a sighting no older than this (seconds)."""
UNWATCHED_S = 1.0
"""After this long without a sighting (seconds), dice may have been thrown."""
PLACE_MM = 20.0
"""A die this near to where one lay (millimetres) is in its place. That is a die's width, for one rolled over
an edge, plus the reader's error."""
JUST_THERE_MM = 8.0
"""The same for a die that was gone meanwhile (millimetres). It must lie just there, because others are thrown
near that place too."""
NUDGED_MM = 60.0
"""A die of the same face this near to where one lay (millimetres) was pushed by a sleeve or a piece, or put
back."""


class Wanted(NamedTuple):
    """What the match makes of dice.

    `numbers`: how many dice a throw may have. `beside_board_counts`: whether a die beside the board counts.
    `is_due`: whether a throw is due.
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
    """What the dice are once they have lain as they do for `after_s` seconds."""

    after_s: float
    outcome: DiceOutcome


@dataclass(frozen=True)
class DiceWatch:
    """The dice as they lay when they were last dealt with, and how they have been seen since.

    `known`: how they lay then; None until the board was first seen. `now`: how they lie, seen from `since`
    until `until` (seconds) in `sightings` sightings. `last_look`: the time of the last sighting of any kind.
    """

    known: SeenDice | None = None
    now: SeenDice = ()
    since: float = 0.0
    until: float = 0.0
    sightings: int = 0
    is_settled: bool = True
    """Nothing more is to be said of the dice as they lie."""
    read_since: tuple[float, ...] = ()
    """Since when each die has been read as it is now (seconds), whatever the others were read as."""
    turned_since: float | None = None
    """Since when a die has been read as any face but its known one (seconds). None while all show it."""
    read_long: frozenset[Values] = frozenset()
    """What they were read as for longer than an error lasts (SURE_S), before another reading. Counted since a
    hand was there or something was told of them."""
    other: SeenDice | None = None
    """What the last sighting alone shows, if it differs from `now`. One sighting is soon misread."""
    last_look: float = 0.0
    was_reached_over: bool = False
    """A hand has been over the board since the dice were dealt with or seen to lie as known."""
    was_unwatched: bool = False
    """In that time nothing was seen for UNWATCHED_S."""
    were_lifted: bool = False
    """In that time none of them lay there any more."""
    is_fault: bool = False
    """The known dice were a fault, and that was told."""
    maybe_thrown: tuple[Values, ...] = ()
    """What dice were read as that may have been thrown, though they were taken to be put back or turned. They
    came to lie near their old places while a throw was due, or had been taken up.

    Fewer values than a throw takes are a throw whose other die may have been dropped. `taking` keeps the
    histories in which these dice were thrown."""
    told: Values = ()
    """The values of the throw that the known dice were, if those are all its dice."""
    readings: tuple[tuple[Values, float], ...] = ()
    """How they were read while untouched: values, and for how long each time (seconds). The present reading
    is left out. A reading from before they were told has 0 s."""

    read_first: frozenset[Values] = frozenset()
    """What they were read as before they were told, even once. If they are read so again, they were misread
    when they were told."""
    read_since_hand: frozenset[Values] = frozenset()
    """What else they were read as since a hand was there, even once. Either they were turned, or they were
    misread until then."""
    told_s: float = 0.0
    """The longest time on end in which they were read as told (seconds), with or without a hand."""
    lay: SeenDice = ()
    """The dice seen last."""
    alike_from: float | None = None
    """Since when those have been read alike in every sighting (seconds), counted from when they were told or
    read again. None while none are in sight."""
    glimpsed: frozenset[Values] = frozenset()
    """All that those were read as, even once, since they came to lie there."""
    is_noted: bool = False
    """As they lie now, one looks turned by hand. That is said if it lasts."""
    were_played: bool = False
    """A play of the dice as told was made while they were read as something else."""
    were_gone: bool = False
    """At some time none of the known dice was in sight: under a hand, or in it."""
    were_out_of_sight: bool = False
    """At some time none was in sight though no hand was there."""
    was_missed: bool = False
    """Dice came to lie there and were gone before anything was told of them. They may have been thrown."""

    def look(self, t: float, sighting: Sighting) -> DiceWatch:
        """What is known after one more sighting, of a board that can be seen or that a hand is over."""
        dice = (*sighting.dice, *_things(sighting))
        if self.known is None:
            # What lies there when the table is set up was not thrown.
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
        """What one sighting tells by itself, even if a hand is there."""
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
        """Whether the dice seen last may have been thrown since others were known to lie there.

        They lay elsewhere. Or they lay in the same places with other faces, after the known ones had gone.
        """
        known = self.known or ()
        if not self.lay or not _lie_there(self.lay, known):
            return bool(self.lay)
        is_back = self.were_gone and self.alike_from is not None
        return is_back and not all(_same_face(*pair) for pair in _paired(self.lay, known, PLACE_MM))

    def _values_with_known(self, dice: SeenDice) -> Values:
        """The values of dice. A die that cannot be read has the value of the one known to lie there."""
        known = dict(_paired(dice, self.known or (), PLACE_MM / 2))
        return _values([known.get(die, die) if die.value is None else die for die in dice])

    def _read_since(self, dice: SeenDice, since: float) -> tuple[float, ...]:
        """Since when each die has been read as it is now (seconds). At the latest it is `since`."""
        before = {die: old for die, old in _paired(dice, self.now, PLACE_MM / 2) if die.value == old.value}
        return tuple(self._so_since(before[die]) if die in before else since for die in dice)

    def _turned_since(self, dice: SeenDice, since: float) -> float | None:
        """Since when a die has been read as any face but its known one (seconds).

        At the latest it is `since`. None where all show their known faces. A die that cannot be read tells
        nothing new.
        """
        pairs = _paired(dice, self.known or (), PLACE_MM)
        if all(_same_face(die, old) for die, old in pairs):
            return self.turned_since if any(die.value is None for die, _ in pairs) else None
        return since if self.turned_since is None else self.turned_since

    def _so_since(self, die: SeenDie) -> float:
        """Since when one of the dice has been read as it is now (seconds)."""
        read = dict(zip(self.now, self.read_since, strict=False))
        return read.get(die, self.since)

    def due(self, wanted: Wanted) -> float | None:
        """When something is to be said of the dice, if nothing is seen before (seconds). None for never."""
        if self.is_settled or self.sightings < 2 or self.other is not None:
            return None
        after_s, outcome = self._found(wanted)
        due = self.since + after_s
        # Time in which nobody looked counts for neither of two readings.
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
            # Lifted dice may be put back.
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
            # This is said later, when it cannot be two errors either. That they may have been thrown is known
            # now.
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
            # How it was read before that still counts for the throw.
            return replace(self._settled(), is_fault=False, maybe_thrown=self._maybe_thrown(wanted)), outcome
        if outcome is None and any(die.value is None for die in self.now):
            # Once they can be read they may turn out to have been thrown, or turned.
            return replace(self, is_settled=True, maybe_thrown=self._maybe_thrown(wanted)), outcome
        if outcome is None:
            settled = replace(self._settled(), known=self._as_known(), read_long=self.read_long)
            return replace(settled, maybe_thrown=self._maybe_thrown(wanted)), outcome
        return replace(self.accounted(), is_fault=True), outcome

    def accounted(self) -> DiceWatch:
        """The watch once somebody else has told of the dice, as they lie now or will be seen next."""
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
        """Whether dice that lie near where they lay had been taken up.

        Either none was in sight though no hand was there. Or none was in sight under a hand, and now none
        lies just as before.
        """
        just_there = _paired(self.now, self.known or (), JUST_THERE_MM)
        is_any_just_there = any(_same_face(die, old) for die, old in just_there)
        return self.were_out_of_sight or (self.were_gone and not is_any_just_there)

    def _as_known(self) -> SeenDice | None:
        """The dice as they are known to lie, when nothing is to be said of how they lie now.

        Untouched dice that are read otherwise keep what they were told as. If they were not told, their value
        is not known.
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
        """Whether no hand was seen since the dice were known to lie so. Then nobody can have turned one.

        While nothing can be seen of a bumped board, dice are thrown on it rather than turned.
        """
        return not self.was_reached_over

    @property
    def lies_faulty(self) -> bool:
        """Whether dice of which a fault was told still lie there untouched."""
        return self.is_fault and self.known is not None and _are_put_back(self.known, self.now, NUDGED_MM)

    def _maybe_thrown(self, wanted: Wanted) -> tuple[Values, ...]:
        """What dice are read as that count as put back or turned, but may have been thrown.

        Dice that lie as they did all the time are left out. Fewer than a throw takes may be left of a throw
        whose other die was dropped. Where no throw is due, dice that were taken up may still be one: the play
        before may not be recognised yet.
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

    def _found(self, wanted: Wanted) -> _Finding:
        known = self.known or ()
        # After dice were lifted or out of sight, a die is in its place only if it lies just there. After they
        # were lifted, that holds for one put back too.
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
            # Only the turned dice count, whatever the others were read as meanwhile.
            so_far_s = self.since - min(self._so_since(die) for die in turned)
            after_s = (TWICE_S if self.is_noted else LASTING_S) - so_far_s
            if self.turned_since is not None:
                # Any face but the known one counts, whichever it was.
                after_s = min(after_s, self.turned_since + TWICE_APART_S - self.since)
            if _values(self.now) in self.read_long:
                # A face read for longer than an error lasts is no error.
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
        """What is to be said of dice that show other faces in their places since a hand was there."""
        if wanted.is_due and self._were_taken_up:
            return None
        if _values(self.now) in self.maybe_thrown and not self.is_noted:
            # They were read so before the hand came too.
            return None
        if self.were_out_of_sight:
            # They may have been thrown too early, and lie just there by chance.
            return CHECK_DICE
        if self.were_played:
            # Whoever turns a die plays what it then shows. These were played as told, so they are most likely
            # misread.
            return CHECK_DICE
        if not (self.doubted or self.was_unwatched):
            # Dice that are read as at first have most likely lain so all the time.
            at_first = next((values for values, seconds in self.readings if seconds > 0.0), None)
            return CHECK_DICE if _values(self.now) == at_first else TURNED
        # Dice that were read in two ways before anybody was there may be so again.
        return None if _values(self.now) in self.doubted else CHECK_DICE

    @property
    def doubted(self) -> tuple[Values, ...]:
        """What else the dice of the last throw may be: all that they were read as, even once.

        Empty once they were read as told for longer than two errors last.
        """
        return () if self._is_sure else tuple(values for values, _ in self._others())

    @property
    def _is_sure(self) -> bool:
        """Whether they were read as told for longer than two errors last.

        On end, that is longer than TWICE_S. In all, until now, it is longer than TWICE_APART_S.
        """
        return self.told_s > TWICE_S or self._read_s(with_now=False).get(self.told, 0.0) > TWICE_APART_S

    def asked_about(self) -> DiceWatch:
        """The watch once people have been asked what the dice show. What was told is no longer sure."""
        others = tuple(each for each in self.readings if each[0] != self.told)
        return replace(self, told_s=0.0, readings=others)

    @property
    def likely(self) -> tuple[Values, ...]:
        """Those of `doubted` that may be taken for the throw.

        None once the dice were read as told for longer than an error lasts.
        """
        return () if self.told_s >= SURE_S else self.doubted

    @property
    def other_readings(self) -> tuple[Values, ...]:
        """How else than told the dice of the last throw were read, more than once, longest first."""
        return tuple(values for values, seconds in self._others() if seconds > 0.0)

    def _others(self) -> list[tuple[Values, float]]:
        """What else they were read as, and for how long (seconds), longest first."""
        others = [each for each in self._read_s().items() if each[0] != self.told]
        return sorted(others, key=lambda each: -each[1])

    def _reread(self) -> _Finding:
        """Another face, which was read before anybody was there too. The reading that lasted longer counts.

        If both lasted longer than two errors, a hand was missed or has turned a die: people are asked. If a
        hand was seen, the told reading need only have lasted for one error.
        """
        values = _values(self.now)
        read_s = self._read_s(with_now=False)
        told_long = read_s.get(self.told, 0.0) >= SURE_S
        is_sure = self._is_sure or (told_long and not self._are_untouched)
        if is_sure and values not in (self.told, ()):
            # A face read for long, or since a hand was there, is not two errors in a row.
            is_again = values in self.read_long or values in self.read_since_hand
            return _Finding(SURE_S if is_again else TWICE_S, CHECK_DICE)
        is_other = self.told != values and len(values) == len(self.told) and not told_long
        is_again = values in self.read_first and self._are_untouched
        after_s = STILL_S if is_again else max(STILL_S, SURE_S - read_s.get(values, 0.0))
        return _Finding(after_s, Reread(values) if is_other else None)

    def _read_s(self, *, with_now: bool = True) -> dict[Values, float]:
        """For how long the dice of the last throw have been read as what (seconds)."""
        read_s: dict[Values, float] = {}
        counts = with_now and self.sightings and self._are_untouched
        now = ((_values(self.now), self.until - self.since),) if counts else ()
        for values, seconds in (*self.readings, *now):
            if len(values) == len(self.told):
                read_s[values] = read_s.get(values, 0.0) + seconds
        return read_s

    def _thrown(self, unmoved: Sequence[SeenDie], wanted: Wanted) -> list[SeenDie]:
        """The dice that were thrown, of all that lie there. Spare ones are left out."""
        elsewhere = [die for die in self.now if die not in unmoved]
        if len(_dice(elsewhere)) in wanted.numbers:
            return elsewhere
        return [die for die in self.now if die in elsewhere or die.state != "off_board"]

    def _missing(self, unmoved: Sequence[SeenDie], wanted: Wanted) -> _Finding:
        """What too few dice are. The missing one may be the thing that is none of the game's."""
        elsewhere = [die for die in self.now if die not in unmoved]
        if all(die.state != UNKNOWN for die in elsewhere):
            return _Finding(COUNTED_S, Kind.DROPPED)
        is_thrown = wanted.is_due and not _dice(unmoved)
        return _Finding(LASTING_S, _UNREAD if is_thrown else None)

    def _may_have_been_thrown(self, unmoved: Sequence[SeenDie], wanted: Wanted) -> bool:
        """Whether dice in the places of others may be a throw.

        They may if the others were lifted, or if nobody looked and both show other faces.
        """
        unseen = self.was_unwatched and not self.was_reached_over and not unmoved
        return wanted.is_due and (self.were_lifted or unseen)


def _things(sighting: Sighting) -> Iterator[SeenDie]:
    """Things on the board that are none of the game's, each where its cell is."""
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
    """What the right number of dice is, by the state and face of each."""
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
    """The readings with another of as many dice, if it differs from all of them."""
    is_other = bool(readings) and values not in readings and len(values) == len(readings[0])
    return (*readings, values) if is_other else readings


def _values(dice: Sequence[SeenDie]) -> Values:
    """The values that can be read, highest first."""
    return tuple(sorted((die.value for die in dice if die.value is not None), reverse=True))


def _paired(
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


def _same_face(die: SeenDie, old: SeenDie) -> bool:
    """Whether two readings may be of the same face."""
    return die.value is None or old.value is None or die.value == old.value


def _are_put_back(dice: SeenDice, known: SeenDice, near_mm: float) -> bool:
    """Whether each of the dice lies, with the same face, near where one lay."""
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

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

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.ruling import Kind
from uckers_table.referee import dice_seen as seen
from uckers_table.referee.dice_seen import Glimpsed, KnownDice, Lying, SeenDice, ToldDice, Values
from uckers_table.referee.rulings import CHECK_DICE, Notice, NoticeKind
from uckers_table.sighting import SeenDie, Sighting

DiceOutcome = Values | Kind | Notice | ToldDice | None
"""What the dice come to: a throw's values, COCKED or DROPPED, something to say, or None. ToldDice: the last
throw was misread at first, and this is what it shows."""
_Finding = tuple[float, DiceOutcome]
"""What the dice are once they have lain as they do for so long (seconds)."""

_UNREAD = Notice(NoticeKind.DICE_UNREAD)
TURNED = Notice(NoticeKind.DICE_TURNED)
STILL_S = 0.25
"""Dice have come to rest when they lie the same for this long (seconds), in two sightings at least."""
FAULT_S = 0.9
"""A leaning or dropped die is ruled after this long (seconds). It may still fall, and nobody likes to throw
again for nothing."""
COUNTED_S = 1.5
"""How long to wait for another die that may still be rolling (seconds)."""
LASTING_S = 2.5
"""What lasts this long (seconds) is no error. It tells a turned die and one that cannot be read."""
SURE_S = 2.0
"""How long a reader may err on end (seconds). Of two readings the one that lasts longer is right."""
FRESH_S = 1.0
"""What falls due by time alone needs a sighting no older than this (seconds). After longer without one, dice
may have been thrown."""


class Wanted(NamedTuple):
    """What the match makes of dice.

    `numbers`: how many dice a throw may have. `beside_board_counts`: whether a die beside the board counts.
    `is_due`: whether a throw is due. `is_well_read`: whether a die that shows another face since a hand was
    there was turned rather than misread.
    """

    numbers: frozenset[int]
    beside_board_counts: bool
    is_due: bool
    is_well_read: bool

    @classmethod
    def by(cls, match: Match, *, is_well_read: bool) -> Wanted:
        """What a match wants."""
        is_due = match.awaiting in (Awaiting.THROW, Awaiting.THROW_OFF) or match.wrong_board is not None
        may_decline = match.awaiting is Awaiting.PLAY and not match.plays and not match.must_challenge
        counts = match.rules.dice_off_edge == "table"
        return cls(match.dice_wanted, counts, is_due or may_decline, is_well_read)


@dataclass(frozen=True)
class DiceWatch:
    """The dice as they lay when they were last dealt with, and how they have been seen since."""

    known: KnownDice = field(default_factory=KnownDice)
    now: Lying = field(default_factory=Lying)
    told: ToldDice = field(default_factory=ToldDice)
    last: Glimpsed = field(default_factory=Glimpsed)
    maybe_thrown: tuple[Values, ...] = ()
    """What dice were read as that may have been thrown, though they were taken to be put back or turned. They
    came to lie near their old places while a throw was due, or had been taken up.

    Fewer values than a throw takes are a throw whose other die may have been dropped. `taking` keeps the
    histories in which these dice were thrown."""
    was_missed: bool = False
    """Dice came to lie there and were gone before anything was told of them. They may have been thrown."""

    def look(self, t: float, sighting: Sighting) -> DiceWatch:
        """What is known after one more sighting, of a board that can be seen or that a hand is over."""
        dice, hand = (*sighting.dice, *seen.things_on(sighting)), sighting.hand
        if not self.now.times and self.known.are_untouched:
            # What lies there when the table is set up was not thrown.
            return self if hand else DiceWatch(KnownDice(dice), Lying(dice, t, t, 1, is_settled=True))
        is_watched = t - (self.now.other or self.now).until < FRESH_S
        known = self.known.look(dice, hand=hand, is_watched=is_watched)
        looked = replace(self._glimpse(t, dice, is_watched=is_watched), known=known)
        if not hand and (again := self.now.again(t, dice)) is not None:
            return replace(looked, now=again)
        if self.told.values and self.now.times > 1 and self.known.are_untouched:
            readings = (*self.told.readings, self.now.reading)
            looked = replace(looked, told=replace(looked.told, readings=readings))
        if hand:
            return replace(looked, now=Lying(since=t, until=t))
        now = self.now.otherwise(t, dice)
        return replace(looked, now=now, known=known.read_as(now))

    def waited(self, was: float, t: float, times: int) -> DiceWatch:
        """What is known after a sighting at `was`, once so many more of the same have changed nothing until
        `t` (seconds).
        """
        if self.now.until != was:
            return self
        now, told, alike_from = self.now.waited(t, times), self.told, self.last.alike_from
        if alike_from is not None and told.longest_s == was - alike_from:
            told = replace(told, longest_s=t - alike_from)
        return replace(self, now=now, told=told)

    def _glimpse(self, t: float, dice: SeenDice, *, is_watched: bool) -> DiceWatch:
        """What one sighting tells by itself, even if a hand is there."""
        last, known = self.last, self.known
        if not dice:
            # Those seen last may have been thrown since others were known. They lay elsewhere. Or they lay in
            # the same places with other faces, after the known ones had gone.
            is_back = known.were_gone and last.alike_from is not None
            is_there = seen.lie_there(last.dice, known.dice)
            is_missed = (is_back and bool(known.turned(last.dice))) if is_there else bool(last.dice)
            return replace(self, last=replace(last, alike_from=None), was_missed=self.was_missed or is_missed)
        last = last.then(t, dice, is_watched=is_watched)
        if not seen.lie_there(dice, known.dice):
            return replace(self, last=last)
        alike_s = t - last.alike_from if last.alike_from is not None else 0.0
        told, maybe_thrown = self.told.glimpse(dice, alike_s, known), self.maybe_thrown
        if maybe_thrown and known.are_untouched:
            maybe_thrown = _with(maybe_thrown, seen.face_values(dice))
        return replace(self, last=last, told=told, maybe_thrown=maybe_thrown)

    def due(self, wanted: Wanted) -> float | None:
        """When something is to be said of the dice, if nothing is seen before (seconds). None for never."""
        now = self.now
        if now.is_settled or now.times < 2 or now.other is not None:
            return None
        after_s, outcome = self._found(wanted)
        due = now.since + after_s
        # Time in which nobody looked counts for neither of two readings.
        latest = now.until if isinstance(outcome, ToldDice) else now.until + FRESH_S
        return due if due <= latest else None

    def dealt_with(self, t: float, wanted: Wanted) -> tuple[DiceWatch, DiceOutcome]:
        """The watch after what is due has been said, and what that is."""
        due = self.due(wanted)
        if due is None or t < due:
            return self, None
        outcome = self._found(wanted)[1]
        if isinstance(outcome, ToldDice):
            return replace(self._settled(), told=outcome, maybe_thrown=()), outcome
        if isinstance(outcome, tuple):
            at_first = self.last.readings
            values = outcome if len(outcome) == len(self.now.dice) else ()
            readings = tuple((each, 0.0) for each in sorted(at_first))
            told = ToldDice(values, readings=readings, read_first=at_first)
            return replace(self.accounted(), told=told), outcome
        if isinstance(outcome, Kind):
            return replace(self.accounted(), told=ToldDice(is_fault=True)), outcome
        if outcome is _UNREAD:
            # They may be read in the end.
            return replace(self, now=replace(self.now, is_settled=True)), outcome
        noted = replace(self, maybe_thrown=self._maybe_thrown(wanted))
        if outcome is None:
            return noted._left_alone(), None
        if outcome in (TURNED, CHECK_DICE) and not self.now.is_noted:
            # This is said later, when it cannot be two errors either. That they may have been thrown is known
            # now.
            return replace(noted, now=replace(self.now, is_noted=True)), None
        # How it was read before that still counts for the throw.
        told = replace(self.told, is_fault=False)
        if outcome == CHECK_DICE:
            # What was told is no longer sure.
            others = tuple(each for each in told.readings if each[0] != told.values)
            told = replace(told, longest_s=0.0, readings=others)
        return replace(noted._settled(), told=told), outcome

    def accounted(self) -> DiceWatch:
        """The watch once somebody else has told of the dice, as they lie now or will be seen next."""
        if not self.now.times:
            return DiceWatch()
        last = replace(self.last, alike_from=None)
        return replace(self._settled(), told=ToldDice(), last=last, maybe_thrown=())

    def _settled(self) -> DiceWatch:
        """The watch when nothing more is to be said of the dice as they lie."""
        now = replace(self.now, is_settled=True)
        return replace(self, known=KnownDice(now.dice), now=now)

    def _left_alone(self) -> DiceWatch:
        """The watch once the dice as they lie have come to nothing."""
        settled, known, dice = self._settled(), self.known, self.now.dice
        lying = len(seen.dice_among(dice))
        if lying < len(seen.dice_among(known.dice)):
            # Lifted dice may be put back.
            return replace(settled, known=replace(known, were_lifted=known.were_lifted or not lying))
        if any(die.value is None for die in dice):
            # Once they can be read they may turn out to have been thrown, or turned.
            return replace(settled, known=known)
        turned = known.turned(dice) if known.are_untouched else []
        if not turned:
            return settled
        # Untouched dice that are read otherwise keep what they were told as. If they were not told, their
        # value is not known.
        unknown = tuple(replace(die, value=None) if die in turned else die for die in dice)
        return replace(settled, known=KnownDice(known.dice if self.told.values else unknown))

    def played(self) -> DiceWatch:
        """The watch when a play of the dice as they were told has been made."""
        were_played = bool(self.now.dice) and self.now.values != self.told.values
        return replace(self, was_missed=False, known=replace(self.known, were_played=were_played))

    @property
    def lies_faulty(self) -> bool:
        """Whether dice of which a fault was told still lie there untouched."""
        return self.told.is_fault and seen.are_put_back(self.known.dice, self.now.dice, seen.NUDGED_MM)

    def _maybe_thrown(self, wanted: Wanted) -> tuple[Values, ...]:
        """What dice are read as that count as put back or turned, but may have been thrown.

        Dice that lie as they did all the time are left out. Fewer than a throw takes may be left of a throw
        whose other die was dropped. Where no throw is due, dice that were taken up may still be one: the play
        before may not be recognised yet.
        """
        now, known, values = self.now, self.known, self.now.values
        is_throw = 0 < len(values) <= max(wanted.numbers) and len(values) == len(now.dice)
        is_left = not known.were_gone and seen.are_put_back(now.dice, known.dice, seen.JUST_THERE_MM)
        if is_left or not is_throw or not (wanted.is_due or known.were_out_of_sight):
            return self.maybe_thrown
        is_there = bool(self.maybe_thrown) and seen.lie_there(now.dice, known.dice)
        return _with(self.maybe_thrown, values) if is_there else (values,)

    def _found(self, wanted: Wanted) -> _Finding:
        now, known = self.now, self.known
        # After dice were lifted or out of sight, a die is in its place only if it lies just there. After they
        # were lifted, that holds for one put back too.
        place_mm = seen.JUST_THERE_MM if known.were_lifted or known.were_out_of_sight else seen.PLACE_MM
        near_mm = seen.JUST_THERE_MM if known.were_lifted else seen.NUDGED_MM
        pairs = seen.paired(now.dice, known.dice, place_mm)
        turned = known.turned(now.dice, place_mm)
        unmoved = [die for die, _ in pairs if die not in turned]
        dice, still = seen.dice_among(now.dice), seen.dice_among(unmoved)
        is_as_before = len(unmoved) == len(now.dice) or 0 < len(still) == len(dice)
        if is_as_before or (dice and seen.are_put_back(dice, known.dice, near_mm)):
            return STILL_S, None
        # Dice in the places of others may be a throw if those were lifted, or if nobody looked and both show
        # other faces.
        is_unseen = known.was_unwatched and known.are_untouched and not unmoved
        may_be_thrown = wanted.is_due and (known.were_lifted or is_unseen)
        if len(pairs) == len(now.dice) and not may_be_thrown:
            return self._in_place(turned, wanted)
        elsewhere = [die for die in now.dice if die not in unmoved]
        thrown = seen.dice_among(elsewhere)
        if len(thrown) not in wanted.numbers:
            # All but spare dice.
            thrown = tuple(die for die in dice if die in elsewhere or die.state != "off_board")
        number = len(thrown)
        if number > max(wanted.numbers):
            return COUNTED_S, wrong_number(number, wanted.numbers) if wanted.is_due else None
        if number >= min(wanted.numbers):
            after_s, outcome = _as_they_lie(thrown, wanted)
            return after_s if number == max(wanted.numbers) else COUNTED_S, outcome
        if all(die.state != seen.UNKNOWN for die in elsewhere):
            return COUNTED_S, Kind.DROPPED
        # The missing one may be the thing that is none of the game's.
        return LASTING_S, _UNREAD if wanted.is_due and not still else None

    def _in_place(self, turned: Sequence[SeenDie], wanted: Wanted) -> _Finding:
        """What dice are that all lie in their places, where some show another face."""
        now, known, told = self.now, self.known, self.told
        others = {} if told.is_sure else self.others
        if known.are_untouched or now.values == told.values or others.get(now.values, 0.0) > 0.0:
            return self._reread()
        # Only the turned dice count, whatever the others were read as meanwhile.
        due = min(map(now.read_as_now_since, turned)) + (seen.TWICE_S if now.is_noted else LASTING_S)
        if known.turned_since is not None:
            # Any face but the known one counts, whichever it was.
            due = min(due, known.turned_since + seen.TWICE_APART_S)
        return max(STILL_S, due - now.since), self._turned(wanted, doubted=others)

    def _turned(self, wanted: Wanted, doubted: dict[Values, float]) -> Notice | None:
        """What is to be said of dice that show other faces in their places since a hand was there."""
        now, known = self.now, self.known
        # They had been taken up if none was in sight though no hand was there. Or none was in sight under a
        # hand, and now none lies just as before.
        just_there = seen.paired(now.dice, known.dice, seen.JUST_THERE_MM)
        is_away = known.were_gone and not any(seen.same_face(die, old) for die, old in just_there)
        if wanted.is_due and (known.were_out_of_sight or is_away):
            return None
        if now.values in self.maybe_thrown and not now.is_noted:
            # They were read so before the hand came too.
            return None
        # Dice that were out of sight may have been thrown too early, and lie just there by chance. Whoever
        # turns a die plays what it then shows: dice that were played as told are most likely misread.
        if known.were_out_of_sight or known.were_played:
            return CHECK_DICE
        if not (doubted or known.was_unwatched):
            # Dice that are read as at first have most likely lain so all the time.
            at_first = next((read for read, seconds in self.told.readings if seconds > 0.0), None)
            return TURNED if now.values != at_first and wanted.is_well_read else CHECK_DICE
        # Dice that were read in two ways before anybody was there may be so again.
        return None if now.values in doubted else CHECK_DICE

    @property
    def others(self) -> dict[Values, float]:
        """What else the dice of the last throw were read as while untouched, and for how long (seconds)."""
        told, now = self.told, self.now
        # What they are read as since a hand was there they were more likely turned to.
        is_new = now.values not in told.read_since_hand or now.values in told.read_s()
        counts = now.times and self.known.are_untouched and is_new
        read_s = told.read_s(*([now.reading] if counts else []))
        return {values: seconds for values, seconds in read_s.items() if values != told.values}

    def _reread(self) -> _Finding:
        """Another face, which was read before anybody was there too. The reading that lasted longer counts.

        If both lasted longer than two errors, a hand was missed or has turned a die: people are asked. If a
        hand was seen, the told reading need only have lasted for one error.
        """
        values, told, is_untouched = self.now.values, self.told, self.known.are_untouched
        read_s = told.read_s()
        told_long = read_s.get(told.values, 0.0) >= SURE_S
        is_sure = told.is_sure or (told_long and not is_untouched)
        if is_sure and values not in (told.values, ()):
            # A face read since a hand was there is not two errors in a row.
            return SURE_S if values in told.read_since_hand else seen.TWICE_S, CHECK_DICE
        is_other = told.values != values and len(values) == len(told.values) and not told_long
        is_again = values in told.read_first and is_untouched
        after_s = STILL_S if is_again else max(STILL_S, SURE_S - read_s.get(values, 0.0))
        longest_s = self.others.get(values, 0.0)
        return after_s, ToldDice(values, readings=told.readings, longest_s=longest_s) if is_other else None


def wrong_number(number: int, wanted: frozenset[int]) -> Notice:
    """The notice that a throw has another number of dice than it takes."""
    return Notice(NoticeKind.WRONG_DICE, numbers=(number, max(wanted)))


def _as_they_lie(thrown: Sequence[SeenDie], wanted: Wanted) -> _Finding:
    """What the right number of dice is, by the state and face of each."""
    beside = [die for die in thrown if die.state == "off_board"]
    if beside and not wanted.beside_board_counts:
        return FAULT_S, Kind.DROPPED
    # A die beside the board that lies flat has its value.
    if any(die.state == "cocked" for die in thrown) or any(die.value is None for die in beside):
        return FAULT_S, Kind.COCKED
    values = seen.face_values(thrown)
    if len(values) < len(thrown):
        return LASTING_S, _UNREAD if wanted.is_due else None
    return STILL_S, values


def _with(readings: tuple[Values, ...], values: Values) -> tuple[Values, ...]:
    """The readings with another of as many dice, if it differs from all of them."""
    is_other = bool(readings) and values not in readings and len(values) == len(readings[0])
    return (*readings, values) if is_other else readings

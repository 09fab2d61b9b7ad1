"""An event as it comes in: a sighting, dice, a call, a button, a device, or time alone."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee.answering import Answering
from uckers_table.referee.crosscheck import CHECKERS, CrossCheck, DiceEvent
from uckers_table.referee.dice import TURNED, DiceWatch, Reread, Wanted, wrong_number
from uckers_table.referee.events import (
    NUMBERS,
    ButtonPressed,
    CallMade,
    Correction,
    DeviceChanged,
    DiceFault,
    Due,
    Event,
    Played,
    Resumed,
    Seen,
    ThrowMade,
    ThrowVoid,
)
from uckers_table.referee.explaining import Found
from uckers_table.referee.guesses import (
    Held,
    SeenBefore,
    all_taken,
    if_counted,
    meant,
    owes_a_play,
    that_fits,
)
from uckers_table.referee.matching import Reading, may_be_error
from uckers_table.referee.rulings import CHECK_DICE, Notice, NoticeKind
from uckers_table.referee.stillness import ERRS_TWICE_S, UNWATCHED_S, Flicker, Stillness
from uckers_table.referee.taking_back import HELD, Act, ActKind, at_stake, throw_at_stake, with_shift_told
from uckers_table.referee.telling import ANSWERED_S
from uckers_table.sighting import TROUBLES, Sighting

BLIND_AFTER_S = 2.5
"""A camera that shows nothing for this long is said to be blind (seconds). A shorter gap is a sleeve, a knock
or an error of the reader's (`stillness.ERRS_S`), and is over before the sentence is."""
AWAY_AFTER_S = 6.0
"""A board that cannot be found for this long has not only been pushed (seconds)."""
BLINDING = frozenset(TROUBLES) - {"board_moved"}
"""The troubles with which a frame shows nothing that counts."""


class Hearing(Answering):
    """Takes an event."""

    def take(self, event: Event) -> None:
        match event:
            case Seen(_, sighting):
                self._look(sighting)
            case ThrowMade() | DiceFault() if event.told and event.told == self.referee.told:
                # Its source could not know that it has been taken already.
                pass
            case ThrowMade() | DiceFault():
                if event.told:
                    self.referee = replace(self.referee, told=event.told)
                self._hear(event)
            case ThrowVoid():
                check, told = self.referee.check.void(self.t)
                self.referee = replace(self.referee, check=check)
                self._come_of(told)
            case CallMade():
                self._call(event)
            case ButtonPressed():
                self._press(event)
            case DeviceChanged(_, name, state):
                self._device(name, state)
            case Correction(_, position):
                self._trust(position)
            case Played(_, position):
                self._take_play(position)
            case Resumed(_, dice_from):
                self._resume(dice_from)
            case Due():
                pass

    def fall_due(self) -> None:
        """The referee's own deadline has come."""
        still = self.referee.still
        if still is not None and still.due is not None and still.due <= self.t:
            self.referee = replace(self.referee, still=replace(still, looks=still.looks + 1))
            self._judge()
        if self.referee.blind_since is not None and self.t >= self.referee.blind_since + BLIND_AFTER_S:
            self._go_blind()
        away = self.referee.blind_since is not None and self.t >= self.referee.blind_since + AWAY_AFTER_S
        if away and self.referee.may_be_tipped:
            self._ask(Notice(NoticeKind.UPBOARD))
        if (due := self.referee.check.due) is not None and due <= self.t:
            check, told = self.referee.check.fallen_due()
            self.referee = replace(self.referee, check=check)
            self._come_of(told)
        self._deal_with_dice()

    def _look(self, sighting: Sighting) -> None:
        if sighting.hand:
            self._take_what_changed_nothing()
            self._keep_in_mind()
            self._hide()
            self._watch_dice(sighting)
            return
        trouble = next((t for t in sighting.trouble if t in BLINDING), "")
        if trouble:
            since = self.referee.blind_since if self.referee.blind_since is not None else self.t
            blinked = self.referee.still or self.referee.blinked
            self.referee = replace(
                self.referee, still=None, blinked=blinked, blind_since=since, trouble=trouble
            )
            if self.t >= since + BLIND_AFTER_S:
                self._go_blind()
            return
        if self.referee.is_blind:
            self._notice(NoticeKind.SEES_AGAIN, self.referee.trouble)
        if self.referee.blind_since is not None or self.referee.is_blind or self.referee.trouble:
            self.referee = replace(self.referee, blind_since=None, is_blind=False, trouble="")
        if self.referee.match.awaiting is Awaiting.THROW_OFF:
            self._take_held(all_of_it=True)
        referee = self.referee
        reading = Reading(referee.match.board, sighting, referee.away, referee.accounted, referee.on_lines)
        still, blinked = self.referee.still, self.referee.blinked
        if blinked is not None and blinked.reading.key == reading.key:
            # Nothing has been moved meanwhile.
            still = blinked
        if self.referee.is_asking and still is None:
            self.referee = replace(self.referee, asked=None, open_point=None)
        flicker = self.referee.flicker
        if still is not None:
            flicker = flicker.after(is_other=still.reading.key != reading.key)
        still = Stillness.first(self.t, reading) if still is None else still.seen(self.t, reading)
        self.referee = replace(self.referee, still=still, blinked=None, flicker=flicker)
        self._acquit(reading)
        self._judge()
        self._ask_for_gone()
        last = self.referee.last_play
        if last is not None and self._is_sure_of_record():
            self.referee = replace(
                self.referee, last_play=replace(last, seen=reading.bare) if self._may_be_beyond else None
            )
        self._watch_dice(sighting)

    def _hide(self) -> None:
        """A hand is over the board. What it hides is no trouble of the camera's."""
        referee = self.referee
        is_hidden = referee.still is None and referee.blinked is None and referee.blind_since is None
        # A hand stays for many frames. Only its first changes anything.
        if not is_hidden or not referee.was_reached_over:
            self.referee = replace(referee, still=None, blinked=None, blind_since=None, was_reached_over=True)

    def _take_what_changed_nothing(self) -> None:
        """Take held dice as a hand comes, if the board was only misread as they were thrown.

        What the hand changes now was not so then.
        """
        match, still = self.referee.match, self.referee.still
        if not self.referee.held or match.wrong_board is not None or still is None or len(still.recent) < 2:
            return
        if owes_a_play(match):
            is_as_it_was = not self.referee.was_reached_over and self._is_untouched(still)
        else:
            read = (still.reading, still.usual)
            is_as_it_was = all(self._explained(each)[0] is Found.RECORD for each in read)
        if is_as_it_was:
            self._take_held(all_of_it=True)

    def _is_untouched(self, still: Stillness) -> bool:
        """Whether all that was read of late is the record, or one error of the reader's away from it."""
        board, record = self.referee.match.board, self.referee.match.position
        for reading in (still.reading, *still.before):
            found, _ = self._explained(reading)
            may_err = found in (Found.WRONG, Found.DOUBTFUL) and may_be_error(board, record, reading.seen)
            if found is not Found.RECORD and not may_err:
                return False
        return True

    def _keep_in_mind(self) -> None:
        """Note how the board was seen before a hand came, if it is the first since the board last agreed.

        Also note a board that is exactly a play of the throw in hand, or half of one (`Referee.shown`). That
        may be the play although the board is read otherwise after the hand.
        """
        still, record = self.referee.still, self.referee.match.position
        if still is None:
            return
        if still.sightings > 1 and not self.referee.was_reached_over:
            # A piece that is seen again is missed anew when it has gone.
            now = replace(still.reading, accounted=self.referee.accounted)
            seen_before = SeenBefore(record, still.usual)
            self.referee = replace(
                self.referee, seen_before=seen_before, accounted=now.still_accounted(record)
            )
        shown = self.referee.shown
        if shown is not None and shown.record != record:
            shown = None
        if shown is None or shown.reading.completed(record) in self.referee.match.halfway:
            seen = (each for each in (still.reading, *still.before) if self._is_just_a_play(each))
            self.referee = replace(
                self.referee, shown=next((SeenBefore(record, each) for each in seen), shown)
            )

    def _is_just_a_play(self, reading: Reading) -> bool:
        """Whether the board is seen exactly as a play of the throw in hand, or half of one, leaves it."""
        found, play = self._explained(reading)
        if play is None or found not in (Found.LEGAL, Found.HALF):
            return False
        return reading.cost(play, self.referee.match.position) == 0

    def _go_blind(self) -> None:
        if not self.referee.is_blind:
            self.referee = replace(self.referee, is_blind=True, still=None, blinked=None)
            self._notice(NoticeKind.CANNOT_SEE, self.referee.trouble)

    def _watch_dice(self, sighting: Sighting) -> None:
        if self.referee.reads_dice:
            still, dice = self.referee.still, self.referee.dice
            if still is not None and still.began < self.t and dice.lie_there(sighting):
                is_other = not dice.are_read_alike(sighting)
                self.referee = replace(
                    self.referee, dice_flicker=self.referee.dice_flicker.after(is_other=is_other)
                )
            self.referee = replace(self.referee, dice=dice.look(self.t, sighting))
            self._deal_with_dice()

    def _deal_with_dice(self) -> None:
        """Say what is due to be said of the dice that the camera sees."""
        dice, outcome = self.referee.dice.dealt_with(self.t, Wanted.by(self.referee.match))
        if isinstance(outcome, tuple):
            self._hear(ThrowMade(self.t, outcome, "camera"))
        elif isinstance(outcome, Reread):
            self._reread(outcome.values)
        elif isinstance(outcome, Kind):
            self._hear(DiceFault(self.t, outcome.value, "camera"))
        else:
            if outcome == TURNED and self._flickers:
                outcome = CHECK_DICE
            if outcome == CHECK_DICE:
                self.referee = replace(self.referee, dice_asked_at=self.t)
                dice = dice.asked_about()
            self._come_of(outcome)
        # Until now it mattered how the dice of the throw before had been read.
        self.referee = replace(self.referee, dice=dice)

    def _hear(self, told: DiceEvent) -> None:
        """Somebody tells what the dice show. If tower and camera both should, the two are compared."""
        if self.referee.dice_from == "both" and told.source in CHECKERS and not CHECKERS & self.referee.lost:
            check, agreed = self.referee.check.hear(told)
            self.referee = replace(self.referee, check=check)
            self._come_of(agreed)
            return
        if told.source != "camera" and isinstance(told, DiceFault) and self.referee.dice.lies_faulty:
            # The button says what the camera has said already.
            return
        if told.source != "camera":
            self.referee = replace(self.referee, dice=self.referee.dice.accounted())
        self._come_of(told)

    def _come_of(self, told: DiceEvent | Notice | None) -> None:
        match told:
            case ThrowMade() | DiceFault():
                self._take_or_hold(told)
            case Notice():
                self._rule(told)
            case None:
                pass

    def _take_or_hold(self, told: DiceEvent) -> None:
        """Dice end the time to correct the last play. What the board is decides what they are."""
        self._let_stand()
        if self._was_played_unseen():
            self._take_likeliest_play()
        match = self._settle()
        if match.awaiting is Awaiting.OVER:
            return
        if self.referee.is_blind:
            self._hold_unseen(told)
        elif isinstance(told, ThrowMade):
            self._throw(match, told)
        elif self._waits_for_board(match):
            self._hold(told)
        elif not owes_a_play(match):
            self._take_dice(told)
        else:
            # The throw comes too early and counts for nothing. How the dice in hand were read is forgotten
            # now, so keep the guesses that it gave.
            self._guess(*self._by_other_dice())

    def _throw(self, match: Match, throw: ThrowMade) -> None:
        if len(throw.dice) not in match.dice_wanted:
            self._rule(wrong_number(len(throw.dice), match.dice_wanted))
            return
        if self._is_forgiven():
            match = self._take_likeliest_play()
        passed = self._was_passed(match)
        if passed is not None:
            self.referee = self.referee.with_match(passed)
            self._doubt_record()
            self._notice(NoticeKind.REVISED)
            self._take_dice(throw)
        elif self._waits_for_board(match):
            self._hold(throw)
        elif owes_a_play(match) and throw.source == "camera" and sorted(throw.dice) == sorted(match.thrown):
            # The same dice elsewhere on the board were most likely moved out of the way.
            others = self._by_other_dice()
            self._guess(*others, *all_taken(self.referee.guesses, throw), *if_counted(match, throw))
            self._leave_out(throw)
            self.referee = replace(self.referee, last_throw=None)
        else:
            self._take_dice(throw)

    def _settle(self) -> Match:
        """Judge the board that was seen last, before a throw ends the time to correct it."""
        if not self.referee.is_asking:
            self._judge(at_once=True)
            self._reopen_last_play()
        return self.referee.match

    def _reopen_last_play(self) -> None:
        """Take the last play back if the board that dice are thrown on shows another play of the same throw.

        The board was seen only once since a hand was there. The play recognised last was half of this one, or
        misread.
        """
        still, last, match = self.referee.still, self.referee.last_play, self.referee.match
        if still is None or last is None or still.sightings > 1 or not self.referee.was_reached_over:
            return
        if self.referee.held or self._explained(still.reading)[0] is not Found.WRONG:
            return
        if that_fits(last.unfinished, still.reading, but=match.position) is not None:
            self._take_for(last.match, doubts=self.referee.doubts)

    def _was_passed(self, match: Match) -> Match | None:
        """The match by which nothing could be moved with the throw in hand. None if there is none.

        The dice may have been what else they were read as, or the side may still wait for the six that lets
        it help. Nothing was moved, and the next throw was made: that tells so.
        """
        if not owes_a_play(match) or not self._seems_unplayed:
            return None
        waits = (
            each
            for each in self._other_guesses
            if each.helping < match.helping and (each.position, each.thrown) == (match.position, match.thrown)
        )
        others = (*self._by_other_dice(), *waits)
        return next((each for each in others if each.awaiting is Awaiting.THROW), None)

    @property
    def _seems_unplayed(self) -> bool:
        """Whether the board is as on record, and was no play a moment ago.

        A board that nobody has seen of late may have been played on since: its camera may hang, and that is
        noticed later.
        """
        return not self._is_unwatched and self._seen() is Found.RECORD and not self._seemed_played

    @property
    def _is_unwatched(self) -> bool:
        """Whether the camera sees nothing: it is lost, or no frame has come of late."""
        last = self.referee.still or self.referee.blinked
        return "camera" in self.referee.lost or (last is not None and self.t > last.until + UNWATCHED_S)

    def _waits_for_board(self, match: Match) -> bool:
        """Whether only the board can tell what dice thrown now mean."""
        if self.referee.held:
            return True
        if match.awaiting is Awaiting.THROW_OFF:
            return False
        if owes_a_play(match):
            return not self._seems_unplayed
        still = self.referee.still
        if match.wrong_board is not None:
            # What was called may have been put right just now.
            if still is None or still.sightings < 2:
                return True
            found, board = self._explained(still.reading)
            if found in (Found.HALF, Found.HALF_IN_DOUBT) and board != match.wrong_board:
                # What was wrong beside the half play has been put right.
                return True
            return found is not Found.CALLED and not still.is_long(self.t)
        if still is None:
            return False
        is_open = self.referee.waits_for_done or self._is_forgiven()
        if is_open or still.settled or (still.is_long(self.t) and not self._has_become_wrong(still)):
            return False
        # If it is read otherwise only just now, it is still what it was until then.
        last = still.reading if still.sightings > 1 else still.usual
        is_read = len(still.recent) > 1
        return is_read and self._explained(last)[0] in (Found.WRONG, Found.DOUBTFUL)

    def _has_become_wrong(self, still: Stillness) -> bool:
        """Whether the board was as on record a moment ago and is not now.

        A board read now so, now so does not count.
        """
        is_new = self.t < still.since + ERRS_TWICE_S
        return is_new and all(self._explained(each)[0] is Found.RECORD for each in still.before)

    def _hold(self, event: Held) -> None:
        """Hold what the dice did, or what players called, until the last play has been seen."""
        held = self.referee.held
        if self._is_unwatched:
            if len(held) == HELD:
                self._hold_unseen(event)
                return
            # No deadline is to judge a board that may have changed unseen.
            blinked = self.referee.still or self.referee.blinked
            self.referee = replace(self.referee, still=None, blinked=blinked)
        if len(held) == HELD:
            match = self.referee.match
            self.referee = replace(self.referee, has_missed=True)
            self._rule(Ruling(Kind.VOID, match.to_play, match.position, throw=match.thrown))
            return
        # How the dice before these may have been read otherwise is soon forgotten.
        other_throws = (*self._by_other_dice(likely=True), *self._unnoticed(self.referee.match))
        self._guess(*other_throws)
        unlikely = (*self._by_doubted_dice(), *self.referee.turns)
        untouched = self.referee.untouched if held else ()
        if owes_a_play(self.referee.match) and not self.referee.was_reached_over:
            untouched = (*untouched, event)
        self.referee = replace(self.referee, held=(*held, event), turns=unlikely, untouched=untouched)
        still, blinked = self.referee.still, self.referee.blinked
        if still is not None:
            self.referee = replace(self.referee, still=self._with_thrown_on(still, event))
        elif blinked is not None:
            self.referee = replace(self.referee, blinked=self._with_thrown_on(blinked, event))
        if not held:
            self.referee = replace(self.referee, suspect=self._suspected(), quick=self.referee.quick + 1)
            self._notice(NoticeKind.THROW_HELD)
        elif still is None or self.referee.is_asking:
            return
        elif not self._shows_still(still) and self._is_riddle(still):
            # People play on. Nobody knows which play was wrong, and soon nobody will know what was wrong with
            # it.
            self._ask(self._doubt(still.reading, self.referee.match.position))

    def _shows_still(self, still: Stillness) -> bool:
        """Whether what was suspected still shows as dice are thrown again. It is called then.

        Seeing the board once since a hand was there is enough.
        """
        suspect = self.referee.suspect
        is_once = still.sightings == 1 and suspect is not None and self.t >= suspect.since + ERRS_TWICE_S
        return is_once and self._is_wrong_still(still)

    def _with_thrown_on(self, still: Stillness, event: Held) -> Stillness:
        """The still board once somebody has thrown on it. Half a play that it shows now stays half."""
        settled = still.settled and self._is_forgiven()
        return replace(still, settled=settled, thrown_on=(*still.thrown_on, self._thrown_on(still, event)))

    def _thrown_on(self, still: Stillness, event: Held) -> frozenset[Position]:
        """How the board was read before a throw or call, with no hand between. Empty if unknown."""
        readings = [reading for t, reading in still.recent if still.began <= t < event.t]
        if isinstance(event, DiceFault) or (isinstance(event, ThrowMade) and event.source == "buttons"):
            readings = []
        elif isinstance(event, ThrowMade) and event.source == "camera":
            dice = self.referee.dice
            readings = [reading for reading in readings if dice.lay_elsewhere(reading.sighting)]
        return frozenset(reading.key for reading in readings)

    def _hold_unseen(self, event: Held) -> None:
        """Hold what the dice did, or what players called, while nothing can be seen. Say nothing."""
        held = self.referee.held
        if len(held) < HELD:
            self.referee = replace(self.referee, held=(*held, event))
        else:
            self.referee = replace(self.referee, has_missed=True)

    def _call(self, made: CallMade | ButtonPressed) -> None:
        """A call, or the button for whatever can be called before the throw."""
        if self.referee.is_blind:
            self._hold_unseen(made)
            return
        match = self._played()
        if self.referee.held or self._may_be_after_play(match, made):
            self._hold(made)
        else:
            self._take_call(match, made)

    def _may_be_after_play(self, match: Match, made: CallMade | ButtonPressed) -> bool:
        """Whether a call that is open only before a throw may follow the play that is due.

        Then hands are at the play, or the board is seen but cannot be judged yet.
        """
        is_early = isinstance(made, ButtonPressed) or made.call.kind not in ("challenge", "upboard")
        if not is_early or not owes_a_play(match) or meant(match, made):
            return False
        still = self.referee.still
        if still is None:
            is_there = "camera" not in self.referee.lost | self.referee.without
            return is_there and (self.referee.was_reached_over or self.referee.blinked is not None)
        return not still.settled and self._explained(still.reading)[0] in (
            Found.LEGAL,
            Found.WRONG,
            Found.DOUBTFUL,
        )

    def _played(self) -> Match:
        """The match after a play that was seen only just now. A call comes after it."""
        if self._seen() is Found.LEGAL:
            self._judge(at_once=True)
        return self.referee.match

    def _press(self, pressed: ButtonPressed) -> None:
        name = pressed.name
        match name:
            case "call":
                self._call(pressed)
            case _ if name in NUMBERS:
                self._choose(int(name))
            case "undo":
                self._take_back(at_stake(self.referee))
            case "undo_throw":
                self._take_back(throw_at_stake(self.referee))
            case "redo":
                self._put_back()
            case "trust_board":
                self._trust_what_is_seen()
            case "done" | "accept" if self.referee.is_asking:
                self._answer()
            case "done" | "accept" if self.referee.is_out_of_step and self.referee.still is not None:
                self._trust_what_is_seen()
            case "done" | "accept" if self._trust_what_was_asked():
                pass
            case "done" | "accept" if self.t <= self.referee.dice_asked_at + ANSWERED_S:
                self.referee = replace(self.referee, dice_asked_at=-inf)
            case "done":
                if self.referee.still is not None:
                    self.referee = replace(self.referee, still=replace(self.referee.still, is_done=True))
                self._judge(at_once=True)
            case "timber_shifting":
                self._call_shift()
                if not self.rulings:
                    self._rule(self._refusal("not now: every piece stands where it should"))

    def _call_shift(self) -> None:
        """A player calls timber shifting. A shift that was noted is told, with the time of the note."""
        self.is_shift_called = True
        self._judge(at_once=True)
        noted = self.referee.unspoken
        if noted is not None:
            self.rulings.append(noted)
            self.referee = replace(with_shift_told(self.referee), unspoken=None, open_point=noted.ruling)

    def _resume(self, dice_from: str) -> None:
        """Nobody watched for a while. What stands and lies on the board now accuses nobody."""
        self.referee = replace(
            self.referee,
            dice_from=dice_from,
            dice=DiceWatch(),
            check=CrossCheck(),
            still=None,
            blinked=None,
            blind_since=None,
            is_blind=False,
            trouble="",
            was_reached_over=True,
            seen_before=None,
            question=None,
            flicker=Flicker(),
            dice_flicker=Flicker(),
            lost=frozenset(),
            without=frozenset(),
            is_resumed=True,
        )
        match = self.referee.match
        self._remember(Act(ActKind.RESUMED, match, self.t))
        in_hand = match.thrown if match.awaiting is Awaiting.PLAY else ()
        whose = match.board.seats[match.to_play]
        self._rule(Notice(NoticeKind.RESUMED, whose, numbers=in_hand, owed=match.extra))

    def _device(self, name: str, state: str) -> None:
        lost = self.referee.lost
        if state == "none":
            self.referee = replace(self.referee, without=self.referee.without | {name})
            return
        if state == "back":
            self.referee = replace(self.referee, lost=lost - {name})
            self._notice(NoticeKind.DEVICE_BACK, name)
            return
        if name == "camera":
            self.referee = replace(self.referee, still=None, blinked=None)
        if name == "tower" and self.referee.dice_from == "tower":
            # What lies on the board then was not thrown there.
            self.referee = replace(self.referee, dice=DiceWatch())
        self.referee = replace(self.referee, lost=lost | {name})
        self._rule(self.referee.loss_of(name))

"""Dice and calls that count: the match goes on by them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from uckers_table.game import playing
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match
from uckers_table.game.open_calls import numbered
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.game.throws import purpose
from uckers_table.game.ways import SIX
from uckers_table.referee.crosscheck import DiceEvent
from uckers_table.referee.dice import wrong_number
from uckers_table.referee.events import ButtonPressed, CallMade, DiceFault, ThrowMade
from uckers_table.referee.explaining import FITS, likeliest_play
from uckers_table.referee.guesses import (
    Guesses,
    Held,
    LastThrow,
    all_taken,
    as_made,
    as_played,
    dice_of,
    if_counted,
    meant,
    owes_a_play,
    taken,
)
from uckers_table.referee.matching import in_play
from uckers_table.referee.rulings import Notice, NoticeKind
from uckers_table.referee.telling import Taken, Telling


class Taking(Telling):
    """Takes dice and calls, held ones included, and keeps in mind what else they may be."""

    def _take_dice(self, told: DiceEvent) -> None:
        """The dice count, and the match goes on by them. A wrong number of dice does not count."""
        match = self.referee.match
        if isinstance(told, ThrowMade) and len(told.dice) not in match.dice_wanted:
            # While the board could not be seen, nobody knew how many a throw takes.
            self._rule(wrong_number(len(told.dice), match.dice_wanted))
            return
        found = playing.as_thrown_on(match)
        place = self.before + len(self.rulings)
        dice = Taken(found.to_play, told, place, purpose(found))
        self.taken.append(dice)
        if self.referee.choices:
            # People who were asked which call is meant may have settled that without a word.
            self._doubt_record()
        last, still = self.referee.last_play, self.referee.still
        guesses = (*self._by_last_dice(), *self._by_calls_asked(), *self.referee.guesses)
        # What stands may have been a play.
        guesses = (*as_made(guesses, match.wrong_board), *guesses)
        turns = self.referee.turns
        self.referee = replace(
            self.referee,
            # A player who said that he was done meant the play before.
            still=replace(still, is_done=False) if still is not None else None,
            guesses=all_taken(guesses, told),
            turns=all_taken(turns, told),
            last_play=replace(last, told=(*last.told, told)) if last is not None else None,
        )
        if isinstance(told, ThrowMade):
            step = playing.throw(match, told.dice)
            others = self._by_other_dice()
            self._step(step, dice)
            if any(ruling.kind is Kind.VOID for ruling in step.rulings):
                # Somebody throws who should not. Or the dice, or the play before, were misread.
                if_good = if_counted(match, told)
                if told.source == "tower" and self._is_unplayed:
                    self.referee = replace(self.referee, hardly=(*self.referee.hardly, *if_good))
                self._guess(*others, *if_good)
                self._leave_out(told)
            else:
                self._doubt_where_void(guesses, told)
                self._doubt_gates(found, told)
                self.referee = replace(self.referee, thrown_at=told.t, hardly=(), too_early=frozenset())
            after = self.referee.match
            is_read = told.source == "camera" and after is not match
            self.referee = replace(
                self.referee, last_throw=LastThrow(match, after, guesses, turns) if is_read else None
            )
        else:
            self._step(playing.fault(match, told.kind, deliberate=told.deliberate), dice)
            self._doubt_where_void(guesses, told)
        is_started = match.awaiting is Awaiting.THROW_OFF and self.referee.match.awaiting is Awaiting.THROW
        if is_started and still is not None and still.reading.key != in_play(match.board, match.position):
            # If pieces have been moved already, people had thrown for start before.
            self.referee = replace(self.referee, has_missed=True)

    def _leave_out(self, throw: ThrowMade) -> None:
        """A throw does not count. On the board it may have been a good one all the same."""
        still = self.referee.still
        seen_at_void = still.reading if still is not None and still.sightings > 1 else None
        self.referee = replace(self.referee, voided=(*self.referee.voided, throw), seen_at_void=seen_at_void)
        if still is not None and still.is_read_long and self.referee.agrees:
            self.referee = replace(self.referee, too_early=self.referee.too_early | {throw.dice})
        if throw.source == "camera":
            self._doubt_record(plays=1)

    def _doubt_where_void(self, guesses: Guesses, told: DiceEvent) -> None:
        """Where dice count, move the guesses by which they are void from `guesses` to `turns`.

        By these guesses other dice are still to be played. A board that shows their play is asked about.
        """
        void = all_taken((each for each in guesses if owes_a_play(each)), told)
        self.referee = replace(
            self.referee,
            guesses=tuple(each for each in self.referee.guesses if each not in void),
            turns=(*self.referee.turns, *void),
        )

    def _doubt_gates(self, match: Match, throw: ThrowMade) -> None:
        """Keep in doubt which colours have thrown the six that lets them help their partner.

        That is as doubtful as whose throw it was. It decides whether what they throw later may be played.
        """
        seat, setting = match.to_play, match.setting
        if seat in self.referee.gates:
            other = replace(match, helping=match.helping ^ {seat})
            self._guess(*all_taken((other,), throw))
        if setting.has_gate and SIX in throw.dice and self.referee.doubts > 0:
            self.referee = replace(self.referee, gates=self.referee.gates | setting.come_home(match.position))

    @property
    def _is_unplayed(self) -> bool:
        """Whether nobody can have played: no hand has been there since the dice in hand were thrown."""
        still = self.referee.still
        return still is not None and still.began <= self.referee.thrown_at and self.referee.agrees

    def _take_old_dice(self, told: DiceEvent) -> None:
        """Dice count that nobody looks at any more: people have thrown since, or been at the board.

        Nobody is told that nothing could be moved with them, or that they came too early.
        """
        since = len(self.rulings)
        self._take_dice(told)
        self._leave_unspoken(since, Kind.PASS, Kind.VOID)

    def _leave_unspoken(self, since: int, *kinds: Kind) -> None:
        """The rulings of these kinds made `since` then stay on record without a word."""
        self.rulings[since:] = (
            timed.unspoken() if timed.ruling.kind in kinds else timed for timed in self.rulings[since:]
        )

    def _reread(self, values: tuple[int, ...]) -> None:
        """The last throw was misread. It counts as it is, unless the match has gone on meanwhile."""
        thrown, after = self._throw_to_reread, self.referee.match
        last_held = self.referee.held[-1] if self.referee.held else None
        if isinstance(last_held, ThrowMade) and last_held.source == "camera":
            # The dice that were read again have not been counted yet.
            self.referee = replace(
                self.referee, held=(*self.referee.held[:-1], replace(last_held, dice=values))
            )
            self._rule(Notice(NoticeKind.DICE_REREAD, numbers=values, unspoken=True))
            return
        if thrown is None:
            self._reread_void(values)
            self._reread_played(values)
            return
        # What that throw had put into the history is undone with it.
        before, history = thrown.before, self.referee.history
        while history and history[-1].before is not before:
            history = history[:-1]
        last = self.referee.last_play
        self.referee = replace(
            self.referee.with_match(before),
            history=history[:-1],
            asked=None,
            open_point=None,
            guesses=thrown.guesses,
            turns=thrown.turns,
            last_play=replace(last, told=last.told[:-1]) if last is not None else None,
        )
        since = len(self.rulings)
        self._rule(Notice(NoticeKind.DICE_REREAD, numbers=values))
        self._take_dice(ThrowMade(self.t, values, "camera"))
        first = self.referee.dice.told
        rulings = playing.throw(before, first).rulings if len(first) in before.dice_wanted else ()
        said = [_but_for_the_numbers(ruling) for ruling in rulings]
        told = [_but_for_the_numbers(timed.ruling) for timed in self.rulings[since + 1 :]]
        is_same = said == told and not after.must_challenge
        self.rulings[since:] = (
            timed.unspoken() if is_same or _but_for_the_numbers(timed.ruling) in said else timed
            for timed in self.rulings[since:]
        )
        # It may have been right at first. The board will tell.
        self._guess(after)

    def _reread_void(self, values: tuple[int, ...]) -> None:
        """Void dice turn out to show something else.

        They may be good: another side threw them, or the play before was misread.
        """
        *voided, last = self.referee.voided or (None,)
        if last is not None and last.source == "camera":
            last = replace(last, dice=values)
            self.referee = replace(self.referee, voided=(*voided, last))
            self._guess(*if_counted(self.referee.match, last))

    def _reread_played(self, values: tuple[int, ...]) -> None:
        """The dice of a play that was ruled legal turn out to show something else.

        They may have earned another throw, or no more. If the play is none of these dice, people are asked.
        """
        last, match = self.referee.last_throw, self.referee.match
        if last is None:
            return
        before, after = last.before, last.after
        if match.wrong_board is not None or match.position not in after.plays:
            return
        thrown = taken(before, ThrowMade(self.t, values, "camera"))
        if thrown is None:
            return
        if match.position in thrown.plays:
            self._guess(playing.see(thrown, match.position).match)
            return
        as_it_stands = playing.corrected(thrown, match.position).match
        self._guess(thrown)
        self.referee = replace(
            self.referee, turns=(as_played(as_it_stands) or as_it_stands, *self.referee.turns)
        )
        self._rule(Notice(NoticeKind.DICE_REREAD, numbers=values))
        self._ask(self._doubt_moved(before.position, match.position), match.position)

    @property
    def _throw_to_reread(self) -> LastThrow | None:
        """The last throw, if the camera read it and nothing has come of it yet."""
        last, match = self.referee.last_throw, self.referee.match
        if last is None or match.position != last.after.position:
            return None
        # That the board has caught up with a ruling that moved pieces comes of no dice.
        is_after = match is last.after or replace(match, behind=last.after.behind) == last.after
        return last if is_after else None

    def _by_other_dice(self, *, likely: bool = False) -> Guesses:
        """The match if the dice of the last throw were what else they were read as.

        All of these excuse. Only the `likely` ones may take the record's place.
        """
        dice = self.referee.dice
        return self._by_readings(dice.likely if likely else dice.doubted)

    def _by_refuted_dice(self) -> Guesses:
        """The match by what the dice of the last throw were taken for at first, and cannot be.

        Since then they were read as told for longer than two errors last (`DiceWatch.refuted`).
        """
        return self._by_readings(self.referee.dice.refuted)

    def _by_readings(self, readings: Iterable[tuple[int, ...]]) -> Guesses:
        """The match if the dice of the last throw were any of these."""
        last = self._throw_to_reread
        if last is None:
            return ()
        throws = (ThrowMade(self.t, values, "camera") for values in readings)
        return tuple(match for throw in throws if (match := taken(last.before, throw)) is not None)

    def _by_unnoticed_dice(self) -> Guesses:
        """The match if dice taken to be put back had been thrown or dropped after the last throw.

        Only matches in which pieces are to be moved for that.
        """
        record = self.referee.match.position

        def moves_pieces(after: Match) -> bool:
            return owes_a_play(after) or after.position != record

        once = self._unnoticed(self.referee.match)
        # Where nothing can be moved, the next throw soon comes to lie there too.
        twice = (after for each in once if not moves_pieces(each) for after in self._unnoticed(each))
        return tuple(each for each in (*once, *twice) if moves_pieces(each))

    def _by_last_dice(self) -> Guesses:
        """The match by what else the last dice may have been, also after the play of them that is seen.

        The dice thrown for start keep all their readings: no play tells what they were.
        """
        last = self._throw_to_reread
        is_start = last is not None and last.before.awaiting is Awaiting.THROW_OFF
        others = (*self._unnoticed(self.referee.match), *self._by_other_dice(likely=not is_start))
        still = self.referee.still
        if still is None:
            return others
        owed = ((match, *likeliest_play(match, still.reading)) for match in others if owes_a_play(match))
        return (*others, *(playing.see(match, play).match for match, cost, play in owed if cost <= FITS))

    def _unnoticed(self, match: Match) -> Guesses:
        """A match after dice that were taken to be put back, whether or not they can move anything."""
        if playing.as_thrown_on(match).awaiting is not Awaiting.THROW:
            return ()
        told: list[DiceEvent] = [
            ThrowMade(self.t, values, "camera")
            if len(values) in match.dice_wanted
            else DiceFault(self.t, "dropped", "camera")
            for values in self.referee.dice.maybe_thrown
        ]
        afters = (taken(match, each, by_the_rules=True) for each in told)
        return tuple(after for after in afters if after is not None)

    def _take_call(self, match: Match, made: CallMade | ButtonPressed) -> None:
        """Take what is called now, or ask which of several calls is meant."""
        calls = meant(match, made)
        if isinstance(made, CallMade):
            self._take_one(calls or (made.call,))
        elif calls:
            self._take_one(calls)
        else:
            self._rule(self._refusal(why_nothing_is_open(match)))

    def _take_one(self, calls: tuple[Call, ...]) -> None:
        if len(calls) == 1:
            self._make_call(calls[0])
        else:
            self.referee = replace(self.referee, choices=calls)
            self._rule(Notice(NoticeKind.WHICH_CALL, calls=calls))

    def _by_calls_asked(self) -> Guesses:
        """The match after each of the calls among which a player must still choose.

        He may do what comes of one of them without a word.
        """
        match = self.referee.match
        return tuple(playing.call(match, call).match for call in self.referee.choices)

    def _choose(self, number: int) -> None:
        """The answer to the question which call is meant."""
        chosen = numbered(self.referee.choices).get(number)
        if chosen is None:
            self._rule(self._refusal("not that number: no call has it now"))
        else:
            self.referee = replace(self.referee, choices=())
            self._make_call(chosen)

    def _take_held_throw(self) -> None:
        told, *held = self.referee.held
        before, is_untouched = self.referee.match, told in self.referee.untouched
        self.referee = replace(self.referee, held=tuple(held))
        if not isinstance(told, ThrowMade | DiceFault):
            self.referee = replace(self.referee, guesses=(), turns=(), last_play=None)
            wrong = self.referee.match.wrong_board
            if wrong is not None and dice_of(held):
                # Dice were thrown on the wrong board as it stands. The call was made before them.
                self._step(playing.placed(self.referee.match, wrong))
            self._take_call(self.referee.match, told)
        elif dice_of(held):
            self._take_old_dice(told)
        else:
            self._take_dice(told)
            if self.referee.still is not None and told.t < self.referee.still.began:
                # Whoever has been there since may have played them.
                self.referee = replace(self.referee, was_reached_over=True)
        if is_untouched:
            self._guess(before)

    def _go_on_with(self, held: tuple[Held, ...]) -> None:
        """Go on with what was held while the board became what now stands.

        Dice count, and so do calls that make sense. If a hand was there after dice were thrown, their play is
        taken to be part of that board.
        """
        began = self.referee.still.began if self.referee.still is not None else self.t
        self.referee = replace(self.referee, held=())
        for told in held:
            if not isinstance(told, ThrowMade | DiceFault):
                if taken(self.referee.match, told) is not None:
                    self._take_call(self.referee.match, told)
                continue
            before = self.referee.match
            if told.t >= began:
                self._take_dice(told)
                continue
            self._take_old_dice(told)
            # They may have come too early, and been thrown again.
            self._guess(before)
            played = as_played(self.referee.match)
            if played is not None:
                # They may still have to be played.
                self._guess(self.referee.match)
                self.referee = self.referee.with_match(played)


def _but_for_the_numbers(ruling: Ruling | Notice) -> Ruling | Notice:
    """A ruling on dice without the numbers. Only a six is kept, since another thing is said of it.

    What bars pieces from moving by the numbers of a pass is left out too.
    """
    if isinstance(ruling, Notice) or ruling.kind is Kind.THROW_OFF:
        return ruling
    cause = None if ruling.kind is Kind.PASS else ruling.cause
    return replace(ruling, throw=(SIX,) if SIX in ruling.throw else (), cause=cause)


def why_nothing_is_open(match: Match) -> str:
    """Why nothing can be called that is called before a throw."""
    if match.wrong_board is not None:
        return "put the board right first"
    if owes_a_play(match):
        return "the throw is to be played first"
    return "not now: there is nothing to call before this throw"

"""What the still board is: a play, half a play, a wrong one, or a question. See `referee` for the table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from uckers_table.game.board import BASE
from uckers_table.game.match import Awaiting, Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import moves_between
from uckers_table.referee.explaining import DOUBT, FITS, Found, explained, likeliest_play
from uckers_table.referee.guesses import MOST as GUESSES
from uckers_table.referee.guesses import (
    LastPlay,
    Suspect,
    across_lines,
    alike,
    all_seen,
    elsewhere,
    first_unseen,
    fits_any,
    is_played_from,
    owes_a_play,
    taken_in_turn,
    that_fits,
    wrong_before,
)
from uckers_table.referee.matching import (
    UNSEEN,
    Reading,
    Window,
    in_play,
    looks_misread,
    may_be_error,
    place_of,
)
from uckers_table.referee.putting_right import misplaced
from uckers_table.referee.rulings import Notice, NoticeKind
from uckers_table.referee.stillness import ERRS_S, ERRS_TWICE_S, ILLEGAL_AFTER_S, LEGAL_AFTER_S, Stillness
from uckers_table.referee.taking import Taking

ACCUSING_SIGHTINGS = 3
"""How many agreeing sightings an accusation needs."""
FRESH_S = 1.0
"""An accusation that falls due needs a sighting no older than this: a camera that stopped proves nothing."""
STALE_S = 5.0
"""A throw, or a player who says that he is done, has the board judged that was seen at most so long ago."""
TIPPED = 2
"""So many pieces in play do not vanish all at once, but for a tipped board."""
SURE = 0.41
"""A sighting of less confidence than this never accuses: the reader gives 0.4 at most to boards on which
something moves by itself, or lies that it cannot name. How sure it is of a place is told by place."""
FLICKERS, FLICKER_OVER = 0.13, 150
"""A reader that sees another board so often, over so many sightings of untouched ones, is believed nothing
without a question; one with the usual noise does so once in fifty."""
MISTAKES = 1
"""After so many accusations taken back in a row it says that it is out of step, and accuses nobody."""
DOUBTED_FOR = 2
"""So many plays in a row tell that a record mended by a guess is right."""
MOST_UNSEEN = 3
"""No more plays than this, seen by nobody, are told from the board after the last of them …"""
TRIES = 3
"""… nor is that tried with more sightings that say the same."""


class Judging(Taking):
    """Judges the still board, and accuses where nothing else explains it."""

    def _judge(self, *, at_once: bool = False, is_mended: bool = False) -> None:
        """Judge the still board; `at_once` as if it had been still for long enough, half plays included.

        With `is_mended` the record is another than a moment ago, so that the board is to be looked at again.
        """
        still, match = self.referee.still, self.referee.match
        if still is None or still.sightings < 2 or match.awaiting in (Awaiting.THROW_OFF, Awaiting.OVER):
            return
        at_once = at_once or still.is_done
        if not (at_once or is_mended) and (still.settled or self.t < still.since + LEGAL_AFTER_S):
            return
        found, position = self._explained(still.reading)
        if at_once and found in (Found.HALF, Found.HALF_IN_DOUBT):
            found, position = self._as_whole(found, position)
        if found is Found.RECORD:
            if self.referee.is_asking:
                self._change(asked=None, open_point=None)
            self._nothing_more()
            # What has changed while a play is due may be the play: the next throw will tell.
            if not owes_a_play(match):
                self._agree(still.reading, match.position)
            self._change(guesses=all_seen(self.referee.guesses, still.reading))
            self._step(match.see(match.position))
            self._get_back_in_step()
            self._take_held(all_of_it=True)
        elif found is Found.LEGAL and position is not None:
            if self._is_there_still(still.reading, position):
                self._judge(at_once=at_once, is_mended=True)
            elif at_once or not self._may_be_error(still):
                self._recognise(still.reading, position)
        elif found is Found.PLAYED_ON and match.wrong_board is not None:
            if still.began > self.referee.accused_at:
                self._step(match.placed(match.wrong_board))
                # It may still be put right.
                self._guess(match.but(wrong_board=None, wrong_kind=None))
                self._judge(at_once=at_once, is_mended=True)
            else:
                # Nobody has been there since: that was part of it.
                self._nothing_more()
                self._change(match=match.but(wrong_board=position))
        elif found is Found.CALLED:
            self._nothing_more()
            if at_once or self._plays_unseen() == 0:
                self._go_on_with(self.referee.held)
        elif self._is_mended(found, still.reading, at_once=at_once, try_again=is_mended):
            self._judge(at_once=at_once, is_mended=True)
        elif (
            found is Found.ON_ITS_WAY
            or (found in (Found.HALF, Found.HALF_IN_DOUBT) and not at_once and not self.referee.held)
            or self._is_forgiven()
        ):
            self._nothing_more()
            if found is Found.ON_ITS_WAY and match.wrong_board is not None:
                # What is left of a wrong board has been called with it.
                self._change(match=match.but(wrong_board=position))
        elif found is Found.WRONG and self._is_wrong_still(still):
            self._judge(is_mended=True)
        elif self._may_accuse(still, at_once=at_once):
            self._weigh(still, found, at_once=at_once)

    def _as_whole(self, found: Found, half: Position | None) -> tuple[Found, Position | None]:
        """Half a play, and no more to come: a whole one, if a piece stands on a line and it may be."""
        still, match = self.referee.still, self.referee.match
        if still is None or not still.reading.is_any_on_line:
            return found, half
        cost, play = likeliest_play(match, still.reading)
        return (Found.LEGAL, play) if cost <= FITS else (found, half)

    def _weigh(self, still: Stillness, last: Found, *, at_once: bool) -> None:
        """A board that does not fit as it was seen last: whether it has fitted at any time of late."""
        window = still.window(self.t)
        found, position = self._explained(window)
        if found is Found.LEGAL and position is not None:
            self._recognise(still.reading, position)
        elif not at_once and self._is_unclear(window):
            return
        elif (found is last or found is Found.WRONG) and not self._may_be_misread(still, window):
            self._accuse(window, found, position)

    def _is_unclear(self, window: Window) -> bool:
        """Whether a piece was seen now here, now there, so that nobody can say yet where it has gone."""
        record = self.referee.match.position
        return window.typical(record).vanished(record) and not window.vanished(record)

    def _may_be_error(self, still: Stillness) -> bool:
        """Whether what looks like a play came about with no hand there, just as by an error of the reader's.

        Such a one would soon be over.
        """
        board, record = self.referee.match.board, self.referee.match.position
        befores = [
            before.seen
            for before in still.before
            if self._explained(before)[0] in (Found.RECORD, Found.LEGAL, Found.HALF)
        ]
        if not self.referee.was_reached_over:
            befores.append(record)
        seen = still.reading.seen
        return not still.is_read_long and any(may_be_error(board, before, seen) for before in befores)

    def _may_be_misread(self, still: Stillness, window: Window) -> bool:
        """Whether nobody reached over a board that is read now so, now so, or always just as readers err."""
        if self.referee.was_reached_over:
            return False
        if not still.is_read_long and self.t < still.since + ILLEGAL_AFTER_S:
            return True
        record = self.referee.match.position
        shown = window.typical(record).completed(record)
        if shown is None or not looks_misread(self.referee.match.board, record, shown):
            return False
        return not self._is_seen_for_long(Found.WRONG)

    def _is_seen_for_long(self, found: Found) -> bool:
        """Whether the board has been that for longer than two of the reader's errors in a row mostly last."""
        still = self.referee.still
        longer = still.window(self.t, ERRS_TWICE_S) if still is not None and still.is_very_long else None
        return longer is not None and self._explained(longer)[0] is found

    def _may_accuse(self, still: Stillness, *, at_once: bool) -> bool:
        age = self.t - still.until
        is_seen = len(still.recent) >= ACCUSING_SIGHTINGS and age <= (STALE_S if at_once else FRESH_S)
        return still.is_long(self.t) and is_seen

    def _recognise(self, reading: Reading, play: Position) -> None:
        """The board shows a play of the throw in hand."""
        match = self.referee.match
        last = LastPlay(match, self._by_other_dice()) if owes_a_play(match) else None
        others = alike(match, play, reading)
        self.alike = tuple(other.position for other in others)
        if self.referee.voided:
            # It may have been made before they were thrown, and they were good.
            after = taken_in_turn(match.see(play).match, self.referee.voided)
            others = (*others, after) if after is not None else others
        guesses = (*others, *all_seen(self.referee.guesses, reading))
        self._agree(reading, play)
        self._change(last_play=last, guesses=guesses[:GUESSES])
        self._see(play)

    def _see(self, position: Position) -> None:
        """Give the board to the game, which says what it is."""
        self._nothing_more()
        self._change(asked=None, open_point=None)
        self._step(self.referee.match.see(position))
        is_said = self.rulings and self.referee.unspoken is None
        if is_said and self.referee.match.wrong_board is not None:
            self._change(open_point=self.rulings[-1].ruling)
        if self.referee.match.wrong_board is None or self._plays_unseen() == 0:
            self._take_held()

    def _agree(self, reading: Reading, position: Position, *, is_told: bool = False) -> None:
        """The board is taken to be a position: what differs all the same is no evidence from now on."""
        is_new = self.referee.was_reached_over
        away = reading.away_from(position)
        accounted = reading.accounts(position, is_told=is_told, is_new=is_new)
        if is_new and reading.key != self.referee.forgiven:
            self._change(forgiven=None)
        on_lines = reading.near_lines(position)
        self._change(away=away, accounted=accounted, on_lines=on_lines, was_reached_over=False, voided=())
        if self.referee.still is not None:
            known = replace(reading, away=away, accounted=accounted, on_lines=on_lines)
            self._change(still=replace(self.referee.still, reading=known))

    def _nothing_more(self) -> None:
        """Nothing more is to be said about the still board."""
        if self.referee.still is not None:
            self._change(still=replace(self.referee.still, settled=True))

    def _take_held(self, *, all_of_it: bool = False) -> None:
        """The play that held dice waited for is known: they count, and the board may show their play too."""
        while self.referee.held:
            self._take_held_throw()
            if self.referee.held and not all_of_it and owes_a_play(self.referee.match):
                self._judge(at_once=True)
                return

    def _is_mended(self, found: Found, reading: Reading, *, at_once: bool, try_again: bool) -> bool:
        """Whether the record is now another, by which the board may be no riddle.

        Nobody says that he is done, or throws on, after half a play, if it is a whole one by a guess.
        """
        if found is Found.ON_ITS_WAY:
            return False
        is_riddle = found in (Found.WRONG, Found.DOUBTFUL)
        return self._was_played_on(reading, try_again=at_once or try_again, is_riddle=is_riddle) or (
            (at_once or is_riddle) and self._has_guessed(reading, at_once=at_once, is_riddle=is_riddle)
        )

    def _was_played_on(self, reading: Reading, *, try_again: bool, is_riddle: bool) -> bool:
        """Whether the board shows plays of the dice that were held too; the first of them is then taken.

        Where the board is a riddle otherwise, the dice may also have been good that were said to be void: the
        play before them was misread then.
        """
        match, held = self.referee.match, self.referee.held
        still = self.referee.still
        # One that is held may have been told late, when the board had been seen for long.
        is_tried = still is not None and still.sightings > TRIES and len(held) > 1
        if still is None or self._plays_unseen() > MOST_UNSEEN or (is_tried and not try_again):
            return False
        first = first_unseen(match, held[: len(held) - still.unplayed], reading)
        all_of_them = (*self.referee.voided, *held)
        if first is None and is_riddle and self.referee.voided and len(all_of_them) <= MOST_UNSEEN:
            first = first_unseen(match, all_of_them, reading)
            held = all_of_them
        if first is None or self._suspected_before(reading) is not None:
            return False
        self._change(held=held, voided=())
        if first != match.position:
            self._change(last_play=None, guesses=())
            self._step(match.see(first))
        self._take_held_throw()
        return True

    def _has_guessed(self, reading: Reading, *, at_once: bool, is_riddle: bool) -> bool:
        """Whether the board shows that something else has happened than is on record; that is then taken.

        Half a play by a guess explains a riddle, and is no better than half a play on record.
        That the dice were misread is not thought of before a slip of the hand would have been put right.
        """
        last, match, still = self.referee.last_play, self.referee.match, self.referee.still
        if match.wrong_board is not None:
            return self._is_taken_back(reading)
        if self.referee.held or still is None:
            return False
        if not (self.referee.was_reached_over or still.is_read_long):
            # What nobody touched is as it was; the reader may err for a moment.
            return False
        guesses = self.referee.guesses
        is_late = at_once or still.is_long(self.t)
        other_throws = (*self._by_other_dice(), *self._by_unnoticed_dice())
        guess = that_fits((*guesses, *other_throws) if is_late else guesses, reading)
        if guess is None and last is not None:
            guess = that_fits(last.others(but=match.position), reading)
            guess = guess or that_fits(last.unfinished, reading, or_half=is_riddle)
        if guess is None:
            guess = that_fits(elsewhere(match, self.referee.away), reading)
        if guess is None:
            guess = that_fits(across_lines(match, self.referee.on_lines), reading, or_half=is_riddle)
        if guess is None:
            return False
        self._take_for(guess)
        return True

    def _is_taken_back(self, reading: Reading) -> bool:
        """Whether somebody who was called has put back not only that, but the play before it too."""
        match = self.referee.match
        before = next(
            (each for each in reversed(self.referee.history) if each.position != match.position), None
        )
        if before is None or not owes_a_play(before) or reading.cost(before.position, match.position) > FITS:
            return False
        self._take_for(before)
        return True

    def _is_there_still(self, reading: Reading, play: Position) -> bool:
        """Whether a piece that was said to be nothing stands there still, and all fits if it is one."""
        guess = that_fits(self.referee.guesses, reading.bare) if reading.bare.shows_more(play) else None
        if guess is None:
            return False
        self._take_for(guess)
        return True

    def _take_for(self, guess: Match) -> None:
        """A guess takes the place of the record."""
        self._remember(self.referee.match)
        guesses = tuple(each for each in self.referee.guesses if each != guess)
        self._change(match=guess, guesses=guesses, last_play=None, doubts=DOUBTED_FOR)
        self._notice(NoticeKind.REVISED)

    def _was_played_unseen(self) -> bool:
        """Whether a throw on a board that looks unplayed or half played, but not quite, tells of a play made.

        The piece may have come onto a stack of which the camera counts one too few.
        """
        still, match = self.referee.still, self.referee.match
        if still is None or still.sightings < 2 or not owes_a_play(match):
            return False
        found, position = self._explained(still.reading)
        if position is None or found not in (Found.RECORD, Found.HALF, Found.HALF_IN_DOUBT):
            return False
        best, play = likeliest_play(match, still.reading)
        is_exact = still.reading.cost(position, match.position) == 0
        is_told = still.reading.is_any_on_line or still.reading.fits_better(play, position, match.position)
        return self.referee.was_reached_over and is_told and best < (FITS if is_exact else UNSEEN)

    def _take_likeliest_play(self) -> Match:
        """The player said that the board is right, and throws on: the play that fits it best was made."""
        still, match = self.referee.still, self.referee.match
        if still is not None and match.awaiting is Awaiting.PLAY and match.plays:
            mistakes = self.referee.mistakes
            _, play = likeliest_play(match, still.reading)
            self._agree(still.reading, play)
            self._see(play)
            # A guess: whether the record is right will be seen when the next play is.
            self._change(mistakes=mistakes)
            self._guess(match)
        return self.referee.match

    def _accuse(self, window: Window, found: Found, innocent: Position | None) -> None:
        """Call what the board shows, unless there is a doubt: then it is asked about."""
        match = self.referee.match
        reading = window.typical(match.position)
        self._nothing_more()
        if not any(reading.key) and sum(map(len, in_play(match.board, match.position))) >= TIPPED:
            self._ask(Notice(NoticeKind.UPBOARD))
            return
        shown = innocent if found is Found.HALF else reading.completed(match.position)
        may_be = self._may_be_whole(window, innocent) if found is Found.HALF else innocent
        place = reading.doubtful_place(match.position)
        if shown is None or self._is_doubtful(window, reading, found, may_be):
            self._ask(Notice(NoticeKind.CHECK, place), may_be)
        elif self._fits_a_guess(window, found) or self._starts_where_none_was_seen(shown):
            self._ask(Notice(NoticeKind.CHECK, place))
        elif self._by_other_dice() and self._moves_by_dice(shown):
            # Nobody is accused by dice that were read in two ways.
            self._ask(Notice(NoticeKind.CHECK, "dice"))
        elif self._may_be_played(reading):
            self._ask(Notice(NoticeKind.CHECK, place))
        elif self._is_wrong_since(reading, shown):
            self._judge(is_mended=True)
        elif self._is_lost():
            if not self.referee.is_out_of_step:
                has_missed = self.referee.has_missed or self._plays_unseen() > 1
                self._change(is_out_of_step=True, has_missed=has_missed)
                number = len(misplaced(match.position, reading)) if self.referee.is_resumed else 0
                self._rule(Notice(NoticeKind.OUT_OF_STEP, numbers=(number,) if number else ()))
            self._name_misplaced(reading)
        else:
            self._see(shown)
            self._change(accused_at=self.t, is_stood=False)

    def _fits_a_guess(self, window: Window, found: Found) -> bool:
        """Whether nobody is to blame if something else has happened; half a play is no better by a guess."""
        guesses = self.referee.guesses
        return that_fits(guesses, window) is not None if found is Found.HALF else fits_any(guesses, window)

    def _is_doubtful(self, window: Window, reading: Reading, found: Found, may_be: Position | None) -> bool:
        """Whether the reader, or the board as it was read of late, leaves a doubt."""
        is_in_doubt = found in (Found.DOUBTFUL, Found.HALF_IN_DOUBT)
        is_nowhere = found is Found.WRONG and reading.vanished(self.referee.match.position)
        is_maybe_whole = found is Found.HALF and may_be is not None
        return is_in_doubt or is_nowhere or is_maybe_whole or self._is_unsure(window)

    def _is_unsure(self, window: Window) -> bool:
        """Whether the reader is to be believed nothing without a question."""
        return window.confidence < SURE or self.referee.flicker > FLICKERS

    def _may_be_whole(self, window: Window, half: Position | None) -> Position | None:
        """The play that half a one may be after all, for what the reader says, or for its errors."""
        match = self.referee.match
        cost, likeliest = likeliest_play(match, window)
        if window.readings[-1].is_any_on_line and cost < DOUBT:
            return likeliest
        if self._is_seen_for_long(Found.HALF):
            return None
        # Where a one is owed, two errors in a row make it look so too.
        return next(
            (play for play in match.plays if half is not None and looks_misread(match.board, half, play)),
            None,
        )

    def _starts_where_none_was_seen(self, shown: Position) -> bool:
        """Whether a piece is gone from where it was not seen either when the board was last agreed with."""
        board, record = self.referee.match.board, self.referee.match.position
        missing = {place for place, seen, wanted in self.referee.accounted if not seen and wanted}
        return any(
            place_of(board, colour, steps) in missing
            for colour, was, now in zip(board.seats, record, shown, strict=True)
            for steps in Counter(was) - Counter(now)
        )

    def _may_be_played(self, reading: Reading) -> bool:
        """Whether plays of the dice that were held may have led here, if all is not read quite right, or if
        something else had happened before them than is on record.
        """
        referee, held = self.referee, self.referee.held
        if not 0 < self._plays_unseen() <= MOST_UNSEEN:
            return False
        last = referee.last_play
        befores = (
            referee.match,
            *referee.guesses,
            *self._by_other_dice(),
            *self._by_unnoticed_dice(),
            *(last.others(but=referee.match.position) if last is not None else ()),
            *elsewhere(referee.match, referee.away),
            *across_lines(referee.match, referee.on_lines),
        )
        return any(first_unseen(before, held, reading, within=DOUBT) is not None for before in befores)

    def _suspected(self) -> Suspect | None:
        """What is wrong with the board as it is seen, though nobody can be accused yet."""
        still, match = self.referee.still, self.referee.match
        if still is None or match.awaiting is Awaiting.THROW_OFF:
            return None
        wrong = (Found.WRONG, Found.HALF)
        read = [reading for t, reading in still.recent if t >= still.began]
        typical = still.window(self.t).typical(match.position)
        shown = (
            each.completed(match.position) for each in (typical, *read) if self._explained(each)[0] in wrong
        )
        boards = tuple(dict.fromkeys(board for board in shown if board is not None))
        return Suspect(match, boards, still.since) if boards else None

    def _suspected_before(self, reading: Reading) -> Position | None:
        """The board that was suspected when dice were thrown that are held, if they were played on that."""
        suspect, match = self.referee.suspect, self.referee.match
        if suspect is None or suspect.match is not match or not 0 < self._plays_unseen() <= MOST_UNSEEN:
            return None
        held = self.referee.held
        return next((board for board in suspect.boards if is_played_from(match, board, held, reading)), None)

    def _is_wrong_still(self, still: Stillness) -> bool:
        """Whether a board that did not follow shows under the plays made on it since, and is called.

        It was seen but briefly each time, and yet from first to last for longer than any error lasts.
        """
        suspect = self.referee.suspect
        if suspect is None or self.t < suspect.since + ERRS_S or still.sightings > TRIES or self._is_shaky:
            return False
        wrong = self._suspected_before(still.reading)
        if wrong is None or self._is_unsure(still.window(self.t)) or self._may_be_played(still.reading):
            return False
        self._call_what_stood(wrong)
        return True

    def _is_wrong_since(self, reading: Reading, shown: Position) -> bool:
        """Whether dice were thrown, and played by the rules, on a board that did not follow: it is called."""
        if self._is_shaky:
            return False
        wrong = self._suspected_before(reading)
        if wrong is not None:
            self._call_what_stood(wrong)
            return True
        if self._plays_unseen() == 1:
            wrong = wrong_before(self.referee.match, self.referee.held, reading, shown)
        if wrong is None:
            return False
        self._call_what_stood(wrong)
        # Who moved what of it was not seen.
        self._change(doubts=DOUBTED_FOR)
        return True

    def _call_what_stood(self, wrong: Position) -> None:
        """Accuse of a board on which dice have been thrown already."""
        self._change(asked=None, open_point=None, accused_at=self.t, is_stood=True)
        self._step(self.referee.match.see(wrong))
        self._take_held_throw()

    def _is_lost(self) -> bool:
        """Whether the record may be what is wrong, or too much has happened unseen."""
        return self._is_shaky or self._plays_unseen() > 1

    @property
    def _is_shaky(self) -> bool:
        """Whether the record may be what is wrong."""
        referee = self.referee
        return referee.is_resumed or referee.has_missed or referee.doubts > 0 or referee.mistakes >= MISTAKES

    def _plays_unseen(self) -> int:
        """How many throws were held before a hand was last over the board."""
        still = self.referee.still
        return sum(still is None or told.t < still.began for told in self.referee.held)

    def _moves_by_dice(self, shown: Position) -> bool:
        """Whether only such pieces have been put elsewhere on the board as a play of the throw may move, by
        whatever its dice were read as.
        """
        match = self.referee.match

        def moved(board: Position) -> set[int]:
            return {move.seat for move in moves_between(match.position, board) if move.end != BASE}

        throws = (match, *self._by_other_dice())
        may_move = {each.to_play for each in throws}.union(
            *(moved(play) for each in throws for play in each.plays)
        )
        return moved(shown) <= may_move

    def _name_misplaced(self, reading: Reading) -> None:
        """Out of step: name the next piece that players can put right, unless it was named last."""
        named = self.referee.to_put_right
        pieces = misplaced(self.referee.match.position, reading)
        if not pieces:
            return
        notice = Notice(NoticeKind.PUT_THIS_RIGHT, numbers=(len(pieces) - 1,), piece=pieces[0])
        self._change(to_put_right=notice)
        if named is None or named.piece != notice.piece:
            self._rule(notice)

    def _get_back_in_step(self) -> None:
        """The board is as on record. Nobody is accused yet: that the record is right, a play will tell."""
        self._change(is_resumed=False)
        if self.referee.is_out_of_step:
            self._change(is_out_of_step=False, to_put_right=None)
            self._notice(NoticeKind.BACK_IN_STEP)

    def _is_sure_of_record(self) -> bool:
        """Whether the board has been as on record for longer than any error of the reader's lasts."""
        still = self.referee.still
        return still is not None and still.is_read_long and self.referee.agrees

    def _is_forgiven(self) -> bool:
        still = self.referee.still
        return still is not None and still.reading.key == self.referee.forgiven

    def _seen(self) -> Found | None:
        """What the still board is, judged or not."""
        still = self.referee.still
        return self._explained(still.reading)[0] if still is not None and still.sightings > 1 else None

    def _explained(self, reading: Reading | Window) -> tuple[Found, Position | None]:
        return explained(self.referee.match, reading, was_reached_over=self.referee.was_reached_over)

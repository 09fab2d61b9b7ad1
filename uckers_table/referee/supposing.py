"""What may have happened instead of what is on record: tried before anybody is accused. See `guesses`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, moves_between
from uckers_table.referee.crosscheck import DiceEvent
from uckers_table.referee.events import ThrowMade
from uckers_table.referee.excusing import Excusing
from uckers_table.referee.explaining import DOUBT, FITS, Found, after_shift, explained, likeliest_play
from uckers_table.referee.guesses import MOST as GUESSES
from uckers_table.referee.guesses import (
    Guesses,
    Suspect,
    across_lines,
    as_may_be,
    dice_of,
    elsewhere,
    fewest_moves,
    first_beside,
    first_unseen,
    firsts_unseen,
    is_played_from,
    owes_a_play,
    taken,
    that_fits,
    with_one_at,
    wrong_before,
)
from uckers_table.referee.matching import OnLine, Reading, Window, in_play, may_be_error, next_to, side_at
from uckers_table.referee.rulings import Notice, NoticeKind
from uckers_table.referee.stillness import ERRS_S, ERRS_TWICE_S, Stillness
from uckers_table.referee.taking_back import Act, ActKind
from uckers_table.referee.telling import DOUBTED_FOR

SURE = 0.41
"""Confidence (0 to 1) below which a sighting accuses nobody. The reader gives 0.4 at most to a board on
which something moves by itself, or something lies that it cannot name. Its doubts of one place are told by
place."""
FLICKERS = 0.1
"""Share of the sightings of an untouched board that are read as another one (`stillness.Flicker`). If the
share is larger, the referee only asks."""
FLICKERS_WITH_DICE, DICE_FLICKER = 0.08, 0.05
"""The same share if the camera reads the dice too, and the share for dice that lie there. If either is
larger, the referee only asks."""
MISTAKES = 1
"""After this many accusations taken back in a row, the referee says that it is out of step, and accuses
nobody."""
MOST_UNSEEN = 3
"""At most this many plays that nobody saw are told from the board after the last of them."""
TRIES = 3
"""At most this many sightings that say the same are tried for plays that nobody saw."""
QUICK = 2
"""If dice fall before a play was seen more often than this in a row, people are ahead of the record."""


class Supposing(Excusing):
    """Puts a guess in the place of a record that does not explain the board.

    It also calls what was wrong before, if dice have been thrown on it.
    """

    def _was_played_on(self, reading: Reading, *, try_again: bool, though_void: bool = False) -> bool:
        """Whether the board shows plays of the held dice too. If so, the first of these plays is taken.

        - `try_again`: try a board again that has been seen often enough to be tried (TRIES).
        - `though_void`: try dice as good that were said to be void. The play before them was misread then.
        """
        match, held = self.referee.match, self.referee.held
        still = self.referee.still
        # A held throw may have been told late, when the board had already been seen for long.
        is_tried = still is not None and still.sightings > TRIES and len(held) > 1
        if still is None or self._plays_unseen() > MOST_UNSEEN or (is_tried and not try_again):
            return False
        if though_void:
            held = (*self.referee.voided, *held)
            may_be = held if self.referee.voided else ()
        else:
            may_be = held[: len(held) - still.unplayed]
        if len(dice_of(may_be)) > MOST_UNSEEN:
            # It takes too long to find out where so many throws may have led, even if a hand was there before
            # them.
            return False
        firsts = firsts_unseen(match, may_be, reading)
        first = next(firsts, None)
        if first is None or self._suspected_before(reading) is not None or self._has_changed_untouched(still):
            return False
        doubtful = self._suspected_before(reading, in_doubt=True) or self._shifted_before(reading)
        were_void = though_void and any(told.dice in self.referee.too_early for told in self.referee.voided)
        self.referee = replace(self.referee, held=held, voided=())
        if first != match.position:
            guesses = tuple(playing.see(match, other).match for other in islice(firsts, GUESSES))
            self.referee = replace(self.referee, last_play=None, guesses=guesses)
            self._play_unseen(first, reading)
        self._take_held_throw()
        if though_void:
            self._guess(match)
        if though_void or match.wrong_board is not None:
            # The dice may have been void, also on a called board, and the turn may be another side's.
            self._doubt_record()
        if doubtful is not None:
            # Or the board before the throw was just what it looked like, and was played on.
            self._ask_and_doubt(self._doubt_moved(doubtful, reading.completed(doubtful) or first))
        elif were_void:
            # People were told that these dice were void. Nobody can have played before they fell.
            self._ask(self._doubt_moved(first, reading.completed(first) or first))
        return True

    def _play_unseen(self, play: Position, reading: Reading) -> None:
        """Take a play that was not seen by itself. The dice may tell on which side of a line it ended."""
        self._decide(reading.near_lines(play), play)
        self._step(playing.see(self.referee.match, play))

    def _decide(self, on_lines: Iterable[OnLine], play: Position) -> None:
        """Note the lines at which the dice tell on which side a piece stands that was just played.

        - `Referee.decided`: no play takes the piece beyond the line.
        - `Referee.halves`: only half a play takes it beyond the line.
        """
        match = self.referee.match
        if not owes_a_play(match):
            return
        decided, halves = {*self.referee.decided}, {*self.referee.halves}
        for line in on_lines:
            seat, steps, beyond = line
            across = with_one_at(play, seat, steps, beyond)
            if play[seat].count(steps) > match.position[seat].count(steps) and across not in match.plays:
                (halves if across in match.halfway else decided).add(line)
        self.referee = replace(self.referee, decided=frozenset(decided), halves=frozenset(halves))

    def _ask_and_doubt(self, question: Notice, innocent: Position | None = None) -> None:
        """Ask whether a suspected board has been played on. If it has, the record and the turn are wrong."""
        self._ask(question, innocent)
        self._doubt_record()

    def _has_changed_untouched(self, still: Stillness) -> bool:
        """Whether the board was read otherwise a moment ago, just as readers err, with no hand between."""
        board, seen = self.referee.match.board, still.reading.seen
        return not still.is_read_long and any(
            may_be_error(board, before.seen, seen) for before in still.before
        )

    def _has_guessed(self, reading: Reading, *, at_once: bool, is_riddle: bool) -> bool:
        """Whether a guess explains the board. If so, that guess takes the place of the record.

        Half a play by a guess explains a riddle, but it is no better than half a play on record. Misread dice
        are considered only late: a slip of the hand would have been put right by then.
        """
        last, match, still = self.referee.last_play, self.referee.match, self.referee.still
        if match.wrong_board is not None:
            return self._is_taken_back(reading)
        if self.referee.held or still is None:
            return False
        if not (self.referee.was_reached_over or still.is_read_long):
            # Nobody touched the board, so it is as it was. The reader may err for a moment.
            return False
        is_late = at_once or still.is_long(self.t)
        if owes_a_play(match) and not is_late:
            # A slip of the hand may look like the play of other dice.
            return False
        guess = self._other_throw_that_fits(reading, is_late=is_late)
        if guess is None and at_once and (guess := that_fits(self.referee.turns, reading)) is not None:
            # People go on. They are asked in passing whether it was this side that played.
            self._ask(self._doubt(reading))
        is_played_otherwise = False
        if guess is None and last is not None:
            guess = that_fits(self._but_beyond_lines(last.others(but=match.position), reading), reading)
            as_told = replace(last, or_by=()).others(but=match.position)
            is_played_otherwise = guess is not None and guess not in as_told
            # A piece that is seen nowhere was hardly taken back, nor was a piece that nobody has touched.
            is_untouched = last.is_seen_again and not self.referee.was_reached_over
            unfinished = () if is_untouched or reading.vanished(match.position) else last.unfinished
            if guess is None and that_fits(unfinished, reading, or_half=is_riddle, but=match.position):
                # The turn and the throw are as sure as before.
                self._take_for(last.match, doubts=self.referee.doubts)
                return True
        guess = guess or that_fits(self._elsewhere(reading), reading)
        guess = guess or that_fits(self._across_lines(reading), reading, or_half=is_riddle)
        if guess is None or self._unsays_record(guess, reading):
            return False
        if is_played_otherwise or self._unsays_call(guess) or self._unsays_dice(guess):
            # There are two cases. The record had a play of the dice as told, from where the pieces were taken
            # to stand: now it is a play of what else they may have been. Or a board that was called, and
            # stood, counts as right now.
            self._ask(self._doubt(reading))
        self._take_for(guess)
        return True

    def _other_throw_that_fits(self, reading: Reading, *, is_late: bool) -> Match | None:
        """The guess that the board shows. If it is late, what else the dice may have been is tried too.

        Leaves out guesses that may only be asked about:
        - a piece beyond a line that is now seen to stand there;
        - dice that people were told are void;
        - dice that fell before anybody can have played;
        - what the last dice were read as before they were read as told for long.
        """
        refuted = self.referee.dice.refuted
        by_refuted = (each for each in self._other_guesses if owes_a_play(each) and each.thrown in refuted)
        not_these = (*self._by_void_dice(), *self.referee.hardly, *by_refuted)
        guesses = [
            guess for guess in self._but_beyond_lines(self._other_guesses, reading) if guess not in not_these
        ]
        if is_late:
            guesses += (*self._by_other_dice(likely=True), *self._by_unnoticed_dice())
        return that_fits(guesses, reading)

    def _unsays_call(self, guess: Match) -> bool:
        """Whether by a guess the last called board was right, though it stood.

        The dice in hand had been thrown on that board before it was called.
        """
        called = self._last_called
        return (
            called is not None
            and self.referee.accused_at > self.referee.thrown_at
            and (called.position, called.wrong_board) == (guess.position, self.referee.match.position)
        )

    def _unsays_dice(self, guess: Match) -> bool:
        """Whether by a guess a piece stood beyond a line, though the dice had taken it only to this side."""
        record = self.referee.match.position
        return any(
            guess.position[seat].count(steps) < record[seat].count(steps)
            and guess.position[seat].count(beyond) > record[seat].count(beyond)
            for seat, steps, beyond in self.referee.decided
        )

    def _unsays_record(self, guess: Match, reading: Reading) -> bool:
        """Whether by a guess the reader errs just where it sees the record, as it did before a hand came."""
        match, before = self.referee.match, self._seen_as_on_record
        if before is None or before.reading.completed(match.position) != match.position:
            return False
        board = min(as_may_be(guess), key=lambda each: reading.cost(each, guess.position))
        return reading.shows_rather(match.position, board, guess.position)

    def _elsewhere(self, reading: Reading) -> Iterator[Match]:
        """The match if a piece in base is at home instead, or the other way round.

        All pieces of that colour in play must be seen in their places. Otherwise one of them may have been
        put there.
        """
        match = self.referee.match
        shown = in_play(match.board, reading.seen)
        for guess in elsewhere(match, self.referee.away):
            wanted = in_play(match.board, guess.position)
            boards = zip(match.position, guess.position, shown, wanted, strict=True)
            if all(was == is_now or seen == due for was, is_now, seen, due in boards):
                yield guess

    def _by_void_dice(self) -> Guesses:
        """The guesses by which dice are played that were said to be void.

        The side whose throw is in hand may play them, as read or as misread. If the tower read them, any side
        may: the tower does not misread.
        """
        voided = self.referee.voided
        void = {*self.referee.too_early, *(told.dice for told in voided)}
        if void:
            # Or what they were misread as.
            void |= {*self.referee.dice.doubted, *self.referee.dice.refuted}
        void_for_all = {told.dice for told in voided if told.source == "tower"}
        side = self.referee.match.to_play
        return tuple(
            guess
            for guess in self._other_guesses
            if owes_a_play(guess) and guess.thrown in (void if guess.to_play == side else void_for_all)
        )

    def _across_lines(self, reading: Reading) -> Iterator[Match]:
        """The match if a piece that stood near a line stood beyond it.

        Leaves out
        - a piece that the likeliest play would bring just back to where it stands;
        - a piece that half a play had taken beyond the line, if it was played on since.
        """
        for line in self._lines(reading):
            if line in self.referee.halves:
                continue
            seat, steps, beyond = line
            for guess in across_lines(self.referee.match, (line,)):
                _, play = likeliest_play(guess, reading)
                moves = moves_between(guess.position, play)
                if not any((move.seat, move.start, move.end) == (seat, beyond, steps) for move in moves):
                    yield guess

    def _lines(self, reading: Reading) -> Iterator[OnLine]:
        """The lines near which a piece stood that may have been played from beyond.

        Leaves out
        - a piece that the dice had taken only to this side;
        - a piece that now stands beyond the line: it may have been moved there, and not played.
        """
        beyond = {*self._beyond_lines(reading)}
        return (each for each in self.referee.on_lines if each not in self.referee.decided | beyond)

    def _beyond_lines(self, reading: Reading) -> Iterator[OnLine]:
        """The lines beyond which a piece stands now that was taken to stand on this side."""
        record = self.referee.match.position
        for seat, steps, beyond in self.referee.on_lines:
            if reading.seen[seat].count(beyond) > record[seat].count(beyond):
                yield seat, steps, beyond

    def _but_beyond_lines(self, guesses: Iterable[Match], reading: Reading) -> Iterator[Match]:
        """The guesses without those by which a piece stood beyond a line before it was seen there."""
        record, beyond = self.referee.match.position, [*self._beyond_lines(reading)]
        for guess in guesses:
            if all(guess.position[seat].count(at) <= record[seat].count(at) for seat, _, at in beyond):
                yield guess

    def _is_taken_back(self, reading: Reading) -> bool:
        """Whether somebody who was called has put back the called move, and the play before it too.

        If so, the match before that play takes the place of the record.
        """
        match = self.referee.match
        before = next(
            (each for each in reversed(self.referee.earlier) if each.position != match.position), None
        )
        if before is None or not owes_a_play(before) or reading.cost(before.position, match.position) > FITS:
            return False
        if reading.vanished(match.position):
            # A piece that is seen nowhere may still be on its way.
            return False
        self._take_for(before)
        return True

    def _is_there_still(self, reading: Reading, play: Position) -> bool:
        """Whether a piece that was said to be none still stands there, and a guess fits if it is one.

        If so, that guess takes the place of the record.
        """
        bare = replace(reading, accounted=frozenset())
        is_there = bare.shows_more(play) and not reading.shows_more(play)
        guess = that_fits(self._other_guesses, bare) if is_there else None
        if guess is None:
            return False
        self._take_for(guess)
        return True

    def _take_for(self, guess: Match, *, doubts: int = DOUBTED_FOR) -> None:
        """Put a guess in the place of the record, which is then in doubt for `doubts` plays.

        Dice that only the record has in hand count as void: they were thrown on the play that the guess still
        owes.
        """
        match, voided = self.referee.match, self.referee.voided
        is_by_other_dice = guess.thrown in self.referee.dice.doubted
        is_after = owes_a_play(match) and owes_a_play(guess) and match.thrown != guess.thrown
        if is_after and not is_by_other_dice:
            self.referee = replace(self.referee, voided=(*voided, ThrowMade(self.t, match.thrown)))
        self._remember(Act(ActKind.REVISED, match, self.t))
        self.replaced = (match,)
        looked_for = self.referee.looked_for | self._now_among_its_own(guess.position)
        guesses = tuple(each for each in self.referee.guesses if each != guess)
        self.referee = replace(
            self.referee.with_match(guess), looked_for=looked_for, guesses=guesses, turns=()
        )
        self.referee = replace(self.referee, last_play=None, doubts=doubts)
        self._notice(NoticeKind.REVISED)

    def _now_among_its_own(self, position: Position) -> frozenset[tuple[int, int]]:
        """The pieces, by seat and steps, that come to stand among others of their side in a position.

        On record they are in base, where nobody has seen them, or further on. Only a knocked-off piece comes
        back.
        """
        match, away = self.referee.match, self.referee.away
        return frozenset(
            (move.seat, move.end)
            for move in moves_between(match.position, position)
            if (away and away[move.seat][0] if move.start == BASE else BASE < move.end < move.start)
            and side_at(match.board, position, move.seat, match.board.place(move.seat, move.end)) > 1
        )

    def _is_unsure(self, window: Window) -> bool:
        """Whether the reader is too unsure, or errs too often, to be believed without a question."""
        return window.confidence < SURE or self._flickers

    @property
    def _flickers(self) -> bool:
        """Whether the reader errs more often than a usual one."""
        board, dice = self.referee.flicker.often, self.referee.dice_flicker.often
        if self.referee.reads_dice:
            return board > FLICKERS_WITH_DICE or dice > DICE_FLICKER
        return board > FLICKERS

    def _may_be_played(self, window: Window) -> bool:
        """Whether plays of held dice, or of dice that were said to be void, may have led here.

        Something may be misread, or something else may have happened before them than is on record.
        """
        referee, held = self.referee, self.referee.held
        told = []
        if 0 < self._plays_unseen() <= MOST_UNSEEN:
            told.append(held)
        if referee.voided and not referee.hardly:
            if len(referee.voided) + len(held) > MOST_UNSEEN:
                # Nobody knows where so many throws may have led.
                return True
            told.append((*referee.voided, *held))
        if not told:
            return False
        befores = (referee.match, *self._whatever_else(), *self._by_doubted_dice())
        return any(
            first_unseen(before, throws, window, within=DOUBT) is not None
            for before in befores
            for throws in told
        )

    def _is_nearly_played(self, reading: Reading) -> bool:
        """Whether plays of held dice lead to what is seen, except for one piece on the next square."""
        match, held = self.referee.match, self.referee.held
        nearly = next_to(reading, match.position)
        return any(first_unseen(match, held, each) is not None for each in nearly)

    def _suspected(self) -> Suspect | None:
        """What is wrong with the board as it is seen, though nobody can be accused yet; else None."""
        still, match = self.referee.still, self.referee.match
        if still is None or match.awaiting is Awaiting.THROW_OFF:
            return None
        read = [reading for t, reading in still.recent if t >= still.began]
        typical = still.window(self.t).typical(match.position)
        clear = [each for each in (typical, *read) if each.sighting.confidence >= SURE]

        boards: dict[Position, None] = {}
        excused: dict[Position, None] = {}
        in_doubt: dict[Position, None] = {}
        for each in clear:
            found, board = self._explained(each)[0], each.completed(match.position)
            if board is None:
                continue
            if found in (Found.DOUBTFUL, Found.HALF_IN_DOUBT):
                in_doubt[board] = None
            elif found in (Found.WRONG, Found.HALF):
                # Nobody knows where a piece was put that is seen nowhere: it may have come home.
                is_excused = each.vanished(match.position) or self._may_be_otherwise(each, found, board)
                (excused if is_excused else boards)[board] = None
        suspect = Suspect(match, still.since, (*boards,), (*excused,), (*in_doubt,))
        return suspect if boards or excused or in_doubt else None

    @property
    def _suspect(self) -> Suspect | None:
        """What was suspected, if the match is still the same."""
        suspect = self.referee.suspect
        return suspect if suspect is not None and suspect.match is self.referee.match else None

    def _is_riddle(self, still: Stillness) -> bool:
        """Whether people played held dice, and nothing known or suspected explains the board."""
        return (
            still.sightings > 1
            and self._plays_unseen() > 0
            and self._explained(still.reading)[0] in (Found.WRONG, Found.DOUBTFUL)
            and self._suspected_before(still.reading) is None
        )

    def _acquit(self, reading: Reading) -> None:
        """Suspect nothing any more if the board is read rightly before a hand is over it again."""
        suspect, still = self._suspect, self.referee.still
        if suspect is None or still is None:
            return
        is_untouched = still.began <= suspect.since
        if is_untouched and self._explained(reading)[0] in (Found.RECORD, Found.LEGAL):
            self.referee = replace(self.referee, suspect=None)

    def _suspected_before(self, reading: Reading, *, in_doubt: bool = False) -> Position | None:
        """The board that was suspected when the held dice were thrown, if they were played on it; else None.

        `in_doubt`: one of the boards that may have been right instead.
        """
        suspect = self._suspect
        if suspect is None:
            return None
        boards = (*suspect.in_doubt, *suspect.excused) if in_doubt else suspect.boards
        return self._played_from(boards, reading)

    def _looked_wrong_before(self, reading: Reading) -> Position | None:
        """The board that looked wrong when the held dice were thrown, if they were played on it; else None.

        A board that is excused counts too.
        """
        suspect = self._suspect
        return self._played_from(suspect.all_wrong, reading) if suspect is not None else None

    def _played_from(self, boards: Iterable[Position], reading: Reading) -> Position | None:
        """The first of these boards that the held dice were played on; None if there is none."""
        match, held = self.referee.match, self.referee.held
        if not 0 < self._plays_unseen() <= MOST_UNSEEN:
            return None
        return next((board for board in boards if is_played_from(match, board, held, reading)), None)

    def _shifted_before(self, reading: Reading) -> Position | None:
        """The board that was suspected when the held dice were thrown, though no play was due; else None.

        A piece moved on that board must have gone on since. The board must not differ just as readers err.
        """
        suspect, match = self._suspect, self.referee.match
        if suspect is None or owes_a_play(match):
            return None
        record = match.position
        for board in suspect.all_wrong:
            if not may_be_error(match.board, record, board) and any(
                reading.seen[move.seat].count(move.start) < record[move.seat].count(move.start)
                for move in moves_between(record, board)
            ):
                return board
        return None

    def _has_suspected(self, wrong: Position, shown: Position) -> bool:
        """Whether a wrong board has all that looked wrong when dice were thrown and is so still."""
        record, seen = self.referee.match.position, self._suspected_of(shown, None)
        return seen is None or {*moves_between(record, seen)} <= {*moves_between(record, wrong)}

    def _suspected_of(self, shown: Position, wrong: Position | None) -> Position | None:
        """The part of a wrong board that was seen when the held dice were thrown; None if there is none.

        `wrong` is the board that would explain all, if the dice were played on it.
        """
        suspect, match = self._suspect, self.referee.match
        if suspect is None or self._plays_unseen() != 1:
            return None
        if wrong is None and owes_a_play(match):
            # Dice thrown before the play in hand was made may be void. Then they were thrown on nothing.
            return None
        all_moves = {*moves_between(match.position, wrong)} if wrong is not None else None
        for board in suspect.boards:
            moves = moves_between(match.position, board)
            if all_moves is not None and not {*moves} < all_moves:
                continue
            if all(
                shown[move.seat].count(move.start) <= board[move.seat].count(move.start) for move in moves
            ):
                return board
        return None

    def _is_wrong_still(self, still: Stillness) -> bool:
        """Whether a board that did not follow shows under the plays made on it since. If so, it is called.

        Each time it was seen only briefly, but from first to last for longer than any error lasts.
        """
        suspect = self.referee.suspect
        if suspect is None or self.t < suspect.since + ERRS_S or still.sightings > TRIES or self._is_shaky:
            return False
        wrong, window = self._suspected_before(still.reading), still.window(self.t)
        if wrong is None and self.t >= suspect.since + ERRS_TWICE_S and self._plays_unseen() == 1:
            wrong = self._left_and_played(still.reading)
        if wrong is None or self._is_unsure(window) or self._may_be_played(window):
            return False
        is_nearly = not still.is_read_long and self._is_nearly_played(still.reading)
        if is_nearly and not self._stands_as_suspected(wrong, still.reading):
            # The board was misread then, and another piece is misread now.
            return False
        since = len(self.rulings)
        self._call_what_stood(wrong)
        # Whoever threw too early has seen the play since.
        self._leave_unspoken(since, Kind.VOID)
        return True

    def _stands_as_suspected(self, wrong: Position, reading: Reading) -> bool:
        """Whether what seemed moved when the board was suspected is seen there again, and no play was due.

        Readers hardly err twice in the same way.
        """
        moves = moves_between(self.referee.match.position, wrong)
        return not owes_a_play(self.referee.match) and all(
            reading.seen[move.seat].count(move.end) >= wrong[move.seat].count(move.end) for move in moves
        )

    def _left_and_played(self, reading: Reading) -> Position | None:
        """The suspected board on which the throw in hand is played now; None if there is none.

        The held dice were thrown on that board before this play: they came too early.
        """
        suspect, match = self._suspect, self.referee.match
        if suspect is None or not owes_a_play(match):
            return None
        for board in suspect.boards:
            left = after_shift(playing.see(match, board).match)
            if left is not None and likeliest_play(left, reading)[0] <= FITS:
                return board
        return None

    def _is_wrong_since(self, reading: Reading, shown: Position) -> bool:
        """Call a board that did not follow, if dice were thrown on it and played by the rules. True if so."""
        if self._is_shaky:
            return False
        wrong = self._suspected_before(reading)
        if wrong is not None:
            self._call_what_stood(wrong)
            return True
        suspect = self.referee.suspect
        if (suspect is None or not suspect.boards) and self._was_played_beside(shown):
            # Nothing looked wrong when the dice were thrown.
            return True
        if self._plays_unseen() == 1:
            wrong = wrong_before(self.referee.match, self.referee.held, reading, shown)
        if wrong is not None and not self._has_suspected(wrong, shown):
            wrong = None
        seen = self._suspected_of(shown, wrong)
        if seen is not None:
            self._call_what_stood(seen)
        elif wrong is not None:
            question, others = self._unnamed(wrong, shown), self._if_suspected()
            self._call_what_stood(wrong)
            # Nobody saw who moved what of it.
            self._doubt_record()
            self._guess(*(each for each in others if each != self.referee.match))
            if question is not None:
                self._ask(question)
        return seen is not None or wrong is not None

    def _if_suspected(self) -> Guesses:
        """The match if the board really was wrong, as it looked when the held throw was made."""
        suspect, match, told = self._suspect, self.referee.match, self.referee.held[0]
        if suspect is None:
            return ()
        afters = (
            taken(playing.see(match, board).match, told, by_the_rules=True) for board in suspect.all_wrong
        )
        return tuple(after for after in afters if after is not None)

    def _unnamed(self, wrong: Position, shown: Position) -> Notice | None:
        """The question about what looked wrong when dice were thrown and is no part of the call; else None.

        It may have been played on since, or it may be the play of those dice.
        """
        suspect, match = self._suspect, self.referee.match
        if suspect is None:
            return None
        called = moves_between(match.position, wrong)
        for board in suspect.all_wrong:
            moves = [move for move in moves_between(match.position, board) if move not in called]
            seats = {move.seat for move in moves}
            moves += [move for move in moves_between(board, shown) if move.seat in seats]
            ends = {(move.seat, move.end): None for move in moves}
            if places := [match.board.place(seat, end) for seat, end in ends if end in shown[seat]]:
                return Notice.check(places)
        return None

    def _was_played_beside(self, shown: Position) -> bool:
        """Whether the throw in hand and the held one were played, and one piece was moved beside them.

        If so, the first play is taken.
        """
        if self._is_shaky or self._plays_unseen() != 1:
            return False
        first = first_beside(self.referee.match, self.referee.held[0], shown)
        if first is None:
            return False
        self._step(playing.see(self.referee.match, first))
        self._take_held_throw()
        return True

    def _call_what_stood(self, wrong: Position) -> None:
        """Accuse somebody of a board on which dice have been thrown already."""
        self._take_dice_that_explain_more(wrong)
        self.referee = replace(self.referee, asked=None, open_point=None, accused_at=self.t)
        self._step(playing.see(self.referee.match, wrong))
        self._take_held_throw()

    def _take_dice_that_explain_more(self, wrong: Position) -> None:
        """Take the dice in hand for what else they may be, if that explains more of a wrong board.

        Nobody is called for a move that follows once misread dice are read rightly.
        """
        match, voided = self.referee.match, self.referee.voided
        if not owes_a_play(match):
            return
        others = (
            each
            for each in (*self._by_doubted_dice(), *self._other_guesses)
            if owes_a_play(each) and (each.position, each.to_play) == (match.position, match.to_play)
        )

        def unexplained(by: Match) -> int:
            return len(fewest_moves(by.plays, wrong))

        likeliest = min((match, *others), key=unexplained)
        if likeliest is not match:
            # The turn, and what was played before, are as sure as they were.
            self._take_for(likeliest, doubts=self.referee.doubts)
            self.referee = replace(self.referee, voided=voided)

    def _is_lost(self) -> bool:
        """Whether the record may be wrong, or more than one play was made unseen."""
        return self._is_shaky or self._plays_unseen() > 1

    @property
    def _is_shaky(self) -> bool:
        """Whether the record may be wrong."""
        return self._has_lost_track or self.referee.doubts > 0 or self.referee.quick > QUICK

    @property
    def _has_lost_track(self) -> bool:
        """Whether nobody watched for a while, a play was missed, or accusations were taken back."""
        referee = self.referee
        return referee.is_resumed or referee.has_missed or referee.mistakes >= MISTAKES

    def _plays_unseen(self) -> int:
        """How many throws were held before a hand was last over the board."""
        still = self.referee.still
        return sum(still is None or told.t < still.began for told in self._dice_held)

    @property
    def _dice_held(self) -> tuple[DiceEvent, ...]:
        """The dice among all that is held. A call gives nobody a play, and ends no play."""
        return dice_of(self.referee.held)

    def _explained(self, reading: Reading | Window) -> tuple[Found, Position | None]:
        match = self.referee.match
        found, position = explained(match, reading, was_reached_over=self.referee.was_reached_over)
        if found in (Found.HALF, Found.HALF_IN_DOUBT) and self._is_as_before_hand(reading):
            # A stack may hide the piece that half a play would bring there. Nothing tells that it has come.
            return Found.RECORD, match.position
        return found, position

    def _is_as_before_hand(self, reading: Reading | Window) -> bool:
        """Whether a board that may be as on record is seen just as it was before any hand came."""
        record, before = self.referee.match.position, self._seen_as_on_record
        if before is None or reading.cost(record, record) > FITS:
            return False
        readings = reading.readings if isinstance(reading, Window) else (reading,)
        return all(each.key == before.reading.key for each in readings)

"""What the still board is: a play, half a play, a wrong board, or a question. `referee` has the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile, groupby, takewhile

from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import Move, moves_between
from uckers_table.referee.catching_up import lagging
from uckers_table.referee.explaining import DOUBT, FITS, Found, likeliest_play
from uckers_table.referee.guesses import MOST as GUESSES
from uckers_table.referee.guesses import (
    NEARLY_ALIKE,
    Gone,
    Guesses,
    LastPlay,
    SeenBefore,
    across_lines,
    all_seen,
    as_made,
    as_may_be,
    fewest_moves,
    owes_a_play,
    plays_alike,
    taken_in_turn,
    that_fits,
    with_one_at,
)
from uckers_table.referee.matching import (
    LOOKED_FOR,
    UNSEEN,
    Account,
    OnLine,
    Reading,
    Window,
    as_contents,
    in_play,
    looks_misread,
    may_be_error,
    pieces_at,
    places_moved,
    side_at,
)
from uckers_table.referee.putting_right import misplaced
from uckers_table.referee.rulings import CHECK_DICE, Notice, NoticeKind
from uckers_table.referee.stillness import ERRS_S, ERRS_TWICE_S, ILLEGAL_AFTER_S, LEGAL_AFTER_S, Stillness
from uckers_table.referee.supposing import Supposing
from uckers_table.referee.telling import Question, moves_own

ACCUSING_SIGHTINGS = 3
"""An accusation needs at least this many recent sightings (`Stillness.recent`)."""
FRESH_S = 1.0
"""Seconds. An accusation that falls due by time needs a sighting no older than this: a camera that stopped
proves nothing."""
STALE_S = 5.0
"""Seconds. A throw or `done` has the board judged if it was seen no longer ago than this."""
LEAVING_S = 1.5
"""Seconds. After a throw a hand may take this long to leave the board. A hand that stays longer may be
playing."""
GONE_S = 6.2
"""Seconds, twice as long as two errors last. A piece of a stack that was seen until a hand came, and has been
missed for this long, is asked about. The stack may hide it. Readers miss pieces for longer, but seldom just
when a hand was there."""
TIPPED = 2
"""Pieces. If this many or more were in play and all are gone at once, the board was probably tipped up."""


class Judging(Supposing):
    """Judges the still board, and accuses where nothing else explains it."""

    def _judge(self, *, at_once: bool = False, is_mended: bool = False) -> None:
        """Judge the still board.

        - `at_once`: judge it as if it had been still for long enough. Half a play is judged too.
        - `is_mended`: the record has just changed, so the board is judged again.
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
            self._judge_as_on_record(still, at_once=at_once)
        elif found is Found.LEGAL and position is not None:
            self._judge_play(still, position, at_once=at_once)
        elif found is Found.PLAYED_ON and match.wrong_board is not None:
            self._judge_played_on(still, match.wrong_board, position, at_once=at_once)
        elif found is Found.CALLED:
            self._nothing_more()
            if at_once or self._plays_unseen() == 0:
                self._go_on_with(self.referee.held)
        else:
            self._judge_riddle(still, found, position, at_once=at_once, is_mended=is_mended)

    def _judge_as_on_record(self, still: Stillness, *, at_once: bool) -> None:
        """The board is seen as on record. If it was read otherwise just now, wait or ask instead."""
        match = self.referee.match
        if not at_once and self._seems_left(still.reading):
            if self._seems_left(still.window(self.t)):
                doubt = self._doubt(still.reading, match.position, self._before_last_play)
                self._ask_if_long(still, doubt, match.position)
        elif (self.referee.held and self._seemed_played) or (
            match.behind is not None and self._seemed(Found.ON_ITS_WAY)
        ):
            # Wait. If it is still so in a moment, the dice came too early, or what a ruling moved has been
            # moved.
            return
        elif not at_once and (wrong := self._shown_wrong(still, match.position)):
            self._ask_if_long(still, self._doubt_moved(match.position, wrong), match.position)
        elif self.referee.held and self._was_played_unseen():
            # Whatever was misread when the dice were thrown hides nothing of this play.
            self._take_likeliest_play()
        else:
            self._take_as_on_record(still.reading)

    def _take_as_on_record(self, reading: Reading) -> None:
        """Take the board as on record. Questions about it are answered, and held dice count."""
        match = self.referee.match
        if self.referee.is_asking:
            self.referee = replace(self.referee, asked=None, open_point=None)
        self.referee = replace(self.referee, question=None)
        self._nothing_more()
        shifted = self._looked_wrong_before(reading)
        # While a play is due, a difference may be that play. The next throw will tell.
        if not owes_a_play(match):
            last = self.referee.last_play
            if last is not None and self.referee.was_reached_over:
                self.referee = replace(self.referee, last_play=replace(last, is_seen_again=True))
            self._agree(reading, match.position)
        self.referee = replace(self.referee, guesses=all_seen(self.referee.guesses, reading))
        self._step(playing.see(match, match.position))
        self._get_back_in_step()
        self._take_held(all_of_it=True)
        if shifted is not None:
            # The board looked wrong when the dice were thrown. They may have taken the piece back to where it
            # was.
            self._ask_and_doubt(self._doubt_moved(shifted, match.position))

    def _judge_play(self, still: Stillness, play: Position, *, at_once: bool) -> None:
        """The board is seen as a play of the throw in hand leaves it."""
        if not at_once and self._was_shown_otherwise(play, still.reading):
            self._ask_if_long(still, self._doubt(still.reading), play)
        elif not at_once and (wrong := self._shown_wrong(still, play)):
            self._ask_if_long(still, self._doubt_moved(play, wrong), play)
        elif self._is_there_still(still.reading, play):
            self._judge(at_once=at_once, is_mended=True)
        elif not self._may_be_error(still, play, at_once=at_once):
            shifted = self._looked_wrong_before(still.reading)
            self._recognise(still.reading, play)
            if shifted is not None:
                # Or the board was wrong at the throw, and the dice were played on it.
                self._ask_and_doubt(self._doubt_moved(shifted, play), self.referee.match.position)

    def _judge_played_on(
        self, still: Stillness, wrong: Position, position: Position | None, *, at_once: bool
    ) -> None:
        """The throw in hand was played on the `wrong` board that was called."""
        match = self.referee.match
        if still.began > self.referee.accused_at:
            self._step(playing.placed(match, wrong))
            # The wrong board may still be put right.
            self._guess(match.uncalled)
            self._judge(at_once=at_once, is_mended=True)
        else:
            # No hand has come since the call. What is seen was part of what was called.
            self._nothing_more()
            self.referee = self.referee.with_match(replace(match, wrong_board=position))

    def _judge_riddle(
        self, still: Stillness, found: Found, position: Position | None, *, at_once: bool, is_mended: bool
    ) -> None:
        """The board does not follow from the record: mend the record, wait, ask, or weigh the board."""
        match = self.referee.match
        if self._is_mended(found, still.reading, at_once=at_once, try_again=is_mended):
            self._judge(at_once=at_once, is_mended=True)
        elif at_once and found is Found.ON_ITS_WAY and position and (left := self._left_behind(position)):
            self._nothing_more()
            self._ask(Notice.check(left))
        elif (
            found is Found.ON_ITS_WAY
            or (found in (Found.HALF, Found.HALF_IN_DOUBT) and not at_once and not self._is_thrown_on(still))
            or self._is_forgiven()
        ):
            self._nothing_more()
            if found is Found.ON_ITS_WAY and match.wrong_board is not None:
                # The rest of a wrong board has been called with it.
                self.referee = self.referee.with_match(replace(match, wrong_board=position))
        elif found is Found.WRONG and self._is_wrong_still(still):
            self._judge(is_mended=True)
        elif self._may_accuse(still, at_once=at_once):
            self._weigh(still, found, at_once=at_once)

    def _ask_if_long(self, still: Stillness, question: Notice, innocent: Position) -> None:
        """Ask about a board once it has been still for as long as an accusation needs."""
        if self._may_accuse(still, at_once=False):
            self._nothing_more()
            self._ask(question, innocent)

    def _was_shown_otherwise(self, play: Position, reading: Reading) -> bool:
        """Whether the board rather shows another play, or half of one, that was seen before a hand came.

        It was seen exactly then, and fits exactly now wherever `play` does not.
        """
        match, shown = self.referee.match, self.referee.shown
        if shown is None or shown.record != match.position:
            return False
        before = shown.reading.completed(match.position)
        if before is None or not (before in match.plays or before in match.halfway):
            return False
        return reading.shows_rather(before, play, match.position)

    def _shown_wrong(self, still: Stillness, position: Position) -> Position | None:
        """The wrong board that was seen a moment ago and may still be there; None if there is none.

        No hand came between. The reader calls that board likely now. What is seen is not exactly `position`.
        """
        record = self.referee.match.position
        if still.reading.cost(position, record) == 0:
            return None
        befores = (each for each in still.before if self._explained(each)[0] is Found.WRONG)
        boards = (each.completed(record) for each in befores)
        return next((each for each in boards if each and still.reading.cost(each, record) <= FITS), None)

    def _is_thrown_on(self, still: Stillness) -> bool:
        """Whether dice were thrown on the board as it stands. Then whoever was playing is done."""
        if any(not keys or still.reading.key in keys for keys in still.thrown_on):
            return True
        return any(still.began - LEAVING_S < told.t < still.began for told in self._dice_held)

    @property
    def _before_last_play(self) -> Position:
        """The board before the last recognised play.

        Once that play can have been no other, it is the board on record.
        """
        last = self.referee.last_play
        return last.match.position if last is not None else self.referee.match.position

    def _seems_left(self, reading: Reading | Window) -> bool:
        """Whether a piece that the last play knocked off seems to stand there still. The reader doubts it."""
        before, record = self._before_last_play, self.referee.match.position
        return before != record and reading.cost(record, before) > FITS

    @property
    def _seemed_played(self) -> bool:
        """Whether a play that is due may have been made, though the board is as on record now.

        A moment ago the board was read as that play or half of it. Or the reader calls the play likely.
        """
        is_due = owes_a_play(self.referee.match)
        return is_due and (self._seemed(Found.LEGAL, Found.HALF) or self._may_be_played_already)

    @property
    def _may_be_played_already(self) -> bool:
        """Whether the reader calls it likely that pieces stand wherever some play brings them.

        This counts only soon after a hand was there, while the reader may still err.
        """
        still, match = self.referee.still, self.referee.match
        if still is None or still.is_read_long or not self.referee.was_reached_over:
            return False
        reading, record = still.reading, match.position

        def is_likely(play: Position) -> bool:
            costs, board = reading.costs(play, record), match.board
            moves = [move for move in moves_between(record, play) if move.end != BASE]
            # A piece that is seen nowhere is not known to have come home.
            return all(
                move.end != board.home and costs.get(board.place(move.seat, move.end), 0.0) <= FITS
                for move in moves
            )

        return any(is_likely(play) for play in match.plays if play != record)

    def _seemed(self, *founds: Found) -> bool:
        """Whether the board was read as one of these a moment ago, with no hand between."""
        still = self.referee.still
        if still is None or still.is_read_long:
            return False
        return any(self._explained(before)[0] in founds for before in still.before)

    def _as_whole(self, found: Found, half: Position | None) -> tuple[Found, Position | None]:
        """Half a play with no more to come, taken for a whole one if that fits.

        Only a piece near a line may make the difference. Otherwise it stays half a play.
        """
        still, match = self.referee.still, self.referee.match
        if still is None or half is None:
            return found, half
        cost, play = likeliest_play(match, still.reading)
        is_whole = cost <= FITS and still.reading.stays_at_lines(play, match.position)
        return (Found.LEGAL, play) if is_whole and still.reading.differ_at_line(half, play) else (found, half)

    def _weigh(self, still: Stillness, last: Found, *, at_once: bool) -> None:
        """Judge a board that does not follow as it was seen last, by all its readings of late.

        Each place counts as it was read most kindly. If the board is a play only in that way, the referee
        waits: the play will be read so soon, or was misread.
        """
        window = self._window(still)
        found, position = self._explained(window)
        if found is Found.LEGAL and self._is_refuted(still):
            found, position = self._explained(still.reading)
        if found is Found.RECORD and position and window.has_more(position):
            # It was never as on record. There was always a piece too many, seen now here, now there.
            found, position = Found.WRONG, None
        if found is Found.LEGAL and position is not None and at_once:
            record = self.referee.match.position
            least = min(reading.cost(position, record) for reading in window.readings)
            # It was never this play. There was always a piece too many, seen now here, now there.
            is_torn = least > FITS and window.has_more(position)
            doubt = self._doubt(still.reading, position) if is_torn else None
            self._recognise(still.reading, position)
            if last is Found.HALF or least > 0:
                # It was never read exactly so, or half of it is seen by now. The next plays will tell whether
                # this was the play.
                self._doubt_record()
            if doubt is not None:
                self._ask(doubt)
        elif not at_once and (
            self._is_unclear(still, window)
            or self._will_tell_half(still, window, found, position)
            or self._was_right(window, found)
        ):
            return
        elif (found is last or found is Found.WRONG) and not self._may_be_misread(still, window):
            self._accuse(window, found, position)

    def _is_refuted(self, still: Stillness) -> bool:
        """Whether the board looked like a play only between two readings as it is now, with no hand between.

        Then the play was an error of the reader's.
        """
        seen = [reading for t, reading in still.recent if t >= still.began]
        before = [*takewhile(lambda reading: self._explained(reading)[0] is not Found.LEGAL, seen)]
        return len(before) < len(seen) and any(reading.key == still.reading.key for reading in before)

    def _window(self, still: Stillness, errs_s: float = ERRS_S) -> Window:
        """How the board was read of late, without errors.

        An error is a wrong board, read only once between two looks at the board as it is now. No hand came
        between.
        """
        seen = [reading for _, reading in still.recent]
        runs = [key for key, _ in groupby(reading.key for reading in seen)]
        since = dropwhile(lambda key: key != still.reading.key, runs)
        once = {key for key in since if key != still.reading.key and runs.count(key) == 1}
        errors = [each for each in seen if each.key in once and self._explained(each)[0] is Found.WRONG]
        return still.window(self.t, errs_s).but(errors)

    def _is_unclear(self, still: Stillness, window: Window) -> bool:
        """Whether it is not clear yet where a piece stands, or which piece is one too many."""
        record = self.referee.match.position
        typical = window.typical(record)
        if window.is_torn(typical) or (typical.vanished(record) and not window.vanished(record)):
            return True
        return typical.completed(record) is None and not still.is_very_long

    def _will_tell_half(self, still: Stillness, window: Window, found: Found, half: Position | None) -> bool:
        """Whether a moment more will tell half a play from a misread whole one."""
        return found is Found.HALF and not still.is_very_long and self._may_be_whole(window, half) is not None

    def _may_be_error(self, still: Stillness, play: Position, *, at_once: bool) -> bool:
        """Whether what looks like a play may be an error of the reader's. It came about with no hand there.

        An error would soon be over. It is no error if the board looked like the same play before.

        With `at_once`, a play that is exactly what is seen is no error. Any other play may be one, if a wrong
        board or half a play was seen before.
        """
        board, record = self.referee.match.board, self.referee.match.position
        is_just_that = still.reading.cost(play, record) == 0
        if not is_just_that and self._was_half_before_one_was_missed(still):
            return True
        if still.is_read_long or (at_once and is_just_that):
            return False
        explained = [(before.seen, *self._explained(before)) for before in still.before]
        befores = []
        if not at_once:
            guesses = self._other_guesses
            likely = (Found.RECORD, Found.LEGAL, Found.HALF)
            befores = [seen for seen, found, position in explained if found in likely and position != play]
            befores += [before.seen for before in still.before if that_fits(guesses, before) is not None]
            if not self.referee.was_reached_over:
                befores.append(record)
        if not is_just_that:
            befores += [seen for seen, found, _ in explained if found in (Found.WRONG, Found.HALF)]
        return any(may_be_error(board, before, still.reading.seen) for before in befores)

    def _was_half_before_one_was_missed(self, still: Stillness) -> bool:
        """Whether the same pieces in play were read as half a play a moment ago, with no hand between.

        More pieces were seen in base or at home then. So a piece is missed now, and it only seems that a
        stack hides it.
        """
        reading = still.reading
        return any(
            before.key == reading.key
            and any(Counter(was) - Counter(now) for was, now in zip(before.seen, reading.seen, strict=True))
            and self._explained(before)[0] is Found.HALF
            for t, before in still.recent
            if t >= still.began
        )

    def _may_be_misread(self, still: Stillness, window: Window) -> bool:
        """Whether a wrong board may only be misread.

        - After a hand: its readings differ, and it was a play if each place counts as it was read most
          kindly.
        - With no hand: it has been seen only briefly, or it always differs just as readers err.
        """
        if self.referee.was_reached_over:
            both = still.reading, self._window(still, ERRS_TWICE_S)
            founds = [self._explained(each)[0] for each in both]
            return not still.is_read_long and founds == [Found.WRONG, Found.LEGAL]
        if not still.is_read_long and self.t < still.since + ILLEGAL_AFTER_S:
            return True
        record = self.referee.match.position
        shown = window.typical(record).completed(record)
        if shown is None or not looks_misread(self.referee.match.board, record, shown):
            return False
        return not self._is_seen_for_long(Found.WRONG)

    def _is_seen_for_long(self, found: Found) -> bool:
        """Whether the board has been `found` for longer than two errors in a row mostly last."""
        still = self.referee.still
        longer = still.window(self.t, ERRS_TWICE_S) if still is not None and still.is_very_long else None
        return longer is not None and self._explained(longer)[0] is found

    def _may_accuse(self, still: Stillness, *, at_once: bool) -> bool:
        age = self.t - still.until
        is_seen = len(still.recent) >= ACCUSING_SIGHTINGS and age <= (STALE_S if at_once else FRESH_S)
        return still.is_long(self.t) and is_seen

    def _recognise(self, reading: Reading, play: Position) -> None:
        """The board shows a play of the throw in hand. Take it, and keep in mind what else it may be."""
        match, by_other_dice = self.referee.match, self._by_other_dice()
        before = match.uncalled
        across = across_lines(before, self._lines(reading))
        is_from_unseen = self._starts_where_none_was_seen(play)
        or_by = *by_other_dice, *across
        last = LastPlay(before, or_by, is_from_unseen=is_from_unseen) if owes_a_play(before) else None
        others = plays_alike(match, play, reading)
        self.alike = tuple(other.position for other in others)
        cost = reading.cost(play, match.position)
        if cost + NEARLY_ALIKE > FITS:
            others = plays_alike(match, play, reading, within=cost + NEARLY_ALIKE)
        # By other dice the play is the same, but it may have earned another throw, or none.
        others = (*others, *as_made(by_other_dice, play))
        for each in (match, *by_other_dice):
            halves = (half for half in each.halfway if half != play or each is not match)
            if any(reading.cost(half, match.position) < DOUBT for half in halves):
                # It may be half of another play, with more to come.
                others = (*others, each)
        # A guess may have replaced the record because of a slip. The replaced record stays in mind.
        slipped = (each for each in self.replaced if owes_a_play(each))
        by_void = self._by_void_throws(play)
        was_unplayed = self._was_unplayed_at_void(play)
        others = (*others, *(() if was_unplayed else by_void), *slipped)
        refuted = self._by_refuted_dice()
        not_these = (*self.referee.hardly, *refuted)
        likely = [guess for guess in self.referee.guesses if guess not in not_these]
        guesses = (*others, *all_seen(likely, reading))
        knocked_off = {
            (move.seat, move.start) for move in moves_between(match.position, play) if move.end == BASE
        }
        self.referee = replace(self.referee, maybe_left=self.referee.maybe_left | knocked_off)
        self._agree(reading, play)
        dice = self.referee.dice.played()
        # These are asked about: a play of what the dice were only taken for at first; a play of void dice
        # instead; a play taken back and made anew from where the pieces were by a guess. The record allows
        # none of them.
        in_hand = before.to_play, before.thrown
        taken_back = (
            each
            for each in likely
            if owes_a_play(each)
            and (each.to_play, each.thrown) == in_hand
            and each.position != before.position
        )
        by_unlikely = by_void if was_unplayed else ()
        turns = (*all_seen(refuted, reading), *by_unlikely, *self._by_void_dice(), *taken_back)
        self.referee = replace(
            self.referee, last_play=last, guesses=guesses[:GUESSES], turns=turns, dice=dice
        )
        if not moves_own(match, play):
            # Only the partner's pieces moved, so this colour may help.
            self.referee = replace(self.referee, gates=self.referee.gates - {match.to_play})
        self._see(play)

    def _by_void_throws(self, play: Position) -> Guesses:
        """The match if `play` was made before the void dice were thrown. Then these dice were good."""
        if not self.referee.voided or self.referee.hardly:
            return ()
        after = taken_in_turn(playing.see(self.referee.match, play).match, self.referee.voided)
        return (after,) if after is not None else ()

    def _was_unplayed_at_void(self, play: Position) -> bool:
        """Whether a hand has made `play` since the last void dice fell: it was not there yet then.

        Then it was hardly made before them.
        """
        still, voided, seen = self.referee.still, self.referee.voided, self.referee.seen_at_void
        if still is None or seen is None or not voided or still.began <= voided[-1].t:
            return False
        return seen.cost(play, self.referee.match.position) >= DOUBT

    def _see(self, position: Position) -> None:
        """Give the board to the game, which rules on it."""
        self._nothing_more()
        self.referee = replace(self.referee, asked=None, open_point=None, question=None)
        self._step(playing.see(self.referee.match, position))
        is_said = self.rulings and self.referee.unspoken is None
        if is_said and self.referee.match.wrong_board is not None:
            self.referee = replace(self.referee, open_point=self.rulings[-1].ruling)
        if self.referee.match.wrong_board is None or self._plays_unseen() == 0:
            self._take_held()

    def _agree(self, reading: Reading, position: Position, *, is_told: bool = False) -> None:
        """Take the board to be `position`. What still differs is no evidence from now on.

        `is_told`: people said that the board is right.
        """
        board, is_new = self.referee.match.board, self.referee.was_reached_over
        away = reading.away_from(position)
        accounted = reading.accounts(position, is_told=is_told, is_new=is_new)
        self.referee = replace(self.referee, gone=self._gone(accounted))
        if is_new and reading.key != self.referee.forgiven:
            self.referee = replace(self.referee, forgiven=None)
        on_lines = reading.near_lines(position)
        self._decide(on_lines, position)
        decided, halves = self.referee.decided & {*on_lines}, self.referee.halves & {*on_lines}
        self.referee = replace(
            self.referee, away=away, accounted=accounted, on_lines=on_lines, decided=decided, halves=halves
        )
        maybe_left = frozenset(
            (seat, at)
            for seat, at in self.referee.maybe_left
            if away[seat][0] and reading.key[seat] != in_play(board, position)[seat]
        )
        # Kept from now on: now and then a hand goes unnoticed.
        before = SeenBefore(position, reading)
        self.referee = replace(
            self.referee, maybe_left=maybe_left, seen_before=before, was_reached_over=False, voided=()
        )
        looked_for = frozenset((seat, at) for seat, at in self.referee.looked_for if at in position[seat])
        strayed = frozenset(seat for seat in self.referee.strayed if away[seat][0])
        self.referee = replace(self.referee, looked_for=looked_for, strayed=strayed)
        if not self.referee.held:
            self.referee = replace(self.referee, quick=0)
        if self.referee.still is not None:
            known = replace(reading, away=away, accounted=accounted, on_lines=on_lines)
            self.referee = replace(self.referee, still=replace(self.referee.still, reading=known))

    def _gone(self, accounted: frozenset[Account]) -> tuple[Gone, ...]:
        """`Referee.gone`, with those now accounted for that were seen in their stacks until a hand came."""
        gone = tuple(each for each in self.referee.gone if each.account in accounted)
        before = self.referee.seen_before
        if before is None or not self.referee.was_reached_over:
            return gone
        known = {each.account for each in gone}
        seen = before.reading.places
        return gone + tuple(
            Gone((place, shown, wanted), self.t)
            for place, shown, wanted in accounted - known - self.referee.accounted
            if shown and as_contents(seen.get(place, {})) == wanted
        )

    def _ask_for_gone(self) -> None:
        """Ask about a piece that a stack may hide, if it was seen there and has been gone for GONE_S."""
        still = self.referee.still
        if still is None or not self.referee.gone:
            return
        places = still.reading.places
        gone = tuple(
            each
            for each in self.referee.gone
            if as_contents(places.get(each.account[0], {})) == each.account[1]
        )
        self.referee = replace(self.referee, gone=gone)
        if self.referee.is_asking or not self.referee.agrees:
            return
        due = [each for each in gone if self.t >= each.since + GONE_S]
        self.referee = replace(self.referee, gone=tuple(each for each in gone if each not in due))
        if due:
            self._ask(Notice.check([each.account[0] for each in due]), self.referee.match.position)

    def _nothing_more(self) -> None:
        """Nothing more is to be said about the still board."""
        if self.referee.still is not None:
            self.referee = replace(self.referee, still=replace(self.referee.still, settled=True))

    def _take_held(self, *, all_of_it: bool = False) -> None:
        """The play that held dice waited for is known: the dice count. The board may show their play too."""
        while self.referee.held:
            self._take_held_throw()
            if self.referee.held and not all_of_it and owes_a_play(self.referee.match):
                self._judge(at_once=True)
                return

    def _is_mended(self, found: Found, reading: Reading, *, at_once: bool, try_again: bool) -> bool:
        """Try to mend the record. True if it has changed: the board may follow from it now.

        With `at_once`, half a play is tried too, as a whole one by a guess: nobody says done, or throws on,
        after half a play.
        """
        if found is Found.ON_ITS_WAY:
            return False
        is_riddle = found in (Found.WRONG, Found.DOUBTFUL)
        try_again = at_once or try_again
        if self._was_played_on(reading, try_again=try_again):
            return True
        if (at_once or is_riddle) and self._has_guessed(reading, at_once=at_once, is_riddle=is_riddle):
            return True
        still = self.referee.still
        is_late = at_once or (still is not None and still.is_long(self.t))
        # A slip of the hand may look like a play of void dice, and of the dice in hand.
        if not (is_riddle and is_late) or that_fits(self._by_void_dice(), reading) is not None:
            return False
        return self._was_played_on(reading, try_again=try_again, though_void=True)

    def _was_played_unseen(self) -> bool:
        """Whether a throw tells that a play was made, though the board looks unplayed or half played.

        The piece may have come onto a stack that the camera counts one too low. If it also came from under
        another piece, only the player's `done` tells of the play.
        """
        still, match = self.referee.still, self.referee.match
        if still is None or still.sightings < 2 or not owes_a_play(match):
            return False
        found, position = self._explained(still.reading)
        if position is None or found not in (Found.RECORD, Found.HALF, Found.HALF_IN_DOUBT):
            return False
        best, play = likeliest_play(match, still.reading)
        if found is not Found.RECORD and not still.reading.stays_at_lines(play, match.position):
            # A piece was moved, and the one near the line was left where it was: that is half a play.
            return False
        is_exact = still.reading.cost(position, match.position) == 0
        is_on_line = still.reading.differ_at_line(position, play)
        is_told = still.is_done or is_on_line or still.reading.fits_better(play, position, match.position)
        is_certain = is_exact and not self._has_come_near_line(still.reading, play)
        return self.referee.was_reached_over and is_told and best < (FITS if is_certain else UNSEEN)

    def _has_come_near_line(self, reading: Reading, play: Position) -> bool:
        """Whether `play` takes a piece just across a line, and it has newly come near that line."""
        record = self.referee.match.position
        new = {*reading.near_lines(record)} - {*self.referee.on_lines}
        return any((move.seat, move.start, move.end) in new for move in moves_between(record, play))

    def _take_likeliest_play(self) -> Match:
        """People throw on, and the board may show a play. Take the play that fits it best."""
        still, match = self.referee.still, self.referee.match
        if still is not None and match.awaiting is Awaiting.PLAY and match.plays:
            mistakes, doubts = self.referee.mistakes, self.referee.doubts
            cost, play = likeliest_play(match, still.reading)
            by_void_throws = self._by_void_throws(play)
            self._agree(still.reading, play)
            self._see(play)
            # This is a guess. The next play will tell whether the record is right.
            self.referee = replace(
                self.referee, mistakes=mistakes, doubts=doubts if cost <= FITS else max(1, doubts)
            )
            self._guess(*by_void_throws, match)
        return self.referee.match

    def _accuse(self, window: Window, found: Found, innocent: Position | None) -> None:
        """Call what the board shows. If there is a doubt, ask about it instead."""
        match = self.referee.match
        reading = window.typical(match.position)
        self._nothing_more()
        if not any(reading.key) and sum(map(len, in_play(match.board, match.position))) >= TIPPED:
            self._ask(Notice(NoticeKind.UPBOARD))
            return
        shown, lines = (innocent, ()) if found is Found.HALF else self._as_meant(reading)
        may_be = self._may_be_whole(window, innocent) if found is Found.HALF else innocent
        # Nobody knows which piece the other half of the play would have moved.
        doubt = self._doubt(reading, may_be or (match.position if found is Found.HALF else None))
        if shown is None or self._is_doubtful(window, reading, found, may_be):
            self._ask(doubt, may_be)
        elif self._may_be_otherwise(window, found, shown) or self._was_otherwise(found):
            self._ask(doubt)
        elif self._moves_by_doubted_dice(shown) or self._may_be_by_dice_not_taken(shown):
            # Nobody is accused by dice that were read in two ways, or by dice that may not have been taken
            # for a throw.
            self._ask(CHECK_DICE)
        elif self._may_be_played(window):
            # Ask about what looked wrong when the dice were thrown, not about what they were played as.
            self._ask(self._unnamed(match.position, shown) or doubt)
        elif self._suspected_before(reading, in_doubt=True) is not None:
            # A board that may have been right at the throw has been played on, or all of it is wrong.
            self._ask(doubt)
        elif match.wrong_board is not None and not self._is_wrong_anew(shown):
            # The called board was not put right, but people went on from it. Nobody knows by which dice.
            self._ask(doubt)
        elif self._is_wrong_since(reading, shown) or self._was_played_beside(shown):
            self._judge(is_mended=True)
        elif self._is_lost() and not self._shows_whose_turn(found, shown):
            if not self.referee.is_out_of_step:
                has_missed = self.referee.has_missed or self._plays_unseen() > 1
                self.referee = replace(self.referee, is_out_of_step=True, has_missed=has_missed)
                number = len(misplaced(match.position, reading)) if self.referee.is_resumed else 0
                self._rule(Notice(NoticeKind.OUT_OF_STEP, numbers=(number,) if number else ()))
            self._name_misplaced(reading)
        else:
            self._take_dice_that_explain_more(shown)
            self.referee = replace(self.referee, on_lines=(*self.referee.on_lines, *lines))
            self._see(shown)
            self.referee = replace(self.referee, accused_at=self.t)

    def _was_otherwise(self, found: Found) -> bool:
        """Whether something else that may have happened explains the board as it was read a moment ago."""
        return any(self._fits_a_guess(before, found) for before in self._seen_since_hand)

    def _shows_whose_turn(self, found: Found, shown: Position) -> bool:
        """Whether only the turn was in doubt, and the board settles it. It was seen as on record before.

        The board settles the turn if
        - it shows half a play by the side to play;
        - nobody has thrown since the last play;
        - it shows a whole play by the side to play, and more moved beside it;
        - a piece has gone back as no play takes it;
        - no dice of any side make it a play.

        If the board was taken as it stood since the last play, the last three need sure moves (`_are_sure`).
        """
        match, before = self.referee.match, self._seen_as_on_record
        if before is None or before.instead_of(match) is not None:
            return False
        if self._has_lost_track or self._plays_unseen() > 1:
            return False
        if found is Found.HALF:
            return moves_own(match, shown)
        if self.referee.voided:
            # Whoever threw the void dice may have played.
            return False
        if self._is_just_played:
            return True
        wrong = self._moved_beside(shown)
        if self._is_nobodys(shown):
            wrong = (*wrong, Counter(moves_between(match.position, shown)))
        befores = [each for each in self._since_last_play() if each.position != match.position]
        if befores:
            # The board was taken as it stood. What was misread just then is on record.
            return any(self._are_sure(each, shown, befores) for each in wrong)
        return bool(wrong)

    def _is_nobodys(self, shown: Position) -> bool:
        """Whether no dice of any side make a board a play, and a call names only the owner of what was moved.

        It does if the side to play owns all of that, or if no play is due.
        """
        match = self.referee.match
        moves = [move for move in moves_between(match.position, shown) if move.end != BASE]
        is_own = all(move.seat in match.setting.owned[match.to_play] for move in moves)
        if self._plays_unseen() > 0 or (self._may_go_back and any(move.end < move.start for move in moves)):
            return False
        return (is_own or match.awaiting is Awaiting.THROW) and not self._may_be_anybodys(shown)

    @property
    def _is_just_played(self) -> bool:
        """Whether the last event was a play that was seen. Nobody has had dice to move by since."""
        match, last = self.referee.match, self.referee.last_play
        if last is None or match.awaiting is not Awaiting.THROW:
            return False
        if self._may_be_thrown_unseen or self._may_go_back:
            return False
        return last.match.position != match.position and next(self._since_last_play(), None) is None

    def _is_wrong_anew(self, shown: Position) -> bool:
        """Whether something was moved after a board was called, and no dice thrown since then explain it.

        Only pieces that stood alone count, since stacks are miscounted. One of these must hold:
        - all that was called still stands, and more was moved, but nobody has thrown;
        - nothing that was called is left, and more was moved than a play.
        """
        match, referee = self.referee.match, self.referee
        if match.wrong_board is None or referee.held or referee.voided:
            return False
        called = Counter(moves_between(match.position, match.wrong_board))
        moved = Counter(moves_between(match.position, shown))

        def stand_alone(more: Counter[Move]) -> bool:
            return all(self._stood_alone(move, shown) for move in more)

        if called <= moved:
            may_be_played = self._may_be_thrown_unseen or self._may_go_back
            is_due = match.awaiting is Awaiting.THROW and not may_be_played
            return is_due and stand_alone(moved - called)
        plays = (Counter(moves_between(match.position, play)) for play in as_may_be(match))
        left = (moved - play for play in plays if play <= moved)
        return any(not called & more and stand_alone(more) for more in left)

    def _are_sure(self, moves: Counter[Move], shown: Position, befores: Sequence[Match]) -> bool:
        """Whether there are moves, and each is sure though the board was taken as it stood after `befores`.

        A move is sure if it was part of no play owed then, and its squares have not changed since. They may
        have changed if the piece stood alone: stacks are misread most.
        """
        board, record = self.referee.match.board, self.referee.match.position
        owed = ((each.position, play) for each in befores if owes_a_play(each) for play in each.plays)
        by_dice = {move for before, play in owed for move in moves_between(before, play)}
        changed = set[str]().union(*(places_moved(board, each.position, record) for each in befores))

        def is_sure(move: Move) -> bool:
            ends = {board.place(move.seat, steps) for steps in (move.start, move.end)}
            return move not in by_dice and (changed.isdisjoint(ends) or self._stood_alone(move, shown))

        return bool(moves) and all(map(is_sure, moves))

    def _stood_alone(self, move: Move, shown: Position) -> bool:
        """Whether a piece has come from where no other stood to where no other stands."""
        match = self.referee.match
        start, end = (match.board.place(move.seat, steps) for steps in (move.start, move.end))
        was_alone = move.start == BASE or pieces_at(match.board, match.position, start) == 1
        return was_alone and pieces_at(match.board, shown, end) == 1

    def _as_meant(self, reading: Reading) -> tuple[Position | None, tuple[OnLine, ...]]:
        """The whole wrong board that a reading shows, and the lines beyond which it has pieces.

        A piece near a line is in doubt, and something else is wrong. It counts as beyond the line if the
        board is nearer to a play then.
        """
        match = self.referee.match
        shown = self._but_looked_for(reading)
        if shown is None or not owes_a_play(match):
            return shown, ()

        most = reading.cost(shown, match.position) + DOUBT
        lines: tuple[OnLine, ...] = ()
        for seat, steps, beyond in reading.near_lines(shown):
            other = with_one_at(shown, seat, steps, beyond)
            is_nearer = len(fewest_moves(match.plays, other)) < len(fewest_moves(match.plays, shown))
            if is_nearer and reading.cost(other, match.position) < most:
                shown, lines = other, (*lines, (seat, beyond, steps))
        return shown, lines

    def _but_looked_for(self, reading: Reading) -> Position | None:
        """The whole wrong board that a reading shows, with pieces that are only looked for put into base.

        A reader looks for a knocked-off piece among its own side's, and may seem to see it there. A piece
        that may never have been in base stays: it was missed until now. None if nothing else is wrong.
        """
        match, away = self.referee.match, self.referee.away
        board, record, shown = match.board, match.position, self._simplest(reading)
        if shown is None or not away:
            return shown
        but = shown
        for move in moves_between(record, shown):
            if move.start == BASE and away[move.seat][0] and move.seat not in self.referee.strayed:
                in_base, place = with_one_at(but, move.seat, move.end, BASE), board.place(move.seat, move.end)
                is_likely = reading.costs(in_base, record).get(place, 0.0) <= LOOKED_FOR
                # A piece is looked for under others of its side. One that stands alone is there.
                but = in_base if is_likely and side_at(board, in_base, move.seat, place) else but
        return None if but != shown and but in as_may_be(match) else but

    def _simplest(self, reading: Reading) -> Position | None:
        """The whole wrong board that a reading shows.

        A place counts as on record if the reader calls that likely and fewer pieces have moved then.
        """
        match = self.referee.match
        shown = reading.completed(match.position)
        likely = reading.as_likely(match.position, FITS).completed(match.position)
        boards = as_may_be(match)
        if shown is None or likely is None or likely in boards:
            return shown
        return min(shown, likely, key=lambda board: len(fewest_moves(boards, board)))

    def _is_doubtful(self, window: Window, reading: Reading, found: Found, may_be: Position | None) -> bool:
        """Whether the reader leaves a doubt, or the way in which the board was read of late does."""
        record = self.referee.match.position
        is_in_doubt = found in (Found.DOUBTFUL, Found.HALF_IN_DOUBT)
        is_nowhere = found is Found.WRONG and (reading.vanished(record) or window.is_torn(reading))
        is_maybe_whole = found is Found.HALF and may_be is not None
        was_right = self._was_right(window, found)
        return is_in_doubt or is_nowhere or is_maybe_whole or was_right or self._is_unsure(window)

    def _was_right(self, window: Window, found: Found) -> bool:
        """Whether the board was read at least once as one that nobody is to blame for, with no hand since.

        Then it is so still, or it was half a play. A wrong board also counts if each colour was read rightly
        in turn.
        """
        right = {Found.RECORD, Found.LEGAL, Found.HALF} - {found}
        if any(self._explained(before)[0] in right for before in self._seen_since_hand):
            return True
        boards = as_may_be(self.referee.match)
        return found is Found.WRONG and any(window.shows_by_turns(board) for board in boards)

    @property
    def _seen_since_hand(self) -> tuple[Reading, ...]:
        """What else the board was read as of late, with no hand between. Empty if no hand has been there."""
        still = self.referee.still
        return still.before if still is not None and self.referee.was_reached_over else ()

    def _left_behind(self, shown: Position) -> list[str]:
        """The places of pieces that a ruling moved and that still stand where they were.

        The rest of the board must show a whole play of the throw in hand: whoever made it forgot these
        pieces.
        """
        match = self.referee.match
        if match.behind is None or not any(
            play != match.position and shown in lagging(match.behind, match.position, play)
            for play in match.plays
        ):
            return []
        left = (
            (seat, (Counter(was) - Counter(wanted)) & Counter(now))
            for seat, (was, wanted, now) in enumerate(zip(match.behind, match.position, shown, strict=True))
        )
        return [match.board.place(seat, steps) for seat, each in left for steps in each]

    def _may_be_whole(self, window: Window, half: Position | None) -> Position | None:
        """The whole play that half a play may be, by what the reader says or by its errors; else None."""
        match = self.referee.match
        cost, likeliest = likeliest_play(match, window)
        last = window.readings[-1]
        if half is not None and cost < DOUBT and last.differ_at_line(half, likeliest):
            return likeliest
        if cost <= FITS or (cost < DOUBT and last.is_maybe(likeliest)):
            # The reader calls a whole play likely, or possible: the rest of it may be hidden.
            return likeliest
        if self._is_seen_for_long(Found.HALF):
            return None
        # If a one is owed, two errors in a row make a whole play look like half of one.
        return next(
            (play for play in match.plays if half is not None and looks_misread(match.board, half, play)),
            None,
        )

    def _name_misplaced(self, reading: Reading) -> None:
        """Out of step: name the next piece for players to put right, unless it was the last one named.

        A piece that was in its place when the last one was named comes first.
        """
        named, asked, match = self.referee.to_put_right, self.referee.question, self.referee.match
        pieces = misplaced(match.position, reading)
        if named is not None and asked is not None and asked.match is match:
            before = misplaced(match.position, asked.still.reading)
            pieces = (*sorted(pieces, key=before.__contains__),)
        if self.referee.still is not None:
            self.referee = replace(self.referee, question=Question(self.t, self.referee.still, match))
        if not pieces:
            return
        notice = Notice(NoticeKind.PUT_THIS_RIGHT, numbers=(len(pieces) - 1,), piece=pieces[0])
        self.referee = replace(self.referee, to_put_right=notice)
        if named is None or named.piece != notice.piece:
            self._rule(notice)

    def _get_back_in_step(self) -> None:
        """The board is as on record. Nobody is accused yet: a play will tell whether the record is right."""
        self.referee = replace(self.referee, is_resumed=False)
        if self.referee.is_out_of_step:
            self.referee = replace(self.referee, is_out_of_step=False, to_put_right=None)
            self._notice(NoticeKind.BACK_IN_STEP)

    def _is_sure_of_record(self) -> bool:
        """Whether the board has been as on record for longer than any error of the reader's lasts."""
        still = self.referee.still
        return still is not None and still.is_read_long and self.referee.agrees

    @property
    def _may_be_beyond(self) -> bool:
        """Whether a piece of the last play stands near a line, and may be meant for the square beyond."""
        last, position = self.referee.last_play, self.referee.match.position
        moves = moves_between(last.match.position, position) if last is not None else ()
        return any(
            (move.seat, move.end) == on_line[:2]
            for move in moves
            for on_line in {*self.referee.on_lines} - self.referee.decided
        )

    def _is_forgiven(self) -> bool:
        still = self.referee.still
        return still is not None and still.reading.key == self.referee.forgiven

    def _seen(self) -> Found | None:
        """What the still board is, whether it was judged or not."""
        still = self.referee.still
        return self._explained(still.reading)[0] if still is not None and still.sightings > 1 else None

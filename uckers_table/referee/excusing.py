"""What excuses a board that is wrong by the record: the referee asks about it, and nobody is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import Move, moves_between
from uckers_table.game.ways import SIX
from uckers_table.referee.events import ThrowMade
from uckers_table.referee.explaining import FITS, Found
from uckers_table.referee.guesses import (
    Guesses,
    SeenBefore,
    across_lines,
    as_may_be,
    as_played,
    elsewhere,
    fewest_moves,
    fits_any,
    other_turns,
    owes_a_play,
    taken,
    that_fits,
    with_one_at,
)
from uckers_table.referee.matching import Reading, Window, side_at, steps_at
from uckers_table.referee.taking import Taking

FAR_BACK = 12
"""Squares. Two dice take no piece further back. If one stands further back, the record probably had it in the
wrong place."""


class Excusing(Taking):
    """Knows what excuses people: guesses, unseen pieces and doubtful dice."""

    def _may_be_otherwise(self, reading: Reading | Window, found: Found, shown: Position) -> bool:
        """Whether something excuses a board that is wrong by the record.

        Something else may have happened than is on record, or a piece may have stood elsewhere than it was
        taken to. Or people know better where a piece is.
        """
        return (
            self._fits_a_guess(reading, found)
            or self._starts_where_none_was_seen(shown)
            or self._may_have_been_left(shown)
            or self._stood_there_before(shown)
            or self._is_put_back(shown)
            or self._may_have_strayed(shown)
            or self._may_have_been_in_base(shown)
            or self._may_be_looked_for(reading)
            or self._may_come_from_elsewhere(shown)
            or self._may_go_on(shown)
            or self._is_far_back(shown)
            or self._is_behind(shown)
            or (found is not Found.HALF and self._may_be_counted_elsewhere(shown))
        )

    def _fits_a_guess(self, window: Reading | Window, found: Found) -> bool:
        """Whether nobody is to blame if something else has happened than is on record.

        If the board is half a play on record, half a play by a guess is no better.
        """
        guesses, last = self._whatever_else(), self.referee.last_play
        if last is not None:
            before = last.unfinished if self.referee.was_reached_over else (last.match,)
            if that_fits(before, window, but=self.referee.match.position) is not None:
                # The last play was seen only for a moment, and was none.
                return True
        return that_fits(guesses, window) is not None if found is Found.HALF else fits_any(guesses, window)

    def _whatever_else(self) -> tuple[Match, ...]:
        """The match by all that may have happened otherwise. Dice that were read in two ways are left out."""
        referee = self.referee
        last, match = referee.last_play, referee.match
        return (
            *self._other_guesses,
            *self.referee.turns,
            *self._as_seen_before(),
            *self._as_called(),
            *self._by_unnoticed_dice(),
            *self._by_another_turn(),
            *(last.others(but=match.position) if last is not None else ()),
            *elsewhere(match, referee.away),
            *self._not_hidden(),
            *(beyond for each in (match, *referee.turns) for beyond in across_lines(each, referee.on_lines)),
        )

    @property
    def _other_guesses(self) -> Guesses:
        """The guesses, and the match after each call between which a player has still to choose.

        Leaves out those that have come to the same as the record, and those by what the dice cannot be.
        """
        not_these = (self.referee.match, *self._by_refuted_dice())
        guesses = (*self._by_calls_asked(), *self.referee.guesses)
        return tuple(guess for guess in guesses if guess not in not_these)

    def _not_hidden(self) -> Iterator[Match]:
        """The match if a piece that was taken to be under others is in base or at home."""
        match = self.referee.match
        board, position = match.board, match.position
        for place, seen, wanted in self.referee.accounted:
            for colour in Counter(dict(wanted)) - Counter(dict(seen)):
                seat, steps = board.seat(colour), steps_at(board, place, colour)
                if seen and steps in position[seat]:
                    for end in (BASE, board.home):
                        yield playing.corrected(match, with_one_at(position, seat, steps, end)).match

    def _by_another_turn(self) -> Guesses:
        """The match if it were another side's throw: the camera may have missed one, or taken one for two.

        It may have done so since the last play if
        - it saw dice come and go before it could read them;
        - one die is a throw, and the turn has changed since.

        If no piece was moved, nothing else tells of that throw. A board that stood, though it was nobody's
        play, does not tell of it either. If the last throw moved nothing, the next side may have thrown it,
        and is still to play.
        """
        match = self.referee.match
        if not self.referee.reads_dice or match.wrong_board is not None:
            return ()
        if owes_a_play(match):
            is_missed = self.referee.dice.was_missed
            if match.rules.dice_per_throw == 1:
                # A die that shows the same as the last one, in the same place, is not seen to have been
                # thrown.
                is_missed |= any(each.to_play != match.to_play for each in self._since_last_play())
            return other_turns(match, near=True) if is_missed else ()
        if match.awaiting is not Awaiting.THROW or not self.referee.dice.was_missed or not match.thrown:
            return ()
        after = taken(match, ThrowMade(self.t, match.thrown), by_the_rules=True)
        return (after,) if after is not None and owes_a_play(after) else ()

    def _as_seen_before(self) -> tuple[Match, ...]:
        """The match if the board was as seen before a hand came. Empty if it was seen as on record."""
        before = self.referee.seen_before
        match = before.instead_of(self.referee.match) if before is not None else None
        return (match,) if match is not None else ()

    def _as_called(self) -> tuple[Match, ...]:
        """The match if the called board, left as it is, stood so before the dice in hand were thrown."""
        match = self.referee.match
        return (playing.corrected(match, match.wrong_board).match,) if match.wrong_board is not None else ()

    @property
    def _seen_as_on_record(self) -> SeenBefore | None:
        """How the board was seen before a hand came, if the record is still as it was then; else None."""
        before = self.referee.seen_before
        return before if before is not None and before.record == self.referee.match.position else None

    def _starts_where_none_was_seen(self, shown: Position) -> bool:
        """Whether a piece is gone from where it was not seen when the board last agreed with the record.

        Or all else is a play, if that piece had stood where one has come to.
        """
        match = self.referee.match
        board, record = match.board, match.position
        missing = [
            (board.seat(colour), steps_at(board, place, colour))
            for place, seen, wanted in self.referee.accounted
            for colour in Counter(dict(wanted)) - Counter(dict(seen))
        ]

        def is_played_if_at(seat: int, was: int, at: int) -> bool:
            return was in record[seat] and shown in as_may_be(
                playing.corrected(match, with_one_at(record, seat, was, at)).match
            )

        return any(
            (Counter(record[seat]) - Counter(shown[seat]))[steps]
            or any(is_played_if_at(seat, steps, at) for at in Counter(shown[seat]) - Counter(record[seat]))
            for seat, steps in missing
        )

    def _stood_there_before(self, shown: Position) -> bool:
        """Whether a wrong piece was seen where it stands before a hand came, and was taken for none then."""
        record, before = self.referee.match.position, self._seen_as_on_record
        if before is None or before.reading.cost(record, record) > FITS:
            return False
        seen, out = before.reading.seen, (BASE, self.referee.match.board.home)
        return any(
            record[move.seat].count(move.end)
            < shown[move.seat].count(move.end)
            <= seen[move.seat].count(move.end)
            for move in moves_between(record, shown)
            if move.end not in out
        )

    @property
    def _last_called(self) -> Match | None:
        """The match in which a wrong board was called last; None if none was."""
        return next((each for each in reversed(self.referee.earlier) if each.wrong_board is not None), None)

    def _is_put_back(self, shown: Position) -> bool:
        """Whether people have put the board back: they take plays back, or put them right.

        The board is what it was earlier, or might have been by the dice of then. Or what was called last
        stands by now, and some of it is put back.
        """
        called, record = self._last_called, self.referee.match.position
        # A board that has only lost pieces to base may be like one from the beginning of the match.
        is_back = any(move.end != BASE for move in moves_between(record, shown))
        before = (each for each in self.referee.earlier if each.position != record)
        if is_back and any(shown in as_may_be(each) for each in before):
            return True
        if called is None or called.wrong_board != record:
            return False
        back = {(move.seat, move.end, move.start) for move in moves_between(called.position, record)}
        return all((move.seat, move.start, move.end) in back for move in moves_between(record, shown))

    def _may_go_on(self, shown: Position) -> bool:
        """Whether the last player, who played from where no piece had been seen, puts right where it went."""
        last, record = self.referee.last_play, self.referee.match.position
        return last is not None and last.may_go_on(record, shown)

    def _may_have_been_left(self, shown: Position) -> bool:
        """Whether a piece is back where it was knocked off. It may never have gone from there."""
        out = self._out_of_base(shown)
        return any((move.seat, move.end) in self.referee.maybe_left for move in out)

    def _may_have_strayed(self, shown: Position) -> bool:
        """Whether a piece has come from base or home, where nobody saw it. It may never have been there."""
        away, home = self.referee.away, self.referee.match.board.home
        moves = moves_between(self.referee.match.position, shown)
        if any(move.start == home and away and away[move.seat][1] for move in moves):
            return True
        return any(move.seat in self.referee.strayed for move in self._out_of_base(shown))

    def _out_of_base(self, shown: Position) -> set[Move]:
        """The moves out of base since the board on record, or beside the play most like the one shown."""
        moves = {*moves_between(self.referee.match.position, shown), *self._beside_a_play(shown)}
        return {move for move in moves if move.start == BASE}

    def _beside_a_play(self, shown: Position) -> tuple[Move, ...]:
        """The moves beside the play, if any, that leaves the fewest.

        Only this tells a piece that the play knocked off from one that came out of base instead.
        """
        return fewest_moves(as_may_be(self.referee.match), shown)

    def _may_have_been_in_base(self, shown: Position) -> bool:
        """Whether a piece on record in a stack of its side may have been in base since it was knocked off.

        Beside a play of the throw in hand, it has gone to base, or back to where the dice bring a piece out.
        """
        match = self.referee.match
        board, record = match.board, match.position

        def is_stacked(move: Move) -> bool:
            return side_at(board, record, move.seat, board.place(move.seat, move.start)) > 1

        def from_base(move: Move) -> Match:
            return playing.corrected(match, with_one_at(record, move.seat, move.start, BASE)).match

        return any(
            move.end == BASE or (owes_a_play(match) and shown in from_base(move).plays)
            for move in self._beside_a_play(shown)
            if move.end < move.start and move.start in record[move.seat] and is_stacked(move)
        )

    def _may_be_looked_for(self, reading: Reading | Window) -> bool:
        """Whether nobody is to blame if a piece is only looked for among its own side's.

        Then it was knocked off, and is not back in base yet (`Referee.looked_for`).
        """
        match = self.referee.match

        def is_right_without(seat: int, steps: int) -> bool:
            in_base = playing.corrected(match, with_one_at(match.position, seat, steps, BASE)).match
            return fits_any((in_base,), reading.if_also_away(seat))

        # The piece may have been played on since the board last agreed with the record.
        return any(
            steps in match.position[seat] and is_right_without(seat, steps)
            for seat, steps in self.referee.looked_for
        )

    def _may_come_from_elsewhere(self, shown: Position) -> bool:
        """Whether a piece gone from base may have been on its way unseen: then the dice have brought it here.

        None of its colour had been seen in base.
        """
        match, away = self.referee.match, self.referee.away
        if not (away and owes_a_play(match)):
            return False
        farthest = 2 * sum(match.thrown)
        return any(
            shown in playing.corrected(match, with_one_at(match.position, move.seat, BASE, at)).match.plays
            for move in moves_between(match.position, shown)
            if move.start == BASE and away[move.seat][0] >= match.position[move.seat].count(BASE)
            for at in range(max(1, move.end - farthest), move.end)
        )

    def _may_be_counted_elsewhere(self, shown: Position) -> bool:
        """Whether the only wrong piece has gone from a stack to where others of its colour stood.

        Readers count a piece that they miss under another top of its colour. It is hardly just as far away as
        the dice take it.
        """
        for board in as_may_be(self.referee.match):
            wrong, *more = moves_between(board, shown) or (None,)
            if wrong is None or more or BASE in (wrong.start, wrong.end):
                continue
            four, before = board[wrong.seat], self.referee.match.position[wrong.seat]
            was_stacked = max(four.count(wrong.start), before.count(wrong.start)) > 1
            if was_stacked and wrong.end in four:
                return True
        return False

    def _is_far_back(self, shown: Position) -> bool:
        """Whether a piece stands further back than FAR_BACK, and none of its colour was knocked off.

        Nobody gains by that, and all would see it. A piece out of base that was counted elsewhere looks so.
        """
        moves = self._beside_a_play(shown)
        knocked_off = {move.seat for move in moves if move.end == BASE}
        return any(move.end < move.start - FAR_BACK for move in moves if move.seat not in knocked_off)

    def _is_behind(self, shown: Position) -> bool:
        """Whether a piece that a ruling moved may still stand where it was, or be played on from there."""
        match = self.referee.match
        if match.behind is None:
            return False
        back = FAR_BACK if self._may_go_back else 0
        return any(
            (Counter(wanted) - Counter(was)) & (Counter(wanted) - Counter(now))
            and max(Counter(now) - Counter(wanted)) >= min(Counter(was) - Counter(wanted)) - back
            for was, wanted, now in zip(match.behind, match.position, shown, strict=True)
        )

    def _by_doubted_dice(self) -> Guesses:
        """The match by all that the dice of the last throw may be besides what they were told as.

        What they were read as once a hand had been there counts too. This only excuses.
        """
        return (*self._by_other_dice(), *self._by_readings(self.referee.dice.doubted_since_hand))

    def _moves_by_doubted_dice(self, shown: Position) -> bool:
        """Whether dice that were read in two ways may explain all that was moved.

        - Each moved piece is one that a play by one of these readings may move.
        - It stands where some dice may take it.

        False if the board is wrong by all readings, with more moved beside a whole play (`_moved_beside`).
        """
        match, others = self.referee.match, self._by_doubted_dice()
        if not others:
            return False
        may_be_right = any(shown in (*as_may_be(each), *each.halfway) for each in others)
        if not may_be_right and any(self._moved_beside(shown)):
            return False

        def come(board: Position) -> set[tuple[int, int]]:
            return {
                (move.seat, move.end) for move in moves_between(match.position, board) if move.end != BASE
            }

        throws = (match, *others)
        may_move = {each.to_play for each in throws}.union(
            seat for each in throws for play in each.plays for seat, _ in come(play)
        )
        any_dice = self._by_readings(_all_throws(len(match.thrown)))
        may_come = set[tuple[int, int]]().union(
            *(come(play) for each in (*throws, *any_dice) for play in (*each.plays, *each.halfway))
        )
        return all(seat in may_move and (seat, at) in may_come for seat, at in come(shown))

    def _moved_beside(self, shown: Position) -> tuple[Counter[Move], ...]:
        """What is wrong on a board: one set of moves for each way to see it.

        - For each whole play of the throw in hand with own pieces: the moves beside it.
        - If a piece has gone back as no play takes it, and not to where it came from: all moves.
        """
        match, history = self.referee.match, self.referee.earlier
        moves, own = Counter(moves_between(match.position, shown)), match.setting.owned[match.to_play]
        plays = match.plays if owes_a_play(match) else ()
        made = (Counter(m for m in moves_between(match.position, play) if m.seat in own) for play in plays)
        beside = [moves - each for each in made if each and not each - moves]
        has_gone_back = any(
            BASE < move.end < move.start
            and all(before.position[move.seat] != shown[move.seat] for before in history)
            for move in moves
        )
        if has_gone_back and not self._may_go_back:
            beside.append(moves)
        return tuple(beside)

    def _may_be_by_dice_not_taken(self, shown: Position) -> bool:
        """Whether a board is a play, or half of one, of dice that lay there and were not taken for a throw.

        They may have shown anything.
        """
        match = self.referee.match
        if not self._may_be_thrown_unseen:
            return False
        return self._may_be_played_by_any_dice(shown, map(_before_throw, (match, *self._other_guesses)))

    def _may_be_anybodys(self, shown: Position) -> bool:
        """Whether a board is a play, or half of one, by some dice of some side."""
        return self._may_be_played_by_any_dice(shown, other_turns(_before_throw(self.referee.match)))

    def _may_be_played_by_any_dice(self, shown: Position, befores: Iterable[Match]) -> bool:
        """Whether a board is a play, or half of one, of some dice thrown in any of these matches."""
        throws = (
            (before, ThrowMade(self.t, values))
            for before in befores
            for number in before.dice_wanted
            for values in _all_throws(number)
        )
        afters = (taken(before, throw, by_the_rules=True) for before, throw in throws)
        return any(
            shown in (*after.plays, *after.halfway)
            for after in afters
            if after is not None and after.awaiting is Awaiting.PLAY
        )

    @property
    def _may_go_back(self) -> bool:
        """Whether the rules let pieces go back (suckback, blowback)."""
        rules = self.referee.match.rules
        return rules.suckback or rules.blowback

    @property
    def _may_be_thrown_unseen(self) -> bool:
        """Whether the camera has seen dice that it may have taken for no throw, or has missed some."""
        dice = self.referee.dice
        return self.referee.reads_dice and bool(dice.maybe_thrown or dice.was_missed)

    def _since_last_play(self) -> Iterator[Match]:
        """The match as it was since the last play that followed from the dice, latest first."""
        later = self.referee.match
        for each in reversed(self.referee.earlier):
            if each.position != later.position and owes_a_play(each) and later.position in each.plays:
                return
            yield each
            later = each


def _before_throw(match: Match) -> Match:
    """The match that dice thrown now find. A throw in hand counts as played, with the board as it stands."""
    return as_played(match) or playing.as_thrown_on(match)


def _all_throws(number: int) -> Iterator[tuple[int, ...]]:
    """Everything that `number` dice may show."""
    return combinations_with_replacement(range(1, SIX + 1), number)

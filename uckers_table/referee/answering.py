"""What players say of the record: an answer, the board taken as it stands, a ruling taken back."""

from __future__ import annotations

from dataclasses import replace

from uckers_table.errors import RulesError
from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match, Step
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, moves_between
from uckers_table.referee.events import ThrowMade
from uckers_table.referee.explaining import DOUBTS, FITS, Found, likeliest_play
from uckers_table.referee.guesses import MOST as GUESSES
from uckers_table.referee.guesses import (
    Guesses,
    all_taken,
    as_made,
    as_may_be,
    as_seen,
    first_unseen,
    other_turns,
    owes_a_play,
    taken_in_turn,
    that_fits,
    with_one_at,
)
from uckers_table.referee.judging import Judging
from uckers_table.referee.matching import Reading, pieces_at
from uckers_table.referee.rulings import Notice, NoticeKind
from uckers_table.referee.stillness import Stillness
from uckers_table.referee.supposing import MOST_UNSEEN
from uckers_table.referee.taking_back import Act, ActKind, Matter, as_mistaken, given_back, taken_back
from uckers_table.referee.telling import ANSWERED_S

NEARLY = 3.5
"""Nats. If people say that a board is right, plays that cost no more than this explain it. A piece that is
seen nowhere costs more (`matching.UNSEEN`)."""


class Answering(Judging):
    """Puts the record right by what players say of it."""

    def _answer(self) -> None:
        """The players say that the board is right as it stands, or that it was tipped up."""
        if self.referee.open_point == Notice(NoticeKind.UPBOARD):
            self.referee = replace(self.referee, open_point=None)
            self._make_call(Call("upboard"))
            return
        still, asked = self.referee.still, self.referee.asked
        if still is not None:
            self.referee = replace(self.referee, forgiven=still.reading.key)
        if asked is not None and self._may_show(asked):
            guesses = self.referee.guesses
            question = self.referee.question
            seen = still if still is not None or question is None else question.still
            if seen is not None:
                is_likely = seen.reading.clearest(asked, self.referee.match.position) <= FITS
                if not (is_likely and seen.reading.is_maybe(asked)):
                    # People may have meant the board as it is seen.
                    guesses = (*as_seen(self.referee.match, seen.reading), *guesses)[:GUESSES]
                self._agree(seen.reading, asked, is_told=True)
                # If only the board that was asked about was seen, hands are there again.
                self.referee = replace(self.referee, was_reached_over=still is None)
            held = self.referee.held
            self._see(asked)
            # What was held counts for these guesses too.
            for told in held[: len(held) - len(self.referee.held)]:
                guesses = all_taken(guesses, told)
            self.referee = replace(self.referee, guesses=guesses)
        elif still is not None:
            self._trust_what_is_seen()
        else:
            self._trust_what_was_asked()

    def _trust_what_was_asked(self) -> bool:
        """Take the board that was asked about as right, though hands have been over it since.

        If those hands have put it right, nothing is taken. False if there is nothing to answer any more.
        """
        question, still = self.referee.question, self.referee.still
        if question is None or self.t > question.t + ANSWERED_S:
            return False
        self.referee = replace(self.referee, question=None, asked=None, open_point=None)
        is_open = still is None or self._explained(still.reading)[0] in (Found.WRONG, Found.DOUBTFUL)
        if is_open and question.match is self.referee.match:
            reading = self._as_it_stands(question.still)
            position = reading.completed(question.match.position)
            if position is not None:
                self._trust_as_explained(reading, position, question.still.unplayed)
                # Hands may be making the rest of the play.
                self._doubt_turn()
        return True

    def _may_show(self, asked: Position) -> bool:
        """Whether the board that was asked about may be what is seen, and is not half a play.

        False if it has been played on since.
        """
        still, match = self.referee.still, self.referee.match
        if match.wrong_board is None and asked not in as_may_be(match):
            return False
        # Something else may be misread just when people answer.
        is_seen = still is None or still.window(self.t).cost(asked, match.position) < DOUBTS
        return is_seen and asked not in match.halfway

    def _let_stand(self) -> None:
        """Players throw on: they let the board stand, though the referee has asked about it."""
        still = self.referee.still
        if still is None or not still.is_long(self.t):
            return
        if self.referee.open_point == Notice(NoticeKind.UPBOARD):
            # Whoever throws on has not seen the board tipped up.
            self.referee = replace(self.referee, open_point=None)
        elif self.referee.is_asking:
            self._answer()
        elif self.referee.is_out_of_step:
            self._trust_what_is_seen()

    def _take_back(self, matter: Matter | None) -> None:
        """Take a matter back (`taking_back.at_stake`).

        A withdrawn accusation puts the turn in doubt, unless the board was put right since and is seen so.
        """
        if matter is None:
            self._rule(self._refusal("not now: there is nothing to take back"))
            return
        self.referee = taken_back(self.referee, matter)
        if matter.is_accusation and not (matter.is_as_before and self.referee.agrees):
            self.referee = as_mistaken(self.referee)
            self._doubt_turn()
        # If the pieces stand as before, the board has nothing to decide about the throws that stay.
        is_open = owes_a_play(self.referee.match) or not matter.is_as_before
        at_once = [] if is_open else [told for _, told in matter.stays]
        self._rule_turn(NoticeKind.TAKEN_BACK, matter, taken_in_turn(self.referee.match, at_once))
        undone, held = self.referee.undone, self.referee.held
        self.referee = replace(self.referee, held=held[len(at_once) :])
        for told in at_once:
            self._take_dice(told)
        self.referee = replace(self.referee, undone=undone)

    def _put_back(self) -> None:
        """Put on record again what was taken back last."""
        if not self.referee.undone:
            self._rule(self._refusal("not now: there is nothing to put back"))
            return
        matter = self.referee.undone[-1].matter
        self.referee = given_back(self.referee)
        self._rule_turn(NoticeKind.PUT_BACK, matter, self.referee.match)

    def _rule_turn(self, kind: NoticeKind, matter: Matter, match: Match | None) -> None:
        """Say what became of a matter, and whose turn it is with what in hand."""
        match = self.referee.match if match is None else match
        in_hand = match.thrown if match.awaiting is Awaiting.PLAY else ()
        whose = "" if match.awaiting is Awaiting.OVER else match.board.seats[match.to_play]
        self._rule(Notice(kind, whose, numbers=in_hand, matter=matter))

    def _doubt_turn(self) -> None:
        """Something was wrong. If dice have been thrown, the turn may be wrong too."""
        if self.referee.match.thrown:
            self._doubt_record()

    def _take_play(self, position: Position) -> None:
        """Take the play that a person tells. He is believed: nothing else may have happened.

        Raises RulesError if the throw in hand does not allow that play.
        """
        match = self.referee.match
        if match.awaiting is not Awaiting.PLAY or position not in match.plays:
            raise RulesError("no throw in hand allows that play; 'correct' says how the pieces stand")
        self.referee = replace(self.referee, last_play=None, guesses=(), turns=(), forgiven=None)
        self._see(position)

    def _trust_what_is_seen(self) -> None:
        still = self.referee.still
        if still is None:
            return
        reading = self._as_it_stands(still)
        position = reading.completed(self.referee.match.position)
        if position is None:
            # Nobody can have meant that this is right.
            self.referee = replace(self.referee, forgiven=None)
            self._rule(self._refusal("not now: more pieces are seen than there are"))
        else:
            self._trust_as_explained(reading, position, still.unplayed)

    def _as_it_stands(self, still: Stillness) -> Reading:
        """The reading to trust when people confirm the board.

        It is the most frequent recent one, plus every recorded piece that was seen in its place at least
        once. If that makes too many pieces, those are not added. The newest reading is trusted instead if it
        differs from the record in less, and in nothing else.
        """
        record = self.referee.match.position
        typical = still.window(still.until).typical(record, if_any=True)
        reading = still.usual if typical.completed(record) is None else typical
        then, now = reading.completed(record), still.reading.completed(record)
        is_less = then and now and {*moves_between(record, now)} < {*moves_between(record, then)}
        return still.reading if is_less else reading

    def _trust_as_explained(self, reading: Reading, position: Position, unplayed: int) -> None:
        """Take a board that people say is right by plays that explain it, or else as it stands."""
        if self._trust_as_others_play(reading) or self._trust_as_played(reading, unplayed):
            return
        position = self._as_come_home(reading, self._as_played_across(reading, position))
        before, now = reading.away_from(self.referee.match.position), reading.away_from(position)
        # One piece that has come out of base since does not tell that another has gone there.
        last = self.referee.away or before
        strayed = {seat for seat, (away, _) in enumerate(now) if away > min(before[seat][0], last[seat][0])}
        self._trust(position)
        self.referee = replace(self.referee, strayed=self.referee.strayed | strayed)

    def _as_played_across(self, reading: Reading, position: Position) -> Position:
        """A confirmed board, with a piece near a line put beyond it if the dice took it there."""
        match = self.referee.match
        if not owes_a_play(match) or position in as_may_be(match):
            return position
        across = (with_one_at(position, *line) for line in reading.near_lines(position))
        return next((board for board in across if board in match.plays), position)

    def _as_come_home(self, reading: Reading, position: Position) -> Position:
        """A confirmed board, with pieces that are seen nowhere put home instead of into base.

        The dice thrown since the board was as on record must take them home, and no piece may stand on their
        squares. Then they are likelier at home.
        """
        match = self.referee.match
        told = [each.dice for each in self.referee.held if isinstance(each, ThrowMade)]
        steps = {n for dice in (*told, match.thrown) for n in (*dice, sum(dice))}
        home, before = match.board.home, reading.away_from(match.position)
        for move in moves_between(match.position, position):
            is_unseen = move.end == BASE and reading.away_from(position)[move.seat][0] > before[move.seat][0]
            left = match.board.place(move.seat, move.start)
            if is_unseen and home - move.start in steps and not pieces_at(match.board, position, left):
                position = with_one_at(position, move.seat, BASE, home)
        return position

    def _trust_as_others_play(self, reading: Reading) -> bool:
        """Whether a confirmed board is a play of the dice in hand by another side, whose turn it then was.

        These are the sides of `Referee.turns`. Out of step, it may be any side.
        """
        record = self.referee.match
        others = other_turns(record) if self.referee.is_out_of_step and owes_a_play(record) else ()
        guess = that_fits((*self.referee.turns, *others), reading)
        if guess is None:
            return False
        self._take_for(guess)
        _, play = likeliest_play(guess, reading)
        self._recognise(reading, play)
        # Or that side had no turn, and the throw in hand is still to be played.
        self._guess(playing.corrected(record, play).match)
        return True

    def _trust_as_played(self, reading: Reading, unplayed: int) -> bool:
        """Whether a confirmed board shows plays of the held dice. If so, they are taken for made.

        The last `unplayed` throws are left out. The board may be read a little otherwise (NEARLY).
        """
        number = len(self.referee.held) - unplayed
        played = self.referee.held[:number]
        is_seen = 0 < number <= MOST_UNSEEN and self.referee.match.wrong_board is None
        first = first_unseen(self.referee.match, played, reading, within=NEARLY) if is_seen else None
        if first is None:
            return False
        self._believe()
        while played:
            if first not in (None, self.referee.match.position):
                self._play_unseen(first, reading)
            self._take_held_throw()
            played = played[1:]
            first = first_unseen(self.referee.match, played, reading, within=NEARLY)
        match = self.referee.match
        cost, play = likeliest_play(match, reading)
        if owes_a_play(match) and cost < min(NEARLY, reading.cost(match.position, match.position)):
            self._play_unseen(play, reading)
        self._agree(reading, self.referee.match.position, is_told=True)
        # One more play tells that none of these dice were void.
        self.referee = replace(self.referee, forgiven=reading.key)
        self._doubt_record(plays=1)
        self._guess(match)
        self._take_held(all_of_it=True)
        return True

    def _believe(self) -> None:
        """Ask no more of a board that people say is right, and doubt nothing of it."""
        # `has_missed` stays: only a recognised play clears it.
        self.referee = replace(
            self.referee,
            asked=None,
            open_point=None,
            voided=(),
            too_early=frozenset(),
            hardly=(),
            last_play=None,
            guesses=(),
            turns=(),
            forgiven=None,
            mistakes=0,
            is_resumed=False,
            is_out_of_step=False,
        )
        self._notice(NoticeKind.TRUSTED)

    def _trust(self, position: Position) -> None:
        match, asked = self.referee.match, self.referee.open_point
        places = asked.places if isinstance(asked, Notice) else ()
        is_left_behind = any(place in places for place in self._left_behind(position))
        self._remember(Act(ActKind.TRUST, match, self.t))
        # A board that is no play of the throw in hand stands in place of one: the turn goes on.
        step = playing.see(match, position) if match.awaiting is Awaiting.PLAY else Step(match)
        if step.match.position != position:
            step = playing.placed(step.match, position)
        if position not in match.plays:
            step = step._replace(match=step.match.knowing_order_of(match))
        held = self.referee.held
        guesses = [each for each in self.referee.guesses if each.awaiting is Awaiting.PLAY]
        if self.referee.is_out_of_step:
            # What is wrong has been named piece by piece.
            self._doubt_turn()
        else:
            # Another piece may not stand quite as it is seen. The next play will tell.
            self._doubt_record(plays=1)
        # A colour that is home now may have been so for long, and have thrown the six that lets it help.
        come_home = match.setting.come_home
        gates = self.referee.gates | (come_home(position) - come_home(match.position))
        looked_for = self.referee.looked_for | self._now_among_its_own(position)
        self.referee = replace(
            self.referee.with_match(step.match), held=(), gates=gates, looked_for=looked_for
        )
        self._believe()
        for ruling in step.rulings:
            # People have just been told that the board is taken as it stands.
            is_said = ruling.kind is Kind.STOOD and not ruling.honours
            self._tell(replace(ruling, unspoken=True) if is_said else ruling)
        self._go_on_with(held)
        if position not in match.halfway:
            # Somebody may have taken a play back, to make another.
            before = (each for each in reversed(self.referee.earlier) if each.position == position)
            others = (*_half_played(match, position), *before)
            afters = (taken_in_turn(each, held) for each in as_made(guesses, position))
            since = tuple(after for after in afters if after is not None)
            turns = other_turns(self.referee.match)
            if held:
                # Dice thrown that are not on record may count for long, in a challenge for instance.
                others = (*others, *since)
            else:
                # The board may have stood so before. Then the throw in hand, or its rest, is still to be
                # played.
                others = (*_still_to_play(match, position), *others)
                turns = (*since, *turns)
            self.referee = replace(self.referee, turns=turns)
        else:
            # The rest of the play may still be made.
            others = () if held else (match,)
        half_played = (each for each in guesses if position in each.halfway and not held)
        others, caught_up = (*half_played, *others), _caught_up(match, self.referee.match)
        if is_left_behind:
            # People have said that what a ruling moved is right where it stands. Whoever moves it still is
            # asked.
            self.referee = replace(self.referee, turns=(*caught_up, *self.referee.turns))
        else:
            others = (*caught_up, *others)
        self.referee = replace(self.referee, guesses=(*others, *self.referee.guesses)[:GUESSES])


def _caught_up(match: Match, trusted: Match) -> Guesses:
    """The trusted match, with what a ruling moved put where it belongs if it still stands where it was."""
    if match.behind is None:
        return ()
    position = trusted.position
    for move in moves_between(match.behind, match.position):
        if move.start in position[move.seat]:
            position = with_one_at(position, move.seat, move.start, move.end)
    return (playing.corrected(trusted, position).match,) if position != trusted.position else ()


def _still_to_play(match: Match, position: Position) -> Guesses:
    """The match if a confirmed board stood so when the dice in hand were thrown."""
    mended = playing.corrected(match.uncalled, position).match
    return (mended,) if owes_a_play(mended) else ()


def _half_played(match: Match, position: Position) -> Guesses:
    """The match if a confirmed board shows half of the play in hand.

    Where other sides' pieces differ from the record, they stood so before.
    """
    match = match.uncalled
    if not owes_a_play(match):
        return ()
    own = match.setting.owned[match.to_play]
    before = tuple(
        was if seat in own else now
        for seat, (was, now) in enumerate(zip(match.position, position, strict=True))
    )
    mended = playing.corrected(match, before).match
    return (mended,) if owes_a_play(mended) and position in mended.halfway else ()

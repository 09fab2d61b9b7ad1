"""What is said, and what of it changes the match: the lowest of the layers that an event passes through."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from uckers_table.game import playing
from uckers_table.game.events import Call
from uckers_table.game.match import Match, Step
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Ruling, moves_between
from uckers_table.game.throws import Purpose
from uckers_table.referee.crosscheck import DiceEvent
from uckers_table.referee.events import CallMade
from uckers_table.referee.explaining import DOUBT, likeliest_play
from uckers_table.referee.guesses import MOST as GUESSES
from uckers_table.referee.guesses import Guesses, all_taken, other_turns, owes_a_play
from uckers_table.referee.rulings import CHECK_DICE, Notice, NoticeKind, TimedRuling
from uckers_table.referee.taking_back import ACCUSATIONS, Act, ActKind, seen_kind, told_kind, with_act

if TYPE_CHECKING:
    from uckers_table.referee.matching import Reading
    from uckers_table.referee.referee import Referee
    from uckers_table.referee.stillness import Stillness

ANSWERED_S = 4.0
"""How long after a question `done` still answers it (seconds). It then says nothing of what was moved
since."""
DOUBTED_FOR = 2
"""After this many plays in a row, a record that was mended by a guess is right."""

IN_STEP = frozenset({Kind.LEGAL, Kind.PUT_RIGHT, Kind.WON})
"""Rulings after which board and record agree."""


class Taken(NamedTuple):
    """A throw, fault or call that was taken.

    `seat`: whose it was. `told`: what was told. `place`: how many rulings of the same response came before
    it. `purpose`: what the dice were thrown for (`game.throws.Purpose`), None for a call.
    """

    seat: int
    told: DiceEvent | CallMade
    place: int
    purpose: Purpose | None = None


class Question(NamedTuple):
    """When a board was asked about (seconds), how it was seen then, and the match on record then."""

    t: float
    still: Stillness
    match: Match


class Telling:
    """One event as it is dealt with at one time. Collects the rulings and the referee that results.

    An event goes through layers. Each uses only those below it. `Hearing` takes the event. `Answering` does
    what players want of the record. `Judging` says what the board is. `Supposing` tries what else may have
    happened. `Excusing` knows what nobody is accused of. `Taking` counts dice and calls. This one speaks.
    """

    def __init__(self, referee: Referee, t: float, before: int) -> None:
        self.referee = referee
        self.t = t
        self.before = before
        """How many rulings of the same response were made before this hearing."""
        self.rulings: list[TimedRuling] = []
        self.taken: list[Taken] = []
        self.is_shift_called = False
        """A player is calling timber shifting just now."""
        self.alike: tuple[Position, ...] = ()
        """The boards of other plays that look like the one about to be ruled legal. The ruling names them."""
        self.replaced: Guesses = ()
        """The record whose place a guess has taken."""

    def _make_call(self, call: Call) -> None:
        """A call is made, and the match goes on by it."""
        match = self.referee.match
        seat = match.to_play if call.seat is None else call.seat
        made = CallMade(self.t, call)
        taken = Taken(seat, made, self.before + len(self.rulings))
        self.taken.append(taken)
        step = playing.call(match, call)
        if step.match is not match:
            # A guess in which the call makes no sense cannot have happened.
            guesses, turns = self.referee.guesses, self.referee.turns
            self.referee = replace(
                self.referee, guesses=all_taken(guesses, made), turns=all_taken(turns, made)
            )
        self._step(step, taken)

    def _step(self, step: Step, taken: Taken | None = None) -> None:
        """Take a step of the match and say its rulings. `taken` led to it, or else the board did."""
        before = self.referee.match
        if step.match is not before:
            if replace(step.match, behind=before.behind) != before:
                self._remember(self._act(step, taken))
            self.referee = self.referee.with_match(step.match)
            if step.match.wrong_board is None and not self.referee.is_asking:
                self.referee = replace(self.referee, open_point=None)
            if any(ruling.kind in IN_STEP for ruling in step.rulings):
                doubts = max(0, self.referee.doubts - _tells_turn(before, step.match))
                self.referee = replace(
                    self.referee,
                    mistakes=0,
                    has_missed=False,
                    is_resumed=False,
                    is_out_of_step=False,
                    doubts=doubts,
                )
        if any(ruling.kind is Kind.STOOD for ruling in step.rulings):
            still = self.referee.still
            if still is not None:
                # What was put right but for a line may be seen where it was.
                near = still.reading.near_lines(step.match.position)
                self.referee = replace(
                    self.referee, on_lines=(*dict.fromkeys((*self.referee.on_lines, *near)),)
                )
            if not _is_played(before):
                # Whoever moved wrongly may still have to play, or to throw.
                self.referee = replace(self.referee, turns=other_turns(step.match))
        for ruling in step.rulings:
            # When the board has caught up with a ruling that moved pieces, nobody has played.
            if not (ruling.kind is Kind.LEGAL and before.behind is not None and not ruling.moves):
                self._tell(ruling)
        now = self.referee.match
        if now.must_challenge and not before.must_challenge:
            self._notice(NoticeKind.MUST_CHALLENGE, now.board.seats[now.to_play])

    def _tell(self, ruling: Ruling) -> None:
        """Say a ruling. Where players call timber shifting, a shift is not said until they do (A75)."""
        if ruling.kind in (Kind.LEGAL, Kind.WON) and self.alike:
            ruling, self.alike = replace(ruling, alike=self.alike), ()
        noted = self.referee.unspoken
        if self._is_kept_quiet(ruling.kind):
            self.referee = replace(self.referee, unspoken=noted or self._timed(ruling))
            return
        self.referee = replace(self.referee, unspoken=None)
        if ruling.kind is Kind.STOOD:
            self.rulings = [_as_thrown_on(timed) for timed in self.rulings]
        if noted is None or ruling.kind not in (Kind.PUT_RIGHT, Kind.STOOD):
            self._rule(ruling)
        elif ruling.kind is Kind.STOOD:
            self._rule(replace(ruling, unspoken=True))

    def _is_kept_quiet(self, kind: Kind) -> bool:
        """Whether a ruling is noted and not said: only players call shifts here, and none does just now."""
        players_call = self.referee.match.rules.timber_caller == "players"
        return kind is Kind.TIMBER_SHIFT and players_call and not self.is_shift_called

    def _doubt(
        self, reading: Reading, innocent: Position | None = None, stood: Position | None = None
    ) -> Notice:
        """The question about the places where the board is not what it most likely is, or about all of it.

        The board most likely is the `innocent` explanation. If none is given, it is the record or a play of
        the throw in hand, whichever fits better. It follows from what `stood`: the record, if none is given.
        """
        match = self.referee.match
        if innocent is None:
            cost, play = likeliest_play(match, reading) if owes_a_play(match) else (inf, match.position)
            innocent = play if cost < reading.cost(match.position, match.position) else match.position
        stood = match.position if stood is None else stood
        return Notice.check(reading.doubtful_places(innocent, stood, DOUBT))

    def _doubt_moved(self, before: Position, after: Position) -> Notice:
        """The question about the places to which pieces have come from one board to another."""
        board = self.referee.match.board
        places = dict.fromkeys(board.place(move.seat, move.end) for move in moves_between(before, after))
        return Notice.check([*places])

    def _ask(self, question: Notice, innocent: Position | None = None) -> None:
        """Ask what `done` or `accept` will answer. Another board answers it too."""
        if self._is_just_asked(question):
            self.referee = replace(self.referee, asked=innocent)
        elif self.referee.open_point != question:
            asked = None
            if question.kind is NoticeKind.CHECK and self.referee.still is not None:
                asked = Question(self.t, self.referee.still, self.referee.match)
            self.referee = replace(self.referee, asked=innocent, open_point=question, question=asked)
            self._rule(question)

    def _is_just_asked(self, question: Notice) -> bool:
        """Whether people have just been asked about this board, or about all that a question of it names."""
        last, asked, still = self.referee.question, self.referee.open_point, self.referee.still
        if last is None or last.match is not self.referee.match or self.t > last.t + ANSWERED_S:
            return False
        if not isinstance(asked, Notice) or CHECK_DICE in (asked, question) or asked == question:
            return False
        is_same = still is not None and still.reading.key == last.still.reading.key
        is_part = not asked.places or (question.places and {*question.places} <= {*asked.places})
        return asked.kind is question.kind is NoticeKind.CHECK and bool(is_same or is_part)

    def _guess(self, *matches: Match) -> None:
        """Keep in mind that these may have happened instead. They come before the guesses kept until now."""
        self.referee = replace(self.referee, guesses=(*matches, *self.referee.guesses)[:GUESSES])

    def _doubt_record(self, plays: int = DOUBTED_FOR) -> None:
        """Keep the record in doubt until this many of the next plays have been recognised."""
        self.referee = replace(self.referee, doubts=max(plays, self.referee.doubts))

    def _act(self, step: Step, taken: Taken | None) -> Act:
        """What a step from the match on record is called, should people want to take it back."""
        before = self.referee.match
        if taken is not None:
            kind, seat = told_kind(taken.told), taken.seat
            return Act(kind, before, self.t, seat=seat, told=taken.told, purpose=taken.purpose)
        kind, accused = seen_kind(step.rulings), None
        if kind is ActKind.ACCUSATION:
            accused = next(ruling.kind for ruling in step.rulings if ruling.kind in ACCUSATIONS)
            kind = ActKind.NOTED if self._is_kept_quiet(accused) else kind
        return Act(kind, before, self.t, seat=before.to_play, accused=accused)

    def _remember(self, act: Act) -> None:
        self.referee = with_act(self.referee, act)

    def _refusal(self, why: str) -> Ruling:
        match = self.referee.match
        return Ruling(Kind.CALL_REFUSED, match.to_play, match.position, why=why)

    def _notice(self, kind: NoticeKind, about: str = "") -> None:
        self._rule(Notice(kind, about))

    def _rule(self, ruling: Ruling | Notice) -> None:
        self.rulings.append(self._timed(ruling))

    def _timed(self, ruling: Ruling | Notice) -> TimedRuling:
        match = self.referee.match
        position = ruling.position if isinstance(ruling, Ruling) else match.position
        return TimedRuling(self.t, ruling, position, match.to_play, match.awaiting)


def _is_played(match: Match) -> bool:
    """Whether it was the thrower's own play that was called wrong. If not, it was something beside it."""
    wrong = match.wrong_board
    return wrong is not None and match.wrong_kind is Kind.ILLEGAL and moves_own(match, wrong)


def _as_thrown_on(timed: TimedRuling) -> TimedRuling:
    """An accusation of a board that stands, because dice were thrown on it before it could be called."""
    ruling = timed.ruling
    if isinstance(ruling, Ruling) and ruling.kind in (Kind.ILLEGAL, Kind.TIMBER_SHIFT):
        return replace(timed, ruling=replace(ruling, thrown_on=True))
    return timed


def _tells_turn(before: Match, after: Match) -> bool:
    """Whether a play tells whose turn it was. One with the partner's pieces alone does not."""
    return before.position == after.position or moves_own(before, after.position)


def moves_own(match: Match, position: Position) -> bool:
    """Whether any pieces of the side whose turn it is stand elsewhere in a position."""
    return any(match.position[seat] != position[seat] for seat in match.setting.owned[match.to_play])

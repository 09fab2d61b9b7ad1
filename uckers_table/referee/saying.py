"""What is said, and what goes on record: the lowest of the layers that an event passes through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee.histories import GUILT, History, HistoryAct, accounts, likeliest
from uckers_table.referee.memory import Memory
from uckers_table.referee.rulings import Account, Notice, NoticeKind, Taken, TimedRuling
from uckers_table.referee.taking_back import ActKind, Matter

_IN_STEP = frozenset({Kind.LEGAL, Kind.PUT_RIGHT, Kind.WON})
"""Rulings after which board and record agree."""

_THROWN_OVER = 2
"""So many throws over the one in hand are no slip of an eager hand."""


class Saying:
    """One event as it is dealt with at one time: `now` is what is remembered of it.

    An event goes through layers. Each uses only those below it. `referee` takes the event. `Heeding` does
    what players want of the record. `Weighing` says what the board is. This one speaks.
    """

    def __init__(self, memory: Memory, t: float, before: int) -> None:
        self.now, self.t = memory, t
        self._before = before
        """How many rulings of the same response were made before this hearing."""
        self.rulings: list[TimedRuling] = []
        self.taken: list[Taken] = []
        self.read_again = frozenset[str]()
        self._is_shift_called = False

    def _speak_of(
        self, chosen: History, found: Iterable[History] | None = None, was: Sequence[History] = ()
    ) -> None:
        """The rulings of a history are said, and the record is as it has it. The others live on.

        `found`: the histories that a look has come to; without it those that there are. `was`: all that
        there were before it.
        """
        now = self.now
        others = now.histories if found is None else [*found]
        if chosen.forked and not chosen.is_guilty:
            self._mend_the_record(chosen.match)
        if any(ruling.kind is Kind.LEGAL for ruling in chosen.unsaid):
            self.now = replace(self.now, dice=now.dice.played())
        self.now = replace(self.now, match=chosen.match)
        point = self._say_all(chosen, was, others)
        if chosen.match.must_challenge and not now.match.must_challenge:
            self._say(Notice(NoticeKind.MUST_CHALLENGE, chosen.match.board.seats[chosen.match.to_play]))
        rest = [each.having_heard(chosen) for each in others if each.key != chosen.key]
        self.now = replace(
            self.now, roots=likeliest((chosen.as_said(), *rest)), open_point=point, asked=(), choices=()
        )
        if any(ruling.kind in _IN_STEP for ruling in chosen.unsaid):
            self.now = replace(self.now, astray=None)
        if found is not None:
            self.now = replace(self.now, watch=self.now.watch.said())

    def _mend_the_record(self, match: Match) -> None:
        """Another history than the one on record is the likeliest."""
        accused = self.now.open_point
        if isinstance(accused, Ruling):
            matter = Matter(0, ActKind.ACCUSATION, self.t, seat=accused.seat, accused=accused.kind)
            self._say_turn(NoticeKind.TAKEN_BACK, matter, match)
        else:
            self._say(Notice(NoticeKind.REVISED))
        self._remember(HistoryAct(ActKind.REVISED, self.now.match))

    def _say_turn(self, kind: NoticeKind, matter: Matter | None, match: Match) -> None:
        """Says whose turn it is with what in hand, and why that is said."""
        in_hand = match.thrown if match.awaiting is Awaiting.PLAY else ()
        whose = "" if match.awaiting is Awaiting.OVER else match.board.seats[match.to_play]
        self._say(Notice(kind, whose, numbers=in_hand, matter=matter))

    def _say_all(self, chosen: History, was: Sequence[History], others: Sequence[History]) -> Ruling | None:
        """Says what nobody has heard of a history. Guilt that has gone stale is not said.

        What is left open by it: the accusation, if the pieces are still to be put right.
        """
        is_thrown_on = any(ruling.kind is Kind.STOOD for ruling in chosen.unsaid)
        point, is_called = None, False
        for n, ruling in enumerate(chosen.unsaid):
            self._go_on_record(chosen, n, was)
            if n < chosen.stale:
                if ruling.kind not in GUILT:
                    self._say(replace(ruling, unspoken=True))
            elif ruling.kind not in GUILT or ruling.unspoken:
                is_late = ruling.kind is Kind.STOOD and is_called
                self._say_after(self.now.noted, replace(ruling, thrown_on=True) if is_late else ruling)
            elif self._is_kept_quiet(ruling.kind):
                self.now = replace(self.now, noted=self._timed(ruling, accounts(chosen, others)))
            else:
                point = None if is_thrown_on else replace(ruling, thrown_on=False)
                self._say(replace(ruling, thrown_on=is_thrown_on), accounts(chosen, others))
                is_called = True
            if ruling.kind is Kind.VOID:
                self._ask_for_a_challenge(chosen.match)
        self._go_on_record(chosen, len(chosen.unsaid), was)
        return point

    def _ask_for_a_challenge(self, match: Match) -> None:
        """Dice were thrown over a throw in hand. Whoever does so again and could challenge is asked, once,
        whether he has: a challenge that is only shouted is heard by nobody here.
        """
        number = self.now.on_record.thrown_over + 1
        self.now = replace(self.now, on_record=replace(self.now.on_record, thrown_over=number))
        if number == _THROWN_OVER and match.challengers and match.wrong_board is None:
            self._say(Notice(NoticeKind.CHALLENGE_MEANT, match.board.seats[match.to_play]))

    def _go_on_record(self, chosen: History, number: int, was: Sequence[History]) -> None:
        """The deeds of a history before its ruling of that number are on record now."""
        place = self._before + len(self.rulings)
        for deed in chosen.deeds:
            if deed.place != number:
                continue
            if deed.taken is not None:
                self.taken.append(deed.taken._replace(place=place))
            elif was and deed is chosen.deeds[0]:
                deed = replace(deed, was=tuple(was))
            if deed.accused is not None and (number < chosen.stale or self._is_kept_quiet(deed.accused)):
                deed = replace(deed, kind=ActKind.NOTED)
            if not deed.is_void:
                self._remember(deed)

    def _remember(self, deed: HistoryAct) -> None:
        self.now = replace(self.now, on_record=self.now.on_record.with_deed(deed, self.t))

    def _is_kept_quiet(self, kind: Kind) -> bool:
        """Whether a ruling is noted and not said: only players call shifts here, and none does just now."""
        players_call = self.now.match.rules.timber_caller == "players"
        return kind is Kind.TIMBER_SHIFT and players_call and not self._is_shift_called

    def _say_after(self, noted: TimedRuling | None, ruling: Ruling) -> None:
        """Says a ruling. What comes of a shift that nobody called is said to nobody."""
        self.now = replace(self.now, noted=None)
        if noted is None or ruling.kind not in (Kind.PUT_RIGHT, Kind.STOOD):
            self._say(ruling)
        elif ruling.kind is Kind.STOOD:
            self._say(replace(ruling, unspoken=True))

    def _ask_whether(
        self, question: Notice, boards: tuple[Position, ...] = (), may_be: tuple[Account, ...] = ()
    ) -> None:
        if self._is_asked_already(question):
            self.now = replace(self.now, asked=boards)
        else:
            self.now = replace(self.now, open_point=question, asked=boards)
            self._say(question, may_be)

    def _is_asked_already(self, question: Notice) -> bool:
        """Whether people have still to answer for these places, with others perhaps."""
        point, places = self.now.open_point, {*question.places}
        if point == question or not isinstance(point, Notice) or point.kind is not NoticeKind.CHECK:
            return point == question
        return bool(places) and places <= {*point.places}

    def _refuse(self, why: str) -> None:
        match = self.now.match
        self._say(Ruling(Kind.CALL_REFUSED, match.to_play, match.position, why=why))

    def _say(self, ruling: Ruling | Notice, may_be: tuple[Account, ...] = ()) -> None:
        self.rulings.append(self._timed(ruling, may_be))

    def _timed(self, ruling: Ruling | Notice, may_be: tuple[Account, ...] = ()) -> TimedRuling:
        match = self.now.match
        position = ruling.position if isinstance(ruling, Ruling) else match.position
        return TimedRuling(self.t, ruling, position, match.to_play, match.awaiting, may_be)

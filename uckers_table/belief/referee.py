"""A referee that weighs histories: a pure fold over events. No clock, no file, no device, no randomness.

    event ─▶ watch and dice ─▶ histories ─▶ stories ─▶ verdict ─▶ rulings

What the camera shows is weighed by `stories`, always from the same histories: looking commits nothing.
Histories grow only when something is ruled, or when dice fall. Dice or a call that come before the last
play was seen wait for the next look.

A ruling travels with its history until that is spoken of. So a late accusation, a shift that stood, and an
accusation that is taken back all mean: the likeliest history is now another.

The table does not run on it yet. Not built: undo of plays and throws, redo, tower and camera together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from uckers_table.belief import prices
from uckers_table.belief.camera_watch import CameraWatch
from uckers_table.belief.histories import GUILT, DiceOrCall, History, HonestBoard, likeliest, taking
from uckers_table.belief.looks import LongLook, ReadBoard
from uckers_table.belief.stories import Circumstances, Story, stories
from uckers_table.belief.verdict import Balance, judged_look
from uckers_table.game import playing
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match
from uckers_table.game.open_calls import numbered, open_calls
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee.dice import DiceWatch, Reread, Wanted
from uckers_table.referee.events import (
    NUMBERS,
    ButtonPressed,
    CallMade,
    Correction,
    DeviceChanged,
    DiceFault,
    Event,
    Played,
    Resumed,
    Seen,
    ThrowMade,
)
from uckers_table.referee.hearing import AWAY_AFTER_S, BLINDING
from uckers_table.referee.judging import TIPPED
from uckers_table.referee.matching import in_play
from uckers_table.referee.rulings import Notice, NoticeKind, TimedRuling
from uckers_table.referee.taking_back import ActKind, Matter
from uckers_table.referee.telling import Taken
from uckers_table.sighting import Sighting

PENDING = 3
"""So many throws on an unseen board are understood; more are not."""
_MOST_GROWN = 60
"""So many histories are kept while those throws are tried on what may have been played."""


@dataclass(frozen=True)
class Weighed:
    """What an event led to: as `referee.Response`."""

    referee: WeighingReferee
    rulings: tuple[TimedRuling, ...]
    deadline: float | None
    taken: tuple[Taken, ...] = ()
    read_again: frozenset[str] = frozenset()


@dataclass(frozen=True)
class WeighingReferee:
    """The referee between two events.

    `match` is the record: the history that was last spoken of. `dice_from` says who reads the dice.
    `roots`: what may have happened up to the last throw or ruling, likeliest first. `pending`: dice and
    calls that wait for the board to be seen. `open_point`: the accusation or question that waits for
    people. `noted`: a shift that waits for a player to call it. `asked`: the boards that the question is
    about, the honest one first. `accused`: the histories before the last accusation, and the board accused.
    `choices`: the calls among which a player must still choose. `lost`, `without`: devices that do not
    answer, and those that were never there.
    """

    match: Match
    dice_from: str = "tower"
    roots: tuple[History, ...] = ()
    watch: CameraWatch = field(default_factory=CameraWatch)
    dice: DiceWatch = field(default_factory=DiceWatch)
    pending: tuple[DiceOrCall, ...] = ()
    open_point: Ruling | Notice | None = None
    noted: TimedRuling | None = None
    asked: tuple[Position, ...] = ()
    accused: tuple[tuple[History, ...], Position] | None = None
    choices: tuple[Call, ...] = ()
    lost: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()

    @property
    def histories(self) -> tuple[History, ...]:
        """What may have happened, likeliest first: at least what is on record."""
        return self.roots or (History(self.match, self.match.wrong_board or self.match.position),)

    @property
    def reads_dice(self) -> bool:
        """Whether the camera is to read the dice. It also does so in place of a lost tower."""
        return self.dice_from in ("camera", "both") or (self.dice_from == "tower" and "tower" in self.lost)

    @property
    def is_asking(self) -> bool:
        """Whether a question is open. `done` or `accept` answers that the board is right."""
        return isinstance(self.open_point, Notice)

    @property
    def deadline(self) -> float | None:
        """When the referee wants to be asked again if nothing happens before (seconds). None for never."""
        dice = self.dice.due(Wanted.by(self.match)) if self.reads_dice else None
        return min((due for due in (self.watch.due, dice, self.away_at) if due is not None), default=None)

    @property
    def away_at(self) -> float | None:
        """When a board that is not found may have been tipped up (seconds). None for never."""
        since, is_away = self.watch.blind_since, self.watch.trouble == "board_not_found"
        if since is None or not is_away or self.is_asking or not self.may_be_tipped:
            return None
        return since + AWAY_AFTER_S

    @property
    def may_be_tipped(self) -> bool:
        """Whether enough is in play for an upboard."""
        is_played_on = sum(map(len, in_play(self.match.board, self.match.position))) >= TIPPED
        return is_played_on and self.match.awaiting is not Awaiting.OVER

    def handle(self, event: Event) -> Weighed:
        """Take the next event. What fell due before it comes first."""
        referee, rulings, taken, again = self, list[TimedRuling](), list[Taken](), set[str]()
        while (deadline := referee.deadline) is not None and deadline <= event.t:
            due = _Hearing(referee, deadline, len(rulings))
            due.fall_due()
            referee = due.now
            rulings += due.rulings
            taken += due.taken
            again |= due.read_again
        hearing = _Hearing(referee, event.t, len(rulings))
        hearing.take(event)
        again |= hearing.read_again
        rulings += hearing.rulings
        taken += hearing.taken
        return Weighed(hearing.now, (*rulings,), hearing.now.deadline, (*taken,), frozenset(again))


class _Hearing:
    """One event as it is dealt with at one time: `now` is the referee that results."""

    def __init__(self, referee: WeighingReferee, t: float, before: int) -> None:
        self.now, self.t = referee, t
        self._before = before
        """How many rulings of the same response were made before this hearing."""
        self.rulings: list[TimedRuling] = []
        self.taken: list[Taken] = []
        self.read_again = frozenset[str]()
        self._is_shift_called = False
        self._unnoticed = referee.dice.maybe_thrown if referee.reads_dice else ()

    def _set(self, **changes: object) -> None:
        self.now = replace(self.now, **changes)  # type: ignore[arg-type]

    def take(self, event: Event) -> None:
        """Deal with an event."""
        match event:
            case Seen(_, sighting):
                self._see(sighting)
            case ThrowMade() | DiceFault():
                if event.source != "camera":
                    self._set(dice=self.now.dice.accounted())
                self._hear(event)
            case CallMade():
                self._hear(event)
            case ButtonPressed(_, name):
                self._press(name)
            case DeviceChanged(_, name, state):
                self._device(name, state)
            case Correction(_, position) | Played(_, position):
                self._trust(position)
            case Resumed(_, dice_from):
                self._set(dice_from=dice_from, watch=self.now.watch.hidden(), dice=DiceWatch())

    def fall_due(self) -> None:
        """Deal with what time alone has brought."""
        watch = self.now.watch
        if watch.checks and watch.checks[0] <= self.t:
            self._set(watch=replace(watch, checks=watch.checks[1:]))
            self._judge()
        self._go_blind()
        if self.now.away_at is not None and self.now.away_at <= self.t:
            self._ask_whether(Notice(NoticeKind.UPBOARD))
        self._deal_with_dice()

    def _see(self, sighting: Sighting) -> None:
        watch = self.now.watch
        trouble = next((each for each in sighting.trouble if each in BLINDING), "")
        if sighting.hand:
            if watch.look is not None and watch.is_dealt_with and not self.now.is_asking:
                self._remember(watch.look)
            self._set(watch=watch.hand(self.t))
        elif trouble:
            self._set(watch=watch.dark(self.t, trouble))
            self._go_blind()
            return
        else:
            if watch.is_blind:
                self._say(Notice(NoticeKind.SEES_AGAIN, watch.trouble))
            if self.now.reads_dice and watch.unwatched is None and watch.was_hidden_long(self.t):
                watch = replace(watch, unwatched=prices.LONG_HAND)
            self._set(watch=watch.sees(self.t, ReadBoard.of(self.now.match.board, sighting)))
            self._judge()
        if self.now.reads_dice:
            self._set(dice=self.now.dice.look(self.t, sighting))
            self._deal_with_dice()

    def _remember(self, look: LongLook) -> None:
        """Nothing was to be said of a look: what was read otherwise for a while was the reader's doing."""
        roots = self.now.histories
        self._set(roots=tuple(each.remembering(look.passing(each.board)) for each in roots))

    def _go_blind(self) -> None:
        now = self.now
        if now.watch.goes_blind(self.t):
            self._set(watch=now.watch.blind(prices.UNWATCHED[now.reads_dice]))
            self._say(Notice(NoticeKind.CANNOT_SEE, now.watch.trouble))

    def _device(self, name: str, state: str) -> None:
        now = self.now
        if state == "none":
            self._set(without=now.without | {name})
        elif state == "back":
            self._set(lost=now.lost - {name})
            if name == "camera":
                self._set(watch=replace(now.watch, seen_at=self.t))
            self._say(Notice(NoticeKind.DEVICE_BACK, name))
        else:
            if name == "camera":
                self._set(watch=now.watch.lost(prices.UNWATCHED[now.reads_dice]))
            self._set(lost=now.lost | {name})
            self._say(Notice(NoticeKind.DEVICE_LOST, name))

    # ---- dice

    def _deal_with_dice(self) -> None:
        if not self.now.reads_dice:
            return
        dice, outcome = self.now.dice.dealt_with(self.t, Wanted.by(self.now.match))
        self._set(dice=dice)
        if isinstance(outcome, tuple):
            self._hear(ThrowMade(self.t, outcome, "camera"))
        elif isinstance(outcome, Reread):
            self._reread(outcome.values)
        elif isinstance(outcome, Kind):
            self._hear(DiceFault(self.t, outcome.value, "camera"))
        elif isinstance(outcome, Notice):
            self._say(outcome)

    def _reread(self, values: tuple[int, ...]) -> None:
        """The dice in hand show something else than was told: both may be, and the new is likelier."""
        told = ThrowMade(self.t, values, "camera")
        roots = self.now.histories
        others = [
            replace(after, forked=False)
            for root in roots
            if root.thrown_from is not None and root.before is None and root.match.thrown != values
            for after in taking(replace(root, match=root.thrown_from, nats=root.nats - prices.AGAIN), told)
        ]
        if others:
            watch = replace(self.now.watch, is_dealt_with=False)
            self._set(roots=likeliest((*others, *roots)), watch=watch)
            self._say(Notice(NoticeKind.DICE_REREAD, numbers=values))
            self._speak_of_the_likeliest()

    def _other_dice(self) -> dict[tuple[int, ...], float]:
        """What else the dice in hand may show, with the price."""
        now = self.now
        told, watch = now.match.thrown, now.dice
        is_counted = now.watch.look is not None and now.watch.look.last.reading.number > 0
        nats = prices.DIE + (0.0 if is_counted else prices.lasting(watch.told_s, prices.DIE_STAYS))
        others = {
            (*told[:n], value, *told[n + 1 :]): nats
            for n, was in enumerate(told)
            for value in range(1, 7)
            if value != was
        }
        glimpsed = (values for values in watch.doubted if len(values) == len(told))
        return others | dict.fromkeys(glimpsed, prices.DIE_GLIMPSED)

    # ---- histories

    def _stories(self, *, is_over: bool = False, is_thrown_on: bool = False) -> list[Story]:
        now, watch = self.now, self.now.watch
        if watch.look is None:
            return [
                Story(root, HonestBoard("none", root.board), root.board, root.nats) for root in now.histories
            ]
        told = Circumstances(
            touched=watch.touched,
            is_over=is_over or watch.is_done,
            unwatched=watch.unwatched,
            other_dice=self._other_dice() if now.reads_dice and now.match.thrown else {},
            unnoticed=self._unnoticed,
            is_thrown_on=is_thrown_on,
        )
        return stories(now.histories, watch.look, self.t, told)

    def _hear(self, told: DiceOrCall) -> None:
        """Dice, or a call: every history takes it, after the play that it finds on the board."""
        now = self.now
        is_early = now.match.awaiting is Awaiting.PLAY or now.match.wrong_board is not None
        if not now.pending and not (now.watch.look is None and now.watch.touched and is_early):
            self._throw_on(told)
            return
        if not now.pending:
            self._say(Notice(NoticeKind.THROW_HELD))
        if len(now.pending) == PENDING:
            self._set(watch=replace(now.watch, unwatched=prices.UNWATCHED[True]))
        self._set(pending=(*now.pending, told)[-PENDING:])

    def _throw_on(self, told: DiceOrCall) -> None:
        """What may stand now grows into histories. Who throws on over a question says that all is right."""
        now, watch = self.now, self.now.watch
        is_call = isinstance(told, CallMade)
        found = self._stories(is_over=not is_call, is_thrown_on=not is_call)
        balance = Balance.of(found)
        grown = likeliest(each.as_history(watch.look, agreed=each.board in now.asked) for each in found)
        after = [history for each in grown for history in taking(each, told)]
        if isinstance(told, ThrowMade) and told.source == "camera":
            after += self._played_unseen(told)
            if watch.unwatched is not None:
                after += [replace(each, nats=each.nats + prices.OLD_DICE) for each in grown]
        self._set(roots=likeliest(after), watch=watch.thrown_on())
        self._speak_of_the_likeliest()
        last = watch.look.last if watch.look is not None else None
        is_seen = last is not None and last.times >= 2 and self.t - last.since >= prices.THROWN_ON_S
        if is_seen and balance.is_in_doubt and balance.guilty and balance.guilty.board not in now.asked:
            self._ask(balance)

    def _played_unseen(self, told: ThrowMade) -> list[History]:
        """The histories in which these dice were thrown and played under a hand, before anybody saw them."""
        look = self.now.watch.look
        roots = [
            each
            for root in self.now.histories
            if root.match.awaiting is Awaiting.THROW
            for each in taking(replace(root, nats=root.nats + prices.PLAYED_UNSEEN), told)
        ]
        if look is None or not roots:
            return []
        found = stories(roots, look, self.t, Circumstances(touched=True))
        return [each.as_history(look) for each in found if each.way.kind == "play" and not each.is_guilty]

    def _play_unseen(self) -> None:
        """The board is seen on which the dice that were held fell: all plays that there may have been."""
        now, look = self.now, self.now.watch.look
        assert look is not None
        seen, roots = look.last.reading, now.histories
        for told in now.pending:
            grown: list[History] = []
            for root in roots:
                for way in root.honest:
                    if way.kind in ("play", "none"):
                        nats = root.nats + way.nats + prices.EARLY * (way.kind == "play")
                        grown += taking(Story(root, way, way.board, nats).as_history(None), told)
            grown.sort(key=lambda h: (h.nats + prices.SEEN_WRONG * len(seen.mismatches(h.board)), h.nats))
            roots = tuple(grown[:_MOST_GROWN])
        self._set(pending=(), roots=roots)

    # ---- verdict

    def _judge(self, *, at_once: bool = False) -> None:
        now, watch = self.now, self.now.watch
        if watch.look is None or now.match.awaiting is Awaiting.OVER:
            return
        if now.may_be_tipped and not any(in_play(now.match.board, watch.look.last.reading.seen)):
            if self.t - watch.look.last.since >= prices.ASK_S - prices.A_MOMENT:
                self._ask_whether(Notice(NoticeKind.UPBOARD))
            return
        if now.pending:
            self._play_unseen()
        elif (watch.is_dealt_with and not at_once) or now.match.awaiting is Awaiting.THROW_OFF:
            return
        if now.asked and now.open_point is None:
            if watch.look.last.times > 1:
                self._agree()
            return
        found = self._stories()
        judgement = judged_look(found, watch, now.asked, self.t, at_once=at_once)
        self.read_again |= judgement.read_again
        if judgement.rules is not None:
            grown = [each.as_history(watch.look) for each in found]
            self._speak_of(judgement.rules.as_history(watch.look), grown)
        elif judgement.asks is not None:
            self._ask(judgement.asks)
        elif judgement.is_settled:
            self._set(watch=replace(watch, is_dealt_with=True))
            honest = Balance.of(found).honest
            if now.is_asking and honest is not None and honest.way.kind == "none":
                self._set(open_point=None, asked=())

    def _speak_of_the_likeliest(self) -> None:
        """Dice have been thrown. The likeliest history is spoken of, a guilty one only if it is sure."""
        roots = self.now.histories
        honest = next((each for each in roots if not each.is_guilty), None)
        guilty = next((each for each in roots if each.is_guilty), None)
        if honest is None or (guilty is not None and honest.nats - guilty.nats >= prices.ACCUSE):
            assert guilty is not None
            honest = guilty
        self._speak_of(honest)

    def _speak_of(self, chosen: History, found: Iterable[History] | None = None) -> None:
        """The rulings of a history are said, and the record is as it has it. The others live on.

        `found`: the histories that a look has come to; without it those that there are.
        """
        now = self.now
        others = now.histories if found is None else found
        if chosen.forked and not chosen.is_guilty:
            self._mend_the_record(chosen.match)
        if chosen.is_guilty:
            self._set(accused=(now.histories, chosen.board))
        if any(ruling.kind is Kind.LEGAL for ruling in chosen.unsaid):
            self._set(dice=now.dice.played())
        self._set(match=chosen.match)
        point = self._say_all(chosen)
        if chosen.match.must_challenge and not now.match.must_challenge:
            self._say(Notice(NoticeKind.MUST_CHALLENGE, chosen.match.board.seats[chosen.match.to_play]))
        said = replace(chosen, unsaid=(), took=(), forked=False)
        rest = [replace(each, forked=True, took=()) for each in others if each.key != chosen.key]
        self._set(roots=likeliest((said, *rest)), open_point=point, asked=(), choices=())
        if found is not None:
            self._set(watch=self.now.watch.said())

    def _mend_the_record(self, match: Match) -> None:
        """Another history than the one on record is the likeliest."""
        accused = self.now.open_point
        if isinstance(accused, Ruling):
            self._take_back(accused, match)
        else:
            self._say(Notice(NoticeKind.REVISED))

    def _say_all(self, chosen: History) -> Ruling | None:
        """Says what nobody has heard of a history. Guilt that has gone stale is not said.

        What is left open by it: the accusation, if the pieces are still to be put right.
        """
        is_thrown_on = any(ruling.kind is Kind.STOOD for ruling in chosen.unsaid)
        point = None
        for n, ruling in enumerate(chosen.unsaid):
            self._note_taken(chosen, n)
            if n < chosen.stale:
                if ruling.kind not in GUILT:
                    self._say(replace(ruling, unspoken=True))
            elif ruling.kind not in GUILT or ruling.unspoken:
                self._say_after(self.now.noted, ruling)
            elif self._is_kept_quiet(ruling.kind):
                self._set(noted=self._timed(ruling))
            else:
                point = None if is_thrown_on else replace(ruling, thrown_on=False)
                self._say(replace(ruling, thrown_on=is_thrown_on))
        self._note_taken(chosen, len(chosen.unsaid))
        return point

    def _note_taken(self, chosen: History, number: int) -> None:
        """The dice and calls of a history before its ruling of that number are taken now."""
        place = self._before + len(self.rulings)
        self.taken += [each._replace(place=place) for each in chosen.took if each.place == number]

    def _is_kept_quiet(self, kind: Kind) -> bool:
        """Whether a ruling is noted and not said: only players call shifts here, and none does just now."""
        players_call = self.now.match.rules.timber_caller == "players"
        return kind is Kind.TIMBER_SHIFT and players_call and not self._is_shift_called

    def _say_after(self, noted: TimedRuling | None, ruling: Ruling) -> None:
        """Says a ruling. What comes of a shift that nobody called is said to nobody."""
        self._set(noted=None)
        if noted is None or ruling.kind not in (Kind.PUT_RIGHT, Kind.STOOD):
            self._say(ruling)
        elif ruling.kind is Kind.STOOD:
            self._say(replace(ruling, unspoken=True))

    def _ask(self, balance: Balance) -> None:
        self._set(watch=replace(self.now.watch, is_dealt_with=True))
        self._ask_whether(*balance.question())

    def _ask_whether(self, question: Notice, boards: tuple[Position, ...] = ()) -> None:
        if self.now.open_point != question:
            self._set(open_point=question, asked=boards)
            self._say(question)

    # ---- what people say

    def _press(self, name: str) -> None:
        now = self.now
        if name in NUMBERS and now.choices:
            chosen = numbered(now.choices).get(int(name))
            if chosen is not None:
                self._set(choices=())
                self._throw_on(CallMade(self.t, chosen))
        elif name == "call":
            self._call()
        elif name in ("done", "accept") and now.is_asking:
            self._believe()
        elif name == "done":
            self._set(watch=replace(now.watch, is_done=now.watch.look is not None))
            self._judge(at_once=True)
        elif name == "undo":
            self._undo()
        elif name == "trust_board":
            if now.watch.look is not None:
                self._trust(self._stories()[0].board)
        elif name == "timber_shifting":
            self._call_shifting()

    def _call_shifting(self) -> None:
        noted = self.now.noted
        if noted is not None:
            self._set(noted=None, open_point=noted.ruling)
            self.rulings.append(noted)
            return
        self._is_shift_called = True
        self._judge(at_once=True)
        if not self.rulings:
            self._refuse("not now: every piece stands where it should")

    def _call(self) -> None:
        calls = open_calls(self.now.match)
        if len(calls) == 1:
            self._hear(CallMade(self.t, calls[0]))
        elif calls:
            self._set(choices=calls)
            self._say(Notice(NoticeKind.WHICH_CALL, calls=calls))
        else:
            self._refuse("not now: there is nothing to call before this throw")

    def _believe(self) -> None:
        """People say that the board asked about is right, and nobody to blame; or that it was tipped."""
        question = self.now.open_point
        self._set(open_point=None)
        if question == Notice(NoticeKind.UPBOARD):
            self._throw_on(CallMade(self.t, Call("upboard")))
            return
        self._say(Notice(NoticeKind.TRUSTED))
        self._agree()

    def _agree(self) -> None:
        """Nobody is to blame for the boards that were asked about. While none is seen, that waits."""
        if grown := self._agreed(self.now.asked):
            self._speak_of(min(grown, key=lambda each: each.nats), grown)

    def _agreed(self, boards: Sequence[Position]) -> list[History]:
        """The histories in which nobody is to blame for these boards."""
        look = self.now.watch.look
        if look is None:
            return []
        return [
            each.as_history(look, agreed=each.board in boards)
            for each in self._stories()
            if each.board in boards or not each.is_guilty
        ]

    def _undo(self) -> None:
        now = self.now
        if not isinstance(now.open_point, Ruling) or now.accused is None:
            self._refuse("not now: there is nothing to take back")
            return
        roots, board = now.accused
        accused, watch = now.open_point, replace(now.watch, touched=True)
        self._set(roots=roots, accused=None, open_point=None, asked=(board,), watch=watch)
        grown = self._agreed((board,))
        chosen = min(grown, key=lambda each: each.nats, default=roots[0])
        self._take_back(accused, chosen.match)
        self._set(match=roots[0].match)
        if grown:
            self._speak_of(chosen, grown)

    def _take_back(self, accused: Ruling, match: Match) -> None:
        """Says that it was a mistake. `match`: how it goes on."""
        matter = Matter(0, ActKind.ACCUSATION, self.t, seat=accused.seat, accused=accused.kind)
        in_hand = match.thrown if match.awaiting is Awaiting.PLAY else ()
        seat = match.board.seats[match.to_play]
        self._say(Notice(NoticeKind.TAKEN_BACK, seat, numbers=in_hand, matter=matter))

    def _trust(self, position: Position) -> None:
        """The board is as people say."""
        step, look = playing.placed(self.now.match, position), self.now.watch.look
        self._say(Notice(NoticeKind.TRUSTED))
        known = frozenset(look.last.reading.mismatches(position)) if look is not None else frozenset()
        root = History(step.match, position, known=known, unsaid=step.rulings)
        self._set(roots=(root,), pending=(), watch=replace(self.now.watch, touched=False))
        self._speak_of(root)

    def _refuse(self, why: str) -> None:
        match = self.now.match
        self._say(Ruling(Kind.CALL_REFUSED, match.to_play, match.position, why=why))

    def _say(self, ruling: Ruling | Notice) -> None:
        self.rulings.append(self._timed(ruling))

    def _timed(self, ruling: Ruling | Notice) -> TimedRuling:
        match = self.now.match
        position = ruling.position if isinstance(ruling, Ruling) else match.position
        return TimedRuling(self.t, ruling, position, match.to_play, match.awaiting)

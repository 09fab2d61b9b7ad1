"""The referee: a pure fold over events. No clock, no file, no device, no randomness.

    event ─▶ watch and dice ─▶ histories ─▶ stories ─▶ verdict ─▶ rulings

What the camera shows is weighed by `stories`, always from the same histories: looking commits nothing.
Histories grow only when something is ruled, or when dice fall. Dice or a call that come before the last
play was seen wait for the next look.

A ruling travels with its history until that is spoken of. So a late accusation, a shift that stood, and an
accusation that is taken back all mean: the likeliest history is now another.

An event passes through layers, from the top down: this module, `heeding`, `weighing`, `saying`.
`memory` holds what is remembered between two events. `dice` says what is a throw, `taking_back` what
"take back" means. Every price, margin and time stands in `prices`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from uckers_table.game.ruling import Kind
from uckers_table.referee import prices
from uckers_table.referee.crosscheck import CHECKERS
from uckers_table.referee.dice import DiceWatch
from uckers_table.referee.dice_seen import ToldDice
from uckers_table.referee.events import (
    ButtonPressed,
    CallMade,
    Correction,
    DeviceChanged,
    DiceEvent,
    DiceFault,
    Event,
    Played,
    Resumed,
    Seen,
    ThrowMade,
    ThrowVoid,
)
from uckers_table.referee.heeding import Heeding
from uckers_table.referee.looks import LongLook, ReadBoard
from uckers_table.referee.memory import Memory
from uckers_table.referee.rest import NO_REST, Rest
from uckers_table.referee.rulings import CHECK_DICE, Notice, NoticeKind, Taken, TimedRuling
from uckers_table.sighting import TROUBLES, Sighting

BLINDING = frozenset(TROUBLES) - {"board_moved"}
"""The troubles with which a frame shows nothing that counts."""


@dataclass(frozen=True)
class Response:
    """What an event led to: the referee after it, the rulings in order, and when to ask it again (seconds).

    `taken`: the throws, faults and calls that were taken, in order. `read_again`: the places that the reader
    is to read anew. `is_waiting`: it was a sighting like those before it, and moved on nothing but clocks.
    """

    referee: Referee
    rulings: tuple[TimedRuling, ...]
    deadline: float | None
    taken: tuple[Taken, ...] = ()
    read_again: frozenset[str] = frozenset()
    is_waiting: bool = False


@dataclass(frozen=True)
class Referee(Memory):
    """The referee between two events: `handle` takes the next one."""

    def handle(self, event: Event) -> Response:
        """Take the next event. What fell due before it comes first."""
        if not isinstance(event, Seen):
            return replace(self, rest=NO_REST)._taken(event)
        referee, sighting, answers = self, event.sighting, list[Response]()
        for number, t in enumerate(event.moments):
            rest = referee.rest
            is_same = sighting == rest.sighting
            if is_same and rest.lasts(max(t - rest.until, event.every_s)):
                # Those that are left move on nothing but clocks.
                referee = referee.waited(rest.until, event.last, event.times - number)
                referee = replace(referee, rest=rest._replace(until=event.last))
                break
            answers.append(answer := referee._taken(Seen(t, sighting)))
            is_quiet = is_same and not (answer.rulings or answer.taken or answer.read_again)
            is_rest = is_quiet and answer.referee == referee.waited(rest.until, t, 1)
            referee = replace(answer.referee, rest=rest.then(t) if is_rest else Rest(sighting, t, t))
        return Response(
            referee,
            tuple(ruling for each in answers for ruling in each.rulings),
            referee.deadline,
            tuple(taken for each in answers for taken in each.taken),
            frozenset(place for each in answers for place in each.read_again),
            is_waiting=not answers,
        )

    def _taken(self, event: Event) -> Response:
        """Take one event."""
        referee, rulings, taken, again = self, list[TimedRuling](), list[Taken](), set[str]()
        while True:
            # What would have fallen due while nobody watched did not.
            deadline = None if isinstance(event, Resumed) else referee.deadline
            is_due = deadline is not None and deadline <= event.t
            t = event.t if deadline is None else min(deadline, event.t)
            hearing = _Hearing(referee, t, len(rulings))
            if is_due:
                hearing.fall_due()
            else:
                hearing.take(event)
            assert isinstance(hearing.now, Referee)
            referee = hearing.now
            rulings += hearing.rulings
            taken += hearing.taken
            again |= hearing.read_again
            if not is_due:
                return Response(referee, (*rulings,), referee.deadline, (*taken,), frozenset(again))


class _Hearing(Heeding):
    """Takes an event."""

    def take(self, event: Event) -> None:
        """Deal with an event."""
        match event:
            case Seen(sighting=sighting):
                self._see(sighting)
            case ThrowMade() | DiceFault():
                self._listen(event)
            case ThrowVoid():
                check, told = self.now.check.void(self.t)
                self.now = replace(self.now, check=check)
                self._come_of(told)
            case CallMade():
                self._call(event)
            case ButtonPressed(_, name):
                self._press(name)
                self._take_press()
            case DeviceChanged(_, name, state):
                self._device(name, state)
            case Correction(_, position):
                self._trust(position)
            case Played(_, position):
                self._take_play(position)
            case Resumed(_, dice_from):
                self._resume(dice_from)

    def fall_due(self) -> None:
        """Deal with what time alone has brought."""
        watch = self.now.watch
        if watch.checks and watch.checks[0] <= self.t:
            self.now = replace(self.now, watch=replace(watch, checks=watch.checks[1:]))
            self._judge()
        self._go_blind()
        if self.now.away_at is not None and self.now.away_at <= self.t:
            self._ask_whether(Notice(NoticeKind.UPBOARD))
        if self.now.check.due is not None and self.now.check.due <= self.t:
            check, told = self.now.check.fallen_due()
            self.now = replace(self.now, check=check)
            self._come_of(told)
        self._deal_with_dice()
        self._take_press()

    # ---- the camera

    def _see(self, sighting: Sighting) -> None:
        watch = self.now.watch
        trouble = next((each for each in sighting.trouble if each in BLINDING), "")
        if sighting.hand:
            if self.now.held and watch.look is not None and not watch.is_dealt_with:
                self._take_held()
                watch = self.now.watch
            if watch.look is not None and watch.is_dealt_with and not self.now.is_asking:
                self._keep_in_mind(watch.look)
            self.now = replace(self.now, watch=watch.hand(self.t))
        elif trouble:
            self.now = replace(self.now, watch=watch.dark(self.t, trouble))
            self._go_blind()
            return
        else:
            if watch.is_blind:
                self._say(Notice(NoticeKind.SEES_AGAIN, watch.trouble))
            if self.now.reads_dice and watch.unwatched is None and watch.was_hidden_long(self.t):
                watch = replace(watch, unwatched=prices.LONG_HAND)
            self.now = replace(
                self.now, watch=watch.sees(self.t, ReadBoard.of(self.now.match.board, sighting))
            )
            self._judge()
            self._take_press()
        if self.now.reads_dice:
            self.now = replace(self.now, dice=self.now.dice.look(self.t, sighting))
            self._deal_with_dice()

    def _keep_in_mind(self, look: LongLook) -> None:
        """Nothing was to be said of a look: what was read otherwise for a while was the reader's doing."""
        self.now = replace(self.now, roots=tuple(each.seen_again(look) for each in self.now.histories))

    def _go_blind(self) -> None:
        now = self.now
        if now.watch.goes_blind(self.t):
            self.now = replace(self.now, watch=now.watch.blind(prices.UNWATCHED[now.reads_dice]))
            self._say(Notice(NoticeKind.CANNOT_SEE, now.watch.trouble))

    # ---- dice and devices

    def _listen(self, told: DiceEvent) -> None:
        """Somebody tells what the dice show. If tower and camera both should, the two are compared."""
        now = self.now
        if told.told and told.told == now.told:
            # Its source could not know that it has been taken already.
            return
        self.now = replace(self.now, told=told.told or now.told)
        if now.dice_from == "both" and told.source in CHECKERS and not CHECKERS & now.lost:
            check, agreed = now.check.hear(told)
            self.now = replace(self.now, check=check)
            self._come_of(agreed)
            return
        if told.source != "camera":
            if isinstance(told, DiceFault) and now.dice.lies_faulty:
                # The button says what the camera has said already.
                return
            self.now = replace(self.now, dice=now.dice.accounted())
        self._hear(told)

    def _come_of(self, told: DiceEvent | Notice | None) -> None:
        if isinstance(told, Notice):
            self._say(told)
        elif told is not None:
            self._hear(told)

    def _deal_with_dice(self) -> None:
        if not self.now.reads_dice:
            return
        was = self.now.dice
        dice, outcome = was.dealt_with(self.t, self.now.wanted)
        self.now = replace(self.now, dice=dice)
        if was.maybe_thrown and was.known.were_gone and dice.maybe_thrown and not dice.known.were_gone:
            self._may_have_passed(was.maybe_thrown)
        if isinstance(outcome, tuple):
            self._listen(ThrowMade(self.t, outcome, "camera"))
        elif isinstance(outcome, ToldDice):
            self._reread(was.told.values, outcome.values)
        elif isinstance(outcome, Kind):
            self._listen(DiceFault(self.t, outcome.value, "camera"))
        elif outcome == CHECK_DICE:
            if self.now.open_point is None:
                self._ask_whether(CHECK_DICE)
            else:
                self._say(CHECK_DICE)
        elif isinstance(outcome, Notice):
            self._say(outcome)

    def _device(self, name: str, state: str) -> None:
        now, devices = self.now, self.now.devices
        if state == "none":
            self.now = replace(self.now, devices=replace(devices, without=devices.without | {name}))
        elif state == "back":
            self.now = replace(self.now, devices=replace(devices, lost=devices.lost - {name}))
            if name == "camera":
                self.now = replace(self.now, watch=replace(now.watch, seen_at=self.t))
            self._say(Notice(NoticeKind.DEVICE_BACK, name))
        else:
            if name == "camera":
                self.now = replace(self.now, watch=now.watch.lost(prices.UNWATCHED[now.reads_dice]))
            if name == "tower" and now.dice_from == "tower":
                # What lies on the board then was not thrown there.
                self.now = replace(self.now, dice=DiceWatch())
            self.now = replace(self.now, devices=replace(devices, lost=devices.lost | {name}))
            self._say(self.now.loss_of(name))

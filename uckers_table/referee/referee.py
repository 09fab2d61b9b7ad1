"""The referee: a pure fold over events. No clock, no file, no device, no randomness.

A board is judged when it has been seen still, with nothing over it. What it is compared with, and what
follows (seconds from the first of the sightings that agree):

    seen                                after LEGAL_AFTER_S       after ILLEGAL_AFTER_S
    the board on record                 put right, if it was wrong
    a legal play                        legal
    half a legal play                   –                         – (only on `done` or the next throw)
    the wrong board called before       –                         –
    on its way after a ruling           –                         –
    nothing of these, clearly           –                         illegal, or a timber shift
    nothing of these, but in doubt      –                         a question

"Clearly" is by all sightings of the last two seconds, each square as it was read most kindly: readers err
for so long (`stillness`, `matching.Window`). Where the record does not explain a board, what else may have
happened is tried before anybody is accused (`guesses`).

Throws and calls made before the last play was seen still are held: the next still board decides on them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple

from uckers_table.game.match import Awaiting, Call, Match, Step
from uckers_table.game.open_calls import numbered
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee.crosscheck import CHECKERS, CrossCheck, DiceEvent
from uckers_table.referee.dice import DiceWatch, Reread, Wanted, wrong_number
from uckers_table.referee.events import (
    NUMBERS,
    ButtonPressed,
    CallMade,
    Correction,
    DeviceChanged,
    DiceFault,
    Due,
    Event,
    Seen,
    ThrowMade,
)
from uckers_table.referee.explaining import FITS, Found, explained
from uckers_table.referee.guesses import MOST as GUESSES
from uckers_table.referee.guesses import (
    Guesses,
    Held,
    LastPlay,
    alike,
    all_seen,
    all_taken,
    as_played,
    as_seen,
    elsewhere,
    first_unseen,
    fits_any,
    meant,
    other_turns,
    owes_a_play,
    taken,
    that_fits,
    wrong_before,
)
from uckers_table.referee.matching import (
    UNSEEN,
    Account,
    Away,
    Reading,
    Window,
    in_play,
    looks_misread,
    may_be_error,
    place_of,
)
from uckers_table.referee.putting_right import misplaced
from uckers_table.referee.rulings import Notice, NoticeKind, TimedRuling
from uckers_table.referee.stillness import ERRS_TWICE_S, ILLEGAL_AFTER_S, LEGAL_AFTER_S, Stillness
from uckers_table.sighting import TROUBLES, Sighting

ACCUSING_SIGHTINGS = 3
"""How many agreeing sightings an accusation needs."""
FRESH_S = 1.0
"""An accusation that falls due needs a sighting no older than this: a camera that stopped proves nothing."""
STALE_S = 5.0
"""A throw, or a player who says that he is done, has the board judged that was seen at most so long ago."""
BLIND_AFTER_S = 1.5
"""A camera that shows nothing for this long is said to be blind; shorter is a sleeve or a blink."""
AWAY_AFTER_S = 6.0
"""A board that cannot be found for so long has not only been pushed."""
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
MEANT_S = 10.0
"""An undo that comes so soon after an accusation means that the accusation was a mistake."""
DOUBTED_FOR = 2
"""So many plays in a row tell that a record mended by a guess is right."""
MOST_UNSEEN = 3
"""No more plays than this, seen by nobody, are told from the board after the last of them …"""
TRIES = 3
"""… nor is that tried with more sightings that say the same."""
HELD = 8
"""So many throws on a play that was not seen are kept; what comes on top of them is void."""
UNDO_DEPTH = 32
"""How many rulings can be taken back, one after the other."""

IN_STEP = frozenset({Kind.LEGAL, Kind.PUT_RIGHT, Kind.WON})
"""Rulings after which board and record agree."""
BLINDING = frozenset(TROUBLES) - {"board_moved"}
"""Troubles with which a frame shows nothing that counts."""


class Taken(NamedTuple):
    """A throw or fault that counted: the seat whose it was, what was told, and how many of the rulings of the
    same response came before it.
    """

    seat: int
    told: DiceEvent
    place: int


@dataclass(frozen=True)
class Response:
    """What an event led to: the referee after it, the rulings in order, and when to ask it again.

    `dice` are the throws and faults that were taken, in order.
    """

    referee: Referee
    rulings: tuple[TimedRuling, ...]
    deadline: float | None
    dice: tuple[Taken, ...] = ()


@dataclass(frozen=True)
class Referee:
    """The referee between two events. `match` is the board and the turn on record.

    `dice_from` says who reads the dice: "tower", "buttons", "camera", or "both" tower and camera.
    """

    match: Match
    dice_from: str = "tower"
    dice: DiceWatch = field(default_factory=DiceWatch)
    check: CrossCheck = field(default_factory=CrossCheck)
    still: Stillness | None = None
    held: tuple[Held, ...] = ()
    """What the dice did, and players called, before the play of the throw in hand was seen, in order."""
    guesses: Guesses = ()
    """What else may have happened than `match` says."""
    last_play: LastPlay | None = None
    """The play recognised last, as long as it may have been another one."""
    blind_since: float | None = None
    trouble: str = ""
    is_blind: bool = False
    open_point: Ruling | Notice | None = None
    """The accusation or question that waits for players to do something about it."""
    unspoken: TimedRuling | None = None
    """The timber shift that it has noted and keeps to itself, where players call them, until they do."""
    asked: Position | None = None
    """The innocent explanation that was asked about, where there is one."""
    away: Away = ()
    """The pieces that were not seen in base and at home when the board last agreed with the record."""
    accounted: frozenset[Account] = frozenset()
    """What else was seen otherwise then: stacks that hide a piece, a casing taken for another colour's."""
    was_reached_over: bool = False
    """A hand has been over the board since it last agreed with the record."""
    forgiven: Position | None = None
    """A reading (its key) of which a person said that the board is right: it is not brought up again."""
    flicker: float = 0.0
    """How often, of late, the board was read otherwise than just before with no hand between."""
    accused_at: float = -inf
    """When it accused somebody last."""
    doubts: int = 0
    """So many plays are still to be recognised until the record, which was mended by a guess, is sure."""
    mistakes: int = 0
    """Accusations in a row that were taken back: the record is not what the board is."""
    has_missed: bool = False
    """Dice were thrown again on a play that it had not seen: what the board shows next accuses nobody."""
    is_out_of_step: bool = False
    """It has said that the board is not as it has it; `done` or `accept` takes the board as it stands."""
    to_put_right: Notice | None = None
    """Out of step, what it has said of the next piece that players can put right instead."""
    choices: tuple[Call, ...] = ()
    """The calls between which a player has still to choose, by number (`open_calls.numbered`)."""
    history: tuple[Match, ...] = ()
    around: tuple[Match, Match] | None = None
    """The match before and after the last throw, if the camera read it: it may have been misread."""
    lost: frozenset[str] = frozenset()
    """The devices that do not answer."""

    @property
    def agrees(self) -> bool:
        """Whether the board was last seen still and just as it is on record."""
        still = self.still
        return (
            still is not None
            and still.settled
            and self.match.wrong_board is None
            and still.reading.cost(self.match.position, self.match.position) <= FITS
        )

    @property
    def may_be_tipped(self) -> bool:
        """Whether the board, if it is away, may be on the floor, and nobody has been asked yet."""
        is_played_on = sum(map(len, in_play(self.match.board, self.match.position))) >= TIPPED
        is_over = self.match.awaiting is Awaiting.OVER
        return self.trouble == "board_not_found" and is_played_on and not is_over and not self.is_asking

    @property
    def reads_dice(self) -> bool:
        """Whether the camera is to read the dice: also in place of a tower that is lost."""
        return self.dice_from in ("camera", "both") or (self.dice_from == "tower" and "tower" in self.lost)

    @property
    def is_asking(self) -> bool:
        """Whether a question is open; `done` or `accept` answers that the board is right."""
        return isinstance(self.open_point, Notice)

    @property
    def deadline(self) -> float | None:
        """When the referee wants to be asked again (seconds), if nothing happens before; None for never."""
        due = []
        if self.blind_since is not None and not self.is_blind:
            due.append(self.blind_since + BLIND_AFTER_S)
        if self.blind_since is not None and self.may_be_tipped:
            due.append(self.blind_since + AWAY_AFTER_S)
        if self.still is not None and self.still.due is not None:
            due.append(self.still.due)
        due += [each for each in (self.dice.due(Wanted.by(self.match)), self.check.due) if each is not None]
        return min(due, default=None)

    def handle(self, event: Event) -> Response:
        """Take the next event: first whatever fell due before it, then the event itself."""
        referee, rulings, dice = self, list[TimedRuling](), list[Taken]()
        while (deadline := referee.deadline) is not None and deadline <= event.t:
            hearing = _Hearing(referee, deadline, len(rulings))
            hearing.fall_due()
            referee = hearing.referee
            rulings += hearing.rulings
            dice += hearing.dice
        hearing = _Hearing(referee, event.t, len(rulings))
        hearing.take(event)
        return Response(
            hearing.referee,
            (*rulings, *hearing.rulings),
            hearing.referee.deadline,
            (*dice, *hearing.dice),
        )


class _Hearing:
    """One event being dealt with, at one time: collects rulings and the referee that comes of it."""

    def __init__(self, referee: Referee, t: float, before: int) -> None:
        self.referee = referee
        self.t = t
        self.before = before
        """How many rulings of the same response were made before this hearing."""
        self.rulings: list[TimedRuling] = []
        self.dice: list[Taken] = []
        self.is_shift_called = False
        self.alike: tuple[Position, ...] = ()

    # ------------------------------------------------------------------ events

    def take(self, event: Event) -> None:
        match event:
            case Seen(_, sighting):
                self._look(sighting)
            case ThrowMade() | DiceFault():
                self._hear(event)
            case CallMade():
                self._call(event)
            case ButtonPressed():
                self._press(event)
            case DeviceChanged(_, name, state):
                self._device(name, state)
            case Correction(_, position):
                self._trust(position)
            case Due():
                pass

    def fall_due(self) -> None:
        """The referee's own deadline has come."""
        still = self.referee.still
        if still is not None and still.due is not None and still.due <= self.t:
            self._change(still=replace(still, looks=still.looks + 1))
            self._judge()
        if self.referee.blind_since is not None and self.t >= self.referee.blind_since + BLIND_AFTER_S:
            self._go_blind()
        away = self.referee.blind_since is not None and self.t >= self.referee.blind_since + AWAY_AFTER_S
        if away and self.referee.may_be_tipped:
            self._ask(Notice(NoticeKind.UPBOARD))
        if (due := self.referee.check.due) is not None and due <= self.t:
            check, told = self.referee.check.fallen_due()
            self._change(check=check)
            self._come_of(told)
        self._deal_with_dice()

    def _look(self, sighting: Sighting) -> None:
        if sighting.hand:
            # What a hand hides is no trouble of the camera's.
            self._change(still=None, blind_since=None, was_reached_over=True)
            self._watch_dice(sighting)
            return
        trouble = next((t for t in sighting.trouble if t in BLINDING), "")
        if trouble:
            since = self.referee.blind_since if self.referee.blind_since is not None else self.t
            self._change(still=None, blind_since=since, trouble=trouble)
            if self.t >= since + BLIND_AFTER_S:
                self._go_blind()
            return
        if self.referee.is_blind:
            self._notice(NoticeKind.SEES_AGAIN, self.referee.trouble)
        self._change(blind_since=None, is_blind=False, trouble="")
        if self.referee.match.awaiting is Awaiting.THROW_OFF:
            self._take_held(all_of_it=True)
        reading = Reading(self.referee.match.board, sighting, self.referee.away, self.referee.accounted)
        still = self.referee.still
        if self.referee.is_asking and still is None:
            self._change(asked=None, open_point=None)
        if still is not None:
            changed = still.reading.key != reading.key
            self._change(flicker=self.referee.flicker + (changed - self.referee.flicker) / FLICKER_OVER)
        self._change(still=Stillness.first(self.t, reading) if still is None else still.seen(self.t, reading))
        self._judge()
        self._watch_dice(sighting)

    # ------------------------------------------------------------------ dice

    def _watch_dice(self, sighting: Sighting) -> None:
        if self.referee.reads_dice:
            self._change(dice=self.referee.dice.look(self.t, sighting))
            self._deal_with_dice()

    def _deal_with_dice(self) -> None:
        """What is due to be said of the dice that the camera sees."""
        dice, outcome = self.referee.dice.dealt_with(self.t, Wanted.by(self.referee.match))
        if isinstance(outcome, tuple):
            self._hear(ThrowMade(self.t, outcome, "camera"))
        elif isinstance(outcome, Reread):
            self._reread(outcome.values)
        elif isinstance(outcome, Kind):
            self._hear(DiceFault(self.t, outcome.value, "camera"))
        else:
            self._come_of(outcome)
        # Until now it was of interest how the dice of the throw before had been read.
        self._change(dice=dice)

    def _hear(self, told: DiceEvent) -> None:
        """Somebody tells what the dice show: of two who should, both are heard."""
        if self.referee.dice_from == "both" and told.source in CHECKERS and not CHECKERS & self.referee.lost:
            check, agreed = self.referee.check.hear(told)
            self._change(check=check)
            self._come_of(agreed)
            return
        if told.source != "camera" and isinstance(told, DiceFault) and self.referee.dice.lies_faulty:
            # The button says what the camera has said already.
            return
        if told.source != "camera":
            self._change(dice=self.referee.dice.accounted())
        self._come_of(told)

    def _come_of(self, told: DiceEvent | Notice | None) -> None:
        match told:
            case ThrowMade():
                self._throw(told)
            case DiceFault():
                self._fault(told)
            case Notice():
                self._rule(told)
            case None:
                pass

    def _throw(self, throw: ThrowMade) -> None:
        self._let_stand()
        if self._was_played_unseen():
            self._take_likeliest_play()
        match = self._settle()
        if match.awaiting is Awaiting.OVER:
            return
        if self.referee.is_blind:
            self._hold_unseen(throw)
            return
        if len(throw.dice) not in match.dice_wanted:
            self._rule(wrong_number(len(throw.dice), match.dice_wanted))
            return
        if self._is_forgiven():
            match = self._take_likeliest_play()
        passed = self._was_passed(match)
        if passed is not None:
            self._change(match=passed)
            self._notice(NoticeKind.REVISED)
            self._take_dice(throw)
        elif self._waits_for_board(match):
            self._hold(throw)
        elif not owes_a_play(match) or throw.source != "camera" or sorted(throw.dice) != sorted(match.thrown):
            # On the board, the same dice elsewhere were moved out of the way.
            self._take_dice(throw)

    def _was_passed(self, match: Match) -> Match | None:
        """The match if nothing could be moved with the throw in hand, by what else its dice were read as.

        That nothing was moved, and the next throw made, tells so.
        """
        if not owes_a_play(match) or self._seen() is not Found.RECORD:
            return None
        return next((each for each in self._by_other_dice() if each.awaiting is Awaiting.THROW), None)

    def _fault(self, fault: DiceFault) -> None:
        self._let_stand()
        match = self._settle()
        if match.awaiting is Awaiting.OVER:
            return
        if self.referee.is_blind:
            self._hold_unseen(fault)
        elif self._waits_for_board(match):
            self._hold(fault)
        elif not owes_a_play(match):
            self._take_dice(fault)

    def _let_stand(self) -> None:
        """Players who throw on leave the board as it is, though the referee has asked about it."""
        still = self.referee.still
        if still is None or not still.is_long(self.t):
            return
        if self.referee.open_point == Notice(NoticeKind.UPBOARD):
            # Whoever throws on has not seen the board tipped up.
            self._change(open_point=None)
        elif self.referee.is_asking:
            self._answer()
        elif self.referee.is_out_of_step:
            self._trust_what_is_seen()

    def _waits_for_board(self, match: Match) -> bool:
        """Whether only the board can tell what dice mean that are thrown now."""
        if self.referee.held:
            return True
        if match.awaiting is Awaiting.THROW_OFF:
            return False
        if owes_a_play(match):
            return self._seen() is not Found.RECORD
        still = self.referee.still
        if match.wrong_board is not None:
            # What was called wrong may have been put right.
            return self._seen() is not Found.CALLED and (still is None or not still.is_long(self.t))
        if still is None:
            return False
        is_open = self.referee.is_asking or self.referee.is_out_of_step or self._is_forgiven()
        if is_open or still.settled or still.is_long(self.t):
            return False
        return self._seen() in (Found.WRONG, Found.DOUBTFUL)

    def _take_dice(self, told: DiceEvent) -> None:
        """The dice count, and the match goes on by them."""
        match = self.referee.match
        self.dice.append(Taken(match.to_play, told, self.before + len(self.rulings)))
        last = self.referee.last_play
        self._change(
            guesses=all_taken((*self._passed_unnoticed(), *self.referee.guesses), told),
            last_play=replace(last, told=(*last.told, told)) if last is not None else None,
        )
        if isinstance(told, ThrowMade):
            self._step(match.throw(told.dice))
            after = self.referee.match
            is_read = told.source == "camera" and after is not match
            self._change(around=(match, after) if is_read else None)
        else:
            self._step(match.fault(told.kind, deliberate=told.deliberate))

    @property
    def _before_last_dice(self) -> Match | None:
        """The match before the last throw, if the camera read that and nothing has come of it yet."""
        before, after = self.referee.around or (None, None)
        return before if self.referee.match is after else None

    def _by_other_dice(self) -> Guesses:
        """The match if the dice of the last throw were what they were also taken for."""
        before = self._before_last_dice
        if before is None:
            return ()
        throws = [ThrowMade(self.t, values, "camera") for values in self.referee.dice.other_readings]
        return tuple(each for throw in throws if (each := taken(before, throw)) is not None)

    def _by_unnoticed_dice(self) -> Guesses:
        """The match if dice that were taken to be put back after the last throw had been thrown."""
        return tuple(match for match in self._unnoticed() if owes_a_play(match))

    def _passed_unnoticed(self) -> Guesses:
        """The same if nothing could be moved with them."""
        return tuple(match for match in self._unnoticed() if match.awaiting is Awaiting.THROW)

    def _unnoticed(self) -> Guesses:
        values, match = self.referee.dice.maybe_thrown, self.referee.match
        if not values or match.awaiting is not Awaiting.THROW or match.wrong_board is not None:
            return ()
        after = taken(match, ThrowMade(self.t, values, "camera"), by_the_rules=True)
        return (after,) if after is not None else ()

    def _reread(self, values: tuple[int, ...]) -> None:
        """The last throw was misread: it counts as it is, unless the match has gone on meanwhile."""
        before, after = self._before_last_dice, self.referee.match
        if before is None:
            return
        # What that throw had put into the history is undone with it.
        history = self.referee.history
        while history and history[-1] is not before:
            history = history[:-1]
        last = self.referee.last_play
        self._change(
            match=before,
            history=history[:-1],
            asked=None,
            open_point=None,
            guesses=(),
            last_play=replace(last, told=last.told[:-1]) if last is not None else None,
        )
        self._rule(Notice(NoticeKind.DICE_REREAD, numbers=values))
        self._take_dice(ThrowMade(self.t, values, "camera"))
        # It may have been right at first: the board will tell.
        self._guess(after)

    def _hold(self, event: Held) -> None:
        """Keep what the dice did, or players called, until the last play has been seen."""
        held = self.referee.held
        if len(held) == HELD:
            match = self.referee.match
            self._change(has_missed=True)
            self._rule(Ruling(Kind.VOID, match.to_play, match.position, throw=match.thrown))
            return
        # How the dice before these may have been read otherwise is soon forgotten.
        other_throws = (*self._by_other_dice(), *self._by_unnoticed_dice())
        self._guess(*other_throws)
        self._change(held=(*held, event))
        still = self.referee.still
        if still is not None:
            # Half a play, of which nothing was to be said, is all that is to come of it now.
            settled = still.settled and self._is_forgiven()
            unplayed = still.unplayed + self._came_after(still, event)
            self._change(still=replace(still, settled=settled, unplayed=unplayed))
        if not held:
            self._notice(NoticeKind.THROW_HELD)

    def _came_after(self, still: Stillness, event: Held) -> bool:
        """Whether dice were thrown on the board as it stands, so that nothing of them is played there."""
        if not isinstance(event, ThrowMade) or still.sightings < 2:
            return False
        if event.source == "camera":
            return any(self.referee.dice.lay_elsewhere(each.sighting) for each in still.alike)
        return event.source == "tower" and still.since < event.t

    def _hold_unseen(self, event: DiceEvent) -> None:
        """Keep what the dice did while nothing can be seen, and say nothing."""
        held = self.referee.held
        if len(held) < HELD:
            self._change(held=(*held, event))
        else:
            self._change(has_missed=True)

    def _call(self, made: CallMade | ButtonPressed) -> None:
        """A call, or the button for whatever can be called before the throw."""
        if self.referee.is_blind:
            return
        match = self._played()
        if self.referee.held:
            self._hold(made)
        else:
            self._take_call(match, made)

    def _take_call(self, match: Match, made: CallMade | ButtonPressed) -> None:
        """What is called now, or the question which of several is meant."""
        calls = meant(match, made)
        if isinstance(made, CallMade):
            self._take_one(calls or (made.call,))
        elif calls:
            self._take_one(calls)
        else:
            self._rule(self._refusal("there is nothing to call before this throw"))

    def _played(self) -> Match:
        """The match with a play that was seen only just now: what is called comes after it."""
        if self._seen() is Found.LEGAL:
            self._judge(at_once=True)
        return self.referee.match

    def _take_one(self, calls: tuple[Call, ...]) -> None:
        if len(calls) == 1:
            self._step(self.referee.match.call(calls[0]))
        else:
            self._change(choices=calls)
            self._notice(NoticeKind.WHICH_CALL)

    def _choose(self, number: int) -> None:
        """The answer to the question which call is meant."""
        chosen = numbered(self.referee.choices).get(number)
        if chosen is None:
            self._rule(self._refusal("no call has that number now"))
        else:
            self._change(choices=())
            self._step(self.referee.match.call(chosen))

    def _press(self, pressed: ButtonPressed) -> None:
        name = pressed.name
        match name:
            case "call":
                self._call(pressed)
            case _ if name in NUMBERS:
                self._choose(int(name))
            case "undo":
                self._undo()
            case "trust_board":
                self._trust_what_is_seen()
            case "done" | "accept" if self.referee.is_asking:
                self._answer()
            case "done" | "accept" if self.referee.is_out_of_step and self.referee.still is not None:
                self._trust_what_is_seen()
            case "done":
                if self.referee.still is not None:
                    self._change(still=replace(self.referee.still, is_done=True))
                self._judge(at_once=True)
            case "timber_shifting":
                self._call_shift()
                if not self.rulings:
                    self._rule(self._refusal("every piece stands where it should"))

    def _call_shift(self) -> None:
        """A player calls timber shifting: what was noted is told, and dated to when it was."""
        self.is_shift_called = True
        self._judge(at_once=True)
        noted = self.referee.unspoken
        if noted is not None:
            self.rulings.append(noted)
            self._change(unspoken=None, open_point=noted.ruling)

    def _device(self, name: str, state: str) -> None:
        lost = self.referee.lost
        if state == "back":
            self._change(lost=lost - {name})
            self._notice(NoticeKind.DEVICE_BACK, name)
            return
        if name == "camera":
            self._change(still=None)
        if name == "tower" and self.referee.dice_from == "tower":
            # What lies on the board then was not thrown there.
            self._change(dice=DiceWatch())
        self._change(lost=lost | {name})
        self._notice(NoticeKind.DEVICE_LOST, name)

    # ------------------------------------------------------------------ judging

    def _settle(self) -> Match:
        """Before a throw: judge the board that was seen last, as the throw ends the time to correct it."""
        if not self.referee.is_asking:
            self._judge(at_once=True)
        return self.referee.match

    def _judge(self, *, at_once: bool = False) -> None:
        """Judge the still board; `at_once` as if it had been still for long enough, half plays included."""
        still, match = self.referee.still, self.referee.match
        if still is None or still.sightings < 2 or match.awaiting in (Awaiting.THROW_OFF, Awaiting.OVER):
            return
        at_once = at_once or still.is_done
        if not at_once and (still.settled or self.t < still.since + LEGAL_AFTER_S):
            return
        found, position = self._explained(still.reading)
        if found is Found.RECORD:
            if self.referee.is_asking:
                self._change(asked=None, open_point=None)
            self._nothing_more()
            # What has changed while a play is due may be the play: the next throw will tell.
            if not owes_a_play(match):
                self._agree(still.reading, match.position)
            if still.is_read_long:
                self._change(last_play=None)
            self._change(guesses=all_seen(self.referee.guesses, still.reading))
            self._step(match.see(match.position))
            self._get_back_in_step()
            self._take_held(all_of_it=True)
        elif found is Found.LEGAL and position is not None:
            if at_once or not self._may_be_error(still):
                self._recognise(still.reading, position)
        elif found is Found.CALLED:
            self._nothing_more()
            if at_once or self._plays_unseen() == 0:
                self._go_on_with(self.referee.held)
        elif self._is_mended(found, still.reading, at_once=at_once):
            self._judge(at_once=True)
        elif (
            found is Found.ON_ITS_WAY
            or (found in (Found.HALF, Found.HALF_IN_DOUBT) and not at_once and not self.referee.held)
            or self._is_forgiven()
        ):
            self._nothing_more()
            if found is Found.ON_ITS_WAY and match.wrong_board is not None:
                # What is left of a wrong board has been called with it.
                self._change(match=match.but(wrong_board=position))
        elif self._may_accuse(still, at_once=at_once):
            self._weigh(still, found, at_once=at_once)

    def _weigh(self, still: Stillness, last: Found, *, at_once: bool) -> None:
        """A board that does not fit as it was seen last: whether it has fitted at any time of late."""
        window = still.window(self.t)
        found, position = self._explained(window)
        if found is Found.LEGAL and position is not None:
            self._recognise(still.reading, position)
        elif (found is last or found is Found.WRONG) and not self._may_be_misread(still, window):
            self._accuse(window, found, position)

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
        if shown is None or not looks_misread(record, shown):
            return False
        longer = still.window(self.t, ERRS_TWICE_S)
        return not still.is_very_long or self._explained(longer)[0] is not Found.WRONG

    def _recognise(self, reading: Reading, play: Position) -> None:
        """The board shows a play of the throw in hand."""
        match = self.referee.match
        last = LastPlay(match) if owes_a_play(match) else None
        others = alike(match, play, reading)
        self.alike = tuple(other.position for other in others)
        guesses = (*others, *all_seen(self.referee.guesses, reading))
        self._agree(reading, play)
        self._change(last_play=last, guesses=guesses[:GUESSES])
        self._see(play)

    def _is_mended(self, found: Found, reading: Reading, *, at_once: bool) -> bool:
        """Whether the record is now another, by which the board may be no riddle.

        Nobody says that he is done, or throws on, after half a play, if it is a whole one by a guess.
        """
        if found is Found.ON_ITS_WAY:
            return False
        return self._was_played_on(reading, try_again=at_once) or (
            (at_once or found in (Found.WRONG, Found.DOUBTFUL))
            and self._has_guessed(reading, at_once=at_once)
        )

    def _was_played_on(self, reading: Reading, *, try_again: bool) -> bool:
        """Whether the board shows plays of the dice that were held too; the first of them is then taken."""
        match = self.referee.match
        still = self.referee.still
        # One that is held may have been told late, when the board had been seen for long.
        is_tried = still is not None and still.sightings > TRIES and len(self.referee.held) > 1
        if still is None or self._plays_unseen() > MOST_UNSEEN or (is_tried and not try_again):
            return False
        held = self.referee.held
        first = first_unseen(match, held[: len(held) - still.unplayed], reading)
        if first is None:
            return False
        if first != match.position:
            self._change(last_play=None, guesses=())
            self._step(match.see(first))
        self._take_held_throw()
        return True

    def _has_guessed(self, reading: Reading, *, at_once: bool) -> bool:
        """Whether the board shows that something else has happened than is on record; that is then taken.

        That the dice were misread is not thought of before a slip of the hand would have been put right.
        """
        last, match, still = self.referee.last_play, self.referee.match, self.referee.still
        if self.referee.held or match.wrong_board is not None:
            return False
        guesses = self.referee.guesses
        is_late = at_once or (still is not None and still.is_long(self.t))
        other_throws = (*self._by_other_dice(), *self._by_unnoticed_dice())
        guess = that_fits((*guesses, *other_throws) if is_late else guesses, reading)
        if guess is None and last is not None:
            guess = that_fits(last.others(but=match.position), reading)
        if guess is None:
            guess = that_fits(elsewhere(match, self.referee.away), reading)
        if guess is None:
            return False
        self._remember(match)
        self._change(match=guess, guesses=tuple(each for each in guesses if each != guess), last_play=None)
        self._change(doubts=DOUBTED_FOR)
        self._notice(NoticeKind.REVISED)
        return True

    def _agree(self, reading: Reading, position: Position, *, is_told: bool = False) -> None:
        """The board is taken to be a position: what differs all the same is no evidence from now on."""
        away, accounted = reading.away_from(position), reading.accounts(position, is_told=is_told)
        self._change(away=away, accounted=accounted, was_reached_over=False)
        if self.referee.still is not None:
            known = replace(reading, away=away, accounted=accounted)
            self._change(still=replace(self.referee.still, reading=known))

    def _guess(self, *matches: Match) -> None:
        """Keep in mind that these may have happened instead, before what was kept until now."""
        self._change(guesses=(*matches, *self.referee.guesses)[:GUESSES])

    def _nothing_more(self) -> None:
        """Nothing more is to be said about the still board."""
        if self.referee.still is not None:
            self._change(still=replace(self.referee.still, settled=True))

    def _seen(self) -> Found | None:
        """What the still board is, judged or not."""
        still = self.referee.still
        return self._explained(still.reading)[0] if still is not None and still.sightings > 1 else None

    def _explained(self, reading: Reading | Window) -> tuple[Found, Position | None]:
        return explained(self.referee.match, reading, was_reached_over=self.referee.was_reached_over)

    def _may_accuse(self, still: Stillness, *, at_once: bool) -> bool:
        age = self.t - still.until
        is_seen = len(still.recent) >= ACCUSING_SIGHTINGS and age <= (STALE_S if at_once else FRESH_S)
        return still.is_long(self.t) and is_seen

    def _accuse(self, window: Window, found: Found, innocent: Position | None) -> None:
        match = self.referee.match
        reading = window.typical(match.position)
        self._nothing_more()
        shown = innocent if found is Found.HALF else reading.completed(match.position)
        if not any(reading.key) and sum(map(len, in_play(match.board, match.position))) >= TIPPED:
            self._ask(Notice(NoticeKind.UPBOARD))
            return
        doubtful = found in (Found.DOUBTFUL, Found.HALF_IN_DOUBT) or reading.sighting.confidence < SURE
        doubtful = doubtful or self.referee.flicker > FLICKERS
        if found is Found.HALF and innocent is not None:
            # Where a one is owed, the piece may have been put down, or read, on the wrong side of a line.
            doubtful = doubtful or any(looks_misread(innocent, play) for play in match.plays)
        if doubtful or shown is None or (found is Found.WRONG and window.vanished(match.position)):
            self._ask(Notice(NoticeKind.CHECK, reading.doubtful_place(match.position)), innocent)
        elif fits_any(self.referee.guesses, window) or self._starts_where_none_was_seen(shown):
            self._ask(Notice(NoticeKind.CHECK, reading.doubtful_place(match.position)))
        elif self._by_other_dice():
            # Nobody is accused by dice that were read in two ways.
            self._ask(Notice(NoticeKind.CHECK, "dice"))
        elif self._is_wrong_since(reading, shown):
            self._judge(at_once=True)
        elif self._is_lost():
            if not self.referee.is_out_of_step:
                has_missed = self.referee.has_missed or self._plays_unseen() > 1
                self._change(is_out_of_step=True, has_missed=has_missed)
                self._notice(NoticeKind.OUT_OF_STEP)
            self._name_misplaced(reading)
        else:
            self._see(shown)
            self._change(accused_at=self.t)

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
        if self.referee.is_out_of_step:
            self._change(is_out_of_step=False, to_put_right=None)
            self._notice(NoticeKind.BACK_IN_STEP)

    def _starts_where_none_was_seen(self, shown: Position) -> bool:
        """Whether a piece is gone from where it was not seen either when the board was last agreed with."""
        board, record = self.referee.match.board, self.referee.match.position
        missing = {place for place, seen, wanted in self.referee.accounted if not seen and wanted}
        return any(
            place_of(board, colour, steps) in missing
            for colour, was, now in zip(board.seats, record, shown, strict=True)
            for steps in Counter(was) - Counter(now)
        )

    def _is_wrong_since(self, reading: Reading, shown: Position) -> bool:
        """Whether dice were thrown, and played by the rules, on a board that did not follow: it is called."""
        if not 0 < self._plays_unseen() <= MOST_UNSEEN or self._is_shaky:
            return False
        wrong = wrong_before(self.referee.match, self.referee.held, reading, shown)
        if wrong is None:
            return False
        self._change(asked=None, open_point=None)
        self._step(self.referee.match.see(wrong))
        self._take_held_throw()
        return True

    def _is_lost(self) -> bool:
        """Whether the record may be what is wrong, or too much has happened unseen."""
        return self._is_shaky or self._plays_unseen() > 1

    @property
    def _is_shaky(self) -> bool:
        """Whether the record may be what is wrong."""
        referee = self.referee
        return referee.has_missed or referee.doubts > 0 or referee.mistakes >= MISTAKES

    def _plays_unseen(self) -> int:
        """How many throws were held before a hand was last over the board."""
        still = self.referee.still
        return sum(still is None or told.t < still.began for told in self.referee.held)

    def _go_on_with(self, held: tuple[Held, ...]) -> None:
        """Dice that were held while the board became what now stands: they count.

        Where a hand was there after they were thrown, their plays are taken to be part of that board.
        """
        began = self.referee.still.began if self.referee.still is not None else self.t
        self._change(held=())
        for told in held:
            if not isinstance(told, ThrowMade | DiceFault):
                continue
            self._take_dice(told)
            played = as_played(self.referee.match)
            if told.t < began and played is not None:
                self._guess(self.referee.match)
                self._change(match=played)

    def _ask(self, question: Notice, innocent: Position | None = None) -> None:
        """Ask what `done` or `accept` will answer, or the board itself by being another."""
        if self.referee.open_point != question:
            self._change(asked=innocent, open_point=question)
            self._rule(question)

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

    def _is_forgiven(self) -> bool:
        still = self.referee.still
        return still is not None and still.reading.key == self.referee.forgiven

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
        best = min(still.reading.cost(play, match.position) for play in match.plays)
        is_exact = still.reading.cost(position, match.position) == 0
        return self.referee.was_reached_over and not is_exact and best < UNSEEN

    def _take_likeliest_play(self) -> Match:
        """The player said that the board is right, and throws on: the play that fits it best was made."""
        still, match = self.referee.still, self.referee.match
        if still is not None and match.awaiting is Awaiting.PLAY and match.plays:
            mistakes = self.referee.mistakes
            play = min(match.plays, key=lambda each: still.reading.cost(each, match.position))
            self._agree(still.reading, play)
            self._see(play)
            # A guess: whether the record is right will be seen when the next play is.
            self._change(mistakes=mistakes)
        return self.referee.match

    def _take_held(self, *, all_of_it: bool = False) -> None:
        """The play that held dice waited for is known: they count, and the board may show their play too."""
        while self.referee.held:
            self._take_held_throw()
            if self.referee.held and not all_of_it and owes_a_play(self.referee.match):
                self._judge(at_once=True)
                return

    def _take_held_throw(self) -> None:
        told, *held = self.referee.held
        self._change(held=tuple(held))
        if isinstance(told, ThrowMade | DiceFault):
            self._take_dice(told)
        else:
            self._change(guesses=(), last_play=None)
            self._take_call(self.referee.match, told)

    def _answer(self) -> None:
        """The players say that the board is right as it stands, or that it was tipped up."""
        if self.referee.open_point == Notice(NoticeKind.UPBOARD):
            self._change(open_point=None)
            self._step(self.referee.match.call(Call("upboard")))
            return
        still, asked = self.referee.still, self.referee.asked
        if still is not None:
            self._change(forgiven=still.reading.key)
        if asked is not None and asked not in self.referee.match.halfway:
            guesses = self.referee.guesses
            if still is not None:
                guesses = (*as_seen(self.referee.match, still.reading), *guesses)[:GUESSES]
                self._agree(still.reading, asked, is_told=True)
            self._see(asked)
            self._change(guesses=guesses)
        else:
            self._trust_what_is_seen()

    def _undo(self) -> None:
        if not self.referee.history:
            self._rule(self._refusal("there is nothing to take back"))
            return
        *earlier, last = self.referee.history
        accused = self.t < self.referee.accused_at + MEANT_S
        mistakes = self.referee.mistakes + accused
        self._change(
            match=last,
            history=tuple(earlier),
            held=(),
            guesses=(),
            last_play=None,
            asked=None,
            open_point=None,
            unspoken=None,
            mistakes=mistakes,
        )
        if self.referee.still is not None:
            # The player says that this very board was misjudged: it is not judged the same way again.
            self._change(forgiven=self.referee.still.reading.key)
            self._nothing_more()
        # A throw that was taken back with it has to be made again.
        in_hand = last.thrown if last.awaiting is Awaiting.PLAY else ()
        self._rule(Notice(NoticeKind.TAKEN_BACK, last.board.seats[last.to_play], numbers=in_hand))

    def _trust_what_is_seen(self) -> None:
        still = self.referee.still
        if still is None:
            return
        position = still.reading.completed(self.referee.match.position)
        if position is None:
            self._rule(self._refusal("more pieces are seen than there are"))
        else:
            self._trust(position)

    def _trust(self, position: Position) -> None:
        match = self.referee.match
        self._remember(match)
        # Where the board is no play of the throw in hand, it stands in place of one: the turn goes on.
        step = match.see(position) if match.awaiting is Awaiting.PLAY else Step(match)
        if step.match.position != position:
            step = step.match.placed(position)
        held = self.referee.held
        # That plays were missed is forgotten only when one is recognised: whose turn it is may be wrong too.
        self._change(
            match=step.match,
            asked=None,
            open_point=None,
            held=(),
            last_play=None,
            guesses=(),
            forgiven=None,
            mistakes=0,
            is_out_of_step=False,
        )
        self._notice(NoticeKind.TRUSTED)
        for ruling in step.rulings:
            self._tell(ruling)
        self._go_on_with(held)
        match = self.referee.match
        self._change(guesses=(*self.referee.guesses, *other_turns(match))[:GUESSES])

    def _go_blind(self) -> None:
        if not self.referee.is_blind:
            self._change(is_blind=True, still=None)
            self._notice(NoticeKind.CANNOT_SEE, self.referee.trouble)

    # ------------------------------------------------------------------ what comes of it

    def _step(self, step: Step) -> None:
        """Take a step of the match and say its rulings."""
        before = self.referee.match
        if step.match is not before:
            if replace(step.match, behind=before.behind) != before:
                self._remember(before)
            self._change(match=step.match)
            if step.match.wrong_board is None and not self.referee.is_asking:
                self._change(open_point=None)
            if any(ruling.kind in IN_STEP for ruling in step.rulings):
                doubts = max(0, self.referee.doubts - 1)
                self._change(mistakes=0, has_missed=False, is_out_of_step=False, doubts=doubts)
        if any(ruling.kind is Kind.VOID for ruling in step.rulings):
            # Somebody throws who should not, or the dice or the play before were misread.
            self._change(doubts=max(1, self.referee.doubts))
        for ruling in step.rulings:
            # When the board has caught up with a ruling that moved pieces, nobody has played.
            if not (ruling.kind is Kind.LEGAL and before.behind is not None and not ruling.moves):
                self._tell(ruling)
        now = self.referee.match
        if now.must_challenge and not before.must_challenge:
            self._notice(NoticeKind.MUST_CHALLENGE, now.board.seats[now.to_play])

    def _tell(self, ruling: Ruling) -> None:
        """Say a ruling; but where players call timber shifting, nothing of a shift until they do (A75)."""
        if ruling.kind in (Kind.LEGAL, Kind.WON) and self.alike:
            ruling, self.alike = replace(ruling, alike=self.alike), ()
        noted = self.referee.unspoken
        if ruling.kind is Kind.TIMBER_SHIFT and self._players_call_shifts and not self.is_shift_called:
            self._change(unspoken=noted or self._timed(ruling))
            return
        self._change(unspoken=None)
        if noted is None or ruling.kind not in (Kind.PUT_RIGHT, Kind.STOOD):
            self._rule(ruling)
        elif ruling.kind is Kind.STOOD:
            self._rule(replace(ruling, unspoken=True))

    @property
    def _players_call_shifts(self) -> bool:
        return self.referee.match.rules.timber_caller == "players"

    def _remember(self, match: Match) -> None:
        self._change(history=(*self.referee.history, match)[-UNDO_DEPTH:])

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

    def _change(self, **changes: object) -> None:
        if "match" in changes:
            # What could be called on another board or throw is asked no more, nor is it put right by another.
            changes.setdefault("choices", ())
            changes.setdefault("to_put_right", None)
        self.referee = replace(self.referee, **changes)  # type: ignore[arg-type]

"""One match being refereed: everything goes to the referee, and on the card before anybody is told."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from uckers_table.announce.in_full import in_full
from uckers_table.announce.lines import ruling_line, told_lines
from uckers_table.announce.loudness import Loudness
from uckers_table.announce.oled import Screen, draw
from uckers_table.announce.pages import page, readout
from uckers_table.announce.tower_sentences import TOWER_ALOUD, TOWER_SENTENCES
from uckers_table.config import Config
from uckers_table.devices.base import Cocked, DeviceEvent, Frame, HeldDown, NoThrow, Pressed, Remark
from uckers_table.errors import InputError
from uckers_table.game.events import Awaiting
from uckers_table.game.position import by_colour
from uckers_table.game.ruling import Kind
from uckers_table.keeping.card import Card
from uckers_table.keeping.keeper import Keeper
from uckers_table.keeping.resume import FAULT, PickedUp
from uckers_table.machine.journal import facts
from uckers_table.record.match_record import DISPUTED, EVIDENCE
from uckers_table.referee.events import (
    NO_THROWS,
    DeviceChanged,
    DiceFault,
    Due,
    Event,
    Resumed,
    Seen,
    ThrowMade,
    ThrowVoid,
    event_from_json,
    event_to_json,
)
from uckers_table.referee.referee import Referee, Response
from uckers_table.referee.rulings import NoticeKind
from uckers_table.referee.taking_back import Matter
from uckers_table.table.asking_back import AskingBack, found
from uckers_table.table.desk import event_asked_for
from uckers_table.table.dice_by_hand import COCKED, DiceByHand
from uckers_table.table.news import ReadFrame, event_of, lit_buttons
from uckers_table.table.parts import Parts
from uckers_table.table.views import Glimpse, View
from uckers_table.vision.live import board_window
from uckers_table.vision.profile import TableProfile
from uckers_table.web.commands import Answer, AskBack, Command
from uckers_table.web.feed import RulingLine, SpokenLine

LOG = logging.getLogger(__name__)

SHOWN_ROUND_MM = 25.0
"""How much of the table round the board is shown with it."""
AFTERGLOW_S = 5.0
"""How long a match stays up after it is over, so that its end is seen and said, and can be taken back."""

DARK_S = 1.0
"""How long a time is in the recording of which nobody knows how long it was."""
LATEST = 30
"""So many rulings are kept at hand for the page."""
LATEST_SPOKEN = 8
"""So many sentences are kept at hand for phones: as many as wait to be said at the most."""
REFUSALS = frozenset({Kind.CALL_REFUSED, Kind.VOID, NoticeKind.WRONG_DICE})
"""Rulings which tell whoever asked for something that it has not been done."""


@dataclass(frozen=True)
class Outcome:
    """How a match ended, and where everything about it lies."""

    winner: tuple[str, ...]
    honours: tuple[str, ...]
    match_id: int
    record: Path
    recording: Path
    evidence: tuple[Path, ...]
    rulings: int


class Refereeing:
    """Referees one match with the parts of a table, which stay open when it is closed.

    Times that are given are the table's clock's, times on record are the match's own. One that was
    `picked_up` goes on with what it has on record. What the disk refuses is said once, and the match goes on.
    `read_again` has the camera's reader read places anew. `told` is the referee as far as `card` has what it
    has ruled, which is all that people see and hear of it.
    """

    def __init__(
        self,
        config: Config,
        referee: Referee,
        parts: Parts,
        view: View,
        card: Card,
        *,
        now: float,
        picked_up: PickedUp | None = None,
        read_again: Callable[[Iterable[str]], None] = lambda places: None,
    ) -> None:
        self._parts, self._view, self._loudness = parts, view, config.loudness
        self._read_again = read_again
        self._tower_cocks = config.tower_cocked == "fault"
        self.referee, self._board = referee, referee.match.board
        self._card, self.told = card, referee
        self.t = picked_up.t + DARK_S if picked_up is not None else 0.0
        self._begun = now - self.t
        self._over_at: float | None = None
        self._last_frame: Frame | None = None
        self._agreed_frame: Frame | None = None
        self._troubles = dict[str, str]()
        self.lit = frozenset[str]()
        self._rulings = 0
        self.latest = _latest_of(picked_up) if picked_up is not None else ()
        self.spoken: tuple[SpokenLine, ...] = ()
        self._by_hand = DiceByHand()
        self._asking_back = AskingBack()
        self._window = board_window(parts.profile, SHOWN_ROUND_MM) if parts.profile is not None else None
        self.screen: Screen = page(referee, self._loudness)
        self.oled = draw(self.screen)
        with ExitStack() as closing:
            now_s = parts.clock.now
            self._keeper = Keeper(config, self._board, parts.profile, card, picked_up, now=now_s)
            closing.callback(self._keeper.close)
            # What was over is on record as such, however the evening ends.
            closing.callback(self._end_match)
            if picked_up is None:
                self._tell_what_there_is()
            self._closing = closing.pop_all()

    # ------------------------------------------------------------------ what comes in

    @property
    def due(self) -> float | None:
        """When something is to be done though nothing comes in; None for never."""
        closing, asked_until = self._closes_at, self._asking_back.until
        due = self.referee.deadline if closing is None else closing
        if asked_until > self.t:
            due = asked_until if due is None else min(due, asked_until)
        return None if due is None else self._begun + due

    @property
    def _closes_at(self) -> float | None:
        """When the match that is over closes (seconds of it). Who is asked whether it is over has time."""
        if self._over_at is None:
            return None
        is_asked = self.asks_back is not None
        return max(self._over_at + AFTERGLOW_S, self._asking_back.until if is_asked else self._over_at)

    def is_over(self, now: float) -> bool:
        """Whether the match has ended, and was seen and heard to."""
        return self._closes_at is not None and now >= self._begun + self._closes_at

    @property
    def asks_back(self) -> Matter | None:
        """What people are asked whether to take it back."""
        asking = self._asking_back
        return asking.matter if not asking.is_taken and asking.is_shown(self.t, self.told) else None

    @property
    def in_a_line(self) -> str:
        """Whose turn it is and what is awaited, for a log."""
        match = self.told.match
        return f"Match {self.number}: {match.board.seats[match.to_play]}, {match.awaiting.value}"

    @property
    def has_ended(self) -> bool:
        """Whether the match has its result, which may still be taken back."""
        return self._over_at is not None

    @property
    def troubles(self) -> tuple[str, ...]:
        """What cannot be kept now, and why, a line each."""
        return tuple(_not_recorded(what, why) for what, why in self._not_kept() if why)

    def _not_kept(self) -> tuple[tuple[str, str], ...]:
        """What is kept of a match, and why it is not; empty where it is."""
        return ("Rulings", self._keeper.trouble), ("Pictures", self._keeper.pictures_trouble)

    def fall_due(self, now: float) -> None:
        """Nothing has come in until now."""
        self._come_to(now)
        self._handle(Due(self.t))
        self._see_whether_over()

    def deal_with(self, now: float, news: DeviceEvent | ReadFrame) -> None:
        """Something has come in."""
        self._come_to(now)
        try:
            if isinstance(news, ReadFrame):
                self._last_frame = Frame(self.t, news.frame.image)
                self._keeper.glance(self._last_frame)
                if news.sighting is not None:
                    self._handle(Seen(self.t, news.sighting))
            elif isinstance(news, NoThrow):
                self._say_no_throw(news.why)
            elif isinstance(news, Remark):
                if news.aloud:
                    self._say(news.aloud)
                if news.line:
                    self.say_fault(news.line)
            elif isinstance(news, Cocked) and not self._tower_cocks:
                self._say_no_throw("cocked")
            elif isinstance(news, Pressed):
                self._press(news)
            elif not isinstance(news, HeldDown):
                self._handle(event_of(self.t, news))
        except InputError as error:
            # The referee cannot make sense of what a device sent: it stays as it was, and the match goes on.
            self.say_fault(str(error))
        self._see_whether_over()

    def _press(self, pressed: Pressed) -> None:
        """A button of the box: a number, if one is asked for, or what it is named after."""
        if self._took_dice(pressed.name):
            return
        if pressed.name == "undo" and not self.referee.choices:
            self._asking_back, button = self._asking_back.pressed(self.t, self.referee)
            if not button:
                self._show_state()
                self._show([])
                return
            pressed = Pressed(button)
        self._handle(event_of(self.t, pressed, asks_number=bool(self.referee.choices)))

    def enter(self, now: float, command: Command) -> Answer:
        """Somebody asks for something on the page. InputError where it makes no sense now."""
        self._come_to(now)
        if isinstance(command, AskBack):
            matter = found(self.referee, command.number) if command.number is not None else None
            self._asking_back = AskingBack.asking(matter, self.t) if matter else AskingBack()
            self._show_state()
            self._show([])
            return Answer(True)
        lines = self._handle(event_asked_for(self.t, command, self.referee))
        self._see_whether_over()
        refused = next((line for line in lines if line["ruling"] in REFUSALS), None)
        return Answer(refused is None, refused["full"] if refused is not None else "")

    def resume(self, picked_up: PickedUp, dice_from: str) -> None:
        """Say that the match goes on, and how it stands."""
        for what in (picked_up.doubt, picked_up.left_out):
            if what:
                self.say_fault(what)
        self._handle(Resumed(self.t, dice_from))
        self._tell_what_there_is()

    def look_again(self, now: float, profile: TableProfile | None) -> None:
        """Nobody watched for a while; the board is read by this profile now."""
        self._come_to(now)
        if profile is not None:
            self._window = board_window(profile, SHOWN_ROUND_MM)
            self._keeper.read_by(profile)
        if self.referee.match.awaiting is not Awaiting.OVER:
            self._handle(Resumed(self.t, self.referee.dice_from))
            self._tell_what_there_is()
        self._parts.display.show(self.oled)

    def _tell_what_there_is(self) -> None:
        """Tell the referee what the table does without."""
        if self._parts.profile is None:
            self._handle(DeviceChanged(self.t, "camera", "none"))

    def be_as_loud_as(self, loudness: Loudness) -> None:
        """Say and show so much from now on."""
        self._loudness = loudness
        self._show_state()

    def leave(self) -> None:
        """The players give the match up: it has no result."""
        self._keeper.leave_match(self.t)

    @property
    def number(self) -> int:
        """The match's number in the record."""
        return self._keeper.number

    @property
    def is_all_told(self) -> bool:
        """Whether people know how the match stands: the card has all that changes it."""
        return self.told is self.referee or _stands(self.told) == _stands(self.referee)

    @property
    def moment(self) -> str:
        """What the match is at, as people know: its number, and a name that is another once anything was
        thrown, moved or ruled, or the referee has asked.
        """
        told = self.latest[-1].number if self.latest else 0
        return f"{self.number}.{told}.{crc32(repr(_stands(self.told)).encode()):08x}"

    def _come_to(self, now: float) -> None:
        """A frame is stamped when it is taken and comes when it is read: others overtake it. The referee and
        the recording go by the order in which things came.
        """
        self.t = max(self.t, round(now - self._begun, 3))

    def _see_whether_over(self) -> None:
        if self.told.match.awaiting is not Awaiting.OVER:
            self._over_at = None
        elif self._over_at is None:
            self._over_at = self.t

    def _took_dice(self, button: str) -> bool:
        """Whether a press told something of the dice, as it does where nothing reads them; then it is dealt
        with.
        """
        dice = self._dice_to_tell()
        if not dice:
            self._by_hand = DiceByHand()
            return False
        before = self._by_hand
        self._by_hand, complete = before.pressed(button, dice)
        if complete == COCKED:
            self._handle(DiceFault(self.t, COCKED, "buttons"))
        elif isinstance(complete, tuple):
            self._handle(ThrowMade(self.t, complete, "buttons"))
        elif self._by_hand == before:
            return False
        self._show_state()
        return True

    def _dice_to_tell(self) -> int:
        """How many dice somebody has to tell by the buttons; none where tower or camera reads them."""
        referee, match = self.referee, self.referee.match
        by_tower = referee.dice_from in ("tower", "both") and "tower" not in referee.lost
        is_watched = "camera" not in referee.lost | referee.without and not referee.is_blind
        by_camera = referee.reads_dice and is_watched
        if by_tower or by_camera or referee.choices or match.awaiting is Awaiting.OVER:
            return 0
        is_one = match.turn.attempt is not None and match.rules.suckback_dice == "one"
        return 1 if is_one else match.rules.dice_per_throw

    # ------------------------------------------------------------------ what goes out

    def _handle(self, event: Event) -> list[dict[str, Any]]:
        """Record the event, ask the referee, record what it rules, and only then tell anybody. The rulings.

        InputError, with nothing changed or recorded, for an event that makes no sense.
        """
        match = self.referee.match
        line = event_to_json(event, self._board)
        if line is not None:
            # What is judged is what was recorded, to the last digit: so a replay rules the same.
            event = event_from_json(line, self._board, match.position)
        response = self._asked(event, line)
        self.referee = response.referee
        if response.read_again:
            self._read_again(response.read_again)
        for timed in response.rulings:
            if timed.ruling.kind is NoticeKind.TAKEN_BACK and timed.ruling.matter is not None:
                self._asking_back = AskingBack.taken(timed.ruling.matter, self.t)
        lines = [ruling_line(timed, self._board, self._loudness) for timed in response.rulings]
        numbers = self._keeper.keep_rulings(response, lines)
        is_other = isinstance(event, Seen) and not self.referee.agrees
        # Frames are large: beside those that differ, the last that agreed is kept packed.
        if is_other and self._agreed_frame is not None and self._keeper.put_by(self._agreed_frame):
            self._agreed_frame = None
        if self._last_frame is not None:
            self._keeper.keep_pictures(response.rulings, numbers, self._last_frame, self._agreed_frame)
        if isinstance(event, Seen) and self.referee.agrees:
            self._agreed_frame = self._last_frame
        has_evidence = self._last_frame is not None
        self._card.once_kept(lambda: self._is_kept(response, lines, numbers, has_evidence=has_evidence))
        return lines

    def _is_kept(
        self, response: Response, lines: list[dict[str, Any]], numbers: list[int], *, has_evidence: bool
    ) -> None:
        """The card has a response: so people hear of it."""
        self.told = response.referee
        self._note(response, lines, numbers, has_evidence=has_evidence)
        self._tell(response, lines)
        self._say_troubles()
        self._see_whether_over()

    def _asked(self, event: Event, line: dict[str, Any] | None) -> Response:
        """The referee's answer, and the event on the recording before anybody hears it.

        What makes no sense to the referee is not recorded, so that every recording can be replayed; an
        event on which it fails for another reason is, because that is the recording to mend it by.
        """
        try:
            response = self.referee.handle(event)
        except InputError:
            raise
        except Exception:
            if line is not None:
                self._keeper.keep_event(line, sync=True)
            raise
        if line is not None and response.is_waiting:
            self._keeper.keep_waiting(line)
        elif line is not None:
            self._keeper.keep_event(line, sync=not isinstance(event, Seen))
        return response

    def _note(
        self, response: Response, lines: list[dict[str, Any]], numbers: list[int], *, has_evidence: bool
    ) -> None:
        """Keep the newest rulings at hand for whoever looks at the page."""
        new = []
        for timed, line, number in zip(response.rulings, lines, numbers, strict=True):
            kept = EVIDENCE if has_evidence and line["ruling"] in DISPUTED else ()
            said = in_full(timed.ruling, self._board)
            new.append(RulingLine(number, line["t"], line["ruling"], said, line["side"] or "", kept))
        self.latest = (*self.latest, *new)[-LATEST:]

    def _tell(self, response: Response, lines: list[dict[str, Any]]) -> None:
        """Say and show what is told at this table's loudness."""
        self._rulings += len(lines)
        told = told_lines(response, lines, self._board, self._loudness)
        for line in told:
            if line["say"]:
                self._say(line["say"], urgent=line["ruling"] in DISPUTED)
        self._show_state()
        self._show(told)

    def _say(self, sentence: str, *, urgent: bool = False) -> None:
        """Say a sentence, and keep it at hand for phones that say it too."""
        self._parts.voice.say(sentence, urgent=urgent)
        number = self.spoken[-1].number + 1 if self.spoken else 1
        self.spoken = (*self.spoken, SpokenLine(number, sentence, urgent))[-LATEST_SPOKEN:]

    def _show_state(self) -> None:
        """Bring display, readout and lamps up to date."""
        parts, referee = self._parts, self.told
        if not self._dice_to_tell():
            self._by_hand = DiceByHand()
        back = self._asking_back.page(self.t, referee, self._board)
        screen = self._by_hand.page() or back or page(referee, self._loudness)
        if screen != self.screen:
            self.screen, self.oled = screen, draw(screen)
            parts.display.show(self.oled)
        parts.tower.show(readout(referee))
        parts.tower.expect(referee.match.dice_due)
        lamps = self._by_hand.lamps or lit_buttons(referee) | ({"undo"} if back is not None else set())
        if lamps != self.lit:
            self.lit = lamps
            parts.buttons.light(lamps)

    def _say_no_throw(self, why: str) -> None:
        """Say what keeps dice in the tower from being a throw; it is nobody's fault, and nothing is ruled."""
        if why in NO_THROWS:
            self._handle(ThrowVoid(self.t, why))
        self._say(TOWER_ALOUD[why])
        self.say_fault(TOWER_SENTENCES[why])

    def _say_troubles(self) -> None:
        """Say once that something cannot be kept, and once that it can again; the match goes on."""
        for what, trouble in self._not_kept():
            before, self._troubles[what] = self._troubles.get(what, ""), trouble
            if trouble and not before:
                self.say_fault(_not_recorded(what, trouble))
            elif before and not trouble:
                self.say_fault(f"{what} are recorded again.")

    def say_fault(self, what: str) -> None:
        """Keep and show, but not say aloud, one line on what a device or the card made impossible."""
        LOG.warning("%s", what, extra=facts(match=self.number))
        match = self.referee.match
        line: dict[str, Any] = {
            "t": self.t,
            "ruling": FAULT,
            "reason": None,
            "side": None,
            "say": what,
            "full": what,
            "position": by_colour(self._board, match.position),
            "to_play": self._board.seats[match.to_play],
            "awaiting": match.awaiting.value,
        }
        self._keeper.keep_line(line)
        self._card.once_kept(lambda: self._show([line]))

    def _show(self, lines: list[dict[str, Any]]) -> None:
        frame, window = self._last_frame, self._window
        picture = frame.image[window] if frame is not None and window is not None else None
        self._view.show(Glimpse(lines, picture, self.screen, self.told.match, self._status()))

    def _status(self) -> str:
        minutes, seconds = divmod(int(self.t), 60)
        return f"{minutes}:{seconds:02d} at the table · {self._rulings} rulings · match {self._keeper.number}"

    # ------------------------------------------------------------------ the end

    def _end_match(self) -> None:
        if self.referee.match.awaiting is Awaiting.OVER:
            self._keeper.end_match(self.referee.match, self.t)

    @property
    def outcome(self) -> Outcome:
        """How the match stands, or ended."""
        match, keeper = self.referee.match, self._keeper
        return Outcome(
            tuple(self._board.seats[seat] for seat in match.winner),
            match.honours,
            keeper.number,
            keeper.record,
            keeper.recording,
            keeper.evidence,
            self._rulings,
        )

    @property
    def is_record_damaged(self) -> bool:
        """Whether the record turned out to be damaged; this match is whole in its recording."""
        return self._keeper.is_damaged

    def close(self) -> None:
        """Finish the record; safe to call twice."""
        self._closing.close()


def _stands(referee: Referee) -> tuple[object, ...]:
    """How a match stands for whoever presses something."""
    match = referee.match
    stands = (match.position, match.to_play, match.awaiting, match.thrown, match.extra)
    return stands, (len(referee.choices), referee.is_asking, referee.is_out_of_step)


def _not_recorded(what: str, why: str) -> str:
    return f"{what} are not recorded: {why}"


def _latest_of(picked_up: PickedUp) -> tuple[RulingLine, ...]:
    """The rulings before the power went, for the page."""
    return tuple(
        RulingLine(number, ruled.t, ruled.ruling, words, ruled.side or "", picked_up.evidence.get(number, ()))
        for number, (ruled, words) in enumerate(zip(picked_up.rulings, picked_up.words, strict=True), start=1)
    )[-LATEST:]

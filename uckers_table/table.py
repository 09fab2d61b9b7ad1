"""The table at work: one queue, one loop, one referee, and whatever the configuration puts around them.

Every device has a thread that puts what it has to say into the queue; the loop takes it off in order,
asks the referee, keeps the record, and only then tells people. What goes to people never blocks it.

Where the table is simulated, or read from pictures, its source waits until each thing has been dealt with,
so that the same seed gives the same match on any machine.
"""

from __future__ import annotations

import logging
import shlex
import subprocess
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from uckers_table.announce.lines import ruling_line, told_lines
from uckers_table.announce.oled import Notice, Screen, draw
from uckers_table.announce.pages import page, readout
from uckers_table.announce.tower_sentences import TOWER_SENTENCES
from uckers_table.config import Config
from uckers_table.devices.base import (
    Back,
    Cocked,
    DeviceEvent,
    Dropped,
    Frame,
    Held,
    Lost,
    NoThrow,
    Pressed,
    Thrown,
)
from uckers_table.devices.pins import DICE_BUTTON, NUMBERED
from uckers_table.dice_by_hand import COCKED, DiceByHand
from uckers_table.errors import ConfigError, DeviceError, InputError, UckersTableError
from uckers_table.game.board import Board
from uckers_table.game.match import CALLS, Awaiting, Call
from uckers_table.game.open_calls import numbered, open_calls
from uckers_table.game.position import by_colour
from uckers_table.inbox import Inbox
from uckers_table.keeper import DISPUTED, Keeper
from uckers_table.parts import Parts, build_parts, first_match
from uckers_table.record.store import RecordedThrow
from uckers_table.referee.events import (
    BUTTONS,
    ButtonPressed,
    CallMade,
    DeviceChanged,
    DiceFault,
    Due,
    Event,
    Seen,
    ThrowMade,
    event_from_json,
    event_to_json,
)
from uckers_table.referee.referee import Referee, Response
from uckers_table.referee.telling import Taken
from uckers_table.sighting import Sighting
from uckers_table.terminal import View, view_for
from uckers_table.vision.live import LiveReader, board_window

CAMERA_RETRY_S = 2.0
"""How often a lost camera is tried again."""
LEAVE_S = 10.0
"""How long the camera's thread may take to notice that the table is closing."""
SHOWN_ROUND_MM = 25.0
"""How much of the table round the board is shown with it."""
AFTERGLOW_S = 5.0
"""How long the table stays up after a match is over, so that its end is seen and said."""

SWITCHING_OFF = Notice("SWITCHING OFF", "The match is kept. Pull the plug when the green light is out.")

FAULT = "device_fault"
"""The `ruling` of a line that says what a device, or the card, made impossible; the referee ruled nothing."""


@dataclass(frozen=True)
class _Look:
    """A frame, and what was read in it."""

    frame: Frame
    sighting: Sighting


News = DeviceEvent | _Look | UckersTableError | None
"""What comes into the inbox; None is the end of a camera's source, an error that of the match."""


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
    is_switched_off: bool = False


class Table:
    """One match at one table. Build it, `run` it once, and it closes what it was given.

    What it was given is closed also when it cannot be built. RecordError when the record cannot be kept;
    ProfileError when the camera's pictures do not fit the profile.
    """

    def __init__(self, config: Config, parts: Parts, inbox: Inbox[News], view: View) -> None:
        self._parts, self._inbox, self._view = parts, inbox, view
        self._clock, self._loudness = parts.clock, config.loudness
        self._tower_cocks = config.tower_cocked == "fault"
        self._t = 0.0
        self._stopping = threading.Event()
        self._watching = threading.Thread(target=self._watch, name="watching", daemon=True)
        self._last_frame: Frame | None = None
        self._agreed_frame: Frame | None = None
        self._pictures_fail = False
        self._lit = frozenset[str]()
        self._rulings = 0
        self._by_hand = DiceByHand()
        self._is_switched_off = False
        with ExitStack() as closing:
            closing.callback(view.close)
            closing.callback(parts.close)
            self._referee = Referee(first_match(config), dice_from=config.dice)
            self._board: Board = self._referee.match.board
            self._eyes = LiveReader(parts.profile)
            self._window = board_window(parts.profile, SHOWN_ROUND_MM)
            self._screen: Screen = page(self._referee, self._loudness)
            self._oled = draw(self._screen)
            self._keeper = Keeper(config, self._board.seats, parts.profile)
            closing.callback(self._keeper.close)
            self._closing = closing.pop_all()

    # ------------------------------------------------------------------ what comes in

    def run(self) -> Outcome:
        """Referee until the match is over, the camera's source ends, or somebody interrupts."""
        parts = self._parts
        with self._closing as closing:
            closing.callback(self._end_match)
            closing.callback(self._leave)
            self._inbox.open(self._clock, patient=parts.camera.waits)
            parts.tower.listen(self._inbox.post)
            parts.buttons.listen(self._inbox.post)
            self._watching.start()
            self._loop()
        return self._outcome()

    def _leave(self) -> None:
        self._stopping.set()
        self._inbox.close()
        if self._watching.ident is not None:
            self._watching.join(timeout=LEAVE_S)

    def _watch(self) -> None:
        """The camera's thread: read each frame and post what was seen, or why nothing more will be."""
        is_lost = False
        while not self._stopping.is_set():
            try:
                look = self._look()
            # The referee's only eye: whatever goes wrong here, somebody has to be told.
            except Exception as error:
                if isinstance(error, UckersTableError) and not isinstance(error, DeviceError):
                    self._inbox.post(error)
                    return
                if not is_lost:
                    self._inbox.post(Lost("camera", str(error)))
                    if not isinstance(error, DeviceError):
                        logging.getLogger(__name__).exception("a frame could not be read")
                is_lost = True
                self._stopping.wait(CAMERA_RETRY_S)
                continue
            if is_lost:
                is_lost = False
                self._inbox.post(Back("camera"))
            if look is None:
                self._inbox.post(None)
                return
            self._inbox.post(look, look.frame.t)

    def _look(self) -> _Look | None:
        frame = self._parts.camera.read()
        return _Look(frame, self._eyes.see(frame.image)) if frame is not None else None

    def _loop(self) -> None:
        over_at: float | None = None
        while not self._is_switched_off and (over_at is None or self._clock.now() < over_at + AFTERGLOW_S):
            due = self._referee.deadline if over_at is None else over_at + AFTERGLOW_S
            letter = self._inbox.take(self._clock.wait_s(due) if due is not None else None)
            # A frame is stamped when it is taken and comes when it is read: others overtake it. The referee
            # and the recording go by the order in which things came.
            self._t = max(self._t, letter.t if letter is not None else round(self._clock.now(), 3))
            if letter is None:
                self._handle(Due(self._t))
            else:
                try:
                    if letter.content is None:
                        return
                    self._deal_with(letter.content)
                finally:
                    letter.dealt_with.set()
            if self._referee.match.awaiting is not Awaiting.OVER:
                over_at = None
            elif over_at is None:
                over_at = self._t

    def _deal_with(self, news: DeviceEvent | _Look | UckersTableError) -> None:
        if isinstance(news, UckersTableError):
            raise news
        try:
            if isinstance(news, _Look):
                self._last_frame = Frame(self._t, news.frame.image)
                self._handle(Seen(self._t, news.sighting))
            elif isinstance(news, Held):
                self._is_switched_off = True
                self._parts.display.show(draw(SWITCHING_OFF), stays=True)
            elif isinstance(news, NoThrow):
                self._say_no_throw(news.why)
            elif isinstance(news, Cocked) and not self._tower_cocks:
                self._say_no_throw("cocked")
            elif not (isinstance(news, Pressed) and self._took_dice(news.name)):
                self._handle(_event(self._t, news, asks_number=bool(self._referee.choices)))
        except InputError as error:
            # The referee cannot make sense of what a device sent: it stays as it was, and the match goes on.
            self._say_fault(str(error))

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
            self._handle(DiceFault(self._t, COCKED, "buttons"))
        elif isinstance(complete, tuple):
            self._handle(ThrowMade(self._t, complete, "buttons"))
        elif self._by_hand == before:
            return False
        self._show_state()
        return True

    def _dice_to_tell(self) -> int:
        """How many dice somebody has to tell by the buttons; none where tower or camera reads them."""
        referee, match = self._referee, self._referee.match
        by_tower = referee.dice_from in ("tower", "both") and "tower" not in referee.lost
        by_camera = referee.reads_dice and "camera" not in referee.lost and not referee.is_blind
        if by_tower or by_camera or referee.choices or match.awaiting is Awaiting.OVER:
            return 0
        is_one = match.turn.attempt is not None and match.rules.suckback_dice == "one"
        return 1 if is_one else match.rules.dice_per_throw

    # ------------------------------------------------------------------ what goes out

    def _handle(self, event: Event) -> None:
        """Record the event, ask the referee, record what it rules, and only then tell anybody.

        InputError, with nothing changed or recorded, for an event that makes no sense.
        """
        match = self._referee.match
        line = event_to_json(event, self._board)
        if line is not None:
            # What is judged is what was recorded, to the last digit: so a replay rules the same.
            event = event_from_json(line, self._board, match.position)
        response = self._asked(event, line)
        self._referee = response.referee
        lines = [ruling_line(timed, self._board, self._loudness) for timed in response.rulings]
        numbers = self._keeper.keep_rulings(lines, [self._thrown(each) for each in response.dice])
        trouble = ""
        if self._last_frame is not None:
            trouble = self._keeper.keep_pictures(
                response.rulings, numbers, self._last_frame, self._agreed_frame
            )
        if isinstance(event, Seen) and self._referee.agrees:
            self._agreed_frame = self._last_frame
        self._tell(response, lines)
        if trouble and not self._pictures_fail:
            self._pictures_fail = True
            self._say_fault(trouble)

    def _asked(self, event: Event, line: dict[str, Any] | None) -> Response:
        """The referee's answer, and the event on the recording before anybody hears it.

        What makes no sense to the referee is not recorded, so that every recording can be replayed; an
        event on which it fails for another reason is, because that is the recording to mend it by.
        """
        try:
            response = self._referee.handle(event)
        except InputError:
            raise
        except Exception:
            if line is not None:
                self._keeper.keep_event(line, sync=True)
            raise
        if line is not None:
            self._keeper.keep_event(line, sync=not isinstance(event, Seen))
        return response

    def _thrown(self, taken: Taken) -> RecordedThrow:
        """A throw or fault that counted, for the record."""
        side = self._board.seats[taken.seat]
        match taken.told:
            case ThrowMade(t, dice, source):
                return RecordedThrow(t, side, dice, "good", source)
            case DiceFault(t, kind, source):
                return RecordedThrow(t, side, (), kind, source)

    def _tell(self, response: Response, lines: list[dict[str, Any]]) -> None:
        """Say and show what is told at this table's loudness."""
        self._rulings += len(lines)
        told = told_lines(response, lines, self._board, self._loudness)
        for line in told:
            if line["say"]:
                self._parts.voice.say(line["say"], urgent=line["ruling"] in DISPUTED)
        self._show_state()
        self._show(told)

    def _show_state(self) -> None:
        """Bring display, readout and lamps up to date."""
        parts, referee = self._parts, self._referee
        if not self._dice_to_tell():
            self._by_hand = DiceByHand()
        screen = self._by_hand.page() or page(referee, self._loudness)
        if screen != self._screen:
            self._screen, self._oled = screen, draw(screen)
            parts.display.show(self._oled)
        parts.tower.show(readout(referee))
        parts.tower.expect(min(referee.match.dice_wanted))
        lamps = self._by_hand.lamps or _lamps(referee)
        if lamps != self._lit:
            self._lit = lamps
            parts.buttons.light(lamps)

    def _say_no_throw(self, why: str) -> None:
        """Say what keeps dice in the tower from being a throw; it is nobody's fault, and nothing is ruled."""
        sentence = TOWER_SENTENCES[why]
        self._parts.voice.say(sentence)
        self._say_fault(sentence)

    def _say_fault(self, what: str) -> None:
        """Keep and show, but not say aloud, one line on what a device or the card made impossible."""
        match = self._referee.match
        line: dict[str, Any] = {
            "t": self._t,
            "ruling": FAULT,
            "reason": None,
            "side": None,
            "say": what,
            "position": by_colour(self._board, match.position),
            "to_play": self._board.seats[match.to_play],
            "awaiting": match.awaiting.value,
        }
        self._keeper.keep_rulings([line])
        self._show([line])

    def _show(self, lines: list[dict[str, Any]]) -> None:
        picture = self._last_frame.image[self._window] if self._last_frame is not None else None
        self._view.show(lines, picture, self._oled, self._progress(), self._status())

    def _progress(self) -> dict[str, float]:
        """How far each colour is on its way home, 0 to 1."""
        board = self._board
        return {
            colour: sum(max(0, steps) for steps in pieces) / (board.home * len(pieces))
            for colour, pieces in zip(board.seats, self._referee.match.position, strict=True)
        }

    def _status(self) -> str:
        minutes, seconds = divmod(int(self._clock.now()), 60)
        return f"{minutes}:{seconds:02d} at the table · {self._rulings} rulings · match {self._keeper.number}"

    # ------------------------------------------------------------------ the end

    def _end_match(self) -> None:
        if self._referee.match.awaiting is Awaiting.OVER:
            self._keeper.end_match(self._referee.match, self._t)

    def _outcome(self) -> Outcome:
        match, keeper = self._referee.match, self._keeper
        return Outcome(
            tuple(self._board.seats[seat] for seat in match.winner),
            match.honours,
            keeper.number,
            keeper.record,
            keeper.recording,
            tuple(keeper.evidence),
            self._rulings,
            self._is_switched_off,
        )


def _event(
    t: float, news: Thrown | Cocked | Dropped | Pressed | Lost | Back, *, asks_number: bool = False
) -> Event:
    """What a device's news means to the referee; InputError for a button that means nothing.

    While a number is asked, six of the buttons are numbers.
    """
    match news:
        case Pressed(name) if asks_number and name in NUMBERED:
            return ButtonPressed(t, str(NUMBERED.index(name) + 1))
        case Thrown(dice):
            return ThrowMade(t, dice, "tower")
        case Cocked():
            return DiceFault(t, "cocked")
        case Dropped():
            return DiceFault(t, "dropped")
        case Pressed(name) if name == DICE_BUTTON:
            # One button for both, and nothing tells them apart: cocked is the one that costs less.
            return DiceFault(t, "cocked", "buttons")
        case Pressed("suckback"):
            # One button for all that is called before the throw: only the rules know what that may be.
            return ButtonPressed(t, "call")
        case Pressed(name) if name in BUTTONS:
            return ButtonPressed(t, name)
        case Pressed(name) if name in CALLS:
            return CallMade(t, Call(name))
        case Pressed(name):
            raise InputError(f"the button '{name}' means nothing here: name it after a button or a call")
        case Lost(name):
            return DeviceChanged(t, name, "lost")
        case Back(name):
            return DeviceChanged(t, name, "back")


def _lamps(referee: Referee) -> frozenset[str]:
    """The buttons that mean something now; while a number is asked, those that mean one that is offered."""
    match = referee.match
    if referee.choices:
        return frozenset(NUMBERED[number - 1] for number in numbered(referee.choices))
    lamps = {"timber_shifting"}
    if match.awaiting is Awaiting.PLAY:
        lamps.add("done")
    if match.awaiting in (Awaiting.THROW, Awaiting.THROW_OFF):
        lamps.add("cocked_dropped")
    if open_calls(match):
        lamps.add("suckback" if match.awaiting is Awaiting.THROW else "challenge")
    if referee.is_asking or referee.is_out_of_step:
        lamps |= {"accept", "done"}
    if referee.history:
        lamps.add("undo")
    return frozenset(lamps)


def run_table(config: Config, *, out: TextIO) -> int:
    """Referee the table that a configuration describes, and say where everything is. The exit status.

    RulesError, before anything is set up or said, when the match that it asks for makes no sense.
    """
    first_match(config)
    if config.camera == "simulated":
        print(
            "Setting up the simulated table and calibrating it from two of its pictures …",
            file=out,
            flush=True,
        )
    inbox = Inbox[News]()
    parts = build_parts(config, inbox.post)
    table = Table(config, parts, inbox, view_for(out, headless=config.headless))
    outcome = table.run()
    print(_summary(outcome), file=out, flush=True)
    if outcome.is_switched_off and config.switch_off:
        _switch_off(config.switch_off)
    return 0


def _switch_off(command: str) -> None:
    """Run the command that switches the machine off, now that everything is on the card."""
    try:
        subprocess.run(shlex.split(command), check=True, stdin=subprocess.DEVNULL)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise ConfigError(
            f"the machine was not switched off ({error}): 'switch_off' is {command!r}; may this user do that?"
        ) from None


def _summary(outcome: Outcome) -> str:
    if outcome.winner:
        result = f"{' and '.join(outcome.winner).capitalize()} won."
    else:
        result = "No result: the match was not finished."
    lines = [
        " ".join([result, *(honour.replace("_", " ").capitalize() + "." for honour in outcome.honours)]),
        f"Rulings:    {outcome.rulings}",
        f"Record:     {outcome.record} (match {outcome.match_id})",
        f"Recording:  {outcome.recording}",
        f"            judge it again: uckers-table replay {outcome.recording}",
    ]
    if outcome.evidence:
        lines.append(f"Evidence:   {len(outcome.evidence)} pictures in {outcome.evidence[0].parent}")
    return "\n".join(lines)

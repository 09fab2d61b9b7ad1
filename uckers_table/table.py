"""The table at work: one queue, one loop, one referee, and whatever the configuration puts around them.

Every device has a thread that puts what it has to say into the queue; the loop takes it off in order,
asks the referee, keeps the record, and only then tells people. What goes to people never blocks it.

Where the table is simulated, or read from pictures, its source waits until each thing has been dealt with,
so that the same seed gives the same match on any machine.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from uckers_table.announce.lines import ruling_line
from uckers_table.announce.oled import Screen, draw
from uckers_table.announce.pages import page, readout
from uckers_table.config import Config
from uckers_table.devices.base import (
    Back,
    Cocked,
    DeviceEvent,
    Dropped,
    Frame,
    Lost,
    Pressed,
    Thrown,
)
from uckers_table.errors import DeviceError
from uckers_table.game.board import Board
from uckers_table.game.match import Awaiting, Call, Match, begin
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.game.setting import load_setting
from uckers_table.inbox import Inbox
from uckers_table.parts import Parts, build_parts
from uckers_table.record.recording import RecordingSettings, RecordingWriter
from uckers_table.record.store import MatchStore, RecordedThrow
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
from uckers_table.referee.referee import Referee
from uckers_table.referee.rulings import TimedRuling
from uckers_table.sighting import Sighting
from uckers_table.terminal import View, view_for
from uckers_table.vision.evidence import mark_moves
from uckers_table.vision.live import LiveReader
from uckers_table.vision.pictures import save_picture
from uckers_table.vision.profile import TableProfile

CAMERA_RETRY_S = 2.0
"""How often a lost camera is tried again."""
LEAVE_S = 10.0
"""How long the camera's thread may take to notice that the table is closing."""
AFTERGLOW_S = 5.0
"""How long the table stays up after a match is over, so that its end is seen and said."""

DISPUTED = frozenset({Kind.ILLEGAL, Kind.TIMBER_SHIFT})
"""Rulings that need evidence: the board before and after, and the difference marked."""
KEPT = DISPUTED | {Kind.PUT_RIGHT, Kind.STOOD, Kind.CHALLENGE_WON, Kind.PENALTY, Kind.UPBOARD, Kind.WON}
"""Rulings around which the recording keeps the frame."""
PROFILE_FILE = "table.toml"


@dataclass(frozen=True)
class _Look:
    """A frame, and what was read in it."""

    frame: Frame
    sighting: Sighting


News = DeviceEvent | _Look | None
"""What comes into the inbox; None is the end of a camera's source."""


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


class Table:
    """One match at one table. Build it, `run` it once, and it closes what it was given."""

    def __init__(self, config: Config, parts: Parts, inbox: Inbox[News], view: View) -> None:
        setting = load_setting(config.rules, config.options, seats=config.seats, players=config.players)
        self._referee = Referee(begin(setting, to_play=config.to_play))
        self._board: Board = setting.board
        self._config, self._parts, self._inbox, self._view = config, parts, inbox, view
        self._clock = parts.clock
        self._stopping = threading.Event()
        self._eyes = LiveReader(parts.profile)
        self._last_frame: Frame | None = None
        self._agreed_frame: Frame | None = None
        self._last_ruling: TimedRuling | None = None
        self._screen: Screen = page(self._referee, None)
        self._oled = draw(self._screen)
        self._evidence: list[Path] = []
        self._rulings = 0
        self._open_record(parts.profile)

    def _open_record(self, profile: TableProfile) -> None:
        config = self._config
        self._store = MatchStore(config.record)
        self._match_id = self._store.begin_match(
            begun=datetime.now(UTC).isoformat(timespec="seconds"),
            rules=config.rules,
            options=config.options,
            seats=self._board.seats,
            players=config.players,
            recording="",
        )
        self._folder = config.record / f"{self._match_id:04d}"
        self._recording = RecordingWriter(
            self._folder / "recording",
            RecordingSettings(
                rules=config.rules,
                options=config.options,
                players=config.players,
                seats=self._board.seats,
                dice="tower",
                to_play=config.to_play,
                table=Path(PROFILE_FILE),
            ),
        )
        profile.save(self._recording.folder / PROFILE_FILE)

    # ------------------------------------------------------------------ what comes in

    def run(self) -> Outcome:
        """Referee until the match is over, the camera's source ends, or somebody interrupts."""
        parts = self._parts
        watching = threading.Thread(target=self._watch, name="watching", daemon=True)
        self._inbox.open(self._clock, patient=parts.camera.waits)
        try:
            parts.tower.listen(self._inbox.post)
            parts.buttons.listen(self._inbox.post)
            watching.start()
            self._loop()
        finally:
            self._stopping.set()
            self._inbox.close()
            watching.join(timeout=LEAVE_S)
            parts.close()
            self._view.close()
            outcome = self._close_record()
        return outcome

    def _watch(self) -> None:
        """The camera's thread: read each frame and post what was seen."""
        camera, is_lost = self._parts.camera, False
        while not self._stopping.is_set():
            try:
                frame = camera.read()
            except DeviceError as error:
                if not is_lost:
                    self._inbox.post(Lost("camera", str(error)))
                is_lost = True
                self._stopping.wait(CAMERA_RETRY_S)
                continue
            if is_lost:
                is_lost = False
                self._inbox.post(Back("camera"))
            if frame is None:
                self._inbox.post(None)
                return
            self._inbox.post(_Look(frame, self._eyes.see(frame.image)), frame.t)

    def _loop(self) -> None:
        over_at: float | None = None
        while over_at is None or self._clock.now() < over_at + AFTERGLOW_S:
            due = self._referee.deadline if over_at is None else over_at + AFTERGLOW_S
            letter = self._inbox.take(self._clock.wait_s(due) if due is not None else None)
            if letter is None:
                self._handle(Due(round(self._clock.now(), 3)), None)
                continue
            try:
                if letter.content is None:
                    return
                self._deal_with(letter.t, letter.content)
            finally:
                letter.dealt_with.set()
            if self._referee.match.awaiting is Awaiting.OVER and over_at is None:
                over_at = letter.t

    def _deal_with(self, t: float, news: DeviceEvent | _Look) -> None:
        if isinstance(news, _Look):
            self._handle(Seen(t, news.sighting), news.frame)
        else:
            self._handle(_event(t, news), None)

    # ------------------------------------------------------------------ what goes out

    def _handle(self, event: Event, frame: Frame | None) -> None:
        """Record the event, ask the referee, record what it rules, and only then tell anybody."""
        match = self._referee.match
        line = event_to_json(event, self._board)
        if line is not None:
            # What is judged is what was recorded, to the last digit: so a replay rules the same.
            event = event_from_json(line, self._board, match.position)
        self._last_frame = frame or self._last_frame
        response = self._referee.handle(event)
        self._referee = response.referee
        if line is not None:
            if self._last_frame is not None and _keeps_frame(response.rulings):
                line["picture"] = self._keep_frame(self._last_frame)
            self._recording.write(line, sync=not isinstance(event, Seen))
        lines = [ruling_line(timed, self._board) for timed in response.rulings]
        throws = _throws(event, match)
        if lines or throws:
            numbers = self._store.append(self._match_id, lines, throws)
            self._keep_evidence(response.rulings, numbers)
        if frame is not None and self._referee.agrees:
            self._agreed_frame = frame
        self._tell(response.rulings, lines)

    def _tell(self, rulings: Sequence[TimedRuling], lines: list[dict[str, Any]]) -> None:
        parts, referee = self._parts, self._referee
        self._rulings += len(rulings)
        for timed, line in zip(rulings, lines, strict=True):
            if line["say"]:
                parts.voice.say(line["say"], urgent=timed.ruling.kind in DISPUTED)
            self._last_ruling = timed
        screen = page(referee, self._last_ruling)
        if screen != self._screen:
            self._screen, self._oled = screen, draw(screen)
            parts.display.show(self._oled)
        parts.tower.show(readout(referee))
        parts.buttons.light(_lamps(referee))
        picture = self._last_frame.image if self._last_frame is not None else None
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
        return f"{minutes}:{seconds:02d} at the table · {self._rulings} rulings · match {self._match_id}"

    # ------------------------------------------------------------------ the record

    def _keep_frame(self, frame: Frame) -> str:
        path = self._recording.picture_path(f"{frame.t:09.3f}.jpg")
        if not path.exists():
            save_picture(path, frame.image)
        return f"frames/{path.name}"

    def _keep_evidence(self, rulings: Sequence[TimedRuling], numbers: list[int]) -> None:
        """Pictures behind a disputed ruling: the last board that was right, this one, and the difference."""
        for timed, number in zip(rulings, numbers, strict=True):
            ruling = timed.ruling
            if not isinstance(ruling, Ruling) or ruling.kind not in DISPUTED or self._last_frame is None:
                continue
            moves = [(move.seat, move.start, move.end) for move in ruling.moves]
            pictures = {
                "after": self._last_frame.image,
                "marked": mark_moves(self._last_frame.image, self._parts.profile, moves),
            }
            if self._agreed_frame is not None:
                pictures["before"] = self._agreed_frame.image
            names = {}
            for what, picture in pictures.items():
                path = self._folder / "evidence" / f"{number:06d}-{ruling.kind.value}-{what}.jpg"
                path.parent.mkdir(exist_ok=True)
                save_picture(path, picture)
                self._evidence.append(path)
                names[what] = str(path.relative_to(self._config.record))
            self._store.add_evidence(number, names)

    def _close_record(self) -> Outcome:
        match = self._referee.match
        winner = tuple(self._board.seats[seat] for seat in match.winner)
        if match.awaiting is Awaiting.OVER:
            self._store.end_match(self._match_id, t=self._clock.now(), winner=winner, honours=match.honours)
        self._recording.close()
        self._store.close()
        return Outcome(
            winner,
            match.honours,
            self._match_id,
            self._store.path,
            self._recording.folder,
            tuple(self._evidence),
            self._rulings,
        )


def _event(t: float, news: DeviceEvent) -> Event:
    """What a device's news means to the referee."""
    match news:
        case Thrown(dice):
            return ThrowMade(t, dice, "tower")
        case Cocked():
            return DiceFault(t, "cocked")
        case Dropped():
            return DiceFault(t, "dropped")
        case Pressed(name) if name in BUTTONS:
            return ButtonPressed(t, name)
        case Pressed(name):
            return CallMade(t, Call(name))
        case Lost(name):
            return DeviceChanged(t, name, "lost")
        case Back(name):
            return DeviceChanged(t, name, "back")


def _keeps_frame(rulings: Sequence[TimedRuling]) -> bool:
    return any(timed.ruling.kind in KEPT for timed in rulings)


def _throws(event: Event, match: Match) -> list[RecordedThrow]:
    """The throw that an event is, for the record; whose it was is as before it was judged."""
    side = match.board.seats[match.to_play]
    match event:
        case ThrowMade(t, dice, source):
            return [RecordedThrow(t, side, dice, "good", source)]
        case DiceFault(t, kind):
            return [RecordedThrow(t, side, (), kind, "tower")]
        case _:
            return []


def _lamps(referee: Referee) -> frozenset[str]:
    """The buttons that mean something now."""
    match = referee.match
    lamps = {"timber_shifting"}
    if match.awaiting is Awaiting.PLAY:
        lamps.add("done")
    if match.challengers:
        lamps.add("challenge")
    if referee.asked is not None or referee.is_out_of_step:
        lamps |= {"accept", "done"}
    if referee.history:
        lamps.add("undo")
    return frozenset(lamps)


def run_table(config: Config, *, out: TextIO) -> int:
    """Referee the table that a configuration describes, and say where everything is. The exit status."""
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
    return 0


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

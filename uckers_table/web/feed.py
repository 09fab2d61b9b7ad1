"""What the page shows, and how it gets there without the table noticing that anybody watches.

The table puts together a `Snapshot` whenever something that it shows has changed and publishes it; that
stores it and wakes the server, which takes the newest when it comes to it. Who watches slowly sees fewer
snapshots, never older ones. Nothing here knows the referee: words come from the table ready to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock
from typing import Protocol

from uckers_table.game.board import Board
from uckers_table.game.events import Call
from uckers_table.game.options import Value
from uckers_table.game.position import Position
from uckers_table.game.ruling import Move
from uckers_table.game.turn import Piece
from uckers_table.machine.health import Health
from uckers_table.machine.messages import Reminder
from uckers_table.sighting import Sighting
from uckers_table.web.commands import PicturePoint

USUAL = Board()
"""The board of a table of which nothing is known yet."""


PICTURES_SHOWN = ("plain", "marked", "tray", "tray-read")
"""The board as the camera sees it, the same with what is read drawn on it; the tower's tray, and as it was
when a test throw was read in it."""


class TableState(StrEnum):
    """What the table is at."""

    IDLE = "idle"
    """No match; the one before may still be shown."""
    PLAYING = "playing"
    OVER = "over"
    """The match has its result, which stays to be looked at until the next."""


@dataclass(frozen=True)
class Choice:
    """One of several things that are asked about: the number to press, and what it means in words."""

    number: int
    words: str


@dataclass(frozen=True)
class OpenCall:
    """A call that can be made now, and its words: "suckback 3 from green's mouth".

    `is_forced` if the side to play must make it, or another that is.
    """

    call: Call
    words: str
    is_forced: bool = False


@dataclass(frozen=True)
class TakeBackLine:
    """What can be taken back: its number, and its words after "Take back:", as in "green's 6 and 4".

    `stays` is a sentence on the throws that count on; mostly it is empty.
    """

    number: int
    words: str
    stays: str = ""


@dataclass(frozen=True)
class RulingLine:
    """A ruling as it fell. `number` counts the match's rulings from 1, `t` is seconds since it began.

    `side` is a colour or empty, `say` the whole sentence whatever the loudness, `evidence` names the pictures
    that are kept of it ("before", "after", "marked").
    """

    number: int
    t: float
    ruling: str
    say: str
    side: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class OpenAccusation:
    """What somebody is accused of, while it is to be put right: the `ruling`'s number, what was moved, and
    the dice. `legal`: where those took the pieces by the rules; None where that is not asked.
    """

    ruling: int
    moves: tuple[Move, ...]
    throw: tuple[int, ...] = ()
    legal: tuple[Piece, ...] | None = None


@dataclass(frozen=True)
class SpokenLine:
    """A sentence that the voice has said. `number` counts what it has said in the match, from 1.

    An urgent one takes the place of what is being said, and of what waits to be said.
    """

    number: int
    say: str
    is_urgent: bool = False


@dataclass(frozen=True)
class DeviceLine:
    """A device: its name, its state in a word or two ("works", "lost", "none"), whether that is as it should
    be, and what to try where it is not.
    """

    name: str
    state: str
    is_well: bool
    what_to_try: str = ""


@dataclass(frozen=True)
class CardLine:
    """A line of the first card: what is so of one part of the table, and whether that is as it should be.

    `to_try` is what to press or try where it is not. `where` is the page's address at which that is done.
    `is_pressed_here` is set where it can be tried by a button beside the line.
    """

    part: str
    words: str
    is_well: bool = True
    to_try: str = ""
    where: str = ""
    is_pressed_here: bool = False


@dataclass(frozen=True)
class TableSettings:
    """What the page can set, by the configuration's keys, as it is now.

    `own` are the keys that the page has set, `waiting` those that count from the next start on. `cameras` and
    `cards` are the USB cameras and sound cards that are plugged in. `trouble` is why what the page has set
    does not count, `fixed` why nothing can be set here.
    """

    values: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    own: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    cameras: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    trouble: str = ""
    fixed: str = ""


@dataclass(frozen=True)
class TryingOut:
    """What is being tried out from the page.

    Buttons: `presses` while each is asked for; `pressed` are those that have come, `missing` the others.
    `lamps` is "all" or "each" while they are lit, `lit` the one that is lit alone.
    The tower, while it is `looked_at`: `reader` is "tray" or "array", `beams` and `lamp` in words, `readout`
    the text that it should show. While it `waits` for dice, and after: `thrown` is what was read, in words,
    `dice` its values; `picture` is the number of its picture of the tray, 0 without one. `learnt` is the card
    that an array has learnt last. `tray` is the number of the newest picture of the tray, 0 without one.
    `display` is set while it shows its test page. `line` is what came of the last thing that was asked.
    """

    presses: bool = False
    pressed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    lamps: str = ""
    lit: str = ""
    looked_at: bool = False
    reader: str = ""
    beams: tuple[str, ...] = ()
    lamp: str = ""
    readout: str = ""
    waits: bool = False
    dice: tuple[int, ...] = ()
    thrown: str = ""
    picture: int = 0
    learnt: str = ""
    tray: int = 0
    display: bool = False
    line: str = ""


@dataclass(frozen=True)
class FindingLine:
    """What an examination found of one device: "good", "doubtful", "bad" or "unused", and what to try."""

    device: str
    state: str
    what: str
    to_try: str = ""


@dataclass(frozen=True)
class LastSeen:
    """What the camera's last frame was read as, and how many pieces that makes of how many there are.

    `strange_in`: the colour in whose base three of its pieces stand and one of an unknown colour; empty
    without.
    """

    sighting: Sighting
    found: int
    of: int = 16
    strange_in: str = ""


@dataclass(frozen=True)
class CalibrationProgress:
    """How far a calibration has got. `size` is (width, height) of the picture that `corners` lie in.

    `taken` names the pictures that are there. `quality` says in words how good it is, a line each; `trouble`
    what is wrong with which picture, empty where nothing is. `is_acceptable` once it may be accepted.
    `may_be_top_left`: the colours that people are asked about, where the pictures do not tell whose base is
    at their top left; empty otherwise. `may_count_as`: the colours as one of which a piece may count that has
    the paint of none; empty where there is none.
    """

    size: tuple[int, int]
    taken: tuple[str, ...] = ()
    corners: tuple[PicturePoint, ...] = ()
    quality: tuple[str, ...] = ()
    trouble: str = ""
    is_acceptable: bool = False
    may_be_top_left: tuple[str, ...] = ()
    may_count_as: tuple[str, ...] = ()


@dataclass(frozen=True)
class Snapshot:
    """All that the page shows of this moment. What is empty is not shown.

    The match: `match` is its number in the record. `options` are what of `rules` is played otherwise, and
    `differs` says it in words. `names` are players by colour. `dice_from` is as the configuration has it
    ("tower", …).
    The play: `to_play` is a seat. `awaiting` is as in a ruling's line. `throw` has the dice in hand. `owed`
    is what is still to be thrown, in words, and `extra` how many throws. `plays` are the boards that may
    follow.
    `accused` is what is to be put right, if somebody is accused.
    What it says: `screen` is the display's page, line by line; `question` what waits for an answer, whole;
    `choices` the numbers that answer it. `ways_out` has, out of step, what `done` does and what players can
    put right instead. `lit` are the lamps: buttons that mean something now.
    `moment` names what the match is at: another once anything was thrown, moved, ruled or asked. A command
    that is given for one moment is not carried out in another.
    `take_back` is what can be taken back: the last ruling, and the last throw if it was read after it.
    `asks_back` is the number of the one that people are being asked about. `put_back` is what was taken back
    last, in words.
    `backup` is how the last one that was asked for here has ended.
    `reminders` are what people must know and nobody has seen yet; `commands.Dismiss` answers them.
    `leaving` is what people should know while the table ends: when the plug may be pulled.
    `card` is the first card, a line for each part of the table; `trying_out` is what is being tried out.
    `settings` are what the page can set of the table. `findings` are those of the last examination.
    `frame` is the number of the frame that `seen` was read from, and that the picture shows.
    """

    state: TableState
    match: int | None = None
    rules: str = ""
    options: Mapping[str, Value] = field(default_factory=dict)
    differs: tuple[str, ...] = ()
    players: int = 4
    board: Board = USUAL
    names: Mapping[str, str] = field(default_factory=dict)
    loudness: str = ""
    dice_from: str = ""
    moment: str = ""
    position: Position = ()
    to_play: int | None = None
    awaiting: str = ""
    throw: tuple[int, ...] = ()
    dice_wanted: int = 2
    owed: str = ""
    extra: int = 0
    plays: tuple[Position, ...] = ()
    calls: tuple[OpenCall, ...] = ()
    accused: OpenAccusation | None = None
    screen: tuple[str, ...] = ()
    question: str = ""
    choices: tuple[Choice, ...] = ()
    is_asking: bool = False
    is_out_of_step: bool = False
    ways_out: tuple[str, ...] = ()
    lit: frozenset[str] = frozenset()
    take_back: tuple[TakeBackLine, ...] = ()
    asks_back: int | None = None
    put_back: str = ""
    rulings: tuple[RulingLine, ...] = ()
    """The last thirty or so, oldest first."""
    spoken: tuple[SpokenLine, ...] = ()
    """The last few that the voice has said in the match, at this table's loudness, oldest first."""
    winner: tuple[str, ...] = ()
    honours: tuple[str, ...] = ()
    devices: tuple[DeviceLine, ...] = ()
    card: tuple[CardLine, ...] = ()
    trying_out: TryingOut = field(default_factory=TryingOut)
    settings: TableSettings = field(default_factory=TableSettings)
    findings: tuple[FindingLine, ...] = ()
    health: Health = field(default_factory=Health)
    frame: int = 0
    seen: LastSeen | None = None
    calibration: CalibrationProgress | None = None
    backup: str = ""
    reminders: tuple[Reminder, ...] = ()
    leaving: str = ""


class Shot(Protocol):
    """A frame of the camera, not yet a picture that a browser shows."""

    @property
    def number(self) -> int:
        """Tells frames apart: a later one has a higher number."""

    def jpeg(self, *, marked: bool) -> bytes:
        """The picture, `marked` with what was read drawn on it; called from the server's threads."""


@dataclass(frozen=True)
class LivePicture:
    """A frame as a browser shows it."""

    number: int
    jpeg: bytes


class Feed:
    """The newest snapshot and picture, from the table's thread to the server's. For any thread."""

    def __init__(self, shot: Callable[[], Shot | None] = lambda: None) -> None:
        self._shots: dict[str, Callable[[], Shot | None]] = {}
        self.show_by(shot)
        self._latest = Snapshot(TableState.IDLE)
        self._wake: Callable[[], None] | None = None
        self._is_woken = False
        self._making = {kind: Lock() for kind in PICTURES_SHOWN}
        self._pictures: dict[str, LivePicture] = {}

    def show_by(self, shot: Callable[[], Shot | None]) -> None:
        """What gives the newest frame at once, None where there is none.

        It is asked, and the picture made, only when somebody looks at it, and once however many look.
        """
        self._shots |= {"plain": shot, "marked": shot}

    def show_tray_by(self, newest: Callable[[], Shot | None], read: Callable[[], Shot | None]) -> None:
        """What gives the newest picture of the tower's tray, and the one in which a test throw was read."""
        self._shots |= {"tray": newest, "tray-read": read}

    def publish(self, snapshot: Snapshot) -> None:
        """Show this from now on. Takes microseconds, whoever watches, and never raises or waits."""
        self._latest = snapshot
        if self._wake is not None and not self._is_woken:
            self._is_woken = True
            self._wake()

    def wake_by(self, wake: Callable[[], None] | None) -> None:
        """What to call, from the table's thread, once something is newer than was taken; None for nothing."""
        self._wake = wake

    def latest(self) -> Snapshot:
        """The newest snapshot; the one after it wakes again."""
        self._is_woken = False
        return self._latest

    def picture(self, *, marked: bool) -> LivePicture | None:
        """The newest frame as a picture, and what is seen in it if `marked`; None without a camera.

        Blocks while it is made.
        """
        return self.picture_of("marked" if marked else "plain")

    def picture_of(self, kind: str) -> LivePicture | None:
        """The newest of a kind of PICTURES_SHOWN; None where no camera gives it. Blocks while it is made."""
        with self._making[kind]:
            shot = self._shots.get(kind, lambda: None)()
            if shot is None:
                return None
            made = self._pictures.get(kind)
            if made is None or made.number != shot.number:
                made = self._pictures[kind] = LivePicture(shot.number, shot.jpeg(marked=kind == "marked"))
            return made

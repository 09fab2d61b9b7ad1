"""What people can ask of the table from the page: plain values, and the desk that takes them.

The page checks only that a command is one: whether it makes sense now is for whoever is behind the desk to
say. The table's `do` posts the command into its inbox and waits a little for what comes of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Protocol

from uckers_table.announce.loudness import Loudness
from uckers_table.game.board import COLOURS
from uckers_table.game.events import Call
from uckers_table.game.options import Value
from uckers_table.game.position import Position

PicturePoint = tuple[float, float]
"""(x, y) in pixels of the camera's picture."""

PICTURES = ("empty", "start")
"""The two pictures that a table is learned from: the bare board, and all pieces in their bases."""

PRESS_S = 5.0
"""How old a press may be when the table comes to it, in seconds.

A table answers sooner: with a hundred watching, the slowest of 320 answers took 0.05 s (`python
bench/watchers.py`). What is older was held up on its way, by a phone that slept or a line that broke,
and whoever pressed has looked again meanwhile.
"""
DROPPED = "Your press took too long and was dropped: press again."

CHOICES: Mapping[str, tuple[str | int | bool, ...]] = {
    "camera": ("picamera2", "webcam", "none"),
    "mains_hz": (50, 60),
    "dice": ("tower", "camera", "both", "buttons"),
    "tower": ("serial", "none"),
    "tower_cocked": ("again", "fault"),
    "buttons": ("gpio", "none"),
    "display": ("ssd1309", "sh1106", "ssd1306", "none"),
    "voice": ("awb", "flite", "espeak", "silent"),
    "sound_stays_open": (False, True),
}
"""The configuration's keys that the page sets to one of some values, and those."""
NUMBERS: Mapping[str, tuple[float, float]] = {"volume": (0, 100), "tray_px_mm": (0.5, 50.0)}
"""Those that it sets to a number, and its bounds."""
DEVICE_NAMES = ("camera_source", "tray_camera", "sound_card")
"""Those that it sets to the name of a device that is plugged in; empty for the first, or for none."""

USUAL_DIE_MM, DIE_EDGES_MM = 16.0, (8.0, 30.0)
"""The edge of the table's dice, and the least and the most that anybody's have, in mm."""

TRIALS: Mapping[str, tuple[str, ...]] = {
    "buttons": ("press", "lamps", "each"),
    "tower": ("look", "drop", "white", "black"),
    "tray": ("lock", "scale"),
    "display": ("page",),
    "all": ("stay", "end"),
}
"""What can be tried out, by device: each button pressed, all lamps lit or one after the other; what the
tower's beams say, dice dropped into it, the card that its array is to learn; the tray's camera locked, and
its scale measured by two dice; a test page. "all" of it can stay on for some seconds more, or end."""

PARTS = ("match", "camera", "tower", "buttons", "display", "voice")
"""What a table may start without, where its last starts failed at it: the match that was on, and devices."""


@dataclass(frozen=True)
class StartMatch:
    """Begin a match, as the configuration's keys of the same names describe one.

    `rules` is the name of a set as `uckers-table rules` lists it, `options` what differs from it, switches
    such as `var_a` and what is unusual about the board among them. `names` are the players' by colour;
    colours may be left out. `to_play` is the colour that starts, None to throw for it.
    """

    rules: str
    options: Mapping[str, Value] = field(default_factory=dict)
    players: int = 4
    seats: tuple[str, ...] = COLOURS
    names: Mapping[str, str] = field(default_factory=dict)
    loudness: Loudness = Loudness.CALLS
    to_play: str | None = None


@dataclass(frozen=True)
class KeepRules:
    """Keep rules by a name, given as for a match. Others of that name are replaced only if `replaces`."""

    name: str
    rules: str
    options: Mapping[str, Value] = field(default_factory=dict)
    replaces: bool = False


@dataclass(frozen=True)
class TakeRulesAway:
    """Keep the rules of that name no longer."""

    name: str


@dataclass(frozen=True)
class LeaveMatch:
    """End the match without a result; it stays in the record."""


@dataclass(frozen=True)
class EnterThrow:
    """Good dice, read by whoever enters them."""

    dice: tuple[int, ...]


@dataclass(frozen=True)
class EnterFault:
    """Dice "cocked" or "dropped"; `deliberate` where players judge so."""

    kind: str
    deliberate: bool = False


@dataclass(frozen=True)
class EnterPlay:
    """A whole play, at a table that nothing watches: one of the snapshot's `plays`, as the board after it."""

    position: Position


@dataclass(frozen=True)
class Press:
    """A button, by the name that the box has for it ("done", "undo", "accept", "timber_shifting", …), one of
    "trust_board" and "call", or the number of a choice, "1" to "6".
    """

    button: str


@dataclass(frozen=True)
class AskBack:
    """Somebody is about to take back what the snapshot's `take_back` has under this number: the display asks
    too. None if he leaves it.
    """

    number: int | None


@dataclass(frozen=True)
class TakeBack:
    """Take back what the snapshot's `take_back` has under this number, and nothing else."""

    number: int


@dataclass(frozen=True)
class PutBack:
    """Put back what was taken back last: the snapshot's `put_back`."""


@dataclass(frozen=True)
class MakeCall:
    """A call: what the snapshot's `calls` offer, or an upboard."""

    call: Call


@dataclass(frozen=True)
class Correct:
    """The pieces stand like this, whatever was read."""

    position: Position


@dataclass(frozen=True)
class SetLoudness:
    """How much is said from now on."""

    level: Loudness


@dataclass(frozen=True)
class TestSound:
    """Say a sentence aloud."""

    __test__ = False


@dataclass(frozen=True)
class Choose:
    """Set keys of the configuration, as CHOICES, NUMBERS and DEVICE_NAMES have them, from now on."""

    values: Mapping[str, str | int | float | bool]


@dataclass(frozen=True)
class AsConfigured:
    """Forget all that the page has set: the configuration alone counts, from the next start on."""


@dataclass(frozen=True)
class StartAnew:
    """End the program in good order and start it again; a match that is on goes on."""


@dataclass(frozen=True)
class Examine:
    """Examine the machine and every device as far as that can be done while the table runs."""


@dataclass(frozen=True)
class SoundHeard:
    """Somebody has listened for the sentence: whether it was heard."""

    is_heard: bool


@dataclass(frozen=True)
class TryOut:
    """Try something out, as `TRIALS` has it. It ends some seconds after the last of these: a page repeats
    "stay" for as long as it is looked at. `die_mm` is the edge of the dice that the tray's scale is measured
    by.
    """

    device: str
    deed: str
    die_mm: float = USUAL_DIE_MM


@dataclass(frozen=True)
class TakePicture:
    """For calibration: keep the camera's picture as one of `PICTURES`, and look for the board in it.

    `seats` are the board's colours, clockwise; none for those that it had. What comes of it shows in the
    snapshot's `calibration`.
    """

    what: str
    seats: tuple[str, ...] = ()


@dataclass(frozen=True)
class SetCorners:
    """For calibration: the board's corners are here, clockwise from the picture's top left; None to look for
    them again.
    """

    corners: tuple[PicturePoint, PicturePoint, PicturePoint, PicturePoint] | None


@dataclass(frozen=True)
class SetTopLeft:
    """For calibration: the base of this colour is at the picture's top left, whatever the paint tells."""

    colour: str


@dataclass(frozen=True)
class CountAs:
    """For calibration: the piece that was asked about counts as one of this colour, whatever its paint."""

    colour: str


@dataclass(frozen=True)
class LearnPaint:
    """The piece in the base of one colour that has an unknown paint counts as one of a `colour`."""

    base: str
    colour: str


@dataclass(frozen=True)
class AcceptCalibration:
    """Read the board by what the two pictures show, from now on."""


@dataclass(frozen=True)
class SetClock:
    """What a phone's clock says: seconds since 1970, UTC."""

    unix_s: float


@dataclass(frozen=True)
class Backup:
    """Copy the whole record to the stick that is plugged in."""


@dataclass(frozen=True)
class Dismiss:
    """Somebody has seen the reminder with this number."""

    number: int


@dataclass(frozen=True)
class TryAgain:
    """Try one of PARTS again, which the table started without."""

    part: str


@dataclass(frozen=True)
class SwitchOff:
    """Switch the table off in good order, as the button that is held does."""


SettingUp = SoundHeard | TryOut | Choose | AsConfigured | Examine
"""What the page does with devices beside calibration."""

Shelving = KeepRules | TakeRulesAway
"""What the page does with a mess's own rules."""

Command = (
    StartMatch
    | Shelving
    | LeaveMatch
    | EnterThrow
    | EnterFault
    | EnterPlay
    | Press
    | AskBack
    | TakeBack
    | PutBack
    | MakeCall
    | Correct
    | SetLoudness
    | TestSound
    | SettingUp
    | StartAnew
    | TakePicture
    | SetCorners
    | SetTopLeft
    | CountAs
    | LearnPaint
    | AcceptCalibration
    | SetClock
    | Backup
    | Dismiss
    | TryAgain
    | SwitchOff
)


@dataclass(frozen=True)
class Answer:
    """What became of a command. `line` is one for people: why it was not done, or what there is to know."""

    is_done: bool
    line: str = ""


class Desk(Protocol):
    """Where commands are handed in."""

    def do(self, command: Command, *, of: str = "", within_s: float = inf) -> Answer:
        """Have a command carried out, and say what became of it; blocks for a few seconds at most.

        `of` is the snapshot's `moment` that it was given for, empty for any: where the match has gone on
        since, it is not done. Nor is it where the table does not come to it `within_s` seconds.

        Called from any of several threads. Never raises for what people ask: a command that makes no sense
        (InputError in the table) is an answer that is not done.
        """

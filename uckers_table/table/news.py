"""What comes into the table's inbox, what of it the referee hears, and which buttons mean something now."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from math import inf
from threading import Event as Signal

from uckers_table.devices.base import (
    Back,
    Cocked,
    DeviceEvent,
    Dropped,
    Frame,
    Lost,
    Pressed,
    ThrowRead,
)
from uckers_table.devices.pins import DICE_BUTTON, NUMBERED
from uckers_table.errors import InputError, UckersTableError
from uckers_table.game.events import CALLS, Awaiting, Call
from uckers_table.game.open_calls import numbered, open_calls
from uckers_table.keeping.rebuilding import Rebuilt
from uckers_table.machine.health import Health
from uckers_table.machine.messages import Message
from uckers_table.machine.progress import Progress
from uckers_table.referee.events import (
    BUTTONS,
    ButtonPressed,
    CallMade,
    DeviceChanged,
    DiceFault,
    Event,
    ThrowMade,
)
from uckers_table.referee.referee import Referee
from uckers_table.referee.taking_back import at_stake
from uckers_table.sighting import Sighting
from uckers_table.table.left_out import TriedAgain
from uckers_table.web.commands import Answer, Command
from uckers_table.web.feed import CalibrationProgress, FindingLine


@dataclass(frozen=True)
class ReadFrame:
    """A frame, and what was read in it; None where the table was never shown to the camera."""

    frame: Frame
    sighting: Sighting | None


@dataclass(frozen=True)
class Asked:
    """Something that people ask for from the page, and where they wait for the answer.

    `of` is the match's `moment` that they ask it for, empty for any. After `until`, by `time.monotonic`, it
    is too late.
    """

    command: Command
    of: str = ""
    until: float = inf
    answer: Future[Answer] = field(default_factory=Future)
    taken: Signal = field(default_factory=Signal)
    """Set once it is done, whatever the card takes to keep it."""


@dataclass(frozen=True)
class Steady:
    """The table has run long enough to say that its start went well."""


@dataclass(frozen=True)
class Written:
    """The card has more of what people wait to hear."""


@dataclass(frozen=True)
class Served:
    """The page is served from now on, or else `why` it is not yet."""

    why: str = ""


@dataclass(frozen=True)
class Ticked:
    """Some time has passed while something is tried out from the page."""


@dataclass(frozen=True)
class TrayLocked:
    """What came of locking the tray's camera: what it is locked at, or `why` it is not."""

    settings: Mapping[str, float]
    why: str = ""


@dataclass(frozen=True)
class TrayMeasured:
    """What came of measuring the tray's scale: pixels to a millimetre, or `why` it is not known."""

    px_mm: float = 0.0
    why: str = ""


@dataclass(frozen=True)
class Reopened:
    """A device has been opened anew. `is_well` is false where one stands in for it that looks for it."""

    name: str
    is_well: bool


@dataclass(frozen=True)
class Examined:
    """What an examination from the page has found."""

    findings: tuple[FindingLine, ...]


BenchNews = Ticked | TrayLocked | TrayMeasured | Reopened | Examined
"""What comes of what the page does with devices."""

LoopNews = (
    DeviceEvent
    | ReadFrame
    | Asked
    | Health
    | CalibrationProgress
    | Message
    | Progress
    | Rebuilt
    | Steady
    | Written
    | Served
    | TriedAgain
    | BenchNews
    | UckersTableError
)
"""What the loop deals with. Of a copy to a stick, progress is how far it has got and a message how it ended.
An error is the end of the watch.
"""
News = LoopNews | None
"""What comes into the inbox; None is the end of a camera's source."""


def event_of(
    t: float, news: ThrowRead | Cocked | Dropped | Pressed | Lost | Back, *, asks_number: bool = False
) -> Event:
    """What a device's news means to the referee; InputError for a button that means nothing.

    While a number is asked, six of the buttons are numbers.
    """
    match news:
        case Pressed(name) if asks_number and name in NUMBERED:
            return ButtonPressed(t, str(NUMBERED.index(name) + 1))
        case ThrowRead(dice, told):
            return ThrowMade(t, dice, "tower", told)
        case Cocked(told):
            return DiceFault(t, "cocked", told=told)
        case Dropped(told):
            return DiceFault(t, "dropped", told=told)
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


def lit_buttons(referee: Referee) -> frozenset[str]:
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
    if referee.waits_for_done:
        lamps |= {"accept", "done"}
    if at_stake(referee) is not None:
        lamps.add("undo")
    return frozenset(lamps)

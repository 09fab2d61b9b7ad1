"""What comes in: everything that reaches the referee is one of these, with the time it happened.

Times are seconds since the start of the recording and never decrease. Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from uckers_table.errors import RulesError
from uckers_table.game.board import CORNER, Board
from uckers_table.game.events import CALLS, Call
from uckers_table.game.position import Position, by_colour, position_from
from uckers_table.sighting import Sighting

FAULTS = ("cocked", "dropped")
NO_THROWS = ("cocked", "jam", "lift", "crowd", "hand")
"""Why dice that lie in the tower are no throw, and nobody's fault."""
DICE_SOURCES = ("tower", "camera", "both", "buttons")
"""Who reads the dice. `both` means tower and camera."""
NUMBERS = ("1", "2", "3", "4", "5", "6")
BUTTONS = (
    *("done", "undo", "undo_throw", "redo", "timber_shifting", "trust_board", "accept", "call"),
    *NUMBERS,
)
"""`undo` takes back the last ruling, and `undo_throw` the last throw though it was read. `redo` gives back
what was taken back last. `call` is for whatever can be called before the throw. A number answers which of
several calls is meant."""
MOST_TIMES = 10**7
"""So many sightings are told together at most: weeks of a camera's frames."""
FURTHEST_S = 10.0
"""They are no further apart (seconds): a camera that gives nothing for so long is said to be silent."""
DEVICE_STATES = ("lost", "back", "none")
"""`none` is said once, at the beginning, of a device that the table does without."""


@dataclass(frozen=True)
class ThrowMade:
    """Good dice, as read by `source`: tower, buttons or camera.

    `told` is the source's name for this throw. A source names its throws if it may tell one again after its
    cable or the program was gone. A throw of the same name is taken once.
    """

    t: float
    dice: tuple[int, ...]
    source: str = "tower"
    told: str = ""


@dataclass(frozen=True)
class DiceFault:
    """Dice 'cocked' or 'dropped', as told by `source`.

    `deliberate`: players judge that the drop was no accident. `told` as in `ThrowMade`.
    """

    t: float
    kind: str
    source: str = "tower"
    deliberate: bool = False
    told: str = ""


@dataclass(frozen=True)
class ThrowVoid:
    """The tower says that what lies in it is no throw. `why` is one of NO_THROWS."""

    t: float
    why: str


@dataclass(frozen=True)
class CallMade:
    """A player declared something. A call without a piece means the piece that can make it."""

    t: float
    call: Call


@dataclass(frozen=True)
class ButtonPressed:
    """A button was pressed: one of BUTTONS."""

    t: float
    name: str


@dataclass(frozen=True)
class Seen:
    """The camera's frame, read. With `times`: so many that were read the same, evenly spread from `t` until
    `until` (seconds).
    """

    t: float
    sighting: Sighting
    times: int = 1
    until: float | None = None

    @property
    def last(self) -> float:
        """When the last of them was taken (seconds)."""
        return self.t if self.until is None else self.until

    @property
    def every_s(self) -> float:
        """How far they are apart (seconds)."""
        return (self.last - self.t) / (self.times - 1) if self.times > 1 else 0.0

    @property
    def moments(self) -> Iterator[float]:
        """When each of them was taken (seconds)."""
        every_s = self.every_s
        for number in range(self.times - 1):
            yield round(self.t + number * every_s, 3)
        yield self.last


@dataclass(frozen=True)
class DeviceChanged:
    """A device was lost, is back, or never was there: one of DEVICE_STATES."""

    t: float
    name: str
    state: str


@dataclass(frozen=True)
class Correction:
    """A person says where the pieces stand."""

    t: float
    position: Position


@dataclass(frozen=True)
class Played:
    """A person tells the play that was made: the board after it."""

    t: float
    position: Position


@dataclass(frozen=True)
class Due:
    """The time has come at which the referee asked to be called."""

    t: float


@dataclass(frozen=True)
class Resumed:
    """The match goes on after a time in which nobody watched. `dice_from` says who reads the dice now."""

    t: float
    dice_from: str


DiceEvent = ThrowMade | DiceFault
DiceOrCall = DiceEvent | CallMade
Event = (
    ThrowMade
    | DiceFault
    | ThrowVoid
    | CallMade
    | ButtonPressed
    | Seen
    | DeviceChanged
    | Correction
    | Played
    | Due
    | Resumed
)


def event_to_json(event: Event, board: Board) -> dict[str, Any] | None:
    """The event as a line of `events.jsonl`. None for `Due`, which a replay works out again."""
    line: dict[str, Any] = {"t": round(event.t, 3)}
    match event:
        case ThrowMade(_, dice, source, told):
            line |= {"kind": "throw", "dice": list(dice), "source": source}
            return line | ({"told": told} if told else {})
        case DiceFault(_, kind, source, deliberate, told):
            line |= {"kind": kind, "source": source}
            return line | ({"deliberate": True} if deliberate else {}) | ({"told": told} if told else {})
        case ThrowVoid(_, why):
            return line | {"kind": "no_throw", "why": why}
        case CallMade(_, call):
            line |= {"kind": "call", "call": call.kind}
            if call.seat is not None:
                line["piece"] = {"colour": board.seats[call.seat], "steps": call.steps}
            if call.target is not None:
                line["target"] = call.target
            return line | ({"double": True} if call.double else {})
        case ButtonPressed(_, name):
            return line | {"kind": "button", "name": name}
        case Seen(sighting=sighting):
            line |= {"kind": "sighting"} | sighting.to_json()
            return line | ({"until": round(event.last, 3), "times": event.times} if event.times > 1 else {})
        case DeviceChanged(_, name, state):
            return line | {"kind": "device", "name": name, "state": state}
        case Correction(_, position):
            return line | {"kind": "correction", "position": by_colour(board, position)}
        case Played(_, position):
            return line | {"kind": "play", "position": by_colour(board, position)}
        case Resumed(_, dice_from):
            return line | {"kind": "resumed", "dice": dice_from}
        case Due():
            return None


def event_from_json(line: Mapping[str, Any], board: Board, ground: Position) -> Event:
    """The event that a line of `events.jsonl` describes. It reads all kinds but `frame`.

    `ground` is where colours stand that a correction or a play leaves out. Raises InputError, ValueError,
    KeyError or TypeError for a line that makes no sense. The caller knows the file and the line.
    """
    t, kind = event_time(line), line["kind"]
    if kind == "throw":
        dice = tuple(line["dice"])
        if not dice or any(type(die) is not int or not 1 <= die <= 6 for die in dice):
            raise RulesError(f"'dice' {list(dice)} are no dice")
        return ThrowMade(t, dice, str(line.get("source", "tower")), str(line.get("told", "")))
    if kind in FAULTS:
        return _fault(t, line)
    if kind == "no_throw":
        return ThrowVoid(t, _one_of(str(line["why"]), NO_THROWS, "why"))
    if kind == "call":
        piece = line.get("piece")
        return CallMade(
            t,
            Call(
                _one_of(str(line["call"]), CALLS, "call"),
                board.seat(piece["colour"]) if piece else None,
                int(piece["steps"]) if piece else None,
                line.get("target"),
                bool(line.get("double", False)),
            ),
        )
    if kind == "button":
        return ButtonPressed(t, _one_of(str(line["name"]), BUTTONS, "name"))
    if kind == "sighting":
        return _seen(t, line, board)
    if kind == "device":
        return DeviceChanged(t, str(line["name"]), _one_of(str(line["state"]), DEVICE_STATES, "state"))
    if kind == "correction":
        return Correction(t, position_from(board, line["position"], ground))
    if kind == "play":
        return Played(t, position_from(board, line["position"], ground))
    if kind == "resumed":
        return Resumed(t, _one_of(str(line["dice"]), DICE_SOURCES, "dice"))
    raise RulesError(f"no event of kind {kind!r} is known")


def _fault(t: float, line: Mapping[str, Any]) -> DiceFault:
    deliberate = line.get("deliberate", False)
    if deliberate not in (True, False) or (deliberate and line["kind"] != "dropped"):
        raise RulesError("'deliberate' is true or false, and only dropped dice can be")
    source, told = str(line.get("source", "tower")), str(line.get("told", ""))
    return DiceFault(t, line["kind"], source, bool(deliberate), told)


def _seen(t: float, line: Mapping[str, Any], board: Board) -> Seen:
    sighting = _on_board(Sighting.from_json(line, board.seats), board)
    if "times" not in line and "until" not in line:
        return Seen(t, sighting)
    times, until = line["times"], event_time(line, "until")
    if type(times) is not int or not 1 < times <= MOST_TIMES:
        raise RulesError(f"'times' is {times!r}; it is from 2 to {MOST_TIMES}")
    seen = Seen(t, sighting, times, until)
    if not 0 <= seen.every_s <= FURTHEST_S:
        raise RulesError(f"'until' is {until}: that is before 't', or leaves out more than {FURTHEST_S:g} s")
    return seen


def _on_board(sighting: Sighting, board: Board) -> Sighting:
    for colour, all_steps in sighting.pieces.items():
        for steps in all_steps:
            if not CORNER <= steps <= board.home:
                raise RulesError(f"'{colour}' stands on step {steps}: steps go from {CORNER} to {board.home}")
    return sighting


def event_time(line: Mapping[str, Any], key: str = "t") -> float:
    """A time in a line of `events.jsonl` (seconds). RulesError for a value that is no time."""
    t = float(line[key])
    if not (isfinite(t) and t >= 0):
        raise RulesError(f"'{key}' is {line[key]}; it is seconds since the start")
    return t


def event_end(event: Event) -> float:
    """When an event was over (seconds): sightings that are told together take a while."""
    return event.last if isinstance(event, Seen) else event.t


def _one_of(value: str, known: tuple[str, ...], key: str) -> str:
    if value not in known:
        raise RulesError(f"'{key}' is {value!r}; known are {', '.join(known)}")
    return value

"""Reading scenario files strictly: TOML in, plain values out (FORMATS, "Scenario files").

Anything that makes no sense is a RulesError that names the file, the scenario and the key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uckers_table.errors import RulesError
from uckers_table.foreign.documents import toml_of
from uckers_table.foreign.words import as_typed
from uckers_table.game.board import Board
from uckers_table.game.events import CALLS, Awaiting, Call
from uckers_table.game.finish import DICKING_MIDGAME, EIGHT_PIECER, IN_HARBOUR
from uckers_table.game.match import Match, begin
from uckers_table.game.position import position_from
from uckers_table.game.rules import rules_beside
from uckers_table.game.ruling import Kind, Reason
from uckers_table.game.setting import load_setting

ACTIONS = ("throw", "throw_off", "dice", "call", "board")
"""What an event can be: one of these each."""
EXPECTATIONS = (
    *("plays", "position", "ruling", "reason", "to_play", "awaiting", "extra", "winner", "honours"),
)
_FURTHER_KEYS = {"call": ("piece", "target", "double"), "dice": ("deliberate",)}
"""What an event may say beside its action and what is expected."""
_SCENARIO_KEYS = ("name", "source", "rules", "options", "players", "seats", "start", "events")
_START_KEYS = ("to_play", "turns_taken", "dropped", "cocked", "helping", "stacks")
_HONOURS = (EIGHT_PIECER, IN_HARBOUR, DICKING_MIDGAME)

Colours = Mapping[str, Sequence[int]]
"""Steps by colour; colours may be left out."""


@dataclass(frozen=True)
class ScenarioEvent:
    """One event of a scenario: what happens (`action` and its `value`), and what is expected of it."""

    action: str
    value: Any
    expected: Mapping[str, Any]


@dataclass(frozen=True)
class Scenario:
    """One case: the match as it begins, and the events."""

    name: str
    where: str
    match: Match
    events: tuple[ScenarioEvent, ...]


def read_scenarios(path: Path) -> tuple[Scenario, ...]:
    """The scenarios of one file."""
    try:
        data = toml_of(path)
    except OSError as error:
        raise RulesError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise RulesError(f"{path}: is no TOML file ({error})") from None
    if set(data) != {"scenario"} or not isinstance(data["scenario"], list):
        strange = sorted(set(data) - {"scenario"})
        what = f"key {strange[0]!r} is not known" if strange else "there is no [[scenario]]"
        raise RulesError(f"{path}: {what}; a scenario file holds [[scenario]] tables and nothing else")
    return tuple(
        _Reader(path, f"{path}: scenario {number}").scenario(entry)
        for number, entry in enumerate(data["scenario"], 1)
    )


class _Reader:
    """Reads one scenario of a file; `where` is named in every complaint, `key` is the one being read."""

    def __init__(self, file: Path, where: str) -> None:
        self.file = file
        self.where = where

    def complain(self, key: str, what: str) -> RulesError:
        """The error for a key that makes no sense."""
        return RulesError(f"{self.where}, key '{key}': {what}")

    def scenario(self, data: Any) -> Scenario:
        if not isinstance(data, dict):
            raise RulesError(f"{self.where}: is no table")
        name = self.take(data, "name", str)
        self.where += f" {name!r}"
        self.known(data, "", _SCENARIO_KEYS)
        rules = rules_beside(self.file, self.take(data, "rules", str))
        self.take(data, "source", str, "")
        options = self.take(data, "options", dict, {})
        players = self.take(data, "players", int, None)
        seats = self.take(data, "seats", list, None)
        if seats is not None and not all(isinstance(colour, str) for colour in seats):
            raise self.complain("seats", "must be colours, clockwise")
        start = self.take(data, "start", dict)
        events = self.take(data, "events", list)
        with_throw_off = bool(events) and isinstance(events[0], dict) and "throw_off" in events[0]
        try:
            setting = load_setting(rules, options, seats=tuple(seats) if seats else None, players=players)
        except RulesError as error:
            raise self.complain(
                "options" if options or seats or players is not None else "rules", str(error)
            ) from None
        match = self.start(start, setting, with_throw_off)
        return Scenario(
            name, self.where, match, tuple(self.event(e, i, setting.board) for i, e in enumerate(events))
        )

    def start(self, start: dict[str, Any], setting: Any, with_throw_off: bool) -> Match:
        """The match as the scenario begins."""
        board = setting.board
        self.known(start, "start", (*board.seats, *_START_KEYS))
        to_play = self.take(start, "to_play", str, None if with_throw_off else ..., within="start")
        numbers = {
            key: self.number(start, key, default)
            for key, default in (("turns_taken", 1), ("dropped", 0), ("cocked", 0))
        }
        helping = self.take(start, "helping", list, [], within="start")
        stacks = self.take(start, "stacks", dict, {}, within="start")
        position = self.position({c: four for c, four in start.items() if c in board.seats}, board, "start")
        counted = setting.rules.dice_fault_kinds.split("+")
        try:
            if to_play is not None:
                board.seat(to_play)
            return begin(
                setting,
                to_play=None if with_throw_off else to_play,
                position=position,
                turns_taken=numbers["turns_taken"],
                helping=helping,
                faults=sum(numbers[kind] for kind in counted),
                stacks=stacks,
            )
        except (RulesError, AttributeError, TypeError) as error:
            raise self.complain("start", str(error)) from None

    def event(self, data: Any, index: int, board: Board) -> ScenarioEvent:
        """One event, checked key by key."""
        key = f"events[{index}]"
        if not isinstance(data, dict):
            raise self.complain(key, "an event is a table, as in { throw = [6, 3] }")
        actions = [action for action in ACTIONS if action in data]
        if len(actions) != 1:
            raise self.complain(key, f"an event has one of {', '.join(ACTIONS)}, not {len(actions)} of them")
        action = actions[0]
        self.known(data, key, (action, *EXPECTATIONS, *_FURTHER_KEYS.get(action, ())))
        value = getattr(self, f"_{action}")(data, f"{key}.{action}", board)
        expected = {
            name: self.expectation(name, data[name], f"{key}.{name}", board)
            for name in EXPECTATIONS
            if name in data
        }
        return ScenarioEvent(action, value, expected)

    def _throw(self, data: dict[str, Any], key: str, board: Board) -> tuple[int, ...]:
        return self.dice(data["throw"], key)

    def _throw_off(self, data: dict[str, Any], key: str, board: Board) -> dict[int, tuple[int, ...]]:
        throws = data["throw_off"]
        if not isinstance(throws, dict) or not throws:
            raise self.complain(key, "must be a throw for each colour, as in { red = [4, 3] }")
        return {self.seat(c, key, board): self.dice(dice, f"{key}.{c}") for c, dice in throws.items()}

    def _dice(self, data: dict[str, Any], key: str, board: Board) -> tuple[str, bool]:
        if data["dice"] not in (Kind.COCKED, Kind.DROPPED):
            raise self.complain(key, f"dice are 'cocked' or 'dropped', not {data['dice']!r}")
        deliberate = self.take(data, "deliberate", bool, False, within=key.rpartition(".")[0])
        return data["dice"], deliberate

    def _call(self, data: dict[str, Any], key: str, board: Board) -> Call:
        if data["call"] not in CALLS:
            raise self.complain(key, f"{data['call']!r} is none of {', '.join(CALLS)}")
        within = key.rpartition(".")[0]
        piece = self.take(data, "piece", dict, None, within=within)
        seat = steps = None
        if piece is not None:
            self.known(piece, f"{within}.piece", ("colour", "steps"))
            seat = self.seat(
                self.take(piece, "colour", str, within=f"{within}.piece"), f"{within}.piece", board
            )
            steps = self.take(piece, "steps", int, None, within=f"{within}.piece")
        target = self.take(data, "target", int, None, within=within)
        double = self.take(data, "double", bool, False, within=within)
        return Call(data["call"], seat, steps, target, double)

    def _board(self, data: dict[str, Any], key: str, board: Board) -> Colours:
        self.position(data["board"], board, key)
        colours: Colours = data["board"]
        return colours

    def expectation(self, name: str, value: Any, key: str, board: Board) -> Any:
        """An expectation, refused where no answer could ever be equal to it."""
        match name:
            case "plays":
                if not isinstance(value, list):
                    raise self.complain(key, "must be a list of positions")
                for play in value:
                    self.position(play, board, key)
            case "position":
                self.position(value, board, key)
            case "ruling" | "reason" | "awaiting":
                words = [str(w) for w in {"ruling": Kind, "reason": Reason, "awaiting": Awaiting}[name]]
                if value not in words:
                    raise self.complain(key, f"{as_typed(value)} is none of {', '.join(words)}")
            case "to_play":
                self.seat(value, key, board)
            case "extra":
                if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                    raise self.complain(key, f"must be a number of throws, not {as_typed(value)}")
            case "winner" | "honours":
                allowed = board.seats if name == "winner" else _HONOURS
                if not isinstance(value, list) or any(one not in allowed for one in value):
                    raise self.complain(key, f"must be a list out of {', '.join(allowed)}")
        return value

    def position(self, colours: Any, board: Board, key: str) -> Any:
        """The position that colours describe, those left out in base."""
        if not isinstance(colours, dict) or not all(isinstance(four, list) for four in colours.values()):
            raise self.complain(key, "must be steps by colour, as in { red = [4, 0, 0, 0] }")
        try:
            return position_from(board, colours)
        except (RulesError, TypeError) as error:
            raise self.complain(key, str(error)) from None

    def dice(self, value: Any, key: str) -> tuple[int, ...]:
        """A throw of one or two dice."""
        if (
            not isinstance(value, list)
            or len(value) not in (1, 2)
            or any(isinstance(d, bool) or not isinstance(d, int) or not 1 <= d <= 6 for d in value)
        ):
            raise self.complain(key, f"must be one or two dice showing 1 to 6, not {as_typed(value)}")
        return tuple(value)

    def seat(self, colour: Any, key: str, board: Board) -> int:
        """The seat of a colour."""
        if colour not in board.seats:
            raise self.complain(key, f"no {colour!r} at this table: its seats are {', '.join(board.seats)}")
        return board.seat(colour)

    def number(self, start: dict[str, Any], key: str, default: int) -> int:
        """A count that is not negative."""
        value: int = self.take(start, key, int, default, within="start")
        if value < 0:
            raise self.complain(f"start.{key}", f"cannot be {value}")
        return value

    def known(self, data: Mapping[str, Any], within: str, keys: Sequence[str]) -> None:
        """Refuses a key that nobody reads: it is a slip of the pen."""
        for key in data:
            if key not in keys:
                raise self.complain(f"{within}.{key}".lstrip("."), f"is none of {', '.join(keys)}")

    def take(
        self, data: Mapping[str, Any], key: str, kind: type, default: Any = ..., *, within: str = ""
    ) -> Any:
        """A key's value, if it is of the kind."""
        place = f"{within}.{key}".lstrip(".")
        if key not in data:
            if default is ...:
                raise self.complain(place, "is missing")
            return default
        value = data[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.complain(place, f"must be {_KIND_NAMES[kind]}, not {as_typed(value)}")
        return value


_KIND_NAMES = {str: "a text", int: "a whole number", dict: "a table", list: "a list", bool: "true or false"}

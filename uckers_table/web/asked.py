"""What a request asks for: text from outside into commands, with everything bounded on the way."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from uckers_table.announce.loudness import Loudness
from uckers_table.errors import InputError
from uckers_table.foreign.documents import json_from
from uckers_table.game.board import ARMS, Board
from uckers_table.game.events import CALLS, Call
from uckers_table.game.options import OPTIONS, SWITCHES, Value
from uckers_table.game.position import Position, position_from
from uckers_table.game.setting import GEOMETRY
from uckers_table.web import commands
from uckers_table.web.commands import Command, PicturePoint

CALIBRATED = (4,)
"""How many seats a board may have that a camera is shown."""
MOST_LETTERS = 40
"""Of a name or a word."""
MOST_DEVICE_LETTERS = 120
"""Of a device's name: a USB camera's has its maker, its model and its number."""
MOST_DICE = 2
MOST_REMINDERS = 1_000_000
"""The highest number of a reminder; no table says so much between two starts."""
MOST_UPTIME_S = 1e9
MOST_MATTERS = 1_000_000
"""The highest number of what can be taken back; no match has so many rulings."""
BUTTONS = (
    *("done", "undo", "accept", "challenge", "suckback", "timber_shifting", "cocked_dropped"),
    *("trust_board", "call", "1", "2", "3", "4", "5", "6"),
)
"""The box's buttons, the referee's that no box has, and the numbers of choices."""
FAULTS = ("cocked", "dropped")
FIRST_TIME_S, LAST_TIME_S = 1_735_689_600, 4_102_444_800
"""2025 to 2099: a phone that says anything else does not know the time itself."""


def parsed(body: bytes) -> Mapping[str, Any]:
    """The JSON object in a request's body; InputError for anything else, and for numbers beyond use."""
    try:
        data = json_from(body)
    except InputError:
        raise
    except ValueError:
        raise InputError("that is no JSON") from None
    if not isinstance(data, dict):
        raise InputError("that is no JSON object")
    return data


def board_asked_for(query: Mapping[str, str]) -> Board:
    """The board that an address names: its seats, how long its arms are and where its doorsteps lie."""
    asked = _Fields({"seats": query.get("seats", "").split(",")})
    arm_length, is_at_arm_end = query.get("arm_length", "6"), query.get("arm_end_doorstep", "0")
    if arm_length not in map(str, GEOMETRY["arm_length"]) or is_at_arm_end not in ("0", "1"):
        raise InputError("there is no such board")
    return Board(asked.words("seats", ARMS), int(arm_length), is_at_arm_end == "1")


def moment_of(data: Mapping[str, Any]) -> str:
    """The snapshot's `moment` that a command was given for; empty for any."""
    moment = data.get("of", "")
    if not isinstance(moment, str) or len(moment) > MOST_LETTERS:
        raise InputError("'of' is a moment that the feed has named")
    return moment


def pressed_at(data: Mapping[str, Any]) -> float | None:
    """When a command was given, by the clock that the feed's beats tell; None where it does not say."""
    at = data.get("at")
    return None if at is None else _number(at, "at", -MOST_UPTIME_S, MOST_UPTIME_S)


class CommandReader:
    """Reads commands for one table: `rules` are the sets that may be played, by the name that is shown."""

    def __init__(self, rules: Mapping[str, str]) -> None:
        self._rules = rules
        self._readers: Mapping[str, Callable[[_Fields, Board], Command]] = {
            "start": self._start,
            "keep_rules": lambda asked, board: commands.KeepRules(
                asked.line("name", MOST_LETTERS),
                self._set_of(asked),
                {name: value for name, value in asked.options().items() if name not in GEOMETRY},
                asked.switch("replaces"),
            ),
            "take_rules_away": lambda asked, board: commands.TakeRulesAway(asked.line("name", MOST_LETTERS)),
            "leave": lambda asked, board: commands.LeaveMatch(),
            "throw": lambda asked, board: commands.EnterThrow(asked.dice()),
            "fault": lambda asked, board: commands.EnterFault(
                asked.one_of("kind", FAULTS), asked.switch("deliberate")
            ),
            "play": lambda asked, board: commands.EnterPlay(asked.position(board)),
            "press": lambda asked, board: commands.Press(asked.one_of("button", BUTTONS)),
            "ask_back": lambda asked, board: commands.AskBack(asked.number_of_matter()),
            "take_back": lambda asked, board: commands.TakeBack(int(asked.number("number", 1, MOST_MATTERS))),
            "put_back": lambda asked, board: commands.PutBack(),
            "call": lambda asked, board: commands.MakeCall(asked.call(board)),
            "correct": lambda asked, board: commands.Correct(asked.position(board)),
            "loudness": lambda asked, board: commands.SetLoudness(asked.loudness("level")),
            "test_sound": lambda asked, board: commands.TestSound(),
            "choose": lambda asked, board: commands.Choose(asked.settings()),
            "as_configured": lambda asked, board: commands.AsConfigured(),
            "start_anew": lambda asked, board: commands.StartAnew(),
            "examine": lambda asked, board: commands.Examine(),
            "heard": lambda asked, board: commands.SoundHeard(asked.switch("is_heard")),
            "try_out": lambda asked, board: asked.trial(),
            "picture": lambda asked, board: commands.TakePicture(
                asked.one_of("what", commands.PICTURES),
                asked.seats(CALIBRATED) if asked.given("seats") is not None else (),
            ),
            "corners": lambda asked, board: commands.SetCorners(asked.corners()),
            "top_left": lambda asked, board: commands.SetTopLeft(asked.word("colour")),
            "count_as": lambda asked, board: commands.CountAs(asked.word("colour")),
            "learn_paint": lambda asked, board: commands.LearnPaint(asked.word("base"), asked.word("colour")),
            "accept_calibration": lambda asked, board: commands.AcceptCalibration(),
            "clock": lambda asked, board: commands.SetClock(
                asked.number("unix_s", FIRST_TIME_S, LAST_TIME_S)
            ),
            "backup": lambda asked, board: commands.Backup(),
            "dismiss": lambda asked, board: commands.Dismiss(int(asked.number("number", 1, MOST_REMINDERS))),
            "try_again": lambda asked, board: commands.TryAgain(asked.one_of("part", commands.PARTS)),
            "switch_off": lambda asked, board: commands.SwitchOff(),
        }

    def command(self, data: Mapping[str, Any], board: Board) -> Command:
        """The command that an object asks for at a table with this board; InputError says what is wrong."""
        asked = _Fields(data)
        return self._readers[asked.one_of("do", self._readers)](asked, board)

    def _start(self, asked: _Fields, board: Board) -> Command:
        seats = asked.seats(ARMS)
        to_play = asked.given("to_play")
        return commands.StartMatch(
            rules=self._set_of(asked),
            options=asked.options(),
            players=int(asked.number("players", 2, max(ARMS))),
            seats=seats,
            names=asked.names(seats),
            loudness=asked.loudness("loudness"),
            to_play=asked.one_of("to_play", seats) if to_play is not None else None,
        )

    def _set_of(self, asked: _Fields) -> str:
        """The set that is named; another phone may have taken it away."""
        loaded = self._rules.get(asked.line("rules", MOST_LETTERS))
        if loaded is None:
            raise InputError("there is no set of rules of that name, or not any more; load the page anew")
        return loaded


class _Fields:
    """The fields of what was asked, each as what it has to be; InputError names the one that is not."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    def given(self, key: str) -> Any:
        return self._data.get(key)

    def one_of(self, key: str, known: Sequence[str] | Mapping[str, Any]) -> str:
        value = self.given(key)
        if not isinstance(value, str) or value not in known:
            raise InputError(f"'{key}' is one of {', '.join(known)}")
        return value

    def line(self, key: str, most: int) -> str:
        value = self.given(key)
        if not isinstance(value, str) or not value.isprintable() or len(value) > most:
            raise InputError(f"'{key}' is a line of at most {most} letters")
        return value

    def switch(self, key: str) -> bool:
        value = self._data.get(key, False)
        if not isinstance(value, bool):
            raise InputError(f"'{key}' is true or false")
        return value

    def loudness(self, key: str) -> Loudness:
        return Loudness(self.one_of(key, tuple(Loudness)))

    def settings(self) -> dict[str, str | int | float | bool]:
        values = self.given("values")
        if not isinstance(values, dict) or not values:
            raise InputError("'values' gives the configuration's keys their values")
        return {key: _setting(key, value) for key, value in values.items()}

    def trial(self) -> commands.TryOut:
        device = self.one_of("device", commands.TRIALS)
        die_mm = commands.USUAL_DIE_MM
        if self.given("die_mm") is not None:
            die_mm = self.number("die_mm", *commands.DIE_EDGES_MM)
        return commands.TryOut(device, self.one_of("deed", commands.TRIALS[device]), die_mm)

    def number(self, key: str, least: float, most: float) -> float:
        return _number(self.given(key), key, least, most)

    def number_of_matter(self) -> int | None:
        return None if self.given("number") is None else int(self.number("number", 1, MOST_MATTERS))

    def dice(self) -> tuple[int, ...]:
        dice = self.given("dice")
        if not isinstance(dice, list) or not 1 <= len(dice) <= MOST_DICE:
            raise InputError("'dice' is a list of one or two")
        if any(type(die) is not int or not 1 <= die <= 6 for die in dice):
            raise InputError("'dice' are whole numbers from 1 to 6")
        return tuple(dice)

    def position(self, board: Board) -> Position:
        position = self.given("position")
        if not isinstance(position, dict) or set(position) != set(board.seats):
            raise InputError(f"'position' has the pieces of {', '.join(board.seats)}")
        return position_from(board, position)

    def call(self, board: Board) -> Call:
        seat = steps = None
        piece = self.given("piece")
        if piece is not None:
            if not isinstance(piece, dict):
                raise InputError("'piece' has a colour and steps")
            of = _Fields(piece)
            seat = board.seat(of.one_of("colour", board.seats))
            steps = int(of.number("steps", -1, board.home)) if of.given("steps") is not None else None
        target = self.given("target")
        return Call(
            self.one_of("call", CALLS),
            seat,
            steps,
            int(self.number("target", 1, 6)) if target is not None else None,
            self.switch("double"),
        )

    def corners(self) -> tuple[PicturePoint, PicturePoint, PicturePoint, PicturePoint] | None:
        corners = self.given("corners")
        if corners is None:
            return None
        if not isinstance(corners, list) or len(corners) != 4:
            raise InputError("'corners' are four points, or null")
        points = []
        for corner in corners:
            if not isinstance(corner, list) or len(corner) != 2:
                raise InputError("a corner is x and y in pixels")
            x, y = (_number(value, "corners", -10_000, 10_000) for value in corner)
            points.append((x, y))
        return points[0], points[1], points[2], points[3]

    def options(self) -> dict[str, Value]:
        options = self._data.get("options", {})
        if not isinstance(options, dict) or len(options) > len(OPTIONS) + len(SWITCHES) + len(GEOMETRY):
            raise InputError("'options' gives values to options")
        for name, value in options.items():
            if not any(name in known for known in (OPTIONS, SWITCHES, GEOMETRY)):
                raise InputError("there is no such option")
            if not isinstance(value, bool | int | str) or len(str(value)) > MOST_LETTERS:
                raise InputError(f"option '{name}' cannot have that value")
        return options

    def words(self, key: str, numbers: Container[int]) -> tuple[str, ...]:
        words = self.given(key)
        if not isinstance(words, list) or len(words) not in numbers:
            raise InputError(f"'{key}' is a list of another length")
        if any(not isinstance(word, str) or not (word.isascii() and word.isalpha()) for word in words):
            raise InputError(f"'{key}' are words of letters")
        if any(len(word) > MOST_LETTERS for word in words):
            raise InputError(f"'{key}' has a word that is too long")
        return tuple(words)

    def word(self, key: str) -> str:
        value = self.given(key)
        if not isinstance(value, str) or not (value.isascii() and value.isalpha()):
            raise InputError(f"'{key}' is a word of letters")
        if len(value) > MOST_LETTERS:
            raise InputError(f"'{key}' is a word that is too long")
        return value

    def seats(self, numbers: Container[int]) -> tuple[str, ...]:
        seats = self.words("seats", numbers)
        Board(seats)
        return seats

    def names(self, seats: Sequence[str]) -> dict[str, str]:
        names = self._data.get("names", {})
        if not isinstance(names, dict) or not set(names) <= set(seats):
            raise InputError("'names' gives colours a player's name")
        if any(not isinstance(name, str) or not name.isprintable() for name in names.values()):
            raise InputError("a player's name is a line of text")
        if any(len(name) > MOST_LETTERS for name in names.values()):
            raise InputError(f"a player's name has at most {MOST_LETTERS} letters")
        return {colour: name.strip() for colour, name in names.items() if name.strip()}


def _setting(key: str, value: Any) -> str | int | float | bool:
    if key in commands.CHOICES:
        # True is 1 to Python, and no mains frequency.
        known = [each for each in commands.CHOICES[key] if each == value and type(each) is type(value)]
        if not known:
            raise InputError(f"'{key}' is one of {', '.join(map(str, commands.CHOICES[key])).lower()}")
        return known[0]
    if key in commands.NUMBERS:
        return _number(value, key, *commands.NUMBERS[key])
    if key not in commands.DEVICE_NAMES:
        raise InputError(f"the page does not set '{key}'")
    if not isinstance(value, str) or not value.isprintable() or len(value) > MOST_DEVICE_LETTERS:
        raise InputError(f"'{key}' is the name of a device")
    return value


def _number(value: Any, key: str, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise InputError(f"'{key}' is a number from {least} to {most}")
    return value

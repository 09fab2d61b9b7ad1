"""A scripted table: people who do what a test says, a camera that sees what a test says, and a referee.

Sightings come `every` so many seconds. Between them time moves only as the script moves it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from uckers_table.announce.sentences import say
from uckers_table.game.board import Board
from uckers_table.game.events import Call
from uckers_table.game.match import Match, begin
from uckers_table.game.position import position_from
from uckers_table.game.setting import Setting, load_setting
from uckers_table.referee.events import ButtonPressed, CallMade, DiceFault, Event, Seen, ThrowMade
from uckers_table.referee.referee import Referee, Response
from uckers_table.referee.rulings import TimedRuling
from uckers_table.sighting import Alternative, SeenDie, Sighting, Stray

SETTLED_S = 1.2
"""How long the camera has watched the table before a script begins."""
ACTS_AFTER_S = 0.1
"""How long after the last sighting people throw, call or press."""
HAND_S = 0.8
"""How long a hand stays over the board, where a script does not say."""
PLACES_MM = {"here": (100.0, 200.0), "there": (300.0, 80.0), "far": (450.0, 500.0), "beside": (700.0, 300.0)}
"""Where dice lie, in millimetres of the plan. `beside` is off the board."""


@cache
def setting_of(
    rules: str = "br4006", options: tuple[tuple[str, Any], ...] = (), players: int | None = None
) -> Setting:
    """The setting for a rule set, single options that differ from it, and the number of players."""
    return load_setting(rules, dict(options), players=players)


SETTING = setting_of()
BOARD = SETTING.board


def match_of(setting: Setting = SETTING, to_play: str | None = "red", **pieces: Sequence[int]) -> Match:
    """A match between throws. Colours left out are in base."""
    return begin(setting, to_play=to_play, position=position_from(setting.board, pieces))


def sighting_of(pieces: Mapping[str, Iterable[int]], **seen: Any) -> Sighting:
    """What the camera tells of these pieces, by colour."""
    return Sighting({colour: tuple(sorted(steps)) for colour, steps in pieces.items()}, **seen)


def place_of(place: str, board: Board = BOARD) -> str:
    """The referee's name for a place that a script names by a colour's steps: "red 10" is square "9".

    Other names stay as they are.
    """
    colour, _, steps = place.partition(" ")
    return board.place(board.seat(colour), int(steps)) if steps else place


def may_be(
    place: str, contents: Mapping[str, int], cost: float, across: str = "", board: Board = BOARD
) -> Alternative:
    """What else a place may hold, by the reader; places as in `place_of`."""
    return Alternative(place_of(place, board), dict(contents), cost, place_of(across, board))


def near_line(
    colour: str, read: int, beyond: int, cost: float, board: Board = BOARD
) -> tuple[Alternative, Alternative]:
    """What the reader tells of a piece that it reads on one square, near the line to another."""
    here, there = f"{colour} {read}", f"{colour} {beyond}"
    return may_be(here, {}, cost, there, board), may_be(there, {colour: 1}, cost, here, board)


def die(value: int | None, at_mm: tuple[float, float] = PLACES_MM["here"], state: str = "flat") -> SeenDie:
    """A die on the table; its value is None where it cannot be read."""
    return SeenDie(value, state, *at_mm)


class Table:
    """A table where a match is on, and what its `referee` has heard, taken and ruled.

    `pieces` are where the pieces stand, by colour, and `lying` is the dice on the table. The camera sees both
    unless a script tells it otherwise.
    """

    def __init__(
        self,
        to_play: str | None = "red",
        *,
        referee: Callable[[Match, str], Any] = Referee,
        setting: Setting = SETTING,
        dice_from: str = "tower",
        every: float = 0.4,
        lying: Sequence[SeenDie] = (),
        **pieces: Sequence[int],
    ) -> None:
        self.board = setting.board
        self.pieces = {colour: [0] * 4 for colour in self.board.seats} | pieces
        self.lying = tuple(lying)
        self.referee = referee(match_of(setting, to_play, **self.pieces), dice_from)
        self.every, self.t = every, 0.0
        self.ruled: list[TimedRuling] = []
        self.taken: list[Any] = []
        """The throws (their dice), faults (their kind) and calls ("call") that the referee took."""
        self.see(SETTLED_S)

    @property
    def kinds(self) -> list[str]:
        """The kinds of all rulings and notices, in order."""
        return [timed.ruling.kind.value for timed in self.ruled]

    @property
    def said(self) -> list[str]:
        """What people have heard, in order."""
        return [words for timed in self.ruled if (words := say(timed.ruling, self.board))]

    @property
    def match(self) -> Match:
        """The match as the referee has it on record."""
        return self.referee.match

    def position(self, colour: str) -> list[int]:
        """Where a colour's pieces stand on record."""
        return list(self.match.position[self.board.seat(colour)])

    def take(self, event: Event) -> Response:
        """Hand the referee an event as it is."""
        response = self.referee.handle(event)
        self.referee = response.referee
        self.ruled += response.rulings
        self.taken += [
            told.dice if isinstance(told, ThrowMade) else getattr(told, "kind", "call")
            for _, told, *_ in response.taken
        ]
        return response

    def see(
        self,
        seconds: float,
        *,
        every: float | None = None,
        trouble: Sequence[str] = (),
        confidence: float = 1.0,
        alternatives: Sequence[Alternative] = (),
        stray: Sequence[Stray] = (),
        **misread: Sequence[int],
    ) -> Table:
        """Let the camera see the table for so long, as it is but for what is `misread`.

        In trouble it sees nothing.
        """
        shown = {} if trouble else self.pieces | misread
        seen = sighting_of(
            shown,
            stray=tuple(stray),
            dice=() if trouble else self.lying,
            trouble=tuple(trouble),
            confidence=confidence,
            alternatives=tuple(alternatives),
        )
        return self._watch(seconds, every, seen)

    def hand(
        self,
        seconds: float = HAND_S,
        *,
        every: float | None = None,
        trouble: Sequence[str] = (),
        hides_dice: bool = True,
        **pieces: Sequence[int],
    ) -> Table:
        """A hand is over the board for so long. When it has gone, `pieces` stand elsewhere."""
        dice = () if hides_dice else self.lying
        self.move(**pieces)
        return self._watch(seconds, every, Sighting({}, hand=True, dice=dice, trouble=tuple(trouble)))

    def move(self, **pieces: Sequence[int]) -> Table:
        """From now on these pieces stand so. No time passes, and nobody sees a hand."""
        self.pieces |= pieces
        return self

    def lie(self, *dice: SeenDie) -> Table:
        """From now on these dice lie on the table, and no others."""
        self.lying = dice
        return self

    def wait(self, seconds: float) -> Table:
        """Time passes in which nobody looks."""
        self.t = round(self.t + seconds, 3)
        return self

    def tell(self, make: Any, *values: Any, **named: Any) -> Table:
        """An event of any kind, a moment later: `make(t, *values, **named)`."""
        self.wait(ACTS_AFTER_S).take(make(self.t, *values, **named))
        return self

    def throw(self, *dice: int, source: str = "tower", told: str = "") -> Table:
        """Somebody throws, and it is told by `source`."""
        return self.tell(ThrowMade, dice, source, told)

    def fault(self, kind: str, source: str = "tower", told: str = "") -> Table:
        """The dice are "cocked" or "dropped"."""
        return self.tell(DiceFault, kind, source, told=told)

    def press(self, name: str) -> Table:
        """Somebody presses a button."""
        return self.tell(ButtonPressed, name)

    def call(self, kind: str) -> Table:
        """Somebody calls, without naming a piece."""
        return self.tell(CallMade, Call(kind))

    def _watch(self, seconds: float, every: float | None, seen: Sighting) -> Table:
        for _ in range(sightings_in(seconds, every or self.every)):
            self.wait(every or self.every).take(Seen(self.t, seen))
        return self


def sightings_in(seconds: float, every: float) -> int:
    """How many sightings come in so long; ValueError where that is no whole number."""
    number = round(seconds / every)
    if number < 1 or abs(number * every - seconds) > 1e-6:
        raise ValueError(f"{seconds} s is no whole number of sightings {every} s apart")
    return number

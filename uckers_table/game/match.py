"""The match: an immutable state, and what each event does to it.

Every method takes an event and returns a `Step`: the state after it and the rulings it caused, in order.
Nothing is ever changed in place, so a caller can ask what a board *would* be by calling `see` and
looking at the rulings of a step it does not take.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from uckers_table.game.board import Board
from uckers_table.game.position import Position
from uckers_table.game.ruling import Ruling


class Awaiting(StrEnum):
    """What the match waits for."""

    THROW_OFF = "throw_off"
    THROW = "throw"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True)
class Call:
    """What a player declares: `kind` as in FORMATS; `seat` and `steps` say which piece makes it."""

    kind: str
    seat: int | None = None
    steps: int | None = None
    target: int | None = None
    double: bool = False


@dataclass(frozen=True)
class Step:
    """A state and the rulings that led to it."""

    match: Match
    rulings: tuple[Ruling, ...] = ()


@dataclass(frozen=True)
class Match:
    """A match between two events. Build one with `new_match`."""

    board: Board
    position: Position
    awaiting: Awaiting
    to_play: int
    extra: int
    thrown: tuple[int, ...]
    plays: tuple[Position, ...]
    winner: tuple[int, ...]
    honours: tuple[str, ...]
    wrong_board: Position | None

    @property
    def halfway(self) -> frozenset[Position]:
        """Positions that a hand passes through on the way to a legal play: one die moved, the other owed."""
        raise NotImplementedError

    @property
    def challengers(self) -> tuple[tuple[int, int], ...]:
        """The pieces (seat, steps) that may challenge now, with the throw in hand."""
        raise NotImplementedError

    def throw(self, dice: tuple[int, ...]) -> Step:
        """A good throw by the seat that is to play (in the throw-off: for start). RulesError for impossible dice."""
        raise NotImplementedError

    def throw_off(self, throws: Mapping[int, tuple[int, ...]]) -> Step:
        """A whole round of the throw-off at once, by seat."""
        raise NotImplementedError

    def fault(self, kind: str) -> Step:
        """Dice 'cocked' or 'dropped'."""
        raise NotImplementedError

    def call(self, call: Call) -> Step:
        """A call; the ruling CALL_REFUSED says why it changes nothing."""
        raise NotImplementedError

    def see(self, position: Position) -> Step:
        """The board as it now stands; no ruling when it stands as on record and nothing is owed to say."""
        raise NotImplementedError

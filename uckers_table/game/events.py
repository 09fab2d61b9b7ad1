"""What comes into a match and what comes out of it: calls, steps, and what is waited for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from uckers_table.game.ruling import Ruling

if TYPE_CHECKING:
    from uckers_table.game.match import Match

CALLS = ("challenge", "suckback", "blowback", "snake_eyes", "stand_up_finish", "decline", "upboard")
"""What a player can call."""


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


class Step(NamedTuple):
    """A state and the rulings that led to it."""

    match: Match
    rulings: tuple[Ruling, ...] = ()

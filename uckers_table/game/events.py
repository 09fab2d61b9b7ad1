"""What a match waits for, and what players declare."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

CALLS = (
    "challenge",
    "suckback",
    "blowback",
    "snake_eyes",
    "stand_up_finish",
    "colours",
    "decline",
    "upboard",
)
"""What a player can call. By `colours` who won the throw-off says which colour he plays, and starts with."""


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

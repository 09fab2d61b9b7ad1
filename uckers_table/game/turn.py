"""The turn: a side's run of throws, and what is remembered only as long as it lasts."""

from __future__ import annotations

from typing import NamedTuple

from uckers_table.game.position import Position

Piece = tuple[int, int]
"""A piece as a player points at it: its seat and its steps."""


class Attempt(NamedTuple):
    """A suckback or blowback that was called and is now thrown for.

    `piece` made the call, `number` must be thrown, with both dice where `double`; the pieces standing at
    `targets` go to base on a hit.
    """

    kind: str
    piece: Piece
    number: int
    double: bool
    targets: tuple[Piece, ...]


class Turn(NamedTuple):
    """`began` is the board when the turn came; `moved` tells whether a piece was moved in it.

    `backing` are the pieces that have bounced off home and go backwards until the turn ends (VAR D). `called`
    is a call for the next throw, "snake_eyes" or "stand_up_finish", and `attempt` one that is thrown for.
    `opening` tells that a throw of it was the side's first of the match. `unplayed` are throws that were made
    and are still to be played, in their order, where all throws of a turn are made first. `doubles` and
    `sixes` count what its throws to be played showed, where that can be too much.
    """

    began: Position
    moved: bool = False
    backing: tuple[Piece, ...] = ()
    called: str = ""
    attempt: Attempt | None = None
    opening: bool = False
    unplayed: tuple[tuple[int, ...], ...] = ()
    doubles: int = 0
    sixes: int = 0

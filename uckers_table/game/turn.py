"""The turn: a side's run of throws."""

from __future__ import annotations

from dataclasses import dataclass

from uckers_table.game.position import Position


@dataclass(frozen=True)
class Turn:
    """A side's run of throws: the board when it began, the good throws made, whether a piece was moved."""

    began: Position
    throws: int = 0
    sixes: int = 0
    moved: bool = False

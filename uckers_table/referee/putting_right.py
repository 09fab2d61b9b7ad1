"""Which pieces do not stand where the record has them, for players who put the board right. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from uckers_table.game.board import BASE
from uckers_table.game.position import Position
from uckers_table.game.ruling import moves_between
from uckers_table.referee.matching import Reading


@dataclass(frozen=True)
class Misplaced:
    """A piece that does not stand where the record has it.

    - `seat`: whose piece it is.
    - `stands`: the steps at which it stands; None if it is seen nowhere.
    - `belongs`: the steps at which the record has it.
    """

    seat: int
    stands: int | None
    belongs: int


def misplaced(record: Position, reading: Reading) -> tuple[Misplaced, ...]:
    """The fewest pieces to move until the board is as on record: by seat, lowest first.

    Pieces that may be hidden are in order: those under others, or swept up from base and home. Empty too if
    more pieces are seen than there are: players cannot put that right.
    """
    shown = reading.completed(record)
    if shown is None:
        return ()
    # A piece in play that is seen nowhere is taken to be in base. It may be on the floor.
    unseen = [
        four.count(BASE) - reading.seen[seat].count(BASE) - (reading.away[seat][0] if reading.away else 0)
        for seat, four in enumerate(shown)
    ]
    pieces: list[Misplaced] = []
    for move in moves_between(shown, record):
        is_unseen = move.start == BASE and unseen[move.seat] > 0
        unseen[move.seat] -= is_unseen
        pieces.append(Misplaced(move.seat, None if is_unseen else move.start, move.end))
    return tuple(pieces)

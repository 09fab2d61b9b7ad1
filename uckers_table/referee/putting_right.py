"""Which pieces do not stand where the record has them, for players who put the board right. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from uckers_table.game.board import BASE
from uckers_table.game.position import Position
from uckers_table.referee.matching import Reading


@dataclass(frozen=True)
class Misplaced:
    """A piece of a seat: the steps at which it `stands`, None if it is seen nowhere, and where it belongs."""

    seat: int
    stands: int | None
    belongs: int


def misplaced(record: Position, reading: Reading) -> tuple[Misplaced, ...]:
    """The pieces to move, fewest of all, until the board is as on record: by seat, lowest first.

    Pieces that may be where nobody sees them (under others, swept up from base and home) are in order. Empty
    too where more pieces are seen than there are: then it is not the players who can put that right.
    """
    shown = reading.completed(record)
    if shown is None:
        return ()
    pieces: list[Misplaced] = []
    for seat, (belong, stand) in enumerate(zip(record, shown, strict=True)):
        missing, surplus = Counter(belong) - Counter(stand), Counter(stand) - Counter(belong)
        # A piece in play that is seen nowhere is taken to be in base, and may be on the floor.
        swept_up = reading.away[seat][0] if reading.away else 0
        unseen = max(0, stand.count(BASE) - reading.seen[seat].count(BASE) - swept_up)
        for stands, belongs in zip(sorted(surplus.elements()), sorted(missing.elements()), strict=True):
            is_unseen = stands == BASE and unseen > 0
            unseen -= is_unseen
            pieces.append(Misplaced(seat, None if is_unseen else stands, belongs))
    return tuple(pieces)

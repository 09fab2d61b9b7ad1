"""A ruling's pictures cut to what was moved, and where on them that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from uckers_table.errors import InputError
from uckers_table.game.board import BASE
from uckers_table.record.match_record import Moved
from uckers_table.web.recorded import ReadableRecord

ColourSteps = tuple[str, int]
"""A place of the board: a colour, and the steps of its pieces there."""


class CutPicture(Protocol):
    """A JPEG, its width and height, and where places are on it: the middle and four corners, in pixels."""

    @property
    def jpeg(self) -> bytes: ...

    @property
    def size(self) -> tuple[int, int]: ...

    @property
    def places(self) -> Sequence[tuple[tuple[float, float], tuple[tuple[float, float], ...]]]: ...


CloseUpFound = tuple[Sequence[ColourSteps], CutPicture]
CutTo = Callable[[Path, Path, Sequence[ColourSteps]], CloseUpFound | None]
"""Cuts a picture of a table to places. It gives the places that are on it, and None where it cannot."""


def close_up_of(
    library: ReadableRecord, cut_to: CutTo, picture: Path, number: int, ruling: int
) -> CloseUpFound | None:
    """A picture behind a ruling, cut to what was moved; None where it cannot be cut.

    InputError where it is torn, with a line for people after its last colon.
    """
    match = library.match(number)
    try:
        table = library.table_file(match)
    except InputError:
        return None
    return cut_to(picture, table, places_of(match.rulings[ruling - 1].moves))


def close_up_shown(places: Sequence[ColourSteps], made: CutPicture) -> dict[str, Any]:
    """How large it is, and where each place is on it: pixels, the middle and four corners."""
    shown = [
        {"colour": colour, "steps": steps, "at": middle, "corners": corners}
        for (colour, steps), (middle, corners) in zip(places, made.places, strict=True)
    ]
    return {"size": made.size, "places": shown}


def places_of(moves: Sequence[Moved]) -> tuple[ColourSteps, ...]:
    """Where pieces were moved from and to. Base is left out of those that were sent there, if there are
    others: what landed on them is what a picture is to show.
    """
    ends = [(move.colour, move.end) for move in moves if move.end != BASE or len(moves) == 1]
    return tuple(dict.fromkeys([*((move.colour, move.start) for move in moves), *ends]))

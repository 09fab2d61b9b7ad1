"""A ruling's pictures cut to what was moved, and where on them that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from uckers_table.errors import InputError
from uckers_table.web.accused import ColourSteps, accused_shown, places_of
from uckers_table.web.recorded import ReadableRecord


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
    return cut_to(picture, table, places_of(accused_shown(match, ruling)))


def close_up_shown(places: Sequence[ColourSteps], made: CutPicture) -> dict[str, Any]:
    """How large it is, and where each place is on it: pixels, the middle and four corners."""
    shown = [
        {"colour": colour, "steps": steps, "at": middle, "corners": corners}
        for (colour, steps), (middle, corners) in zip(places, made.places, strict=True)
    ]
    return {"size": made.size, "places": shown}

"""Pictures of a match cut to what was moved, as whoever looks into an accusation wants to see them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from uckers_table.errors import InputError, ProfileError
from uckers_table.game.board import CORNER
from uckers_table.vision.evidence import CloseUp, close_up
from uckers_table.vision.picture.files import load_picture
from uckers_table.vision.profile import TableProfile

KEPT_CLOSE_UPS = 8
"""So many are kept, of 20 to 100 kB each: a phone asks for where things are, and then for the picture."""


def cut_to(
    picture: Path, table: Path, places: Sequence[tuple[str, int]]
) -> tuple[Sequence[tuple[str, int]], CloseUp] | None:
    """A picture cut to some places, each a colour and the steps of its pieces there, and which are on it.

    None where it cannot be cut: there are no places, or the table is not kept, or not found on the picture.
    InputError, with a line for people after its last colon, where the picture is torn.
    """
    return _cut(picture, table, tuple(places))


@lru_cache(maxsize=KEPT_CLOSE_UPS)
def _cut(
    picture: Path, table: Path, places: tuple[tuple[str, int], ...]
) -> tuple[tuple[tuple[str, int], ...], CloseUp] | None:
    try:
        shown = load_picture(picture)
    except InputError:
        raise InputError("this picture is torn or gone") from None
    try:
        profile = TableProfile.load(table)
        seats, home = profile.seats, profile.plan.board.home
        known = tuple(each for each in places if each[0] in seats and CORNER <= each[1] <= home)
        seen = [(seats.index(colour), steps) for colour, steps in known]
        return (known, close_up(shown, profile, seen)) if seen else None
    except (ProfileError, InputError):
        return None

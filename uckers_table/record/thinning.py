"""Which pictures go when there are too many, or they are too old: never a ruling, only what it was seen by.

The oldest of plays that nobody disputed go first, then the oldest of accusations. What went is said in the
record, where its name was; a file goes only after its name, so that no name is ever without its file.
Pictures go also where the disk is nearly full of other things: what is ruled has to find room.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from pathlib import Path

from uckers_table.errors import InputError
from uckers_table.machine.files import size_of
from uckers_table.record.picture_names import kept_picture
from uckers_table.record.store import KeptPicture, MatchStore, match_folder

FOR_SPACE, FOR_AGE = "for space", "for age"
MEGABYTE = 1_000_000
LEAST_FREE = 100 * MEGABYTE
"""Bytes of the disk that pictures leave to rulings and recordings, or a tenth of it where that is less."""


@dataclass(frozen=True)
class Budget:
    """How much of pictures is kept: so many megabytes, and so many days; 0 days for any age."""

    megabytes: int = 2000
    days: int = 0


def thin(store: MatchStore, budget: Budget, today: datetime | None, *, short: int | None = None) -> int:
    """Remove what is over the budget; how many pictures went. RecordError when the record does not take it.

    Of a match whose date is not known, or where `today` is not, none is too old. `short` are the bytes that
    the disk is short of, if not as it says itself.
    """
    short = _short_of_room(store.folder) if short is None else short
    # SQLite adds them up. To look at each of them here takes seconds where a budget is full.
    unmeasured = {each.file: _size_of(each, store.folder) for each in store.pictures_unmeasured()}
    size = store.pictures_size() + sum(unmeasured.values())
    going: dict[str, _Going] = {}
    if budget.days and today is not None:
        last = today - timedelta(days=budget.days)
        old = [match for match, begun in store.dates_of_pictures().items() if _is_before(begun, last)]
        _choose(store.pictures_kept(old), FOR_AGE, store.folder, going)
    over = max(size - budget.megabytes * MEGABYTE, short) - sum(each.size for each in going.values())
    if over > 0:
        _choose(store.pictures_kept(), FOR_SPACE, store.folder, going, enough=over)
    if going:
        # In one step: each would be a sync of its own.
        store.forget_pictures({name: each.why for name, each in going.items()})
    for each in going.values():
        with suppress(OSError):
            each.file.unlink()
    return len(going)


@dataclass(frozen=True)
class _Going:
    """A picture that goes: its file, its bytes, and why."""

    file: Path
    size: int
    why: str


def _choose(
    pictures: Iterator[KeptPicture], why: str, record: Path, going: dict[str, _Going], enough: float = inf
) -> None:
    """Add pictures to those that are `going`, until these are `enough` bytes or there is none left."""
    left = enough
    while left > 0 and (picture := next(pictures, None)) is not None:
        # What the record names and is no picture is nobody's to remove.
        if picture.file not in going and (file := _file_of(picture, record)):
            going[picture.file] = _Going(file, _size_of(picture, record), why)
            left -= going[picture.file].size


def _is_before(begun: str, last: datetime) -> bool:
    try:
        return datetime.fromisoformat(begun) < last
    except (ValueError, TypeError):
        # No date, or one of no time zone.
        return False


def _short_of_room(folder: Path) -> int:
    try:
        disk = shutil.disk_usage(folder)
    except OSError:
        return 0
    return min(LEAST_FREE, disk.total // 10) - disk.free


def _file_of(picture: KeptPicture, record: Path) -> Path | None:
    try:
        return kept_picture(record, match_folder(record, picture.match), picture.file)
    except InputError:
        return None


def _size_of(picture: KeptPicture, record: Path) -> int:
    if type(picture.size) is int and picture.size > 0:
        return picture.size
    file = _file_of(picture, record)
    return size_of(file) if file is not None else 0

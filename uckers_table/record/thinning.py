"""Which pictures go when there are too many, or they are too old: never a ruling, only what it was seen by.

The oldest of plays that nobody disputed go first, then the oldest of accusations. What went is said in the
record, where its name was; a file goes only after its name, so that no name is ever without its file.
Pictures go also where the disk is nearly full of other things: what is ruled has to find room.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
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
    kept = {picture.file: picture for picture in store.pictures_kept()}
    # What the record names and is no picture is nobody's to remove.
    files = {name: file for name, picture in kept.items() if (file := _file_of(picture, store.folder))}
    sizes = {name: _size_of(kept[name], file) for name, file in files.items()}
    over = max(sum(sizes.values()) - budget.megabytes * MEGABYTE, short)
    going: dict[str, str] = {}
    for name in files:
        picture = kept[name]
        if _is_too_old(picture, budget, today):
            why = FOR_AGE
        elif over > 0:
            why = FOR_SPACE
        else:
            continue
        going[name] = why
        over -= sizes[name]
    if going:
        # In one step: each would be a sync of its own.
        store.forget_pictures(going)
    for name in going:
        with suppress(OSError):
            files[name].unlink()
    return len(going)


def _is_too_old(picture: KeptPicture, budget: Budget, today: datetime | None) -> bool:
    if not budget.days or today is None or picture.begun is None:
        return False
    try:
        return datetime.fromisoformat(picture.begun) < today - timedelta(days=budget.days)
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


def _size_of(picture: KeptPicture, file: Path) -> int:
    if type(picture.size) is int and picture.size > 0:
        return picture.size
    return size_of(file)

"""A damaged record is put aside, never thrown away, and the matches in the folders are found again.

So they are where the record does not know them: its file was lost, or emptied.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from uckers_table.errors import DamagedRecordError, InputError, RecordError
from uckers_table.machine.files import free_name, is_there, refusals_said, size_of, sync_folder, what_to_try
from uckers_table.record.claims import is_claimed, refuse_while_claimed
from uckers_table.record.heading import read_heading
from uckers_table.record.match_record import Ruled, Terms
from uckers_table.record.notation import values_of
from uckers_table.record.picture_names import pictures_in
from uckers_table.record.recording import last_recording, open_recording
from uckers_table.record.store import DATABASE, MatchStore, match_folder, match_folders

LOG_FILES = ("-wal", "-shm")
"""What SQLite keeps beside a database; it belongs to that database alone."""
FRESH = ".mending"
"""Where the new record is made, in the folder of the damaged one."""
SOON_S = 5.0
"""How long after the last picture that was taken around it a ruling fell, at most."""


@dataclass(frozen=True)
class FoundPicture:
    """A picture: the ruling that it is behind, what it shows, its file relative to the record, its bytes."""

    ruling: int
    what: str
    file: str
    size: int
    t: float | None = None


def pictures_found(folder: Path, number: int, rulings: Sequence[Ruled]) -> list[FoundPicture]:
    """The pictures in a match's folder that are surely those behind these rulings.

    A ruling's are left out where its number, kind and time do not go together: faults of devices were
    numbered too, and no recording has them.
    """
    found: list[FoundPicture] = []
    named: dict[int, str] = {}
    for name, path in pictures_in(match_folder(folder, number)):
        if name.kind:
            named[name.ruling] = name.kind
        file = str(path.relative_to(folder))
        found.append(FoundPicture(name.ruling, name.what, file, size_of(path), name.t))
    taken = {
        ruling: [each.t for each in found if each.ruling == ruling and each.t is not None] for ruling in named
    }
    sure = {
        place
        for place, ruled in enumerate(rulings, start=1)
        if named.get(place) == ruled.ruling
        and (not taken[place] or min(taken[place]) <= ruled.t <= max(taken[place]) + SOON_S)
    }
    return [each for each in found if each.ruling in sure]


def mend(folder: Path, *, reads_through: bool = True) -> str:
    """Put every match on the record whose recording is there, in a new record if it is damaged.

    What was done, in one line; empty for a record that is sound and knows them all. It then has nothing of
    those matches but what they were played under: `rebuilding` puts the rest on it. Without `reads_through`
    only such damage is found as keeps the record from being opened. RecordError where the folder does not
    let anything be done, or a match is being written.
    """
    try:
        if not is_there(folder / DATABASE) and not match_folders(folder):
            return ""
        with closing(MatchStore(folder)) as store:
            if reads_through:
                store.check()
            found = _find_again(store, folder)
    except DamagedRecordError as error:
        refuse_while_claimed(folder)
        with refusals_said(folder / DATABASE, "cannot be put aside"):
            aside, found = _begin_anew(folder)
        return (
            f"{error}. It is kept as {aside.name}, and a new record begun with {_matches(found)}, to be "
            "judged again from the recordings"
        )
    except OSError as refused:
        hint = what_to_try(folder, refused.errno)
        raise RecordError(f"{folder}: cannot be read ({refused.strerror}); {hint}") from None
    if not found:
        return ""
    return f"{folder / DATABASE}: did not know {_matches(found)}, to be judged again from the recordings"


def _matches(number: int) -> str:
    return "1 match" if number == 1 else f"{number} matches"


def _begin_anew(folder: Path) -> tuple[Path, int]:
    """Put a new record in the place of the damaged one. Where that is now, and how many matches were found.

    If the power goes meanwhile, there is either the old record or the whole new one.
    """
    fresh = folder / FRESH
    shutil.rmtree(fresh, ignore_errors=True)
    with closing(MatchStore(fresh)) as store:
        found = _find_again(store, folder)
    sync_folder(fresh)
    aside = free_name(folder, "record-damaged-", ".sqlite")
    try:
        aside.hardlink_to(folder / DATABASE)
    except OSError:
        # Not every file system knows links.
        shutil.copyfile(folder / DATABASE, aside)
    for log in LOG_FILES:
        with suppress(FileNotFoundError):
            (folder / f"{DATABASE}{log}").rename(f"{aside}{log}")
    # A log is never left beside a database that is not its own.
    sync_folder(folder)
    (fresh / DATABASE).replace(folder / DATABASE)
    sync_folder(folder)
    shutil.rmtree(fresh, ignore_errors=True)
    return aside, found


def _find_again(store: MatchStore, folder: Path) -> int:
    """Begin in a record every match in `folder` that it does not know, and that has a recording. How many.

    One that somebody is at is his to begin.
    """
    found, known = 0, store.numbers()
    for place in match_folders(folder):
        if int(place.name) in known or is_claimed(place):
            continue
        with suppress(InputError):
            last = last_recording(place)
            settings, heading = open_recording(last).settings, read_heading(place)
            terms = Terms(
                rules=settings.rules,
                options=settings.options,
                players=settings.players,
                seats=settings.seats,
                dice=settings.dice,
                to_play=settings.to_play,
                title=heading.title,
                names=heading.names,
            )
            terms = replace(terms, values=values_of(terms))
            store.begin_match(
                int(place.name),
                terms,
                heading.begun,
                recording=str(last.relative_to(folder)),
                identity=heading.identity,
            )
            found += 1
    return found

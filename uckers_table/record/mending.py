"""A damaged record is put aside, never thrown away, and the matches in the folders are found again.

So they are where the record does not know them: its file was lost, or emptied.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from uckers_table.errors import DamagedRecordError, InputError, RecordError, UnreadError
from uckers_table.machine.files import (
    free_name,
    is_missing,
    is_there,
    not_given,
    read_through,
    refusals_said,
    size_of,
    sync_folder,
    what_to_try,
)
from uckers_table.record.claims import is_claimed, refuse_while_claimed
from uckers_table.record.heading import read_heading
from uckers_table.record.library import Library
from uckers_table.record.match_record import IDENTITY, NewPicture, Ruled, Terms
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


def pictures_found(folder: Path, number: int, rulings: Sequence[Ruled]) -> list[NewPicture]:
    """The pictures in a match's folder that are surely those behind these rulings.

    A ruling's are left out where its number, kind and time do not go together: faults of devices were
    numbered too, and no recording has them.
    """
    found: list[NewPicture] = []
    named: dict[int, str] = {}
    for name, path in pictures_in(match_folder(folder, number)):
        if name.kind:
            named[name.ruling] = name.kind
        file = str(path.relative_to(folder))
        found.append(NewPicture(name.ruling, name.what, file, size_of(path), name.t))
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
        try:
            found = _looked_through(folder, reads_through)
        except RecordError:
            # That may be a read that failed once. It is believed of a file of which every byte can be read.
            _read_all(folder)
            found = _looked_through(folder, reads_through)
    except DamagedRecordError as error:
        refuse_while_claimed(folder)
        with refusals_said(folder / DATABASE, "cannot be put aside"):
            anew = _begin_anew(folder)
        along = f". {_matches(anew.along)} without a recording came along" if anew.along else ""
        return (
            f"{error}. It is kept as {anew.aside.name}, and a new record begun with {_matches(anew.found)}, "
            f"to be judged again from the recordings{along}"
        )
    except OSError as refused:
        hint = what_to_try(folder, refused.errno)
        raise RecordError(f"{folder}: cannot be read ({refused.strerror}); {hint}") from None
    if not found:
        return ""
    return f"{folder / DATABASE}: did not know {_matches(found)}, to be judged again from the recordings"


def _looked_through(folder: Path, reads_through: bool) -> int:
    """How many matches the record did not know, and now does; DamagedRecordError where it is damaged."""
    with closing(MatchStore(folder)) as store:
        if reads_through:
            store.check()
        return _find_again(store, folder)


def _read_all(folder: Path) -> None:
    """Read the record's files; UnreadError where the card does not give one that is there."""
    for name in (DATABASE, f"{DATABASE}{LOG_FILES[0]}"):
        try:
            read_through(folder / name)
        except OSError as error:
            if not is_missing(error):
                raise not_given(folder / name, error) from None


def _matches(number: int) -> str:
    return "1 match" if number == 1 else f"{number} matches"


@dataclass(frozen=True)
class _Anew:
    """Where a damaged record lies now, how many matches the new one found, and how many it took along."""

    aside: Path
    found: int
    along: int


def _begin_anew(folder: Path) -> _Anew:
    """Put a new record in the place of the damaged one. It is the same record by its identity.

    If the power goes meanwhile, there is either the old record or the whole new one.
    """
    fresh = folder / FRESH
    shutil.rmtree(fresh, ignore_errors=True)
    with closing(MatchStore(fresh)) as store:
        found = _find_again(store, folder)
        along = _take_along(store, folder)
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
    return _Anew(aside, found, along)


def _take_along(store: MatchStore, damaged: Path) -> int:
    """Take over what a damaged record still gives and no recording has. How many matches.

    That is which record it is, and the matches that came from elsewhere.
    """
    library = Library(damaged)
    with suppress(RecordError, TypeError):
        if IDENTITY.fullmatch(identity := library.identity()):
            store.stand_for(identity)
    # Each match of a table has its folder. The list of them may lie in the damaged part.
    numbers = {int(place.name) for place in match_folders(damaged)}
    with suppress(RecordError):
        numbers.update(library.numbers())
    taken = 0
    for number in sorted(numbers - store.numbers()):
        if not is_claimed(match_folder(damaged, number)):
            with suppress(RecordError, InputError):
                store.take_along(library.match(number))
                taken += 1
    return taken


def _find_again(store: MatchStore, folder: Path) -> int:
    """Begin in a record every match in `folder` that it does not know, and that has a recording. How many.

    One that somebody is at is his to begin.
    """
    found, known = 0, store.numbers()
    for place in match_folders(folder):
        # One that cannot be read now is found by another start.
        with suppress(InputError, UnreadError):
            if int(place.name) in known or is_claimed(place):
                continue
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

"""A damaged record is put aside, never thrown away, and the matches in the folders are found again."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from uckers_table.errors import DamagedRecordError, InputError, RecordError
from uckers_table.record.match_record import Terms
from uckers_table.record.moment import Moment
from uckers_table.record.notation import values_of
from uckers_table.record.recording import RECORDING, open_recording
from uckers_table.record.store import DATABASE, MatchStore

LOG_FILES = ("-wal", "-shm")
"""What SQLite keeps beside a database; it belongs to that database alone."""
UNDATED = Moment(None, "", 0.0)


def mend(folder: Path, *, reads_through: bool = True) -> str:
    """If the record in a folder is damaged, begin a new one with every match whose recording is there.

    What was done, in one line; empty for a record that is sound, or that is not there. The new one has
    nothing of those matches but what they were played under: `rebuilding` puts the rest on it. Without
    `reads_through` only such damage is found as keeps the record from being opened. RecordError where the
    folder does not let anything be done.
    """
    if not (folder / DATABASE).exists():
        return ""
    try:
        with closing(MatchStore(folder)) as store:
            if reads_through:
                store.check()
        return ""
    except DamagedRecordError as error:
        aside = _put_aside(folder)
        found = _found_again(folder)
        matches = "1 match" if found == 1 else f"{found} matches"
        return (
            f"{error}. It is kept as {aside.name}, and a new record begun with {matches}, to be judged again "
            "from the recordings"
        )


def _put_aside(folder: Path) -> Path:
    number = 1
    while (aside := folder / f"record-damaged-{number}.sqlite").exists():
        number += 1
    try:
        (folder / DATABASE).rename(aside)
        for log in LOG_FILES:
            with suppress(FileNotFoundError):
                (folder / f"{DATABASE}{log}").rename(f"{aside}{log}")
    except OSError as error:
        raise RecordError(f"{folder / DATABASE}: cannot be put aside ({error.strerror})") from None
    return aside


def _found_again(folder: Path) -> int:
    """Put every match into a new record that has a folder with a recording. How many."""
    found = 0
    with closing(MatchStore(folder)) as store:
        for place in sorted(folder.iterdir()):
            if not (place.name.isdigit() and place.is_dir()):
                continue
            with suppress(InputError):
                settings = open_recording(place / RECORDING).settings
                terms = Terms(
                    rules=settings.rules,
                    options=settings.options,
                    players=settings.players,
                    seats=settings.seats,
                    dice=settings.dice,
                    to_play=settings.to_play,
                )
                terms = replace(terms, values=values_of(terms))
                store.begin_match(int(place.name), terms, UNDATED, recording=f"{place.name}/{RECORDING}")
                found += 1
    return found

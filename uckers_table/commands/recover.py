"""`uckers-table recover`: mends a damaged record from the recordings that lie beside it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.commands.options import add_record, own_record_of
from uckers_table.errors import InputError, RecordError, RecordingError, SenselessError
from uckers_table.keeping.rebuilding import rebuild
from uckers_table.machine.files import is_read_only, is_there, what_to_try
from uckers_table.record.claims import refuse_while_claimed
from uckers_table.record.library import Library
from uckers_table.record.mending import mend
from uckers_table.record.store import DATABASE, match_folders

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "recover",
        help="mend a damaged record from the recordings that lie beside it",
        description="Puts a damaged record aside, begins a new one, and judges again the recordings of "
        "matches whose rulings are not in it. Exit status 1: some recording cannot be judged again.",
    )
    add_record(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Mend the record. The exit status."""
    return recover(own_record_of(arguments), out=sys.stdout)


def recover(folder: Path, out: TextIO) -> int:
    """Mend a damaged record, and judge again the recordings of matches whose rulings are not in it.

    1 if a recording cannot be judged again, or a match cannot be read. RecordError while a table is at one,
    InputError where there is no record.
    """
    if not is_there(folder / DATABASE) and not match_folders(folder):
        raise InputError(f"{folder}: there is no record here; name its folder with --record")
    if is_read_only(folder):
        raise RecordError(f"{folder}: cannot be mended; {what_to_try(folder, None)}")
    refuse_while_claimed(folder)
    done = mend(folder)
    print(f"{done}." if done else f"{folder}: the record is sound.", file=out)
    library = Library(folder)
    last, is_whole = library.last_played(), True
    for number in library.numbers():
        try:
            match = library.match(number)
        except SenselessError:
            print(f"Match {number}: cannot be read. The others are as ever.", file=out)
            is_whole = False
            continue
        if match.rulings or not match.recording:
            continue
        try:
            # The last match may be the one that a table goes on with.
            entries = rebuild(folder, number, is_over=number != last)
        except RecordingError as error:
            print(f"Match {number}: {error}", file=out)
            is_whole = False
            continue
        print(f"Match {number}: {entries} entries from its recording.", file=out)
    return 0 if is_whole else 1

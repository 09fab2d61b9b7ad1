"""`uckers-table upkeep`: what the record needs now and then, while a match may be on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TextIO

from uckers_table.errors import RecordError
from uckers_table.machine import moment
from uckers_table.machine.files import is_read_only, is_there, what_to_try
from uckers_table.record.store import BUSY_S, DATABASE, MatchStore
from uckers_table.record.thinning import Budget, thin

EVERYTHING = Budget(megabytes=10**9)


def look_after(folder: Path, out: TextIO, budget: Budget = EVERYTHING) -> int:
    """See that the record is whole and in order; RecordError where it is not. The exit status.

    Pictures that are too many, or too old, go.
    """
    path = folder / DATABASE
    if not is_there(path):
        print(f"{path}: no match has been played yet", file=out)
        return 0
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_S)) as db:
            found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise RecordError(f"{path}: the record is damaged ({found}); keep a copy before you go on")
            db.execute("PRAGMA optimize")
            # What the table has written beside it goes into it, as far as nobody is reading there.
            db.execute("PRAGMA wal_checkpoint(PASSIVE)")
    except sqlite3.Error as error:
        if is_read_only(folder):
            raise RecordError(f"{path}: cannot be looked after; {what_to_try(folder, None)}") from None
        raise RecordError(f"{path}: the record cannot be looked after ({error}); is it damaged?") from None
    date = moment.now().date
    with closing(MatchStore(folder)) as store:
        gone = thin(store, budget, datetime.fromisoformat(date) if date else None)
    if gone:
        print(f"{path}: {gone} pictures were too many or too old, and are removed", file=out)
    print(f"{path}: whole and in order", file=out)
    return 0

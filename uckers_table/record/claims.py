"""Who writes a match: one at a time, so that nothing is put on record twice.

A claim is a lock on the match's folder. It goes with the process that has it, however that ends.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from uckers_table.errors import RecordError
from uckers_table.record.store import match_folders


@contextmanager
def claimed(match_folder: Path) -> Iterator[None]:
    """Have a match for oneself as long as this lasts; RecordError where another has it.

    Where there is no such folder, or its disk knows no locks, nobody is kept out.
    """
    try:
        descriptor = os.open(match_folder, os.O_RDONLY)
    except OSError:
        yield
        return
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RecordError(
                f"{match_folder}: a table is at this match; stop it, or wait for the end, and try again"
            ) from None
        except OSError:
            pass
        yield
    finally:
        os.close(descriptor)


def is_claimed(match_folder: Path) -> bool:
    """Whether another has the match."""
    try:
        with claimed(match_folder):
            return False
    except RecordError:
        return True


def refuse_while_claimed(record: Path) -> None:
    """RecordError where another has one of the matches of a record."""
    for folder in match_folders(record):
        with claimed(folder):
            pass

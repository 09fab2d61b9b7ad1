"""Who writes a match: one at a time, so that nothing is put on record twice.

A claim is a lock on the match's folder. It goes with the process that has it, however that ends.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

from uckers_table.errors import RecordError, UnreadError
from uckers_table.machine.files import is_missing, not_given
from uckers_table.record.store import match_folders

_Answer = TypeVar("_Answer")


_NO_LOCKS = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.ENOLCK, errno.EBADF)
"""How a disk says that it knows no locks. NFS locks only what is open for writing (EBADF; flock(2))."""


@contextmanager
def claimed(match_folder: Path) -> Iterator[None]:
    """Have a match for oneself as long as this lasts; RecordError where another has it.

    Where there is no such folder, or its disk knows no locks, nobody is kept out. UnreadError where the card
    does not say whether another has it.
    """
    with ExitStack() as closing:
        try:
            descriptor = _twice(lambda: os.open(match_folder, os.O_RDONLY))
            closing.callback(os.close, descriptor)
            _twice(lambda: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB))
        except BlockingIOError:
            raise RecordError(
                f"{match_folder}: a table is at this match; stop it, or wait for the end, and try again"
            ) from None
        except OSError as error:
            if not is_missing(error) and error.errno not in _NO_LOCKS:
                raise not_given(match_folder, error) from None
        yield


def _twice(ask: Callable[[], _Answer]) -> _Answer:
    """What the card answers. It is asked once more where that fails, but not where another has the match."""
    try:
        return ask()
    except BlockingIOError:
        raise
    except OSError:
        return ask()


def is_claimed(match_folder: Path) -> bool:
    """Whether another has the match; UnreadError where the card does not say."""
    try:
        with claimed(match_folder):
            return False
    except UnreadError:
        raise
    except RecordError:
        return True


def refuse_while_claimed(record: Path) -> None:
    """RecordError where another has one of the matches of a record, or the card does not say."""
    for folder in match_folders(record):
        with claimed(folder):
            pass

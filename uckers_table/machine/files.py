"""Files that a power cut leaves whole: as they were, or as they were to be.

What a function here has written is on the card when it returns, its name in the folder too. A file that is
written anew lies beside the old one until it is whole, and then takes its name.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from uckers_table.errors import RecordError

LEAST_ROOM = 2**15
"""Bytes. By so many SQLite's index of its log grows (walindex, WALINDEX_PGSZ)."""
PART = ".part"
"""The end of the name of a file that is being written; one that is left over means nothing."""


def write_whole(path: Path, content: str | bytes, *, mode: int = 0o666) -> None:
    """Write a file, whole or not at all; OSError where the card does not take it.

    `mode` is who may read and write it, less what the process masks.
    """
    part = path.with_name(f".{path.name}{PART}")
    try:
        # Made anew: the mode of one that is left over would stay as it is.
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        sync_folder(path.parent)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def remove(path: Path) -> None:
    """Remove a file, if it is there, so that no power cut brings it back; OSError where the card keeps it."""
    try:
        path.unlink()
    except FileNotFoundError:
        return
    sync_folder(path.parent)


def make_folder(path: Path) -> None:
    """Make a folder with those above it, unless it is there; OSError where the card does not take it."""
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(exist_ok=True)
    sync_folder(path.parent)


def free_name(folder: Path, start: str, end: str = "") -> Path:
    """The first path in a folder at which nothing is: `start`, a number from 1, and `end`."""
    names = (folder / f"{start}{number}{end}" for number in count(1))
    return next(path for path in names if not path.exists())


def sync_folder(path: Path) -> None:
    """Return when the names in a folder are on the card."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some file systems, such as FAT and those of networks, do not know this, and need it less.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def is_read_only(folder: Path) -> bool:
    """Whether the file system takes nothing: it was mounted so, or became so because its card fails."""
    try:
        return bool(os.statvfs(_there(folder)).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def what_to_try(folder: Path, error_number: int | None) -> str:
    """Why the card did not take something in a folder, as far as its error tells, and what people can do."""
    if error_number == errno.EROFS or is_read_only(folder):
        return "the card is read-only: start the machine again, and replace the card if that does not help"
    if error_number in (errno.ENOSPC, errno.EDQUOT) or _is_full(folder):
        return "the card is full: back it up, and clear it"
    if error_number == errno.EIO:
        return "the card fails: back it up, and replace it"
    return "may this user write there?"


@contextmanager
def refusals_said(path: Path, what: str) -> Iterator[None]:
    """Turns what the card refuses into RecordError: which file or folder, `what` cannot be done, and why."""
    try:
        yield
    except OSError as error:
        hint = what_to_try(path, error.errno)
        raise RecordError(f"{path}: {what} ({error.strerror}); {hint}") from None


def _is_full(folder: Path) -> bool:
    """Whether there is no room for what SQLite asks for at once: it calls that an I/O error."""
    try:
        about = os.statvfs(_there(folder))
    except OSError:
        return False
    return about.f_bavail * about.f_frsize < LEAST_ROOM


def _there(folder: Path) -> Path:
    """The folder, or the one above it that is there."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder

"""Files that a power cut leaves whole: as they were, or as they were to be.

What a function here has written is on the card when it returns, its name in the folder too. A file that is
written anew lies beside the old one until it is whole, and then takes its name.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from uckers_table.errors import RecordError, UnreadError

LEAST_ROOM = 2**15
"""Bytes. By so many SQLite's index of its log grows (walindex, WALINDEX_PGSZ)."""
PART = ".part"
"""The end of the name of a file that is being written; one that is left over means nothing."""


_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EBADF, errno.ELOOP, errno.ENAMETOOLONG)
"""How the system says that nothing is at a path. Any other error says nothing of what is there."""
_PIECE = 2**20
LOOKS = 2
"""So often the card is asked: a read that fails once may succeed at once."""


def is_missing(error: OSError) -> bool:
    """Whether an error says that nothing is at a path. Any other is no answer."""
    return error.errno in _NOT_THERE


def is_there(path: Path) -> bool:
    """Whether anything is at a path. The whole program asks here, or by the three questions below.

    Where the card gives no answer it counts as there. Whoever opens it hears what is wrong.
    """
    return _is(path, lambda about: True)


def is_folder(path: Path) -> bool:
    """Whether a folder is at a path; yes where the card gives no answer."""
    return _is(path, lambda about: stat.S_ISDIR(about.st_mode))


def is_plain_file(path: Path) -> bool:
    """Whether a file is at a path, and no device or pipe; yes where the card gives no answer."""
    return _is(path, lambda about: stat.S_ISREG(about.st_mode))


def size_of(path: Path) -> int:
    """The bytes of a file; 0 where nothing is there, or the card gives no answer."""
    try:
        about = _about(path)
    except FileNotFoundError:
        return 0
    return about.st_size if about is not None else 0


def nearest_there(folder: Path) -> Path:
    """The folder, or the one above it that is there."""
    while not is_there(folder) and folder != folder.parent:
        folder = folder.parent
    return folder


def _is(path: Path, holds: Callable[[os.stat_result], bool]) -> bool:
    try:
        about = _about(path)
    except FileNotFoundError:
        return False
    return about is None or holds(about)


def _about(path: Path) -> os.stat_result | None:
    """What the system knows of a path; None where it gives no answer. FileNotFoundError for nothing there."""
    for _ in range(LOOKS):
        try:
            return path.stat()
        except ValueError:
            # A path with NUL in it.
            raise FileNotFoundError(path) from None
        except OSError as error:
            if is_missing(error):
                raise FileNotFoundError(path) from None
    return None


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
    if is_folder(path):
        return
    make_folder(path.parent)
    path.mkdir(exist_ok=True)
    sync_folder(path.parent)


def free_name(folder: Path, start: str, end: str = "") -> Path:
    """The first path in a folder that has no file of that name: `start`, a number from 1, and `end`.

    OSError where the folder cannot be read.
    """
    taken = {each.name for each in folder.iterdir()}
    return next(folder / name for number in count(1) if (name := f"{start}{number}{end}") not in taken)


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
        return bool(os.statvfs(nearest_there(folder)).f_flag & os.ST_RDONLY)
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
    if error_number == errno.EBUSY:
        return "another program has it open: end that one, or wait for it"
    return "may this user write there?"


def not_given(path: Path, error: OSError) -> UnreadError:
    """What the card does not give: which file or folder, and why."""
    hint = what_to_try(path, error.errno)
    return UnreadError(f"{path}: cannot be read now ({error.strerror}); {hint}")


def read_through(path: Path) -> None:
    """Read all of a file as SQLite reads one; OSError where the card does not give it."""
    with path.open("rb", buffering=0) as file:
        place = 0
        while piece := os.pread(file.fileno(), _PIECE, place):
            place += len(piece)


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
        about = os.statvfs(nearest_there(folder))
    except OSError:
        return False
    return about.f_bavail * about.f_frsize < LEAST_ROOM

"""The whole record on a stick, and back.

    uckers-table-backup/
      manifest.json       every file of the record, with its size and SHA-256
      files/ab/abcd…      the files' contents, each named by its SHA-256

The manifest is replaced last, in one step, and contents are never changed: a copy that is interrupted leaves
the backup before it whole, and the next copies only what is new. What was written is read again and checked.
Which of two records is the newer is told by what they hold, never by a clock.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from uckers_table.errors import InputError, RecordError
from uckers_table.foreign.documents import bytes_of, json_from
from uckers_table.foreign.places import inside
from uckers_table.machine.files import (
    PART,
    free_name,
    is_folder,
    is_plain_file,
    is_there,
    size_of,
    sync_folder,
    write_whole,
)
from uckers_table.machine.progress import Progress, Tell, tell_nobody
from uckers_table.record.claims import refuse_while_claimed
from uckers_table.record.kept_rules import KEPT_RULES, is_of_kept_rules, kept_files
from uckers_table.record.store import DATABASE, MatchStore, is_of_a_match, match_folders

BACKUP = "uckers-table-backup"
MANIFEST = "manifest.json"
FORMAT = "uckers-table backup 1"
MOST_FILES = 500_000
"""Of a record. Fifty thousand pictures fill a card, and take 7 MB of the manifest."""
_DIGEST = re.compile("[0-9a-f]{64}")
_CONTENTS = "files"
_PIECE = 2**20
_STICKS = ("/media/", "/run/media/", "/mnt/")
"""Where machines mount what is plugged in."""

MOUNTS = Path("/proc/mounts")
"""What is mounted: a line each, its device and its place first (proc(5))."""

_REASONS = {
    errno.ENOSPC: "there is no room left on it",
    errno.EROFS: "it is read-only",
    errno.EACCES: "it may not be written to",
    errno.EPERM: "it may not be written to",
    errno.EIO: "it does not answer; was it pulled out?",
    errno.ENODEV: "it is gone; was it pulled out?",
    errno.ENOENT: "it is gone; was it pulled out?",
}


@dataclass(frozen=True)
class Holding:
    """What a record holds: whose it is (a record's own number, for good), and how much."""

    identity: str
    matches: int = 0
    rulings: int = 0


@dataclass(frozen=True)
class Manifest:
    """What a backup holds; `files` by their path in the record's folder: SHA-256 in hexadecimal, and size."""

    holding: Holding
    files: dict[str, tuple[str, int]]


@dataclass(frozen=True)
class Copied:
    """What a backup or restore did: all files and bytes there are now, and how many were new."""

    matches: int
    files: int
    size: int
    new: int
    aside: Path | None = None
    """Where a record lies now that was there before a restore."""


def sticks(mounts: Path = MOUNTS) -> list[Path]:
    """The folders where something is plugged in, as the system has mounted it.

    What is mounted there and is no device, a share of another machine or memory, is no stick.
    """
    try:
        mounted = [line.split() for line in mounts.read_text(encoding="utf-8").splitlines()]
    except OSError:
        return []
    devices = [place for source, place, *_ in mounted if source.startswith("/dev/")]
    places = [place.encode().decode("unicode_escape") for place in devices]
    return [Path(place) for place in places if place.startswith(_STICKS)]


# ---------------------------------------------------------------------- out


def look_at_nothing() -> None:
    """What long work calls between its steps where nobody ever stops it."""


def backup(
    record: Path,
    stick: Path,
    *,
    is_forced: bool = False,
    tell: Tell = tell_nobody,
    look: Callable[[], None] = look_at_nothing,
) -> Copied:
    """Copy the whole record to a stick, while a table may be writing to it; `tell` hears of each file.

    `look` is called before each megabyte, and ends the copy by whatever it raises.
    RecordError, with the backup before it untouched, where the stick does not take it, or, unless forced,
    holds another table's record or more than this one.
    """
    if not is_there(record / DATABASE):
        raise InputError(f"{record}: there is no record here; name its folder with --record")
    if not is_folder(stick):
        raise InputError(f"{stick}: is no folder; is the stick mounted?")
    if record.resolve() in (stick.resolve(), *stick.resolve().parents):
        raise InputError(f"{stick}: lies in the record itself; name a folder on a stick")
    place = stick / BACKUP
    with _written(stick):
        (place / _CONTENTS).mkdir(parents=True, exist_ok=True)
        before = read_manifest(stick) if is_there(place / MANIFEST) else None
        shelf = _Shelf(place / _CONTENTS, look)
        copy = place / f"{DATABASE}{PART}"
        try:
            holding = _copy_database(record, copy)
            if before is not None and not is_forced:
                _refuse_newer(holding, before.holding, f"the backup on {stick}")
            # The record first: what the recordings have beyond it is put on record when a match goes on.
            files = {DATABASE: shelf.add(copy)}
        finally:
            copy.unlink(missing_ok=True)
        paths = list(_files_of(record))
        for number, path in enumerate(paths, start=1):
            with suppress(FileNotFoundError):
                # Gone meanwhile: pictures go when there are too many.
                files[str(path.relative_to(record))] = shelf.add(path)
            tell(Progress("Copying", number, len(paths), "files"))
        _sync_all(place)
        _write_manifest(place, Manifest(holding, files))
        _sync_all(place)
        shelf.keep_only({digest for digest, _ in files.values()})
    return Copied(holding.matches, len(files), sum(size for _, size in files.values()), shelf.new)


def _copy_database(record: Path, copy: Path) -> Holding:
    """A copy of the database as it is at one moment, sound; what it holds."""
    copy.unlink(missing_ok=True)
    MatchStore(record).close()
    try:
        with closing(sqlite3.connect(record / DATABASE)) as database, closing(sqlite3.connect(copy)) as other:
            database.backup(other)
            other.execute("PRAGMA journal_mode = DELETE")
            if other.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise RecordError(
                    f"{record / DATABASE}: is damaged; `uckers-table recover` saves what there is"
                )
            return _holding(other)
    except sqlite3.Error as error:
        raise RecordError(f"{copy.parent}: the record could not be copied ({error})") from None


def _holding(database: sqlite3.Connection) -> Holding:
    named = database.execute("SELECT identity FROM record").fetchone()
    if named is None:
        raise RecordError("the record does not say which it is; it was damaged, or made elsewhere")
    (matches,) = database.execute("SELECT COUNT(*) FROM match").fetchone()
    (rulings,) = database.execute("SELECT COUNT(*) FROM ruling").fetchone()
    return Holding(str(named[0]), matches, rulings)


def _refuse_newer(source: Holding, target: Holding, what: str) -> None:
    if target.identity != source.identity and target.matches:
        raise RecordError(
            f"{what} is another record's ({target.matches} matches); use another folder, or --force"
        )
    if (target.matches, target.rulings) > (source.matches, source.rulings):
        more = f"{target.matches} matches and {target.rulings} rulings"
        raise RecordError(
            f"{what} is newer: it has {more}, this one {source.matches} and {source.rulings}; "
            f"--force puts the older over it"
        )


def _files_of(record: Path) -> Iterator[Path]:
    """Recordings, pictures and kept rules: all that a restore would take back beside the database."""
    in_matches = (path for folder in match_folders(record) for path in sorted(folder.rglob("*")))
    for path in chain(in_matches, kept_files(record).values()):
        with suppress(InputError):
            if is_plain_file(path) and path.suffix != PART:
                yield inside(record, str(path.relative_to(record)))


class _Shelf:
    """Contents by their SHA-256."""

    def __init__(self, folder: Path, look: Callable[[], None] = look_at_nothing) -> None:
        self.folder, self._look = folder, look
        self.new = 0

    def path(self, digest: str) -> Path:
        return self.folder / digest[:2] / digest

    def add(self, source: Path) -> tuple[str, int]:
        """Put a file's contents here, unless they are; its digest and size. What is new is read again."""
        part = self.folder / PART
        with source.open("rb") as file:
            digest, size = _digest(file, look=self._look)
        if is_there(there := self.path(digest)) and size_of(there) == size:
            return digest, size
        # A recording may have grown since: what is copied is what was hashed.
        with source.open("rb") as file, part.open("wb") as out:
            digest, size = _digest(file, out, look=self._look)
            out.flush()
            os.fsync(out.fileno())
            _forget_cached(out)
        with part.open("rb") as file:
            if _digest(file, look=self._look) != (digest, size):
                raise RecordError(f"{part}: what was written reads otherwise; is the stick failing?")
        there = self.path(digest)
        there.parent.mkdir(exist_ok=True)
        part.replace(there)
        self.new += 1
        return digest, size

    def keep_only(self, digests: set[str]) -> None:
        """Remove the contents that no file has any more."""
        for path in self.folder.glob("??/*"):
            if path.name not in digests:
                path.unlink()


def _digest(
    file: BinaryIO,
    out: BinaryIO | None = None,
    most: int | None = None,
    look: Callable[[], None] = look_at_nothing,
) -> tuple[str, int]:
    """The SHA-256 and size of a file, which is written to another on the way; of its first `most` bytes."""
    digest, size = hashlib.sha256(), 0
    look()
    while piece := file.read(_PIECE if most is None else min(_PIECE, most - size)):
        look()
        digest.update(piece)
        size += len(piece)
        if out is not None:
            out.write(piece)
    return digest.hexdigest(), size


def _forget_cached(file: BinaryIO) -> None:
    """Have the file read from the stick next, and not from memory."""
    with suppress(OSError, AttributeError):
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _sync_all(place: Path) -> None:
    """Return when everything on the stick that holds a place has reached it, names of files among it."""
    descriptor = os.open(place, os.O_RDONLY)
    try:
        if ctypes.CDLL(None, use_errno=True).syncfs(descriptor):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    except AttributeError:
        os.sync()
    finally:
        os.close(descriptor)


def _write_manifest(place: Path, manifest: Manifest) -> None:
    data = {"format": FORMAT, "holding": vars(manifest.holding), "files": manifest.files}
    write_whole(place / MANIFEST, json.dumps(data))


# ---------------------------------------------------------------------- back


def read_manifest(stick: Path) -> Manifest:
    """What the backup on a stick holds; InputError where there is none, or it makes no sense."""
    path = stick / BACKUP / MANIFEST
    try:
        return _manifest(json_from(bytes_of(path)))
    except OSError as error:
        raise InputError(
            f"{path}: {error.strerror}; name a folder that `uckers-table backup` wrote to"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: is no list of a backup's files ({error})") from None


def _manifest(data: Any) -> Manifest:
    """What a manifest says, which may come from anywhere; ValueError and its like where it makes no sense."""
    if data["format"] != FORMAT:
        raise ValueError(f"its format is {data['format']!r}")
    holding = Holding(**data["holding"])
    counts = (holding.matches, holding.rulings)
    if not isinstance(holding.identity, str) or any(type(count) is not int or count < 0 for count in counts):
        raise ValueError("'holding' is no record's")
    files = {name: (digest, size) for name, (digest, size) in data["files"].items()}
    if DATABASE not in files or len(files) > MOST_FILES:
        raise ValueError(f"a record has {DATABASE} and at most {MOST_FILES} files, and it has {len(files)}")
    for name, (digest, size) in files.items():
        if name != DATABASE and not is_of_a_match(name) and not is_of_kept_rules(name):
            raise ValueError(f"{name!r} is no file of a record")
        if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
            raise ValueError(f"{name!r} has a SHA-256 that is none")
        if type(size) is not int or size < 0:
            raise ValueError(f"{name!r} has {size!r} bytes")
    return Manifest(holding, files)


def restore(stick: Path, record: Path, *, is_forced: bool = False, tell: Tell = tell_nobody) -> Copied:
    """Put the record of a backup in place; one that is there is kept beside it. No table may be running.

    `tell` hears of each file.

    What else lies in the record's folder is the machine's own and stays as it is: how the camera was
    calibrated, the network's password, what the tower said last.
    Everything is checked before anything is replaced. RecordError where a file is damaged or cannot be
    written, where a table is at a match, or, unless forced, the record that is there is another's, or newer.
    """
    manifest = read_manifest(stick)
    if is_there(record) and not is_folder(record):
        raise InputError(f"{record}: is no folder; name the record's with --record")
    refuse_while_claimed(record)
    has_record = is_there(record / DATABASE)
    if has_record and not is_forced:
        _refuse_newer(manifest.holding, holding_of(record), f"the record in {record}")
    part = record.with_name(f"{record.name}{PART}")
    shelf = _Shelf(stick / BACKUP / _CONTENTS)
    try:
        with _written(record):
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            for number, (name, wanted) in enumerate(manifest.files.items(), start=1):
                _put_back(shelf, inside(part, name), wanted)
                tell(Progress("Putting back", number, len(manifest.files), "files"))
            _check_database(part)
            aside = None
            if is_there(record):
                _copy_machines_own(record, part)
                aside = free_name(record.parent, f"{record.name}-before-restore-")
            _sync_all(part)
            if aside is not None:
                record.rename(aside)
            part.rename(record)
            sync_folder(record.absolute().parent)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    sizes = [size for _, size in manifest.files.values()]
    return Copied(manifest.holding.matches, len(sizes), sum(sizes), len(sizes), aside)


def _check_database(folder: Path) -> None:
    """RecordError where the database that was put into a folder is not sound, or no record's.

    One of a stranger's making might have tables that never end, or that change others.
    """
    path = folder / DATABASE
    try:
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA trusted_schema = OFF")
            kinds = database.execute("SELECT type, name FROM sqlite_schema").fetchall()
            strange = [name for kind, name in kinds if kind not in ("table", "index")]
            found = strange or database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise RecordError(f"{path.name}: is damaged, or no record ({found}); nothing was put back")
        holding_of(folder)
    except sqlite3.Error as error:
        raise RecordError(f"{path.name}: is damaged, or no record ({error}); nothing was put back") from None


def _copy_machines_own(record: Path, part: Path) -> None:
    """All but matches and databases; who may read it stays as it is."""
    matches = set(match_folders(record))
    for path in record.iterdir():
        if path in matches or path.name.startswith(Path(DATABASE).stem):
            continue
        if path.name == KEPT_RULES:
            _copy_kept_rules(record, part)
        elif is_folder(path):
            shutil.copytree(path, part / path.name)
        else:
            shutil.copy2(path, part / path.name)


def _copy_kept_rules(record: Path, part: Path) -> None:
    """This machine's own rules; of two that have one name the backup's counts."""
    (part / KEPT_RULES).mkdir(exist_ok=True)
    for file in kept_files(record).values():
        if not is_there(part / KEPT_RULES / file.name):
            shutil.copy2(file, part / KEPT_RULES / file.name)


def holding_of(record: Path) -> Holding:
    """What the record in a folder holds."""
    MatchStore(record).close()
    with closing(sqlite3.connect(record / DATABASE)) as database:
        return _holding(database)


def _put_back(shelf: _Shelf, target: Path, wanted: tuple[str, int]) -> None:
    source = shelf.path(wanted[0])
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        # A pipe would be waited for, and a device has no end.
        size = size_of(source) if is_plain_file(source) else None
        file = source.open("rb") if size is not None else None
    except OSError as error:
        raise RecordError(f"{source}: cannot be read ({error.strerror}); the backup is not whole") from None
    if file is None:
        raise RecordError(f"{source}: is no file; the backup is not whole")
    with file, target.open("xb") as out:
        if size != wanted[1] or _digest(file, out, wanted[1]) != wanted:
            raise RecordError(f"{source}: is damaged; nothing was put back")
        out.flush()
        os.fsync(out.fileno())


@contextmanager
def _written(place: Path) -> Iterator[None]:
    """What the system says of a place that does not take what is written, in one line."""
    try:
        yield
    except OSError as error:
        why = _REASONS.get(error.errno or 0, error.strerror or str(error))
        raise RecordError(f"{place}: cannot be written: {why}") from None

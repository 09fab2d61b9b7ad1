"""The match record: every match in one SQLite database; the writing side. `library` is the reading one.

What is appended has reached the card when the call returns (write-ahead log, full synchronisation), so a
ruling that was announced is never lost. Pictures lie in files beside the database; the record holds their
names, relative to it.
"""

from __future__ import annotations

import errno
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

from uckers_table.errors import DamagedRecordError, RecordError
from uckers_table.machine.files import is_folder, make_folder, size_of, sync_folder, what_to_try
from uckers_table.machine.moment import Moment
from uckers_table.record.match_record import (
    DISPUTED,
    SYNCHRONISED,
    TOLD,
    Called,
    Entry,
    MatchRecord,
    NewPicture,
    Ruled,
    Terms,
    Thrown,
    as_lists,
)
from uckers_table.record.schema import STEPS

DATABASE = "record.sqlite"
RULING_ID = "SELECT id FROM ruling WHERE match_id = ? ORDER BY place LIMIT 1 OFFSET ?"
"""The row of the ruling of a match that has so many before it."""
LONGEST_NUMBER = 9
"""Digits of a match's number: no mess plays more, and a database takes no number of any size."""
LARGEST_CHECKED = 200 * 2**20
"""Bytes; some hundreds of matches, read through in a second or two from a card."""
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_AS_ERRNO = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_BUSY: errno.EBUSY,
}
_MEASURED = "typeof(bytes) = 'integer' AND bytes > 0"
"""Of a picture whose bytes are on record."""
_ENTRIES = ("throw", "call", "ruling")
"""The tables that the entries of a match are in."""
BUSY_S = 5.0
"""How long to wait for another program that has the record open."""
TRIED_AGAIN_S = 0.02
"""… between one try and the next, where SQLite itself does not wait."""

_Read = TypeVar("_Read")


@dataclass(frozen=True)
class KeptPicture:
    """A picture that is named in the record, of a match: its file relative to the record.

    `size` is its bytes (0: not known), and `begun` the date of its match, if known. All of it is as the
    record has it, which may come from elsewhere.
    """

    match: int
    file: str
    size: int
    begun: str | None


@dataclass(frozen=True)
class TakenIn:
    """What became of a match that came from elsewhere: its number here, and whether it was known.

    It `is_new` if anything was written: the match, or how it went on.
    """

    number: int
    is_known: bool
    is_new: bool


class MatchStore:
    """The record on disk, opened for one table. Use one from one thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / DATABASE
        try:
            make_folder(folder)
            read_twice(self._open)
        except (OSError, sqlite3.Error) as error:
            if is_damage(error):
                raise DamagedRecordError(f"{self.path}: the match record is damaged ({error})") from None
            raise RecordError(
                f"{self.path}: the match record cannot be opened ({_in_words(error)}); {_hint(folder, error)}"
            ) from None

    def _open(self) -> None:
        # Transactions are written out below, so that what is synced when can be read in the code.
        self._db = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            self._write_ahead()
            self._db.execute("PRAGMA synchronous = FULL")
            self._migrate()
            self._db.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            self._db.close()
            raise

    def _write_ahead(self) -> None:
        """Have the file write ahead, waiting for others: of two that make an older one do so, SQLite turns
        one away at once, however long it may wait.
        """
        until = monotonic() + BUSY_S
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > until:
                    raise
                sleep(TRIED_AGAIN_S)

    def check(self) -> None:
        """Read the file through, unless that would take long; DamagedRecordError if it is damaged.

        It says so of a read that has failed, too.
        """
        if size_of(self.path) > LARGEST_CHECKED:
            return
        try:
            found = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.Error as error:
            if not is_damage(error):
                raise RecordError(f"{self.path}: the match record cannot be read ({error})") from None
            found = str(error)
        if found != "ok":
            raise DamagedRecordError(f"{self.path}: the match record is damaged ({found})")

    def _migrate(self) -> None:
        """Apply the steps of the schema that are new to this file.

        Foreign keys are not enforced meanwhile, because a table that is made anew is for a moment not there.
        """
        done = self._version()
        if done > len(STEPS):
            raise RecordError(f"{self.path}: written by a newer uckers-table; update this one")
        for number, (_, sql) in enumerate(STEPS[done:], start=done + 1):
            try:
                self._db.executescript(f"BEGIN IMMEDIATE; {sql} PRAGMA user_version = {number}; COMMIT;")
            except sqlite3.Error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                # Table and page may open an old record at once: whoever comes second finds the step done.
                if self._version() < number:
                    raise

    def _version(self) -> int:
        """How many steps of the schema the file has."""
        version: int = self._db.execute("PRAGMA user_version").fetchone()[0]
        return version

    def numbers(self) -> frozenset[int]:
        """The numbers of all matches."""
        with self._writing():
            return frozenset(number for (number,) in self._db.execute("SELECT id FROM match"))

    def new_number(self) -> int:
        """The number of a match to begin: above all before it, and its folder beside the record is new."""
        with self._writing():
            number: int = self._db.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM match").fetchone()[0]
            # A folder may outlive the database that knew it, and what lies in it is evidence.
            while True:
                folder = match_folder(self.folder, number)
                try:
                    folder.mkdir()
                except FileExistsError:
                    number += 1
                    continue
                try:
                    sync_folder(self.folder)
                except OSError:
                    folder.rmdir()
                    raise
                return number

    def begin_match(
        self, number: int, terms: Terms, begun: Moment, *, recording: str = "", identity: str = ""
    ) -> None:
        """Open a match; `recording` is a folder relative to the record, `identity` as in `MatchSummary`.

        It may be tried again: a card that refuses to sync may have written it nevertheless.
        """
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("DELETE FROM match WHERE id = ?", (number,))
            self._insert_match(number, terms, recording, identity)
            self._db.execute(
                "UPDATE match SET begun = ?, clock = ?, begun_boot = ?, begun_s = ? WHERE id = ?",
                (begun.date, SYNCHRONISED if begun.date else "", begun.boot, begun.since_boot_s, number),
            )
            self._db.execute("COMMIT")

    def _insert_match(self, number: int, terms: Terms, recording: str, identity: str) -> None:
        self._db.execute(
            "INSERT INTO match (id, rules, options, option_values, title, seats, players, names, dice,"
            " to_play, recording, identity) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(number, terms.rules, json.dumps(dict(terms.options)), json.dumps(dict(terms.values))),
                *(terms.title, json.dumps(terms.seats), terms.players, json.dumps(dict(terms.names))),
                *(terms.dice, terms.to_play, recording, identity),
            ),
        )

    def record_in(self, match_id: int, recording: str) -> None:
        """A match goes on in another recording, a folder relative to the record."""
        with self._writing():
            self._db.execute("UPDATE match SET recording = ? WHERE id = ?", (recording, match_id))

    def append(self, match_id: int, entries: Iterable[Entry]) -> list[int]:
        """Keep what happened, in order; all of it or nothing. The numbers of the rulings.

        The rulings of a match are numbered from 1.
        """
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            before = self._count_rulings(match_id)
            self._insert_entries(match_id, entries)
            after = self._count_rulings(match_id)
            self._db.execute("COMMIT")
        return list(range(before + 1, after + 1))

    def _count_rulings(self, match_id: int) -> int:
        counted: int = self._db.execute(
            "SELECT COUNT(*) FROM ruling WHERE match_id = ?", (match_id,)
        ).fetchone()[0]
        return counted

    def _insert_entries(self, match_id: int, entries: Iterable[Entry]) -> None:
        first = self._next_place(match_id)
        for place, entry in enumerate(entries, start=first):
            match entry:
                case Thrown():
                    self._insert("throw", match_id, place, _throw_row(entry))
                case Called():
                    self._insert("call", match_id, place, _call_row(entry))
                case Ruled():
                    self._insert("ruling", match_id, place, _ruling_row(entry))

    def _next_place(self, match_id: int) -> int:
        """The place of the next entry of a match among all of its entries."""
        last: int = self._db.execute(
            "SELECT MAX(COALESCE((SELECT MAX(place) FROM throw WHERE match_id = :match), 0),"
            " COALESCE((SELECT MAX(place) FROM call WHERE match_id = :match), 0),"
            " COALESCE((SELECT MAX(place) FROM ruling WHERE match_id = :match), 0))",
            {"match": match_id},
        ).fetchone()[0]
        return last + 1

    def _insert(self, table: str, match_id: int, place: int, row: dict[str, Any]) -> None:
        names = ", ".join(["match_id", "place", *row])
        marks = ", ".join("?" * (len(row) + 2))
        # The names are columns of ours; whatever came from outside is among the values.
        self._db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", (match_id, place, *row.values()))

    def add_picture(
        self, match_id: int, ruling: int, what: str, file: str, size: int, t: float | None = None
    ) -> None:
        """Name a picture behind a ruling: what it shows, its file relative to the record, its bytes."""
        self.add_pictures(match_id, [NewPicture(ruling, what, file, size, t)])

    def add_pictures(self, match_id: int, pictures: Iterable[NewPicture]) -> None:
        """Name pictures behind rulings of a match; all of them or none."""
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                f"INSERT INTO picture (ruling_id, what, t, file, bytes) VALUES (({RULING_ID}), ?, ?, ?, ?)",
                [(match_id, each.ruling - 1, each.what, each.t, each.file, each.size) for each in pictures],
            )
            self._db.execute("COMMIT")

    def pictures_of(self, match_id: int) -> frozenset[str]:
        """The files that are named as pictures of a match."""
        with self._writing():
            rows = self._db.execute(
                "SELECT file FROM ruling JOIN picture ON ruling_id = ruling.id"
                " WHERE match_id = ? AND file IS NOT NULL",
                (match_id,),
            )
            return frozenset(file for (file,) in rows)

    def pictures_size(self) -> int:
        """The bytes of all pictures in the folders of their matches, as the record has them.

        SQLite adds them up, and other threads go on meanwhile.
        """
        with self._writing():
            size: float = self._db.execute(
                "SELECT TOTAL(size) FROM (SELECT MAX(bytes) AS size FROM picture"
                " CROSS JOIN ruling ON ruling.id = ruling_id"
                f" WHERE file IS NOT NULL AND {_MEASURED} AND CAST(file AS INTEGER) = match_id"
                " AND substr(file, -4) = '.jpg' GROUP BY file)"
            ).fetchone()[0]
        return int(size)

    def pictures_unmeasured(self) -> list[KeptPicture]:
        """Those of the pictures whose bytes the record does not have."""
        return list(self._pictures(f"NOT ({_MEASURED})", ()))

    def pictures_kept(self, matches: Collection[int] | None = None) -> Iterator[KeptPicture]:
        """The pictures that are there, of all matches or of these, in the order in which they go: those of
        accusations last. Each is fetched as it is asked for.
        """
        if matches is None:
            return self._pictures("TRUE", ())
        return self._pictures(f"match_id IN ({', '.join('?' * len(matches))})", tuple(matches))

    def _pictures(self, condition: str, values: tuple[int, ...]) -> Iterator[KeptPicture]:
        with self._writing():
            rows = self._db.execute(
                "SELECT match.id, picture.file, picture.bytes, match.begun FROM picture"
                " JOIN ruling ON ruling.id = ruling_id JOIN match ON match.id = match_id"
                f" WHERE file IS NOT NULL AND {condition}"
                f" ORDER BY ruling.kind IN ({', '.join('?' * len(DISPUTED))}),"
                " match_id, ruling.place, picture.id",
                (*values, *sorted(DISPUTED)),
            )
            yield from (KeptPicture(*row) for row in rows)

    def dates_of_pictures(self) -> dict[int, str]:
        """When each match began that has a picture and a date."""
        with self._writing():
            rows = self._db.execute(
                "SELECT DISTINCT match.id, begun FROM picture CROSS JOIN ruling ON ruling.id = ruling_id"
                " CROSS JOIN match ON match.id = match_id WHERE file IS NOT NULL AND begun IS NOT NULL"
            ).fetchall()
        return dict(rows)

    def forget_pictures(self, why: Mapping[str, str]) -> None:
        """Pictures go, for the reason of each file: the record says why wherever one was named."""
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "UPDATE picture SET file = NULL, removed = ? WHERE file = ?",
                [(reason, file) for file, reason in why.items()],
            )
            self._db.execute("COMMIT")

    def end_match(
        self, match_id: int, ended: Moment, *, t: float, winner: Iterable[str], honours: Iterable[str]
    ) -> None:
        """Close a match with its result; an empty `winner` for a match that was left."""
        with self._writing():
            self._db.execute(
                "UPDATE match SET winner = ?, honours = ?, ended_t = ?, ended = ?, ended_boot = ?,"
                " ended_s = ? WHERE id = ?",
                (
                    *(json.dumps(list(winner)), json.dumps(list(honours)), t),
                    *(ended.date, ended.boot, ended.since_boot_s, match_id),
                ),
            )

    def set_dates(self, told: datetime, now: Moment) -> int:
        """Date what this boot of the machine began and ended with no date, now that somebody told the time.

        How many matches have got one.
        """
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            matches = set[int]()
            for end in ("begun", "ended"):
                rows = self._db.execute(
                    f"SELECT id, {end}_s FROM match WHERE {end} IS NULL AND {end}_boot = ?", (now.boot,)
                ).fetchall()
                for number, since_boot_s in rows:
                    date = told - timedelta(seconds=now.since_boot_s - since_boot_s)
                    self._db.execute(
                        f"UPDATE match SET {end} = ?, clock = ? WHERE id = ?",
                        (date.isoformat(timespec="seconds"), TOLD, number),
                    )
                    matches.add(number)
            self._db.execute("COMMIT")
        return len(matches)

    def identify(self, number: int, identity: str) -> None:
        """Say which match it is that an older program kept."""
        with self._writing():
            self._db.execute("UPDATE match SET identity = ? WHERE id = ?", (identity, number))

    def take_in(self, record: MatchRecord) -> TakenIn:
        """Take in a match from elsewhere, whole or not at all, under the next number.

        One that is here already is not taken in again. If it is here from elsewhere, and more is told of it
        now, the whole takes the place of the part.
        """
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            number, is_whole = self._known(record)
            if is_whole:
                self._db.execute("ROLLBACK")
                return TakenIn(number, is_known=True, is_new=False)
            if number:
                self._forget(number)
            taken = TakenIn(number or self.new_number(), is_known=bool(number), is_new=True)
            self._insert_whole(taken.number, record)
            self._db.execute("COMMIT")
        return taken

    def _insert_whole(self, number: int, record: MatchRecord) -> None:
        summary = record.summary
        self._insert_match(number, summary.terms, record.recording, summary.identity)
        winner = summary.winner
        self._db.execute(
            "UPDATE match SET begun = ?, ended = ?, clock = ?, winner = ?, honours = ?, ended_t = ?"
            " WHERE id = ?",
            (
                *(summary.begun, summary.ended, summary.clock),
                *(None if winner is None else json.dumps(winner), json.dumps(summary.honours)),
                *(None if winner is None else summary.lasted_s, number),
            ),
        )
        self._insert_entries(number, record.entries)

    def take_along(self, record: MatchRecord) -> None:
        """Take in a match of a damaged record under the number that it has there, whole or not at all."""
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            self._insert_whole(record.summary.number, record)
            self._db.execute("COMMIT")

    def stand_for(self, identity: str) -> None:
        """Be the record of this identity, in the place of a damaged one."""
        with self._writing():
            self._db.execute("UPDATE record SET identity = ?", (identity,))

    def _known(self, record: MatchRecord) -> tuple[int, bool]:
        """The number under which a match is here, 0 if it is not; and whether nothing more is told of it."""
        counts = (f"(SELECT COUNT(*) FROM {table} WHERE match_id = match.id)" for table in _ENTRIES)
        row = self._db.execute(
            f"SELECT id, recording != '', winner IS NOT NULL, {' + '.join(counts)}"
            " FROM match WHERE identity = ? AND identity != '' ORDER BY id",
            (record.summary.identity,),
        ).fetchone()
        if row is None:
            return 0, False
        number, was_played_here, is_closed, entries = row
        return number, was_played_here or is_closed or entries >= len(record.entries)

    def _forget(self, number: int) -> None:
        """Take a match from elsewhere off the record. It has no pictures."""
        for table in _ENTRIES:
            self._db.execute(f"DELETE FROM {table} WHERE match_id = ?", (number,))
        self._db.execute("DELETE FROM match WHERE id = ?", (number,))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Turns what goes wrong on the disk into one RecordError, and takes back what was half done."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            with suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            if is_damage(error):
                raise DamagedRecordError(
                    f"{self.path}: the match record is damaged ({error}); it is mended after the match"
                ) from None
            raise RecordError(
                f"{self.path}: the record cannot be written ({_in_words(error)}); {_hint(self.folder, error)}"
            ) from None

    def close(self) -> None:
        """Give the file back; safe to call twice."""
        self._db.close()


def match_folder(record: Path, number: int) -> Path:
    """Where the recording and the pictures of a match lie."""
    return record / f"{number:04d}"


def match_folders(record: Path) -> list[Path]:
    """Those of all matches that lie in a record's folder, if there is one."""
    if not is_folder(record):
        return []
    return sorted(each for each in record.iterdir() if _is_number(each.name) and is_folder(each))


def is_of_a_match(file: str) -> bool:
    """Whether a path, relative to a record, leads into the folder of a match."""
    number, _, name = file.partition("/")
    return _is_number(number) and bool(name)


def _is_number(name: str) -> bool:
    """Whether a folder of that name is one that `match_folder` gives."""
    # Other scripts have digits too, and some that `int` does not take.
    if not (name.isascii() and name.isdecimal() and len(name) <= LONGEST_NUMBER):
        return False
    return name == match_folder(Path(), int(name)).name and int(name) > 0


def read_twice(read: Callable[[], _Read]) -> _Read:
    """What reading a database gives. It is read once more, on a new connection, where that fails.

    SQLite calls a database damaged also if a read of it has failed. A lock has been waited for already.
    """
    try:
        return read()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            raise
    return read()


def is_damage(error: Exception) -> bool:
    """Whether SQLite says that the file itself is at fault."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE


def _in_words(error: OSError | sqlite3.Error) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _hint(folder: Path, error: OSError | sqlite3.Error) -> str:
    """What to try where a card did not take something."""
    if isinstance(error, OSError):
        return what_to_try(folder, error.errno)
    return what_to_try(folder, _AS_ERRNO.get(getattr(error, "sqlite_errorcode", 0) & 0xFF))


def _throw_row(thrown: Thrown) -> dict[str, Any]:
    return {
        "t": thrown.t,
        "side": thrown.side,
        "dice": json.dumps(thrown.dice),
        "state": thrown.state,
        "source": thrown.source,
        "purpose": thrown.purpose,
    }


def _call_row(called: Called) -> dict[str, Any]:
    return {
        "t": called.t,
        "side": called.side,
        "kind": called.call,
        "colour": called.colour,
        "steps": called.steps,
        "target": called.target,
        "is_double": called.double,
    }


def _ruling_row(ruled: Ruled) -> dict[str, Any]:
    return {
        "t": ruled.t,
        "kind": ruled.ruling,
        "reason": ruled.reason,
        "side": ruled.side,
        "say": ruled.say,
        "position": json.dumps(as_lists(ruled.position)),
        "to_play": ruled.to_play,
        "awaiting": ruled.awaiting,
        "alike": json.dumps([as_lists(each) for each in ruled.alike]),
        "throw": json.dumps(ruled.throw),
        "moves": json.dumps([[move.colour, move.start, move.end] for move in ruled.moves]),
        "facts": json.dumps(dict(ruled.facts)),
    }

"""The reading side of the record: every match that was kept, as values.

It may be used from any thread and while a table writes: each question opens the file, reads and closes it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from uckers_table.errors import DamagedRecordError, InputError, RecordError, SenselessError
from uckers_table.foreign.documents import json_from
from uckers_table.foreign.places import inside
from uckers_table.machine.files import is_folder, is_there
from uckers_table.record.checking import sound, sound_summary
from uckers_table.record.counting import KeptCounts, counts_from, counts_text
from uckers_table.record.entries import standing
from uckers_table.record.match_record import (
    EVIDENCE,
    FRAME,
    Called,
    Entry,
    MatchRecord,
    MatchSummary,
    Moved,
    Picture,
    Ruled,
    Terms,
    Thrown,
)
from uckers_table.record.notation import values_of
from uckers_table.record.picture_names import kept_picture
from uckers_table.record.recording import PROFILE
from uckers_table.record.schema import STEPS
from uckers_table.record.store import (
    BUSY_S,
    DATABASE,
    RULING_ID,
    MatchStore,
    is_damage,
    match_folder,
    read_twice,
)

_Kept = TypeVar("_Kept")


@dataclass(frozen=True)
class FrameAround:
    """A picture from around a ruling: when it was taken, in seconds of the match, and its file."""

    t: float
    file: Path


class Library:
    """The record in a folder. RecordError where it cannot be read; an empty one where there is none yet.

    Matches go by their numbers, and the rulings of a match by theirs: the first of `MatchRecord.rulings` is
    1.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / DATABASE

    def matches(self) -> list[MatchSummary]:
        """All matches that make sense, by number; `senseless` names the others."""
        return [summary for summary in self._summaries().values() if summary is not None]

    def senseless(self) -> list[int]:
        """The numbers of the matches of which the record says what makes no sense. They cannot be read."""
        return [number for number, summary in self._summaries().items() if summary is None]

    def _summaries(self) -> dict[int, MatchSummary | None]:
        """All matches by number; None for one that makes no sense."""
        rows: list[sqlite3.Row] = self._read(
            lambda database: database.execute(f"{_SUMMARIES} ORDER BY id").fetchall(), []
        )
        summaries: dict[int, MatchSummary | None] = {}
        for row in rows:
            try:
                summaries[row["id"]] = self._sound(row["id"], partial(_sound_summary, row))
            except SenselessError:
                summaries[row["id"]] = None
        return summaries

    def sound_matches(self) -> Iterator[MatchRecord]:
        """All that is known of each match, by number; those that make no sense are left out."""
        for summary in self.matches():
            try:
                match = self.match(summary.number)
            except SenselessError:
                continue
            yield match

    def match(self, number: int) -> MatchRecord:
        """All that is known of a match; InputError where there is none of that number."""

        def read(database: sqlite3.Connection) -> MatchRecord | None:
            row = database.execute(f"{_SUMMARIES} WHERE id = ?", (number,)).fetchone()
            return self._sound(number, lambda: sound(_match(database, row))) if row is not None else None

        found = self._read(read, None)
        if found is None:
            raise InputError(f"{self.path}: there is no match {number}; `uckers-table matches` lists them")
        return found

    def _sound(self, number: int, read: Callable[[], _Kept]) -> _Kept:
        """What is read of a match; SenselessError where that makes no sense."""
        try:
            return read()
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            # No table writes that, but a record that was restored may be anybody's.
            raise SenselessError(f"{self.path}: match {number} makes no sense ({error})") from None

    def counted(self) -> dict[int, KeptCounts]:
        """What was counted of matches and kept, by their numbers; what makes no sense of it is left out."""
        # As bytes: SQLite would refuse all of them for one text that is none.
        asked = "SELECT match_id, CAST(mark AS BLOB) AS mark, CAST(counts AS BLOB) AS counts FROM counted"
        rows: list[sqlite3.Row] = self._read(lambda database: database.execute(asked).fetchall(), [])
        kept: dict[int, KeptCounts] = {}
        for row in rows:
            with suppress(ValueError, TypeError, LookupError, AttributeError):
                kept[row["match_id"]] = KeptCounts(row["mark"].decode(), counts_from(row["counts"]))
        return kept

    def keep_counted(self, counted: Mapping[int, KeptCounts]) -> bool:
        """Keep what was counted of matches, by their numbers. Whether it is kept now.

        Nothing is waited for: neither another who writes, nor the card. It can be counted again.
        """
        # One by one: none is written down where the first is refused.
        rows = ((number, kept.mark, counts_text(kept.counts)) for number, kept in counted.items())
        try:
            with _connected(self.folder, wait_s=0.0) as database:
                database.execute("PRAGMA synchronous = NORMAL")
                with database:
                    database.executemany("INSERT OR REPLACE INTO counted VALUES (?, ?, ?)", rows)
        except sqlite3.Error:
            return False
        return True

    def identity(self) -> str:
        """Which record this is, for good; empty where there is none."""
        asked = "SELECT identity FROM record"
        return self._read(lambda database: str(database.execute(asked).fetchone()["identity"]), "")

    def numbers(self) -> list[int]:
        """The numbers of all matches, whatever the record says of them."""
        asked = "SELECT id FROM match ORDER BY id"
        return self._read(lambda database: [row["id"] for row in database.execute(asked)], [])

    def last_played(self) -> int | None:
        """The number of the last match that was played at this table, None where there is none.

        One that was taken in from elsewhere has no recording here.
        """
        return max(self._played("TRUE"), default=None)

    def unfinished(self) -> list[int]:
        """The numbers of the matches that were played at this table and neither finished nor left."""
        return self._played("winner IS NULL")

    def _played(self, condition: str) -> list[int]:
        asked = f"SELECT id FROM match WHERE recording != '' AND {condition} ORDER BY id"
        return self._read(lambda database: [row["id"] for row in database.execute(asked)], [])

    def evidence_file(self, number: int, ruling: int, what: str) -> Path:
        """The picture "before", "after" or "marked" behind a ruling; InputError where there is none, or
        it was removed.
        """
        if what not in EVIDENCE:
            raise InputError(f"there is no picture {what!r}: there are {', '.join(EVIDENCE)}")
        for name, _, file, removed in self._files(number, ruling):
            if name == what:
                if file is None:
                    raise InputError(f"match {number}, ruling {ruling}: that picture was removed {removed}")
                return self._picture(number, file)
        raise InputError(f"match {number}, ruling {ruling}: no picture {what!r} was kept")

    def table_file(self, match: MatchRecord) -> Path:
        """The table that a match's pictures show, as its camera saw it; InputError where none is named."""
        return inside(inside(self.folder, match.recording), PROFILE)

    def frames_around(self, number: int, ruling: int) -> list[FrameAround]:
        """The pictures from before and after a ruling that are still there, in order."""
        frames = []
        for what, t, file, _ in self._files(number, ruling):
            if what == FRAME and file and isinstance(t, float):
                with suppress(InputError):
                    frames.append(FrameAround(t, self._picture(number, file)))
        return frames

    def _picture(self, number: int, file: str) -> Path:
        return kept_picture(self.folder, match_folder(self.folder, number), file)

    def _files(self, number: int, ruling: int) -> list[tuple[str, float, str | None, str]]:
        if ruling < 1:
            return []
        asked = (
            "SELECT what, COALESCE(t, 0.0), file, removed FROM picture"
            f" WHERE ruling_id = ({RULING_ID}) ORDER BY t, id"
        )
        ruled = (number, ruling - 1)
        return self._read(lambda database: [tuple(row) for row in database.execute(asked, ruled)], [])

    def _read(self, read: Callable[[sqlite3.Connection], _Kept], nothing: _Kept) -> _Kept:
        """What is read of the database; `nothing` where there is none yet."""
        if is_there(self.folder) and not is_folder(self.folder):
            raise RecordError(f"{self.folder}: is a file; name the folder that the record lies in")
        if not is_there(self.path):
            return nothing
        try:
            return read_twice(lambda: self._read_once(read))
        except sqlite3.Error as error:
            if is_damage(error):
                hint = "`uckers-table recover` saves what there is"
                raise DamagedRecordError(
                    f"{self.path}: the match record is damaged ({error}); {hint}"
                ) from None
            raise RecordError(f"{self.path}: the match record cannot be read ({error})") from None
        except UnicodeDecodeError as error:
            # The name of a column.
            raise RecordError(f"{self.path}: the match record cannot be read ({error})") from None

    def _read_once(self, read: Callable[[sqlite3.Connection], _Kept]) -> _Kept:
        with _opened(self.folder) as (database, folder):
            if database.execute("PRAGMA user_version").fetchone()[0] != len(STEPS):
                # Renewed, if it is an older program's; a newer one's is refused.
                MatchStore(folder).close()
            database.row_factory = sqlite3.Row
            database.execute("PRAGMA query_only = ON")
            return read(database)


@contextmanager
def _opened(record: Path) -> Iterator[tuple[sqlite3.Connection, Path]]:
    """The record's database, and its folder; where nothing can be written there, those of a copy elsewhere.

    Who reads a write-ahead log has to write to its index, for which a full card may have no room. The newest
    rulings may be in that log alone.
    """
    with ExitStack() as stack:
        if os.access(record, os.W_OK):
            try:
                database = stack.enter_context(_connected(record))
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _NO_INDEX:
                    raise
            else:
                yield database, record
                return
        try:
            copy = Path(stack.enter_context(TemporaryDirectory(prefix="uckers-table-")))
            for name in (DATABASE, f"{DATABASE}-wal"):
                if is_there(record / name):
                    shutil.copyfile(record / name, copy / name)
        except OSError as error:
            hint = "; try with sudo" if isinstance(error, PermissionError) else ""
            raise RecordError(f"{record / DATABASE}: cannot be read ({error.strerror}){hint}") from None
        yield stack.enter_context(_connected(copy)), copy


@contextmanager
def _connected(folder: Path, wait_s: float | None = None) -> Iterator[sqlite3.Connection]:
    # SQLite writes to the log's index, and is to make no database where there is none.
    address = f"{(folder / DATABASE).absolute().as_uri()}?mode=rw"
    timeout = BUSY_S if wait_s is None else wait_s
    with closing(sqlite3.connect(address, uri=True, timeout=timeout)) as database:
        # Only the first question opens the files.
        database.execute("PRAGMA user_version").fetchone()
        yield database


_NO_INDEX = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)
"""What SQLite says where it cannot write the index of a log."""


_SUMMARIES = (
    "SELECT *,"
    " (SELECT COUNT(*) FROM throw WHERE match_id = match.id) AS throws,"
    " (SELECT COUNT(*) FROM ruling WHERE match_id = match.id) AS rulings,"
    " CASE WHEN ended_t IS NULL THEN (SELECT MAX(t) FROM ruling WHERE match_id = match.id) END AS last_t"
    " FROM match"
)


def _match(database: sqlite3.Connection, row: sqlite3.Row) -> MatchRecord:
    number = row["id"]
    kept: list[tuple[int, Entry]] = [
        *_entries(database, "throw", number, _thrown),
        *_entries(database, "call", number, _called),
        *_entries(database, "ruling", number, _ruled),
    ]
    entries = tuple(entry for _, entry in sorted(kept, key=lambda each: each[0]))
    return MatchRecord(_summary(row), entries, _pictures(database, number), row["recording"])


def _sound_summary(row: sqlite3.Row) -> MatchSummary:
    return sound_summary(_summary(row))


def _summary(row: sqlite3.Row) -> MatchSummary:
    terms = Terms(
        rules=row["rules"],
        options=json_from(row["options"]),
        values=json_from(row["option_values"]),
        title=row["title"],
        players=row["players"],
        seats=tuple(json_from(row["seats"])),
        names=json_from(row["names"]),
        dice=row["dice"],
        to_play=row["to_play"],
    )
    if not terms.values:
        # An older program kept only what differed.
        terms = replace(terms, values=values_of(terms))
    return MatchSummary(
        number=row["id"],
        terms=terms,
        begun=row["begun"],
        ended=row["ended"],
        clock=row["clock"],
        winner=tuple(json_from(row["winner"])) if row["winner"] is not None else None,
        honours=tuple(json_from(row["honours"] or "[]")),
        lasted_s=row["ended_t"] if row["ended_t"] is not None else row["last_t"] or 0.0,
        throws=row["throws"],
        rulings=row["rulings"],
        identity=row["identity"],
    )


def _entries(database: sqlite3.Connection, table: str, number: int, read: Any) -> Iterator[tuple[int, Entry]]:
    for row in database.execute(f"SELECT * FROM {table} WHERE match_id = ? ORDER BY place", (number,)):
        yield row["place"], read(row)


def _thrown(row: sqlite3.Row) -> Thrown:
    dice = tuple(json_from(row["dice"]))
    return Thrown(row["t"], row["side"], dice, row["state"], row["source"], row["purpose"])


def _called(row: sqlite3.Row) -> Called:
    piece = row["colour"], row["steps"]
    return Called(row["t"], row["side"], row["kind"], *piece, row["target"], bool(row["is_double"]))


def _ruled(row: sqlite3.Row) -> Ruled:
    return Ruled(
        row["t"],
        row["kind"],
        row["reason"],
        row["side"],
        row["say"],
        standing(json_from(row["position"])),
        row["to_play"],
        row["awaiting"],
        tuple(json_from(row["throw"])),
        tuple(Moved(*move) for move in json_from(row["moves"])),
        tuple(standing(each) for each in json_from(row["alike"])),
        json_from(row["facts"]),
    )


def _pictures(database: sqlite3.Connection, number: int) -> dict[int, tuple[Picture, ...]]:
    rulings = database.execute("SELECT id FROM ruling WHERE match_id = ? ORDER BY place", (number,))
    numbers = {row["id"]: ruling for ruling, row in enumerate(rulings, start=1)}
    pictures: dict[int, tuple[Picture, ...]] = {}
    for row in database.execute(
        "SELECT picture.* FROM picture JOIN ruling ON ruling.id = ruling_id WHERE match_id = ?"
        " ORDER BY ruling.place, picture.t, picture.id",
        (number,),
    ):
        ruling = numbers[row["ruling_id"]]
        picture = Picture(row["what"], row["t"], row["removed"])
        pictures[ruling] = (*pictures.get(ruling, ()), picture)
    return pictures

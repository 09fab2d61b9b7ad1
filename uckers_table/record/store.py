"""The match record: every match in one SQLite database, with its rulings, throws and evidence pictures.

What is appended has reached the card when the call returns (write-ahead log, full synchronisation), so a
ruling that was announced is never lost. Pictures lie in files beside the database; the record holds their
names, relative to it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uckers_table.errors import RecordError

DATABASE = "record.sqlite"
BUSY_S = 5.0
"""How long to wait for another program that has the record open."""

_STEPS: tuple[tuple[str, str], ...] = (
    (
        "matches, rulings, throws and evidence",
        """
        CREATE TABLE match (
            id INTEGER PRIMARY KEY,
            begun TEXT NOT NULL,
            rules TEXT NOT NULL,
            options TEXT NOT NULL,
            seats TEXT NOT NULL,
            players INTEGER NOT NULL,
            recording TEXT NOT NULL,
            winner TEXT,
            honours TEXT,
            ended_t REAL
        );
        CREATE TABLE ruling (
            id INTEGER PRIMARY KEY,
            match_id INTEGER NOT NULL REFERENCES match (id),
            t REAL NOT NULL,
            kind TEXT NOT NULL,
            reason TEXT,
            side TEXT,
            say TEXT NOT NULL,
            position TEXT NOT NULL,
            to_play TEXT NOT NULL,
            awaiting TEXT NOT NULL
        );
        CREATE INDEX ruling_by_match ON ruling (match_id, t);
        CREATE TABLE throw (
            id INTEGER PRIMARY KEY,
            match_id INTEGER NOT NULL REFERENCES match (id),
            t REAL NOT NULL,
            side TEXT NOT NULL,
            dice TEXT NOT NULL,
            state TEXT NOT NULL,
            source TEXT NOT NULL
        );
        CREATE INDEX throw_by_match ON throw (match_id, t);
        CREATE TABLE evidence (
            ruling_id INTEGER NOT NULL REFERENCES ruling (id),
            what TEXT NOT NULL,
            file TEXT NOT NULL,
            PRIMARY KEY (ruling_id, what)
        );
        """,
    ),
    ("plays that look alike", "ALTER TABLE ruling ADD COLUMN alike TEXT NOT NULL DEFAULT '[]';"),
)
"""Named steps of the schema, each applied once, in order, in a transaction of its own."""


@dataclass(frozen=True)
class RecordedThrow:
    """A throw as the record keeps it: `state` is 'good', 'cocked' or 'dropped'."""

    t: float
    side: str
    dice: tuple[int, ...]
    state: str
    source: str


class MatchStore:
    """The record on disk, opened for one table. Use one from one thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / DATABASE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Transactions are written out below, so that what is synced when can be read in the code.
            self._db = sqlite3.connect(
                self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
            )
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                self._db.execute(f"PRAGMA {pragma}")
            self._migrate()
        except (OSError, sqlite3.Error) as error:
            raise RecordError(
                f"{self.path}: the match record cannot be opened ({error}); check the folder"
            ) from None

    def _migrate(self) -> None:
        done = self._db.execute("PRAGMA user_version").fetchone()[0]
        if done > len(_STEPS):
            raise RecordError(f"{self.path}: written by a newer uckers-table; update this one")
        for number, (_, sql) in enumerate(_STEPS[done:], start=done + 1):
            self._db.executescript(f"BEGIN; {sql} PRAGMA user_version = {number}; COMMIT;")

    def new_number(self) -> int:
        """The number of a match to begin: above all before it, and its folder beside the record is new."""
        with self._writing():
            number: int = self._db.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM match").fetchone()[0]
            # A folder may outlive the database that knew it, and what lies in it is evidence.
            while True:
                try:
                    self.match_folder(number).mkdir()
                    return number
                except FileExistsError:
                    number += 1

    def match_folder(self, number: int) -> Path:
        """Where the recording and the pictures of a match lie."""
        return self.folder / f"{number:04d}"

    def begin_match(
        self,
        number: int,
        *,
        begun: str,
        rules: str,
        options: Mapping[str, Any],
        seats: Sequence[str],
        players: int,
        recording: str,
    ) -> None:
        """Open a match. `begun` is a date and time; `recording` a folder relative to the record."""
        seated = json.dumps(list(seats))
        with self._writing():
            self._db.execute(
                "INSERT INTO match (id, begun, rules, options, seats, players, recording)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (number, begun, rules, json.dumps(dict(options)), seated, players, recording),
            )

    def append(
        self,
        match_id: int,
        rulings: Iterable[Mapping[str, Any]] = (),
        throws: Iterable[RecordedThrow] = (),
    ) -> list[int]:
        """Keep rulings (as `replay` prints them) and throws; all of them or none. The rulings' numbers."""
        numbers = []
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            for throw in throws:
                self._db.execute(
                    "INSERT INTO throw (match_id, t, side, dice, state, source) VALUES (?, ?, ?, ?, ?, ?)",
                    (match_id, throw.t, throw.side, json.dumps(throw.dice), throw.state, throw.source),
                )
            for line in rulings:
                cursor = self._db.execute(
                    "INSERT INTO ruling"
                    " (match_id, t, kind, reason, side, say, position, to_play, awaiting, alike)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        *(match_id, line["t"], line["ruling"], line["reason"], line["side"], line["say"]),
                        *(json.dumps(line["position"]), line["to_play"], line["awaiting"]),
                        json.dumps(line.get("alike", [])),
                    ),
                )
                assert cursor.lastrowid is not None
                numbers.append(cursor.lastrowid)
            self._db.execute("COMMIT")
        return numbers

    def add_evidence(self, ruling: int, pictures: Mapping[str, str]) -> None:
        """Name the pictures behind a ruling: what each shows, and its file relative to the record."""
        with self._writing():
            self._db.executemany(
                "INSERT INTO evidence (ruling_id, what, file) VALUES (?, ?, ?)",
                [(ruling, what, file) for what, file in pictures.items()],
            )

    def end_match(self, match_id: int, *, t: float, winner: Sequence[str], honours: Sequence[str]) -> None:
        """Close a match with its result; an empty `winner` for a match that was left."""
        with self._writing():
            self._db.execute(
                "UPDATE match SET winner = ?, honours = ?, ended_t = ? WHERE id = ?",
                (json.dumps(list(winner)), json.dumps(list(honours)), t, match_id),
            )

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Turns what goes wrong on the disk into one RecordError, and takes back what was half done."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            with suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            raise RecordError(
                f"{self.path}: the record cannot be written ({error}); is the card full, or read-only?"
            ) from None

    def rulings(self, match_id: int) -> list[dict[str, Any]]:
        """The rulings of a match in order, with the keys of `replay`'s lines."""
        rows = self._db.execute(
            "SELECT t, kind, reason, side, say, position, to_play, awaiting, alike FROM ruling"
            " WHERE match_id = ? ORDER BY id",
            (match_id,),
        )
        keys = ("t", "ruling", "reason", "side", "say", "position", "to_play", "awaiting")
        lines = []
        for *row, alike in rows:
            line = dict(zip(keys, row, strict=True)) | {"position": json.loads(row[5])}
            lines.append(line if alike == "[]" else line | {"alike": json.loads(alike)})
        return lines

    def throws(self, match_id: int) -> list[RecordedThrow]:
        """The throws of a match in order."""
        rows = self._db.execute(
            "SELECT t, side, dice, state, source FROM throw WHERE match_id = ? ORDER BY id", (match_id,)
        )
        return [
            RecordedThrow(t, side, tuple(json.loads(dice)), state, source)
            for t, side, dice, state, source in rows
        ]

    def evidence(self, match_id: int) -> list[tuple[int, str, str]]:
        """The pictures of a match: the ruling's number, what it shows, and its file."""
        return self._db.execute(
            "SELECT ruling_id, what, file FROM evidence JOIN ruling ON ruling.id = ruling_id"
            " WHERE match_id = ? ORDER BY ruling_id, what",
            (match_id,),
        ).fetchall()

    def result(self, match_id: int) -> tuple[list[str], list[str]] | None:
        """The winners and honours of a match; None while it is not over."""
        row = self._db.execute("SELECT winner, honours FROM match WHERE id = ?", (match_id,)).fetchone()
        return (json.loads(row[0]), json.loads(row[1])) if row and row[0] is not None else None

    def close(self) -> None:
        """Give the file back; safe to call twice."""
        self._db.close()

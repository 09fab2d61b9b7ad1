"""The match record: a real SQLite file, opened again by somebody else."""

import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from threading import Barrier

import pytest

from tests.patience import HANGS_S, unhurried
from uckers_table.errors import InputError, RecordError
from uckers_table.machine.moment import Moment
from uckers_table.record.library import Library
from uckers_table.record.match_record import (
    Called,
    MatchRecord,
    MatchSummary,
    Moved,
    Picture,
    Ruled,
    Terms,
    Thrown,
)
from uckers_table.record.notation import values_of
from uckers_table.record.schema import STEPS
from uckers_table.record.store import MatchStore

STANDING = {"red": (0, 0, 0, 4), "green": (0, 0, 0, 0)}
ILLEGAL = Ruled(
    12.5,
    "illegal",
    "wrong_count",
    "red",
    "Illegal. Red moved 7; the dice said 6 and 2.",
    STANDING,
    "red",
    "play",
    (6, 2),
    (Moved("red", 4, 11),),
)
ALIKE = replace(
    ILLEGAL,
    ruling="legal",
    reason=None,
    alike=({"red": (0, 0, 0, 2), "green": (0, 0, 0, 0)},),
    facts={"owed": 1, "why": "so"},
)
THROW = Thrown(11.0, "red", (6, 2), "good", "tower", "play")
FAULT = Thrown(10.0, "red", (), "cocked", "buttons", "play")
CALL = Called(10.5, "red", "suckback", "red", 4, 3, True)
BEGUN = Moment("2026-01-01T20:00:00+00:00", "this boot", 100.0)
UNDATED = Moment(None, "this boot", 100.0)
TERMS = Terms(
    "br4006",
    {"var_a": True},
    {"intermediate_capture": True},
    seats=("red", "green"),
    names={"red": "Jones"},
    dice="camera",
    to_play="red",
)


@pytest.fixture
def store(tmp_path):
    store = MatchStore(tmp_path)
    yield store
    store.close()


def begin(store, begun=BEGUN):
    number = store.new_number()
    store.begin_match(number, TERMS, begun, recording="0001/recording")
    return number


def test_what_was_appended_is_there_for_whoever_opens_the_record_next(tmp_path, store):
    number = begin(store)
    assert store.append(number, [FAULT, CALL, THROW, ILLEGAL]) == [1]
    assert store.append(number, [ALIKE]) == [2]
    store.add_picture(number, 1, "before", "a.jpg", 10, 9.0)
    store.add_picture(number, 1, "after", "0001/evidence/b.jpg", 20, 12.5)
    # The store is still open: as it is when the plug is pulled.
    library = Library(tmp_path)
    summary = MatchSummary(
        number, TERMS, BEGUN.date, None, "synchronised", None, (), lasted_s=12.5, throws=2, rulings=2
    )
    assert library.matches() == [summary]
    assert library.match(number) == MatchRecord(
        summary,
        (FAULT, CALL, THROW, ILLEGAL, ALIKE),
        {1: (Picture("before", 9.0), Picture("after", 12.5))},
        "0001/recording",
    )
    assert library.evidence_file(number, 1, "after") == tmp_path / "0001/evidence/b.jpg"
    assert library.unfinished() == [number]
    ended = Moment("2026-01-01T21:00:00+00:00", "this boot", 3700.0)
    store.end_match(number, ended, t=99.0, winner=["red", "yellow"], honours=["eight_piecer"])
    assert library.matches() == [
        replace(summary, ended=ended.date, winner=("red", "yellow"), honours=("eight_piecer",), lasted_s=99.0)
    ]
    assert library.unfinished() == []


def test_a_picture_that_was_not_kept_is_named(tmp_path, store):
    number = begin(store)
    store.append(number, [ILLEGAL])
    store.add_picture(number, 1, "after", "b.jpg", 20)
    for asked in ((number, 1, "before"), (number, 2, "after"), (number, 0, "after"), (7, 1, "after")):
        with pytest.raises(InputError, match="no picture"):
            Library(tmp_path).evidence_file(*asked)
    with pytest.raises(InputError, match=r"there is no picture '\.\./\.\./etc/passwd'"):
        Library(tmp_path).evidence_file(number, 1, "../../etc/passwd")


def test_a_record_on_a_read_only_card_is_read_as_it_lies_there(tmp_path, store):
    number = begin(store)
    store.append(number, [ILLEGAL])
    store.close()
    card = tmp_path / "card"
    mounted = subprocess.run(["mount", "--bind", tmp_path, make(card)], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("only who may mount can make a folder read-only for himself")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", card], check=True)
        assert Library(card).match(number).entries == (ILLEGAL,)
        with pytest.raises(RecordError, match=r"record\.sqlite"):
            begin(MatchStore(card))
    finally:
        subprocess.run(["umount", card], check=True)


def make(folder):
    folder.mkdir()
    return folder


def test_where_there_is_no_record_there_are_no_matches(tmp_path):
    assert Library(tmp_path / "none").matches() == []
    assert not (tmp_path / "none").exists()
    with pytest.raises(InputError, match="no match 1"):
        Library(tmp_path).match(1)


def test_of_a_batch_all_is_kept_or_nothing(tmp_path, store):
    number = begin(store)
    with pytest.raises(RecordError):
        store.append(number, [THROW, ILLEGAL, replace(ILLEGAL, say=None)])
    assert Library(tmp_path).match(number).entries == ()
    store.append(number, [ILLEGAL])
    assert Library(tmp_path).match(number).entries == (ILLEGAL,)


def test_a_ruling_belongs_to_a_match_and_a_picture_to_a_ruling(store):
    with pytest.raises(RecordError, match="FOREIGN KEY"):
        store.append(77, [ILLEGAL])
    with pytest.raises(RecordError, match="NOT NULL"):
        store.add_picture(begin(store), 1, "after", "b.jpg", 20)


def test_the_record_is_written_ahead_and_synced_in_full(store):
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert store._db.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "record.sqlite").write_bytes(b"not a database, but long enough to be read as one" * 40)
    with pytest.raises(RecordError, match=r"record\.sqlite"):
        MatchStore(tmp_path)
    with pytest.raises(RecordError, match=r"record\.sqlite"):
        Library(tmp_path).matches()


def test_a_record_of_a_newer_program_is_left_alone(tmp_path, store):
    store.close()
    with sqlite3.connect(tmp_path / "record.sqlite") as database:
        database.execute("PRAGMA user_version = 999")
    database.close()
    for use in (lambda: MatchStore(tmp_path), lambda: Library(tmp_path).matches()):
        with pytest.raises(RecordError, match="newer"):
            use()


def test_a_picture_that_goes_is_found_without_reading_all_others(store):
    number = begin(store)
    store.append(number, [ILLEGAL])
    store.add_picture(number, 1, "after", "a.jpg", 10)
    asked = []
    store._db.set_trace_callback(asked.append)
    store.forget_pictures({"a.jpg": "for space"})
    store._db.set_trace_callback(None)
    (statement,) = (each for each in asked if each.startswith("UPDATE picture"))
    plan = [row[3] for row in store._db.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert [step.split()[0] for step in plan] == ["SEARCH"]


def old_record(tmp_path):
    """A record as the second version of the schema has it."""
    with sqlite3.connect(tmp_path / "record.sqlite") as database:
        for _, step in STEPS[:2]:
            database.executescript(step)
        database.executescript(
            """
            PRAGMA user_version = 2;
            INSERT INTO match VALUES (3, '2025-12-24T20:00:00+00:00', 'couk', '{"var_a": true}',
                '["red", "green", "yellow", "blue"]', 4, '0003/recording', '["red", "yellow"]', '[]', 50.0);
            INSERT INTO throw VALUES (1, 3, 1.0, 'red', '[6, 3]', 'good', 'tower');
            INSERT INTO throw VALUES (2, 3, 4.0, 'green', '[]', 'cocked', 'tower');
            INSERT INTO ruling VALUES (1, 3, 1.0, 'illegal', 'wrong_count', 'red', 'Illegal.',
                '{"red": [0, 0, 0, 0]}', 'red', 'play', '[]');
            INSERT INTO ruling VALUES (2, 3, 4.0, 'cocked', NULL, 'green', 'Cocked.',
                '{"red": [0, 0, 0, 0]}', 'green', 'throw', '[]');
            INSERT INTO evidence VALUES (1, 'after', '0003/evidence/a.jpg');
            """
        )
    database.close()


@pytest.fixture
def _patient_database():
    """Who finds a record being written waits as long as it takes."""
    with unhurried("uckers_table.record.store.BUSY_S", "uckers_table.record.library.BUSY_S"):
        yield


@pytest.mark.usefixtures("_patient_database")
def test_an_older_record_may_be_opened_by_several_at_once(tmp_path):
    old_record(tmp_path)
    together = Barrier(4)

    def opened(_):
        together.wait(HANGS_S)
        with closing(MatchStore(tmp_path)):
            return Library(tmp_path).match(3)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(opened, range(4)))
    assert found == [found[0]] * 4
    assert len(found[0].entries) == 4


def test_who_is_turned_away_while_another_makes_the_record_write_ahead_tries_again(tmp_path, monkeypatch):
    turned_away = []

    class Busy(sqlite3.Connection):
        def execute(self, sql, *values):
            if "journal_mode" in sql and len(turned_away) < 2:
                turned_away.append(sql)
                error = sqlite3.OperationalError("database is locked")
                error.sqlite_errorcode = sqlite3.SQLITE_BUSY
                raise error
            return super().execute(sql, *values)

    old_record(tmp_path)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *where, **how: connect(*where, factory=Busy, **how))
    with closing(MatchStore(tmp_path)) as store:
        assert store._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert len(turned_away) == 2


def test_a_record_that_another_program_has_is_no_matter_of_who_may_write(tmp_path, monkeypatch):
    monkeypatch.setattr("uckers_table.record.store.BUSY_S", 0.01)
    MatchStore(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "record.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with closing(MatchStore(tmp_path)) as store, pytest.raises(RecordError) as refused:
            store.new_number()
            store.record_in(1, "elsewhere")
    assert "another program has it open" in str(refused.value)


def test_a_step_that_somebody_else_has_done_meanwhile_is_not_done_twice(tmp_path, monkeypatch):
    old_record(tmp_path)
    MatchStore(tmp_path).close()
    version, calls = MatchStore._version, []

    def stale(store):
        calls.append(store)
        return 2 if len(calls) == 1 else version(store)

    monkeypatch.setattr(MatchStore, "_version", stale)
    MatchStore(tmp_path).close()
    assert len(Library(tmp_path).match(3).entries) == 4


def test_a_record_of_an_older_program_is_renewed_and_keeps_all(tmp_path):
    old_record(tmp_path)
    match = Library(tmp_path).match(3)
    home = {"red": (0, 0, 0, 0)}
    terms = Terms("couk", {"var_a": True}, seats=("red", "green", "yellow", "blue"))
    assert match == MatchRecord(
        MatchSummary(
            3,
            replace(terms, values=values_of(terms)),
            "2025-12-24T20:00:00+00:00",
            winner=("red", "yellow"),
            lasted_s=50.0,
            throws=2,
            rulings=2,
        ),
        (
            Thrown(1.0, "red", (6, 3)),
            Ruled(1.0, "illegal", "wrong_count", "red", "Illegal.", home, "red", "play"),
            Thrown(4.0, "green", (), "cocked"),
            Ruled(4.0, "cocked", None, "green", "Cocked.", home, "green", "throw"),
        ),
        {1: (Picture("after"),)},
        "0003/recording",
    )
    store = MatchStore(tmp_path)
    assert store._db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert store.new_number() == 4
    store.close()


def test_a_match_gets_a_folder_of_its_own_also_where_the_database_was_lost(tmp_path, store):
    (tmp_path / "0001").mkdir()
    (tmp_path / "0001" / "evidence.jpg").write_bytes(b"of another evening")
    match = begin(store)
    assert match == 2
    assert list((tmp_path / "0002").iterdir()) == []
    assert begin(store) == 3


def test_a_disk_that_takes_nothing_is_one_clear_error(store):
    match = begin(store)
    store.append(match, [ILLEGAL])
    store._db.execute("PRAGMA query_only = ON")
    for write in (
        lambda: begin(store),
        lambda: store.append(match, [ILLEGAL]),
        lambda: store.add_picture(match, 1, "after", "a.jpg", 1),
        lambda: store.end_match(match, BEGUN, t=1.0, winner=[], honours=[]),
        lambda: store.set_dates(datetime.now(UTC), UNDATED),
    ):
        with pytest.raises(RecordError, match=r"record\.sqlite: the record cannot be written"):
            write()


def test_a_clock_that_nobody_set_dates_nothing_until_somebody_tells_the_time(tmp_path, store):
    earlier = begin(store, Moment(None, "another boot", 5000.0))
    number, dated = begin(store, UNDATED), begin(store)
    store.end_match(number, Moment(None, "this boot", 3700.0), t=3600.0, winner=[], honours=[])
    library = Library(tmp_path)
    assert [each.begun for each in library.matches()] == [None, None, BEGUN.date]
    told = datetime(2026, 5, 1, 22, 0, tzinfo=UTC)
    assert store.set_dates(told, Moment(None, "this boot", 7300.0)) == 1
    assert [(each.number, each.begun, each.ended, each.clock) for each in library.matches()] == [
        (earlier, None, None, ""),
        (number, "2026-05-01T20:00:00+00:00", "2026-05-01T21:00:00+00:00", "told"),
        (dated, BEGUN.date, None, "synchronised"),
    ]


def test_a_match_from_elsewhere_is_taken_in_under_the_next_number(tmp_path, store):
    begin(store)
    summary = MatchSummary(9, TERMS, None, None, "", ("red",), ("eight_piecer",), 80.0, 1, 1)
    match = MatchRecord(summary, (THROW, ALIKE))
    number = store.take_in(match).number
    assert number == 2
    assert Library(tmp_path).match(2) == replace(match, summary=replace(summary, number=2))

"""The match record: a real SQLite file, opened again by somebody else."""

import sqlite3

import pytest

from uckers_table.errors import RecordError
from uckers_table.record.store import MatchStore, RecordedThrow

LINE = {
    "t": 12.5,
    "ruling": "illegal",
    "reason": "wrong_count",
    "side": "red",
    "say": "Illegal. Red moved 7; the dice said 6 and 2.",
    "position": {"red": [0, 0, 0, 4], "green": [0, 0, 0, 0]},
    "to_play": "red",
    "awaiting": "play",
}
ALIKE = LINE | {"ruling": "legal", "alike": [{"red": [0, 0, 0, 2], "green": [0, 0, 0, 0]}]}
THROW = RecordedThrow(11.0, "red", (6, 2), "good", "tower")


@pytest.fixture
def store(tmp_path):
    store = MatchStore(tmp_path)
    yield store
    store.close()


def begin(store):
    number = store.new_number()
    store.begin_match(
        number,
        begun="2026-01-01T20:00:00+00:00",
        rules="br4006",
        options={"var_a": True},
        seats=("red", "green"),
        players=4,
        recording="0001/recording",
    )
    return number


def test_what_was_appended_is_there_for_whoever_opens_the_record_next(tmp_path, store):
    match = begin(store)
    ruling, _ = store.append(match, [LINE, ALIKE], [THROW])
    store.add_evidence(ruling, {"before": "a.jpg", "after": "b.jpg"})
    # The first one is still open: as it is when the plug is pulled.
    other = MatchStore(tmp_path)
    assert other.rulings(match) == [LINE, ALIKE]
    assert other.throws(match) == [THROW]
    assert other.evidence(match) == [(ruling, "after", "b.jpg"), (ruling, "before", "a.jpg")]
    assert other.result(match) is None
    other.end_match(match, t=99.0, winner=["red", "yellow"], honours=["eight_piecer"])
    assert store.result(match) == (["red", "yellow"], ["eight_piecer"])
    other.close()


def test_of_a_batch_all_is_kept_or_nothing(store):
    match = begin(store)
    with pytest.raises(RecordError):
        store.append(match, [LINE, LINE | {"say": None}], [THROW])
    assert (store.rulings(match), store.throws(match)) == ([], [])
    store.append(match, [LINE])
    assert store.rulings(match) == [LINE]


def test_a_ruling_belongs_to_a_match(store):
    with pytest.raises(RecordError, match="FOREIGN KEY"):
        store.append(77, [LINE])


def test_the_record_is_written_ahead_and_synced_in_full(store):
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "record.sqlite").write_bytes(b"not a database, but long enough to be read as one" * 40)
    with pytest.raises(RecordError, match=r"record\.sqlite"):
        MatchStore(tmp_path)


def test_a_record_of_a_newer_program_is_left_alone(tmp_path, store):
    store.close()
    with sqlite3.connect(tmp_path / "record.sqlite") as database:
        database.execute("PRAGMA user_version = 999")
    database.close()
    with pytest.raises(RecordError, match="newer"):
        MatchStore(tmp_path)


def test_a_match_gets_a_folder_of_its_own_also_where_the_database_was_lost(tmp_path, store):
    (tmp_path / "0001").mkdir()
    (tmp_path / "0001" / "evidence.jpg").write_bytes(b"of another evening")
    match = begin(store)
    assert (match, store.match_folder(match)) == (2, tmp_path / "0002")
    assert list(store.match_folder(match).iterdir()) == []
    assert begin(store) == 3


def test_a_disk_that_takes_nothing_is_one_clear_error(store):
    match = begin(store)
    (ruling,) = store.append(match, [LINE])
    store._db.execute("PRAGMA query_only = ON")
    for write in (
        lambda: begin(store),
        lambda: store.append(match, [LINE]),
        lambda: store.add_evidence(ruling, {"after": "a.jpg"}),
        lambda: store.end_match(match, t=1.0, winner=[], honours=[]),
    ):
        with pytest.raises(RecordError, match=r"record\.sqlite: the record cannot be written"):
            write()

"""What was counted of a match is kept in the record, and holds for as long as the match is as it was."""

import json
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.record.simulated_matches import simulated_match
from tests.web.counting import all_counted, count_rest
from uckers_table.errors import RecordError
from uckers_table.machine.moment import Moment
from uckers_table.record import counting, store
from uckers_table.record.counted import Counted
from uckers_table.record.counting import counts_from, counts_of, counts_text
from uckers_table.record.honours import as_svg
from uckers_table.record.library import Library
from uckers_table.record.match_record import Terms
from uckers_table.record.store import MatchStore
from uckers_table.web.recorded import honours_shown, statistics_shown

MATCHES = 3
LATER = Moment(None, "boot", 60.0)


def taken_in(number, ends="upboard"):
    match = simulated_match("br4006", f"counted {number}", throws=12, ends=ends)
    identity = f"{number:032x}"
    return replace(match, summary=replace(match.summary, identity=identity, winner=("red", "yellow")))


@pytest.fixture
def record(tmp_path):
    with closing(MatchStore(tmp_path)) as kept:
        for number in range(1, MATCHES + 1):
            kept.take_in(taken_in(number))
    all_counted(Library(tmp_path))
    return tmp_path


def counted_anew(record):
    """Which matches a start counts, and that what it then tells is what is counted from nothing."""
    counted = Counted(Library(record))
    numbers = count_rest(counted)
    told = counted.statistics(), counted.honours()
    with closing(sqlite3.connect(record / store.DATABASE)) as database, database:
        database.execute("DELETE FROM counted")
    fresh = Counted(Library(record))
    assert count_rest(fresh) == [each.number for each in Library(record).matches() if each.winner is not None]
    assert told == (fresh.statistics(), fresh.honours())
    return numbers


def changed(record, sql, *values):
    with closing(sqlite3.connect(record / store.DATABASE)) as database, database:
        database.execute(sql, values)


def test_a_start_counts_nothing_that_was_counted_before(record):
    assert Library(record).counted().keys() == {1, 2, 3}
    assert counted_anew(record) == []


def test_only_a_match_that_is_new_is_counted_after_a_start(record):
    with closing(MatchStore(record)) as kept:
        kept.take_in(taken_in(4))
        kept.begin_match(5, Terms("br4006"), LATER)
    assert counted_anew(record) == [4]


def test_a_match_that_more_is_told_of_is_counted_anew(record):
    with closing(MatchStore(record)) as kept:
        kept.append(2, taken_in(1).entries[:4])
    assert counted_anew(record) == [2]


def test_a_match_that_ended_otherwise_or_got_a_date_is_counted_anew(record):
    with closing(MatchStore(record)) as kept:
        kept.begin_match(4, Terms("br4006", seats=("red", "yellow")), LATER)
        kept.end_match(4, LATER, t=1.0, winner=[], honours=[])
    all_counted(Library(record))
    with closing(MatchStore(record)) as kept:
        kept.end_match(3, LATER, t=1.0, winner=["green", "blue"], honours=[])
        kept.set_dates(datetime(2026, 5, 1, tzinfo=UTC), LATER)
    assert counted_anew(record) == [3, 4]


def test_a_match_in_the_place_of_another_is_counted_anew(record):
    with closing(MatchStore(record)) as kept:
        kept._forget(3)
        assert Library(record).counted().keys() == {1, 2}
        (record / "0003").rmdir()
        assert kept.take_in(taken_in(4)).number == 3
    assert counted_anew(record) == [3]


def test_a_match_that_went_does_not_count_any_more(record):
    # Another program need not mind that a row belongs to another.
    changed(record, "DELETE FROM match WHERE id = 2")
    assert counted_anew(record) == []
    assert len(all_counted(Library(record)).honours()) == len(Library(record).matches()) == 2


def test_a_match_that_makes_no_sense_is_looked_at_once(record, monkeypatch):
    changed(record, "UPDATE ruling SET facts = '[' WHERE match_id = 2")
    changed(record, "DELETE FROM counted")
    assert all_counted(Library(record)).statistics()
    assert Library(record).counted()[2].counts is None
    monkeypatch.setattr(Library, "match", None)
    assert all_counted(Library(record)).statistics().matches == 2


def test_another_program_that_counts_otherwise_counts_all_anew(record, monkeypatch):
    monkeypatch.setattr(counting, "_counted_by", lambda: "another")
    assert counted_anew(record) == [1, 2, 3]


def test_an_older_record_has_nothing_counted_and_is_counted(record):
    changed(record, "DROP TABLE counted")
    changed(record, f"PRAGMA user_version = {len(store.STEPS) - 1}")
    assert counted_anew(record) == [1, 2, 3]


def test_nobody_is_waited_for_to_keep_what_was_counted(record, monkeypatch):
    kept = Library(record).counted()
    changed(record, "DELETE FROM counted")
    monkeypatch.setattr(store, "BUSY_S", None)
    with closing(sqlite3.connect(record / store.DATABASE)) as another:
        another.execute("BEGIN IMMEDIATE")
        assert not Library(record).keep_counted(kept)
        figures = all_counted(Library(record)).statistics()
    assert Library(record).counted() == {}
    assert Library(record).keep_counted(kept)
    assert Library(record).counted() == kept
    assert all_counted(Library(record)).statistics() == figures


def test_text_that_is_none_is_left_out_alone(record):
    changed(record, "UPDATE counted SET counts = CAST(X'22FF22' AS TEXT) WHERE match_id = 1")
    changed(record, "UPDATE counted SET mark = CAST(X'FF' AS TEXT) WHERE match_id = 2")
    assert Library(record).counted().keys() == {3}
    assert counted_anew(record) == [1, 2]


def test_what_is_kept_does_not_wait_for_the_card(record, monkeypatch):
    asked, connect = [], sqlite3.connect

    def connected(*where, **how):
        database = connect(*where, **how)
        database.set_trace_callback(asked.append)
        return database

    monkeypatch.setattr(sqlite3, "connect", connected)
    assert Library(record).keep_counted(Library(record).counted())
    at = asked.index("PRAGMA synchronous = NORMAL")
    assert any("INSERT OR REPLACE INTO counted" in each for each in asked[at:])


def test_a_damaged_record_has_nothing_counted(record):
    (record / store.DATABASE).write_bytes(b"x" * 5000)
    with pytest.raises(RecordError):
        Library(record).counted()
    assert not Library(record).keep_counted({})


def test_what_was_counted_is_the_same_when_it_is_read_again():
    counts = counts_of(taken_in(1))
    assert counts.honours
    assert counts_from(counts_text(counts)) == counts
    assert counts_from(counts_text(None)) is None


SPOILT = [None, -1, 1.5, True, "x", [], {}, [1], 10**16]


def spoilt(value, draw):
    """The same with one value in it, however deep, changed to another kind, or gone."""
    if isinstance(value, dict) and value and draw.random() < 0.9:
        key = draw.choice(sorted(value))
        if draw.random() < 0.1:
            return {name: each for name, each in value.items() if name != key}
        return value | {key: spoilt(value[key], draw)}
    if isinstance(value, list) and value and draw.random() < 0.9:
        at = draw.randrange(len(value))
        return [*value[:at], spoilt(value[at], draw), *value[at + 1 :]]
    return draw.choice(SPOILT)


def test_what_a_stranger_says_was_counted_is_left_out_or_makes_sense(record):
    draw, text = random.Random(5), counts_text(counts_of(taken_in(1)))
    refused = 0
    for _ in range(200):
        changed(
            record,
            "UPDATE counted SET counts = ? WHERE match_id = 1",
            json.dumps(spoilt(json.loads(text), draw)),
        )
        counted = Counted(Library(record))
        refused += len(count_rest(counted))
        told = statistics_shown(counted.statistics(), counted.choices()), honours_shown(counted.honours())
        assert json.dumps(told, allow_nan=False).encode()
        assert as_svg(counted.honours())
    assert refused > 80

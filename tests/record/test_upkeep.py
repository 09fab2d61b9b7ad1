"""What the record needs now and then."""

import io
import sqlite3

import pytest

from tests.record.simulated_matches import simulated_match
from uckers_table.errors import RecordError
from uckers_table.record.store import DATABASE, MatchStore
from uckers_table.record.thinning import Budget
from uckers_table.record.upkeep import look_after


def said(folder):
    out = io.StringIO()
    assert look_after(folder, out) == 0
    return out.getvalue()


def test_a_record_is_looked_after_while_a_table_has_it_open(tmp_path):
    assert "no match" in said(tmp_path)
    store = MatchStore(tmp_path)
    assert (tmp_path / f"{DATABASE}-wal").stat().st_size > 0
    assert said(tmp_path) == f"{tmp_path / DATABASE}: whole and in order\n"
    store.close()


def test_a_damaged_record_is_said(tmp_path):
    MatchStore(tmp_path).close()
    with (tmp_path / DATABASE).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 4096)
    with pytest.raises(RecordError, match="damaged"):
        look_after(tmp_path, io.StringIO())


def test_pictures_that_are_too_many_go(tmp_path):
    store = MatchStore(tmp_path)
    number = store.take_in(simulated_match("br4006", "upkeep", throws=6)).number
    names = ("0001/evidence/a.jpg", "0001/evidence/b.jpg")
    (tmp_path / "0001" / "evidence").mkdir(parents=True)
    for name in names:
        (tmp_path / name).write_bytes(b"x" * 700_000)
        store.add_picture(number, 1, "after", name, 700_000)
    store.close()
    out = io.StringIO()
    assert look_after(tmp_path, out, Budget(megabytes=1)) == 0
    assert "1 pictures were too many or too old" in out.getvalue()
    assert [(tmp_path / name).exists() for name in names] == [False, True]


def test_a_card_that_takes_nothing_is_not_called_a_damaged_record(tmp_path, monkeypatch):
    MatchStore(tmp_path).close()
    monkeypatch.setattr("uckers_table.record.upkeep.is_read_only", lambda folder: True)
    monkeypatch.setattr("uckers_table.machine.files.is_read_only", lambda folder: True)

    def refuse(*_, **__):
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr("uckers_table.record.upkeep.sqlite3.connect", refuse)
    with pytest.raises(RecordError, match="the card is read-only") as refused:
        look_after(tmp_path, io.StringIO())
    assert "damaged" not in str(refused.value)

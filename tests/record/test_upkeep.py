"""What the record needs now and then."""

import io

import pytest

from uckers_table.errors import RecordError
from uckers_table.record.store import DATABASE, MatchStore
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

"""The record goes to the stick that is plugged in, when somebody asks for it on the page."""

from contextlib import closing
from queue import Queue

import pytest

from tests.patience import HANGS_S
from uckers_table.errors import InputError
from uckers_table.keeping import backing_up
from uckers_table.keeping.backing_up import BackingUp
from uckers_table.record.backup import read_manifest
from uckers_table.record.store import MatchStore, match_folder


@pytest.fixture
def record(tmp_path):
    folder = tmp_path / "matches"
    with closing(MatchStore(folder)) as store:
        store.new_number()
    return folder


@pytest.fixture
def plugged(monkeypatch):
    """The sticks that are plugged in."""
    found = []
    monkeypatch.setattr(backing_up, "sticks", lambda: found)
    return found


def test_it_is_copied_and_said_to_be_once_it_has_been_checked(record, plugged, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    plugged.append(stick)
    told = Queue()
    with closing(BackingUp(record, told.put)) as copying:
        assert copying.begin() == stick
        notice = told.get(timeout=HANGS_S)
        assert (notice.title, "checked" in notice.sentence) == ("BACKED UP", True)
        assert "record.sqlite" in read_manifest(stick).files
        copying.begin()
        assert told.get(timeout=HANGS_S).title == "BACKED UP"


def test_a_stick_that_does_not_take_it_is_said(record, plugged, tmp_path):
    plugged.append(tmp_path / "gone")
    told = Queue()
    with closing(BackingUp(record, told.put)) as copying:
        copying.begin()
        notice = told.get(timeout=HANGS_S)
    assert notice.title == "NO BACKUP"
    assert "gone" in notice.sentence


def test_a_copy_that_is_closed_ends_at_its_next_step_and_the_one_before_stays(record, plugged, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    plugged.append(stick)
    for each in range(3):
        path = match_folder(record, 1) / f"{each}.jpg"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes([each]) * 2**20)
    told, copying = Queue(), None

    def tell(news):
        told.put(news)
        copying._worker.stopping.set()

    copying = BackingUp(record, tell)
    copying.begin()
    first = told.get(timeout=HANGS_S)
    copying.close()
    assert (first.what, first.done, told.empty()) == ("Copying", 1, True)
    with pytest.raises(InputError, match="name a folder that"):
        read_manifest(stick)


def test_none_and_several_are_one_line(record, plugged, tmp_path):
    copying = BackingUp(record, print)
    with pytest.raises(InputError, match="no stick is plugged in"):
        copying.begin()
    plugged += [tmp_path / "one", tmp_path / "two"]
    with pytest.raises(InputError, match="several sticks"):
        copying.begin()

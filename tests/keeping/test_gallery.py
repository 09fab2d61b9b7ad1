"""Pictures of a match: evidence, the seconds around it, and a budget, on a real disk and a real record."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from threading import Event

import cv2
import numpy as np
import pytest

from tests.patience import HANGS_S, until
from uckers_table.devices.base import Frame
from uckers_table.errors import InputError, RecordError
from uckers_table.keeping.gallery import AROUND_PX, Gallery, RulingEvidence, write_picture
from uckers_table.machine.moment import Moment
from uckers_table.record.library import Library
from uckers_table.record.match_record import NewPicture, Picture, Ruled, Terms
from uckers_table.record.picture_names import kept_picture
from uckers_table.record.store import MatchStore
from uckers_table.record.thinning import Budget, thin

NOISE = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), np.uint8)


def frame(t):
    return Frame(t, NOISE)


def ruled(kind):
    return Ruled(1.0, kind, None, "red", "", {"red": (0, 0, 0, 0)}, "red", "throw")


@pytest.fixture
def store(tmp_path):
    """A record with a match of three rulings: an accusation, and two that nobody disputes."""
    store = MatchStore(tmp_path)
    begin(store)
    yield store
    store.close()


def begin(store, date="2026-01-01T20:00:00+00:00"):
    number = store.new_number()
    store.begin_match(number, Terms("br4006", seats=("red",)), Moment(date, "boot", 0.0))
    store.append(number, [ruled("illegal"), ruled("put_right"), ruled("won")])
    return number


def watched(folder, times, evidence, budget=Budget()):  # noqa: B008
    """A gallery that saw a frame at each of these times, and was to keep evidence among them."""
    gallery = Gallery(folder, 1, budget)
    for t in times:
        wait_for(gallery)
        gallery.glance(frame(t))
        for each in evidence:
            if each.seen.t == t:
                wait_for(gallery)
                gallery.keep(each)
    gallery.close()
    return gallery


def wait_for(gallery):
    until(lambda: not gallery._work.qsize())


def test_an_accusation_is_kept_with_what_was_before_it_and_the_seconds_around(tmp_path, store):
    times = [k / 10 for k in range(200, 500)]
    evidence = RulingEvidence(1, "illegal", frame(40.0), True, frame(31.0))
    gallery = watched(tmp_path, times, [evidence])
    assert gallery.trouble == ""
    library = Library(tmp_path)
    shown = [round(each.t, 1) for each in library.frames_around(1, 1)]
    # Twice a second, from ten seconds before until three after; at 40.0 the whole frame.
    assert shown == [k / 2 for k in range(60, 87)]
    whole, small = (
        cv2.imread(str(next(each.file for each in library.frames_around(1, 1) if each.t == t)))
        for t in (40.0, 39.5)
    )
    assert (whole.shape, small.shape[1]) == (NOISE.shape, AROUND_PX)
    assert library.evidence_file(1, 1, "before").read_bytes()[:2] == b"\xff\xd8"
    assert [each.name for each in gallery.kept] == ["000001-illegal-after.jpg", "000001-illegal-before.jpg"]
    assert Picture("before", 31.0) in library.match(1).pictures[1]


@pytest.mark.parametrize(
    ("put_by", "agreed", "before"),
    [([31.0], None, 31.0), ([28.0, 31.0], None, 31.0), ([28.0], 31.0, 31.0), ([], None, None)],
    ids=["put by", "put by last", "at hand", "none"],
)
def test_the_board_before_is_the_last_that_agreed(tmp_path, store, put_by, agreed, before):
    gallery = Gallery(tmp_path, 1, Budget())
    assert all(gallery.put_by(frame(t)) for t in put_by)
    gallery.keep(RulingEvidence(1, "illegal", frame(40.0), True, frame(agreed) if agreed else None))
    gallery.close()
    shown = [each for each in Library(tmp_path).match(1).pictures[1] if each.what == "before"]
    assert shown == ([Picture("before", before)] if before else [])


def test_of_what_nobody_disputes_one_frame_is_kept(tmp_path, store):
    watched(tmp_path, [1.0, 1.5, 2.0, 2.5], [RulingEvidence(2, "put_right", frame(2.0), agreed=frame(1.0))])
    assert Library(tmp_path).match(1).pictures == {2: (Picture("frame", 2.0),)}
    assert [each.name for each in (tmp_path / "0001/recording/frames").iterdir()] == ["00002.000.jpg"]


def test_who_hands_in_pictures_does_not_wait_for_them_to_be_written(tmp_path, store, monkeypatch):
    may_write, written = Event(), []

    def slow(path, jpeg):
        assert may_write.wait(HANGS_S)
        write_picture(path, jpeg)
        written.append(path)

    monkeypatch.setattr("uckers_table.keeping.gallery.write_picture", slow)
    gallery = Gallery(tmp_path, 1, Budget())
    for k in range(40):
        gallery.keep(RulingEvidence(1, "illegal", frame(float(k)), True))
        gallery.glance(frame(float(k)))
    assert written == []
    assert gallery.trouble == "rulings came faster than the card takes their pictures"
    may_write.set()
    gallery.close()
    assert len(Library(tmp_path).match(1).pictures[1]) > 5


def test_a_card_that_takes_no_picture_is_said_and_no_name_is_left_without_its_file(
    tmp_path, store, monkeypatch
):
    def full(path, jpeg):
        raise RecordError("the card is full")

    monkeypatch.setattr("uckers_table.keeping.gallery.write_picture", full)
    gallery = watched(tmp_path, [1.0], [RulingEvidence(1, "illegal", frame(1.0), True)])
    assert gallery.trouble == "the card is full"
    assert Library(tmp_path).match(1).pictures == {}


def test_what_came_after_is_kept_though_the_camera_gives_no_more(tmp_path, store, monkeypatch):
    monkeypatch.setattr("uckers_table.keeping.gallery.AFTER_S", 0.6)
    gallery = Gallery(tmp_path, 1, Budget())
    gallery.keep(RulingEvidence(1, "illegal", frame(40.0), True))
    wait_for(gallery)
    gallery.glance(frame(40.5))
    until(lambda: [each.t for each in Library(tmp_path).frames_around(1, 1)] == [40.0, 40.5])
    gallery.close()


def test_of_two_accusations_in_a_row_both_keep_what_came_after(tmp_path, store):
    store.append(1, [ruled("illegal")])
    times = [k / 2 for k in range(80, 92)]
    accused = [RulingEvidence(number, "illegal", frame(t), True) for number, t in ((1, 40.0), (4, 42.0))]
    watched(tmp_path, times, accused)
    library = Library(tmp_path)
    assert [each.t for each in library.frames_around(1, 1)] == [40.0, 40.5, 41.0, 41.5, 42.0]
    assert [each.t for each in library.frames_around(1, 4)] == [k / 2 for k in range(80, 91)]


def test_pictures_left_unnamed_are_named_where_they_are_surely_of_a_ruling(tmp_path, store):
    evidence = tmp_path / "0001" / "evidence"
    watched(tmp_path, [1.0], [RulingEvidence(1, "illegal", frame(1.0), True)])
    (whole,) = (path.read_bytes() for path in evidence.glob("*-after.jpg"))
    for name, jpeg in {
        "000001-illegal-before": whole,
        "000001-frame-00000.500": whole,
        "000001-frame-00000.400": whole[:-9],
        # Of another kind, of another time, of nobody's accusation, and of no ruling.
        "000002-illegal-after": whole,
        "000001-frame-00099.000": whole,
        "000002-frame-00001.000": whole,
        "000009-illegal-after": whole,
    }.items():
        (evidence / f"{name}.jpg").write_bytes(jpeg)
    gallery = Gallery(tmp_path, 1, Budget())
    gallery.close()
    assert gallery.trouble == ""
    added = {"000001-illegal-before", "000001-frame-00000.500"}
    named = {file.rpartition("/")[2].removesuffix(".jpg") for file in store.pictures_of(1)}
    assert named == {"000001-illegal-after", "00001.000", *added}
    assert not (evidence / "000001-frame-00000.400.jpg").exists()


# ---------------------------------------------------------------------- the budget


def keep(store, number, ruling, name, size):
    file = named(number, name)
    (store.folder / file).parent.mkdir(parents=True, exist_ok=True)
    (store.folder / file).write_bytes(b"x" * size)
    store.add_picture(number, ruling, "after", file, size, 1.0)


def named(number, name):
    return f"{number:04d}/evidence/{name}.jpg"


def left(record):
    return sorted(path.stem for path in record.rglob("*.jpg"))


def test_what_nobody_disputed_goes_first_the_oldest_before_the_newer(tmp_path, store):
    other = begin(store)
    for number, ruling, name in ((1, 1, "a"), (1, 2, "b"), (other, 1, "c"), (other, 2, "d"), (other, 3, "e")):
        keep(store, number, ruling, name, 400_000)
    library = Library(tmp_path)

    def there():
        return left(tmp_path)

    assert thin(store, Budget(2), None) == 0
    assert (thin(store, Budget(1), None), there()) == (3, ["a", "c"])
    keep(store, other, 3, "f", 700_000)
    assert (thin(store, Budget(1), None), there()) == (1, ["a", "c"])
    keep(store, other, 1, "g", 400_000)
    assert (thin(store, Budget(1), None), there()) == (1, ["c", "g"])
    assert library.match(1).pictures == {
        1: (Picture("after", 1.0, "for space"),),
        2: (Picture("after", 1.0, "for space"),),
    }
    with pytest.raises(InputError, match="removed for space"):
        library.evidence_file(1, 1, "after")


def test_pictures_make_room_on_a_disk_that_is_nearly_full(tmp_path, store):
    for ruling, name in ((1, "a"), (2, "b"), (3, "c")):
        keep(store, 1, ruling, name, 400_000)
    assert thin(store, Budget(), None, short=0) == 0
    assert thin(store, Budget(), None, short=500_000) == 2
    assert left(tmp_path) == ["a"]


def test_a_picture_that_is_not_written_whole_is_not_left(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("uckers_table.keeping.gallery.os.fsync", full)
    with pytest.raises(RecordError, match="No space left"):
        write_picture(tmp_path / "a" / "b.jpg", b"x")
    assert list((tmp_path / "a").iterdir()) == []


def test_pictures_go_that_are_too_old_where_dates_are_known(tmp_path, store):
    undated, young = begin(store, None), begin(store, "2026-01-20T20:00:00+00:00")
    for number, name in ((1, "a"), (undated, "b"), (young, "c")):
        keep(store, number, 1, name, 10)
    today = datetime(2026, 1, 25, tzinfo=UTC)
    assert thin(store, Budget(days=7), None) == 0
    assert thin(store, Budget(days=7), today) == 1
    assert left(tmp_path) == ["b", "c"]
    assert Library(tmp_path).match(1).pictures == {1: (Picture("after", 1.0, "for age"),)}


def test_thinning_looks_only_at_pictures_that_go(tmp_path, store, monkeypatch):
    looked_at = []

    def counted(record, folder, file):
        looked_at.append(file)
        return kept_picture(record, folder, file)

    monkeypatch.setattr("uckers_table.record.thinning.kept_picture", counted)
    many = [NewPicture(2, "frame", named(1, f"{number:04d}"), 10_000, 1.0) for number in range(1_000)]
    store.add_pictures(1, many)
    today = datetime(2026, 1, 2, tzinfo=UTC)
    assert (thin(store, Budget(10, days=7), today), looked_at) == (0, [])
    store.add_pictures(
        1, [NewPicture(1, "frame", named(1, f"new{number}"), 10_000, 1.0) for number in range(20)]
    )
    assert thin(store, Budget(10, days=7), today) == 20
    assert looked_at == [named(1, f"{number:04d}") for number in range(20)]


def test_pictures_whose_bytes_are_not_on_record_count_too(tmp_path, store):
    for name in ("a", "b"):
        keep(store, 1, 2, name, 600_000)
    keep(store, 1, 1, "c", 600_000)
    with closing(sqlite3.connect(store.path)) as database, database:
        database.execute("UPDATE picture SET bytes = 0")
    assert thin(store, Budget(2), None) == 0
    assert thin(store, Budget(1), None) == 2
    assert left(tmp_path) == ["c"]


def test_a_picture_that_stands_for_two_rulings_goes_from_both(tmp_path, store):
    keep(store, 1, 2, "a", 600_000)
    store.add_picture(1, 3, "after", named(1, "a"), 600_000, 1.0)
    keep(store, 1, 1, "b", 600_000)
    assert thin(store, Budget(1), None) == 1
    assert {number: each[0].removed for number, each in Library(tmp_path).match(1).pictures.items()} == {
        1: "",
        2: "for space",
        3: "for space",
    }

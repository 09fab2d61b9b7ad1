"""What lies in matches' folders is found again: the matches, and pictures, behind no ruling but their own."""

import errno
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from tests.record.simulated_matches import simulated_match
from uckers_table.errors import DamagedRecordError, UnreadError
from uckers_table.record.backup import backup, holding_of
from uckers_table.record.claims import claimed
from uckers_table.record.heading import UNDATED, Heading, write_heading
from uckers_table.record.library import Library
from uckers_table.record.match_record import NewPicture, Ruled
from uckers_table.record.mending import mend, pictures_found
from uckers_table.record.store import DATABASE, MatchStore

BASES = dict.fromkeys(("red", "green", "yellow", "blue"), (0, 0, 0, 0))


def ruled(t, kind):
    return Ruled(t, kind, None, "red", "", BASES, "red", "throw")


@pytest.fixture
def folder(tmp_path):
    """Match 3 with an accusation, its second ruling, at 20 s."""
    evidence = tmp_path / "0003" / "evidence"
    evidence.mkdir(parents=True)
    for name in ("illegal-after", "illegal-before", "illegal-marked", "frame-00011.500", "frame-00021.000"):
        (evidence / f"000002-{name}.jpg").write_bytes(b"12345")
    (evidence / "notes.txt").write_text("")
    (evidence / "somebody.jpg").write_text("")
    return tmp_path


def test_each_is_found_with_what_it_shows_and_its_time(folder):
    found = pictures_found(folder, 3, [ruled(9.0, "legal"), ruled(20.0, "illegal")])
    assert found == [
        NewPicture(2, "frame", "0003/evidence/000002-frame-00011.500.jpg", 5, 11.5),
        NewPicture(2, "frame", "0003/evidence/000002-frame-00021.000.jpg", 5, 21.0),
        *(
            NewPicture(2, what, f"0003/evidence/000002-illegal-{what}.jpg", 5)
            for what in ("after", "before", "marked")
        ),
    ]
    assert pictures_found(folder, 4, [ruled(9.0, "legal"), ruled(20.0, "illegal")]) == []


@pytest.mark.parametrize(
    "rulings",
    [
        [],
        [ruled(20.0, "illegal")],
        [ruled(9.0, "illegal"), ruled(20.0, "legal")],
        # Another accusation, which has taken its number: a fault before it is on no recording.
        [ruled(9.0, "legal"), ruled(300.0, "illegal")],
        [ruled(1.0, "legal"), ruled(2.0, "illegal")],
    ],
)
def test_of_a_ruling_that_may_be_another_none_are(folder, rulings):
    assert pictures_found(folder, 3, rulings) == []


@pytest.mark.parametrize("name", ["9" * 20, "0000", "00000001", "1", "\N{ARABIC-INDIC DIGIT THREE}001"])
def test_a_folder_of_no_match_keeps_no_record_from_being_mended(tmp_path, name):
    for each in ("0001", name):
        begun = tmp_path / each / "recording"
        begun.mkdir(parents=True)
        (begun / "recording.toml").write_text('rules = "br4006"')
    (tmp_path / DATABASE).write_bytes(b"no database" * 500)
    assert "begun with 1 match" in mend(tmp_path)
    assert [summary.number for summary in Library(tmp_path).matches()] == [1]


@pytest.mark.parametrize(
    ("given", "kept"), [("ab" * 16, "ab" * 16), ("mine", ""), (7, "")], ids=["its own", "a word", "a number"]
)
def test_a_match_that_is_found_again_is_the_match_it_was(tmp_path, given, kept):
    begun = tmp_path / "0001" / "recording"
    begun.mkdir(parents=True)
    (begun / "recording.toml").write_text('rules = "br4006"')
    write_heading(begun.parent, Heading(identity=given))
    assert "did not know 1 match" in mend(tmp_path)
    assert [each.identity for each in Library(tmp_path).matches()] == [kept]


def test_a_match_that_somebody_begins_is_his(tmp_path):
    begun = tmp_path / "0001" / "recording"
    begun.mkdir(parents=True)
    (begun / "recording.toml").write_text('rules = "br4006"')
    with claimed(tmp_path / "0001"):
        assert mend(tmp_path) == ""
    assert "did not know 1 match" in mend(tmp_path)


def test_a_match_that_somebody_may_be_beginning_is_left_to_him(tmp_path, monkeypatch):
    begun = tmp_path / "0001" / "recording"
    begun.mkdir(parents=True)
    (begun / "recording.toml").write_text('rules = "br4006"')

    def refused(*what):
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("uckers_table.record.claims.fcntl.flock", refused)
        assert mend(tmp_path) == ""
    assert "did not know 1 match" in mend(tmp_path)


# ---------------------------------------------------------------------- what is put aside


def damage(record, table):
    """Have the page of a table, or of an index, hold nothing that SQLite knows."""
    with closing(sqlite3.connect(record / DATABASE)) as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with (record / DATABASE).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


@pytest.fixture
def mixed(tmp_path):
    """A record with a match from elsewhere, 1, one of the table's own, 2, and one more from elsewhere, 3."""
    folder = tmp_path / "record"
    elsewhere = [
        replace(simulated_match("br4006", f"mending {number}", throws=9), recording="") for number in (1, 3)
    ]
    with closing(MatchStore(folder)) as store:
        store.take_in(elsewhere[0])
        begun = folder / "0002" / "recording"
        begun.mkdir(parents=True)
        (begun / "recording.toml").write_text('rules = "br4006"')
        write_heading(begun.parent, Heading(identity="ab" * 16))
        terms = elsewhere[0].summary.terms
        store.begin_match(2, terms, UNDATED, recording="0002/recording", identity="ab" * 16)
        store.take_in(elsewhere[1])
    return folder


def test_a_record_begun_anew_is_the_same_record_and_takes_along_what_can_be_read(mixed, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    backup(mixed, stick)
    before, told = holding_of(mixed), [Library(mixed).match(number) for number in (1, 3)]
    damage(mixed, "picture_by_file")
    said = mend(mixed)
    assert "record-damaged-1.sqlite, and a new record begun with 1 match, to be judged again" in said
    assert said.endswith("2 matches without a recording came along")
    assert [Library(mixed).match(number) for number in (1, 3)] == told
    assert Library(mixed).match(2).summary.identity == "ab" * 16
    assert holding_of(mixed) == before
    backup(mixed, stick)


@pytest.mark.parametrize(("damaged", "kept"), [("record", False), ("throw", True)])
def test_what_cannot_be_read_of_a_damaged_record_keeps_nothing_else(mixed, damaged, kept):
    before = holding_of(mixed).identity
    damage(mixed, damaged)
    assert "record-damaged-1.sqlite" in mend(mixed)
    assert (holding_of(mixed).identity == before) is kept
    # All throws lie in the part that is damaged.
    assert [each.number for each in Library(mixed).matches()] == ([2] if kept else [1, 2, 3])


# ---------------------------------------------------------------------- a read that fails is no damage


@pytest.fixture
def failing(monkeypatch):
    """Has SQLite call so many checks of a file damaged, as it does when a read fails."""

    def fail(times):
        left = iter(range(times))
        real = MatchStore.check

        def check(store):
            if next(left, None) is not None:
                raise DamagedRecordError(f"{store.path}: the match record is damaged (page 8)")
            real(store)

        monkeypatch.setattr(MatchStore, "check", check)

    return fail


def test_damage_that_a_second_look_does_not_find_is_none(mixed, failing):
    failing(1)
    assert mend(mixed) == ""
    assert sorted(mixed.glob("record-damaged*")) == []


def test_damage_that_a_second_look_finds_too_is_believed(mixed, failing):
    failing(2)
    assert "record-damaged-1.sqlite" in mend(mixed)


def test_a_file_that_the_card_does_not_give_is_never_put_aside(mixed, failing, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EIO, "Input/output error")

    failing(99)
    monkeypatch.setattr("os.pread", refuse)
    with pytest.raises(UnreadError, match=r"cannot be read now .Input/output error.; the card fails"):
        mend(mixed)
    assert sorted(mixed.glob("record-damaged*")) == []

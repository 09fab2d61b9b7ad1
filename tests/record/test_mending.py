"""What lies in matches' folders is found again: the matches, and pictures, behind no ruling but their own."""

import pytest

from uckers_table.record.claims import claimed
from uckers_table.record.heading import Heading, write_heading
from uckers_table.record.library import Library
from uckers_table.record.match_record import Ruled
from uckers_table.record.mending import FoundPicture, mend, pictures_found
from uckers_table.record.store import DATABASE

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
        FoundPicture(2, "frame", "0003/evidence/000002-frame-00011.500.jpg", 5, 11.5),
        FoundPicture(2, "frame", "0003/evidence/000002-frame-00021.000.jpg", 5, 21.0),
        *(
            FoundPicture(2, what, f"0003/evidence/000002-illegal-{what}.jpg", 5)
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

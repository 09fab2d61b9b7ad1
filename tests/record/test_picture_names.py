"""Pictures behind rulings are found again by their names, also those that earlier tables wrote."""

import pytest

from uckers_table.record.match_record import EVIDENCE, FRAME
from uckers_table.record.picture_names import PictureName, pictures_in

NAMES = [
    *(PictureName(12, what, kind="timber_shift") for what in EVIDENCE),
    PictureName(12, FRAME, t=0.0),
    PictureName(12, FRAME, t=3725.25),
    PictureName(1_000_000, FRAME, t=360_000.125),
]


def written(folder, files):
    for path in files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")


def test_what_is_named_is_found_again(tmp_path):
    written(tmp_path, [name.path(tmp_path) for name in NAMES])
    found = dict(pictures_in(tmp_path))
    assert set(found) == set(NAMES)
    assert all(path == name.path(tmp_path) for name, path in found.items())


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("000007-illegal-marked.jpg", PictureName(7, "marked", kind="illegal")),
        ("000007-frame-00041.500.jpg", PictureName(7, FRAME, t=41.5)),
    ],
)
def test_records_that_are_there_hold_these_names(tmp_path, file, name):
    path = tmp_path / "evidence" / file
    written(tmp_path, [path])
    assert name.path(tmp_path) == path
    assert list(pictures_in(tmp_path)) == [(name, path)]


def test_other_files_are_none_of_them(tmp_path):
    others = "notes.txt", "somebody.jpg", "7-illegal-marked.jpg", "000007-illegal-other.jpg"
    written(tmp_path, [tmp_path / "evidence" / name for name in others])
    assert list(pictures_in(tmp_path)) == []
    assert list(pictures_in(tmp_path / "no match")) == []

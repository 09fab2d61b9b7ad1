"""Names that strangers gave to files: inside the folder, or refused."""

import pytest

from uckers_table.errors import InputError
from uckers_table.foreign.places import inside


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "folder" / "frames").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "folder" / "out").symlink_to(tmp_path / "secret")
    (tmp_path / "folder" / "up").symlink_to(tmp_path)
    (tmp_path / "folder" / "round").symlink_to("round")
    (tmp_path / "folder" / "in").symlink_to("frames")
    return tmp_path / "folder"


@pytest.mark.parametrize("name", ["frames/1.jpg", "frames", "in/1.jpg", "a b.jpg", "…", "./x", "x..y"])
def test_a_name_inside_is_taken_whether_or_not_it_is_there(folder, name):
    assert inside(folder, name) == folder / name


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            ".",
            "..",
            "../secret",
            "frames/../../secret",
            "/etc/passwd",
            "//x",
            "up/secret",
            "out",
            "round/x",
        ),
        *(
            "a\0b",
            "\ud800",
            "..\\secret",
            "C:\\x",
            "C:x",
            "frames\\1.jpg",
            None,
            5,
            b"frames",
            ["x"],
        ),
    ],
    ids=repr,
)
def test_a_name_that_leads_out_is_refused_in_a_line(folder, name):
    with pytest.raises(InputError) as error:
        inside(folder, name)
    assert len(str(error.value).splitlines()) == 1

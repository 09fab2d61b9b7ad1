"""Table profiles: written and read again, torn, incomplete, and for another camera."""

from dataclasses import replace

import numpy as np
import pytest

from tests.ids import begins
from uckers_table.errors import ProfileError
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.profile import TableProfile

SMOOTH = np.repeat(np.linspace(20, 220, 60)[:, None], 80, axis=1)
PROFILE = TableProfile(
    seats=("red", "green", "yellow", "blue"),
    camera=CameraModel(80, 60, 61.6, 39.5, 29.5, -0.02, (0.1, 0.0, 1.5), (10.0, 20.0, 960.0)),
    piece_height_mm=18.5,
    piece_diameter_mm=20.4,
    base_spots_mm=tuple(((80.0 + k, 80.0), (170.0, 80.0), (170.0, 170.0), (80.0, 170.0)) for k in range(4)),
    piece_colours=((0.2, 0.1, 0.7), (0.3, 0.4, 0.1), (0.1, 0.9, 1.0), (0.6, 0.2, 0.1)),
    bare=np.repeat(SMOOTH[:, :, None], 3, axis=2).astype(np.uint8),
    settings={"exposure_us": 50000.0, "lens_position": 1.09},
)


def test_a_profile_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "table.toml"
    PROFILE.save(path)
    read = TableProfile.load(path)
    assert read == PROFILE
    assert np.abs(read.bare.astype(int) - PROFILE.bare).max() <= 4
    assert list(tmp_path.iterdir()) == [path]


def test_colours_that_pieces_have_beside_a_mirrored_lamp_are_kept():
    plain = ((0.1, 0.02, 0.7), *PROFILE.piece_colours[1:])
    text = replace(PROFILE, plain_colours=plain).to_toml()
    assert TableProfile.from_toml(text).plain_colours == plain
    assert text.count("plain_bgr") == 1
    assert TableProfile.from_toml(PROFILE.to_toml()).plain_colours == PROFILE.piece_colours


def test_paints_of_strange_pieces_are_kept_and_older_profiles_have_none():
    orange = (0.1, 0.4, 0.9)
    profile = PROFILE.with_paint("red", orange)
    text = profile.to_toml()
    assert "strange_bgr = [[0.1000, 0.4000, 0.9000]]" in text
    assert TableProfile.from_toml(text) == profile
    assert TableProfile.from_toml(PROFILE.to_toml()).strange_colours == ((), (), (), ())
    with pytest.raises(ProfileError, match=r"'pieces\.red\.strange_bgr' makes no sense"):
        TableProfile.from_toml(text.replace("strange_bgr = [[", "strange_bgr = [[true, "))


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("piece_height_mm", "piece_height_mm"),
        ("focal_px", "camera.focal_px"),
        ("t_mm", "camera.t_mm"),
        ("reflected_bgr", "pieces.red.reflected_bgr"),
    ],
)
def test_a_missing_key_is_named(line, key):
    text = "\n".join(row for row in PROFILE.to_toml().splitlines() if not row.startswith(line))
    with pytest.raises(ProfileError, match=rf"my\.toml: key '{key}' is missing"):
        TableProfile.from_toml(text, "my.toml")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"red", "green"', '"red", "red"', "a colour sits twice"),
        ("format = 1", "format = 9", "my.toml: was written by a newer version .format 9, this one knows 1"),
        ("format = 1", "format = 'one'", "key 'format' makes no sense"),
        ("piece_height_mm", "piece_heigth_mm", "'piece_height_mm' is missing .is 'piece_heigth_mm' meant"),
        ("piece_height_mm = 18.50", "piece_height_mm = -3", "key 'piece_height_mm' makes no sense"),
        ("cx_px = 39.500000", "cx_px = nan", "key 'camera.cx_px' makes no sense"),
        ("width = 80", "width = 80.5", "key 'camera.width' makes no sense"),
        (
            "[170.00, 80.00], [170.00, 170.00]",
            "[170.00, 80.00]",
            "key 'pieces.red.base_spots_mm' makes no sense",
        ),
        ("exposure_us = 50000.0", "exposure_us = 'long'", "key 'settings.exposure_us' makes no sense"),
        ("width = 80", "width = 81", "key 'bare.jpeg' is of another size"),
        ("rvec = [", 'rvec = "', "torn or not TOML"),
        ("piece_height_mm = 18.50", 'piece_height_mm = "tall"', "key 'piece_height_mm' makes no sense"),
    ],
    ids=begins,
)
def test_what_is_wrong_is_said(old, new, said):
    text = PROFILE.to_toml()
    assert old in text
    with pytest.raises(ProfileError, match=said):
        TableProfile.from_toml(text.replace(old, new), "my.toml")


@pytest.mark.parametrize("share", [0.3, 0.98])
def test_a_torn_file_is_refused(share):
    text = PROFILE.to_toml()
    with pytest.raises(ProfileError, match=r"my\.toml"):
        TableProfile.from_toml(text[: int(len(text) * share)], "my.toml")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ProfileError, match=r"none\.toml: cannot be read"):
        TableProfile.load(tmp_path / "none.toml")


def test_a_picture_of_another_size_is_refused():
    with pytest.raises(ProfileError, match="64 × 48"):
        PROFILE.check_size(np.zeros((48, 64, 3), np.uint8))

"""Pictures that no camera takes, on purpose or not: read, or refused in a line."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from uckers_table.commands.cli import main
from uckers_table.vision.picture.blur import blur_px
from uckers_table.vision.picture.channels import remapped
from uckers_table.vision.profile import TableProfile

SAMPLE = Path(__file__).parents[2] / "calibration" / "sample-table.toml"


def test_a_board_full_of_dots_is_read(tmp_path, capsys):
    """It has more places where a pip may be than cv2.remap takes in one go, which is 32,767."""
    picture = TableProfile.load(SAMPLE).bare.copy()
    dots = np.zeros(picture.shape[:2], np.uint8)
    dots[2::4, 2::4] = 1
    dots = cv2.dilate(dots, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))) > 0
    picture[dots] = 255 - picture[dots]
    cv2.imwrite(str(tmp_path / "dots.png"), picture)
    assert main(["read", "--table", str(SAMPLE), str(tmp_path / "dots.png")]) == 0
    assert main(["dice", str(tmp_path / "dots.png")]) == 0
    assert capsys.readouterr().err == ""


def pale(picture, share):
    """A picture with this share of its saturation."""
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return cv2.addWeighted(picture, share, grey, 1 - share, 0)


@pytest.mark.parametrize("share", [0.5, 0.0])
def test_a_pale_picture_is_said_to_be_one_and_no_place_is_put_to_a_net(table, monkeypatch, share):
    monkeypatch.setattr("uckers_table.vision.nets.net.Net.say", None)
    sighting = table.reader.read(pale(table.renderer.start, share))
    assert sighting.trouble == ("colours_indistinct",)
    assert not any(sighting.pieces.values())


def test_a_picture_that_is_not_pale_is_read(table):
    sighting = table.reader.read(pale(table.renderer.start, 0.9))
    assert sighting.trouble == ()
    assert [len(pieces) for pieces in sighting.pieces.values()] == [4, 4, 4, 4]


def test_a_drawing_whose_edges_are_all_as_steep_is_not_blurred():
    drawing = np.zeros((64, 64, 3), np.uint8)
    drawing[:, np.arange(64) % 8 >= 4] = 255
    assert blur_px(drawing) == 0


@pytest.mark.parametrize("size", [(1, 4000), (4000, 1), (1, 1), (3, 300)])
def test_a_picture_a_few_pixels_wide_is_refused_for_dice_in_a_line(tmp_path, capsys, size):
    cv2.imwrite(str(tmp_path / "line.png"), np.zeros((*size, 3), np.uint8))
    assert main(["dice", str(tmp_path / "line.png")]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert f"{size[1]} × {size[0]} pixels" in said.err


@pytest.mark.parametrize("count", [1, 30_000, 30_001, 70_000])
def test_more_places_than_opencv_takes_at_once_are_sampled_alike(count):
    picture = np.random.default_rng(1).random((50, 60, 3), np.float32)
    places = np.random.default_rng(2).uniform(-2, 62, (count, 2, 2)).astype(np.float32)
    seen = remapped(picture, places, np.empty(0, np.float32))
    assert seen.shape == (count, 2, 3)
    for k in (0, count // 2, count - 1):
        x, y = places[k : k + 1, :, 0], places[k : k + 1, :, 1]
        assert np.allclose(seen[k], remapped(picture, x, y)[0], atol=1e-5)

"""The commands' work on files: good ones, torn ones, and those of another size."""

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.repainted import ORANGE, painted
from uckers_table.commands.calibrate import calibrate_files
from uckers_table.commands.cli import main
from uckers_table.commands.read import read_files
from uckers_table.errors import CalibrationError, InputError
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.picture.files import save_picture
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.quality import assess
from uckers_table.vision.reader import Reader

SEATS = ("red", "blue", "yellow", "green")


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("pictures")
    for name, picture in (("empty.png", table.renderer.empty), ("start.jpg", table.renderer.start)):
        cv2.imwrite(str(path / name), picture)
    table.profile.save(path / "table.toml")
    jpeg = (path / "start.jpg").read_bytes()
    (path / "torn.jpg").write_bytes(jpeg[: len(jpeg) // 2])
    (path / "words.jpg").write_text("no picture")
    cv2.imwrite(str(path / "small.png"), np.zeros((48, 64, 3), np.uint8))
    return path


def test_frames_are_read_one_object_a_line_and_bad_ones_named(folder):
    names = ["start.jpg", "torn.jpg", "words.jpg", "none.jpg", "small.png", "empty.png"]
    out, err = io.StringIO(), io.StringIO()
    status = read_files(
        folder / "table.toml", [folder / n for n in names], overlay=folder / "drawn", out=out, err=err
    )
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert status == 2
    assert [line["frame"] for line in lines] == [str(folder / "start.jpg"), str(folder / "empty.png")]
    assert [[line[c] for c in SEATS] for line in lines] == [[[0, 0, 0, 0]] * 4, [[]] * 4]
    complaints = err.getvalue().splitlines()
    assert [
        name for name, line in zip(names[1:5], complaints, strict=True) if str(folder / name) in line
    ] == names[1:5]
    drawn = cv2.imread(str(folder / "drawn" / "start.jpg"))
    assert drawn.shape == cv2.imread(str(folder / "start.jpg")).shape
    assert sorted(p.name for p in (folder / "drawn").iterdir()) == ["empty.png", "start.jpg"]


def test_calibrate_writes_a_profile_and_its_drawing(folder, table):
    calibrate_files(
        folder / "empty.png", folder / "start.jpg", SEATS, folder / "new.toml", overlay=folder / "o.png"
    )
    out = io.StringIO()
    assert (
        read_files(folder / "new.toml", [folder / "start.jpg"], overlay=None, out=out, err=io.StringIO()) == 0
    )
    assert [json.loads(out.getvalue())[c] for c in SEATS] == [[0, 0, 0, 0]] * 4
    assert cv2.imread(str(folder / "o.png")).shape == table.renderer.empty.shape


def test_calibrate_is_told_which_seat_has_a_strange_piece(folder, table, monkeypatch, capsys):
    save_picture(folder / "orange.png", painted(table.renderer, ORANGE))
    monkeypatch.chdir(folder)
    words = (
        "--empty",
        "empty.png",
        "--start",
        "orange.png",
        "--seats",
        ",".join(SEATS),
        "-o",
        "strange.toml",
    )
    assert main(["calibrate", *words]) == 2
    assert "is orange: say --strange red if it counts as red" in capsys.readouterr().err
    assert main(["calibrate", *words, "--strange", "red"]) == 0
    kept = TableProfile.load(folder / "strange.toml")
    assert [len(paints) for paints in kept.strange_colours] == [1, 0, 0, 0]


def test_nothing_is_written_when_calibration_fails(folder):
    with pytest.raises(CalibrationError, match=r"empty\.png, .*empty\.png: .* one and the same"):
        calibrate_files(folder / "empty.png", folder / "empty.png", SEATS, folder / "bad.toml")
    with pytest.raises(InputError, match=r"torn\.jpg: is .*torn"):
        calibrate_files(folder / "empty.png", folder / "torn.jpg", SEATS, folder / "bad.toml")
    assert not (folder / "bad.toml").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--settings", "words.jpg"), r"words\.jpg: not TOML"),
        (("--overlay", "drawn.odt"), r"drawn\.odt: is no kind of picture"),
        (
            ("--overlay", "words.jpg/drawn.png"),
            r"drawn\.png: cannot be written \((File exists|Not a directory)",
        ),
    ],
)
def test_no_profile_is_written_where_what_goes_with_it_cannot_be_used(
    folder, monkeypatch, capsys, words, said
):
    monkeypatch.chdir(folder)
    pictures = ("--empty", "empty.png", "--start", "start.jpg", "--seats", ",".join(SEATS))
    assert main(["calibrate", *pictures, "-o", "bad.toml", *words]) == 2
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert re.search(said, complaint)
    assert not (folder / "bad.toml").exists()


def test_the_sample_profile_reads_a_frame_of_its_own():
    profile = TableProfile.load(Path(__file__).parents[2] / "calibration" / "sample-table.toml")
    reader = Reader(profile)
    sighting = reader.read(profile.bare)
    assert (sighting.pieces, sighting.trouble) == (dict.fromkeys(profile.seats, ()), ())


def test_the_report_says_how_good_it_is(folder, table):
    report = calibrate_files(folder / "empty.png", folder / "start.jpg", SEATS, folder / "again.toml")
    rows = dict(row.split(":", 1) for row in report.splitlines())
    assert list(rows) == ["camera", "lines", "light", "paint", "pieces", "verdict"]
    height_m = -float(table.renderer.view.centre_mm[2]) / 1000
    assert float(rows["camera"].split()[0]) == pytest.approx(height_m, abs=0.02)
    assert "all sixteen read back" in rows["pieces"]
    assert rows["verdict"].strip() == "good"


def test_what_should_be_better_is_said(table):
    start = table.renderer.start
    dim = np.linspace(1.0, 0.25, start.shape[1])[None, :, None] ** 2
    empty, start = ((picture * dim).astype(np.uint8) for picture in (table.renderer.empty, start))
    profile = calibrate(empty, start, SEATS)
    quality = assess(profile, start, replace(table.reader.read(table.renderer.start), confidence=0.3))
    assert "the light is uneven: move the lamp, or add one opposite" in quality.doubts
    assert "pieces are hard to make out: more or softer light" in quality.doubts
    assert 0.2 < quality.light < 0.4

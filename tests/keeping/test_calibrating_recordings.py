"""A recording with pictures to calibrate from, whose colours have no known hue."""

import io
from dataclasses import replace

import cv2
import pytest

from tests.repainted import ORANGE, painted
from uckers_table.commands.replay import replay_recording
from uckers_table.errors import CalibrationError
from uckers_table.game.board import Board, Plan
from uckers_table.record.recording import RecordingSettings, settings_as_toml
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer

SEATS = ("orange", "purple", "pink", "brown")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recording")
    renderer = Renderer(Plan(Board()), look_for(3), size=(1152, 648), seed=3)
    for name, picture in (("empty", renderer.empty), ("start", renderer.start)):
        cv2.imwrite(str(folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    (folder / "events.jsonl").write_text('{"t": 1, "kind": "frame", "file": "start.jpg"}\n', encoding="utf-8")
    return folder


def replayed(folder, top_left, strange=(), seats=SEATS):
    pictures = folder / "empty.jpg", folder / "start.jpg"
    settings = RecordingSettings(seats=seats, calibrate=pictures)
    text = settings_as_toml(replace(settings, top_left=top_left, strange=strange))
    (folder / "recording.toml").write_text(text, encoding="utf-8")
    return replay_recording(folder, json_lines=True, out=io.StringIO(), err=io.StringIO())


def test_a_recording_whose_turn_no_picture_tells_is_refused_in_its_own_words(folder):
    with pytest.raises(CalibrationError) as caught:
        replayed(folder, None)
    said = str(caught.value)
    assert said.startswith(f"{folder / 'recording.toml'}: 'calibrate': neither paint nor pieces tell")
    assert "say top_left in 'calibrate'" in said
    assert "--" not in said


@pytest.mark.parametrize("top_left", SEATS)
def test_a_recording_that_says_whose_base_is_at_the_top_left_is_judged(folder, top_left):
    assert replayed(folder, top_left) == 0


def test_a_recording_says_which_seat_has_a_strange_piece(folder):
    renderer = Renderer(Plan(Board()), look_for(3), size=(1152, 648), seed=3)
    start = folder / "start.jpg"
    usual = start.read_bytes()
    cv2.imwrite(str(start), painted(renderer, ORANGE, seat=1), [cv2.IMWRITE_JPEG_QUALITY, 95])
    with pytest.raises(CalibrationError) as caught:
        replayed(folder, None, seats=Board().seats)
    assert "orange: say strange in 'calibrate': green if it counts as green" in str(caught.value)
    assert replayed(folder, None, ("green",), Board().seats) == 0
    start.write_bytes(usual)

"""Pictures to calibrate from: the settings that are kept with them, and what cannot be used."""

import io

import cv2
import numpy as np
import pytest

from uckers_table.commands import photo
from uckers_table.commands.photo import take_photo
from uckers_table.devices.base import Frame
from uckers_table.errors import InputError
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.settings import keep_settings, read_settings

LOCKED = {"exposure_us": 50_000.0, "gain": 1.32, "lens_position": 1.0912, "flicker_period_us": 10_000.0}


class Module:
    """The camera module: counts how often it is locked anew."""

    locks = 0

    def __init__(self, *, settings):
        self.settings = settings

    def lock(self, *, mains_hz):
        assert self.settings is None
        Module.locks += 1
        return {**LOCKED, "flicker_period_us": 5e5 / mains_hz}

    def read(self):
        return Frame(1.0, np.full((90, 160, 3), (10, 200, 30), np.uint8))

    def close(self):
        pass


@pytest.fixture
def taken(monkeypatch, tmp_path):
    monkeypatch.setattr(photo, "Picamera2Camera", Module)
    Module.locks = 0

    def take(name):
        out = io.StringIO()
        settings = tmp_path / "camera.toml"
        take_photo(tmp_path / name, settings, camera="picamera2", source="0", mains_hz=50, out=out)
        return out.getvalue()

    return take


def test_the_first_picture_locks_the_camera_and_the_second_is_taken_alike(taken, tmp_path):
    first = taken("empty.jpg")
    kept = (tmp_path / "camera.toml").read_text()
    assert read_settings(tmp_path / "camera.toml") == LOCKED
    second = taken("start.jpg")
    assert first.replace("empty", "start") == second
    assert "160 × 90, locked at exposure_us 50000" in second
    assert Module.locks == 1
    assert (tmp_path / "camera.toml").read_text() == kept
    assert cv2.imread(str(tmp_path / "start.jpg")).shape == (90, 160, 3)


def test_what_cannot_be_locked_takes_a_picture_too(tmp_path):
    film = str(tmp_path / "film.avi")
    writer = cv2.VideoWriter(film, cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for _ in range(photo._SETTLING):
        writer.write(np.full((48, 64, 3), (10, 200, 30), np.uint8))
    writer.release()
    out = io.StringIO()
    settings = tmp_path / "camera.toml"
    take_photo(tmp_path / "tray.png", settings, camera="webcam", source=film, mains_hz=50, out=out)
    assert out.getvalue() == f"{tmp_path / 'tray.png'}: 64 × 48, locked at what it chose itself\n"
    assert not settings.exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("exposure_us =", "not TOML"),
        ("exposure = 5", "key 'exposure' is 5; known are numbers called exposure_us, gain"),
        ("gain = true", "key 'gain' is True"),
        ("gain = -1.0", "key 'gain' is -1.0"),
        ('gain = "2"', "key 'gain' is '2'"),
    ],
)
def test_settings_that_make_no_sense(tmp_path, text, why):
    path = tmp_path / "camera.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"camera\.toml: .*{why}"):
        read_settings(path)


def test_settings_that_are_not_there(tmp_path):
    with pytest.raises(
        InputError, match=r"camera\.toml: No such file or directory; let `uckers-table photo`"
    ):
        read_settings(tmp_path / "camera.toml")


def test_settings_go_into_the_profile_and_nothing_else_of_it_changes(tmp_path, profile):
    path = tmp_path / "table.toml"
    profile.save(path)
    keep_settings({"exposure_us": 20000.0, "gain": 2.0}, path)
    now = TableProfile.load(path)
    assert now.settings == {"exposure_us": 20_000.0, "gain": 2.0}
    before, after = profile.to_toml().splitlines(), path.read_text().splitlines()
    changed = [(was, is_now) for was, is_now in zip(before, after, strict=True) if was != is_now]
    assert changed == [("# exposure_us =", "exposure_us = 20000.0"), ("# gain =", "gain = 2.0")]


@pytest.fixture
def profile():
    """A table's profile, learned from pictures that are rendered."""
    from uckers_table.game.board import Board, Plan
    from uckers_table.simulator.look import look_for
    from uckers_table.simulator.render import Renderer
    from uckers_table.vision.calibrate import calibrate

    renderer = Renderer(Plan(Board()), look_for(3), size=(1152, 648), seed=3)
    return calibrate(renderer.empty, renderer.start, Board().seats)

"""A table whose voice is a mess's own: what is wrong with the recordings is told, and the table speaks."""

import stat
import sys
from functools import partial

import pytest

from tests.devices.test_speech import wav
from tests.patience import HANGS_S
from uckers_table.config import Config
from uckers_table.devices import speech, voice
from uckers_table.devices.base import Remark
from uckers_table.machine.clock import WallClock
from uckers_table.table.parts import openers


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Opens the voice with a folder of recordings; gives it, and what it tells the table."""
    program = tmp_path / "speaks"
    (tmp_path / "said.wav").write_bytes(wav([9000, -9000] * 400))
    program.write_text(f"#!/bin/sh\ncat {tmp_path}/said.wav\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(speech, "PROGRAMS", {"awb": (str(program),)})
    swallow = (sys.executable, "-c", "import sys; sys.stdin.read()")
    monkeypatch.setattr(
        voice, "SpokenVoice", partial(voice.SpokenVoice, play=swallow, cards=tmp_path / "none")
    )
    told, voices = [], []

    def open_it(folder):
        config = Config(camera="none", clips=folder)
        voices.append(openers(config, None, WallClock(), told.append).voice())
        return voices[-1], told

    yield open_it
    for each in voices:
        each.close()


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("red", b"", "no clip that can be played (it breaks off)"),
        (None, b"", "the clips' folder"),
    ],
    ids=["a broken file", "no folder"],
)
def test_recordings_that_cannot_be_used_are_told_and_spoken_over(opened, tmp_path, name, data, told):
    folder = tmp_path / "ours"
    if name is not None:
        folder.mkdir()
        (folder / f"{name}.wav").write_bytes(data)
    device, (remark,) = opened(folder)
    assert isinstance(remark, Remark)
    assert remark.name == "voice"
    assert told in remark.line
    assert str(folder) in remark.line
    assert "the computer speaks" in remark.line
    device.say("Red starts.")
    assert device.finish(HANGS_S)


def test_recordings_that_hold_leave_nothing_to_say(opened, tmp_path):
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours/red.wav").write_bytes(wav([9000, -9000] * 400))
    _, told = opened(tmp_path / "ours")
    assert told == [Remark("voice", "")]

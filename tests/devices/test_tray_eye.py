"""The camera over the tray is locked while it is used, in the thread that reads it: one thing at a time."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from tests.patience import HANGS_S, until
from uckers_table.devices import tray_eye
from uckers_table.devices.base import Frame
from uckers_table.devices.tray_eye import TrayEye
from uckers_table.errors import DeviceError

SETTINGS = {"exposure_us": 20000.0}


class Camera:
    """A camera that gives pictures, and is locked at what it is given; or that fails."""

    name, waits = "tray camera", False

    def __init__(self, locked):
        self.locked, self.asked, self.level = locked, [], 0

    def read(self):
        self.level = (self.level + 1) % 200
        return Frame(0.0, np.full((4, 4, 3), self.level, np.uint8))

    def lock(self, *, mains_hz=50):
        self.asked.append(mains_hz)
        if isinstance(self.locked, Exception):
            raise self.locked
        return self.locked

    def close(self):
        pass


@pytest.fixture
def eye(monkeypatch):
    monkeypatch.setattr(tray_eye, "RETRY_S", 0.01)
    made = []

    def eye_of(open_camera):
        made.append(TrayEye(open_camera, lambda picture: SimpleNamespace()))
        return made[-1]

    before = set(threading.enumerate())
    yield eye_of
    for each in made:
        each.close()
    until(lambda: set(threading.enumerate()) == before)


def test_it_is_locked_for_the_mains_that_there_are(eye):
    camera = Camera(SETTINGS)
    assert eye(lambda: camera).lock(mains_hz=60) == SETTINGS
    assert camera.asked == [60]


def test_what_keeps_it_from_being_locked_is_told_to_whoever_asked(eye):
    seeing = eye(lambda: Camera(DeviceError("it takes no settings")))
    with pytest.raises(DeviceError, match="takes no settings"):
        seeing.lock()
    # And it goes on seeing.
    until(lambda: seeing.trouble is None and seeing.picture is not None)


def test_a_camera_that_gives_no_pictures_is_locked_by_nobody(eye, monkeypatch):
    monkeypatch.setattr(tray_eye, "LOCK_S", 0.05)
    hangs = threading.Event()

    def never():
        hangs.wait(HANGS_S)
        raise DeviceError("gone")

    seeing = eye(never)
    until(lambda: seeing._worker)
    # The eye is busy opening its camera, and comes to nothing else.
    seeing._lock_it = lambda: None
    with pytest.raises(DeviceError, match="gives no pictures"):
        seeing.lock()
    hangs.set()

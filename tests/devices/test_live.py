"""A live camera that hangs, or gives the same picture for ever, is lost; it is back when it answers."""

import threading
from itertools import count

import numpy as np
import pytest

from tests.patience import HANGS_S, until
from uckers_table.devices import live
from uckers_table.devices.base import Frame
from uckers_table.devices.live import LiveCamera, Novelty
from uckers_table.errors import DeviceError
from uckers_table.machine import threads

SOON_S = 0.02
NOISE = np.random.default_rng(5)


def picture():
    """What a sensor gives: no two are the same."""
    return NOISE.integers(0, 255, (12, 16, 3), dtype=np.uint8)


class Sensor:
    """A camera whose calls hang until the test is over, or that is stuck with one picture."""

    name, waits = "camera", False

    def __init__(self):
        self.is_over, self.hangs, self.stuck, self.closed = threading.Event(), set(), None, 0

    def wait(self, what):
        if what in self.hangs:
            self.is_over.wait(HANGS_S)

    def read(self):
        self.wait("read")
        return Frame(0.0, picture() if self.stuck is None else self.stuck.copy())

    def lock(self, *, mains_hz):
        self.wait("lock")
        return {"mains_hz": mains_hz}

    def close(self):
        self.wait("close")
        self.closed += 1


class Sure(Sensor):
    """A camera that knows whether its picture is new, as the real ones do."""

    is_new = True


@pytest.fixture
def sensors(monkeypatch):
    """The sensors that a camera was opened from, the newest last; all threads end."""
    for limit in ("SILENT_S", "LOCK_S"):
        monkeypatch.setattr(live, limit, 0.5)
    monkeypatch.setattr(threads, "CLOSE_S", SOON_S)
    before, opened = set(threading.enumerate()), []
    yield opened
    for sensor in opened:
        sensor.is_over.set()
    until(lambda: set(threading.enumerate()) <= before)


def opened_from(sensors, *, hangs=(), kind=Sensor):
    """A camera that opens another sensor each time; `hangs` is what the first one does."""

    def open_it():
        sensors.append(kind())
        if len(sensors) == 1:
            sensors[0].hangs = set(hangs)
        return sensors[-1]

    return LiveCamera(open_it)


@pytest.mark.parametrize(
    ("call", "hangs"), [(LiveCamera.read, "read"), (LiveCamera.lock, "lock")], ids=["read", "lock"]
)
def test_a_call_that_never_returns_is_a_lost_camera_and_a_fresh_one_is_opened(sensors, call, hangs):
    camera = opened_from(sensors, hangs={hangs})
    with pytest.raises(DeviceError, match=r"the camera has given no picture for .* is its lead in"):
        call(camera)
    assert isinstance(camera.read(), Frame)
    assert len(sensors) == 2
    # The first one answers at last: it is closed, and nothing else.
    sensors[0].is_over.set()
    until(lambda: sensors[0].closed == 1)
    camera.close()
    assert sensors[1].closed == 1


def test_a_camera_that_never_closes_is_not_waited_for(sensors):
    camera = opened_from(sensors, hangs={"close"})
    assert camera.lock(mains_hz=60) == {"mains_hz": 60}
    camera.close()
    assert (len(sensors), sensors[0].closed) == (1, 0)
    with pytest.raises(DeviceError):
        camera.read()


def test_a_camera_that_is_somebody_elses_is_waited_for_and_not_opened_anew(sensors):
    sensors.append(sensor := Sensor())
    camera = LiveCamera.around(sensor)
    sensor.hangs = {"read"}
    for _ in range(3):
        with pytest.raises(DeviceError):
            camera.read()
    assert sum(thread.name == "camera, apart" for thread in threading.enumerate()) == 1
    sensor.hangs = set()
    sensor.is_over.set()
    assert isinstance(camera.read(), Frame)
    camera.close()
    assert sensor.closed == 0


def ticking():
    """A clock that goes on by a second with each look at it."""
    return map(float, count()).__next__


def stuck_camera(sensors, **how):
    """A camera on a ticking clock; its sensor."""
    sensors.append(sensor := how.pop("sensor", Sensor)())
    return LiveCamera(lambda: sensor, clock=ticking(), **how), sensor


def test_the_same_bytes_for_some_seconds_are_a_lost_camera_until_they_change(sensors):
    camera, sensor = stuck_camera(sensors, compares=True)
    first = camera.read()
    sensor.stuck = first.image
    for _ in range(2):
        with pytest.raises(DeviceError, match="the camera gives the same picture again and again"):
            camera.read()
    # It was closed and opened anew each time.
    until(lambda: sensor.closed == 2)
    sensor.stuck = None
    assert not np.array_equal(camera.read().image, first.image)
    camera.close()


def test_a_picture_that_comes_twice_is_given_once(sensors):
    camera, sensor = stuck_camera(sensors, compares=True)
    pictures, same = [picture() for _ in range(3)], iter([0, 1, 1, 1, 2])
    sensor.read = lambda: Frame(0.0, pictures[next(same)])
    assert [camera.read().image is each for each in pictures] == [True] * 3
    camera.close()


def test_a_camera_that_knows_which_picture_is_new_is_believed(sensors):
    camera, sensor = stuck_camera(sensors, sensor=Sure, compares=True)
    sensor.stuck = picture()
    for _ in range(20):
        camera.read()
    sensor.is_new = False
    with pytest.raises(DeviceError, match="same picture"):
        camera.read()
    camera.close()


def test_the_first_picture_of_a_camera_opened_anew_does_not_bring_a_stuck_one_back(sensors):
    stuck = picture()

    def open_it():
        sensors.append(sensor := Sure())
        novelty, read = Novelty(), sensor.read
        sensor.stuck = stuck

        def look():
            frame = read()
            sensor.is_new = novelty.of(frame.image)
            return frame

        sensor.read = look
        return sensor

    camera = LiveCamera(open_it, clock=ticking())
    assert np.array_equal(camera.read().image, stuck)
    for _ in range(3):
        with pytest.raises(DeviceError, match="same picture"):
            camera.read()
    camera.close()


def test_novelty_is_any_other_byte_except_where_no_noise_would_show():
    first = picture()
    other = first.copy()
    other[-1, -1, -1] ^= 1
    novelty = Novelty()
    assert [novelty.of(each) for each in (first, first, first.copy(), other, other.copy())] == [
        True,
        False,
        False,
        True,
        False,
    ]
    assert novelty.of(other[:6])
    for clipped in (0, 16, 235, 255):
        pictures = [np.full((4, 4, 3), clipped, np.uint8) for _ in range(3)]
        novelty = Novelty()
        assert [novelty.of(each) for each in pictures] == [True] * 3

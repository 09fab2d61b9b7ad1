"""The camera's thread: pictures to calibrate from, and another profile in the middle of it all."""

from queue import Queue
from threading import Event

import numpy as np
import pytest

from tests.patience import HANGS_S
from uckers_table.devices import live
from uckers_table.devices.base import Back, Frame
from uckers_table.errors import DeviceError
from uckers_table.machine import threads
from uckers_table.machine.clock import SimulatedClock
from uckers_table.table import watcher as watcher_module
from uckers_table.table.calibrating import ShownPicture
from uckers_table.table.inbox import Inbox
from uckers_table.table.news import ReadFrame
from uckers_table.table.watcher import Watcher


class FakeCamera:
    """Each picture is of one grey, brighter than the one before."""

    name, waits = "camera", False

    def __init__(self):
        self.taken, self.told = 0, []

    def read(self):
        self.taken += 1
        return Frame(self.taken / 10, np.full((2, 2, 3), min(self.taken, 255), np.uint8))

    def close(self):
        pass


class Lockable(FakeCamera):
    """One that focuses, if it does."""

    trouble = ""

    def lock(self, *, mains_hz):
        self.told.append(("lock", self.taken))
        if self.trouble:
            raise DeviceError(self.trouble)
        return {"exposure_us": 20000.0, "flicker_period_us": 1e6 / mains_hz}


class FakeProfile:
    """Only what the camera was locked at."""

    def __init__(self, **settings):
        self.settings = settings


class Reader:
    """Sees in each frame by which profile it is read."""

    def __init__(self, profile):
        self.profile = profile

    def see(self, image):
        return self.profile


@pytest.fixture
def watching(monkeypatch):
    """A watcher at work; what it posts, and what it is asked for."""
    monkeypatch.setattr(watcher_module, "LiveReader", Reader)
    running = []

    def watch(camera, profile=None):
        inbox = Inbox()
        inbox.open(SimulatedClock(lambda: 0.0), patient=True)
        watcher = Watcher(camera, profile, inbox, mains_hz=100)
        watcher.start()
        running.append((watcher, inbox))
        return watcher, inbox

    yield watch
    for watcher, inbox in running:
        inbox.close()
        watcher.stop()


def next_look(inbox):
    letter = inbox.take(HANGS_S)
    letter.dealt_with.set()
    return letter.content


def picture(watcher, inbox, what):
    taken = Queue()
    watcher.take_picture(what, taken.put)
    while taken.empty():
        next_look(inbox)
    return taken.get()


def test_a_table_that_was_never_shown_is_watched_without_being_read(watching):
    watcher, inbox = watching(FakeCamera())
    assert next_look(inbox).sighting is None
    image = np.zeros((2, 2, 3), np.uint8)
    assert watcher.marked(image) is image


def test_it_reads_by_another_profile_from_the_next_frame_on(watching):
    first, second = FakeProfile(), FakeProfile()
    watcher, inbox = watching(FakeCamera(), first)
    assert next_look(inbox).sighting is first
    watcher.read_by(second)
    # One frame may have been read meanwhile.
    assert [next_look(inbox).sighting, next_look(inbox).sighting][-1] is second


def test_a_camera_is_locked_for_the_bare_board_and_stays_so_for_the_other_picture(watching):
    camera = Lockable()
    watcher, inbox = watching(camera)
    empty, start = (picture(watcher, inbox, what) for what in ("empty", "start"))
    ((_, before),) = camera.told
    assert (empty.what, start.what) == ("empty", "start")
    assert empty.settings == start.settings == {"exposure_us": 20000.0, "flicker_period_us": 10000.0}
    # The first frame after the lock may have been taken before it.
    assert empty.image[0, 0, 0] == before + 2


def test_a_camera_that_names_its_sensor_tells_it_with_the_picture(watching):
    camera = Lockable()
    camera.model = "imx708_wide"
    watcher, inbox = watching(camera)
    assert picture(watcher, inbox, "empty").model == "imx708_wide"
    watcher, inbox = watching(FakeCamera())
    assert picture(watcher, inbox, "empty").model == ""


def test_a_camera_that_cannot_be_locked_keeps_what_its_profile_has(watching):
    watcher, inbox = watching(FakeCamera(), FakeProfile(gain=2.0))
    assert picture(watcher, inbox, "empty").settings == {"gain": 2.0}


def test_a_camera_that_finds_no_focus_says_so_and_is_not_lost(watching):
    camera = Lockable()
    camera.trouble = "no focus"
    watcher, inbox = watching(camera)
    assert picture(watcher, inbox, "empty") == ShownPicture("empty", trouble="no focus")
    assert next_look(inbox).sighting is None


def test_people_are_told_to_lay_the_board_out_before_it_is_taken(watching):
    camera, taken = FakeCamera(), Queue()
    watcher, inbox = watching(camera)
    watcher.take_picture("start", taken.put, lambda: camera.told.append(camera.taken))
    while taken.empty():
        next_look(inbox)
    assert taken.get().image[0, 0, 0] == camera.told[0] + 1


def test_while_the_loop_is_busy_no_frames_heap_up(monkeypatch):
    # Ten frames a second of nine megabytes each would fill a small machine while the referee thinks.
    monkeypatch.setattr(watcher_module, "LiveReader", Reader)
    camera, inbox = FakeCamera(), Inbox()
    inbox.open(SimulatedClock(lambda: 0.0), patient=False)
    watcher = Watcher(camera, FakeProfile(), inbox)
    watcher.start()
    for number in range(1, 4):
        letter = inbox.take(HANGS_S)
        assert camera.taken == number
        assert inbox.take(0.05) is None
        letter.dealt_with.set()
    inbox.close()
    watcher.stop()


def test_when_the_loop_takes_nothing_more_no_frame_is_read_any_more(monkeypatch):
    monkeypatch.setattr(watcher_module, "LiveReader", Reader)
    camera, inbox = FakeCamera(), Inbox()
    watcher = Watcher(camera, FakeProfile(), inbox)
    watcher.start()
    inbox.take(HANGS_S)
    inbox.close()
    watcher._thread.join(HANGS_S)
    assert not watcher._thread.is_alive()
    assert camera.taken == 1
    watcher.stop()


def test_what_reading_has_left_free_is_given_back_every_few_frames(watching, monkeypatch):
    given_back = []
    monkeypatch.setattr(watcher_module, "give_back", lambda: given_back.append(camera.taken))
    camera = FakeCamera()
    _, inbox = watching(camera)
    for _ in range(26):
        next_look(inbox)
    every = watcher_module.GIVES_BACK_AFTER
    assert given_back[:2] == [every, 2 * every]


class Stalling(FakeCamera):
    """One that gives two pictures, and then does as it is told: hangs, or gives the second again."""

    def __init__(self, does):
        super().__init__()
        self.does, self.is_stuck, self.is_over = does, Event(), Event()

    def read(self):
        if self.taken < 2 or self.is_over.is_set():
            return super().read()
        self.is_stuck.set()
        if self.does == "hang":
            assert self.is_over.wait(HANGS_S)
            return super().read()
        return Frame(0.2, np.full((2, 2, 3), 2, np.uint8))


@pytest.mark.parametrize(
    ("does", "why"),
    [("hang", "has given no picture for"), ("repeat", "gives the same picture again and again")],
)
def test_a_camera_that_stalls_is_lost_and_back_when_it_sees_again(watching, monkeypatch, does, why):
    monkeypatch.setattr(live, "SILENT_S", 0.3)
    monkeypatch.setattr(live, "FROZEN_S", 0.3)
    monkeypatch.setattr(watcher_module, "CAMERA_RETRY_S", 0.01)
    camera = Stalling(does)
    _, inbox = watching(camera)
    for _ in range(2):
        assert isinstance(next_look(inbox), ReadFrame)
    # What the camera shows while it is stuck is nothing that was seen.
    lost = next_look(inbox)
    assert (lost.name, why in lost.why) == ("camera", True)
    camera.is_over.set()
    assert next_look(inbox) == Back("camera")
    assert isinstance(next_look(inbox), ReadFrame)


def test_a_camera_that_hangs_is_not_waited_for_at_the_end(monkeypatch):
    monkeypatch.setattr(threads, "CLOSE_S", 0.1)
    camera, inbox = Stalling("hang"), Inbox()
    inbox.open(SimulatedClock(lambda: 0.0), patient=False)
    watcher = Watcher(camera, None, inbox)
    watcher.start()
    for _ in range(2):
        next_look(inbox)
    assert camera.is_stuck.wait(HANGS_S)
    inbox.close()
    watcher.stop()
    assert not watcher._thread.is_alive()
    assert inbox.take(0.0) is None
    camera.is_over.set()

"""The driver and a tower read by a camera, when things go wrong: nothing lost, taken twice or invented."""

import os
import select
import threading
import tty
from dataclasses import dataclass
from queue import Queue
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests.patience import HANGS_S, until
from uckers_table.devices import dice_tower
from uckers_table.devices.base import Back, ListenerGoneError, Lost, NoThrow, Remark, ThrowRead
from uckers_table.devices.beam_faults import ASK_S, BEAM_FAILS, MISSES_DICE, STAYS_DARK
from uckers_table.devices.dice_tower import SerialDiceTower, find_picos
from uckers_table.devices.pico import watch
from uckers_table.devices.pico.line import Line
from uckers_table.devices.tower_memory import Remembered, TowerMemory
from uckers_table.devices.tray_eye import TrayEye
from uckers_table.devices.tray_pictures import MOST, TrayPictures
from uckers_table.errors import DeviceError

PICTURE_S = 0.05
"""How much time passes with each picture of the tray, and no time does otherwise. So what the driver and the
tower judge by time is the same on any machine."""
CLEARED_S, QUIET_S = 0.4, 1.0
"""For so long a lifted tray is seen empty, and nothing is told where nothing is to be told."""


@dataclass
class Look:
    dice: tuple[int, ...] | None = ()
    doubt: str = "tilted"
    hand: bool = False
    blind: bool = False


class TrayCamera:
    """Sees what the test says; gives no pictures while its cable is out. `now` is the time for all."""

    name, waits = "tray", False

    def __init__(self):
        self.now = 100.0
        self.look, self.is_out = Look(), False
        self.image = np.zeros((4, 4, 3), np.uint8)
        self.error = None
        self._pause = threading.Event()

    def open(self):
        if self.is_out:
            self._tick()
            raise DeviceError("no tray camera")
        return self

    def read(self):
        self._tick()
        if self.is_out:
            raise DeviceError("no pictures")
        if self.error is not None:
            raise self.error
        return SimpleNamespace(image=self.image)

    def close(self):
        pass

    def wait(self, span_s):
        """Until so much time has passed."""
        end = self.now + span_s
        until(lambda: self.now >= end)

    def _tick(self):
        self._pause.wait(0.01)
        self.now += PICTURE_S


class Tower:
    """A tray tower at the far end of a pseudo-terminal: the firmware's own end of the line."""

    def __init__(self, clock):
        self._clock = clock
        self.line, self.dark = None, (0, 0, 0)
        self.plug()

    def plug(self):
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self.line = Line(os.urandom(4).hex(), "tray", "0.1.0", "tower")
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def unplug(self):
        if self.line is not None:
            self.line = None
            self._stopping.set()
            self._thread.join()
            os.close(self._master)
            os.close(self._slave)

    def find(self):
        if self.line is None:
            raise DeviceError("no tower")
        return self.port

    def tell(self, *event):
        self.line.tell(self.now_ms(), *event)

    def now_ms(self):
        return round(self._clock() * 1000)

    def until_heard(self):
        """The host has acknowledged all that was told."""
        until(lambda: self.line.acknowledged == self.line.last)

    def _run(self):
        line = self.line
        while not self._stopping.is_set():
            if select.select([self._master], [], [], 0.01)[0]:
                line.receive(os.read(self._master, 4096), self.now_ms())
            if line.dump is not None:
                line.answer([("beams", list(self.dark)), ("lamp", [5600])])
            os.write(self._master, line.due(self.now_ms()))


class Host:
    """The program: it can be stopped and started again."""

    def __init__(self, tower, camera, memory):
        self._tower, self._camera, self._memory = tower, camera, memory
        self.events = Queue()
        self.driver = None
        self.start()

    def start(self, listener=None):
        eye = TrayEye(self._camera.open, lambda image: self._camera.look, clock=self._clock)
        pictures = self._memory.parent.parent / "tray"
        self.driver = SerialDiceTower(
            self._tower.find, eye=eye, pictures=pictures, memory=self._memory, clock=self._clock
        )
        self.driver.listen(listener or self.events.put)

    def _clock(self):
        return self._camera.now

    def stop(self):
        self.driver.close()

    def next(self):
        return self.events.get(timeout=HANGS_S)

    def hears_nothing_more(self):
        self._camera.wait(QUIET_S)
        assert list(self.events.queue) == []


@pytest.fixture
def camera():
    return TrayCamera()


@pytest.fixture
def tower(monkeypatch, camera):
    monkeypatch.setattr(dice_tower, "RETRY_S", 0.02)
    monkeypatch.setattr("uckers_table.devices.tray_eye.RETRY_S", 0.02)
    before = set(threading.enumerate())
    tower = Tower(lambda: camera.now)
    yield tower
    tower.unplug()
    assert set(threading.enumerate()) == before


@pytest.fixture
def host(tower, camera, tmp_path):
    host = Host(tower, camera, tmp_path / "record" / "tower.json")
    yield host
    host.stop()


def throw(tower, camera, *dice):
    tower.tell("begun")
    camera.look = Look(None)
    tower.tell("ended", 2, 2)
    tower.until_heard()
    camera.look = Look(dice)


def lift(camera, tower):
    camera.look = Look(())
    camera.wait(CLEARED_S)


def test_a_throw_is_read_by_the_camera(host, tower, camera):
    throw(tower, camera, 6, 3)
    assert host.next() == ThrowRead((6, 3))
    lift(camera, tower)
    throw(tower, camera, 2, 2)
    assert host.next() == ThrowRead((2, 2))
    host.hears_nothing_more()


STATES = {
    "EMPTY": (Look(()), []),
    "ROLLING": (Look(None), [("begun",)]),
    "ended": (Look(None), [("begun",), ("ended", 2, 2)]),
    "LYING": (Look((6, 3)), [("begun",), ("ended", 2, 2)]),
    "COCKED": (Look((6, 0)), [("begun",), ("ended", 2, 2)]),
    "SHORT": (Look((6,)), [("begun",), ("ended", 2, 2)]),
    "STUCK": (Look(()), [("begun",), ("jam", "in")]),
    "UNLIFTED": (Look((6, 3)), [("begun",), ("ended", 2, 2), "wait", ("begun",), ("ended", 2, 2)]),
    "SPOILT": (Look((6, 3, 1)), [("begun",), ("ended", 2, 2)]),
    "TURNED": (Look((6, 3)), [("begun",), ("ended", 2, 2), "wait", Look((6, 6))]),
    "BLIND": (Look(None, blind=True), [("begun",), ("ended", 2, 2)]),
}
"""What the camera sees first, and then what the tower tells, what is waited for and what else is seen."""


def bring(state, host, tower, camera):
    """Into a state; gives what the host made of it on the way."""
    (camera.look, told), heard = STATES[state], []
    for event in told:
        if event == "wait":
            heard.append(host.next())
        elif isinstance(event, Look):
            camera.look = event
        else:
            tower.tell(*event)
            tower.until_heard()
    if state not in ("EMPTY", "ROLLING", "ended"):
        heard.append(host.next())
    return heard


def test_of_a_die_that_was_turned_both_pictures_are_kept(host, tower, camera, tmp_path):
    bring("LYING", host, tower, camera)
    camera.image = np.full((4, 4, 3), 200, np.uint8)
    camera.look = Look((6, 6))
    assert host.next() == NoThrow("handled")
    read, turned = sorted((tmp_path / "tray").glob("*.jpg"))
    assert read.name.endswith("-read.jpg")
    assert turned.name.endswith("-turned.jpg")
    assert [cv2.imread(str(path)).mean() for path in (read, turned)] == [0, 200]


def test_pictures_are_not_kept_for_ever_and_a_full_card_ends_nothing(tmp_path):
    for number in range(MOST):
        (tmp_path / f"2020-{number:02}.jpg").touch()
    pictures = TrayPictures(tmp_path)
    pictures.read(np.zeros((4, 4, 3), np.uint8))
    pictures.turned(np.zeros((4, 4, 3), np.uint8))
    assert len(list(tmp_path.glob("*.jpg"))) == MOST
    assert len(list(tmp_path.glob("2020-*.jpg"))) == MOST - 2
    (tmp_path / "file").touch()
    TrayPictures(tmp_path / "file" / "folder").turned(np.zeros((4, 4, 3), np.uint8))


def test_the_states_are_those_of_the_watch():
    names = {name for name, value in vars(watch).items() if name == value}
    assert set(STATES) - {"ended"} == names


@pytest.mark.parametrize("state", STATES)
def test_unplugged_in_each_state(host, tower, camera, state):
    before = bring(state, host, tower, camera)
    tower.unplug()
    lost = host.next()
    assert isinstance(lost, Lost)
    assert lost.why.endswith("(in the middle of a throw)") == (state in ("ROLLING", "ended"))
    # What rolled comes to rest, without power, and is no throw.
    camera.look = Look((6, 3)) if before == [] else camera.look
    tower.plug()
    assert host.next() == Back("tower")
    host.hears_nothing_more()
    lift(camera, tower)
    throw(tower, camera, 5, 4)
    assert host.next() == ThrowRead((5, 4))


@pytest.mark.parametrize("state", STATES)
def test_the_program_started_again_in_each_state(host, tower, camera, state):
    bring(state, host, tower, camera)
    host.stop()
    if state == "ROLLING":
        tower.tell("ended", 2, 2)
    host.start()
    if state in ("ROLLING", "ended"):
        camera.look = Look((6, 3))
        assert host.next() == ThrowRead((6, 3))
    host.hears_nothing_more()
    if state == "STUCK":
        tower.tell("freed")
    lift(camera, tower)
    throw(tower, camera, 5, 4)
    assert host.next() == ThrowRead((5, 4))
    host.hears_nothing_more()


def gone(event):
    """A table that has closed."""
    raise ListenerGoneError


def test_a_throw_that_the_program_could_not_keep_is_taken_by_the_next(host, tower, camera):
    host.stop()
    host.start(gone)
    until(lambda: tower.line.hears_host(tower.now_ms()))
    tower.tell("begun")
    tower.tell("ended", 2, 2)
    tower.until_heard()
    camera.look = Look((6, 3))
    until(lambda: "tower" not in {thread.name for thread in threading.enumerate()})
    host.stop()
    host.start()
    assert host.next() == ThrowRead((6, 3))
    host.hears_nothing_more()


def test_a_throw_told_again_after_a_kill_bears_the_name_that_it_had(host, tower, camera, tmp_path):
    tower.tell("begun")
    tower.tell("ended", 2, 2)
    memory = tmp_path / "record" / "tower.json"
    until(lambda: memory.exists() and "ended" in memory.read_text())
    before = memory.read_text()
    camera.look = Look((6, 3))
    first = host.next()
    host.stop()
    # Killed when the throw was on record, and not yet remembered as taken.
    memory.write_text(before)
    host.start()
    again = host.next()
    assert again == first == ThrowRead((6, 3))
    assert again.told == first.told != ""
    lift(camera, tower)
    throw(tower, camera, 6, 3)
    assert host.next().told != first.told


def test_an_event_that_nobody_takes_is_not_acknowledged(host, tower):
    host.stop()
    host.start(gone)
    tower.tell("dark")
    until(lambda: "tower" not in {thread.name for thread in threading.enumerate()})
    assert tower.line.acknowledged == 0
    host.stop()
    host.start()
    assert host.next() == NoThrow("dark")


def fall_unseen(tower, camera, *dice):
    """A throw that the out-beam alone sees."""
    camera.look = Look(None)
    tower.tell("ended", 0, 2)
    tower.until_heard()
    camera.look = Look(dice)


@pytest.mark.parametrize(("dark", "beam"), [((1, 0, 0), "in"), ((0, 1, 0), "out")])
def test_a_beam_that_is_dark_from_the_start_is_said_and_the_game_goes_on(host, tower, camera, dark, beam):
    host.stop()
    # The tower told of it before this program was there.
    tower.dark = dark
    host.start()
    remark = host.next()
    assert remark == Remark("tower", STAYS_DARK.format(beam))
    assert remark.aloud == BEAM_FAILS
    if beam == "in":
        fall_unseen(tower, camera, 6, 3)
    else:
        throw(tower, camera, 6, 3)
    assert host.next() == ThrowRead((6, 3))
    tower.dark = (0, 0, 0)
    assert host.next() == Remark("tower", "")
    host.hears_nothing_more()


def test_a_beam_that_goes_dark_while_nobody_throws_is_a_jam_first_and_at_fault_later(host, tower, camera):
    camera.wait(ASK_S + QUIET_S)
    tower.dark = (1, 0, 0)
    tower.tell("begun")
    tower.tell("jam", "in")
    assert host.next() == NoThrow("jam")
    begun = camera.now
    camera.wait(2 * ASK_S + QUIET_S)
    assert tower.line.text == "StuC"
    assert host.next() == Remark("tower", STAYS_DARK.format("in"))
    assert camera.now - begun > 20
    fall_unseen(tower, camera, 6, 3)
    assert host.next() == ThrowRead((6, 3))


def test_an_in_beam_that_sees_no_dice_is_said_after_the_second_throw(host, tower, camera):
    camera.wait(CLEARED_S)
    fall_unseen(tower, camera, 6, 3)
    camera.wait(4.0)
    lift(camera, tower)
    host.hears_nothing_more()
    fall_unseen(tower, camera, 5, 4)
    told = [host.next(), host.next()]
    thrown, remark = sorted(told, key=lambda event: isinstance(event, Remark))
    assert (thrown, remark) == (ThrowRead((5, 4)), Remark("tower", MISSES_DICE))
    assert remark.aloud == BEAM_FAILS
    lift(camera, tower)
    throw(tower, camera, 2, 1)
    assert {type(host.next()), type(host.next())} == {ThrowRead, Remark}
    host.hears_nothing_more()


def test_the_tray_camera_lost_and_back(host, tower, camera):
    throw(tower, camera, 6, 3)
    assert host.next() == ThrowRead((6, 3))
    camera.is_out = True
    lost = host.next()
    assert isinstance(lost, Lost)
    assert "tray camera" in lost.why
    camera.is_out = False
    assert host.next() == Back("tower")
    lift(camera, tower)
    throw(tower, camera, 2, 1)
    assert host.next() == ThrowRead((2, 1))


def test_a_picture_that_cannot_be_read_is_told_and_the_next_is_read(host, tower, camera):
    camera.error = ValueError("torn")
    lost = host.next()
    assert isinstance(lost, Lost)
    assert "tray camera sees nothing: torn" in lost.why
    camera.error = None
    assert host.next() == Back("tower")
    throw(tower, camera, 2, 1)
    assert host.next() == ThrowRead((2, 1))


def test_a_card_that_is_full_makes_no_throw_two(host, tower, camera, tmp_path):
    # Nothing can be written there.
    (tmp_path / "record").touch()
    throw(tower, camera, 6, 3)
    assert host.next() == ThrowRead((6, 3))
    tower.until_heard()
    host.hears_nothing_more()


def test_the_tray_camera_lost_while_dice_roll(host, tower, camera):
    tower.tell("begun")
    tower.tell("ended", 2, 2)
    camera.look = Look(None)
    tower.until_heard()
    camera.is_out = True
    assert isinstance(host.next(), Lost)
    assert host.next() == NoThrow("blind")
    camera.look, camera.is_out = Look((6, 3)), False
    assert host.next() == Back("tower")
    host.hears_nothing_more()


def test_a_tray_tower_without_a_camera_says_what_is_missing(tower):
    events = Queue()
    driver = SerialDiceTower(tower.find)
    driver.listen(events.put)
    assert "name it in the configuration" in events.get(timeout=HANGS_S).why
    driver.close()


def test_another_pico_is_passed_over_for_the_tower(tower, camera, monkeypatch):
    other, slave = os.openpty()
    tty.setraw(slave)
    ports = [
        SimpleNamespace(device=os.ttyname(slave), vid=0x2E8A, pid=0x0005),
        SimpleNamespace(device=tower.port, vid=0x2E8A, pid=0x0005),
        SimpleNamespace(device="/dev/ttyS0", vid=None, pid=None),
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    monkeypatch.setattr("uckers_table.devices.tower_link.HELLO_S", 0.3)
    assert find_picos() == sorted([os.ttyname(slave), tower.port])
    events = Queue()
    eye = TrayEye(camera.open, lambda image: camera.look, clock=lambda: camera.now)
    driver = SerialDiceTower(eye=eye, clock=lambda: camera.now)
    driver.listen(events.put)
    until(lambda: tower.line.hears_host(tower.now_ms()))
    throw(tower, camera, 6, 3)
    while not isinstance(event := events.get(timeout=HANGS_S), ThrowRead):
        assert isinstance(event, Lost | Back)
    driver.close()
    for end in (other, slave):
        os.close(end)


def test_no_tower_plugged_in_says_what_to_do(monkeypatch):
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    with pytest.raises(DeviceError, match=r"no dice tower is plugged in: .*tower install"):
        SerialDiceTower()


def test_what_is_remembered_outlives_the_program(tmp_path):
    path = tmp_path / "tower.json"
    last = Remembered("3fa9c1d2", 7, (("6", "begun"), ("7", "ended", "2", "2")))
    TowerMemory(path).keep(last)
    assert TowerMemory(path).last == last


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"boot": 1}',
        '{"boot": "a", "number": "x", "open": []}',
        '{"boot": "a", "number": 7, "open": [["begun"]]}',
        '{"boot": "a", "number": 7, "open": [[7, "ended"]]}',
        '{"boot": "a", "number": 7, "open": [[7, "ended", "2", "x"]]}',
        '{"boot": "a", "number": 7, "open": [[7, "sneeze"]]}',
        '{"boot": "a", "number": 7, "open": [[7, "ack"]]}',
    ],
)
def test_a_damaged_memory_is_none(tmp_path, text):
    path = tmp_path / "tower.json"
    path.write_text(text)
    assert TowerMemory(path).last == Remembered()

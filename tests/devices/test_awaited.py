"""Devices that turn up after the table has started."""

from queue import Queue

import numpy as np
import pytest
from PIL import Image

from tests.patience import HANGS_S
from uckers_table.devices.awaited import (
    AwaitedButtons,
    AwaitedCamera,
    AwaitedDisplay,
    AwaitedTower,
    AwaitedVoice,
)
from uckers_table.devices.base import Back, Frame, Lost, Pressed, ignore
from uckers_table.errors import DeviceError

PICTURE = Image.new("1", (128, 64))


class Found:
    """A device that keeps what it is told."""

    waits, down = False, frozenset({"done"})

    def __init__(self):
        self.told, self.closed = [], 0

    def __getattr__(self, what):
        return lambda *told, **how: self.told.append((what, *told, *how.values()))

    def finish(self, wait_s):
        return False

    def read(self):
        return Frame(0.5, np.zeros((2, 2, 3), np.uint8))

    def lock(self, *, mains_hz):
        return {"gain": 2.0}

    def close(self):
        self.closed += 1


class Shelf:
    """Where a device may lie; `put` it there."""

    def __init__(self):
        self.device, self.looks = None, 0

    def look(self):
        self.looks += 1
        if self.device is None:
            raise DeviceError("still not there")
        return self.device


@pytest.fixture
def shelf():
    return Shelf()


@pytest.fixture
def awaited(shelf):
    made = []

    def await_it(kind):
        news = Queue()
        made.append(kind(shelf.look, "no cable", news.put, retry_s=0.001))
        assert news.get(timeout=HANGS_S) == Lost(made[-1].name, "no cable")
        return made[-1], news

    yield await_it
    for each in made:
        each.close()


def turned_up(shelf, device, news):
    shelf.device = Found()
    assert news.get(timeout=HANGS_S) == Back(device.name)
    return shelf.device


def test_a_tower_is_told_what_holds_when_it_turns_up(shelf, awaited):
    tower, news = awaited(AwaitedTower)
    for tell, *told in ((tower.listen, ignore), (tower.show, "6 3"), (tower.show, "2 1"), (tower.expect, 1)):
        tell(*told)
    found = turned_up(shelf, tower, news)
    assert found.told == [("listen", ignore), ("show", "2 1"), ("expect", 1)]
    tower.show("")
    assert found.told[3:] == [("show", "")]


def test_buttons_are_lit_and_heard_when_they_turn_up(shelf, awaited):
    buttons, news = awaited(AwaitedButtons)
    heard = []
    buttons.listen(heard.append)
    buttons.light(frozenset({"undo"}))
    assert buttons.down == frozenset()
    found = turned_up(shelf, buttons, news)
    (_, listener), lit = found.told
    listener(Pressed("undo"))
    assert (heard, lit) == ([Pressed("undo")], ("light", frozenset({"undo"})))
    assert buttons.down == {"done"}


def test_a_display_shows_the_last_picture(shelf, awaited):
    display, news = awaited(AwaitedDisplay)
    display.show(Image.new("1", (1, 1)))
    display.show(PICTURE, stays=True)
    assert turned_up(shelf, display, news).told == [("show", PICTURE, True)]


def test_a_voice_does_not_say_what_is_overtaken(shelf, awaited):
    voice, news = awaited(AwaitedVoice)
    voice.say("Red starts.")
    assert voice.finish(0.0)
    found = turned_up(shelf, voice, news)
    voice.say("Illegal.", urgent=True)
    assert found.told == [("say", "Illegal.", True)]
    assert not voice.finish(0.0)


def test_what_was_found_is_closed_and_what_was_not_is_looked_for_no_more(shelf, awaited):
    voice, news = awaited(AwaitedVoice)
    found = turned_up(shelf, voice, news)
    voice.close()
    assert found.closed == 1
    display, _ = awaited(AwaitedDisplay)
    display.close()
    looks = shelf.looks
    assert not display._worker._thread.is_alive()
    assert shelf.looks == looks


def test_each_frame_that_is_asked_for_is_a_look_for_the_camera(shelf):
    camera = AwaitedCamera(shelf.look)
    with pytest.raises(DeviceError, match="still not there"):
        camera.read()
    camera.close()
    shelf.device = Found()
    assert (camera.read().t, camera.lock(), shelf.looks) == (0.5, {"gain": 2.0}, 2)
    camera.close()
    assert shelf.device.closed == 1

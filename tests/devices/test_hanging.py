"""Display, voice, tray camera and tower whose drivers hang: lost in a line, and back when they answer."""

import io
import os
import sys
import threading
import tty
import wave
from queue import Queue
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from tests.patience import HANGS_S, until
from uckers_table.devices import dice_tower, display, live, players, second_tower, tower_link, voice
from uckers_table.devices.base import Back, Frame, Lost, Remark, ThrowRead
from uckers_table.devices.dice_tower import DISBELIEVED, PICO, SerialDiceTower
from uckers_table.devices.display import LumaDisplay
from uckers_table.devices.pico.messages import encode
from uckers_table.devices.simulated_tower import SimulatedTower
from uckers_table.devices.tower_link import TowerLink
from uckers_table.devices.tray_eye import TrayEye
from uckers_table.devices.voice import SpokenVoice, lasts_s
from uckers_table.errors import DeviceError
from uckers_table.machine import threads

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")
PICTURE = Image.new("1", (128, 64), 255)
BOOT = "3fa9c1d2"


class Gate:
    """What a driver waits at while it hangs."""

    def __init__(self):
        self.is_open = threading.Event()
        self.is_open.set()

    def pass_(self):
        assert self.is_open.wait(HANGS_S)


@pytest.fixture
def gate(monkeypatch):
    """Shut it to have drivers hang; little is waited for."""
    for module, limit in (
        (display, "SEND_S"),
        (display, "OPEN_S"),
        (live, "SILENT_S"),
        (dice_tower, "HANGS_S"),
    ):
        monkeypatch.setattr(module, limit, 0.5)
    for module in (display, dice_tower):
        monkeypatch.setattr(module, "RETRY_S", 0.02)
    monkeypatch.setattr("uckers_table.devices.tray_eye.RETRY_S", 0.02)
    monkeypatch.setattr(threads, "CLOSE_S", 0.1)
    before, gate = set(threading.enumerate()), Gate()
    yield gate
    gate.is_open.set()
    # luma keeps four workers of its own for the whole program.
    until(lambda: all(each.name.startswith("Thread-") for each in set(threading.enumerate()) - before))


# ---------------------------------------------------------------------- the display


class HangingBus:
    """An I²C bus whose line may be held down."""

    def __init__(self, gate):
        self.gate, self.sent = gate, []

    def command(self, *command):
        self.gate.pass_()

    def data(self, data):
        self.gate.pass_()
        self.sent.append(data)

    def cleanup(self):
        pass


@pytest.fixture
def panel(gate):
    events, buses = Queue(), []

    def open_bus():
        buses.append(HangingBus(gate))
        return buses[-1]

    panel = LumaDisplay(open_bus=open_bus, listener=events.put)
    yield SimpleNamespace(panel=panel, events=events, buses=buses)
    gate.is_open.set()
    panel.close()


def test_a_bus_that_hangs_is_a_lost_display_and_back_when_it_answers(gate, panel):
    gate.is_open.clear()
    panel.panel.show(PICTURE)
    lost = panel.events.get(timeout=HANGS_S)
    assert lost == Lost(
        "display", "the display on I2C bus 1 at 0x3C hangs: pull its lead out and put it in again"
    )
    gate.is_open.set()
    assert panel.events.get(timeout=HANGS_S) == Back("display")
    assert panel.buses[-1].sent


def test_a_display_that_hangs_is_not_waited_for_at_the_end_nor_at_the_start(gate, panel, caplog):
    gate.is_open.clear()
    panel.panel.show(PICTURE, stays=True)
    panel.panel.close()
    assert "display does not close and is left behind" in caplog.text
    with pytest.raises(DeviceError, match="0x3C hangs"):
        LumaDisplay(open_bus=lambda: HangingBus(gate))


# ---------------------------------------------------------------------- the voice


class Words:
    def sounds(self, sentence):
        yield sentence.encode()

    def prepare(self, phrase):
        pass

    def close(self):
        pass


def test_a_sound_card_that_hangs_is_a_lost_voice_and_back_when_it_plays(tmp_path, monkeypatch):
    monkeypatch.setattr(voice, "PLAY_WAIT_S", 0.5)
    events, pids = Queue(), tmp_path / "pids"
    code = (
        "import subprocess, sys\n"
        "if 'hang' in sys.stdin.read():\n"
        "    held = subprocess.Popen(['sleep', '1000'])\n"
        f"    open({str(pids)!r}, 'a').write(f'{{held.pid}} ')\n"
        "    held.wait()\n"
    )
    spoken = SpokenVoice(
        Words(),
        play=(sys.executable, "-c", code),
        cards=tmp_path / "none",
        clock=lambda: 0.0,
        listener=events.put,
    )
    try:
        spoken.say("It will hang.")
        lost = events.get(timeout=HANGS_S)
        assert lost == Lost(
            "voice", "no sound: the sound card hangs; pull the speaker out and put it in again"
        )
        monkeypatch.setattr(voice, "PLAY_WAIT_S", HANGS_S)
        spoken.say("Red starts.")
        assert events.get(timeout=HANGS_S) == Back("voice")
        spoken.say("It will hang again.")
        until(lambda: len(pids.read_text().split()) == 2)
        # Closing kills the player, and waits no longer for what it leaves.
        monkeypatch.setattr(voice, "KILLED_S", 0.1)
        monkeypatch.setattr(players, "KILLED_S", 0.1)
        spoken.close()
    finally:
        for pid in map(int, pids.read_text().split()):
            os.kill(pid, 9)


def test_how_long_a_sound_lasts():
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(4 * 12000))
    assert (lasts_s(made.getvalue()), lasts_s(b"Red starts."), lasts_s(b"")) == (1.5, 0.0, 0.0)


# ---------------------------------------------------------------------- the tray's camera


def test_a_tray_camera_that_hangs_has_a_reason_and_is_opened_anew(gate):
    class Tray:
        name, waits = "tray", False

        def read(self):
            gate.pass_()
            return Frame(0.0, np.zeros((4, 4, 3), np.uint8))

        def close(self):
            pass

    opened = []

    def open_it():
        opened.append(Tray())
        return opened[-1]

    eye = TrayEye(open_it, lambda image: SimpleNamespace(dice=()))
    until(lambda: eye.picture is not None)
    gate.is_open.clear()
    until(lambda: eye.trouble is not None)
    assert eye.trouble.startswith("the tray camera has given no picture")
    gate.is_open.set()
    until(lambda: eye.trouble is None)
    assert len(opened) > 1
    gate.is_open.clear()
    # It is not waited for.
    eye.close()


# ---------------------------------------------------------------------- the tower


def next_of(events, kind):
    """The next event of a kind."""
    while not isinstance(event := events.get(timeout=HANGS_S), kind):
        pass
    return event


@pytest.mark.parametrize("call", ["write", "read"])
def test_a_line_that_hangs_is_a_lost_tower_and_opened_anew(gate, monkeypatch, call):
    monkeypatch.setattr(dice_tower, "WRITE_WAIT_S", 0.0)
    open_port = dice_tower.open_port

    def port_with_a_gate(address):
        port = open_port(address)
        own = getattr(port, call)

        def gated(*told):
            gate.pass_()
            return own(*told)

        setattr(port, call, gated)
        return port

    tower, events = SimulatedTower(), Queue()
    monkeypatch.setattr(dice_tower, "open_port", port_with_a_gate)
    driver = SerialDiceTower(lambda: tower.port)
    driver.listen(events.put)
    try:
        assert tower.throw((6, 3))
        assert events.get(timeout=HANGS_S) == ThrowRead((6, 3))
        gate.is_open.clear()
        lost = events.get(timeout=HANGS_S)
        assert lost.why.startswith("the dice tower's line hangs: pull its cable out")
        gate.is_open.set()
        assert events.get(timeout=HANGS_S) == Back("tower")
        assert tower.throw((5, 4))
        assert events.get(timeout=HANGS_S) == ThrowRead((5, 4))
        gate.is_open.clear()
        driver.close()
    finally:
        gate.is_open.set()
        driver.close()
        tower.close()


class Wire:
    """The far end of a tower's line, spoken by hand."""

    def __init__(self):
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self.heard = b""

    def say(self, *message):
        os.write(self._master, encode(*message))

    def hello(self, number=0):
        self.say("hello", BOOT, number, 2, "array", "0.1.0", "tower")

    def hears(self, line):
        def is_heard():
            self.heard += os.read(self._master, 4096)
            return line in self.heard

        until(is_heard)

    def close(self):
        os.close(self._master)
        os.close(self._slave)


@pytest.fixture
def wire(gate):
    wire, events = Wire(), Queue()
    driver = SerialDiceTower(wire.port)
    driver.listen(events.put)
    yield SimpleNamespace(wire=wire, events=events)
    driver.close()
    wire.close()


def test_a_number_that_runs_ahead_shuts_no_later_throw_out(wire):
    far, dice = 4294967295, {4294967295: "6 6", 1: "6 3", 2: "5 4", 3: "2 2"}
    wire.wire.hello()
    for number, told in dice.items():
        for _ in range(2):
            wire.wire.say("throw", BOOT, number, 0, told)
        wire.wire.hears(encode("ack", BOOT, number))
    thrown = [next_of(wire.events, ThrowRead).dice for _ in dice]
    assert thrown == [(6, 6), (6, 3), (5, 4), (2, 2)]
    # A program that starts again does not take the last one twice.
    link, taken = TowerLink(0.0, (BOOT, 3)), []
    link.receive(encode("hello", BOOT, far, 2, "array", "0.1.0", "tower"), 0.0, taken.append)
    link.receive(encode("throw", BOOT, 3, 0, "2 2") + encode("throw", BOOT, 4, 0, "1 1"), 0.0, taken.append)
    assert [told.number for told in taken] == [4]


def test_a_tower_whose_throws_never_count_has_a_line(wire):
    wire.wire.hello()
    wire.wire.say("throw", BOOT, 1, 600_000, "6 3")
    assert next_of(wire.events, Remark) == Remark("tower", DISBELIEVED)
    wire.wire.say("throw", BOOT, 2, 0, "6 3")
    assert next_of(wire.events, ThrowRead).dice == (6, 3)
    assert next_of(wire.events, Remark) == Remark("tower", "")


def test_what_was_thrown_before_the_hello_is_no_reason_for_a_line():
    link = TowerLink(1000.0)
    link.receive(encode("hello", BOOT, 1, 2, "array", "0.1.0", "tower"), 1000.0, print)
    link.receive(encode("throw", BOOT, 1, 600_000, "6 3"), 1000.0, print)
    assert link.disbelieved == 0
    link.receive(encode("throw", BOOT, 2, 600_000, "6 3"), 1000.0, print)
    assert link.disbelieved == 1


def test_a_tower_that_says_nothing_is_lost_in_a_line(wire, monkeypatch):
    monkeypatch.setattr(tower_link, "HELLO_S", 0.3)
    lost = next_of(wire.events, Lost)
    assert lost == Lost("tower", "the tower has said nothing for 0 s: pull its cable out and put it in again")
    monkeypatch.setattr(tower_link, "HELLO_S", HANGS_S)

    def is_back():
        # Whatever comes while the port is opened is left out.
        wire.wire.hello()
        return not wire.events.empty()

    until(is_back)
    assert wire.events.get() == Back("tower")


def test_of_two_towers_a_line_says_which_is_used(gate, monkeypatch):
    monkeypatch.setattr(second_tower, "LOOK_S", 0.05)
    one, other, mute, events = SimulatedTower(), SimulatedTower(), Wire(), Queue()
    monkeypatch.setattr(second_tower, "ASKED_S", 0.5)
    ports = [one.port]
    monkeypatch.setattr(
        "serial.tools.list_ports.comports",
        lambda: [SimpleNamespace(device=port, vid=PICO[0], pid=PICO[1]) for port in ports],
    )
    driver = SerialDiceTower()
    driver.listen(events.put)
    try:
        assert one.throw((6, 3))
        # What it was told stays in the tower that is not used.
        threading.Thread(target=other.throw, args=((1, 1),), daemon=True).start()
        ports += [mute.port, other.port]
        line = (
            f"A second dice tower is plugged in: the one at {one.port} is used, "
            f"the one at {other.port} is not. Unplug one."
        )
        assert next_of(events, Remark) == Remark("tower", line)
        ports.remove(other.port)
        assert next_of(events, Remark) == Remark("tower", "")
        assert other._tower.acknowledged == 0
        assert one.throw((5, 4))
        assert next_of(events, ThrowRead).dice == (5, 4)
    finally:
        driver.close()
        for each in (one, other, mute):
            each.close()

"""The serial driver over real pseudo-terminals: against the simulated tower, and against a scripted peer."""

import os
import select
import threading
import time
import tty
from queue import Queue

import pytest

from tests.patience import HANGS_S, until
from uckers_table.devices import dice_tower, tower_link
from uckers_table.devices.base import Back, Cocked, Dropped, Lost, ThrowRead
from uckers_table.devices.dice_tower import SerialDiceTower
from uckers_table.devices.pico.messages import encode
from uckers_table.devices.simulated_tower import SimulatedTower
from uckers_table.devices.tower_judges import ArrayJudge
from uckers_table.errors import DeviceError

BOOT = "3fa9c1d2"


@pytest.fixture(autouse=True)
def _all_threads_end(monkeypatch):
    monkeypatch.setattr(dice_tower, "RETRY_S", 0.02)
    for limit in ("HELLO_S", "SILENCE_S"):
        monkeypatch.setattr(tower_link, limit, HANGS_S)
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) == before


@pytest.fixture
def simulated():
    tower = SimulatedTower(patience_s=HANGS_S)
    yield tower
    tower.close()


@pytest.fixture
def events():
    return Queue()


@pytest.fixture
def driver(simulated, events):
    tower = SerialDiceTower(lambda: simulated.port)
    tower.listen(events.put)
    yield tower
    tower.close()


class Peer:
    """The far end of a pseudo-terminal, played by the test."""

    def __init__(self):
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.port = os.ttyname(self.slave)
        self.heard = b""

    def say(self, *messages):
        os.write(self.master, b"".join(encode(*message) for message in messages))

    def hear(self, wanted, times=1):
        """Read until `wanted` has come so often."""

        def listen():
            if select.select([self.master], [], [], 0.1)[0]:
                self.heard += os.read(self.master, 4096)

        until(
            lambda: self.heard.count(wanted) >= times,
            lambda: f"never heard {wanted!r}, only {self.heard!r}",
            pause=listen,
        )

    def close(self):
        for end in (self.master, self.slave):
            os.close(end)
        self.master = self.slave = -1


@pytest.fixture
def peer():
    peer = Peer()
    yield peer
    if peer.master >= 0:
        peer.close()


def test_everything_a_tower_can_say_arrives_once_and_in_order(simulated, driver, events):
    assert simulated.throw((6, 3))
    assert simulated.cocked()
    assert simulated.dropped()
    assert simulated.begin()
    assert simulated.throw((5,))
    assert [events.get(timeout=HANGS_S) for _ in range(4)] == [
        ThrowRead((6, 3)),
        Cocked(),
        Dropped(),
        ThrowRead((5,)),
    ]
    assert events.empty()


def test_the_throw_is_safe_with_the_listener_before_the_tower_hears_of_it(simulated):
    let_go, order = threading.Event(), []

    def listener(event):
        let_go.wait(HANGS_S)
        order.append(event)

    driver = SerialDiceTower(simulated.port)
    driver.listen(listener)
    thrower = threading.Thread(target=lambda: order.append(simulated.throw((2, 1))))
    thrower.start()
    let_go.set()
    thrower.join(HANGS_S)
    driver.close()
    assert order == [ThrowRead((2, 1)), True]


def test_a_listener_that_takes_long_is_no_silence_of_the_towers(simulated, events):
    now = [0.0]

    def listener(event):
        events.put(event)
        # A card that is slow: for so long nobody looks at the line.
        now[0] += 2 * HANGS_S

    def clock():
        now[0] += 0.01
        return now[0]

    driver = SerialDiceTower(simulated.port, clock=clock)
    driver.listen(listener)
    assert [simulated.throw(dice) for dice in ((2, 1), (6, 5), (4, 4))] == [True] * 3
    driver.close()
    assert [events.get_nowait() for _ in range(3)] == [ThrowRead(dice) for dice in ((2, 1), (6, 5), (4, 4))]
    assert events.empty()


def test_a_cable_kicked_in_the_middle_of_a_throw(simulated, driver, events):
    assert simulated.begin()
    simulated.cut()
    lost = events.get(timeout=HANGS_S)
    assert lost == Lost("tower", "its line went dead: is the cable in? (in the middle of a throw)")
    assert not simulated.throw((6, 6))
    simulated.plug()
    assert events.get(timeout=HANGS_S) == Back("tower")
    assert simulated.throw((6, 3))
    assert events.get(timeout=HANGS_S) == ThrowRead((6, 3))
    assert events.empty()


def test_a_throw_waiting_for_its_answer_when_the_cable_goes_is_not_told_as_taken(simulated):
    result = []
    thrower = threading.Thread(target=lambda: result.append(simulated.throw((6, 3))))
    thrower.start()
    simulated.cut()
    thrower.join(HANGS_S)
    assert result == [False]


def test_a_throw_that_nobody_answers_gives_up(simulated):
    tower = SimulatedTower(patience_s=0.05)
    assert not tower.throw((6, 3))
    tower.close()


def test_kicked_again_and_again(simulated, driver, events):
    for die in range(1, 6):
        assert simulated.throw((die, 6))
        assert events.get(timeout=HANGS_S) == ThrowRead((die, 6))
        simulated.cut()
        assert events.get(timeout=HANGS_S).name == "tower"
        simulated.plug()
        assert events.get(timeout=HANGS_S) == Back("tower")


def test_the_readout_says_the_last_text_also_after_the_cable_was_out(simulated, driver, events):
    driver.show("6-3 and more")
    until(lambda: simulated.readout == "6-3 and ")
    simulated.cut()
    assert simulated.readout == ""
    driver.show("rEd")
    simulated.plug()
    until(lambda: simulated.readout == "rEd")


def test_the_port_of_a_tower_without_its_cable_cannot_be_opened(simulated):
    simulated.cut()
    with pytest.raises(DeviceError, match="cable is out"):
        SerialDiceTower(lambda: simulated.port)


def test_a_port_that_is_not_there_says_what_to_try(tmp_path):
    with pytest.raises(DeviceError, match=r"tower's port .*/nothing cannot be opened .*dialout"):
        SerialDiceTower(str(tmp_path / "nothing"))


def test_a_port_that_is_no_serial_line_says_what_to_try(tmp_path):
    plain = tmp_path / "file"
    plain.touch()
    with pytest.raises(DeviceError, match="cannot be opened"):
        SerialDiceTower(str(plain))


def test_the_port_is_not_shared(peer):
    first = SerialDiceTower(peer.port)
    with pytest.raises(DeviceError, match="nothing else have it open"):
        SerialDiceTower(peer.port)
    first.close()
    first.close()


def test_lost_acknowledgements_and_garbage_give_the_throw_once(peer, events):
    driver = SerialDiceTower(peer.port)
    driver.listen(events.put)
    peer.hear(encode("who"))
    os.write(peer.master, bytes(range(256)) * 4 + b"\n")
    peer.say(("hello", BOOT, 1, 2, "array", "0.1.0", "tower"))
    for _ in range(3):
        peer.say(("throw", BOOT, 1, 0, "6 3"))
        os.write(peer.master, b"throw 3fa9c1d2 2 0 6 6*0000\n\x00\xff\n")
    peer.hear(encode("ack", BOOT, 1), times=3)
    driver.close()
    assert events.get_nowait() == ThrowRead((6, 3))
    assert events.empty()


def test_something_else_on_the_line_is_lost_and_tried_again(peer, events, monkeypatch):
    with monkeypatch.context() as impatient:
        impatient.setattr(tower_link, "HELLO_S", 0.1)
        driver = SerialDiceTower(peer.port)
        driver.listen(events.put)
        os.write(peer.master, b"$GPGGA,123519,4807.038,N*47\r\n")
        lost = events.get(timeout=HANGS_S)
        assert isinstance(lost, Lost)
        assert "no dice tower" in lost.why

    def say_hello():
        peer.say(("hello", BOOT, 0, 2, "array", "0.1.0", "tower"))
        time.sleep(0.05)

    # A port that is being opened forgets what came before.
    until(lambda: not events.empty(), pause=say_hello)
    assert events.get(timeout=HANGS_S) == Back("tower")
    driver.close()


def test_a_tower_of_another_protocol_is_lost_with_what_to_do(peer, events):
    driver = SerialDiceTower(peer.port)
    driver.listen(events.put)
    peer.hear(encode("who"))
    peer.say(("hello", BOOT, 0, 7, "array", "9.0", "tower"))
    assert "put this release's firmware" in events.get(timeout=HANGS_S).why
    driver.close()


def test_a_line_that_dies_without_a_word_before_is_lost_once(peer, events):
    driver = SerialDiceTower(peer.port)
    driver.listen(events.put)
    peer.hear(encode("who"))
    peer.close()
    assert isinstance(events.get(timeout=HANGS_S), Lost)
    driver.close()
    assert events.empty()


def test_a_driver_that_fails_at_what_it_is_told_is_lost_and_goes_on(simulated, driver, events, monkeypatch):
    assert simulated.throw((6, 3))
    assert events.get(timeout=HANGS_S) == ThrowRead((6, 3))
    hear = ArrayJudge.hear

    def fail(judge, told):
        monkeypatch.setattr(ArrayJudge, "hear", hear)
        raise ZeroDivisionError("no such thing")

    monkeypatch.setattr(ArrayJudge, "hear", fail)
    assert simulated.throw((5, 4))
    heard = [events.get(timeout=HANGS_S) for _ in range(3)]
    assert heard[0] == Lost("tower", "the program fails at what it tells (no such thing)")
    assert set(heard[1:]) == {Back("tower"), ThrowRead((5, 4))}

"""Both ends of the tower's line, back to back over a wire that can lose, damage and repeat."""

import random

import pytest

from uckers_table.devices.base import Cocked, Dropped, Thrown
from uckers_table.devices.tower_firmware import MAX_WAITING, REPEAT_MS, Tower
from uckers_table.devices.tower_link import SILENCE_S, TowerLink
from uckers_table.devices.tower_messages import decode, encode
from uckers_table.errors import ProtocolError

BOOT = "3fa9c1d2"


class Wire:
    """A tower and a host that share a clock; `to_host` and `to_tower` may spoil what passes."""

    def __init__(self, *, boot=BOOT, since_s=0.0):
        self.tower = Tower(boot, "array", "0.1.0", "tower")
        self.link = TowerLink(since_s)
        self.now_ms = 0
        self.taken = []
        self.to_host = self.to_tower = lambda data: data

    def run(self, milliseconds, step_ms=10):
        for _ in range(0, milliseconds, step_ms):
            self.now_ms += step_ms
            now_s = self.now_ms / 1000
            self.tower.receive(self.to_tower(self.link.due(now_s)))
            data = self.to_host(self.tower.due(self.now_ms))
            self.tower.receive(self.to_tower(self.link.receive(data, now_s, self.taken.append)))


def test_each_event_is_taken_once_and_in_order():
    wire = Wire()
    wire.run(100)
    wire.tower.throw((6, 3), wire.now_ms)
    wire.tower.cocked(wire.now_ms)
    wire.tower.dropped(wire.now_ms)
    wire.tower.throw((4,), wire.now_ms)
    wire.run(3000)
    assert wire.taken == [Thrown((6, 3)), Cocked(), Dropped(), Thrown((4,))]
    assert wire.tower.acknowledged == wire.tower.last == 8


def test_a_lost_acknowledgement_is_asked_for_again_and_the_throw_taken_once():
    wire = Wire()
    wire.run(100)
    wire.to_tower = lambda data: b""
    wire.tower.throw((6, 3), wire.now_ms)
    wire.run(5 * REPEAT_MS)
    assert wire.tower.acknowledged == 0
    wire.to_tower = lambda data: data
    wire.run(2 * REPEAT_MS)
    assert wire.taken == [Thrown((6, 3))]
    assert wire.tower.acknowledged == 2


@pytest.mark.parametrize("seed", range(20))
def test_a_bad_wire_delays_and_spoils_nothing(seed):
    dice = random.Random(seed)

    def spoil(data):
        if dice.random() < 0.3:
            return b""
        spoiled = bytearray(data)
        if spoiled and dice.random() < 0.3:
            spoiled[dice.randrange(len(spoiled))] ^= 1 << dice.randrange(8)
        return bytes(spoiled) * dice.choice([1, 1, 2])

    wire = Wire()
    wire.run(100)
    wire.to_host = wire.to_tower = spoil
    throws = [Thrown((1 + n % 6, 1 + n // 6)) for n in range(12)]
    for throw in throws:
        wire.tower.throw(throw.dice, wire.now_ms)
        wire.run(2500)
    assert wire.taken == throws


def test_dice_thrown_before_anyone_listened_are_left_out():
    wire = Wire(since_s=5.0)
    wire.now_ms = 4000
    wire.tower.throw((6, 6), wire.now_ms)
    wire.now_ms = 5000
    wire.run(500)
    assert wire.taken == []
    assert wire.tower.acknowledged == wire.tower.last == 2
    wire.tower.throw((2, 1), wire.now_ms)
    wire.run(500)
    assert wire.taken == [Thrown((2, 1))]


def test_a_throw_made_while_the_line_was_down_comes_when_it_is_up():
    wire = Wire()
    wire.run(100)
    wire.to_host = lambda data: b""
    wire.tower.throw((6, 3), wire.now_ms)
    wire.run(5000)
    wire.to_host = lambda data: data
    wire.link.connect(wire.now_ms / 1000)
    wire.run(2000)
    assert wire.taken == [Thrown((6, 3))]


def test_a_throw_taken_before_the_line_went_down_is_not_taken_again():
    wire = Wire()
    wire.run(100)
    wire.to_tower = lambda data: b""
    wire.tower.throw((6, 3), wire.now_ms)
    wire.tower.begin(wire.now_ms)
    wire.run(500)
    wire.to_tower = lambda data: data
    wire.link.connect(wire.now_ms / 1000)
    wire.run(2000)
    assert wire.taken == [Thrown((6, 3))]


def test_a_tower_that_started_again_counts_from_one_and_is_believed():
    wire = Wire()
    wire.run(100)
    wire.tower.throw((6, 3), wire.now_ms)
    wire.run(1000)
    wire.tower = Tower("00000001", "array", "0.1.0", "tower")
    wire.tower.throw((6, 3), wire.now_ms)
    wire.run(2000)
    assert wire.taken == [Thrown((6, 3)), Thrown((6, 3))]


def test_an_event_the_listener_refused_is_not_acknowledged_and_comes_again():
    link, taken = TowerLink(0.0), []
    throw = encode("throw", BOOT, 1, 0, "6 3")
    link.receive(encode("hello", BOOT, 1, 1, "array", "0.1.0", "tower"), 1.0, taken.append)

    def refuse(event):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        link.receive(throw, 1.0, refuse)
    assert link.receive(throw, 1.2, taken.append) == encode("ack", BOOT, 1)
    assert taken == [Thrown((6, 3))]
    assert link.receive(throw, 1.4, taken.append) == encode("ack", BOOT, 1)
    assert taken == [Thrown((6, 3))]


def test_events_wait_until_the_tower_has_said_who_it_is():
    link, taken = TowerLink(0.0), []
    assert link.receive(encode("throw", BOOT, 1, 0, "6 3"), 1.0, taken.append) == b""
    assert taken == []
    assert link.due(1.0) == encode("who")
    assert link.due(1.5) == b""
    assert link.due(2.1) == encode("who")


def test_a_begun_throw_is_known_until_it_has_ended():
    wire = Wire()
    wire.run(100)
    wire.tower.begin(wire.now_ms)
    wire.run(500)
    assert wire.link.throwing
    wire.tower.throw((6, 3), wire.now_ms)
    wire.run(500)
    assert not wire.link.throwing
    assert wire.tower.last == 2


def test_another_protocol_is_refused_with_what_to_do():
    link = TowerLink(0.0)
    with pytest.raises(ProtocolError, match=r"tower 9\.0 speaks protocol 2, this program 1: copy"):
        link.receive(encode("hello", BOOT, 0, 2, "array", "9.0", "tower"), 1.0, print)


def test_silence_is_a_loss_and_a_beat_is_enough():
    wire = Wire()
    wire.run(30_000)
    assert wire.link.trouble(wire.now_ms / 1000) is None
    silent_s = wire.now_ms / 1000 + SILENCE_S
    assert wire.link.trouble(silent_s) == "the tower has been silent for 10 s"


def test_something_else_on_the_port_is_a_loss():
    link = TowerLink(0.0)
    link.receive(b"$GPGGA,123519,4807.038,N,01131.000,E*47\r\n" * 50, SILENCE_S - 1, print)
    assert link.trouble(SILENCE_S - 1) is None
    assert "no dice tower" in str(link.trouble(SILENCE_S))


def test_the_readout_follows_and_is_put_right_when_the_text_was_lost():
    wire = Wire()
    wire.run(100)
    wire.link.show("6-3 \N{SNOWMAN}and more")
    wire.run(100)
    assert wire.tower.readout == "6-3 and "
    wire.to_tower = lambda data: b""
    wire.link.show("rEd")
    wire.run(100)
    wire.to_tower = lambda data: data
    wire.run(1500)
    assert wire.tower.readout == "rEd"
    wire.tower.readout = ""
    wire.run(1500)
    assert wire.tower.readout == "rEd"


def test_the_tower_keeps_the_newest_events_when_nobody_answers():
    tower = Tower(BOOT, "array", "0.1.0", "tower")
    for _ in range(100):
        tower.cocked(0)
    assert len(tower._waiting) == MAX_WAITING
    assert [event[0] for event in tower._waiting] == list(range(193, 201))


def test_the_tower_minds_only_acknowledgements_meant_for_it():
    tower = Tower(BOOT, "array", "0.1.0", "tower")
    tower.throw((6, 3), 0)
    tower.receive(encode("ack", "00000001", 2) + encode("ack", BOOT, 3) + b"\xff\x00ack*0000\n")
    assert tower.acknowledged == 0
    tower.receive(encode("ack", BOOT, 2) + encode("ack", BOOT, 1))
    assert tower.acknowledged == 2


def test_ages_stop_at_ten_minutes():
    tower = Tower(BOOT, "array", "0.1.0", "tower")
    tower.begin(1000)
    assert decode(tower.due(1250).splitlines()[-1]) == ("begun", BOOT, "1", "250")
    assert decode(tower.due(3_000_000_000).splitlines()[-1]) == ("begun", BOOT, "1", "600000")

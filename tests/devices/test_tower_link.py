"""Both ends of the tower's line, back to back over a wire that can lose, damage, repeat and mix."""

import random

import pytest

from uckers_table.devices.pico.line import HOST_GONE_MS, MAX_WAITING, REPEAT_MS, Line
from uckers_table.devices.pico.messages import BadLineError, decode, encode
from uckers_table.devices.tower_link import HANDOVER_S, HELLO_S, SILENCE_S, Dump, TowerLink
from uckers_table.errors import ProtocolError

BOOT = "3fa9c1d2"
HELLO = encode("hello", BOOT, 0, 2, "array", "0.1.0", "tower")


class Wire:
    """A tower and a host that share a clock; `to_host` and `to_tower` may spoil what passes."""

    def __init__(self, *, boot=BOOT, since_s=0.0):
        self.tower = Line(boot, "array", "0.1.0", "tower")
        self.link = TowerLink(since_s)
        self.now_ms = 0
        self.taken = []
        self.to_host = self.to_tower = lambda data: data

    def take(self, told):
        self.taken.append((told.kind, *told.fields))

    def run(self, milliseconds, step_ms=10):
        for _ in range(0, milliseconds, step_ms):
            self.now_ms += step_ms
            now_s = self.now_ms / 1000
            self.tower.receive(self.to_tower(self.link.due(now_s)), self.now_ms)
            data = self.to_host(self.tower.due(self.now_ms))
            self.tower.receive(self.to_tower(self.link.receive(data, now_s, self.take)), self.now_ms)

    def throw(self, dice):
        self.tower.tell(self.now_ms, "throw", dice)


@pytest.fixture
def wire():
    wire = Wire()
    wire.run(100)
    return wire


def test_each_event_is_taken_once_and_in_order(wire):
    events = [
        ("begun",),
        ("throw", "6 3"),
        ("begun",),
        ("ended", "2", "1"),
        ("cocked", "tilted"),
        ("dropped",),
    ]
    events += [("jam", "in"), ("freed",), ("lift",), ("spoilt", "crowd"), ("handled",), ("dark",), ("lit",)]
    events += [("blind", "white"), ("sees",), ("learnt", "black")]
    for event in events:
        wire.tower.tell(wire.now_ms, *event)
    wire.run(4000)
    assert wire.taken == events
    assert wire.tower.acknowledged == wire.tower.last == len(events)


def test_an_event_that_the_protocol_does_not_know_cannot_be_told(wire):
    with pytest.raises(ValueError, match="no event: sung"):
        wire.tower.tell(0, "sung")
    with pytest.raises(ValueError, match="no event: throw"):
        wire.tower.tell(0, "throw")


def test_a_lost_acknowledgement_is_asked_for_again_and_the_throw_taken_once(wire):
    wire.to_tower = lambda data: b""
    wire.throw("6 3")
    wire.run(5 * REPEAT_MS)
    assert wire.tower.acknowledged == 0
    wire.to_tower = lambda data: data
    wire.run(2 * REPEAT_MS)
    assert wire.taken == [("throw", "6 3")]
    assert wire.tower.acknowledged == 1


@pytest.mark.parametrize("seed", range(20))
def test_a_bad_wire_delays_and_spoils_nothing(wire, seed):
    luck = random.Random(seed)

    def spoil(data):
        if luck.random() < 0.3:
            return b""
        spoiled = bytearray(data)
        if spoiled and luck.random() < 0.3:
            spoiled[luck.randrange(len(spoiled))] ^= 1 << luck.randrange(8)
        return bytes(spoiled) * luck.choice([1, 1, 2])

    wire.to_host = wire.to_tower = spoil
    throws = [f"{1 + n % 6} {1 + n // 6}" for n in range(12)]
    for throw in throws:
        wire.throw(throw)
        wire.run(2500)
    assert wire.taken == [("throw", throw) for throw in throws]


def test_every_byte_of_a_line_damaged_in_turn_delays_the_throw_and_no_more():
    line = encode("throw", BOOT, 1, 0, "6 3")
    for place in range(len(line)):
        for flip in (0x01, 0x02, 0x20, 0x80, 0xFF):
            link, taken = TowerLink(0.0), []
            link.receive(HELLO, 1.0, taken.append)
            damaged = line[:place] + bytes([line[place] ^ flip]) + line[place + 1 :]
            # A damaged newline swallows the line behind it; that one is repeated too.
            link.receive(damaged, 1.0, taken.append)
            assert taken == []
            link.receive(line, 1.2, taken.append)
            link.receive(line, 1.4, taken.append)
            assert [(told.kind, *told.fields) for told in taken] == [("throw", "6 3")]


def test_lines_cut_doubled_and_interleaved_give_the_throw_once():
    throw, beat = encode("throw", BOOT, 1, 0, "6 3"), encode("beat", BOOT, 1, "on", "dice=2,bright=2", "")
    for cut in range(1, len(throw)):
        for wreck in (
            throw[:cut],
            throw[cut:],
            throw[:cut] + throw,
            throw[:cut] + beat + throw[cut:],
            throw[:cut] + b"\n" + throw[cut:],
        ):
            link, taken = TowerLink(0.0), []
            link.receive(HELLO, 1.0, taken.append)
            for piece in (wreck, b"\n", throw, throw):
                link.receive(piece, 1.0, taken.append)
            assert [(told.kind, *told.fields) for told in taken] == [("throw", "6 3")]


def test_a_million_random_bytes_are_no_event_and_no_order():
    noise = random.Random(6).randbytes(1_000_000)
    link, tower, taken = TowerLink(0.0), Line(BOOT, "array", "0.1.0", "tower"), []
    link.receive(HELLO, 1.0, taken.append)
    tower.tell(0, "throw", "6 3")
    for at in range(0, len(noise), 4096):
        link.receive(noise[at : at + 4096], 1.0, taken.append)
        tower.receive(noise[at : at + 4096], 0)
    assert taken == []
    assert (tower.acknowledged, tower.text, tower.light, tower.wants_prompt) == (0, "", "on", False)
    assert not tower.hears_host(1)
    link.receive(b"\n" + encode("throw", BOOT, 1, 0, "6 3"), 1.0, taken.append)
    assert [told.fields for told in taken] == [("6 3",)]


def test_dice_thrown_before_anyone_listened_are_left_out():
    wire = Wire(since_s=5.0)
    wire.now_ms = 4000
    wire.throw("6 6")
    wire.now_ms = 5000
    wire.run(500)
    assert wire.taken == []
    assert wire.tower.acknowledged == wire.tower.last == 1
    wire.throw("2 1")
    wire.run(500)
    assert wire.taken == [("throw", "2 1")]


def test_a_lamp_that_failed_before_anyone_listened_is_told():
    wire = Wire(since_s=50.0)
    wire.tower.tell(1000, "dark")
    wire.now_ms = 50_000
    wire.run(500)
    assert wire.taken == [("dark",)]


def test_a_program_that_starts_again_takes_what_the_one_before_had_not():
    link, taken = TowerLink(100.0, (BOOT, 1)), []
    link.receive(HELLO, 100.0, taken.append)
    assert link.receive(encode("throw", BOOT, 1, 3000, "6 6"), 100.0, taken.append) == encode("ack", BOOT, 1)
    assert taken == []
    link.receive(encode("throw", BOOT, 2, 3000, "6 3"), 100.0, taken.append)
    link.receive(encode("throw", BOOT, 3, int(HANDOVER_S * 1000) + 1, "5 5"), 100.0, taken.append)
    assert [told.fields for told in taken] == [("6 3",)]


def test_a_throw_made_while_the_line_was_down_comes_when_it_is_up(wire):
    wire.to_host = lambda data: b""
    wire.throw("6 3")
    wire.run(5000)
    wire.to_host = lambda data: data
    wire.link.connect(wire.now_ms / 1000)
    wire.run(2000)
    assert wire.taken == [("throw", "6 3")]


def test_a_throw_taken_before_the_line_went_down_is_not_taken_again(wire):
    wire.to_tower = lambda data: b""
    wire.throw("6 3")
    wire.run(500)
    wire.to_tower = lambda data: data
    wire.link.connect(wire.now_ms / 1000)
    wire.run(2000)
    assert wire.taken == [("throw", "6 3")]


def test_a_tower_that_started_again_counts_from_one_and_is_believed(wire):
    wire.throw("6 3")
    wire.run(1000)
    wire.tower = Line("00000001", "array", "0.1.0", "tower")
    wire.throw("6 3")
    wire.run(2000)
    assert wire.taken == [("throw", "6 3"), ("throw", "6 3")]


def test_an_event_that_could_not_be_taken_is_not_acknowledged_and_comes_again():
    link, taken = TowerLink(0.0), []
    throw = encode("throw", BOOT, 1, 0, "6 3")
    link.receive(HELLO, 1.0, taken.append)

    def refuse(told):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        link.receive(throw, 1.0, refuse)
    assert link.receive(throw, 1.2, taken.append) == encode("ack", BOOT, 1)
    assert link.receive(throw, 1.4, taken.append) == encode("ack", BOOT, 1)
    assert [told.fields for told in taken] == [("6 3",)]


def test_events_wait_until_the_tower_has_said_who_it_is():
    link, taken = TowerLink(0.0), []
    assert link.receive(encode("throw", BOOT, 1, 0, "6 3"), 1.0, taken.append) == b""
    assert taken == []
    assert link.due(1.0) == encode("who")
    assert link.due(1.5) == b""
    assert link.due(2.1) == encode("who")


def test_another_protocol_is_refused_with_what_to_do():
    link = TowerLink(0.0)
    with pytest.raises(ProtocolError, match=r"tower 9\.0 speaks protocol 1, this program 2: put"):
        link.receive(encode("hello", BOOT, 0, 1, "array", "9.0", "tower"), 1.0, print)


def test_silence_is_a_loss_and_a_beat_is_enough(wire):
    wire.run(30_000)
    assert wire.link.trouble(wire.now_ms / 1000) is None
    silent_s = wire.now_ms / 1000 + SILENCE_S
    assert wire.link.trouble(silent_s) == "the tower has been silent for 10 s"


def test_something_else_on_the_port_is_a_loss():
    link = TowerLink(0.0)
    link.receive(b"$GPGGA,123519,4807.038,N,01131.000,E*47\r\n" * 50, HELLO_S - 1, print)
    assert link.trouble(HELLO_S - 1) is None
    assert "no dice tower" in str(link.trouble(HELLO_S))


def test_text_lamp_and_settings_follow_and_are_put_right_when_they_were_lost(wire):
    wire.link.show("6-3 \N{SNOWMAN}and more")
    wire.run(100)
    assert wire.tower.text == "6-3 and "
    wire.to_tower = lambda data: b""
    wire.link.show("rEd")
    wire.link.light(False)
    wire.link.set(dice=1, bright=3)
    wire.run(100)
    wire.to_tower = lambda data: data
    wire.run(1500)
    assert (wire.tower.text, wire.tower.light) == ("rEd", "off")
    assert wire.tower.settings == {"dice": 1, "bright": 3}
    wire.tower.text, wire.tower.light, wire.tower.settings["dice"] = "", "on", 2
    wire.run(1500)
    assert (wire.tower.text, wire.tower.light, wire.tower.settings["dice"]) == ("rEd", "off", 1)


@pytest.mark.parametrize("settings", [{"dice": 3}, {"bright": 4}, {"loud": 1}, {}])
def test_settings_that_the_tower_does_not_have_are_refused(settings):
    with pytest.raises(BadLineError):
        TowerLink(0.0).set(**settings)


def test_a_raw_dump_comes_whole(wire):
    wire.link.ask_dump()
    wire.run(50)
    wire.tower.answer([("beams", [0, 1, 0]), ("lamp", [5600])])
    wire.run(100)
    assert wire.link.dumped == Dump((("beams", (0, 1, 0)), ("lamp", (5600,))))


def test_what_is_asked_of_the_tower_reaches_it(wire):
    wire.link.ask_learn("white")
    wire.link.ask_prompt()
    wire.run(50)
    assert (wire.tower.learn, wire.tower.wants_prompt) == ("white", True)


def test_the_tower_knows_when_the_host_is_gone(wire):
    wire.run(3 * HOST_GONE_MS)
    assert wire.tower.hears_host(wire.now_ms)
    wire.to_tower = lambda data: b""
    wire.run(HOST_GONE_MS)
    assert not wire.tower.hears_host(wire.now_ms)


def test_the_tower_keeps_the_newest_events_when_nobody_answers():
    tower = Line(BOOT, "array", "0.1.0", "tower")
    for _ in range(100):
        tower.tell(0, "lift")
    numbers = []
    for now_ms in range(0, 60_000, 10):
        for line in tower.due(now_ms).splitlines():
            if line.startswith(b"lift"):
                numbers.append(int(decode(line)[2]))
                tower.receive(encode("ack", BOOT, numbers[-1]), now_ms)
    assert numbers == list(range(101 - MAX_WAITING, 101))


def test_the_tower_minds_only_acknowledgements_meant_for_it():
    tower = Line(BOOT, "array", "0.1.0", "tower")
    tower.tell(0, "begun")
    tower.tell(0, "throw", "6 3")
    tower.receive(encode("ack", "00000001", 2) + encode("ack", BOOT, 3) + b"\xff\x00ack*0000\n", 0)
    assert tower.acknowledged == 0
    tower.receive(encode("ack", BOOT, 2) + encode("ack", BOOT, 1), 0)
    assert tower.acknowledged == 2

"""The complete firmware under MicroPython, driven by the host's real driver over a real line.

One body runs twice: under MicroPython's Unix port, with pins that the test plays, and unchanged on an
emulated RP2040 that boots MicroPython as a Pico does.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager, suppress
from queue import Queue

import pytest

from tests.devices.pico_bench import EmulatedPico, UnixPico, micropython
from tests.patience import HANGS_S, until
from uckers_table.commands import tower as tower_command
from uckers_table.commands.tower import dump, learn_card
from uckers_table.devices import dice_tower, tower_link
from uckers_table.devices.base import Cocked, Dropped, NoThrow, Remark, ThrowRead
from uckers_table.devices.dice_tower import FORGETS, SerialDiceTower, ask_tower
from uckers_table.devices.pico.array import FACES
from uckers_table.devices.pico.messages import encode
from uckers_table.devices.tray_eye import TrayEye

BENCHES = ["unix", "emulated"]
EMPTY, WHITE = "ooooooooo", "........."
LEARNING = (NoThrow("blind"), NoThrow("sees"))
"""An array says so before it has learnt and after, to whoever has the line by then."""


@pytest.fixture(scope="module")
def emulated(tmp_path_factory):
    pico = EmulatedPico(tmp_path_factory.mktemp("pico"))
    yield pico
    pico.close()


@contextmanager
def running(request, folder, reader):
    if request.param == "emulated":
        yield request.getfixturevalue("emulated").plug(reader)
        return
    pico = UnixPico(folder, reader, micropython())
    try:
        yield pico.plug()
    finally:
        pico.close()


@pytest.fixture(autouse=True)
def _all_threads_end(monkeypatch):
    monkeypatch.setattr(dice_tower, "RETRY_S", 0.02)
    # An emulated chip takes its time, most of all in taking files.
    monkeypatch.setattr(tower_command, "COPY_S", HANGS_S)
    monkeypatch.setattr(dice_tower, "ANSWER_S", HANGS_S)
    monkeypatch.setattr(tower_link, "HELLO_S", HANGS_S)
    monkeypatch.setattr(tower_link, "SILENCE_S", HANGS_S)
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) == before


@pytest.fixture(params=BENCHES)
def array(request, tmp_path):
    with running(request, tmp_path, "array") as bench:
        bench.lamp(5600)
        yield bench


@pytest.fixture(params=BENCHES)
def tray(request, tmp_path):
    with running(request, tmp_path, "tray") as bench:
        bench.lamp(5600)
        yield bench


@pytest.fixture
def events():
    return Queue()


@pytest.fixture
def driven(events):
    with ExitStack() as closing:

        def drive(bench, **more):
            driver = SerialDiceTower(bench.port, **more)
            closing.callback(driver.close)
            driver.listen(lambda event: event in LEARNING or events.put(event))
            return driver

        yield drive


@pytest.fixture
def _whole_evening(request):
    """Minutes on the emulated chip: to be asked for."""
    if "emulated" in request.node.name and "RP2040_WHOLE" not in os.environ:
        pytest.skip("minutes on the emulated chip: set RP2040_WHOLE=1")


def faces(bench, *dice):
    for pocket, die in enumerate(dice):
        bench.pocket(pocket, FACES[die][0] if die else EMPTY)


def test_an_array_is_learnt_and_reads_throws(_whole_evening, array, driven, events):
    for pocket in (0, 1):
        array.pocket(pocket, WHITE)
    learn_card(array.port, "white", _Out())
    for pocket in (0, 1):
        array.pocket(pocket, EMPTY)
    learn_card(array.port, "black", _Out())
    out = _Out()
    dump(array.port, out)
    assert "beams 0 0 0" in out.text
    driver = driven(array)
    driver.show("Go")
    array.until_shown("Go")
    array.throw()
    faces(array, 6, 3)
    array.until_told(events, ThrowRead((6, 3)))
    # Thrown onto dice that lie there.
    array.pass_beam(2)
    array.until_told(events, NoThrow("lift"))
    array.until_shown("LIFt")
    faces(array, 0, 0)
    array.until_shown("Go")
    array.throw()
    array.pocket(0, FACES[4][0])
    array.pocket(1, "o.o...o..")
    array.until_told(events, Cocked())
    array.until_shown("Coc")
    faces(array, 0, 0)
    array.until_shown("Go")
    array.throw()
    faces(array, 5, 0)
    array.until_told(events, Dropped())
    array.until_shown("droP")
    assert events.empty()


def test_a_tray_tower_tells_its_beams_and_its_lamp_and_the_host_reads(
    _whole_evening, tray, driven, events, tmp_path
):
    memory = tmp_path / "tower.json"
    looks = _Looks(memory, (2, 5))
    driver = driven(tray, eye=TrayEye(lambda: looks, lambda image: looks.now), memory=memory)
    driver.show("SIX 2")
    tray.until_shown("SIX 2")
    tray.throw()
    tray.until_told(events, ThrowRead((2, 5)))
    tray.play("2 0")
    tray.until_told(events, NoThrow("lift"))
    tray.until_told(events, NoThrow("jam"))
    tray.until_shown("StuC")
    looks.now = _Look(())
    tray.play("2 1")
    tray.until_shown("SIX 2")
    tray.lamp(0)
    tray.until_told(events, NoThrow("dark"))
    tray.lamp(5600)
    tray.until_told(events, NoThrow("lit"))
    assert events.empty()


def test_noise_on_the_line_is_no_order_and_ends_nothing(tray):
    with dice_tower.open_port(tray.port) as line:
        line.write(bytes(range(256)) * 8 + b"\x03\x03\x04\n")
    out = _Out()
    dump(tray.port, out)
    assert "lamp 56" in out.text


def test_a_firmware_that_fails_starts_itself_anew(tmp_path):
    pico = UnixPico(tmp_path, "tray", micropython())
    bench = pico.plug()
    try:
        bench.until_shown("")
        bench.play("CRASH")
        # What the part that stands for the chip ends with when it is reset.
        assert pico.process.wait(HANGS_S) == 3
    finally:
        pico.close()


def is_on(pico):
    """Whether the firmware runs; it is an error if it does not."""
    assert pico.process.poll() is None, "the firmware has ended"
    return True


def kind_and_fields(told):
    """What an event says, without its time."""
    return told.kind, told.fields


@contextmanager
def no_room(folder):
    """The flash takes nothing new: where the file would be made, a folder lies."""
    (folder / "learnt.json.new").mkdir()
    yield
    (folder / "learnt.json.new").rmdir()


@contextmanager
def worn(folder):
    """The flash takes a new file, and does not give it the old one's name."""
    before = folder / "before"
    if (folder / "learnt.json").exists():
        (folder / "learnt.json").rename(before)
    (folder / "learnt.json" / "in it").mkdir(parents=True)
    yield
    assert not (folder / "learnt.json.new").exists(), "what was not kept takes room"
    shutil.rmtree(folder / "learnt.json")
    if before.exists():
        before.rename(folder / "learnt.json")


@pytest.mark.parametrize("flash", [no_room, worn])
def test_a_tray_tower_with_flash_that_takes_nothing_goes_on_and_says_so(
    pico, driven, events, tmp_path, flash
):
    shared = tmp_path / "uckers_table" / "devices" / "pico" / "tower.py"
    said, slow = shared.read_text(), "LAMP_BEST_MS = 10000\n"
    assert slow in said
    shared.write_text(said.replace(slow, "LAMP_BEST_MS = 500\n"))
    with flash(tmp_path):
        bench = pico.plug()
        bench.lamp(5600)
        memory = tmp_path / "tower.json"
        looks = _Looks(memory, (2, 5))
        driven(bench, eye=TrayEye(lambda: looks, lambda image: looks.now), memory=memory)
        until(lambda: is_on(pico) and not events.empty())
        bench.until_told(events, Remark("tower", FORGETS))
        before = fed(pico)
        bench.throw()
        bench.until_told(events, ThrowRead((2, 5)))
        until(lambda: is_on(pico) and fed(pico) > before)


@pytest.mark.parametrize("flash", [no_room, worn])
def test_an_array_whose_flash_takes_no_card_goes_on_and_is_blind_until_it_does(tmp_path, flash):
    heard = Queue()
    pico = UnixPico(tmp_path, "array", micropython())
    with ExitStack() as closing:
        closing.callback(pico.close)
        bench = pico.plug()
        bench.lamp(5600)
        learn_both(bench)
        with flash(tmp_path):
            ask_tower(
                bench.port,
                lambda link: link.ask_learn("black"),
                lambda _, told: is_on(pico) and ("blind", ("unlearnt",)) in map(kind_and_fields, told),
            )
            driver = SerialDiceTower(bench.port)
            closing.callback(driver.close)
            driver.listen(heard.put)
            bench.throw()
            bench.until_told(heard, NoThrow("blind"))
            driver.close()
        learn_both(bench)
        ask_tower(bench.port, lambda link: None, lambda _, told: any(each.kind == "sees" for each in told))
        assert json.loads((tmp_path / "learnt.json").read_text())["black"]


def learn_both(bench):
    """Lay both cards into an array, and have it learn them."""
    for shade, picture in (("white", WHITE), ("black", EMPTY)):
        for pocket in (0, 1):
            bench.pocket(pocket, picture)
        learn_card(bench.port, shade, _Out())


@pytest.fixture
def pico(tmp_path):
    """The firmware of a tower with a tray, under MicroPython's Unix port, and not yet plugged in."""
    pico = UnixPico(tmp_path, "tray", micropython())
    yield pico
    pico.close()


def fed(pico):
    return int(pico.watchdog.read_text())


def test_the_watchdog_is_fed_as_long_as_the_loop_goes_round_and_no_longer(pico):
    bench = pico.plug()
    until(lambda: fed(pico) > 100)
    bench.play("HANG")
    # No round ends any more, and the chip would start anew.
    until(lambda: _stays_the_same(pico))


def _stays_the_same(pico):
    """Whether nothing was fed in twenty times the time in which it is said."""
    before = fed(pico)
    threading.Event().wait(1.0)
    return fed(pico) == before


def test_a_host_that_does_not_read_starves_neither_watchdog_nor_beams(pico, driven, events, tmp_path):
    bench = pico.plug()
    bench.lamp(5600)
    # Somebody has the port open and asks, and reads nothing, until the line takes no more.
    slave = os.open(bench.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    before = fed(pico)

    def has_gone_on():
        with suppress(BlockingIOError):
            os.write(slave, (encode("who") + encode("dump", 1)) * 20)
        return fed(pico) > before + 2000

    # Each round would answer a hundred bytes; the line takes less than a hundred thousand.
    until(has_gone_on)
    bench.throw()
    until(lambda: fed(pico) > before + 2100)
    os.close(slave)
    # What happened meanwhile is told to whoever reads again.
    looks = _Looks(tmp_path / "tower.json", (2, 5))
    driven(bench, eye=TrayEye(lambda: looks, lambda image: looks.now), memory=tmp_path / "tower.json")
    until(
        lambda: "begun" in (tmp_path / "tower.json").read_text() if (tmp_path / "tower.json").exists() else 0
    )


def test_whoever_has_the_prompt_is_not_cut_off_by_the_watchdog(emulated):
    bench = emulated.plug("tray")
    tower_command.prompt(bench.port, _Out())
    # Bit 30 of the watchdog's control register says that it counts.
    asked = [sys.executable, "-m", "mpremote", "connect", bench.port, "resume", "exec"]
    asked.append("import machine; print(machine.mem32[0x40058000] >> 30 & 1)")
    done = subprocess.run(asked, capture_output=True, text=True, timeout=HANGS_S, check=True)
    assert done.stdout.split() == ["0"]


class _Out:
    text = ""

    def write(self, text):
        self.text += text


class _Look:
    doubt, hand, blind = "tilted", False, False

    def __init__(self, dice):
        self.dice = dice


class _Looks:
    """A tray camera, and what is seen by it: dice fall when the host has heard of them, and lie when they
    have passed the beams."""

    waits = False
    name = "tray"

    def __init__(self, memory, dice):
        self.now = _Look(())
        self._memory, self._dice = memory, dice
        self._pause = threading.Event()

    def read(self):
        self._pause.wait(0.03)
        told = self._memory.read_text() if self._memory.exists() else ""
        if "ended" in told:
            self.now = _Look(self._dice)
        elif "begun" in told:
            self.now = _Look(None)
        return _Frame()

    def close(self):
        pass


class _Frame:
    image = None

"""The Pico's ring of edges: whenever an interrupt comes, each change is told once and in order."""

import importlib.util
import os
import subprocess
import sys
from itertools import pairwise
from types import SimpleNamespace

import pytest

from tests.devices.pico_bench import HERE, micropython
from tests.patience import HANGS_S
from uckers_table.commands.tower import firmware_folder
from uckers_table.devices.pico.beams import IN, OUT

PINS = {IN: 2, OUT: 3}


class Chip:
    """A Pico's pins and its clock, of which a microsecond passes with each look."""

    def __init__(self):
        self.us, self.levels, self.handlers = 0, {}, {}

    def ticks(self):
        self.us += 1
        return self.us

    def drive(self, beam, is_dark):
        pin = PINS[beam]
        if self.levels.get(pin, 1) == is_dark:
            self.levels[pin] = 1 - is_dark
            self.handlers[pin](Pin(self, pin))


class Pin:
    IN, OUT, PULL_UP, IRQ_FALLING, IRQ_RISING = range(5)

    def __init__(self, chip, number):
        self.chip, self.number = chip, number

    def value(self, level=None):
        return self.chip.levels.get(self.number, 1)

    def irq(self, handler, trigger, hard):
        assert hard
        self.chip.handlers[self.number] = handler


@pytest.fixture
def chip():
    return Chip()


@pytest.fixture
def module(chip, monkeypatch):
    """The firmware's board.py over that chip."""
    other = SimpleNamespace(write=lambda data: None, read_u16=lambda: 0)

    class ChipsPin(Pin):
        def __init__(self, number, mode=0, pull=None, value=None):
            super().__init__(chip, number)

    machine = SimpleNamespace(
        chip=chip, Pin=ChipsPin, ADC=lambda pin: other, SPI=lambda *args, **named: other
    )
    time = SimpleNamespace(
        ticks_us=chip.ticks, ticks_diff=lambda later, earlier: later - earlier, sleep_us=lambda us: None
    )
    monkeypatch.setitem(sys.modules, "machine", machine)
    monkeypatch.setitem(sys.modules, "time", time)
    monkeypatch.syspath_prepend(firmware_folder())
    spec = importlib.util.spec_from_file_location("board_on_trial", firmware_folder() / "board.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.undo()
    return module


@pytest.fixture
def board(module):
    return module.Board("tray")


def told(edges):
    return [(beam, is_dark) for beam, is_dark, _ in edges]


def is_ordered(edges):
    return [at for _, _, at in edges] == sorted(at for _, _, at in edges)


def test_edges_are_told_once_with_their_times(board, chip):
    for beam, is_dark in ((IN, True), (OUT, True), (IN, False), (OUT, False)):
        chip.us += 8000
        chip.drive(beam, is_dark)
    edges = board.edges()
    assert told(edges) == [(IN, True), (OUT, True), (IN, False), (OUT, False)]
    assert [b - a for (_, _, a), (_, _, b) in pairwise(edges)] == [8001] * 3
    assert board.edges() == []


def test_a_beam_that_is_dark_before_anybody_looks_is_told(module, chip):
    chip.levels[PINS[IN]] = 0
    board = module.Board("tray")
    assert told(board.edges()) == [(IN, True)]
    chip.drive(IN, False)
    assert told(board.edges()) == [(IN, False)]


@pytest.mark.parametrize("number", [62, 63, 64, 65, 128, 129, 1001])
def test_a_ring_that_runs_full_tells_nothing_twice_and_ends_with_what_is(board, chip, number):
    for step in range(number):
        chip.drive(IN, step % 2 == 0)
    edges = board.edges() + board.edges()
    # Dark and light in turn: no edge twice, and none of an older round before a newer one.
    assert told(edges) == [(IN, step % 2 == 0) for step in range(len(edges))]
    assert len(edges) >= min(number, 63)
    assert told(edges)[-1] == (IN, number % 2 == 1)
    assert is_ordered(edges)
    chip.drive(OUT, True)
    assert told(board.edges()) == [(OUT, True)]


def interrupted(board, lines, interrupt):
    """What `edges` gives when the interrupt comes before the line of that number that it runs."""
    run = 0

    def trace(frame, event, arg):
        nonlocal run
        if frame.f_code.co_name not in ("edges", "_tell", "<listcomp>", "now_us"):
            return None
        if event == "line":
            run += 1
            if run == lines:
                interrupt()
        return trace

    sys.settrace(trace)
    try:
        return board.edges(), run
    finally:
        sys.settrace(None)


@pytest.mark.parametrize("waiting", [0, 2, 63, 64, 70])
@pytest.mark.parametrize("coming", [1, 2, 3, 66])
def test_an_interrupt_may_come_before_any_line(module, waiting, coming):
    lines, run = 0, 1
    while lines <= run:
        chip_now, board = fresh(module)
        level = False
        for _ in range(waiting):
            level = not level
            chip_now.drive(IN, level)
        lines += 1

        def interrupt(chip_now=chip_now, level=level):
            for _ in range(coming):
                level = not level
                chip_now.drive(IN, level)

        edges, run = interrupted(board, lines, interrupt)
        edges += board.edges() + board.edges()
        assert told(edges) == [(IN, step % 2 == 0) for step in range(len(edges))], lines
        assert told(edges)[-1:] in ([], [(IN, chip_now.levels.get(PINS[IN], 1) == 0)]), lines
        assert is_ordered(edges), lines
        # Edges are lost only where the ring has no room for them.
        if waiting + coming <= 63 and lines <= run:
            assert len(edges) == waiting + coming, lines


def fresh(module):
    """Another board over a chip that is as it was at first."""
    chip = module.machine.chip
    chip.us, chip.levels = 0, {}
    return chip, module.Board("tray")


STORM = """
import machine, board, os
kept = board.Board("tray")
for pin in (2, 3):
    machine._drive(pin, 0)
    for number in range(500):
        machine._drive(pin, (number + 1) & 1)
edges = kept.edges() + kept.edges()
ins = [dark for beam, dark, at in edges if beam == 0]
times = [at for beam, dark, at in edges]
print(ins == [number % 2 == 0 for number in range(len(ins))], times == sorted(times), len(edges) < 70)
print([(beam, dark) for beam, dark, at in edges][-1], kept.edges())
"""


def test_a_storm_of_edges_under_micropython(tmp_path):
    paths = [str(firmware_folder()), str(HERE / "unix_pico"), str(HERE.parent.parent), ".frozen"]
    command = micropython()
    control = tmp_path / "control"
    os.mkfifo(control)
    kept_open = os.open(control, os.O_RDWR)
    done = subprocess.run(
        [command, "-c", STORM],
        env={
            "MICROPYPATH": ":".join(paths),
            "PICO_CONTROL": str(control),
            "PICO_READOUT": str(tmp_path / "readout"),
            "PICO_WATCHDOG": str(tmp_path / "watchdog"),
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=HANGS_S,
    )
    os.close(kept_open)
    assert (done.stdout, done.stderr) == ("True True True\n(1, True) []\n", "")

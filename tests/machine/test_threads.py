"""Threads that may be left behind: calls that never return, things that never close."""

import threading

import pytest

from tests.patience import HANGS_S, until
from uckers_table.errors import DeviceError, HungError
from uckers_table.machine import threads
from uckers_table.machine.threads import MOST_LEFT, Apart, close_all

SOON_S = 0.02
"""How long is waited for what never returns."""


class Thing:
    """Something to open, use and close; each step may hang until the test is over."""

    def __init__(self):
        self.is_over = threading.Event()
        self.opened = self.closed = 0
        self.hangs = set()

    def open(self):
        self.wait("open")
        self.opened += 1
        return self.opened

    def use(self, number):
        self.wait("use")
        return f"used {number}"

    def close(self, number):
        self.wait("close")
        self.closed += 1

    def wait(self, what):
        if what in self.hangs:
            self.is_over.wait(HANGS_S)


@pytest.fixture
def thing():
    before = set(threading.enumerate())
    thing = Thing()
    yield thing
    thing.is_over.set()
    until(lambda: set(threading.enumerate()) <= before)


@pytest.fixture
def apart(thing):
    return Apart(
        "thing", thing.open, thing.close, hangs="the thing hangs: pull it out", opens_within_s=HANGS_S
    )


def test_calls_are_made_one_after_the_other_in_one_thread_that_ends(thing, apart):
    names = [apart.do(lambda number: threading.current_thread().name, HANGS_S) for _ in range(3)]
    assert (names, thing.opened, apart.is_open) == (["thing, apart"] * 3, 1, True)
    apart.close()
    apart.close()
    assert (thing.closed, apart.is_open) == (1, False)
    with pytest.raises(HungError):
        apart.do(thing.use, HANGS_S)


def test_errors_come_to_whoever_called_and_a_time_out_of_the_call_is_one(apart):
    for error in (ValueError("wrong"), TimeoutError("its own")):

        def fail(number, error=error):
            raise error

        with pytest.raises(type(error), match=str(error)):
            apart.do(fail, HANGS_S)
    assert apart.do(str, HANGS_S) == "1"
    apart.close()


def test_a_call_that_does_not_return_is_left_behind_and_the_thing_opened_anew(thing, apart, monkeypatch):
    monkeypatch.setattr(threads, "CLOSE_S", SOON_S)
    thing.hangs = {"use"}
    with pytest.raises(HungError, match="the thing hangs: pull it out"):
        apart.do(thing.use, SOON_S)
    thing.hangs = set()
    assert apart.do(thing.use, HANGS_S) == "used 2"
    # The first returns at last, and its thing is closed.
    thing.is_over.set()
    until(lambda: thing.closed == 1)
    apart.close()
    assert thing.closed == 2


def never(thing):
    """What is not waited for while it opens."""
    return Apart("thing", thing.open, thing.close, hangs="it hangs", opens_within_s=SOON_S)


def test_what_never_opens_is_said_and_closed_when_it_opens_at_last(thing):
    thing.hangs = {"open"}
    with pytest.raises(HungError):
        never(thing).open()
    thing.is_over.set()
    until(lambda: thing.closed == 1)


def test_only_so_many_threads_are_left_behind(thing, apart, monkeypatch):
    monkeypatch.setattr(threads, "CLOSE_S", SOON_S)
    thing.hangs = {"use"}
    for _ in range(2 * MOST_LEFT):
        with pytest.raises(HungError):
            apart.do(thing.use, SOON_S)
    assert thing.opened == MOST_LEFT
    thing.hangs = set()
    thing.is_over.set()
    until(lambda: thing.closed == MOST_LEFT)
    assert apart.do(thing.use, HANGS_S) == f"used {MOST_LEFT + 1}"
    apart.close()


def test_threads_left_behind_are_also_counted_by_name(thing, monkeypatch):
    monkeypatch.setattr(threads, "CLOSE_S", SOON_S)
    monkeypatch.setattr(threads, "MOST_OF_A_NAME", 2)
    thing.hangs = {"open"}
    before = threading.active_count()
    for _ in range(5):
        with pytest.raises(HungError):
            never(thing).open()
    assert threading.active_count() == before + 2


def test_closing_lets_go_whoever_waits_and_does_not_wait_for_what_hangs(thing, apart, monkeypatch, caplog):
    monkeypatch.setattr(threads, "CLOSE_S", SOON_S)
    apart.open()
    thing.hangs, told = {"use"}, []

    def wait():
        try:
            apart.do(thing.use, HANGS_S)
        except HungError as error:
            told.append(str(error))

    waiting = threading.Thread(target=wait)
    waiting.start()
    until(lambda: apart._hand is not None and apart._hand._calls.empty())
    apart.close()
    waiting.join()
    assert told == ["the thing hangs: pull it out"]
    assert "thing does not close and is left behind" in caplog.text


def test_all_are_closed_though_one_hangs_and_one_fails(thing, monkeypatch, caplog):
    monkeypatch.setattr(threads, "CLOSE_ALL_S", 1.0)
    thing.hangs, closed = {"close"}, []

    def fail():
        raise DeviceError("no more pins")

    close_all({"camera": lambda: thing.close(1), "buttons": fail, "voice": lambda: closed.append("voice")})
    assert closed == ["voice"]
    assert "closing the buttons failed: no more pins" in caplog.text
    assert "the camera does not close and is left behind" in caplog.text

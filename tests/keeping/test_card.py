"""The card's own thread: what it writes, in what order, and when people are told."""

from math import inf
from threading import Event, get_ident

import pytest

from tests.patience import until
from uckers_table.keeping import card as cards
from uckers_table.keeping.card import Card


class Slow:
    """A card whose writes wait until it is let go, and the loop that it wakes."""

    def __init__(self, **how):
        self.free, self.woken, self.written = Event(), 0, []
        self.card = Card(self._wake, **how)

    def _wake(self):
        self.woken += 1

    def write(self, what):
        def wait_and_write():
            assert self.free.wait(60)
            self.written.append(what)

        return wait_and_write


@pytest.fixture
def slow():
    slow = Slow(patience_s=0.01)
    yield slow
    slow.free.set()
    slow.card.close()


def test_on_a_quick_card_people_are_told_at_once_and_by_the_thread_that_asks():
    slow, told = Slow(), []
    slow.free.set()
    for number in range(50):
        slow.card.do(slow.write(number))
        slow.card.once_kept(lambda number=number: told.append((number, get_ident())))
        assert told[-1] == (number, get_ident())
    slow.card.close()
    assert slow.written == list(range(50))


def test_what_a_slow_card_has_not_got_is_told_later_in_order_and_once(slow):
    told = []
    for number in range(3):
        slow.card.do(slow.write(number))
        slow.card.once_kept(lambda number=number: told.append((number, len(slow.written))))
    slow.card.catch_up()
    assert told == [] and slow.card.is_behind
    slow.free.set()
    assert slow.card.settles(60)
    until(lambda: slow.woken > 0)
    slow.card.catch_up()
    slow.card.catch_up()
    assert [number for number, _ in told] == [0, 1, 2]
    assert all(written > number for number, written in told)


def test_nobody_waits_twice_for_a_card_that_is_late(slow, monkeypatch):
    waits = []
    settles = slow.card.settles
    monkeypatch.setattr(slow.card, "settles", lambda within_s: waits.append(within_s) or settles(within_s))
    slow.card.do(slow.write(1))
    for _ in range(5):
        slow.card.once_kept(lambda: None)
    assert waits == [0.01]


def test_a_card_counts_as_slow_after_a_while_and_no_longer_once_it_has_written(slow, monkeypatch):
    assert not slow.card.is_slow and slow.card.slow_in_s is None
    monkeypatch.setattr(cards, "SLOW_S", 0.0)
    slow.card.do(slow.write(1))
    until(lambda: slow.card.is_slow)
    slow.free.set()
    assert slow.card.settles(60)
    assert not slow.card.is_slow


def test_a_fault_of_a_write_is_raised_where_people_are_told_and_the_rest_is_written():
    slow = Slow(patience_s=inf)
    slow.free.set()
    slow.card.do(lambda: 1 / 0)
    slow.card.do(slow.write("after"))
    with pytest.raises(ZeroDivisionError):
        slow.card.once_kept(lambda: None)
    slow.card.close()
    assert slow.written == ["after"]


def test_a_card_that_hangs_keeps_nobody_from_closing(slow, monkeypatch):
    monkeypatch.setattr(cards, "CLOSES_S", 0.01)
    slow.card.do(slow.write(1))
    slow.card.close()
    assert slow.written == []

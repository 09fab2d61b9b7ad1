"""What is counted over all matches: one after the other, each once, and nobody waits for all of them."""

import asyncio
import weakref
from dataclasses import replace
from threading import Event

from tests.patience import HANGS_S
from tests.record.simulated_matches import simulated_match
from tests.web.counting import all_counted, count_rest
from uckers_table.record.counted import Counted
from uckers_table.record.honours import honours_of
from uckers_table.record.statistics import statistics_of
from uckers_table.web.app import Page

MATCHES = 12


class Shelf:
    """A library that knows how many of the matches which it gave out are still held."""

    def __init__(self, record):
        self._record, self.held, self.most = record, 0, 0
        self.played, self.dates, self.asked = MATCHES, {}, []
        self.counts = {}

    def matches(self):
        return [self._summary(number) for number in range(1, self.played + 1)]

    def match(self, number):
        record = replace(self._record, summary=self._summary(number))
        weakref.finalize(record, self._let_go)
        self.asked.append(number)
        self.held += 1
        self.most = max(self.most, self.held)
        return record

    def counted(self):
        return dict(self.counts)

    def keep_counted(self, counted):
        self.counts |= counted
        return True

    def _summary(self, number):
        summary, begun = self._record.summary, self.dates.get(number)
        return replace(summary, number=number, begun=begun, winner=summary.terms.seats[:1])

    def _let_go(self):
        self.held -= 1


def test_the_matches_are_gone_through_one_after_the_other():
    shelf = Shelf(simulated_match("br4006", "counted"))
    counted = all_counted(shelf)
    assert counted.statistics().matches == MATCHES
    assert shelf.most <= 2
    records = [shelf.match(number) for number in range(1, MATCHES + 1)]
    assert counted.statistics() == statistics_of(records)
    assert counted.honours() == honours_of(records)


def test_a_match_is_counted_once_and_again_only_where_something_else_is_said_of_it():
    shelf = Shelf(simulated_match("br4006", "counted"))
    counted = all_counted(shelf)
    count_rest(counted)
    assert shelf.asked == [*range(1, MATCHES + 1)]
    shelf.asked.clear()
    # Another one ends, one gets its date, and one goes.
    shelf.played, shelf.dates = MATCHES + 1, {3: "2026-01-01T20:00:00+00:00"}
    count_rest(counted)
    assert shelf.asked == [3, MATCHES + 1]
    shelf.played = MATCHES - 1
    count_rest(counted)
    assert counted.statistics().matches == MATCHES - 1
    assert shelf.asked == [3, MATCHES + 1]
    assert counted.statistics() == statistics_of(map(shelf.match, range(1, MATCHES)))


def test_what_was_counted_is_kept_over_a_restart():
    shelf = Shelf(simulated_match("br4006", "counted"))
    before = all_counted(shelf).statistics()
    shelf.asked.clear()
    again = all_counted(shelf)
    assert (again.statistics(), shelf.asked) == (before, [])
    assert again.honours() == all_counted(shelf).honours()
    # Another one ends after the start.
    shelf.played = MATCHES + 1
    count_rest(again)
    assert shelf.asked == [MATCHES + 1]
    shelf.asked.clear()
    assert all_counted(shelf).statistics() == again.statistics()
    assert shelf.asked == []


def test_what_the_record_does_not_take_now_is_kept_when_it_is_asked_for_again():
    shelf = Shelf(simulated_match("br4006", "counted"))
    keep, shelf.keep_counted = shelf.keep_counted, lambda counted: False
    counted = all_counted(shelf)
    before = counted.statistics()
    assert shelf.counts == {}
    shelf.keep_counted = keep
    assert counted.statistics() == before
    assert shelf.counts.keys() == {*range(1, MATCHES + 1)}
    assert len(shelf.asked) == MATCHES


def test_whoever_reads_the_record_does_not_wait_while_a_match_is_counted():
    shelf = Shelf(simulated_match("br4006", "counted"))
    page = object.__new__(Page)
    page._reading, page._counts, page._counted = asyncio.Lock(), asyncio.Lock(), Counted(shelf)
    begun, goes_on = Event(), Event()
    match = shelf.match

    def waiting(number):
        begun.set()
        assert goes_on.wait(HANGS_S)
        return match(number)

    async def both():
        shelf.match = waiting
        counting = asyncio.create_task(page._counting(page._counted.statistics))
        await asyncio.to_thread(begun.wait, HANGS_S)
        read = await asyncio.wait_for(page._read(match, MATCHES), HANGS_S / 2)
        assert not counting.done()
        goes_on.set()
        return read.summary.number, await counting

    number, figures = asyncio.run(both())
    assert number == MATCHES
    assert len(shelf.asked) == MATCHES + 1
    assert figures

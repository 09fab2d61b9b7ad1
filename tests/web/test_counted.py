"""What is counted over all matches: one after the other, each once, and nobody waits for all of them."""

import asyncio
import weakref
from dataclasses import replace

from tests.record.simulated_matches import simulated_match
from uckers_table.record.honours import honours_of
from uckers_table.record.statistics import statistics_of
from uckers_table.web.app import Page
from uckers_table.web.recorded import Counted

MATCHES = 12


class Shelf:
    """A library that knows how many of the matches which it gave out are still held."""

    def __init__(self, record):
        self._record, self.held, self.most = record, 0, 0
        self.played, self.dates, self.asked = MATCHES, {}, []

    def matches(self):
        return [self._summary(number) for number in range(1, self.played + 1)]

    def match(self, number):
        record = replace(self._record, summary=self._summary(number))
        weakref.finalize(record, self._let_go)
        self.asked.append(number)
        self.held += 1
        self.most = max(self.most, self.held)
        return record

    def _summary(self, number):
        summary, begun = self._record.summary, self.dates.get(number)
        return replace(summary, number=number, begun=begun, winner=summary.terms.seats[:1])

    def _let_go(self):
        self.held -= 1


def test_the_matches_are_gone_through_one_after_the_other():
    shelf = Shelf(simulated_match("br4006", "counted"))
    counted = Counted(shelf)
    (dice,) = (each for each in counted.figures() if each["title"] == "The dice")
    assert dice["sentences"][0].startswith(f"{MATCHES} matches, ")
    assert shelf.most <= 2
    records = [shelf.match(number) for number in range(1, MATCHES + 1)]
    assert counted._statistics == statistics_of(records)
    assert counted._honours == honours_of(records)


def test_a_match_is_counted_once_and_again_only_where_something_else_is_said_of_it():
    shelf = Shelf(simulated_match("br4006", "counted"))
    counted = Counted(shelf)
    counted.figures()
    counted.honours()
    assert shelf.asked == [*range(1, MATCHES + 1)]
    shelf.asked.clear()
    # Another one ends, one gets its date, and one goes.
    shelf.played, shelf.dates = MATCHES + 1, {3: "2026-01-01T20:00:00+00:00"}
    counted.figures()
    assert shelf.asked == [3, MATCHES + 1]
    shelf.played = MATCHES - 1
    counted.figures()
    assert shelf.asked == [3, MATCHES + 1]
    assert counted._statistics == statistics_of(map(shelf.match, range(1, MATCHES)))


def test_whoever_reads_the_record_does_not_wait_until_all_matches_are_counted():
    shelf = Shelf(simulated_match("br4006", "counted"))
    page = object.__new__(Page)
    page._reading, page._counts, page._counted = asyncio.Lock(), asyncio.Lock(), Counted(shelf)

    async def reader():
        return await page._read(shelf.match, MATCHES)

    async def both():
        counting = asyncio.create_task(page._counting(page._counted.figures))
        await asyncio.sleep(0)
        read = await asyncio.create_task(reader())
        between = list(shelf.asked)
        return read.summary.number, between, await counting

    number, between, figures = asyncio.run(both())
    assert (number, between[-1]) == (MATCHES, MATCHES)
    assert len(between) < MATCHES
    assert len(shelf.asked) == MATCHES + 1
    assert figures

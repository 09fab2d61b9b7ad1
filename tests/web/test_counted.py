"""What is counted over all matches, without having all of them in memory."""

import weakref
from dataclasses import replace

from tests.record.simulated_matches import simulated_match
from uckers_table.record.honours import honours_of
from uckers_table.record.statistics import statistics_of
from uckers_table.web.recorded import Counted

MATCHES = 12


class Shelf:
    """A library that knows how many of the matches which it gave out are still held."""

    def __init__(self, record):
        self._record, self.held, self.most = record, 0, 0

    def matches(self):
        return [self._summary(number) for number in range(1, MATCHES + 1)]

    def match(self, number):
        record = replace(self._record, summary=self._summary(number))
        weakref.finalize(record, self._let_go)
        self.held += 1
        self.most = max(self.most, self.held)
        return record

    def _summary(self, number):
        return replace(self._record.summary, number=number, winner=self._record.summary.terms.seats[:1])

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

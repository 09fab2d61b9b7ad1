"""What the wall tells of the record, and how seldom it reads it."""

from dataclasses import replace

import pytest

from tests.record.test_statistics import RED, match, ucks
from uckers_table.errors import InputError, SenselessError
from uckers_table.web.evening_board import SCORE_S, EveningBoard
from uckers_table.web.feed import RulingLine, Snapshot, TableState


class Record:
    def __init__(self):
        self.played, self.asked = [match(number=1, winner=RED).summary], []
        self.record = match(replace(ucks("red", ("green", 5)), say="Ucked."))

    def matches(self):
        self.asked.append("list")
        return self.played

    def match(self, number):
        self.asked.append(number)
        if isinstance(self.record, Exception):
            raise self.record
        return self.record


@pytest.fixture
def record():
    return Record()


def at(number, ruling, state=TableState.PLAYING):
    return Snapshot(state, match=number, rulings=(RulingLine(ruling, 1.0, "legal", ""),))


def test_list_and_match_are_read_once_whoever_asks(record):
    time_s = 0.0
    board = EveningBoard(record, lambda: time_s)
    told = [board.shown(at(2, 5)) for _ in range(3)]
    score = (("Red", 1), ("Yellow", 1), ("Green", 0), ("Blue", 0))
    assert told == [{"since": None, "score": score, "ucking": "Ucked."}] * 3
    assert record.asked == ["list", 2]
    # A play is made: the match alone is read.
    board.shown(at(2, 6))
    assert record.asked == ["list", 2, 2]
    # The match ends.
    record.played.append(match(number=2, winner=RED).summary)
    assert board.shown(at(2, 6, TableState.OVER))["score"] == (("Red", 1), *score[1:])
    assert record.asked == ["list", 2, 2, "list"]
    time_s = SCORE_S
    board.shown(at(2, 6, TableState.OVER))
    assert record.asked[4:] == ["list"]


@pytest.mark.parametrize("error", [InputError("no such match"), SenselessError("no sense")])
def test_of_a_match_that_cannot_be_read_there_is_no_ucking(record, error):
    record.record = error
    assert EveningBoard(record).shown(at(2, 5))["ucking"] == ""


def test_without_a_match_there_is_the_score_alone(record):
    board = EveningBoard(record)
    assert board.shown(Snapshot(TableState.IDLE))["ucking"] == ""
    assert record.asked == ["list"]

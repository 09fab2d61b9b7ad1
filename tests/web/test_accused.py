"""What the page is told of an accusation: what was moved and counted, and nothing that is on no board."""

from dataclasses import replace

import pytest

from tests.web.fakes import FakeLibrary
from uckers_table.record.match_record import Moved
from uckers_table.web.accused import accused_shown, places_of, rule_shown

STANDS = {"red": (0, 0, 10, 50), "green": (4, 0, 0, 0), "yellow": (0,) * 4, "blue": (0,) * 4}


@pytest.fixture
def told(tmp_path):
    """What is told of an illegal play of these moves, with some facts kept; and its record."""

    def told(*moves, **facts):
        record = FakeLibrary(tmp_path).record
        first, played, illegal, won = record.entries
        accused = replace(illegal, position=STANDS, moves=moves, facts=facts, throw=(6, 3))
        record = replace(record, entries=(first, played, accused, won))
        return accused_shown(record, 3), record

    return told


def test_who_comes_out_comes_over_the_doorstep_and_who_is_sent_home_is_left(told):
    shown, _ = told(Moved("red", 0, 4), Moved("green", 4, 0))
    assert [move["way"] for move in shown["moves"]] == [(2, 3, 4), ()]
    places = [("red", 0), ("green", 4), ("red", 1), ("red", 2), ("red", 3), ("red", 4)]
    assert [*places_of(shown)] == places
    assert sorted(shown["stood"]["red"]) == [0, 4, 10, 50]
    assert shown["stood"]["green"] == [0, 0, 0, 0]
    assert shown["legal"] is None
    # One that alone went to base is followed there.
    assert places_of(told(Moved("green", 4, 0))[0]) == (("green", 4), ("green", 0))


def test_what_a_strange_record_says_of_no_board_is_left_out(told):
    strange = [{"colour": "purple", "steps": 3}, {"colour": "red", "steps": "x"}, {}, {"colour": ["red"]}]
    legal = [*strange, {"colour": "red", "steps": 99}, {"colour": "red", "steps": 16}]
    shown, _ = told(Moved("purple", 1, 2), Moved("red", 10, 10**9), Moved("red", 10, 12), legal=legal)
    assert shown["legal"] == [{"colour": "red", "steps": 16}]
    assert [(move["colour"], move["to"]) for move in shown["moves"]] == [("red", 12)]
    assert shown["stood"] is None


def test_the_rule_of_a_set_that_this_program_does_not_know_is_left_out(told):
    _, record = told(Moved("red", 10, 12))
    assert rule_shown(record, 3)["source"] == "BR r5b r5c"
    terms = replace(record.summary.terms, rules="of a newer program")
    assert rule_shown(replace(record, summary=replace(record.summary, terms=terms)), 3) is None
    terms = replace(record.summary.terms, options={"newer": True})
    assert rule_shown(replace(record, summary=replace(record.summary, terms=terms)), 3) is None
    assert rule_shown(record, 2) is None

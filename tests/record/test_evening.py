"""Which matches are an evening, how it stands, and what was ucked last."""

from dataclasses import replace

import pytest

from tests.record.test_statistics import GREEN, LEFT, RED, match, ruled, taken_back, ucks
from uckers_table.record.evening import evening_score, last_evening, last_ucking


def played(number, begun, winner=RED, *, minutes=40, **names):
    summary = match(number=number, winner=winner, names=names, begun=begun).summary
    return replace(summary, lasted_s=60.0 * minutes)


@pytest.mark.parametrize(
    ("begun", "numbers"),
    [
        ([], []),
        (["2026-11-20T20:00:00+00:00"], [1]),
        (["2026-11-20T20:00:00+00:00", "2026-11-21T01:50:00+00:00"], [1, 2]),
        (["2026-11-20T20:00:00+00:00", "2026-11-21T20:00:00+00:00"], [2]),
        # The same moment in another zone, and one that has none.
        (["2026-11-20T20:00:00+00:00", "2026-11-20T22:00:00+01:00", "2026-11-20T22:00:00"], [1, 2, 3]),
        (["2026-11-20T20:00:00+00:00", None], [2]),
        ([None, "2026-11-20T20:00:00+00:00"], [2]),
    ],
    ids=["none", "one", "past_midnight", "next_day", "zones", "no_date", "no_date_before"],
)
def test_an_evening_lasts_until_nobody_begins_a_match_for_long(begun, numbers):
    matches = [played(number, date) for number, date in enumerate(begun, start=1)]
    assert [each.number for each in last_evening(matches)] == numbers


def test_a_long_match_is_no_pause():
    long = played(1, "2026-11-20T14:00:00+00:00", minutes=600)
    assert len(last_evening([long, played(2, "2026-11-21T00:30:00+00:00")])) == 2


def test_the_score_is_of_people_and_of_colours_where_nobody_was_named():
    names = {"red": "Jack", "green": "Dusty", "yellow": "Nobby"}
    evening = [
        played(1, None, RED, **names),
        played(2, None, GREEN, **names | {"red": "jack"}),
        played(3, None, LEFT, **names),
        played(4, None, None, **names),
        played(5, None, RED, red="Jack", yellow="JACK"),
    ]
    assert evening_score(evening) == (("Jack", 2), ("Dusty", 1), ("Nobby", 1), ("Blue", 1), ("Green", 0))
    assert evening_score([]) == ()


def test_the_last_ucking_is_one_that_was_not_taken_back():
    first, second = (
        replace(ucks("red", (colour, 5)), t=t, say=colour) for colour, t in (("green", 1), ("blue", 6))
    )
    assert last_ucking(match(ruled("legal", "red"))) is None
    assert last_ucking(match(first, second, ruled("legal", "red"))) == second
    assert last_ucking(match(first, second, taken_back(since=5.0))) == first
    assert last_ucking(match(first, second, taken_back(since=5.0), ruled("put_back", None))) == second

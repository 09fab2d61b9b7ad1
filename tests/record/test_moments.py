"""The moments of a match: from the kinds of its rulings and from what they moved."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.record.simulated_matches import simulated_match
from uckers_table.record.match_record import DISPUTED, MatchRecord, MatchSummary, Moved, Ruled, Terms
from uckers_table.record.moments import MatchMoment, MomentKind, moments_of

SEATS = ("red", "green", "yellow", "blue")
ACCUSATION, UCKING = MomentKind.ACCUSATION, MomentKind.UCKING
CHALLENGE, TURNING_POINT = MomentKind.CHALLENGE, MomentKind.TURNING_POINT


def stands(**steps):
    return {colour: (0, 0, 0, steps.get(colour, 0)) for colour in SEATS}


def ruled(kind, side="red", moves=(), facts=None, t=1.0, **steps):
    return Ruled(t, kind, None, side, "", stands(**steps), side, "throw", moves=moves, facts=facts or {})


def ucked(colour, start):
    return (Moved(colour, start, 0),)


def of(*rulings, rules="br4006", players=4):
    return MatchRecord(MatchSummary(1, Terms(rules, players=players, seats=SEATS)), rulings)


def told(match):
    return {moment.number: moment.kinds for moment in moments_of(match)}


def test_plays_and_passes_are_no_moments():
    match = of(ruled("legal", red=6), ruled("pass"), ruled("put_right"), ruled("challenge", red=6))
    assert moments_of(match) == ()


@pytest.mark.parametrize("kind", sorted(DISPUTED))
def test_an_accusation_is_one_also_where_it_was_taken_back(kind):
    accused = ruled(kind)
    assert moments_of(of(accused)) == (MatchMoment(1, (ACCUSATION,)),)
    back = ruled("taken_back", facts={"matter": {}, "is_mistake": True})
    match = of(accused, back)
    assert match.taken_back == (1,)
    assert told(match) == {1: (ACCUSATION,)}


def test_an_ucking_is_one_unless_it_was_taken_back():
    play = ruled("legal", moves=ucked("blue", 9), red=20)
    assert told(of(play)) == {1: (UCKING,)}
    assert told(of(ruled("stood", moves=ucked("blue", 9)))) == {1: (UCKING,)}
    # A piece of one's own that goes to base was sent there by nobody.
    assert told(of(ruled("penalty", moves=ucked("red", 9)))) == {}
    match = of(play, ruled("taken_back", facts={"matter": {}, "since": 0.5}))
    assert match.taken_back == (1,)
    assert told(match) == {}


def test_a_challenge_is_one_when_it_is_won_or_lost():
    won = ruled("challenge_won", moves=ucked("green", 30), red=31)
    rulings = (ruled("challenge"), ruled("challenge_throw"), ruled("challenge_lost"), won)
    assert told(of(*rulings)) == {3: (CHALLENGE,), 4: (UCKING, CHALLENGE)}


def test_the_match_turns_where_others_are_ahead_once_somebody_was_ucked():
    before = ruled("legal", side="green", red=20, yellow=10, green=25)
    turned = ruled("legal", side="green", moves=ucked("red", 20), yellow=10, green=25)
    assert told(of(before, turned)) == {2: (UCKING, TURNING_POINT)}
    # Whoever was ahead by then had only come further.
    passed_by = ruled("legal", side="green", red=20, yellow=10, green=37)
    assert told(of(before, passed_by, turned)) == {3: (UCKING,)}


def test_partners_are_ahead_together():
    before = ruled("legal", red=20, yellow=10, green=25)
    # Green alone is ahead of red and of yellow; the two of them are ahead of green.
    after = ruled("legal", side="green", moves=ucked("red", 20), yellow=26, green=25)
    assert told(of(before, after)) == {2: (UCKING,)}


def test_where_the_rules_are_not_known_each_colour_is_ahead_alone():
    before = ruled("legal", red=20, yellow=10, green=25)
    after = ruled("legal", side="green", moves=ucked("red", 20), yellow=26, green=25)
    assert told(of(before, after, rules="of a later program")) == {2: (UCKING, TURNING_POINT)}


def test_nobody_is_ahead_of_somebody_who_has_come_as_far():
    level = ruled("legal", red=20, green=20)
    after = ruled("legal", side="green", moves=ucked("red", 20), green=20)
    assert told(of(level, after)) == {2: (UCKING,)}


def test_a_simulated_match_has_few_moments_and_fewer_turning_points():
    match = simulated_match("br4006", 5, throws=200)
    moments = moments_of(match)
    kinds = Counter(kind for moment in moments for kind in moment.kinds)
    assert kinds[ACCUSATION] == sum(ruling.ruling in DISPUTED for ruling in match.rulings)
    assert kinds[UCKING] == sum(bool(each.captured) for each in match.rulings) > 0
    assert kinds[TURNING_POINT] < kinds[UCKING]
    assert len(moments) < len(match.rulings) / 3
    assert [moment.number for moment in moments] == sorted({moment.number for moment in moments})
    # What was said is nothing to it.
    quiet = tuple(replace(each, say="") if isinstance(each, Ruled) else each for each in match.entries)
    assert moments_of(replace(match, entries=quiet)) == moments

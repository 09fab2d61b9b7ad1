"""What is counted in matches, and who stands on the back of the board."""

import xml.etree.ElementTree as ElementTree

import pytest

from tests.record.simulated_matches import simulated_match
from uckers_table.record.honours import Honour, as_svg, beer_owed, honours_of
from uckers_table.record.match_record import MatchRecord, MatchSummary, Moved, Ruled, Terms, Thrown
from uckers_table.record.statistics import Tally, statistics_of

SEATS = ("red", "green", "yellow", "blue")
BASE = dict.fromkeys(SEATS, (0, 0, 0, 0))


def ruled(kind, side, **facts):
    moves, awaiting = facts.pop("moves", ()), facts.pop("awaiting", "throw")
    return Ruled(1.0, kind, None, side, "", BASE, side, awaiting, moves=moves, facts=facts)


def match(*entries, number=1, names=(), winner=None, honours=(), values=(), begun=None):
    terms = Terms("br4006", values=dict(values), seats=SEATS, names=dict(names))
    return MatchRecord(MatchSummary(number, terms, begun, winner=winner, honours=honours), entries)


def test_counts_by_hand():
    sent = (Moved("red", 1, 7), Moved("green", 20, 0))
    one = match(
        Thrown(0.0, "red", (6, 5), purpose="start"),
        Thrown(0.0, "red", (6, 6)),
        ruled("legal", "red", moves=sent),
        Thrown(0.0, "red", (3, 4)),
        ruled("illegal", "red"),
        ruled("stood", "red"),
        Thrown(0.0, "green", (), "cocked"),
        Thrown(0.0, "green", (1, 1)),
        Thrown(0.0, "green", (2, 2), "void", purpose="nothing"),
        ruled("timber_shift", "yellow"),
        ruled("taken_back", "yellow"),
        Thrown(0.0, "blue", (6, 1), source="camera"),
        ruled("dice_reread", "blue"),
        Thrown(0.0, "blue", (5, 1), source="camera"),
        names={"red": "Jones", "yellow": "Jones", "blue": "Smith"},
        winner=("red", "yellow"),
    )
    found = statistics_of([one])
    assert found.sides == (
        Tally("red", 1, 1, 2, 4, 19, 2, 1, 2, caught=1, stood=1, sent_back=1, lost=0),
        Tally("green", 1, 0, 1, 2, 2, 0, 1, 1, lost=1),
        Tally("yellow", 1, 1),
        Tally("blue", 1, 0, 1, 2, 6, 0, 0, 1),
    )
    assert found.players == (
        Tally("Jones", 1, 1, 2, 4, 19, 2, 1, 2, caught=1, stood=1, sent_back=1, lost=0),
        Tally("Smith", 1, 0, 1, 2, 6, 0, 0, 1),
    )
    # The misread 6-1 is not among the dice, the void 2-2 and the throw for start are.
    assert found.faces == (3, 2, 1, 1, 2, 3)
    assert (found.throws, found.faults, found.overruled, found.matches) == (6, 1, 1, 1)


def taken_back(matter="play", *, since=0.0, **facts):
    return ruled("taken_back", None, matter=matter, since=since, **facts)


def test_only_withdrawn_accusations_are_mistakes_until_they_are_put_back():
    played, accused = ruled("legal", "red"), ruled("illegal", "red")
    withdrawn = ruled("taken_back", None, matter="accusation", since=0.0, is_mistake=True)
    for entries, gone, mistakes in [
        ((played, taken_back()), (1,), ()),
        ((accused, withdrawn), (1,), (1,)),
        ((played, accused, ruled("stood", "red"), played, withdrawn), (2,), (2,)),
        ((accused, withdrawn, ruled("put_back", None, matter="accusation")), (), ()),
        ((accused, withdrawn, ruled("put_back", None), withdrawn), (1,), (1,)),
        ((played, played, taken_back("throw", since=9.0)), (), ()),
    ]:
        record = match(*entries)
        assert (record.taken_back, record.overruled) == (gone, mistakes), entries
        assert statistics_of([record]).overruled == len(mistakes)


def test_a_throw_that_stays_is_counted_once_and_one_that_goes_not_at_all():
    first, second = Thrown(1.0, "red", (6, 5)), Thrown(2.0, "green", (3, 1))
    by_hand = Thrown(3.0, "yellow", (4, 4), source="buttons")
    entries = (first, second, taken_back(stays=[2.0]), second, by_hand, taken_back("throw", goes=[3.0]))
    assert statistics_of([match(*entries)]).faces == (1, 0, 1, 0, 1, 1)
    assert statistics_of([match(*entries, ruled("put_back", None))]).faces == (1, 0, 1, 2, 1, 1)


def test_luck_is_pips_against_fair_dice_in_standard_deviations():
    # 12 sixes: 72 pips for 42; the deviation of 12 dice is √35.
    lucky = Tally("red", dice=12, pips=72)
    assert lucky.luck == pytest.approx(30 / 35**0.5)
    assert lucky.luck_in_words == "30 pips more than average: fewer than 1 in 100 luckier"
    assert Tally("red", dice=12, pips=40).luck_in_words == "2 pips fewer than average: 37 in 100 unluckier"
    assert Tally("red").luck_in_words == "no throws"


def test_a_simulated_evening_adds_up():
    matches = [simulated_match("br4006", seed, throws=60, ends="upboard") for seed in ("a", "b")]
    found = statistics_of(matches)
    # One that stayed when a play was taken back is in the record twice.
    thrown = {(place, each.t, each.dice) for place, one in enumerate(matches) for each in one.throws}
    assert sum(found.faces) == sum(len(dice) for _, _, dice in thrown)
    assert sum(side.sent_back for side in found.sides) == sum(side.lost for side in found.sides)
    assert [side.won for side in found.sides] == [0, 2, 0, 2]
    assert found.tests[0].p > 0.001
    assert found.tests[1].p is None


def test_the_back_of_the_board():
    eight = match(
        ruled("won", "red", awaiting="over", on_reverse=["green", "blue"]),
        number=3,
        names={"red": "Jones", "green": "O'Brien & Sons <stokers>", "blue": "Smith"},
        winner=("red", "yellow"),
        honours=("eight_piecer",),
        values={"beer_fine": 2},
        begun="2026-11-20T20:04:00+00:00",
    )
    tipped = match(
        ruled("upboard", "red", awaiting="over", on_reverse=["red", "yellow"]),
        number=4,
        names={"red": "Jones"},
        winner=("green", "blue"),
        honours=("eight_piecer",),
        values={"beer_fine": "off"},
    )
    plain = match(ruled("won", "red", awaiting="over"), number=5, winner=("red", "yellow"))
    unfinished = match(ruled("won", "red", awaiting="over", on_reverse=["green"]), number=6)
    honours = honours_of([eight, tipped, plain, unfinished])
    assert honours == (
        Honour(
            3, "2026-11-20", "eight_piecer", ("O'Brien & Sons <stokers>", "Smith"), ("Jones", "Yellow"), 4
        ),
        Honour(4, None, "upboard", ("Jones", "Yellow"), ("Green", "Blue"), 0),
    )
    assert beer_owed(honours) == {"O'Brien & Sons <stokers>": 2, "Smith": 2}
    drawn = ElementTree.fromstring(as_svg(honours))
    said = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert said[2:] == [
        "O'Brien & Sons <stokers> and Smith",
        "eight-pieced by Jones and Yellow",
        "2026-11-20",
        "Jones and Yellow",
        "upboarded, against Green and Blue",
        "match 4",
        "Crates of beer owed: O'Brien & Sons <stokers> 2, Smith 2",
    ]


def test_a_board_with_nobody_on_it_is_drawn_too():
    assert "Nobody yet." in as_svg(())
    ElementTree.fromstring(as_svg(()))

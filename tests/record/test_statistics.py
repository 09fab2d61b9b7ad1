"""What is counted in matches, and who stands on the back of the board."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from tests.record.simulated_matches import simulated_match
from uckers_table.errors import InputError
from uckers_table.game.board import Board
from uckers_table.record.honours import Honour, as_svg, beer_owed, honours_of
from uckers_table.record.match_figures import Tally
from uckers_table.record.match_record import MatchRecord, MatchSummary, Moved, Ruled, Terms, Thrown
from uckers_table.record.people import person_of, spellings
from uckers_table.record.statistics import (
    Duel,
    Fault,
    Streak,
    UckedOn,
    Uckings,
    selection_of,
    statistics_of,
)

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
        Tally("red", 1, 1, 2, 4, 19, 2, 1, 2, 1, 1, sent_back=1, with_six=1, without_six=1),
        Tally("green", 1, 0, 1, 2, 2, 0, 1, 1, lost=1, without_six=1),
        Tally("yellow", 1, 1),
        Tally("blue", 1, 0, 1, 2, 6, 0, 0, 1, without_six=1),
    )
    assert found.players == (
        Tally("Jones", 1, 1, 2, 4, 19, 2, 1, 2, 1, 1, sent_back=1, with_six=1, without_six=1),
        Tally("Smith", 1, 0, 1, 2, 6, 0, 0, 1, without_six=1),
    )
    # The misread 6-1 is not among the dice, the void 2-2 and the throw for start are.
    assert found.faces == (3, 2, 1, 1, 2, 3)
    assert (found.throws, found.faults, found.overruled, found.matches) == (6, 1, 1, 1)


def thrown(side, *throws):
    return [Thrown(0.0, side, dice) for dice in throws]


SIX, NONE = (6, 1), (2, 1)


def test_throws_in_a_row_with_a_six_and_without_are_the_longest_of_one_match():
    first = match(*thrown("red", SIX, SIX, NONE), *thrown("green", SIX), *thrown("red", NONE, SIX))
    then = match(*thrown("red", SIX, NONE, NONE, NONE))
    (red, green, *_) = statistics_of([first, then]).sides
    # Another side's throw interrupts nothing, and the end of a match does.
    assert (red.with_six, red.without_six) == (2, 3)
    assert (green.with_six, green.without_six) == (1, 0)


def ucks(side, *moves):
    return ruled("legal", side, moves=tuple(Moved(colour, start, 0) for colour, start in moves))


def test_who_ucked_whom_and_where_is_told_by_colour_by_name_and_by_square():
    # Red's fourteenth step is green's first.
    one = match(
        ucks("red", ("green", 1)),
        ucks("blue", ("red", 14), ("yellow", 41)),
        replace(ucks("blue", ("red", 14)), t=6.0),
        taken_back(since=5.0),
        names={"red": "Jack", "green": "Nobby", "blue": "Nobby"},
    )
    two = match(ucks("green", ("red", 3)), names={"red": "Nobby", "green": " JACK"})
    found = statistics_of([one, two])
    assert found.ucked_colours == (
        Uckings("red", "green", 1),
        Uckings("blue", "red", 1),
        Uckings("blue", "yellow", 1),
        Uckings("green", "red", 1),
    )
    assert found.ucked_people == (Uckings("Jack", "Nobby", 2), Uckings("Nobby", "Jack", 1))
    (usual,) = found.ucked_on
    assert usual == UckedOn(Board(SEATS), ((13, 2), (14, 1), (2, 1)))


def test_what_somebody_was_caught_at_is_told_by_name_and_not_what_was_taken_back():
    def accused(kind, side, reason=None):
        return replace(ruled(kind, side), reason=reason)

    found = statistics_of(
        [
            match(
                accused("illegal", "red", "wrong_count"),
                accused("illegal", "green", "wrong_count"),
                accused("timber_shift", "red", "not_your_turn"),
                accused("illegal", "red", "wrong_count"),
                ruled("taken_back", None, matter="accusation", is_mistake=True),
                accused("illegal", "red", "wrong_count"),
                names={"red": "Jack"},
            )
        ]
    )
    assert found.caught == (
        Fault("wrong_count", 3, (("Jack", 2), ("green", 1))),
        Fault("timber_shift", 1, (("Jack", 1),)),
    )


def evening(*winners, number=1, **names):
    """Matches one after the other, Jack and Nobby against Dusty and Blue unless it is said otherwise."""
    seated = {"red": "Jack", "green": "Dusty", "yellow": "Nobby"} | names
    return [
        match(ucks("red", ("green", 2)), number=at, winner=winner, names=seated)
        for at, winner in enumerate(winners, start=number)
    ]


RED, GREEN, LEFT = ("red", "yellow"), ("green", "blue"), ()


def test_a_match_that_was_left_is_neither_won_nor_lost_and_its_uckings_count():
    found = statistics_of(evening(RED, LEFT, GREEN))
    assert (found.matches, found.left) == (3, 1)
    assert [(each.who, each.matches, each.won) for each in found.players] == [
        *(("Jack", 2, 1), ("Dusty", 2, 1), ("Nobby", 2, 1))
    ]
    assert [(each.matches, each.won) for each in found.sides] == [(2, 1)] * 4
    assert found.ucked_people == (Uckings("Jack", "Dusty", 3),)
    assert Duel("Dusty", "Jack", 2, 1, 1) in found.duels


def test_streaks_and_duels_go_on_from_match_to_match_and_who_is_ahead_is_named_first():
    found = statistics_of(evening(RED, RED, GREEN, LEFT, GREEN, GREEN))
    assert found.streaks == (
        Streak("Dusty", 3, 3, "LLWWW"),
        Streak("Jack", 2, -3, "WWLLL"),
        Streak("Nobby", 2, -3, "WWLLL"),
    )
    assert found.duels == (Duel("Dusty", "Jack", 5, 3, 2), Duel("Dusty", "Nobby", 5, 3, 2))
    # Only the newest are shown.
    assert statistics_of(evening(*[RED] * 9, GREEN, GREEN)).streaks[0].form == "WWWWWWWWLL"


def test_who_sits_on_both_sides_wins_and_loses_nothing():
    found = statistics_of(evening(RED, green="jack"))
    assert [(each.who, each.form) for each in found.streaks] == [("Nobby", "W")]
    assert found.duels == ()


def test_a_name_is_one_person_however_it_is_written():
    matches = evening(RED, RED, GREEN) + evening(GREEN, red="jack ") + evening(RED, red="ＪＡＣＫ")
    found = statistics_of(matches)
    assert [each.who for each in found.players] == ["Jack", "Dusty", "Nobby"]
    assert found.players[0].matches == 5
    assert found.duels[0] == Duel("Jack", "Dusty", 5, 3, 2)
    # In one match, too: who sits at two colours has played one.
    twice = statistics_of(evening(RED, yellow="JACK"))
    assert [(each.who, each.matches, each.won) for each in twice.players] == [("Jack", 1, 1), ("Dusty", 1, 0)]


@pytest.mark.parametrize(
    ("ways", "shown"),
    [
        (["STRAẞE", "Straße", "strasse", "Straße"], "Straße"),
        (["Ο Σίσυφος", "ο σίσυφος"], "Ο Σίσυφος"),
        (["e\u0301va", "Éva", "Éva"], "Éva"),
    ],
    ids=["sharp_s", "final_sigma", "accent_apart"],
)
def test_other_alphabets_have_large_and_small_letters_too(ways, shown):
    assert spellings(ways) == {person_of(shown): shown}


def dated(begun, rules="br4006", **names):
    one = match(winner=RED, begun=begun, names=names)
    return replace(one, summary=replace(one.summary, terms=replace(one.summary.terms, rules=rules))).summary


@pytest.mark.parametrize(
    ("selection", "numbers"),
    [
        (("", "", "", []), [0, 1, 2, 3]),
        (("2026-11-02", "", "", []), [1, 2]),
        (("", "2026-11-02", "", []), [0, 1]),
        (("2026-11-02", "2026-11-02", "", []), [1]),
        (("", "", "wafu", []), [1]),
        (("", "", "", ["jack"]), [0, 2]),
        (("", "", "", ["JACK", "Nobby "]), [2]),
        (("", "", "", ["Jac"]), []),
        (("", "", "", [" "]), [0, 1, 2, 3]),
    ],
    ids=["all", "since", "until", "a_day", "rules", "name", "both_names", "half_a_name", "blank"],
)
def test_matches_are_selected_by_date_by_rules_and_by_names(selection, numbers):
    summaries = [
        dated("2026-11-01T20:00:00+00:00", red="Jack"),
        dated("2026-11-02T23:59:00+00:00", "wafu", red="Dusty"),
        dated("2026-11-03T20:00:00+00:00", red="jack", green="Nobby"),
        dated(None),
    ]
    chosen = selection_of(*selection)
    assert [at for at, each in enumerate(summaries) if chosen.has(each)] == numbers


@pytest.mark.parametrize("day", ["today", "2026-13-01", "20261101", "2026-W44-7", "2026-11-01T20:00", "-"])
def test_a_date_that_is_none_is_refused(day):
    with pytest.raises(InputError, match="as in 2026-11-30"):
        selection_of(day, "", "", [])


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
    assert Tally("red", dice=2, pips=8).luck_in_words.startswith("1 pip more than average: ")


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
    assert beer_owed((*honours, replace(honours[0], losers=("smith",)))) == {
        "Smith": 6,
        "O'Brien & Sons <stokers>": 2,
    }
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

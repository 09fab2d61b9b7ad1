"""Places that are read again: what a new reading says of them, and all else as it stood."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uckers_table.game.board import COLOURS, Plan
from uckers_table.sighting import ASTRAY, Alternative, SeenDie, Sighting, Stray
from uckers_table.vision.again import read_anew

PLAN = Plan()
BOARD = PLAN.board
HOME = BOARD.home


def seen(reading=1, *, red=(), green=(), **more):
    return Sighting({"red": red, "green": green, "yellow": (), "blue": ()}, reading=reading, **more)


def test_a_place_takes_what_is_read_anew_and_the_others_stay():
    # Red's step 11 is square 10, green's step 5 square 17.
    before = seen(red=(11, 20), green=(5,))
    new = seen(2, red=(11, 20, 20), green=())
    again = read_anew(before, new, {"10", "19"}, PLAN)
    assert again.pieces == {"red": (11, 20, 20), "green": (5,), "yellow": (), "blue": ()}
    assert (again.reading, again.anew) == (2, ("10", "19"))


@pytest.mark.parametrize(
    ("named", "red", "green"),
    [
        ("red 53", (0, 0, 0, HOME), (0, HOME)),
        ("red 57", (0, 0, 0, 53), (0, HOME)),
        # Either of the other two may be the one that is in base now.
        ("red 0", (0, 0, 0), (0, HOME)),
        ("green 0", (0, 0, 53, HOME), (0, 0)),
    ],
)
def test_base_chute_and_home_are_places_of_their_colour(named, red, green):
    before, new = seen(red=(0, 0, 53, HOME), green=(0, HOME)), seen(2, red=(0, 0, 0), green=(0, 0))
    again = read_anew(before, new, {named}, PLAN).pieces
    assert (again["red"], again["green"]) == (red, green)


@pytest.mark.parametrize("named", ["10", "11"])
def test_both_ends_of_a_piece_that_is_read_elsewhere_come_together(named):
    before, new = seen(red=(11,), green=(5,)), seen(2, red=(12,), green=())
    again = read_anew(before, new, {named}, PLAN)
    assert (again.pieces["red"], again.pieces["green"]) == ((12,), (5,))
    assert again.anew == ("10", "11")


def test_a_place_across_a_line_comes_with_it():
    near = Alternative("10", {}, 1.0, "11"), Alternative("11", {"red": 1}, 1.0, "10")
    before, new = seen(red=(11,)), seen(2, red=(11,), alternatives=near)
    assert read_anew(before, new, {"10"}, PLAN).alternatives == near
    assert read_anew(new, replace(before, reading=3), {"11"}, PLAN).alternatives == ()
    astray = Alternative("10", {}, 1.0, ASTRAY)
    assert read_anew(before, seen(2, red=(11,), alternatives=(astray,)), {"10"}, PLAN).anew == ("10",)


def test_what_else_a_place_may_hold_is_told_by_the_reading_that_told_it():
    old = Alternative("10", {"red": 2}, 1.0), Alternative("19", {"red": 2}, 2.0)
    fresh = Alternative("10", {}, 3.0), Alternative("19", {}, 4.0)
    before, new = seen(red=(11, 20), alternatives=old), seen(2, red=(11, 20), alternatives=fresh)
    assert read_anew(before, new, {"10"}, PLAN).alternatives == (old[1], fresh[0])


def test_strays_go_with_the_square_that_they_stand_on():
    # The first squares of red's chute and of yellow's.
    here, there, nowhere = Stray("green", (1, 7)), Stray("green", (13, 7)), Stray(None, None)
    before, new = seen(stray=(here, nowhere)), seen(2, stray=(there,))
    assert read_anew(before, new, {"red 52"}, PLAN).stray == (nowhere,)
    assert read_anew(before, new, {"yellow 52"}, PLAN).stray == (here, nowhere, there)


def test_dice_stay_as_they_were():
    die, other = SeenDie(6, "flat", 100.0, 100.0), SeenDie(5, "flat", 100.0, 100.0)
    assert read_anew(seen(dice=(die,)), seen(2, dice=(other,)), {"10"}, PLAN).dice == (die,)


def test_a_board_of_two_readings_is_as_sure_as_the_less_sure_of_both():
    doubtful, sure = seen(red=(11,), confidence=0.5), seen(2, red=(11, 20), confidence=0.9)
    assert read_anew(doubtful, sure, {"19"}, PLAN).confidence == 0.9
    assert read_anew(doubtful, sure, {"10"}, PLAN).confidence == 0.5


pieces = st.lists(st.integers(0, HOME), max_size=4).map(lambda steps: tuple(sorted(steps)))
boards = st.fixed_dictionaries(dict.fromkeys(COLOURS, pieces)).map(Sighting)
every_place = {BOARD.place(seat, steps) for seat in range(4) for steps in range(HOME + 1)}


@given(boards, boards, st.sets(st.sampled_from(sorted(every_place)), max_size=4))
def test_no_piece_is_lost_or_invented_between_two_readings(before, new, places):
    again = read_anew(before, new, places, PLAN)
    assert set(again.anew) >= places
    for colour in COLOURS:
        counts = sorted(len(sighting.pieces[colour]) for sighting in (before, new))
        assert counts[0] <= len(again.pieces[colour]) <= counts[1]
    assert read_anew(before, new, every_place, PLAN).pieces == new.pieces
    assert read_anew(before, before, places, PLAN).pieces == before.pieces

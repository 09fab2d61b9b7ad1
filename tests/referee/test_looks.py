"""What the reader must have misread if a board is true, and what that costs."""

from itertools import pairwise
from math import exp, log

import pytest

from tests.referee.scripted import BOARD, may_be, near_line, sighting_of
from uckers_table.game.position import position_from
from uckers_table.referee import prices
from uckers_table.referee.looks import NOBODY, NOWHERE, LongLook, Mismatch, Misread, ReadBoard

RED, GREEN, YELLOW, BLUE = range(4)
IN_BASE = dict.fromkeys(BOARD.seats, (0, 0, 0, 0))
RED_OUT, STANDS = {"red": (0, 0, 10, 20)}, position_from(BOARD, {"red": (0, 0, 10, 20)})


def read(pieces=RED_OUT, *, told=(), number=0, sure=0.6):
    seen = sighting_of(IN_BASE | pieces, alternatives=tuple(told), reading=number, confidence=sure)
    return ReadBoard.of(BOARD, seen)


def test_a_board_that_is_read_as_it_stands_has_nothing_misread():
    assert read().mismatches(STANDS) == ()
    assert read().total(STANDS, Misread()) == 0.0


@pytest.mark.parametrize(
    ("seen", "misread"),
    [
        ((0, 0, 10), [Mismatch(RED, 20, NOWHERE)]),
        ((0, 0, 11, 20), [Mismatch(RED, 10, 11)]),
        ((0, 0, 10, 35), [Mismatch(RED, 20, 35)]),
        ((0, 10, 20, 33), [Mismatch(RED, 0, 33)]),
        ((0, 0, 0, 10), [Mismatch(RED, 20, 0)]),
        ((0, 0, 10, 57), [Mismatch(RED, 20, 57)]),
        ((0, 0, 10, 20, 33), [Mismatch(RED, NOBODY, 33)]),
        ((0, 10, 20), []),
    ],
)
def test_what_was_misread_is_the_fewest_pieces_that_explain_it(seen, misread):
    """Pieces in base need not be seen there."""
    assert [*read({"red": seen}).mismatches(STANDS)] == misread


def test_a_piece_too_many_of_a_colour_that_is_all_out_belongs_to_nobody():
    stands = position_from(BOARD, {"red": (5, 10, 20, 30)})
    assert read({"red": (5, 10, 20, 30, 40)}).mismatches(stands) == (Mismatch(RED, NOBODY, 40),)


def test_a_missed_piece_seen_elsewhere_was_moved_and_is_no_piece_too_many():
    stands = position_from(BOARD, {"red": (11, 11, 13, 41)})
    missed = frozenset({Mismatch(RED, 11, NOWHERE)})
    seen = read({"red": (11, 13, 13, 41)})
    assert seen.mismatches(stands, missed) == (Mismatch(RED, 11, 13),)


def cost(pieces, stands, *, misread=None, **how):
    return read(pieces, **how).total(position_from(BOARD, stands), misread or Misread())


def test_a_piece_under_another_of_its_side_is_likelier_than_one_somewhere_else():
    stands = {"red": (0, 0, 10, 20)}
    under, far = ({"red": (0, 0, 20, 20)}, {"red": (0, 0, 20, 35)})
    assert cost(under, stands, number=1) < cost(far, stands, number=1)


def test_a_piece_read_on_one_of_two_next_squares_is_half_of_one_of_all_read():
    # A reader that is as sure as 0.5 to 0.8 says nothing of it.
    frank = cost({"red": (0, 0, 11, 20)}, RED_OUT, number=1, sure=0.6) - prices.SURENESS[1][1]
    assert frank == pytest.approx(log((1770 / 5 + 3115 / 7) / 0.5 * 2), abs=0.05)


def test_a_truth_that_the_reader_tells_costs_less_than_one_that_it_does_not():
    seen = {"red": (0, 0, 10, 35)}
    told = may_be("red 20", {"red": 1}, 1.0)
    assert cost(seen, RED_OUT, told=[told]) < cost(seen, RED_OUT)


def test_a_piece_near_a_line_is_cheap_beyond_it_and_dear_if_it_stands_squarely():
    seen = {"red": (0, 0, 11, 20)}
    assert cost(seen, RED_OUT, told=near_line("red", 11, 10, 0.5)) < cost(seen, RED_OUT) / 2


@pytest.mark.parametrize("sure", [0.2, 0.6, 0.95])
def test_of_a_piece_across_a_line_the_reader_has_said_how_sure_it_is(sure):
    told = near_line("red", 21, 20, 0.5)
    seen = [read({"red": (0, 0, 10, 21)}, number=n, sure=sure, told=told) for n in range(1, 6)]
    said = prices.READER["across"][0] + 0.5
    # Where it lies is the same at each reading.
    assert [long_look(*seen[:n]).cost(STANDS, Misread(), 3.0) for n in (1, 5)] == [said, said]


def test_a_piece_across_a_line_makes_no_other_error_cheaper_that_lasts():
    told = near_line("red", 11, 10, 0.5)
    seen = [read({"red": (0, 0, 11)}, number=n, told=told) for n in range(1, 6)]
    one, five = (long_look(*seen[:n]).cost(STANDS, Misread(), 3.0) for n in (1, 5))
    assert five - one == pytest.approx(prices.again(0, 1, 4))


def test_what_was_read_alike_before_is_free_and_what_was_once_misread_is_cheap():
    seen, wrong = {"red": (0, 0, 10, 35)}, Mismatch(RED, 20, 35)
    plain = cost(seen, RED_OUT, number=1)
    once = cost(seen, RED_OUT, number=1, misread=Misread(once=frozenset({wrong})))
    assert cost(seen, RED_OUT, number=1, misread=Misread(now=frozenset({wrong}))) == 0.0
    assert 0.0 < once < plain / 2


def test_an_error_costs_more_on_a_table_that_is_read_well():
    seen = {"red": (0, 0, 10, 35)}
    well, badly = Misread(trust=prices.trust(0, 100)), Misread(trust=prices.trust(30, 100))
    usual = cost(seen, RED_OUT, number=1)
    assert cost(seen, RED_OUT, number=1, misread=badly) < usual < cost(seen, RED_OUT, number=1, misread=well)
    # What the reader tells by itself is as likely on any table.
    told = may_be("red 20", {"red": 1}, 0.5)
    assert len({cost(seen, RED_OUT, number=1, told=[told], misread=each) for each in (well, badly)}) == 1


def test_an_error_costs_more_where_the_reader_is_sure():
    costs = [cost({"red": (0, 0, 10, 35)}, RED_OUT, number=1, sure=sure) for sure in (0.2, 0.6, 0.95)]
    assert all(less < more for less, more in pairwise(costs))
    assert cost(RED_OUT, RED_OUT, number=1, sure=0.2) == 0.0


def test_that_the_reader_is_unsure_is_explained_by_an_error_that_is_known():
    """How sure it is tells whether anything is misread, and not how much."""
    seen, known = {"red": (0, 0, 14, 35)}, frozenset({Mismatch(RED, 20, 35)})
    further = [
        cost(seen, RED_OUT, number=1, sure=sure, misread=Misread(now=known)) for sure in (0.2, 0.6, 0.95)
    ]
    assert len({*further}) == 1
    assert cost(seen, RED_OUT, number=1, sure=0.2) < cost(seen, RED_OUT, number=1, sure=0.6)


def test_an_unsure_reading_makes_one_of_two_errors_cheaper():
    one, two = {"red": (0, 0, 10, 35)}, {"red": (0, 0, 30, 35)}
    gained = [
        cost(seen, RED_OUT, number=1, sure=0.6) - cost(seen, RED_OUT, number=1, sure=0.2)
        for seen in (one, two)
    ]
    assert gained[0] == pytest.approx(gained[1])


def test_an_error_that_is_known_is_the_same_error_when_another_piece_moves():
    """Red's 20 is known to be read under its 10. The 10 goes on to 11, and so does what is read there."""
    stands, known = position_from(BOARD, {"red": (0, 0, 10, 20)}), frozenset({Mismatch(RED, 20, 10)})
    seen = read({"red": (0, 0, 10, 11)})
    assert set(seen.mismatches(stands, known)) == {Mismatch(RED, 20, 10), Mismatch(RED, 10, 11)}
    assert set(seen.mismatches(stands)) == {Mismatch(RED, 20, 11)}


def test_trust_grows_with_plays_and_falls_with_errors_and_has_its_bounds():
    least, most = prices.TRUST
    assert prices.trust(0, 0) == 0.0
    assert 0.0 < prices.trust(0, 20) < prices.trust(0, 60)
    assert prices.trust(3, 20) < 0.0
    assert (prices.trust(10_000, 1), prices.trust(0, 10**9)) == (least, most)


def test_ten_pieces_that_are_not_seen_are_one_hand_that_nobody_noticed():
    stands = dict.fromkeys(BOARD.seats, (5, 15, 25, 35))
    nothing = dict.fromkeys(BOARD.seats, ())
    assert cost(nothing, stands, number=1) <= prices.COVERED + max(each for _, each in prices.SURENESS)


# ---- a look


def long_look(*readings, every=0.5):
    look = LongLook.first(0.0, readings[0])
    for n, reading in enumerate(readings[1:], 1):
        look = look.then(n * every, reading)
    return look


GONE = {"red": (0, 0, 10, 35)}


def test_forty_sightings_of_one_reading_are_one_witness():
    once = long_look(*[read(GONE, number=7)] * 40)
    again = long_look(*[read(GONE, number=n) for n in range(1, 6)])
    assert [once.may_be_read_again(most) for most in (1, 2)] == [False, True]
    assert [again.may_be_read_again(most) for most in (5, 6)] == [False, True]
    costs = [look.cost(STANDS, Misread(), t) for look, t in ((once, 2.0), (once, 20.0), (again, 2.0))]
    assert costs[0] == costs[1] < costs[2]


def test_an_error_of_frames_costs_more_the_longer_it_lasts():
    frames = long_look(*[read(GONE)] * 3)
    assert not frames.may_be_read_again(2)
    assert frames.cost(STANDS, Misread(), 1.0) < frames.cost(STANDS, Misread(), 3.0)


def test_what_was_misread_for_a_while_and_is_no_longer_is_passing():
    look = long_look(read(GONE, number=1), read(number=2))
    assert look.passing(STANDS, frozenset()) == {Mismatch(RED, 20, 35)}
    assert long_look(read(number=1), read(GONE, number=2)).passing(STANDS, frozenset()) == frozenset()


def test_what_is_read_as_before_a_piece_was_moved_is_no_passing_error():
    look, moved = long_look(read(number=1), read(GONE, number=2)), position_from(BOARD, GONE)
    assert look.passing(moved, frozenset()) == {Mismatch(RED, 35, 20)}
    assert look.passing(moved, frozenset(), STANDS) == frozenset()


def test_after_a_ruling_a_look_goes_on_with_what_is_read_now():
    look = long_look(read(GONE, number=1), read(number=2), read(number=2))
    after = look.from_last(look.began)
    assert (after.began, after.times, after.cost(STANDS, Misread(), 5.0)) == (0.0, 2, 0.0)


def test_dice_are_trusted_the_more_the_more_were_read_and_less_once_one_was_misread():
    at_first, later = prices.die(0, 0), prices.die(60, 0)
    assert at_first < prices.die(20, 0) < later
    assert prices.die(20, 1) < at_first
    # One face of five, and not taken back: one die of 79, and two of seven readings of one of 142.
    assert exp(prices.SHOWN - at_first) == pytest.approx((1 + 2 / 7) / (79 + 142) / 5, rel=0.05)


def test_a_place_that_was_read_rightly_and_holds_the_same_is_seldom_misread():
    seen, seated = {"red": (0, 0, 10, 35)}, Misread(stood=STANDS)
    new, moved = cost(seen, RED_OUT, number=1, misread=seated), Misread(stood=position_from(BOARD, IN_BASE))
    assert new == pytest.approx(cost(seen, RED_OUT, number=1) + prices.RIGHT_BEFORE)
    # Somebody has come to stand there since, or it was misread before.
    assert cost(seen, RED_OUT, number=1, misread=moved) == cost(seen, RED_OUT, number=1)
    wrong = seated._replace(once=frozenset({Mismatch(RED, 20, 34)}))
    assert cost(seen, RED_OUT, number=1, misread=wrong) == cost(seen, RED_OUT, number=1)


def test_another_reading_clears_more_errors_that_are_new_where_all_is_as_it_was():
    seen = [read({"red": (0, 0, 10, 35)}, number=n) for n in range(1, 6)]
    by_reader = []
    for misread in (Misread(), Misread(stood=STANDS)):
        one, two, five = (long_look(*seen[:n]).cost(STANDS, misread, 3.0) for n in (1, 2, 5))
        by_reader.append((two - one, five - one))
    # Of places wrong at one reading 202 in 280 were wrong at another, and 17 of 23.8 at all five.
    assert exp(-by_reader[0][0]) == pytest.approx(202 / 280, rel=0.02)
    assert exp(-by_reader[0][1]) < exp(-by_reader[0][0]) < 1
    assert by_reader[1][0] > 2 * by_reader[0][0]

"""What is claimed of the tops that were found, at places worked out by hand."""

from dataclasses import replace

import pytest

from uckers_table.game.board import Plan
from uckers_table.sighting import LEAST_COST
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.settle import settle
from uckers_table.vision.place.camera import CameraModel

PLAN = Plan()
OVERHEAD = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
HEIGHT = 18.0
RED, GREEN, YELLOW, BLUE = range(4)
NO = (-4.0,) * 4
"""Bare board where a piece more would show."""


def clearly(*seats):
    """What is seen of a side that shows these pieces, from just below the top down."""
    return tuple(tuple(3.0 if seat == k else -4.0 for k in range(4)) for seat in seats) + (NO,) * (
        3 - len(seats)
    )


def top(seat, place_mm, under=(NO,) * 3, score=5.0, height=1):
    """A top whose stack, so high, has its foot there."""
    seen = OVERHEAD.lifted([place_mm], HEIGHT * height)
    x, y = OVERHEAD.grounded(seen, HEIGHT)[0]
    return Stack(seat, float(x), float(y), score, under)


def singles(seat, count):
    """Pieces on the squares before a seat's own first corner, with nothing under them."""
    return [top(seat, PLAN.centre_mm(PLAN.cell(seat, steps))) for steps in range(2, 2 + count)]


def settled(*tops, hand=False):
    return settle(tops, PLAN, OVERHEAD, HEIGHT, hand)


def test_missing_pieces_are_claimed_under_the_top_whose_side_shows_them():
    cell = PLAN.cell(RED, 20)
    high = top(YELLOW, PLAN.centre_mm(cell), clearly(RED, YELLOW), height=3)
    seen = settled(high, *singles(RED, 3), *singles(YELLOW, 2))
    assert seen.pieces["red"] == (2, 3, 4, 20)
    assert seen.pieces["yellow"] == (2, 3, *[PLAN.steps_by_cell[YELLOW][cell]] * 2)


def test_a_side_that_says_little_holds_nothing_though_all_others_say_no():
    """The missing piece may lie on the floor. It is told where it may be, as cheap as it can be."""
    faint = ((-1.0,) * 4, NO, NO)
    seen = settled(top(RED, PLAN.centre_mm((1, 6)), faint, height=2), *singles(RED, 3)[1:])
    assert seen.pieces["red"] == (1, 3, 4)
    told = {tuple(a.contents.items()): a.cost for a in seen.alternatives if a.place == "0"}
    assert told[("red", 2),] == LEAST_COST
    assert seen.odds == LEAST_COST


def test_nothing_lies_under_a_top_when_all_four_are_seen():
    seen = settled(top(RED, PLAN.centre_mm((1, 6)), clearly(RED), height=2), *singles(RED, 3))
    assert seen.pieces["red"] == (1, 2, 3, 4)


def test_a_piece_that_no_side_shows_is_lost_or_unseen():
    missing, whole = settled(*singles(RED, 3)), settled(*singles(RED, 4))
    assert missing.pieces["red"] == (2, 3, 4)
    assert missing.odds == LEAST_COST
    assert whole.odds > 4.6
    hand = settled(*singles(RED, 3), hand=True)
    assert hand.odds == settled(*singles(RED, 4), hand=True).odds


def test_enemies_never_share_a_stack():
    lone = top(GREEN, PLAN.centre_mm((6, 3)), clearly(RED), height=2)
    seen = settled(lone, *singles(RED, 3), *singles(GREEN, 3))
    assert (seen.pieces["red"], len(seen.pieces["green"])) == ((2, 3, 4), 4)


def test_pieces_at_home_are_counted_as_anywhere():
    assert settled(top(RED, (265.0, 305.0), clearly(RED, RED, RED), height=4)).pieces["red"] == (57,) * 4
    assert settled(top(RED, (265.0, 305.0))).pieces["red"] == (57,)


@pytest.mark.parametrize(("shadow", "steps"), [(4.0, (57, 57)), (0.0, (57,)), (-2.0, (57,))])
def test_at_home_a_side_says_little_against_a_piece_and_the_shadow_counts(shadow, steps):
    """The lens is nearly above. A side that says -6 nats elsewhere is a side that shows nothing."""
    against = ((-6.0 + shadow, -9.0, -9.0, -9.0), NO, NO)
    high = replace(top(RED, (265.0, 305.0), against, height=2), shadow=(shadow, 0.0, 0.0))
    seen = settled(high, *singles(RED, 2))
    assert seen.pieces["red"] == (2, 3, *steps)
    told = [a.cost for a in seen.alternatives if a.contents == {"red": 2} and a.place == "red 57"]
    assert told == ([LEAST_COST] if steps == (57,) else [])


def test_in_base_pieces_stand_beside_each_other():
    assert settled(top(RED, (79.0, 79.0), clearly(RED))).pieces["red"] == (0,)


def test_what_is_hidden_is_not_told_while_a_hand_is_over_the_board():
    high = top(RED, PLAN.centre_mm((1, 6)), clearly(RED), height=2)
    assert settled(high, hand=True).pieces["red"] == (1,)


@pytest.mark.parametrize(
    ("score", "is_lit", "hand", "reds"),
    [
        (3.5, True, False, (1, 2, 3, 4)),
        (3.5, False, False, (1, 1, 3, 4)),
        (4.5, False, False, (1, 2, 3, 4)),
        (3.5, True, True, (1, 2, 3, 4)),
        (3.5, False, True, (1, 3, 4)),
        (4.5, False, True, (1, 2, 3, 4)),
    ],
)
def test_a_top_in_somebodys_shadow_is_one_beyond_doubt_only_if_it_is_surer(score, is_lit, hand, reds):
    """Its piece may stand elsewhere, where a side shows it."""
    high = top(RED, PLAN.centre_mm((1, 6)), ((7.0, *NO[1:]), NO, NO), height=2)
    first, *others = singles(RED, 3)
    seen = settled(replace(first, score=score, is_lit=is_lit), high, *others, hand=hand)
    assert seen.pieces["red"] == reds


def test_other_heights_are_told_with_what_they_cost():
    unsure = ((2.5, *NO[1:]), NO, NO)
    seen = settled(top(RED, PLAN.centre_mm((1, 6)), unsure, height=2), *singles(RED, 2)[1:])
    assert seen.pieces["red"] == (1, 1, 3)
    others = [a.contents for a in seen.alternatives if a.place == "0"]
    assert seen.pieces["red"].count(1) == 2
    assert {"red": 1} in others and {"red": 3} in others


def test_no_colour_is_claimed_more_than_four_times():
    cells = [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6)]
    stacks = [Stack(RED, *PLAN.centre_mm(cell), 5.0 - k) for k, cell in enumerate(cells)]
    assert settled(*stacks).pieces["red"] == (1, 2, 3, 4)


def test_of_five_tops_the_one_in_a_shadow_is_none_though_it_looks_better():
    """What looks like a top there is worth less than it would be in the light."""
    stacks = [Stack(RED, *PLAN.centre_mm((k, 6)), 5.0) for k in (1, 2, 3)]
    lit = Stack(RED, *PLAN.centre_mm((4, 6)), 2.2)
    shaded = Stack(RED, *PLAN.centre_mm((5, 6)), 2.3, is_lit=False)
    assert settled(*stacks, shaded, lit).pieces["red"] == (1, 2, 3, 4)


@pytest.mark.parametrize(("score", "is_told"), [(0.8, True), (0.2, True), (-4.0, False)])
def test_a_fifth_top_is_told_for_the_poorest_of_four_by_how_much_worse_it_is(score, is_told):
    """In a deep shadow, on paint of their colour, noise looks like as many as there is room for."""
    others = singles(RED, 3)
    poorest = replace(top(RED, PLAN.centre_mm(PLAN.cell(RED, 54)), score=1.0), is_lit=False)
    fifth = replace(top(RED, PLAN.centre_mm(PLAN.cell(RED, 52)), score=score), is_lit=False)
    seen = settled(fifth, poorest, *others)
    assert seen.pieces["red"] == (2, 3, 4, 54)
    told = {each.place: (each.contents, each.cost) for each in seen.alternatives}
    cost = pytest.approx(max(1.0 - score, LEAST_COST))
    assert (told.get("red 52") == ({"red": 1}, cost)) == is_told
    assert (told["red 54"] == ({}, cost)) == is_told
    # As sure as that it is not the fifth.
    assert seen.odds == pytest.approx(min(1.0, 1.0 - score))


def doubtful(score):
    return Stack(RED, *PLAN.centre_mm((2, 6)), score, (NO,) * 3, is_claimed=False)


@pytest.mark.parametrize(("score", "steps"), [(-1.0, (2, 8, 9, 10)), (-2.5, (8, 9, 10))])
def test_a_doubtful_top_stands_for_a_missing_piece_unless_it_is_too_poor(score, steps):
    others = [top(RED, PLAN.centre_mm(PLAN.cell(RED, k))) for k in (8, 9, 10)]
    assert settled(*others, doubtful(score)).pieces["red"] == steps


def test_a_doubtful_top_is_likelier_than_a_piece_under_one_whose_side_says_nothing():
    silent = ((0.0,) * 4, NO, NO)
    others = [top(RED, PLAN.centre_mm(PLAN.cell(RED, k)), silent) for k in (8, 9, 10)]
    assert settled(*others, doubtful(-1.4)).pieces["red"] == (2, 8, 9, 10)


def test_on_an_empty_board_doubtful_tops_stand_for_nothing():
    assert settled(doubtful(-0.5)).pieces["red"] == ()


def test_a_doubtful_top_is_told_as_what_else_there_may_be_when_none_is_missing():
    others = [top(RED, PLAN.centre_mm(PLAN.cell(RED, k))) for k in (8, 9, 10, 11)]
    seen = settled(*others, doubtful(-1.0))
    assert seen.pieces["red"] == (8, 9, 10, 11)
    assert [dict(a.contents) for a in seen.alternatives if a.place == "1"] == [{"red": 1}]


@pytest.mark.parametrize(("score", "steps"), [(0.5, (1, 1, 8, 9)), (3.5, (1, 5, 8, 9))])
def test_a_top_that_hardly_is_one_is_none_where_its_piece_plainly_stands_elsewhere(score, steps):
    high = top(RED, PLAN.centre_mm((1, 6)), ((6.0, *NO[1:]), NO, NO), height=2)
    hardly = top(RED, PLAN.centre_mm(PLAN.cell(RED, 5)), score=score)
    others = [top(RED, PLAN.centre_mm(PLAN.cell(RED, k))) for k in (8, 9)]
    assert settled(high, *others, hardly).pieces["red"] == steps


def test_a_doubtful_top_stays_if_its_piece_is_nowhere_else():
    hardly = top(RED, PLAN.centre_mm(PLAN.cell(RED, 5)), score=0.5)
    others = [top(RED, PLAN.centre_mm(PLAN.cell(RED, k))) for k in (8, 9, 10)]
    seen = settled(*others, hardly)
    assert seen.pieces["red"] == (5, 8, 9, 10)
    place = str(PLAN.board.square(RED, 5))
    assert [dict(a.contents) for a in seen.alternatives if a.place == place] == [{}]
    assert settled(*others[:2], hardly, doubtful(0.0)).pieces["red"] == (2, 5, 8, 9)


def test_a_piece_on_a_line_is_told_for_both_squares():
    cell = PLAN.cell(RED, 20)
    x, y = PLAN.centre_mm(cell)
    to_x, to_y = PLAN.centre_mm(PLAN.cell(RED, 21))
    near = (x + 0.48 * (to_x - x), y + 0.48 * (to_y - y))
    seen = settled(top(RED, near), *singles(RED, 3))
    here, beyond = (str(PLAN.board.square(RED, steps)) for steps in (20, 21))
    assert seen.pieces["red"] == (2, 3, 4, 20)
    told = [(a.place, dict(a.contents), round(a.cost, 1), a.across) for a in seen.alternatives if a.across]
    assert sorted(told) == sorted([(here, {}, 0.4, beyond), (beyond, {"red": 1}, 0.4, here)])

"""How many plays a throw has, counted by hand, and what the enumeration promises for any position.

The counts are of distinct boards. With pieces a, b, … on the way and dice x, y: every piece may go x + y,
and every pair of different pieces may share the dice in two ways, in one way on a double.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uckers_table.game.board import BASE, Board
from uckers_table.game.halfway import halfway_positions
from uckers_table.game.match import Awaiting, begin
from uckers_table.game.plays import Lister, legal_boards
from uckers_table.game.position import position_from
from uckers_table.game.rules import known_rules
from uckers_table.game.setting import load_setting
from uckers_table.game.situation import Situation

BR = load_setting("br4006")


def situation(setting=BR, side=0, **colours):
    return Situation(setting, position_from(setting.board, colours), side, setting.owned(side))


def boards(dice, setting=BR, side=0, **colours):
    """The boards that may follow a throw."""
    return set(legal_boards(situation(setting, side, **colours), dice))


@pytest.mark.parametrize(
    ("red", "dice", "count"),
    [
        ((0, 0, 0, 0), (5, 4), 0),
        ((0, 0, 0, 0), (6, 4), 1),  # out and on
        ((0, 0, 0, 0), (6, 6), 2),  # two out; one out and on
        ((10, 57, 57, 57), (5, 2), 1),  # the total
        ((10, 20, 57, 57), (5, 2), 4),  # 2 totals, 2 ways to share
        ((10, 20, 57, 57), (5, 5), 3),  # 2 totals, 1 way to share
        ((10, 20, 30, 57), (5, 2), 9),  # 3 totals, 3 pairs in 2 ways
        ((10, 20, 30, 40), (5, 2), 16),  # 4 totals, 6 pairs in 2 ways
        ((10, 20, 30, 40), (5, 5), 10),  # 4 totals, 6 pairs
        ((10, 10, 57, 57), (5, 2), 2),  # 1 total; both of the blob
        ((10, 20, 0, 0), (6, 2), 7),  # 2 totals, 2 ways to share, out with each, out and on
        ((10, 20, 0, 0), (6, 6), 7),  # 2 totals, 1 share, out with each, two out, out and on
        ((54, 57, 57, 57), (5, 4), 0),  # three needed
        ((54, 55, 57, 57), (3, 2), 1),  # both home: 54+3, 55+2; no total fits
        ((52, 57, 57, 57), (3, 1), 1),
    ],
)
def test_counts_worked_out_by_hand(red, dice, count):
    assert len(boards(dice, red=red)) == count


def test_six_pieces_of_a_two_player_side_on_a_double():
    two = load_setting("br4006", players=2)
    # Six pieces on the way: 6 totals and 15 pairs; nobody meets anybody, squares 9, 19, 29 and 36, 46, 4.
    assert len(boards((2, 2), two, red=(10, 20, 30, 57), yellow=(11, 21, 31, 57))) == 21


def test_the_capture_belongs_to_the_play_that_lands():
    # Square 15 is red's step 16 and blue's 29.
    found = boards((4, 2), red=(12, 30, 57, 57), blue=(29, 0, 0, 0))
    back, there = (0, 0, 0, 0), (0, 0, 0, 29)
    others = ((0, 0, 0, 0), (0, 0, 0, 0))
    assert found == {
        ((18, 30, 57, 57), *others, there),
        ((12, 36, 57, 57), *others, there),
        ((16, 32, 57, 57), *others, back),
        ((14, 34, 57, 57), *others, there),
    }


def test_a_blob_bars_its_enemies_and_nobody_else():
    # Square 15 again: red's step 16, green's 3, yellow's 42, blue's 29.
    assert boards((3, 1), blue=(29, 29, 0, 0), red=(13, 57, 57, 57)) == {
        position_from(BR.board, {"red": (14, 57, 57, 57), "blue": (29, 29, 0, 0)})
    }
    assert boards((3, 1), red=(13, 57, 57, 57), yellow=(42, 42, 0, 0)) == {
        position_from(BR.board, {"red": (17, 57, 57, 57), "yellow": (42, 42, 0, 0)})
    }


def test_a_mixed_square_is_captured_whole():
    assert boards((3, 2), red=(11, 57, 57, 57), blue=(29, 29, 29, 0), green=(3, 0, 0, 0)) == {
        position_from(BR.board, {"red": (16, 57, 57, 57)})
    }


def test_halfway_boards_of_a_play():
    # Total 16 captures on 16; half-way on 12 and on 14.
    listed = Lister(situation(red=(10, 57, 57, 57), blue=(29, 0, 0, 0)))
    assert halfway_positions(listed, (4, 2)) == {
        position_from(BR.board, {"red": (half, 57, 57, 57), "blue": blue})
        for half in (12, 14)
        for blue in ((0, 0, 0, 0), (29, 0, 0, 0))
    }


def test_halfway_out_of_base_is_the_doorstep():
    listed = Lister(situation(red=(0, 57, 57, 57), blue=(14, 0, 0, 0)))
    assert halfway_positions(listed, (6, 3)) == {
        position_from(BR.board, {"red": (1, 57, 57, 57), "blue": blue})
        for blue in ((0, 0, 0, 0), (14, 0, 0, 0))
    }


def positions(board):
    """Any position in which enemies do not share a square."""
    steps = st.integers(BASE, board.home)
    four = st.tuples(steps, steps, steps, steps).map(sorted).map(tuple)
    return st.tuples(*[four] * board.arms).filter(lambda position: not shares_squares(board, position))


def shares_squares(board, position):
    teams = [{board.square(s, p) for s in team for p in position[s]} - {None} for team in ((0, 2), (1, 3))]
    return bool(teams[0] & teams[1])


DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))


@settings(deadline=None)
@given(positions(Board()), DICE, st.sampled_from(known_rules()), st.integers(0, 3))
def test_what_every_list_of_plays_promises(position, dice, rules, side):
    setting = load_setting(rules)
    thrown = dice[: setting.rules.dice_per_throw]
    if any(setting.is_home(position, seat) for seat in range(4)):
        return
    match = begin(setting, to_play=setting.board.seats[side], position=position, turns_taken=1)
    match = match.throw(thrown).match
    assert len(set(match.plays)) == len(match.plays)
    for play in match.plays:
        assert all(list(four) == sorted(four) and len(four) == 4 for four in play)
        assert all(0 <= steps <= setting.board.home for four in play for steps in four)
        enemies = setting.enemies[side]
        for seat in range(4):
            if seat not in (side, *enemies):
                assert play[seat] == position[seat]
        assert sum(play[side]) > sum(position[side])
        step = match.see(play)
        assert [str(ruling.kind) for ruling in step.rulings] in (["legal"], ["won"])
        assert step.match.position == play


@settings(deadline=None)
@given(positions(Board()), DICE)
def test_the_order_of_the_dice_makes_no_difference(position, dice):
    here = Situation(BR, position, 0, (0,))
    assert set(legal_boards(here, dice)) == set(legal_boards(here, dice[::-1]))


@settings(deadline=None)
@given(positions(Board()), DICE)
def test_the_board_turned_by_a_quarter_has_the_same_plays_turned(position, dice):
    turned = (position[3], *position[:3])
    here, there = Situation(BR, position, 0, (0,)), Situation(BR, turned, 1, (1,))
    assert {(p[3], *p[:3]) for p in legal_boards(here, dice)} == set(legal_boards(there, dice))


@settings(deadline=None)
@given(positions(Board()), DICE)
def test_halfway_is_neither_before_nor_after(position, dice):
    if any(BR.is_home(position, seat) for seat in range(4)):
        return
    match = begin(BR, to_play="red", position=position).throw(dice).match
    assert position not in match.halfway
    assert not match.halfway & set(match.plays)
    if match.awaiting is Awaiting.PLAY:
        for half in match.halfway:
            assert str(match.see(half).rulings[0].kind) == "illegal"

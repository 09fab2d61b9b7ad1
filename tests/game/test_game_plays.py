"""How many plays a throw has, and which, counted by hand.

The counts are of distinct boards. With pieces a, b, … on the way and dice x, y: every piece may go x + y,
and every pair of different pieces may share the dice in two ways, in one way on a double.
"""

import pytest

from uckers_table.game import playing
from uckers_table.game.match import begin
from uckers_table.game.position import position_from
from uckers_table.game.setting import load_setting

BR = load_setting("br4006")


def thrown(dice, setting=BR, **colours):
    """A match in which red has thrown."""
    return playing.throw(
        begin(setting, to_play="red", position=position_from(setting.board, colours)), dice
    ).match


def boards(dice, setting=BR, **colours):
    """The boards that may follow red's throw."""
    plays = thrown(dice, setting, **colours).plays
    assert len(set(plays)) == len(plays)
    return set(plays)


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
    assert thrown((4, 2), red=(10, 57, 57, 57), blue=(29, 0, 0, 0)).halfway == {
        position_from(BR.board, {"red": (half, 57, 57, 57), "blue": blue})
        for half in (12, 14)
        for blue in ((0, 0, 0, 0), (29, 0, 0, 0))
    }


def test_a_six_that_must_bring_one_out_is_no_way_to_a_play_with_another():
    # The new piece goes on by the two, or the other one does.
    forced = load_setting("br4006", {"exit_optional": "forced"})
    assert thrown((6, 2), forced, red=(0, 10, 57, 57)).halfway == {
        position_from(BR.board, {"red": four}) for four in ((1, 10, 57, 57), (0, 12, 57, 57))
    }


def test_halfway_out_of_base_is_the_doorstep():
    assert thrown((6, 3), red=(0, 57, 57, 57), blue=(14, 0, 0, 0)).halfway == {
        position_from(BR.board, {"red": (1, 57, 57, 57), "blue": blue})
        for blue in ((0, 0, 0, 0), (14, 0, 0, 0))
    }

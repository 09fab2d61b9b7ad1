"""The board tipped up: all pieces gone at once, or the board away, is asked about and accuses nobody."""

import pytest

from tests.referee.scripted import BOARD, Table, setting_of
from uckers_table.announce.in_full import in_full
from uckers_table.announce.pages import page
from uckers_table.game.events import Awaiting
from uckers_table.machine.messages import Message
from uckers_table.referee.events import Due

PIECES = {"red": [0, 0, 0, 5], "green": [0, 0, 30, 57]}
NOTHING = dict.fromkeys(BOARD.seats, ())
AWAY = {"trouble": ("board_not_found",), "confidence": 0.0}


def table_of(**pieces):
    """A match in which green is to throw."""
    return Table("green", every=0.3, **(PIECES | pieces))


@pytest.mark.parametrize("button", ["done", "accept"])
def test_all_pieces_gone_at_once_may_be_an_upboard(button):
    table = table_of().see(6.0, **NOTHING)
    assert table.kinds == ["upboard_asked"]
    assert page(table.referee).title == "UPBOARD?"
    table.press(button)
    assert table.kinds == ["upboard_asked", "which_call"]
    assert page(table.referee) == Message("WHOSE UPBOARD?", "1 red, 2 green, 3 yellow, 4 blue")
    assert in_full(table.ruled[1].ruling, BOARD) == (
        "Upboard? Which one? Press its number: 1 red, 2 green, 3 yellow, 4 blue."
    )


@pytest.mark.parametrize(("number", "winner"), [(1, (1, 3)), (2, (0, 2)), (3, (1, 3)), (4, (0, 2))])
def test_whoever_tipped_it_has_lost_whose_turn_it_is(number, winner):
    table = table_of().see(6.0, **NOTHING).press("done").press(str(number))
    assert table.kinds == ["upboard_asked", "which_call", "upboard"]
    ended = table.ruled[2]
    assert (ended.awaiting, ended.ruling.winner, ended.ruling.seat) == (Awaiting.OVER, winner, number - 1)


def test_of_two_players_one_of_two_is_asked_for():
    table = (
        Table("green", every=0.3, setting=setting_of(players=2), **PIECES).see(6.0, **NOTHING).press("done")
    )
    assert page(table.referee) == Message("WHOSE UPBOARD?", "1 red, 2 green")


def test_pieces_that_come_back_before_it_is_said_whose_answer_that_it_was_none():
    table = table_of().see(6.0, **NOTHING).press("done").see(3.0)
    assert (table.referee.choices, table.referee.open_point) == ((), None)
    assert table.press("2").match.awaiting is not Awaiting.OVER


def test_pieces_that_come_back_answer_that_it_was_none():
    table = table_of().see(6.0, **NOTHING)
    table.see(3.0).press("done")
    assert (table.kinds, table.referee.open_point) == (["upboard_asked"], None)


def test_a_board_that_is_away_may_be_an_upboard():
    table = table_of().see(9.0, **AWAY)
    assert table.kinds == ["cannot_see", "upboard_asked"]
    assert page(table.referee).title == "UPBOARD?"
    assert table.press("done").press("1").kinds == ["cannot_see", "upboard_asked", "which_call", "upboard"]


def test_it_falls_due_though_the_camera_sends_no_more():
    table = table_of().see(0.6, **AWAY)
    table.take(Due(table.t + 7.0))
    assert table.kinds == ["cannot_see", "upboard_asked"]


def test_a_kicked_camera_or_a_cap_on_it_is_none():
    table = table_of().see(4.5, **AWAY)
    assert table.see(3.0).kinds == ["cannot_see", "sees_again"]
    assert table_of().see(20.1, trouble=("too_dark",), confidence=0.0).kinds == ["cannot_see"]


def test_nothing_is_tipped_before_anything_is_in_play():
    assert Table("green", every=0.3).see(9.0, **AWAY).kinds == ["cannot_see"]


def test_one_piece_gone_is_asked_about_by_its_place():
    table = table_of(green=[0, 0, 0, 57]).hand(0.9).see(6.0, **NOTHING)
    assert table.kinds == ["check"]


def test_throwing_on_does_not_answer_that_it_was_one():
    table = table_of().see(6.0, **NOTHING)
    table.throw(5, 4)
    assert "upboard" not in table.kinds
    assert table.match.awaiting is not Awaiting.OVER

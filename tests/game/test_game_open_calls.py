"""Which calls are open, worked out by hand; and by which numbers they are chosen."""

import doctest

import pytest

from uckers_table.game import open_calls as module
from uckers_table.game import playing
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import begin
from uckers_table.game.open_calls import numbered, open_calls
from uckers_table.game.position import position_from
from uckers_table.game.setting import load_setting


def match(rules="br4006", options=None, to_play="red", turns_taken=1, players=4, **pieces):
    setting = load_setting(rules, options, players=players)
    position = position_from(setting.board, pieces)
    return begin(setting, to_play=to_play, position=position, turns_taken=turns_taken)


def test_a_challenge_is_open_once_its_six_shows():
    # Red's 16 and green's 3 are one square, and red's 15 lies behind it.
    behind = match(red=[15, 0, 0, 0], green=[3, 3, 0, 0])
    assert open_calls(behind) == ()
    assert open_calls(playing.throw(behind, (5, 3)).match) == ()
    assert open_calls(playing.throw(behind, (6, 3)).match) == (Call("challenge", 0, 15),)


def test_every_piece_that_could_challenge_is_named():
    # Green's 40 is red's doorstep; its 3 is red's 16.
    both = playing.throw(match(red=[15, 0, 0, 0], green=[3, 3, 40, 40]), (6, 3)).match
    assert set(open_calls(both)) == {Call("challenge", 0, 0), Call("challenge", 0, 15)}


# Red's 12 is green's mouth; green's chute goes from 52 to 56.
PREY = {"red": [12, 0, 0, 0], "green": [53, 53, 55, 0]}


@pytest.mark.parametrize(
    ("rules", "options", "expected"),
    [
        ("br4006", {}, []),
        ("couk_suckback", {}, [Call("suckback", 0, 12, 4)]),
        ("wafu", {}, [Call("suckback", 0, 12, 4)]),
        # VAR G9: the blob on the second square needs a double two.
        ("br4006", {"var_g": True}, [Call("suckback", 0, 12, 2, True), Call("suckback", 0, 12, 4)]),
    ],
)
def test_suckbacks_with_their_numbers(rules, options, expected):
    assert list(open_calls(match(rules, options, **PREY))) == expected


def test_a_blowback_knows_its_number_and_whether_it_must_be_a_double():
    threatened = match("wafu", to_play="green", **PREY)
    assert open_calls(threatened) == (Call("blowback", 1, 53, 2), Call("blowback", 1, 55, 4))
    by_blob = match("wafu", to_play="green", red=[12, 12, 0, 0], green=[55, 0, 0, 0])
    assert open_calls(by_blob) == (Call("blowback", 1, 55, 4, True),)


def test_snake_eyes_are_offered_where_they_must_be_called():
    assert open_calls(match("wafu", turns_taken=0)) == (Call("snake_eyes"),)
    assert open_calls(match("wafu")) == ()
    assert open_calls(match("wiki", turns_taken=0)) == ()
    called = playing.call(match("wafu", turns_taken=0), Call("snake_eyes")).match
    assert open_calls(called) == ()


def test_who_won_the_throw_off_may_choose_until_somebody_throws():
    thrown_off = begin(load_setting("br4006", {"throw_off_winner_chooses": True}))
    for dice in ((2, 1), (6, 4), (3, 1), (4, 1)):
        assert open_calls(thrown_off) == ()
        thrown_off = playing.throw(thrown_off, dice).match
    assert open_calls(thrown_off) == tuple(Call("colours", seat, 0) for seat in (0, 2, 3))
    assert open_calls(playing.throw(thrown_off, (5, 4)).match) == ()
    assert open_calls(match("br4006", {"throw_off_winner_chooses": True}, turns_taken=0)) == ()


def test_a_stand_up_finish_is_open_when_one_throw_could_win():
    home = [57] * 4
    assert open_calls(match(red=[57, 57, 57, 45], yellow=home)) == (Call("stand_up_finish"),)
    assert open_calls(match(red=[57, 57, 57, 44], yellow=home)) == ()
    assert open_calls(match(red=[57, 57, 52, 53], yellow=home)) == (Call("stand_up_finish"),)
    alone = match("masters_ludo", red=[57, 57, 57, 51])
    assert open_calls(alone) == (Call("stand_up_finish"),)


def test_an_extra_throw_may_be_declined_where_it_need_not_be_made():
    owed = playing.throw(match("western_ludo", red=[10, 0, 0, 0]), (6,)).match
    played = playing.see(owed, position_from(owed.board, {"red": [16, 0, 0, 0]})).match
    assert (played.awaiting, played.extra) == (Awaiting.THROW, 1)
    assert open_calls(played) == (Call("decline"),)
    assert open_calls(match("western_ludo", red=[10, 0, 0, 0])) == ()


def test_nothing_is_open_while_a_called_throw_is_due():
    called = playing.call(match("wafu", **PREY), Call("suckback", target=4)).match
    assert called.awaiting is Awaiting.THROW
    assert open_calls(called) == ()


def test_two_mouths_with_the_same_number_are_told_apart_by_counting():
    # Red's 38 is blue's mouth.
    twice = match("wafu", red=[12, 38, 0, 0], green=[55, 0, 0, 0], blue=[55, 0, 0, 0])
    first, second = Call("suckback", 0, 12, 4), Call("suckback", 0, 38, 4)
    assert numbered(open_calls(twice)) == {1: first, 2: second}


def test_no_more_are_numbered_than_there_are_buttons():
    calls = [Call("challenge", 0, steps) for steps in range(8)]
    assert numbered(calls) == dict(enumerate(calls[:6], start=1))


def test_the_examples_in_the_documentation():
    assert doctest.testmod(module).failed == 0

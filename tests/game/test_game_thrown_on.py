"""Whose throw the next one is, and what for, as dice find the match: what was left is settled first."""

from uckers_table.game import playing
from uckers_table.game.board import Board
from uckers_table.game.events import Call
from uckers_table.game.match import new_match
from uckers_table.game.rules import load_rules
from uckers_table.game.throws import Purpose, purpose

HOME, BASE = (57, 57, 57, 57), (0, 0, 0, 0)


def match(position, rules="br4006", to_play="red", **options):
    return new_match(load_rules(rules, options), Board(), to_play=to_play, position=position)


def found(state):
    on = playing.as_thrown_on(state)
    return on.board.seats[on.to_play], purpose(on)


def test_a_match_begins_with_throws_for_start():
    state = new_match(load_rules("br4006"), Board())
    assert found(state) == ("red", Purpose.START)
    assert found(playing.throw(state, (3, 2)).match) == ("green", Purpose.START)


def test_a_throw_while_a_play_is_owed_is_for_nothing():
    state = match(((0, 0, 0, 10), BASE, BASE, BASE))
    assert found(state) == ("red", Purpose.PLAY)
    assert found(playing.throw(state, (2, 1)).match) == ("red", Purpose.NOTHING)


def test_an_illegal_play_that_is_thrown_on_stands_and_the_throw_is_the_next_sides():
    state = playing.throw(match(((0, 0, 0, 10), BASE, BASE, BASE)), (2, 1)).match
    wrong = playing.see(state, ((0, 0, 0, 17), BASE, BASE, BASE)).match
    assert wrong.to_play == 0
    assert found(wrong) == ("green", Purpose.PLAY)
    never = playing.throw(match(((0, 0, 0, 10), BASE, BASE, BASE), timber_unchallenged="never"), (2, 1)).match
    assert found(playing.see(never, ((0, 0, 0, 17), BASE, BASE, BASE)).match) == ("red", Purpose.NOTHING)


def test_a_challenge_is_thrown_for_once_it_is_called():
    # Blue's piece stands right behind a blob of red's.
    board = Board()
    ahead = board.steps_on(0, board.square(3, 20) + 1)
    state = playing.throw(
        match(((0, 0, ahead, ahead), BASE, BASE, (0, 0, 0, 20)), to_play="blue"), (6, 1)
    ).match
    assert found(playing.call(state, Call("challenge")).match) == ("blue", Purpose.CHALLENGE)


def test_a_suckback_is_thrown_for_once_it_is_called():
    state = match(((0, 0, 0, 54), BASE, BASE, (0, 0, 0, 12)), to_play="blue", var_g=True)
    assert found(playing.call(state, Call("suckback", 3, 12, 3)).match) == ("blue", Purpose.SUCKBACK)


def test_a_colour_that_is_home_throws_for_the_gate():
    state = match((HOME, (0, 0, 0, 20), (0, 0, 0, 20), (0, 0, 0, 20)))
    assert found(state) == ("red", Purpose.GATE)

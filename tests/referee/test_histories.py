"""Histories: where honest people may have put the pieces since, and what dice and calls make of each."""

from dataclasses import replace

import pytest

from tests.referee.scripted import BOARD, SETTING, match_of, setting_of, sighting_of
from uckers_table.game import playing
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.position import position_from
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee import prices
from uckers_table.referee.events import CallMade, DiceFault, ThrowMade
from uckers_table.referee.histories import History, likeliest, taking
from uckers_table.referee.looks import NOWHERE, LongLook, Mismatch, ReadBoard

RED, GREEN, YELLOW, BLUE = range(4)
TWO_OUT = (10, 20, 57, 57)
PLAYS_OF_5_2 = {(15, 22, 57, 57), (12, 25, 57, 57), (17, 20, 57, 57), (10, 27, 57, 57)}
"""What red may make of 5 and 2 with pieces on 10 and 20: one die each, or both with one piece."""
HALVES_OF_5_2 = {(15, 20, 57, 57), (12, 20, 57, 57), (10, 25, 57, 57), (10, 22, 57, 57)}
"""One of the two dice played, and the other still owed."""


def board_of(**pieces):
    return position_from(BOARD, pieces)


def between_throws(**pieces):
    """A history that begins between throws."""
    match = match_of(**pieces)
    return History(match, match.position)


def in_hand(*dice, setting=SETTING, **pieces):
    """A history with dice in hand."""
    match = match_of(setting, **pieces)
    return History(playing.throw(match, dice).match, match.position, thrown_from=match)


def reds(history, kind):
    """Where red may stand, by the honest boards of one kind."""
    return {way.board[RED] for way in history.honest if way.kind == kind}


def kinds_of(history):
    return {way.kind for way in history.honest}


def shown_at_no_price(history, **pieces):
    """Whether honest people may have put the pieces so, for the rules to judge."""
    board = board_of(**pieces)
    return any(way.board == way.shown == board and way.nats == 0.0 for way in history.honest)


def rulings_of(*kinds):
    return tuple(Ruling(kind, RED, board_of()) for kind in kinds)


def throw(*dice):
    return ThrowMade(1.0, dice)


# ---- where honest people may have put the pieces


def test_between_throws_honest_people_leave_the_pieces_where_they_are():
    history = between_throws(red=TWO_OUT)
    assert [(way.kind, way.board, way.nats) for way in history.honest] == [
        ("none", board_of(red=TWO_OUT), 0.0)
    ]


def test_with_dice_in_hand_every_legal_play_may_have_been_made():
    history = in_hand(5, 2, red=TWO_OUT)
    assert reds(history, "play") == PLAYS_OF_5_2
    assert {way.nats for way in history.honest if way.kind == "play"} == {0.0}


def test_half_of_a_play_may_have_been_made_and_is_dearer_than_all_of_it():
    history = in_hand(5, 2, red=TWO_OUT)
    assert reds(history, "half") == HALVES_OF_5_2
    assert all(way.nats > 0 for way in history.honest if way.kind == "half")


def test_the_board_before_the_play_stays_possible():
    assert reds(in_hand(5, 2, red=TWO_OUT), "none") == {TWO_OUT}


def test_a_passed_throw_leaves_nothing_to_play():
    # Red has only pieces in base, and comes out with a six alone.
    history = History(playing.throw(match_of(), (5, 2)).match, board_of())
    assert kinds_of(history) == {"none"}


def test_each_board_is_told_once():
    boards = [way.board for way in in_hand(3, 3, red=TWO_OUT).honest]
    assert len(boards) == len(set(boards))


def test_a_wrong_board_may_be_put_right_or_changed_for_a_legal_play():
    wrong = board_of(red=(16, 22, 57, 57))
    match = playing.see(in_hand(5, 2, red=TWO_OUT).match, wrong).match
    history = History(match, wrong)
    assert (16, 22, 57, 57) in reds(history, "none")
    assert reds(history, "play") == PLAYS_OF_5_2
    assert shown_at_no_price(history, red=TWO_OUT)


def test_a_piece_that_is_put_back_a_square_off_its_place_is_on_its_way():
    wrong = board_of(red=(16, 20, 57, 57))
    match = playing.see(in_hand(5, 2, red=TWO_OUT).match, wrong).match
    on_its_way = reds(History(match, wrong), "none")
    assert {(9, 20, 57, 57), (11, 20, 57, 57)} <= on_its_way
    assert (14, 20, 57, 57) not in on_its_way


def test_a_board_that_is_not_called_wrong_is_not_put_right():
    assert not shown_at_no_price(in_hand(5, 2, red=TWO_OUT), red=TWO_OUT)


def test_pieces_that_a_ruling_moved_may_have_been_moved_on_the_board_or_not():
    """The third dropped throw sends all of red's to base, and people do that one by one."""
    setting = setting_of(options=(("dice_fault_run", "consecutive"),))
    match = match_of(setting, red=(10, 20, 0, 0))
    before = match.position
    for _ in range(3):
        match = playing.fault(match, "dropped").match
    history = History(match, before)
    assert reds(history, "caught up") == {(0, 0, 0, 0)}
    assert reds(history, "none") == {(0, 0, 10, 20), (0, 0, 0, 10), (0, 0, 0, 20)}


def after_the_play(**changes):
    """Red had 5 and 2, has played 15 and 22, and nobody has thrown since."""
    before = in_hand(5, 2, red=TWO_OUT).match
    made = board_of(red=(15, 22, 57, 57))
    return History(playing.see(before, made).match, made, before=before, **changes)


def test_until_the_next_throw_a_play_may_be_changed_for_another():
    history = after_the_play()
    assert reds(history, "none") == {(15, 22, 57, 57)}
    assert reds(history, "play") == PLAYS_OF_5_2 - {(15, 22, 57, 57)}
    assert all(way.nats > 0 for way in history.honest if way.kind == "play")


def test_until_the_next_throw_a_play_may_be_half_undone():
    assert TWO_OUT in reds(after_the_play(), "half")


def test_after_the_next_throw_a_play_may_not_be_changed():
    # Green's are all in base: what it throws is passed.
    (after,) = taking(after_the_play(), throw(3, 1))
    assert after.before is None
    assert kinds_of(after) == {"none"}
    assert reds(after, "none") == {(15, 22, 57, 57)}


def over_a_mixed_stack(order):
    """Red 10 and yellow 36 share a square, red 52 needs the 5 to come home, and red has 5 and 2."""
    assert BOARD.place(RED, 10) == BOARD.place(YELLOW, 36)
    setting = setting_of(options=(("mixed_stack_order", order),))
    return in_hand(5, 2, setting=setting, red=(10, 52, 57, 57), yellow=(36, 0, 0, 0))


def test_where_nobody_saw_a_mixed_stack_grow_the_partner_may_lie_on_top():
    """Red 10 cannot move then. The 5 alone is a whole play, because nothing is left for the 2."""
    history = over_a_mixed_stack("top_first")
    under, on_top = (10, 57, 57, 57), (12, 57, 57, 57)
    plays = {way.board[RED]: way.nats for way in history.honest if way.kind == "play"}
    assert {under, on_top} <= plays.keys()
    assert plays[under] > plays[on_top]


def test_where_any_piece_may_leave_a_mixed_stack_its_order_excuses_nothing():
    history = over_a_mixed_stack("free")
    assert (10, 57, 57, 57) in reds(history, "half") - reds(history, "play")


# ---- which of the rulings that nobody has heard are old


@pytest.mark.parametrize(
    ("kinds", "stale"),
    [
        ((), 0),
        ((Kind.ILLEGAL,), 0),
        ((Kind.ILLEGAL, Kind.STOOD), 0),
        ((Kind.ILLEGAL, Kind.STOOD, Kind.LEGAL), 0),
        ((Kind.ILLEGAL, Kind.STOOD, Kind.LEGAL, Kind.PASS, Kind.LEGAL), 4),
        ((Kind.ILLEGAL, Kind.PUT_RIGHT), 1),
        ((Kind.LEGAL, Kind.TIMBER_SHIFT), 0),
    ],
)
def test_rulings_are_old_once_put_right_or_played_on(kinds, stale):
    assert History(match_of(), board_of(), unsaid=rulings_of(*kinds)).stale == stale


@pytest.mark.parametrize("kind", [Kind.ILLEGAL, Kind.TIMBER_SHIFT])
def test_a_history_with_an_unsaid_accusation_is_guilty(kind):
    assert History(match_of(), board_of(), unsaid=rulings_of(kind)).is_guilty


def test_a_history_of_honest_rulings_is_not_guilty():
    honest = rulings_of(Kind.LEGAL, Kind.PASS, Kind.VOID)
    assert not History(match_of(), board_of(), unsaid=honest).is_guilty
    assert not between_throws().is_guilty


def test_an_accusation_that_is_to_stay_unspoken_makes_nobody_guilty():
    unspoken = tuple(replace(each, unspoken=True) for each in rulings_of(Kind.ILLEGAL))
    assert not History(match_of(), board_of(), unsaid=unspoken).is_guilty


def test_a_wrong_that_was_put_right_makes_nobody_guilty():
    right = rulings_of(Kind.TIMBER_SHIFT, Kind.PUT_RIGHT)
    assert not History(match_of(), board_of(), unsaid=right).is_guilty


def test_guilt_outlives_one_play_and_not_two():
    wrong = (Kind.ILLEGAL, Kind.STOOD)
    assert History(match_of(), board_of(), unsaid=rulings_of(*wrong, Kind.LEGAL)).is_guilty
    assert not History(match_of(), board_of(), unsaid=rulings_of(*wrong, Kind.LEGAL, Kind.LEGAL)).is_guilty


def test_a_wrong_after_an_old_one_is_still_to_be_called():
    kinds = (Kind.ILLEGAL, Kind.PUT_RIGHT, Kind.TIMBER_SHIFT)
    assert History(match_of(), board_of(), unsaid=rulings_of(*kinds)).is_guilty


# ---- what dice and calls make of a history


def test_a_throw_puts_the_dice_in_hand_and_forgets_what_was_before():
    (after,) = taking(between_throws(red=TWO_OUT), throw(5, 2))
    assert (after.match.awaiting, after.match.thrown) == (Awaiting.PLAY, (5, 2))
    assert after.thrown_from == match_of(red=TWO_OUT)
    assert (after.before, after.unsaid, after.nats) == (None, (), 0.0)


def test_a_throw_that_nobody_can_use_is_passed_and_that_is_still_to_be_said():
    (after,) = taking(between_throws(), throw(5, 2))
    assert [ruling.kind for ruling in after.unsaid] == [Kind.PASS]
    assert after.match.to_play == GREEN


def test_a_throw_with_more_dice_than_are_thrown_changes_nothing_and_is_dearer():
    history = between_throws(red=TWO_OUT)
    (after,) = taking(history, throw(5, 2, 1))
    assert after.nats > history.nats
    assert replace(after, nats=history.nats) == history


def test_a_dropped_throw_is_ruled_and_leaves_the_same_side_to_throw():
    (after,) = taking(between_throws(red=TWO_OUT), DiceFault(1.0, "dropped"))
    assert [ruling.kind for ruling in after.unsaid] == [Kind.DROPPED]
    assert (after.match.awaiting, after.match.to_play) == (Awaiting.THROW, RED)


def test_a_refused_call_changes_nothing_and_is_dearer():
    """Nobody has a blob to challenge. The last play may still be changed."""
    history = after_the_play()
    (after,) = taking(history, CallMade(1.0, Call("challenge")))
    assert [ruling.kind for ruling in after.unsaid] == [Kind.CALL_REFUSED]
    assert after.match == history.match
    assert after.before == history.before
    assert after.nats > history.nats


def test_of_two_pieces_that_are_put_back_one_may_be_back_and_one_off_its_place():
    wrong = board_of(red=(14, 26, 57, 57))
    match = playing.see(in_hand(5, 2, red=TWO_OUT).match, wrong).match
    prices_of = {way.board[RED]: way.nats for way in History(match, wrong).honest if way.kind == "none"}
    assert prices_of[10, 26, 57, 57] == prices_of[14, 20, 57, 57] == 0.0
    assert 0.0 < prices_of[10, 21, 57, 57] < prices_of[9, 21, 57, 57]


def test_rulings_that_nobody_has_heard_are_kept_in_order():
    history = replace(between_throws(), unsaid=rulings_of(Kind.LEGAL))
    (after,) = taking(history, throw(5, 2))
    assert [ruling.kind for ruling in after.unsaid] == [Kind.LEGAL, Kind.PASS]


def test_dice_on_dice_are_void_or_else_the_dice_before_them_were():
    void, turned = taking(in_hand(5, 2, red=TWO_OUT), throw(3, 1))
    assert [ruling.kind for ruling in void.unsaid] == [Kind.VOID]
    assert (void.match.awaiting, void.match.thrown) == (Awaiting.PLAY, (5, 2))
    assert (turned.match.awaiting, turned.match.thrown, turned.match.to_play) == (Awaiting.PLAY, (3, 1), RED)
    assert turned.unsaid == ()
    assert reds(turned, "play") == {(13, 21, 57, 57), (11, 23, 57, 57), (14, 20, 57, 57), (10, 24, 57, 57)}


def test_both_readings_of_dice_on_dice_assume_something():
    history = in_hand(5, 2, red=TWO_OUT)
    for after in taking(history, throw(3, 1)):
        assert after.nats > history.nats
        assert after.strain > history.strain


def test_that_the_dice_before_were_void_is_written_down():
    void, turned = taking(in_hand(5, 2, red=TWO_OUT), throw(3, 1))
    assert void.because == ()
    assert len(turned.because) == 1


def test_void_dice_leave_it_open_that_those_before_were_void():
    void, _ = taking(in_hand(5, 2, red=TWO_OUT), throw(3, 1))
    again = [each.match.thrown for each in taking(void, throw(4, 2))]
    assert again == [(5, 2), (4, 2)]


def test_dice_on_a_wrong_board_that_never_stands_are_void_or_play_from_it():
    """The board of a play by void dice counts, if the dice after them are the good ones."""
    setting = setting_of(options=(("timber_unchallenged", "never"),))
    history = in_hand(5, 2, setting=setting, red=TWO_OUT)
    wrong = board_of(red=(16, 22, 57, 57))
    history = replace(history, match=playing.see(history.match, wrong).match, board=wrong)
    void, turned = taking(history, throw(3, 1))
    assert void.unsaid[-1].kind is Kind.VOID
    assert turned.match.position == wrong
    assert reds(turned, "play") == {(19, 23, 57, 57), (17, 25, 57, 57), (20, 22, 57, 57), (16, 26, 57, 57)}


# ---- the likeliest


def test_dice_on_a_wrong_board_that_is_partly_put_right_let_stand_what_is_left():
    both, one = board_of(red=TWO_OUT, green=(6, 0, 0, 0)), board_of(red=(10, 21, 57, 57), green=(5, 0, 0, 0))
    called = playing.see(
        match_of(red=TWO_OUT, green=(5, 0, 0, 0)), board_of(red=(10, 21, 57, 57), green=(6, 0, 0, 0))
    )
    for left in (both, one):
        after = next(taking(History(called.match, left), throw(6, 5)))
        assert Kind.STOOD in {ruling.kind for ruling in after.unsaid}
        assert after.match.position == left


def test_what_was_heard_of_one_history_is_not_said_again_of_another():
    said = History(match_of(), board_of(), unsaid=rulings_of(Kind.PASS))
    other = replace(said, unsaid=rulings_of(Kind.ILLEGAL, Kind.STOOD, Kind.PASS)).having_heard(said)
    assert [ruling.unspoken for ruling in other.unsaid] == [False, False, True]


def test_an_error_that_is_seen_to_be_over_is_known_no_more():
    missed = Mismatch(RED, 20, NOWHERE)
    root = replace(between_throws(red=TWO_OUT), known=frozenset({missed}))
    seen = dict.fromkeys(BOARD.seats, (0, 0, 0, 0)) | {"red": TWO_OUT}
    again = root.seen_again(LongLook.first(0.0, ReadBoard.of(BOARD, sighting_of(seen))))
    assert not again.known and missed in again.once


def test_equal_histories_are_merged_and_the_cheaper_is_kept():
    history = between_throws(red=TWO_OUT)
    dear, cheap = replace(history, nats=3.0, strain=1.0), replace(history, nats=2.0, strain=2.0)
    assert likeliest([dear, cheap]) == (replace(cheap, nats=0.0),)


def test_the_likeliest_comes_first_at_no_price_and_the_others_keep_their_distance():
    here, there = between_throws(red=TWO_OUT), between_throws(red=(10, 21, 57, 57))
    kept = likeliest([replace(here, nats=7.0), replace(there, nats=5.0)])
    assert [each.board for each in kept] == [there.board, here.board]
    assert [each.nats for each in kept] == [0.0, 2.0]


def test_histories_that_differ_in_guilt_alone_are_kept_apart():
    history = between_throws(red=TWO_OUT)
    assert len(likeliest([history, replace(history, unsaid=rulings_of(Kind.ILLEGAL))])) == 2


def test_histories_that_differ_in_whose_turn_it_is_are_kept_apart():
    red, green = match_of(to_play="red"), match_of(to_play="green")
    assert len(likeliest([History(red, red.position), History(green, green.position)])) == 2


def test_far_dearer_histories_are_dropped():
    here, there = between_throws(red=TWO_OUT), between_throws(red=(10, 21, 57, 57))
    just, too = prices.KEEP - 0.1, prices.KEEP + 0.1
    assert len(likeliest([here, replace(there, nats=just)])) == 2
    assert likeliest([here, replace(there, nats=too)]) == (here,)


def test_no_more_histories_are_kept_than_may_be():
    many = [replace(between_throws(red=(10, 20 + n, 57, 57)), nats=n / 100) for n in range(prices.MOST + 3)]
    assert likeliest(many)[-1].board == many[prices.MOST - 1].board
    assert len(likeliest(many)) == prices.MOST


def test_who_puts_it_right_before_anybody_speaks_is_not_accused():
    wrong, right = rulings_of(Kind.ILLEGAL), rulings_of(Kind.LEGAL)
    assert replace(between_throws(), unsaid=wrong).is_guilty
    assert not replace(between_throws(), unsaid=(*wrong, *right)).is_guilty
    stood = (*wrong, *rulings_of(Kind.STOOD), *right)
    assert replace(between_throws(), unsaid=stood).is_guilty

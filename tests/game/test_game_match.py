"""The match as the referee uses it: its states, its rulings and the facts they carry, whole matches."""

from random import Random

import pytest

from tests.game.house_rules import HOUSE_RULES
from uckers_table.errors import RulesError
from uckers_table.game import playing
from uckers_table.game.board import Board
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import begin, new_match
from uckers_table.game.position import position_from
from uckers_table.game.rules import known_rules, load_rules
from uckers_table.game.ruling import Cause, Hold, Kind, Move, Reason, Ruling
from uckers_table.game.setting import load_setting
from uckers_table.game.throws import offered

BOARD = Board()
BR = load_setting("br4006")


def at(to_play="red", setting=BR, **colours):
    return begin(setting, to_play=to_play, position=position_from(setting.board, colours))


def position(**colours):
    return position_from(BOARD, colours)


def kinds(step):
    return [str(ruling.kind) for ruling in step.rulings]


def test_a_match_begins_with_the_throw_off_in_seat_order():
    match = new_match(load_rules("br4006"), BOARD)
    said = []
    for dice in ((4, 3), (6, 5), (5, 6), (2, 2), (3, 1), (5, 2)):
        assert match.awaiting is Awaiting.THROW_OFF
        step = playing.throw(match, dice)
        said += [(ruling.seat, ruling.throw, ruling.tied or ruling.why) for ruling in step.rulings]
        match = step.match
    assert said == [
        (0, (4, 3), ""),
        (1, (6, 5), ""),
        (2, (5, 6), ""),
        (3, (2, 2), ""),
        (1, (), (1, 2)),
        (1, (3, 1), ""),
        (2, (5, 2), ""),
        (2, (), "starts"),
    ]
    assert (match.awaiting, match.to_play, match.extra) == (Awaiting.THROW, 2, 0)


def test_a_pass_is_remembered_until_the_pieces_stand_otherwise_or_dice_are_thrown():
    match = playing.throw(at(setting=load_setting("couk"), green=(20, 0, 0, 0)), (5, 5)).match
    assert match.passed is not None
    assert match.passed.thrown == (5, 5)
    brought_out = position(red=(1, 0, 0, 0), green=(20, 0, 0, 0))
    assert playing.see(match, brought_out).rulings[0].reason is Reason.NO_SIX_TO_COME_OUT
    called = playing.see(match, brought_out).match
    assert called.passed is not None
    assert playing.placed(called, brought_out).match.passed is None
    assert playing.throw(match, (6, 1)).match.passed is None
    # The third fault sends all of red to base, and the turn passes.
    faulty = match
    for _ in range(3):
        assert faulty.passed is not None
        faulty = playing.fault(faulty, "dropped").match
    assert (faulty.to_play, faulty.passed) == (1, None)


BARRED = position(red=(0, 0, 10, 57), blue=(14, 14, 0, 0))
"""Blue's blob stands on red's doorstep, and one red piece elsewhere."""


@pytest.mark.parametrize(
    ("red", "reason", "hold"),
    [
        ((0, 1, 10, 57), Reason.ONTO_BLOB, None),
        ((1, 1, 10, 57), Reason.ONTO_BLOB, None),
        ((0, 0, 12, 57), Reason.CANNOT_MOVE_NOW, Hold.SNAKE_EYES),
        ((0, 0, 13, 57), Reason.WRONG_COUNT, None),
    ],
)
def test_barred_snake_eyes_are_remembered_as_a_pass_with_what_bars_them(red, reason, hold):
    match = begin(load_setting("wiki"), to_play="red", position=BARRED)
    step = playing.throw(match, (1, 1))
    assert offered(step.match.passed).rulings[0] == step.rulings[0]
    (ruling,) = playing.see(step.match, (red, *BARRED[1:])).rulings
    assert (ruling.kind, ruling.reason, ruling.cause.hold) == (Kind.TIMBER_SHIFT, reason, hold)
    assert ruling.throw == (1, 1)
    assert ruling.cause.blobs == ((((3, 14), (3, 14)),) if reason is Reason.ONTO_BLOB else ())


def test_a_challenge_that_is_declined_is_remembered_as_a_pass():
    before = position(red=(0, 57, 57, 57), blue=(14, 14, 0, 0))
    match = playing.throw(at(red=before[0], blue=before[3]), (6, 2)).match
    match = playing.call(match, Call("decline")).match
    (ruling,) = playing.see(match, ((3, 57, 57, 57), *before[1:])).rulings
    assert (ruling.kind, ruling.reason, ruling.throw) == (Kind.TIMBER_SHIFT, Reason.ONTO_BLOB, (6, 2))


def test_nothing_changes_in_place():
    match = at(red=(10, 20, 57, 57))
    before = (match.position, match.awaiting, match.plays, match.extra)
    playing.see(playing.throw(match, (6, 2)).match, position(red=(18, 20, 57, 57)))
    assert (match.position, match.awaiting, match.plays, match.extra) == before


def test_an_illegal_board_carries_what_a_sentence_needs():
    match = playing.throw(at(red=(10, 20, 57, 57)), (6, 2)).match
    step = playing.see(match, position(red=(17, 20, 57, 57)))
    assert step.rulings == (
        Ruling(
            Kind.ILLEGAL,
            seat=0,
            position=position(red=(10, 20, 57, 57)),
            reason=Reason.WRONG_COUNT,
            throw=(6, 2),
            moves=(Move(0, 10, 17),),
            owed=1,
            cause=Cause(nearest=(Move(0, 10, 18),)),
        ),
    )


def test_of_two_ways_to_pair_pieces_the_dice_decide():
    match = playing.throw(at(red=(10, 12, 57, 57)), (6, 2)).match
    # 10 to 18 and 12 to 13, or 10 to 13 and 12 to 18: the second uses the six.
    (ruling,) = playing.see(match, position(red=(13, 18, 57, 57))).rulings
    assert ruling.moves == (Move(0, 10, 13), Move(0, 12, 18))


def test_a_board_is_ruled_once_until_it_changes():
    match = playing.throw(at(red=(10, 57, 57, 57)), (5, 2)).match
    wrong = position(red=(18, 57, 57, 57))
    step = playing.see(match, wrong)
    assert kinds(step) == ["illegal"]
    assert playing.see(step.match, wrong).rulings == ()
    right = playing.see(step.match, match.position)
    assert kinds(right) == ["put_right"]
    assert playing.see(right.match, match.position).rulings == ()


def test_what_stood_and_what_follows_are_two_rulings():
    match = playing.throw(at(red=(10, 57, 57, 57)), (5, 2)).match
    wrong = position(red=(18, 57, 57, 57))
    step = playing.throw(playing.see(match, wrong).match, (3, 1))
    assert [(str(r.kind), r.seat, r.position) for r in step.rulings] == [
        ("stood", 0, wrong),
        ("pass", 1, wrong),
    ]
    assert step.match.to_play == 2


def test_a_challenge_from_call_to_capture():
    # Square 15: red's blob on 16, blue directly behind on 28.
    match = playing.throw(at("blue", red=(16, 16, 0, 0), blue=(28, 10, 57, 57)), (6, 3)).match
    assert match.challengers == ((3, 28),)
    opened = playing.call(match, Call("challenge", 3, 28))
    assert (kinds(opened), opened.rulings[0].wanted) == (["challenge"], 2)
    second = playing.throw(opened.match, (6, 1))
    assert (kinds(second), second.rulings[0].wanted) == (["challenge_throw"], 1)
    won = playing.throw(second.match, (6, 2))
    assert kinds(won) == ["challenge_won"]
    assert won.rulings[0].moves == (Move(0, 16, 0), Move(0, 16, 0), Move(3, 28, 29))
    assert (won.match.to_play, won.match.awaiting, won.match.extra) == (0, Awaiting.THROW, 0)


def test_a_challenge_needs_no_piece_named_where_one_alone_can():
    match = playing.throw(at("blue", red=(16, 16, 0, 0), blue=(28, 10, 57, 57)), (6, 3)).match
    assert kinds(playing.call(match, Call("challenge"))) == ["challenge"]


def test_a_refused_call_says_why_and_changes_nothing():
    match = playing.throw(at("blue", red=(16, 16, 0, 0), blue=(28, 10, 57, 57)), (5, 3)).match
    step = playing.call(match, Call("challenge", 3, 28))
    assert (kinds(step), step.match) == (["call_refused"], match)
    assert "six" in step.rulings[0].why


def test_a_board_called_illegal_and_then_trusted_stands_at_once():
    wrong = position(red=(19, 57, 57, 57))
    match = playing.see(playing.throw(at(red=(10, 57, 57, 57)), (5, 2)).match, wrong).match
    step = playing.placed(match, wrong)
    assert kinds(step) == ["stood"]
    assert (step.match.position, step.match.to_play, step.match.wrong_board) == (wrong, 1, None)


def test_a_corrected_record_offers_the_throw_anew():
    match = playing.throw(at(red=(10, 57, 57, 57)), (5, 2)).match
    step = playing.placed(match, position(red=(20, 57, 57, 57)))
    assert step.rulings == ()
    assert step.match.plays == (position(red=(27, 57, 57, 57)),)
    assert (step.match.awaiting, step.match.to_play) == (Awaiting.PLAY, 0)


@pytest.mark.parametrize("thrown", [(), (5, 2)], ids=["before the throw", "in place of a play"])
def test_a_record_that_is_corrected_may_be_of_a_match_that_somebody_has_won(thrown):
    match = at("green", red=(56, 57, 57, 57), green=(10, 10, 0, 0), yellow=(57, 57, 57, 57))
    match = playing.throw(match, thrown).match if thrown else match
    won = position(red=(57, 57, 57, 57), green=(10, 10, 0, 0), yellow=(57, 57, 57, 57))
    step = playing.placed(match, won)
    assert kinds(step) == ["won"]
    assert (step.match.awaiting, step.match.winner) == (Awaiting.OVER, (0, 2))
    step = playing.placed(playing.see(match, won).match, won)
    assert kinds(step)[-1] == "won"
    assert (step.match.awaiting, step.match.winner) == (Awaiting.OVER, (0, 2))


def test_a_legal_board_that_is_trusted_is_the_play():
    match = playing.throw(at(red=(10, 57, 57, 57)), (5, 2)).match
    assert kinds(playing.placed(match, position(red=(17, 57, 57, 57)))) == ["legal"]
    assert playing.placed(match, match.position).rulings == ()


def test_snake_eyes_again_with_nobody_left_on_the_doorstep_are_an_ordinary_throw():
    match = playing.throw(begin(load_setting("wiki"), to_play="red"), (1, 1)).match
    for _ in range(3):
        match = playing.throw(match, (5, 4)).match
    step = playing.throw(playing.placed(match, position(red=(9, 5, 5, 5))).match, (1, 1))
    assert step.rulings == ()
    assert (step.match.awaiting, step.match.position) == (Awaiting.PLAY, position(red=(9, 5, 5, 5)))


def test_after_the_end_nothing_is_ruled():
    match = playing.throw(at("yellow", red=(57,) * 4, yellow=(57, 57, 57, 54)), (2, 1)).match
    over = playing.see(match, position(red=(57,) * 4, yellow=(57,) * 4)).match
    assert (over.awaiting, over.winner, over.honours) == (Awaiting.OVER, (0, 2), ("in_harbour",))
    assert (
        playing.throw(over, (6, 6)).rulings
        == playing.see(over, position()).rulings
        == playing.fault(over, "cocked").rulings
        == ()
    )


@pytest.mark.parametrize("dice", [(), (6,), (0, 3), (7, 3), (True, 3), (1, 2, 3)])
def test_impossible_dice_are_refused(dice):
    with pytest.raises(RulesError, match="is no throw"):
        playing.throw(at(red=(10, 57, 57, 57)), dice)


def test_impossible_calls_and_faults_are_refused():
    with pytest.raises(RulesError, match="no call 'bingo'"):
        playing.call(at(), Call("bingo"))
    with pytest.raises(RulesError, match="not 'lost'"):
        playing.fault(at(), "lost")
    with pytest.raises(RulesError, match="called by its first seat"):
        at("yellow", load_setting("br4006", players=2))


SETTINGS = [
    *((rules, {}, None) for rules in known_rules()),
    ("br4006", {"var_a": True, "var_c": True, "var_d": True}, None),
    ("br4006", {"var_g": True, "var_e": True, "var_f": True}, None),
    ("br4006", {"arms": 6}, None),
    ("couk", {"arm_length": 8}, 2),
    ("wiki", {"blob_backward_on_double": True}, 2),
    ("couk", {"two_player_turns": "per_colour"}, 2),
    ("oldwiki", {"superblob_allowed": False}, None),
    ("wafu", {"doorstep_position": "arm_end"}, 2),
    pytest.param("couk", HOUSE_RULES, None, id="house rules"),
]


def play_out(setting, rng):
    """A match played at random, with challenges, faults and boards that stand; the last state."""
    match = begin(setting)
    pieces = 4 * setting.board.arms
    for _ in range(20_000):
        if match.awaiting is Awaiting.OVER:
            return match
        if match.awaiting is Awaiting.PLAY and match.challengers and rng.random() < 0.5:
            seat, steps = rng.choice(match.challengers)
            step = playing.call(match, Call("challenge", seat, steps))
        elif match.awaiting is Awaiting.PLAY and match.plays:
            step = playing.see(match, rng.choice(match.plays))
        elif match.awaiting is Awaiting.PLAY and match.must_challenge:
            step = playing.call(match, Call("challenge", *match.challengers[0]))
        elif rng.random() < 0.02:
            step = playing.fault(match, rng.choice(("cocked", "dropped")))
        else:
            step = playing.throw(match, [rng.randint(1, 6) for _ in range(min(match.dice_wanted))])
        match = step.match
        assert sum(len(four) for four in match.position) == pieces
        assert all(ruling.kind is not Kind.ILLEGAL for ruling in step.rulings)
    raise AssertionError(f"no end in sight: {match.position}")


@pytest.mark.parametrize(("rules", "options", "players"), SETTINGS, ids=str)
def test_a_random_match_comes_to_an_end(rules, options, players):
    setting = load_setting(rules, options, players=players)
    match = play_out(setting, Random(11))
    assert match.winner
    assert all(setting.is_home(match.position, seat) for seat in match.winner)


def test_the_same_throws_and_choices_give_the_same_match():
    assert play_out(BR, Random(5)) == play_out(BR, Random(5))

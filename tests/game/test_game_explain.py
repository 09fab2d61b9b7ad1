"""Why a board is illegal: each reason by hand, which comes first, and facts that are true of any board."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from uckers_table.announce.in_full import in_full
from uckers_table.announce.sentences import say
from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.explain import open_to
from uckers_table.game.match import begin
from uckers_table.game.moved import differences
from uckers_table.game.position import position_from
from uckers_table.game.rules import known_rules
from uckers_table.game.ruling import Cause, Hold, Kind, Move, Reason, Slip
from uckers_table.game.setting import load_setting
from uckers_table.game.ways import EXIT_DICE

BR = load_setting("br4006")
RED, GREEN, YELLOW, BLUE = range(4)


def thrown(dice, to_play="red", setting=BR, stacks=None, helping=(), **pieces):
    """A match after a throw; colours left out are in base."""
    match = begin(
        setting,
        to_play=to_play,
        position=position_from(setting.board, pieces),
        turns_taken=1,
        stacks=stacks,
        helping=helping,
    )
    return playing.throw(match, dice).match


def judged(match, **board):
    """The one ruling on a board; colours left out have not moved."""
    (ruling,) = playing.see(match, position_from(match.board, board, match.position)).rulings
    assert ruling.kind is Kind.ILLEGAL
    return ruling


# Track square 12 is red's step 13 and blue's 26; 14 is 15 and 28; 16 is 17 and 30.


def test_one_die_played_though_both_can_be():
    ruling = judged(thrown((6, 2), red=(10, 20, 57, 57)), red=(16, 20, 57, 57))
    assert (ruling.reason, ruling.moves) == (Reason.BOTH_DICE_OWED, (Move(RED, 10, 16),))
    assert ruling.cause == Cause(die=2, nearest=(Move(RED, 10, 16), Move(RED, 20, 22)))


def test_the_die_left_is_one_that_can_still_be_played():
    # Five with the other piece, and the six can go nowhere: both were to be played in another way.
    ruling = judged(thrown((6, 5), red=(47, 52, 55, 55)), red=(52, 52, 55, 55))
    assert (ruling.reason, ruling.cause.die) == (Reason.BOTH_DICE_OWED, None)


@pytest.mark.parametrize(
    ("red", "after", "blue", "sent"),
    [
        # Six squares on, where a blue piece still stands.
        ((10, 20, 57, 57), (16, 20, 57, 57), (29, 40, 0, 0), ()),
        # The same out of base.
        ((0, 20, 57, 57), (1, 20, 57, 57), (14, 40, 0, 0), ()),
        # Blue's piece is in base already from where the two would land.
        ((10, 20, 57, 57), (16, 20, 57, 57), (35, 40, 0, 0), ((BLUE, 35),)),
    ],
)
def test_one_die_played_while_what_the_play_knocks_off_stands_or_has_gone(red, after, blue, sent):
    board = {"red": after, "blue": tuple(0 if (BLUE, steps) in sent else steps for steps in blue)}
    ruling = judged(thrown((6, 2), red=red, blue=blue), **board)
    (start,), (end,) = ({*red} - {*after}), ({*after} - {*red})
    assert (ruling.reason, ruling.cause.die) == (Reason.BOTH_DICE_OWED, 2)
    assert ruling.moves == (Move(RED, start, end), *(Move(BLUE, steps, 0) for _, steps in sent))


def test_the_lower_die_played_though_the_higher_can_be():
    match = thrown((5, 2), red=(10, 57, 57, 57), blue=(30, 30, 0, 0))
    ruling = judged(match, red=(12, 57, 57, 57))
    assert ruling.reason is Reason.HIGHER_DIE_FIRST
    assert ruling.cause == Cause(die=5, nearest=(Move(RED, 10, 15),), is_only=True)


def test_out_of_base_without_a_six():
    ruling = judged(thrown((5, 2), red=(0, 10, 57, 57)), red=(1, 12, 57, 57))
    assert (ruling.reason, ruling.moves) == (
        Reason.NO_SIX_TO_COME_OUT,
        (Move(RED, 0, 1), Move(RED, 10, 12)),
    )
    assert ruling.cause == Cause(nearest=(Move(RED, 10, 17),), is_only=True)


def test_through_a_blob():
    match = thrown((5, 4), red=(10, 30, 57, 57), blue=(26, 26, 0, 0))
    ruling = judged(match, red=(19, 30, 57, 57))
    assert (ruling.reason, ruling.moves) == (Reason.THROUGH_BLOB, (Move(RED, 10, 19),))
    blob = ((BLUE, 26), (BLUE, 26))
    assert ruling.cause == Cause(blobs=(blob,), by=((RED, 10),), nearest=(Move(RED, 30, 39),), is_only=True)


@pytest.mark.parametrize("blue", [(0, 0, 28, 28), (0, 0, 0, 0)])
def test_onto_a_blob_whether_it_was_sent_back_or_not(blue):
    match = thrown((5, 4), red=(10, 30, 57, 57), blue=(28, 28, 0, 0))
    ruling = judged(match, red=(15, 34, 57, 57), blue=blue)
    assert ruling.reason is Reason.ONTO_BLOB
    assert ruling.cause == Cause(
        blobs=(((BLUE, 28), (BLUE, 28)),),
        by=((RED, 10),),
        nearest=(Move(RED, 10, 14), Move(RED, 30, 35)),
    )


def test_a_blob_rightly_taken_and_left_standing():
    # SUB b1: a pair takes a pair five squares on with double five.
    match = thrown((5, 5), setting=load_setting("submariners"), red=(10, 10, 0, 0), blue=(28, 28, 0, 0))
    ruling = judged(match, red=(15, 15, 0, 0))
    assert ruling.reason is Reason.ONTO_BLOB
    assert ruling.cause.pieces == ((BLUE, 28), (BLUE, 28))


def test_home_on_more_than_it_takes():
    ruling = judged(thrown((5, 4), red=(20, 55, 57, 57)), red=(24, 57, 57, 57))
    assert (ruling.reason, ruling.cause.pieces) == (Reason.PAST_HOME, ((RED, 55),))
    assert ruling.cause.nearest == (Move(RED, 20, 29),)


def test_a_piece_landed_on_that_still_stands():
    ruling = judged(thrown((5, 2), red=(10, 57, 57, 57), blue=(30, 0, 0, 0)), red=(17, 57, 57, 57))
    assert (ruling.reason, ruling.moves) == (Reason.NOT_SENT_BACK, (Move(RED, 10, 17),))
    assert ruling.cause == Cause(((BLUE, 30),), nearest=(Move(RED, 10, 17), Move(BLUE, 30, 0)), is_only=True)


def test_a_piece_taken_half_way():
    match = thrown((3, 4), red=(10, 57, 57, 57), blue=(26, 0, 0, 0))
    ruling = judged(match, red=(17, 57, 57, 57), blue=(0, 0, 0, 0))
    assert (ruling.reason, ruling.cause.pieces) == (Reason.SINGLE_PIECE_SPLITS, ((BLUE, 26),))
    assert ruling.moves == (Move(RED, 10, 17), Move(BLUE, 26, 0))


def test_a_piece_in_base_that_nobody_landed_on():
    match = thrown((5, 2), red=(10, 57, 57, 57), blue=(30, 40, 0, 0))
    ruling = judged(match, red=(17, 57, 57, 57), blue=(0, 0, 0, 0))
    assert (ruling.reason, ruling.cause.pieces) == (Reason.SENT_BACK_UNEARNED, ((BLUE, 40),))


@pytest.mark.parametrize(
    ("red", "yellow", "moves"),
    [
        ((10, 20, 57, 57), 12, (Move(YELLOW, 5, 12),)),
        ((10, 20, 57, 57), 14, (Move(YELLOW, 5, 14),)),  # by a wrong count
        ((15, 20, 57, 57), 7, (Move(RED, 10, 15), Move(YELLOW, 5, 7))),
    ],
)
def test_the_partners_piece(red, yellow, moves):
    match = thrown((5, 2), red=(10, 20, 57, 57), yellow=(5, 0, 0, 0))
    ruling = judged(match, red=red, yellow=(yellow, 0, 0, 0))
    assert (ruling.reason, ruling.cause.pieces, ruling.moves) == (
        Reason.NOT_YOUR_PIECE,
        ((YELLOW, 5),),
        moves,
    )


def test_a_piece_that_lies_under_another():
    # Track square 9 is red's step 10 and yellow's 36.
    match = thrown(
        (5, 2),
        setting=load_setting("wafu"),
        stacks={"9": ["red", "yellow"]},
        red=(10, 20, 57, 57),
        yellow=(36, 0, 0, 0),
    )
    ruling = judged(match, red=(17, 20, 57, 57))
    assert ruling.reason is Reason.CANNOT_MOVE_NOW
    assert ruling.cause == Cause(
        ((RED, 10),), hold=Hold.UNDER_ANOTHER, nearest=(Move(RED, 20, 27),), is_only=True
    )


def test_a_piece_in_the_partners_chute():
    setting = load_setting("wiki")
    match = thrown((4, 2), setting=setting, helping=["red"], red=(57,) * 4, yellow=(53, 20, 0, 57))
    ruling = judged(match, yellow=(57, 22, 0, 57))
    assert (ruling.reason, ruling.cause.hold, ruling.cause.pieces) == (
        Reason.CANNOT_MOVE_NOW,
        Hold.PARTNERS_CHUTE,
        ((YELLOW, 53),),
    )


def test_a_piece_of_three_on_a_square():
    setting = load_setting("br4006", {"superblob_mobility": "frozen"})
    ruling = judged(thrown((5, 2), setting=setting, red=(10, 10, 10, 20)), red=(10, 10, 17, 20))
    assert (ruling.reason, ruling.cause.hold, ruling.cause.pieces) == (
        Reason.CANNOT_MOVE_NOW,
        Hold.SUPERBLOB,
        ((RED, 10),),
    )


@pytest.mark.parametrize("green", [(0, 0, 0, 0), (0, 0, 0, 40)])
def test_a_piece_that_goes_on_from_where_it_came_out_and_knocked_somebody_off(green):
    setting = load_setting("br4006", {"capturing_piece_stops": True})
    match = thrown((6, 2), setting=setting, red=(0, 20, 57, 57), green=(0, 0, 0, 40))
    ruling = judged(match, red=(3, 20, 57, 57), green=green)
    assert (ruling.reason, ruling.cause.hold, ruling.cause.pieces) == (
        Reason.CANNOT_MOVE_NOW,
        Hold.CAPTURED,
        ((RED, 0),),
    )


def test_a_forced_challenge():
    setting = load_setting("submariners")
    match = thrown((6, 1), "blue", setting, red=(16, 16, 0, 0), blue=(28, 54, 57, 57))
    ruling = judged(match, blue=(28, 55, 57, 57))
    assert ruling.reason is Reason.CANNOT_MOVE_NOW
    assert ruling.cause == Cause(hold=Hold.CHALLENGE, only_challenge=True)


def test_a_piece_that_must_move_on_after_its_suckbacks():
    setting = load_setting("br4006", {"var_g": True})
    # Blue's step 12 is red's mouth; red's 53 is two squares up its chute, and double five moves it nowhere.
    pieces = position_from(setting.board, {"red": (53, 0, 0, 0), "blue": (12, 30, 57, 57)})
    match = begin(setting, to_play="blue", position=pieces, turns_taken=1)
    for _ in range(2):
        match = playing.call(match, Call("suckback", BLUE, 12, 2)).match
        for dice in ((5, 4), (5, 5), (5, 5), (5, 5)):
            match = playing.throw(match, dice).match
    ruling = judged(playing.throw(match, (5, 2)).match, blue=(12, 37, 57, 57))
    assert (ruling.reason, ruling.cause.hold, ruling.cause.pieces) == (
        Reason.CANNOT_MOVE_NOW,
        Hold.MOVE_ON,
        ((BLUE, 12),),
    )


def test_by_numbers_that_the_dice_do_not_show():
    ruling = judged(thrown((6, 2), red=(10, 20, 57, 57)), red=(10, 27, 57, 57))
    assert (ruling.reason, ruling.moves) == (Reason.WRONG_COUNT, (Move(RED, 20, 27),))
    assert ruling.cause == Cause(nearest=(Move(RED, 20, 28),))


@pytest.mark.parametrize(
    ("dice", "red", "slip"),
    [
        # By the three, by the six, and by both, with the doorstep counted as one.
        *(((6, 3), (steps, 0, 0, 0), Slip.DOORSTEP_COUNTED) for steps in (3, 6, 9)),
        ((5, 6), (5, 0, 0, 0), Slip.DOORSTEP_COUNTED),
        ((6, 6), (12, 0, 0, 0), Slip.DOORSTEP_COUNTED),
        ((6, 4), (6, 0, 0, 0), Slip.DOORSTEP_COUNTED),
        # Out on the six, and on by it; the other die left, or played too.
        ((6, 1), (7, 0, 0, 0), Slip.SIX_TWICE),
        ((2, 6), (7, 0, 0, 0), Slip.SIX_TWICE),
        ((2, 6), (9, 0, 0, 0), Slip.SIX_TWICE),
        # Simply counted wrongly.
        ((6, 3), (5, 0, 0, 0), None),
        ((6, 6), (9, 0, 0, 0), None),
    ],
)
def test_a_piece_that_came_out_on_a_six_and_stands_on_a_wrong_square(dice, red, slip):
    for each in (dice, dice[::-1]):
        ruling = judged(thrown(each), red=red)
        assert (ruling.reason, ruling.cause.slip) == (Reason.WRONG_COUNT, slip)
        assert ruling.moves == (Move(RED, 0, red[0]),)


def test_a_six_used_for_two_pieces():
    ruling = judged(thrown((6, 2), red=(0, 10, 57, 57)), red=(3, 16, 57, 57))
    assert (ruling.reason, ruling.cause.slip) == (Reason.WRONG_COUNT, Slip.SIX_TWICE)


@pytest.mark.parametrize("red", [6, 7])
def test_with_one_die_a_six_brings_out_and_no_farther(red):
    ruling = judged(thrown((6,), setting=load_setting("masters_ludo")), red=(red, 0, 0, 0))
    assert (ruling.reason, ruling.cause.slip) == (Reason.WRONG_COUNT, Slip.SIX_TWICE)


def test_no_slip_where_the_doorstep_is_not_where_a_piece_comes_out():
    # It comes out to step 6, and three on is 9.
    match = thrown((6, 3), setting=load_setting("couk", {"exit_square": "step_6"}))
    ruling = judged(match, red=(3, 0, 0, 0))
    assert (ruling.reason, ruling.cause.slip) == (Reason.WRONG_COUNT, None)


@pytest.mark.parametrize(
    ("dice", "before", "after", "moves"),
    [
        # By the board alone, the piece on the doorstep stands as it stood.
        ((5, 4), (0, 1, 57, 57), (1, 6, 57, 57), (Move(RED, 0, 6),)),
        ((6, 1), (0, 1, 57, 57), (1, 7, 57, 57), (Move(RED, 0, 7),)),
        ((6, 2), (10, 16, 57, 57), (16, 22, 57, 57), (Move(RED, 10, 22),)),
    ],
)
def test_a_piece_that_another_relieved_has_not_moved(dice, before, after, moves):
    # Where nobody may stand three on a square, such a play is listed as two moves.
    for options in ({}, {"superblob_allowed": False}):
        match = thrown(dice, setting=load_setting("br4006", options), red=before)
        assert judged(match, red=after).moves == moves


def test_a_piece_that_turned_at_home_has_not_gone_backwards():
    # Two to home and four back would be right, or one back.
    match = thrown((1, 5), setting=load_setting("br4006", {"var_d": True}), red=(55, 20, 57, 57))
    ruling = judged(match, red=(52, 20, 57, 57))
    assert (ruling.reason, ruling.moves) == (Reason.WRONG_COUNT, (Move(RED, 55, 52),))
    assert judged(match, red=(55, 19, 57, 57)).reason is Reason.UNREACHABLE


def test_out_is_told_whatever_else_was_moved():
    match = thrown((4, 2), red=(0, 10, 57, 57), green=(20, 0, 0, 0), yellow=(5, 0, 0, 0))
    ruling = judged(match, red=(3, 9, 57, 57), green=(0, 0, 0, 0), yellow=(8, 0, 0, 0))
    assert ruling.reason is Reason.NO_SIX_TO_COME_OUT
    assert ruling.moves == (Move(RED, 0, 3), Move(RED, 10, 9), Move(GREEN, 20, 0), Move(YELLOW, 5, 8))


def test_backwards_is_no_way_at_all():
    ruling = judged(thrown((6, 2), red=(10, 20, 57, 57)), red=(4, 20, 57, 57))
    assert (ruling.reason, ruling.moves) == (Reason.UNREACHABLE, (Move(RED, 10, 4),))


@pytest.mark.parametrize(
    ("dice", "before", "after", "reason"),
    [
        # Not a total that went home on too much.
        ((5, 4), {"red": (20, 52, 57, 57)}, {"red": (20, 57, 57, 57)}, Reason.BOTH_DICE_OWED),
        # Not a wrong count of 1 and 2.
        ((5, 2), {"red": (0, 10, 57, 57)}, {"red": (1, 12, 57, 57)}, Reason.NO_SIX_TO_COME_OUT),
        # Not a wrong count of 4 and 2.
        ((5, 4), {"red": (20, 55, 57, 57)}, {"red": (24, 57, 57, 57)}, Reason.PAST_HOME),
        # Not pieces landed on that were not sent back.
        (
            (5, 4),
            {"red": (10, 30, 57, 57), "blue": (0, 0, 28, 28)},
            {"red": (15, 34, 57, 57)},
            Reason.ONTO_BLOB,
        ),
        # Not a piece in base that nobody landed on.
        (
            (3, 4),
            {"red": (10, 57, 57, 57), "blue": (0, 0, 0, 26)},
            {"red": (17, 57, 57, 57), "blue": (0, 0, 0, 0)},
            Reason.SINGLE_PIECE_SPLITS,
        ),
        # Nothing explains both faults: what is wrong with the thrower's own move is told.
        (
            (5, 2),
            {"red": (10, 40, 57, 57), "blue": (0, 26, 26, 30)},
            {"red": (17, 40, 57, 57)},
            Reason.THROUGH_BLOB,
        ),
        (
            (4, 2),
            {"red": (10, 57, 57, 57), "green": (0, 2, 2, 20)},
            {"red": (16, 57, 57, 57), "green": (0, 0, 2, 2)},
            Reason.THROUGH_BLOB,
        ),
        (
            (6, 2),
            {"red": (10, 20, 57, 57), "green": (0, 0, 0, 20)},
            {"red": (16, 20, 57, 57), "green": (0, 0, 0, 0)},
            Reason.BOTH_DICE_OWED,
        ),
        # One landed on still stands, and another is in base.
        (
            (5, 2),
            {"red": (10, 57, 57, 57), "green": (0, 0, 4, 20)},
            {"red": (17, 57, 57, 57), "green": (0, 0, 0, 4)},
            Reason.NOT_SENT_BACK,
        ),
    ],
)
def test_of_several_reasons_the_first_that_alone_explains_the_board(dice, before, after, reason):
    assert judged(thrown(dice, **before), **after).reason is reason


@pytest.mark.parametrize(
    ("before", "after", "dice", "moves"),
    [
        # Out on the six and on by three, not out to the doorstep and eight on.
        ((0, 10, 57, 57), (4, 18, 57, 57), (6, 3), ((0, 4), (10, 18))),
        ((0, 20, 57, 57), (1, 24, 57, 57), (6, 4), ((0, 1), (20, 24))),
        # Nobody overtakes where the dice leave it open.
        ((10, 12, 57, 57), (20, 22, 57, 57), (1, 1), ((10, 20), (12, 22))),
        # Back by what was thrown, not one of them on by six and the other back by fifteen.
        ((20, 30, 57, 57), (15, 26, 57, 57), (5, 4), ((20, 15), (30, 26))),
        # A piece in base was sent there: the other one moved.
        ((10, 20, 57, 57), (0, 25, 57, 57), (5, 4), ((10, 0), (20, 25))),
        # From its corner the doorstep is one on.
        ((-1, 20, 57, 57), (5, 26, 57, 57), (5, 6), ((-1, 5), (20, 26))),
        # Home and up the chute.
        ((45, 50, 55, 57), (53, 54, 57, 57), (4, 2), ((45, 53), (50, 54), (55, 57))),
    ],
)
def test_what_was_moved_fits_the_dice(before, after, dice, moves):
    others = ((0, 0, 0, 0),) * 3
    assert differences((before, *others), (tuple(sorted(after)), *others), dice) == tuple(
        Move(RED, start, end) for start, end in moves
    )


# ---------------------------------------------------------------------- any board

SETTINGS = [
    *(load_setting(rules) for rules in known_rules()),
    load_setting("br4006", {"var_a": True, "var_c": True, "var_d": True}),
    load_setting("wiki", {"blob_backward_on_double": True}),
    load_setting("oldwiki", {"superblob_mobility": "frozen"}),
    load_setting("couk", {"arm_length": 8}, players=2),
    load_setting("br4006", {"arms": 6}),
    load_setting("couk", {"both_dice_forced": False, "lower_die_fallback": False}),
    load_setting("br4006", {"exit_throw": "1_or_6"}),
    load_setting("couk", {"exit_square": "step_6"}),
    load_setting("couk", {"superblob_allowed": False}),
]


@st.composite
def wrong_boards(draw, is_passed=False):
    """A match in which a play is due, or whose throw is passed, and a board near to where it stands or to a
    legal play.
    """
    setting = draw(st.sampled_from(SETTINGS))
    board = setting.board
    late = [*board.chute, board.home]
    likely = st.sampled_from([BASE] * 4 + (late if is_passed else [1, *range(4, 20), board.mouth, *late]))
    four = st.tuples(likely, likely, st.booleans(), likely, likely).map(
        lambda p: tuple(sorted((p[0], p[0] if p[2] else p[1], p[3], p[4])))
    )
    position = draw(st.tuples(*[four] * board.arms))
    assume(not any(setting.is_home(position, seat) for seat in range(board.arms)))
    assume(not _share_squares(setting, position))
    side = draw(st.sampled_from(setting.sides))
    match = begin(setting, to_play=board.seats[side], position=position, turns_taken=1)
    dice = draw(st.lists(st.integers(1, 6), min_size=2, max_size=2))[: setting.rules.dice_per_throw]
    match = playing.throw(match, dice).match
    assume(match.passed is not None if is_passed else match.awaiting is Awaiting.PLAY)
    shown = [list(four) for four in draw(st.sampled_from([match.position, *match.plays[:8]]))]
    for _ in range(draw(st.integers(1, 2))):
        seat = draw(st.sampled_from([*match.movers * 3, *range(board.arms)]))
        piece = draw(st.integers(0, 3))
        start = shown[seat][piece]
        distance = draw(st.sampled_from([*dice * 2, sum(dice), 1, 3, -2]))
        end = (
            min(max(start + distance, BASE), board.home)
            if start
            else draw(st.sampled_from([1, 1 + dice[0], sum(dice), 7]))
        )
        shown[seat][piece] = end
        if draw(st.booleans()):
            square = board.square(seat, end)
            for enemy in setting.enemies[seat]:
                taken = [
                    BASE if square is not None and board.square(enemy, s) == square else s
                    for s in shown[enemy]
                ]
                shown[enemy] = taken
    return match, tuple(tuple(sorted(four)) for four in shown)


def _share_squares(setting, position):
    """Whether enemies stand on one square, which only safe squares allow."""
    on = {}
    for seat, pieces in enumerate(position):
        for steps in pieces:
            on.setdefault(setting.board.square(seat, steps), set()).add(seat)
    on.pop(None, None)
    return any(other in setting.enemies[seat] for seats in on.values() for seat in seats for other in seats)


def made(position, moves):
    """The position after the moves; every one begins where a piece stands."""
    pieces = [list(four) for four in position]
    for move in moves:
        pieces[move.seat].remove(move.start)
        pieces[move.seat].append(move.end)
    return tuple(tuple(sorted(four)) for four in pieces)


@settings(max_examples=200, derandomize=True)
@given(wrong_boards())
def test_what_is_told_of_an_illegal_board_is_true(case):
    match, seen = case
    rulings = playing.see(match, seen).rulings
    assume(rulings and rulings[0].kind is Kind.ILLEGAL)
    ruling, board, setting = rulings[0], match.board, match.setting
    cause, own = ruling.cause, [move for move in ruling.moves if move.end != BASE]

    assert made(match.position, ruling.moves) == seen
    assert_the_fewest(ruling.moves)
    for seat, steps in cause.pieces:
        assert steps in match.position[seat]
    if cause.die is not None:
        assert cause.die in match.thrown

    for blob in cause.blobs:
        (square,) = {board.square(*piece) for piece in blob}
        assert square is not None
        assert len(blob) >= 2
        for seat, count in Counter(seat for seat, _ in blob).items():
            assert seat not in match.movers
            assert match.position[seat].count(board.steps_on(seat, square)) == count
        if ruling.reason is Reason.ONTO_BLOB:
            assert any(board.square(move.seat, s) == square for move in own for s in (move.end, 1))
    if ruling.reason is Reason.THROUGH_BLOB and setting.rules.home_exact == "exact":
        assert cause.blobs
        for blob in cause.blobs:
            (square,) = {board.square(*piece) for piece in blob}
            assert any(
                board.square(move.seat, s) == square
                for move in own
                for s in range(min(move.start, move.end) + 1, max(move.start, move.end))
            )
    if ruling.reason is Reason.PAST_HOME:
        for _, steps in cause.pieces:
            assert board.home - steps < sum(match.thrown)
    if ruling.reason in (Reason.NOT_SENT_BACK, Reason.SENT_BACK_UNEARNED, Reason.SINGLE_PIECE_SPLITS):
        assert cause.pieces
        for seat, steps in cause.pieces:
            assert seat not in match.movers
            lost = Counter(match.position[seat])[steps] - Counter(seen[seat])[steps]
            assert (lost > 0) == (ruling.reason is not Reason.NOT_SENT_BACK)
    if ruling.reason is Reason.NOT_YOUR_PIECE:
        assert {seat for seat, _ in cause.pieces} <= set(setting.teams[match.to_play]) - set(match.movers)


@settings(max_examples=100, derandomize=True)
@given(wrong_boards())
def test_no_legal_play_is_closer_than_the_nearest(case):
    match, seen = case
    rulings = playing.see(match, seen).rulings
    assume(rulings and rulings[0].kind is Kind.ILLEGAL)
    cause = rulings[0].cause
    assert cause.only_challenge == (not match.plays)
    assert cause.is_only == (len(match.plays) == 1)
    if match.plays and match.plays != (match.position,):
        closest = made(match.position, cause.nearest)
        assert closest in match.plays
        assert elsewhere(seen, closest) == min(elsewhere(seen, play) for play in match.plays)
    else:
        assert cause.nearest == ()


def elsewhere(seen, play):
    """How many pieces stand elsewhere."""
    return sum((Counter(here) - Counter(there)).total() for here, there in zip(seen, play, strict=True))


def assert_the_fewest(moves):
    """No piece is said to have come to where another of its colour is said to have left."""
    for seat in {move.seat for move in moves}:
        own = [move for move in moves if move.seat == seat]
        assert not {move.start for move in own} & {move.end for move in own}


@settings(max_examples=150, derandomize=True)
@given(wrong_boards())
def test_more_out_of_base_than_sixes_is_the_reason_whatever_else_is_wrong(case):
    match, seen = case
    rulings = playing.see(match, seen).rulings
    assume(rulings and rulings[0].kind is Kind.ILLEGAL)
    exits = sum(die in EXIT_DICE[match.rules.exit_throw] for die in match.thrown)
    came_out = sum(max(match.position[seat].count(BASE) - seen[seat].count(BASE), 0) for seat in match.movers)
    if came_out > exits:
        assert rulings[0].reason is Reason.NO_SIX_TO_COME_OUT
    elif came_out == len([move for move in rulings[0].moves if move.end != BASE]) == 1:
        assert rulings[0].reason is not Reason.NO_SIX_TO_COME_OUT


# ---------------------------------------------------------------------- whoever plays, however the dice lie


def as_told(ruling, turned, arms):
    """A ruling, but for its order, as it would be with the seats turned back by so many."""

    def seat_of(seat):
        return (seat - turned) % arms

    def pieces(of):
        return sorted((seat_of(seat), steps) for seat, steps in of)

    def moves(of):
        return [(seat_of(move.seat), move.start, move.end) for move in of]

    cause = ruling.cause or Cause()
    return (
        (ruling.kind, ruling.reason, seat_of(ruling.seat), moves(ruling.moves)),
        (pieces(cause.pieces), sorted(map(pieces, cause.blobs)), cause.die, cause.hold, cause.slip),
        (moves(cause.nearest), cause.is_only, cause.only_challenge),
    )


def seen_again(match, seen, dice, turned, order):
    """What is ruled with the seats turned by so many, and each colour's pieces given in another order."""
    board = match.board
    throw = match.passed or match
    seats = [board.seats[(seat + turned) % board.arms] for seat in range(board.arms)]

    def turn(position):
        given = {colour: [four[at] for at in order] for colour, four in zip(seats, position, strict=True)}
        return position_from(board, given)

    again = begin(match.setting, to_play=seats[throw.to_play], position=turn(match.position), turns_taken=1)
    return playing.see(playing.throw(again, dice).match, turn(seen)).rulings


@settings(max_examples=250, derandomize=True)
@given(
    st.one_of(wrong_boards(), wrong_boards(is_passed=True)),
    st.integers(0, 5),
    st.permutations(range(4)),
    st.booleans(),
)
def test_what_is_told_depends_on_no_order_of_dice_seats_or_pieces(case, turned, order, is_swapped):
    match, seen = case
    arms = match.board.arms
    sides = {match.to_play, (match.passed or match).to_play}
    # Of one player's two colours, the first stays the first.
    turned = turned % 2 * (sides == {0}) if match.setting.combined else turned % arms
    rulings = playing.see(match, seen).rulings
    assume(rulings and rulings[0].kind in (Kind.ILLEGAL, Kind.TIMBER_SHIFT))
    dice = match.thrown[::-1] if is_swapped else match.thrown
    (again,) = seen_again(match, seen, dice, turned, order)
    assert as_told(again, turned, arms) == as_told(rulings[0], 0, arms)
    # And so are the words, with each colour called as the one whose place it has taken.
    called = replace(match.board, seats=tuple(match.board.seats[seat - turned] for seat in range(arms)))
    assert say(again, called) == say(rulings[0], match.board)
    assert in_full(again, called) == in_full(rulings[0], match.board)


@pytest.mark.parametrize("turned", range(4))
def test_of_plays_equally_near_the_same_is_told_whoever_plays(turned):
    # Either of two pieces goes three on and takes an enemy, another neighbour's each. Both were moved.
    match = thrown((2, 1), red=(10, 30, 57, 57), green=(20, 0, 0, 0), blue=(26, 0, 0, 0))
    seen = position_from(BR.board, {"red": (13, 33, 57, 57)})
    (ruling,) = seen_again(match, seen, (2, 1), turned, range(4))
    assert ruling.reason is Reason.WRONG_COUNT
    assert as_told(ruling, turned, 4)[2][0] == [(RED, 30, 33), (GREEN, 20, 0)]


@pytest.fixture
def just_won():
    """Red's piece behind green's blob has won its challenge, and nobody has moved what that moves."""
    match = thrown((6, 2), red=(15, 57, 57, 57), green=(0, 0, 3, 3), blue=(0, 0, 0, 5))
    match = playing.call(match, Call("challenge")).match
    return playing.throw(match, (6, 6)).match


@pytest.mark.parametrize("moved_already", [{}, {"red": (16, 57, 57, 57)}, {"green": (0, 0, 0, 3)}])
def test_what_still_stands_where_a_ruling_took_it_from_has_not_moved(just_won, moved_already):
    board = position_from(BR.board, {"blue": (0, 0, 0, 8), **moved_already}, just_won.behind)
    (ruling,) = playing.see(just_won, board).rulings
    assert ruling.kind is Kind.TIMBER_SHIFT
    assert ruling.moves == (Move(BLUE, 5, 8),)


@pytest.mark.parametrize(
    ("dice", "green", "moves", "reason", "hold"),
    [
        ((6, 1), (0, 0, 3, 4), (Move(GREEN, 0, 4),), Reason.WRONG_COUNT, None),
        ((6, 1), (0, 2, 3, 3), (Move(GREEN, 0, 2),), Reason.CANNOT_MOVE_NOW, Hold.RULING),
    ],
)
def test_what_a_ruling_moves_is_not_told_with_a_play(just_won, dice, green, moves, reason, hold):
    match = playing.throw(just_won, dice).match
    (ruling,) = playing.see(match, position_from(BR.board, {"green": green}, match.behind)).rulings
    assert (ruling.kind, ruling.reason, ruling.moves) == (Kind.ILLEGAL, reason, moves)
    assert ruling.cause.hold is hold


@settings(max_examples=100, derandomize=True)
@given(wrong_boards(is_passed=True))
def test_after_a_pass_the_side_that_passed_is_told_why_not(case):
    match, seen = case
    rulings = playing.see(match, seen).rulings
    assume(rulings)
    ruling, passed = rulings[0], match.passed
    assert ruling.kind is Kind.TIMBER_SHIFT
    assert made(match.position, ruling.moves) == seen
    assert_the_fewest(ruling.moves)
    shifted = {move.seat for move in ruling.moves if move.end != BASE}
    if shifted and shifted <= set(passed.movers):
        assert ruling.reason not in (None, Reason.NOT_YOUR_TURN)
        assert (ruling.throw, ruling.seat in shifted) == (passed.thrown, True)
    elif shifted & set(match.setting.owned[match.to_play]) != shifted:
        assert ruling.reason is not None


@pytest.mark.parametrize(
    ("dice", "board", "piece", "ends"),
    [
        ((6, 2), {"red": (10, 20, 57, 57)}, 10, (12, 16, 18)),
        # Both dice go, so a lone piece goes by both.
        ((6, 2), {"red": (10, 57, 57, 57)}, 10, (18,)),
        ((6, 3), {"red": (0, 10, 57, 57)}, 0, (1, 4)),
        # Green's blob stands on red's step 16, and nobody goes past it.
        ((6, 2), {"red": (10, 20, 57, 57), "green": (3, 3, 0, 0)}, 10, (12,)),
        ((5, 4), {"red": (0, 10, 57, 57)}, 0, ()),
        ((6, 5), {"red": (50, 10, 57, 57)}, 50, (55, 56)),
    ],
)
def test_where_the_dice_take_a_piece(dice, board, piece, ends):
    assert open_to(thrown(dice, **board), {(RED, piece)}) == tuple((RED, end) for end in ends)

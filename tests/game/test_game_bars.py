"""Why a throw is passed: what bars each piece, by hand and for any pass."""

from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.match import begin
from uckers_table.game.position import position_from
from uckers_table.game.ruling import Bar, Hold, Kind, Reason
from uckers_table.game.setting import load_setting

BR = load_setting("br4006")
RED, GREEN, YELLOW, BLUE = range(4)
NO_SIX, THROUGH, ONTO = Reason.NO_SIX_TO_COME_OUT, Reason.THROUGH_BLOB, Reason.ONTO_BLOB
PAST_HOME, HELD = Reason.PAST_HOME, Reason.CANNOT_MOVE_NOW


def passed(dice, setting=BR, stacks=None, helping=(), to_play="red", turns_taken=1, **pieces):
    """The one ruling on a throw that is passed; colours left out are in base."""
    match = begin(
        setting,
        to_play=to_play,
        position=position_from(setting.board, pieces),
        turns_taken=turns_taken,
        stacks=stacks,
        helping=helping,
    )
    (ruling,) = playing.throw(match, dice).rulings
    assert ruling.kind is Kind.PASS
    return ruling


# Green's steps are red's less 13, blue's are red's plus 13 (up to 51).
GREENS = ((GREEN, 9), (GREEN, 9))


@pytest.mark.parametrize(
    ("dice", "pieces", "bars"),
    [
        # One bar for all four, by each die once, the higher first.
        ((3, 5), {}, [Bar((RED, 0), 5, NO_SIX), Bar((RED, 0), 3, NO_SIX)]),
        ((5, 5), {}, [Bar((RED, 0), 5, NO_SIX)]),
        # A blob on red's 22.
        (
            (3, 2),
            {"red": (20, 57, 57, 57), "green": (9, 9, 0, 0)},
            [Bar((RED, 20), 3, THROUGH, GREENS), Bar((RED, 20), 2, ONTO, GREENS)],
        ),
        # Of two blobs, the first in the way: yellow's are partners, blue's stand on red's 24.
        (
            (6, 5),
            {"red": (20, 57, 57, 57), "green": (9, 9, 0, 0), "blue": (37, 37, 0, 0)},
            [Bar((RED, 20), 6, THROUGH, GREENS), Bar((RED, 20), 5, THROUGH, GREENS)],
        ),
        (
            (4, 3),
            {"red": (0, 55, 56, 57)},
            [
                *(Bar((RED, steps), die, why) for steps, why in ((0, NO_SIX),) for die in (4, 3)),
                *(Bar((RED, steps), die, PAST_HOME) for steps in (55, 56) for die in (4, 3)),
            ],
        ),
    ],
)
def test_what_bars_each_piece(dice, pieces, bars):
    for each in (dice, dice[::-1]):
        assert list(passed(each, **pieces).cause.bars) == bars


@pytest.mark.parametrize("options", [{}, {"exit_captures": False}])
def test_a_blob_on_the_doorstep(options):
    # With one die nobody challenges, and no six serves.
    setting = load_setting("masters_ludo", options)
    for die in (6, 5):
        ruling = passed((die,), setting, red=(0, 57, 57, 57), blue=(14, 14, 0, 0))
        assert ruling.cause.bars == (Bar((RED, 0), die, ONTO, ((BLUE, 14), (BLUE, 14))),)


def test_a_six_serves_where_it_lets_challenge_the_blob_on_the_doorstep():
    ruling = passed((5, 4), red=(0, 57, 57, 57), blue=(14, 14, 0, 0))
    assert ruling.cause.bars == (Bar((RED, 0), 5, NO_SIX), Bar((RED, 0), 4, NO_SIX))


def test_a_piece_under_another():
    # Track square 9 is red's step 10 and yellow's 36; the blob stands on red's 12.
    ruling = passed(
        (5, 4),
        load_setting("wafu"),
        stacks={"9": ["red", "yellow"]},
        red=(10, 57, 57, 57),
        yellow=(36, 0, 0, 0),
    )
    assert ruling.cause.bars == tuple(Bar((RED, 10), die, HELD, hold=Hold.UNDER_ANOTHER) for die in (5, 4))


def test_a_piece_in_the_partners_chute():
    ruling = passed((1, 2), load_setting("wiki"), helping=["red"], red=(57,) * 4, yellow=(53, 57, 57, 57))
    assert ruling.cause.bars == tuple(
        Bar((YELLOW, 53), die, HELD, hold=Hold.PARTNERS_CHUTE) for die in (2, 1)
    )


@pytest.mark.parametrize(
    ("options", "dice", "red", "bar"),
    [
        (
            {"superblob_mobility": "frozen"},
            (5, 4),
            (10, 10, 10, 57),
            Bar((RED, 10), 5, HELD, (), Hold.SUPERBLOB),
        ),
        # Nor would the four bring it home.
        (
            {"superblob_mobility": "frozen"},
            (6, 5),
            (53, 53, 53, 57),
            Bar((RED, 53), 5, HELD, (), Hold.SUPERBLOB),
        ),
        ({"lower_die_fallback": False}, (5, 2), (54, 57, 57, 0), Bar((RED, 54), 2, HELD, (), Hold.LOWER_DIE)),
        (
            {"single_piece_total_blocks_exit": True},
            (6, 5),
            (0, 0, 54, 57),
            Bar((RED, 0), 6, HELD, (), Hold.LONE_PIECE),
        ),
        # Nor would a six bring it out.
        (
            {"single_piece_total_blocks_exit": True},
            (5, 4),
            (0, 0, 54, 57),
            Bar((RED, 0), 5, HELD, (), Hold.LONE_PIECE),
        ),
        ({"superblob_allowed": False}, (5, 6), (0, 1, 1, 57), None),
    ],
)
def test_what_holds_a_piece(options, dice, red, bar):
    setting = load_setting("br4006", options)
    if bar is None:
        # A third may not come to the doorstep, and a blob bars those there.
        bar = Bar((RED, 0), 6, HELD, hold=Hold.NO_ROOM)
        ruling = passed(dice, setting, red=red, blue=(16, 16, 0, 0))
    else:
        ruling = passed(dice, setting, red=red)
    assert bar in ruling.cause.bars


def test_an_odd_throw_moves_no_pair():
    # One alone has only the blob to fear, and an even throw is no odd one.
    setting, blob = load_setting("western_ludo"), ((BLUE, 26), (BLUE, 26))
    blues = {"blue": (26, 26, 0, 0)}
    pair = passed((5,), setting, red=(10, 10, 57, 57), **blues)
    assert pair.cause.bars == (Bar((RED, 10), 5, THROUGH, blob, Hold.ODD_PAIR),)
    alone = passed((5,), setting, red=(10, 57, 57, 57), **blues)
    assert alone.cause.bars == (Bar((RED, 10), 5, THROUGH, blob),)
    near_home = passed((5,), setting, red=(54, 54, 57, 57))
    assert near_home.cause.bars == (Bar((RED, 54), 5, PAST_HOME, hold=Hold.ODD_PAIR),)
    even = passed((4,), setting, red=(56, 56, 57, 57))
    assert even.cause.bars == (Bar((RED, 56), 4, PAST_HOME),)


def test_a_piece_that_bounced_is_barred_behind_it():
    # Home from 55 on a four, two back to 55; a blob on the mouth, red's 51 and blue's 12, bars it backwards.
    match = begin(
        load_setting("br4006", {"var_d": True}),
        to_play="red",
        position=position_from(BR.board, {"red": (55, 57, 57, 57), "blue": (12, 12, 0, 0)}),
        turns_taken=1,
    )
    match = playing.throw(match, (6, 3)).match
    (board,) = [play for play in match.plays if play[RED][0] == 53]
    match = playing.see(match, board).match
    ruling = playing.throw(match, (5, 3)).rulings[-1]
    blob = ((BLUE, 12), (BLUE, 12))
    assert ruling.cause.bars == (Bar((RED, 53), 5, THROUGH, blob), Bar((RED, 53), 3, THROUGH, blob))


def test_a_pass_that_no_piece_explains_says_why():
    match = begin(load_setting("western_ludo"), to_play="red")
    for _ in range(2):
        match = playing.throw(match, (6,)).match
        match = playing.see(match, match.plays[0]).match
    (ruling,) = playing.throw(match, (6,)).rulings
    assert (ruling.kind, ruling.cause.bars) == (Kind.PASS, ())
    assert ruling.why == "the third six of a turn is not played"


def test_barred_snake_eyes_say_whose_blob_it_is():
    ruling = passed((1, 1), load_setting("wiki"), turns_taken=0, blue=(14, 14, 0, 0))
    assert ruling.why == "an enemy blob bars the doorstep"
    assert ruling.cause.bars == (Bar((RED, 0), 1, ONTO, ((BLUE, 14), (BLUE, 14))),)


@st.composite
def throws_of_few(draw):
    """A throw with pieces in base, near home, or behind blobs, where most throws are passed."""
    steps = st.sampled_from([BASE, BASE, 10, 20, 53, 54, 55, 56, 57])
    four = st.tuples(steps, steps, steps, steps).map(sorted).map(tuple)
    red = draw(four)
    squares = draw(st.lists(st.sampled_from([1, 12, 14, 22, 24, 51]), max_size=3, unique=True))
    blobs = dict.fromkeys((GREEN, BLUE), (0,) * 4)
    for square in squares:
        seat = draw(st.sampled_from([GREEN, BLUE]))
        behind = BR.board.steps_on(seat, square - 1)
        if behind > 0 and blobs[seat] == (0,) * 4:
            blobs[seat] = (0, 0, behind, behind)
    dice = tuple(draw(st.lists(st.integers(1, 6), min_size=2, max_size=2)))
    return (red, blobs[GREEN], (0,) * 4, blobs[BLUE]), dice


@settings(max_examples=200, derandomize=True)
@given(throws_of_few())
def test_every_piece_is_barred_by_every_die_for_a_reason_that_is_true(case):
    position, dice = case
    assume(position[RED] != (57,) * 4)
    rulings = playing.throw(begin(BR, to_play="red", position=position, turns_taken=1), dice).rulings
    assume(rulings and rulings[0].kind is Kind.PASS)
    bars = rulings[0].cause.bars
    pieces = sorted({(RED, steps) for steps in position[RED]} - {(RED, 57)})
    assert [(bar.piece, bar.die) for bar in bars] == list(product(pieces, sorted(set(dice), reverse=True)))
    blobs = {
        BR.board.square(seat, steps): ((seat, steps),) * 2
        for seat in (GREEN, BLUE)
        for steps in position[seat]
        if steps != BASE
    }
    for (_, steps), die, reason, blob, hold in bars:
        assert hold is None
        ahead = [1] if steps == BASE else list(range(steps + 1, steps + die + 1))
        there = [square for each in ahead if (square := BR.board.square(RED, each)) in blobs]
        if steps == BASE and die != 6:
            assert reason is NO_SIX
        elif steps + die > 57:
            assert reason is PAST_HOME
        else:
            assert blob == blobs[there[0]]
            assert reason is (ONTO if there[0] == BR.board.square(RED, ahead[-1]) else THROUGH)

"""The sentences, held against what a player would say and point at: first of matches, then of any ruling."""

import re
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.ids import begins
from uckers_table.announce.in_full import in_full
from uckers_table.announce.passes import HOLDS
from uckers_table.announce.sentences import say, sentence
from uckers_table.game import playing
from uckers_table.game.board import Board
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import begin
from uckers_table.game.position import all_in_base, position_from
from uckers_table.game.rules import known_rules
from uckers_table.game.ruling import Cause, Hold, Kind, Move, Reason, Ruling
from uckers_table.game.setting import load_setting
from uckers_table.referee.rulings import Misplaced, Notice, NoticeKind
from uckers_table.referee.taking_back import ActKind, Matter

BOARD = Board()
START = all_in_base(BOARD)
RED, GREEN, YELLOW, BLUE = range(4)


def ruling(kind, seat=RED, **facts):
    return Ruling(kind, seat, START, **facts)


def match(rules="br4006", options=None, to_play="red", players=None, turns_taken=1, helping=(), **pieces):
    """A match whose next throw is awaited; colours left out are in base."""
    setting = load_setting(rules, options, players=players)
    position = position_from(setting.board, pieces)
    return begin(setting, to_play=to_play, position=position, turns_taken=turns_taken, helping=helping)


def heard(match, *events):
    """What is said on the last of the events: dice, a call, a fault's name, or where pieces now stand."""
    for event in events:
        match event:
            case tuple():
                step = playing.throw(match, event)
            case Call():
                step = playing.call(match, event)
            case str():
                step = playing.fault(match, event)
            case dict():
                step = playing.see(
                    match, position_from(match.board, event, match.wrong_board or match.position)
                )
        match = step.match
    return " ".join(filter(None, (sentence(each, match.board) for each in step.rulings)))


# Track square 12 is red's step 13 and blue's 26; 14 is 15 and 28; 16 is 17 and 30. Blue's step 12 is red's
# mouth, green's step 51 is red's 12.


@pytest.mark.parametrize(
    ("before", "dice", "after", "expected"),
    [
        (
            match(red=(10, 20, 57, 57)),
            (6, 2),
            {"red": (17, 20, 57, 57)},
            "Illegal. Red moved 7; the dice said 6 and 2.",
        ),
        (
            match("masters_ludo", options={"exit_throw": "1_or_6"}, red=(0, 20, 57, 57)),
            (5,),
            {"red": (1, 20, 57, 57)},
            "Illegal. It takes a six or a one to come out.",
        ),
        (
            match(options={"exit_throw": "1_or_6"}, red=(0, 0, 20, 57)),
            (3, 1),
            {"red": (1, 1, 20, 57)},
            "Illegal. A one brings one piece out.",
        ),
        (
            # The six had to bring one out.
            match("house_ludo", {"exit_optional": "forced"}, red=(0, 10, 57, 57)),
            (6,),
            {"red": (0, 16, 57, 57)},
            "Illegal. A six brings one piece out.",
        ),
        (
            match(options={"exit_optional": "forced"}, red=(0, 0, 20, 57)),
            (6, 6),
            {"red": (0, 1, 26, 57)},
            "Illegal. A six brings one piece out.",
        ),
        (
            # One six has to; the other is still to be played.
            match(options={"exit_optional": "forced"}, red=(0, 20, 57, 57)),
            (6, 6),
            {"red": (0, 26, 57, 57)},
            "Illegal. Red still has a 6 to play.",
        ),
        (
            # Both were put home on too much: that is the rule, and not that one went besides.
            match(red=(54, 55, 57, 57)),
            (4, 3),
            {"red": (57, 57, 57, 57)},
            "Illegal. Red needs exactly 2 for home. Put it two back.",
        ),
        (
            # One die on the own piece, the other on an opponent's: nobody plays 1 with red's.
            match("wiki", to_play="green", green=(13, 18, 40, 0), red=(3, 0, 0, 0)),
            (2, 1),
            {"green": (15, 18, 40, 0), "red": (4, 0, 0, 0)},
            "Illegal. Green and red moved; the dice said 2 and 1.",
        ),
        (
            match(red=(10, 20, 57, 57)),
            (4, 4),
            {"red": (14, 25, 57, 57)},
            "Illegal. Red moved 4 and 5; the dice said double 4.",
        ),
        (
            match("masters_ludo", red=(10, 20, 57, 57)),
            (5,),
            {"red": (10, 24, 57, 57)},
            "Illegal. Red moved 4; the die showed 5.",
        ),
        (
            match(red=(0, 10, 57, 57)),
            (6, 2),
            {"red": (4, 10, 57, 57)},
            "Illegal. Red came out and moved 3; the dice said 6 and 2.",
        ),
        (
            # With two players the side is called red, and yellow's pieces are its own.
            match(players=2, red=(10, 57, 57, 57), yellow=(5, 20, 57, 57)),
            (6, 2),
            {"red": (16, 57, 57, 57), "yellow": (8, 20, 57, 57)},
            "Illegal. Red moved 6 and yellow 3; the dice said 6 and 2.",
        ),
        (
            match(players=2, red=(10, 57, 57, 57), yellow=(0, 20, 57, 57)),
            (5, 2),
            {"red": (15, 57, 57, 57), "yellow": (1, 20, 57, 57)},
            "Illegal. It takes a six to come out.",
        ),
        (
            match(red=(10, 30, 57, 57), blue=(26, 26, 0, 0)),
            (5, 4),
            {"red": (19, 30, 57, 57)},
            "Illegal. Red went through blue's blob.",
        ),
        (
            match(red=(10, 57, 57, 57), blue=(28, 28, 0, 0)),
            (5, 4),
            {"red": (19, 57, 57, 57)},
            "Illegal. Red went through blue's blob.",
        ),
        (
            match(red=(10, 30, 57, 57), blue=(28, 28, 0, 0)),
            (5, 4),
            {"red": (15, 34, 57, 57)},
            "Illegal. Red landed on blue's blob.",
        ),
        (
            match("submariners", red=(10, 10, 0, 0), blue=(28, 28, 0, 0)),
            (5, 5),
            {"red": (15, 15, 0, 0)},
            "Illegal. Red landed on blue's blob; blue goes to base.",
        ),
        (
            match(red=(10, 20, 57, 57)),
            (6, 2),
            {"red": (16, 20, 57, 57)},
            "Illegal. Red still has the 2 to play.",
        ),
        (
            match(red=(10, 57, 57, 57), blue=(30, 30, 0, 0)),
            (5, 2),
            {"red": (12, 57, 57, 57)},
            "Illegal. The 5 must be played.",
        ),
        (
            match(red=(0, 10, 57, 57)),
            (5, 2),
            {"red": (1, 12, 57, 57)},
            "Illegal. It takes a six to come out.",
        ),
        (
            match(red=(0, 10, 57, 57)),
            (6, 2),
            {"red": (1, 16, 57, 57)},
            "Illegal. The six was used twice.",
        ),
        (
            match(red=(20, 55, 57, 57)),
            (5, 4),
            {"red": (24, 57, 57, 57)},
            "Illegal. Red needs exactly 2 for home.",
        ),
        (
            # The 3 brought no piece home: it was used for the other.
            match(red=(20, 54, 57, 57)),
            (4, 3),
            {"red": (23, 57, 57, 57)},
            "Illegal. Red needs another 3 for home.",
        ),
        (
            match(red=(10, 57, 57, 57), blue=(30, 0, 0, 0)),
            (5, 2),
            {"red": (17, 57, 57, 57)},
            "Illegal. Red landed on blue; blue goes to base.",
        ),
        (
            match("masters_ludo", blue=(1, 0, 0, 0), to_play="blue"),
            (3,),
            {"blue": (4, 1, 0, 0)},
            "Illegal. It takes a six to come out.",
        ),
        (
            match(red=(10, 57, 57, 57), blue=(26, 0, 0, 0)),
            (3, 4),
            {"red": (17, 57, 57, 57), "blue": (0, 0, 0, 0)},
            "Illegal. Red only passed blue. Put it back one short of green's doorstep.",
        ),
        (
            match(red=(10, 57, 57, 57), blue=(30, 40, 40, 0)),
            (5, 2),
            {"red": (17, 57, 57, 57), "blue": (0, 0, 0, 0)},
            "Illegal. Nobody landed on two of blue's pieces. Put them back.",
        ),
        (
            # Of two colours too: one of each was landed on.
            match(red=(10, 17, 57, 57), green=(2, 20, 0, 0), blue=(32, 40, 0, 0)),
            (5, 2),
            {"red": (15, 19, 57, 57), "green": (0, 0, 0, 0), "blue": (0, 0, 0, 0)},
            "Illegal. Nobody landed on one of green's pieces and one of blue's pieces. Put them back.",
        ),
        (
            # Out on red's piece and on: blue came out, and so blue landed on it.
            match(players=2, to_play="green", blue=(0, 48, 53, 53), red=(40, 57, 57, 57)),
            (6, 3),
            {"blue": (4, 48, 53, 53)},
            "Illegal. Blue landed on red; red goes to base.",
        ),
        (
            # Whom the partner's piece knocked off goes back with it.
            match(to_play="green", green=(34, 0, 0, 0), blue=(1, 10, 0, 0), yellow=(19, 0, 0, 0)),
            (5, 1),
            {"green": (35, 0, 0, 0), "blue": (6, 10, 0, 0), "yellow": (0, 0, 0, 0)},
            "Illegal. Green moved blue. Put them back.",
        ),
        (
            # The 5 must be played alone: what green itself did is no part of it.
            match(to_play="yellow", yellow=(51, 0, 0, 0), red=(19, 0, 0, 0)),
            (5, 4),
            {"yellow": (55, 0, 0, 0), "red": (24, 0, 0, 0)},
            "Illegal. Yellow moved red. Put them back.",
        ),
        (
            match("western_ludo", to_play="green", red=(1, 1, 57, 57), green=(38, 0, 0, 0)),
            (2,),
            {"green": (40, 0, 0, 0), "red": (0, 0, 57, 57)},
            "Illegal. Red is safe on that square. Put them back.",
        ),
        (
            match(to_play="blue", blue=(10, 20, 57, 57), green=(1, 0, 0, 0), red=(5, 6, 0, 0)),
            (6, 2),
            {"blue": (13, 21, 57, 57), "green": (4, 0, 0, 0), "red": (7, 7, 0, 0)},
            "Illegal. Five pieces moved; the dice said 6 and 2.",
        ),
        (
            match(red=(10, 20, 57, 57), yellow=(5, 0, 0, 0)),
            (5, 2),
            {"yellow": (12, 0, 0, 0)},
            "Illegal. Red moved yellow. Put it back four on from yellow's doorstep.",
        ),
        (
            match("wiki", helping=["red"], red=(57,) * 4, yellow=(53, 20, 0, 57)),
            (4, 2),
            {"yellow": (57, 22, 0, 57)},
            "Illegal. Red cannot move yellow in the chute.",
        ),
        (
            match(options={"superblob_mobility": "frozen"}, red=(10, 10, 10, 20)),
            (5, 2),
            {"red": (10, 10, 17, 20)},
            "Illegal. A blob of three does not move.",
        ),
        (
            match("submariners", to_play="blue", red=(16, 16, 0, 0), blue=(28, 54, 57, 57)),
            (6, 1),
            {"blue": (28, 55, 57, 57)},
            "Illegal. Blue must challenge.",
        ),
        (
            # Nothing can move, but blue may challenge.
            match(to_play="blue", red=(16, 16, 0, 0), blue=(28, 57, 57, 57)),
            (6, 2),
            {"blue": (36, 57, 57, 57)},
            "Illegal. Blue went through red's blob.",
        ),
        (
            match(red=(10, 20, 57, 57)),
            (6, 2),
            {"red": (4, 20, 57, 57)},
            "Illegal. Red moved backwards. Put it six on.",
        ),
        (
            # One of two went as thrown.
            match(red=(10, 20, 57, 57)),
            (5, 3),
            {"red": (15, 57, 57, 57)},
            "Illegal. Two red pieces moved; the dice said 5 and 3.",
        ),
        (
            match(red=(10, 20, 57, 57)),
            (6, 2),
            {"red": (4, 22, 57, 57)},
            "Illegal. Red moved backwards.",
        ),
        (
            # 5 on and 2 back, or 2 on and 1 on: nobody can tell.
            match(to_play="yellow", yellow=(23, 23, 25, 29)),
            (5, 2),
            {"yellow": (23, 23, 27, 30)},
            "Illegal. Two yellow pieces moved; the dice said 5 and 2.",
        ),
        (
            # Whom it landed on did not move.
            match("western_ludo", red=(20, 57, 57, 57), green=(2, 0, 0, 0)),
            (5,),
            {"red": (15, 57, 57, 57), "green": (0, 0, 0, 0)},
            "Illegal. Red moved backwards. Put them back.",
        ),
        (
            # By 5 and 4, and onto a blob at that: what matters is whose piece it is.
            match(to_play="yellow", yellow=(15, 0, 0, 0), red=(38, 0, 0, 0), green=(34, 34, 0, 0)),
            (5, 4),
            {"red": (47, 0, 0, 0), "green": (0, 0, 0, 0)},
            "Illegal. Yellow moved red. Put them back.",
        ),
        (
            # One die each, both counted wrong.
            match(to_play="green", green=(10, 20, 0, 0), blue=(5, 9, 0, 0)),
            (5, 4),
            {"green": (13, 20, 0, 0), "blue": (5, 16, 0, 0)},
            "Illegal. Green moved blue. Put them back.",
        ),
        (
            # The play was made, and more was moved before it could be judged.
            match(red=(10, 11, 57, 57), blue=(30, 0, 0, 0)),
            (6, 5),
            {"red": (16, 16, 57, 57), "blue": (31, 0, 0, 0)},
            "Illegal. And blue, four on from green's doorstep: put it one back.",
        ),
        (
            # The same beside a piece that was taken: of its colour is the one that was moved.
            match(to_play="blue", red=(4, 6, 22, 43), blue=(0, 6, 6, 16)),
            (3, 2),
            {"red": (0, 4, 22, 42), "blue": (0, 6, 8, 19)},
            "Illegal. And red, two on from blue's doorstep: put it one on.",
        ),
        (
            # The same, and the piece that was moved besides passed a blob: that is what is to be put back.
            match("submariners", to_play="yellow", yellow=(0, 0, 13, 18), blue=(0, 6, 6, 6)),
            (4, 4),
            {"yellow": (0, 0, 17, 22)},
            "Illegal. Yellow went through blue's blob. Put it four back.",
        ),
        (
            # Not the piece that came out went on.
            match(red=(0, 10, 57, 57)),
            (6, 3),
            {"red": (1, 15, 57, 57)},
            "Illegal. Red moved 5 and came out; the dice said 6 and 3.",
        ),
        (
            # One of those that came out went on.
            match(red=(0, 0, 10, 57)),
            (6, 3),
            {"red": (1, 5, 10, 57)},
            "Illegal. A six brings one piece out.",
        ),
        (
            # A blob walked backwards, or nearly round the board.
            match(red=(3, 3, 57, 57)),
            (4, 4),
            {"red": (51, 51, 57, 57)},
            "Illegal. Two red pieces moved; the dice said double 4.",
        ),
        (
            # Six arms: black's doorstep is white's step 14.
            match(options={"arms": 6}, to_play="white", white=(12, 83, 83, 83), black=(1, 1, 0, 0)),
            (5, 1),
            {"white": (18, 83, 83, 83)},
            "Illegal. White went through black's blob.",
        ),
        (
            match(players=2, red=(20, 57, 57, 57), green=(46, 46, 0, 0), yellow=(30, 57, 57, 57)),
            (4, 3),
            {"red": (23, 57, 57, 57), "yellow": (34, 57, 57, 57)},
            "Illegal. Yellow went through green's blob.",
        ),
        (
            match("western_ludo", red=(10, 0, 0, 0), green=(1, 0, 0, 0)),
            (4,),
            {"red": (14, 0, 0, 0), "green": (0, 0, 0, 0)},
            "Illegal. Green is safe on that square. Put it back on green's doorstep.",
        ),
        (
            match("oldwiki", red=(57,) * 4, yellow=(20, 54, 0, 0), helping=("red",)),
            (4, 3),
            {"yellow": (20, 57, 0, 0)},
            "Illegal. Red cannot move yellow in the chute.",
        ),
        (
            match(red=(20, 57, 57, 57), green=(14, 30, 0, 0)),
            (4, 3),
            {"red": (27, 57, 57, 57), "green": (14, 0, 0, 0)},
            "Illegal. The wrong green was sent back.",
        ),
        (
            match(red=(20, 57, 57, 57), green=(14, 0, 0, 0), blue=(33, 0, 0, 0)),
            (4, 3),
            {"red": (27, 57, 57, 57), "green": (14, 0, 0, 0), "blue": (0, 0, 0, 0)},
            "Illegal. Red landed on green, not on blue.",
        ),
        (
            match(red=(50, 20, 57, 57)),
            (4, 3),
            {"red": (5, 20, 57, 57)},
            "Illegal. Red went past its own chute. Put it back one short of red's mouth.",
        ),
        (
            match(red=(20, 57, 57, 57), green=(14, 0, 0, 0)),
            (4, 3),
            {"red": (27, 57, 57, 57), "green": (1, 0, 0, 0)},
            "Illegal. Red landed on green; green goes to base.",
        ),
        (
            match(red=(20, 17, 57, 57), green=(9, 9, 0, 0)),
            (2, 6),
            {"red": (22, 23, 57, 57), "green": (0, 0, 0, 0)},
            "Illegal. Red landed on green's blob.",
        ),
    ],
    ids=begins,
)
def test_why_a_board_is_illegal(before, dice, after, expected):
    assert heard(before, dice, after) == expected


@pytest.mark.parametrize(
    ("before", "dice", "after", "expected"),
    [
        (
            match(red=(10, 20, 57, 57)),
            (6, 2),
            {"red": (17, 20, 57, 57)},
            "Illegal. Red moved 7; the dice said 6 and 2.",
        ),
        (
            match(red=(0, 10, 57, 57)),
            (5, 2),
            {"red": (1, 12, 57, 57)},
            "Illegal. It takes a six to come out. The only play: 7 from two short of green's mouth."
            " Red 5-2: one out, one to green's mouth.",
        ),
        (
            match(red=(10, 57, 57, 57), blue=(28, 28, 0, 0)),
            (5, 4),
            {"red": (19, 57, 57, 57)},
            "Illegal. Red went through blue's blob. That piece can only move 4."
            " Red 5-4: to five on from green's doorstep.",
        ),
        (
            match(red=(10, 20, 57, 57)),
            (6, 2),
            {"red": (16, 20, 57, 57)},
            "Illegal. Red still has the 2 to play. Still to play: 2 from five short of yellow's mouth."
            " Red 6-2: to two on from green's doorstep.",
        ),
        (
            match(red=(10, 57, 57, 57), blue=(30, 0, 0, 0)),
            (5, 2),
            {"red": (17, 57, 57, 57)},
            "Illegal. Red landed on blue; blue goes to base. Red 5-2: to three on from green's doorstep.",
        ),
        (
            match(red=(10, 11, 57, 57), blue=(30, 0, 0, 0)),
            (6, 5),
            {"red": (16, 16, 57, 57), "blue": (31, 0, 0, 0)},
            "Illegal. And blue, four on from green's doorstep: put it one back."
            " Red 6-5: a blob at two on from green's doorstep, one blue to four on from green's doorstep.",
        ),
    ],
    ids=begins,
)
def test_what_is_read_of_an_illegal_board(before, dice, after, expected):
    step = playing.throw(before, dice)
    (wrong,) = playing.see(step.match, position_from(BOARD, after, before.position)).rulings
    assert in_full(wrong, BOARD) == expected


def test_what_is_heard_without_the_ways_is_read_with_them():
    before = match("wiki", to_play="green", green=(13, 18, 40, 0), red=(3, 0, 0, 0))
    seen = position_from(BOARD, {"green": (15, 18, 40, 0), "red": (4, 0, 0, 0)}, before.position)
    (wrong,) = playing.see(playing.throw(before, (2, 1)).match, seen).rulings
    assert say(wrong, BOARD) == "Illegal. Green and red moved; the dice said 2 and 1."
    assert in_full(wrong, BOARD).endswith(
        " Green 2-1: one to just past yellow's doorstep, one red to three on from red's doorstep."
    )


def test_what_is_read_of_a_timber_shift():
    shifted = match(green=(5, 0, 0, 0), blue=(33, 0, 0, 0))
    seen = position_from(BOARD, {"green": (7, 0, 0, 0), "blue": (0, 0, 0, 0)}, shifted.position)
    (wrong,) = playing.see(shifted, seen).rulings
    assert in_full(wrong, BOARD) == (
        "Timber shift. Green and blue moved. Put them back."
        " Green: to five short of yellow's mouth; blue sent back. It is not green's turn."
    )


def test_a_win_that_is_put_back_leaves_nobody_to_throw():
    again = Notice(NoticeKind.PUT_BACK, matter=Matter(1, ActKind.PLAY, 0.0, RED, (6, 3)))
    assert say(again, BOARD) == "It counts. The match is over."
    assert in_full(again, BOARD) == "Put back: red's play, 6 and 3. The match is over."


def test_whatever_holds_a_piece_has_words():
    assert set(HOLDS) == set(Hold)
    cause = Cause(((RED, 10),), hold=Hold.NO_ROOM)
    held = ruling(
        Kind.ILLEGAL, reason=Reason.CANNOT_MOVE_NOW, throw=(6, 2), moves=(Move(RED, 10, 16),), cause=cause
    )
    assert say(held, BOARD) == "Illegal. That piece cannot move."
    assert "No third piece may join a blob." in in_full(held, BOARD)


def test_a_refusal_is_read_with_its_reason():
    assert in_full(ruling(Kind.CALL_REFUSED, why="the match is over"), BOARD) == "Refused: the match is over."


def test_who_went_home_on_a_wrong_number_hears_what_it_needs():
    two = match(red=(46, 20, 57, 57))
    assert heard(two, (4, 2), {"red": (57, 20, 57, 57)}) == "Illegal. Red went home on 6; it needs 11."
    assert heard(two, (4, 2), {"red": (57, 22, 57, 57)}) == "Illegal. Red went home on 4; it needs 11."
    assert heard(two, (4, 2), {"red": (46, 57, 57, 57)}) == "Illegal. Red went home on 6; it needs 37."


def test_what_is_called_too_late_says_what_was_done_and_that_it_stands():
    step = playing.see(match(), position_from(BOARD, {"green": (1, 0, 0, 0)}))
    (wrong,) = step.rulings
    assert say(replace(wrong, thrown_on=True), BOARD) == "Timber shift. Green, on green's doorstep."
    stood = playing.throw(step.match, (6, 3)).rulings[0]
    assert say(stood, BOARD) == "The board stands as it is."
    assert say(replace(stood, thrown_on=True), BOARD) == "Too late, it stands."


@pytest.mark.parametrize(
    ("places", "words"),
    [
        (["12", "13"], "Check green's doorstep and the square before it."),
        (["0", "51"], "Check red's doorstep and the square before it."),
        (["12", "14"], "Check one short of green's doorstep and one on from green's doorstep."),
        (["red 53", "red 54"], "Check red, three short of home and the square before it."),
        (["red 56", "red 57"], "Check red, one short of home and red's home."),
        (["red 53", "green 54"], "Check red, four short of home and green, three short of home."),
    ],
)
def test_two_squares_side_by_side_are_told_by_one(places, words):
    assert say(Notice.check(places), BOARD) == words


def test_a_piece_that_was_landed_on_goes_nowhere_once_dice_are_thrown_on_the_board():
    seen = position_from(BOARD, {"red": (17, 57, 57, 57), "blue": (30, 0, 0, 0)})
    thrown = playing.throw(match(red=(10, 57, 57, 57), blue=(30, 0, 0, 0)), (5, 2)).match
    (called,) = playing.see(thrown, seen).rulings
    assert "goes to base" in say(called, BOARD)
    assert "goes to base" not in say(replace(called, thrown_on=True), BOARD)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            match(yellow=(49, 0, 0, 0)),
            {"yellow": (51, 0, 0, 0)},
            "Yellow, on yellow's mouth. Put it two back.",
        ),
        (
            match(yellow=(40, 0, 0, 0)),
            {"yellow": (43, 0, 0, 0)},
            "Yellow, three on from green's doorstep. Put it three back.",
        ),
        (
            match(yellow=(43, 0, 0, 0)),
            {"yellow": (40, 0, 0, 0)},
            "Yellow, on green's doorstep. Put it three on.",
        ),
        (
            match(),
            {"green": (1, 0, 0, 0)},
            "Green's piece on green's doorstep belongs in base.",
        ),
        # One stood there by right.
        (
            match(green=(1, 0, 0, 0)),
            {"green": (1, 1, 0, 0)},
            "One of green's pieces on green's doorstep belongs in base.",
        ),
        # The doorstep is another's.
        (
            match(green=(1, 0, 0, 0)),
            {"green": (1, 15, 0, 0)},
            "Green's piece one on from yellow's doorstep belongs in base.",
        ),
        (
            match(green=(5, 0, 0, 0)),
            {"green": (11, 0, 0, 0)},
            "Green, one short of yellow's mouth. Put it six back.",
        ),
        (
            match(green=(5, 0, 0, 0)),
            {"green": (12, 0, 0, 0)},
            "Green, on yellow's mouth. Put it back four on from green's doorstep.",
        ),
        (
            match(green=(54, 0, 0, 0)),
            {"green": (57, 0, 0, 0)},
            "Green moved home. Put it three back.",
        ),
        (
            match(green=(51, 0, 0, 0)),
            {"green": (53, 0, 0, 0)},
            "Green, four short of home. Put it two back.",
        ),
        (
            match(green=(5, 0, 0, 0), blue=(33, 0, 0, 0)),
            {"green": (7, 0, 0, 0), "blue": (0, 0, 0, 0)},
            "Green and blue moved. Put them back.",
        ),
        (
            match(green=(5, 15, 0, 0)),
            {"green": (7, 16, 0, 0)},
            "Two green pieces moved. Put them back.",
        ),
        (
            match(green=(5, 15, 0, 0), blue=(1, 0, 0, 0)),
            {"green": (7, 16, 0, 0), "blue": (2, 0, 0, 0)},
            "Two green pieces and a blue piece moved. Put them back.",
        ),
        (
            match(green=(5, 5, 5, 15)),
            {"green": (7, 7, 7, 15)},
            "Three green pieces moved. Put them back.",
        ),
        (
            match(green=(5, 5, 15, 0)),
            {"green": (7, 7, 16, 0)},
            "Three green pieces moved. Put them back.",
        ),
    ],
    ids=begins,
)
def test_a_timber_shift_names_piece_and_squares(before, after, expected):
    assert heard(before, after) == f"Timber shift. {expected}"


AT_MOUTH = {"red": (53, 0, 0, 0), "blue": (12, 30, 57, 57)}
"""Blue on red's mouth, and a red piece two squares up its chute."""
BEHIND_BLOB = {"red": (16, 16, 0, 0), "blue": (28, 57, 57, 57)}
"""Blue directly behind red's blob."""
CHALLENGE = Call("challenge")


@pytest.mark.parametrize(
    ("before", "events", "expected"),
    [
        (match(red=(0, 0, 0, 0)), [(3, 1)], "Red cannot move: no six."),
        (match(red=(54, 57, 57, 57)), [(6, 5)], "Red cannot move: no 3 for home. Throw again."),
        (match(red=(10, 57, 57, 57)), [(6, 2), (3, 1)], "Not yet. Red has 6 and 2 in hand."),
        (
            match(options={"timber_unchallenged": "never"}, red=(10, 57, 57, 57)),
            [{"red": (11, 57, 57, 57)}, (3, 1)],
            "Not yet. Put the board right first.",
        ),
        (
            match(red=(10, 57, 57, 57)),
            [(5, 2), {"red": (18, 57, 57, 57)}, (3, 1)],
            "The board stands as it is. Green cannot move: no six.",
        ),
        (
            match(red=(10, 57, 57, 57)),
            [(5, 2), {"red": (18, 57, 57, 57)}, {"red": (10, 57, 57, 57)}],
            "Thank you.",
        ),
        (
            match("masters_ludo", options={"exit_throw": "1_or_6"}),
            [(5,)],
            "Red cannot move: no six or one.",
        ),
        (
            # The 2 is free, and lost.
            match(options={"lower_die_fallback": False}, red=(10, 57, 57, 57), blue=(28, 28, 0, 0)),
            [(5, 2)],
            "Red cannot move: blocked by blue's blob, and the lower die alone is lost.",
        ),
        (
            match(options={"lower_die_fallback": False}, red=(10, 57, 57, 57), blue=(28, 28, 0, 0)),
            [(5, 2), {"red": (12, 57, 57, 57)}],
            "Timber shift. The lower die alone is lost. Put it two back.",
        ),
        (
            # An even throw would move both half of it, past the blob.
            match("western_ludo", red=(10, 10, 57, 57), blue=(26, 26, 0, 0)),
            [(5,)],
            "Red cannot move: blocked by blue's blob, and an odd throw moves no pair.",
        ),
        (
            match("western_ludo", red=(10, 57, 57, 57), blue=(26, 26, 0, 0)),
            [(5,)],
            "Red cannot move: blocked by blue's blob.",
        ),
        (match("western_ludo", red=(56, 56, 57, 57)), [(4,)], "Red cannot move: no 1 for home."),
        # Helping a turn too early.
        (
            match(red=(57,) * 4, yellow=(4, 9, 0, 0)),
            [(6, 2), {"yellow": (4, 11, 0, 0)}],
            "Timber shift. Red helps next turn. Put it two back.",
        ),
        (
            match(red=(57,) * 4, yellow=(4, 9, 0, 0)),
            [(5, 2), {"yellow": (6, 14, 0, 0)}],
            "Timber shift. Red waits for a six. Put them back.",
        ),
        (
            match(red=(54, 57, 57, 57), yellow=(4, 9, 0, 0)),
            [(3, 2), {"red": (57,) * 4, "yellow": (4, 11, 0, 0)}],
            "Illegal. Red waits for a six. Put it two back.",
        ),
        (
            # Green did nothing for the six of red's.
            match(red=(57,) * 4, blue=(4, 9, 0, 0)),
            [(6, 2), {"blue": (4, 11, 0, 0)}],
            "Timber shift. Blue, one short of red's mouth. Put it two back.",
        ),
        # Challenges.
        (
            match(to_play="blue", **BEHIND_BLOB),
            [(6, 3), CHALLENGE],
            "Blue calls challenge. Two sixes wanted.",
        ),
        (match(to_play="blue", **BEHIND_BLOB), [(6, 3), CHALLENGE, (6, 1)], "One six wanted. Touch wood."),
        (
            match(options={"var_e": True}, to_play="blue", **BEHIND_BLOB),
            [(6, 3), CHALLENGE],
            "Blue calls challenge. One six wanted. Touch wood.",
        ),
        (
            match(options={"needle_touch_wood": "off"}, to_play="blue", **BEHIND_BLOB),
            [(6, 3), CHALLENGE, (6, 1)],
            "One six wanted.",
        ),
        (
            match(to_play="blue", **BEHIND_BLOB),
            [(6, 3), CHALLENGE, (6, 6)],
            "Challenge won. Red's blob goes to base.",
        ),
        (
            match(to_play="blue", red=(16, 16, 16, 0), blue=(28, 57, 57, 57)),
            [(6, 3), CHALLENGE, (6, 6), (6, 1)],
            "Challenge won. Red's blob of three goes to base.",
        ),
        (match(to_play="blue", **BEHIND_BLOB), [(6, 3), CHALLENGE, (5, 1)], "No six. Challenge lost."),
        (
            match("masters_uckers", to_play="blue", **BEHIND_BLOB),
            [(6, 3), CHALLENGE, (5, 1)],
            "No six. Two sixes wanted.",
        ),
        (
            match(to_play="blue", **BEHIND_BLOB),
            [(5, 3), CHALLENGE],
            "Refused: no six.",
        ),
        # Suckback and blowback.
        (
            match("couk_suckback", to_play="blue", **AT_MOUTH),
            [Call("suckback", BLUE, 12, 2)],
            "Blue calls suckback 2.",
        ),
        (
            match("couk_suckback", to_play="blue", **AT_MOUTH),
            [Call("suckback", BLUE, 12, 2), (2,)],
            "Sucked back. Red's piece goes to base and blue goes one on.",
        ),
        (
            match("couk_suckback", to_play="blue", **AT_MOUTH),
            [Call("suckback", BLUE, 12, 2), (3,)],
            "Suckback missed. Blue goes one on.",
        ),
        (
            match(options={"var_g": True}, to_play="blue", **AT_MOUTH),
            [Call("suckback", BLUE, 12, 2), (5, 4)],
            "Suckback missed. One left.",
        ),
        (
            match("oldwiki_advanced", to_play="blue", **AT_MOUTH),
            [Call("suckback", BLUE, 12, 2), (5, 4)],
            "Suckback missed.",
        ),
        (
            match("oldwiki_advanced", to_play="blue", **AT_MOUTH),
            [Call("suckback", BLUE, 12, 3)],
            "Refused: not that number.",
        ),
        (
            match("wafu", **AT_MOUTH),
            [Call("blowback", RED, 53), (2, 5)],
            "Blown back. Blue's piece goes to base.",
        ),
        (match("wafu", **AT_MOUTH), [Call("blowback", RED, 53), (3, 5)], "Blowback missed. One left."),
        (
            match(options={"var_g": True}, red=(12, 12, 0, 0), green=(54, 0, 0, 0)),
            [Call("suckback", RED, 12, 3), (5, 4)],
            "Suckback missed. Three left.",
        ),
        (
            match(options={"var_g": True, "suckback_attempts": 1}, to_play="blue", **AT_MOUTH),
            [Call("suckback", BLUE, 12, 2), (5, 4)],
            "Suckback missed. That is all.",
        ),
        # Snake eyes.
        (match("wiki", turns_taken=0), [(1, 1)], "Snake eyes: all out."),
        (match("wiki", turns_taken=0, players=2), [(1, 1)], "Snake eyes: all out."),
        (
            match("wiki", turns_taken=0, blue=(14, 0, 0, 0)),
            [(1, 1)],
            "Snake eyes: all out. Blue's piece goes to base.",
        ),
        (
            match("wiki", turns_taken=0),
            [(1, 1), (5, 4), (5, 4), (5, 4), (1, 1)],
            "Snake eyes again: all in.",
        ),
        (match("wafu", turns_taken=0), [Call("snake_eyes")], "Red calls snake eyes."),
        (
            match("wiki", turns_taken=1, options={"snake_eyes_window": "double_of_turn"}),
            [(2, 2), (5, 4), (5, 4), (5, 4), (2, 2)],
            "Double two again: all in.",
        ),
        # House rules.
        (
            begin(load_setting("br4006", {"throw_off_winner_chooses": True})),
            [(2, 1), (6, 4), (3, 1), (4, 1), Call("colours", RED, 0)],
            "Red starts.",
        ),
        (
            match(options={"three_doubles_to_base": True}, red=(1, 57, 57, 57)),
            [(6, 6), {"red": (13, 57, 57, 57)}, (6, 6), {"red": (25, 57, 57, 57)}, (2, 2)],
            "Three doubles. All red's pieces go to base.",
        ),
        (
            match(
                options={"suckback": True, "suckback_both_dice": True},
                red=(12, 0, 0, 0),
                green=(53, 55, 0, 0),
            ),
            [Call("suckback", RED, 12, 2), (2, 4)],
            "Sucked back. Two of green's pieces go to base.",
        ),
        # Dice.
        (match("submariners"), ["cocked"], "Cocked. Throw again."),
        (match("submariners"), ["cocked", "dropped"], "Dropped. That is two."),
        (match("submariners", options={"dice_off_call": "none"}), ["dropped"], "Dropped. Throw again."),
        (match("submariners"), ["dropped"], "Off the IPS. Throw again."),
        (
            match("submariners", red=(10, 57, 0, 0)),
            ["cocked", "dropped", "cocked"],
            "That is three. All red's pieces go to base.",
        ),
        (
            match("submariners", options={"penalty_scope": "not_home"}, red=(10, 57, 0, 0)),
            ["cocked", "dropped", "cocked"],
            "That is three. Red's pieces go to base.",
        ),
        (match("wiki"), ["dropped", "dropped", "dropped"], "That is three. Red loses the go."),
        # Coming home, honours, the end.
        (match(red=(57,) * 4, yellow=(5, 0, 0, 0)), [(6, 1)], "Red helps next turn."),
        (match(red=(57,) * 4, yellow=(5, 0, 0, 0)), [(5, 1)], "Red waits for a six."),
        (
            match("wiki", to_play="yellow", red=(57,) * 4, yellow=(54, 57, 57, 57)),
            [Call("stand_up_finish")],
            "Yellow stands up for the finish.",
        ),
        (match("wiki"), [Call("stand_up_finish")], "Refused: not now."),
        (
            match(to_play="yellow", red=(57,) * 4, yellow=(54, 57, 57, 57), green=(57, 0, 0, 0)),
            [(2, 1), {"yellow": (57,) * 4}],
            "Red and yellow have won.",
        ),
        (
            match(to_play="yellow", red=(57,) * 4, yellow=(54, 57, 57, 57), green=(5, 0, 0, 0)),
            [(2, 1), {"yellow": (57,) * 4}],
            "Red and yellow have won. Eight-piecer. Green and blue on the back of the board.",
        ),
        (
            match(
                options={"exhibition": True},
                to_play="yellow",
                red=(57,) * 4,
                yellow=(54, 57, 57, 57),
            ),
            [(2, 1), {"yellow": (57,) * 4}],
            "Red and yellow have won. Eight piece in harbour.",
        ),
        (
            match("masters_ludo", red=(54, 57, 57, 57), green=(5, 0, 0, 57)),
            [(3,), {"red": (57,) * 4}],
            "Red has won.",
        ),
        (
            # All eight on one mixed square, red's step 17.
            match(red=(10, 57, 57, 57), green=(4, 4, 4, 4), blue=(30, 30, 30, 30)),
            [(5, 2), {"red": (17, 57, 57, 57), "green": (0,) * 4, "blue": (0,) * 4}],
            "Eight-piece dicking.",
        ),
        (match(), [Call("upboard")], "Upboard, red. Red and yellow on the back of the board."),
        (match(options={"exhibition": True}), [Call("upboard", BLUE)], "Upboard, blue."),
    ],
    ids=begins,
)
def test_what_is_heard_of_throws_calls_and_the_end(before, events, expected):
    assert heard(before, *events) == expected


def test_the_throw_off():
    start = begin(load_setting("br4006"))
    assert heard(start, (4, 3)) == "Red throws 7 for start."
    assert (
        heard(start, (6, 5), (5, 6), (2, 2), (3, 1)) == "Blue throws 4 for start. Red and green throw again."
    )
    assert heard(start, (1, 2), (5, 6), (2, 2), (3, 1)) == "Blue throws 4 for start. Green starts."


def test_a_legal_play_is_silent():
    assert heard(match(red=(10, 57, 57, 57)), (5, 2), {"red": (17, 57, 57, 57)}) == ""


# ---------------------------------------------------------------------- any ruling

_FULL = {
    "throw": (6, 2),
    "why": "no",
    "winner": (RED,),
    "wanted": 1,
    "moves": (Move(RED, 0, 1), Move(BLUE, 30, 0)),
    "honours": ("eight_piecer",),
}


def is_whole(words):
    """Whether words make whole sentences, as a voice should read them."""
    return (
        words[0].isupper()
        and words.endswith(".")
        and not re.search(
            r"None|  |\.\.| [.,;]|[{}_]|\b0th|1th\b(?<!11th)|2th\b(?<!12th)|3th\b(?<!13th)", words
        )
        and all(part[0].isupper() for part in words.split(". "))
    )


@pytest.mark.parametrize("kind", list(Kind))
def test_every_ruling_has_whole_sentences(kind):
    assert is_whole(sentence(ruling(kind, **_FULL), BOARD))


@pytest.mark.parametrize("hold", [None, *Hold])
@pytest.mark.parametrize("reason", [None, *Reason])
def test_every_reason_has_whole_sentences(reason, hold):
    cause = Cause(((BLUE, 30),), (((BLUE, 40), (BLUE, 40)),), 2, hold, (Move(RED, 10, 16),))
    assert is_whole(sentence(ruling(Kind.ILLEGAL, reason=reason, cause=cause, **_FULL), BOARD))
    assert is_whole(sentence(ruling(Kind.ILLEGAL, reason=reason, throw=(5,)), BOARD))


def test_a_piece_that_bounced_goes_on_backwards():
    before = match(options={"var_d": True}, red=(50, 6, 57, 57))
    events = (6, 5), {"red": (53, 6, 57, 57)}, (1, 2), {"red": (54, 8, 57, 57)}
    assert heard(before, *events) == "Illegal. A piece that bounced goes on backwards."


@st.composite
def illegal_boards(draw):
    """A ruling on a random board under a random rule set, and the match it was made in."""
    options, players = draw(
        st.sampled_from([({}, None), ({}, 2), ({"arms": 6}, None), ({"arm_length": 12}, None)])
    )
    setting = load_setting(draw(st.sampled_from(known_rules())), options, players=players)
    board = setting.board
    likely = st.sampled_from([0, 1, *range(5, 18), board.mouth, *board.chute, board.home])
    position = draw(
        st.tuples(*[st.lists(likely, min_size=4, max_size=4).map(sorted).map(tuple)] * board.arms)
    )
    assume(not any(setting.is_home(position, seat) for seat in range(board.arms)))
    side = board.seats[draw(st.sampled_from(setting.sides))]
    dice = draw(st.tuples(*[st.integers(1, 6)] * setting.rules.dice_per_throw))
    before = playing.throw(begin(setting, to_play=side, position=position, turns_taken=1), dice).match
    assume(before.awaiting is Awaiting.PLAY)
    shown = [list(four) for four in position]
    for _ in range(draw(st.integers(1, 2))):
        four = shown[draw(st.sampled_from([*before.movers * 3, *range(board.arms)]))]
        piece = draw(st.integers(0, 3))
        four[piece] = min(max(four[piece] + draw(st.sampled_from([*dice, sum(dice), -3])), 0), board.home)
    rulings = playing.see(before, tuple(tuple(sorted(four)) for four in shown)).rulings
    assume(rulings and rulings[0].kind in (Kind.ILLEGAL, Kind.TIMBER_SHIFT))
    return before, rulings[0]


@settings(max_examples=300, derandomize=True)
@given(illegal_boards())
def test_of_any_wrong_board_what_is_said_is_whole_and_true(case):
    before, wrong = case
    words, board = in_full(wrong, before.board), before.board
    assert is_whole(words) and is_whole(say(wrong, board))
    assert len(say(wrong, board).split()) <= 22
    cause = wrong.cause or Cause()
    colours = {board.seats[move.seat] for move in (*wrong.moves, *cause.nearest)} | {board.seats[wrong.seat]}
    colours |= {board.seats[seat] for blob in (*cause.blobs, cause.pieces, cause.others) for seat, _ in blob}
    # A colour is otherwise named only for its doorstep, mouth or chute.
    named = set(re.findall(r"\b(\w+)\b(?!'s (?:doorstep|mouth|chute))", words.lower()))
    assert named & set(board.seats) <= colours
    walked = [move for move in wrong.moves if move.end != 0]
    moved = re.search(r"moved ([\d, and]+)(?: and came out(?: twice)?)?; ", words)
    if moved and len({move.seat for move in walked}) == 1:
        doorsteps = {0: 1, -1: 0}
        distances = sorted(move.end - doorsteps.get(move.start, move.start) for move in walked)
        assert sorted(map(int, re.findall(r"\d+", moved[1]))) == [d for d in distances if d]


FACTS = {
    NoticeKind.CHECK: {"about": "15"},
    NoticeKind.WRONG_DICE: {"numbers": (3, 2)},
    NoticeKind.DICE_REREAD: {"numbers": (6, 3)},
    NoticeKind.PUT_THIS_RIGHT: {"numbers": (0,), "piece": Misplaced(RED, 14, 19)},
    NoticeKind.PUT_BACK: {"about": "red", "matter": Matter(1, ActKind.PLAY, 0.0, RED, (6, 3))},
    NoticeKind.DICE_DIFFER: {"readings": (("tower", (6, 3)), ("camera", Kind.COCKED))},
}


SILENT = {NoticeKind.THROW_HELD, NoticeKind.REVISED}


@pytest.mark.parametrize("kind", [kind for kind in NoticeKind if kind not in SILENT])
def test_every_notice_has_a_whole_sentence(kind):
    notice = Notice(kind, **FACTS.get(kind, {"about": "tower"}))
    assert is_whole(say(notice, BOARD))
    assert is_whole(in_full(notice, BOARD))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (NoticeKind.WRONG_DICE, "Three dice. Throw again with two dice."),
        (NoticeKind.DICE_DIFFER, "Two readings: the tower 6 and 3 and the camera cocked. Throw again."),
    ],
)
def test_what_is_read_of_dice_that_do_not_count(kind, words):
    assert in_full(Notice(kind, **FACTS[kind]), BOARD) == words


@pytest.mark.parametrize(
    ("piece", "left", "words"),
    [
        # Red's step 14 is green's doorstep.
        (
            Misplaced(RED, 14, 19),
            0,
            "move a red piece from green's doorstep to five on from green's doorstep.",
        ),
        (Misplaced(BLUE, 0, 1), 1, "move a blue piece from base to blue's doorstep. One more after it."),
        (Misplaced(RED, 57, 0), 0, "move a red piece from home to base."),
        (Misplaced(GREEN, None, 3), 2, "put a green piece two on from green's doorstep. Two more after it."),
        (Misplaced(GREEN, None, 57), 0, "put a green piece at home."),
    ],
    ids=begins,
)
def test_one_piece_at_a_time_is_named_to_be_put_right(piece, left, words):
    notice = Notice(NoticeKind.PUT_THIS_RIGHT, numbers=(left,), piece=piece)
    assert in_full(notice, BOARD) == f"To put it right, {words}"


def test_people_hear_where_a_piece_stands_and_where_it_belongs():
    stands = Notice(NoticeKind.PUT_THIS_RIGHT, numbers=(1,), piece=Misplaced(RED, 14, 19))
    assert say(stands, BOARD) == "Red, on green's doorstep, belongs five on from green's doorstep."
    unseen = Notice(NoticeKind.PUT_THIS_RIGHT, numbers=(0,), piece=Misplaced(GREEN, None, 0))
    assert say(unseen, BOARD) == "Green belongs in base."


def test_calls_that_may_be_meant_are_offered_in_a_players_words():
    which = Notice(NoticeKind.WHICH_CALL, calls=(Call("stand_up_finish"), Call("decline")))
    assert in_full(which, BOARD) == ("Which one? Press its number: 1 a stand-up finish, 2 no further throw.")

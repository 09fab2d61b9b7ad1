"""The sentences, held against what a player would say and point at."""

import pytest

from uckers_table.announce.sentences import notice_sentence, place, place_in_words, say, sentence
from uckers_table.game.board import Board
from uckers_table.game.position import all_in_base
from uckers_table.game.ruling import Kind, Move, Reason, Ruling
from uckers_table.referee.rulings import Notice, NoticeKind

BOARD = Board()
START = all_in_base(BOARD)
RED, GREEN, YELLOW, BLUE = range(4)


def ruling(kind, seat=RED, **facts):
    return Ruling(kind, seat, START, **facts)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            ruling(Kind.ILLEGAL, reason=Reason.WRONG_COUNT, throw=(6, 2), moves=(Move(RED, 10, 17),)),
            "Illegal. Red moved 7; the dice said 6 and 2.",
        ),
        (
            ruling(
                Kind.ILLEGAL,
                reason=Reason.WRONG_COUNT,
                throw=(4, 4),
                moves=(Move(RED, 10, 14), Move(RED, 20, 25)),
            ),
            "Illegal. Red moved 4 and 5; the dice said double 4.",
        ),
        (
            ruling(Kind.ILLEGAL, reason=Reason.NO_SIX_TO_COME_OUT, throw=(5, 2), moves=(Move(RED, 0, 1),)),
            "Illegal. Red came out without a six; the dice said 5 and 2.",
        ),
        (
            # Yellow's mouth, step 51, lies two squares before its doorstep: eleven after green's.
            ruling(Kind.TIMBER_SHIFT, YELLOW, moves=(Move(YELLOW, 49, 51),)),
            "Timber shift. A yellow piece has moved from the ninth square after green's doorstep"
            " to yellow's mouth. Put it back.",
        ),
        (
            ruling(Kind.TIMBER_SHIFT, YELLOW, moves=(Move(YELLOW, 46, 48),)),
            "Timber shift. A yellow piece has moved from the sixth square after green's doorstep"
            " to the eighth. Put it back.",
        ),
        (ruling(Kind.PUT_RIGHT), "Thank you."),
        (ruling(Kind.PASS, BLUE, throw=(3, 1)), "Blue cannot move."),
        (ruling(Kind.COCKED), "Cocked. Throw again."),
        (ruling(Kind.DROPPED, count=2), "Dropped. That is two."),
        (ruling(Kind.CHALLENGE, BLUE, wanted=2), "Blue challenges. Two sixes wanted."),
        (ruling(Kind.CHALLENGE_THROW, BLUE, wanted=1), "One six wanted. Touch wood."),
        (
            ruling(Kind.CHALLENGE_WON, BLUE, moves=(Move(RED, 16, 0), Move(RED, 16, 0), Move(BLUE, 28, 29))),
            "Challenge won. Red's blob goes to base.",
        ),
        (ruling(Kind.THROW_OFF, GREEN, why="starts"), "Green starts."),
        (
            ruling(Kind.WON, winner=(RED, YELLOW), honours=("eight_piecer",)),
            "Red and yellow have won. Eight-piecer.",
        ),
        (ruling(Kind.LEGAL), ""),
    ],
)
def test_what_is_heard(given, expected):
    assert sentence(given, BOARD) == expected


@pytest.mark.parametrize(
    ("seat", "steps", "words"),
    [
        (RED, 1, "red's doorstep"),
        (RED, 14, "green's doorstep"),
        (RED, 23, "the ninth square after green's doorstep"),
        (GREEN, 1, "green's doorstep"),
        (RED, 51, "red's mouth"),
        (RED, -1, "the twelfth square after blue's doorstep"),
        (BLUE, 54, "the third square of blue's chute"),
        (BLUE, 57, "home"),
        (BLUE, 0, "base"),
    ],
)
def test_squares_are_named_so_that_one_can_point_at_them(seat, steps, words):
    assert place(BOARD, seat, steps) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", ""),
        ("13", "green's doorstep"),
        ("22", "the ninth square after green's doorstep"),
        ("red 0", "red's base"),
    ],
)
def test_places_of_a_sighting_are_named_alike(name, words):
    assert place_in_words(BOARD, name) == words


_KINDS = [(kind, None) for kind in Kind if kind not in (Kind.LEGAL, Kind.THROW_OFF)]


@pytest.mark.parametrize(("kind", "reason"), [*_KINDS, *((Kind.ILLEGAL, reason) for reason in Reason)])
def test_every_ruling_has_a_whole_sentence(kind, reason):
    words = sentence(ruling(kind, reason=reason, throw=(6, 2), why="no", winner=(RED,), wanted=1), BOARD)
    assert words[0].isupper()
    assert words.endswith(".")
    assert "None" not in words
    assert "  " not in words


@pytest.mark.parametrize("kind", [kind for kind in NoticeKind if kind is not NoticeKind.THROW_HELD])
def test_every_notice_has_a_whole_sentence(kind):
    words = notice_sentence(Notice(kind, "15" if kind is NoticeKind.CHECK else "tower"), BOARD)
    assert words == say(Notice(kind, "15" if kind is NoticeKind.CHECK else "tower"), BOARD)
    assert words[0].isupper()
    assert words.endswith(".")

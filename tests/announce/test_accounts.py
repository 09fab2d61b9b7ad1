"""Why somebody is accused or asked: what may have happened, in words and with odds."""

from itertools import pairwise

import pytest

from tests.referee.scripted import BOARD, Table, near_line
from uckers_table.announce.accounts import story_in_words, story_lines
from uckers_table.announce.lines import ruling_line
from uckers_table.record.entries import ruled_from
from uckers_table.referee.looks import NOBODY, NOWHERE, Mismatch
from uckers_table.referee.rulings import Account, Assumed, StoryPart


def line_of(table):
    """The line of the only ruling."""
    (timed,) = table.ruled
    return ruling_line(timed, BOARD)


def counted_wrong(**seen):
    """Red has 10 and 4 out, throws 5 and 2, and his 10 is seen on 18 for a while."""
    return Table(red=[0, 0, 4, 10]).see(1.2).throw(5, 2).hand(red=[0, 0, 4, 18]).see(6.0, **seen)


def test_an_accusation_says_first_what_was_done_and_then_what_else_may_be():
    stories = line_of(counted_wrong())["stories"]
    done, innocent = stories[0], next(each for each in stories if not each["guilty"])
    assert done == {
        "say": "Somebody moved a red piece from two short of green's mouth to four on from green's doorstep.",
        "position": {"red": [0, 0, 4, 18], "green": [0] * 4, "yellow": [0] * 4, "blue": [0] * 4},
        "guilty": True,
        "odds": 1.0,
    }
    assert innocent["say"] == (
        "Red: to three on from green's doorstep. A red piece stands three on from "
        "green's doorstep, and the camera sees it four on from green's doorstep."
    )
    assert innocent["position"]["red"] == [0, 0, 4, 17]
    assert all(one["odds"] <= other["odds"] for one, other in pairwise(stories))
    assert innocent["odds"] > 100


def test_a_question_has_both_of_its_stories():
    near = near_line("red", 18, 17, 4.0)
    stories = line_of(counted_wrong(alternatives=near))["stories"]
    assert sorted(each["guilty"] for each in stories) == [False, True]
    assert all(each["odds"] < 150 for each in stories)


def test_what_blames_nobody_has_no_stories():
    table = Table(red=[0, 0, 4, 10]).see(1.2).throw(5, 2).hand(red=[0, 0, 4, 17]).see(4.0)
    assert "stories" not in line_of(table)


def test_the_record_keeps_them():
    (timed,) = counted_wrong().ruled
    line = ruling_line(timed, BOARD)
    assert ruled_from(line, timed, BOARD).line()["stories"] == line["stories"]


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (
            Assumed(StoryPart.DONE, 5.0, (Mismatch(0, 10, NOWHERE),)),
            "took a red piece two short of green's mouth off",
        ),
        (
            Assumed(StoryPart.DONE, 5.0, (Mismatch(0, 0, 1),)),
            "Somebody put a red piece out on red's doorstep.",
        ),
        (
            Assumed(StoryPart.DONE, 5.0, (Mismatch(0, 1, 0),)),
            "put a red piece on red's doorstep back in base.",
        ),
        (Assumed(StoryPart.MISREAD, 5.0, (Mismatch(0, 1, NOWHERE),)), "and the camera does not see it."),
        (
            Assumed(StoryPart.MISREAD, 5.0, (Mismatch(0, NOBODY, 1),)),
            "sees a red piece on red's doorstep, and there is none.",
        ),
        (Assumed(StoryPart.HALF, 5.0), "The rest of the play was left."),
        (Assumed(StoryPart.DONE, 5.0), "Nothing else was moved"),
    ],
)
def test_each_part_is_told(part, said):
    assert said in story_in_words(Account((), True, 0.0, (part,)), BOARD)


@pytest.mark.parametrize("part", StoryPart)
def test_every_part_has_words(part):
    pieces = (Mismatch(0, 1, 7),)
    said = story_in_words(Account((), True, 0.0, (Assumed(part, 1.0, pieces),)), BOARD)
    assert said.endswith(".")
    assert not said.startswith("Nothing else")


def test_odds_that_nobody_weighs_any_more_are_a_number_still():
    (line,) = story_lines([Account(((0,) * 4,) * 4, False, 99.0, ())], BOARD)
    assert 1e12 < line["odds"] < 1e15

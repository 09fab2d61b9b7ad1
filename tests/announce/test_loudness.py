"""The three levels of loudness: what each lets through, and that none of them changes a ruling."""

import io
import json
from pathlib import Path

import pytest

from uckers_table.announce.lines import console_line, ruling_line, told_lines
from uckers_table.announce.loudness import SPOKEN_FROM, Aside, Loudness, is_told, spoken
from uckers_table.announce.oled import Headline
from uckers_table.announce.pages import page
from uckers_table.commands.replay import replay_recording
from uckers_table.game import playing
from uckers_table.game.board import Board
from uckers_table.game.events import Call
from uckers_table.game.match import begin
from uckers_table.game.position import all_in_base, position_from
from uckers_table.game.ruling import Kind, Move, Ruling
from uckers_table.game.setting import load_setting
from uckers_table.referee.events import Seen, ThrowMade
from uckers_table.referee.referee import Referee
from uckers_table.referee.rulings import Notice, NoticeKind
from uckers_table.sighting import Sighting

BOARD = Board()
START = all_in_base(BOARD)
QUIET, CALLS, CHATTY = Loudness
RECORDINGS = sorted(path.parent for path in Path(__file__).parent.parent.glob("recordings/*/recording.toml"))


def test_every_sort_of_ruling_and_notice_has_a_level():
    assert set(SPOKEN_FROM) == {*Kind, *NoticeKind, *Aside}


def test_a_level_tells_all_that_the_one_before_it_tells():
    for what in SPOKEN_FROM:
        assert is_told(what, QUIET) <= is_told(what, CALLS) <= is_told(what, CHATTY)
        assert is_told(what, CHATTY)


def test_quiet_is_accusations_questions_faults_of_dice_blindness_and_the_end():
    assert {what for what in SPOKEN_FROM if is_told(what, QUIET)} == {
        *(Kind.ILLEGAL, Kind.TIMBER_SHIFT),
        *(NoticeKind.CHECK, NoticeKind.UPBOARD, NoticeKind.WHICH_CALL),
        *(NoticeKind.OUT_OF_STEP, NoticeKind.PUT_THIS_RIGHT),
        *(Kind.COCKED, Kind.DROPPED, Kind.PENALTY, NoticeKind.DICE_TURNED, NoticeKind.DICE_DIFFER),
        *(NoticeKind.DICE_UNREAD, NoticeKind.DICE_REREAD, NoticeKind.WRONG_DICE),
        *(NoticeKind.CANNOT_SEE, NoticeKind.DEVICE_LOST, NoticeKind.RESUMED, Kind.WON, Kind.UPBOARD),
    }


TOUCH_WOOD = Ruling(Kind.CHALLENGE_THROW, 0, START, wanted=1, touch_wood=True)
SHIFT = Ruling(Kind.TIMBER_SHIFT, 2, START, moves=(Move(2, 9, 11),))


@pytest.mark.parametrize(
    ("ruling", "quiet", "calls"),
    [
        (TOUCH_WOOD, "", "One six wanted. Touch wood."),
        (Ruling(Kind.PUT_RIGHT, 0, START), "", "Thank you."),
        (Ruling(Kind.LEGAL, 0, START, honours=("dicking_midgame",)), "", "Eight-piece dicking."),
        (Ruling(Kind.COCKED, 0, START), "Cocked. Throw again.", "Cocked. Throw again."),
        (Notice(NoticeKind.CHECK, "dice"), "Check the dice.", "Check the dice."),
        (Notice(NoticeKind.DEVICE_BACK, "tower"), "", "Tower back."),
    ],
)
def test_what_is_said_at_each_level(ruling, quiet, calls):
    assert [spoken(ruling, BOARD, level) for level in Loudness] == [quiet, calls, calls]


def test_what_nobody_called_is_said_at_no_level():
    unspoken = Ruling(Kind.TIMBER_SHIFT, 2, START, moves=SHIFT.moves, unspoken=True)
    assert [spoken(unspoken, BOARD, level) for level in Loudness] == ["", "", ""]


def test_that_dice_were_misread_is_said_wherever_they_are_read_out():
    unspoken = Notice(NoticeKind.DICE_REREAD, numbers=(6, 3), unspoken=True)
    said = "My mistake. The dice said 6 and 3."
    assert [spoken(unspoken, BOARD, level) for level in Loudness] == ["", "", said]


def played(before, dice, **after):
    """The ruling on red's play on the usual board, and the board."""
    match = begin(load_setting("br4006"), to_play="red", position=position_from(BOARD, {"red": before}))
    thrown = playing.throw(match, dice).match
    return playing.see(thrown, position_from(BOARD, after, thrown.position)).rulings[0]


@pytest.mark.parametrize(
    ("before", "dice", "after", "chatty"),
    [
        ((10, 20, 57, 57), (3, 1), (13, 21, 57, 57), ""),
        # Two pieces that stood apart now stand together.
        ((10, 14, 30, 57), (4, 1), (14, 14, 31, 57), "Red blob on green's doorstep."),
        ((10, 10, 14, 57), (4, 4), (14, 14, 14, 57), "Red blob of three on green's doorstep."),
        # A blob that moves on is none that was made.
        ((10, 10, 30, 57), (4, 4), (14, 14, 30, 57), ""),
        # At home there are no blobs.
        ((54, 56, 30, 30), (3, 1), (57, 57, 30, 30), ""),
        # Both came out of base; and a six earns another throw.
        ((0, 0, 30, 57), (6, 6), (1, 1, 30, 57), "Red blob on red's doorstep. One more throw."),
        ((10, 20, 30, 57), (6, 3), (16, 23, 30, 57), "One more throw."),
    ],
)
def test_chatty_tells_of_blobs_made_and_of_throws_owed(before, dice, after, chatty):
    ruling = played(before, dice, red=after)
    assert ruling.kind is Kind.LEGAL
    assert [spoken(ruling, BOARD, level) for level in Loudness] == ["", "", chatty]


def test_of_a_play_that_may_have_been_another_no_blob_is_told():
    ruling = played((10, 14, 30, 57), (4, 1), red=(14, 14, 31, 57))
    assert spoken(ruling, BOARD, CHATTY)
    alike = Ruling(Kind.LEGAL, 0, ruling.position, moves=ruling.moves, alike=(START,))
    assert spoken(alike, BOARD, CHATTY) == ""


def told(match, event, level):
    """What people are told when an event comes, as (ruling, sentence)."""
    response = Referee(match).handle(event)
    lines = [ruling_line(timed, match.board, level) for timed in response.rulings]
    return [(line["ruling"], line["say"]) for line in told_lines(response, lines, match.board, level)]


def test_a_throw_is_read_out_before_what_comes_of_it():
    stuck = begin(load_setting("br4006"), to_play="red")
    throw = ThrowMade(1.0, (3, 2))
    assert told(stuck, throw, QUIET) == []
    # Why nobody can move is shown, and said only where everything is.
    assert told(stuck, throw, CALLS) == [("pass", "")]
    assert told(stuck, throw, CHATTY) == [
        ("throw", "Red throws 3 and 2."),
        ("pass", "Red cannot move: no six."),
    ]


def test_a_throw_is_read_out_after_the_play_that_it_ends():
    match = begin(
        load_setting("br4006"), to_play="red", position=position_from(BOARD, {"red": (10, 20, 57, 57)})
    )
    referee = Referee(playing.throw(match, (5, 2)).match)
    pieces = {"red": (15, 22, 57, 57)} | dict.fromkeys(("green", "yellow", "blue"), (0, 0, 0, 0))
    for t in (1.0, 1.2):
        referee = referee.handle(Seen(t, Sighting(pieces))).referee
    response = referee.handle(ThrowMade(1.25, (3, 2)))
    lines = [ruling_line(timed, BOARD, CHATTY) for timed in response.rulings]
    assert [line["ruling"] for line in told_lines(response, lines, BOARD, CHATTY)] == [
        "legal",
        "throw",
        "pass",
    ]


def test_a_throw_for_start_is_read_out_once():
    start = begin(load_setting("br4006"))
    assert told(start, ThrowMade(1.0, (5, 4)), CHATTY) == [("throw_off", "Red throws 9 for start.")]


def test_the_display_does_not_nag_where_quiet_was_asked_for():
    position = position_from(BOARD, {"red": (16, 16, 0, 0), "blue": (28, 57, 57, 57)})
    needle = playing.throw(begin(load_setting("br4006"), to_play="blue", position=position), (6, 3)).match
    needle = Referee(playing.throw(playing.call(needle, Call("challenge")).match, (6, 1)).match)
    assert page(needle, QUIET) == Headline("BLUE", "2 of 3", "one six wanted")
    assert page(needle, CALLS) == page(needle, CHATTY) == Headline("BLUE", "2 of 3", "One six: touch wood")


@pytest.mark.parametrize("folder", RECORDINGS, ids=lambda folder: folder.name)
def test_the_rulings_are_the_same_at_every_level(folder):
    rulings, said = [], []
    for level in Loudness:
        out = io.StringIO()
        replay_recording(folder, json_lines=True, out=out, err=io.StringIO(), loudness=level)
        lines = [json.loads(line) for line in out.getvalue().splitlines()]
        said.append(sum(bool(line.pop("say")) for line in lines))
        rulings.append(lines)
    assert rulings[0] == rulings[1] == rulings[2] != []
    assert said[0] < said[1] < said[2]


def test_a_line_on_a_console_commands_it_nothing():
    line = {"t": 1.0, "ruling": "device_fault", "side": None, "say": "key '\x1b]0;x\x07\u202e' is unknown"}
    assert console_line(line).isprintable()

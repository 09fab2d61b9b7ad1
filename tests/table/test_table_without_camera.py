"""Whole matches at a table that nothing watches: each throw, call and play is asked for on the page."""

import io
import json
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest
from PIL import Image, ImageColor

from tests.patience import HANGS_S, until
from uckers_table.announce.loudness import Loudness
from uckers_table.commands.replay import replay_recording
from uckers_table.config import Config, load_config
from uckers_table.devices.base import Lost, Pressed, ThrowRead
from uckers_table.errors import ConfigError
from uckers_table.game import playing
from uckers_table.game.board import Board
from uckers_table.game.events import Awaiting
from uckers_table.game.layout import Layout
from uckers_table.game.open_calls import open_calls
from uckers_table.game.setting import SIX_COLOURS
from uckers_table.machine.messages import Invitation
from uckers_table.record.board_picture import CELL_PX, PAINT
from uckers_table.record.film import film
from uckers_table.record.library import Library
from uckers_table.table.desk import TableDesk
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import GONE_ON, SOMEBODY_ELSE, Table
from uckers_table.table.parts import build_parts, first_match
from uckers_table.table.serving import OpenPage
from uckers_table.web.commands import (
    DROPPED,
    Answer,
    Correct,
    EnterFault,
    EnterPlay,
    EnterThrow,
    LeaveMatch,
    MakeCall,
    Press,
    PutBack,
    SetLoudness,
    StartAnew,
    StartMatch,
    SwitchOff,
)

DONE = Answer(True)
CONFIG = Config(camera="none", dice="buttons", tower="none", buttons="none", display="none", voice="silent")
NOT_ASKED_FOR = {"trusted", "throw_held", "void", "illegal", "timber_shift", "check", "out_of_step"}


class Kept:
    """A view that keeps the lines it is shown."""

    def __init__(self):
        self.lines = []

    def show(self, glimpse):
        assert glimpse.picture is None
        self.lines += glimpse.rulings

    def close(self):
        pass


class Evening:
    """A table with a page and no camera, and the match as the rules alone have it."""

    def __init__(self, folder, **changes):
        self.config = replace(CONFIG, record=folder, **changes)
        self.inbox, self.view = Inbox(), Kept()
        parts = build_parts(self.config, self.inbox.post)
        self.page = OpenPage(invitation=Invitation("http://table.local:8080", "123456"))
        self.table = Table(self.config, parts, self.inbox, self.view, page=self.page)
        self.do = TableDesk(self.inbox).do
        self.match = first_match(self.config)
        self.earlier, self.called = [], set()

    def step(self, command, match):
        """Ask for something that the rules allow, which makes this of the match."""
        assert self.do(command) == DONE, command
        if match is not self.match:
            self.earlier.append(self.match)
            self.match = match

    def take_back(self):
        self.match = self.earlier.pop()
        assert self.do(Press("undo")) == DONE

    @property
    def ruled(self):
        return [line["ruling"] for line in self.view.lines]


def blobs(board):
    """How many pieces stand with others of their colour on the way: what is challenged."""
    return sum(sum(pieces.count(steps) > 1 for steps in pieces if 0 < steps < 51) for pieces in board)


def play(evening, dice, *, most=3000):
    """Play to the end, with everything that can be called now and then called, and now and then an undo."""
    for _ in range(most):
        match = evening.match
        if match.awaiting is Awaiting.OVER:
            return
        calls = open_calls(match)
        if calls and dice.random() < (0.9 if match.awaiting is Awaiting.PLAY else 0.2):
            call = dice.choice(calls)
            evening.step(MakeCall(call), playing.call(match, call).match)
            evening.called.add(call.kind)
        elif match.awaiting is Awaiting.PLAY and match.plays:
            boards = sorted(match.plays)
            board = max(boards, key=blobs) if dice.random() < 0.5 else dice.choice(boards)
            evening.step(EnterPlay(board), playing.see(match, board).match)
        elif match.awaiting is not Awaiting.THROW_OFF and dice.random() < 0.02:
            evening.step(EnterFault("cocked"), playing.fault(match, "cocked").match)
        else:
            thrown = tuple(dice.choices(range(1, 7), k=min(match.dice_wanted)))
            evening.step(EnterThrow(thrown), playing.throw(match, thrown).match)
        if dice.random() < 0.02 and evening.match.awaiting is not Awaiting.THROW_OFF:
            evening.take_back()
    raise AssertionError("the match has no end")


@pytest.fixture
def running():
    """Runs an evening's table until it is switched off, and gives its outcome."""
    with ThreadPoolExecutor(1) as thread:

        @contextmanager
        def run(evening):
            ending = thread.submit(evening.table.run)
            try:
                yield
            finally:
                evening.do(SwitchOff())
                evening.outcome = ending.result(timeout=HANGS_S)

        yield run


@pytest.mark.parametrize(
    ("rules", "players", "seed", "called"),
    [
        # Seeds with which these are called, which happens in one match of three.
        ("wafu", 4, 11, {"blowback", "suckback"}),
        ("couk_suckback", 2, 7, {"challenge"}),
    ],
)
def test_a_whole_match_is_played_on_the_page_alone(
    tmp_path, running, monkeypatch, rules, players, seed, called
):
    monkeypatch.setattr("os.fsync", lambda descriptor: None)
    evening = Evening(tmp_path, rules=rules, players=players)
    with running(evening):
        play(evening, random.Random(seed))
    assert called <= evening.called
    board = evening.match.board
    assert evening.outcome.winner == tuple(board.seats[seat] for seat in evening.match.winner) != ()
    assert evening.page.feed.latest().position == evening.match.position
    assert not NOT_ASKED_FOR & set(evening.ruled)
    assert {"legal", "won", "taken_back", "cocked"} <= set(evening.ruled)
    out = io.StringIO()
    assert replay_recording(evening.outcome.recording, json_lines=True, out=out, err=io.StringIO()) == 0
    assert [json.loads(line) for line in out.getvalue().splitlines()] == evening.view.lines


def test_of_two_who_answer_the_same_the_slower_is_told_so_and_changes_nothing(tmp_path, running):
    evening = Evening(tmp_path, to_play="red")
    with running(evening):
        moment = until(lambda: evening.page.feed.latest().moment)
        assert evening.do(EnterThrow((6, 3)), of=moment) == DONE
        assert evening.do(EnterThrow((6, 3)), of=moment) == Answer(False, SOMEBODY_ELSE)
        assert evening.do(Press("undo"), of=moment) == Answer(False, SOMEBODY_ELSE)
        # The table itself, or a button on the box, may have gone on.
        shown = until(lambda: evening.page.feed.latest().throw and evening.page.feed.latest().moment)
        assert shown != moment
        for _ in ("asked about", "yes"):
            evening.inbox.post(Pressed("undo"))
        assert evening.do(Press("done"), of=shown) == Answer(False, GONE_ON)
        # What does not depend on how the match stands is done all the same.
        assert evening.do(SetLoudness(Loudness.CALLS), of=moment) == DONE
    assert evening.ruled == ["taken_back"]


def test_of_two_who_put_the_same_back_the_slower_puts_back_nothing_else(tmp_path, running):
    evening = Evening(tmp_path, to_play="red")
    with running(evening):
        out = ((0, 0, 0, 4), *((0, 0, 0, 0),) * 3)
        for command in (EnterThrow((6, 3)), EnterPlay(out), Press("undo")):
            assert evening.do(command) == DONE
        play = until(lambda: evening.page.feed.latest().put_back)
        assert evening.do(Press("undo")) == DONE
        # The page may still show what could be put back before the second press.
        moment = until(lambda: (shown := evening.page.feed.latest()).put_back != play and shown.moment)
        assert evening.do(PutBack(), of=moment) == DONE
        assert evening.do(PutBack(), of=moment) == Answer(False, SOMEBODY_ELSE)
    assert evening.ruled == ["legal", "taken_back", "taken_back", "put_back"]


def test_who_leaves_a_match_late_leaves_no_other(tmp_path, running):
    evening = Evening(tmp_path, to_play="red")
    with running(evening):
        first = until(lambda: evening.page.feed.latest().moment)
        assert evening.do(EnterThrow((6, 3))) == DONE
        assert evening.do(LeaveMatch(), of=first) == DONE, "the match is the same, whatever was thrown"
        assert evening.do(StartMatch("br4006", to_play="red")) == DONE
        assert not evening.do(LeaveMatch(), of=first).is_done


def test_what_is_refused_is_told_whoever_pressed_as_it_is_read(tmp_path, running):
    evening = Evening(tmp_path, to_play="red")
    with running(evening):
        refused = evening.do(Press("timber_shifting"))
        read = until(lambda: evening.page.feed.latest().rulings)
    assert refused == Answer(False, "Refused: every piece stands where it should.")
    assert [(each.ruling, each.say) for each in read] == [("call_refused", refused.line)]


def test_a_challenge_that_must_be_made_is_offered_as_such(tmp_path, running):
    evening = Evening(tmp_path, rules="submariners", to_play="blue")
    stands = ((0, 0, 16, 16), (0, 0, 0, 0), (0, 0, 0, 0), (28, 56, 57, 57))
    with running(evening):
        assert evening.do(Correct(stands)) == DONE
        assert not any(call.is_forced for call in evening.page.feed.latest().calls)
        assert evening.do(EnterThrow((6, 5))) == DONE
        calls = until(lambda: evening.page.feed.latest().calls)
    assert [(each.call.kind, each.is_forced) for each in calls] == [("challenge", True)]


@pytest.mark.parametrize(
    ("command", "leaving"),
    [
        (SwitchOff(), "Switching off. The match is kept. Pull the plug when the green light is out."),
        (StartAnew(), "Starting anew. A match that is on goes on."),
    ],
    ids=["off", "anew"],
)
def test_the_page_is_told_why_the_table_ends(tmp_path, command, leaving):
    evening = Evening(tmp_path)
    with ThreadPoolExecutor(1) as thread:
        ending = thread.submit(evening.table.run)
        assert evening.do(SetLoudness(Loudness.QUIET)) == DONE
        assert evening.page.feed.latest().leaving == ""
        assert evening.do(command) == DONE
        ending.result(timeout=HANGS_S)
    assert evening.page.feed.latest().leaving == leaving


def test_a_press_that_is_come_to_too_late_is_dropped(tmp_path, running):
    evening = Evening(tmp_path, to_play="red")
    with running(evening):
        assert evening.do(EnterThrow((6, 3)), within_s=-1.0) == Answer(False, DROPPED)
        assert evening.do(EnterThrow((6, 5)), within_s=HANGS_S) == DONE
        until(lambda: evening.page.feed.latest().throw == (6, 5))


def test_a_match_on_six_arms_is_played_on_the_page_and_filmed(tmp_path, running, monkeypatch):
    monkeypatch.setattr("os.fsync", lambda descriptor: None)
    options = {"arm_length": 3, "doorstep_position": "arm_end"}
    evening = Evening(tmp_path, rules="wiki", options=options, seats=SIX_COLOURS, players=6)
    board = evening.match.board
    with running(evening):
        play(evening, random.Random(5))
    shown = evening.page.feed.latest()
    assert (shown.board, len(evening.outcome.winner)) == (Board(SIX_COLOURS, 3, True), 2)
    assert shown.differs == (
        "The board has six arms.",
        "Its arms are three squares long.",
        "The doorsteps lie at the end of the arms.",
    )
    with Image.open(io.BytesIO(film(Library(tmp_path).match(evening.outcome.match_id)))) as moving:
        moving.seek(moving.n_frames - 1)
        last = moving.convert("RGB")
    # A piece of each colour that has won lies in its part of home, its letter above and below it.
    layout = Layout(board)
    for colour in evening.outcome.winner:
        place = layout.place(board.seat(colour), board.home)
        x = (place.x + layout.size[0] / 2) * CELL_PX
        y = (place.y + layout.size[1] / 2) * CELL_PX - 0.35 * CELL_PX
        assert last.getpixel((round(x), round(y))) == pytest.approx(ImageColor.getrgb(PAINT[colour]), abs=12)


def test_a_play_told_is_ruled_and_nothing_else_is_said_of_it(tmp_path, running):
    evening = Evening(tmp_path, to_play="red")
    out = ((4, 0, 0, 0), *((0, 0, 0, 0),) * 3)
    with running(evening):
        assert evening.do(EnterThrow((6, 3))) == DONE
        refused = evening.do(EnterPlay(((3, 0, 0, 0), *((0, 0, 0, 0),) * 3)))
        assert evening.do(EnterPlay(tuple(tuple(sorted(each)) for each in out))) == DONE
    assert (refused.is_done, "no throw in hand allows that play" in refused.line) == (False, True)
    assert evening.ruled == ["legal"]


def test_dice_may_come_before_the_play_is_told_but_are_not_entered_twice(tmp_path, running):
    evening = Evening(tmp_path, dice="tower", to_play="red")
    out = tuple(tuple(sorted(each)) for each in ((4, 0, 0, 0), *((0, 0, 0, 0),) * 3))
    with running(evening):
        assert evening.do(EnterThrow((6, 3))) == DONE
        refused = evening.do(EnterThrow((6, 3)))
        evening.inbox.post(ThrowRead((2, 1)))
        assert evening.do(EnterPlay(out)) == DONE
    assert refused == Answer(False, "red has 6 and 3 in hand: enter the play first")
    assert evening.ruled == ["legal"]
    assert evening.page.feed.latest().throw == (2, 1)


def test_a_tower_that_is_lost_leaves_the_dice_to_people(tmp_path, running):
    evening = Evening(tmp_path, dice="tower", to_play="red")
    with running(evening):
        evening.inbox.post(Lost("tower", "no cable"))
        for button in ("cocked_dropped", "timber_shifting", "accept"):
            evening.inbox.post(Pressed(button))
    assert [line["say"] for line in evening.view.lines] == ["Tower lost. Tell me the dice."]
    assert evening.page.feed.latest().throw == (6, 3)


def test_other_seats_can_be_played_where_no_camera_has_learned_them(tmp_path, running):
    evening = Evening(tmp_path)
    seats = ("blue", "yellow", "black", "red")
    with running(evening):
        for command in (LeaveMatch(), StartMatch("br4006", seats=seats, to_play="yellow")):
            assert evening.do(command) == DONE
    assert evening.page.feed.latest().board.seats == seats
    assert evening.page.feed.latest().to_play == 1


@pytest.mark.parametrize(
    ("text", "dice"),
    [("", "tower"), ('tower = "none"', "buttons"), ('dice = "buttons"', "buttons")],
)
def test_a_table_without_a_camera_needs_no_profile(tmp_path, text, dice):
    path = tmp_path / "table.toml"
    path.write_text(f'camera = "none"\n{text}')
    assert (load_config(path).dice, load_config(path).table) == (dice, None)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("page_port = 0", "'page_port' is 0"),
        ('dice = "camera"', "'dice' is 'camera', but 'camera' is 'none'"),
        ('dice = "both"', "'dice' is 'both', but 'camera' is 'none'"),
    ],
)
def test_what_nobody_could_tell_the_referee_is_refused(tmp_path, text, named):
    path = tmp_path / "table.toml"
    path.write_text(f'camera = "none"\n{text}')
    with pytest.raises(ConfigError, match=named):
        load_config(path)

"""What people do at a simulated table that the referee has to live with, each habit alone."""

import math
import random
from dataclasses import fields
from itertools import groupby, pairwise

import pytest

from uckers_table.errors import InputError
from uckers_table.game.board import BASE, Board, Plan
from uckers_table.game.events import Awaiting
from uckers_table.game.match import new_match
from uckers_table.game.rules import load_rules
from uckers_table.game.ruling import Kind, moves_between
from uckers_table.simulator import players
from uckers_table.simulator.cheats import LATE_SWAP
from uckers_table.simulator.hands import TableTop
from uckers_table.simulator.interfaces import Unpainted
from uckers_table.simulator.manners import HABITS, ORDINARY, Manners, habits, with_habits
from uckers_table.simulator.placing import PlacedPieces
from uckers_table.simulator.world import SimulatedTable

PLAN = Plan()
MOST_FRAMES = 30_000


class Table(SimulatedTable):
    """A table whose people are told of each cheat two seconds after it, and what buttons they press."""

    def __init__(self, seed=2, cheats=0, said="Illegal. Red moved 7.", **shares):
        self.pressed, self._told = [], 0
        match = new_match(load_rules("br4006"), Board())
        manners = with_habits(ORDINARY, shares)
        press = self.pressed.append
        super().__init__(match, Unpainted(Plan()), None, press, seed=seed, cheats=cheats, manners=manners)
        self.scenes = []
        for _ in range(MOST_FRAMES):
            if (frame := self.advance()) is None:
                break
            self.scenes.append((frame.t, self.scene))
            cheated = [entry.t for entry in self.log if entry.what == "cheat"]
            if len(cheated) > self._told and frame.t > cheated[-1] + 2.0:
                self._told += 1
                self.hear(said)

    @property
    def called(self):
        """What they have called."""
        return [entry.kind for entry in self.log if entry.what == "call"]

    def after(self, *whats):
        """The entries that follow each cheat, of these kinds."""
        entries = [entry for entry in self.log if entry.what in ("cheat", *whats)]
        return [then.what for cheat, then in pairwise(entries) if cheat.what == "cheat"]


class AskedTable(Table):
    """A table that is asked every eight seconds, whatever is played."""

    questions, asks = 0, "Check square 7."

    def advance(self):
        if self.now() >= 8.0 * self.questions:
            self.questions += 1
            self.hear(self.asks)
        return super().advance()


def test_every_habit_is_a_share_that_nobody_has_unless_told():
    known = {field.name: field.default for field in fields(Manners)}
    assert {name: known[name] for name in HABITS} == dict.fromkeys(HABITS, 0.0)


def test_habits_are_told_by_name_and_share():
    assert habits("says_undo=0.2,kicks=1") == {"says_undo": 0.2, "kicks": 1.0}
    assert habits("all=0,kicks=0.01") == {**dict.fromkeys(HABITS, 0.0), "kicks": 0.01}
    assert with_habits(ORDINARY, habits("deaf=1")).deaf == 1.0


@pytest.mark.parametrize(
    "text", ["", "kicks", "kicks=", "kicks=2", "kicks=-1", "kicks=nan", "pace=0.5", "a=1,"]
)
def test_habits_that_make_no_sense_get_one_line(text):
    with pytest.raises(InputError, match="--people list prints the habits") as told:
        habits(text)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(("habit", "button"), [("says_undo", "undo"), ("says_done", "done")])
def test_buttons_are_pressed_without_need(habit, button):
    table, usual = Table(**{habit: 1.0}), Table()
    plays = sum(entry.what == "play" for entry in table.log)
    assert table.pressed.count(button) == plays > 50
    assert usual.pressed.count(button) == 0


def test_the_deaf_press_neither_undo_nor_done():
    table = Table(deaf=1.0, says_undo=1.0, says_done=1.0, leaves_it=1.0, cheats=4, said="Check square 7.")
    assert not {"undo", "done"} & {*table.pressed}
    assert table.match.awaiting is Awaiting.OVER


def test_a_board_that_is_kicked_is_put_back_as_it_stood():
    table = Table(kicks=0.5)
    kicked = [k for k, entry in enumerate(table.log) if entry.what == "kicked" and k]
    assert len(kicked) > 20
    slid = 0
    for k in kicked:
        before, after = table.log[k - 1].position, table.log[k + 1]
        moves = moves_between(before, table.log[k].position)
        assert len(moves) <= 4 and all(abs(move.end - move.start) <= 2 * 4 for move in moves)
        slid += bool(moves)
        assert after.what == "put_right"
    assert slid > len(kicked) / 2
    assert table.match.awaiting is Awaiting.OVER


def test_people_who_play_on_leave_what_was_called():
    table = Table(plays_on=1.0, cheats=6)
    assert table.after("called") == ["called"] * 6
    assert table.after("put_right", "play", "throw") == ["throw"] * 6
    assert set(Table(cheats=6).after("put_right", "play", "throw")) <= {"put_right", "play"}


def test_a_piece_that_is_put_back_wrong_stands_so_for_seconds():
    table = Table(puts_back_wrong=1.0, cheats=8)
    slips = [k for k, entry in enumerate(table.log) if entry.what == "slip"]
    assert slips
    for k in slips:
        then = next(entry for entry in table.log[k + 1 :] if entry.what == "put_right")
        moves = moves_between(table.log[k].position, then.position)
        assert [abs(move.end - move.start) for move in moves] == [1]
        assert 2.0 <= then.t - table.log[k].t <= 12.0


def test_whoever_changes_his_mind_has_made_another_legal_play_first():
    table = Table(changes_mind=0.5)
    first = [k for k, entry in enumerate(table.log) if entry.what == "first_thought"]
    assert len(first) > 20
    for k in first:
        thought, play = table.log[k : k + 2]
        assert play.what == "play" and thought.position != play.position
        assert 1.5 <= play.t - thought.t <= 12.0
        assert table.log[k - 1].what in ("throw", "call", "play", "void")
    # Each throw that is played has one play on record, the last one.
    assert table.match.awaiting is Awaiting.OVER
    assert table.log[-1].position == table.match.position


def test_a_late_swap_changes_the_last_play_for_another_when_the_next_dice_lie():
    table = Table(swaps_late=0.3)
    swaps = [k for k, entry in enumerate(table.log) if entry.what == "cheat"]
    assert len(swaps) > 10
    assert {planted.kind for planted in table.planted} == {LATE_SWAP}
    for k, planted in zip(swaps, table.planted, strict=True):
        before = [entry.what for entry in table.log[:k] if entry.what in ("play", "throw")]
        assert before[-1] == "throw" and "play" in before
        assert planted.ruling.kind is Kind.TIMBER_SHIFT
        # Whoever swaps takes a piece back and plays others: all of his side.
        assert len({move.seat % 2 for move in planted.ruling.moves}) == 1
    assert table.match.awaiting is Awaiting.OVER


def test_a_late_swap_that_stands_is_played_on_from():
    table = Table(swaps_late=0.3, said="A fine evening.")
    assert set(table.after("stood", "called", "asked")) == {"stood"}
    assert {"play"} <= set(table.after("play", "void", "put_right", "cheat")) <= {"play", "cheat"}


def test_a_throw_too_many_is_the_next_sides_and_theirs_is_void():
    table = Table(throws_again=1.0)
    voids = [k for k, entry in enumerate(table.log) if entry.what == "void"]
    assert len(voids) > 20
    assert all([entry.what for entry in table.log[k - 2 : k]] == ["throw", "throw"] for k in voids)
    assert not [entry for entry in Table().log if entry.what == "void"]


@pytest.mark.parametrize(("asks", "button"), [("Check square 7.", "done"), ("Illegal. Red moved 7.", "undo")])
def test_who_throws_on_leaves_questions_and_accusations_unanswered(monkeypatch, asks, button):
    monkeypatch.setattr(AskedTable, "asks", asks)
    assert button in AskedTable().pressed
    assert button not in AskedTable(throws_on=1.0).pressed


def test_a_call_is_made_over_an_open_question(monkeypatch):
    """By people who otherwise never stand up for a finish."""
    monkeypatch.setattr(players, "DARING", 0.0)
    over, usual = AskedTable(calls_over=1.0), AskedTable()
    assert "stand_up_finish" in over.called
    assert "stand_up_finish" not in usual.called
    assert over.match.awaiting is Awaiting.OVER


def test_a_call_is_made_before_a_called_cheat_is_put_right():
    for share, follows in ((0.0, {"put_right", "play"}), (1.0, {"call", "put_right", "play"})):
        entries = [e for seed in range(3) for e in Table(seed, cheats=30, calls_over=share).log]
        then = [b.what for a, b in pairwise(e for e in entries if e.what != "heard") if a.what == "called"]
        assert set(then) == follows


@pytest.mark.parametrize("habit", ["leans_over", "dark"])
def test_play_goes_on_while_nobody_sees_the_board(habit):
    table = Table(**{habit: 0.1})
    spans = [entry.t for entry in table.log if entry.what == habit]
    assert len(spans) > 5
    for start in spans:
        unseen = [scene for t, scene in table.scenes if start < t <= start + 8.0]
        assert all(scene.is_dark if habit == "dark" else scene.hands for scene in unseen)
    played = [e for e in table.log if e.what == "play" and any(0 < e.t - start < 20 for start in spans)]
    assert len(played) > len(spans) / 2
    assert not any(scene.is_dark for _, scene in Table().scenes)


def test_a_piece_is_put_across_a_line_in_two_plays_running():
    rng = random.Random(5)
    placed = PlacedPieces(PLAN, [Unpainted(PLAN).spots(seat) for seat in range(4)], rng)
    top = TableTop(placed, rng, across_twice=0.2)
    lines = []
    for steps in range(2, 50):
        stand = ((0, 0, 0, steps), *[(0, 0, 0, 0)] * 3)
        assert list(top.put_as(stand, 0))
        (x_mm, y_mm) = next((p.x_mm, p.y_mm) for p in placed.pieces if p.steps)
        middle = PLAN.centre_mm(PLAN.cell(0, steps))
        lines.append(math.dist(middle, (x_mm, y_mm)) > 15.0)
    assert 4 < sum(lines) < 44
    runs = [len(list(run)) for is_across, run in groupby(lines) if is_across]
    assert min(runs[:-1]) >= 2


@pytest.mark.parametrize("habit", ["leaves_knocked", "wrong_base"])
def test_a_piece_knocked_off_lies_elsewhere_until_it_is_put_into_base(habit):
    table, spans, since = Table(**{habit: 1.0}), [], {}
    for t, scene in table.scenes:
        in_base = [p for p in scene.pieces if p.steps == BASE and PLAN.base_of(_cell(p)) == p.seat]
        away = {p.grain for p in scene.pieces if p.steps == BASE} - {p.grain for p in in_base}
        if habit == "leaves_knocked":
            away = set(range(16)) - {p.grain for p in scene.pieces} if not scene.hands else {*since}
        for grain in away - since.keys():
            since[grain] = t
        for grain in since.keys() - away:
            spans.append(t - since.pop(grain))
    assert len(spans) > 3
    assert max(spans) > 20.0
    assert table.match.awaiting is Awaiting.OVER


def _cell(piece):
    return PLAN.cell_at(piece.x_mm, piece.y_mm)

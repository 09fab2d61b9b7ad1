"""What people do at a simulated table that the referee has to live with, each habit alone."""

from dataclasses import fields
from itertools import pairwise

import pytest

from uckers_table.errors import InputError
from uckers_table.game.board import Board, Plan
from uckers_table.game.events import Awaiting
from uckers_table.game.match import new_match
from uckers_table.game.rules import load_rules
from uckers_table.game.ruling import moves_between
from uckers_table.simulator.interfaces import Unpainted
from uckers_table.simulator.manners import HABITS, ORDINARY, Manners, habits, with_habits
from uckers_table.simulator.world import SimulatedTable

MOST_FRAMES = 30_000


class Table(SimulatedTable):
    """A table whose people are told of each cheat two seconds after it, and what buttons they press."""

    def __init__(self, seed=2, cheats=0, said="Illegal. Red moved 7.", **shares):
        self.pressed, self._told = [], 0
        match = new_match(load_rules("br4006"), Board())
        manners = with_habits(ORDINARY, shares)
        press = self.pressed.append
        super().__init__(match, Unpainted(Plan()), None, press, seed=seed, cheats=cheats, manners=manners)
        for _ in range(MOST_FRAMES):
            if (frame := self.advance()) is None:
                break
            cheated = [entry.t for entry in self.log if entry.what == "cheat"]
            if len(cheated) > self._told and frame.t > cheated[-1] + 2.0:
                self._told += 1
                self.hear(said)

    def after(self, *whats):
        """The entries that follow each cheat, of these kinds."""
        entries = [entry for entry in self.log if entry.what in ("cheat", *whats)]
        return [then.what for cheat, then in pairwise(entries) if cheat.what == "cheat"]


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

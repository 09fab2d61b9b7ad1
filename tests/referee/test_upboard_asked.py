"""The board tipped up: all pieces gone at once, or the board away, is asked about and accuses nobody."""

import pytest

from uckers_table.announce.pages import page
from uckers_table.game.match import Awaiting, begin
from uckers_table.game.position import position_from
from uckers_table.game.setting import load_setting
from uckers_table.referee.events import ButtonPressed, Due, Seen, ThrowMade
from uckers_table.referee.referee import Referee
from uckers_table.sighting import Sighting

SETTING = load_setting("br4006")
PIECES = {"red": [0, 0, 0, 5], "green": [0, 0, 30, 57], "yellow": [0] * 4, "blue": [0] * 4}
NOTHING = dict.fromkeys(PIECES, ())
AWAY = {"trouble": ("board_not_found",), "confidence": 0.0}


class Table:
    """A match in which green is to throw, and a camera that shows what it is told to."""

    def __init__(self, pieces=PIECES):
        self.pieces = {colour: tuple(steps) for colour, steps in pieces.items()}
        position = position_from(SETTING.board, pieces)
        self.referee = Referee(begin(SETTING, to_play="green", position=position))
        self.t, self.heard = 0.0, []
        self.watch(1.2, self.pieces)

    def take(self, event):
        response = self.referee.handle(event)
        self.referee, self.heard = response.referee, [*self.heard, *response.rulings]
        return self

    def watch(self, seconds, pieces, **seen):
        for _ in range(round(seconds / 0.3)):
            self.t = round(self.t + 0.3, 3)
            self.take(Seen(self.t, Sighting(pieces, **seen)))
        return self

    def press(self, name):
        return self.take(ButtonPressed(self.t, name))

    @property
    def kinds(self):
        return [timed.ruling.kind.value for timed in self.heard]


@pytest.mark.parametrize("button", ["done", "accept"])
def test_all_pieces_gone_at_once_may_be_an_upboard(button):
    table = Table().watch(6.0, NOTHING)
    assert table.kinds == ["upboard_asked"]
    assert page(table.referee).title == "UPBOARD?"
    table.press(button)
    assert table.kinds == ["upboard_asked", "upboard"]
    assert (table.heard[1].awaiting, table.heard[1].ruling.winner) == (Awaiting.OVER, (0, 2))


def test_pieces_that_come_back_answer_that_it_was_none():
    table = Table().watch(6.0, NOTHING)
    table.watch(3.0, table.pieces).press("done")
    assert (table.kinds, table.referee.open_point) == (["upboard_asked"], None)


def test_a_board_that_is_away_may_be_an_upboard():
    table = Table().watch(9.0, NOTHING, **AWAY)
    assert table.kinds == ["cannot_see", "upboard_asked"]
    assert page(table.referee).title == "UPBOARD?"
    assert table.press("done").kinds == ["cannot_see", "upboard_asked", "upboard"]


def test_it_falls_due_though_the_camera_sends_no_more():
    table = Table().watch(0.6, NOTHING, **AWAY)
    assert table.take(Due(table.t + 7.0)).kinds == ["cannot_see", "upboard_asked"]


def test_a_kicked_camera_or_a_cap_on_it_is_none():
    table = Table().watch(4.5, NOTHING, **AWAY)
    assert table.watch(3.0, table.pieces).kinds == ["cannot_see", "sees_again"]
    assert Table().watch(20.0, NOTHING, trouble=("too_dark",), confidence=0.0).kinds == ["cannot_see"]


def test_nothing_is_tipped_before_anything_is_in_play():
    assert Table(dict.fromkeys(PIECES, [0] * 4)).watch(9.0, NOTHING, **AWAY).kinds == ["cannot_see"]


def test_one_piece_gone_is_asked_about_by_its_place():
    table = Table(PIECES | {"green": [0, 0, 0, 57]}).watch(6.0, NOTHING)
    assert table.kinds == ["check"]


def test_throwing_on_does_not_answer_that_it_was_one():
    table = Table().watch(6.0, NOTHING)
    table.t += 0.1
    table.take(ThrowMade(table.t, (5, 4)))
    assert "upboard" not in table.kinds
    assert table.referee.match.awaiting is not Awaiting.OVER

"""Where players call timber shifting the referee notes it, and tells when they do (A75, WIKI oth2)."""

from uckers_table.announce.lines import ruling_line
from uckers_table.game.match import begin
from uckers_table.game.position import position_from
from uckers_table.game.setting import load_setting
from uckers_table.referee.events import ButtonPressed, Seen, ThrowMade
from uckers_table.referee.referee import Referee
from uckers_table.sighting import Sighting

SHIFTED = {"green": [0, 0, 0, 9]}
STEP_S = 0.3


class Mess:
    """A table where red is to throw, with a piece of red's and one of green's out, and a referee."""

    def __init__(self, caller="players"):
        setting = load_setting("wiki", {"timber_caller": caller})
        self.board = setting.board
        self.pieces = {"red": [0, 0, 0, 5], "green": [0, 0, 0, 7], "yellow": [0] * 4, "blue": [0] * 4}
        self.referee = Referee(begin(setting, to_play="red", position=position_from(self.board, self.pieces)))
        self.t, self.heard = 0.0, []
        self.watch(1.2)

    def take(self, event):
        response = self.referee.handle(event)
        self.referee, self.heard = response.referee, [*self.heard, *response.rulings]
        return self

    def watch(self, seconds, **pieces):
        self.pieces |= pieces
        for _ in range(round(seconds / STEP_S)):
            self.t = round(self.t + STEP_S, 3)
            self.take(Seen(self.t, Sighting({c: tuple(sorted(s)) for c, s in self.pieces.items()})))
        return self

    def tell(self, event):
        self.t = round(self.t + 0.1, 3)
        return self.take(event(self.t))

    @property
    def kinds(self):
        return [timed.ruling.kind.value for timed in self.heard]


def shifted(caller="players"):
    """A green piece has walked two squares on."""
    return Mess(caller).watch(6.0, **SHIFTED)


def press(table, name):
    return table.tell(lambda t: ButtonPressed(t, name))


def lines(table):
    return [ruling_line(timed, table.board) for timed in table.heard]


def test_a_shift_is_told_when_the_button_is_pressed_and_dated_to_when_it_was_noted():
    at_once = shifted("referee")
    table = shifted()
    assert (at_once.kinds, table.kinds) == (["timber_shift"], [])
    assert table.referee.open_point is None
    press(table, "timber_shifting")
    assert lines(table) == lines(at_once)
    assert table.heard[0].t < table.t - 2.0
    assert table.referee.open_point == table.heard[0].ruling


def test_it_is_told_once_and_put_right_with_thanks():
    table = press(press(shifted(), "timber_shifting"), "timber_shifting").watch(1.5, green=[0, 0, 0, 7])
    assert table.kinds == ["timber_shift", "call_refused", "put_right"]


def test_nobody_is_thanked_for_what_nobody_called():
    table = press(shifted().watch(1.5, green=[0, 0, 0, 7]), "timber_shifting")
    assert table.kinds == ["call_refused"]


def test_uncalled_it_stands_after_the_next_throw_and_nobody_is_told():
    table = shifted().tell(lambda t: ThrowMade(t, (2, 1)))
    assert table.kinds == ["stood"]
    assert lines(table)[0]["say"] == ""
    assert lines(table)[0]["position"]["green"] == [0, 0, 0, 9]
    assert press(table, "timber_shifting").kinds == ["stood", "call_refused"]


def test_called_it_stands_aloud():
    table = press(shifted(), "timber_shifting").tell(lambda t: ThrowMade(t, (2, 1)))
    assert [line["say"] for line in lines(table)][1:] == ["The board stands as it is."]


def test_a_shift_called_before_it_was_noted_is_told_at_once():
    table = Mess().watch(3.0, **SHIFTED)
    assert press(table, "timber_shifting").kinds == ["timber_shift"]


def test_an_illegal_play_is_called_by_the_referee_all_the_same():
    table = Mess().tell(lambda t: ThrowMade(t, (2, 1))).watch(5.0, red=[0, 0, 0, 9])
    assert table.kinds == ["illegal"]


def test_what_is_taken_back_says_whose_throw_it_is_or_what_is_in_hand():
    table = Mess().tell(lambda t: ThrowMade(t, (2, 1))).watch(1.5, red=[0, 0, 0, 8])
    table.tell(lambda t: ThrowMade(t, (6, 5)))
    press(press(table, "undo"), "undo")
    assert [line["say"] for line in lines(table)][-2:] == [
        "My mistake. Taken back. Green to throw.",
        "My mistake. Taken back. Red has 2 and 1 in hand.",
    ]

"""Where players call timber shifting the referee notes it, and tells when they do (A75, WIKI oth2)."""

from tests.referee.scripted import Table, setting_of
from uckers_table.announce.lines import ruling_line


def mess(caller="players"):
    """A table where red is to throw, with a piece of red's and one of green's out."""
    setting = setting_of("wiki", (("timber_caller", caller),))
    return Table(setting=setting, every=0.3, red=[0, 0, 0, 5], green=[0, 0, 0, 7])


def shifted(caller="players"):
    """A green piece has walked two squares on."""
    return mess(caller).hand(0.9, green=[0, 0, 0, 9]).see(6.0)


def lines(table):
    return [ruling_line(timed, table.board) for timed in table.ruled]


def test_a_shift_is_told_when_the_button_is_pressed_and_dated_to_when_it_was_noted():
    at_once = shifted("referee")
    table = shifted()
    assert (at_once.kinds, table.kinds) == (["timber_shift"], [])
    assert table.referee.open_point is None
    table.press("timber_shifting")
    assert lines(table) == lines(at_once)
    assert table.ruled[0].t < table.t - 2.0
    assert table.referee.open_point == table.ruled[0].ruling


def test_it_is_told_once_and_put_right_with_thanks():
    table = shifted().press("timber_shifting").press("timber_shifting").hand(0.9, green=[0, 0, 0, 7]).see(1.5)
    assert table.kinds == ["timber_shift", "call_refused", "put_right"]


def test_nobody_is_thanked_for_what_nobody_called():
    table = shifted().hand(0.9, green=[0, 0, 0, 7]).see(1.5).press("timber_shifting")
    assert table.kinds == ["call_refused"]


def test_uncalled_it_stands_after_the_next_throw_and_nobody_is_told():
    table = shifted().throw(2, 1)
    assert table.kinds == ["stood"]
    assert lines(table)[0]["say"] == ""
    assert lines(table)[0]["position"]["green"] == [0, 0, 0, 9]
    assert table.press("timber_shifting").kinds == ["stood", "call_refused"]


def test_called_it_stands_aloud():
    table = shifted().press("timber_shifting").throw(2, 1)
    assert [line["say"] for line in lines(table)][1:] == ["The board stands as it is."]


def test_a_shift_called_before_it_was_noted_is_told_at_once():
    table = mess().hand(0.9, green=[0, 0, 0, 9]).see(3.0)
    assert table.press("timber_shifting").kinds == ["timber_shift"]


def test_an_illegal_play_is_called_by_the_referee_all_the_same():
    table = mess().throw(2, 1).move(red=[0, 0, 0, 9]).see(5.1)
    assert table.kinds == ["illegal"]


def test_what_is_taken_back_says_whose_throw_it_is_or_what_is_in_hand():
    table = mess().throw(2, 1).move(red=[0, 0, 0, 8]).see(1.5)
    table.throw(6, 5).press("undo").press("undo")
    assert [line["full"] for line in lines(table)][-2:] == [
        "Taken back: red's play, 2 and 1. Red has 2 and 1 in hand. Green keeps 6 and 5.",
        "Refused: there is nothing to take back.",
    ]

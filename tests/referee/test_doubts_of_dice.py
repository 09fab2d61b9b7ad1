"""What the referee remembers of dice that the camera saw, and doubts that are put into it by hand."""

from dataclasses import replace

from tests.referee.scripted import PLACES_MM, Table, die, setting_of
from uckers_table.referee.stillness import Flicker

HERE, THERE, FAR, BESIDE = PLACES_MM.values()


def dice_table(**setup):
    """A table whose camera reads the dice."""
    return Table(dice_from="camera", every=0.3, **setup)


def without_guesses(table):
    """The same table with no guesses: only so many are kept, and the right one may be among the others."""
    table.referee = replace(table.referee, guesses=())
    return table


def test_a_throw_counts_from_when_its_dice_lay_still():
    table = dice_table(red=[0, 0, 0, 5])
    began = table.t
    table.lie(die(2), die(1, THERE)).see(6.0)
    assert table.taken == [(2, 1)]
    assert table.referee.dice.since == began + 0.3


def test_a_reader_that_flickers_calls_no_die_turned_but_asks():
    table = dice_table(red=[0, 0, 0, 5]).lie(die(2), die(1, THERE)).see(6.0)
    table.referee = replace(table.referee, flicker=Flicker(0.3, 400))
    table.hand(0.6).lie(die(3), die(1, THERE)).see(4.2)
    assert (table.kinds, table.said) == (["check"], ["Check the dice."])


def test_the_turn_is_the_cameras_word_alone_though_a_shift_was_let_stand():
    """Green's throw is not seen. Blue's piece is shifted, and left where it is."""
    table = dice_table(setting=setting_of("masters_ludo"), blue=[0, 0, 0, 20]).hand(0.9)
    table.lie(die(2)).see(1.5).hand(0.9, blue=[0, 0, 0, 23]).see(4.2)
    assert table.kinds == ["pass", "timber_shift"]
    without_guesses(table.hand(0.9).lie(die(6, THERE)).see(1.5)).hand(0.9, yellow=[0, 0, 0, 1]).see(4.2)
    assert table.kinds[2:] == ["stood", "check"]


def test_dice_nobody_could_play_may_be_the_next_sides_after_an_unread_throw():
    """Green throws, and nobody can read it. Then yellow throws, and plays."""
    table = dice_table(yellow=[20, 0, 0, 0]).lie(die(2), die(1, THERE)).see(4.2)
    table.hand(0.9).lie(die(4, FAR)).see(0.3).hand(0.6).lie(die(5, FAR), die(4, BESIDE)).see(4.2)
    assert table.kinds == ["pass", "pass"]
    without_guesses(table).hand(0.9, yellow=[29, 0, 0, 0]).lie().see(4.2)
    assert table.kinds[2:] == ["check"]


def test_dice_that_came_and_went_unread_may_have_been_thrown():
    table = dice_table(red=[0, 0, 0, 5]).lie(die(2), die(1, THERE)).see(1.5).move(red=[0, 0, 0, 8]).see(1.5)
    assert (table.taken, table.kinds) == ([(2, 1)], ["legal"])
    assert not table.hand(0.6).lie().see(0.9).referee.dice.was_missed
    assert table.lie(die(4, FAR)).see(0.3).lie().hand(0.6).referee.dice.was_missed
    table.lie(die(6), die(5, FAR)).see(1.5).hand(0.6, green=[6, 0, 0, 0]).see(1.5)
    assert (table.kinds[-1], table.referee.dice.was_missed) == ("legal", False)


def test_dice_read_in_two_ways_accuse_nobody_once_the_board_caught_up():
    """Green's piece stands still where a ruling took it from, when the dice are read."""
    table = dice_table(setting=setting_of("couk"), green=[0, 0, 0, 5], red=[0, 0, 0, 20])
    behind = (table.match.position[0], (0, 0, 0, 9), *table.match.position[2:])
    table.referee = replace(table.referee, match=replace(table.match, behind=behind))
    table.lie(die(6), die(4, THERE)).see(1.5, green=[0, 0, 0, 9])
    table.lie(die(1), die(4, THERE)).see(1.2, green=[0, 0, 0, 9])
    table.hand(0.6).see(1.2).hand(0.6, red=[0, 0, 0, 25]).see(4.2)
    assert "illegal" not in table.kinds

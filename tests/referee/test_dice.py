"""What the referee remembers of dice that the camera saw."""

from tests.referee.scripted import PLACES_MM, Table, die

HERE, THERE, FAR, _ = PLACES_MM.values()


def dice_table(**setup):
    """A table whose camera reads the dice."""
    return Table(dice_from="camera", every=0.3, **setup)


def test_a_throw_counts_from_when_its_dice_lay_still():
    table = dice_table(red=[0, 0, 0, 5])
    began = table.t
    table.lie(die(2), die(1, THERE)).see(6.0)
    assert table.taken == [(2, 1)]
    assert table.referee.dice.now.since == began + 0.3


def test_dice_that_came_and_went_unread_may_have_been_thrown():
    table = dice_table(red=[0, 0, 0, 5]).lie(die(2), die(1, THERE)).see(1.5).hand(0.6, red=[0, 0, 0, 8])
    assert (table.see(1.5).taken, table.kinds) == ([(2, 1)], ["legal"])
    assert not table.hand(0.6).lie().see(0.9).referee.dice.was_missed
    assert table.lie(die(4, FAR)).see(0.3).lie().hand(0.6).referee.dice.was_missed
    table.lie(die(6), die(5, FAR)).see(1.5).hand(0.6, green=[6, 0, 0, 0]).see(1.5)
    assert (table.kinds[-1], table.referee.dice.was_missed) == ("legal", False)

"""Out of step, the board is put right piece by piece: which pieces, and when the next is named."""

from tests.referee.scripted import BOARD, Table
from uckers_table.announce.pages import page

BASES = dict.fromkeys(BOARD.seats, (0, 0, 0, 0))
RED, GREEN, YELLOW, BLUE = range(4)


RECORD = {"red": (10, 20, 57, 57), "green": (0, 0, 0, 5), "blue": (0, 0, 23, 48)}
ASTRAY = {"red": (10, 40, 57, 57), "green": (0, 0, 0, 25), "blue": (0, 0, 43, 48)}


def out_of_step():
    """A table where a piece of each of three colours stands far from where it was left."""
    table = moved(Table(every=0.3, **RECORD), **ASTRAY)
    assert table.kinds == ["out_of_step", "put_this_right"]
    return table


def moved(table, **pieces):
    """A hand comes and moves pieces, and the board lies still."""
    return table.hand(0.9, **pieces).see(4.5)


FIRST = "Red, on blue's doorstep, belongs five short of yellow's mouth."


def test_one_piece_is_named_after_the_other_until_the_board_is_right():
    table = out_of_step()
    second, third = "Green, on blue's mouth, belongs", "Blue, "
    assert table.said[-1] == FIRST
    assert page(table.referee).sentence == f"{FIRST} Or press done."
    moved(table, red=RECORD["red"])
    assert table.said[-1].startswith(second)
    moved(table, green=RECORD["green"])
    assert table.said[-1].startswith(third)
    moved(table, blue=RECORD["blue"])
    assert table.kinds[-1] == "back_in_step"
    assert not table.referee.is_out_of_step
    assert page(table.referee).title == "RED"
    # The match goes on from the record as it was.
    moved(table.throw(5, 2), red=(15, 22, 57, 57))
    assert table.kinds[-1] == "legal"


def test_a_piece_is_named_once_though_another_is_put_right_first():
    table = moved(out_of_step(), green=RECORD["green"])
    assert table.kinds.count("put_this_right") == 1
    assert page(table.referee).sentence == f"{FIRST} Or press done."


def test_the_other_way_out_stays_open_all_the_time():
    table = moved(out_of_step(), red=RECORD["red"]).press("done")
    assert table.kinds[2:] == ["put_this_right", "trusted"]
    assert table.match.position[RED] == RECORD["red"]
    assert table.match.position[GREEN] == ASTRAY["green"]
    assert table.referee.to_put_right is None

"""Out of step, the board is put right piece by piece: which pieces, and when the next is named."""

from tests.referee.scripted import BOARD, Table
from uckers_table.announce.pages import page
from uckers_table.game.position import position_from
from uckers_table.referee.matching import Reading
from uckers_table.referee.putting_right import Misplaced, misplaced
from uckers_table.referee.rulings import NoticeKind
from uckers_table.sighting import Sighting

BASES = dict.fromkeys(BOARD.seats, (0, 0, 0, 0))
RED, GREEN, YELLOW, BLUE = range(4)


def found(record, seen, **known):
    """What does not stand as on record, when this is seen; colours left out are in base."""
    return misplaced(position_from(BOARD, BASES | record), Reading(BOARD, Sighting(BASES | seen), **known))


def test_a_board_as_on_record_has_nothing_to_put_right():
    assert found({"red": (10, 20, 57, 57)}, {"red": (10, 20, 57, 57)}) == ()


def test_each_piece_that_stands_wrong_is_named_with_where_it_belongs():
    record = {"red": (10, 20, 57, 57), "yellow": (0, 0, 30, 41)}
    seen = {"red": (12, 20, 57, 57), "yellow": (0, 5, 30, 57)}
    assert found(record, seen) == (Misplaced(RED, 12, 10), Misplaced(YELLOW, 5, 0), Misplaced(YELLOW, 57, 41))


def test_pieces_of_one_colour_are_alike_so_that_fewest_need_moving():
    # 5 and 9 became 9 and 12: one piece went seven squares, nobody else has to move.
    assert found({"red": (5, 9, 57, 57)}, {"red": (9, 12, 57, 57)}) == (Misplaced(RED, 12, 5),)


def test_a_piece_that_is_seen_nowhere_is_not_looked_for_in_base():
    assert found({"red": (0, 20, 57, 57)}, {"red": (0, 57, 57)}) == (Misplaced(RED, None, 20),)
    assert found({"red": (0, 20, 57, 57)}, {"red": (0, 0, 57, 57)}) == (Misplaced(RED, 0, 20),)


def test_pieces_swept_up_from_base_are_no_reason_to_look_for_another_elsewhere():
    record, swept_up = {"red": (0, 0, 20, 57)}, ((2, 0), (0, 0), (0, 0), (0, 0))
    assert found(record, {"red": (20, 57)}, away=swept_up) == ()
    assert found(record, {"red": (0, 57)}, away=swept_up) == (Misplaced(RED, 0, 20),)


def test_more_pieces_than_there_are_cannot_be_put_right():
    assert found({"red": (10, 0, 0, 0)}, {"red": (10, 12, 0, 0, 0)}) == ()


def out_of_step(**pieces):
    """A table where an accusation was taken back, and pieces stand otherwise than on record again."""
    table = Table(every=0.3, red=(10, 20, 57, 57), green=(0, 0, 0, 5))
    moved(moved(table, red=(12, 20, 57, 57)).press("undo"), **pieces)
    assert table.kinds[:3] == ["timber_shift", "taken_back", "out_of_step"]
    del table.ruled[:3]
    return table


def moved(table, **pieces):
    """A hand comes and moves pieces, and the board lies still."""
    return table.hand(0.9, **pieces).see(4.5)


def test_one_piece_is_named_after_the_other_until_the_board_is_right():
    table = out_of_step(red=(13, 22, 57, 57), green=(0, 0, 0, 7))
    first = "Red, one short of green's doorstep, belongs two short of green's mouth."
    second = "Red, three short of yellow's mouth, belongs five short of yellow's mouth."
    third = "Green, five short of yellow's mouth, belongs four on from green's doorstep."
    assert table.said == [first]
    assert page(table.referee).sentence == f"{first} Or press done."
    moved(table, red=(10, 22, 57, 57))
    assert table.said[1:] == [second]
    moved(table, red=(10, 20, 57, 57))
    assert table.said[2:] == [third]
    moved(table, green=(0, 0, 0, 5))
    assert table.kinds[3:] == ["back_in_step"]
    assert not table.referee.is_out_of_step
    assert page(table.referee).title == "RED"
    # The match goes on from the record as it was.
    moved(table.throw(5, 2), red=(15, 22, 57, 57))
    assert table.kinds[4:] == ["legal"]


def test_a_piece_is_named_once_though_another_is_put_right_first():
    table = moved(out_of_step(red=(13, 20, 57, 57), green=(0, 0, 0, 7)), green=(0, 0, 0, 5))
    assert table.kinds == ["put_this_right"]
    assert page(table.referee).sentence == (
        "Red, one short of green's doorstep, belongs two short of green's mouth. Or press done."
    )


def test_the_other_way_out_stays_open_all_the_time():
    table = moved(out_of_step(red=(13, 22, 57, 57)), red=(10, 22, 57, 57)).press("done")
    assert table.kinds == ["put_this_right", "put_this_right", "trusted"]
    assert table.match.position[RED] == (10, 22, 57, 57)
    assert table.referee.to_put_right is None


def test_a_board_put_right_accuses_nobody_until_a_play_agrees():
    table = moved(out_of_step(red=(13, 20, 57, 57)), red=(10, 20, 57, 57))
    moved(table, red=(14, 20, 57, 57))
    assert table.kinds == ["put_this_right", "back_in_step", "out_of_step", "put_this_right"]
    assert table.ruled[-1].ruling.kind is NoticeKind.PUT_THIS_RIGHT

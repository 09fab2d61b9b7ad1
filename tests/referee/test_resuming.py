"""A match that goes on after nobody watched for a while: the board is shown, and nobody is accused of it."""

import pytest

from tests.referee.test_referee import BOARD, Scripted
from uckers_table.announce.sentences import say
from uckers_table.game.match import Awaiting
from uckers_table.referee.events import (
    DeviceChanged,
    DiceFault,
    Resumed,
    ThrowMade,
    event_from_json,
    event_to_json,
)


class Dark(Scripted):
    """A table that can be without its referee for a while."""

    def resume(self, dice_from="tower"):
        self.t = round(self.t + 600.0, 3)
        self.take(Resumed(self.t, dice_from))
        return self

    @property
    def said(self):
        return [say(timed.ruling, BOARD) for timed in self.heard]


def test_the_match_stands_where_it_was_and_a_board_that_agrees_is_no_news():
    table = Dark(red=[10, 20, 57, 57]).resume().watch(10.0)
    assert table.said == ["Match resumed. Red to throw."]
    assert table.throw(5, 2).watch(2.0, red=[15, 22, 57, 57]).kinds == ["resumed", "legal"]


def test_what_is_in_hand_and_owed_is_said():
    table = Dark(red=[10, 20, 57, 57]).throw(6, 2).resume()
    assert table.said == ["Match resumed. Red has 6 and 2 in hand, one throw owed."]
    assert table.watch(2.0, red=[16, 22, 57, 57]).kinds == ["resumed", "legal"]


def test_pieces_that_stand_elsewhere_are_named_one_by_one_and_nobody_is_accused():
    table = Dark(red=[10, 20, 57, 57], blue=[30, 57, 57, 57]).resume()
    table.watch(6.0, red=[12, 20, 57, 57], blue=[33, 57, 57, 57])
    assert table.said[1:] == [
        "Two pieces are not where I left them. Press done to take it as it stands.",
        "To put it right, move a red piece from the eleventh square after red's doorstep to the ninth. "
        "One more after it.",
    ]
    table.watch(1.0, hand=True).watch(3.0, red=[10, 20, 57, 57])
    assert table.kinds[3:] == ["put_this_right"]
    table.watch(1.0, hand=True).watch(3.0, blue=[30, 57, 57, 57])
    assert table.kinds[4:] == ["back_in_step"]


def test_once_the_board_has_been_seen_as_it_was_left_a_shift_is_a_shift_again():
    table = Dark(red=[10, 20, 57, 57]).resume().watch(3.0)
    table.watch(1.0, hand=True).watch(4.0, red=[12, 20, 57, 57])
    assert table.kinds == ["resumed", "timber_shift"]


def test_the_board_may_be_taken_as_it_stands():
    table = Dark(red=[10, 20, 57, 57]).resume().watch(6.0, red=[12, 20, 57, 57]).press("done")
    assert table.said[1].startswith("One piece is not where I left it.")
    assert table.kinds[3:] == ["trusted"]
    assert table.position("red") == [12, 20, 57, 57]
    table.watch(2.0).watch(1.0, hand=True).watch(4.0, red=[14, 20, 57, 57])
    assert table.kinds[4:] == ["timber_shift"]


def test_who_reads_the_dice_may_be_another_than_before():
    table = Dark().take(DeviceChanged(1.0, "tower", "lost")).referee
    resumed = table.handle(Resumed(600.0, "camera")).referee
    assert (resumed.dice_from, resumed.lost, resumed.reads_dice) == ("camera", frozenset(), True)


@pytest.mark.parametrize("dice_from", ["tower", "camera", "both", "buttons"])
def test_it_is_kept_in_the_recording(dice_from):
    line = {"t": 600.0, "kind": "resumed", "dice": dice_from}
    event = event_from_json(line, BOARD, ())
    assert event == Resumed(600.0, dice_from)
    assert event_to_json(event, BOARD) == line


@pytest.mark.parametrize("dice_from", ["tower", "both"])
def test_a_throw_that_the_tower_tells_again_is_the_one_that_was_taken(dice_from):
    table = Dark(red=[10, 20, 57, 57])
    table.take(ThrowMade(2.0, (6, 2), told="3fa9c1d2/7"))
    table.resume(dice_from)
    before = table.referee.match
    table.take(ThrowMade(table.t, (6, 2), told="3fa9c1d2/7"))
    assert table.referee.match == before
    assert table.watch(3.0).kinds == ["resumed"]
    # The same dice, thrown anew for the throw that is owed, are another throw.
    table.watch(1.0, red=[16, 22, 57, 57]).resume("tower").watch(1.0)
    table.take(ThrowMade(table.t, (6, 2), told="3fa9c1d2/12"))
    assert table.referee.match.awaiting is Awaiting.PLAY


def test_a_cocked_throw_that_is_told_again_counts_once():
    table = Dark(red=[10, 20, 57, 57])
    table.take(DiceFault(2.0, "cocked", told="3fa9c1d2/7"))
    table.resume().take(DiceFault(table.t, "cocked", told="3fa9c1d2/7"))
    assert table.kinds == ["cocked", "resumed"]

"""A match goes on after nobody watched for a while: who reads the dice, and throws that are told again."""

import pytest

from tests.referee.scripted import BOARD, Table
from uckers_table.game.events import Awaiting
from uckers_table.referee.events import DeviceChanged, Resumed, event_from_json, event_to_json

TOLD = "3fa9c1d2/7"


def resumed(table, dice_from="tower"):
    """The same table ten minutes later."""
    return table.wait(600.0).tell(Resumed, dice_from)


def test_who_reads_the_dice_may_be_another_than_before():
    table = Table().tell(DeviceChanged, "tower", "lost")
    referee = resumed(table, "camera").referee
    assert (referee.dice_from, referee.lost, referee.reads_dice) == ("camera", frozenset(), True)


@pytest.mark.parametrize("dice_from", ["tower", "camera", "both", "buttons"])
def test_it_is_kept_in_the_recording(dice_from):
    line = {"t": 600.0, "kind": "resumed", "dice": dice_from}
    event = event_from_json(line, BOARD, ())
    assert event == Resumed(600.0, dice_from)
    assert event_to_json(event, BOARD) == line


@pytest.mark.parametrize("dice_from", ["tower", "both"])
def test_a_throw_that_the_tower_tells_again_is_the_one_that_was_taken(dice_from):
    table = resumed(Table(every=0.3, red=[10, 20, 57, 57]).throw(6, 2, told=TOLD), dice_from)
    before = table.match
    assert table.throw(6, 2, told=TOLD).match == before
    assert table.see(3.0).kinds == ["resumed"]
    # The same dice, thrown anew for the throw that is owed, are another throw.
    resumed(table.move(red=[16, 22, 57, 57]).see(1.2)).see(1.2).throw(6, 2, told="3fa9c1d2/12")
    assert table.match.awaiting is Awaiting.PLAY


def test_a_cocked_throw_that_is_told_again_counts_once():
    table = Table(red=[10, 20, 57, 57]).fault("cocked", told=TOLD)
    assert resumed(table).fault("cocked", told=TOLD).kinds == ["cocked", "resumed"]

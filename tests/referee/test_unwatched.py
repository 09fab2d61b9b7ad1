"""Throws that come while the camera sees nothing: kept, and judged by the board when it is seen again."""

import pytest

from tests.referee.scripted import Table
from uckers_table.referee.camera_watch import STALE_S
from uckers_table.referee.events import DeviceChanged


def red_has_thrown(**how):
    """Red has dice to play, and has not played them."""
    table = Table(red=[5, 20, 0, 0], green=[9, 0, 0, 0], **how).throw(4, 2).see(1.2)
    assert table.taken == [(4, 2)]
    return table


def lost(table):
    return table.tell(DeviceChanged, "camera", "lost")


def stalled(table):
    """No frame comes any more, and nobody has noticed."""
    return table.wait(STALE_S + 0.1)


@pytest.mark.parametrize("unseen", [stalled, lost, lambda table: lost(stalled(table))])
def test_a_throw_while_nobody_sees_is_kept_and_counts_after_the_play(unseen):
    table = unseen(red_has_thrown())
    before = table.kinds
    table.move(red=[11, 20, 0, 0]).wait(3.0).throw(3, 1)
    assert "void" not in table.kinds[len(before) :]
    if "camera" in table.referee.lost:
        table.tell(DeviceChanged, "camera", "back")
    table.see(3.2)
    assert table.taken == [(4, 2), (3, 1)]
    assert table.position("red") == [0, 0, 11, 20]
    assert not {"void", "illegal", "timber_shift"} & {*table.kinds}


def test_a_throw_kept_too_early_is_void_once_the_board_is_seen_unplayed():
    table = stalled(red_has_thrown())
    table.throw(3, 1)
    assert "void" not in table.kinds
    table.see(3.2)
    assert table.kinds[-1] == "void"
    assert table.match.thrown == (4, 2)


def test_a_throw_over_a_board_that_is_seen_unplayed_is_void_at_once():
    assert red_has_thrown().throw(3, 1).kinds[-1] == "void"


@pytest.mark.parametrize("unseen", [stalled, lost])
def test_however_many_throws_are_made_unseen_none_is_refused(unseen):
    table = unseen(red_has_thrown())
    for _ in range(12):
        table.wait(2.0).throw(3, 1)
    assert "void" not in table.kinds

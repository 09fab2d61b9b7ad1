"""Rulings that fall due by time alone."""

from tests.referee.scripted import Table
from uckers_table.referee.events import Due


def test_the_referee_names_the_time_at_which_an_accusation_falls_due():
    table = Table(every=0.3, red=[10, 20, 57, 57]).throw(5, 2)
    first_still = table.t + table.every
    table.move(red=[16, 22, 57, 57]).see(2.1)
    assert table.kinds == []
    deadline = table.referee.deadline
    assert deadline is not None
    assert 1.5 <= deadline - first_still <= 3.5
    assert [timed.t for timed in table.take(Due(deadline)).rulings] == [deadline]


def test_a_legal_play_is_ruled_in_time_though_the_frames_stop():
    table = Table(every=0.1, red=[10, 20, 57, 57]).throw(5, 2).move(red=[15, 22, 57, 57])
    began = table.t + table.every
    table.see(0.2)
    deadline = table.referee.deadline
    assert deadline is not None
    assert deadline - began <= 0.5
    table.take(Due(deadline))
    assert table.kinds == ["legal"]

"""Rulings that fall due by time alone, and what is asked just before one would."""

from tests.referee.scripted import Table, sighting_of
from uckers_table.referee.events import Due, Seen, ThrowMade


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


def test_people_who_play_on_just_as_they_are_to_be_asked_are_asked_once():
    """The board is asked about as it was read for two seconds, and not again as it is read just now."""
    table = (
        Table(red=[10, 20, 57, 57], yellow=[8, 8, 0, 0]).hand(yellow=[7, 8, 0, 0]).see(0.8, confidence=0.3)
    )
    table.throw(5, 2).hand(red=[10, 19, 57, 57]).see(2.0, confidence=0.3)
    seen = sighting_of(table.pieces | {"blue": [0, 0, 0, 4]}, confidence=0.3)
    for _ in range(2):
        table.wait(0.23).take(Seen(table.t, seen))
    # Nothing has fallen due yet.
    table.take(ThrowMade(table.t + 0.01, (2, 1)))
    assert table.kinds == ["throw_held", "check"]

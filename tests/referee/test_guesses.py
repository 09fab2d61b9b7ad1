"""What else may have happened than the record says: which guesses there are, and how many are tried."""

import pytest

from tests.referee.scripted import BOARD, Table, match_of, sighting_of
from uckers_table.announce.lines import ruling_line
from uckers_table.game import playing
from uckers_table.game.position import position_from
from uckers_table.referee.events import ThrowMade
from uckers_table.referee.guesses import firsts_unseen, fits_any, other_turns
from uckers_table.referee.matching import Reading

BASES = dict.fromkeys(BOARD.seats, (0, 0, 0, 0))


@pytest.mark.parametrize(("red", "is_innocent"), [([15, 20, 57, 57], True), ([16, 20, 57, 57], False)])
def test_half_a_play_by_a_guess_is_nobodys_fault(red, is_innocent):
    thrown = playing.throw(match_of(red=[10, 20, 57, 57]), (5, 2)).match
    assert fits_any([thrown], Reading(BOARD, sighting_of(BASES | {"red": red}))) is is_innocent


def test_one_throw_missed_or_taken_for_two_makes_it_a_neighbours_turn():
    turns = other_turns(match_of(), near=True)
    assert [each.to_play for each in turns] == [BOARD.seat(colour) for colour in ("green", "blue", "red")]


def test_a_play_that_looks_like_another_is_recorded_with_it(monkeypatch):
    def other(match, chosen, reading):
        return (playing.see(match, position_from(BOARD, {"red": [12, 25, 57, 57]}, match.position)).match,)

    def played():
        table = Table(red=[10, 20, 57, 57]).throw(5, 2).move(red=[15, 22, 57, 57]).see(1.2)
        return ruling_line(table.ruled[-1], BOARD)

    monkeypatch.setattr("uckers_table.referee.judging.plays_alike", other)
    line = played()
    assert (line["ruling"], [board["red"] for board in line["alike"]]) == ("legal", [[12, 25, 57, 57]])
    monkeypatch.undo()
    assert "alike" not in played()


def test_only_a_few_plays_are_tried_after_many_throws(monkeypatch):
    """No hand is there between the throws and another reading: to try them all would take minutes."""
    tried = []

    def firsts(match, held, reading):
        tried.append(len(held))
        return firsts_unseen(match, held, reading)

    monkeypatch.setattr("uckers_table.referee.supposing.firsts_unseen", firsts)
    table = Table(red=[10, 20, 57, 57], green=[30, 0, 0, 0]).throw(5, 2).hand().see(0.4, red=[16, 23, 57, 57])
    for _ in range(6):
        table.throw(1, 4)
    table.see(4.0, red=[17, 24, 57, 57])
    assert table.kinds[0] == "throw_held"
    assert all(number <= 3 for number in tried)


def test_a_long_search_reckons_hardly_more_than_the_likely_boards(monkeypatch):
    """Three throws lead to 25,000 boards. Nearly all differ from what is seen where nothing was played."""
    reckoned = []
    cost = Reading.cost

    def counted(reading, position, record):
        reckoned.append(position)
        return cost(reading, position, record)

    monkeypatch.setattr(Reading, "cost", counted)
    pieces = {
        "red": [4, 17, 30, 0],
        "green": [3, 12, 26, 0],
        "yellow": [6, 14, 41, 0],
        "blue": [8, 22, 33, 0],
    }
    match = playing.throw(match_of(**pieces), (6, 2)).match
    held = [ThrowMade(1.0, (6, 5)), ThrowMade(2.0, (4, 3)), ThrowMade(3.0, (5, 1))]
    # Yellow's piece has gone, though yellow had not thrown by then. Blue's has too, and no dice take it.
    seen = sighting_of(pieces | {"yellow": [6, 15, 41, 0], "blue": [8, 23, 34, 0]})
    assert [*firsts_unseen(match, held, Reading(BOARD, seen))] == []
    assert 100 < len(reckoned) < 5000

"""A match that can stand still: nobody can ever move or call again. Only frozen superblobs lead there."""

from itertools import product

import pytest

from uckers_table.game import playing
from uckers_table.game.match import begin
from uckers_table.game.open_calls import open_calls
from uckers_table.game.position import position_from
from uckers_table.game.setting import load_setting

STACKED = {
    "red": (20, 20, 20, 57),
    "green": (20, 20, 20, 20),
    "yellow": (20, 20, 20, 57),
    "blue": (9, 9, 9, 57),
}
"""Three or four of each colour on a square: red's on 19, green's on 32, yellow's on 45, blue's on 47. Nobody
stands right behind anybody, and nobody is in base."""


def stands_still(rules, options):
    """Whether no side can move with any throw, nor call anything, on `STACKED`."""
    setting = load_setting(rules, options)
    position = position_from(setting.board, STACKED)
    for seat in setting.sides:
        match = begin(setting, to_play=setting.board.seats[seat], position=position, turns_taken=9)
        throws = (playing.throw(match, dice) for dice in product(range(1, 7), repeat=min(match.dice_wanted)))
        if open_calls(match) or any(step.match.offer for step in throws):
            return False
    return True


@pytest.mark.parametrize("rules", ["br4006", "oldwiki", "wafu", "masters_ludo"])
def test_frozen_superblobs_can_bring_a_match_to_a_standstill(rules):
    assert stands_still(rules, {"superblob_mobility": "frozen"})
    assert not stands_still(rules, {})

"""Odds and costs are set right by the file that was measured."""

import math

import pytest

from uckers_table.sighting import LEAST_COST, Alternative
from uckers_table.vision.sureness import Scale, Sureness, sureness

SURENESS = Sureness(Scale(-1.0, 0.5), Scale(0.5, 2.0))


@pytest.mark.parametrize(("odds", "confidence"), [(2.0, 0.5), (4.0, 1 / (1 + math.exp(-1))), (-math.inf, 0)])
def test_a_board_is_as_sure_as_boards_with_such_odds_were_right(odds, confidence):
    assert SURENESS.confidence(odds) == pytest.approx(confidence)


def test_alternatives_cost_what_they_were_found_to_cost_and_never_nothing():
    told = SURENESS.told([Alternative("1", {"red": 1}, 1.0), Alternative("2", {}, -2.0, "3")])
    assert told == (Alternative("1", {"red": 1}, 2.5), Alternative("2", {}, LEAST_COST, "3"))


def test_more_odds_make_nobody_less_sure():
    assert sureness().board.slope > 0
    assert sureness().alternative.slope > 0

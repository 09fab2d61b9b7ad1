"""The tool that fits the odds of a leaning die: it finds what odds there are."""

import re

import numpy as np
import pytest

from tools.tables import leaning
from tools.tables.leaning import FACE, OFF_GRID, Claim

NET, STANCE, FLAT_FACE, NO_FACE = 0.6, 0.02, -1.3, 1.1


def drawn(draw):
    """A claim that holds as often as these odds say."""
    by = (FACE, OFF_GRID)[draw.integers(2)]
    net, stance = draw.uniform((-5, -20), (5, 80))
    odds = NET * net + (FLAT_FACE + STANCE * stance if by == FACE else NO_FACE)
    leans = bool(draw.random() < 1 / (1 + np.exp(-odds)))
    return Claim(net, by, 0.0, stance if by == FACE else np.nan, leans, 20.0 * leans)


def test_the_odds_by_which_dice_lean_are_found_as_if_as_many_lay_flat(capsys):
    draw = np.random.default_rng(5)
    claims = [drawn(draw) for _ in range(10_000)]
    leaning.fitted(claims)
    number = sum(claim.leans for claim in claims)
    even = np.log(number / (len(claims) - number))
    found = [float(word) for word in re.findall(r"-?\d+\.\d+", capsys.readouterr().out)]
    for value, true, off in zip(
        found, (NET, STANCE, FLAT_FACE - even, NO_FACE - even), (0.04, 0.003, 0.15, 0.15), strict=False
    ):
        assert value == pytest.approx(true, abs=off)

"""Tests of dice, against published tables and cases worked by hand."""

import random
from collections import Counter
from itertools import pairwise, product

import pytest

from uckers_table.record.fairness import (
    Runs,
    faces_test,
    pairs_test,
    runs_of,
    runs_test,
    tail_of_chi_square,
    tail_of_normal,
    verdict,
)


def counted(throws):
    return Counter((min(throw), max(throw)) for throw in throws)


@pytest.mark.parametrize(
    ("freedom", "critical"),
    [
        # Abramowitz and Stegun, table 26.8: chi-square exceeded with probability .05, .01, .001.
        (1, (3.841459, 6.634897, 10.827566)),
        (5, (11.070498, 15.086272, 20.515006)),
        (15, (24.995790, 30.577914, 37.697298)),
        (25, (37.652484, 44.314105, 52.619656)),
    ],
)
def test_chi_square_is_exceeded_as_often_as_the_tables_say(freedom, critical):
    found = [tail_of_chi_square(value, freedom) for value in critical]
    assert found == pytest.approx([0.05, 0.01, 0.001], rel=1e-5)
    assert tail_of_chi_square(0.0, freedom) == 1.0


def test_an_even_number_of_degrees_is_refused():
    with pytest.raises(ValueError, match="odd"):
        tail_of_chi_square(1.0, 4)


def test_a_normal_deviate_is_exceeded_as_often_as_the_tables_say():
    assert [tail_of_normal(z) for z in (0, 1.959964, -2.575829)] == pytest.approx([1, 0.05, 0.01], rel=1e-5)


def test_faces_by_hand():
    # 60 dice, 10 expected of each: (5² + 2² + 1² + 2² + 0 + 10²) / 10 = 13.4.
    test = faces_test((5, 8, 9, 8, 10, 20))
    assert (test.throws, test.freedom, test.statistic) == (60, 5, pytest.approx(13.4))
    assert test.p == pytest.approx(0.019911, abs=1e-5)
    assert test.says == (
        "The 6 came 20 times in 60 dice, more than the 10 expected. "
        "A little odd, but 1 in 50 sets of fair dice looks so. Throw on before you blame them."
    )


def test_the_bug_that_never_throws_a_six_is_found():
    # What `randrange(1, 6)` gave in 6,000 dice; its chi-square is 1208.
    test = faces_test((1125, 1234, 1196, 1210, 1235, 0))
    assert test.statistic == pytest.approx(1208.0, abs=0.5)
    assert test.says.startswith("The 6 came 0 times in 6000 dice, less than the 1000 expected. Suspect:")


def test_weldons_dice_are_suspect():
    # 315,672 dice thrown by W. F. R. Weldon (Pearson, 1900) showed 106,602 fives and sixes.
    fives_and_sixes, others = 106_602, 315_672 - 106_602
    statistic = sum(
        (found - expected) ** 2 / expected
        for found, expected in ((fives_and_sixes, 315_672 / 3), (others, 315_672 * 2 / 3))
    )
    assert statistic == pytest.approx(27.0, abs=0.2)
    assert tail_of_chi_square(statistic, 1) < 0.001


@pytest.mark.parametrize("dice", [0, 29])
def test_too_few_throws_say_nothing(dice):
    test = faces_test((0, 0, 0, 0, 0, dice))
    assert (test.p, test.statistic) == (None, None)
    assert test.says == f"Too few throws: {dice} dice, and it takes about 30."
    assert pairs_test({(6, 6): 179}).p is None
    assert runs_test(runs_of([True] * 9 + [False] * 100)).p is None


def test_every_pair_equally_often_is_as_independent_as_can_be():
    throws = list(product(range(1, 7), repeat=2)) * 5
    test = pairs_test(counted(throws))
    assert (test.freedom, test.statistic, test.p) == (15, pytest.approx(0.0), pytest.approx(1.0))


def test_pairs_by_hand():
    # Two faces only, as often each; of 200 throws 60 + 60 doubles where 50 + 50 are expected, 80 mixed of
    # 100: (10² / 50) + (10² / 50) + (20² / 100) = 8.
    throws = [(1, 1)] * 60 + [(2, 2)] * 60 + [(1, 2)] * 50 + [(2, 1)] * 30
    assert pairs_test(counted(throws)).statistic == pytest.approx(8.0)


def test_dice_stuck_together_are_found_and_loaded_ones_are_not_taken_for_it():
    rng = random.Random(1)
    faces = [1, 2, 3, 4, 5, 6, 6, 6]
    loaded = [(rng.choice(faces), rng.choice(faces)) for _ in range(2000)]
    assert pairs_test(counted(loaded)).p > 0.05
    stuck = [(a, a) if rng.random() < 0.1 else (a, b) for a, b in loaded]
    assert pairs_test(counted(stuck)).p < 0.001


def test_runs_by_hand():
    # 10 with a six and 15 without in 13 runs: the mean is 13, so nothing is odd at all.
    even = [True, False] * 4 + [True] * 6 + [False] * 11
    test = runs_test(runs_of(even))
    runs = 1 + sum(a != b for a, b in pairwise(even))
    mean, variance = 13.0, 300 * (300 - 25) / (25**2 * 24)
    assert (runs, test.statistic) == (10, pytest.approx((10 - mean) / variance**0.5))
    streak = runs_test(runs_of([True] * 20 + [False] * 40))
    assert streak.p < 0.001
    assert "longer streaks" in streak.says
    turns = runs_test(runs_of([True, False, False] * 20))
    assert turns.statistic > 3
    assert "more evenly spread" in turns.says


def test_runs_are_put_together_as_if_they_had_been_counted_in_one():
    rng = random.Random(3)
    for _ in range(200):
        parts = [[rng.random() < 0.3 for _ in range(rng.randint(0, 4))] for _ in range(4)]
        together = Runs()
        for part in parts:
            together = together.then(runs_of(part))
        assert together == runs_of([each for part in parts for each in part])


def test_honest_dice_are_rarely_suspected():
    """Of 300 evenings of fair dice about 15 look odd, and hardly one suspect."""
    rng = random.Random(7)
    ps = []
    for _ in range(300):
        throws = [(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(200)]
        ps.append(pairs_test(counted(throws)).p)
    assert 4 <= sum(p < 0.05 for p in ps) <= 32
    assert sum(p < 0.001 for p in ps) <= 3


def test_verdicts_are_for_stokers():
    assert verdict(0.43) == "Nothing odd: of 100 sets of fair dice 43 would look worse."
    assert verdict(0.0002) == "Suspect: only 1 in 5,000 sets of fair dice looks so."
    assert verdict(0.0) == "Suspect: not 1 in a million sets of fair dice looks so."

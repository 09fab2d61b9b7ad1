"""Whether dice are fair, as a statistician tests it and a stoker reads it. Pure numbers; no match is known
here.

Two dice are read together and nothing tells one from the other: the order in which they stand on record is
the camera's, highest first, the tray's, or that of whoever typed them. So a throw is an unordered pair. How
the faces are shared out is tested over both dice together, and whether one die follows the other on the 21
pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise
from math import erfc, exp, pi, sqrt

from uckers_table.machine.plural import how_many

FACES = 6
FEWEST_EXPECTED = 5
"""In each class, or the chi-square distribution is no good approximation (Cochran's rule)."""
FEWEST_IN_RUNS = 10
"""Throws with, and without a six, from which on the number of runs is near enough to normal."""
SUSPECT = 0.001
"""Below this the dice are suspected. Several tests are looked at after every match: one in twenty, as is
usual for a single test, would accuse honest dice most evenings."""
ODD = 0.05
IN_19_OF_20 = 1.96
"""Standard deviations on either side between which a normal value lies 19 times in 20."""
TOGETHER = "the two dice together"

PAIRS = tuple(combinations_with_replacement(range(1, FACES + 1), 2))
"""The 21 throws of two dice that nobody can tell apart, the lower die first."""


@dataclass(frozen=True)
class Runs:
    """How throws came in a row: how many have a six and how many none, and in how many `runs` of either.

    `first` and `last` say whether those throws have one.
    """

    with_six: int = 0
    without: int = 0
    runs: int = 0
    first: bool = False
    last: bool = False

    def then(self, later: Runs) -> Runs:
        """These, and later ones after them."""
        if not (self.runs and later.runs):
            return self if self.runs else later
        return Runs(
            self.with_six + later.with_six,
            self.without + later.without,
            self.runs + later.runs - (self.last == later.first),
            self.first,
            later.last,
        )


def runs_of(has_six: Sequence[bool]) -> Runs:
    """The runs of throws in a row, by whether each has a six."""
    if not has_six:
        return Runs()
    runs = 1 + sum(a != b for a, b in pairwise(has_six))
    with_six = sum(has_six)
    return Runs(with_six, len(has_six) - with_six, runs, has_six[0], has_six[-1])


@dataclass(frozen=True)
class Test:
    """One test: its statistic (chi-square, or a normal deviate where `freedom` is 0) and `p`.

    `p` is how often fair dice do at least as badly; None where there were too few throws, with `needed` the
    throws that it takes. `says` is a sentence for people.
    """

    __test__ = False

    name: str
    throws: int
    statistic: float | None
    freedom: int
    p: float | None
    needed: int
    says: str


def tail_of_chi_square(statistic: float, freedom: int) -> float:
    """How often chi-square is above a value, for an odd number of degrees of freedom.

    The closed form (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4).
    """
    if freedom < 1 or freedom % 2 == 0:
        raise ValueError(f"{freedom} degrees of freedom: the closed form is for odd ones")
    root = sqrt(statistic)
    term, total = root, 0.0
    for k in range(1, freedom - 1, 2):
        total += term
        term *= statistic / (k + 2)
    return min(1.0, erfc(root / sqrt(2)) + sqrt(2 / pi) * exp(-statistic / 2) * total)


def tail_of_normal(deviate: float) -> float:
    """How often a normal deviate is at least so far from 0, on either side."""
    return erfc(abs(deviate) / sqrt(2))


def faces_test(counts: Sequence[int], name: str = "faces") -> Test:
    """Whether the six faces come equally often; `counts` of 1 to 6."""
    dice = sum(counts)
    needed = FEWEST_EXPECTED * FACES
    if dice < needed:
        return _too_few(name, dice, FACES - 1, needed, "dice")
    expected = dice / FACES
    statistic = sum((count - expected) ** 2 for count in counts) / expected
    p = tail_of_chi_square(statistic, FACES - 1)
    most = max(range(FACES), key=lambda face: abs(counts[face] - expected))
    more = "more" if counts[most] > expected else "less"
    came = how_many(counts[most], "time")
    what = f"The {most + 1} came {came} in {dice} dice, {more} than the {expected:.0f} expected"
    return Test(name, dice, statistic, FACES - 1, p, needed, f"{what}. {verdict(p)}")


def pairs_test(pairs: Mapping[tuple[int, int], int]) -> Test:
    """Whether two dice that nobody can tell apart fall independently of one another.

    The classes are the 21 PAIRS, `pairs` how often each came; the share of each face is taken as it came, so
    that loaded but independent dice pass. 15 degrees of freedom: 21 pairs less 1, less 5 shares.
    """
    number = sum(pairs.values())
    freedom = FACES * (FACES - 1) // 2
    needed = FEWEST_EXPECTED * FACES * FACES
    if number < needed:
        return _too_few(TOGETHER, number, freedom, needed, "throws")
    faces = Counter[int]()
    for pair, count in pairs.items():
        for die in pair:
            faces[die] += count
    statistic = 0.0
    for low, high in PAIRS:
        share = faces[low] * faces[high] / (2 * number) ** 2
        expected = number * share * (1 if low == high else 2)
        if expected:
            statistic += (pairs.get((low, high), 0) - expected) ** 2 / expected
    p = tail_of_chi_square(statistic, freedom)
    doubles = sum(count for (low, high), count in pairs.items() if low == high)
    came = how_many(doubles, "double")
    what = f"{came} in {number} throws, {number / FACES:.0f} expected"
    return Test(TOGETHER, number, statistic, freedom, p, needed, f"{what}. {verdict(p)}")


def runs_test(came: Runs) -> Test:
    """Whether sixes come in streaks, or take turns too neatly: the runs test of Wald and Wolfowitz."""
    with_six, without = came.with_six, came.without
    number = with_six + without
    if min(with_six, without) < FEWEST_IN_RUNS:
        # A throw of two dice has a six 11 times in 36.
        return _too_few("sixes in a row", number, 0, round(FEWEST_IN_RUNS * 36 / 11) + 1, "throws")
    product = 2 * with_six * without
    mean = product / number + 1
    deviation = sqrt(product * (product - number) / (number**2 * (number - 1)))
    z = (came.runs - mean) / deviation
    p = tail_of_normal(z)
    how = "in longer streaks" if z < 0 else "more evenly spread"
    what = f"Sixes came {how} than chance would have it on average"
    return Test("sixes in a row", number, z, 0, p, 0, f"{what}. {verdict(p)}")


def verdict(p: float) -> str:
    """What a `p` means to a stoker."""
    if p >= ODD:
        return f"Nothing odd: of 100 sets of fair dice {p * 100:.0f} would look worse."
    often = f"1 in {round(1 / p):,} sets of fair dice looks so." if p >= 1e-6 else ""
    if p >= SUSPECT:
        return f"A little odd, but {often} Throw on before you blame them."
    return f"Suspect: only {often}" if often else "Suspect: not 1 in a million sets of fair dice looks so."


def _too_few(name: str, number: int, freedom: int, needed: int, what: str) -> Test:
    says = f"Too few throws: {number} {what}, and it takes about {needed}."
    return Test(name, number, None, freedom, None, needed, says)


def fair_band(dice: int) -> tuple[float, float]:
    """How often each face comes in so many fair dice, 19 times in 20: at least, and at most.

    >>> [round(count) for count in fair_band(600)]
    [82, 118]
    """
    expected, share = dice / FACES, 1 / FACES
    beside = IN_19_OF_20 * sqrt(dice * share * (1 - share))
    return max(0.0, expected - beside), expected + beside

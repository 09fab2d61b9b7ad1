"""Where two referees that heard the same match differ, with the truth beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from uckers_table.trial.weighing import LogLine, MatchAccount, Who

BEFORE_S, AFTER_S = 6.0, 2.0
"""How much of the truth stands beside a difference: so long before it and after it."""


def where_they_differ(first: MatchAccount, other: MatchAccount, names: tuple[str, str]) -> list[str]:
    """What two referees of a match said otherwise, in words: each difference after a line "--".

    Sentences count that one of them did not say, or said elsewhere in the order of things; a moment sooner or
    later is no difference.
    """
    told = []
    for since, until in _joined(_differing(_ruled(first), _ruled(other))):
        told.append("--")
        told += _beside(first, other, names, since - BEFORE_S, until + AFTER_S)
    return told


def _ruled(account: MatchAccount) -> list[LogLine]:
    return [line for line in account.said if line.who is Who.REFEREE]


def _differing(first: Sequence[LogLine], other: Sequence[LogLine]) -> Iterator[float]:
    """When one said what the other did not."""
    texts, others = ([line.what for line in lines] for lines in (first, other))
    for same, a, b, c, d in SequenceMatcher(None, texts, others, autojunk=False).get_opcodes():
        if same != "equal":
            yield from (line.t for line in (*first[a:b], *other[c:d]))


def _joined(times: Iterator[float]) -> list[tuple[float, float]]:
    """From when to when to tell: what would be told twice is told once."""
    joined: list[tuple[float, float]] = []
    for t in sorted(times):
        if joined and t - BEFORE_S <= joined[-1][1] + AFTER_S:
            joined[-1] = joined[-1][0], t
        else:
            joined.append((t, t))
    return joined


def _beside(
    first: MatchAccount, other: MatchAccount, names: tuple[str, str], since: float, until: float
) -> list[str]:
    """The truth of a while, with what each referee said and what the judge says of it."""
    width = max(map(len, names))
    told = [("", line) for line in first.said if line.who is Who.TRUTH]
    for name, account in zip(names, (first, other), strict=True):
        told += [(name, line) for line in account.said if line.who is not Who.TRUTH]
    return [
        f"{line.t:8.1f}  {name:{width}}  {line.what}"
        for name, line in sorted(told, key=lambda each: each[1][:2])
        if since <= line.t <= until
    ]

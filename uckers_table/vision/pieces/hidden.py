"""Where the missing pieces of two partners may lie: under tops of either colour, or nowhere on the board.

Each colour has four pieces. So what may lie under one top is weighed with what may lie under all others: a
piece that plainly lies under one of them lies under no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Added = tuple[int, ...]
"""The pieces that a place may hold besides those that are sure: their seats, from the top down."""
Pair = tuple[int, int]
"""Two partners' seats, or a number of pieces for each of them."""

_NEVER = float("-inf")
_Totals = dict[Pair, float]
"""The best log-likelihood (nats) for each number of pieces found of either partner."""


@dataclass(frozen=True)
class Shared:
    """What a place holds besides its sure pieces.

    `added` is what it holds in the likeliest way of all places. `costs` says of each content how much less
    likely (nats) the likeliest way is in which the place holds that; `added` has 0.
    """

    added: Added
    costs: Mapping[Added, float]


def share_out(gains: Sequence[Mapping[Added, float]], pair: Pair, missing: Pair, lost: float) -> list[Shared]:
    """Shares out the `missing` pieces of a `pair` of seats, so many of either, among places and nowhere.

    `gains` has for each place the log-likelihood (nats) of everything that it may hold besides its sure
    pieces; nothing, `()`, is part of that. Each piece that no place holds costs `lost` nats.
    """
    counts = [(a, b) for a in range(missing[0] + 1) for b in range(missing[1] + 1)]
    before: list[_Totals] = [{(0, 0): 0.0}]
    for options in gains:
        totals: _Totals = {}
        for found, total in before[-1].items():
            for added, gain in options.items():
                then = _more(found, added, pair)
                totals[then] = max(totals.get(then, _NEVER), total + gain)
        before.append({found: totals[found] for found in counts if found in totals})
    # For each place: the most that it and all later ones can still add, by what the earlier ones hold.
    after: list[_Totals] = [{(a, b): -lost * (missing[0] - a + missing[1] - b) for a, b in counts}]
    for options in reversed(gains):
        rest = after[-1]
        after.append({
            found: max(gain + rest.get(_more(found, u, pair), _NEVER) for u, gain in options.items())
            for found in counts
        })  # fmt: skip
    after.reverse()
    best, found, out = after[0][0, 0], (0, 0), []
    for options, sofar, rest in zip(gains, before, after[1:], strict=False):
        ends = {u: gain + rest.get(_more(found, u, pair), _NEVER) for u, gain in options.items()}
        added = max(ends, key=lambda u: ends[u])
        costs = {
            u: best - max(t + gain + rest.get(_more(f, u, pair), _NEVER) for f, t in sofar.items())
            for u, gain in options.items()
        }
        out.append(Shared(added, {u: cost for u, cost in costs.items() if cost < -_NEVER}))
        found = _more(found, added, pair)
    return out


def _more(found: Pair, added: Added, pair: Pair) -> Pair:
    return found[0] + added.count(pair[0]), found[1] + added.count(pair[1])

"""Where pieces lie that are not seen: under tops of their own or their partner's colour, or nowhere.

Each colour has four pieces, and nearly always all of them are on the table. So a top's side is not judged
alone. The missing pieces of two partners are shared out among all their tops, in the way that explains all
sides best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Added = tuple[int, ...]
"""The pieces that a place may hold besides those that are sure: their seats, from the top down."""
Pair = tuple[int, int]
"""Two partners' seats, or a number of pieces for each of them."""

LOST = 5.0
"""Nats against a piece that is neither seen nor under a top. Of 832 labelled pieces 5 lay on the floor."""
_NEVER = float("-inf")
_Totals = dict[Pair, float]
"""The best log-likelihood (nats) for each number of pieces found of either partner."""


@dataclass(frozen=True)
class Explained:
    """What a place most likely holds besides its sure pieces.

    `others` says how much less likely (nats) each other content is, with all the rest rearranged to fit.
    """

    added: Added
    others: Mapping[Added, float]


def share_out(
    gains: Sequence[Mapping[Added, float]],
    pair: Pair,
    missing: Pair,
    lost: tuple[float, float] = (LOST, LOST),
) -> list[Explained]:
    """Shares out the `missing` pieces of a `pair` of seats among places, and says what each place then holds.

    `missing` has the number for either seat. `gains` has for each place the log-likelihood (nats) of
    everything that it may hold besides its sure pieces; nothing, `()`, is part of that. `lost` is, for either
    seat, the cost in nats of each piece that no place holds.
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
    after: list[_Totals] = [
        {(a, b): -lost[0] * (missing[0] - a) - lost[1] * (missing[1] - b) for a, b in counts}
    ]
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
        others = {
            u: best - max(t + gain + rest.get(_more(f, u, pair), _NEVER) for f, t in sofar.items())
            for u, gain in options.items()
            if u != added
        }
        out.append(Explained(added, {u: cost for u, cost in others.items() if cost < -_NEVER}))
        found = _more(found, added, pair)
    return out


def _more(found: Pair, added: Added, pair: Pair) -> Pair:
    return found[0] + added.count(pair[0]), found[1] + added.count(pair[1])

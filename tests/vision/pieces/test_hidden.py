"""Sharing out pieces that are not seen, against trying every way."""

from itertools import product

import numpy as np
import pytest

from uckers_table.vision.pieces.hidden import share_out

LOST = 5.0
PAIR = (0, 2)
UNDERS = [(), (0,), (2,), (0, 0), (0, 2), (2, 0), (2, 2)]


def best_way(gains, missing):
    """The best total of all ways, by what each top has under it."""
    ways = {}
    for way in product(*gains):
        left = [missing[k] - sum(under.count(seat) for under in way) for k, seat in enumerate(PAIR)]
        if min(left) >= 0:
            ways[way] = sum(g[u] for g, u in zip(gains, way, strict=True)) - LOST * sum(left)
    return ways


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("missing", [(0, 0), (1, 0), (1, 2), (3, 3)])
def test_the_likeliest_way_and_what_all_others_cost(seed, missing):
    rng = np.random.default_rng(seed)
    gains = [{u: 0.0 if not u else float(rng.normal(-1, 3)) for u in UNDERS} for _ in range(3)]
    ways = best_way(gains, missing)
    chosen = max(ways, key=lambda way: ways[way])
    shared = share_out(gains, PAIR, missing, LOST)
    assert tuple(each.added for each in shared) == chosen
    for k, each in enumerate(shared):
        costs = {
            u: ways[chosen] - max(total for way, total in ways.items() if way[k] == u)
            for u in UNDERS
            if any(way[k] == u for way in ways)
        }
        assert each.costs == pytest.approx(costs)


def test_of_two_tops_alike_only_one_has_the_missing_piece():
    alike = {(): 0.0, (0,): 1.0}
    assert sorted(each.added for each in share_out([alike, alike], PAIR, (1, 0), LOST)) == [(), (0,)]

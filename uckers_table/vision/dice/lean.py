"""Whether a die leans, by two witnesses together: the net of dice, and what pips, edges and sides show.

Neither witness keeps its odds. The net is surer than it is right on tables unlike those that it has learned.
The nats of a stance are too many, since its points err together. So what both say is weighed on dice that
neither was fitted on. A die of which they tell neither is seen, but not read.
"""

from __future__ import annotations

from dataclasses import replace

from uckers_table.sighting import SeenDie

_NET, STANCE = 0.61, 0.023
"""What one nat of the net, and one of the stance, is worth. These and the next three are printed by
`python -m tools.tables.leaning --simulated 711-735 --fit`.
"""
_LEAST, _MOST = -20.0, 82.0
"""Stances beyond these nats tell no more. From the upper one on a die does not count as flat (`dice`)."""
_FLAT_FACE, OFF_GRID, UNSEEN = -1.3, 2.1, 0.75
"""Log-odds (nats) of leaning if a flat face shows, less its stance; if pips show that fit no flat face; and
if no pips show.
"""
BESIDE = _FLAT_FACE
"""The same for a flat face beside the board, which has no stance. Not measured."""
FLAT, LEANS = -1.0, 1.4
"""Log-odds (nats) of leaning up to which a die is told flat, and from which it is told cocked.

The odds hold where as many dice lean as lie flat. If ten lie flat for one that leans, one in 28 leans at
`FLAT`. By the command above, of 448 flat dice 393 are read as flat and 10 as leaning; of 348 leaning dice
8 and 302. At -1.4 in place of -1.0 eleven flat dice fewer would be read, and two leaning ones.
"""


def by_stance(nats: float) -> float:
    """The log-odds (nats) of a die's leaning that shows a flat face, by the nats of its stance."""
    return _FLAT_FACE + STANCE * min(max(nats, _LEAST), _MOST)


def log_odds(net: float, others: float) -> float:
    """The log-odds (nats) of a die's leaning, by the nats of the net and those of all else.

    They hold where as many dice lean as lie flat.
    """
    return _NET * net + others


def lying(flat: SeenDie, leans: float) -> SeenDie:
    """The die that is this one if it lies flat, with these log-odds (nats) of its leaning."""
    if leans > LEANS:
        return replace(flat, value=None, state="cocked")
    return flat if leans < FLAT else unread(flat)


def unread(die: SeenDie) -> SeenDie:
    """The die as one that is seen, but not read: people are asked about it, and no throw counts."""
    return replace(die, value=None, state="flat")

"""What a small net says of whether a hand or a sleeve comes in over the board's edge.

`rim` and `hands` tell one by what differs from the bare board. So does what a lamp's image on the table
leaves when a person stands in its light. The net has learned what an edge looks like that something hides,
and one in a shadow. It was fitted by `scripts/fit_hands.py` on path-traced tables with and without hands, on
which nothing else here was set or measured.

It sees a square of 88 mm round a point of the edge, the table above, in the picture and on the bare board, in
parts of what white paint sends back, and where both are known.
"""

from __future__ import annotations

import numpy as np

from uckers_table.vision.appearance import Evidence
from uckers_table.vision.channels import Places, brightest
from uckers_table.vision.flat import Canvas
from uckers_table.vision.net import Net, Patches
from uckers_table.vision.rim import Mask

SIZE, CHANNELS = 44, 7
"""Pixels of what is seen, a side, of 2 mm; and what is told of each: two colours, and whether it is known."""
OUTPUTS, STRIDES = 1, (1, 2, 1, 2, 2)
EVERY_PX = 4
"""So far along the edge from one point that is asked about to the next."""
_OVER_PX = 3
"""What comes so near to the edge in the flat picture, crosses it."""
_MOST = 1.5
"""No light counts for more, in parts of white paint's."""
_NET = Net("hand_net.npz", STRIDES)


def sides(seen: Evidence, canvas: Canvas) -> list[Patches]:
    """The picture and the bare board's (CHANNELS, n, n), each side of the board up in turn."""
    squares = seen.board.squares
    now, bare = seen.squares, squares.softened
    known = (brightest(now) > 0) & (brightest(bare) > 0)
    white = np.maximum(squares.white, 1.0)
    balance = np.asarray(seen.light.balance, dtype=np.float32)
    layers = np.concatenate([now / (white * balance), bare / white, known[..., None]], axis=2)
    layers = np.minimum(layers, _MOST).astype(np.float32)
    return [np.ascontiguousarray(np.rot90(layers, quarter).transpose(2, 0, 1)) for quarter in range(4)]


def points(canvas: Canvas) -> Places:
    """Columns of all points of one side that are asked about, in squares."""
    low, high = (round((canvas.margin_mm + mm) * canvas.px_per_mm / 2) for mm in (0.0, canvas.side_mm))
    return np.arange(low + EVERY_PX // 2, high, EVERY_PX)


def windows(side: Patches, columns: Places, canvas: Canvas, size: int = SIZE) -> Patches:
    """What the net sees (N, CHANNELS, size, size) of points of a side's edge."""
    row, half = round(canvas.margin_mm * canvas.px_per_mm / 2), size // 2
    seen = [side[:, row - half : row + half, c - half : c + half] for c in columns]
    return np.array(seen, dtype=np.float32).reshape(-1, CHANNELS, size, size)


def log_odds(seen: Evidence, canvas: Canvas, hand: Mask) -> float:
    """The most that speaks for a hand, which hides so much (size, size), where that crosses the board's edge;
    inf where it does not.
    """
    row = round(canvas.margin_mm * canvas.px_per_mm)
    said = []
    for quarter, side in enumerate(sides(seen, canvas)):
        over = np.asarray(np.rot90(hand, quarter)[row - _OVER_PX : row + _OVER_PX].any(axis=0))
        columns = points(canvas)
        said.append(_NET.say(windows(side, columns[over[2 * columns]], canvas))[:, 0])
    return float(np.concatenate(said).max()) if any(map(len, said)) else np.inf

"""What a small net says of whether a hand or a sleeve comes in over the board's edge.

`rim` and `hands` tell one by what differs from the bare board. So does what a lamp's image on the table
leaves when a person stands in its light. The net has learned what an edge looks like that something hides,
and one in a shadow. It was fitted by `scripts/fit_hands.py` on path-traced tables with and without hands, on
which nothing else here was set or measured.

It sees a square of 88 mm round a point of the edge, the table above, in the picture and on the bare board, in
parts of what white paint sends back, and where both are known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from uckers_table.vision.hands.hands import around, lines
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.nets.net import Net, Patches
from uckers_table.vision.picture.arrays import Flags, Floats, Places
from uckers_table.vision.picture.channels import brightest
from uckers_table.vision.place.flat import Canvas

SIZE, CHANNELS = 44, 7
"""Pixels of what is seen, a side, of 2 mm; and what is told of each: two colours, and whether it is known."""
OUTPUTS = 1
EVERY_PX = 4
"""So far along the edge from one point that is asked about to the next."""
_OVER_PX = 3
"""What comes so near to the edge in the flat picture, crosses it."""
_PLAINLY = 3.0
"""So many nats show plainly what is a hand."""
_AT_LEAST, _BROADLY, _BROAD_MM = 1.0, 4.0, 300.0
"""So much must speak for what rules take for a hand; and so much for what hides more of the edge. Of 75 hands
of which the net had learned nothing two have 2.4 and 2.6, at the very edge, and all others 4.4 and more; of
shadows that were hands four have -0.3, -1.3, -3.3 and -4.4, and a broad one 3.8.
"""
_MOST = 1.5
"""No light counts for more, in parts of white paint's."""
_NET = Net("hand_net.onnx")


class _Lost(NamedTuple):
    """By how many nats a hand shows plainly that rules do not see, if of so many squares with lines, so far
    in from the edge and to both sides of a point of it, at least such a part is lost.
    """

    nats: float
    rows: int
    beside: int
    lined: int
    part: float

    def near(self, squares: Flags) -> Floats:
        """How many of those squares (rows, n) there are by points of a side (n,)."""
        return np.convolve(squares[: self.rows].sum(axis=0), np.ones(2 * self.beside), mode="same")

    def needed(self, lined: Flags, lost: Flags) -> Floats:
        """The nats (n,) that points of a side need, of what lies in from it (rows, n): no number is enough
        beside which less is lost.
        """
        much, gone = self.near(lined), self.near(lost)
        return np.where((much >= self.lined) & (gone > self.part * much), self.nats, np.inf)


_LOST = _Lost(_PLAINLY, SIZE // 2, SIZE // 4, 100, 0.4), _Lost(4.0, 10, 6, 40, 0.7)
"""In a shadow, whose edge may be as straight as a sleeve's, lines are not lost; a finger tip hides few, and
most of those close by.
"""
_WITHOUT_LINES = 4.0
"""The same where the bare board shows too few lines to tell: bare wood, and beside the end of the picture."""


def _needed(lined: Flags, lost: Flags) -> Floats:
    """The nats (n,) by which a hand shows plainly at points of a side, by squares in from it (rows, n)."""
    needed = np.minimum(*(each.needed(lined, lost) for each in _LOST))
    is_bare = _LOST[0].near(lined) < _LOST[0].lined
    return np.where(is_bare, np.minimum(needed, _WITHOUT_LINES), needed)


def strip(seen: Evidence, canvas: Canvas, quarter: int, size: int = SIZE) -> Patches:
    """What lies along a side of the board (CHANNELS, size, n), the table above; sides are counted clockwise
    from the top, by quarter turns.
    """
    row = round(canvas.margin_mm * canvas.px_per_mm / 2)
    squares = seen.board.squares
    now, bare, white = (
        np.rot90(layer, quarter)[row - size // 2 : row + size // 2]
        for layer in (seen.squares, squares.softened, squares.white)
    )
    known = (brightest(now) > 0) & (brightest(bare) > 0)
    white = np.maximum(white, 1.0)
    balance = np.asarray(seen.light.balance, dtype=np.float32)
    layers = np.concatenate([now / (white * balance), bare / white, known[..., None]], axis=2)
    return np.ascontiguousarray(np.minimum(layers, _MOST).transpose(2, 0, 1), dtype=np.float32)


def points(canvas: Canvas) -> Places:
    """Columns of all points of one side that are asked about, in squares."""
    low, high = (round((canvas.margin_mm + mm) * canvas.px_per_mm / 2) for mm in (0.0, canvas.side_mm))
    return np.arange(low + EVERY_PX // 2, high, EVERY_PX)


def windows(strip: Patches, columns: Places) -> Patches:
    """What the net sees (N, CHANNELS, size, size) of points of a side's edge, cut from its `strip`."""
    size = strip.shape[1]
    seen = [strip[:, :, c - size // 2 : c + size // 2] for c in columns]
    return np.array(seen, dtype=np.float32).reshape(-1, CHANNELS, size, size)


def hidden(seen: Evidence, canvas: Canvas) -> Flags | None:
    """What a hand hides (size, size) that shows plainly where it comes in, and hides the lines there; None
    where none does.
    """
    row, columns = round(canvas.margin_mm * canvas.px_per_mm / 2), points(canvas)
    at_edge, inside = slice(row - _OVER_PX, row + _OVER_PX), slice(row, row + SIZE // 2)
    places = np.zeros(seen.active.shape, dtype=bool)
    shown: tuple[Flags, Flags, Flags] | None = None
    for quarter in range(4):
        changed = np.asarray(np.rot90(seen.active, quarter)[at_edge].any(axis=0))
        some = columns[changed[columns]]
        if not len(some):
            continue
        shown = shown or lines(seen, canvas)
        lined, _, unlike = (np.rot90(mask, quarter)[inside] for mask in shown)
        nats = _needed(lined, unlike)
        some = some[np.isfinite(nats[some])]
        said = _NET.say(windows(strip(seen, canvas, quarter), some)).reshape(-1)
        for column in some[said > nats[some]]:
            np.rot90(places, quarter)[inside, column - EVERY_PX // 2 : column + EVERY_PX // 2] = True
    return around(seen, canvas, places, shown[1]) if shown and places.any() else None


def shows(seen: Evidence, canvas: Canvas, hand: Flags) -> bool:
    """Whether what may be a hand, and hides so much (size, size), looks like one where it crosses the board's
    edge; True where it does not.
    """
    row, columns = round(canvas.margin_mm * canvas.px_per_mm), points(canvas)
    said: list[float] = []
    for quarter in range(4):
        over = np.asarray(np.rot90(hand, quarter)[row - _OVER_PX : row + _OVER_PX].any(axis=0))
        some = columns[over[2 * columns]]
        if len(some):
            said += _NET.say(windows(strip(seen, canvas, quarter), some))[:, 0].tolist()
    is_broad = len(said) * 2 * EVERY_PX > _BROAD_MM * canvas.px_per_mm
    return max(said, default=np.inf) >= (_BROADLY if is_broad else _AT_LEAST)

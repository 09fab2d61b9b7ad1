"""What a small net says of the board's edge: whether a hand or a sleeve comes in over it.

`rim` and `hands` tell a hand by what differs from the bare board. When a person stands in a lamp's light, the
lamp's image goes from the table: that differs too. The net has learned the look of an edge that something
hides, and of an edge in a shadow. `tools/fit.py` fitted it on path-traced tables with and without
hands. Nothing else here was set or measured on those.

The net sees a square of 88 mm round a point of the edge, with the table above. It sees the picture and the
bare board, in parts of what white paint sends back, and where both are known.
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
"""The side of what is seen, in squares of 2 mm; and the channels of each: two BGR colours, and whether both
are known.
"""
OUTPUTS = 1
"""The number of the net's outputs."""
EVERY_PX = 4
"""The distance along the edge, in squares, between points that the net is asked about."""
_OVER_PX = 3
"""What comes this near to the edge crosses it, in points of a flat picture or in squares."""
_PLAINLY = 3.0
"""Nats from which the net alone shows a hand plainly."""
_AT_LEAST, _BROADLY, _BROAD_MM = 1.0, 4.0, 300.0
"""Nats that the net must give what rules take for a hand; and the same if it hides more of the edge than
`_BROAD_MM`. Of 75 hands that the net had not learned, two at the very edge have 2.4 and 2.6 nats, and the
others 4.4 and more. Of shadows taken for hands, four have -0.3, -1.3, -3.3 and -4.4 nats, and a broad one has
3.8.
"""
_MOST = 1.5
"""The most light that counts, in parts of white paint's."""
_NET = Net("hand_net.onnx")


class _Lost(NamedTuple):
    """The nats from which a hand shows plainly at a point of the edge, though rules see none.

    The squares counted lie up to `rows` in from the edge, and up to `beside` to both sides of the point. At
    least `lined` of them must have lines. More than `part` of these must have lost them.
    """

    nats: float
    rows: int
    beside: int
    lined: int
    part: float

    def near(self, squares: Flags) -> Floats:
        """How many of these squares (rows, n) count at each point of a side (n,)."""
        return np.convolve(squares[: self.rows].sum(axis=0), np.ones(2 * self.beside), mode="same")

    def needed(self, lined: Flags, lost: Flags) -> Floats:
        """The nats that each point of a side needs (n,), by the squares in from it (rows, n). Infinite where
        too few lines are lost.
        """
        much, gone = self.near(lined), self.near(lost)
        return np.where((much >= self.lined) & (gone > self.part * much), self.nats, np.inf)


_LOST = _Lost(_PLAINLY, SIZE // 2, SIZE // 4, 100, 0.4), _Lost(4.0, 10, 6, 40, 0.7)
"""Two ways to show a hand; the second is for finger tips, which hide few lines, and most of those close by. A
shadow's edge may be as straight as a sleeve's, but in a shadow lines are not lost.
"""
_WITHOUT_LINES = 4.0
"""Nats from which a hand shows plainly if the bare board has too few lines to tell. Such places are bare
wood, and the end of the picture.
"""


def _needed(lined: Flags, lost: Flags) -> Floats:
    """The nats from which a hand shows plainly at each point of a side (n,), by the squares in from it (rows,
    n).
    """
    needed = np.minimum(*(each.needed(lined, lost) for each in _LOST))
    is_bare = _LOST[0].near(lined) < _LOST[0].lined
    return np.where(is_bare, np.minimum(needed, _WITHOUT_LINES), needed)


def strip(seen: Evidence, canvas: Canvas, quarter: int, size: int = SIZE) -> Patches:
    """What the net sees along a side of the board (CHANNELS, size, n), with the table above. `quarter` is the
    side: 0 for the top, then clockwise.
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
    """The columns of all points of one side that the net is asked about, in squares."""
    low, high = (round((canvas.margin_mm + mm) * canvas.px_per_mm / 2) for mm in (0.0, canvas.side_mm))
    return np.arange(low + EVERY_PX // 2, high, EVERY_PX)


def windows(strip: Patches, columns: Places) -> Patches:
    """What the net sees (N, CHANNELS, size, size) at points of a side's edge, cut from the side's `strip`."""
    size = strip.shape[1]
    seen = [strip[:, :, c - size // 2 : c + size // 2] for c in columns]
    return np.array(seen, dtype=np.float32).reshape(-1, CHANNELS, size, size)


def hidden(seen: Evidence, canvas: Canvas) -> Flags | None:
    """What a hand hides (size, size), if the net shows one plainly and it hides the
    board's lines; else None.
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
    """Whether what rules take for a hand, and hides `hand` (size, size), looks like one to the net. It is
    asked where that crosses the board's edge. True if it crosses nowhere.
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

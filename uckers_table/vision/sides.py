"""What stands under a top: a stack's side, weighed point by point against the board in its pieces' shadow.

Each piece more shows a further stretch of side towards the lens's foot point, painted above and bare brass
below. A shadow darkens the board along one line of colours, the same all over a frame; paint does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from uckers_table.vision.appearance import Evidence
from uckers_table.vision.camera import Floats
from uckers_table.vision.channels import channel_sum, doubled
from uckers_table.vision.light import Map
from uckers_table.vision.shape import Mask

HIGHEST = 4
"""Pieces in the highest stack looked for."""
_PAINTED = 0.7
"""The part of a piece's side that is painted, from its top."""
STRETCHES = (*(h + part for h in range(1, HIGHEST) for part in (0.0, _PAINTED)), float(HIGHEST))
"""How many pieces high the ends of the stretches are in which a side is weighed (`Shape.stretches`)."""

_EVERY = 6
"""Every so manieth row tells what shadows look like."""
_PALE = 0.5
"""Paint that sends back so much in each channel shows the colour of a shadow."""
_DIM = (0.2, 0.75)
"""How much light is missing in shadows whose colour is learned."""
_ENOUGH = 100
_USUAL_DEEPEST = 0.5
_DEEPEST = 90
"""Percentile of the missing light that counts as the deepest shadow."""


@dataclass(frozen=True)
class Shade:
    """What shadows do to the board in one frame: they take `tint` (3,), whose mean is 1, times so much of its
    light, up to `deepest`.
    """

    tint: Floats
    deepest: float

    @classmethod
    def learned(cls, seen: Evidence, covered: Mask, margin_px: int) -> Shade:
        """From the pale paint that changed and that no piece covers."""
        some = slice(margin_px, -margin_px, _EVERY), slice(margin_px, -margin_px)
        rows, columns = np.nonzero(doubled(seen.active)[some] & (covered[some] == 0))
        now, then = _now_and_then(seen, rows * _EVERY + margin_px, columns + margin_px)
        pale = then.min(axis=1) > _PALE
        missing = 1 - now[pale] / then[pale]
        dim = channel_sum(missing) / 3
        shadow = (missing.min(axis=1) > 0) & (dim > _DIM[0] / 2)
        deepest = float(np.percentile(dim[shadow], _DEEPEST)) if shadow.sum() > _ENOUGH else _USUAL_DEEPEST
        clear = shadow & (dim > _DIM[0]) & (dim < _DIM[1])
        if clear.sum() <= _ENOUGH:
            return cls(np.ones(3), deepest)
        return cls(np.median(missing[clear] / dim[clear, None], axis=0).astype(np.float64), deepest)


def weigh(
    seen: Evidence,
    views: Sequence[tuple[tuple[int, int, int], Mask]],
    colours: Map,
    shade: Shade,
) -> Floats:
    """Log-likelihoods (tops, HIGHEST - 1, colours) of a second, third … piece of each colour under tops,
    against the bare board there.

    `views` are windows round the tops and the stretches of `STRETCHES` in them, 0 where other pieces hide
    them.
    """
    levels = HIGHEST - 1
    last = len(seen.now) - 1
    places = []
    for k, ((x0, y0, _), stretches) in enumerate(views):
        rows, columns = np.nonzero((stretches > 1) & (stretches % 2 == 0))
        level = stretches[rows, columns] // 2 - 1 + np.intp(k * levels)
        places.append(np.stack([rows + y0, columns + x0, level]))
    rows, columns, level = np.concatenate(places, axis=1)
    inside = (rows >= 0) & (rows <= last) & (columns >= 0) & (columns <= last)
    rows, columns, level = rows[inside], columns[inside], level[inside]
    now, then = _now_and_then(seen, rows, columns)
    ground = _ground(now, then, shade)
    unpainted = np.minimum(_surface(now, _BRASS), _UNKNOWN) + _UNPAINTED_COST
    areas = np.bincount(level, minlength=levels * len(views))
    out = np.empty((len(colours), len(areas)))
    for k, colour in enumerate(colours):
        paint = np.minimum(_surface(now, np.asarray(colour, dtype=np.float64)), unpainted)
        gain = np.clip((ground - paint) / 2, -_CAP, _CAP)
        mean = np.bincount(level, weights=gain, minlength=len(areas)) / np.maximum(areas, 1)
        mean += _BARE_WEIGHT * np.minimum(mean - _BARE, 0)
        out[k] = mean * _NATS * areas / (areas + _HALF_AREA)
    return out.T.reshape(len(views), levels, len(colours))


_CAP = 2.0
"""No single point says more: worn paint, highlights and the picture's own blur happen."""
_NATS, _HALF_AREA = 3.0, 60.0
"""What is seen of a side is one witness, not so many: of a large area three times a point's mean, of so many
square millimetres half of that."""
_BARE, _BARE_WEIGHT = -1.5, 2.0
"""What a mean lies below that weighs three times as much: of 210 stacks' sides none looked like bare board
nearly all over (-1.7), of 1050 stretches without a piece 360 did.
"""


def _now_and_then(
    seen: Evidence, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """The colours (N, 3) now and of the bare board at pixels, white paint = 1."""
    now, then = seen.reflected(rows, columns), seen.board.reflected_at(rows, columns)
    return np.asarray(now, dtype=np.float64), np.asarray(then, dtype=np.float64)


_HAZE_LOSS = 0.06
"""A shadow takes away the sheen of varnish too, so much white."""
_SHADOW_COST = 1.5
_TOO_DEEP, _MOST_TOO_DEEP = 0.08, 4.0
"""How much deeper than the deepest a shadow may be at a price, and the highest price."""


def _ground(now: Floats, then: Floats, shade: Shade) -> Floats:
    """-2 log likelihood (N,) of the bare board, lit or in shadow: then - missing × tint × then - haze."""
    weight = 1 / (0.025 + 0.05 * then) ** 2
    lost = then * shade.tint
    a = channel_sum(weight * lost * lost) + 1 / 0.6**2
    b = channel_sum(weight * lost)
    c = channel_sum(weight) + 1 / _HAZE_LOSS**2
    p, q = channel_sum(weight * (then - now) * lost), channel_sum(weight * (then - now))
    missing = np.clip((p * c - q * b) / (a * c - b * b), -0.15, 0.95)
    haze = np.clip((q - missing * b) / c, -0.05, 0.2)
    expected = np.maximum(then - missing[:, None] * lost - haze[:, None], 0)
    sigma = 0.025 + 0.04 * expected + 0.03 * np.maximum(missing, 0)[:, None] * then
    cost = _SHADOW_COST * (missing > 0.08) + (haze / _HAZE_LOSS) ** 2 * np.where(missing > 0.08, 0.5, 1)
    cost += np.minimum((np.maximum(missing - shade.deepest, 0) / _TOO_DEEP) ** 2, _MOST_TOO_DEEP)
    cost += (np.maximum(-missing - 0.05, 0) / 0.05) ** 2
    return _misfit(now - expected, sigma) + cost


_BRASS = np.array([0.3, 0.5, 0.7])
_UNKNOWN, _UNPAINTED_COST = 6.0, 6.0
_LIT, _LIT_SPREAD = 0.6, 0.35
"""How brightly a side is lit, compared with a top."""
_SHEEN = 0.25
"""A side mirrors the board and the room: so much white is added."""


def _surface(now: Floats, colour: Floats) -> Floats:
    """-2 log likelihood (N,) of a side of this colour, more or less lit, with more or less sheen."""
    weight = 1 / (0.02 + 0.075 * colour) ** 2
    a, b = float((weight * colour * colour).sum()) + 1 / _LIT_SPREAD**2, float((weight * colour).sum())
    c = float(weight.sum()) + 1 / _SHEEN**2
    p, q = (now * (weight * colour)).sum(axis=1) + _LIT / _LIT_SPREAD**2, (now * weight).sum(axis=1)
    lit = np.clip((p * c - q * b) / (a * c - b * b), 0.12, 1.2)
    sheen = np.clip((q - lit * b) / c, -0.03, 0.5)
    expected = lit[:, None] * colour + sheen[:, None]
    sigma = 0.02 + 0.15 * lit[:, None] * colour + 0.1 * np.abs(sheen)[:, None]
    cost = ((lit - _LIT) / _LIT_SPREAD) ** 2 + (sheen / _SHEEN) ** 2
    return np.asarray(_misfit(now - expected, sigma) + cost)


def _misfit(off: Floats, sigma: Floats) -> Floats:
    """-2 log likelihood of deviations (N, 3), the constant left out."""
    return np.asarray(channel_sum((off / sigma) ** 2) + 2 * np.log(sigma[:, 0] * sigma[:, 1] * sigma[:, 2]))

"""How high pieces are, told from the picture of all sixteen in their bases.

A piece's foot is seen nearer to the point under the lens than its top: 1 to 4 mm for each 10 mm of height. So
both must be known to about a tenth of a millimetre.

Neither can be placed alone. Discs are found by their far edge, on average 0.3 mm too far out. A shadow at a
foot looks like more of the piece's side. So every place of a top and every place of a foot is weighed. The
height that goes with the places of most pieces is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Floats, Map
from uckers_table.vision.pieces.shape import Shape

HEIGHTS_MM = (12.0, 20.0)
"""Case heads are cut to between 12 and 20 mm."""
_STEP_MM = 0.25
_SEEM_MM = np.arange(11.0, 22.1, _STEP_MM)
"""Heights (mm) that a single piece may seem to have."""
_MAY_BE = np.abs(_SEEM_MM - np.mean(HEIGHTS_MM)) <= np.ptp(HEIGHTS_MM) / 2
"""Which of the `_SEEM_MM` lie within `HEIGHTS_MM`."""
MIN_LEAN = 0.125
"""The least way between foot and top, in parts of the height, that tells anything."""
_ANYTHING = 0.05
"""The chance that what a piece shows has nothing to do with its height: a neighbour, a highlight."""

TOP_MM = np.arange(-2.5, 2.51, 0.125)
"""Places tried for a top: how far (mm) towards the lens from where its disc was found."""
FOOT_MM = np.arange(-1.0, 12.01, 0.125)
"""Places tried for a foot's outline: how far (mm) towards the lens from the outline of a foot centred on the
disc. All is laid on the board.
"""

TOP_WEIGHTS = np.array([2.14, 1.58, 1.11, 0.47, 1.16, 1.91, 1.61, 1.68])
FOOT_WEIGHTS = np.array([21.49, 39.36, -18.07, -14.9, -4.56, -5.3, 3.89, -4.44])
"""Weights of what `PiecePatch` weighs at a top's places and at a foot's. `tools/fit.py height` fitted them
on 26 rendered tables. Pieces whose bodies are 0.7 mm narrower than their rims seem 1.6 mm too low.
"""

_GRID_MM = 0.5
_ALONG_MM = np.arange(-15.0, 27.01, _GRID_MM)
_BESIDE_MM = np.arange(-13.0, 13.01, _GRID_MM)
"""The part of the picture that is looked at round a disc: mm towards the lens, and mm across."""
_ANGLES = np.linspace(-np.pi, np.pi, 72, endpoint=False)
_FAR, _NEAR = _ANGLES[np.cos(_ANGLES) < -0.5], _ANGLES[np.cos(_ANGLES) > 0.5]
"""Angles on the side away from the lens, and on the side towards it."""
_RIM_MM, _PRIMER_MM = 0.6, 0.5
"""Half the distances over which edges are looked for: of the rim, and of the primer in the middle."""
_FAR_EDGES_MM, _NEAR_EDGES_MM, _PRIMERS_MM = (-1.0, -0.5, 0.0, 0.5), (-0.75, 0.0), (4.4, 3.8)
"""Where edges are looked for: how far outside the top's radius on the far side and on the near side; and the
radii of the primer.
"""
_RIM_STEP, _PRIMER_STEP = 0.05, 0.03
"""Steps that count as an edge, in parts of white: of the rim, and of the primer."""
_ARC_MM = np.arange(-7.0, 7.1, 1.0)
"""How far beside the middle of its outline a side is looked at."""
_DARK, _DARK_PAINT = 0.01, 0.03
"""The least levels, in parts of white: nothing in the picture, and nothing on the bare board, is taken for
darker.
"""


def fit_height(now: Map, bare: Map, feet_mm: Iterable[Floats], shape: Shape) -> Shape:
    """The shape with the height that its pieces tell; the same shape if none leans enough.

    `feet_mm` are where their feet (2,) would be on the plan if `shape` were right. `now` and `bare`
    (size, size, 3) are the flat pictures of the pieces and of the bare board, as reflected, in one light. The
    height is the mean of what all pieces say together.
    """
    height_mm = height_told([PiecePatch.of(now, bare, shape.top_px(foot), shape) for foot in feet_mm])
    return shape if height_mm is None else replace(shape, height_mm=height_mm)


def height_told(pieces: Sequence[PiecePatch]) -> float | None:
    """The height (mm) that all these pieces tell together; None if none leans enough."""
    told = [piece.told() for piece in pieces if piece.lean >= MIN_LEAN]
    if not told:
        return None
    chance = np.exp(_relative(np.sum(told, axis=0)[_MAY_BE]))
    return float((chance * _SEEM_MM[_MAY_BE]).sum() / chance.sum())


@dataclass(frozen=True)
class PiecePatch:
    """A piece as it is seen, turned so that the point under the lens lies along the first axis.

    `now` and `bare` (along, beside, 3) are the picture and the bare board, as reflected, with the disc's
    middle at 0, 0. `radius_mm` is the radius of its top and `foot_mm` that of its foot, both laid on the
    board. A foot lies `lean` times its height nearer to the lens than its top.
    """

    now: Map
    bare: Map
    radius_mm: float
    foot_mm: float
    lean: float

    @classmethod
    def of(cls, now: Map, bare: Map, top_px: Floats, shape: Shape) -> PiecePatch:
        """The piece whose top was found at this place (2,) of the flat picture."""
        scale, way = shape.canvas.px_per_mm, shape.lean_px(top_px)
        length = float(np.linalg.norm(way))
        toward = way / max(length, 1e-6)
        across = np.array([-toward[1], toward[0]])
        at = top_px + (_ALONG_MM[:, None, None] * toward + _BESIDE_MM[:, None] * across) * scale
        x, y = np.moveaxis(at.astype(np.float32), -1, 0)
        seen = [
            np.asarray(
                cv2.remap(picture, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32
            )
            for picture in (now, bare)
        ]
        radii = shape.top_radius_px / scale, shape.diameter_mm / 2
        return cls(seen[0], seen[1], *radii, length / scale / shape.height_mm)

    def told(self) -> Floats:
        """The log-likelihood (heights,) of each of `_SEEM_MM`, in nats, over all places of the top."""
        top = np.exp(_relative(self.top_looks() @ TOP_WEIGHTS))
        ways = _SEEM_MM[:, None] * self.lean + TOP_MM
        foot = np.exp(np.interp(ways, FOOT_MM, _relative(self.foot_looks() @ FOOT_WEIGHTS)))
        chance = foot @ top
        return np.asarray(np.log((1 - _ANYTHING) * chance / chance.sum() + _ANYTHING / len(chance)))

    def top_looks(self) -> Floats:
        """What is weighed at each of `TOP_MM`: eight edges (places, 8).

        Four are of the rim's far side, where the board ends. Two are of its near side, where the piece's own
        side begins. Two are of the primer.
        """
        off = self.now - self.bare
        rims = [
            *(self._edge(off, self.radius_mm + out, _FAR, _RIM_MM, _RIM_STEP) for out in _FAR_EDGES_MM),
            *(
                self._edge(self.now, self.radius_mm + out, _NEAR, _RIM_MM, _RIM_STEP)
                for out in _NEAR_EDGES_MM
            ),
        ]
        primers = [self._edge(self.now, r, _ANGLES, _PRIMER_MM, _PRIMER_STEP) for r in _PRIMERS_MM]
        return np.column_stack([*rims, *primers])

    def foot_looks(self) -> Floats:
        """What is weighed at each of `FOOT_MM`: eight values (places, 8).

        Four are rises of the brightness: at the edge, right in its middle, beyond it and before it. Two are
        how far the hue beyond is off the board's. Two are how the hue changes before the edge and right at
        it. A shadow at the foot has the board's hue.
        """
        arc = self.foot_mm - np.sqrt(self.foot_mm**2 - _ARC_MM**2)
        ways = np.arange(FOOT_MM[0] - 5, FOOT_MM[-1] + 4, _STEP_MM)
        along = self.foot_mm + ways[:, None] - arc
        beside = np.broadcast_to(_ARC_MM, along.shape)
        now, bare = (_sampled(picture, along, beside) for picture in (self.now, self.bare))
        change = np.median(np.log(np.maximum(now, _DARK) / np.maximum(bare, _DARK_PAINT)), axis=1)
        level = np.exp(change).mean(axis=1)
        hue = change - change.mean(axis=1, keepdims=True)

        def rise(start: float, end: float, least: float, most: float) -> Floats:
            lower, upper = (np.interp(FOOT_MM + way, ways, level) for way in (start, end))
            return np.asarray(np.clip(upper - lower, least, most))

        def hues(way: float) -> Floats:
            return np.column_stack([np.interp(FOOT_MM + way, ways, channel) for channel in hue.T])

        def much(hues: Floats) -> Floats:
            return np.asarray(np.minimum(np.abs(hues).max(axis=1), 1.0))

        return np.column_stack([
            rise(-0.75, 0.75, -0.3, 0.6),
            rise(-0.25, 0.25, -0.15, 0.3),
            rise(0.75, 2.0, -0.3, 0.6),
            rise(-2.0, -0.75, -0.6, 0.6),
            much(hues(0.75)),
            much(hues(1.5)),
            much(hues(-0.75) - hues(-2.0)),
            much(hues(0.25) - hues(-0.25)),
        ])  # fmt: skip

    def _edge(self, picture: Map, radius_mm: float, angles: Floats, half_mm: float, step: float) -> Floats:
        """How plain the edge of a circle with this radius is round each of `TOP_MM`, at these angles:
        (places,).
        """
        inner, outer = (
            _sampled(picture, TOP_MM[:, None] + r * np.cos(angles), r * np.sin(angles) + 0 * TOP_MM[:, None])
            for r in (radius_mm - half_mm, radius_mm + half_mm)
        )
        return np.asarray(np.log1p(((outer - inner) ** 2).sum(axis=-1) / step**2).mean(axis=1))


def _sampled(picture: Map, along_mm: Floats, beside_mm: Floats) -> Map:
    """A patch's colours (…, 3) at these places (…), in mm."""
    rows, columns = (
        (mm - first) / _GRID_MM for mm, first in ((along_mm, _ALONG_MM[0]), (beside_mm, _BESIDE_MM[0]))
    )
    x, y = columns.astype(np.float32), rows.astype(np.float32)
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _relative(log_odds: Floats) -> Floats:
    return np.asarray(log_odds - log_odds.max())

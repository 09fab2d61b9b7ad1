"""How high pieces are, from where their tops and feet end in the picture of the sixteen in their bases.

A piece's foot lies nearer to the lens's foot point than its top, the farther the higher it is: by 1 to 4 mm
for each 10 mm of height, so that both must be known to a tenth of a millimetre or so. Discs are found by
their far edge, 0.3 mm too far out on the whole, and shadows at a foot look like more of its side: so neither
is placed for itself. Each place of a top and each of a foot is weighed, and what goes with one height in most
pieces tells it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Floats, Map
from uckers_table.vision.pieces.shape import Shape

HEIGHTS_MM = (12.0, 20.0)
"""Case heads are cut to 12 to 20 mm."""
_STEP_MM = 0.25
_SEEM_MM = np.arange(11.0, 22.1, _STEP_MM)
"""So high a single piece may seem."""
_MAY_BE = np.abs(_SEEM_MM - np.mean(HEIGHTS_MM)) <= np.ptp(HEIGHTS_MM) / 2
MIN_LEAN = 0.125
"""From less way between foot and top, in parts of the height, nothing can be told."""
_ANYTHING = 0.05
"""The chance that what a piece shows has nothing to do with its height: a neighbour, a highlight."""

TOP_MM = np.arange(-2.5, 2.51, 0.125)
"""How far towards the lens a top may lie from where its disc was found."""
FOOT_MM = np.arange(-1.0, 12.01, 0.125)
"""How far towards the lens from a top's own outline a foot's may lie, laid on the board."""

TOP_WEIGHTS = np.array([2.14, 1.58, 1.11, 0.47, 1.16, 1.91, 1.61, 1.68])
FOOT_WEIGHTS = np.array([21.49, 39.36, -18.07, -14.9, -4.56, -5.3, 3.89, -4.44])
"""Of what is weighed of a top's places and of a foot's (`scripts/fit_height.py`), fitted on 26 rendered
tables. Pieces whose bodies are 0.7 mm narrower than their rims seem 1.6 mm too low.
"""

_GRID_MM = 0.5
_ALONG_MM = np.arange(-15.0, 27.01, _GRID_MM)
_BESIDE_MM = np.arange(-13.0, 13.01, _GRID_MM)
"""What of the picture is looked at round a disc: towards the lens, and across."""
_ANGLES = np.linspace(-np.pi, np.pi, 72, endpoint=False)
_FAR, _NEAR = _ANGLES[np.cos(_ANGLES) < -0.5], _ANGLES[np.cos(_ANGLES) > 0.5]
_RIM_MM, _PRIMER_MM = 0.6, 0.5
"""Half the distances over which edges of a rim and of the primer in its middle are looked for."""
_FAR_EDGES_MM, _NEAR_EDGES_MM, _PRIMERS_MM = (-1.0, -0.5, 0.0, 0.5), (-0.75, 0.0), (4.4, 3.8)
"""Where: how far out of the top's own radius on the far side and on the near, and the primer's radii."""
_RIM_STEP, _PRIMER_STEP = 0.05, 0.03
"""What is an edge, in parts of white."""
_ARC_MM = np.arange(-7.0, 7.1, 1.0)
"""How far beside the middle of its outline a side is looked at."""
_DARK, _DARK_PAINT = 0.01, 0.03
"""Nothing is taken for darker than that, in parts of white: of the picture, and of the bare board."""


def fit_height(now: Map, bare: Map, feet_mm: Iterable[Floats], shape: Shape) -> Shape:
    """The shape with the height of pieces whose feet (2,) would be there if `shape` were right.

    `now` and `bare` (size, size, 3) are the flat picture and that of the bare board, as reflected, in one
    light. What all pieces say together, in the mean.
    """
    height_mm = height_told([Patch.of(now, bare, shape.top_px(foot), shape) for foot in feet_mm])
    return shape if height_mm is None else replace(shape, height_mm=height_mm)


def height_told(pieces: Sequence[Patch]) -> float | None:
    """The height in millimetres that all these pieces tell; None where none leans enough."""
    told = [piece.told() for piece in pieces if piece.lean >= MIN_LEAN]
    if not told:
        return None
    chance = np.exp(_relative(np.sum(told, axis=0)[_MAY_BE]))
    return float((chance * _SEEM_MM[_MAY_BE]).sum() / chance.sum())


@dataclass(frozen=True)
class Patch:
    """A piece seen with the lens's foot point below: `now` and `bare` (along, beside, 3), the disc's middle
    at 0, 0. `radius_mm` and `foot_mm` are those of its top and of its foot, laid on the board; a foot is
    `lean` times its height nearer to the lens than its top.
    """

    now: Map
    bare: Map
    radius_mm: float
    foot_mm: float
    lean: float

    @classmethod
    def of(cls, now: Map, bare: Map, top_px: Floats, shape: Shape) -> Patch:
        """The piece whose top was found there in the flat picture."""
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
        """The log-likelihood of `_SEEM_MM`, whatever place of the top goes with each."""
        top = np.exp(_relative(self.top_looks() @ TOP_WEIGHTS))
        ways = _SEEM_MM[:, None] * self.lean + TOP_MM
        foot = np.exp(np.interp(ways, FOOT_MM, _relative(self.foot_looks() @ FOOT_WEIGHTS)))
        chance = foot @ top
        return np.asarray(np.log((1 - _ANYTHING) * chance / chance.sum() + _ANYTHING / len(chance)))

    def top_looks(self) -> Floats:
        """What is weighed (places, 8) of `TOP_MM`: edges of its rim on the far side, where the board ends, on
        the near side, where its own side begins, and of the primer.
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
        """What is weighed (places, 8) of `FOOT_MM`: how brightness rises there, in its middle, beyond and
        before, and how the hue differs from the board's beyond, changes before, and there. A shadow at the
        foot has the board's hue.
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
        """How plain an edge (places,) a circle of that radius round each of `TOP_MM` is, at these angles."""
        inner, outer = (
            _sampled(picture, TOP_MM[:, None] + r * np.cos(angles), r * np.sin(angles) + 0 * TOP_MM[:, None])
            for r in (radius_mm - half_mm, radius_mm + half_mm)
        )
        return np.asarray(np.log1p(((outer - inner) ** 2).sum(axis=-1) / step**2).mean(axis=1))


def _sampled(picture: Map, along_mm: Floats, beside_mm: Floats) -> Map:
    """A patch's colours (…, 3) at places (…) of it."""
    rows, columns = (
        (mm - first) / _GRID_MM for mm, first in ((along_mm, _ALONG_MM[0]), (beside_mm, _BESIDE_MM[0]))
    )
    x, y = columns.astype(np.float32), rows.astype(np.float32)
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _relative(log_odds: Floats) -> Floats:
    return np.asarray(log_odds - log_odds.max())

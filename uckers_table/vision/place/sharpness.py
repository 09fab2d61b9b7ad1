"""How much less sharp a frame is than the picture of the bare board, by the painted lines that both show.

Each line's section is compared with the bare board's, which is blurred more and more. The blur with which
most agree is the frame's. Light and haze change only a section's level and contrast. A board that moved is
compared where it is now. Motion blurs the lines across it, so the two directions of lines are compared apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.place.bump import Followed
from uckers_table.vision.place.register import SECTION_STEP_MM, Lines

_EVERY = 2
"""Every second line is enough."""
_BLURS_MM = np.array([0.0, 0.4, 0.6, 0.8, 1.1, 1.5, 2.0, 2.7, 4.0])
"""The standard deviations that are tried. A motion of 1 mm has 0.29 mm."""
BLURRED_MM = 0.8
"""From this blur on dice are misread: their pips measure 2.6 mm and more, and lie 3.2 mm apart. A frame in
focus has none. Pieces are still told at twice as much."""
_AGREES = 0.7
"""The share of a section that blurring may leave unexplained where no board was found. Other things leave
nearly all."""
_EVEN = 4.0
"""Grey levels: a section that varies by less says nothing."""
_BORDER_MM = 3.0
"""The ends of sections are left out: what would blur into them is not known."""


@dataclass(frozen=True)
class Sharpness:
    """What one table's lines look like in focus, and blurred by each of `_BLURS_MM`.

    `sections` (blurs, lines, across): the grey levels across some of the lines, in focus and blurred, less
    their means. `upright` (lines,) marks the lines that are upright on the plan.
    """

    upright: npt.NDArray[np.bool_]
    sections: Floats

    @classmethod
    def learn(cls, bare: Image, lines: Lines) -> Sharpness:
        """From the picture of the bare board in which the lines were learned."""
        sharp = lines.sections(bare, lines.camera)[::_EVERY]
        sigmas = _BLURS_MM[1:] / SECTION_STEP_MM
        blurred = [cv2.GaussianBlur(sharp, (0, 1), s, borderType=cv2.BORDER_REPLICATE) for s in sigmas]
        upright = lines.edges.normals[::_EVERY, 0] > 0
        return cls(upright, np.stack([_inner(a) for a in (sharp, *blurred)]))

    def is_blurred(self, followed: Followed) -> bool:
        """Whether a picture is too blurred to tell pips. Where no board was found: only if the board's lines
        are there, blurred.
        """
        now = _inner(followed.sections[::_EVERY])
        blurs, misfits = zip(
            *(self._blur(now, which) for which in (self.upright, ~self.upright)), strict=True
        )
        return max(blurs) >= BLURRED_MM and (followed.camera is not None or min(misfits) < _AGREES)

    def _blur(self, now: Floats, which: npt.NDArray[np.bool_]) -> tuple[float, float]:
        """The blur (mm) that fits these lines best, and the share of a section that it leaves unexplained."""
        then, seen = self.sections[:, which], now[which]
        telling = then[0].std(axis=1) > _EVEN
        then, seen = then[:, telling], seen[telling]
        contrast = (then * seen).sum(axis=2) / np.maximum((then * then).sum(axis=2), 1e-6)
        left = seen - contrast[..., None] * then
        misfits = np.median(left.std(axis=2) / np.maximum(seen.std(axis=1), 1e-3), axis=1)
        best = int(misfits.argmin())
        return float(_BLURS_MM[best]), float(misfits[best])


def _inner(sections: npt.NDArray[Any]) -> Floats:
    border = round(_BORDER_MM / SECTION_STEP_MM)
    inner = sections[:, border:-border].astype(np.float64)
    return np.asarray(inner - inner.mean(axis=1, keepdims=True))

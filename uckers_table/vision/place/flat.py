"""The board laid flat: the plan and a margin round it, a pixel a millimetre, (row, column) to millimetres.

The camera sees the board nearly twice as finely. So its picture is halved before it is laid flat: every pixel
counts, and the flat picture holds a quarter as many.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import Floats, Image, Maps
from uckers_table.vision.picture.channels import Halves, halved, halvings, in_halved
from uckers_table.vision.place.camera import CameraModel, fixed_point

MARGIN_MM = 59.0
"""Room round the board for pieces that stand over the edge, and for what reaches in. With a board of 610 mm
the flat picture has 728 pixels a side, which can be halved three times.
"""


@dataclass(frozen=True)
class Canvas:
    """Which plan square a flat picture covers, and how finely."""

    side_mm: float
    px_per_mm: float = 1.0
    margin_mm: float = MARGIN_MM

    @property
    def size(self) -> int:
        """Rows and columns of the flat picture."""
        return round((self.side_mm + 2 * self.margin_mm) * self.px_per_mm)

    def px(self, points_mm: npt.ArrayLike) -> Floats:
        """Flat pixels (x, y) of plan points (N, 2)."""
        return (np.asarray(points_mm, dtype=np.float64) + self.margin_mm) * self.px_per_mm - 0.5

    def mm(self, points_px: npt.ArrayLike) -> Floats:
        """Plan points of flat pixels (N, 2)."""
        return (np.asarray(points_px, dtype=np.float64) + 0.5) / self.px_per_mm - self.margin_mm

    @cached_property
    def grid_mm(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Plan x (1, N) and y (N, 1) of the flat pixels."""
        along = (np.arange(self.size, dtype=np.float32) + 0.5) / self.px_per_mm - self.margin_mm
        return along[None, :], along[:, None]


@dataclass(frozen=True)
class Laying:
    """How one camera's pictures are laid flat: the `window` round the board is cut out, halved `halvings`
    times, and remapped.
    """

    window: tuple[slice, slice]
    halvings: int
    maps: Maps

    @classmethod
    def of(cls, camera: CameraModel, canvas: Canvas) -> Laying:
        """For pictures by this camera, on this canvas."""
        side = canvas.side_mm + 2 * canvas.margin_mm
        x, y = camera.maps(-canvas.margin_mm, -canvas.margin_mm, side, side, canvas.px_per_mm)
        times = halvings(camera.px_per_mm, canvas.px_per_mm)
        x, y = in_halved(x, times), in_halved(y, times)
        left, top = (max(0, int(low.min())) for low in (x, y))
        window = slice(top, max(top + 1, int(y.max()) + 2)), slice(left, max(left + 1, int(x.max()) + 2))
        return cls(window, times, fixed_point(x - np.float32(left), y - np.float32(top)))

    def lay(self, picture: Image) -> Image:
        """The picture laid flat, black where the board would lie outside it."""
        rows, columns = (slice(s.start << self.halvings, s.stop << self.halvings) for s in self.window)
        return self._laid(halved(picture[rows, columns], self.halvings))

    def lay_halves(self, picture: Halves) -> Image:
        """The same, for a picture whose smaller sizes are needed elsewhere too."""
        return self._laid(picture.at(self.halvings)[self.window])

    def _laid(self, small: Image) -> Image:
        return np.asarray(cv2.remap(small, *self.maps, cv2.INTER_LINEAR), dtype=np.uint8)

"""A small net: an ONNX file beside this one, run by OpenCV. `README.md` here says what each net sees."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import Floats

Patches = npt.NDArray[np.float32]
"""What nets see (N, channels, rows, columns)."""


class Net:
    """The net of one file, here or at a whole path. The file is read when the net is first asked.

    Any thread may ask it.
    """

    def __init__(self, file: str) -> None:
        self._file = Path(__file__).parent / file
        # OpenCV's net holds the patch that it works on, and other threads run meanwhile.
        self._lock = Lock()
        self._outputs: int | None = None

    def say(self, seen: Patches) -> Floats:
        """What the net says (N, outputs) of patches. What it says of one does not depend on the others."""
        if not len(seen):
            return np.empty((0, self._count(seen.shape[1:])))
        # One by one: OpenCV lays its memory out anew for each other number of patches, and gains nothing
        # by many.
        return np.concatenate([self._forward(seen[k : k + 1]) for k in range(len(seen))])

    def _forward(self, patch: Patches) -> Floats:
        """What the net says (1, outputs) of one patch."""
        with self._lock:
            self._net.setInput(patch)
            return np.asarray(self._net.forward(), dtype=np.float64)

    @cached_property
    def _net(self) -> cv2.dnn.Net:
        return cv2.dnn.readNetFromONNX(str(self._file))

    def _count(self, shape: tuple[int, ...]) -> int:
        """How many outputs the net has, which sees patches of this shape."""
        if self._outputs is None:
            self._outputs = self._forward(np.zeros((1, *shape), dtype=np.float32)).shape[1]
        return self._outputs

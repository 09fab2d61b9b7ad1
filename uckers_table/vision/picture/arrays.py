"""The arrays that the eyes work with, by what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""A picture (rows, columns, 3), BGR."""
Grey = npt.NDArray[np.uint8]
"""A picture of one channel (rows, columns)."""
Map = npt.NDArray[np.float32]
"""A value, or some, at every point of a picture or of the plan."""
Flags = npt.NDArray[np.bool_]
"""Yes or no."""
Mask = npt.NDArray[np.uint8]
"""Yes or no (0 and 1, or 0 and 255) as OpenCV draws it."""
Floats = npt.NDArray[np.float64]
"""Coordinates and other values."""
AnyFloats = npt.NDArray[np.floating[Any]]
"""Values of either precision."""
Places = npt.NDArray[np.intp]
"""Rows or columns, or where else in an array."""
Maps = tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]
"""Where `cv2.remap` finds each point of its result."""

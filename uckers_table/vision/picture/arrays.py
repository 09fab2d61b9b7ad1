"""Names for the arrays that the eyes work with, by what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""A picture (rows, columns, 3), BGR in grey levels 0 to 255."""
Grey = npt.NDArray[np.uint8]
"""A picture of one channel (rows, columns), in grey levels 0 to 255."""
Map = npt.NDArray[np.float32]
"""One value or several at every point of a picture or of the plan."""
Flags = npt.NDArray[np.bool_]
"""Yes or no for each entry."""
Mask = npt.NDArray[np.uint8]
"""Yes or no as OpenCV draws it: 0 and 1, or 0 and 255."""
Floats = npt.NDArray[np.float64]
"""Coordinates and other values."""
AnyFloats = npt.NDArray[np.floating[Any]]
"""Values of single or double precision."""
Places = npt.NDArray[np.intp]
"""Indices: rows, columns or other places in an array."""
Maps = tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]
"""The two maps with which `cv2.remap` finds each point of its result."""

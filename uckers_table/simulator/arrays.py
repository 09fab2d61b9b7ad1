"""The arrays that the simulator draws with, by what they hold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
"""Points, colours and amounts of light."""
Coverage = npt.NDArray[np.uint8]
"""Where something is drawn (rows, columns): 0 nowhere, 255 all over."""

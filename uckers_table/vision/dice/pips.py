"""Where pips lie on the faces of ordinary dice."""

from __future__ import annotations

import numpy as np

from uckers_table.vision.picture.arrays import Flags

SITES = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], dtype=np.float64)
"""The nine places of a face's 3 × 3 grid (9, 2), row by row, in pitches from its middle."""


def _pattern(*places: int) -> Flags:
    out = np.zeros(9, dtype=bool)
    out[list(places)] = True
    return out


PATTERNS: tuple[tuple[int, Flags], ...] = (
    (1, _pattern(4)),
    (2, _pattern(0, 8)),
    (2, _pattern(2, 6)),
    (3, _pattern(0, 4, 8)),
    (3, _pattern(2, 4, 6)),
    (4, _pattern(0, 2, 6, 8)),
    (5, _pattern(0, 2, 4, 6, 8)),
    (6, _pattern(0, 2, 3, 5, 6, 8)),
    (6, _pattern(0, 1, 2, 6, 7, 8)),
)
"""Each value, and which of the `SITES` have pips. A face looks the same after half a turn."""
MANY = PATTERNS[1:]
"""The patterns of two pips and more."""
MANY_PIPS = np.array([pattern for _, pattern in MANY], dtype=np.float64)
"""The patterns of `MANY` (8, 9): 1 for a pip, 0 for none."""

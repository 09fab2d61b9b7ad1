"""A small net run by numpy: convolutions of 3 by 3 pixels, then two layers of all with all.

`scripts/learned.py` is what such nets are fitted with.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from uckers_table.vision.picture.arrays import Floats

Patches = npt.NDArray[np.float32]
"""What nets see (N, channels, rows, columns)."""

_AT_ONCE = 2
"""Patches: more take more memory and no less time."""


class Net:
    """One of a file's weights; `strides` are its convolutions', which leave every so manieth pixel."""

    def __init__(self, file: str, strides: Sequence[int]) -> None:
        self._file, self._strides = Path(__file__).with_name(file), tuple(strides)

    def say(self, seen: Patches) -> Floats:
        """What it says (N, outputs) of patches."""
        said = [self._forward(seen[k : k + _AT_ONCE]) for k in range(0, len(seen), _AT_ONCE)]
        return np.concatenate(said) if said else np.empty((0, len(self._weights["outer"])))

    @cached_property
    def _weights(self) -> dict[str, npt.NDArray[np.float32]]:
        with np.load(self._file) as file:
            return {name: file[name].astype(np.float32) for name in file.files}

    def _forward(self, seen: Patches) -> Floats:
        weights, here = self._weights, seen
        for k, stride in enumerate(self._strides):
            padded = np.pad(here, ((0, 0), (0, 0), (1, 1), (1, 1)))
            near = sliding_window_view(padded, (3, 3), axis=(2, 3))[:, :, ::stride, ::stride]
            rows, columns = near.shape[2:4]
            terms = near.transpose(0, 1, 4, 5, 2, 3).reshape(len(here), -1, rows * columns)
            here = np.maximum(weights[f"conv{k}"] @ terms + weights[f"bias{k}"][:, None], 0)
            here = here.reshape(len(here), -1, rows, columns)
        flat = np.maximum(here.reshape(len(here), -1) @ weights["inner"].T + weights["inner_bias"], 0)
        return np.asarray(flat @ weights["outer"].T + weights["outer_bias"], dtype=np.float64)

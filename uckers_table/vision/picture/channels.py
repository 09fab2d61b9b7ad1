"""What is done to every pixel of a picture, each in the fastest way that was found.

numpy's reductions over a last axis of three take ten times as long as three additions. OpenCV shrinks a
picture to exactly half its size in a tenth of the time of any other size.
"""

from __future__ import annotations

from typing import Any, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import AnyFloats, Flags, Places

T = TypeVar("T", bound=np.generic)
F = TypeVar("F", np.float32, np.float64)

GAMMA = 2.2
"""Light is about this power of grey levels."""


def channel_sum(values: AnyFloats) -> AnyFloats:
    """The sum over the last axis, which has three entries: (…, 3) to (…)."""
    return values[..., 0] + values[..., 1] + values[..., 2]


def gathered(layer: npt.NDArray[T], rows: Places, columns: Places) -> npt.NDArray[T]:
    """What a layer (height, width, …) holds at rows and columns (N…): (N…, …). It takes a quarter of the time
    of numpy's two indices.
    """
    height, width, *rest = layer.shape
    return np.asarray(layer.reshape(height * width, *rest).take(rows * width + columns, axis=0))


def channels_at(picture: npt.NDArray[T], places: Places) -> npt.NDArray[T]:
    """The channels (3, N…) of a picture (height, width, 3) at places (N…), counted row by row."""
    return np.moveaxis(picture.reshape(-1, 3).take(places, axis=0), -1, 0)


def places_at(at_px: AnyFloats, size: int) -> tuple[Places, Places, Flags]:
    """The rows, the columns and whether they lie within, (…) each, of points (…, 2) of a square picture.
    Points are (x, y) in pixels, and those outside are moved to its edge. `size` is the picture's rows.
    """
    columns, rows = (np.rint(v).astype(np.intp) for v in np.moveaxis(at_px, -1, 0))
    inside = (np.minimum(rows, columns) >= 0) & (np.maximum(rows, columns) < size)
    return np.clip(rows, 0, size - 1), np.clip(columns, 0, size - 1), inside


def remapped(picture: npt.NDArray[Any], x: AnyFloats, y: AnyFloats) -> npt.NDArray[Any]:
    """What a picture shows at places, bilinear: as `cv2.remap` with these maps (N, M…), for any number N.

    Beyond the picture its edge goes on.
    """
    parts = [
        cv2.remap(
            picture,
            x[first : first + _MOST_ROWS],
            y[first : first + _MOST_ROWS],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for first in range(0, max(1, len(x)), _MOST_ROWS)
    ]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


_MOST_ROWS = 30_000
"""cv2.remap takes at most 32,767."""


def medians(values: npt.NDArray[F]) -> npt.NDArray[F]:
    """The medians over the last axis but one: (…, N, channels) to (…, channels). For a few hundred values it
    takes a third of numpy's time.
    """
    # Sorting runs that lie side by side in memory is faster than numpy's partition.
    ordered = np.sort(np.ascontiguousarray(values.swapaxes(-1, -2)), axis=-1)
    count = values.shape[-2]
    return np.asarray((ordered[..., (count - 1) // 2] + ordered[..., count // 2]) / 2, dtype=values.dtype)


def seen_medians(values: AnyFloats, is_seen: Flags) -> AnyFloats:
    """The medians (…) over the last axis of those values (…, N) that are seen; 0 where none are."""
    ordered = np.sort(np.where(is_seen, values, np.inf), axis=-1)
    count = is_seen.sum(axis=-1)[..., None]
    middles = [np.maximum(count - k, 0) // 2 for k in (1, 0)]
    middles[1] = np.minimum(middles[1], np.maximum(count - 1, 0))
    low, high = (np.take_along_axis(ordered, k, -1)[..., 0] for k in middles)
    return np.where(count[..., 0] > 0, (low + high) / 2, 0.0)


def channels_of(picture: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The channels (3, height, width) of a picture (height, width, 3)."""
    out = np.empty((3, *picture.shape[:2]), dtype=picture.dtype)
    # OpenCV writes into arrays that exist already. A list of its own would be copied once more.
    cv2.split(picture, list(out))
    return out


def brightest(picture: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The largest of the three channels of a picture: (height, width, 3) to (height, width)."""
    blue, green, red = channels_of(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=picture.dtype)


def halved(picture: npt.NDArray[Any], times: int = 1) -> npt.NDArray[Any]:
    """A picture (height, width, …) at half its size, halved `times` times. Each pixel is the mean of four. An
    odd last row or column is left out.
    """
    for _ in range(times):
        height, width = picture.shape[0] // 2, picture.shape[1] // 2
        even = picture[: 2 * height, : 2 * width]
        picture = cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA)
    return picture


def doubled(squares: npt.NDArray[T]) -> npt.NDArray[T]:
    """A layer (rows, columns) at twice its size: each value fills two by two places."""
    out = np.empty((2 * squares.shape[0], 2 * squares.shape[1]), dtype=squares.dtype)
    # Several times as fast as cv2.resize, or as repeating along both axes.
    out[::2, ::2] = squares
    out[::2, 1::2] = squares
    out[1::2] = out[::2]
    return out


class Halves:
    """A picture at full size, at half, at a quarter and so on. Each size is made when first asked for."""

    def __init__(self, picture: npt.NDArray[np.uint8]) -> None:
        self._sizes = [picture]

    @property
    def whole(self) -> npt.NDArray[np.uint8]:
        """The picture at full size."""
        return self._sizes[0]

    def at(self, times: int) -> npt.NDArray[np.uint8]:
        """The picture halved `times` times."""
        while len(self._sizes) <= times:
            self._sizes.append(halved(self._sizes[-1]))
        return self._sizes[times]


FINENESS = 1.6
"""A picture is halved once more if it has more than this many times the pixels a
millimetre that are wanted.
"""


def halvings(px_per_mm: float, wanted: float = 1.0) -> int:
    """How often a picture is halved to be left with 0.8 to 1.6 times the pixels a
    millimetre that are wanted.
    """
    count = 0
    while px_per_mm > FINENESS * wanted * 2**count:
        count += 1
    return count


def in_halved(px: Any, times: int) -> Any:
    """Where pixels of a picture, or its columns or rows alone, lie in the picture halved `times` times."""
    # A pixel of the halved picture is the middle of two by two.
    return (px + 0.5) / 2**times - 0.5


def in_whole(px: Any, times: int) -> Any:
    """The inverse of `in_halved`: where pixels of the halved picture lie in the whole one."""
    return (px + 0.5) * 2**times - 0.5

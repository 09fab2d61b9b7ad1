"""Pictures that may come from anywhere: their size is looked at before they are decoded.

A file of 13 kB may hold 108 million pixels, and decoded they take 650 MB.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.errors import InputError

MOST_PIXELS = 64_000_000
"""The largest camera for a Pi has 9152 × 6944, and so have most phones' at their best."""
LONGEST_PX, SHORTEST_PX = 16_384, 8
"""A picture's sides: no camera gives a longer one, and in a shorter one there is nothing to be seen."""
_ENDS = {b"\xff\xd8": b"\xff\xd9", b"\x89PNG": b"IEND"}
"""The bytes with which JPEG and PNG files begin, and those with which they end."""
_TAIL = 64
"""The last bytes of a file in which its end must be. Some cameras write a little after it."""
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""JPEG's markers of a frame, whose header has the size."""
_BARE = frozenset({0x01, *range(0xD0, 0xD8)})
"""JPEG's markers that no length follows."""


def decoded(packed: bytes) -> npt.NDArray[np.uint8]:
    """The picture in the bytes of a JPEG, PNG, BMP or WebP file, BGR (rows, columns, 3).

    InputError, as words that follow the file's name, where there is none, or it is torn or too large.
    """
    if not packed:
        raise InputError("is empty, or torn: take it again")
    for start, end in _ENDS.items():
        # OpenCV fills what is missing with grey, and at most warns on the terminal.
        if packed.startswith(start) and end not in packed[-_TAIL:]:
            raise InputError("is torn, its end is missing: take it again")
    size = _size_told(packed)
    if size is None:
        raise InputError("is no picture, or torn: take it again, as a JPEG or PNG")
    width, height = size
    if width * height > MOST_PIXELS or max(size) > LONGEST_PX:
        most = f"{MOST_PIXELS // 10**6} million pixels and sides of {LONGEST_PX}"
        raise InputError(f"has {width} × {height} pixels: a picture has at most {most}; make it smaller")
    if min(size) < SHORTEST_PX:
        raise InputError(f"has {width} × {height} pixels, too few to show anything: take it again")
    try:
        picture = cv2.imdecode(np.frombuffer(packed, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        # A damaged header may claim what OpenCV refuses.
        picture = None
    if picture is None:
        raise InputError("is no picture, or torn: take it again")
    return np.asarray(picture, dtype=np.uint8)


def _size_told(packed: bytes) -> tuple[int, int] | None:
    """The width and height that a file's header tells, as the decoder will take them; None for no picture."""
    for start, size_of in _HEADERS.items():
        if packed.startswith(start):
            return size_of(packed)
    return None


def _png_size(packed: bytes) -> tuple[int, int] | None:
    if packed[12:16] != b"IHDR" or len(packed) < 24:
        return None
    return int.from_bytes(packed[16:20]), int.from_bytes(packed[20:24])


def _jpeg_size(packed: bytes) -> tuple[int, int] | None:
    at = 2
    while 0 <= (at := packed.find(b"\xff", at)) < len(packed) - 9:
        marker = packed[at + 1]
        if marker in _FRAMES:
            return int.from_bytes(packed[at + 7 : at + 9]), int.from_bytes(packed[at + 5 : at + 7])
        # 0xFF before 0xFF is filling, and before 0 it is data.
        if marker in _BARE or marker == 0:
            at += 2
        elif marker == 0xFF:
            at += 1
        else:
            at += 2 + int.from_bytes(packed[at + 2 : at + 4])
    return None


def _bmp_size(packed: bytes) -> tuple[int, int] | None:
    if int.from_bytes(packed[14:18], "little") < 40:
        return None
    width, height = (int.from_bytes(packed[k : k + 4], "little", signed=True) for k in (18, 22))
    # Rows that go downwards have a negative height.
    return abs(width), abs(height)


def _webp_size(packed: bytes) -> tuple[int, int] | None:
    kind, data = packed[8:16], packed[20:]
    if len(data) < 10:
        return None
    if kind == b"WEBPVP8X":
        return int.from_bytes(data[4:7], "little") + 1, int.from_bytes(data[7:10], "little") + 1
    if kind == b"WEBPVP8L":
        bits = int.from_bytes(data[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"WEBPVP8 ":
        width, height = (int.from_bytes(data[k : k + 2], "little") for k in (6, 8))
        return width & 0x3FFF, height & 0x3FFF
    return None


_HEADERS: Mapping[bytes, Callable[[bytes], tuple[int, int] | None]] = {
    b"\x89PNG\r\n\x1a\n": _png_size,
    b"\xff\xd8": _jpeg_size,
    b"BM": _bmp_size,
    b"RIFF": _webp_size,
}
"""The formats whose size is looked at, by how their files begin; others are refused."""

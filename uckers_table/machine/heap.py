"""How the C library's heap is to behave: a small machine has no memory to leave lying about."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""Of glibc's malloc.h."""
PICTURE_BYTES, KEPT_BYTES = 1_000_000, 2_000_000
"""With eight megabytes kept for two, a read takes as long and the service six megabytes more
(`python bench/service.py`).
"""
ARENAS = 2
"""The loop's and the camera's threads do nearly all of the work."""


def share_heaps() -> None:
    """Have all threads share a few heaps. Call it before there are any; without glibc it does nothing.

    glibc gives each thread a heap of its own, up to eight for a processor, and what lies free in one is no
    use to another. And once a picture was freed, it keeps what as large a one would need for good; so those
    are to be given back at once, and of what is smaller only so much to be kept as a reading needs.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            libc = ctypes.CDLL(None)
            libc.mallopt(_M_ARENA_MAX, ARENAS)
            libc.mallopt(_M_MMAP_THRESHOLD, PICTURE_BYTES)
            libc.mallopt(_M_TRIM_THRESHOLD, KEPT_BYTES)


def give_back() -> None:
    """Give the system back whatever lies free between what is in use. Takes some milliseconds.

    Of a heap whose end is in use glibc gives nothing back by itself: after hours of reading pictures that is
    some megabytes.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)

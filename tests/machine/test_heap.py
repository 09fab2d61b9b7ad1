"""What lies free between what is in use goes back to the system."""

import ctypes
import os
import platform
from pathlib import Path

import pytest

from uckers_table.machine.heap import give_back

MB = 1 << 20
BLOCK_BYTES = 64 << 10
"""Small enough to come from the heap, and not from a mapping of its own."""


def resident_mb():
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MB


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is asked to give memory back")
def test_what_is_free_between_what_is_used_is_given_back():
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    blocks = [libc.malloc(BLOCK_BYTES) for _ in range(2000)]
    for block in blocks:
        ctypes.memset(block, 1, BLOCK_BYTES)
    # The last stays, so that the heap cannot be cut at its end.
    for block in blocks[:-1]:
        libc.free(block)
    before = resident_mb()
    give_back()
    after = resident_mb()
    libc.free(blocks[-1])
    assert before - after > 100

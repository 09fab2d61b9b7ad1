"""The serial port that a dice tower may be behind, as it is read."""

from __future__ import annotations

from typing import Any

LARGEST_READ = 4096
"""Bytes taken at once; a tower never has so many to say."""


def what_came(port: Any) -> bytes:
    """The bytes that have come to an open port; empty where none comes within its own limit of waiting.

    The first byte is waited for, the rest taken as it is: a plain `read(n)` would wait for n bytes.
    """
    came: bytes = port.read(min(max(1, port.in_waiting), LARGEST_READ))
    return came

"""Exit statuses, and the one line on standard error that goes with them."""

from __future__ import annotations

from uckers_table.foreign.words import printable

UNUSABLE = 2
"""The input cannot be used."""
MISCONFIGURED = 78
"""EX_CONFIG of sysexits.h: trying again changes nothing, so the service of `run` is not started again."""


def one_line(error: Exception) -> str:
    """An error's text without its line breaks, and without anything that would command a terminal."""
    return printable(" ".join(str(error).split()))

"""Numbers of things in words."""

from __future__ import annotations


def how_many(number: int, what: str, whats: str = "") -> str:
    """A number of things; `whats` is the plural where that takes more than an s.

    >>> how_many(1, "match", "matches"), how_many(2, "match", "matches"), how_many(0, "throw")
    ('1 match', '2 matches', '0 throws')
    """
    return f"{number} {what}" if number == 1 else f"{number} {whats or f'{what}s'}"

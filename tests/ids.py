"""Short ids for tests that are given long texts."""

LONGEST_TEXT = 24
"""Characters of a text that make an id: three such texts stay below 80."""


def begins(value: object) -> str | None:
    """The first characters of a text; None for anything else, which pytest names itself."""
    return value[:LONGEST_TEXT] if isinstance(value, str) else None

"""Who is who: a name that is written in several ways is one person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from unicodedata import normalize


def person_of(name: str) -> str:
    """What all ways to write a name have in common: "Jack", " jack" and "JACK" are one.

    >>> person_of("Jack  Tar") == person_of(" jack tar")
    True
    """
    # Folding may leave letters apart that belong together, and the other way round.
    return " ".join(normalize("NFKC", normalize("NFKC", name).casefold()).split())


def spellings(names: Iterable[str]) -> Mapping[str, str]:
    """By person, the name as it was written most often; of several the one that was written first."""
    written: dict[str, Counter[str]] = {}
    for name in names:
        if person := person_of(name):
            written.setdefault(person, Counter())[" ".join(name.split())] += 1
    return {person: ways.most_common(1)[0][0] for person, ways in written.items()}

"""What the page reads of the record: the matches that were played, and their pictures.

Numbers name matches, and within one its rulings; pictures have names from a closed list. No path from
outside gets here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

PICTURES = ("before", "after", "marked")
"""What the pictures of a ruling show: the last board that was right, the one judged, and the difference."""


@dataclass(frozen=True)
class Summary:
    """A match in the list. `begun` is a date and time in words, empty where it was not known."""

    number: int
    rules: str
    players: int
    seats: tuple[str, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    begun: str = ""
    winner: tuple[str, ...] = ()
    honours: tuple[str, ...] = ()
    is_over: bool = False
    rulings: int = 0
    length_s: float = 0.0


@dataclass(frozen=True)
class KeptRuling:
    """A ruling with the board after it; `position` has each colour's steps, `throw` the dice last thrown."""

    number: int
    t: float
    ruling: str
    say: str
    position: Mapping[str, Sequence[int]]
    side: str = ""
    to_play: str = ""
    awaiting: str = ""
    throw: tuple[int, ...] = ()
    evidence: tuple[str, ...] = ()
    is_disputed: bool = False


@dataclass(frozen=True)
class Match:
    """A match as it can be gone through."""

    summary: Summary
    rulings: tuple[KeptRuling, ...]


@dataclass(frozen=True)
class Table:
    """Figures as people read them: a title, what they say in a sentence or more, and rows under heads."""

    title: str
    sentences: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Inscription:
    """A line on the back of the board: the honour, whose, by whom, when, in which match, and what is owed."""

    honour: str
    who: str
    by: str = ""
    when: str = ""
    match: int | None = None
    owed: str = ""


class Library(Protocol):
    """The record, read. Each method from any thread; RecordError where the record cannot be read."""

    def matches(self) -> Sequence[Summary]:
        """All of them, the newest first."""

    def match(self, number: int) -> Match | None:
        """One of them; None where there is none of that number."""

    def picture(self, match: int, ruling: int, what: str) -> Path | None:
        """The file of a picture behind a ruling, `what` one of `PICTURES`; None where it is not kept."""

    def frames_around(self, match: int, ruling: int) -> Sequence[tuple[float, Path]]:
        """The pictures kept from around a ruling, in order, each with its time."""

    def statistics(self) -> Sequence[Table]:
        """What the throws of all matches come to."""

    def honours(self) -> Sequence[Inscription]:
        """What stands on the back of the board, the newest first."""

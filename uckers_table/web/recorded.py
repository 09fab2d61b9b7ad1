"""The record as the page's scripts take it: plain data made of the library's values."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from uckers_table.record.library import FrameAround
from uckers_table.record.match_record import DISPUTED, EVIDENCE, MatchRecord, MatchSummary, as_lists


class Library(Protocol):
    """What the page reads of the record: `record.library.Library`, which says what each gives and raises."""

    def matches(self) -> list[MatchSummary]:
        """All matches, by number."""

    def match(self, number: int) -> MatchRecord:
        """All that is known of a match."""

    def evidence_file(self, number: int, ruling: int, what: str) -> Path:
        """A picture behind a ruling."""

    def frames_around(self, number: int, ruling: int) -> list[FrameAround]:
        """The pictures from around a ruling."""


def summary_shown(summary: MatchSummary) -> dict[str, Any]:
    """A match in the list; `begun` is an ISO date or null."""
    terms = summary.terms
    return {
        "number": summary.number,
        "rules": terms.title or terms.rules,
        "players": terms.players,
        "seats": terms.seats,
        "names": dict(terms.names),
        "begun": summary.begun,
        "winner": summary.winner or (),
        "honours": summary.honours,
        "is_over": summary.winner is not None,
        "rulings": summary.rulings,
        "lasted_s": summary.lasted_s,
    }


def match_shown(record: MatchRecord) -> dict[str, Any]:
    """A match as it is gone through: its rulings, each with the board after it and its pictures."""
    rulings = [
        {
            "number": number,
            "t": ruled.t,
            "ruling": ruled.ruling,
            "say": ruled.say,
            "side": ruled.side or "",
            "position": as_lists(ruled.position),
            "to_play": ruled.to_play,
            "awaiting": ruled.awaiting,
            "throw": ruled.throw,
            "evidence": evidence_of(record, number),
            "is_disputed": ruled.ruling in DISPUTED,
            "is_overruled": number in record.overruled,
        }
        for number, ruled in enumerate(record.rulings, start=1)
    ]
    return {"summary": summary_shown(record.summary), "rulings": rulings}


def evidence_of(record: MatchRecord, ruling: int) -> list[str]:
    """Which pictures behind a ruling are still there."""
    kept = {picture.what for picture in record.pictures.get(ruling, ()) if not picture.removed}
    return [what for what in EVIDENCE if what in kept]

"""The record as the page's scripts take it: plain data made of the library's values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from uckers_table.announce.words import capital
from uckers_table.errors import SenselessError
from uckers_table.record.exchange import to_csv, to_json
from uckers_table.record.honours import Honour, as_svg, honours_of
from uckers_table.record.library import FrameAround
from uckers_table.record.match_record import DISPUTED, MatchRecord, MatchSummary, as_lists
from uckers_table.record.notation import board_of, to_text
from uckers_table.record.statistics import (
    MatchFigures,
    Statistics,
    Tally,
    figures_of,
    statistics_of,
    statistics_together,
)
from uckers_table.web.rulebook import plan_address

TEXT = "text/plain; charset=utf-8"


class ReadableRecord(Protocol):
    """What the page reads of the record: `record.library.Library`, which says what each gives and raises."""

    def matches(self) -> list[MatchSummary]:
        """All matches, by number."""

    def senseless(self) -> list[int]:
        """The numbers of the matches that cannot be read."""

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


def list_shown(library: ReadableRecord) -> list[dict[str, Any]]:
    """The list of matches, the newest first; one that cannot be read has its number alone."""
    shown = [summary_shown(each) for each in library.matches()]
    shown += [{"number": number, "cannot_be_read": True} for number in library.senseless()]
    return sorted(shown, key=lambda each: -each["number"])


def match_shown(record: MatchRecord) -> dict[str, Any]:
    """A match as it is gone through: its rulings, each with the board after it and its pictures."""
    rulings = [
        {
            "number": number,
            "t": ruled.t,
            "ruling": ruled.ruling,
            "say": ruled.full,
            "side": ruled.side or "",
            "position": as_lists(ruled.position),
            "to_play": ruled.to_play,
            "awaiting": ruled.awaiting,
            "throw": ruled.throw,
            "evidence": record.evidence(number),
            "stories": ruled.facts.get("stories", []),
            "is_disputed": ruled.ruling in DISPUTED,
            "is_overruled": number in record.taken_back,
        }
        for number, ruled in enumerate(record.rulings, start=1)
    ]
    plan = plan_address(board_of(record.summary.terms))
    return {"summary": summary_shown(record.summary), "plan": plan, "rulings": rulings}


EXPORTS: Mapping[str, tuple[str, Callable[[MatchRecord], str] | None]] = {
    "txt": (TEXT, to_text),
    "json": (TEXT, lambda record: json.dumps(to_json(record), ensure_ascii=False, indent=1) + "\n"),
    "csv": (TEXT, to_csv),
    "gif": ("image/gif", None),
}
"""The forms in which a match is handed out, by the ending of its file: what a browser takes it for, and what
makes it. None for a film, which is drawn in a process of its own.
"""


class Counted:
    """What is counted over all matches that are over. Each is counted once, when it is there.

    Whoever has others waiting for the record asks for `uncounted` and counts those one by one first. Ask from
    one thread at a time.
    """

    def __init__(self, library: ReadableRecord) -> None:
        self._library = library
        self._summaries: dict[int, str] = {}
        """What the record said of each match in its list as it was counted: matches are dated, and taken in
        again with more of them. Those that it does not have any more are left out."""
        self._each: dict[int, tuple[MatchFigures, tuple[Honour, ...]] | None] = {}
        """What was counted of each match; None of one that makes no sense."""
        self._statistics = statistics_of(())
        self._honours: tuple[Honour, ...] = ()
        self._is_added_up = True

    def uncounted(self) -> list[int]:
        """The matches that are to be counted: new ones, and those that the record says something else of."""
        over = {each.number: repr(each) for each in self._library.matches() if each.winner is not None}
        known = {number for number in self._each if self._summaries[number] == over.get(number)}
        if known != self._each.keys():
            self._each = {number: self._each[number] for number in self._each if number in known}
            self._is_added_up = False
        self._summaries = over
        return [number for number in over if number not in known]

    def count(self, number: int) -> None:
        """Count a match, of which `uncounted` told."""
        try:
            record = self._library.match(number)
            self._each[number] = figures_of(record), honours_of([record])
        except SenselessError:
            self._each[number] = None
        self._is_added_up = False

    def _count(self) -> None:
        for number in self.uncounted():
            self.count(number)
        if not self._is_added_up:
            each = [counted for _, counted in sorted(self._each.items()) if counted is not None]
            self._statistics = statistics_together(figures for figures, _ in each)
            self._honours = tuple(honour for _, honours in each for honour in honours)
            self._is_added_up = True

    def figures(self) -> list[dict[str, Any]]:
        """Tables: a title, sentences on what they say, heads and rows."""
        self._count()
        return _figures(self._statistics) if self._statistics.matches else []

    def honours(self) -> list[dict[str, Any]]:
        """The back of the board, the newest first."""
        self._count()
        return [
            {
                "what": honour.words,
                "who": " and ".join(honour.losers),
                "by": " and ".join(honour.winners),
                "date": honour.date,
                "match": honour.match,
                "crates": honour.crates,
            }
            for honour in reversed(self._honours)
        ]

    def honours_drawn(self) -> str:
        """The back of the board, drawn."""
        self._count()
        return as_svg(self._honours)


def _figures(counted: Statistics) -> list[dict[str, Any]]:
    number = "1 match" if counted.matches == 1 else f"{counted.matches} matches"
    tables = []
    dice = _table(
        "The dice",
        [
            f"{number}, {counted.throws} throws, {counted.faults} times cocked or dropped.",
            "Nothing tells the two dice apart, so they are taken together.",
            *(f"{capital(test.name)}: {test.says}" for test in counted.tests),
        ],
        ("face", *map(str, range(1, len(counted.faces) + 1))),
        [("how often", *map(str, counted.faces))],
    )
    # What people ask about first comes first.
    heads = ("caught", "luck", "won", "sent back", "throws", "sixes", "doubles", "stood")
    for title, who, tallies in (("Players", "name", counted.players), ("Colours", "colour", counted.sides)):
        if tallies:
            tables.append(_table(title, [], (who, *heads), [_tally(each) for each in tallies]))
    mistakes = f"Players took {counted.overruled} of its accusations back."
    return [*tables, dice, _table("The referee", [mistakes], (), [])]


def _table(
    title: str, sentences: Sequence[str], heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> dict[str, Any]:
    return {"title": title, "sentences": sentences, "heads": heads, "rows": rows}


def _tally(tally: Tally) -> tuple[str, ...]:
    won = f"{tally.won} of {tally.matches}"
    counts = map(str, (tally.sent_back, tally.throws, tally.sixes, tally.doubles, tally.stood))
    return (tally.who, str(tally.caught), tally.luck_in_words, won, *counts)

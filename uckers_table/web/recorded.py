"""The record as the page's scripts take it: plain data made of the library's values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from uckers_table.errors import InputError
from uckers_table.record.counted import Choices, CountableRecord
from uckers_table.record.evening import evening_score
from uckers_table.record.exchange import to_csv, to_json
from uckers_table.record.honours import Honour
from uckers_table.record.library import FrameAround
from uckers_table.record.match_record import DISPUTED, EVIDENCE, MatchRecord, MatchSummary, as_lists
from uckers_table.record.moments import moments_of
from uckers_table.record.notation import board_of, to_text
from uckers_table.record.statistics import Statistics, rules_name
from uckers_table.web.accused import accused_shown, rule_shown
from uckers_table.web.figures import charts_of, tables_of
from uckers_table.web.rulebook import plan_address

TEXT = "text/plain; charset=utf-8"


class ReadableRecord(CountableRecord, Protocol):
    """What the page reads of the record: `record.library.Library`, which says what each gives and raises."""

    def senseless(self) -> list[int]:
        """The numbers of the matches that cannot be read."""

    def evidence_file(self, number: int, ruling: int, what: str) -> Path:
        """A picture behind a ruling."""

    def table_file(self, match: MatchRecord) -> Path:
        """The table that a match's pictures show, as its camera saw it."""

    def frames_around(self, number: int, ruling: int) -> list[FrameAround]:
        """The pictures from around a ruling."""


def summary_shown(summary: MatchSummary) -> dict[str, Any]:
    """A match in the list; `begun` is an ISO date or null."""
    terms = summary.terms
    return {
        "number": summary.number,
        "rules": rules_name(terms),
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
    """A match as it is gone through: its rulings, each with the board after it and its pictures, and what
    makes a moment of it.
    """
    moments = {moment.number: moment.kinds for moment in moments_of(record)}
    rulings = [
        {**_ruled_shown(record, number), "moments": moments.get(number, ())}
        for number in range(1, len(record.rulings) + 1)
    ]
    return {"summary": summary_shown(record.summary), "plan": _plan_of(record), "rulings": rulings}


def ruling_shown(record: MatchRecord, number: int) -> dict[str, Any]:
    """One ruling as it is looked into, with the board before it; InputError where there is none."""
    if not 1 <= number <= len(record.rulings):
        raise InputError(f"there is no ruling {number} in this match")
    before = record.rulings[max(0, number - 2)]
    return {
        "summary": summary_shown(record.summary),
        "plan": _plan_of(record),
        "ruling": _ruled_shown(record, number),
        "before": as_lists(before.position),
        "accused": accused_shown(record, number),
        "rule": rule_shown(record, number),
        "taken": {each.what: each.t for each in record.pictures.get(number, ()) if each.what in EVIDENCE},
    }


def _ruled_shown(record: MatchRecord, number: int) -> dict[str, Any]:
    ruled = record.rulings[number - 1]
    return {
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


def _plan_of(record: MatchRecord) -> str:
    return plan_address(board_of(record.summary.terms))


EXPORTS: Mapping[str, tuple[str, Callable[[MatchRecord], str] | None]] = {
    "txt": (TEXT, to_text),
    "json": (TEXT, lambda record: json.dumps(to_json(record), ensure_ascii=False, indent=1) + "\n"),
    "csv": (TEXT, to_csv),
    "gif": ("image/gif", None),
    "webp": ("image/webp", None),
}
"""The forms in which a match is handed out, by the ending of its file: what a browser takes it for, and what
makes it. None for a film, which is drawn in a process of its own.
"""


def statistics_shown(counted: Statistics, choices: Choices) -> dict[str, Any]:
    """The figures of some matches as tables and charts, and what they can be selected by."""
    return {
        "tables": [asdict(table) for table in tables_of(counted)],
        "charts": charts_of(counted),
        "choices": asdict(choices),
    }


def evening_shown(evening: Sequence[MatchSummary], ucking: str) -> dict[str, Any]:
    """The score of some matches, since when it is counted, and a sentence on the last ucking."""
    return {
        "since": evening[0].begun if evening else None,
        "score": evening_score(evening),
        "ucking": ucking,
    }


def honours_shown(honours: Iterable[Honour]) -> list[dict[str, Any]]:
    """The back of the board, the newest first."""
    shown = [
        {
            "what": honour.words,
            "who": " and ".join(honour.losers),
            "by": " and ".join(honour.winners),
            "told": honour.told,
            "date": honour.date,
            "match": honour.match,
            "crates": honour.crates,
        }
        for honour in honours
    ]
    return shown[::-1]

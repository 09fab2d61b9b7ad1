"""The record as the page's scripts take it: plain data made of the library's values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from uckers_table.announce.words import capital
from uckers_table.errors import InputError, SenselessError
from uckers_table.record.counting import KeptCounts, counts_of, mark_of
from uckers_table.record.exchange import to_csv, to_json
from uckers_table.record.honours import Honour, as_svg
from uckers_table.record.library import FrameAround
from uckers_table.record.match_record import DISPUTED, MatchRecord, MatchSummary, as_lists
from uckers_table.record.moments import moments_of
from uckers_table.record.notation import board_of, to_text
from uckers_table.record.statistics import Statistics, Tally, statistics_of, statistics_together
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

    def counted(self) -> dict[int, KeptCounts]:
        """What was counted of matches and kept."""

    def keep_counted(self, counted: Mapping[int, KeptCounts]) -> bool:
        """Keep what was counted of matches; whether it is kept now."""


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
    """A match as it is gone through: its rulings, each with the board after it and its pictures, and what
    makes a moment of it.
    """
    moments = {moment.number: moment.kinds for moment in moments_of(record)}
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
            "moments": moments.get(number, ()),
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
    """What is counted over all matches that are over. Each is counted once, and kept in the record.

    Ask for the `uncounted` and count those one by one, and then for the figures; all from one thread at a
    time. The record is read beside others.
    """

    def __init__(self, library: ReadableRecord) -> None:
        self._library = library
        self._marks: dict[int, str] = {}
        """The marks of all matches that are over, as the record has them now."""
        self._each: dict[int, KeptCounts] = {}
        """What was counted of each match. What the record said since is told by its mark."""
        self._unkept: dict[int, KeptCounts] = {}
        """What the record did not take yet."""
        self._statistics = statistics_of(())
        self._honours: tuple[Honour, ...] = ()
        self._is_added_up = True

    def uncounted(self) -> list[int]:
        """The matches that are to be counted: new ones, and those that the record says something else of."""
        self._marks = {
            each.number: mark_of(each) for each in self._library.matches() if each.winner is not None
        }
        self._drop_old()
        if self._marks.keys() != self._each.keys():
            for number, kept in self._library.counted().items():
                self._each.setdefault(number, kept)
                self._is_added_up = False
            self._drop_old()
        return [number for number in self._marks if number not in self._each]

    def _drop_old(self) -> None:
        """Forget what was counted of something else than the record has now."""
        now = {number: kept for number, kept in self._each.items() if self._marks.get(number) == kept.mark}
        self._is_added_up = self._is_added_up and len(now) == len(self._each)
        self._each = now

    def count(self, number: int) -> None:
        """Count a match, of which `uncounted` told."""
        try:
            counts = counts_of(self._library.match(number))
        except SenselessError:
            counts = None
        except InputError:
            # It has gone meanwhile.
            return
        self._each[number] = self._unkept[number] = KeptCounts(self._marks[number], counts)
        self._is_added_up = False
        self._keep()

    def _keep(self) -> None:
        if self._unkept and self._library.keep_counted(self._unkept):
            self._unkept.clear()

    def _add_up(self) -> None:
        self._keep()
        if not self._is_added_up:
            counted = [kept.counts for _, kept in sorted(self._each.items()) if kept.counts is not None]
            self._statistics = statistics_together(each.figures for each in counted)
            self._honours = tuple(honour for each in counted for honour in each.honours)
            self._is_added_up = True

    def figures(self) -> list[dict[str, Any]]:
        """Tables: a title, sentences on what they say, heads and rows."""
        self._add_up()
        return _figures(self._statistics) if self._statistics.matches else []

    def honours(self) -> list[dict[str, Any]]:
        """The back of the board, the newest first."""
        self._add_up()
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
        self._add_up()
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

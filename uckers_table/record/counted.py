"""What is counted over all matches that are over: one set of figures, for the page and for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from uckers_table.errors import InputError, SenselessError
from uckers_table.record.counting import Counts, KeptCounts, counts_of, mark_of
from uckers_table.record.honours import Honour
from uckers_table.record.match_record import MatchRecord, MatchSummary
from uckers_table.record.people import spellings
from uckers_table.record.statistics import (
    EVERYTHING,
    Selection,
    Statistics,
    rules_name,
    statistics_of,
    statistics_together,
)


class CountableRecord(Protocol):
    """What is read of the record, and kept in it: `record.library.Library`, which says what each gives."""

    def matches(self) -> list[MatchSummary]:
        """All matches, by number."""

    def match(self, number: int) -> MatchRecord:
        """All that is known of a match."""

    def counted(self) -> dict[int, KeptCounts]:
        """What was counted of matches and kept."""

    def keep_counted(self, counted: Mapping[int, KeptCounts]) -> bool:
        """Keep what was counted of matches; whether it is kept now."""


@dataclass(frozen=True)
class Choices:
    """What a selection can be made by: the rules and names in the record, and the first and the last date."""

    rules: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    first: str = ""
    last: str = ""


class Counted:
    """What is counted over all matches that are over. Each is counted once, and kept in the record.

    Ask for the `uncounted` and count those one by one, and then for the figures; all from one thread at a
    time. The record is read beside others. A command `keeps` nothing: the record is another user's.
    """

    def __init__(self, library: CountableRecord, *, keeps: bool = True) -> None:
        self._library, self._keeps = library, keeps
        self._over: dict[int, MatchSummary] = {}
        """All matches that are over, as the record has them now."""
        self._marks: dict[int, str] = {}
        """Their marks."""
        self._each: dict[int, KeptCounts] = {}
        """What was counted of each match. What the record said since is told by its mark."""
        self._unkept: dict[int, KeptCounts] = {}
        """What the record did not take yet."""
        self._statistics = statistics_of(())
        self._honours: tuple[Honour, ...] = ()
        self._is_added_up = True

    def uncounted(self) -> list[int]:
        """The matches that are to be counted: new ones, and those that the record says something else of."""
        self._over = {each.number: each for each in self._library.matches() if each.winner is not None}
        self._marks = {number: mark_of(summary) for number, summary in self._over.items()}
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

    def count_all(self) -> None:
        """Count whatever is to be counted."""
        for number in self.uncounted():
            self.count(number)

    def _keep(self) -> None:
        if self._keeps and self._unkept and self._library.keep_counted(self._unkept):
            self._unkept.clear()

    def _counted(self) -> Iterator[tuple[MatchSummary, Counts]]:
        """The matches that make sense, by number, with what was counted of each."""
        for number, kept in sorted(self._each.items()):
            if kept.counts is not None and number in self._over:
                yield self._over[number], kept.counts

    def _add_up(self) -> None:
        self._keep()
        if not self._is_added_up:
            counted = [*self._counted()]
            self._statistics = statistics_together((summary, each.figures) for summary, each in counted)
            self._honours = tuple(honour for _, each in counted for honour in each.honours)
            self._is_added_up = True

    def statistics(self, selection: Selection = EVERYTHING) -> Statistics:
        """The figures of the matches that are selected."""
        self._add_up()
        if selection == EVERYTHING:
            return self._statistics
        return statistics_together(
            (summary, each.figures) for summary, each in self._counted() if selection.has(summary)
        )

    def choices(self) -> Choices:
        """What can be selected."""
        over = [summary for summary, _ in self._counted()]
        days = sorted(summary.begun[:10] for summary in over if summary.begun)
        people = spellings(name for summary in over for name in summary.terms.names.values())
        return Choices(
            (*dict.fromkeys(rules_name(summary.terms) for summary in over),),
            tuple(sorted(people.values(), key=str.casefold)),
            *((days[0], days[-1]) if days else ("", "")),
        )

    def honours(self) -> tuple[Honour, ...]:
        """The back of the board, in the order of the matches."""
        self._add_up()
        return self._honours

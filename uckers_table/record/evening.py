"""An evening: the matches that were played one after the other up to now, and how they stand.

Pure: from the lines of a list, and from a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from uckers_table.record.match_record import MatchRecord, MatchSummary, Ruled
from uckers_table.record.people import person_of, spellings

PAUSE = timedelta(hours=6)
"""An evening ends where nobody has begun a match for so long: sooner than the next day, later than a meal."""


def last_evening(matches: Sequence[MatchSummary]) -> tuple[MatchSummary, ...]:
    """The newest match and those before it, without a pause, in order. One of no date stands alone."""
    evening: list[MatchSummary] = []
    for summary in sorted(matches, key=lambda each: -each.number):
        if evening and not _follows(summary, evening[-1]):
            break
        evening.append(summary)
    return tuple(reversed(evening))


def _follows(before: MatchSummary, after: MatchSummary) -> bool:
    if before.begun is None or after.begun is None:
        return False
    began, next_began = (_moment(each.begun or "") for each in (before, after))
    ended = began + timedelta(seconds=before.lasted_s)
    return abs(next_began - ended) < PAUSE


def _moment(iso: str) -> datetime:
    """A date with a time zone; without one it is taken as universal time."""
    moment = datetime.fromisoformat(iso)
    return moment if moment.tzinfo is not None else datetime.fromisoformat(f"{iso}+00:00")


def evening_score(evening: Iterable[MatchSummary]) -> tuple[tuple[str, int], ...]:
    """Who has won how many of some matches, most first; whoever was not named is a colour."""
    over = [summary for summary in evening if summary.winner]
    names = spellings(name for summary in over for name in summary.terms.names.values())
    won = Counter[str]()
    for summary in over:
        seated = {
            colour: names.get(person_of(summary.terms.names.get(colour, "")), colour.capitalize())
            for colour in summary.terms.seats
        }
        won.update(dict.fromkeys(seated.values(), 0))
        won.update({seated[colour] for colour in summary.winner or () if colour in seated})
    return (*won.most_common(),)


def last_ucking(match: MatchRecord) -> Ruled | None:
    """The last ruling by which a piece was sent back to base, and which nobody has taken back."""
    gone = {*match.taken_back}
    return next(
        (
            ruled
            for number, ruled in reversed([*enumerate(match.rulings, start=1)])
            if number not in gone and ruled.captured
        ),
        None,
    )

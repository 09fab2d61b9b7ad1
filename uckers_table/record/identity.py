"""Which match a match is, so that one which comes a second time is known again."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing, suppress
from pathlib import Path
from secrets import token_hex

from uckers_table.errors import RecordError
from uckers_table.record.library import Library
from uckers_table.record.match_record import Entry, MatchRecord, Ruled, Thrown
from uckers_table.record.store import MatchStore


def new_identity() -> str:
    """One for a match that begins: it tells it from all others in the world."""
    return token_hex(16)


def identity_of(match: MatchRecord) -> str:
    """The identity of a match. One without is told by what happened in it, and when.

    So the same text that was written by hand, or by an older program, is always the same match. Its number
    and dates do not count: a record gives its own number, and dates may be told later.
    """
    if match.summary.identity:
        return match.summary.identity
    told = json.dumps([match.summary.terms.seats, [_told(entry) for entry in match.entries]])
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _told(entry: Entry) -> list[object]:
    at = [round(entry.t, 3), entry.side]
    if isinstance(entry, Thrown):
        return [*at, "throw", entry.dice, entry.state]
    return [*at, *(("ruling", entry.ruling) if isinstance(entry, Ruled) else ("call", entry.call))]


def identify_all(folder: Path) -> None:
    """Give each match in a record its identity that an older program closed there, or took in."""
    library = Library(folder)
    without = [match.number for match in library.matches() if not match.identity and match.winner is not None]
    if without:
        with closing(MatchStore(folder)) as store:
            for number in without:
                # One that cannot be read keeps no other match from being taken in.
                with suppress(RecordError):
                    store.identify(number, identity_of(library.match(number)))

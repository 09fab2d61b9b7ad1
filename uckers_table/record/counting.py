"""What was counted of a match, as it is kept in the record: each is counted once, when it is over.

What is kept has a mark of what it was counted of. It counts only as long as that is the match's own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from uckers_table.errors import RecordingError
from uckers_table.foreign.documents import json_from
from uckers_table.record.checking import as_declared
from uckers_table.record.fairness import FACES, PAIRS, Runs
from uckers_table.record.honours import Honour, honours_of
from uckers_table.record.match_figures import Caught, MatchFigures, Tally, Ucked, figures_of
from uckers_table.record.match_record import MatchRecord, MatchSummary

_COUNTED_BY = ("match_figures.py", "people.py", "honours.py", "match_record.py")
"""The files of this folder that say what is counted."""


@dataclass(frozen=True)
class Counts:
    """What was counted of a match: its figures, and what it put on the back of the board."""

    figures: MatchFigures
    honours: tuple[Honour, ...]


@dataclass(frozen=True)
class KeptCounts:
    """The same with the `mark` of what it was counted of; no `counts` of a match that made no sense."""

    mark: str
    counts: Counts | None


def counts_of(match: MatchRecord) -> Counts:
    """What is counted of a match."""
    return Counts(figures_of(match), honours_of([match]))


def mark_of(summary: MatchSummary) -> str:
    """Tells what a match is counted of: another as soon as the record says anything else of it in its list,
    or another version of this program counts otherwise.
    """
    return sha256(f"{_counted_by()} {summary!r}".encode()).hexdigest()


@cache
def _counted_by() -> str:
    folder = files("uckers_table.record")
    return sha256(b"".join((folder / name).read_bytes() for name in _COUNTED_BY)).hexdigest()


def counts_text(counts: Counts | None) -> str:
    """What was counted, to be kept."""
    return json.dumps(asdict(counts) if counts is not None else None, ensure_ascii=False)


def counts_from(text: str | bytes) -> Counts | None:
    """The same as it was kept; ValueError and its like where that makes no sense."""
    data = json_from(text)
    if data is None:
        return None
    figures = data["figures"]
    for name, kind in (("sides", Tally), ("players", Tally), ("ucked", Ucked), ("caught", Caught)):
        figures[name] = tuple(_sound(kind, each) for each in figures[name])
    figures |= {"faces": (*figures["faces"],), "pairs": (*figures["pairs"],)}
    figures["runs"] = _sound(Runs, figures["runs"])
    counted = _sound(MatchFigures, figures)
    if (len(counted.faces), len(counted.pairs)) != (FACES, len(PAIRS)):
        raise RecordingError("there are six faces and 21 pairs")
    return Counts(counted, tuple(_honour(each) for each in data["honours"]))


def _sound(kind: type[Any], values: Mapping[str, Any]) -> Any:
    """A dataclass of values that may be anybody's. No count is below nothing; a square may be."""
    made = as_declared(kind(**values))
    for name, value in values.items():
        numbers = value if isinstance(value, tuple) else (value,)
        if name != "steps" and any(type(number) is int and number < 0 for number in numbers):
            raise RecordingError(f"'{name}' is below nothing")
    return made


def _honour(values: dict[str, Any]) -> Honour:
    named = {name: (*values[name],) for name in ("losers", "winners")}
    honour: Honour = _sound(Honour, values | named)
    return honour

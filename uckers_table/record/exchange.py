"""A match as JSON, which holds all of it but the pictures, and as a table, for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from uckers_table.errors import RecordingError
from uckers_table.foreign.documents import json_from
from uckers_table.foreign.words import cell
from uckers_table.record.entries import standing
from uckers_table.record.match_record import (
    Called,
    Entry,
    MatchRecord,
    MatchSummary,
    Moved,
    Ruled,
    Terms,
    Thrown,
)
from uckers_table.record.notation import FORMAT, values_of

COLUMNS = (
    *("number", "t", "kind", "side", "dice", "state", "source", "purpose", "ruling", "reason", "moves"),
    *("captured", "to_play", "awaiting", "say"),
)
_KINDS: Mapping[str, type[Entry]] = {"throw": Thrown, "call": Called, "ruling": Ruled}


def to_json(match: MatchRecord) -> dict[str, Any]:
    """The match as one JSON object."""
    names = {kind: name for name, kind in _KINDS.items()}
    pictures = {str(number): [asdict(each) for each in those] for number, those in match.pictures.items()}
    return {
        "format": FORMAT,
        "summary": asdict(match.summary),
        "started": match.started,
        "entries": [{"kind": names[type(entry)], **_values(entry)} for entry in match.entries],
        "pictures": pictures,
        "overruled": list(match.overruled),
        "taken_back": list(match.taken_back),
    }


def _values(entry: Entry) -> dict[str, Any]:
    """What an entry says; of a ruling also what was sent back, so that nobody has to work it out."""
    if isinstance(entry, Ruled):
        return asdict(entry) | {"captured": [asdict(move) for move in entry.captured]}
    return asdict(entry)


def from_json(text: str, name: str) -> MatchRecord:
    """The match that JSON of `to_json` describes; RecordingError names what makes no sense."""
    try:
        data = json_from(text)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise RecordingError(f"no match of a form known here: its 'format' is {FORMAT!r}")
        entries = []
        for place, each in enumerate(data["entries"], start=1):
            try:
                entries.append(_entry(each))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise RecordingError(f"entry {place}: {_what(error)}") from None
        return MatchRecord(_summary(data["summary"], entries), tuple(entries))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordingError(f"{name}: {_what(error)}") from None


def _what(error: Exception) -> str:
    return f"no key {error}" if isinstance(error, KeyError) else str(error)


def _summary(data: Mapping[str, Any], entries: list[Entry]) -> MatchSummary:
    terms = dict(data["terms"])
    terms["seats"] = tuple(terms["seats"])
    if not terms["seats"]:
        raise RecordingError("'seats' is empty")
    known = Terms(**terms)
    if not known.values:
        known = Terms(**(terms | {"values": values_of(known)}))
    winner = data.get("winner")
    return MatchSummary(
        number=int(data["number"]),
        terms=known,
        begun=data.get("begun"),
        ended=data.get("ended"),
        clock=str(data.get("clock", "")),
        winner=None if winner is None else tuple(map(str, winner)),
        honours=tuple(map(str, data.get("honours", ()))),
        lasted_s=float(data.get("lasted_s", 0.0)),
        throws=sum(isinstance(entry, Thrown) for entry in entries),
        rulings=sum(isinstance(entry, Ruled) for entry in entries),
        identity=str(data.get("identity", "")),
    )


def _entry(data: Mapping[str, Any]) -> Entry:
    if data["kind"] not in _KINDS:
        raise RecordingError(f"'kind' is {data['kind']!r}; known are {', '.join(_KINDS)}")
    # Keys that are not known are passed over: a later program may write more.
    known = [each.name for each in fields(_KINDS[data["kind"]])]
    values = {name: data[name] for name in known if name in data}
    values["t"] = round(float(values["t"]), 3)
    if data["kind"] == "throw":
        return Thrown(**(values | {"dice": _ints(values["dice"])}))
    if data["kind"] == "call":
        return Called(**values)
    values["position"] = _position(values["position"])
    values["throw"] = _ints(values.get("throw", ()))
    values["moves"] = tuple(Moved(str(m["colour"]), int(m["start"]), int(m["end"])) for m in values["moves"])
    values["alike"] = tuple(_position(each) for each in values.get("alike", ()))
    return Ruled(**values)


def _position(data: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    return standing({str(colour): sorted(_ints(steps)) for colour, steps in data.items()})


def _ints(values: Any) -> tuple[int, ...]:
    if any(type(value) is not int for value in values):
        raise RecordingError(f"{list(values)} are not all whole numbers")
    return tuple(values)


def to_csv(match: MatchRecord) -> str:
    """One row an entry, in order, with COLUMNS for a heading; what does not apply is empty.

    No cell is a formula, whatever the match says: see `foreign.words.cell`.
    """
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    table.writeheader()
    for number, entry in enumerate(match.entries, start=1):
        row = {"number": number, "t": f"{entry.t:.3f}", "side": entry.side or "", **_row(entry)}
        table.writerow({column: cell(str(value)) for column, value in row.items()})
    return out.getvalue()


def _row(entry: Entry) -> dict[str, Any]:
    match entry:
        case Thrown(_, _, dice, state, source, purpose):
            row = {"kind": "throw", "dice": "-".join(map(str, dice))}
            return row | {"state": state, "source": source, "purpose": purpose}
        case Called(_, _, call, colour, steps, target, double):
            said = [call, colour, steps, target, "double" if double else None]
            return {"kind": "call", "say": " ".join(str(each) for each in said if each is not None)}
        case Ruled():
            return {
                "kind": "ruling",
                "dice": "-".join(map(str, entry.throw)),
                "ruling": entry.ruling,
                "reason": entry.reason or "",
                "moves": _moves(entry.moves),
                "captured": _moves(entry.captured),
                "to_play": entry.to_play,
                "awaiting": entry.awaiting,
                "say": entry.full,
            }


def _moves(moves: tuple[Moved, ...]) -> str:
    return " ".join(f"{move.colour} {move.start}>{move.end}" for move in moves)

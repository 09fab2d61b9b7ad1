"""Checks a match from a record or a file that may come from elsewhere: each value is of its kind.

Whatever tells of a match, on a terminal, on the page or in a file, relies on that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from textwrap import shorten
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from uckers_table.errors import InputError, RecordingError
from uckers_table.foreign.documents import LARGEST_NUMBER
from uckers_table.foreign.words import printable
from uckers_table.game.board import Board
from uckers_table.game.position import position_from
from uckers_table.record.match_record import IDENTITY, Called, Entry, MatchRecord, MatchSummary, Ruled
from uckers_table.record.notation import board_of

Fits = Callable[[Any], bool]
_Values = TypeVar("_Values")

_FACTS: Mapping[str, Any] = {
    "on_reverse": list[str],
    "matter": str,
    "since": float,
    "goes": list[float],
    "stays": list[float],
    "stories": list[Mapping[str, Any]],
    "legal": list[Mapping[str, Any]],
    "hold": str,
    "slip": str,
}
"""The facts of a ruling that something is worked out of, and what they are."""


def sound(match: MatchRecord) -> MatchRecord:
    """The match, if each of its values is of its kind. Sentences and names are made printable.

    RecordingError says which entry makes no sense.
    """
    _refuse_strange("recording", match.recording, str)
    for picture in (each for those in match.pictures.values() for each in those):
        _refuse_strange_fields(picture)
    entries = []
    for number, entry in enumerate(match.entries, start=1):
        try:
            entries.append(_sound_entry(entry))
        except InputError as error:
            raise RecordingError(f"entry {number}: {error}") from None
    return replace(match, summary=sound_summary(match.summary), entries=tuple(entries))


def as_declared(values: _Values) -> _Values:
    """A dataclass's values, if each is of the kind that its class says; RecordingError if not."""
    _refuse_strange_fields(values)
    return values


def on_a_board(match: MatchRecord, name: str) -> MatchRecord:
    """The match, if it is `sound`, and its colours and squares are those of a board that can be drawn.

    RecordingError names the file, `name`, and the entry.
    """
    try:
        match = sound(match)
        terms = match.summary.terms
        board = board_of(terms)
        for colour in (*terms.names, *(match.summary.winner or ()), *filter(None, [terms.to_play])):
            board.seat(colour)
    except InputError as error:
        raise RecordingError(f"{name}: {error}") from None
    for number, entry in enumerate(match.entries, start=1):
        try:
            _check_on_board(entry, board)
        except InputError as error:
            raise RecordingError(f"{name}: entry {number}: {error}") from None
    return match


def sound_summary(summary: MatchSummary) -> MatchSummary:
    """The same, its words printable; RecordingError where a value is not of its kind."""
    terms = summary.terms
    if not isinstance(terms.names, Mapping):
        raise _strange("names", terms.names)
    names = {colour: _printable(player) for colour, player in terms.names.items()}
    summary = replace(summary, terms=replace(terms, names=names, title=_printable(terms.title)))
    for values in (summary.terms, summary):
        _refuse_strange_fields(values)
    if summary.identity and not IDENTITY.fullmatch(summary.identity):
        raise _strange("identity", summary.identity)
    for date in (summary.begun, summary.ended):
        if date is not None:
            _refuse_undated(date)
    return summary


def _printable(words: Any) -> Any:
    return printable(words) if isinstance(words, str) else words


def _refuse_undated(date: str) -> None:
    try:
        datetime.fromisoformat(date)
    except ValueError:
        raise RecordingError(f"{shorten(date, 40)!r} is no date") from None


def _sound_entry(entry: Entry) -> Entry:
    if isinstance(entry, Ruled):
        entry = _with_printable_sentence(entry)
    _refuse_strange_fields(entry)
    if entry.t < 0:
        raise RecordingError(f"'t' is {entry.t}; it is seconds since the start")
    if isinstance(entry, Ruled):
        for name in _FACTS.keys() & entry.facts:
            _refuse_strange(name, entry.facts[name], _FACTS[name])
    return entry


def _check_on_board(entry: Entry, board: Board) -> None:
    if entry.side is not None:
        board.seat(entry.side)
    if isinstance(entry, Called) and entry.colour is not None:
        board.seat(entry.colour)
    if isinstance(entry, Ruled):
        board.seat(entry.to_play)
        for move in entry.moves:
            board.seat(move.colour)
        for position in (entry.position, *entry.alike):
            position_from(board, position)


def _with_printable_sentence(ruled: Ruled) -> Ruled:
    say = _printable(ruled.say)
    # Hardly ever: a copy of each ruling would take longer than all that is looked at.
    return ruled if say == ruled.say else replace(ruled, say=say)


def _refuse_strange_fields(values: Any) -> None:
    """RecordingError for a field that is not of the kind that its class says."""
    for name, fits in _tests_of(type(values)).items():
        if not fits(value := getattr(values, name)):
            raise _strange(name, value)


def _refuse_strange(name: str, value: Any, kind: Any) -> None:
    if not _test_of(kind)(value):
        raise _strange(name, value)


def _strange(name: str, value: Any) -> RecordingError:
    return RecordingError(f"'{name}' is {shorten(repr(value), 80)}, which makes no sense")


def _tests_of(kind: Any) -> Mapping[str, Fits]:
    if kind not in _TESTS_OF:
        hints = get_type_hints(kind)
        _TESTS_OF[kind] = {field.name: _test_of(hints[field.name]) for field in fields(kind)}
    return _TESTS_OF[kind]


_TESTS_OF: dict[Any, Mapping[str, Fits]] = {}
"""By class: working them out takes far longer than a test."""


def _test_of(hint: Any) -> Fits:
    """Whether a value is of a kind, down to the last word and number in it."""
    of, within = get_origin(hint), get_args(hint)
    if of in (Union, UnionType):
        tests = [_test_of(each) for each in within]
        return lambda value: any(test(value) for test in tests)
    if of in (tuple, list):
        test = _test_of(within[0])
        return lambda value: isinstance(value, of) and all(map(test, value))
    if of is Mapping:
        key, each = map(_test_of, within)
        return lambda value: (
            isinstance(value, Mapping) and all(map(key, value)) and all(map(each, value.values()))
        )
    if is_dataclass(hint):
        tests_of = _tests_of(hint)
        return lambda value: all(test(getattr(value, name)) for name, test in tests_of.items())
    return _TESTS[hint]


def _is_plain(value: Any) -> bool:
    """Whether it is what JSON can say, with words that are printable."""
    if isinstance(value, dict):
        return all(_TESTS[str](key) and _is_plain(each) for key, each in value.items())
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return type(value) in _PLAIN and _TESTS[type(value)](value)


_PLAIN = (NoneType, bool, int, float, str)
_TESTS: Mapping[Any, Fits] = {
    Any: _is_plain,
    NoneType: lambda value: value is None,
    bool: lambda value: isinstance(value, bool),
    str: lambda value: isinstance(value, str) and printable(value) == value,
    int: lambda value: type(value) is int and abs(value) <= LARGEST_NUMBER,
    # NaN is no number.
    float: lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER
    ),
}

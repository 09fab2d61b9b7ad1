"""`uckers-table show`: a match in words, every throw and ruling of it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.announce.lines import on_terminal
from uckers_table.announce.rules_in_words import spoken_value
from uckers_table.commands.options import add_record, record_of
from uckers_table.commands.printing import clock, date, result
from uckers_table.machine.plural import how_many
from uckers_table.record.exchange import to_json
from uckers_table.record.library import Library
from uckers_table.record.match_record import TOLD, MatchRecord, Ruled, Thrown

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs

ABOUT_AT, WORDS_AT = 10, 24
"""The columns in which the words begin of what is said about a match, and of what happened in it."""


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("show", help="show a match: who and what, every throw and ruling")
    parser.add_argument("number", type=int, metavar="N", help="the match's number in the record")
    parser.add_argument("--json", action="store_true", help="all of it as one JSON object")
    add_record(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the match. The exit status."""
    return show_match(record_of(arguments), arguments.number, json_lines=arguments.json, out=sys.stdout)


def show_match(folder: Path, number: int, *, json_lines: bool, out: TextIO) -> int:
    """A match in words: who and what, and every throw and ruling, each ruling with its number."""
    match = Library(folder).match(number)
    if json_lines:
        print(json.dumps(to_json(match), ensure_ascii=False), file=out)
    else:
        for line in (*_about(match), ""):
            print(on_terminal(line, out, ABOUT_AT), file=out)
        for line in _told(match):
            print(on_terminal(line, out, WORDS_AT), file=out)
    return 0


def _about(match: MatchRecord) -> Iterator[str]:
    summary, terms = match.summary, match.summary.terms
    when = date(summary) + (" (as a phone told)" if summary.clock == TOLD else "")
    yield f"Match {summary.number}, {when}: {terms.title or terms.rules}, {terms.players} players"
    if terms.options:
        yield "Options:  " + ", ".join(
            f"{name} = {spoken_value(value)}" for name, value in sorted(terms.options.items())
        )
    names = terms.names
    seats = [f"{colour} ({names[colour]})" if colour in names else colour for colour in terms.seats]
    yield f"Seats:    {', '.join(seats)}; {match.started or 'nobody'} started"
    yield f"Result:   {result(summary)}, after {clock(summary.lasted_s)}"
    stood = f"{how_many(len(match.stood), 'board')} stood that did not follow"
    yield f"Throws:   {summary.throws}; {stood}; {how_many(len(match.taken_back), 'ruling')} taken back"
    if match.recording:
        yield f"Judge it again: uckers-table replay {match.recording} (in the record's folder)"


def _told(match: MatchRecord) -> Iterator[str]:
    number = 0
    for entry in match.entries:
        when = f"{clock(entry.t):>7}  {entry.side or '':<7}"
        if isinstance(entry, Thrown):
            what = " and ".join(map(str, entry.dice)) or entry.state
            purpose = f" for {entry.purpose}" if entry.purpose not in ("", "play") else ""
            yield f"       {when} throws {what}{purpose}"
        elif isinstance(entry, Ruled):
            number += 1
            moves = ", ".join(f"{move.colour} {move.start} → {move.end}" for move in entry.moves)
            gone = " (taken back)" if number in match.taken_back else ""
            kept = "; ".join(_picture_line(match, number))
            told = " · ".join(filter(None, [entry.ruling.replace("_", " ") + gone, moves, entry.full, kept]))
            yield f"{number:>5}  {when} {told}"
        else:
            yield f"       {when} calls {entry.call.replace('_', ' ')}"


def _picture_line(match: MatchRecord, number: int) -> Iterator[str]:
    pictures = match.pictures.get(number, ())
    there = sum(not picture.removed for picture in pictures)
    if there:
        yield f"{there} pictures"
    for why in sorted({picture.removed for picture in pictures if picture.removed}):
        yield f"{sum(picture.removed == why for picture in pictures)} pictures removed {why}"

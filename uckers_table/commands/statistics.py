"""`uckers-table statistics`: luck, cheats and the dice, over all matches kept."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.commands.options import add_record, record_of
from uckers_table.commands.printing import how_many
from uckers_table.record.library import Library
from uckers_table.record.statistics import Statistics, statistics_of

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("statistics", help="luck, cheats and the dice, over all matches kept")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    add_record(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the figures. The exit status."""
    return print_statistics(record_of(arguments), json_lines=arguments.json, out=sys.stdout)


def print_statistics(folder: Path, *, json_lines: bool, out: TextIO) -> int:
    """What can be how_many in all the matches of a record, and what is to be thought of the dice."""
    figures = statistics_of(Library(folder).sound_matches())
    if json_lines:
        print(json.dumps(asdict(figures), ensure_ascii=False), file=out)
    else:
        print("\n".join(_lines(figures)), file=out)
    return 0


def _lines(figures: Statistics) -> Iterator[str]:
    number, throws = how_many(figures.matches, "match", "matches"), how_many(figures.throws, "throw")
    faults = f"{how_many(figures.faults, 'time')} cocked or dropped"
    overruled = how_many(figures.overruled, "time")
    yield f"{number}, {throws}, {faults}; the referee was overruled {overruled}."
    heading = f"{'won':>7}  throws  sixes  doubles  caught  stood  sent back  luck"
    for title, tallies in (("side", figures.sides), ("player", figures.players)):
        if tallies:
            yield ""
            yield f"{title:<16}{heading}"
        for each in tallies:
            won = f"{each.won}/{each.matches}"
            yield (
                f"{each.who:<16.16}{won:>7}  {each.throws:>6}  {each.sixes:>5}  {each.doubles:>7}"
                f"  {each.caught:>6}  {each.stood:>5}  {each.sent_back:>9}  {each.luck_in_words}"
            )
    if figures.throws:
        yield ""
        yield "The dice (nothing tells the two apart, so they are taken together):"
        yield "  ".join(f"{face}: {count}" for face, count in enumerate(figures.faces, start=1))
        for test in figures.tests:
            p = "" if test.p is None else f"  (p = {test.p:.3g})"
            yield f"{test.name.capitalize()}: {test.says}{p}"

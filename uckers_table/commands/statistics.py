"""`uckers-table statistics`: luck, uckings, cheats and the dice, over the matches that are over."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.commands.options import add_record, record_of
from uckers_table.record.counted import Counted
from uckers_table.record.library import Library
from uckers_table.record.statistics import EVERYTHING, Selection, Statistics, selection_of
from uckers_table.web.figures import FigureTable, tables_of

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs

BEHIND = ("luck",)
"""Columns that are sentences: they stand behind the figures."""


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("statistics", help="luck, uckings, cheats and the dice, over all matches kept")
    parser.add_argument("--since", default="", metavar="DATE", help="of matches begun on that day or later")
    parser.add_argument("--until", default="", metavar="DATE", help="… on that day or earlier")
    parser.add_argument("--rules", default="", metavar="NAME", help="… under these rules")
    parser.add_argument(
        "--name", action="append", default=[], help="… with this player; may be given several times"
    )
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    add_record(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the figures. The exit status."""
    selection = selection_of(arguments.since, arguments.until, arguments.rules, arguments.name)
    return print_statistics(record_of(arguments), selection, json_lines=arguments.json, out=sys.stdout)


def print_statistics(
    folder: Path, selection: Selection = EVERYTHING, *, json_lines: bool, out: TextIO
) -> int:
    """What is counted in the matches of a record that are over, and what is to be thought of the dice."""
    counted = Counted(Library(folder), keeps=False)
    counted.count_all()
    figures = counted.statistics(selection)
    if json_lines:
        print(json.dumps(asdict(figures), ensure_ascii=False), file=out)
    else:
        print("\n".join(_lines(figures)), file=out)
    return 0


def _lines(figures: Statistics) -> Iterator[str]:
    if not figures.matches:
        yield "No such match is over yet; throws are counted once one is."
        return
    for number, table in enumerate(tables_of(figures)):
        if number:
            yield ""
        yield f"{table.title}:"
        yield from (f"  {line}" for line in _rows(table))
        yield from (f"  {sentence}" for sentence in table.sentences)


def _rows(table: FigureTable) -> Iterator[str]:
    """The rows of a table under their heads, in columns."""
    columns = [*zip(table.heads, *table.rows, strict=True)]
    in_order = sorted(columns, key=lambda column: column[0] in BEHIND)
    widths = [max(map(len, column)) for column in in_order]
    are_figures = [all(cell[:1].isdecimal() for cell in column[1:]) for column in in_order]
    for row in zip(*in_order, strict=True):
        cells = zip(row, widths, are_figures, strict=True)
        yield "  ".join(
            cell.rjust(width) if is_it else cell.ljust(width) for cell, width, is_it in cells
        ).rstrip()

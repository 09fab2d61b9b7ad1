"""`uckers-table honours`: the back of the board."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.commands.options import add_record, record_of
from uckers_table.commands.printing import write_out
from uckers_table.record.honours import as_svg, beer_owed, honours_of
from uckers_table.record.library import Library

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("honours", help="the back of the board: who, by whom, when, and the beer owed")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.svg", help="draw it, to be printed")
    add_record(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print or draw the back of the board. The exit status."""
    return print_honours(record_of(arguments), arguments.output, out=sys.stdout)


def print_honours(folder: Path, target: Path | None, out: TextIO) -> int:
    """The back of the board, printed; or drawn, into a file."""
    honours = honours_of(Library(folder).sound_matches())
    if target is not None:
        write_out(target, as_svg(honours).encode("utf-8"))
        return 0
    for honour in honours:
        losers = " and ".join(honour.losers)
        when = honour.date or "date unknown"
        print(f"{honour.match:>5}  {when:<12}  {losers}: {honour.told}", file=out)
    if not honours:
        print("Nobody is on the back of the board.", file=out)
    for who, crates in beer_owed(honours).items():
        print(f"{who} owes {crates} {'crate' if crates == 1 else 'crates'} of beer.", file=out)
    return 0

"""`uckers-table matches`: a line a match that is kept."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.commands.options import add_record, record_of
from uckers_table.commands.printing import clock, date, result
from uckers_table.record.library import Library

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("matches", help="list the matches that are kept")
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each match")
    add_record(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the list. The exit status."""
    return list_matches(record_of(arguments), json_lines=arguments.json, out=sys.stdout)


def list_matches(folder: Path, *, json_lines: bool, out: TextIO) -> int:
    """A line a match, by number."""
    library = Library(folder)
    matches, senseless = library.matches(), library.senseless()
    if json_lines:
        for summary in matches:
            print(json.dumps(asdict(summary), ensure_ascii=False), file=out)
        for number in senseless:
            print(json.dumps({"number": number, "cannot_be_read": True}), file=out)
    elif not matches and not senseless:
        print(f"No matches are kept in {folder}.", file=out)
    else:
        print(f"{'match':>5}  {'begun':<16}  {'rules':<16}  {'lasted':>7}  {'throws':>6}  result", file=out)
        for each in matches:
            rules = each.terms.title or each.terms.rules
            print(
                f"{each.number:>5}  {date(each):<16}  {rules:<16.16}  {clock(each.lasted_s):>7}"
                f"  {each.throws:>6}  {result(each)}",
                file=out,
            )
        for number in senseless:
            print(f"{number:>5}  cannot be read", file=out)
    return 0

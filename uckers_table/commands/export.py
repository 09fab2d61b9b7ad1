"""`uckers-table export`: a match as text, JSON or a table, or as a short film."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO

from uckers_table.commands.options import add_record, record_of
from uckers_table.commands.printing import told_on, write_out
from uckers_table.errors import InputError
from uckers_table.record.exchange import to_csv, to_json
from uckers_table.record.library import Library
from uckers_table.record.match_record import MatchRecord
from uckers_table.record.notation import to_text

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs

FILMS = ("gif", "webp")


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("export", help="write a match as text, JSON or a table, or as a short film")
    parser.add_argument("number", type=int, metavar="N", help="the match's number in the record")
    parser.add_argument(
        "--format", choices=("text", "json", "csv", *FILMS), default="text", help="as what it is written"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="left out, it is printed")
    add_record(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the match. The exit status."""
    return export_match(
        record_of(arguments), arguments.number, arguments.format, arguments.output, out=sys.stdout
    )


def export_match(folder: Path, number: int, kind: str, target: Path | None, out: TextIO) -> int:
    """Write a match to a file, whole or not at all, or to standard output."""
    match = Library(folder).match(number)
    content = _in_format(match, kind)
    if target is not None:
        write_out(target, content)
    elif kind not in FILMS:
        out.write(content.decode("utf-8"))
    else:
        binary: BinaryIO | None = getattr(out, "buffer", None)
        if out.isatty() or binary is None:
            raise InputError(f"a film is no text: name a file for it, as in -o match.{kind}")
        binary.write(content)
    return 0


def _in_format(match: MatchRecord, kind: str) -> bytes:
    match kind:
        case "text":
            return to_text(match).encode("utf-8")
        case "json":
            return (json.dumps(to_json(match), ensure_ascii=False, indent=1) + "\n").encode("utf-8")
        case "csv":
            return to_csv(match).encode("utf-8")
        case _:
            from uckers_table.record.film import film

            # The film may be on its way to standard output.
            with told_on(sys.stderr) as tell:
                return film(match, tell, kind)

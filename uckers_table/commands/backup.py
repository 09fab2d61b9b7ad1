"""`uckers-table backup`: copies the whole record to a stick."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.commands.options import add_record, record_of
from uckers_table.commands.printing import copied_files, told_on
from uckers_table.record.backup import backup
from uckers_table.record.thinning import MEGABYTE

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "backup",
        help="copy the whole record to a stick",
        description="Copies what is new since the last backup there, and checks what was written. A backup "
        "that is interrupted leaves the one before it whole. A table may go on meanwhile.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder on a stick that is mounted")
    parser.add_argument("--force", action="store_true", help="also over a newer one, or another table's")
    add_record(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Copy the record. The exit status."""
    return back_up(record_of(arguments), arguments.folder, is_forced=arguments.force, out=sys.stdout)


def back_up(folder: Path, stick: Path, *, is_forced: bool, out: TextIO) -> int:
    """Copy the record to a stick, and say what there is on it."""
    with told_on(sys.stderr) as tell:
        copied = backup(folder, stick, is_forced=is_forced, tell=tell)
    size = f"{copied.size / MEGABYTE:.1f} MB"
    print(f"{copied_files(copied)}, {size}; {copied.new} of them new. Checked.", file=out)
    return 0

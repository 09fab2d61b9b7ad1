"""`uckers-table restore`: puts a record back from a stick."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.commands.options import add_record, own_record_of
from uckers_table.commands.printing import copied_files, told_on
from uckers_table.record.backup import restore

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "restore",
        help="put a record back from a stick",
        description="Checks every file of the backup, then puts it in the record's place; the record that "
        "was there is kept beside it. How this table is calibrated, and its network's password, stay as they "
        "are. Stop the table first.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder that the backup went to")
    parser.add_argument("--force", action="store_true", help="also over a newer one, or another table's")
    add_record(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Put the record back. The exit status."""
    return restore_record(
        arguments.folder, own_record_of(arguments), is_forced=arguments.force, out=sys.stdout
    )


def restore_record(stick: Path, folder: Path, *, is_forced: bool, out: TextIO) -> int:
    """Put a backup in the record's place."""
    with told_on(sys.stderr) as tell:
        copied = restore(stick, folder, is_forced=is_forced, tell=tell)
    print(f"{copied_files(copied)} are back in {folder}. Checked.", file=out)
    if copied.aside is not None:
        print(f"What was there before lies in {copied.aside}.", file=out)
    return 0

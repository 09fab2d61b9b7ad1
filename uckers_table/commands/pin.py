"""`uckers-table pin`: the PIN of the page of the table that is running."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from uckers_table.commands.options import add_config, config_of
from uckers_table.machine.pin import print_pin, put_out

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("pin", help="print the PIN of the page of the table that is running")
    parser.add_argument(
        "--new", action="store_true", help="put everybody out who is in on the page, and have a new PIN"
    )
    add_config(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print PIN and address, or have another PIN. The exit status."""
    record = config_of(arguments).record
    return put_out(record, sys.stdout) if arguments.new else print_pin(record, sys.stdout)

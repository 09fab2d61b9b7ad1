"""`uckers-table pin`: the PIN of the page of the table that is running."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from uckers_table.commands.options import add_config, config_of
from uckers_table.machine.pin import print_pin

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("pin", help="print the PIN of the page of the table that is running")
    add_config(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print PIN and address. The exit status."""
    return print_pin(config_of(arguments).record, sys.stdout)

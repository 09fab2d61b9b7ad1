"""`uckers-table network`: opens a Wi-Fi network of the table's own, where there is no other."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from uckers_table.commands.options import add_config, config_of
from uckers_table.machine.network import open_where_needed
from uckers_table.machine.owner import become_owner

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "network", help="open a Wi-Fi network of the table's own, where there is no other"
    )
    add_config(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Open the network. The exit status."""
    record = config_of(arguments).record
    become_owner(record)
    return open_where_needed(record, sys.stdout)

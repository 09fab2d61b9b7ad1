"""`uckers-table network`: a Wi-Fi network of the table's own, open as long as there is no other."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from uckers_table.commands.options import add_config, config_of
from uckers_table.machine.network import (
    KEPT,
    close_network,
    give_addresses,
    look,
    open_network,
    open_where_needed,
)
from uckers_table.machine.owner import become_owner

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "network",
        help="open a Wi-Fi network of the table's own if there is no other, and close it if there is",
    )
    parser.add_argument(
        "what",
        nargs="?",
        choices=["look", "open", "close", "addresses"],
        help="what the services do: look, and have systemd open or close it; open it; close it; give phones "
        "addresses",
    )
    add_config(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked, or all of it. The exit status."""
    match arguments.what:
        case "look":
            return look(sys.stdout)
        case "open":
            return open_network(KEPT, sys.stdout)
        case "close":
            return close_network(sys.stdout)
        case "addresses":
            give_addresses()
    record = config_of(arguments).record
    become_owner(record)
    return open_where_needed(record, sys.stdout)

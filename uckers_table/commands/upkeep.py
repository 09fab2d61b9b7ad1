"""`uckers-table upkeep`: looks whether the record is whole, and puts it in order."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from uckers_table.commands.options import add_config, config_of
from uckers_table.machine.owner import become_owner
from uckers_table.record.thinning import Budget
from uckers_table.record.upkeep import look_after

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("upkeep", help="look whether the record is whole, and put it in order")
    add_config(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Look after the record that the configuration names. The exit status."""
    config = config_of(arguments)
    become_owner(config.record)
    return look_after(config.record, sys.stdout, Budget(config.pictures_mb, config.pictures_days))

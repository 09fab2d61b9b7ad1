"""`uckers-table run`: the product; what the service starts."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from uckers_table.commands.options import add_config
from uckers_table.commands.status import MISCONFIGURED, one_line
from uckers_table.config import found_config, load_config
from uckers_table.errors import InputError
from uckers_table.machine.notify import Supervisor
from uckers_table.machine.starts import ANEW
from uckers_table.table.parts import check_config
from uckers_table.table.running import run_table

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("run", help="referee the table that the configuration describes")
    add_config(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Referee until the evening ends. The exit status: MISCONFIGURED where the configuration is at fault."""
    path = arguments.config or found_config()
    try:
        config = load_config(path)
        check_config(config, path)
    except InputError as error:
        # `systemctl status` says it too.
        Supervisor(os.environ).status(f"Not started: {error}")
        print(f"uckers-table: {one_line(error)}", file=sys.stderr)
        return MISCONFIGURED
    status = run_table(config, out=sys.stdout)
    if status == ANEW and not Supervisor(os.environ).is_there:
        # Its service starts it again; where there is none, it takes its own place.
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-m", "uckers_table", *sys.argv[1:]])
    return status

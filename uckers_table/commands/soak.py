"""`uckers-table soak`: runs a whole simulated table for days on end, and sees whether anything grows."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from uckers_table.soak.run import run_soak

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "soak",
        help="run a whole simulated table for days on end, and see whether anything grows",
        description="A table with everything that `run` starts, at a simulated mess: match after match, "
        "devices lost and found, light that changes, a card that takes nothing, visitors on the page. Prints "
        "memory, handles, threads and how long rulings take, for each quarter of the time. Exit status 1: "
        "something grew.",
    )
    parser.add_argument("--hours", type=float, required=True, metavar="H", help="how many simulated hours")
    parser.add_argument(
        "--faster", type=float, default=1e9, metavar="K", help="how many times faster than life at most"
    )
    parser.add_argument("--seed", type=int, default=1, help="another seed is another mess")
    parser.add_argument(
        "--painted",
        type=int,
        default=1,
        metavar="N",
        help="paint and read one watch of six hours in N, and tell the referee of the others (default: every "
        "watch is painted, which is most of the work)",
    )
    parser.add_argument("--picture", type=Path, metavar="FILE.png", help="draw what was measured")
    parser.add_argument(
        "--record", type=Path, metavar="DIR", help="keep the matches there (default: nowhere)"
    )
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the table and print what grew. The exit status."""
    return run_soak(
        arguments.hours,
        arguments.faster,
        seed=arguments.seed,
        painted=arguments.painted,
        record=arguments.record,
        file=arguments.picture,
        json_lines=arguments.json,
        out=sys.stdout,
        err=sys.stderr,
    )

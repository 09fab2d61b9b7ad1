"""`uckers-table trial`: how often the referee is right, by matches whose truth is known."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from uckers_table.trial.run import run_trial

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "trial",
        help="how often the referee is right: simulated matches, with reading noise and cheats",
        description="Plays matches that are read with noise and cheated in, and prints what the referee made "
        "of them: at the noise that is usual, at three times and at ten times as much.",
    )
    parser.add_argument("--matches", type=int, default=20, metavar="N", help="how many matches (default 20)")
    parser.add_argument(
        "--rendered", type=int, default=0, metavar="M", help="further matches through real pixels (slow)"
    )
    parser.add_argument("--seed", type=int, default=1, help="another seed is other matches")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="how many matches at a time (default: one a processor); the figures are the same",
    )
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write every sentence, the truth beside it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the matches and print the figures. The exit status."""
    return run_trial(
        arguments.matches,
        rendered=arguments.rendered,
        seed=arguments.seed,
        json_lines=arguments.json,
        log=arguments.log,
        out=sys.stdout,
        err=sys.stderr,
        jobs=arguments.jobs,
    )

"""`uckers-table trial`: how often the referee is right, by matches whose truth is known."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from uckers_table.commands.options import add_referee
from uckers_table.simulator.manners import HABITS, habits
from uckers_table.trial.run import run_trial
from uckers_table.trial.watched import MEASURED, UNRULY

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "trial",
        help="how often the referee is right: simulated matches, with reading noise and cheats",
        description="Plays matches that are misread and cheated in, and prints what the referee made of "
        "them: with as many errors as the reader makes, and with five times as many.",
    )
    parser.add_argument("--matches", type=int, default=20, metavar="N", help="how many matches (default 20)")
    parser.add_argument(
        "--rendered",
        type=int,
        default=0,
        metavar="M",
        help="further matches through real pixels, which is slow (default 0)",
    )
    parser.add_argument(
        "--errors",
        default=MEASURED,
        metavar="LAW",
        help="how long misreadings last: measured (the default), exponential, uniform:4 (up to so many "
        "seconds), stays (until something changes there)",
    )
    parser.add_argument(
        "--noise", type=float, metavar="X", help="X times as many errors, and nothing else (default 1 and 5)"
    )
    parser.add_argument(
        "--people",
        metavar="HABIT=SHARE,…",
        help="how often people do a thing, such as says_undo=0.2; all=0,kicks=0.01 for that alone; list "
        "prints the habits, how often people have each, and of what",
    )
    parser.add_argument(
        "--every",
        action="store_true",
        help="a table with a line for each law, and for each habit alone, without errors",
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
    add_referee(parser)
    parser.add_argument("--log", type=Path, metavar="FILE", help="write every sentence, the truth beside it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the matches and print the figures. The exit status."""
    if arguments.people == "list":
        for name, what in HABITS.items():
            print(f"{name:16}{getattr(UNRULY, name):<7g}{what}")
        return 0
    return run_trial(
        arguments.matches,
        rendered=arguments.rendered,
        seed=arguments.seed,
        json_lines=arguments.json,
        log=arguments.log,
        out=sys.stdout,
        err=sys.stderr,
        jobs=arguments.jobs,
        errors=arguments.errors,
        noise=arguments.noise,
        every=arguments.every,
        people=habits(arguments.people) if arguments.people else {},
    )

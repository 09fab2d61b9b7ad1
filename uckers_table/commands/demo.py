"""`uckers-table demo`: `run` with the simulated configuration, and nothing else."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from uckers_table.announce.loudness import Loudness
from uckers_table.commands.options import add_loudness
from uckers_table.config import SimulatorConfig, simulated_config
from uckers_table.table.running import run_table

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("demo", help="referee a match at a simulated table")
    parser.add_argument(
        "--rules", default="br4006", metavar="NAME", help="a rule set, also as in couk+var_a, or a .toml file"
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME[=VALUE]", help="a switch or an option on top"
    )
    parser.add_argument("--players", type=int, default=4, metavar="N", help="4, or 2 with two colours each")
    parser.add_argument("--seed", type=int, default=44, metavar="N", help="another seed is another match")
    parser.add_argument(
        "--speed",
        type=float,
        default=SimulatorConfig.speed,
        metavar="K",
        help="how many times faster than life, at most",
    )
    parser.add_argument(
        "--cheats",
        type=int,
        default=SimulatorConfig.cheats,
        metavar="N",
        help="how many times the players try to cheat",
    )
    parser.add_argument(
        "--dice",
        choices=("tower", "camera", "both"),
        default="tower",
        help="who reads the dice; where the camera does, they are thrown on the board",
    )
    add_loudness(parser)
    parser.add_argument("--headless", action="store_true", help="plain lines instead of the terminal view")
    parser.add_argument(
        "--page", type=int, default=0, metavar="PORT", help="serve the table's page there (default: no page)"
    )
    parser.add_argument("--cover-lens", action="store_true", help="a cap on the camera: it sees black")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Referee a match at the simulated table. The exit status."""
    config = simulated_config(
        seed=arguments.seed,
        rules=arguments.rules,
        options=arguments.option,
        players=arguments.players,
        speed=arguments.speed,
        cheats=arguments.cheats,
        cover_lens=arguments.cover_lens,
        headless=arguments.headless,
        dice=arguments.dice,
        loudness=Loudness(arguments.loudness),
        page_port=arguments.page,
    )
    return run_table(config, out=sys.stdout)

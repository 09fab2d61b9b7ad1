"""`uckers-table judge`: rules the cases that somebody wrote down in scenario files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from uckers_table.announce.sentences import sentence
from uckers_table.game.scenario import judge_files

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("judge", help="judge the rule cases in scenario files")
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE.toml", help="scenario files (docs/rules.md)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each event")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """The exit status: 0 where every expectation holds, else 1."""
    return judge_files(arguments.files, json_lines=arguments.json, out=sys.stdout, say=sentence)

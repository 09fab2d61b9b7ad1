"""A table that begins a match, or goes on with the one in its record, and is there to be killed.

    python -m tests.table_to_kill FOLDER SEED [LINES]

It prints each ruling, `t kind`, once people have been told, and ends with the match, or after so many lines.
"""

import sys
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path

from tests.patience import unhurried_table
from tests.unpainted import unpainted
from uckers_table.config import simulated_config
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table


class EnoughError(Exception):
    """So many lines were asked for."""


class Told:
    """A view that prints what people have been told, and ends the evening after so many lines."""

    def __init__(self, lines):
        self._left = lines

    def show(self, glimpse):
        for line in glimpse.rulings:
            print(line["t"], line["ruling"], flush=True)
        self._left -= len(glimpse.rulings)
        if self._left <= 0:
            raise EnoughError

    def close(self):
        pass


def main(folder, seed, lines=inf):
    """Referee until the match is over, or so many lines were told."""
    config = replace(simulated_config(seed=seed, cheats=5), record=Path(folder), resumes=True)
    with unhurried_table(), unpainted(config) as around, suppress(EnoughError):
        Table(config, around.parts, Inbox(), Told(lines)).run()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))

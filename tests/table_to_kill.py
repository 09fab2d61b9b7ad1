"""A table that begins a match, or goes on with the one in its record, and is there to be killed.

    python -m tests.table_to_kill FOLDER SEED

It prints each ruling, `t kind`, once people have been told, and ends with the match.
"""

import sys
from dataclasses import replace
from pathlib import Path

from tests.patience import unhurried_table
from tests.unpainted import unpainted
from uckers_table.config import simulated_config
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table


class Told:
    """A view that prints what people have been told."""

    def show(self, glimpse):
        for line in glimpse.rulings:
            print(line["t"], line["ruling"], flush=True)

    def close(self):
        pass


def main(folder, seed):
    """Referee until the match is over."""
    config = replace(simulated_config(seed=seed, cheats=5), record=Path(folder), resumes=True)
    with unhurried_table(), unpainted(config) as around:
        Table(config, around.parts, Inbox(), Told()).run()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

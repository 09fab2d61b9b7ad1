"""How the referee's figures move with a price: `python -m tools.prices PERSON.moved ACCUSE`.

Each price of `uckers_table/referee/prices.py` that is named is halved, and then doubled. The same matches are
played each time. Without a name all are tried, which takes hours. A price that hardly moves the figures needs
no better measurement.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

from uckers_table.errors import InputError
from uckers_table.referee import prices
from uckers_table.trial.figures import TrialFigures
from uckers_table.trial.run import SeededMatches, outcomes_of
from uckers_table.trial.watched import MEASURED, UNRULY, Errors
from uckers_table.trial.weighing import FATES, MatchAccount

BY = (0.5, 2.0)
"""What a price is multiplied by."""


def main(argv: Sequence[str] | None = None) -> int:
    """Prints a line for each price and factor. 0 if it did, 2 for a price or a law that there is not."""
    parser = argparse.ArgumentParser(prog="python -m tools.prices", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="PRICE", help="such as ACCUSE or READER.short; all if none"
    )
    parser.add_argument("--matches", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--errors", default=MEASURED)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(argv)
    known = [*every_price()]
    for name in args.names:
        if name not in known:
            print(f"{name}: there is no such price; name one such as ACCUSE or READER.short", file=sys.stderr)
            return 2
    print(f"| price | | plays | false | {' / '.join(FATES)} | questions |")
    print("| --- | --- | --- | --- | --- | --- |")
    changes = [("as it is", 1.0), *((name, by) for name in args.names or known for by in BY)]
    try:
        for name, by in changes:
            plays = [partial(_match, name, by, args.errors, args.seed, k) for k in range(args.matches)]
            print(_line(name, by, TrialFigures.of(outcomes_of(plays, args.jobs))), flush=True)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def every_price() -> Iterator[str]:
    """The names of all prices that are numbers, and of all rows of the tables."""
    for name, value in vars(prices).items():
        if name.isupper() and isinstance(value, float | int):
            yield name
        elif name.isupper() and isinstance(value, dict):
            yield from (f"{name}.{key}" for key in value)


@contextmanager
def multiplied(name: str, by: float) -> Iterator[None]:
    """Multiplies a price for a while. In a row of READER or FRAMES that is both its prices."""
    table, _, key = name.partition(".")
    before = getattr(prices, table)
    after = {row: _by(old, by) if str(row) == key else old for row, old in before.items()} if key else None
    setattr(prices, table, after or _by(before, by))
    try:
        yield
    finally:
        setattr(prices, table, before)


def _by(price: Any, by: float) -> Any:
    """A price, or a row of prices, multiplied. A whole number stays one."""
    return tuple(each * by for each in price) if isinstance(price, tuple) else type(price)(price * by)


def _match(name: str, by: float, errors: str, seed: int, k: int) -> MatchAccount:
    """The match of that number of `uckers-table trial --seed`, at another price."""
    _, play = SeededMatches(seed, UNRULY).watched(k, Errors(errors), errors)
    with multiplied(name, by) if by != 1.0 else nullcontext():
        return play()


def _line(name: str, by: float, figures: TrialFigures) -> str:
    fates = [sum(each) for each in zip(*figures.cheats.values(), strict=True)] or [0] * len(FATES)
    factor = "" if by == 1.0 else f"× {by:g}"
    told = (factor, figures.plays, figures.false_accusations, " / ".join(map(str, fates)), figures.questions)
    return f"| {name} | {' | '.join(map(str, told))} |"


if __name__ == "__main__":
    sys.exit(main())

"""How the second referee's figures move with a price: `python -m tools.prices PERSON.moved ACCUSE`.

Each price of `uckers_table/belief/prices.py` that is named is halved, and then doubled. The same matches are
played each time. Without a name all are tried, which takes hours. A price that hardly moves the figures needs
no better measurement.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from multiprocessing import get_context
from typing import Any

from uckers_table.belief import prices
from uckers_table.belief.which import BELIEF
from uckers_table.game.rules import known_rules
from uckers_table.game.setting import load_setting
from uckers_table.trial.figures import TrialFigures
from uckers_table.trial.run import CAMERA_DICE
from uckers_table.trial.watched import MEASURED, UNRULY, Errors, watched_match
from uckers_table.trial.weighing import FATES, MatchAccount

BY = (0.5, 2.0)
"""What a price is multiplied by."""


def main(argv: Sequence[str] | None = None) -> int:
    """Prints a line for each price and factor. 0 if it did, 2 for a price that there is not."""
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
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        for name, by in changes:
            play = partial(_match, name, by, args.errors, args.seed)
            print(_line(name, by, TrialFigures.of(pool.map(play, range(args.matches)))), flush=True)
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
    names = known_rules()
    played = partial(
        watched_match,
        load_setting(names[k % len(names)]),
        Errors(errors),
        f"{seed} {k}",
        camera_dice=k % CAMERA_DICE == CAMERA_DICE - 1,
        manners=UNRULY,
        referees=(BELIEF,),
    )
    with multiplied(name, by) if by != 1.0 else nullcontext():
        return played()[0]


def _line(name: str, by: float, figures: TrialFigures) -> str:
    fates = [sum(each) for each in zip(*figures.cheats.values(), strict=True)] or [0] * len(FATES)
    factor = "" if by == 1.0 else f"× {by:g}"
    told = (factor, figures.plays, figures.false_accusations, " / ".join(map(str, fates)), figures.questions)
    return f"| {name} | {' | '.join(map(str, told))} |"


if __name__ == "__main__":
    sys.exit(main())

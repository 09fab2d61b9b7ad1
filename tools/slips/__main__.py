"""Makes slips, and holds what is said of each against the boards and the dice: `python -m tools.slips`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from typing import NamedTuple

from tools.slips.tried import tried

_PART = 2500
"""So many slips are made in one go, from a seed of their own."""


class Heard(NamedTuple):
    """A slip's kind, why its board is wrong, what was said, what of that is untrue, and where it was."""

    kind: str
    reason: str
    said: str
    untrue: list[str]
    where: str


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the figures. 0 if no sentence is untrue, 1 otherwise."""
    parser = argparse.ArgumentParser(prog="python -m tools.slips", description=__doc__)
    parser.add_argument("--slips", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--read", type=int, default=0, metavar="N", help="print N sentences of each reason")
    args = parser.parse_args(argv)
    sizes = [min(_PART, args.slips - start) for start in range(0, args.slips, _PART)]
    heard: list[Heard] = []
    with ProcessPoolExecutor(args.jobs) as pool:
        for part in pool.map(partial(heard_in, args.seed), range(len(sizes)), sizes):
            heard += part
    for line in figures_of(heard):
        print(line)
    for line in _to_read(heard, args.read):
        print(line)
    return int(any(each.untrue for each in heard))


def heard_in(seed: int, part: int, slips: int) -> list[Heard]:
    """What is heard on the slips of one part."""
    heard = []
    for each in islice(tried(f"{seed}/{part}"), slips):
        due = each.match.passed or each.match
        side = due.board.seats[due.to_play]
        where = f"{due.rules.name}, {side} {due.thrown}: {each.match.position} {each.board}"
        heard.append(Heard(each.kind, each.reason, each.said, each.untrue, where))
    return heard


def figures_of(heard: Sequence[Heard]) -> Iterator[str]:
    """How many, the untrue sentences by kind of slip, and how long sentences are."""
    false = [each for each in heard if each.untrue]
    yield f"{len(heard)} wrong boards, {len({each.kind for each in heard})} kinds of slips"
    yield f"{len(false)} untrue sentences"
    for kind, number in Counter(each.kind for each in false).most_common():
        yield f"  {kind}: {number}"
    for each in false[:20]:
        yield f"  {each.said} ({each.untrue[0]}) {each.where}"
    middle, most, longest = lengths_of([each.said for each in heard])
    yield f"words a sentence: median {middle}, nine in ten at most {most}, longest {longest}"


def lengths_of(said: Sequence[str]) -> tuple[int, int, int]:
    """The words of the median, of the ninetieth in a hundred, and of the longest."""
    words = sorted(len(each.split()) for each in said)
    return words[len(words) // 2], words[len(words) * 9 // 10], words[-1]


def _to_read(heard: Sequence[Heard], number: int) -> Iterator[str]:
    """So many sentences of each reason, each different from the others."""
    by_reason: dict[str, dict[str, str]] = defaultdict(dict)
    for each in heard:
        by_reason[each.reason].setdefault(each.said, each.where)
    for reason, sentences in sorted(by_reason.items()) if number else ():
        yield f"{reason}:"
        every = max(len(sentences) // number, 1)
        yield from (f"  {said}   [{where}]" for said, where in [*sentences.items()][::every][:number])


if __name__ == "__main__":
    sys.exit(main())

"""How long written lines are, and some to read: `python -m tools.lines --matches 20`.

Simulated players play matches, each under the next rule set, and every tenth throw a hand slips. What page,
record and film have of the plays, the passes and the wrong boards is counted in letters.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tools.slips.kinds import SLIPS
from uckers_table.announce.in_full import in_full
from uckers_table.game import playing
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match, Step, begin
from uckers_table.game.rules import known_rules
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.game.setting import load_setting
from uckers_table.simulator.players import choose_call, choose_play, throw_dice

_SLIPPED = 0.1
_GROUPS = {
    Kind.LEGAL: "plays",
    Kind.WON: "plays",
    Kind.PASS: "passes",
    Kind.ILLEGAL: "wrong boards",
    Kind.TIMBER_SHIFT: "wrong boards",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the figures, and lines to read."""
    parser = argparse.ArgumentParser(prog="python -m tools.lines", description=__doc__)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", choices=known_rules(), nargs="+", default=known_rules())
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--read", type=int, default=0, metavar="N", help="print N lines of each kind and set")
    args = parser.parse_args(argv)
    every: dict[str, list[str]] = defaultdict(list)
    for rules in args.rules:
        of_set: dict[str, list[str]] = defaultdict(list)
        for number in range(args.matches):
            if args.rules[number % len(args.rules)] == rules:
                for ruling, line in lines_of(rules, args.players, random.Random(f"{args.seed}/{number}")):
                    of_set[_GROUPS[ruling.kind]].append(line)
        for group, lines in of_set.items():
            every[group] += lines
        for line in _to_read(rules, of_set, args.read):
            print(line)
    for group in sorted(every):
        print(f"{group}: {_figures(every[group])}")
    return 0


def lines_of(rules: str, players: int, rng: random.Random) -> Iterator[tuple[Ruling, str]]:
    """The rulings of a match on plays, passes and wrong boards, each with its line."""
    setting = load_setting(rules, players=players)
    match = begin(setting, to_play=setting.board.seats[rng.choice(setting.sides)])
    while match.awaiting is not Awaiting.OVER:
        for step in _next(match, rng):
            match = step.match
            for ruling in step.rulings:
                if ruling.kind in _GROUPS and (line := in_full(ruling, setting.board)):
                    yield ruling, line


def _next(match: Match, rng: random.Random) -> Iterator[Step]:
    """What happens next: a call, a throw with the play upon it, or a slip that is put right."""
    call = choose_call(match, rng)
    if call is not None:
        yield playing.call(match, call)
    elif match.behind is not None:
        yield playing.see(match, match.position)
    elif match.awaiting is Awaiting.PLAY and match.plays:
        if rng.random() < _SLIPPED and (wrong := _slipped(match, rng)):
            slip = playing.see(match, rng.choice(wrong))
            yield slip
            match = playing.see(slip.match, match.position).match
        yield playing.see(match, choose_play(match, rng))
    else:
        yield playing.throw(match, throw_dice(rng, match.dice_due))


def _slipped(match: Match, rng: random.Random) -> list[tuple[tuple[int, ...], ...]]:
    """Wrong boards of a kind taken by chance."""
    boards = {*SLIPS[rng.choice(sorted(SLIPS))](match, rng)}
    return sorted(boards - {match.position, *match.plays, *match.halfway})


def _figures(lines: Sequence[str]) -> str:
    letters = sorted(map(len, lines))
    middle, most = (letters[len(letters) * tenths // 10] for tenths in (5, 9))
    return f"{len(lines)}, median {middle} letters, nine in ten {most}, longest {letters[-1]}"


def _to_read(rules: str, of_set: Mapping[str, Sequence[str]], number: int) -> Iterator[str]:
    """So many lines of each kind, each different from the others."""
    for group, lines in of_set.items() if number else ():
        different = [*dict.fromkeys(lines)]
        yield f"{rules}, {group}:"
        yield from (f"  {line}" for line in different[:: max(len(different) // number, 1)][:number])


if __name__ == "__main__":
    sys.exit(main())

"""What can be counted in the matches that were kept: by side and by player, and how the dice fell.

Pure: from `MatchRecord`s to values. Every throw that was read counts for the dice, also one that was void;
for a side's luck those that it had to play with. What the camera took back as misread is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from math import sqrt
from operator import add

from uckers_table.game.ruling import Kind
from uckers_table.game.throws import Purpose
from uckers_table.game.ways import SIX
from uckers_table.record.fairness import (
    FACES,
    PAIRS,
    Runs,
    Test,
    faces_test,
    pairs_test,
    runs_of,
    runs_test,
    tail_of_normal,
)
from uckers_table.record.match_record import DISPUTED, GOOD, MatchRecord, Ruled, Thrown
from uckers_table.referee.rulings import NoticeKind

MEAN, VARIANCE = 3.5, 35 / 12
"""Of one fair die."""


@dataclass(frozen=True)
class Tally:
    """What one side, or one player, has to show. `who` is a colour or a name.

    `pips` is the sum of the `dice` thrown; `caught` counts what was called illegal or timber shifting and not
    taken back, `stood` what was left standing all the same.
    """

    who: str
    matches: int = 0
    won: int = 0
    throws: int = 0
    dice: int = 0
    pips: int = 0
    sixes: int = 0
    doubles: int = 0
    pairs: int = 0
    caught: int = 0
    stood: int = 0
    sent_back: int = 0
    """Pieces of others sent back to base …"""
    lost: int = 0
    """… and its own that were."""

    @property
    def luck(self) -> float:
        """How many standard deviations the sum of the pips is above what fair dice give on average."""
        return (self.pips - MEAN * self.dice) / sqrt(VARIANCE * self.dice) if self.dice else 0.0

    @property
    def luck_in_words(self) -> str:
        """The same for people: "64 pips more than average: 12 in 100 are luckier"."""
        if not self.dice:
            return "no throws"
        more = self.pips - MEAN * self.dice
        beyond = 100 * tail_of_normal(self.luck) / 2
        share = f"{beyond:.0f} in 100" if beyond >= 1 else "fewer than 1 in 100"
        what = "more" if more >= 0 else "fewer"
        return f"{abs(more):.0f} pips {what} than average: {share} {'luckier' if more >= 0 else 'unluckier'}"


@dataclass(frozen=True)
class Statistics:
    """Of so many matches: tallies by colour and by name, the faces of all dice (1 to 6), tests of them."""

    matches: int
    sides: tuple[Tally, ...] = ()
    players: tuple[Tally, ...] = ()
    faces: tuple[int, ...] = (0,) * FACES
    throws: int = 0
    faults: int = 0
    overruled: int = 0
    """Accusations that players took back: the referee's own mistakes."""
    tests: tuple[Test, ...] = ()


_COUNTED = tuple(each.name for each in fields(Tally) if each.name != "who")


@dataclass
class _Counting:
    """Tallies being counted, by who."""

    by: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, who: str | None, **counts: int) -> None:
        if who:
            self.by.setdefault(who, Counter()).update(counts)

    def tallies(self) -> tuple[Tally, ...]:
        return tuple(Tally(who, **{name: count[name] for name in _COUNTED}) for who, count in self.by.items())


@dataclass(frozen=True)
class MatchFigures:
    """What is counted in one match. It is small where a match is a megabyte: it is kept.

    `faces` are how often each of 1 to 6 came, `pairs` each of PAIRS, and `runs` tell of the throws of two
    dice.
    """

    sides: tuple[Tally, ...]
    players: tuple[Tally, ...]
    throws: int
    faces: tuple[int, ...]
    pairs: tuple[int, ...]
    runs: Runs
    faults: int
    overruled: int


def figures_of(match: MatchRecord) -> MatchFigures:
    """What is counted in a match."""
    sides, players, read = _Counting(), _Counting(), _as_read(match)
    for colour in match.summary.terms.seats:
        _count(sides, colour, match, [colour], read)
    names = match.summary.terms.names
    for name in dict.fromkeys(names.values()):
        _count(players, name, match, [colour for colour in names if names[colour] == name], read)
    thrown = [each.dice for each in read if each.dice]
    faces = Counter(die for dice in thrown for die in dice)
    two = [dice for dice in thrown if len(dice) == 2]
    pairs = Counter((min(dice), max(dice)) for dice in two)
    return MatchFigures(
        sides.tallies(),
        players.tallies(),
        len(thrown),
        tuple(faces[face] for face in range(1, FACES + 1)),
        tuple(pairs[pair] for pair in PAIRS),
        runs_of([SIX in dice for dice in two]),
        sum(not each.dice for each in read),
        len(match.overruled),
    )


def statistics_of(matches: Iterable[MatchRecord]) -> Statistics:
    """Everything that is counted, over all these matches together, in their order."""
    return statistics_together(map(figures_of, matches))


def statistics_together(matches: Iterable[MatchFigures]) -> Statistics:
    """The same, of matches that were counted before."""
    sides, players = _Counting(), _Counting()
    faces, pairs, runs = [0] * FACES, [0] * len(PAIRS), Runs()
    number = throws = faults = overruled = 0
    for match in matches:
        number += 1
        throws += match.throws
        faults += match.faults
        overruled += match.overruled
        faces = [*map(add, faces, match.faces)]
        pairs = [*map(add, pairs, match.pairs)]
        runs = runs.then(match.runs)
        for counting, tallies in ((sides, match.sides), (players, match.players)):
            for tally in tallies:
                counting.add(tally.who, **{name: getattr(tally, name) for name in _COUNTED})
    tests = (faces_test(faces), pairs_test(dict(zip(PAIRS, pairs, strict=True))), runs_test(runs))
    return Statistics(
        number, sides.tallies(), players.tallies(), tuple(faces), throws, faults, overruled, tests
    )


def _as_read(match: MatchRecord) -> list[Thrown]:
    """The throws and faults that count, each once.

    Left out are those that the camera found it had misread, and those that were taken back. A throw that
    stays when something else is taken back may be taken a second time.
    """
    read: list[Thrown] = []
    gone: list[list[Thrown]] = []
    again: set[float] = set()
    for entry in match.entries:
        if isinstance(entry, Thrown):
            if entry.t not in again:
                read.append(entry)
        elif isinstance(entry, Ruled) and entry.ruling == NoticeKind.DICE_REREAD and read:
            read.pop()
        elif isinstance(entry, Ruled) and entry.ruling == NoticeKind.TAKEN_BACK:
            times = entry.facts.get("goes", ())
            again |= {*entry.facts.get("stays", ())}
            gone.append([each for each in read if each.t in times])
            read = [each for each in read if each.t not in times]
        elif isinstance(entry, Ruled) and entry.ruling == NoticeKind.PUT_BACK and gone:
            read += gone.pop()
    return read


def _count(
    counting: _Counting, who: str, match: MatchRecord, colours: Sequence[str], read: Sequence[Thrown]
) -> None:
    winner = match.summary.winner or ()
    counting.add(who, matches=1, won=int(any(colour in winner for colour in colours)))
    for thrown in read:
        if (
            thrown.side in colours
            and thrown.dice
            and thrown.state == GOOD
            and thrown.purpose != Purpose.START
        ):
            is_pair = len(thrown.dice) == 2
            counting.add(
                who,
                throws=1,
                dice=len(thrown.dice),
                pips=sum(thrown.dice),
                sixes=thrown.dice.count(SIX),
                pairs=int(is_pair),
                doubles=int(is_pair and len(set(thrown.dice)) == 1),
            )
    gone = set(match.taken_back)
    for place, ruled in enumerate(match.rulings, start=1):
        if place in gone:
            continue
        if ruled.side in colours:
            caught, stood = ruled.ruling in DISPUTED, ruled.ruling == Kind.STOOD
            counting.add(who, caught=int(caught), stood=int(stood), sent_back=len(ruled.captured))
        counting.add(who, lost=sum(move.colour in colours for move in ruled.captured))

"""What can be counted in one match: by side and by player, who ucked whom, and how the dice fell.

Pure: from a `MatchRecord` to values, which are small where a match is a megabyte. Every throw that was read
counts for the dice, also one that was void; for a side's luck those that it had to play with. What the camera
took back as misread is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from operator import add

from uckers_table.game.ruling import Kind
from uckers_table.game.throws import Purpose
from uckers_table.game.ways import SIX
from uckers_table.machine.plural import how_many
from uckers_table.record.fairness import FACES, PAIRS, Runs, runs_of, tail_of_normal
from uckers_table.record.match_record import DISPUTED, GOOD, MatchRecord, Ruled, Thrown
from uckers_table.record.people import person_of, spellings
from uckers_table.referee.rulings import NoticeKind

MEAN, VARIANCE = 3.5, 35 / 12
"""Of one fair die."""


@dataclass(frozen=True)
class Tally:
    """What one side, or one player, has to show. `who` is a colour or a name.

    `matches` are those that somebody won. `pips` is the sum of the `dice` thrown; `caught` counts what was
    called illegal or timber shifting and not taken back, `stood` what was left standing all the same.
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
    with_six: int = 0
    """The most throws in a row of a match that had a six …"""
    without_six: int = 0
    """… and that had none."""

    def plus(self, other: Tally) -> Tally:
        """This, and what the same side or player did besides; of throws in a row, the longer row."""
        counts = {
            name: (max if name in _IN_A_ROW else add)(count, getattr(other, name))
            for name, count in vars(self).items()
            if name != "who"
        }
        return Tally(self.who, **counts)

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
        pips, what = how_many(round(abs(more)), "pip"), "more" if more >= 0 else "fewer"
        return f"{pips} {what} than average: {share} {'luckier' if more >= 0 else 'unluckier'}"


_IN_A_ROW = ("with_six", "without_six")


@dataclass(frozen=True)
class Ucked:
    """How often a side sent a `colour`'s piece back to base from its square `steps`. `by` is a colour too."""

    by: str
    colour: str
    steps: int
    times: int = 1


@dataclass(frozen=True)
class Caught:
    """How often a side was caught `at` something: a reason of `game.ruling.Reason`, or a kind of ruling."""

    side: str
    at: str
    times: int = 1


@dataclass(frozen=True)
class MatchFigures:
    """What is counted in one match.

    `players` are by name, a person once who sits at two colours. `faces` are how often each of 1 to 6 came,
    `pairs` each of PAIRS, and `runs` tell of the throws of two dice.
    """

    sides: tuple[Tally, ...]
    players: tuple[Tally, ...]
    throws: int
    faces: tuple[int, ...]
    pairs: tuple[int, ...]
    runs: Runs
    faults: int
    overruled: int
    ucked: tuple[Ucked, ...] = ()
    caught: tuple[Caught, ...] = ()


def figures_of(match: MatchRecord) -> MatchFigures:
    """What is counted in a match."""
    read = _as_read(match)
    names = match.summary.terms.names
    people = spellings(names.values())
    seats = {
        name: [colour for colour in names if person_of(names[colour]) == person]
        for person, name in people.items()
    }
    thrown = [each.dice for each in read if each.dice]
    faces = Counter(die for dice in thrown for die in dice)
    two = [dice for dice in thrown if len(dice) == 2]
    pairs = Counter((min(dice), max(dice)) for dice in two)
    standing = _standing(match)
    ucked = Counter(
        (ruled.side or "", move.colour, move.start) for ruled in standing for move in ruled.captured
    )
    caught = Counter((ruled.side or "", _caught_at(ruled)) for ruled in standing if ruled.ruling in DISPUTED)
    return MatchFigures(
        tuple(_tally(colour, match, [colour], read, standing) for colour in match.summary.terms.seats),
        tuple(_tally(name, match, colours, read, standing) for name, colours in seats.items()),
        len(thrown),
        tuple(faces[face] for face in range(1, FACES + 1)),
        tuple(pairs[pair] for pair in PAIRS),
        runs_of([SIX in dice for dice in two]),
        sum(not each.dice for each in read),
        len(match.overruled),
        tuple(Ucked(*which, times) for which, times in ucked.items()),
        tuple(Caught(*which, times) for which, times in caught.items()),
    )


def _standing(match: MatchRecord) -> list[Ruled]:
    """The rulings that nobody has taken back."""
    gone = {*match.taken_back}
    return [ruled for number, ruled in enumerate(match.rulings, start=1) if number not in gone]


def _caught_at(ruled: Ruled) -> str:
    if ruled.ruling == Kind.TIMBER_SHIFT or not ruled.reason:
        return str(ruled.ruling)
    return ruled.reason


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


def _tally(
    who: str, match: MatchRecord, colours: Sequence[str], read: Sequence[Thrown], standing: Sequence[Ruled]
) -> Tally:
    winner = match.summary.winner or ()
    throws = [
        thrown.dice
        for thrown in read
        if thrown.side in colours and thrown.dice and thrown.state == GOOD and thrown.purpose != Purpose.START
    ]
    pairs = [dice for dice in throws if len(dice) == 2]
    rows = dict.fromkeys((True, False), 0)
    for has_six, row in groupby(throws, key=lambda dice: SIX in dice):
        rows[has_six] = max(rows[has_six], len([*row]))
    own = [ruled for ruled in standing if ruled.side in colours]
    return Tally(
        who,
        matches=int(bool(winner)),
        won=int(any(colour in winner for colour in colours)),
        throws=len(throws),
        dice=sum(map(len, throws)),
        pips=sum(map(sum, throws)),
        sixes=sum(dice.count(SIX) for dice in throws),
        doubles=sum(len(set(dice)) == 1 for dice in pairs),
        pairs=len(pairs),
        caught=sum(ruled.ruling in DISPUTED for ruled in own),
        stood=sum(ruled.ruling == Kind.STOOD for ruled in own),
        sent_back=sum(len(ruled.captured) for ruled in own),
        lost=sum(move.colour in colours for ruled in standing for move in ruled.captured),
        with_six=rows[True],
        without_six=rows[False],
    )

"""What the matches that were kept come to: all of them together, or those of some dates, rules and people.

Pure: from what was counted in each match, with its line in the list, to values. A match that was left counts
for throws, uckings and cheats; nobody won or lost it. A name counts for one person, however it is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import add

from uckers_table.errors import InputError, UckersTableError
from uckers_table.game.board import Board
from uckers_table.record.fairness import FACES, PAIRS, Runs, Test, faces_test, pairs_test, runs_test
from uckers_table.record.match_figures import MatchFigures, Tally, figures_of
from uckers_table.record.match_record import MatchRecord, MatchSummary, Terms
from uckers_table.record.notation import board_of
from uckers_table.record.people import person_of, spellings

CountedMatch = tuple[MatchSummary, MatchFigures]
"""A match's line in the list, and what was counted in it."""

FORM = 10
"""The last results of a player that are shown."""


@dataclass(frozen=True)
class Selection:
    """Which matches count: those begun from `since` to `until` (both included), under `rules`, and with all
    of these `people` in it. What is empty leaves none out. A match whose date is not known is of no date.
    """

    since: str = ""
    until: str = ""
    rules: str = ""
    people: tuple[str, ...] = ()

    def has(self, summary: MatchSummary) -> bool:
        """Whether a match is among them."""
        begun = (summary.begun or "")[:10]
        if (self.since or self.until) and not (begun and self.since <= begun <= (self.until or begun)):
            return False
        if self.rules and rules_name(summary.terms) != self.rules:
            return False
        return not self.people or {*map(person_of, self.people)} <= {
            person_of(name) for name in summary.terms.names.values()
        }


EVERYTHING = Selection()


def selection_of(since: str, until: str, rules: str, people: Iterable[str]) -> Selection:
    """A selection as somebody asks for it; InputError where a date is none."""
    for day in filter(None, (since, until)):
        try:
            is_day = date.fromisoformat(day).isoformat() == day
        except ValueError:
            is_day = False
        if not is_day:
            raise InputError("a date is a year, a month and a day, as in 2026-11-30")
    return Selection(since, until, rules, tuple(filter(person_of, people)))


def rules_name(terms: Terms) -> str:
    """What the rules of a match are called in lists."""
    return terms.title or terms.rules


@dataclass(frozen=True)
class Uckings:
    """How often somebody (`by`) sent a piece of somebody else (`whose`) back to base."""

    by: str
    whose: str
    times: int


@dataclass(frozen=True)
class UckedOn:
    """Where pieces were ucked on one kind of board: its track squares, each with how often."""

    board: Board
    squares: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Fault:
    """How often players were caught `at` something; `who` are they, most often first, each with how often."""

    at: str
    times: int
    who: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Streak:
    """How a player's matches went, one after the other: the `longest` row of wins, and the row that `now` is
    on, below 0 if it is of defeats. `form` has W or L for each of the last FORM, the newest last.
    """

    who: str
    longest: int
    now: int
    form: str


@dataclass(frozen=True)
class Duel:
    """Two who sat against each other: how many matches that somebody won, and how many each of them."""

    one: str
    other: str
    matches: int
    won: int
    lost: int


@dataclass(frozen=True)
class Statistics:
    """Of so many matches: tallies by colour and by name, the faces of all dice (1 to 6), tests of them.

    `ucked_colours` and `ucked_people` are who ucked whom, by colour and by name; a colour without a name is
    in the first alone. Most comes first everywhere.
    """

    matches: int
    left: int = 0
    """Those among them that nobody won."""
    sides: tuple[Tally, ...] = ()
    players: tuple[Tally, ...] = ()
    faces: tuple[int, ...] = (0,) * FACES
    throws: int = 0
    faults: int = 0
    overruled: int = 0
    """Accusations that players took back: the referee's own mistakes."""
    tests: tuple[Test, ...] = ()
    ucked_colours: tuple[Uckings, ...] = ()
    ucked_people: tuple[Uckings, ...] = ()
    ucked_on: tuple[UckedOn, ...] = ()
    caught: tuple[Fault, ...] = ()
    streaks: tuple[Streak, ...] = ()
    duels: tuple[Duel, ...] = ()


def statistics_of(matches: Iterable[MatchRecord]) -> Statistics:
    """Everything that is counted, over all these matches together, in their order."""
    return statistics_together((match.summary, figures_of(match)) for match in matches)


def statistics_together(matches: Iterable[CountedMatch]) -> Statistics:
    """The same, of matches that were counted before."""
    counted = [*matches]
    names = spellings(name for summary, _ in counted for name in summary.terms.names.values())
    sides, players = dict[str, Tally](), dict[str, Tally]()
    faces, pairs, runs = [0] * FACES, [0] * len(PAIRS), Runs()
    for _, match in counted:
        faces = [*map(add, faces, match.faces)]
        pairs = [*map(add, pairs, match.pairs)]
        runs = runs.then(match.runs)
        for tally in match.sides:
            _add(sides, tally.who, tally)
        for tally in match.players:
            _add(players, names.get(person_of(tally.who), tally.who), tally)
    tests = (faces_test(faces), pairs_test(dict(zip(PAIRS, pairs, strict=True))), runs_test(runs))
    results = [_result(summary, names) for summary, _ in counted if summary.winner]
    return Statistics(
        len(counted),
        sum(not summary.winner for summary, _ in counted),
        (*sides.values(),),
        tuple(sorted(players.values(), key=lambda each: -each.matches)),
        tuple(faces),
        sum(match.throws for _, match in counted),
        sum(match.faults for _, match in counted),
        sum(match.overruled for _, match in counted),
        tests,
        *_ucked(counted, names),
        _caught(counted, names),
        _streaks(results),
        _duels(results),
    )


def _add(tallies: dict[str, Tally], who: str, tally: Tally) -> None:
    before = tallies.get(who, Tally(who))
    tallies[who] = before.plus(tally)


def _named(terms: Terms, names: Mapping[str, str], colour: str) -> str:
    """Who sat at a colour, as the name is written elsewhere; empty where nobody was named."""
    return names.get(person_of(terms.names.get(colour, "")), "")


def _ucked(
    counted: Sequence[CountedMatch], names: Mapping[str, str]
) -> tuple[tuple[Uckings, ...], tuple[Uckings, ...], tuple[UckedOn, ...]]:
    colours, people = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    squares: dict[Board, Counter[int]] = {}
    boards: dict[str, Board | None] = {}
    for summary, match in counted:
        terms = summary.terms
        for each in match.ucked:
            colours[each.by, each.colour] += each.times
            one, other = _named(terms, names, each.by), _named(terms, names, each.colour)
            if one and other and one != other:
                people[one, other] += each.times
        key = repr((terms.options, terms.seats, terms.players))
        if key not in boards:
            boards[key] = _board_of(terms)
        if (board := boards[key]) is not None and match.ucked:
            on_board = squares.setdefault(board, Counter())
            for each in match.ucked:
                seated = each.colour in board.seats
                square = board.square(board.seat(each.colour), each.steps) if seated else None
                if square is not None:
                    on_board[square] += each.times
    return (
        tuple(Uckings(*who, times) for who, times in colours.most_common()),
        tuple(Uckings(*who, times) for who, times in people.most_common()),
        tuple(
            UckedOn(board, (*on_board.most_common(),))
            for board, on_board in sorted(squares.items(), key=lambda each: -each[1].total())
            if on_board
        ),
    )


def _board_of(terms: Terms) -> Board | None:
    try:
        return board_of(terms)
    except UckersTableError:
        # A stranger's record may name any.
        return None


def _caught(counted: Sequence[CountedMatch], names: Mapping[str, str]) -> tuple[Fault, ...]:
    caught: dict[str, Counter[str]] = {}
    for summary, match in counted:
        for each in match.caught:
            who = _named(summary.terms, names, each.side) or each.side
            caught.setdefault(each.at, Counter())[who] += each.times
    faults = (Fault(at, who.total(), (*who.most_common(),)) for at, who in caught.items())
    return tuple(sorted(faults, key=lambda fault: -fault.times))


_Result = tuple[tuple[str, ...], tuple[str, ...]]
"""Who won a match and who lost it, by name. Who sits on both sides has done neither."""


def _result(summary: MatchSummary, names: Mapping[str, str]) -> _Result:
    terms, winner = summary.terms, summary.winner or ()
    won, lost = (
        dict.fromkeys(
            name
            for colour in terms.seats
            if (colour in winner) is is_winner and (name := _named(terms, names, colour))
        )
        for is_winner in (True, False)
    )
    return tuple(name for name in won if name not in lost), tuple(name for name in lost if name not in won)


def _streaks(results: Iterable[_Result]) -> tuple[Streak, ...]:
    forms: dict[str, list[str]] = {}
    for sides in results:
        for letter, people in zip("WL", sides, strict=True):
            for who in people:
                forms.setdefault(who, []).append(letter)
    return tuple(
        sorted(
            (_streak(who, form) for who, form in forms.items()),
            key=lambda streak: (-streak.longest, -streak.now),
        )
    )


def _streak(who: str, form: Sequence[str]) -> Streak:
    rows = [(letter, len([*row])) for letter, row in groupby(form)]
    longest = max((length for letter, length in rows if letter == "W"), default=0)
    letter, now = rows[-1]
    return Streak(who, longest, now if letter == "W" else -now, "".join(form[-FORM:]))


def _duels(results: Iterable[_Result]) -> tuple[Duel, ...]:
    won = Counter((one, other) for winners, losers in results for one in winners for other in losers)
    met = {tuple(sorted(pair)) for pair in won}
    duels = (
        Duel(one, other, won[one, other] + won[other, one], won[one, other], won[other, one])
        for one, other in met
    )
    # Whoever is ahead is named first.
    ahead = (
        each if each.won >= each.lost else Duel(each.other, each.one, each.matches, each.lost, each.won)
        for each in duels
    )
    return tuple(sorted(ahead, key=lambda duel: (-duel.matches, duel.one, duel.other)))

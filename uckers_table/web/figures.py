"""The figures as tables: the same titles, sentences and rows for the page and for the terminal.

`charts_of` are the same figures as plain data, which the page draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from uckers_table.announce.caught import caught_at
from uckers_table.announce.words import capital, listed, place
from uckers_table.machine.plural import how_many
from uckers_table.record.fairness import fair_band
from uckers_table.record.match_figures import Tally
from uckers_table.record.statistics import Statistics, Streak, UckedOn, Uckings
from uckers_table.web.rulebook import plan_address

HOTTEST = 10
"""The squares that are listed."""
MOST_DRAWN = 12
"""Players, and pairs of them, that are drawn. The table has all."""


@dataclass(frozen=True)
class FigureTable:
    """Figures of one kind: a title, sentences on what they say, heads and rows. `chart` names its drawing."""

    title: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    sentences: tuple[str, ...] = ()
    chart: str = ""


def tables_of(counted: Statistics) -> tuple[FigureTable, ...]:
    """What there is to tell, what people ask about first on top; nothing of no match."""
    if not counted.matches:
        return ()
    heads = ("caught", "luck", "won", "sent back", "throws", "sixes", "doubles", "stood")
    whom = ("who", "whom", "times")
    by_name, by_colour = _uckings(counted.ucked_people), _uckings(counted.ucked_colours, capital)
    tables = (
        FigureTable("Players", ("name", *heads), _tallied(counted.players)),
        FigureTable("Who ucked whom", whom, by_name, chart="people"),
        _duels(counted),
        _streaks(counted),
        _caught(counted),
        *(_hottest(each) for each in counted.ucked_on),
        FigureTable("Which colour ucked which", whom, by_colour, chart="colours"),
        FigureTable("Colours", ("colour", *heads), _tallied(counted.sides, capital)),
    )
    mistakes = f"Players took {counted.overruled} of its accusations back."
    return (
        *(table for table in tables if table.rows),
        _dice(counted),
        FigureTable("The referee", sentences=(mistakes,)),
    )


def _tallied(tallies: Iterable[Tally], written: Callable[[str], str] = str) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (
            written(tally.who),
            str(tally.caught),
            tally.luck_in_words,
            f"{tally.won} of {tally.matches}",
            *map(str, (tally.sent_back, tally.throws, tally.sixes, tally.doubles, tally.stood)),
        )
        for tally in tallies
    )


def _uckings(uckings: Iterable[Uckings], written: Callable[[str], str] = str) -> tuple[tuple[str, ...], ...]:
    return tuple((written(each.by), written(each.whose), str(each.times)) for each in uckings)


def _duels(counted: Statistics) -> FigureTable:
    rows = tuple(
        (duel.one, duel.other, str(duel.matches), f"{duel.won} : {duel.lost}") for duel in counted.duels
    )
    return FigureTable("Head to head", ("who", "against", "matches", "won"), rows, chart="duels")


def _streaks(counted: Statistics) -> FigureTable:
    sixes = {tally.who: tally for tally in counted.players}
    rows = tuple(
        (
            streak.who,
            str(streak.longest),
            _now(streak),
            streak.form,
            *map(str, (sixes[streak.who].with_six, sixes[streak.who].without_six)),
        )
        for streak in counted.streaks
        if streak.who in sixes
    )
    said = "W is a match won, L one lost, the newest last."
    heads = ("name", "most won in a row", "now", "last ten", "sixes in a row", "throws without a six")
    return FigureTable("Streaks", heads, rows, (said,), "streaks")


def _now(streak: Streak) -> str:
    return f"{abs(streak.now)} {'won' if streak.now > 0 else 'lost'} in a row"


def _caught(counted: Statistics) -> FigureTable:
    rows = tuple(
        (capital(caught_at(fault.at)), str(fault.times), _who_and_how_often(fault.who))
        for fault in counted.caught
    )
    return FigureTable("Caught at what", ("at", "times", "who"), rows, chart="caught")


def _who_and_how_often(who: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {times}" for name, times in who)


def _hottest(ucked: UckedOn) -> FigureTable:
    board = ucked.board
    rows = tuple(
        (capital(place(board, 0, board.steps_on(0, square))), str(times)) for square, times in ucked.squares
    )
    number = sum(times for _, times in ucked.squares)
    where = f"on {how_many(len(rows), 'square')} of the track"
    said = f"{how_many(number, 'piece was', 'pieces were')} ucked, {where}."
    which = f" ({listed(board.seats)})" if board.arms != 4 else ""
    return FigureTable(
        f"Where pieces were ucked{which}", ("square", "times"), rows[:HOTTEST], (said,), "board"
    )


def _dice(counted: Statistics) -> FigureTable:
    left = f", {counted.left} of them left" if counted.left else ""
    said = ", ".join(
        (
            how_many(counted.matches, "match", "matches") + left,
            how_many(counted.throws, "throw"),
            f"{how_many(counted.faults, 'time')} cocked or dropped.",
        )
    )
    dice = sum(counted.faces)
    low, high = fair_band(dice)
    sentences = (
        said,
        "Nothing tells the two dice apart, so they are taken together.",
        f"In {dice} fair dice each face comes {low:.0f} to {high:.0f} times, 19 times in 20.",
        *(f"{capital(test.name)}: {test.says}" for test in counted.tests),
    )
    heads = ("face", *map(str, range(1, len(counted.faces) + 1)))
    rows = (("How often", *map(str, counted.faces)),)
    return FigureTable("The dice", heads, rows, sentences, "faces")


# ---------------------------------------------------------------- the same, to be drawn


def charts_of(counted: Statistics) -> dict[str, Any]:
    """What the page draws, by the names that tables have for it; `board` in the order of those tables."""
    dice = sum(counted.faces)
    low, high = fair_band(dice)
    return {
        "faces": {"counts": counted.faces, "expected": dice / len(counted.faces), "low": low, "high": high},
        "board": [_heat(each) for each in counted.ucked_on],
        "colours": _matrix(counted.ucked_colours, [tally.who for tally in counted.sides]),
        "people": [*_pairs(counted.ucked_people)][:MOST_DRAWN],
        "duels": [
            {"one": duel.one, "other": duel.other, "counts": [duel.won, duel.lost]}
            for duel in counted.duels[:MOST_DRAWN]
        ],
        "streaks": [
            {"who": streak.who, "form": streak.form, "now": _now(streak), "longest": streak.longest}
            for streak in counted.streaks[:MOST_DRAWN]
        ],
        "caught": [
            {"at": capital(caught_at(fault.at)), "times": fault.times, "who": fault.who}
            for fault in counted.caught
        ],
    }


def _heat(ucked: UckedOn) -> dict[str, Any]:
    board = ucked.board
    return {
        "plan": plan_address(board),
        "seats": board.seats,
        # By the steps of the first seat, which the plan has.
        "squares": [{"steps": board.steps_on(0, square), "times": times} for square, times in ucked.squares],
    }


def _matrix(uckings: Iterable[Uckings], colours: Sequence[str]) -> dict[str, Any]:
    times = {(each.by, each.whose): each.times for each in uckings}
    return {
        "who": colours,
        "times": [[times.get((one, other), 0) for other in colours] for one in colours],
    }


def _pairs(uckings: Iterable[Uckings]) -> Iterator[dict[str, Any]]:
    """Both ways of each pair together: who ucked the other more often is `one`."""
    times = {(each.by, each.whose): each.times for each in uckings}
    for (one, other), number in times.items():
        back = times.get((other, one), 0)
        if number > back or (number == back and one < other):
            yield {"one": one, "other": other, "counts": [number, back]}

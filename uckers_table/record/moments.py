"""The moments of a match, which people look for again: accusations, uckings, challenges, turning points.

From the kinds of its rulings and what they moved, and from nothing that is said of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from uckers_table.errors import InputError
from uckers_table.game.ruling import Kind
from uckers_table.game.setting import load_setting
from uckers_table.record.match_record import DISPUTED, MatchRecord, Ruled, Standing, Terms

CHALLENGES = frozenset({Kind.CHALLENGE_WON, Kind.CHALLENGE_LOST})
"""How a challenge ends; its throws before that decide nothing."""


class MomentKind(StrEnum):
    """What makes a moment of a ruling."""

    ACCUSATION = "accusation"
    """Somebody was accused, rightly or not: also what was taken back as the referee's mistake."""
    UCKING = "ucking"
    """Pieces of others were sent back to base."""
    CHALLENGE = "challenge"
    """A challenge was won or lost."""
    TURNING_POINT = "turning_point"
    """Pieces were sent back, and others are ahead than before: their pieces have come further in all."""


@dataclass(frozen=True)
class MatchMoment:
    """A ruling that people look for again: its `number`, from 1, and what makes a moment of it."""

    number: int
    kinds: tuple[MomentKind, ...]


def moments_of(match: MatchRecord) -> tuple[MatchMoment, ...]:
    """The moments of a match in order. Of what was taken back, accusations alone are moments."""
    teams, gone = _teams(match.summary.terms), set(match.taken_back)
    ahead, moments = "", list[MatchMoment]()
    for number, ruled in enumerate(match.rulings, start=1):
        was_ahead, ahead = ahead, _ahead(ruled.position, teams) or ahead
        kinds = tuple(_kinds(ruled, is_gone=number in gone, is_turned=was_ahead not in ("", ahead)))
        if kinds:
            moments.append(MatchMoment(number, kinds))
    return tuple(moments)


def _kinds(ruled: Ruled, *, is_gone: bool, is_turned: bool) -> Iterator[MomentKind]:
    if ruled.ruling in DISPUTED:
        yield MomentKind.ACCUSATION
    if is_gone:
        return
    if ruled.captured:
        yield MomentKind.UCKING
    if ruled.ruling in CHALLENGES:
        yield MomentKind.CHALLENGE
    if ruled.captured and is_turned:
        yield MomentKind.TURNING_POINT


def _teams(terms: Terms) -> tuple[tuple[str, ...], ...]:
    """The colours that play together; each alone where the rules are not known here."""
    try:
        setting = load_setting(terms.rules, terms.options, seats=terms.seats, players=terms.players)
    except InputError:
        return tuple((colour,) for colour in terms.seats)
    return tuple(dict.fromkeys(tuple(terms.seats[seat] for seat in sorted(team)) for team in setting.teams))


def _ahead(position: Standing, teams: tuple[tuple[str, ...], ...]) -> str:
    """The first colour of the side whose pieces have come furthest in all; empty if two have."""
    come = sorted(
        (sum(max(0, steps) for colour in team for steps in position.get(colour, ())), team[0])
        for team in teams
    )
    is_alone = len(come) > 1 and come[-1][0] > come[-2][0]
    return come[-1][1] if is_alone else ""

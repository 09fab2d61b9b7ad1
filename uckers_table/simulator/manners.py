"""How the people at a simulated table behave, beyond the rules: their pace, slips and cheats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from uckers_table.errors import InputError

HABITS: Mapping[str, str] = {
    "hurry": "of plays: the next dice are thrown while the hand that played is hardly gone",
    "slips": "of plays: a piece is first set down on a wrong square, and put right within a second",
    "changes_mind": "of plays: another legal play is made first, stands for seconds, and is changed for it",
    "across": "of pieces put on a square: it is put down across a line",
    "across_twice": "of pieces put on a square: it is put across a line, and so are those that move next",
    "eager": "of plays: the dice are thrown again before anything was played; that throw is void",
    "throws_again": "of plays that end a turn: the same player throws once more, and then the next one does",
    "rigs": "of plays with dice on the board: a die is turned by hand, and turned back",
    "says_done": "of plays: the player presses done though nobody asked",
    "says_undo": "of plays: the player presses undo though all is right",
    "kicks": "of turns: somebody kicks the board; a few pieces slide by a square or two, and are put back",
    "leaves_it": "of cheats that are asked about: the players say that the board is right as it stands",
    "plays_on": "of cheats that are called or asked about: they play on, and leave it",
    "puts_back_wrong": "of cheats put right: a piece is put back one square off at first, for seconds",
    "swaps_late": "of throws: the side that played last swaps its play for another one of its own dice",
    "throws_on": "of questions and accusations: nobody answers",
    "calls_over": "of questions and called cheats: before anybody answers, a call is made if one is open",
    "leans_over": "of plays: an arm lies over the board for seconds, and play goes on under it",
    "dark": "of plays: the light goes out for seconds, and play goes on",
    "leaves_knocked": "of pieces sent to base: it is left on the floor for some plays",
    "wrong_base": "of pieces sent to base: it is put into another base for some plays",
    "deaf": "of matches: nobody ever presses undo or done",
}
"""What people do that the referee has to live with: names of `Manners`, and of what each is a share."""

PLAINLY = ("padded", "trimmed", "wrong_side")
"""Crooked plays that one sees at a glance: a count too long or too short, or somebody else's piece."""


@dataclass(frozen=True)
class Manners:
    """What people do, and how often. A number is the chance of it at each play, unless its note says
    otherwise.

    `HABITS` says what most are. `pace` is how long people take: each seat has a factor between the two. 1 is
    an ordinary evening.
    """

    pace: tuple[float, float] = (1.0, 1.0)
    hurry: float = 0.0
    hurry_goes_on: float = 0.5
    """The same, if the play before was hurried too."""
    slips: float = 0.0
    changes_mind: float = 0.0
    across: float = 0.0
    across_twice: float = 0.0
    eager: float = 0.0
    throws_again: float = 0.0
    rigs: float = 0.0
    says_done: float = 0.0
    says_undo: float = 0.0
    kicks: float = 0.0
    leaves_it: float = 0.0
    plays_on: float = 0.0
    puts_back_wrong: float = 0.0
    swaps_late: float = 0.0
    throws_on: float = 0.0
    calls_over: float = 0.0
    leans_over: float = 0.0
    dark: float = 0.0
    leaves_knocked: float = 0.0
    wrong_base: float = 0.0
    deaf: float = 0.0
    crooked: tuple[str, ...] = PLAINLY
    """The kinds of crooked play that are tried: keys of `cheats.CROOKED`."""
    shifts: tuple[str, ...] = ("timber_shift",)
    """The kinds of timber shift that are tried: keys of `cheats.SHIFTS`."""


ORDINARY = Manners()
"""People who play an evening without haste."""


def habits(text: str) -> dict[str, float]:
    """Shares by habit, as "says_undo=0.2,kicks=0.01" has them. Habits are those of `HABITS`; `all` stands for
    each of them, before those that follow. InputError for anything else.
    """
    told: dict[str, float] = {}
    for each in text.split(","):
        name, _, share = each.partition("=")
        try:
            number = float(share)
        except ValueError:
            number = -1.0
        if (name != "all" and name not in HABITS) or not 0 <= number <= 1:
            raise InputError(
                f"--people {each}: name a habit and a share from 0 to 1, such as says_undo=0.2; "
                "--people list prints the habits"
            )
        told |= dict.fromkeys(HABITS, number) if name == "all" else {name: number}
    return told


def with_habits(manners: Manners, shares: Mapping[str, float]) -> Manners:
    """The same people, with some habits changed."""
    return replace(manners, **shares)  # type: ignore[arg-type]

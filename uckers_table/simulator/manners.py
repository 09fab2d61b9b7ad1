"""How the people at a simulated table behave, beyond the rules: their pace, slips and cheats."""

from __future__ import annotations

from dataclasses import dataclass

PLAINLY = ("padded", "trimmed", "wrong_side")
"""Crooked plays that one sees at a glance: a count too long or too short, or somebody else's piece."""


@dataclass(frozen=True)
class Manners:
    """What people do, and how often. A number is the chance of it at each play, unless its note says
    otherwise.

    `pace` is how long people take: each seat has a factor between the two. 1 is an ordinary evening.
    """

    pace: tuple[float, float] = (1.0, 1.0)
    hurry: float = 0.0
    """The next dice are thrown while the hand that played is hardly gone."""
    hurry_goes_on: float = 0.5
    """The same, if the play before was hurried too."""
    slips: float = 0.0
    """A piece is first set down on a wrong square. It is put right before anybody should have spoken."""
    across: float = 0.0
    """A piece is put down across a line. The chance is for each piece that is put on a square."""
    eager: float = 0.0
    """The dice are thrown again before anything was played. That throw is void."""
    rigs: float = 0.0
    """A die on the board is turned by hand before the play. It is turned back, at once if
    somebody says so.
    """
    says_done: float = 0.0
    """The player presses `done` after the play."""
    leaves_it: float = 0.0
    """When asked about a cheat, the players say that the board is right as it stands."""
    crooked: tuple[str, ...] = PLAINLY
    """The kinds of crooked play that are tried: keys of `cheats.CROOKED`."""
    shifts: tuple[str, ...] = ("timber_shift",)
    """The kinds of timber shift that are tried: keys of `cheats.SHIFTS`."""


ORDINARY = Manners()
"""People who play an evening without haste."""

"""How the people at a simulated table behave, beyond playing by the rules: their pace, slips and cheats."""

from __future__ import annotations

from dataclasses import dataclass

PLAINLY = ("padded", "trimmed", "wrong_side")
"""Crooked plays that one sees at a glance: a count too long or too short, somebody else's piece."""


@dataclass(frozen=True)
class Manners:
    """What people do, and how often: chances are of each play, unless said otherwise.

    `pace` is how long people take, each seat something between the two, 1 being an ordinary evening.
    """

    pace: tuple[float, float] = (1.0, 1.0)
    hurry: float = 0.0
    """The player throws, or the next one does, while the hand that played is hardly gone."""
    hurry_goes_on: float = 0.5
    """… and having hurried once, again with the next."""
    slips: float = 0.0
    """A piece is first set down on a wrong square, and put right before anybody should have spoken."""
    across: float = 0.0
    """A piece is put down across a line, of all that are put on a square."""
    eager: float = 0.0
    """The dice are thrown again before anything was played: such a throw is void."""
    rigs: float = 0.0
    """A die that lies on the board is turned by hand before a play, until somebody says so."""
    says_done: float = 0.0
    """The player presses `done` after the play."""
    leaves_it: float = 0.0
    """Asked about a cheat, the players say that the board is right as it stands."""
    crooked: tuple[str, ...] = PLAINLY
    """The kinds of crooked play that are tried (`cheats.CROOKED`)."""
    shifts: tuple[str, ...] = ("timber_shift",)
    """The kinds of timber shift that are tried (`cheats.SHIFTS`)."""


ORDINARY = Manners()
"""People who play an evening without haste."""

"""What the record holds of a match, as plain values: the same in the database, a file and on the page.

A match is its entries in order: what was thrown and called, and what was ruled on it. Each is kept as it was
told at the time and never judged again, so that a record outlives the program that made it. What follows from
the entries (who started, what was sent back, what was taken back) is worked out here and stored nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting
from uckers_table.game.ruling import Kind
from uckers_table.referee.rulings import NoticeKind

GOOD, VOID = "good", "void"
"""A throw that counts, and one that came when none was awaited; a fault is "cocked" or "dropped"."""

SYNCHRONISED, TOLD = "synchronised", "told"
"""How the date of a match is known: the network keeps the clock right, or somebody's phone told the time."""

DISPUTED = frozenset({Kind.ILLEGAL, Kind.TIMBER_SHIFT})
"""Rulings that need evidence: the board before and after, and the difference marked."""

EVIDENCE = ("before", "after", "marked")
"""The pictures of it."""
FRAME = "frame"
"""One of those around it."""

SENDS_BACK = frozenset(
    {Kind.LEGAL, Kind.STOOD, Kind.WON, Kind.CHALLENGE_WON, Kind.SUCKBACK_WON, Kind.BLOWBACK_WON}
)
"""Rulings by which one side sends another's pieces to base."""

IDENTITY = re.compile(r"[0-9a-f]{32}")
"""The form of a match's identity."""
_RULINGS = frozenset(Kind)
"""What is ruled, and no notice."""

Standing = Mapping[str, tuple[int, ...]]
"""Where the pieces stand: the steps of each colour's, in FORMATS' way of writing them."""


@dataclass(frozen=True)
class Thrown:
    """A throw or a fault of dice by a side; `t` is in seconds of the match.

    `dice` are in the order in which they were read, none for a fault. `state` is GOOD, VOID, "cocked" or
    "dropped"; `source` who read them; `purpose` what they were for (`game.throws.Purpose`), empty where that
    was not kept.
    """

    t: float
    side: str
    dice: tuple[int, ...]
    state: str = GOOD
    source: str = "tower"
    purpose: str = ""


@dataclass(frozen=True)
class Called:
    """A call by a side, with the piece that makes it and the number that is called, where those were said."""

    t: float
    side: str
    call: str
    colour: str | None = None
    steps: int | None = None
    target: int | None = None
    double: bool = False


@dataclass(frozen=True)
class Moved:
    """One piece's part of a play, or of what a ruling did: its steps before and after."""

    colour: str
    start: int
    end: int


@dataclass(frozen=True)
class Ruled:
    """A ruling, with the keys of `replay`'s lines and the facts behind it.

    `position` is where the pieces stand on record. `moves` are what was moved, as far as it can be told: in
    an accusation, what should not have been. `throw` are the dice concerned. `alike` are other boards that
    look just the same. `facts` are whatever else the referee gave as its grounds, by the names of
    `game.ruling.Ruling` and, for notices, `referee.rulings.Notice`; `stories` as in `replay`'s lines.
    `legal`, of an illegal play: where the dice took its pieces by the rules, each a `colour` and its
    `steps`; empty where they took them nowhere. `hold` and `slip`, of an accusation, as in its cause.
    """

    t: float
    ruling: str
    reason: str | None
    side: str | None
    say: str
    position: Standing
    to_play: str
    awaiting: str
    throw: tuple[int, ...] = ()
    moves: tuple[Moved, ...] = ()
    alike: tuple[Standing, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def full(self) -> str:
        """What is read of it, with squares and reasons that people do not hear. Older records lack these."""
        full = self.facts.get("full")
        return full if isinstance(full, str) else self.say

    def line(self) -> dict[str, Any]:
        """The ruling as `replay` prints it."""
        line: dict[str, Any] = {
            "t": self.t,
            "ruling": self.ruling,
            "reason": self.reason,
            "side": self.side,
            "say": self.say,
            "full": self.full,
            "position": as_lists(self.position),
            "to_play": self.to_play,
            "awaiting": self.awaiting,
        }
        if self.alike:
            line["alike"] = [as_lists(each) for each in self.alike]
        return line | ({"stories": self.facts["stories"]} if "stories" in self.facts else {})

    @property
    def captured(self) -> tuple[Moved, ...]:
        """The pieces of others that this sent back to base, each from where it stood."""
        if self.ruling not in SENDS_BACK:
            return ()
        return tuple(move for move in self.moves if move.end == BASE and move.colour != self.side)


Entry = Thrown | Called | Ruled


def as_lists(position: Standing) -> dict[str, list[int]]:
    """A position as files write it."""
    return {colour: list(steps) for colour, steps in position.items()}


@dataclass(frozen=True)
class NewPicture:
    """A picture to be named in the record: the ruling that it is behind, what it shows, its file relative to
    the record, its bytes, and when it was taken, in seconds of the match."""

    ruling: int
    what: str
    file: str
    size: int
    t: float | None = None


@dataclass(frozen=True)
class Picture:
    """A picture behind a ruling: `what` is "before", "after", "marked", or "frame" for one of those around
    it.

    `t` is when it was taken, in seconds of the match, where that is known. `removed` says why it is gone, if
    it is: "for space" or "for age".
    """

    what: str
    t: float | None = None
    removed: str = ""


@dataclass(frozen=True)
class Terms:
    """What a match is played under.

    `rules` is a rule set that comes with the program, `options` what differs from it, and `values` the value
    of every option, which is what counts when sets change. `title` is the name of a mess's own set, if it is
    one. `dice` says who reads them, `to_play` who throws first where nobody throws for start.
    """

    rules: str
    options: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    players: int = 4
    seats: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    dice: str = "tower"
    to_play: str | None = None


@dataclass(frozen=True)
class MatchSummary:
    """A match in a list. `number` puts matches in order; dates do not, and may be unknown.

    `begun` and `ended` are ISO dates with a time zone, None where the clock could not be trusted and nobody
    has told the time since; `clock` says how they are known. `winner` is None while the match is unfinished,
    and empty for one that was left. `lasted_s` is how long it has gone on. `identity` tells this match from
    all others wherever it is copied to: 32 hexadecimal digits, none in what older programs kept.
    """

    number: int
    terms: Terms
    begun: str | None = None
    ended: str | None = None
    clock: str = ""
    winner: tuple[str, ...] | None = None
    honours: tuple[str, ...] = ()
    lasted_s: float = 0.0
    throws: int = 0
    rulings: int = 0
    identity: str = ""


@dataclass(frozen=True)
class MatchRecord:
    """All that is known of a match. `pictures` are by the number of their ruling: the first of `rulings` is
    1.
    """

    summary: MatchSummary
    entries: tuple[Entry, ...] = ()
    pictures: Mapping[int, tuple[Picture, ...]] = field(default_factory=dict)
    recording: str = ""
    """The folder of its recording, relative to the record; empty where there is none."""

    @cached_property
    def rulings(self) -> tuple[Ruled, ...]:
        """The rulings in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, Ruled))

    def evidence(self, ruling: int) -> tuple[str, ...]:
        """Which of EVIDENCE behind a ruling is still there."""
        kept = {picture.what for picture in self.pictures.get(ruling, ()) if not picture.removed}
        return tuple(what for what in EVIDENCE if what in kept)

    @cached_property
    def throws(self) -> tuple[Thrown, ...]:
        """The throws and faults in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, Thrown))

    @cached_property
    def calls(self) -> tuple[Called, ...]:
        """The calls in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, Called))

    @cached_property
    def started(self) -> str | None:
        """Whose throw the first was; None while that is not settled."""
        for ruled in self.rulings:
            if ruled.ruling == Kind.THROW_OFF and ruled.facts.get("why") == "starts":
                return ruled.side
        return self.summary.terms.to_play

    @cached_property
    def stood(self) -> tuple[Ruled, ...]:
        """What did not follow and was left to stand, called aloud or not."""
        return tuple(ruled for ruled in self.rulings if ruled.ruling == Kind.STOOD)

    @cached_property
    def _taken_back(self) -> tuple[tuple[int, bool], ...]:
        """The numbers of the rulings that do not hold any more, each with whether it was a mistake."""
        standing: list[int] = []
        gone: list[list[tuple[int, bool]]] = []
        for number, ruled in enumerate(self.rulings, start=1):
            if ruled.ruling == NoticeKind.TAKEN_BACK:
                taken = self._taken_back_by(ruled, standing)
                standing = [each for each in standing if each not in taken]
                gone.append([(each, self._is_mistake(ruled, each)) for each in taken])
            elif ruled.ruling == NoticeKind.PUT_BACK and gone:
                standing = sorted([*standing, *(each for each, _ in gone.pop())])
            elif ruled.ruling in _RULINGS and ruled.ruling != Kind.CALL_REFUSED:
                standing.append(number)
        return tuple(each for taken in gone for each in taken)

    def _taken_back_by(self, notice: Ruled, standing: Sequence[int]) -> list[int]:
        """Which of the rulings that still hold a notice takes back."""
        if "matter" not in notice.facts:
            # Older records tell only that it was the last.
            return [*standing[-1:]]
        if notice.facts.get("is_mistake"):
            return [each for each in standing if self.rulings[each - 1].ruling in DISPUTED][-1:]
        since = notice.facts.get("since", notice.t)
        ruled = ((each, self.rulings[each - 1]) for each in standing)
        return [each for each, one in ruled if one.t >= since and one.ruling not in DISPUTED]

    def _is_mistake(self, notice: Ruled, number: int) -> bool:
        return self.rulings[number - 1].ruling in DISPUTED and bool(notice.facts.get("is_mistake", True))

    @cached_property
    def taken_back(self) -> tuple[int, ...]:
        """The numbers of the rulings that players took back, and that were not put back since."""
        return tuple(number for number, _ in self._taken_back)

    @cached_property
    def overruled(self) -> tuple[int, ...]:
        """The numbers of the accusations among them: the referee's own mistakes."""
        return tuple(number for number, is_mistake in self._taken_back if is_mistake)

    @cached_property
    def upboard(self) -> str | None:
        """Who tipped up the board, if anybody did."""
        last = next((each for each in reversed(self.rulings) if each.ruling == Kind.UPBOARD), None)
        return last.side if last is not None and self.is_over else None

    @cached_property
    def on_reverse(self) -> tuple[str, ...]:
        """Whose names go on the back of the board."""
        if not (self.is_over and self.rulings):
            return ()
        # A notice tells nothing of the end.
        over = (each for each in reversed(self.rulings) if each.awaiting == Awaiting.OVER)
        last = next((each for each in over if each.ruling in _RULINGS), None)
        return tuple(last.facts.get("on_reverse", ())) if last is not None else ()

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return bool(self.summary.winner)

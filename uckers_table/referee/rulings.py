"""What goes out: rulings of the game and the referee's own notices, each with its time and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from uckers_table.game.events import Awaiting, Call
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee.putting_right import Misplaced

PLACES_ASKED = 2
"""No more places than this are named in a question: people who are asked of more look at the whole board."""
_BETWEEN = ", "
"""Between the places that a notice is about."""


class NoticeKind(StrEnum):
    """What the referee says of itself and of the table, rather than of the play."""

    CANNOT_SEE = "cannot_see"
    SEES_AGAIN = "sees_again"
    CHECK = "check"
    """It doubts what it sees, at places ("15, red 53"), of the dice ("dice") or of all of it (""), and asks;
    `accept` or `done` answers that the board is right as it stands."""
    MUST_CHALLENGE = "must_challenge"
    """The throw is good for nothing but the challenge that is forced on the seat that `about` names."""
    UPBOARD = "upboard_asked"
    """All pieces are gone at once, or the board is: `done` or `accept` answers that it was an upboard."""
    WHICH_CALL = "which_call"
    """Several `calls` are open: the number of the one that is meant answers (`Referee.choices`)."""
    OUT_OF_STEP = "out_of_step"
    """The board is not as it has it; `done` or `accept` takes the board as it stands, and `PUT_THIS_RIGHT`
    names the other way out. After a time in which nobody watched, `numbers` has how many pieces stand
    otherwise."""
    PUT_THIS_RIGHT = "put_this_right"
    """Out of step, the next `piece` to be moved for the board to be as on record; `numbers` has how many are
    left after it."""
    BACK_IN_STEP = "back_in_step"
    """The board was put right, piece by piece: it is as on record again."""
    TRUSTED = "trusted"
    """The board, or a person's correction, was taken as it stands."""
    TAKEN_BACK = "taken_back"
    """The last ruling was the referee's own mistake, and is undone: now it is for the seat that `about` names
    to play the dice in `numbers`, or, where there are none, to throw."""
    RESUMED = "resumed"
    """Nobody watched for a while: the seat that `about` names has the dice in `numbers` to play, or, where
    there are none, is to throw, and has so many throws `owed`."""
    DEVICE_LOST = "device_lost"
    DEVICE_BACK = "device_back"
    REVISED = "revised"
    """Of several things that may have happened, the board now shows another than was taken for it."""
    THROW_HELD = "throw_held"
    """A throw, or a call, that came before the last play was seen still: it counts if that proves legal."""
    DICE_TURNED = "dice_turned"
    """A die shows another face in its place: somebody turned it."""
    DICE_DIFFER = "dice_differ"
    """Tower and camera read different dice: neither counts."""
    DICE_UNREAD = "dice_unread"
    """A die lies flat, and its value cannot be told."""
    DICE_REREAD = "dice_reread"
    """The dice of the last throw were misread at first, and show the `numbers`; `unspoken` where nothing that
    was said of them is another now."""
    WRONG_DICE = "wrong_dice"
    """More or fewer dice than a throw takes: `numbers` of those there, and of those it takes."""


@dataclass(frozen=True)
class Notice:
    """A notice; `about` is what it concerns: a device, a trouble of the camera, places on the board.

    `numbers` are dice, or count what it concerns. `readings` are different ones of the same dice, each with
    whoever read it: values, or a fault. `piece` is one that does not stand where the record has it, `owed` is
    how many throws are still to come. `is_by_hand` says that only people can tell now what dice show. Between
    `calls` a player is to choose.
    """

    kind: NoticeKind
    about: str = ""
    numbers: tuple[int, ...] = ()
    readings: tuple[tuple[str, tuple[int, ...] | Kind], ...] = ()
    piece: Misplaced | None = None
    owed: int = 0
    is_by_hand: bool = False
    calls: tuple[Call, ...] = ()
    unspoken: bool = False

    @property
    def places(self) -> tuple[str, ...]:
        """The places that a question is `about`; none where it is about all of the board, or the dice."""
        is_named = self.kind is NoticeKind.CHECK and self.about and self != CHECK_DICE
        return tuple(self.about.split(_BETWEEN)) if is_named else ()

    @classmethod
    def check(cls, places: Sequence[str]) -> Notice:
        """The question about these places; about all of the board where there are none, or too many."""
        return cls(NoticeKind.CHECK, _BETWEEN.join(places) if len(places) <= PLACES_ASKED else "")


CHECK_DICE = Notice(NoticeKind.CHECK, "dice")
"""The question about the dice."""


@dataclass(frozen=True)
class TimedRuling:
    """A ruling or notice, when it fell, and the match after the event that caused it."""

    t: float
    ruling: Ruling | Notice
    position: Position
    to_play: int
    awaiting: Awaiting

    def unspoken(self) -> TimedRuling:
        """The same, and nobody is told of it."""
        return replace(self, ruling=replace(self.ruling, unspoken=True))

"""What goes out: rulings of the game and the referee's own notices, each with its time and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from uckers_table.game.events import Awaiting, Call
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.game.throws import Purpose
from uckers_table.referee.events import DiceOrCall
from uckers_table.referee.looks import Mismatch
from uckers_table.referee.taking_back import Matter

PLACES_ASKED = 2
"""How many places a question names at most. People who are asked about more look at the whole board."""
_BETWEEN = ", "
"""Stands between the places that a notice is about."""


class NoticeKind(StrEnum):
    """What the referee says of itself and of the table, rather than of the play."""

    CANNOT_SEE = "cannot_see"
    SEES_AGAIN = "sees_again"
    CHECK = "check"
    """The referee doubts what it sees and asks. `about` names places ("15, red 53"), the dice ("dice"), or
    all of the board (""). `accept` or `done` answers that the board is right as it stands."""
    MUST_CHALLENGE = "must_challenge"
    """A challenge is forced on the seat that `about` names: the throw is good for nothing else."""
    CHALLENGE_MEANT = "challenge_meant"
    """The seat that `about` names has thrown twice over a six with which it could challenge. It may have said
    so and not pressed. It is asked once for the dice in hand, and nobody need answer."""
    UPBOARD = "upboard_asked"
    """All pieces are gone at once, or the board is. `done` or `accept` answers that it was an upboard. Then
    `WHICH_CALL` asks whose."""
    WHICH_CALL = "which_call"
    """Several `calls` are open, or one of several tipped the board up. The number of the one that is meant
    answers (`Referee.choices`)."""
    OUT_OF_STEP = "out_of_step"
    """The board is not as on record. `done` or `accept` takes the board as it stands. `PUT_THIS_RIGHT` names
    the other way out.

    After a time in which nobody watched, `numbers` has how many pieces stand otherwise."""
    PUT_THIS_RIGHT = "put_this_right"
    """Out of step: the next `piece` to move so that the board comes to be as on record. `numbers` has how
    many are left after it."""
    BACK_IN_STEP = "back_in_step"
    """The board was put right, piece by piece. It is as on record again."""
    TRUSTED = "trusted"
    """The board, or a person's correction, was taken as it stands."""
    TAKEN_BACK = "taken_back"
    """The `matter` is taken back. If it was an accusation, that was the referee's own mistake. The seat that
    `about` names is to play the dice in `numbers`, or to throw if there are none."""
    PUT_BACK = "put_back"
    """The `matter` that was taken back last is on record again. `about` and `numbers` as in TAKEN_BACK, but
    `about` is empty if the match is over by it."""
    RESUMED = "resumed"
    """Nobody watched for a while. The seat that `about` names is to play the dice in `numbers`, or to throw
    if there are none. It has `owed` more throws to come."""
    DEVICE_LOST = "device_lost"
    DEVICE_BACK = "device_back"
    REVISED = "revised"
    """Of several things that may have happened, the board now shows another than was taken for it."""
    THROW_HELD = "throw_held"
    """A throw or call came before the last play was seen still. It counts if that play proves legal."""
    DICE_TURNED = "dice_turned"
    """A die shows another face in its place: somebody turned it."""
    DICE_DIFFER = "dice_differ"
    """Tower and camera read different dice. Neither reading counts."""
    DICE_UNREAD = "dice_unread"
    """A die lies flat, and its value cannot be told."""
    DICE_REREAD = "dice_reread"
    """The dice of the last throw were misread at first and show the `numbers`. `unspoken` if everything said
    of them still holds."""
    WRONG_DICE = "wrong_dice"
    """More or fewer dice than a throw takes. `numbers`: how many lie there, and how many a throw takes."""


@dataclass(frozen=True)
class Misplaced:
    """A piece that does not stand where the record has it.

    - `seat`: whose piece it is.
    - `stands`: the steps at which it stands; None if it is seen nowhere.
    - `belongs`: the steps at which the record has it.
    """

    seat: int
    stands: int | None
    belongs: int


@dataclass(frozen=True)
class Notice:
    """A notice. `about` is what it concerns: a device, a trouble of the camera, places on the board.

    `numbers`: dice, or counts of what it concerns. `readings`: different readings of the same dice, each with
    its source and values or a fault. `piece`: one that does not stand where the record has it. `owed`: how
    many throws are still to come. `is_by_hand`: only people can now tell what dice show. `calls`: the calls
    among which a player is to choose. `matter`: what was taken back. `unspoken`: on record, but said to
    nobody.
    """

    kind: NoticeKind
    about: str = ""
    numbers: tuple[int, ...] = ()
    readings: tuple[tuple[str, tuple[int, ...] | Kind], ...] = ()
    piece: Misplaced | None = None
    owed: int = 0
    is_by_hand: bool = False
    calls: tuple[Call, ...] = ()
    matter: Matter | None = None
    unspoken: bool = False

    @property
    def places(self) -> tuple[str, ...]:
        """The places that a question is `about`. Empty if it is about all of the board, or about the dice."""
        is_named = self.kind is NoticeKind.CHECK and self.about and self != CHECK_DICE
        return tuple(self.about.split(_BETWEEN)) if is_named else ()

    @classmethod
    def check(cls, places: Sequence[str]) -> Notice:
        """The question about these places.

        It is about all of the board if there are none, or more than PLACES_ASKED.
        """
        return cls(NoticeKind.CHECK, _BETWEEN.join(places) if len(places) <= PLACES_ASKED else "")


CHECK_DICE = Notice(NoticeKind.CHECK, "dice")
"""The question about the dice."""


class StoryPart(StrEnum):
    """A part of what may have happened."""

    PLAYED = "played"
    """These pieces were played by the rules."""
    DONE = "done"
    """Somebody moved these pieces against the rules."""
    HALF = "half"
    """Somebody left his play half done."""
    MISREAD = "misread"
    """The reader misreads these pieces."""
    KICKED = "kicked"
    """A kick moved these pieces."""
    ACROSS = "across"
    """A piece that lies near a line is counted on its other side."""
    LOST = "lost"
    """Nobody knows how it came to this."""
    DICE = "dice"
    """The last dice were misread."""
    FOR_START = "for_start"
    """The dice for start were misread."""
    UNNOTICED = "unnoticed"
    """Dice were thrown, and taken to be put back."""
    UNSEEN = "unseen"
    """A throw that moved nothing was not seen."""
    OUT_OF_TURN = "out_of_turn"
    """The dice before these were void."""


class Assumed(NamedTuple):
    """A part of what may have happened, at its price (nats). `pieces`: those that it is about, from where
    they stood.
    """

    what: StoryPart
    nats: float
    pieces: tuple[Mismatch, ...] = ()


class Account(NamedTuple):
    """What may have happened, where somebody is accused or people are asked.

    `position`: where the pieces stand by it. `is_guilty`: it blames somebody. `nats`: how much dearer it is
    than what is said. `assumed`: its parts that not all others have too.
    """

    position: Position
    is_guilty: bool
    nats: float
    assumed: tuple[Assumed, ...]


@dataclass(frozen=True)
class TimedRuling:
    """A ruling or notice, when it fell (seconds), and the match after the event that caused it.

    `accounts`: of an accusation or a question, what may have happened. The first is what is said.
    """

    t: float
    ruling: Ruling | Notice
    position: Position
    to_play: int
    awaiting: Awaiting
    accounts: tuple[Account, ...] = ()

    def unspoken(self) -> TimedRuling:
        """The same ruling, said to nobody."""
        return replace(self, ruling=replace(self.ruling, unspoken=True))


class Taken(NamedTuple):
    """A throw, fault or call that was taken.

    `seat`: whose it was. `told`: what was told. `place`: how many rulings of the same response came before
    it. `purpose`: what the dice were thrown for, None for a call.
    """

    seat: int
    told: DiceOrCall
    place: int
    purpose: Purpose | None = None

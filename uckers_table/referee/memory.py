"""What the referee remembers between two events."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match
from uckers_table.game.position import Position, in_play
from uckers_table.game.ruling import Ruling
from uckers_table.referee import prices
from uckers_table.referee.camera_watch import CameraWatch
from uckers_table.referee.crosscheck import CrossCheck
from uckers_table.referee.dice import DiceWatch, Wanted
from uckers_table.referee.events import DiceOrCall
from uckers_table.referee.histories import History, HistoryAct
from uckers_table.referee.rest import NO_REST, Rest
from uckers_table.referee.rulings import Misplaced, Notice, NoticeKind, TimedRuling
from uckers_table.referee.taking_back import UNDO_DEPTH, ActKind, Matter

AWAY_AFTER_S = 6.0
"""A board that cannot be found for this long has not only been pushed (seconds)."""
TIPPED = 2
"""Pieces. If this many or more were in play and all are gone at once, the board was probably tipped up."""


@dataclass(frozen=True)
class Devices:
    """`lost`: those that do not answer. `without`: those that this table never had."""

    lost: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()

    def loss_of(self, device: str) -> Notice:
        """What there is to say of a lost device."""
        has_camera = "camera" not in self.lost | self.without
        return Notice(NoticeKind.DEVICE_LOST, device, is_by_hand=device == "tower" and not has_camera)


@dataclass(frozen=True)
class Revoked:
    """A matter that was taken back, and what was remembered before that."""

    matter: Matter
    was: Memory = field(repr=False)


@dataclass(frozen=True)
class OnRecord:
    """What people can take back: the last `deeds`, oldest first, and what has been `undone`, the last one
    last. `number`: so many deeds have been numbered. `thrown_over`: so many void throws have come since the
    last deed.
    """

    deeds: tuple[HistoryAct, ...] = ()
    number: int = 0
    undone: tuple[Revoked, ...] = ()
    thrown_over: int = 0

    def with_deed(self, deed: HistoryAct, t: float) -> OnRecord:
        """The same with a deed more, taken at a time. What was undone before it cannot be put back any more,
        unless nobody watched.
        """
        deeds, last = self.deeds, self.deeds[-1] if self.deeds else None
        if last is not None and last.kind is deed.kind is ActKind.PLAY and last.before == deed.before:
            # A play that was changed for another one.
            deeds = deeds[:-1]
        number = self.number + 1
        kept = (*deeds, replace(deed, number=number, t=t))[-UNDO_DEPTH:]
        return OnRecord(kept, number, self.undone if deed.kind is ActKind.RESUMED else ())


@dataclass(frozen=True)
class Memory:
    """What the referee remembers between two events.

    `match` is the record: the history that was last spoken of. `dice_from` says who reads the dice: "tower",
    "buttons", "camera", or "both" (tower and camera). `check`: what those two have told of the same dice.
    `told`: the last throw of a source that names them. `roots`: what may have happened up to the last throw
    or ruling, likeliest first. `held`: dice and calls that wait for the board to be seen. `open_point`: the
    accusation or question that waits for people. `noted`: a shift that waits for a player to call it.
    `asked`: the boards that the question is about, the honest one first. `astray`: out of step, the pieces
    that do not stand as on record; None while in step. `choices`: the calls among which a player must still
    choose. `rest`: how long the same sighting has changed nothing.
    """

    match: Match
    dice_from: str = "tower"
    roots: tuple[History, ...] = ()
    watch: CameraWatch = field(default_factory=CameraWatch)
    dice: DiceWatch = field(default_factory=DiceWatch)
    check: CrossCheck = field(default_factory=CrossCheck)
    told: str = ""
    held: tuple[DiceOrCall, ...] = ()
    open_point: Ruling | Notice | None = None
    noted: TimedRuling | None = None
    asked: tuple[Position, ...] = ()
    astray: tuple[Misplaced, ...] | None = None
    choices: tuple[Call, ...] = ()
    devices: Devices = field(default_factory=Devices)
    on_record: OnRecord = field(default_factory=OnRecord)
    rest: Rest = field(default=NO_REST, compare=False)

    def waited(self, was: float, t: float, times: int) -> Self:
        """What is remembered after a sighting at `was`, once so many more of the same have changed nothing
        until `t` (seconds).
        """
        watch, dice = self.watch.waited(was, t, times), self.dice.waited(was, t, times)
        return replace(self, watch=watch, dice=dice)

    @property
    def histories(self) -> tuple[History, ...]:
        """What may have happened, likeliest first: at least what is on record."""
        return self.roots or (History(self.match, self.match.wrong_board or self.match.position),)

    @property
    def reads_dice(self) -> bool:
        """Whether the camera is to read the dice. It also does so in place of a lost tower."""
        return self.dice_from in ("camera", "both") or (self.dice_from == "tower" and "tower" in self.lost)

    @property
    def lost(self) -> frozenset[str]:
        """The devices that do not answer."""
        return self.devices.lost

    @property
    def without(self) -> frozenset[str]:
        """The devices that this table never had."""
        return self.devices.without

    def loss_of(self, device: str) -> Notice:
        """What there is to say of a lost device."""
        return self.devices.loss_of(device)

    @property
    def history(self) -> tuple[HistoryAct, ...]:
        """What went on record, oldest first. `taking_back` reads it."""
        return self.on_record.deeds

    @property
    def undone(self) -> tuple[Revoked, ...]:
        """What was taken back and can be put back, the last one last."""
        return self.on_record.undone

    @property
    def is_blind(self) -> bool:
        """Whether the referee has said that it cannot see."""
        return self.watch.is_blind

    @property
    def trouble(self) -> str:
        """Why the camera shows nothing that counts; empty while it does."""
        return self.watch.trouble

    @property
    def is_asking(self) -> bool:
        """Whether a question is open. `done` or `accept` answers that the board is right."""
        return isinstance(self.open_point, Notice)

    @property
    def is_out_of_step(self) -> bool:
        """Whether it was said that the board is not as on record. `done` takes it as it stands."""
        return self.astray is not None

    @property
    def waits_for_done(self) -> bool:
        """Whether `done` answers something: a question, or that the board is out of step."""
        return self.is_asking or self.is_out_of_step

    @property
    def to_put_right(self) -> Notice | None:
        """Out of step: the next piece to move so that the board comes to be as on record."""
        if not self.astray:
            return None
        return Notice(NoticeKind.PUT_THIS_RIGHT, numbers=(len(self.astray) - 1,), piece=self.astray[0])

    @property
    def agrees(self) -> bool:
        """Whether the board was last seen still and just as on record."""
        look, match = self.watch.look, self.match
        is_settled = look is not None and self.watch.is_dealt_with and match.wrong_board is None
        return look is not None and is_settled and not look.last.reading.mismatches(match.position)

    @property
    def deadline(self) -> float | None:
        """When the referee wants to be asked again if nothing happens before (seconds). None for never."""
        if self.match.awaiting is Awaiting.OVER:
            return None
        dice = self.dice.due(self.wanted) if self.reads_dice else None
        all_due = (self.watch.due, dice, self.check.due, self.away_at)
        return min((due for due in all_due if due is not None), default=None)

    @property
    def wanted(self) -> Wanted:
        """What is made of dice on the board, as well as they have been read so far."""
        look, reader = self.watch.look, self.histories[0].reader
        is_counted = look is not None and look.last.reading.number > 0
        is_well_read = not is_counted or prices.is_turned(reader.die)
        return Wanted.by(self.match, is_well_read=is_well_read)

    @property
    def away_at(self) -> float | None:
        """When a board that is not found may have been tipped up (seconds). None for never."""
        since, is_away = self.watch.blind_since, self.watch.trouble == "board_not_found"
        if since is None or not is_away or self.is_asking or not self.may_be_tipped:
            return None
        return since + AWAY_AFTER_S

    @property
    def may_be_tipped(self) -> bool:
        """Whether enough is in play for an upboard."""
        stood = self.histories[0].board
        is_played_on = sum(map(len, in_play(self.match.board, stood))) >= TIPPED
        return is_played_on and self.match.awaiting is not Awaiting.OVER

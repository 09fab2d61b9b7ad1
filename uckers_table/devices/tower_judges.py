"""What the tower's events mean to the table, for each kind of reader.

With an array the tower has judged already. With a tray camera the same watch runs here, over the tower's
beams and the camera's looks. Pure: times are arguments, in seconds of a clock that never goes back.
"""

from __future__ import annotations

from typing import Protocol

from uckers_table.devices.base import Cocked, DeviceEvent, Dropped, NoThrow, ThrowRead, TrayLook
from uckers_table.devices.pico.watch import LYING, ROLLING, TRAY_STILL_MS, Watch
from uckers_table.devices.tower_link import Told
from uckers_table.devices.tower_memory import Open


class Judge(Protocol):
    """Turns what the tower tells into news for the table."""

    @property
    def text(self) -> str:
        """What the readout has to say before anything else; "" when the table may have it."""

    @property
    def open(self) -> Open:
        """What was told of a throw that is not decided yet."""

    def hear(self, told: Told) -> list[DeviceEvent]:
        """An event of the tower."""

    @property
    def misses_dice(self) -> bool:
        """Whether dice have come that the in-beam did not see."""

    @property
    def forgets(self) -> bool:
        """Whether the tower said that its flash does not take what it learns of its lamp."""

    def see(self, look: TrayLook | None, now: float) -> list[DeviceEvent]:
        """A look at the tray; None when there is none to be had."""

    def without(self, beam: str) -> None:
        """A beam, "in" or "out", stays dark, and is no jam; "" when none does."""

    def abandon(self, now: float) -> bool:
        """The line is lost. Whether that was in the middle of a throw, which is none then."""


class ArrayJudge:
    """The tower reads its dice itself. Since the start that `boot` names it counts its events."""

    text = ""
    open = ()
    misses_dice = False
    forgets = False

    def __init__(self, boot: str) -> None:
        self._boot = boot
        self._is_throwing = False

    def hear(self, told: Told) -> list[DeviceEvent]:
        """An event of the tower."""
        if told.kind == "begun":
            self._is_throwing = True
        elif told.kind in ("throw", "cocked", "dropped", "jam", "spoilt"):
            self._is_throwing = False
        return _news(told.kind, told.fields, f"{self._boot}/{told.number}")

    def see(self, look: TrayLook | None, now: float) -> list[DeviceEvent]:
        """There is no tray camera."""
        return []

    def without(self, beam: str) -> None:
        """The tower judges by itself."""

    def abandon(self, now: float) -> bool:
        """Whether that was in the middle of a throw."""
        was, self._is_throwing = self._is_throwing, False
        return was


class TrayJudge:
    """The dice are read by a camera over the tray. `boot` as in `ArrayJudge`.

    `resumed` is what a program before this one was told of a throw that it had not decided.
    """

    def __init__(self, boot: str, now: float, resumed: Open = ()) -> None:
        self._boot = boot
        self._watch = Watch(TRAY_STILL_MS, False)
        self._begun = self._told = 0
        self.open: Open = ()
        self.forgets = False
        for number, kind, *fields in resumed:
            self.hear(Told(kind, tuple(fields), now, int(number)))

    @property
    def text(self) -> str:
        """What the readout has to say before anything else."""
        return "" if self._watch.state == LYING else self._watch.text

    @property
    def misses_dice(self) -> bool:
        """Whether dice have come that the in-beam did not see."""
        return self._watch.misses_dice

    def without(self, beam: str) -> None:
        """A beam, "in" or "out", stays dark, and is no jam; "" when none does."""
        self._watch.without(beam)

    def expect(self, dice: int) -> None:
        """How many dice make a throw."""
        self._watch.dice_due = dice

    def hear(self, told: Told) -> list[DeviceEvent]:
        """An event of the tower: its beams' for the watch, its lamp's for the table."""
        if told.kind == "ended" and self._watch.state == "EMPTY" and int(told.fields[0]):
            # The program that heard it begin is gone.
            self._watch.hear(_ms(told.happened), ("begun",))
        was_rolling, self._told = self._watch.state == ROLLING, told.number
        self._watch.hear(_ms(told.happened), (told.kind, *told.fields))
        news = self._taken()
        if self._watch.state == ROLLING:
            self._begun = self._begun if was_rolling else told.number
            self.open += ((str(told.number), told.kind, *told.fields),)
        # A camera reads the dice: of itself such a tower says it of what it learns alone.
        self.forgets = self.forgets or told.kind == "blind"
        return news + (_news(told.kind, told.fields, "") if told.kind in ("dark", "lit") else [])

    def see(self, look: TrayLook | None, now: float) -> list[DeviceEvent]:
        """A look at the tray; None when there is none to be had."""
        if look is None or look.blind:
            self._watch.blind(_ms(now))
        else:
            was_rolling = self._watch.state == ROLLING
            self._watch.see(_ms(now), look.dice, look.doubt, look.hand)
            if self._watch.state == ROLLING and not was_rolling:
                # Of a throw that the in-beam missed the out-beam's news is the first.
                self._begun = self._told
        return self._taken()

    def abandon(self, now: float) -> bool:
        """The beams are lost: whether that was in the middle of a throw, which is none then."""
        was = self._watch.state == ROLLING
        self._watch.abandon(_ms(now))
        self._taken()
        return was

    def _taken(self) -> list[DeviceEvent]:
        news: list[DeviceEvent] = []
        for _, (kind, *fields) in self._watch.take():
            news += _news(str(kind), tuple(str(field) for field in fields), f"{self._boot}/{self._begun}")
        if self._watch.state != ROLLING:
            self.open = ()
        return news


def _news(kind: str, fields: tuple[str, ...], told: str) -> list[DeviceEvent]:
    match kind:
        case "throw":
            return [ThrowRead(tuple(int(die) for die in fields[0].split(" ")), told)]
        case "cocked":
            return [Cocked(told)]
        case "dropped":
            return [Dropped(told)]
        case "spoilt":
            return [NoThrow(fields[0])]
        case "jam" | "lift" | "handled" | "dark" | "lit" | "blind" | "sees":
            return [NoThrow(kind)]
        case _:
            return []


def _ms(t: float) -> int:
    return round(t * 1000)

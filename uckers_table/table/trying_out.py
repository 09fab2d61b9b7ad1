"""What people try out from the page while no match is on: buttons, lamps, the tower, its tray, the display.

A test press is no press and a test throw no throw: while something is tried out here, the table's loop
hands what the devices say to this first. Everything ends by itself some seconds after the page that asked
for it has gone away.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from threading import Event

from uckers_table.announce.oled import Headline, draw
from uckers_table.announce.tower_sentences import TOWER_SENTENCES
from uckers_table.announce.words import capital, throw_in_words
from uckers_table.devices.base import (
    Cocked,
    DeviceEvent,
    Dropped,
    HeldDown,
    NoThrow,
    Pressed,
    TellingTower,
    ThrowRead,
)
from uckers_table.devices.pins import BUTTONS
from uckers_table.errors import CalibrationError, DeviceError, InputError
from uckers_table.machine.threads import Worker
from uckers_table.table.news import Ticked, TrayLocked, TrayMeasured
from uckers_table.table.parts import Parts
from uckers_table.table.showing import CameraShot
from uckers_table.vision.dice.tray import tray_scale
from uckers_table.web.commands import Answer, TryOut
from uckers_table.web.feed import TryingOut

LEASE_S = 10.0
"""A trial lasts for so long after the page last asked for it, which it does every three seconds."""
TICK_S = 0.5
"""How often the tower is asked what it reads, and how long each lamp is lit, one after the other."""
TEST_PAGE = Headline("TEST", "Uckers table", "every dot is lit")
TEST_READOUT = "tESt"
DROPPED_OUT = "A die went in and did not come to rest in the tray."
NO_THROW = ("jam", "lift", "crowd", "hand")
"""Why dice that were dropped in are no throw; what else a tower tells is no answer to them."""


class Trials:
    """What is being tried out. For the table's loop, but for the pictures.

    `parts` gives the devices as they are now, `tell` brings news back into the loop. `ended` is called when
    nothing is tried out any more, and the devices are to show what is theirs again.
    """

    def __init__(
        self,
        parts: Parts,
        tell: Callable[[Ticked | TrayLocked | TrayMeasured], None],
        ended: Callable[[], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._parts, self._tell, self._ended, self._clock = parts, tell, ended, clock
        self._until = 0.0
        self._worker: Worker | None = None
        self._left: Worker | None = None
        self._working: Worker | None = None
        self._shown = TryingOut()
        self._learning: tuple[str, int] | None = None
        """The card that the tower had learnt last, while it learns another."""
        self._newest: CameraShot | None = None
        self._read: CameraShot | None = None
        """Pictures of the tray: the newest, and the one in which a test throw was read."""
        self.is_heard: bool | None = None
        """What people said of the last test of the voice; None while nobody has said anything."""
        self.are_pressed = False
        """Whether each button has come in a test."""

    @property
    def is_on(self) -> bool:
        """Whether anything is being tried out."""
        return self._worker is not None

    def begin(self, asked: TryOut, *, mains_hz: int = 50) -> Answer:
        """Try something out. InputError where there is no such device, or it does not answer."""
        if asked == TryOut("all", "end"):
            self.end()
            return Answer(True)
        if asked == TryOut("all", "stay"):
            if not self.is_on:
                raise InputError("the test has ended; begin it again")
        else:
            self._begin(asked, mains_hz)
        self._until = self._clock() + LEASE_S
        if self._worker is None:
            self._worker = Worker("trying out", self._go_on)
        self.tick()
        return Answer(True)

    def _begin(self, asked: TryOut, mains_hz: int) -> None:
        self._shown = replace(self._shown, line="")
        match asked.device, asked.deed:
            case "buttons", "press":
                self._shown = replace(self._shown, presses=True, pressed=(), missing=tuple(BUTTONS))
            case "buttons", lamps:
                self._shown = replace(self._shown, lamps="all" if lamps == "lamps" else "each", lit="")
            case "display", _:
                self._parts.display.show(draw(TEST_PAGE))
                self._shown = replace(self._shown, display=True)
            case "tray", "scale":
                self._measure_tray(asked.die_mm)
            case "tray", _:
                self._lock_tray(mains_hz)
            case _, deed:
                self._begin_with_tower(deed)

    def _begin_with_tower(self, deed: str) -> None:
        tower = self._tower
        if deed == "drop":
            self._shown = replace(self._shown, waits=True, dice=(), thrown="", picture=0)
        elif deed in ("white", "black"):
            reads = tower.reads
            if reads is None or reads.reader != "array":
                raise InputError("only a tower that answers, with sensors under its floor, learns a card")
            self._learning = reads.learnt
            tower.learn(deed)
            self._shown = replace(self._shown, learnt="", line=f"The {deed} card is being learnt …")
        tower.show(TEST_READOUT)
        self._shown = replace(self._shown, looked_at=True, readout=TEST_READOUT)

    @property
    def _tower(self) -> TellingTower:
        tower = self._parts.tower
        if not isinstance(tower, TellingTower):
            raise InputError("this table has no tower")
        return tower

    def _lock_tray(self, mains_hz: int) -> None:
        tower = self._tower

        def lock(stopping: Event) -> None:
            try:
                self._tell(TrayLocked(tower.lock_tray(mains_hz=mains_hz)))
            except DeviceError as error:
                self._tell(TrayLocked({}, str(error)))

        self._work("The tray’s camera is being locked …", lock)

    def _measure_tray(self, die_mm: float) -> None:
        picture = self._tower.tray_picture
        if picture is None:
            raise InputError("the tray’s camera has given no picture: is it chosen, and is its cable in?")

        def measure(stopping: Event) -> None:
            try:
                self._tell(TrayMeasured(tray_scale(picture, die_mm)))
            except CalibrationError as error:
                self._tell(TrayMeasured(why=str(error)))

        self._work("The tray’s scale is being measured …", measure)

    def _work(self, line: str, work: Callable[[Event], None]) -> None:
        if self._working is not None:
            raise InputError("the tray’s camera is being seen to; wait for it")
        self._shown = replace(self._shown, line=line)
        self._working = Worker("the tray's camera", work)

    def worked(self, line: str) -> None:
        """The tray's camera has been locked, or its scale measured, or not, as a line says."""
        self._working = None
        self._shown = replace(self._shown, line=capital(line))

    def takes(self, news: DeviceEvent) -> bool:
        """Whether what a device says belongs to what is being tried out, and to nothing else."""
        if not self.is_on:
            return False
        if isinstance(news, Pressed | HeldDown) and self._shown.presses:
            self._press(news.name)
            return True
        if self._shown.waits and (words := _thrown(news)):
            dice = news.dice if isinstance(news, ThrowRead) else ()
            self._see_tray()
            self._read = self._newest
            number = self._read.number if self._read is not None else 0
            self._shown = replace(self._shown, waits=False, dice=dice, thrown=words, picture=number)
        return False

    def _press(self, name: str) -> None:
        came = {*self._shown.pressed, name}
        self._shown = replace(
            self._shown,
            pressed=tuple(button for button in BUTTONS if button in came),
            missing=tuple(button for button in BUTTONS if button not in came),
        )
        self.are_pressed = self.are_pressed or not self._shown.missing

    def tick(self) -> None:
        """Some time has passed: what is lit goes on, the tower is asked, and what nobody looks at ends."""
        if not self.is_on:
            return
        if self._clock() >= self._until:
            self.end()
            return
        if self._shown.lamps:
            self._light()
        tower = self._parts.tower
        if self._shown.looked_at and isinstance(tower, TellingTower):
            tower.ask()
            self._look_into(tower)
        self._see_tray()

    def _light(self) -> None:
        names = tuple(BUTTONS)
        if self._shown.lamps == "all":
            self._parts.buttons.light(frozenset(names))
            return
        place = names.index(self._shown.lit) + 1 if self._shown.lit else 0
        lit = names[place % len(names)]
        self._parts.buttons.light(frozenset({lit}))
        self._shown = replace(self._shown, lit=lit)

    def _look_into(self, tower: TellingTower) -> None:
        reads = tower.reads
        if reads is None:
            self._shown = replace(self._shown, reader="", beams=(), lamp="")
            return
        lamp = "" if reads.is_lit is None else "lit" if reads.is_lit else "draws no current"
        beams = tuple("dark" if is_dark else "clear" for is_dark in reads.are_dark)
        self._shown = replace(self._shown, reader=reads.reader, beams=beams, lamp=lamp)
        if self._learning is not None and reads.learnt != self._learning:
            self._learning = None
            shade, _ = reads.learnt
            self._shown = replace(self._shown, learnt=shade, line=f"The {shade} card is learnt.")

    def _see_tray(self) -> None:
        tower = self._parts.tower
        picture = tower.tray_picture if isinstance(tower, TellingTower) else None
        before = self._newest
        if picture is not None and (before is None or picture is not before.image):
            number = before.number + 1 if before is not None else 1
            self._newest = CameraShot(number, picture, lambda image: image)
            self._shown = replace(self._shown, tray=number)

    def tray(self, *, read: bool) -> CameraShot | None:
        """The newest picture of the tray, or the one in which a test throw was read; from any thread."""
        return self._read if read else self._newest

    def shown(self) -> TryingOut:
        """What the page shows of it."""
        return self._shown

    @property
    def screen(self) -> Headline | None:
        """The display's page while it is tried out; None while it is not."""
        return TEST_PAGE if self._shown.display else None

    def end(self) -> None:
        """Try nothing out any more. What came of it stays to be read, until something is tried out again."""
        if self._worker is None:
            return
        # Not waited for: it may be waiting for the loop itself.
        self._worker.stopping.set()
        self._left, self._worker = self._worker, None
        self._shown = replace(self._shown, presses=False, lamps="", lit="", readout="", waits=False)
        self._shown = replace(self._shown, looked_at=False, display=False)
        self._ended()

    def close(self) -> None:
        """End it, and wait for its threads; when nobody takes news any more. Safe to call twice."""
        self.end()
        for worker in (self._left, self._working):
            if worker is not None:
                worker.stop()

    def _go_on(self, stopping: Event) -> None:
        while not stopping.wait(TICK_S):
            self._tell(Ticked())


def _thrown(news: DeviceEvent) -> str:
    """What dice that were dropped into the tower came to, in words; empty for anything else."""
    match news:
        case ThrowRead(dice):
            return f"{capital(throw_in_words(dice))}."
        case Cocked():
            return "One lies tilted."
        case Dropped():
            return DROPPED_OUT
        case NoThrow(why) if why in NO_THROW:
            return TOWER_SENTENCES[why]
        case _:
            return ""

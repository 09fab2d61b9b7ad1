"""The dice tower on a serial port: a thread that reads, gives events, and finds a lost tower again."""

from __future__ import annotations

import logging
import termios
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event, Lock
from typing import Any

import serial
from serial.tools import list_ports

from uckers_table.devices.base import (
    Back,
    BgrImage,
    Listener,
    ListenerGoneError,
    Lost,
    NoThrow,
    Remark,
    ThrowRead,
    TowerReads,
)
from uckers_table.devices.beam_faults import BEAM_FAILS, MISSES_DICE, STAYS_DARK, DarkBeams
from uckers_table.devices.pico.beams import WHERE
from uckers_table.devices.pico.tower import LAMP_LEAST
from uckers_table.devices.second_tower import SecondTower
from uckers_table.devices.tower_judges import ArrayJudge, Judge, TrayJudge
from uckers_table.devices.tower_link import Dump, Told, TowerLink
from uckers_table.devices.tower_memory import Remembered, TowerMemory
from uckers_table.devices.tower_port import what_came
from uckers_table.devices.tray_eye import TrayEye
from uckers_table.devices.tray_pictures import TrayPictures
from uckers_table.errors import DeviceError, ProtocolError
from uckers_table.machine.threads import Apart, Worker

LOG = logging.getLogger(__name__)

READ_WAIT_S = 0.05
"""How long a text for the readout may wait behind a silent line."""
WRITE_WAIT_S = 2.0
"""A line that takes nothing for so long is dead; the kernel alone holds more than we ever send at once."""
RETRY_S = 1.0
"""Between two tries to open a lost port: soon enough for the one who plugs it in again."""
HANGS_S = 3.0
"""What opening the port may take, and each call beyond its own limit of waiting."""
ANSWER_S = 10.0
"""A tower answers within a second of its hello."""
PICO = (0x2E8A, 0x0005)
"""USB vendor and product of a Raspberry Pi Pico that runs MicroPython."""
AUTO = "auto"

DISBELIEVED = "The tower's throws do not count: it says that they are old. Pull its cable out and put it in."

FORGETS = (
    "The tower's flash takes nothing: what it learns of its lamp is gone after each start. Put its firmware "
    "on again (uckers-table tower install), or replace its Pico."
)

_GONE = (OSError, termios.error)
"""What pyserial lets out when a port goes away; SerialException is an OSError, termios.error is not."""


def find_picos() -> list[str]:
    """The ports behind which a Pico with MicroPython is; whether it is a tower its hello says."""
    ports = (port for port in list_ports.comports() if (port.vid, port.pid) == PICO)
    return sorted(port.device for port in ports)


class SerialDiceTower:
    """A dice tower behind `port`: "auto" for the first Pico that says hello as one, a path, a pyserial
    address, or a function that gives one or raises DeviceError.

    `eye` sees the tray of a tower that is read by a camera; in `pictures` is kept what it saw of dice that
    were turned after they were read. `memory` is the file that lets a program that starts again go on where
    this one was. Raises DeviceError when no port can be opened at first; later losses are `Lost` events, and
    ports are tried again every second, or `haste` times sooner. A port whose call does not return is lost.
    Where "auto" finds a second tower, a `Remark` tells. Not yet tried on hardware.
    """

    name = "tower"

    def __init__(
        self,
        port: str | Callable[[], str] = AUTO,
        *,
        eye: TrayEye | None = None,
        pictures: Path | None = None,
        memory: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        haste: float = 1.0,
    ) -> None:
        self._find, self._haste = _finder(port), haste
        self._finds_others = port == AUTO
        self._eye, self._clock = eye, clock
        self._memory, self._pictures = TowerMemory(memory), TrayPictures(pictures)
        self._lock = Lock()
        self._text, self._dice = "", 2
        self._lost = False
        self._refused = Counter[str]()
        self._judge: Judge | None = None
        self._judged_boot = ""
        self._worker: Worker | None = None
        self._address = ""
        self._remark = ""
        self._beams = DarkBeams()
        self._dump: Dump | None = None
        self._wants_dump, self._card = False, ""
        """What it is asked for once it answers: what it reads, and to learn a card."""
        self._reads: TowerReads | None = None
        self._learnt = ("", 0)
        self._port: Apart[Any] = Apart(
            self.name,
            self._open,
            lambda port: port.close(),
            hangs="the dice tower's line hangs: pull its cable out and put it in again",
            opens_within_s=HANGS_S,
        )
        try:
            self._port.open()
        except DeviceError:
            self._port.close()
            self._close_eye()
            raise

    def listen(self, listener: Listener) -> None:
        """Start giving events to the listener, from the tower's own thread. Once only."""
        if self._worker is not None:
            raise DeviceError("the dice tower has a listener already")
        self._worker = Worker(self.name, lambda stopping: self._run(stopping, listener))

    def show(self, text: str) -> None:
        """Put at most eight characters on the tower's readout, now or when it is back."""
        with self._lock:
            self._text = text

    def expect(self, dice: int) -> None:
        """How many dice the next throw is due to have."""
        with self._lock:
            self._dice = dice

    @property
    def reads(self) -> TowerReads | None:
        """What it said last; None while it does not answer."""
        return self._reads

    @property
    def tray_picture(self) -> BgrImage | None:
        """The newest picture of its tray; None where no camera sees it."""
        return self._eye.picture if self._eye is not None else None

    def ask(self) -> None:
        """Have it say what its beams, its lamp and its sensors read now."""
        with self._lock:
            self._wants_dump = True

    def learn(self, shade: str) -> None:
        """Have an array learn the "white" or the "black" card that lies in both pockets."""
        with self._lock:
            self._card = shade

    def lock_tray(self, *, mains_hz: int = 50) -> dict[str, float]:
        """Lock the tray's camera at what it measures, and give that. DeviceError without one."""
        if self._eye is None:
            raise DeviceError("no camera over the tray is known: choose it first")
        return self._eye.lock(mains_hz=mains_hz)

    def close(self) -> None:
        """Stop the thread and give the port back; safe to call twice."""
        if self._worker is not None:
            self._worker.stop()
        self._port.close()
        self._close_eye()

    def _close_eye(self) -> None:
        if self._eye is not None:
            self._eye.close()

    def _open(self) -> Any:
        """The first port that opens, those that were no tower last."""
        addresses = sorted(self._find(), key=self._refused.__getitem__)
        why: DeviceError | None = None
        for address in addresses:
            try:
                port = open_port(address)
            except DeviceError as error:
                why = why or error
            else:
                self._address = address
                return port
        raise why or DeviceError(
            "no dice tower is plugged in: is its cable in at both ends, and has the Pico its firmware "
            "(`uckers-table tower install`)?"
        )

    def _run(self, stopping: Event, listener: Listener) -> None:
        # The tower keeps what was not taken, for a program that takes it.
        with suppress(ListenerGoneError), ExitStack() as closing:
            if self._finds_others:
                second = SecondTower(
                    find_picos, open_port, self._used, lambda line: listener(Remark(self.name, line))
                )
                closing.callback(second.close)
            self._go_on(stopping, listener)

    def _used(self) -> str:
        """The port of the tower that answers; empty while none does."""
        return self._address if not self._lost and self._judge is not None else ""

    def _go_on(self, stopping: Event, listener: Listener) -> None:
        link = TowerLink(self._clock(), (self._memory.last.boot, self._memory.last.number))
        while not stopping.is_set():
            try:
                self._port.open()
                self._serve(link, stopping, listener)
            except (DeviceError, ProtocolError) as error:
                self._lose(link, str(error), listener)
            except _GONE:
                self._lose(link, "its line went dead: is the cable in?", listener)
            except ListenerGoneError:
                raise
            except Exception as error:
                # A tower that nobody reads any more, and that counts as well, is the worst that can be.
                LOG.exception("the tower cannot be read")
                self._lose(link, f"the program fails at what it tells ({error})", listener)
            stopping.wait(RETRY_S / self._haste)

    def _serve(self, link: TowerLink, stopping: Event, listener: Listener) -> None:
        """Talk until told to stop; raises when the line is dead or the tower is none."""
        link.connect(self._clock())
        self._beams, self._dump = DarkBeams(), None
        while not stopping.is_set():
            # Before anything is asked anew: with that, the answer that has come would be forgotten.
            self._ask_beams(link)
            self._want(link)
            data = self._exchange(link.due(self._clock()))
            looked = self._clock()
            self._write(link.receive(data, looked, lambda told: self._take(link, told, listener)))
            if link.answering:
                self._look(link, listener)
                self._say_of_itself(link, listener)
            # Until a throw is on the card nobody listens: that is no silence of the tower's.
            link.pause(self._clock() - looked)
            why = link.trouble(self._clock())
            if why is not None:
                if not link.answering:
                    self._refused[self._address] += 1
                raise DeviceError(why)

    def _want(self, link: TowerLink) -> None:
        with self._lock:
            text, dice = self._text, self._dice
            wants_dump, card = self._wants_dump, self._card
            if link.answering:
                self._wants_dump, self._card = False, ""
        if link.answering and card:
            link.ask_learn(card)
        if link.answering and wants_dump:
            link.ask_dump()
        if isinstance(self._judge, TrayJudge):
            self._judge.expect(dice)
        link.set(dice=dice)
        link.show((self._judge.text if self._judge is not None else "") or text)

    def _judge_of(self, link: TowerLink) -> Judge:
        """The judge of the tower that has said hello: another one after each of its starts."""
        if self._judge is None or self._judged_boot != link.boot:
            if link.reader == "tray" and self._eye is None:
                raise DeviceError(
                    "this tower's dice are read by a camera over its tray: name it in the configuration "
                    "(tray_camera)"
                )
            self._judged_boot = link.boot
            if link.reader == "tray":
                last = self._memory.last
                resumed = last.open if last.boot == link.boot else ()
                self._judge = TrayJudge(link.boot, self._clock(), resumed)
            else:
                self._judge = ArrayJudge(link.boot)
        return self._judge

    def _take(self, link: TowerLink, told: Told, listener: Listener) -> None:
        judge = self._judge_of(link)
        if told.kind == "learnt":
            self._learnt = (told.fields[0], told.number)
        for news in judge.hear(told):
            listener(news)
        self._memory.keep(Remembered(link.boot, told.number, judge.open))

    def _look(self, link: TowerLink, listener: Listener) -> None:
        """What the tray's camera saw meanwhile, and whether the tower is back as a whole."""
        judge, trouble = self._judge_of(link), None
        if self._eye is not None and link.reader == "tray":
            for seen, look in self._eye.looks():
                for news in judge.see(look, seen):
                    if isinstance(news, ThrowRead):
                        self._pictures.read(self._eye.picture)
                    elif news == NoThrow("handled"):
                        self._pictures.turned(self._eye.picture)
                    listener(news)
            trouble = self._eye.trouble
            if link.number:
                self._memory.keep(Remembered(link.boot, link.number, judge.open))
        if self._lost and trouble is None:
            self._lost = False
            listener(Back(self.name))
        elif trouble is not None and not self._lost:
            self._lost = True
            listener(Lost(self.name, f"its tray camera sees nothing: {trouble}"))

    def _ask_beams(self, link: TowerLink) -> None:
        """Ask what the beams read now and then, and take the answer."""
        if not link.answering:
            return
        if link.dumped is not None and link.dumped is not self._dump:
            self._dump, before = link.dumped, self._beams.stays_dark
            values = dict(self._dump.values)
            self._beams.seen(values.get("beams", ()), self._clock())
            lamp = values.get("lamp")
            self._reads = TowerReads(
                link.reader,
                tuple(bool(level) for level in values.get("beams", ())[: len(WHERE)]),
                lamp[0] >= LAMP_LEAST if lamp else None,
                self._learnt,
            )
            if self._beams.stays_dark != before:
                self._judge_of(link).without(self._beams.stays_dark)
        if self._beams.asks(self._clock()):
            link.ask_dump()

    def _say_of_itself(self, link: TowerLink, listener: Listener) -> None:
        """Say once that its throws do not count, that a beam fails or that its flash does; and once that this
        is over."""
        dark, judge = self._beams.stays_dark, self._judge_of(link)
        fails = STAYS_DARK.format(dark) if dark else MISSES_DICE if judge.misses_dice else ""
        disbelieved, forgets = DISBELIEVED if link.disbelieved > 0 else "", FORGETS if judge.forgets else ""
        line = " ".join(filter(None, (disbelieved, fails, forgets)))
        if line != self._remark:
            is_news = bool(fails) and fails not in self._remark
            self._remark = line
            listener(Remark(self.name, line, BEAM_FAILS if is_news else ""))

    def _exchange(self, data: bytes) -> bytes:
        """Send this, and give what has come meanwhile."""

        def exchanged(port: Any) -> bytes:
            if data:
                port.write(data)
            return what_came(port)

        return self._port.do(exchanged, WRITE_WAIT_S + READ_WAIT_S + HANGS_S)

    def _write(self, data: bytes) -> None:
        if data:
            self._port.do(lambda port: port.write(data), WRITE_WAIT_S + HANGS_S)

    def _lose(self, link: TowerLink, why: str, listener: Listener) -> None:
        self._port.drop()
        self._reads = None
        was_thrown = self._judge is not None and self._judge.abandon(self._clock())
        if self._lost:
            return
        self._lost = True
        listener(Lost(self.name, f"{why} (in the middle of a throw)" if was_thrown else why))


def open_port(address: str) -> Any:
    """A serial port; DeviceError, with what to try, when it cannot be opened."""
    try:
        return serial.serial_for_url(
            address, baudrate=115200, timeout=READ_WAIT_S, write_timeout=WRITE_WAIT_S, exclusive=True
        )
    except (*_GONE, ValueError) as error:
        raise DeviceError(
            f"the dice tower's port {address} cannot be opened ({error}): is the cable in, may this user "
            f"use it (group dialout), and does nothing else have it open?"
        ) from error


def ask_tower(
    port: str, ask: Callable[[TowerLink], None], done: Callable[[TowerLink, list[Told]], bool]
) -> Dump | None:
    """Talk to a tower for one purpose: `ask` once it has said hello, until `done`. The dump, if one came.

    DeviceError when it does not answer, ProtocolError when it speaks another protocol.
    """
    begun = time.monotonic()
    link, told, has_asked = TowerLink(begun), list[Told](), False
    try:
        with open_port(port) as line:
            while time.monotonic() - begun < ANSWER_S and link.trouble(time.monotonic()) is None:
                if link.answering and not has_asked:
                    has_asked = True
                    ask(link)
                line.write(link.due(time.monotonic()))
                if has_asked and done(link, told):
                    return link.dumped
                line.write(link.receive(what_came(line), time.monotonic(), told.append))
    except _GONE as error:
        raise DeviceError(f"the line to the dice tower went dead ({error}): is the cable in?") from error
    raise DeviceError(
        f"no dice tower answers at {port}: has the Pico its firmware (`uckers-table tower install`)?"
    )


def _finder(port: str | Callable[[], str]) -> Callable[[], Sequence[str]]:
    if callable(port):
        return lambda: [port()]
    return find_picos if port == AUTO else lambda: [port]

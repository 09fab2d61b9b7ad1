"""The host's end of the dice tower's line, without a port, a thread or a clock.

It is handed what arrived and the time, gives each event once to whoever takes it, and says what to
send back. An event is acknowledged only after it has been taken. A repetition has the tower's boot word and
the number of one of the events taken last; both outlive the connection and may outlive the program. Which
number is the greater says nothing: one that runs ahead shuts no later one out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from uckers_table.devices.pico.line import MAX_WAITING
from uckers_table.devices.pico.messages import (
    EVENTS,
    MAX_TEXT,
    PROTOCOL,
    TO_HOST,
    BadLineError,
    LineBuffer,
    decode,
    encode,
    settings_from,
    settings_text,
)
from uckers_table.errors import ProtocolError

ASK_EVERY_S = 1.0
"""How often a tower that has not said who it is gets asked."""
SAY_EVERY_S = 2.0
"""How often the text is said unasked, so that the tower knows that a host is there."""
EARLY_S = 0.5
"""Dice thrown so little before anyone listened still count: ages are told in whole milliseconds."""
HANDOVER_S = 30.0
"""What a program that starts again still takes of the tower it had: longer than a service needs to come back,
shorter than people go on throwing with nobody answering."""
STATES = ("dark", "lit", "blind", "sees")
"""Events that say how the tower is, and not what was thrown: taken however long ago they were."""
HELLO_S = 4.0
"""A Pico needs a second to start; what has not said hello for so long is no tower."""
SILENCE_S = 10.0
"""A tower beats every second; ten times that is for a host too busy to read. A cut line shows at once."""


@dataclass(frozen=True)
class Told:
    """An event as it was told: its kind, the fields behind the age, when it happened, and its number."""

    kind: str
    fields: tuple[str, ...]
    happened: float
    number: int = 0


@dataclass(frozen=True)
class Dump:
    """What the tower's parts read raw: a name and its numbers each."""

    values: tuple[tuple[str, tuple[int, ...]], ...]


class TowerLink:
    """What the host knows of its tower. Times are in seconds of the caller's clock, which never goes back.

    `taken` is the boot and the number of the last event that a program before this one took. Events from
    well before `since` are acknowledged and left out, unless that program was cut off from them, or they
    are of STATES.
    """

    def __init__(self, since: float, taken: tuple[str, int] = ("", 0)) -> None:
        self._since = since
        self._text = ""
        self._light = "on"
        self._settings = {"dice": 2, "bright": 2}
        self._known_boot = taken[0]
        self.boot, self.number = taken
        self._taken = deque([self.number], maxlen=MAX_WAITING)
        """A tower keeps so many events: what it tells again is one of them."""
        self._greeted = 0
        self.disbelieved = 0
        """How many events in a row were left out as too old though they came after the hello: the tower's own
        time is wrong."""
        self.reader = ""
        self.connect(since)

    def connect(self, now: float) -> None:
        """A new connection; what was taken before stays taken."""
        self.answering = False
        self._shown: str | None = None
        self._lit: str | None = None
        self._set: str | None = None
        self._said: float | None = None
        self._lines = LineBuffer()
        self._heard = now
        self._has_come = False
        self._asked: float | None = None
        self._wanted: list[bytes] = []
        self._dumps = 0
        self._parts: dict[int, tuple[str, tuple[int, ...]]] = {}
        self.dumped: Dump | None = None

    def show(self, text: str) -> None:
        """What the readout is to say; characters it cannot be told are left out."""
        self._text = "".join(char for char in text if " " <= char <= "~")[:MAX_TEXT]

    def light(self, lit: bool) -> None:
        """Whether the tray lamp is to be lit."""
        self._light = "on" if lit else "off"

    def set(self, **settings: int) -> None:
        """Settings the tower is to have; BadLineError for one that is unknown or out of bounds."""
        self._settings.update(settings_from(settings_text(settings)))

    def ask_dump(self) -> None:
        """Ask what the tower's parts read; the answer comes as `dumped`."""
        self._dumps += 1
        self._parts, self.dumped = {}, None
        self._wanted.append(encode("dump", self._dumps))

    def ask_learn(self, shade: str) -> None:
        """Have an array take what it sees for its "white" or its "black"."""
        self._wanted.append(encode("learn", shade))

    def ask_prompt(self) -> None:
        """Have the firmware end, so that others can talk to the Pico."""
        self._wanted.append(encode("prompt", self.boot))

    def receive(self, data: bytes, now: float, take: Callable[[Told], None]) -> bytes:
        """Take what arrived, give its events to `take` and return the answer.

        Lines that make no sense are left out. ProtocolError when the tower speaks another protocol. When
        `take` raises, the event counts as not taken and the tower will repeat it.
        """
        answer = b""
        self._has_come = self._has_come or bool(data)
        for line in self._lines.feed(data):
            try:
                message = decode(line)
            except BadLineError:
                continue
            if message[0] == "hello":
                self._greet(message)
            elif not self.answering or message[0] not in TO_HOST:
                continue
            self._heard = now
            if message[0] in EVENTS:
                answer += self._take(message, now, take)
            elif message[0] == "beat" and message[1] == self.boot:
                _, _, _, self._lit, self._set, self._shown = message
            elif message[0] == "raw" and message[2] == str(self._dumps):
                self._collect(message)
        return answer

    def pause(self, seconds: float) -> None:
        """For so long nobody listened: that is no silence."""
        self._heard += seconds

    def due(self, now: float) -> bytes:
        """What is to be sent unasked: who are you, and what the tower has otherwise than it should."""
        if not self.answering:
            if self._asked is not None and now - self._asked < ASK_EVERY_S:
                return b""
            self._asked = now
            return encode("who")
        out = b"".join(self._wanted)
        self._wanted = []
        if self._shown != self._text or self._said is None or now - self._said >= SAY_EVERY_S:
            self._shown, self._said = self._text, now
            out += encode("show", self._text)
        if self._lit != self._light:
            self._lit = self._light
            out += encode("light", self._light)
        settings = settings_text(self._settings)
        if self._set != settings:
            self._set = settings
            out += encode("set", settings)
        return out

    def trouble(self, now: float) -> str | None:
        """Why the tower counts as lost although its port is open; None while all is well."""
        if self.answering and now - self._heard >= SILENCE_S:
            return f"the tower has been silent for {SILENCE_S:.0f} s"
        if not self.answering and now - self._heard >= HELLO_S:
            if not self._has_come:
                return (
                    f"the tower has said nothing for {HELLO_S:.0f} s: pull its cable out and put it in again"
                )
            return "what answers there is no dice tower; is it the right port, and has the Pico its firmware?"
        return None

    def _greet(self, message: tuple[str, ...]) -> None:
        _, boot, number, protocol, reader, version, name = message
        if int(protocol) != PROTOCOL:
            raise ProtocolError(
                f"{name} {version} speaks protocol {protocol}, this program {PROTOCOL}: "
                f"put this release's firmware on it (`uckers-table tower install`)"
            )
        if boot != self.boot:
            self.boot, self.number = boot, 0
            self._taken.clear()
        self._greeted = int(number)
        self.reader = reader
        self.answering = True
        self._shown = self._lit = self._set = None

    def _take(self, message: tuple[str, ...], now: float, take: Callable[[Told], None]) -> bytes:
        kind, boot, number, age_ms = message[:4]
        if boot != self.boot:
            # Started again without our hearing its hello: ask before believing numbers.
            self.answering = False
            return b""
        if int(number) not in self._taken:
            happened = now - int(age_ms) / 1000
            patience = HANDOVER_S if boot == self._known_boot else EARLY_S
            if happened >= self._since - patience or kind in STATES:
                take(Told(kind, message[4:], happened, int(number)))
                self.disbelieved = 0
            elif int(number) > self._greeted:
                self.disbelieved += 1
            self.number = int(number)
            self._taken.append(self.number)
        return encode("ack", boot, number)

    def _collect(self, message: tuple[str, ...]) -> None:
        _, _, _, part, parts, what, values = message
        self._parts[int(part)] = what, tuple(int(value) for value in values.split(" "))
        if len(self._parts) == int(parts):
            self.dumped = Dump(tuple(self._parts[k] for k in sorted(self._parts)))

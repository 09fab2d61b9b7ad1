"""The host's end of the dice tower's line, without a port, a thread or a clock.

It is handed what arrived and the time, gives each event once to the one who listens, and says what to
send back. An event is acknowledged only after the listener has taken it, and it is told apart from a
repetition by the tower's boot word and its number, which outlive the connection.
"""

from __future__ import annotations

from uckers_table.devices.base import Cocked, DeviceEvent, Dropped, Listener, Thrown
from uckers_table.devices.tower_messages import (
    EVENTS,
    MAX_TEXT,
    PROTOCOL,
    TO_HOST,
    BadLineError,
    LineBuffer,
    decode,
    encode,
)
from uckers_table.errors import ProtocolError

ASK_EVERY_S = 1.0
"""How often a tower that has not said who it is gets asked."""
EARLY_S = 0.5
"""Dice thrown so little before anyone listened still count: ages are told in whole milliseconds."""
SILENCE_S = 10.0
"""A tower beats every second; ten times that is for a host too busy to read. A cut line shows at once."""


class TowerLink:
    """What the host knows of its tower. Times are in seconds of the caller's clock, which never goes back.

    Events from well before `since` are acknowledged and left out: dice thrown while nobody listened.
    """

    def __init__(self, since: float) -> None:
        self._oldest = since - EARLY_S
        self._text = ""
        self._boot = ""
        self._taken = 0
        self.connect(since)

    def connect(self, now: float) -> None:
        """A new connection; what was taken before stays taken."""
        self.answering = False
        self.throwing = False
        self._shown: str | None = None
        self._lines = LineBuffer()
        self._heard = now
        self._asked: float | None = None

    def show(self, text: str) -> None:
        """What the readout is to say; characters it cannot be told are left out."""
        self._text = "".join(char for char in text if " " <= char <= "~")[:MAX_TEXT]

    def receive(self, data: bytes, now: float, deliver: Listener) -> bytes:
        """Take what arrived, give its events to `deliver` and return the answer.

        Lines that make no sense are left out. ProtocolError when the tower speaks another protocol. When
        `deliver` raises, the event counts as not taken and the tower will repeat it.
        """
        answer = b""
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
                answer += self._take(message, now, deliver)
            elif message[0] == "beat":
                self._shown = message[3]
        return answer

    def due(self, now: float) -> bytes:
        """What is to be sent unasked: who are you, and the readout where it says something else."""
        if not self.answering:
            if self._asked is not None and now - self._asked < ASK_EVERY_S:
                return b""
            self._asked = now
            return encode("who")
        if self._shown == self._text:
            return b""
        self._shown = self._text
        return encode("show", self._text)

    def trouble(self, now: float) -> str | None:
        """Why the tower counts as lost although its port is open; None while all is well."""
        if now - self._heard < SILENCE_S:
            return None
        if self.answering:
            return f"the tower has been silent for {SILENCE_S:.0f} s"
        return "what answers there is no dice tower; is it the right port, and has the Pico its firmware?"

    def _greet(self, message: tuple[str, ...]) -> None:
        _, boot, _, protocol, _, version, name = message
        if int(protocol) != PROTOCOL:
            raise ProtocolError(
                f"{name} {version} speaks protocol {protocol}, this program {PROTOCOL}: "
                f"copy this release's firmware onto the tower"
            )
        if boot != self._boot:
            self._boot, self._taken = boot, 0
            self.throwing = False
        self.answering = True
        self._shown = None

    def _take(self, message: tuple[str, ...], now: float, deliver: Listener) -> bytes:
        kind, boot, number, age_ms = message[:4]
        if boot != self._boot:
            # Started again without our hearing its hello: ask before believing numbers.
            self.answering = False
            return b""
        if int(number) > self._taken:
            event = _event(kind, message)
            if event is not None and now - int(age_ms) / 1000 >= self._oldest:
                deliver(event)
            self._taken = int(number)
            self.throwing = kind == "begun"
        return encode("ack", boot, number)


def _event(kind: str, message: tuple[str, ...]) -> DeviceEvent | None:
    if kind == "throw":
        return Thrown(tuple(int(die) for die in message[4].split(" ")))
    faults: dict[str, DeviceEvent] = {"cocked": Cocked(), "dropped": Dropped()}
    return faults.get(kind)

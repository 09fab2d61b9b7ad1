"""What the dice tower does with its line: number each event, repeat it until the host has it.

It touches no pin, no port and no clock: the caller says what time it is, hands in what arrived and sends
what is due. The tower's Raspberry Pi Pico runs this very file and so does the simulated tower, so it
stays in the part of Python that MicroPython shares.
"""

from uckers_table.devices.tower_messages import (
    PROTOCOL,
    TO_TOWER,
    BadLineError,
    LineBuffer,
    decode,
    encode,
)

REPEAT_MS = 200
"""An answer takes a few milliseconds; a busy host gets several chances a second."""
BEAT_MS = 1000
MAX_WAITING = 8
"""Events kept for a host that does not answer; the oldest go first, since a newer throw replaced them."""
MAX_AGE_MS = 600000
"""Ages are not told beyond ten minutes."""


class Tower:
    """The tower's end of the line. Times are in milliseconds of a clock that only goes up, from 0 or more.

    `boot` is a word that no other start of this tower has had; with the number of an event it tells the
    host whether it has had that event. `reader` says what reads the dice: `array`, or `none`.
    """

    def __init__(self, boot: str, reader: str, version: str, name: str) -> None:
        self.boot = boot
        self.readout = ""
        self.last = 0
        self.acknowledged = 0
        self._hello = (PROTOCOL, reader, version, name)
        self._lines = LineBuffer()
        self._waiting: list[tuple[int, str, int, str]] = []
        self._throwing = False
        self._owes_hello = True
        self._beat_due_ms = 0
        self._send_due_ms = 0

    def begin(self, now_ms: int) -> int:
        """Dice go in; once a throw. Gives the number of the event that says so."""
        if not self._throwing:
            self._throwing = True
            self._add("begun", now_ms)
        return self.last

    def throw(self, dice: tuple[int, ...], now_ms: int) -> int:
        """The dice lie and were read."""
        return self._end("throw", now_ms, " ".join([str(die) for die in dice]))

    def cocked(self, now_ms: int) -> int:
        """A die lies tilted."""
        return self._end("cocked", now_ms)

    def dropped(self, now_ms: int) -> int:
        """A die went in and did not come to rest in the tower."""
        return self._end("dropped", now_ms)

    def receive(self, data: bytes) -> None:
        """Take what the host sent, whole lines or not; anything that makes no sense is left out."""
        for line in self._lines.feed(data):
            try:
                message = decode(line)
            except BadLineError:
                continue
            if message[0] in TO_TOWER:
                self._obey(message)

    def due(self, now_ms: int) -> bytes:
        """All that is to be sent now; call it often, a hundred times a second or so."""
        out = b""
        if self._owes_hello:
            self._owes_hello = False
            out += encode("hello", self.boot, self.last, *self._hello)
        if now_ms >= self._beat_due_ms:
            self._beat_due_ms = now_ms + BEAT_MS
            out += encode("beat", self.boot, self.last, self.readout)
        if self._waiting and now_ms >= self._send_due_ms:
            self._send_due_ms = now_ms + REPEAT_MS
            out += self._oldest(now_ms)
        return out

    def _add(self, kind: str, now_ms: int, rest: str = "") -> int:
        self.last += 1
        self._waiting.append((self.last, kind, now_ms, rest))
        if len(self._waiting) == 1:
            self._send_due_ms = 0
        if len(self._waiting) > MAX_WAITING:
            self._waiting.pop(0)
        return self.last

    def _end(self, kind: str, now_ms: int, rest: str = "") -> int:
        self.begin(now_ms)
        self._throwing = False
        return self._add(kind, now_ms, rest)

    def _oldest(self, now_ms: int) -> bytes:
        number, kind, happened_ms, rest = self._waiting[0]
        age_ms = min(now_ms - happened_ms, MAX_AGE_MS)
        return encode(kind, self.boot, number, age_ms, *([rest] if rest else []))

    def _obey(self, message: tuple[str, ...]) -> None:
        if message[0] == "who":
            self._owes_hello = True
        elif message[0] == "show":
            self.readout = message[1]
        elif message[1] == self.boot and self.acknowledged < int(message[2]) <= self.last:
            self.acknowledged = int(message[2])
            self._waiting = [event for event in self._waiting if event[0] > self.acknowledged]
            self._send_due_ms = 0

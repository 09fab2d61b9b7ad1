"""The tower's end of the line: it numbers each event and repeats it until the host has it.

It knows neither dice nor pins: whoever owns it says what happened, hands in what arrived, sends what is due
and does what the host wants.
"""

from uckers_table.devices.pico.messages import (
    EVENTS,
    PROTOCOL,
    TO_TOWER,
    BadLineError,
    LineBuffer,
    decode,
    encode,
    settings_from,
    settings_text,
)

REPEAT_MS = 200
"""An answer takes a few milliseconds; a busy host gets several chances a second."""
BEAT_MS = 1000
MAX_WAITING = 16
"""Events kept for a host that does not answer; the oldest go first, since a newer throw replaced them."""
MAX_AGE_MS = 600000
"""Ages are not told beyond ten minutes."""
HOST_GONE_MS = 5000
"""The host says its text at least every two seconds; a tower that hears nothing so long is on its own."""


class Line:
    """Times are in milliseconds of a clock that only goes up, from 0 or more.

    `boot` is a word that no other start of this tower has had; with the number of an event it tells the
    host whether it has had that event. `text`, `light` and `settings` are what the host wants;
    `dump`, `learn` and `wants_prompt` what it has just asked for, until whoever does it clears them.
    """

    def __init__(self, boot: str, reader: str, version: str, name: str) -> None:
        self.boot = boot
        self.text = ""
        self.light = "on"
        self.settings = {"dice": 2, "bright": 2}
        self.dump: str | None = None
        self.learn: str | None = None
        self.wants_prompt = False
        self.last = 0
        self.acknowledged = 0
        self._hello = (PROTOCOL, reader, version, name)
        self._lines = LineBuffer()
        self._waiting: list[tuple[int, str, int, tuple[object, ...]]] = []
        self._answers: list[bytes] = []
        self._owes_hello = True
        self._heard_ms: int | None = None
        self._beat_due_ms = 0
        self._send_due_ms = 0

    def tell(self, now_ms: int, kind: str, *fields: object) -> int:
        """Have an event told, one of EVENTS with its fields. Gives its number."""
        if kind not in EVENTS or len(fields) != len(EVENTS[kind]):
            raise ValueError("no event: " + kind)
        self.last += 1
        self._waiting.append((self.last, kind, now_ms, fields))
        if len(self._waiting) == 1:
            self._send_due_ms = 0
        if len(self._waiting) > MAX_WAITING:
            self._waiting.pop(0)
        return self.last

    def answer(self, parts: list[tuple[str, list[int]]]) -> None:
        """Give the dump that was asked for: names with their numbers, a line each."""
        for part in range(len(parts)):
            what, values = parts[part]
            text = " ".join([str(value) for value in values])
            self._answers.append(encode("raw", self.boot, self.dump, part + 1, len(parts), what, text))
        self.dump = None

    def hears_host(self, now_ms: int) -> bool:
        """Whether a host is at the other end."""
        return self._heard_ms is not None and now_ms - self._heard_ms < HOST_GONE_MS

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take what the host sent, whole lines or not; anything that makes no sense is left out."""
        for line in self._lines.feed(data):
            try:
                message = decode(line)
            except BadLineError:
                continue
            if message[0] in TO_TOWER:
                self._heard_ms = now_ms
                self._obey(message)

    def due(self, now_ms: int) -> bytes:
        """All that is to be sent now; call it often, a hundred times a second or so."""
        out = b""
        if self._owes_hello:
            self._owes_hello = False
            out += encode("hello", self.boot, self.last, *self._hello)
        if now_ms >= self._beat_due_ms:
            self._beat_due_ms = now_ms + BEAT_MS
            out += encode("beat", self.boot, self.last, self.light, settings_text(self.settings), self.text)
        out += b"".join(self._answers)
        self._answers = []
        if self._waiting and now_ms >= self._send_due_ms:
            self._send_due_ms = now_ms + REPEAT_MS
            out += self._oldest(now_ms)
        return out

    def _oldest(self, now_ms: int) -> bytes:
        number, kind, happened_ms, fields = self._waiting[0]
        age_ms = max(0, min(now_ms - happened_ms, MAX_AGE_MS))
        return encode(kind, self.boot, number, age_ms, *fields)

    def _obey(self, message: tuple[str, ...]) -> None:
        kind = message[0]
        if kind == "who":
            self._owes_hello = True
        elif kind == "show":
            self.text = message[1]
        elif kind == "light":
            self.light = message[1]
        elif kind == "set":
            self.settings.update(settings_from(message[1]))
        elif kind == "dump":
            self.dump = message[1]
        elif kind == "learn":
            self.learn = message[1]
        elif message[1] != self.boot:
            return
        elif kind == "prompt":
            self.wants_prompt = True
        elif self.acknowledged < int(message[2]) <= self.last:
            self.acknowledged = int(message[2])
            self._waiting = [event for event in self._waiting if event[0] > self.acknowledged]
            self._send_due_ms = 0

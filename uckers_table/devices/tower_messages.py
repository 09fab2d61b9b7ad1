"""The text of the dice tower's messages, for both ends of the line (firmware/PROTOCOL.md tells it to people).

It opens no port and reads no clock. The tower's Raspberry Pi Pico runs this very file, so it stays in
the part of Python that MicroPython shares: nothing is imported.

A line is `kind field field …*crc` and a newline: printable ASCII, fields parted by one space, of which
only the last may hold spaces itself; the check is four lower-case hexadecimal digits over everything
before the star.

    >>> encode("throw", "3fa9c1d2", 7, 120, "6 3")
    b'throw 3fa9c1d2 7 120 6 3*0904\\n'
    >>> decode(b"throw 3fa9c1d2 7 120 6 3*0904")
    ('throw', '3fa9c1d2', '7', '120', '6 3')
"""

PROTOCOL = 1
MAX_LINE = 96
"""Bytes of the longest line with its newline; the longest real one, a hello, has about 70."""
MAX_TEXT = 8
"""Characters of the readout."""

TO_HOST = {
    "hello": ("boot", "seq", "protocol", "reader", "version", "name"),
    "beat": ("boot", "seq", "shown"),
    "begun": ("boot", "seq", "age_ms"),
    "throw": ("boot", "seq", "age_ms", "dice"),
    "cocked": ("boot", "seq", "age_ms"),
    "dropped": ("boot", "seq", "age_ms"),
}
TO_TOWER = {
    "who": (),
    "ack": ("boot", "seq"),
    "show": ("text",),
}
EVENTS = ("begun", "throw", "cocked", "dropped")

NUMBERS = ("seq", "protocol", "age_ms")
MAX_DICE = 2


class BadLineError(ValueError):
    """Bytes that are no message of this protocol."""


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740 (polynomial 0x1021, start 0xFFFF): any damage within 16 bits in a row shows.

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
            crc &= 0xFFFF
    return crc


def encode(kind: str, *fields: object) -> bytes:
    """The line that says it, newline included; BadLineError when it could not be read back."""
    words = [kind]
    for field in fields:
        words.append(str(field))
    body = " ".join(words).encode()
    line = body + f"*{crc16(body):04x}\n".encode()
    if len(line) > MAX_LINE or decode(line[:-1]) != tuple(words):
        raise BadLineError("cannot be sent as one line: " + repr(words))
    return line


def decode(line: bytes) -> tuple[str, ...]:
    """The kind and the fields of a line without its newline; BadLineError for anything damaged or unknown."""
    body, star, check = bytes(line).rpartition(b"*")
    if not star or check != f"{crc16(body):04x}".encode():
        raise BadLineError("damaged, or not from a dice tower: " + repr(bytes(line)))
    for byte in body:
        if not 32 <= byte < 127:
            raise BadLineError("not printable: " + repr(body))
    kind, _, rest = body.decode().partition(" ")
    names = TO_HOST.get(kind, TO_TOWER.get(kind))
    if names is None:
        raise BadLineError("unknown kind of message: " + repr(body))
    fields = rest.split(" ", len(names) - 1) if names or rest else []
    if len(fields) != len(names):
        raise BadLineError("fields are missing: " + repr(body))
    for name, field in zip(names, fields):  # noqa: B905 (MicroPython's zip knows no `strict`; the lengths are equal)
        if not _fits(name, field):
            raise BadLineError("no " + name + ": " + repr(body))
    return (kind,) + tuple(fields)  # noqa: RUF005 (MicroPython cannot unpack within a tuple)


def _fits(name: str, field: str) -> bool:
    if name in NUMBERS:
        return field.isdigit()
    if name == "dice":
        dice = field.split(" ")
        return len(dice) <= MAX_DICE and all(die in ("1", "2", "3", "4", "5", "6") for die in dice)
    if name in ("text", "shown"):
        return len(field) <= MAX_TEXT
    return field != ""


class LineBuffer:
    """Cuts what arrives into lines, holding never more than one line; a line too long is left out."""

    def __init__(self) -> None:
        self._kept = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes, without newline and carriage return."""
        lines = []
        parts = (self._kept + data).split(b"\n")
        for part in parts[:-1]:
            if not self._skipping and len(part) < MAX_LINE:
                lines.append(part.rstrip(b"\r"))
            self._skipping = False
        self._kept = parts[-1]
        if len(self._kept) >= MAX_LINE:
            self._kept = b""
            self._skipping = True
        return lines

"""The text of the dice tower's messages, for both ends of the line (firmware/PROTOCOL.md tells it to people).

It opens no port and reads no clock.

A line is `kind field field …*crc` and a newline: printable ASCII, fields parted by one space, of which
only the last may hold spaces itself; the check is four lower-case hexadecimal digits over everything
before the star.

    >>> encode("throw", "3fa9c1d2", 7, 120, "6 3")
    b'throw 3fa9c1d2 7 120 6 3*0904\\n'
    >>> decode(b"throw 3fa9c1d2 7 120 6 3*0904")
    ('throw', '3fa9c1d2', '7', '120', '6 3')
"""

PROTOCOL = 2
MAX_LINE = 128
"""Bytes of the longest line with its newline; the longest real ones, of a raw dump, have about 90."""
MAX_TEXT = 8
"""Characters of the readout."""
MAX_DIGITS = 10
"""Of a number: what does not fit in 32 bits is damage."""

EVENTS = {
    "begun": (),
    "ended": ("in", "out"),
    "throw": ("dice",),
    "cocked": ("doubt",),
    "dropped": (),
    "jam": ("where",),
    "freed": (),
    "lift": (),
    "spoilt": ("why",),
    "handled": (),
    "dark": (),
    "lit": (),
    "blind": ("sense",),
    "sees": (),
    "learnt": ("shade",),
}
"""What a tower numbers and repeats until it is acknowledged, with the fields behind boot, seq and age_ms."""
TO_HOST = {
    "hello": ("boot", "seq", "protocol", "reader", "version", "name"),
    "beat": ("boot", "seq", "light", "settings", "text"),
    "raw": ("boot", "dump", "part", "parts", "what", "values"),
}
for _kind in EVENTS:
    TO_HOST[_kind] = ("boot", "seq", "age_ms") + EVENTS[_kind]
TO_TOWER = {
    "who": (),
    "ack": ("boot", "seq"),
    "show": ("text",),
    "light": ("light",),
    "set": ("settings",),
    "dump": ("dump",),
    "learn": ("shade",),
    "prompt": ("boot",),
}

NUMBERS = ("seq", "protocol", "age_ms", "in", "out", "dump", "part", "parts")
MAX_DICE = 2
WORDS = {
    "reader": ("tray", "array"),
    "light": ("on", "off"),
    "doubt": ("tilted", "stacked", "unsure"),
    "where": ("in", "out", "between"),
    "why": ("crowd", "hand", "blind"),
    "sense": ("white", "dark", "ambient", "sensor", "unlearnt"),
    "shade": ("white", "black"),
}
"""Fields that say one of a few words."""
SETTINGS = {"dice": (1, 2), "bright": (0, 3)}
"""The settings and their least and largest value: dice due in a throw; the readout's brightness, of which
more than 3/16 would draw too much. In a line: `dice=2,bright=2`."""


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


def settings_text(settings: dict[str, int]) -> str:
    """Settings as a line says them, in the order of SETTINGS.

    >>> settings_text({"bright": 3, "dice": 2})
    'dice=2,bright=3'
    """
    return ",".join([name + "=" + str(settings[name]) for name in SETTINGS if name in settings])


def settings_from(text: str) -> dict[str, int]:
    """The settings that a line says; BadLineError for one that is unknown or out of bounds.

    >>> settings_from("dice=1")
    {'dice': 1}
    """
    settings: dict[str, int] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name not in SETTINGS or not _is_number(value):
            raise BadLineError("no setting: " + part)
        least, largest = SETTINGS[name]
        if not least <= int(value) <= largest:
            raise BadLineError("out of bounds: " + part)
        settings[name] = int(value)
    return settings


def _fits(name: str, field: str) -> bool:
    if name in NUMBERS:
        return _is_number(field)
    if name in WORDS:
        return field in WORDS[name]
    if name == "dice":
        dice = field.split(" ")
        return len(dice) <= MAX_DICE and all(die in ("1", "2", "3", "4", "5", "6") for die in dice)
    if name == "values":
        return all(_is_number(value) for value in field.split(" "))
    if name == "settings":
        try:
            return bool(settings_from(field))
        except BadLineError:
            return False
    if name == "text":
        return len(field) <= MAX_TEXT
    return field != ""


def _is_number(field: str) -> bool:
    return field.isdigit() and len(field) <= MAX_DIGITS


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

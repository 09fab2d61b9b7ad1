"""What the display shows: pictures of 128 × 64 pixels, one bit each, drawn from plain words.

Nothing here knows the game or the panel. Words that are too long for their place are set smaller, then
broken, then cut; nothing ever runs off the picture. The font is the one inside Pillow (Aileron, CC0), so
that every machine has it.

    >>> draw(Headline("RED", "6 and 3", "1 more throw")).size
    (128, 64)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFont

from uckers_table.errors import InputError
from uckers_table.machine.messages import Invitation, Joining, Message

SIZE = (128, 64)
WIDTH, HEIGHT = SIZE

SMALLEST = 10
"""Below ten pixels the font's dots and full stops leave their line. Ten makes capitals of 3.5 mm on 2.42"."""
LARGEST = 64
LARGEST_SENTENCE = 22
"""Short sentences stay larger than any line of a headline's note, and still look like sentences."""
BAR_PX = 13
"""The bar over a notice: one line of its largest readable title."""
ELLIPSIS = "..."
_MOST_MODULES = 29
"""A side of the largest QR code whose modules have two rows of dots each; it holds 53 letters."""
LIT, DARK = 255, 0

_Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels, the last two outside."""


@dataclass(frozen=True)
class Panel:
    """A panel with 128 × 64 dots: its chip, its diagonal by name, and how high its picture is."""

    chip: str
    inches: str
    height_mm: float

    def mm(self, rows: float) -> float:
        """How high so many rows of dots are."""
        return rows * self.height_mm / HEIGHT


PANELS = (Panel("ssd1309", "2.42", 27.49), Panel("sh1106", "1.3", 14.70), Panel("ssd1306", "0.96", 10.86))
"""The heights are the makers' "active area" of the usual panels with these chips."""
MM_A_METRE = 5.0
"""How high letters have to be for each metre from which they are read (HARDWARE's figure for signs)."""


@dataclass(frozen=True)
class Headline:
    """One thing to read across the table, and up to two lines under it: whose throw, a count, a winner.

    `flash` turns black and white round; a picture with and one without, shown in turn, flash.
    """

    title: str
    line: str = ""
    note: str = ""
    flash: bool = False


Screen = Headline | Message | Invitation | Joining
"""What fills the display: a headline, a sentence under a bar, or a code for phones and its text beside it."""


def draw(screen: Screen) -> Image.Image:
    """The picture of a screen: mode '1', 128 × 64, lit pixels white.

    InputError for an address that is too long for a QR code of this size.
    """
    picture = Image.new("1", SIZE)
    pen = ImageDraw.Draw(picture)
    pen.fontmode = "1"
    if isinstance(screen, Message):
        pen.rectangle((0, 0, WIDTH - 1, BAR_PX - 1), fill=LIT)
    if isinstance(screen, Invitation):
        picture.paste(_qr_code(screen.address), (0, 0))
    if isinstance(screen, Joining):
        picture.paste(_qr_code(screen.code), (0, 0))
    for placed in _layout(screen):
        placed.line.write(pen, placed.x, placed.baseline, placed.fill)
    is_inverted = isinstance(screen, Headline) and screen.flash
    return ImageChops.invert(picture) if is_inverted else picture


def letters(screen: Screen) -> tuple[tuple[str, int], ...]:
    """Each line of a screen's words, from the top, and how many rows high its capitals are."""
    return tuple((placed.text, _capital_px(placed.line)) for placed in _layout(screen))


def _layout(screen: Screen) -> list[_Placed]:
    match screen:
        case Headline():
            return _headline(screen)
        case Message():
            return _message(screen)
        case Invitation():
            return _invitation(screen)
        case Joining():
            return _joining(screen)


def _headline(screen: Headline) -> list[_Placed]:
    below = [text for text in (screen.line, screen.note) if text]
    # Rows for the title and for each line under it, by how many there are.
    title_px, rows_px = {0: (64, ()), 1: (38, (22,)), 2: (30, (19, 13))}[len(below)]
    placed = [_centred(screen.title, (0, 0, WIDTH, title_px), bold=True)]
    top = title_px
    for text, row_px in zip(below, rows_px, strict=True):
        placed.append(_centred(text, (0, top + 2, WIDTH, top + row_px)))
        top += row_px
    return placed


def _message(screen: Message) -> list[_Placed]:
    top = BAR_PX + 2
    size, lines = _wrap(screen.sentence, WIDTH, HEIGHT - top)
    above_px, line_px = _rows(size)
    return [
        _centred(screen.title, (1, 1, WIDTH - 1, BAR_PX - 1), fill=DARK),
        *(
            _Placed(line, _set(line, size), 0, top + number * line_px + above_px)
            for number, line in enumerate(lines)
        ),
    ]


def _invitation(screen: Invitation) -> list[_Placed]:
    host, colon, rest = screen.address.rpartition("://")[2].rstrip("/").partition(":")
    port = colon + rest
    if not screen.pin:
        words = [("Uckers", 22), ("table", 16), (host, 11), (port, 11)]
    elif len(screen.pin_lines) == 1:
        words = [(host, 11), (port, 11), ("PIN", 11), (screen.pin, 22)]
    else:
        words = [(host, 11), (f"{port} PIN".lstrip(), 11), *((line, 15) for line in screen.pin_lines)]
    return _beside_the_code([(text, rows) for text, rows in words if text])


def _joining(screen: Joining) -> list[_Placed]:
    # In two halves, each as large as there is room: it is typed letter by letter.
    middle = (len(screen.password) + 1) // 2
    halves = screen.password[:middle], screen.password[middle:]
    return _beside_the_code([(screen.name, 11), ("password", 11), *((half, 17) for half in halves if half)])


def _beside_the_code(words: Sequence[tuple[str, int]]) -> list[_Placed]:
    """Lines from the top, each as high as it may be at most, to the right of a QR code."""
    left = HEIGHT + 3
    gap = (HEIGHT - sum(rows for _, rows in words)) // len(words)
    placed, top = [], gap // 2
    for text, rows in words:
        placed.append(_centred(text, (left, top, WIDTH, top + rows)))
        top += rows + gap
    return placed


def _qr_code(address: str) -> Image.Image:
    """The address as a lit square as high as the panel, with the code dark on it, as cameras expect it."""
    try:
        # Only here: where no network is to be joined, nothing is encoded.
        import segno

        code = segno.make(address, micro=False, error="l")
    except ValueError:
        code = None
    if code is None or len(code.matrix) > _MOST_MODULES:
        raise InputError(f"the address {address!r} is too long for the display's QR code: 53 letters at most")
    rows = [[not is_dark for is_dark in row] for row in code.matrix]
    scale = HEIGHT // (len(rows) + 2)
    square = Image.new("1", (HEIGHT, HEIGHT), LIT)
    picture = Image.new("1", (len(rows), len(rows)))
    picture.putdata([LIT * is_lit for row in rows for is_lit in row])
    margin = (HEIGHT - scale * len(rows)) // 2
    square.paste(picture.resize((scale * len(rows),) * 2, Image.Resampling.NEAREST), (margin, margin))
    return square


def _centred(text: str, box: _Box, *, bold: bool = False, fill: int = LIT) -> _Placed:
    """The text in the middle of the box, as large as fits."""
    left, top, right, bottom = box
    line = _fit(text, right - left, bottom - top, bold)
    x = left + (right - left - line.width) // 2
    y = top + (bottom - top - (line.bottom - line.top)) // 2 - line.top
    return _Placed(text, line, x, y, fill)


@dataclass(frozen=True)
class _Line:
    """A line of text set in a size: where each letter stands, and the pixels that they cover.

    Columns count from the first lit one, rows (`top`, `bottom`) from the baseline downwards.
    """

    letters: tuple[tuple[int, str], ...]
    size: int
    stroke: int
    width: int
    top: int
    bottom: int

    def write(self, pen: ImageDraw.ImageDraw, x: int, baseline: int, fill: int = LIT) -> None:
        """Draw it with its first lit column at `x`."""
        for offset, letter in self.letters:
            pen.text(
                (x + offset, baseline), letter, fill, _font(self.size), anchor="ls", stroke_width=self.stroke
            )


@dataclass(frozen=True)
class _Placed:
    """A line of text in its place: its first lit column, its baseline, and what it is written in."""

    text: str
    line: _Line
    x: int
    baseline: int
    fill: int = LIT


def _capital_px(line: _Line) -> int:
    """How many rows high a capital of the line's size and weight is."""
    top, bottom = _box("E", line.size, line.stroke)[1::2]
    return bottom - top


def _set(text: str, size: int, bold: bool = False) -> _Line:
    """Set a line letter by letter with even gaps between their ink.

    The font's own spacing is made for smooth letters: in whole pixels it runs small words together, and
    it gives a stroke no room.
    """
    stroke = 1 if bold else 0
    letters: list[tuple[int, str]] = []
    x = width = top = bottom = 0
    for letter in text.strip():
        if letter == " ":
            x += _space_px(size)
            continue
        box = _box(letter, size, stroke)
        letters.append((x - box[0], letter))
        width = x + box[2] - box[0]
        top, bottom = min(top, box[1]), max(bottom, box[3])
        x = width + _gap_px(size)
    return _Line(tuple(letters), size, stroke, width, top, bottom)


@lru_cache(maxsize=256)
def _fit(text: str, width_px: int, height_px: int, bold: bool) -> _Line:
    """The text in the largest size that fits; cut when it does not fit in the smallest."""
    for size in range(LARGEST, SMALLEST - 1, -1):
        line = _set(text, size, bold)
        if line.width <= width_px and line.bottom - line.top <= height_px:
            return line
    return _set(_cut(text, width_px), SMALLEST)


def _wrap(sentence: str, width_px: int, height_px: int) -> tuple[int, list[str]]:
    """The largest size, and the lines, in which the sentence fits; cut when the smallest is too large."""
    for size in range(LARGEST_SENTENCE, SMALLEST - 1, -1):
        lines = _lines(sentence, size, width_px)
        if len(lines) * _rows(size)[1] <= height_px:
            return size, lines
    room = height_px // _rows(SMALLEST)[1]
    lines = _lines(sentence, SMALLEST, width_px)[:room]
    return SMALLEST, [*lines[:-1], _cut(lines[-1] + ELLIPSIS, width_px)]


def _lines(sentence: str, size: int, width_px: int) -> list[str]:
    """The sentence in lines, broken between words, and within a word that is too long for a line."""
    lines = [""]
    for word in sentence.split():
        longer = f"{lines[-1]} {word}".strip()
        if _set(longer, size).width <= width_px:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for char in word:
            if _set(lines[-1] + char, size).width > width_px:
                lines.append("")
            lines[-1] += char
    return lines


def _cut(text: str, width_px: int) -> str:
    """As much of the text as fits in the smallest size, an ellipsis after it when something is missing."""
    kept = text.removesuffix(ELLIPSIS)
    while _set(text, SMALLEST).width > width_px:
        kept = kept[:-1].rstrip()
        text = kept + ELLIPSIS
    return text


def _gap_px(size: int) -> int:
    return max(1, round(size * 0.08))


def _space_px(size: int) -> int:
    return max(3, round(size * 0.3))


def _rows(size: int) -> tuple[int, int]:
    """Rows above the baseline, and from one line to the next: what hangs may touch what stands below."""
    box = _box("Agjy", size, 0)
    return -box[1], box[3] - box[1]


@lru_cache(maxsize=8192)
def _box(text: str, size: int, stroke: int) -> _Box:
    """The pixels that the text lights, from its place on the baseline.

    Measured on a drawing: the font's own answer counts the room around a letter too.
    """
    reach = 2 * size * len(text)
    scratch = Image.new("1", (2 * reach, 4 * size))
    pen = ImageDraw.Draw(scratch)
    pen.fontmode = "1"
    pen.text((reach // 2, 2 * size), text, LIT, _font(size), anchor="ls", stroke_width=stroke)
    left, top, right, bottom = scratch.getbbox() or (reach // 2, 2 * size) * 2
    return left - reach // 2, top - 2 * size, right - reach // 2, bottom - 2 * size


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow was built without FreeType"
    return font

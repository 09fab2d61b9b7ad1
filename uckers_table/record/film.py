"""A match as a short film: the board after every ruling on play, with the throw and the ruling under it."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from PIL import GifImagePlugin, Image, ImageChops, ImageDraw, ImageFont

from uckers_table.errors import InputError
from uckers_table.game.ruling import Kind
from uckers_table.machine.progress import Progress, Tell, tell_nobody
from uckers_table.record.board_picture import INK, PAPER, BoardPainter
from uckers_table.record.checking import on_a_board
from uckers_table.record.match_record import DISPUTED, MatchRecord, Ruled, Thrown
from uckers_table.record.notation import board_of

SHOWN_MS = 700
"""How long a play is shown …"""
DISPUTED_MS = 2000
"""… and what people will want to read."""
END_MS = 4000
CAPTION_PX, TEXT_PX = 44, 13
COLOURS = 48
"""In the film's palette: the paints, and the shades of their edges."""
UNCHANGED = 255
"""The colour that lets the picture before show through, and packs to next to nothing."""

_LONG = DISPUTED | {Kind.STOOD, Kind.CHALLENGE_WON, Kind.PENALTY, Kind.UPBOARD, Kind.WON}
_LEFT_OUT = {Kind.CALL_REFUSED, Kind.VOID}

_Scene = tuple[str, Ruled]
"""The throw that a ruling is on, in words, and the ruling."""


def film(match: MatchRecord, tell: Tell = tell_nobody) -> bytes:
    """The match as an animated GIF; `tell` hears of each picture.

    InputError where its board is not known or nothing was ruled.
    """
    return b"".join(film_parts(match, tell))


def film_parts(match: MatchRecord, tell: Tell = tell_nobody) -> Iterator[bytes]:
    """The same, picture by picture: two of them are in memory at a time, however long the match is."""
    match = on_a_board(match, f"match {match.summary.number}")
    painter = BoardPainter(board_of(match.summary.terms))
    scenes = list(_scenes(match))
    if not scenes:
        raise InputError(f"match {match.summary.number}: nothing was ruled, there is nothing to show")
    # One palette for all, so that from picture to picture only what changed is written.
    palette = _side_by_side([_drawn(painter, each) for each in _ends_and_middle(scenes)]).quantize(COLOURS)
    before: Image.Image | None = None
    for number, scene in enumerate(scenes, start=1):
        picture = _drawn(painter, scene).quantize(palette=palette, dither=Image.Dither.NONE)
        if before is None:
            yield _head(picture)
        shown_ms = DISPUTED_MS if scene[1].ruling in _LONG else SHOWN_MS
        yield _packed(before, picture, END_MS if number == len(scenes) else shown_ms)
        before = picture
        tell(Progress("Drawing the film", number, len(scenes), "pictures"))
    yield b";"


def _drawn(painter: BoardPainter, scene: _Scene) -> Image.Image:
    heading, ruled = scene
    return _captioned(painter.picture(ruled.position), heading, ruled)


def _head(picture: Image.Image) -> bytes:
    """What a GIF begins with: its size, its palette, and that it is shown for ever (GIF89a, 17 to 19, 26)."""
    colours = bytes(picture.getpalette("RGB") or ()).ljust(3 * 256, b"\0")
    for_ever = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return b"GIF89a" + struct.pack("<HHBBB", *picture.size, 0xF7, 0, 0) + colours + for_ever


def _packed(before: Image.Image | None, after: Image.Image, shown_ms: int) -> bytes:
    """A picture of the film, as far as it is another than the one before."""
    box = (0, 0, *after.size)
    if before is not None:
        # Compared by their places in the palette: colours that differ may be as light as each other.
        was, now = (Image.frombytes("L", each.size, each.tobytes()) for each in (before, after))
        difference = ImageChops.difference(was, now)
        box = difference.getbbox() or (0, 0, 1, 1)
        after = after.copy()
        after.paste(UNCHANGED, mask=difference.point(lambda level: 255 * (level == 0)))
        after = after.crop(box)
    parts = GifImagePlugin.getdata(after, box[:2], duration=shown_ms, transparency=UNCHANGED, disposal=1)
    return b"".join(parts)


def _scenes(match: MatchRecord) -> Iterator[_Scene]:
    """The rulings that are shown, each with the throw that it is on in words."""
    thrown = ""
    for entry in match.entries:
        if isinstance(entry, Thrown):
            what = "-".join(map(str, entry.dice)) or entry.state
            thrown = f"{entry.side.capitalize()} {what}"
        elif isinstance(entry, Ruled) and entry.ruling in set(Kind) - _LEFT_OUT:
            minutes, seconds = divmod(int(entry.t), 60)
            yield f"{minutes}:{seconds:02d}   {thrown}", entry


def _captioned(board: Image.Image, heading: str, ruled: Ruled) -> Image.Image:
    picture = Image.new("RGB", (board.width, board.height + CAPTION_PX), PAPER)
    picture.paste(board)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(TEXT_PX)
    words = ruled.full or ruled.ruling.replace("_", " ")
    # A play tells its own dice.
    when, _, thrown = heading.partition("   ")
    heading = when if thrown and words.startswith(f"{thrown}:") else heading
    draw.text((6, board.height + 4), heading, INK, font)
    draw.text((6, board.height + 23), _cut(words, board.width - 12, draw, font), INK, font)
    return picture


def _cut(
    words: str,
    width_px: int,
    draw: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
) -> str:
    """As much of a sentence as a line holds."""
    if draw.textlength(words, font) <= width_px:
        return words
    while words and draw.textlength(f"{words} …", font) > width_px:
        words = words.rpartition(" ")[0]
    return f"{words} …"


def _ends_and_middle(scenes: list[_Scene]) -> list[_Scene]:
    """The first, one from the middle and the last: between them they have all colours."""
    return [scenes[0], scenes[len(scenes) // 2], scenes[-1]]


def _side_by_side(some: list[Image.Image]) -> Image.Image:
    sheet = Image.new("RGB", (sum(each.width for each in some), some[0].height))
    for k, each in enumerate(some):
        sheet.paste(each, (k * each.width, 0))
    return sheet

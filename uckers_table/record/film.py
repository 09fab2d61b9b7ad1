"""A match as a short film: the board after every ruling on play, with the throw and the ruling under it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import pairwise

from PIL import Image, ImageChops, ImageDraw, ImageFont

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


def film(match: MatchRecord, tell: Tell = tell_nobody) -> bytes:
    """The match as an animated GIF; `tell` hears of each picture.

    InputError where its board is not known or nothing was ruled.
    """
    match = on_a_board(match, f"match {match.summary.number}")
    painter = BoardPainter(board_of(match.summary.terms))
    scenes = list(_scenes(match))
    if not scenes:
        raise InputError(f"match {match.summary.number}: nothing was ruled, there is nothing to show")
    pictures = []
    for number, (heading, ruled) in enumerate(scenes, start=1):
        pictures.append(_captioned(painter.picture(ruled.position), heading, ruled))
        tell(Progress("Drawing the film", number, len(scenes), "pictures"))
    # One palette for all, so that from picture to picture only what changed is written.
    palette = _side_by_side(pictures).quantize(COLOURS)
    flat = []
    for number, picture in enumerate(pictures, start=1):
        flat.append(picture.quantize(palette=palette, dither=Image.Dither.NONE))
        tell(Progress("Colouring the film", number, len(pictures), "pictures"))
    first, *others = [flat[0], *(_changed(before, after) for before, after in pairwise(flat))]
    durations = [DISPUTED_MS if ruled.ruling in _LONG else SHOWN_MS for _, ruled in scenes]
    durations[-1] = END_MS
    out = io.BytesIO()
    first.save(
        out,
        "GIF",
        save_all=True,
        append_images=others,
        duration=durations,
        loop=0,
        optimize=False,
        disposal=1,
        transparency=UNCHANGED,
    )
    return out.getvalue()


def _scenes(match: MatchRecord) -> Iterator[tuple[str, Ruled]]:
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
    draw.text((6, board.height + 4), heading, INK, font)
    words = ruled.full or ruled.ruling.replace("_", " ")
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


def _changed(before: Image.Image, after: Image.Image) -> Image.Image:
    """A picture of the film with only what is another than in the one before."""
    # Compared by their places in the palette: colours that differ may be as light as each other.
    was, now = (Image.frombytes("L", each.size, each.tobytes()) for each in (before, after))
    same = ImageChops.difference(was, now).point(lambda level: 255 * (level == 0))
    changed = after.copy()
    changed.paste(UNCHANGED, mask=same)
    return changed


def _side_by_side(pictures: list[Image.Image]) -> Image.Image:
    """The first picture, one from the middle and the last: between them they have all colours."""
    some = [pictures[0], pictures[len(pictures) // 2], pictures[-1]]
    sheet = Image.new("RGB", (sum(each.width for each in some), some[0].height))
    for k, each in enumerate(some):
        sheet.paste(each, (k * each.width, 0))
    return sheet

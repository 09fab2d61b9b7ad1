"""A match as a film of a minute: its moments a second each, all else as quick as it takes.

Each picture is the board after a ruling on play, the dice, and the ruling in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from uckers_table.errors import InputError
from uckers_table.game.board import BASE
from uckers_table.game.ruling import Kind
from uckers_table.machine.progress import Progress, Tell, tell_nobody
from uckers_table.record.board_picture import INK, PAPER, BoardPainter
from uckers_table.record.checking import on_a_board
from uckers_table.record.match_record import MatchRecord, Ruled, Thrown
from uckers_table.record.moments import MomentKind, moments_of
from uckers_table.record.moving import FORMS, TimedPicture
from uckers_table.record.notation import board_of

FILM_MS = 60_000
MOMENT_MS = 1_000
"""How long a moment is shown …"""
END_MS = 4_000
"""… and the end."""
MOST_MS, LEAST_MS = 700, 40
"""How long any other ruling is shown in a short match, and in a long one: 25 pictures a second. Browsers slow
down what is much quicker.
"""
TEXT_PX, LINE_PX, EDGE_PX, DIE_PX = 13, 17, 6, 26
MOST_LINES = 8
"""Of a ruling's words; no ruling of this program takes more than five."""
COLOURS = 48
"""In the film's palette: the paints, and the shades of their edges."""

_LEFT_OUT = {Kind.CALL_REFUSED, Kind.VOID}


@dataclass(frozen=True)
class _Scene:
    """A ruling that is shown, the last throw before it, and what makes a moment of it."""

    ruled: Ruled
    thrown: Thrown | None
    kinds: tuple[MomentKind, ...] = ()


def film(match: MatchRecord, tell: Tell = tell_nobody, form: str = "gif") -> bytes:
    """The match as an animated picture, in one of FORMS; `tell` hears of each picture.

    InputError where its board is not known or nothing was ruled.
    """
    return b"".join(film_parts(match, tell, form))


def film_parts(match: MatchRecord, tell: Tell = tell_nobody, form: str = "gif") -> Iterator[bytes]:
    """The same in parts: two pictures are in memory at a time, however long the match is."""
    match = on_a_board(match, f"match {match.summary.number}")
    scenes = list(_scenes(match))
    if not scenes:
        raise InputError(f"match {match.summary.number}: nothing was ruled, there is nothing to show")
    yield from FORMS[form](_pictures(match, scenes, tell))


def _pictures(match: MatchRecord, scenes: Sequence[_Scene], tell: Tell) -> Iterator[TimedPicture]:
    painter = BoardPainter(board_of(match.summary.terms))
    caption = _Caption(painter.size_px[0], scenes)
    # One palette for all, so that from picture to picture only what changed is written.
    palette = _side_by_side([caption.under(painter, each) for each in _ends_and_middle(scenes)])
    palette = palette.quantize(COLOURS)
    for number, (scene, shown_ms) in enumerate(zip(scenes, paces(scenes), strict=True), start=1):
        picture = caption.under(painter, scene).quantize(palette=palette, dither=Image.Dither.NONE)
        yield picture, shown_ms
        tell(Progress("Drawing the film", number, len(scenes), "pictures"))


def _scenes(match: MatchRecord) -> Iterator[_Scene]:
    """The rulings that are shown."""
    kinds = {moment.number: moment.kinds for moment in moments_of(match)}
    thrown, number = None, 0
    for entry in match.entries:
        if isinstance(entry, Thrown):
            thrown = entry
        elif isinstance(entry, Ruled):
            number += 1
            if entry.ruling in set(Kind) - _LEFT_OUT:
                yield _Scene(entry, thrown, kinds.get(number, ()))


# ---------------------------------------------------------------- how long each is shown


def paces(scenes: Sequence[_Scene]) -> list[int]:
    """How long each is shown, in milliseconds: a minute in all, or less.

    Where a minute has no room for all moments, those in which least happened are as quick as all else.
    """
    room = FILM_MS - END_MS - LEAST_MS * (len(scenes) - 1)
    by_weight = sorted(
        (at for at, scene in enumerate(scenes[:-1]) if scene.kinds), key=lambda at: _weight(scenes[at])
    )
    shown = {*by_weight[-max(0, room // (MOMENT_MS - LEAST_MS)) :]} if room > 0 else set[int]()
    others = max(1, len(scenes) - 1 - len(shown))
    rest = (FILM_MS - END_MS - MOMENT_MS * len(shown)) // others
    # A film's clock has steps of ten.
    rest = min(MOST_MS, max(LEAST_MS, rest - rest % 10))
    return [MOMENT_MS if at in shown else rest for at in range(len(scenes) - 1)] + [END_MS]


def _weight(scene: _Scene) -> tuple[bool, int]:
    """How much happens in a moment: more than an ucking alone, and how many steps were lost by it."""
    is_more = any(kind is not MomentKind.UCKING for kind in scene.kinds)
    return is_more, sum(max(0, move.start - BASE) for move in scene.ruled.captured)


# ---------------------------------------------------------------- what is under the board


class _Caption:
    """What stands under the board: when it was, whose throw, the dice, and all words of the ruling."""

    def __init__(self, width_px: int, scenes: Sequence[_Scene]) -> None:
        self._width_px = width_px
        self._font = ImageFont.load_default(TEXT_PX)
        self._pen = ImageDraw.Draw(Image.new("RGB", (1, 1)))
        lines = max(len(self._lines(scene)) for scene in scenes)
        self.height_px = 2 * EDGE_PX + DIE_PX + LINE_PX * lines

    def under(self, painter: BoardPainter, scene: _Scene) -> Image.Image:
        """The board of a scene with its caption."""
        board = painter.picture(scene.ruled.position)
        picture = Image.new("RGB", (board.width, board.height + self.height_px), PAPER)
        picture.paste(board)
        pen, top = ImageDraw.Draw(picture), board.height + EDGE_PX
        left = EDGE_PX
        for value in scene.thrown.dice if scene.thrown is not None else ():
            _draw_die(pen, left, top, value)
            left += DIE_PX + 4
        pen.text((left + 2, top + 5), _heading(scene), INK, self._font)
        for number, line in enumerate(self._lines(scene)):
            pen.text((EDGE_PX, top + DIE_PX + 2 + LINE_PX * number), line, INK, self._font)
        return picture

    def _lines(self, scene: _Scene) -> list[str]:
        """The words of a ruling in lines that fit."""
        lines, line = list[str](), ""
        for word in (scene.ruled.full or scene.ruled.ruling.replace("_", " ")).split():
            for part in self._parts(word):
                longer = f"{line} {part}" if line else part
                if line and not self._fits(longer):
                    lines.append(line)
                    longer = part
                line = longer
        lines = [*lines, line] if line else lines
        return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "…"]

    def _parts(self, word: str) -> Iterator[str]:
        """A word, or the parts of one that is longer than a line. What is longer than all lines is cut."""
        word = word[: MOST_LINES * self._width_px]
        while word:
            fits = len(word)
            while fits > 1 and not self._fits(word[:fits]):
                fits = fits // 2 if not self._fits(word[: fits // 2]) else fits - 1
            yield word[:fits]
            word = word[fits:]

    def _fits(self, words: str) -> bool:
        return self._pen.textlength(words, self._font) <= self._width_px - 2 * EDGE_PX


def _heading(scene: _Scene) -> str:
    """When it was, who threw what is no dice, and what makes a moment of it."""
    minutes, seconds = divmod(int(scene.ruled.t), 60)
    thrown = scene.thrown
    said = f"{thrown.side.capitalize()}{'' if thrown.dice else f' {thrown.state}'}" if thrown else ""
    what = ", ".join(kind.replace("_", " ") for kind in scene.kinds)
    return "   ".join(filter(None, (f"{minutes}:{seconds:02d}", said, what)))


_PIPS = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
"""Where the pips of a die lie, of nine places in three rows."""


def _draw_die(pen: ImageDraw.ImageDraw, left: int, top: int, value: int) -> None:
    pen.rounded_rectangle((left, top, left + DIE_PX - 1, top + DIE_PX - 1), 5, "#ffffff", INK, 2)
    for place in _PIPS.get(value, ()):
        x, y = left + 6 + 7 * (place % 3), top + 6 + 7 * (place // 3)
        pen.ellipse((x - 2, y - 2, x + 2, y + 2), INK)


def _ends_and_middle(scenes: Sequence[_Scene]) -> list[_Scene]:
    """The first, one from the middle and the last: between them they have all colours."""
    return [scenes[0], scenes[len(scenes) // 2], scenes[-1]]


def _side_by_side(some: list[Image.Image]) -> Image.Image:
    sheet = Image.new("RGB", (sum(each.width for each in some), some[0].height))
    for k, each in enumerate(some):
        sheet.paste(each, (k * each.width, 0))
    return sheet

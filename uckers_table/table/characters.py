"""Pictures made of characters, for a terminal: the camera's, the display's, dice, and the board in letters.

Nothing here knows how large the terminal is or what stands where on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageColor, ImageDraw
from rich.style import Style
from rich.text import Text

from uckers_table.game.board import PIECES, Board
from uckers_table.game.layout import INNER_BASE, Layout, Point
from uckers_table.game.position import Position
from uckers_table.record.board_picture import DARK_LETTER, INK, OTHER_PAINT, PAINT

SHADES = 15
"""Grey levels that a terminal's picture takes together: neighbours of one colour are drawn in one go."""
SQUARES = ((6, 3), (4, 2), (2, 1))
"""How many columns and rows a square of the drawn board may have, the largest first. A character is about
twice as high as it is wide.
"""
FINER = 8
"""The bare board is drawn so many times larger, so that a character has the colour of its middle."""
FLOOR, TILES = "#262622", ("#55554c", "#494941")
"""The ground under the board, and its uncoloured squares, in turns so that they can be counted."""
EMPTY = "·"
"""Marks a square, or a place in base, on which nothing stands: all that does where there are no colours."""
MARK = "#a8a89c"
SHADE = 0.45
"""How bright a colour's own squares are, beside its pieces."""
DIE_ROWS = 5
_PIPS: Mapping[int, Sequence[str]] = {
    0: ("       ",) * 3,
    1: ("       ", "   ●   ", "       "),
    2: (" ●     ", "       ", "     ● "),
    3: (" ●     ", "   ●   ", "     ● "),
    4: (" ●   ● ", "       ", " ●   ● "),
    5: (" ●   ● ", "   ●   ", " ●   ● "),
    6: (" ●   ● ", " ●   ● ", " ●   ● "),
}
_BRAILLE_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The Unicode bit of each of the 4 × 2 dots of a braille character."""

_Cell = tuple[str, Style]
"""A character of the drawn board, and how it is drawn."""


def half_blocks(picture: npt.NDArray[np.uint8], columns: int, rows: int) -> Text:
    """A BGR picture in at most so many columns and rows of characters, in true colour, its shape kept."""
    columns = columns_of(picture, columns, rows)
    height, width = picture.shape[:2]
    pixel_rows = max(2, int(columns * height / width) // 2 * 2)
    small = cv2.resize(picture, (columns, pixel_rows), interpolation=cv2.INTER_AREA)
    small = small // SHADES * SHADES
    text = Text(no_wrap=True)
    for upper, lower in zip(small[0::2], small[1::2], strict=True):
        pairs = zip(map(tuple, upper.tolist()), map(tuple, lower.tolist()), strict=True)
        for ((b1, g1, r1), (b2, g2, r2)), run in groupby(pairs):
            style = f"#{r1:02x}{g1:02x}{b1:02x} on #{r2:02x}{g2:02x}{b2:02x}"
            text.append("▀" * sum(1 for _ in run), style)
        text.append("\n")
    return text


def columns_of(picture: npt.NDArray[np.uint8], columns: int, rows: int) -> int:
    """How many of these columns a picture takes if it keeps its shape: its width in pixels there."""
    height, width = picture.shape[:2]
    return min(columns, int(2 * rows * width / height))


def braille(picture: Image.Image) -> Text:
    """A black and white picture with eight pixels a character: 64 × 16 characters for the OLED."""
    lit = np.asarray(picture.convert("1"), dtype=np.uint8)
    height, width = lit.shape
    cells = np.full((height // 4, width // 2), 0x2800)
    for row, bits in enumerate(_BRAILLE_BITS):
        for column, bit in enumerate(bits):
            cells += lit[row::4, column::2][: height // 4, : width // 2] * bit
    return Text("\n".join("".join(map(chr, line)) for line in cells.tolist()), style="bright_cyan")


def dice_faces(dice: Sequence[int], style: str = "") -> Text:
    """Dice side by side, each with its pips; 0 is a die that shows nothing yet."""
    faces = [("╭───────╮", *(f"│{row}│" for row in _PIPS[value]), "╰───────╯") for value in dice]
    return Text("\n".join(" ".join(rows) for rows in zip(*faces, strict=True)), style=style, no_wrap=True)


def room_for_board(board: Board, columns: int, rows: int) -> tuple[int, int] | None:
    """The largest of SQUARES with which a board has room in so many columns and rows; None for none."""
    width, height = Layout(board).size
    fitting = (each for each in SQUARES if each[0] * width <= columns and each[1] * height <= rows)
    return next(fitting, None)


def board_in_letters(board: Board, position: Position, square: tuple[int, int]) -> Text:
    """The board drawn with squares of so many columns and rows. Each piece is its colour's letter on its
    paint, with a number where several stand.
    """
    cells = [list(row) for row in _bare_board(board, square)]
    for (column, row), pieces in _standing(board, position, square).items():
        written = _pieces(board, pieces, square[0])
        start, top = column - len(written) // 2, row - square[1] // 2
        for k, (character, style) in enumerate(written):
            for beside in range(top, top + square[1]):
                cells[beside][start + k] = (character if beside == row else " ", style)
    text = Text(no_wrap=True)
    for line in cells:
        for style, run in groupby(line, key=lambda cell: cell[1]):
            text.append("".join(character for character, _ in run), style)
        text.append("\n")
    return text


@cache
def _bare_board(board: Board, square: tuple[int, int]) -> tuple[tuple[_Cell, ...], ...]:
    """The characters of a board on which nothing stands, row by row."""
    layout = Layout(board)
    columns, rows = _size(layout, square)
    picture = Image.new("RGB", (columns * FINER, rows * FINER), FLOOR)
    draw = ImageDraw.Draw(picture)

    def fill(corners: Sequence[Point], colour: str) -> None:
        draw.polygon([_at(layout, corner, square, FINER) for corner in corners], colour)

    for seat, colour in enumerate(board.seats):
        fill(layout.base(seat), _shaded(colour))
        fill(layout.base(seat, INNER_BASE), FLOOR)
        fill(layout.home(seat), _shaded(colour))
    for number, (place, owner) in enumerate(layout.squares):
        fill(place.corners(), TILES[number % 2] if owner is None else _shaded(board.seats[owner]))
    grounds = np.asarray(picture.resize((columns, rows), Image.Resampling.NEAREST)).tolist()
    marks = {_character(layout, (place.x, place.y), square) for place, _ in layout.squares}
    marks |= {_character(layout, point, square) for point in _base_spots(layout)}
    return tuple(
        tuple(
            (EMPTY if (column, row) in marks else " ", _ground(red, green, blue))
            for column, (red, green, blue) in enumerate(line)
        )
        for row, line in enumerate(grounds)
    )


def _base_spots(layout: Layout) -> Iterator[Point]:
    for seat in range(layout.board.arms):
        for number in range(PIECES):
            place = layout.place(seat, 0, number)
            yield place.x, place.y


def _size(layout: Layout, square: tuple[int, int]) -> tuple[int, int]:
    width, height = layout.size
    return round(width * square[0]), round(height * square[1])


def _at(layout: Layout, point: Point, square: tuple[int, int], finer: int = 1) -> Point:
    """A point of the drawing in characters from the top left, or in so many times as many of them."""
    columns, rows = _size(layout, square)
    return finer * (columns / 2 + point[0] * square[0]), finer * (rows / 2 + point[1] * square[1])


def _character(layout: Layout, point: Point, square: tuple[int, int]) -> tuple[int, int]:
    """The column and row of the character at a point; of two that are as near, the right and the lower."""
    column, row = _at(layout, point, square)
    return int(column + 1e-6), int(row + 1e-6)


def _standing(
    board: Board, position: Position, square: tuple[int, int]
) -> dict[tuple[int, int], Counter[int]]:
    """How many pieces of each seat stand where, by the character in the middle of that place."""
    layout = Layout(board)
    places: dict[tuple[int, int], Counter[int]] = {}
    for seat, pieces in enumerate(position):
        for number, steps in enumerate(pieces):
            place = layout.place(seat, steps, number)
            places.setdefault(_character(layout, (place.x, place.y), square), Counter())[seat] += 1
    return places


def _pieces(board: Board, pieces: Mapping[int, int], columns: int) -> list[_Cell]:
    """What is written of the pieces on a square that is so many columns wide."""
    tall = [[board.letters[seat], *([str(count)] if count > 1 else [])] for seat, count in pieces.items()]
    low = [[board.letters[seat]] for seat in pieces]
    words = tall if sum(map(len, tall)) <= columns else low
    seats = list(pieces)
    written = [
        (character, _paint(board.seats[seat]))
        for seat, word in zip(seats, words, strict=True)
        for character in word
    ]
    if len(written) > columns:
        written = [*written[: columns - 1], ("+", written[columns - 1][1])]
    if len(seats) == 1:
        # One colour has the square's whole width.
        ground = written[0][1]
        before = (columns - len(written) + 1) // 2
        after = columns - len(written) - before
        written = [(" ", ground)] * before + written + [(" ", ground)] * after
    return written


@cache
def _ground(red: int, green: int, blue: int) -> Style:
    return Style(color=MARK, bgcolor=f"#{red:02x}{green:02x}{blue:02x}")


@cache
def _paint(colour: str) -> Style:
    ink = INK if colour in DARK_LETTER else "#ffffff"
    return Style(color=ink, bgcolor=PAINT.get(colour, OTHER_PAINT), bold=True)


@cache
def _shaded(colour: str) -> str:
    red, green, blue = (round(SHADE * part) for part in ImageColor.getrgb(PAINT.get(colour, OTHER_PAINT))[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"

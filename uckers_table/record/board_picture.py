"""The board with its pieces as a small picture, for films of a match. Pure drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from PIL import Image, ImageDraw, ImageFont

from uckers_table.game.board import Board
from uckers_table.game.layout import INNER_BASE, Layout, Point
from uckers_table.record.match_record import Standing

CELL_PX = 24
"""The side of a square; the usual board is 15 of them."""
FINER = 3
"""Drawn so many times larger and made smaller, so that edges are smooth."""
PAPER, INK, LINE = "#f4efe4", "#1d1d1b", "#9b9384"
PAINT = {
    "red": "#c8352e",
    "green": "#2f8a4c",
    "yellow": "#e5b422",
    "blue": "#2c62ad",
    "white": "#fbfbf8",
    "black": "#333333",
}
OTHER_PAINT = "#8a6fae"
DARK_LETTER = ("yellow", "white")
"""Pieces so light that their letter is dark."""

SIDE_BY_SIDE: tuple[tuple[Point, ...], ...] = (
    (),
    ((0, 0),),
    ((-0.2, 0.2), (0.2, -0.2)),
    *[((-0.24, -0.24), (0.24, -0.24), (-0.24, 0.24), (0.24, 0.24))] * 2,
    *[((-0.32, -0.24), (0, -0.24), (0.32, -0.24), (-0.32, 0.24), (0, 0.24), (0.32, 0.24))] * 2,
)
"""Where the colours of a mixed square lie, by how many they are: in cells from its middle …"""
SIZES = (0.0, 1.0, 0.62, 0.52, 0.52, 0.4, 0.4)
"""… and how large, so that no square's pieces lie on another."""


class BoardPainter:
    """Paints positions of one board."""

    def __init__(self, board: Board) -> None:
        self._board, self._layout = board, Layout(board)
        self._letters = dict(zip(board.seats, board.letters, strict=True))
        width, height = self._layout.size
        self.size_px = round(CELL_PX * width), round(CELL_PX * height)
        self._pieces: dict[tuple[str, int, float], Image.Image] = {}

    def picture(self, position: Standing) -> Image.Image:
        """The board (RGB, `size_px` large) with the pieces where they stand."""
        picture = self._bare.copy()
        for (left, top), pieces in self._by_place(position).items():
            for (colour, number), (x, y) in zip(
                sorted(pieces.items()), SIDE_BY_SIDE[len(pieces)], strict=False
            ):
                piece = self._piece(colour, number, SIZES[len(pieces)])
                at = (
                    round(left + x * CELL_PX - piece.width / 2),
                    round(top + y * CELL_PX - piece.height / 2),
                )
                picture.paste(piece, at, piece)
        return picture

    @cached_property
    def _bare(self) -> Image.Image:
        """The board without pieces."""
        board, layout = self._board, self._layout
        width, height = self.size_px
        picture = Image.new("RGB", (width * FINER, height * FINER), PAPER)
        draw = ImageDraw.Draw(picture)
        for seat, colour in enumerate(board.seats):
            self._shape(draw, layout.base(seat), PAINT.get(colour, OTHER_PAINT))
            self._shape(draw, layout.base(seat, INNER_BASE), PAPER)
            self._shape(draw, layout.home(seat), PAINT.get(colour, OTHER_PAINT))
        for place, owner in layout.squares:
            paint = PAPER if owner is None else PAINT.get(board.seats[owner], OTHER_PAINT)
            self._shape(draw, place.corners(), paint)
        return picture.resize(self.size_px, Image.Resampling.LANCZOS)

    def _shape(self, draw: ImageDraw.ImageDraw, corners: Sequence[Point], fill: str) -> None:
        draw.polygon([self._at(corner, FINER) for corner in corners], fill, LINE, FINER)

    def _at(self, point: Point, finer: int = 1) -> Point:
        """A point of the drawing in pixels of the picture, or of one so many times finer."""
        width, height = self.size_px
        return finer * (width / 2 + CELL_PX * point[0]), finer * (height / 2 + CELL_PX * point[1])

    def _by_place(self, position: Standing) -> dict[Point, Counter[str]]:
        """The middle of each place that is taken, in pixels, and what lies there."""
        places: dict[Point, Counter[str]] = {}
        for colour, pieces in position.items():
            seat = self._board.seat(colour)
            for k, steps in enumerate(pieces):
                place = self._layout.place(seat, steps, k)
                places.setdefault(self._at((place.x, place.y)), Counter())[colour] += 1
        return places

    def _piece(self, colour: str, number: int, size: float) -> Image.Image:
        """So many pieces of a colour on one another (RGBA), `size` of a cell large."""
        if (colour, number, size) in self._pieces:
            return self._pieces[colour, number, size]
        side = CELL_PX * FINER
        picture = Image.new("RGBA", (side, side))
        draw = ImageDraw.Draw(picture)
        edge = side * 0.08
        # A light rim, or it would be lost on its own colour's squares.
        draw.ellipse((0, 0, side, side), PAPER)
        draw.ellipse((edge, edge, side - edge, side - edge), PAINT.get(colour, OTHER_PAINT), INK, FINER)
        # Colour is never the only sign: a letter says whose it is, and a number how many lie there.
        letter = self._letters[colour] + (str(number) if number > 1 else "")
        ink = INK if colour in DARK_LETTER else "#ffffff"
        font = _font(int(side * (0.46 if number == 1 else 0.42)))
        draw.text((side / 2, side / 2), letter, ink, font, anchor="mm")
        side_px = round(CELL_PX * size)
        piece = picture.resize((side_px, side_px), Image.Resampling.LANCZOS)
        self._pieces[colour, number, size] = piece
        return piece


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)

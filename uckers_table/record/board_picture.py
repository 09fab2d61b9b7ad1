"""The board with its pieces as a small picture, for films of a match. Pure drawing."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from PIL import Image, ImageDraw, ImageFont

from uckers_table.errors import InputError
from uckers_table.game.board import BASE, Board, Plan
from uckers_table.record.match_record import Standing

CELL_PX = 24
"""The side of a cell; a board is 15 of them."""
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

Point = tuple[float, float]

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
    """Paints positions of one board. InputError for one that has not four arms."""

    def __init__(self, board: Board) -> None:
        if board.arms != 4:
            raise InputError(f"a board of {board.arms} arms cannot be drawn: only four have a square plan")
        self._board, self._plan = board, Plan(board, cell_mm=CELL_PX, border_mm=0)
        self.side_px = CELL_PX * self._plan.cells
        self._pieces: dict[tuple[str, int, float], Image.Image] = {}

    def picture(self, position: Standing) -> Image.Image:
        """The board (RGB, `side_px` square) with the pieces where they stand."""
        picture = self._bare.copy()
        for middle, pieces in self._by_place(position).items():
            for (colour, number), (x, y) in zip(
                sorted(pieces.items()), SIDE_BY_SIDE[len(pieces)], strict=False
            ):
                piece = self._piece(colour, number, SIZES[len(pieces)])
                at = (
                    round(middle[0] + x * CELL_PX - piece.width / 2),
                    round(middle[1] + y * CELL_PX - piece.height / 2),
                )
                picture.paste(piece, at, piece)
        return picture

    @cached_property
    def _bare(self) -> Image.Image:
        """The board without pieces."""
        board, plan = self._board, self._plan
        side = self.side_px * FINER
        picture = Image.new("RGB", (side, side), PAPER)
        draw = ImageDraw.Draw(picture)
        arm = board.arm_length
        for seat, colour in enumerate(board.seats):
            corner = [plan.turned(cell, seat) for cell in ((0, 0), (arm - 1, arm - 1))]
            self._box(draw, corner, PAINT.get(colour, OTHER_PAINT))
            inner = [plan.turned(cell, seat) for cell in ((1, 1), (arm - 2, arm - 2))]
            self._box(draw, inner, PAPER)
        for square, cell in enumerate(plan.track_cells):
            seat, steps = divmod(square, board.squares_per_seat)
            self._box(draw, [cell], PAINT.get(board.seats[seat], OTHER_PAINT) if steps == 0 else PAPER)
        for seat, colour in enumerate(board.seats):
            for steps in board.chute:
                self._box(draw, [plan.chute_cell(seat, steps)], PAINT.get(colour, OTHER_PAINT))
        self._home(draw)
        return picture.resize((self.side_px, self.side_px), Image.Resampling.LANCZOS)

    def _home(self, draw: ImageDraw.ImageDraw) -> None:
        """Four triangles, each towards its colour's chute."""
        plan, first, last = self._plan, self._board.arm_length, self._board.arm_length + 3
        middle = plan.cells / 2
        corners = [(first, last), (first, first), (last, first), (last, last)]
        for seat, colour in enumerate(self._board.seats):
            triangle = [corners[seat], corners[(seat + 1) % 4], (middle, middle)]
            points = [(x * CELL_PX * FINER, y * CELL_PX * FINER) for x, y in triangle]
            draw.polygon(points, PAINT.get(colour, OTHER_PAINT), LINE, FINER)

    def _box(self, draw: ImageDraw.ImageDraw, cells: list[tuple[int, int]], fill: str) -> None:
        columns, rows = [cell[0] for cell in cells], [cell[1] for cell in cells]
        px = CELL_PX * FINER
        box = (min(columns) * px, min(rows) * px, (max(columns) + 1) * px, (max(rows) + 1) * px)
        draw.rectangle(box, fill, LINE, FINER)

    def _by_place(self, position: Standing) -> dict[Point, Counter[str]]:
        """The middle of each place that is taken, in pixels, and what lies there."""
        places: dict[Point, Counter[str]] = {}
        for colour, pieces in position.items():
            seat = self._board.seat(colour)
            for k, steps in enumerate(pieces):
                places.setdefault(self._middle(seat, steps, k), Counter())[colour] += 1
        return places

    def _middle(self, seat: int, steps: int, number: int) -> Point:
        """The middle of a piece; `number` tells a colour's four apart where they lie side by side."""
        cell = self._plan.cell(seat, steps)
        if cell is not None:
            return self._plan.centre_mm(cell)
        plan, arm = self._plan, self._board.arm_length
        if steps == BASE:
            near, far = arm / 2 - 1, arm / 2 + 1
            at = [(near, near), (far, near), (far, far), (near, far)][number % 4]
        else:
            at = (arm + 0.6, plan.cells / 2)
        for _ in range(seat):
            at = (plan.cells - at[1], at[0])
        return at[0] * CELL_PX, at[1] * CELL_PX

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
        letter = colour[0].upper() + (str(number) if number > 1 else "")
        ink = INK if colour in DARK_LETTER else "#ffffff"
        font = _font(int(side * (0.46 if number == 1 else 0.42)))
        draw.text((side / 2, side / 2), letter, ink, font, anchor="mm")
        side_px = round(CELL_PX * size)
        piece = picture.resize((side_px, side_px), Image.Resampling.LANCZOS)
        self._pieces[colour, number, size] = piece
        return piece


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)

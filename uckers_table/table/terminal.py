"""The match in a terminal: the board, the dice, the OLED, the last rulings, the way home.

Nothing here decides anything; it is handed what there is to show (see `views`). The board is the camera's
picture where a piece can be made out in it, and else is drawn with letters.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.align import Align
from rich.color import Color, ColorParseError
from rich.console import Console
from rich.layout import Layout
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from uckers_table.announce.lines import console_columns
from uckers_table.announce.oled import Screen, draw, letters
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.table.characters import (
    DIE_ROWS,
    board_in_letters,
    braille,
    columns_of,
    dice_faces,
    half_blocks,
    room_for_board,
)
from uckers_table.table.views import Glimpse

REFRESH_S = 0.6
"""How often the terminal is drawn at most: a drawing costs as much as reading a frame does."""
LINES_KEPT = 200
EDGE = 2
"""The columns, or rows, of a panel's two edges."""
MARGINS = 4
"""The columns of a panel's edges and of the space inside them."""
LEAST_SIDE = 46
"""Columns that the words beside the board have at least."""
OLED_COLUMNS, OLED_ROWS = 64, 16
"""The display in braille. Where it has no room, its words stand for it."""
LEAST_TOLD = 8
"""Rows that the rulings have at least, before the display is more than words."""
CLEAR_PX = 90
"""A camera picture so many pixels wide has five for each square: a piece can be made out."""
INKS = {"black": "white", "orange": "dark_orange", "pink": "hot_pink", "brown": "orange4", "grey": "grey62"}
"""What a colour of pieces is drawn in where the terminal has no such colour, or cannot show it on black."""


class TerminalView:
    """The whole table on one screen. `way_in` gives the page's address and PIN in a line, empty for none."""

    def __init__(self, console: Console, way_in: Callable[[], str] = str) -> None:
        self._console, self._way_in = console, way_in
        self._lines: deque[Mapping[str, Any]] = deque(maxlen=LINES_KEPT)
        self._drawn = 0.0
        self._live = Live(console=console, screen=True, auto_refresh=False)
        self._live.start()

    def show(self, glimpse: Glimpse) -> None:
        self._lines.extend(glimpse.rulings)
        now = time.monotonic()
        if now - self._drawn < REFRESH_S:
            return
        self._drawn = now
        self._live.update(self.layout(glimpse), refresh=True)

    def layout(self, glimpse: Glimpse) -> Layout:
        """The screen as it would be drawn now."""
        width, height = self._console.size
        match = glimpse.match
        board, title = _board(glimpse, width, height)
        board_width = max(map(len, board.plain.splitlines()), default=0) + MARGINS
        board_rows = board.plain.count("\n") + EDGE
        dice = Layout(Panel(_dice(match), title="the dice"), size=DIE_ROWS + EDGE)
        left = [Layout(Panel(board, title=title))]
        is_below = height - board_rows >= DIE_ROWS + EDGE
        if is_below:
            left.append(dice)
        side = width - board_width
        above = len(match.board.seats) + EDGE + (0 if is_below else DIE_ROWS + EDGE)
        is_wide = side >= OLED_COLUMNS + EDGE
        has_room = is_wide and height - above - OLED_ROWS - EDGE >= LEAST_TOLD
        oled = braille(draw(glimpse.screen)) if has_room else _words(glimpse.screen)
        right = [
            Layout(
                Panel(Align.center(oled), title="OLED", padding=0, subtitle=self._way_in() or None),
                size=oled.plain.count("\n") + 1 + EDGE,
            ),
            *([] if is_below else [dice]),
            Layout(Panel(_way_home(match), title="way home"), size=len(match.board.seats) + EDGE),
            Layout(
                Panel(self._latest(height, with_sides=is_wide), title="the referee", subtitle=glimpse.status)
            ),
        ]
        layout = Layout()
        layout.split_row(Layout(name="board", size=board_width), Layout(name="side"))
        layout["board"].split_column(*left)
        layout["side"].split_column(*right)
        return layout

    def _latest(self, count: int, *, with_sides: bool) -> Grid:
        """The newest rulings, the newest on top: sentences may be long, and the panel cuts off below."""
        grid = Grid.grid(padding=(0, 1))
        grid.add_column(no_wrap=True, justify="right")
        if with_sides:
            grid.add_column(no_wrap=True)
        grid.add_column(ratio=1)
        for line in reversed(list(self._lines)[-count:]):
            when, side, words = console_columns(line)
            style = _line_style(line)
            cells = [Text(when.partition(".")[0], style), Text(words, style)]
            if with_sides:
                cells.insert(1, Text(side, _ink(side) if side else style))
            grid.add_row(*cells)
        return grid

    def close(self) -> None:
        self._live.stop()


def _board(glimpse: Glimpse, width: int, height: int) -> tuple[Text, str]:
    """The board as the camera sees it if a piece can be made out, else as it is on record; and its title."""
    picture, match = glimpse.picture, glimpse.match
    columns, rows = width - max(OLED_COLUMNS + EDGE, width * 2 // 5) - MARGINS, height - EDGE - 1
    if picture is not None and columns_of(picture, columns, rows) >= CLEAR_PX:
        return half_blocks(picture, columns, rows), "the camera"
    square = room_for_board(match.board, width - LEAST_SIDE - MARGINS, height - EDGE)
    if square is None:
        return Text("There is no room for the board here.\n"), "the board"
    return board_in_letters(match.board, match.position, square), "the board on record"


def _dice(match: Match) -> Text:
    """The throw in hand; or as many dice as are to be thrown, without pips."""
    if match.awaiting is Awaiting.PLAY and match.thrown:
        return dice_faces(match.thrown)
    return dice_faces((0,) * match.dice_due, "dim") if match.dice_due else Text()


def _words(screen: Screen) -> Text:
    """What the display says, as it breaks its lines."""
    lines = [text for text, _ in letters(screen)]
    return Text("\n".join(lines), style="bold bright_cyan", justify="center")


def _line_style(line: Mapping[str, Any]) -> Style:
    if line["ruling"] in ("illegal", "timber_shift", "penalty"):
        return Style(bold=True, color="bright_red")
    if line["ruling"] in ("won", "challenge_won"):
        return Style(bold=True, color="bright_green")
    return Style(dim=not line["say"])


def _way_home(match: Match) -> Grid:
    """How far each colour is on its way home."""
    grid = Grid.grid(padding=(0, 1), expand=True)
    for ratio in (None, 1, None):
        grid.add_column(ratio=ratio)
    for colour, share in zip(match.board.seats, _shares(match), strict=True):
        ink = _ink(colour)
        bar = ProgressBar(total=1.0, completed=share, complete_style=ink, finished_style=ink)
        grid.add_row(Text(f"{colour:<7}", style=ink), bar, Text(f"{share:4.0%}"))
    return grid


def _shares(match: Match) -> Sequence[float]:
    """How far each colour is on its way home, 0 to 1."""
    return [sum(max(0, steps) for steps in each) / (match.board.home * len(each)) for each in match.position]


def _ink(colour: str) -> str:
    """A colour that a terminal knows, for any that a table's pieces are called by."""
    ink = INKS.get(colour, colour)
    try:
        Color.parse(ink)
    except ColorParseError:
        return "white"
    return ink

"""The match in a terminal: the board as the camera sees it, the OLED, the last rulings, progress.

Nothing here decides anything; it is handed what there is to show (see `views`). Pictures are drawn with half
blocks, two pixels a character, and braille, eight pixels a one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image
from rich.color import Color, ColorParseError
from rich.console import Console, Group
from rich.layout import Layout
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from uckers_table.announce.lines import console_line
from uckers_table.table.views import Glimpse

REFRESH_S = 0.6
"""How often the terminal is drawn at most: a drawing costs as much as reading a frame does."""
SHADES = 15
"""Grey levels that a terminal's picture takes together: neighbours of one colour are drawn in one go."""
LINES_KEPT = 200
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
        picture, progress = glimpse.picture, glimpse.progress
        layout = Layout()
        board, side = Layout(name="board", ratio=3), Layout(name="side", minimum_size=70, ratio=2)
        layout.split_row(board, side)
        board_columns = max(20, width - max(70, width * 2 // 5) - 4)
        seen: Text = (
            Text("no picture yet") if picture is None else half_blocks(picture, board_columns, height - 3)
        )
        board.update(Panel(seen, title="the camera", subtitle=glimpse.status))
        side.split_column(
            Layout(Panel(braille(glimpse.oled), title="OLED", subtitle=self._way_in() or None), size=18),
            Layout(Panel(_progress(progress), title="way home"), size=len(progress) + 2),
            Layout(Panel(Group(*self._latest(max(1, height - 20 - len(progress) - 4))), title="the referee")),
        )
        return layout

    def _latest(self, count: int) -> list[Text]:
        """The newest rulings, the newest on top: sentences may be long, and the panel cuts off below."""
        told = list(self._lines)[-count:]
        return [Text(console_line(line), style=_line_style(line)) for line in reversed(told)]

    def close(self) -> None:
        self._live.stop()


def _line_style(line: Mapping[str, Any]) -> Style:
    if line["ruling"] in ("illegal", "timber_shift", "penalty"):
        return Style(bold=True, color="bright_red")
    if line["ruling"] in ("won", "challenge_won"):
        return Style(bold=True, color="bright_green")
    return Style(dim=not line["say"])


def _progress(progress: Mapping[str, float]) -> Grid:
    grid = Grid.grid(padding=(0, 1))
    for colour, share in progress.items():
        ink = _ink(colour)
        grid.add_row(
            Text(f"{colour:<7}", style=ink),
            ProgressBar(total=1.0, completed=share, width=48, complete_style=ink, finished_style=ink),
            Text(f"{share:4.0%}"),
        )
    return grid


def _ink(colour: str) -> str:
    """A colour that a terminal knows, for any that a table's pieces are called by."""
    ink = INKS.get(colour, colour)
    try:
        Color.parse(ink)
    except ColorParseError:
        return "white"
    return ink


def half_blocks(picture: npt.NDArray[np.uint8], columns: int, rows: int) -> Text:
    """A BGR picture in at most so many columns and rows of characters, in true colour, its shape kept."""
    height, width = picture.shape[:2]
    columns = min(columns, int(2 * rows * width / height))
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


_BRAILLE_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The Unicode bit of each of the 4 × 2 dots of a braille character."""


def braille(picture: Image.Image) -> Text:
    """A black and white picture with eight pixels a character: 64 × 16 characters for the OLED."""
    lit = np.asarray(picture.convert("1"), dtype=np.uint8)
    height, width = lit.shape
    cells = np.full((height // 4, width // 2), 0x2800)
    for row, bits in enumerate(_BRAILLE_BITS):
        for column, bit in enumerate(bits):
            cells += lit[row::4, column::2][: height // 4, : width // 2] * bit
    return Text("\n".join("".join(map(chr, line)) for line in cells.tolist()), style="bright_cyan")

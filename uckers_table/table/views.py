"""Where a match is shown beside its devices: what there is to show, and plain lines for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TextIO

from uckers_table.announce.lines import console_line, on_terminal
from uckers_table.announce.oled import Screen
from uckers_table.devices.base import BgrImage
from uckers_table.game.match import Match


@dataclass(frozen=True)
class Glimpse:
    """What there is to show of a match: the lines of the newest rulings, and the match as it stands.

    With it come the camera's picture of the board if there is one, what the OLED shows, and the state of
    things in one line.
    """

    rulings: Sequence[Mapping[str, Any]]
    picture: BgrImage | None
    screen: Screen
    match: Match
    status: str


class View(Protocol):
    """Somewhere to show a match."""

    def show(self, glimpse: Glimpse) -> None:
        """Show a match as it is now; rulings that were shown before are not in it again."""

    def close(self) -> None:
        """Leave the terminal as it was."""


class PlainView:
    """One line a ruling, for logs and pipes."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def show(self, glimpse: Glimpse) -> None:
        for line in glimpse.rulings:
            print(on_terminal(console_line(line), self._out), file=self._out, flush=True)

    def close(self) -> None:
        pass

"""Labelled tables: what stands and lies in each picture, and a reader that has learned the table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from uckers_table.errors import CalibrationError, InputError
from uckers_table.game.board import Board, Cell, Plan
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.picture.arrays import Image
from uckers_table.vision.picture.files import load_picture
from uckers_table.vision.place.lens import wide_lens
from uckers_table.vision.reader import Reader

EMPTY, START = "empty.jpg", "start.jpg"


@dataclass(frozen=True)
class Piece:
    """A piece as it is labelled. `place` is track, chute, base, home or floor. `level` counts pieces under
    it. `visible` is the share of its top that the camera sees. Millimetres are the plan's.
    """

    colour: str
    place: str
    cell: Cell | None
    xy_mm: tuple[float, float]
    level: int = 0
    visible: float = 1.0


@dataclass(frozen=True)
class Die:
    """A die as it is labelled; `state` is flat, cocked or off_board. Millimetres are the plan's."""

    value: int | None
    state: str
    xy_mm: tuple[float, float]
    visible: float = 1.0


@dataclass(frozen=True)
class Stand:
    """A picture's name, and what stands and lies in it."""

    file: str
    pieces: tuple[Piece, ...]
    dice: tuple[Die, ...]
    is_bumped: bool = False


class Table:
    """A folder of labelled pictures. Raises InputError if it has no labels, or senseless ones."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.name = folder, folder.resolve().name
        labels = folder / "labels.json"
        try:
            told = json.loads(labels.read_text(encoding="utf-8"))
            seats = tuple(told["seats"])
            first = seats.index(told["plan_top_left_seat"])
            self._seats, self._is_wide = seats, str(told["lighting"]).endswith("/wide")
            self.plan = Plan(Board(seats[first:] + seats[:first]))
            self.stands = tuple(
                _stand(frame)
                for frame in told["frames"]
                if frame["pieces"] and not frame["flags"]["hand"] and frame["file"] != START
            )
        except OSError as error:
            raise InputError(f"{labels}: cannot be read ({error.strerror}); name labelled tables") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{labels}: no labels of a table ({error!r}); render it anew") from None

    def picture(self, file: str) -> Image:
        """One of its pictures, BGR. Raises InputError without it."""
        return load_picture(self._folder / file)

    @cached_property
    def reader(self) -> Reader:
        """A reader that has learned the table. Raises CalibrationError if it cannot, or learns it turned."""
        bare = self.picture(EMPTY)
        # Whoever has a wide camera says so.
        lens = wide_lens(bare.shape[1], bare.shape[0]) if self._is_wide else None
        reader = Reader(calibrate(bare, self.picture(START), self._seats, lens=lens))
        if reader.plan.board.seats != self.plan.board.seats:
            raise CalibrationError("the board was learned the wrong way round")
        return reader


def _stand(frame: dict[str, Any]) -> Stand:
    pieces = tuple(
        Piece(
            piece["colour"],
            piece["place"],
            (piece["cell"][0], piece["cell"][1]) if piece["cell"] else None,
            (piece["xy_mm"][0], piece["xy_mm"][1]),
            piece.get("stack_level", 0),
            piece.get("visible", 1.0),
        )
        for piece in frame["pieces"]
    )
    dice = tuple(
        Die(die["value"], die["state"], (die["xy_mm"][0], die["xy_mm"][1]), die.get("visible", 1.0))
        for die in frame["dice"]
        if die.get("xy_mm")
    )
    return Stand(frame["file"], pieces, dice, bool(frame["flags"].get("bumped")))

"""Places on and beside the board, drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi, sin
from random import Random

from tools.tables.look import BOARD_MM
from tools.tables.setting import Point

EDGE_MM = 10.1
"""From the board's edge to the middle of a die that leans there, by the labels of labelled tables."""
BESIDE_MM, FAR_BESIDE_MM = (18.0, 42.0), (18.0, 200.0)
"""From the board's edge to what lies beside it."""
OUTWARDS_DEG = (180.0, 270.0, 0.0, 90.0)
"""The azimuth that points away from each side of the board: left, top, right, bottom."""
_TRIES = 500


@dataclass
class Places:
    """Draws places. `in_picture` says whether the camera sees a point of the table."""

    rng: Random
    in_picture: Callable[[Point], bool]
    thrown_anyhow: bool = False
    """Half of what lies beside the board lies as far as FAR_BESIDE_MM."""

    def near(self, at: Point, most: float, spread: float | None = None) -> Point:
        """A place near another, at most so far away in x and in y; `spread` is a standard deviation."""
        spread = most / 2 if spread is None else spread
        dx, dy = (max(-most, min(most, self.rng.gauss(0.0, spread))) for _ in range(2))
        return at[0] + dx, at[1] + dy

    def beside_board(self) -> Point:
        """A place beside the board that the camera sees."""
        for _ in range(_TRIES):
            side, along = self.rng.randrange(4), self.rng.uniform(40.0, 570.0)
            far = self.thrown_anyhow and self.rng.random() < 0.5
            at = off_side(side, along, self.rng.uniform(*(FAR_BESIDE_MM if far else BESIDE_MM)))
            if self.in_picture(at):
                return at
        raise RuntimeError("the camera sees nothing beside the board")

    def at_edge(self) -> tuple[Point, float]:
        """A place at the board's edge that the camera sees, and the azimuth away from the board."""
        for _ in range(_TRIES):
            side, along = self.rng.randrange(4), self.rng.uniform(30.0, 580.0)
            at = off_side(side, along, EDGE_MM + self.rng.uniform(-0.3, 0.3))
            if self.in_picture(at):
                return at, OUTWARDS_DEG[side]
        raise RuntimeError("the camera sees nothing of the board's edge")


def off_side(side: int, along: float, off: float) -> Point:
    """The place so far along a side of the board (0 left, 1 top, 2 right, 3 bottom) and so far off it."""
    return ((-off, along), (along, -off), (BOARD_MM + off, along), (along, BOARD_MM + off))[side]


def beyond(at: Point, azimuth: float, away: float) -> Point:
    """The place so far from another, towards an azimuth in degrees."""
    return at[0] + away * cos(azimuth * pi / 180), at[1] + away * sin(azimuth * pi / 180)

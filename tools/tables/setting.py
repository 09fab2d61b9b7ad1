"""One frame of a table, as values: where everything stands and lies. Millimetres and degrees of the plan."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

DIE_MM = 16.0
"""The side of a die."""
BOARD_THICK_MM = 12.0
"""How far the board's top is above what the board lies on."""
_SUNK_MM = 0.6
"""The lowest edge of a die that leans lies on something; as edges are round, the die is so much lower."""
Point = tuple[float, float]


@dataclass(frozen=True)
class Piece:
    """A piece of one seat."""

    seat: int
    place: str
    """ "base", "track", "chute", "home" or "floor"."""
    cell: tuple[int, int] | None
    """Its square, if it is on the track or in the chute."""
    at: Point
    level: int = 0
    """How many pieces are below it."""


@dataclass(frozen=True)
class Die:
    """A die, by the number that is up."""

    value: int
    state: str
    """ "flat", "cocked" or "off_board", as the labels say it."""
    at: Point
    yaw: float
    tilt: float = 0.0
    """How far it leans."""
    lean: float = 0.0
    """The azimuth towards which it leans."""
    on_table: bool = False
    """Whether it stands beside the board, not on it. One that leans on the board's edge does."""
    look: int = 0
    """Which of the looks it has, if there are several."""


@dataclass(frozen=True)
class Hand:
    """A hand with its fingertips over a point."""

    at: Point
    towards: float
    """The azimuth from which the arm comes."""
    pose: str
    """ "pinch", "point" or "flat"."""
    tone: int
    """Which of the skins in `things.toml` it has."""
    sleeve: str


@dataclass(frozen=True)
class Setting:
    """One frame."""

    name: str
    """The picture's file."""
    pieces: tuple[Piece, ...] = ()
    dice: tuple[Die, ...] = ()
    hand: Hand | None = None
    board_pose: tuple[float, float, float] | None = None
    """How far the board has been moved with all that is on it: dx, dy, and a turn about its middle."""
    camera_push: tuple[float, ...] | None = None
    """How far the camera has been moved: dx, dy, dz, and two small turns."""
    shadow: float | None = None
    """The azimuth of a person who takes some of the light."""
    gain: float = 1.0
    """The exposure of this picture beside the calibrated one."""


def middle_mm(die: Die) -> float:
    """How high above the board's top a die's middle is."""
    half, tilt = DIE_MM / 2, radians(die.tilt)
    up = half * (cos(tilt) + sin(tilt)) - (_SUNK_MM if die.tilt else 0.0)
    return up - (BOARD_THICK_MM if die.on_table else 0.0)

"""What stands before the simulated camera: plain values, and the exact truth about them.

Places are in millimetres of the plan (see `optics`), heights upwards from the board's top.
"""

from __future__ import annotations

from dataclasses import dataclass

PIECE_DIAMETER_MM = 20.4
"""The rim of a .50-calibre case head."""
DIE_MM = 16.0
"""The edge of a die."""


@dataclass(frozen=True)
class WoodenPiece:
    """A piece where it stands.

    `seat`: whose it is. `steps`: its place in the game.
    `level`: the number of pieces under it.
    `grain`: seeds what makes this casing look like itself, such as its wear and the turn of its scratches.
    """

    seat: int
    steps: int
    x_mm: float
    y_mm: float
    level: int = 0
    grain: int = 0


@dataclass(frozen=True)
class Die:
    """A die as it lies.

    `value`: of its upper face. `state`: "flat", "cocked" or "off_board".
    `x_mm`, `y_mm`: its middle.
    `yaw_deg`: its turn about the vertical.
    `tilt_deg`: how far it then leans towards the azimuth `lean_deg`, with its lowest edge on the board.
    """

    value: int
    x_mm: float
    y_mm: float
    yaw_deg: float
    tilt_deg: float = 0.0
    lean_deg: float = 0.0
    state: str = "flat"


@dataclass(frozen=True)
class Hand:
    """A hand with its fingertips over (x, y). Its arm comes from the azimuth `from_deg` of the plan."""

    x_mm: float
    y_mm: float
    from_deg: float


@dataclass(frozen=True)
class Scene:
    """All that stands, lies or reaches over one board at one moment."""

    pieces: tuple[WoodenPiece, ...] = ()
    dice: tuple[Die, ...] = ()
    hands: tuple[Hand, ...] = ()
    is_dark: bool = False
    """No light falls on any of it: its picture is black."""

    def steps(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """The steps of the pieces by seat, sorted: what a perfect reader would report."""
        return tuple(tuple(sorted(p.steps for p in self.pieces if p.seat == seat)) for seat in range(seats))

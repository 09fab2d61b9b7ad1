"""What stands before the simulated camera: plain values, and the exact truth about them.

Millimetres of the plan (see `optics`), heights upwards from the board's top.
"""

from __future__ import annotations

from dataclasses import dataclass

PIECE_DIAMETER_MM = 20.4
"""The rim of a .50-calibre case head."""
DIE_MM = 16.0


@dataclass(frozen=True)
class Piece:
    """A piece where it stands: `level` counts the pieces under it, `steps` is its place in the game.

    `grain` seeds what makes this casing look like itself (wear, the turn of its scratches).
    """

    seat: int
    steps: int
    x_mm: float
    y_mm: float
    level: int = 0
    grain: int = 0


@dataclass(frozen=True)
class Die:
    """A die: its upper face, state ("flat", "cocked" or "off_board") and middle.

    `yaw_deg` turns it about the vertical; `tilt_deg` then leans it towards the azimuth `lean_deg`, with
    its lowest edge on the board.
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
    """A hand whose fingertips are over (x, y); its arm comes from the azimuth `from_deg` of the plan."""

    x_mm: float
    y_mm: float
    from_deg: float


@dataclass(frozen=True)
class Scene:
    """All that stands, lies or reaches over one board at one moment."""

    pieces: tuple[Piece, ...] = ()
    dice: tuple[Die, ...] = ()
    hands: tuple[Hand, ...] = ()

    def steps(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """The steps of the pieces, per seat, sorted: what a perfect reader would report."""
        return tuple(tuple(sorted(p.steps for p in self.pieces if p.seat == seat)) for seat in range(seats))

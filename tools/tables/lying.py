"""Where dice lie: flat, in glare, beside the board, or leaning on something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, dist, pi, sin

from tools.tables.frames import Lies
from tools.tables.places import Places, beyond
from tools.tables.setting import DIE_MM, Die, Piece, Point

APART_MM, TOUCHING_MM = 17.9, 16.3
"""From a flat die's middle to the middle of a die that leans on it, by the labels of labelled tables. From a
flat die's middle to that of a flat die that touches it.
"""
GLARE_MM = 40.0
"""How near to a lamp's image a die in glare lies: a standard deviation."""
CLEAR_MM = 23.5
"""From a die's middle to that of all that it does not lean on."""
LEANING = ("cocked", "alone", "on_edge", "on_die")
LEANS_DEG, LEANS_ANYHOW_DEG, LEANS_THROWN_DEG = (20.0, 36.0), (20.0, 39.0), (12.0, 39.0)
"""How far dice lean, how far where they are thrown anyhow, and how far in frames full of throws."""
_TRIES = 500


@dataclass
class Lying:
    """Throws the dice of one frame among its pieces."""

    pieces: Sequence[Piece]
    diameter: float
    """Of a piece."""
    places: Places
    mirrors: Sequence[Point] = ()
    """Where the camera sees lamps mirrored."""
    leans_deg: tuple[float, float] | None = None
    """How far dice lean, where it is neither of the ways above."""

    def dice(self, ways: Sequence[Lies]) -> list[Die]:
        """A die for each of the ways to lie in `frames.toml`. None lies on another or on a piece."""
        rng, anyhow = self.places.rng, self.places.thrown_anyhow
        dice: list[Die] = []
        for lies in ways:
            value, yaw = rng.randint(1, 6), rng.uniform(0.0, 90.0)
            for _ in range(_TRIES):
                at, lean, others = self._tried(lies, dice)
                beside = lies in ("off_board", "on_edge")
                if all(dist(at, other) > CLEAR_MM for other in others) and (
                    beside or all(12 < v < 598 for v in at)
                ):
                    break
            if lies in LEANING:
                tilt = rng.uniform(*(self.leans_deg or (LEANS_ANYHOW_DEG if anyhow else LEANS_DEG)))
                dice.append(Die(value, "cocked", at, lean, tilt, lean, on_table=lies == "on_edge"))
            else:
                is_beside = lies == "off_board"
                state = "off_board" if is_beside else "flat"
                yaw = lean if lies == "touching" else yaw
                dice.append(Die(value, state, at, yaw, on_table=is_beside))
        return dice

    def _tried(self, lies: Lies, dice: Sequence[Die]) -> tuple[Point, float, list[Point]]:
        """A place, the azimuth towards which the die leans there, and the middles that it keeps clear of."""
        rng = self.places.rng
        if lies == "off_board":
            at = self.places.beside_board()
        else:
            at = rng.uniform(20.0, 590.0), rng.uniform(20.0, 590.0)
        if lies == "glare" and self.mirrors:
            at = self.places.near(rng.choice(self.mirrors), 2 * GLARE_MM, GLARE_MM)
        others = [piece.at for piece in self.pieces] + [die.at for die in dice]
        lean = 0.0
        if lies == "alone":
            lean = rng.uniform(0.0, 360.0)
        if lies == "cocked":
            by = rng.choice([p for p in self.pieces if p.level == 0 and p.place != "floor"])
            lean = rng.uniform(0.0, 360.0)
            reach = self.diameter / 2 + DIE_MM / 2 + 2.0
            at = by.at[0] + reach * cos(lean * pi / 180), by.at[1] + reach * sin(lean * pi / 180)
            others.remove(by.at)
        if lies == "on_edge":
            at, lean = self.places.at_edge()
        if lies in ("on_die", "touching"):
            flat = dice[-1]
            others.remove(flat.at)
            lean = flat.yaw + 90.0 * rng.randrange(4)
            at = beyond(flat.at, lean, APART_MM if lies == "on_die" else TOUCHING_MM)
            at = beyond(at, lean + 90.0, rng.uniform(-4.0, 4.0))
        return at, lean, others

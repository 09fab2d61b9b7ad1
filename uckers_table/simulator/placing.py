"""Where real pieces lie: on their squares, never quite in the middle, beside or on top of others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from math import cos, dist, radians, sin

from uckers_table.game.board import BASE, PIECES, Plan
from uckers_table.game.position import Position
from uckers_table.simulator.outlines import PlanPoint
from uckers_table.simulator.scene import DIE_MM, PIECE_DIAMETER_MM, Die, WoodenPiece

STACKING = 0.2
"""The chance that a piece is put on top of another where it could stand beside it."""
MOST_BESIDE = 4
"""The most casings that find room side by side on one square."""
ACROSS_MM = 2.5
"""How far (mm) the middle of a piece may be off the line that it is put down across."""
CLEAR_MM = 21.0
"""The least distance (mm) between the middles of two pieces."""
ON_SPOT_MM = 15.0
"""A piece as near as this (mm) to the middle of a base spot lies on it."""
CLEAR_OF_PIECES_MM = 26.0
"""How far (mm) from pieces a die comes to lie flat, middle from middle."""

_BESIDE: dict[int, tuple[tuple[PlanPoint, ...], ...]] = {
    1: (((0.0, 0.0),),),
    2: (((-7.7, -7.7), (7.7, 7.7)), ((-7.7, 7.7), (7.7, -7.7)), ((-10.6, 0.0), (10.6, 0.0))),
    3: (((-10.5, -8.5), (10.5, -8.5), (0.0, 9.6)), ((-8.5, -10.5), (-8.5, 10.5), (9.6, 0.0))),
    4: (((-10.5, -10.5), (10.5, -10.5), (10.5, 10.5), (-10.5, 10.5)),),
}
"""For each number of casings of 20.4 mm, ways to share a square of 40 mm without touching. Places are in mm
from its middle.
"""

_HOME: tuple[tuple[float, float, float], ...] = (
    (-33.0, 47.5, 49.5),
    (-11.0, 32.0, 49.0),
    (11.0, 32.0, 49.0),
    (33.0, 47.5, 49.5),
)
"""Places in a triangle of home, in mm: how far aside, and the least and the most from the board's middle."""

_OUTWARD: tuple[PlanPoint, ...] = ((-1, 0), (0, -1), (1, 0), (0, 1))
"""The direction of each seat's triangle and player from the board's middle."""


class PlacedPieces:
    """The pieces of one board as they lie. `spots` are the middles of each seat's base spots, in mm of the
    plan.
    """

    def __init__(self, plan: Plan, spots: Sequence[Sequence[PlanPoint]], rng: random.Random) -> None:
        self._plan, self._spots, self._rng = plan, spots, rng
        self._pieces: list[WoodenPiece] = []
        self._floor: list[WoodenPiece] = []
        for seat in range(plan.board.arms):
            for _ in range(PIECES):
                self.put(WoodenPiece(seat, BASE, 0.0, 0.0, grain=len(self._pieces)), BASE)

    @property
    def pieces(self) -> tuple[WoodenPiece, ...]:
        """All pieces that are on the board now."""
        return tuple(self._pieces)

    @property
    def astray(self) -> tuple[WoodenPiece, ...]:
        """The pieces that belong in their base and are elsewhere: on the floor, or in another base."""
        return (
            *self._floor,
            *(
                p
                for p in self._pieces
                if p.steps == BASE and all(dist(s, _at(p)) > ON_SPOT_MM for s in self._spots[p.seat])
            ),
        )

    @property
    def position(self) -> Position:
        """Where the pieces stand in the game. One on the floor counts as in its base."""
        return tuple(
            tuple(sorted(p.steps for p in (*self._pieces, *self._floor) if p.seat == seat))
            for seat in range(self._plan.board.arms)
        )

    def find(self, seat: int, steps: int) -> WoodenPiece:
        """The piece of a seat at these steps that a hand would take: the uppermost."""
        pieces = (*self._pieces, *self._floor)
        return max((p for p in pieces if (p.seat, p.steps) == (seat, steps)), key=lambda p: p.level)

    def take(self, piece: WoodenPiece) -> None:
        """Lifts a piece off the board, or off the floor. What stood on it comes down."""
        if piece in self._floor:
            self._floor.remove(piece)
            return
        self._pieces.remove(piece)
        for i, other in enumerate(self._pieces):
            if other.level > piece.level and dist(_at(other), _at(piece)) < 5.0:
                self._pieces[i] = replace(other, level=other.level - 1)

    def drop(self, piece: WoodenPiece) -> WoodenPiece:
        """Puts a lifted piece on the floor, on its player's side. Returns it as it now lies."""
        middle, (out_x, out_y) = self._plan.side_mm / 2, _OUTWARD[piece.seat]
        x_mm, y_mm = middle + out_x * self._plan.side_mm, middle + out_y * self._plan.side_mm
        piece = replace(piece, steps=BASE, level=0, x_mm=x_mm, y_mm=y_mm)
        self._floor.append(piece)
        return piece

    def put(
        self, piece: WoodenPiece, steps: int, *, across: bool = False, base: int | None = None
    ) -> WoodenPiece:
        """Puts a lifted piece down at its `steps`. Returns it as it now stands.

        If `across`, and if it stands alone there, it is put on a line of its square.
        `base`: the seat whose base it is put into, if not its own.
        """
        piece = replace(piece, steps=steps, level=0)
        if steps == BASE:
            piece = self._on_spot(piece, self._spots[piece.seat if base is None else base])
        elif steps == self._plan.board.home:
            piece = self._at_home(piece)
        else:
            piece = self._on_square(piece)
            piece = self._on_line(piece) if across else piece
        self._pieces.append(piece)
        return piece

    def _on_spot(self, piece: WoodenPiece, spots: Sequence[PlanPoint]) -> WoodenPiece:
        free = [s for s in spots if all(dist(s, _at(p)) > ON_SPOT_MM for p in self._pieces)]
        return self._near(piece, self._rng.choice(free or list(spots)), 3.0)

    def _at_home(self, piece: WoodenPiece) -> WoodenPiece:
        places = list(_HOME)
        self._rng.shuffle(places)
        middle = self._plan.side_mm / 2
        out_x, out_y = _OUTWARD[piece.seat]
        for aside, near, far in places:
            out = self._rng.uniform(near, far)
            spot = (middle + out_x * out - out_y * aside, middle + out_y * out + out_x * aside)
            if all(dist(spot, _at(p)) > 20.6 for p in self._pieces):
                break
        return self._near(piece, spot, 0.3)

    def _on_square(self, piece: WoodenPiece) -> WoodenPiece:
        here = self._sharing(piece)
        self._make_room(piece)
        columns = [p for p in here if p.level == 0]
        if columns and (len(columns) == MOST_BESIDE or self._rng.random() < STACKING):
            under = self._rng.choice(columns)
            level = sum(1 for p in here if dist(_at(p), _at(under)) < 5.0)
            return self._near(replace(piece, level=level), _at(under), 1.0)
        places = self._rng.choice(_BESIDE[len(columns) + 1])
        for column, place in zip(columns, places, strict=False):
            self._shove(column, self._offset(piece, place))
        return self._near(piece, self._offset(piece, places[-1]), 4.5 if not columns else 0.4)

    def _on_line(self, piece: WoodenPiece) -> WoodenPiece:
        """A piece that stands alone, moved onto the line to a neighbouring square if that is empty too."""
        steps = piece.steps + self._rng.choice((-1, 1))
        beyond = self._plan.cell(piece.seat, steps) if 1 <= steps < self._plan.board.home else None
        cell = self._plan.cell(piece.seat, piece.steps)
        if beyond is None or cell is None or self._sharing(piece):
            return piece
        x, y = self._plan.centre_mm(cell)
        to_x, to_y = self._plan.centre_mm(beyond)
        share = 0.5 + self._rng.uniform(-ACROSS_MM, ACROSS_MM) / dist((x, y), (to_x, to_y))
        spot = (x + share * (to_x - x), y + share * (to_y - y))
        if any(dist(spot, _at(other)) < CLEAR_MM for other in self._pieces):
            return piece
        return self._near(piece, spot, 0.3)

    def _sharing(self, piece: WoodenPiece) -> list[WoodenPiece]:
        cell = self._plan.cell(piece.seat, piece.steps)
        return [p for p in self._pieces if self._plan.cell(p.seat, p.steps) == cell]

    def _make_room(self, piece: WoodenPiece) -> None:
        """Pushes pieces that belong elsewhere off this square's lines."""
        cell = self._plan.cell(piece.seat, piece.steps)
        assert cell is not None
        x, y = self._plan.centre_mm(cell)
        reach = self._plan.cell_mm / 2 + ACROSS_MM
        for other in self._pieces:
            its_cell = self._plan.cell(other.seat, other.steps)
            if its_cell not in (None, cell) and max(abs(other.x_mm - x), abs(other.y_mm - y)) < reach:
                self._shove(other, self._offset(other, (0.0, 0.0)))

    def _shove(self, column: WoodenPiece, to: PlanPoint) -> None:
        """Pushes a piece aside, with all that stands on it."""
        dx, dy = to[0] - column.x_mm, to[1] - column.y_mm
        for i, p in enumerate(self._pieces):
            if dist(_at(p), _at(column)) < 5.0:
                self._pieces[i] = replace(p, x_mm=p.x_mm + dx, y_mm=p.y_mm + dy)

    def _offset(self, piece: WoodenPiece, place: PlanPoint) -> PlanPoint:
        cell = self._plan.cell(piece.seat, piece.steps)
        assert cell is not None
        x, y = self._plan.centre_mm(cell)
        return x + place[0], y + place[1]

    def _near(self, piece: WoodenPiece, spot: PlanPoint, off_mm: float) -> WoodenPiece:
        return replace(
            piece,
            x_mm=spot[0] + self._rng.uniform(-off_mm, off_mm),
            y_mm=spot[1] + self._rng.uniform(-off_mm, off_mm),
        )


def _at(piece: WoodenPiece) -> PlanPoint:
    return piece.x_mm, piece.y_mm


def player_deg(seat: int) -> float:
    """The azimuth of the plan at which a seat's player sits, in degrees."""
    return (180.0 + 90.0 * seat) % 360.0


def thrown_on_board(
    plan: Plan,
    pieces: Sequence[WoodenPiece],
    values: Sequence[int],
    rng: random.Random,
    *,
    cocked: bool = False,
) -> tuple[Die, ...]:
    """Dice that came to lie in one of the bases, clear of pieces and of each other. If `cocked`, the last one
    leans.
    """
    near = plan.border_mm + plan.board.arm_length / 2 * plan.cell_mm
    far = plan.side_mm - near
    x, y = rng.choice(((near, near), (far, near), (far, far), (near, far)))
    dice: list[Die] = []
    for value in values:
        for _ in range(200):
            spot = (x + rng.uniform(-75.0, 75.0), y + rng.uniform(-75.0, 75.0))
            others = [*(_at(p) for p in pieces), *((die.x_mm, die.y_mm) for die in dice)]
            if all(dist(spot, other) > CLEAR_OF_PIECES_MM for other in others):
                break
        dice.append(Die(value, *spot, rng.uniform(0.0, 360.0)))
    if cocked:
        dice[-1] = _leaning(dice[-1], rng.choice(pieces), rng)
    return tuple(dice)


def _leaning(die: Die, piece: WoodenPiece, rng: random.Random) -> Die:
    """A die that came to rest tilted, with one edge on the board and a face against a piece."""
    away_deg = rng.uniform(0.0, 360.0)
    reach = (PIECE_DIAMETER_MM + DIE_MM) / 2 + 1.5
    return replace(
        die,
        x_mm=piece.x_mm + reach * cos(radians(away_deg)),
        y_mm=piece.y_mm + reach * sin(radians(away_deg)),
        yaw_deg=away_deg,
        tilt_deg=rng.uniform(22.0, 38.0),
        lean_deg=away_deg,
        state="cocked",
    )

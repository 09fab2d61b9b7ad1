"""Where everything lies in a drawing of a board, of however many arms.

Lengths in squares, angles in degrees clockwise from the right. The origin is the board's middle, x goes
right, y down. Seat 0's arm points left and its base lies clockwise of it, as on the `Plan` of a real board;
the others follow clockwise. The bases fill the board up to a regular polygon: four arms make the usual
square, six a hexagon.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import cos, pi, sin, tan

from uckers_table.game.board import BASE, DOORSTEP, Board

Point = tuple[float, float]

ARM_WIDTH = 3
"""Squares side by side on an arm, and along each side of home."""
INSIDE_HOME = 0.6
"""How far behind the edge of home a piece that is home is drawn."""
INNER_BASE = 0.7
"""How large a part of a base is drawn as what the pieces lie in."""
ROOM_FOR_FOUR = 0.9
"""How far apart pieces side by side lie at least; in a smaller base they lie on one another."""


@dataclass(frozen=True)
class Place:
    """The middle of a square or of what lies there, and the angle at which it is turned."""

    x: float
    y: float
    angle: float

    def corners(self, side: float = 1.0) -> tuple[Point, ...]:
        """The corners of a square of this side."""
        half = side / 2
        along = _direction(self.angle)
        return tuple(
            (self.x + u * along[0] - v * along[1], self.y + u * along[1] + v * along[0])
            for u, v in ((-half, -half), (half, -half), (half, half), (-half, half))
        )


@dataclass(frozen=True)
class Layout:
    """The drawing of one board."""

    board: Board

    @property
    def _half_turn(self) -> float:
        """Half the angle between two arms, in radians."""
        return pi / self.board.arms

    @cached_property
    def _home(self) -> float:
        """From the middle to the sides of home."""
        return ARM_WIDTH / 2 / tan(self._half_turn)

    @cached_property
    def _corner(self) -> float:
        """From the middle to the corners of home."""
        return ARM_WIDTH / 2 / sin(self._half_turn)

    @cached_property
    def _base_radius(self) -> float:
        """Of the circle that touches all sides of a base."""
        turn = self._half_turn
        return self.board.arm_length * sin(turn) / (sin(turn) + cos(turn))

    def angle(self, seat: float) -> float:
        """Where a seat's arm points, in degrees; halves point between two arms."""
        return (180 + seat * 360 / self.board.arms) % 360

    def _on_arm(self, seat: int, depth: float, aside: float) -> Place:
        """So many squares in from the first of an arm, and to the side of it, clockwise being above 0."""
        seat %= self.board.arms
        out = self._home + self.board.arm_length - depth - 0.5
        along = _direction(self.angle(seat))
        return Place(out * along[0] - aside * along[1], out * along[1] + aside * along[0], self.angle(seat))

    @cached_property
    def track(self) -> tuple[Place, ...]:
        """The track squares; 0 is seat 0's doorstep."""
        length = self.board.arm_length
        ring: list[Place] = []
        for seat in range(self.board.arms):
            ring.append(self._on_arm(seat, 0, 0))
            ring += [self._on_arm(seat, depth, 1) for depth in range(length)]
            ring += [self._on_arm(seat + 1, depth, -1) for depth in reversed(range(length))]
        first = 1 if self.board.arm_end_doorstep else 2
        return (*ring[first:], *ring[:first])

    @cached_property
    def squares(self) -> tuple[tuple[Place, int | None], ...]:
        """The track and the chutes, and the seat in whose colour each is painted; None for those in none."""
        board = self.board
        doorsteps = {board.square(seat, DOORSTEP): seat for seat in range(board.arms)}
        chutes = [(self.place(seat, steps), seat) for seat in range(board.arms) for steps in board.chute]
        return (*((place, doorsteps.get(square)) for square, place in enumerate(self.track)), *chutes)

    def place(self, seat: int, steps: int, number: int = 0) -> Place:
        """Where a seat's piece at `steps` lies; `number` tells those apart that are in base."""
        square = self.board.square(seat, steps)
        if square is not None:
            return self.track[square]
        if steps in self.board.chute:
            return self._on_arm(seat, steps - self.board.mouth, 0)
        if steps == BASE:
            return self._in_base(seat, number)
        return self._on_arm(seat, self.board.arm_length - 0.5 + INSIDE_HOME, 0)

    def _in_base(self, seat: int, number: int) -> Place:
        middle, to_arms = self.base_middle(seat), self.angle(seat)
        apart = self._base_radius * 2 / 3
        if apart < ROOM_FOR_FOUR:
            return middle
        towards = _direction(self.angle(seat + 0.5) + 45 + 90 * (number % 4 - 0.5))
        return Place(middle.x + towards[0] * apart / 2**0.5, middle.y + towards[1] * apart / 2**0.5, to_arms)

    def base_middle(self, seat: int) -> Place:
        """The middle of a seat's base."""
        out = _direction(self.angle(seat + 0.5))
        far = self._corner + self._base_radius / sin(self._half_turn)
        return Place(out[0] * far, out[1] * far, self.angle(seat))

    def base(self, seat: int, part: float = 1.0) -> tuple[Point, ...]:
        """The corners of a seat's base, or of so large a part of it round its middle."""
        length = self.board.arm_length
        here, next_to_it, out = (_direction(self.angle(seat + each)) for each in (0, 1, 0.5))
        far = (self._home + length) / cos(self._half_turn)
        x, y = self._corner * out[0], self._corner * out[1]
        # Home's corner, the arms' ends on both sides of it, and the board's corner between those.
        corners = [
            (x, y),
            (x + length * here[0], y + length * here[1]),
            (far * out[0], far * out[1]),
            (x + length * next_to_it[0], y + length * next_to_it[1]),
        ]
        middle = self.base_middle(seat)
        return tuple((middle.x + (x - middle.x) * part, middle.y + (y - middle.y) * part) for x, y in corners)

    def home(self, seat: int) -> tuple[Point, ...]:
        """The corners of a seat's part of home: a triangle, its tip in the middle."""
        left, right = (_direction(self.angle(seat + each)) for each in (-0.5, 0.5))
        far = self._corner
        return (far * left[0], far * left[1]), (far * right[0], far * right[1]), (0.0, 0.0)

    @cached_property
    def edge(self) -> tuple[Point, ...]:
        """The corners of the board."""
        far = (self._home + self.board.arm_length) / cos(self._half_turn)
        between = (_direction(self.angle(seat + 0.5)) for seat in range(self.board.arms))
        return tuple((far * x, far * y) for x, y in between)

    @cached_property
    def size(self) -> tuple[float, float]:
        """The width and height of the board."""
        xs, ys = zip(*self.edge, strict=True)
        return max(xs) - min(xs), max(ys) - min(ys)


def _direction(degrees: float) -> Point:
    return cos(degrees * pi / 180), sin(degrees * pi / 180)

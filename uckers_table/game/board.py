"""The board: how many squares, whose they are, and where they lie on the plan.

Squares are counted three ways. *Steps* count along one colour's own way (0 base, 1 doorstep, … home).
*Track squares* number the squares that colours share, 0 being seat 0's doorstep. *Cells* are (column,
row) on the plan, from its top-left corner; seat 0's base is at the top left of the plan. Millimetres on
the plan have their origin at the board's top-left corner, x right, y down.

Sources: Masters Games, Ludo (equipment); uckers.co.uk, introduction; rulings A01 to A04.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from uckers_table.errors import RulesError

COLOURS = ("red", "green", "yellow", "blue")
"""The usual seats, clockwise: red and yellow play green and blue."""

BASE = 0
"""Steps of a piece in base."""
DOORSTEP = 1
"""Steps of a piece on its own doorstep."""
CORNER = -1
"""Steps of a piece on its own corner, between mouth and doorstep, where only a blob going back comes."""
PIECES = 4
"""Pieces a colour has."""

ARMS = (4, 6)
"""How many arms a board may have."""

Cell = tuple[int, int]
"""(column, row) on the plan."""


@dataclass(frozen=True)
class Board:
    """The geometry of one board: `seats` are its colours, clockwise.

    `arm_end_doorstep` is true for the boards that Masters Games calls wrong, where the doorstep lies at
    the end of the arm and nothing is skipped on the way round.
    """

    seats: tuple[str, ...] = COLOURS
    arm_length: int = 6
    arm_end_doorstep: bool = False

    def __post_init__(self) -> None:
        if len(self.seats) not in ARMS:
            raise RulesError(f"a board has four or six arms, not {len(self.seats)}: check 'seats'")
        if len(set(self.seats)) != len(self.seats):
            raise RulesError(f"a colour sits twice in {', '.join(self.seats)}: check 'seats'")
        if self.arm_length < 2:
            raise RulesError(f"an arm has at least two squares, not {self.arm_length}: check 'arm_length'")

    @property
    def arms(self) -> int:
        """How many arms, which is how many seats."""
        return len(self.seats)

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """A letter a seat, which tells its pieces where colours cannot: B for blue, K for black beside it.

        The first of the colour's name, where an earlier seat has that the last, else any other, else a digit.
        """
        taken: list[str] = []
        for seat, colour in enumerate(self.seats):
            name = colour.upper()
            taken.append(next(each for each in (*name[:1], *name[:0:-1], str(seat)) if each not in taken))
        return tuple(taken)

    @cached_property
    def squares_per_seat(self) -> int:
        """Track squares from one seat's doorstep to the next: 13 on the usual board."""
        return 2 * self.arm_length + 1

    @cached_property
    def track(self) -> int:
        """How many squares the colours share: 52 on the usual board."""
        return self.arms * self.squares_per_seat

    @cached_property
    def mouth(self) -> int:
        """Steps of a colour's own mouth, the last shared square before its chute: 51."""
        return self.track if self.arm_end_doorstep else self.track - 1

    @cached_property
    def chute(self) -> range:
        """Steps of the coloured squares before home: 52 … 56."""
        return range(self.mouth + 1, self.mouth + self.arm_length)

    @cached_property
    def home(self) -> int:
        """Steps of a piece that is home: 57."""
        return self.mouth + self.arm_length

    def seat(self, colour: str) -> int:
        """The seat (0 …, clockwise) at which a colour sits; RulesError for a colour not at this table."""
        try:
            return self.seats.index(colour)
        except ValueError:
            raise RulesError(f"no {colour!r} at this table: its seats are {', '.join(self.seats)}") from None

    def partner(self, seat: int) -> int:
        """The seat opposite."""
        return (seat + self.arms // 2) % self.arms

    def square(self, seat: int, steps: int) -> int | None:
        """The track square on which a seat's piece at `steps` stands; None in base, chute and home."""
        if steps == CORNER:
            return (self.squares_per_seat * seat - 1) % self.track
        if 1 <= steps <= self.mouth:
            return (self.squares_per_seat * seat + steps - 1) % self.track
        return None

    def place(self, seat: int, steps: int) -> str:
        """The name of where a piece stands: a track square's number, or a colour's own place ("red 53")."""
        name = self._places.get((seat, steps))
        if name is None:
            square = self.square(seat, steps)
            name = str(square) if square is not None else f"{self.seats[seat]} {steps}"
            self._places[seat, steps] = name
        return name

    @cached_property
    def _places(self) -> dict[tuple[int, int], str]:
        """The names that were asked for."""
        return {}

    def steps_on(self, seat: int, square: int) -> int:
        """The steps at which a seat's piece on a track square stands; CORNER for its own corner."""
        steps = (square - self.squares_per_seat * seat) % self.track + 1
        return steps if steps <= self.mouth else CORNER


@dataclass(frozen=True)
class Plan:
    """Where everything lies on the painted plan of a four-armed board.

    Sizes in millimetres: a border around (2L+3) × (2L+3) cells. Coordinates (x, y), origin at the
    board's top-left corner, x right, y down.
    """

    board: Board = Board()
    cell_mm: float = 40.0
    border_mm: float = 5.0

    def __post_init__(self) -> None:
        if self.board.arms != 4:
            raise RulesError("only the board of four arms has a square plan")

    @property
    def cells(self) -> int:
        """Cells along one side: 15."""
        return 2 * self.board.arm_length + 3

    @property
    def side_mm(self) -> float:
        """The length of the board's side: 610 mm."""
        return self.cells * self.cell_mm + 2 * self.border_mm

    @cached_property
    def track_cells(self) -> tuple[Cell, ...]:
        """The cell of each track square, index 0 being seat 0's doorstep."""
        arm = self.board.arm_length
        # Seat 0's stretch: from the square after its mouth along row `arm` and up the column `arm`.
        loop: list[Cell] = [(0, arm + 1), (0, arm)]
        loop += [(column, arm) for column in range(1, arm)]
        loop += [(arm, row) for row in range(arm - 1, -1, -1)]
        ring = [self.turned(cell, quarters) for quarters in range(4) for cell in loop]
        first = 1 if self.board.arm_end_doorstep else 2
        return tuple(ring[(first + square) % len(ring)] for square in range(len(ring)))

    def turned(self, cell: Cell, quarters: int) -> Cell:
        """A cell after so many quarter turns of the plan, clockwise."""
        column, row = cell
        for _ in range(quarters % 4):
            column, row = self.cells - 1 - row, column
        return column, row

    def chute_cell(self, seat: int, steps: int) -> Cell:
        """The cell of a coloured square of a seat's chute."""
        return self.turned((steps - self.board.mouth, self.board.arm_length + 1), seat)

    def cell(self, seat: int, steps: int) -> Cell | None:
        """The cell on which a seat's piece at `steps` stands; None in base and at home."""
        square = self.board.square(seat, steps)
        if square is not None:
            return self.track_cells[square]
        if steps in self.board.chute:
            return self.chute_cell(seat, steps)
        return None

    @cached_property
    def steps_by_cell(self) -> tuple[dict[Cell, int], ...]:
        """For each seat, the steps at which its piece on a cell stands (its own corner left out)."""
        return tuple(
            {
                cell: steps
                for steps in range(1, self.board.home)
                if (cell := self.cell(seat, steps)) is not None
            }
            for seat in range(4)
        )

    def centre_mm(self, cell: Cell) -> tuple[float, float]:
        """The centre of a cell (x, y) in millimetres."""
        column, row = cell
        half = self.cell_mm / 2
        return self.border_mm + column * self.cell_mm + half, self.border_mm + row * self.cell_mm + half

    def cell_at(self, x_mm: float, y_mm: float) -> Cell | None:
        """The cell under a point of the plan; None off the cells."""
        column = int((x_mm - self.border_mm) // self.cell_mm)
        row = int((y_mm - self.border_mm) // self.cell_mm)
        if 0 <= column < self.cells and 0 <= row < self.cells:
            return column, row
        return None

    def base_of(self, cell: Cell) -> int | None:
        """The seat in whose base corner a cell lies; None elsewhere."""
        arm = self.board.arm_length
        column, row = cell
        left, right = column < arm, column >= self.cells - arm
        top, bottom = row < arm, row >= self.cells - arm
        return (
            {(True, True): 0, (False, True): 1, (False, False): 2, (True, False): 3}[(left, top)]
            if ((left or right) and (top or bottom))
            else None
        )

    def is_home(self, cell: Cell) -> bool:
        """Whether a cell lies in the central 3 × 3 of home."""
        arm = self.board.arm_length
        return all(arm <= value <= arm + 2 for value in cell)

"""The board as the side to play sees it: the order in which things are told must not depend on the seat."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from uckers_table.game.plays import Play
from uckers_table.game.position import Position
from uckers_table.game.ruling import Move
from uckers_table.game.setting import Setting
from uckers_table.game.turn import Piece


class Outlook(NamedTuple):
    """Seats counted clockwise from the side to play, squares from its doorstep."""

    setting: Setting
    side: int

    def seat(self, seat: int) -> int:
        """How many seats clockwise from the side to play."""
        return (seat - self.side) % self.setting.board.arms

    def squares(self, squares: int) -> int:
        """The bits of squares as they would be if the side to play sat at seat 0."""
        board = self.setting.board
        behind = board.squares_per_seat * self.side
        return (squares >> behind) | ((squares & ((1 << behind) - 1)) << (board.track - behind))

    def board(self, position: Position) -> Position:
        """The same board with the side to play at seat 0."""
        return (*position[self.side :], *position[: self.side])

    def seats_in_order(self, seats: Iterable[int]) -> list[int]:
        """Seats, clockwise from the side to play."""
        return sorted(seats, key=self.seat)

    def moves_in_order(self, moves: Iterable[Move]) -> tuple[Move, ...]:
        """Moves by seat, clockwise from the side to play, each seat's hindmost piece first."""
        return tuple(sorted(moves, key=lambda move: (self.seat(move.seat), move.start, move.end)))

    def pieces_in_order(self, pieces: Iterable[Piece]) -> tuple[Piece, ...]:
        """Pieces by seat, clockwise from the side to play, each seat's hindmost first."""
        return tuple(sorted(pieces, key=lambda piece: (self.seat(piece[0]), piece[1])))

    def first_of(self, plays: Iterable[Play]) -> Play | None:
        """The play to tell of where several are alike: the fewest moves, then the hindmost piece of the first
        seat; None where there is none.
        """

        def rank(play: Play) -> tuple[int, list[tuple[int, int, int, int, int]]]:
            return len(play), sorted(
                (
                    self.seat(move.seat),
                    move.start,
                    move.end,
                    self.squares(move.landings),
                    self.squares(move.passed),
                )
                for move in play
            )

        return min(plays, key=rank, default=None)

"""Where the pieces stand.

A position is a tuple with one tuple of four sorted steps a seat: plain, immutable, hashable and quick.
Colours have names only at the edges; inside the game a colour is its seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from uckers_table.errors import RulesError
from uckers_table.game.board import BASE, CORNER, PIECES, Board

Pieces = tuple[int, ...]
"""The steps of one colour's four pieces, ascending."""
Position = tuple[Pieces, ...]
"""The pieces of every seat, clockwise."""


def all_in_base(board: Board) -> Position:
    """The position in which a match begins."""
    return ((BASE,) * PIECES,) * board.arms


def position_from(
    board: Board, colours: Mapping[str, Iterable[int]], ground: Position | None = None
) -> Position:
    """The position that colours and their steps describe; colours left out stand as in `ground`.

    RulesError names the colour that is unknown, has not four pieces, or stands where there is no square.
    """
    pieces = list(ground if ground is not None else all_in_base(board))
    if not isinstance(colours, Mapping):
        raise RulesError(f"{colours!r} is no position: it gives each colour the steps of its four pieces")
    for colour, given in colours.items():
        if not isinstance(given, list | tuple):
            raise RulesError(f"{colour} has {given!r} for pieces: give the steps of its four")
        if len(given) != PIECES:
            raise RulesError(f"{colour} has {len(given)} pieces, not {PIECES}: {list(given)}")
        for s in given:
            if isinstance(s, bool) or not isinstance(s, int) or not CORNER <= s <= board.home:
                raise RulesError(
                    f"{colour} cannot stand on step {s!r}: steps go from {CORNER} to {board.home}"
                )
        pieces[board.seat(colour)] = tuple(sorted(given))
    return tuple(pieces)


def by_colour(board: Board, position: Sequence[Sequence[int]]) -> dict[str, list[int]]:
    """The position as files and messages write it: colour to list of steps."""
    return {colour: list(steps) for colour, steps in zip(board.seats, position, strict=True)}


def in_play(board: Board, position: Position) -> Position:
    """The steps of the pieces on track and chute, per seat."""
    return tuple(tuple(s for s in pieces if s not in (BASE, board.home)) for pieces in position)

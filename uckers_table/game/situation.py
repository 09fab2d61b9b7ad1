"""What must be known to list plays: whose throw it is, on which board, and what lies under what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from uckers_table.errors import RulesError
from uckers_table.game.position import Position
from uckers_table.game.setting import Setting
from uckers_table.game.turn import Piece

Stacks = tuple[tuple[int, tuple[int, ...]], ...]
"""For mixed squares (as bits) the seats of the pieces on them, bottom to top, where that is known."""


class Situation(NamedTuple):
    """A board and the side to throw. `movers` are the seats whose pieces the throw may be used on."""

    setting: Setting
    position: Position
    side: int
    movers: tuple[int, ...]
    stacks: Stacks = ()
    backing: tuple[Piece, ...] = ()


def stacks_from(setting: Setting, position: Position, given: Mapping[str, Sequence[str]]) -> Stacks:
    """The stacks that a file gives by track square, where their order matters.

    RulesError for one that the position does not hold.
    """
    board, bit = setting.board, setting.ways.bit
    stacks = []
    for name, colours in given.items():
        if not name.isdecimal() or int(name) >= board.track:
            raise RulesError(f"stacks: {name!r} is no track square; they go from 0 to {board.track - 1}")
        square = 1 << int(name)
        seats = tuple(board.seat(colour) for colour in colours)
        if Counter(seats) != _seats_on(bit, position, square):
            raise RulesError(f"stacks: {', '.join(colours)} do not stand on square {name} in 'start'")
        stacks.append((square, seats))
    return () if setting.rules.mixed_stack_order == "free" else tuple(stacks)


def restacked(setting: Setting, stacks: Stacks, before: Position, after: Position) -> Stacks:
    """The stacks after pieces moved: who lands later lies higher, who leaves leaves from the top.

    A mixed square whose order was not known stays unknown, and so is that of colours that come together.
    """
    if setting.rules.mixed_stack_order == "free":
        return ()
    bit = setting.ways.bit
    known = dict(stacks)
    squares = {bit[seat][steps] for seat, pieces in enumerate(after) for steps in pieces} - {0}
    result = []
    for square in sorted(squares):
        was, now = _seats_on(bit, before, square), _seats_on(bit, after, square)
        if len(now) < 2:
            continue
        order = list(known.get(square, was.elements() if len(was) < 2 else ()))
        if Counter(order) != was or len(now - was) > 1:
            continue
        for seat in (was - now).elements():
            del order[len(order) - 1 - order[::-1].index(seat)]
        order.extend((now - was).elements())
        result.append((square, tuple(order)))
    return tuple(result)


def _seats_on(bit: tuple[tuple[int, ...], ...], position: Position, square: int) -> Counter[int]:
    """How many pieces of which seats stand on a square."""
    return Counter(
        seat for seat, pieces in enumerate(position) for steps in pieces if bit[seat][steps] == square
    )

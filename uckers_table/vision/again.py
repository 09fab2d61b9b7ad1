"""Places that are read again on purpose: what a new reading says of them, and all else as it stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from uckers_table.game.board import BASE, Board, Cell, Plan
from uckers_table.sighting import ASTRAY, Sighting


def read_anew(before: Sighting, new: Sighting, places: Collection[str], plan: Plan) -> Sighting:
    """The sighting `before`, with what a `new` one says of some places (as in `Alternative.place`).

    A piece that the new one has elsewhere is one error in two places. So its other place is read anew with
    the named one, and so is the place across a line. `anew` names all of them. Dice stay as they were.
    """
    board = plan.board
    anew = _with_other_ends(before, new, places, board)
    pieces = {
        colour: tuple(
            sorted(
                steps
                for seen, is_new in ((before, False), (new, True))
                for steps in seen.pieces[colour]
                if (board.place(seat, steps) in anew) == is_new
            )
        )
        for seat, colour in enumerate(board.seats)
    }
    stray = tuple(
        stray
        for seen, is_new in ((before, False), (new, True))
        for stray in seen.stray
        if (_place_of(stray.cell, plan) in anew) == is_new
    )
    alternatives = tuple(
        told
        for seen, is_new in ((before, False), (new, True))
        for told in seen.alternatives
        if (told.place in anew) == is_new
    )
    is_as_new = pieces == new.pieces and Counter(stray) == Counter(new.stray)
    return replace(
        new,
        pieces=pieces,
        stray=stray,
        dice=before.dice,
        confidence=new.confidence if is_as_new else min(before.confidence, new.confidence),
        alternatives=alternatives,
        anew=tuple(sorted(anew)),
    )


def _with_other_ends(before: Sighting, new: Sighting, places: Collection[str], board: Board) -> set[str]:
    """The places, and those that have to be read anew with them."""
    was, now = _held(before, board), _held(new, board)
    change = {where: now[where] - was[where] for where in was | now if now[where] != was[where]}
    across = [(told.place, told.across) for seen in (before, new) for told in seen.alternatives]
    anew = set(places)
    while True:
        gone = Counter[str]()
        for (place, colour), more in change.items():
            gone[colour] -= more if place in anew else 0
        ends = {place for (place, colour), more in change.items() if gone[colour] * more > 0}
        ends |= {beyond for place, beyond in across if place in anew and beyond not in ("", ASTRAY)}
        if ends <= anew:
            return anew
        anew |= ends


def _held(seen: Sighting, board: Board) -> Counter[tuple[str, str]]:
    """How many pieces of each colour are seen on each place."""
    return Counter(
        (board.place(seat, steps), colour)
        for seat, colour in enumerate(board.seats)
        for steps in seen.pieces[colour]
    )


def _place_of(cell: Cell | None, plan: Plan) -> str | None:
    """The name of the place that a cell belongs to; None without one."""
    if cell is None:
        return None
    for seat, steps_by_cell in enumerate(plan.steps_by_cell):
        if cell in steps_by_cell:
            return plan.board.place(seat, steps_by_cell[cell])
    base = plan.base_of(cell)
    return plan.board.place(base, BASE) if base is not None else None

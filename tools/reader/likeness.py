"""Two readings of one untouched board: does their difference look like an illegal move?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations

from tools.reader.measure import Line
from tools.reader.wrong import UNREAD, are_next, read_places
from uckers_table.game.board import Board, Plan

SURE = 0.9
"""The confidence from which on a reading is sure."""
ILLEGAL = ("other_square", "next_square", "in_base_again", "out_of_base", "other_colour", "beyond_a_line")
"""Differences between two readings of one board that are exactly an illegal move."""


def likeness(boards: Iterable[Sequence[Line]]) -> dict[str, int]:
    """Ordered pairs of looks at each board: how many differ, and by what. `sure`: of those that differ by an
    illegal move, the pairs of which both were said at 0.9 and more.
    """
    seen, pairs, sure = Counter[str](), 0, 0
    for board in boards:
        plan = Plan(Board(tuple(board[0]["seats"])))
        read = [(look, _standing(plan, look)) for look in board if not _is_unread(look)]
        for (first, one), (second, other) in permutations(read, 2):
            pairs += 1
            kind = difference(plan, one, other)
            seen[kind] += 1
            sure += kind in ILLEGAL and min(first["confidence"], second["confidence"]) >= SURE
    del seen[""]
    ways = (*ILLEGAL, "one_fewer", "one_more", "otherwise")
    illegal = sum(seen[kind] for kind in ILLEGAL)
    return {"pairs": pairs, "differ": seen.total(), "illegal": illegal, "sure": sure} | {
        kind: seen[kind] for kind in ways
    }


def _is_unread(look: Line) -> bool:
    return any(wrong["kind"] in UNREAD for wrong in look["wrong"])


Standing = Counter[tuple[str, str]]
"""Pieces by colour and place."""


def _standing(plan: Plan, look: Line) -> Standing:
    held = read_places(plan, look["pieces"])
    out = Standing({(colour, place): n for place, all_ in held.items() for colour, n in all_.items()})
    out.update((colour, f"astray {cell}") for colour, cell in look["stray"] if colour)
    return out


def difference(plan: Plan, one: Standing, other: Standing) -> str:
    """What happened to the board if both readings were right; nothing if they agree."""
    gone, come = list((one - other).elements()), list((other - one).elements())
    if not gone and not come:
        return ""
    if len(gone) + len(come) == 1:
        return "one_fewer" if gone else "one_more"
    if (len(gone), len(come)) != (1, 1):
        return "otherwise"
    (colour, here), (new_colour, there) = gone[0], come[0]
    if colour != new_colour:
        return "other_colour" if here == there else "otherwise"
    if "astray" in here + there:
        return "beyond_a_line"
    if there.endswith(" 0"):
        return "in_base_again"
    if here.endswith(" 0"):
        return "out_of_base"
    return "next_square" if are_next(plan, here, there) else "other_square"

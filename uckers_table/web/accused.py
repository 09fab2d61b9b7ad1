"""What a ruling says was moved, and what its dice allowed: for pictures, and for a drawn board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from uckers_table.announce.broken_rules import broken_rule
from uckers_table.announce.counted import way_counted
from uckers_table.announce.rules_in_words import edition, spoken_value
from uckers_table.announce.rules_pages import legend
from uckers_table.errors import InputError
from uckers_table.game.board import BASE, CORNER, DOORSTEP, Board
from uckers_table.game.setting import GEOMETRY
from uckers_table.record.match_record import DISPUTED, MatchRecord, Ruled, Terms, as_lists
from uckers_table.record.notation import board_of

ColourSteps = tuple[str, int]
"""A place of the board: a colour, and the steps of its pieces there."""


def accused_shown(record: MatchRecord, number: int) -> dict[str, Any]:
    """What was moved, counted square by square (`moves`). `legal` is where the dice allowed it, None where
    that was not kept. `stood` is the board as it stood, None where the moves do not lead there.
    """
    ruled, board = record.rulings[number - 1], board_of(record.summary.terms)
    moves = [
        (move.colour, move.start, move.end)
        for move in ruled.moves
        if _is_on(board, move.colour, move.start) and _is_on(board, move.colour, move.end)
    ]
    return {
        "moves": moves_shown(board, moves, ruled.throw),
        "legal": _legal(ruled, board),
        "stood": _stood(ruled),
    }


def moves_shown(
    board: Board, moves: Iterable[tuple[str, int, int]], throw: Sequence[int]
) -> list[dict[str, Any]]:
    """What was moved (colour, from, to), each with its way counted square by square."""
    return [
        {"colour": colour, "from": start, "to": end, "way": way_counted(board, start, end, throw)}
        for colour, start, end in moves
    ]


def _legal(ruled: Ruled, board: Board) -> list[dict[str, Any]] | None:
    """The places where the dice allowed what was moved; what makes no sense on this board is left out."""
    if "legal" not in ruled.facts:
        return None
    kept = [(each.get("colour"), each.get("steps")) for each in ruled.facts["legal"]]
    return [{"colour": colour, "steps": steps} for colour, steps in kept if _is_on(board, colour, steps)]


def _is_on(board: Board, colour: Any, steps: Any) -> bool:
    return colour in board.seats and type(steps) is int and CORNER <= steps <= board.home


def _stood(ruled: Ruled) -> dict[str, list[int]] | None:
    """The board on record, once the moves have been made on it."""
    stood = as_lists(ruled.position)
    for move in ruled.moves:
        if move.start not in stood.get(move.colour, ()):
            return None
        stood[move.colour].remove(move.start)
        stood[move.colour].append(move.end)
    return stood


def rule_shown(record: MatchRecord, number: int) -> dict[str, str] | None:
    """The rule that an accusation rests on, as the card of the match's rules has it.

    None where that has none. `source` is its number there, `legend` what its letters stand for.
    """
    ruled, terms = record.rulings[number - 1], record.summary.terms
    if ruled.ruling not in DISPUTED:
        return None
    facts = ruled.facts
    try:
        played = edition(terms.rules, _options(terms))
    except InputError:
        # Of another program's.
        return None
    hold, slip = facts.get("hold", ""), facts.get("slip", "")
    line = broken_rule(played, ruled.ruling, ruled.reason, ruled.throw, hold, slip)
    if line is None:
        return None
    return {
        "text": line.text,
        "section": line.section,
        "source": line.source,
        "legend": legend([line.source]),
        "card": terms.title or terms.rules,
    }


def _options(terms: Terms) -> list[str]:
    """What the match's set was changed by, as typed."""
    return [f"{name}={spoken_value(value)}" for name, value in terms.options.items() if name not in GEOMETRY]


def places_of(accused: Mapping[str, Any]) -> tuple[ColourSteps, ...]:
    """The places that a picture is to show. Base is left out of those that were sent there, if there are
    others: what landed on them is what was done.
    """
    moves = accused["moves"]
    found = [(move["colour"], move["from"]) for move in moves]
    # Who comes out comes over the doorstep, which is not counted.
    found += [(move["colour"], DOORSTEP) for move in moves if move["from"] == BASE and move["way"]]
    found += [(move["colour"], steps) for move in moves for steps in move["way"]]
    found += [(move["colour"], move["to"]) for move in moves if move["to"] != BASE or len(moves) == 1]
    found += [(each["colour"], each["steps"]) for each in accused["legal"] or ()]
    return tuple(dict.fromkeys(found))

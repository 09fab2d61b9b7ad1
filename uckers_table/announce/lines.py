"""Rulings as plain data, the same in a replay, in the record and on the page; and as lines for a console."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from uckers_table.announce.sentences import say
from uckers_table.game.board import Board
from uckers_table.game.position import by_colour
from uckers_table.game.ruling import Ruling
from uckers_table.referee.rulings import TimedRuling


def ruling_line(timed: TimedRuling, board: Board) -> dict[str, Any]:
    """The ruling with the keys that FORMATS gives a line of `replay`.

    `alike`, where there are any, are the boards of other plays that look just like the one ruled.
    """
    ruling = timed.ruling
    facts = ruling if isinstance(ruling, Ruling) else None
    line = {
        "t": round(timed.t, 3),
        "ruling": ruling.kind.value,
        "reason": facts.reason.value if facts and facts.reason else None,
        "side": board.seats[facts.seat] if facts and facts.seat is not None else None,
        "say": say(ruling, board),
        "position": by_colour(board, timed.position),
        "to_play": board.seats[timed.to_play],
        "awaiting": timed.awaiting.value,
    }
    if facts is not None and facts.alike:
        line["alike"] = [by_colour(board, position) for position in facts.alike]
    return line


def console_line(line: Mapping[str, Any]) -> str:
    """A ruling's line as a person reads it: the time, whose it was, what was said or ruled."""
    minutes, seconds = divmod(line["t"], 60)
    words = line["say"] or line["ruling"].replace("_", " ")
    return f"{int(minutes):3d}:{seconds:04.1f}  {line['side'] or '':<7} {words}"

"""Rulings as plain data, the same in a replay, in the record and on the page; and as lines for a console."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, TextIO

from uckers_table.announce.accounts import story_lines
from uckers_table.announce.in_full import in_full
from uckers_table.announce.loudness import Aside, Loudness, is_told, spoken
from uckers_table.announce.sentences import throw_sentence
from uckers_table.foreign.words import printable
from uckers_table.game.board import Board
from uckers_table.game.position import by_colour
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee.events import ThrowMade
from uckers_table.referee.referee import Response
from uckers_table.referee.rulings import TimedRuling

WORDS_AT = 18
"""The column in which the words of a console's line begin."""


def ruling_line(timed: TimedRuling, board: Board, loudness: Loudness = Loudness.CALLS) -> dict[str, Any]:
    """The ruling with the keys that FORMATS gives a line of `replay`.

    `say` is what people hear, and another at each `loudness`. `full` is the same with its squares and
    reasons, for whoever reads it.
    `alike`, where there are any, are the boards of other plays that look just like the one ruled. `stories`,
    of an accusation or a question, are what may have happened.
    """
    ruling = timed.ruling
    facts = ruling if isinstance(ruling, Ruling) else None
    line = {
        "t": round(timed.t, 3),
        "ruling": ruling.kind.value,
        "reason": facts.reason.value if facts and facts.reason else None,
        "side": board.seats[facts.seat] if facts and facts.seat is not None else None,
        "say": spoken(ruling, board, loudness),
        "full": in_full(ruling, board),
        "position": by_colour(board, timed.position),
        "to_play": board.seats[timed.to_play],
        "awaiting": timed.awaiting.value,
    }
    if facts is not None and facts.alike:
        line["alike"] = [by_colour(board, position) for position in facts.alike]
    if timed.accounts:
        line["stories"] = story_lines(timed.accounts, board)
    return line


def told_lines(
    response: Response, lines: Sequence[dict[str, Any]], board: Board, loudness: Loudness
) -> list[dict[str, Any]]:
    """What people are told of a response, in order: of the `lines` of its rulings, and of its throws.

    A throw read out is no ruling: its line has only the keys that are for people.
    """
    told = [
        [line] if is_told(timed.ruling.kind, loudness) else []
        for timed, line in zip(response.rulings, lines, strict=True)
    ]
    told.append([])
    if is_told(Aside.THROW, loudness):
        for seat, told_of, place, _ in response.taken:
            caused = response.rulings[place].ruling.kind if place < len(response.rulings) else None
            # For start, the ruling itself reads the throw out.
            if isinstance(told_of, ThrowMade) and caused is not Kind.THROW_OFF:
                told[place].insert(0, _throw_line(seat, told_of, board))
    return [line for lines in told for line in lines]


def _throw_line(seat: int, throw: ThrowMade, board: Board) -> dict[str, Any]:
    return {
        "t": round(throw.t, 3),
        "ruling": Aside.THROW.value,
        "side": board.seats[seat],
        "say": throw_sentence(board, seat, throw.dice),
    }


def console_columns(line: Mapping[str, Any]) -> tuple[str, str, str]:
    """A ruling's line as a person reads it: the time, whose it was, what was said or ruled.

    What was said of a file may quote it: nothing in a line commands a terminal.
    """
    minutes, seconds = divmod(line["t"], 60)
    words = line.get("full") or line["say"] or line["ruling"].replace("_", " ")
    return f"{int(minutes):3d}:{seconds:04.1f}", printable(line["side"] or ""), printable(words)


def console_line(line: Mapping[str, Any]) -> str:
    """The same in one line."""
    when, side, words = console_columns(line)
    return f"{when}  {side:<7} {words}"


def on_terminal(line: str, out: TextIO, indent: int = WORDS_AT) -> str:
    """A line as it goes to `out`: on a terminal broken between words, `indent` columns in from the second on.

    >>> on_terminal("one line", StringIO())
    'one line'
    """
    if not out.isatty():
        return line
    columns = get_terminal_size().columns
    return fill(line, columns, subsequent_indent=" " * min(indent, columns // 3), break_on_hyphens=False)

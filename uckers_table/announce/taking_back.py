"""What "take back" takes back, in words: one wording for display, page, question and voice.

>>> from uckers_table.game.board import Board
>>> from uckers_table.referee.taking_back import ActKind, Matter
>>> matter_in_words(Matter(7, ActKind.PLAY, 61.5, seat=1, dice=(6, 4)), Board())
"green's play, 6 and 4"
"""

from __future__ import annotations

from uckers_table.announce.words import count, name, throw_in_words
from uckers_table.game.board import Board
from uckers_table.game.ruling import Kind
from uckers_table.referee.taking_back import ActKind, Matter


def matter_in_words(matter: Matter, board: Board) -> str:
    """A matter in a few words that follow "Take back:": "green's 6 and 4", "that timber shift"."""
    words = _what(matter, board.seats[matter.seat] if matter.seat is not None else "nobody")
    if matter.kind is ActKind.CALL and matter.goes:
        words += ", with its throw" if len(matter.goes) == 1 else ", with its throws"
    return f"{words}, and the end of the match" if matter.ends_match else words


def _what(matter: Matter, who: str) -> str:
    whose = f"{who}'s"
    match matter.kind:
        case ActKind.THROW:
            return f"{whose} {throw_in_words(matter.dice)}"
        case ActKind.FAULT:
            return f"{whose} {matter.fault} dice"
        case ActKind.CALL if matter.call is not None and matter.call.kind == "decline":
            return f"that {who} left it"
        case ActKind.CALL if matter.call is not None:
            number = "" if matter.call.target is None else f" {matter.call.target}"
            return f"{whose} {matter.call.kind.replace('_', ' ')}{number}"
        case ActKind.PLAY:
            return f"{whose} play, {throw_in_words(matter.dice)}" if matter.dice else f"{whose} play"
        case ActKind.ACCUSATION:
            is_shift = matter.accused is Kind.TIMBER_SHIFT
            return "that timber shift" if is_shift else f"that {whose} play was illegal"
        case _:
            return "the board as it was taken"


def question(matter: Matter, board: Board) -> str:
    """What is asked before a matter is taken back: "Take back: green's 6 and 4?"."""
    return f"Take back: {matter_in_words(matter, board)}?"


def what_stays(matter: Matter, board: Board) -> str:
    """The throws that count on, a sentence: "Red keeps 5 and 2." Empty if there are none."""
    if not matter.stays:
        return ""
    if len(matter.stays) > 1:
        return f"The {count(len(matter.stays))} throws since then stay."
    ((seat, throw),) = matter.stays
    return f"{name(board, seat)} keeps {throw_in_words(throw.dice)}."

"""What a player was caught at, in a few words."""

from __future__ import annotations

from uckers_table.game.ruling import Kind, Reason

_CAUGHT_AT: dict[str, str] = {
    Reason.BOTH_DICE_OWED: "one die left unplayed",
    Reason.HIGHER_DIE_FIRST: "the lower die played alone",
    Reason.NO_SIX_TO_COME_OUT: "out without a six",
    Reason.THROUGH_BLOB: "through a blob",
    Reason.ONTO_BLOB: "onto a blob",
    Reason.PAST_HOME: "past home",
    Reason.NOT_SENT_BACK: "an ucked piece left standing",
    Reason.SINGLE_PIECE_SPLITS: "a piece ucked in passing",
    Reason.SENT_BACK_UNEARNED: "a piece ucked for nothing",
    Reason.NOT_YOUR_PIECE: "somebody else's piece moved",
    Reason.NOT_YOUR_TURN: "played out of turn",
    Reason.CANNOT_MOVE_NOW: "a piece moved that is held",
    Reason.WRONG_COUNT: "a wrong count",
    Reason.UNREACHABLE: "a square out of reach",
    Kind.TIMBER_SHIFT: "timber shifting",
    Kind.ILLEGAL: "an illegal play",
}


def caught_at(code: str) -> str:
    """A reason of an accusation, or a kind of it, as players say it: "a wrong count"."""
    return _CAUGHT_AT.get(code, code.replace("_", " "))

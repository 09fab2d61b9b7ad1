"""Why nobody can move: what is said, and shown, of a throw that is passed."""

from __future__ import annotations

from collections.abc import Sequence

from uckers_table.announce.words import blobs_of, count, listed, where
from uckers_table.game.board import BASE, Board
from uckers_table.game.ruling import Bar, Hold, Reason, Ruling

HOLDS = {
    Hold.MOVE_ON: "another piece must move on",
    Hold.UNDER_ANOTHER: "it lies under another",
    Hold.PARTNERS_CHUTE: "the chute is closed",
    Hold.SUPERBLOB: "a big blob does not move",
    Hold.NO_ROOM: "no third piece may join a blob",
    Hold.LOWER_DIE: "the lower die alone is lost",
    Hold.CHALLENGE: "only a challenge is open",
    Hold.LONE_PIECE: "a lone piece uses both dice",
    Hold.SNAKE_EYES: "snake eyes only bring out",
    Hold.CAPTURED: "the capturing piece stops",
    Hold.RULING: "what was ruled is put right first",
    Hold.ODD_PAIR: "an odd throw moves no pair",
    Hold.GATE: "whoever is home waits for a six",
    Hold.BOUNCED: "a piece that bounced goes on backwards",
}
"""What keeps a piece where it is though the dice fit it, for whoever reads it."""
HEARD = (Hold.LOWER_DIE, Hold.ODD_PAIR)
"""What is also heard: without it a die that fits, or a pair that nothing bars, seems to be forgotten."""


def why_nothing_moves(ruling: Ruling, board: Board, *, places: bool = False) -> str:
    """What keeps all pieces where they are, in a few words; empty where nobody knows.

    `places`: also where the blobs stand, and whatever else holds a piece.
    """
    bars = ruling.cause.bars if ruling.cause is not None else ()
    also = ruling.cause.also_out if ruling.cause is not None else ()
    parts = [_blobs(bars, board, places=places), _needed(bars, also, board)]
    if places:
        parts.insert(0, ruling.why)
    holds = dict.fromkeys(bar.hold for bar in bars if bar.hold is not None)
    parts += [HOLDS[hold] for hold in holds if places or hold in HEARD]
    return ", ".join(filter(None, parts))


def _blobs(bars: Sequence[Bar], board: Board, *, places: bool) -> str:
    """The blobs in the way: "green's blob", "two of green's blobs"."""
    blobs = list(dict.fromkeys(bar.blob for bar in bars if bar.blob))
    if not places or len(blobs) > 2:
        return blobs_of(board, blobs) if blobs else ""
    return listed([f"{blobs_of(board, [blob])} {where(board, *blob[0])}" for blob in blobs])


def _needed(bars: Sequence[Bar], also_out: Sequence[int], board: Board) -> str:
    """The numbers that would serve: "needs a six", "needs exactly 3"."""
    home = sorted({board.home - bar.piece[1] for bar in bars if bar.reason is Reason.PAST_HOME})
    six = any(bar.reason is Reason.NO_SIX_TO_COME_OUT and bar.piece[1] == BASE for bar in bars)
    out = ["a six", *(f"a {count(number)}" for number in also_out)] if six else []
    needed = [*out, *([f"exactly {_either(home)}"] if home else [])]
    return f"needs {' or '.join(needed)}" if needed else ""


def _either(numbers: Sequence[int]) -> str:
    return " or ".join(map(str, numbers))

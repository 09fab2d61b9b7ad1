"""Why nobody can move: what is said, and shown, of a throw that is passed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from uckers_table.announce.words import blobs_of, count, listed, where
from uckers_table.game.board import BASE, Board
from uckers_table.game.ruling import Bar, Hold, Reason, Ruling
from uckers_table.game.ways import SIX

HOLDS = {
    Hold.MOVE_ON: "another piece must move on",
    Hold.UNDER_ANOTHER: "a piece lies under another",
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

BLOCKED_BY = "blocked by "


def why_nothing_moves(ruling: Ruling, board: Board, *, places: bool = False) -> str:
    """What keeps all pieces where they are, in a few words; empty where nobody knows.

    `places`: also where the blobs stand, and whatever else holds a piece.
    """
    bars = ruling.cause.bars if ruling.cause is not None else ()
    also = ruling.cause.also_out if ruling.cause is not None else ()
    parts = [_blobs(bars, board, places=places), *_lacking(bars, also, ruling.throw, board)]
    if places:
        parts.insert(0, ruling.why)
    holds = dict.fromkeys(bar.hold for bar in bars if bar.hold is not None)
    parts += [HOLDS[hold] for hold in holds if places or hold in HEARD]
    parts = [*filter(None, parts)]
    return ", and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _blobs(bars: Sequence[Bar], board: Board, *, places: bool) -> str:
    """What is in the way: "blocked by green's blob"; of several, who, or with `places` which."""
    blobs = list(dict.fromkeys(bar.blob for bar in bars if bar.blob))
    if not blobs:
        return ""
    if len(blobs) > 1 and not places:
        owners = sorted({seat for blob in blobs for seat, _ in blob})
        return BLOCKED_BY + listed([board.seats[seat] for seat in owners])
    if len(blobs) > 2 or not places:
        return f"{BLOCKED_BY}{blobs_of(board, blobs)}"
    return BLOCKED_BY + listed([f"{blobs_of(board, [blob])} {where(board, *blob[0])}" for blob in blobs])


def _lacking(
    bars: Sequence[Bar], also_out: Sequence[int], throw: Sequence[int], board: Board
) -> Iterator[str]:
    """The numbers that would serve, and were not thrown: "no six", "no 3 for home"."""
    if any(bar.reason is Reason.NO_SIX_TO_COME_OUT and bar.piece[1] == BASE for bar in bars):
        out = [number for number in (SIX, *also_out) if number not in throw]
        yield f"no {' or '.join(map(count, out))}" if out else ""
    home = {board.home - bar.piece[1] for bar in bars if bar.reason is Reason.PAST_HOME}
    if needed := sorted(home - {*throw}):
        yield f"no {' or '.join(map(str, needed))} for home"

"""A snapshot as the page's scripts take it: an object whose parts are encoded one by one.

A part that is as it was is not sent again, so each is a text of its own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from uckers_table.game.board import BASE, Board
from uckers_table.game.events import Call
from uckers_table.game.position import Position, by_colour
from uckers_table.game.ruling import moves_between
from uckers_table.web.feed import Seen, Snapshot

Parts = dict[str, str]
"""By name, each part as JSON."""

_AS_IT_IS = (
    *("state", "match", "rules", "differs", "players", "seats", "names", "loudness", "dice_from"),
    *("awaiting", "throw", "dice_wanted", "owed", "extra", "screen", "question", "choices", "is_asking"),
    *("is_out_of_step", "ways_out", "rulings", "winner", "honours", "devices", "health", "frame"),
    "calibration",
)
QUIET = frozenset({"frame", "seen", "health"})
"""Parts that change all the time, and for which nobody waits."""


def parts_of(snapshot: Snapshot) -> Parts:
    """Every part of a snapshot."""
    board = Board(snapshot.seats) if snapshot.seats else None
    shown: dict[str, Any] = {name: getattr(snapshot, name) for name in _AS_IT_IS}
    shown["lit"] = sorted(snapshot.lit)
    shown["position"] = by_colour(board, snapshot.position) if board and snapshot.position else None
    to_play = snapshot.to_play
    shown["to_play"] = snapshot.seats[to_play] if board and to_play is not None else None
    shown["plays"] = [_play(board, snapshot.position, after) for after in snapshot.plays] if board else []
    shown["calls"] = [
        {"words": each.words, **_call(board, each.call)} for each in snapshot.calls if board is not None
    ]
    shown["seen"] = _seen(snapshot.seen) if snapshot.seen is not None else None
    return {name: json.dumps(value, default=_plain, separators=(",", ":")) for name, value in shown.items()}


def as_object(parts: Parts, names: Sequence[str] | None = None) -> str:
    """The parts of these names, or all, as one JSON object."""
    return "{" + ",".join(f'"{name}":{parts[name]}' for name in (names or parts)) + "}"


def _play(board: Board, before: Position, after: Position) -> dict[str, Any]:
    """A play: what its player moves, and the board after it."""
    moves = [
        {"colour": board.seats[move.seat], "from": move.start, "to": move.end}
        for move in moves_between(before, after)
        if move.end != BASE
    ]
    return {"moves": moves, "position": by_colour(board, after)}


def _call(board: Board, call: Call) -> dict[str, Any]:
    """A call as `asked` takes it."""
    asked: dict[str, Any] = {"call": call.kind, "double": call.double, "target": call.target}
    if call.seat is not None and call.steps is not None:
        asked["piece"] = {"colour": board.seats[call.seat], "steps": call.steps}
    return asked


def _seen(seen: Seen) -> dict[str, Any]:
    sighting = seen.sighting.to_json()
    sighting.pop("alternatives", None)
    pieces = {colour: sighting.pop(colour) for colour in seen.sighting.pieces}
    return {**sighting, "pieces": pieces, "found": seen.found, "of": seen.of}


def _plain(value: Any) -> Any:
    """What is no plain data as what is."""
    return asdict(value)

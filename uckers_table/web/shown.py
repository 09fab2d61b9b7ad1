"""A snapshot as the page's scripts take it: an object whose parts are encoded one by one.

A part that is as it was is not sent again, so each is a text of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from operator import attrgetter
from pathlib import Path
from typing import Any

from uckers_table.game.board import BASE, Board
from uckers_table.game.events import Call
from uckers_table.game.position import Position, by_colour
from uckers_table.game.ruling import moves_between
from uckers_table.web.accused import moves_shown
from uckers_table.web.feed import Snapshot
from uckers_table.web.rulebook import plan_address

JsonParts = dict[str, str]
"""By name, each part as JSON."""

Part = Callable[[Snapshot], Any]

_AS_IT_IS = (
    *("state", "match", "moment", "differs", "players", "names", "loudness", "dice_from"),
    *("awaiting", "throw", "dice_wanted", "owed", "extra", "screen", "question", "choices", "is_asking"),
    *("is_out_of_step", "ways_out", "rulings", "spoken", "winner", "honours", "devices", "health", "frame"),
    *("calibration", "backup", "reminders", "take_back", "asks_back", "put_back"),
    *("card", "trying_out", "settings", "findings", "leaving"),
)
QUIET = frozenset({"frame", "seen", "health"})
"""Parts that change all the time, and for which nobody waits."""


def parts_of(snapshot: Snapshot, before: Snapshot, parts: JsonParts) -> JsonParts:
    """Every part of a snapshot; `parts` are those of the one `before`, none where nothing was encoded yet."""
    made = {}
    for name, (made_of, part) in _PARTS.items():
        is_as_it_was = name in parts and all(
            getattr(snapshot, field) == getattr(before, field) for field in made_of
        )
        made[name] = parts[name] if is_as_it_was else _encoded(part(snapshot))
    return made


def _encoded(value: Any) -> str:
    return json.dumps(value, default=_plain, separators=(",", ":"))


def as_object(parts: JsonParts, names: Sequence[str] | None = None) -> str:
    """The parts of these names, or all, as one JSON object."""
    return "{" + ",".join(f'"{name}":{parts[name]}' for name in (names or parts)) + "}"


def _position(snapshot: Snapshot) -> dict[str, list[int]] | None:
    return by_colour(snapshot.board, snapshot.position) if snapshot.position else None


def _to_play(snapshot: Snapshot) -> str | None:
    return snapshot.board.seats[snapshot.to_play] if snapshot.to_play is not None else None


def _plays(snapshot: Snapshot) -> list[dict[str, Any]]:
    if not snapshot.plays:
        return []
    board = snapshot.board
    return [_play(board, snapshot.position, after) for after in snapshot.plays]


def _calls(snapshot: Snapshot) -> list[dict[str, Any]]:
    if not snapshot.calls:
        return []
    return [
        {"words": each.words, "is_forced": each.is_forced, **_call(snapshot.board, each.call)}
        for each in snapshot.calls
    ]


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


def _accused(snapshot: Snapshot) -> dict[str, Any] | None:
    if snapshot.accused is None:
        return None
    seats, accused = snapshot.board.seats, snapshot.accused
    moves = [(seats[move.seat], move.start, move.end) for move in accused.moves]
    legal = None
    if accused.legal is not None:
        legal = [{"colour": seats[seat], "steps": steps} for seat, steps in accused.legal]
    return {
        "ruling": accused.ruling,
        "moves": moves_shown(snapshot.board, moves, accused.throw),
        "legal": legal,
    }


def _seen(snapshot: Snapshot) -> dict[str, Any] | None:
    seen = snapshot.seen
    if seen is None:
        return None
    sighting = seen.sighting.to_json()
    sighting.pop("alternatives", None)
    pieces = {colour: sighting.pop(colour) for colour in seen.sighting.pieces}
    return {**sighting, "pieces": pieces, "found": seen.found, "of": seen.of, "strange_in": seen.strange_in}


def _plain(value: Any) -> Any:
    """What is no plain data as what is."""
    return asdict(value)


_PARTS: dict[str, tuple[tuple[str, ...], Part]] = {
    **{name: ((name,), attrgetter(name)) for name in _AS_IT_IS},
    # Where a mess keeps its own rules on the machine is nobody's business.
    "rules": (("rules",), lambda snapshot: Path(snapshot.rules).stem),
    "options": (("options",), lambda snapshot: dict(snapshot.options)),
    "seats": (("board",), attrgetter("board.seats")),
    "plan": (("board",), lambda snapshot: plan_address(snapshot.board)),
    "lit": (("lit",), lambda snapshot: sorted(snapshot.lit)),
    "position": (("board", "position"), _position),
    "to_play": (("board", "to_play"), _to_play),
    "plays": (("board", "position", "plays"), _plays),
    "accused": (("board", "accused"), _accused),
    "calls": (("board", "calls"), _calls),
    "seen": (("seen",), _seen),
}
"""What each part is made of, and how."""

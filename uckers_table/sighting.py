"""What vision tells the referee: plain values, and their form in JSON. Standard library only.

Pieces are given as steps per colour, dice in millimetres of the plan (origin at the board's top-left
corner, x right, y down; also for dice beside the board).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from uckers_table.errors import InputError

DIE_STATES = ("flat", "cocked", "off_board")
TROUBLES = ("too_dark", "colours_indistinct", "board_not_found", "board_moved", "occluded", "blurred")
"""Why a frame, or a part of it, cannot be read. `board_moved` alone does not make a reading doubtful."""


@dataclass(frozen=True)
class SeenDie:
    """A die: its value (None when it cannot be told), state, and place on the plan in millimetres."""

    value: int | None
    state: str
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class Stray:
    """A piece on a square that its colour never uses, or a thing that is none of the game's pieces.

    `cell` is None for one beside the board, `colour` for one of no colour that is played with.
    """

    colour: str | None
    cell: tuple[int, int] | None


ASTRAY = "astray"
"""What an alternative names as the place beyond the line where a stray stands."""


LEAST_COST = 0.3
"""What any alternative costs at least: it was not what was read."""


@dataclass(frozen=True)
class Alternative:
    """What else a place may hold, and how much worse that fits the picture than what was read.

    `place` is a track square ("15") or a colour's own place ("red 53" in the chute, "red 0" its base,
    "red 57" its home). `contents` counts pieces by colour. `cost` is a log-likelihood ratio: 0 as good
    as what was read, 3 about twenty times less likely. Where pieces stand near a line, `across` is the place
    beyond it, which has an alternative of its own: either holds if the other does.
    """

    place: str
    contents: Mapping[str, int]
    cost: float
    across: str = ""


@dataclass(frozen=True)
class Sighting:
    """One frame, read. `pieces` holds the steps of the pieces seen, per colour, sorted.

    `reading` numbers the readings of a stream; 0 is a frame that was read by itself. Sightings of one reading
    are one witness: nothing was read anew between them. `anew`: the places (as in `Alternative.place`) that
    this reading told. At the others the board is as an earlier one told it. None: this one told all.
    """

    pieces: Mapping[str, tuple[int, ...]]
    stray: tuple[Stray, ...] = ()
    dice: tuple[SeenDie, ...] = ()
    hand: bool = False
    trouble: tuple[str, ...] = ()
    confidence: float = 1.0
    alternatives: tuple[Alternative, ...] = field(default=())
    reading: int = 0
    anew: tuple[str, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """The keys of `read --json` (the frame's name left out). `alternatives`, `reading` and `anew` where
        they say anything.
        """
        out: dict[str, Any] = {colour: list(steps) for colour, steps in self.pieces.items()}
        out["stray"] = [
            {"colour": s.colour, "cell": list(s.cell) if s.cell is not None else None} for s in self.stray
        ]
        out["dice"] = [
            {"value": d.value, "state": d.state, "x_mm": round(d.x_mm, 1), "y_mm": round(d.y_mm, 1)}
            for d in self.dice
        ]
        out["hand"] = self.hand
        out["trouble"] = list(self.trouble)
        out["confidence"] = round(self.confidence, 3)
        if self.alternatives:
            out["alternatives"] = [
                {"place": a.place, "contents": dict(a.contents), "cost": round(a.cost, 2)}
                | ({"across": a.across} if a.across else {})
                for a in self.alternatives
            ]
        if self.reading:
            out["reading"] = self.reading
        if self.anew is not None:
            out["anew"] = list(self.anew)
        return out

    @classmethod
    def from_json(cls, data: Mapping[str, Any], seats: tuple[str, ...]) -> Sighting:
        """The sighting that `to_json` wrote; InputError names the key that makes no sense."""
        try:
            key = "pieces"
            pieces = {colour: _steps(data.get(colour, ())) for colour in seats}
            key = "stray"
            stray = tuple(
                Stray(
                    None if s["colour"] is None else str(s["colour"]),
                    (int(s["cell"][0]), int(s["cell"][1])) if s["cell"] else None,
                )
                for s in data.get(key, ())
            )
            key = "dice"
            dice = tuple(
                SeenDie(
                    None if d["value"] is None else int(d["value"]),
                    str(d["state"]),
                    float(d.get("x_mm", 0.0)),
                    float(d.get("y_mm", 0.0)),
                )
                for d in data.get(key, ())
            )
            if any(d.state not in DIE_STATES or d.value not in (None, 1, 2, 3, 4, 5, 6) for d in dice):
                raise ValueError("no such die")
            key = "trouble"
            trouble = tuple(str(t) for t in data.get(key, ()))
            key = "confidence"
            confidence = float(data.get(key, 1.0))
            key = "alternatives"
            alternatives = tuple(
                Alternative(
                    str(a["place"]),
                    {str(c): int(n) for c, n in a["contents"].items()},
                    float(a["cost"]),
                    str(a.get("across", "")),
                )
                for a in data.get(key, ())
            )
            key = "reading"
            reading = _number(data.get(key, 0))
            key = "anew"
            anew = _places(data.get(key), seats)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            raise InputError(f"key '{key}' of a sighting makes no sense ({error})") from None
        hand = bool(data.get("hand", False))
        return cls(pieces, stray, dice, hand, trouble, confidence, alternatives, reading, anew)


def _steps(given: Any) -> tuple[int, ...]:
    """Steps as read: whole numbers, in order; whether there are such squares is for the board to say."""
    if not isinstance(given, list | tuple) or any(type(steps) is not int for steps in given):
        raise ValueError(f"{given!r} are no steps")
    return tuple(sorted(given))


def _number(given: Any) -> int:
    """A reading's number as read."""
    if type(given) is not int or given < 0:
        raise ValueError(f"{given!r} is no number of a reading")
    return given


def _places(given: Any, seats: tuple[str, ...]) -> tuple[str, ...] | None:
    """Names of places as read. Whether there are such squares is for the board to say."""
    if given is None:
        return None
    if not isinstance(given, list | tuple):
        raise ValueError(f"{given!r} is no list of places")
    for place in given:
        colour, _, steps = place.rpartition(" ") if isinstance(place, str) else ("?", "", "")
        if (colour and colour not in seats) or not steps.removeprefix("-").isdecimal():
            raise ValueError(f"{place!r} is no place")
    return tuple(given)

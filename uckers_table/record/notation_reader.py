"""Reads a match that `notation` has written, or somebody by hand (docs/notation.md).

Nothing is judged: a text says what was ruled, and only that pieces moved from where they stood is checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from uckers_table.errors import InputError, RecordingError
from uckers_table.foreign.documents import json_from
from uckers_table.game.board import PIECES
from uckers_table.game.events import CALLS, Awaiting
from uckers_table.game.throws import Purpose
from uckers_table.record.match_record import (
    GOOD,
    VOID,
    Called,
    Entry,
    MatchRecord,
    MatchSummary,
    Moved,
    Ruled,
    Terms,
    Thrown,
)
from uckers_table.record.notation import FORMAT, Reckoning, move_in_text, values_of
from uckers_table.referee.events import FAULTS

_QUOTE = re.compile(r'\\.|"')
_TOKEN = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')
_TIME = re.compile(r"(\d{1,6}):(\d\d(?:\.\d{1,3})?)")
_LATER = re.compile(r"\+(\d{1,8}(?:\.\d{1,3})?)")
_DICE = re.compile(r"[1-6](?:-[1-6])?")
_MOVE = re.compile(r"(?:(\w+)\.)?(-?\d+)>(-?\d+)")
_FACT = re.compile(r"([a-z_]+)=(.+)", re.DOTALL)
_NAME = re.compile(r"[a-z_]+")


def from_text(text: str, name: str) -> MatchRecord:
    """The match that a text describes; RecordingError names the line (`name` is the file's) that makes no
    sense.

    Tags that are not known are passed over: a later program may write more.
    """
    header = _Header()
    entries: list[Entry] = []
    reader: _Reader | None = None
    for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        try:
            if not _has_quotes_closed(line):
                raise RecordingError("a quoted sentence has no end")
            if line.startswith("[") and reader is None:
                header.take(line)
                continue
            if reader is None:
                reader = _Reader(Reckoning.at_start(header.terms()))
            for entry in reader.line(line):
                entries.append(entry)
                reader.reckoning.goes_on(entry)
        except (InputError, ValueError) as error:
            raise RecordingError(f"{name}:{number}: {error}") from None
    try:
        summary = header.summary(entries)
    except (InputError, ValueError) as error:
        raise RecordingError(f"{name}: {error}") from None
    return MatchRecord(summary, tuple(entries))


def _has_quotes_closed(line: str) -> bool:
    """Whether each quoted sentence has an end. In one look: a line may have quotes without end."""
    is_open = False
    for found in _QUOTE.finditer(line):
        # Only in a sentence does a backslash keep a quote from ending it.
        if found[0] == '"' or (found[0] == '\\"' and not is_open):
            is_open = not is_open
    return not is_open


@dataclass
class _Header:
    """The tags, each with its values."""

    tags: dict[str, list[Any]] = field(default_factory=dict)
    several: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {"Option": {}, "Value": {}, "Name": {}}
    )

    def take(self, line: str) -> None:
        if not line.endswith("]"):
            raise RecordingError("a tag ends with ]")
        name, *values = _TOKEN.findall(line[1:-1]) or [""]
        try:
            given = [json_from(value) for value in values]
        except ValueError:
            raise RecordingError(f"tag {name}: give each value as JSON, strings in quotes") from None
        if name in self.several:
            if len(given) != 2 or not isinstance(given[0], str):
                raise RecordingError(f"tag {name} takes a name and a value")
            self.several[name][given[0]] = given[1]
        else:
            self.tags[name] = given

    def terms(self) -> Terms:
        if self._one("Format", str, "") != FORMAT:
            raise RecordingError(f'no match of a form known here: the first tag is [Format "{FORMAT}"]')
        seats = tuple(self.tags.get("Seats", ()))
        if not seats or not all(isinstance(seat, str) and _NAME.fullmatch(seat) for seat in seats):
            raise RecordingError('tag Seats names the colours clockwise, as in [Seats "red" "green" …]')
        terms = Terms(
            rules=self._one("Rules", str, "br4006"),
            options=self.several["Option"],
            title=self._one("Title", str, ""),
            players=self._one("Players", int, 4),
            seats=seats,
            names=self.several["Name"],
            dice=self._one("Dice", str, "tower"),
            to_play=self._one("First", str, None),
        )
        return replace(terms, values=values_of(terms) | self.several["Value"])

    def summary(self, entries: Sequence[Entry]) -> MatchSummary:
        is_closed = "Result" in self.tags
        last = max((entry.t for entry in entries if isinstance(entry, Ruled)), default=0.0)
        return MatchSummary(
            number=self._one("Match", int, 0),
            terms=self.terms(),
            begun=self._one("Begun", str, None),
            ended=self._one("Ended", str, None),
            clock=self._one("Clock", str, ""),
            winner=tuple(map(str, self.tags["Result"])) if is_closed else None,
            honours=tuple(map(str, self.tags.get("Honours", ()))),
            lasted_s=float(self._one("Lasted", (int, float), last)) if is_closed else last,
            throws=sum(isinstance(entry, Thrown) for entry in entries),
            rulings=sum(isinstance(entry, Ruled) for entry in entries),
            identity=self._one("Identity", str, ""),
        )

    def _one(self, name: str, kind: Any, otherwise: Any) -> Any:
        values = self.tags.get(name)
        if values is None:
            return otherwise
        if len(values) != 1 or not isinstance(values[0], kind) or isinstance(values[0], bool):
            raise RecordingError(f"tag {name} takes one value, not {values}")
        return values[0]


@dataclass
class _Reader:
    reckoning: Reckoning

    def line(self, line: str) -> Iterator[Entry]:
        tokens = _TOKEN.findall(line)
        if tokens and re.fullmatch(r"\d+\.", tokens[0]):
            tokens.pop(0)
        time = _TIME.fullmatch(tokens[0]) if tokens else None
        if time is None:
            raise RecordingError("a line begins with its time, as in 12:04.250")
        began = round(int(time[1]) * 60 + float(time[2]), 3)
        t, item = began, list[str]()
        for token in [*tokens[1:], ";"]:
            if token != ";":
                item.append(token)
                continue
            if item and (later := _LATER.fullmatch(item[0])):
                t, item = round(began + float(later[1]), 3), item[1:]
            yield self._item(t, item)
            item = []

    def _item(self, t: float, tokens: list[str]) -> Entry:
        if len(tokens) < 2:
            raise RecordingError("between semicolons stands a throw, a call or a ruling")
        whose, what, *rest = tokens
        if whose == "-:":
            return self._ruled(t, None, what, rest)
        side = whose.removesuffix(":")
        if side not in self.reckoning.position:
            raise RecordingError(f"{side!r} is none of the seats {', '.join(self.reckoning.position)}")
        if whose.endswith(":"):
            return self._ruled(t, side, what, rest)
        if what == "throws":
            return self._thrown(t, side, rest)
        if what == "calls":
            return self._called(t, side, rest)
        raise RecordingError(f"{side} {what!r}: a side throws or calls; a ruling has a colon after the side")

    def _thrown(self, t: float, side: str, tokens: list[str]) -> Thrown:
        if not tokens:
            raise RecordingError(f"{side} throws, but not what")
        first, *rest = tokens
        dice: tuple[int, ...] = ()
        state = GOOD
        if _DICE.fullmatch(first):
            dice = _dice_from(first)
        elif first in FAULTS:
            state = first
        else:
            raise RecordingError(f"{first!r} is no throw: give dice as in 6-3, or {' or '.join(FAULTS)}")
        if rest and rest[0] == VOID:
            state, rest = VOID, rest[1:]
        purpose = str(Purpose.NOTHING if state == VOID else Purpose.PLAY)
        source = self.reckoning.source
        while rest:
            match rest:
                case ["for", given, *rest] if given in (*Purpose, "unknown"):
                    purpose = "" if given == "unknown" else given
                case ["by", source, *rest]:
                    pass
                case _:
                    raise RecordingError(f"{' '.join(rest)!r} says nothing of a throw")
        return Thrown(t, side, dice, state, source, purpose)

    def _called(self, t: float, side: str, tokens: list[str]) -> Called:
        if not tokens or tokens[0] not in CALLS:
            raise RecordingError(f"{side} calls one of {', '.join(CALLS)}")
        called = Called(t, side, tokens[0])
        rest = tokens[1:]
        while rest:
            match rest:
                case ["with", piece, *rest]:
                    colour, _, steps = piece.partition("@")
                    if colour not in self.reckoning.position:
                        raise RecordingError(f"{colour!r} is none of the seats")
                    called = replace(called, colour=colour, steps=int(steps) if steps else None)
                case ["number", number, *rest]:
                    called = replace(called, target=int(number))
                case ["double", *rest]:
                    called = replace(called, double=True)
                case _:
                    raise RecordingError(f"{' '.join(rest)!r} says nothing of a call")
        return called

    def _ruled(self, t: float, side: str | None, ruling: str, tokens: list[str]) -> Ruled:
        if not _NAME.fullmatch(ruling):
            raise RecordingError(f"{ruling!r} is no ruling")
        reckoning = self.reckoning
        reason = None
        if tokens and _NAME.fullmatch(tokens[0]) and tokens[0] not in ("on", "next", "at", "alike"):
            reason, *tokens = tokens
        throw = reckoning.usual_throw(ruling)
        following = reckoning.following
        made: list[Moved] = []
        told: list[Moved] = []
        given: dict[str, tuple[int, ...]] = {}
        alike: list[dict[str, tuple[int, ...]]] = []
        facts: dict[str, Any] = {}
        say = ""
        while tokens:
            token, *tokens = tokens
            if move := _MOVE.fullmatch(token.removeprefix("(").removesuffix(")")):
                (told if token.startswith("(") else made).append(self._moved(move, side))
            elif token == "on" and tokens:
                throw, tokens = _dice_from(tokens[0]), tokens[1:]
            elif token == "next" and tokens:
                following, tokens = self._following(tokens)
            elif token == "at":
                given, tokens = self._standing(tokens)
            elif token == "alike":
                other, tokens = self._standing(tokens)
                alike.append(other)
            elif fact := _FACT.fullmatch(token):
                facts[fact[1]] = json_from(fact[2])
            elif token.startswith('"'):
                say = str(json_from(token))
            else:
                raise RecordingError(f"{token!r} says nothing of a ruling")
        if not all(following):
            raise RecordingError("the first ruling has to say whose turn is next, as in: next red")
        position = reckoning.moved(made)
        if position is None:
            moved = ", ".join(move_in_text(move, side) for move in made)
            raise RecordingError(f"{moved}: no piece stands where it is moved from")
        position |= given
        return Ruled(
            t,
            ruling,
            reason,
            side,
            say,
            position,
            *following,
            throw,
            tuple(made or told),
            tuple(position | other for other in alike),
            facts,
        )

    def _moved(self, move: re.Match[str], side: str | None) -> Moved:
        colour = move[1] or side
        if colour is None or colour not in self.reckoning.position:
            raise RecordingError(f"{move[0]!r}: say whose piece, as in red.{move[2]}>{move[3]}")
        return Moved(colour, int(move[2]), int(move[3]))

    def _following(self, tokens: list[str]) -> tuple[tuple[str, str], list[str]]:
        side, *rest = tokens
        if side not in self.reckoning.position:
            raise RecordingError(f"next is {side!r}, which is none of the seats")
        if rest and rest[0] in tuple(Awaiting):
            return (side, rest[0]), rest[1:]
        return (side, str(Awaiting.THROW)), rest

    def _standing(self, tokens: list[str]) -> tuple[dict[str, tuple[int, ...]], list[str]]:
        given: dict[str, tuple[int, ...]] = {}
        while tokens and "@" in tokens[0] and not tokens[0].startswith('"'):
            colour, _, steps = tokens[0].partition("@")
            if colour not in self.reckoning.position:
                raise RecordingError(f"{colour!r} is none of the seats")
            given[colour] = tuple(sorted(int(each) for each in steps.split(",")))
            if len(given[colour]) != PIECES:
                raise RecordingError(f"{colour} has {PIECES} pieces: {tokens[0]!r}")
            tokens = tokens[1:]
        return given, tokens


def _dice_from(text: str) -> tuple[int, ...]:
    if text == "nothing":
        return ()
    if not _DICE.fullmatch(text):
        raise RecordingError(f"{text!r} are no dice: write them as in 6-3")
    return tuple(int(die) for die in text.split("-"))

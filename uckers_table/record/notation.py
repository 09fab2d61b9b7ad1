"""A match as text that people can read: a header of tags, then one line a throw (docs/notation.md).

What is written here and read by `notation_reader` is the same match, but for its pictures.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from uckers_table.errors import InputError
from uckers_table.foreign.words import printable
from uckers_table.game.board import BASE, PIECES, Board
from uckers_table.game.events import Awaiting
from uckers_table.game.options import OPTIONS
from uckers_table.game.ruling import Kind
from uckers_table.game.setting import GEOMETRY, load_setting
from uckers_table.game.throws import Purpose
from uckers_table.record.match_record import (
    VOID,
    Called,
    Entry,
    MatchRecord,
    MatchSummary,
    Moved,
    Ruled,
    Standing,
    Terms,
    Thrown,
)

FORMAT = "uckers-table match 1"
"""What the first tag says; a reader of a later form still reads this one."""

ON_DICE = frozenset(Kind) - {
    Kind.PUT_RIGHT,
    Kind.COCKED,
    Kind.DROPPED,
    Kind.PENALTY,
    Kind.CALL_ACCEPTED,
    Kind.CALL_REFUSED,
    Kind.UPBOARD,
}
"""Rulings that are on the last throw unless they say otherwise."""

BEFORE_DICE = frozenset({"suckback", "blowback", "snake_eyes", "stand_up_finish", "colours"})
"""Calls that begin the line of the throw that they are made for."""


def values_of(terms: Terms) -> dict[str, Any]:
    """The value of every option as the rule set and options of a match have them today; none if unknown."""
    try:
        rules = load_setting(terms.rules, terms.options, seats=terms.seats, players=terms.players).rules
    except InputError:
        return {}
    return {name: getattr(rules, name) for name in OPTIONS}


def board_of(terms: Terms) -> Board:
    """The board of a match, also of one whose rules are not known here; RulesError if there is none."""
    of_the_board = {name: value for name, value in terms.options.items() if name in GEOMETRY}
    return load_setting("br4006", of_the_board, seats=terms.seats, players=terms.players).board


def to_text(match: MatchRecord) -> str:
    """The match as text."""
    writer = _Writer(Reckoning.at_start(match.summary.terms))
    lines: list[list[Entry]] = []
    for entry in match.entries:
        has_throw = bool(lines) and any(isinstance(each, Thrown) for each in lines[-1])
        begins = isinstance(entry, Thrown) or (isinstance(entry, Called) and entry.call in BEFORE_DICE)
        if not lines or (begins and has_throw):
            lines.append([])
        lines[-1].append(entry)
    written = [f"{number:3}. {writer.line(line)}" for number, line in enumerate(lines, start=1)]
    return "\n".join(map(printable, [*_tags(match.summary), "", *written])) + "\n"


def _tags(summary: MatchSummary) -> Iterator[str]:
    terms = summary.terms

    def tag(name: str, *values: Any) -> str:
        return f"[{' '.join([name, *(json.dumps(value, ensure_ascii=False) for value in values)])}]"

    yield tag("Format", FORMAT)
    yield tag("Match", summary.number)
    if summary.identity:
        yield tag("Identity", summary.identity)
    yield tag("Rules", terms.rules)
    if terms.title:
        yield tag("Title", terms.title)
    for name, value in terms.options.items():
        yield tag("Option", name, value)
    today = values_of(terms)
    for name, value in terms.values.items():
        if name not in today or today[name] != value:
            yield tag("Value", name, value)
    yield tag("Players", terms.players)
    yield tag("Seats", *terms.seats)
    for colour, name in terms.names.items():
        yield tag("Name", colour, name)
    yield tag("Dice", terms.dice)
    if terms.to_play is not None:
        yield tag("First", terms.to_play)
    for name, date in (("Begun", summary.begun), ("Ended", summary.ended), ("Clock", summary.clock)):
        if date:
            yield tag(name, date)
    if summary.winner is not None:
        yield tag("Result", *summary.winner)
        yield tag("Lasted", summary.lasted_s)
    if summary.honours:
        yield tag("Honours", *summary.honours)


@dataclass
class Reckoning:
    """What a line leaves out because it follows from those before it; writer and reader keep the same."""

    position: dict[str, tuple[int, ...]]
    source: str
    dice: tuple[int, ...] = ()
    following: tuple[str, str] = ("", "")

    @staticmethod
    def at_start(terms: Terms) -> Reckoning:
        """Before the first line: all in base."""
        source = terms.dice if terms.dice in ("camera", "buttons") else "tower"
        return Reckoning(dict.fromkeys(terms.seats, (BASE,) * PIECES), source)

    def moved(self, moves: Sequence[Moved]) -> dict[str, tuple[int, ...]] | None:
        """The position after moves; None where a piece does not stand where it is moved from."""
        position = dict(self.position)
        for move in moves:
            pieces = list(position.get(move.colour, ()))
            if move.start not in pieces:
                return None
            pieces[pieces.index(move.start)] = move.end
            position[move.colour] = tuple(sorted(pieces))
        return position

    def usual_throw(self, ruling: str) -> tuple[int, ...]:
        """The dice that a ruling is on if it does not say."""
        return self.dice if ruling in ON_DICE else ()

    def goes_on(self, entry: Entry) -> None:
        """What follows comes after this."""
        if isinstance(entry, Thrown):
            self.dice = entry.dice or self.dice
        elif isinstance(entry, Ruled):
            self.position = dict(entry.position)
            self.following = entry.to_play, entry.awaiting


@dataclass
class _Writer:
    reckoning: Reckoning

    def line(self, entries: Sequence[Entry]) -> str:
        began = before = entries[0].t
        minutes, seconds = divmod(round(began * 1000), 60_000)
        items = []
        for entry in entries:
            later = f"+{round(entry.t - began, 3)} " if entry.t != before else ""
            before = entry.t
            items.append(later + self._item(entry))
            self.reckoning.goes_on(entry)
        return f"{minutes:3}:{seconds / 1000:06.3f} {' ; '.join(items)}"

    def _item(self, entry: Entry) -> str:
        match entry:
            case Thrown():
                return self._thrown(entry)
            case Called():
                return _called(entry)
            case Ruled():
                return " ".join(filter(None, self._ruled(entry)))

    def _thrown(self, thrown: Thrown) -> str:
        what = [f"{thrown.side} throws", _dice(thrown.dice) if thrown.dice else thrown.state]
        if thrown.state == VOID:
            what.append("void")
        usual = Purpose.NOTHING if thrown.state == VOID else Purpose.PLAY
        if thrown.purpose != usual:
            what.append(f"for {thrown.purpose or 'unknown'}")
        if thrown.source != self.reckoning.source:
            what.append(f"by {thrown.source}")
        return " ".join(what)

    def _ruled(self, ruled: Ruled) -> Iterator[str]:
        reckoning = self.reckoning
        yield f"{ruled.side or '-'}: {ruled.ruling}"
        yield ruled.reason or ""
        moves = [move_in_text(move, ruled.side) for move in ruled.moves]
        has_moved = bool(moves) and reckoning.moved(ruled.moves) == ruled.position
        yield " ".join(moves) if has_moved else " ".join(f"({move})" for move in moves)
        if ruled.throw != reckoning.usual_throw(ruled.ruling):
            yield f"on {_dice(ruled.throw) if ruled.throw else 'nothing'}"
        if (ruled.to_play, ruled.awaiting) != reckoning.following:
            yield f"next {ruled.to_play}"
            yield ruled.awaiting if ruled.awaiting != Awaiting.THROW else ""
        if not has_moved and ruled.position != reckoning.position:
            yield f"at {_standing(ruled.position, reckoning.position)}"
        for each in ruled.alike:
            yield f"alike {_standing(each, ruled.position)}".rstrip()
        for name, value in ruled.facts.items():
            yield f"{name}={json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
        if ruled.say:
            yield json.dumps(ruled.say, ensure_ascii=False)


def _dice(dice: Sequence[int]) -> str:
    return "-".join(map(str, dice))


def move_in_text(move: Moved, side: str | None) -> str:
    """A move as a ruling on a side tells it."""
    whose = "" if move.colour == side else f"{move.colour}."
    return f"{whose}{move.start}>{move.end}"


def _standing(position: Standing, ground: Standing) -> str:
    return " ".join(
        f"{colour}@{','.join(map(str, steps))}"
        for colour, steps in position.items()
        if ground.get(colour) != steps
    )


def _called(called: Called) -> str:
    what = [f"{called.side} calls {called.call}"]
    if called.colour is not None:
        steps = "" if called.steps is None else f"@{called.steps}"
        what.append(f"with {called.colour}{steps}")
    if called.target is not None:
        what.append(f"number {called.target}")
    return " ".join([*what, *(["double"] if called.double else [])])

"""From what the referee put out to the entries that the record keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from uckers_table.game.board import Board
from uckers_table.game.explain import open_instead
from uckers_table.game.ruling import Ruling
from uckers_table.game.throws import Purpose
from uckers_table.record.match_record import DISPUTED, GOOD, VOID, Called, Entry, Moved, Ruled, Thrown
from uckers_table.referee.events import CallMade, DiceFault, ThrowMade
from uckers_table.referee.referee import Response
from uckers_table.referee.rulings import Notice, Taken, TimedRuling

_NUMBERS = ("owed", "wanted", "count", "tries_left")
_WORDS = ("why", "honours", "touch_wood", "off_the_ips", "deliberate", "unspoken", "thrown_on")


def entries_of(response: Response, lines: Sequence[Mapping[str, Any]], board: Board) -> list[Entry]:
    """What a response adds to the record, in order; `lines` are its rulings as `announce` words them."""
    taken = list(response.taken)
    entries: list[Entry] = []
    for place, (timed, line) in enumerate(zip(response.rulings, lines, strict=True)):
        while taken and taken[0].place <= place:
            entries.append(_of_taken(taken.pop(0), board))
        entries.append(_with_what_was_open(ruled_from(line, timed, board), timed, response))
    return [*entries, *(_of_taken(each, board) for each in taken)]


def _with_what_was_open(ruled: Ruled, timed: TimedRuling, response: Response) -> Ruled:
    """The entry, with where the dice took the pieces of an illegal play."""
    match = response.referee.match
    places = open_instead(timed.ruling, match) if isinstance(timed.ruling, Ruling) else None
    if places is None:
        return ruled
    legal = [{"colour": match.board.seats[seat], "steps": steps} for seat, steps in places]
    return replace(ruled, facts={**ruled.facts, "legal": legal})


def _of_taken(taken: Taken, board: Board) -> Entry:
    side, told = board.seats[taken.seat], taken.told
    purpose = taken.purpose or ""
    match told:
        case ThrowMade(t, dice, source):
            state = VOID if purpose is Purpose.NOTHING else GOOD
            return Thrown(round(t, 3), side, dice, state, source, str(purpose))
        case DiceFault(t, kind, source):
            return Thrown(round(t, 3), side, (), kind, source, str(purpose))
        case CallMade(t, call):
            colour = board.seats[call.seat] if call.seat is not None else None
            return Called(round(t, 3), side, call.kind, colour, call.steps, call.target, call.double)


def ruled_from(
    line: Mapping[str, Any], timed: TimedRuling | None = None, board: Board | None = None
) -> Ruled:
    """The entry for a ruling's line, with the grounds of the ruling where it is one of the referee's."""
    throw: tuple[int, ...] = ()
    moves: tuple[Moved, ...] = ()
    facts: dict[str, Any] = {}
    if timed is not None and board is not None:
        if isinstance(timed.ruling, Ruling):
            throw = timed.ruling.throw
            moves = tuple(Moved(board.seats[m.seat], m.start, m.end) for m in timed.ruling.moves)
            facts = _grounds(timed.ruling, board)
        else:
            facts = _notice(timed.ruling)
    if line.get("full", line["say"]) != line["say"]:
        facts["full"] = line["full"]
    if "stories" in line:
        facts["stories"] = line["stories"]
    return Ruled(
        line["t"],
        line["ruling"],
        line["reason"],
        line["side"],
        line["say"],
        standing(line["position"]),
        line["to_play"],
        line["awaiting"],
        throw,
        moves,
        tuple(standing(each) for each in line.get("alike", ())),
        facts,
    )


def standing(position: Mapping[str, Sequence[int]]) -> dict[str, tuple[int, ...]]:
    """A position as the record's values write it."""
    return {colour: tuple(steps) for colour, steps in position.items()}


def _grounds(ruling: Ruling, board: Board) -> dict[str, Any]:
    """What is not zero or empty of a ruling's facts; lists, as JSON has no tuples."""
    facts: dict[str, Any] = {name: getattr(ruling, name) for name in (*_NUMBERS, *_WORDS)}
    facts["honours"] = list(ruling.honours)
    for name in ("winner", "on_reverse", "tied"):
        facts[name] = [board.seats[seat] for seat in getattr(ruling, name)]
    if ruling.kind in DISPUTED and ruling.cause is not None:
        facts |= {name: str(getattr(ruling.cause, name) or "") for name in ("hold", "slip")}
    return {name: value for name, value in facts.items() if value or (name == "tries_left" and value == 0)}


def _notice(notice: Notice) -> dict[str, Any]:
    facts: dict[str, Any] = {"about": notice.about, "numbers": list(notice.numbers)}
    facts["readings"] = [
        f"{source} {' '.join(map(str, shown)) if isinstance(shown, tuple) else shown.value}"
        for source, shown in notice.readings
    ]
    if notice.matter is not None:
        matter = notice.matter
        facts |= {
            "matter": matter.kind.value,
            "since": round(matter.since, 3),
            "goes": [round(told.t, 3) for told in matter.goes],
            "stays": [round(told.t, 3) for _, told in matter.stays],
            "is_mistake": matter.is_accusation,
        }
    return {name: value for name, value in facts.items() if value}

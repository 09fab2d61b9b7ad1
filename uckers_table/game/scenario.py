"""Judging scenario files: each event is played, and what was found is held against what was expected."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from uckers_table.errors import RulesError
from uckers_table.game import playing
from uckers_table.game.board import Board
from uckers_table.game.match import Match, Step
from uckers_table.game.position import Position, by_colour, position_from
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.game.scenario_file import Scenario, ScenarioEvent, read_scenarios

Say = Callable[[Ruling, Board], str]
"""The sentence for a ruling."""


@dataclass(frozen=True)
class Finding:
    """What one event led to: the keys of FORMATS beside `scenario` and `event`, and what did not hold."""

    scenario: str
    index: int
    event: ScenarioEvent
    found: dict[str, Any]
    failed: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON object for the event."""
        return {"scenario": self.scenario, "event": self.index, **self.found, "ok": not self.failed}


def judge_files(paths: Iterable[Path], json_lines: bool, out: TextIO, say: Say) -> int:
    """Judge scenario files and print what was found: 0 when all expectations hold, else 1.

    RulesError for a file that cannot be read or makes no sense; nothing is printed then.
    """
    findings = [
        finding
        for path in paths
        for scenario in read_scenarios(Path(path))
        for finding in judge(scenario, say)
    ]
    lines = (json.dumps(f.to_json()) for f in findings) if json_lines else _table(findings)
    out.writelines(f"{line}\n" for line in lines)
    return 1 if any(finding.failed for finding in findings) else 0


def judge(scenario: Scenario, say: Say) -> Iterator[Finding]:
    """Play a scenario's events one by one."""
    match = scenario.match
    shown = match.position
    for index, event in enumerate(scenario.events):
        try:
            step, shown = _step(match, event, shown)
        except RulesError as error:
            raise RulesError(f"{scenario.where}, key 'events[{index}].{event.action}': {error}") from None
        match = step.match
        found = _found(step, say)
        yield Finding(scenario.name, index, event, found, _failed(event, found, match, shown))


def _step(match: Match, event: ScenarioEvent, shown: Position) -> tuple[Step, Position]:
    """What an event leads to, and the board last shown."""
    match event.action:
        case "throw":
            return playing.throw(match, event.value), shown
        case "throw_off":
            return playing.throw_off(match, event.value), shown
        case "dice":
            kind, deliberate = event.value
            return playing.fault(match, kind, deliberate=deliberate), shown
        case "call":
            return playing.call(match, event.value), shown
    # Colours left out have not moved since the board as it last stood.
    seen = position_from(match.board, event.value, match.wrong_board or match.position)
    return playing.see(match, seen), seen


def _found(step: Step, say: Say) -> dict[str, Any]:
    """The actual values, in the form of FORMATS."""
    match, board = step.match, step.match.board
    ruling = main_ruling(step.rulings)
    return {
        "plays": [by_colour(board, play) for play in match.plays],
        "position": by_colour(board, match.position),
        "ruling": None if ruling is None else str(ruling.kind),
        "reason": None if ruling is None or ruling.reason is None else str(ruling.reason),
        "say": " ".join(filter(None, (say(each, board) for each in step.rulings))),
        "to_play": board.seats[match.to_play],
        "awaiting": str(match.awaiting),
        "extra": match.extra,
        "winner": [board.seats[seat] for seat in match.winner],
        "honours": list(match.honours),
    }


def main_ruling(rulings: tuple[Ruling, ...]) -> Ruling | None:
    """The one ruling that an event is known by: the board that stood before a throw, else the last."""
    if not rulings:
        return None
    return rulings[0] if rulings[0].kind is Kind.STOOD else rulings[-1]


def _failed(event: ScenarioEvent, found: dict[str, Any], match: Match, shown: Position) -> tuple[str, ...]:
    """The expectations that do not hold."""
    return tuple(
        name
        for name, wanted in event.expected.items()
        if _comparable(name, wanted, match, shown) != _comparable(name, found[name], match, shown)
    )


def _comparable(name: str, value: Any, match: Match, shown: Position) -> Any:
    """A value in the form in which order and colours left out make no difference."""
    if name == "plays":
        return {position_from(match.board, play, match.position) for play in value}
    if name == "position":
        return position_from(match.board, value, shown)
    return sorted(value) if isinstance(value, list) else value


def _table(findings: list[Finding]) -> Iterator[str]:
    """The findings as text: a heading for each scenario, a line for each event, a count at the end."""
    heading = None
    for finding in findings:
        if finding.scenario != heading:
            heading = finding.scenario
            yield f"\n{heading}"
        found = finding.found
        ruling = found["ruling"] or "-"
        reason = f" ({found['reason']})" if found["reason"] else ""
        mark = "ok " if not finding.failed else "NOT"
        yield (
            f"  {mark} {finding.index:3}  {_in_words(finding.event):<34.34}  {ruling + reason:<30}"
            f"  {found['to_play']}, {found['awaiting']}, {found['extra']} owed"
        )
        for name in finding.failed:
            yield f"           {name}: expected {finding.event.expected[name]}, found {found[name]}"
    failing = len({id(f) for f in findings if f.failed})
    yield f"\n{len(findings)} events judged, {failing} where not all expectations hold"


def _in_words(event: ScenarioEvent) -> str:
    """An event as the table names it."""
    match event.action:
        case "call":
            return f"call {event.value.kind}"
        case "board":
            moved = " ".join(f"{colour} {list(four)}" for colour, four in event.value.items())
            return f"board {moved}"
        case "throw_off":
            return "throw-off"
        case "dice":
            kind, deliberate = event.value
            return f"dice {kind}{' on purpose' if deliberate else ''}"
    return f"throw {'-'.join(map(str, event.value))}"

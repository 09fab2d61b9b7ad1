"""The command `uckers-table trial`: matches played, watched, weighed, and the figures printed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from types import MappingProxyType
from typing import TextIO, TypeVar

from uckers_table.errors import InputError
from uckers_table.game.setting import Setting, load_setting
from uckers_table.simulator.manners import HABITS, Manners, with_habits
from uckers_table.trial.figures import TrialFigures, cases_table, trial_table
from uckers_table.trial.noise import Lasting
from uckers_table.trial.watched import MEASURED, UNRULY, Errors, rendered_match, watched_match
from uckers_table.trial.weighing import MatchAccount

TIMES = (1.0, 5.0)
"""How many times as many errors are played, unless somebody says."""
LAWS = (MEASURED, "exponential", "uniform:4", "stays")
"""The laws by which the reader errs in the cases of `--every`."""
MUCH = 10.0
"""In its own case people have a habit so many times as often as usual, or in every match."""
SHARE = 5
"""One match is played with more errors for this many with as many as the law says."""
TWO_PLAYERS = 7
"""One match in this many is played by two people with two colours each …"""
CAMERA_DICE = 4
"""… and in one match in this many the dice are thrown on the board and read there."""
TURNS = {
    "br4006": 0,
    "couk": 0,
    "couk_suckback": 0,
    "masters_ludo": 0,
    "masters_uckers": 0,
    "oldwiki": 0,
    "oldwiki_advanced": 0,
    "submariners": 0,
    "wafu": 0,
    "western_ludo": 0,
    "wiki": 0,
    "house_ludo": 22,
}
"""The rule sets in the order of their turns, and the number of the match from which each takes turns. A set
that is new comes last, and starts after the longest run in docs/trial.md: the figures there stay true.
"""


_ToPlay = Callable[[], MatchAccount]
"""A match that is still to be played."""
_T = TypeVar("_T")
_Asked = dict[str, list[tuple[str, _ToPlay]]]
"""Matches to play, by the case that they are of, each with its title."""


def run_trial(
    matches: int,
    *,
    rendered: int,
    seed: int,
    json_lines: bool,
    log: Path | None,
    out: TextIO,
    err: TextIO,
    jobs: int = 1,
    errors: str = MEASURED,
    noise: float | None = None,
    people: Mapping[str, float] = MappingProxyType({}),
    every: bool = False,
) -> int:
    """Play and weigh matches, `jobs` at a time, and print the figures. The exit status.

    `errors`: the law by which the reader errs. `noise`: how many times as much, in place of `TIMES`.
    `people`: habits that are changed, and their shares. `every`: all laws are played, and each habit alone.

    InputError for a number of matches, jobs or times that makes no sense, a law or a habit that nobody knows,
    or a log that cannot be written.
    """
    if matches < 1 or rendered < 0 or jobs < 1:
        raise InputError("--matches and --jobs are at least 1, and --rendered not less than 0")
    if noise is not None and not 0 <= noise < inf:
        raise InputError(f"--noise {noise:g}: name how many times as many errors, such as 5")
    if errors != MEASURED:
        Lasting.named(errors)
    manners = with_habits(UNRULY, people)
    times = TIMES if noise is None else (noise,)
    table = SeededMatches(seed, manners)
    asked = _every_case(matches, times, table) if every else _by_law(errors, matches, times, table)
    if rendered:
        asked["rendered"] = [table.rendered(k) for k in range(rendered)]
    accounts = outcomes_of([play for plays in asked.values() for _, play in plays], jobs)
    if log is not None:
        # Whoever waits an hour for it would rather know now that it cannot be written.
        _write(log, "", "a")
    columns, said = _weighed(asked, accounts, err)
    if log is not None:
        _write(log, "\n".join(said), "w")
    if json_lines:
        first, *others = columns.items()
        more = {name: figures.to_json() for name, figures in others}
        told = first[1].to_json() | {"errors": errors, "people": dict(people), "more_noise": more}
        print(json.dumps(told, ensure_ascii=False), file=out)
    else:
        print(cases_table(columns) if every else trial_table(columns), file=out)
    return 0


def _by_law(law: str, matches: int, times: Sequence[float], table: SeededMatches) -> _Asked:
    """So many times as many errors as by one law. Fewer matches have more errors, beside some with less."""
    few = -(-matches // SHARE)
    return {
        (named := f"{law} × {each:g}"): [
            table.watched(k, Errors(law, each), named) for k in range(matches if each == times[0] else few)
        ]
        for each in times
    }


def _every_case(matches: int, times: Sequence[float], table: SeededMatches) -> _Asked:
    """All laws, the measured one so many times as strong, and each habit alone without misreadings."""
    asked: _Asked = {}
    for law in LAWS:
        asked |= _by_law(law, matches, times if law == MEASURED else times[:1], table)
    for habit in HABITS:
        alone = with_habits(UNRULY, dict.fromkeys(HABITS, 0.0) | {habit: _much(getattr(UNRULY, habit))})
        named, few = f"{habit}={getattr(alone, habit):g} alone", -(-matches // SHARE)
        these = replace(table, manners=alone)
        asked[named] = [these.watched(k, Errors(MEASURED, 0.0), named) for k in range(few)]
    return asked


def _much(usual: float) -> float:
    return min(1.0, MUCH * usual)


def _weighed(
    asked: _Asked, accounts: Iterator[MatchAccount], err: TextIO
) -> tuple[dict[str, TrialFigures], list[str]]:
    """The figures of each case, and all that was said in its matches. How far it is stands on `err`."""
    columns, said = dict[str, TrialFigures](), list[str]()
    for column, plays in asked.items():
        weighed = []
        for title, _ in plays:
            weighed.append(next(accounts))
            said.extend([f"== {title}", *map(str, weighed[-1].said), ""])
            print(f"\r{title}: {len(weighed)} of {len(plays)} ", end="", file=err, flush=True)
        columns[column] = TrialFigures.of(weighed)
    print(file=err)
    return columns, said


def _write(log: Path, text: str, mode: str) -> None:
    try:
        with log.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InputError(f"--log {log}: {error.strerror}; name a file that can be written") from None


def outcomes_of(plays: Sequence[Callable[[], _T]], jobs: int) -> Iterator[_T]:
    """What comes of matches, in order, so many at a time. Each is the same in any process, at any time."""
    if jobs == 1:
        yield from (play() for play in plays)
        return
    # Fresh processes: a copy of this one would have its threads' locks without its threads.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_end_with_parent)
    try:
        yield from pool.map(_play, plays)
    finally:
        pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """End with the parent process, and say nothing when both are interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play(match: Callable[[], _T]) -> _T:
    return match()


@dataclass(frozen=True)
class SeededMatches:
    """Who plays the matches of a seed. The rule sets take turns."""

    seed: int
    manners: Manners

    def watched(self, k: int, errors: Errors, named: str) -> tuple[str, _ToPlay]:
        """One of the matches, and its title."""
        setting = _setting(k)
        title = f"{named}, match {k + 1}, {setting.rules.name}, seed {self.seed}"
        play = partial(
            watched_match,
            setting,
            errors,
            f"{self.seed} {k}",
            camera_dice=k % CAMERA_DICE == CAMERA_DICE - 1,
            manners=self.manners,
        )
        return title, play

    def rendered(self, k: int) -> tuple[str, _ToPlay]:
        """One of the matches through real pixels, at a table of its own, and its title."""
        setting = _setting(k)
        title = f"rendered, match {k + 1}, {setting.rules.name}, seed {self.seed}"
        return title, partial(rendered_match, setting, self.seed + k, self.manners)


def _setting(number: int) -> Setting:
    players = 2 if number % TWO_PLAYERS == TWO_PLAYERS - 1 else 4
    return load_setting(rule_set_in_turn(number), players=players)


def rule_set_in_turn(number: int) -> str:
    """The rule set of the match of that number, whatever the seed."""
    lap, begun = list[str](), 0
    while begun + len(lap) <= number:
        begun += len(lap)
        lap = [name for name, first in TURNS.items() if first <= begun]
    return lap[number - begun]

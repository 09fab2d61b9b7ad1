"""The command `uckers-table trial`: matches played, watched, weighed, and the figures printed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import TextIO

from uckers_table.errors import InputError
from uckers_table.game.rules import known_rules
from uckers_table.game.setting import Setting, load_setting
from uckers_table.trial.figures import TrialFigures, trial_table
from uckers_table.trial.noise import Noise
from uckers_table.trial.watched import rendered_match, watched_match
from uckers_table.trial.weighing import MatchAccount

TIMES = (1.0, 3.0, 10.0)
"""The multiples of the noise that are played."""
SHARE = 5
"""One match is played at more noise for this many at noise × 1."""
TWO_PLAYERS = 7
"""One match in this many is played by two people with two colours each …"""
CAMERA_DICE = 4
"""… and in one match in this many the dice are thrown on the board and read there."""


_ToPlay = Callable[[], MatchAccount]
"""A match that is still to be played."""


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
) -> int:
    """Play and weigh matches, `jobs` at a time, and print the figures. The exit status.

    InputError for a number of matches or jobs that makes no sense, or a log that cannot be written.
    """
    if matches < 1 or rendered < 0 or jobs < 1:
        raise InputError("--matches and --jobs are at least 1, and --rendered not less than 0")
    asked: dict[str, list[tuple[str, _ToPlay]]] = {}
    for times in TIMES:
        number = matches if times == TIMES[0] else -(-matches // SHARE)
        asked[f"noise × {times:g}"] = [_watched(k, times, seed) for k in range(number)]
    if rendered:
        asked["rendered"] = [_rendered(k, seed) for k in range(rendered)]
    accounts = _played([play for plays in asked.values() for _, play in plays], jobs)
    if log is not None:
        # Whoever waits an hour for it would rather know now that it cannot be written.
        _write(log, "", "a")
    columns: dict[str, TrialFigures] = {}
    said: list[str] = []
    for column, plays in asked.items():
        weighed = []
        for title, _ in plays:
            weighed.append(next(accounts))
            said.extend([f"== {title}", *weighed[-1].said, ""])
            print(f"\r{title}: {len(weighed)} of {len(plays)} ", end="", file=err, flush=True)
        columns[column] = TrialFigures.of(weighed)
    print(file=err)
    if log is not None:
        _write(log, "\n".join(said), "w")
    if json_lines:
        first, *others = columns.items()
        more = {name: figures.to_json() for name, figures in others}
        print(json.dumps(first[1].to_json() | {"more_noise": more}, ensure_ascii=False), file=out)
    else:
        print(trial_table(columns), file=out)
    return 0


def _write(log: Path, text: str, mode: str) -> None:
    try:
        with log.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InputError(f"--log {log}: {error.strerror}; name a file that can be written") from None


def _played(plays: Sequence[_ToPlay], jobs: int) -> Iterator[MatchAccount]:
    """The matches' accounts in order. Each is the same in any process, at any time."""
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


def _play(match: _ToPlay) -> MatchAccount:
    return match()


def _watched(k: int, times: float, seed: int) -> tuple[str, _ToPlay]:
    """One of the matches, the rule sets taking turns, and its title."""
    setting = _setting(k)
    title = f"noise × {times:g}, match {k + 1}, {setting.rules.name}, seed {seed}"
    camera_dice = k % CAMERA_DICE == CAMERA_DICE - 1
    noise = Noise(times=times)
    return title, partial(watched_match, setting, noise, f"{seed} {k}", camera_dice=camera_dice)


def _rendered(k: int, seed: int) -> tuple[str, _ToPlay]:
    """One of the matches through real pixels, at a table of its own, and its title."""
    setting = _setting(k)
    title = f"rendered, match {k + 1}, {setting.rules.name}, seed {seed}"
    return title, partial(rendered_match, setting, seed + k)


def _setting(number: int) -> Setting:
    names = known_rules()
    players = 2 if number % TWO_PLAYERS == TWO_PLAYERS - 1 else 4
    return load_setting(names[number % len(names)], players=players)

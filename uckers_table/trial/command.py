"""The command `uckers-table trial`: matches played, watched, weighed, and the figures printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from uckers_table.errors import InputError
from uckers_table.game.rules import known_rules
from uckers_table.game.setting import Setting, load_setting
from uckers_table.trial.figures import Figures, table
from uckers_table.trial.noise import Noise
from uckers_table.trial.watched import Account, rendered_match, watched_match

TIMES = (1.0, 3.0, 10.0)
"""How much of the noise: as asked for, three and ten times that."""
SHARE = 5
"""With more noise than asked for, one match in so many is enough."""
TWO_PLAYERS = 7
"""Every so many matches, two players with two colours each …"""
CAMERA_DICE = 4
"""… and the dice thrown on the board, and read there."""


def run_trial(
    matches: int, *, rendered: int, seed: int, json_lines: bool, log: Path | None, out: TextIO, err: TextIO
) -> int:
    """Play and weigh so many matches, and print what came of them. The exit status.

    InputError when no such number of matches can be played or the log cannot be written.
    """
    if matches < 1 or rendered < 0:
        raise InputError("--matches is at least 1, and --rendered not less than 0")
    columns: dict[str, Figures] = {}
    said: list[str] = []

    def play(column: str, number: int, played: Iterator[tuple[str, Account]]) -> None:
        accounts = []
        for title, account in played:
            accounts.append(account)
            said.extend([f"== {title}", *account.said, ""])
            print(f"\r{title}: {len(accounts)} of {number} ", end="", file=err, flush=True)
        columns[column] = Figures.of(accounts)

    for times in TIMES:
        number = matches if times == TIMES[0] else -(-matches // SHARE)
        play(f"noise × {times:g}", number, _watched(number, times, seed))
    if rendered:
        play("rendered", rendered, _rendered(rendered, seed))
    print(file=err)
    if log is not None:
        try:
            log.write_text("\n".join(said), encoding="utf-8")
        except OSError as error:
            raise InputError(f"--log {log}: {error.strerror}; name a file that can be written") from None
    if json_lines:
        first, *others = columns.items()
        more = {name: figures.to_json() for name, figures in others}
        print(json.dumps(first[1].to_json() | {"more_noise": more}, ensure_ascii=False), file=out)
    else:
        print(table(columns), file=out)
    return 0


def _watched(number: int, times: float, seed: int) -> Iterator[tuple[str, Account]]:
    """So many matches, the rule sets taking turns, each with a title."""
    for k in range(number):
        setting = _setting(k)
        title = f"noise × {times:g}, match {k + 1}, {setting.rules.name}, seed {seed}"
        camera_dice = k % CAMERA_DICE == CAMERA_DICE - 1
        yield title, watched_match(setting, Noise(times=times), f"{seed} {k}", camera_dice=camera_dice)


def _rendered(number: int, seed: int) -> Iterator[tuple[str, Account]]:
    """So many matches through real pixels, each at a table of its own."""
    for k in range(number):
        setting = _setting(k)
        yield f"rendered, match {k + 1}, {setting.rules.name}, seed {seed}", rendered_match(setting, seed + k)


def _setting(number: int) -> Setting:
    names = known_rules()
    players = 2 if number % TWO_PLAYERS == TWO_PLAYERS - 1 else 4
    return load_setting(names[number % len(names)], players=players)

"""A whole match under every rule set, through everything but pixels: tower, buttons, referee, voice, record.

The camera's frames are empty and the reader is told what stands on the simulated board. Run as a program
it prints what the referee made of so many matches, held against what the players really did:

    .venv/bin/python tests/table/test_rule_sets_at_the_table.py [--seeds N] [RULES ...]
"""

import argparse
import io
import json
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import pytest

from tests.unpainted import unpainted
from uckers_table.commands.replay import replay_recording
from uckers_table.config import simulated_config
from uckers_table.game.rules import known_rules
from uckers_table.simulator.world import SimulatedTable
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table
from uckers_table.trial.run import TURNS

CHEATS = 5


class Kept:
    """A view that keeps the lines it is shown."""

    def __init__(self):
        self.lines = []

    def show(self, glimpse):
        self.lines += glimpse.rulings

    def close(self):
        pass


@dataclass(frozen=True)
class Evening:
    """A match that was refereed: the truth, what was ruled, and how it ended for the referee."""

    world: SimulatedTable
    lines: list
    referee: object
    outcome: object

    @property
    def log(self):
        return self.world.log

    def ruled(self, *kinds):
        return sum(line["ruling"] in kinds for line in self.lines)

    def done(self, what):
        return sum(happening.what == what for happening in self.log)

    @property
    def cheats(self):
        """Each cheat's time, what became of it ("called", "asked" or "missed"), and when that was over."""
        found = []
        for i, happening in enumerate(self.log):
            if happening.what != "cheat":
                continue
            after = self.log[i + 1 :]
            end = next(entry for entry in after if entry.what in ("called", "asked", "stood"))
            found.append((happening.t, end.t, "missed" if end.what == "stood" else end.what))
        return found

    @property
    def false_accusations(self):
        """The accusations made while nothing was wrong on the board."""
        accusations = [line for line in self.lines if line["ruling"] in ("illegal", "timber_shift")]
        return [
            line
            for line in accusations
            if not any(begun <= line["t"] <= end for begun, end, _ in self.cheats)
        ]

    @property
    def was_won_standing(self):
        """Whether the last throw won by itself: the player had stood up for the finish, and moved nothing."""
        return [happening.what for happening in self.log if happening.what in ("throw", "play")][
            -1
        ] == "throw"

    @property
    def in_step(self):
        """Whether the match has ended, and for the referee just as it did for the players."""
        truth, held = self.world.match, self.referee.match
        return self.world.over and (truth.position, truth.winner) == (held.position, held.winner) != ((), ())


def play(folder, seed, rules, *, cheats=CHEATS, players=4):
    """A whole match at a table, its record in `folder`."""
    config = replace(simulated_config(seed=seed, rules=rules, players=players, cheats=cheats), record=folder)
    view = Kept()
    # That what is kept survives a pulled plug is tested elsewhere.
    synced = mock.patch.multiple("os", fsync=lambda descriptor: None, fdatasync=lambda descriptor: None)
    with unpainted(config) as around, synced:
        table = Table(config, around.parts, Inbox(), view)
        outcome = table.run()
        return Evening(around.world, view.lines, table._refereeing.referee, outcome)


def check(evening):
    """All that must hold of a match whatever its rules."""
    assert evening.in_step
    assert evening.false_accusations == []
    assert Counter(result for _, _, result in evening.cheats)["missed"] == 0
    # Each play was ruled once, and each call accepted; nobody was refused anything.
    if not evening.done("stood"):
        assert evening.ruled("legal", "won") == evening.done("play") + evening.was_won_standing
    assert evening.ruled("call_accepted", "challenge") == evening.done("call")
    assert evening.ruled("call_refused", "void", "device_fault", "out_of_step") == 0


# By the order in which they were shipped: each keeps its seed when another is added.
@pytest.mark.parametrize(("seed", "rules"), list(enumerate(TURNS)))
def test_a_whole_match_ends_in_step_every_cheat_called_and_nobody_accused_falsely(tmp_path, seed, rules):
    evening = play(tmp_path, seed, rules)
    check(evening)
    assert len(evening.cheats) == CHEATS


def test_two_players_play_a_messs_own_rules_and_its_recording_is_judged_the_same(tmp_path):
    mess = tmp_path / "mess.toml"
    mess.write_text(
        'base = "wafu"\nsource = "a mess"\n[options]\nvar_a = true\nsuckback_attempts = 2\n'
        'suckback_miss = "stay"\n'
    )
    evening = play(tmp_path / "matches", 2, str(mess), players=2)
    check(evening)
    mess.unlink()
    out = io.StringIO()
    assert replay_recording(evening.outcome.recording, json_lines=True, out=out, err=io.StringIO()) == 0
    assert [json.loads(line) for line in out.getvalue().splitlines()] == evening.lines


COLUMNS = ("throws", "plays", "calls", "cheats called", "asked", "missed", "falsely accused", "in step")


def main(rule_sets, seeds):
    """Print a line for each rule set."""
    print(f"{'rules':<18}" + "".join(f"{column:>{len(column) + 2}}" for column in COLUMNS))
    for rules in rule_sets:
        totals, called = Counter(), Counter()
        for seed in range(1, seeds + 1):
            with tempfile.TemporaryDirectory() as folder:
                evening = play(Path(folder), seed, rules)
            results = Counter(result for _, _, result in evening.cheats)
            called += Counter(entry.kind for entry in evening.log if entry.what == "call")
            figures = (
                *(evening.done("throw"), evening.done("play"), evening.done("call")),
                *(results["called"], results["asked"], results["missed"]),
                *(len(evening.false_accusations), evening.in_step),
            )
            totals += Counter(dict(zip(COLUMNS, figures, strict=True)))
        figures = "".join(f"{totals[column]:>{len(column) + 2}}" for column in COLUMNS)
        print(f"{rules:<18}{figures} of {seeds}  {dict(called)}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rules", nargs="*", default=known_rules())
    parser.add_argument("--seeds", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.rules, arguments.seeds)

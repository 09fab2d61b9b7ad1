"""The trial: matches with noise and cheats, whose truth the simulator alone knows, and their figures."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import until
from uckers_table.errors import CalibrationError, InputError
from uckers_table.game.setting import load_setting
from uckers_table.trial.figures import TrialFigures, trial_table
from uckers_table.trial.noise import Noise
from uckers_table.trial.run import run_trial
from uckers_table.trial.watched import rendered_match, watched_match
from uckers_table.trial.weighing import MatchAccount


def trial(matches=1, **options):
    out = io.StringIO()
    asked = {"rendered": 0, "seed": 1, "json_lines": True, "log": None, "err": io.StringIO()} | options
    assert run_trial(matches, out=out, **asked) == 0
    return out.getvalue()


@pytest.fixture(scope="module")
def printed():
    return trial()


def test_the_same_seed_is_the_same_match_to_the_last_sentence():
    first, again = (watched_match(load_setting("wafu"), Noise(), "2") for _ in range(2))
    assert first == again


def test_the_json_has_the_figures_that_are_owed(printed):
    figures = json.loads(printed)
    assert figures["matches"] == 1
    assert figures["plays"] > 50
    assert figures.keys() >= {"false_accusations", "cheats", "questions", "ended_in_step"}
    assert figures["ruling_s"].keys() == {"median", "max"}
    assert all(len(fates) == 3 for fates in figures["cheats"].values())
    assert list(figures["more_noise"]) == ["noise × 3", "noise × 10"]


def test_nobody_is_accused_falsely_and_the_matches_end_in_step_at_any_noise(printed):
    figures = json.loads(printed)
    for each in (figures, *figures["more_noise"].values()):
        assert (each["false_accusations"], each["ended_in_step"]) == (0, each["matches"])
    called, asked, missed = map(sum, zip(*figures["cheats"].values(), strict=True))
    assert called >= 6
    assert (called + asked + missed, missed) == (8, 0)
    assert figures["questions"] <= figures["plays"] / 50


def test_sums_and_table_of_two_matches_worked_out_by_hand():
    one = MatchAccount(
        plays=60, questions=1, cheats={"slide": [1, 0, 0]}, in_step=True, ruling_s=[0.4, 0.4, 2.0]
    )
    other = MatchAccount(plays=40, false_accusations=2, cheats={"slide": [0, 1, 0], "half": [0, 0, 1]})
    figures = TrialFigures.of([one, other])
    assert (figures.plays, figures.false_accusations, figures.ended_in_step) == (100, 2, 1)
    assert figures.cheats == {"half": (0, 0, 1), "slide": (1, 1, 0)}
    assert figures.ruling_s == (0.4, 2.0)
    lines = trial_table({"noise × 1": figures}).splitlines()
    assert "| questions | 1 (one in 100 plays) |" in lines
    assert "| slide | 1 / 1 / 0 |" in lines
    assert "| **cheats called / asked about / missed** | 1 / 1 / 1 |" in lines


def test_a_table_that_cannot_be_calibrated_ends_no_trial_and_is_counted(monkeypatch):
    def refuse(*_):
        raise CalibrationError("start.jpg: no board found")

    monkeypatch.setattr("uckers_table.vision.calibrate.calibrate", refuse)
    refused, played = rendered_match(load_setting("wafu"), 1), MatchAccount(plays=60, in_step=True)
    assert refused.said == ["!! refused: start.jpg: no board found"]
    figures = TrialFigures.of([refused, played])
    assert (figures.matches, figures.plays, figures.ended_in_step, figures.refused) == (2, 60, 1, 1)
    assert "| tables that could not be calibrated | 1 |" in trial_table({"rendered": figures}).splitlines()
    assert "could not be calibrated" not in trial_table({"rendered": TrialFigures.of([played])})


def test_matches_that_are_played_at_a_time_are_the_same(printed):
    assert trial(jobs=2) == printed


def test_no_matches_are_no_trial():
    with pytest.raises(InputError, match="--matches"):
        trial(0)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs Linux's list of child processes")
def test_a_trial_that_is_killed_leaves_no_match_being_played():
    command = [sys.executable, "-m", "uckers_table", "trial", "--matches", "50", "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as killed:
        # The first match is told of when it is over, by processes that have long begun.
        assert killed.stderr is not None and killed.stderr.read(1)
        children = Path(f"/proc/{killed.pid}/task/{killed.pid}/children").read_text().split()
        killed.kill()
    assert len(children) >= 2
    until(lambda: not [child for child in children if Path("/proc", child).is_dir()], "a match is played on")


def test_a_log_that_cannot_be_written_is_said_before_any_match_is_played(tmp_path):
    err = io.StringIO()
    with pytest.raises(InputError, match="name a file that can be written"):
        trial(log=tmp_path / "nowhere" / "said.txt", err=err)
    assert err.getvalue() == ""

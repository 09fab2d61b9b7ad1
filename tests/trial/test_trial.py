"""The trial: matches with noise and cheats, whose truth the simulator alone knows, and their figures."""

import io
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import until
from uckers_table.announce.sentences import say
from uckers_table.errors import CalibrationError, InputError
from uckers_table.game.board import Board
from uckers_table.game.position import all_in_base
from uckers_table.game.rules import known_rules
from uckers_table.game.ruling import Kind, Move, Ruling
from uckers_table.game.setting import load_setting
from uckers_table.referee.rulings import CHECK_DICE, Notice, NoticeKind
from uckers_table.simulator.interfaces import word_of
from uckers_table.simulator.manners import HABITS
from uckers_table.trial.figures import TrialFigures, cases_table, trial_table
from uckers_table.trial.run import TURNS, rule_set_in_turn, run_trial
from uckers_table.trial.watched import LIVELY, WORDS, Errors, rendered_match, watched_match
from uckers_table.trial.weighing import MatchAccount


def trial(matches=1, **options):
    out = io.StringIO()
    asked = {"rendered": 0, "seed": 1, "json_lines": True, "log": None, "err": io.StringIO()} | options
    assert run_trial(matches, out=out, **asked) == 0
    return out.getvalue()


TIMES = (1.0, 3.0, 10.0)
BIDDABLE = {habit: getattr(LIVELY, habit) for habit in HABITS}
"""People who do as the referee says."""


@pytest.fixture(scope="module")
def printed():
    """What is printed of a match with so many times as many errors as were measured."""
    return {times: trial(noise=times, people=BIDDABLE) for times in TIMES}


@pytest.mark.parametrize("errors", ["uniform:2", "measured"])
def test_the_same_seed_is_the_same_match_to_the_last_sentence(errors):
    first, again = (watched_match(load_setting("wafu"), Errors(errors), "2") for _ in range(2))
    assert first == again
    assert first.plays > 50


def test_the_json_has_the_figures_that_are_owed():
    figures = json.loads(trial())
    assert (figures["matches"], figures["errors"]) == (1, "measured")
    assert figures["plays"] > 50
    assert figures.keys() >= {"false_accusations", "cheats", "questions", "ended_in_step"}
    assert figures["ruling_s"].keys() == {"median", "max"}
    assert all(len(fates) == 3 for fates in figures["cheats"].values())
    assert list(figures["more_noise"]) == ["measured × 5"]
    assert figures["people"] == {}


def test_nobody_is_accused_falsely_and_the_matches_end_in_step(printed):
    figures, *more = (json.loads(printed[times]) for times in TIMES)
    for each in (figures, *more):
        assert (each["more_noise"], each["errors"]) == ({}, "measured")
        assert each["ended_in_step"] == each["matches"]
    assert [each["false_accusations"] for each in (figures, *more)][:2] == [0, 0]
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


def test_cases_are_lines_of_a_table():
    figures = TrialFigures.of(
        [MatchAccount(plays=60, false_accusations=2, questions=3, cheats={"slide": [1, 0, 2]})]
    )
    assert cases_table({"stays × 1": figures}).splitlines()[2] == (
        "| stays × 1 | 1 | 60 | 2 | 1 / 0 / 2 | 3 | 0 | 0 |"
    )


def test_every_case_has_its_matches(monkeypatch):
    asked = []

    def play(setting, errors, seed, *, camera_dice, manners):
        asked.append((errors, manners))
        return MatchAccount(plays=10)

    monkeypatch.setattr("uckers_table.trial.run.watched_match", play)
    lines = trial(10, every=True, json_lines=False).splitlines()[2:]
    names = [line.split(" | ")[0].strip("| ") for line in lines]
    assert names[:5] == ["measured × 1", "measured × 5", "exponential × 1", "uniform:4 × 1", "stays × 1"]
    assert [name.split("=")[0] for name in names[5:]] == list(HABITS)
    assert [int(line.split(" | ")[1]) for line in lines] == [10, 2, 10, 10, 10, *[2] * len(HABITS)]
    for habit, (errors, manners) in zip(HABITS, asked[-2 * len(HABITS) :: 2], strict=True):
        assert errors.times == 0.0
        assert [name for name in HABITS if getattr(manners, name)] == [habit]


FIRST = (
    *("br4006", "couk", "couk_suckback", "masters_ludo", "masters_uckers", "oldwiki"),
    *("oldwiki_advanced", "submariners", "wafu", "western_ludo", "wiki"),
)
"""The rule sets of the documented seeds' matches, in turn."""
PAGE = Path(__file__).parents[2] / "docs" / "trial.md"
LONGEST = max(map(int, re.findall(r"^\|[^|]+\|[^|]+\| \d+ \| (\d+) \|", PAGE.read_text("utf-8"), re.M)))


def test_the_matches_of_documented_seeds_are_those_that_were_played(monkeypatch):
    played = []

    def play(setting, errors, seed, *, camera_dice, manners):
        played.append((setting.rules.name, setting.players, camera_dice, seed))
        return MatchAccount(plays=10)

    monkeypatch.setattr("uckers_table.trial.run.watched_match", play)
    trial(LONGEST, noise=1.0, seed=9601)
    assert played == [
        (FIRST[k % 11], 2 if k % 7 == 6 else 4, k % 4 == 3, f"9601 {k}") for k in range(LONGEST)
    ]


def test_every_set_takes_turns_and_a_new_one_after_the_documented_matches(monkeypatch):
    assert set(TURNS) == set(known_rules())
    assert tuple(TURNS)[:11] == FIRST
    assert all(first == 0 if name in FIRST else first >= LONGEST for name, first in TURNS.items())
    before = [rule_set_in_turn(k) for k in range(500)]
    monkeypatch.setitem(TURNS, "another", 500)
    after = [rule_set_in_turn(k) for k in range(500 + 3 * len(TURNS))]
    assert after[:500] == before
    assert after[-len(TURNS) :].count("another") == 1
    assert set(after[-len(TURNS) :]) == set(TURNS)


def test_a_table_that_cannot_be_calibrated_ends_no_trial_and_is_counted(monkeypatch):
    def refuse(*_):
        raise CalibrationError("start.jpg: no board found")

    monkeypatch.setattr("uckers_table.vision.calibrate.calibrate", refuse)
    refused, played = rendered_match(load_setting("wafu"), 1), MatchAccount(plays=60, in_step=True)
    assert [line.what for line in refused.said] == ["!! refused: start.jpg: no board found"]
    figures = TrialFigures.of([refused, played])
    assert (figures.matches, figures.plays, figures.ended_in_step, figures.refused) == (2, 60, 1, 1)
    assert "| tables that could not be calibrated | 1 |" in trial_table({"rendered": figures}).splitlines()
    assert "could not be calibrated" not in trial_table({"rendered": TrialFigures.of([played])})


def test_matches_that_are_played_at_a_time_are_the_same(printed):
    assert trial(jobs=2, noise=3.0, people=BIDDABLE) == printed[3.0]


@pytest.mark.parametrize(
    "errors", ["", "often", "uniform", "uniform:", "uniform:0", "uniform:nan", "uniform:-2"]
)
def test_a_law_that_nobody_knows_gets_one_line_with_those_that_there_are(errors):
    with pytest.raises(InputError, match="measured, exponential, stays, and uniform") as told:
        trial(errors=errors)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("noise", [-1.0, math.nan, math.inf])
def test_senseless_noise_gets_one_line(noise):
    with pytest.raises(InputError, match="--noise"):
        trial(noise=noise)


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


SPOKEN = (
    Ruling(Kind.ILLEGAL, 0, all_in_base(Board()), (Move(0, 1, 8),)),
    Ruling(Kind.TIMBER_SHIFT, 0, all_in_base(Board()), (Move(0, 1, 8),)),
    Ruling(Kind.COCKED, 0, all_in_base(Board())),
    Ruling(Kind.DROPPED, 0, all_in_base(Board())),
    Ruling(Kind.CALL_REFUSED, 0, all_in_base(Board())),
    Ruling(Kind.PASS, 0, all_in_base(Board())),
    Notice.check(["15"]),
    Notice.check([]),
    CHECK_DICE,
    Notice(NoticeKind.OUT_OF_STEP),
    Notice(NoticeKind.DICE_UNREAD),
    Notice(NoticeKind.DICE_TURNED),
    Notice(NoticeKind.DICE_DIFFER),
    Notice(NoticeKind.WHICH_CALL),
    Notice(NoticeKind.BACK_IN_STEP),
)


@pytest.mark.parametrize("ruling", SPOKEN, ids=lambda ruling: f"{ruling.kind} {getattr(ruling, 'about', '')}")
def test_people_are_told_what_they_would_understand_of_the_sentence(ruling):
    assert word_of(say(ruling, Board())) == WORDS.get(ruling.kind)

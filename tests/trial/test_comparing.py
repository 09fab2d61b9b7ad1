"""Where two referees of one match differ: what one of them did not say, with the truth beside it."""

import io
import json

from uckers_table.trial.comparing import where_they_differ
from uckers_table.trial.run import run_trial
from uckers_table.trial.weighing import LogLine, MatchAccount, Who

NAMES = ("one", "other")


def said(*lines):
    return MatchAccount(said=[LogLine(t, who, what) for t, who, what in lines])


THROW, PLAY = (10.0, Who.TRUTH, "throw 6 2"), (20.0, Who.TRUTH, "play  red 1 → 9")
LEGAL, SOONER = (20.5, Who.REFEREE, "legal"), (20.3, Who.REFEREE, "legal")
ACCUSED, FALSE = (23.0, Who.REFEREE, "Illegal."), (23.0, Who.JUDGE, "!! false accusation")


def test_a_moment_sooner_is_no_difference():
    assert where_they_differ(said(THROW, PLAY, LEGAL), said(THROW, PLAY, SOONER), NAMES) == []


def test_what_one_says_and_the_other_does_not_stands_beside_the_truth_just_before_it():
    told = where_they_differ(said(THROW, PLAY, LEGAL), said(THROW, PLAY, ACCUSED, FALSE), NAMES)
    assert told == [
        "--",
        "    20.0         play  red 1 → 9",
        "    20.5  one    legal",
        "    23.0  other  Illegal.",
        "    23.0  other  !! false accusation",
    ]


def test_differences_that_lie_close_together_are_told_once():
    later = (28.0, Who.REFEREE, "My mistake.")
    told = where_they_differ(said(THROW, PLAY, LEGAL), said(THROW, PLAY, ACCUSED, later), NAMES)
    assert told.count("--") == 1
    far = (90.0, Who.REFEREE, "My mistake.")
    told = where_they_differ(said(THROW, PLAY, LEGAL), said(THROW, PLAY, ACCUSED, far), NAMES)
    assert told.count("--") == 2


def trial(**options):
    out = io.StringIO()
    asked = {"rendered": 0, "seed": 3, "json_lines": True, "log": None, "err": io.StringIO()} | options
    run_trial(1, noise=1.0, out=out, **asked)
    return json.loads(out.getvalue())


def test_whoever_only_listens_changes_nothing_of_the_match_and_is_weighed_too():
    alone, beside = trial(), trial(referees=("layers", "belief"))
    listening = beside.pop("more_noise")
    told = beside.pop("against")
    assert alone.pop("more_noise") == {}
    assert beside == alone
    assert listening["measured × 1, belief listening"]["plays"] == alone["plays"]
    assert (told["referee"], told["differences"][0]) == ("belief", "== measured × 1, match 1, br4006, seed 3")


def test_the_other_referee_can_judge_a_whole_match():
    figures = trial(referees=("belief",))
    assert (figures["referee"], figures["ended_in_step"]) == ("belief", 1)

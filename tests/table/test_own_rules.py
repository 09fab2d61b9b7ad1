"""A mess's own rules at the table: kept, chosen by buttons, played, on record by their name, taken away."""

import io
import json
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

import pytest

from tests.patience import until
from tests.table.test_table_without_camera import CONFIG, DONE, Evening, running
from uckers_table.announce.loudness import Loudness
from uckers_table.commands.replay import replay_recording
from uckers_table.config import Config
from uckers_table.devices.base import Pressed
from uckers_table.record.kept_rules import kept_files
from uckers_table.record.library import Library
from uckers_table.table.lobby import Lobby
from uckers_table.table.own_rules import PLAYED_NOW
from uckers_table.web.commands import (
    Answer,
    EnterPlay,
    EnterThrow,
    KeepRules,
    LeaveMatch,
    SetLoudness,
    StartMatch,
    TakeRulesAway,
)

__all__ = ["running"]
NAME = "Кают-компания <b>"
OPTIONS = {"var_e": True, "exit_throw": "1_or_6"}
KEEP = KeepRules(NAME, "wafu", OPTIONS)
OUT = ((0, 0, 0, 1), *((0, 0, 0, 0),) * 3)


@contextmanager
def at_table(folder, running, **changes):
    """A table at which no match is on."""
    evening = Evening(folder, **changes)
    with running(evening):
        assert evening.do(LeaveMatch()) == DONE
        yield evening


def shown(evening):
    return evening.page.feed.latest()


def test_a_match_by_kept_rules_is_on_record_by_their_name_and_judged_without_them(tmp_path, running):
    with at_table(tmp_path, running) as evening:
        assert evening.do(KEEP) == Answer(True, f"“{NAME}” is kept.")
        file = str(kept_files(tmp_path)[NAME])
        assert evening.do(StartMatch(file, {}, to_play="red")) == DONE
        # A one brings a piece out here.
        assert [evening.do(each) for each in (EnterThrow((1, 3)), EnterPlay(((0, 0, 0, 4), *OUT[1:])))] == [
            DONE
        ] * 2
        for command in (TakeRulesAway(NAME), replace(KEEP, name=NAME.upper(), replaces=True)):
            assert evening.do(command) == Answer(False, PLAYED_NOW)
        assert evening.do(LeaveMatch()) == DONE
        assert evening.do(TakeRulesAway(NAME)) == Answer(True, f"“{NAME}” is taken away.")
    assert kept_files(tmp_path) == {}
    number = max(each.number for each in Library(tmp_path).matches())
    terms = Library(tmp_path).match(number).summary.terms
    assert (terms.title, terms.rules, terms.values["exit_throw"]) == (NAME, "wafu", "1_or_6")
    out = io.StringIO()
    recording = tmp_path / f"{number:04}" / "recording"
    assert replay_recording(recording, json_lines=True, out=out, err=io.StringIO()) == 0
    assert "legal" in [json.loads(line)["ruling"] for line in out.getvalue().splitlines()]


def test_who_takes_away_what_is_offered_is_offered_the_same_rules(tmp_path, running):
    with at_table(tmp_path, running) as evening:
        assert evening.do(KEEP).is_done
        file = str(kept_files(tmp_path)[NAME])
        assert [evening.do(each) for each in (StartMatch(file, {}), LeaveMatch())] == [DONE] * 2
        assert until(lambda: shown(evening).rules == file)
        assert evening.do(TakeRulesAway(NAME)).is_done
        assert until(lambda: shown(evening).rules == "wafu")
        assert shown(evening).options["exit_throw"] == "1_or_6"
        assert evening.do(SetLoudness(Loudness.QUIET)) == DONE


def test_a_file_that_is_torn_behind_the_tables_back_stops_nothing(tmp_path, running):
    with at_table(tmp_path, running) as evening:
        assert evening.do(KEEP).is_done
        file = kept_files(tmp_path)[NAME]
        assert [evening.do(each) for each in (StartMatch(str(file), {}), LeaveMatch())] == [DONE] * 2
        file.write_text("base =")
        assert evening.do(SetLoudness(Loudness.QUIET)) == DONE
        assert "no TOML file" in evening.do(StartMatch(str(file), {})).line
        assert evening.do(StartMatch("couk", {})) == DONE


def test_a_full_card_keeps_nothing_and_says_so(tmp_path, running):
    with at_table(tmp_path, running) as evening:
        with mock.patch(
            "uckers_table.record.kept_rules.write_whole", side_effect=OSError(28, "No space left")
        ):
            answer = evening.do(KEEP)
        assert not answer.is_done
        assert f"“{NAME}” cannot be kept (No space left); the card is full" in answer.line
        assert evening.do(KEEP).is_done


def test_the_buttons_offer_kept_rules_first(tmp_path, running):
    with at_table(tmp_path, running) as evening:
        assert evening.do(KEEP).is_done
        file = str(kept_files(tmp_path)[NAME])
        until(lambda: evening.table._lobby.own == {file: NAME})
        # From BR 4006, which comes next, one back.
        for button in ("accept", "suckback"):
            evening.inbox.post(Pressed(button))
        assert until(lambda: evening.table._lobby.config.rules == file)
        evening.inbox.post(Pressed("done"))
        assert until(lambda: shown(evening).match == 2)
    assert Library(tmp_path).match(2).summary.terms.title == NAME


def test_a_set_is_told_by_its_name_on_the_display():
    lobby = Lobby(Config(rules="/r/rules/Ours.toml"), own={"/r/rules/Ours.toml": "Ours"}).pressed("accept")
    assert lobby.page().sentence == "Ours: this mess's own."
    assert lobby.pressed("challenge").config.rules == "br4006"
    assert lobby.pressed("challenge").pressed("undo") == Lobby(lobby.config, own=lobby.own)


@pytest.mark.parametrize(
    "command", [replace(KEEP, rules="nobody's"), TakeRulesAway("Nobody's"), replace(KEEP, name="couk")]
)
def test_what_cannot_be_kept_or_taken_away_gets_a_line(tmp_path, running, command):
    with at_table(tmp_path, running) as evening:
        answer = evening.do(command)
        assert (answer.is_done, bool(answer.line)) == (False, True)
    assert CONFIG.rules == "br4006"

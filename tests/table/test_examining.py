"""A table that runs is examined from the page: the doctor's findings, without stopping it."""

import threading
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.patience import HANGS_S
from tests.table.test_table_faults import START, Evening, at_page
from uckers_table.devices.base import Lost, TowerReads
from uckers_table.table.examining import RunningTable, State, examine_running
from uckers_table.table.first_card import CardFacts, first_card
from uckers_table.table.news import Examined
from uckers_table.web.commands import Answer, Examine, StartMatch
from uckers_table.web.feed import DeviceLine

NOW = datetime(2026, 11, 28, tzinfo=UTC)
NAMES = ("camera", "tower", "buttons", "display", "voice")


def table_of(folder, facts=None, **devices):
    lines = tuple(DeviceLine(name, *devices.get(name, ("works", True, ""))) for name in NAMES)
    return RunningTable(folder, None, lines, first_card(lines, facts or CardFacts(seen=START)))


def found(table):
    return {each.device: each for each in examine_running(table, NOW)}


def test_a_table_that_is_well_is_told_to_be(tmp_path):
    findings = found(table_of(tmp_path))
    assert list(findings) == ["clock", "record", *("camera", "tower", "display", "buttons", "voice")]
    assert {each.state for each in findings.values()} <= {State.GOOD, State.DOUBTFUL}
    assert {findings[name].state for name in NAMES} == {State.GOOD}


def test_what_is_lost_or_not_there_is_told(tmp_path):
    findings = found(
        table_of(tmp_path, tower=("lost", False, "is its cable in?"), display=("none", True, ""))
    )
    assert (findings["tower"].state, findings["tower"].what) == (State.BAD, "is its cable in?")
    assert findings["display"].state is State.UNUSED


def test_each_device_s_own_fault_is_told_with_what_to_try(tmp_path):
    dark = replace(START, trouble=("too_dark",))
    facts = CardFacts(seen=dark, tower_faults=("jam",), is_heard=False, needs_tray_lock=True)
    table = replace(
        table_of(tmp_path, facts),
        frames_a_second=3.0,
        is_locked=False,
        reads=TowerReads("tray", (True, False), is_lit=False),
        down=frozenset({"undo"}),
    )
    findings = found(table)
    assert {name: findings[name].state for name in (*NAMES, "tray") if name != "display"} == {
        **dict.fromkeys(("camera", "tower", "buttons", "voice"), State.BAD),
        "tray": State.DOUBTFUL,
    }
    for part in ("Too dark", "3.0 frames a second", "not locked"):
        assert part in findings["camera"].what
    for part in ("stuck", "in-beam is dark", "no current"):
        assert part in findings["tower"].what
    assert "undo" in findings["buttons"].what
    assert all(each.to_try for each in findings.values() if each.state is State.BAD)


def test_a_clock_that_was_never_set_and_a_card_that_takes_nothing_are_told(tmp_path):
    (tmp_path / "file").write_text("")
    findings = {
        each.device: each
        for each in examine_running(table_of(tmp_path / "file" / "record"), datetime(1970, 1, 1, tzinfo=UTC))
    }
    assert findings["clock"].state is State.DOUBTFUL
    assert findings["record"].state is State.BAD


def test_a_table_is_examined_in_the_middle_of_a_match(tmp_path, monkeypatch):
    table = Evening(tmp_path, monkeypatch, [(1.0, START), (1.5, Lost("display", "is its lead in?"))])
    done, post = threading.Event(), table.inbox.post

    def posted(news, t=None):
        post(news, t)
        if isinstance(news, Examined):
            done.set()

    table.inbox.post = posted
    table.parts.buttons.down = frozenset()
    table.camera.steps += [(2.5, lambda: done.wait(HANGS_S)), (3.0, START)]
    _, answers = at_page(table, [(0.5, StartMatch("br4006", to_play="red")), (2.0, Examine())])
    assert answers == [Answer(True), Answer(True, "The table is being examined.")]
    states = {each.device: each.state for each in table.page.feed.latest().findings}
    assert states["display"] == "bad"
    assert states["record"] in ("good", "doubtful")


@pytest.mark.parametrize(("times", "rate"), [((), 0.0), ((1.0,), 0.0), ((1.0, 1.1, 1.2), 10.0)])
def test_how_fast_frames_come_is_told_by_their_times(tmp_path, monkeypatch, times, rate):
    table = Evening(tmp_path, monkeypatch, [(t, START) for t in times])
    at_page(table, [])
    assert table.table._sight.frames_a_second == pytest.approx(rate)

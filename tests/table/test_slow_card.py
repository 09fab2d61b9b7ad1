"""A card that takes long to sync: the loop lives on, people are told why they wait, and nothing is lost."""

import json
import os
from threading import Event, Thread

import pytest

from tests.patience import HANGS_S, until
from tests.table.test_table_without_camera import DONE, Evening, running
from uckers_table.devices.base import ThrowRead
from uckers_table.keeping import card as cards
from uckers_table.record.library import Library
from uckers_table.table import loop
from uckers_table.table.desk import TAKEN_LATE
from uckers_table.table.loop import BEHIND, SLOW_CARD
from uckers_table.web.commands import Answer, EnterThrow, StartMatch

__all__ = ["running"]
BEGIN = StartMatch("br4006", {}, 4, ("red", "green", "yellow", "blue"), {}, None)


class Watched:
    """A supervisor that counts signs of life, and wants many."""

    every_s = 0.02

    def __init__(self):
        self.beats = 0

    def alive(self):
        self.beats += 1

    def __getattr__(self, name):
        return lambda *_: None


@pytest.fixture
def gate(monkeypatch):
    """Syncs of the recording wait until it is set."""
    gate, sync = Event(), os.fdatasync
    gate.set()

    def wait_and_sync(descriptor):
        assert gate.wait(HANGS_S)
        sync(descriptor)

    monkeypatch.setattr(os, "fdatasync", wait_and_sync)
    monkeypatch.setattr(cards, "QUICK_S", 0.01)
    monkeypatch.setattr(loop, "QUICK_S", 0.01)
    monkeypatch.setattr(cards, "SLOW_S", 0.05)
    yield gate
    gate.set()


@pytest.fixture
def evening(tmp_path, gate):
    evening = Evening(tmp_path)
    evening.supervisor = evening.table._supervisor = Watched()
    return evening


def snapshot(evening):
    return evening.page.feed.latest()


def test_the_loop_lives_and_says_why_people_wait(evening, running, gate):
    with running(evening):
        gate.clear()
        evening.inbox.post(ThrowRead((6, 4)))
        until(lambda: SLOW_CARD in [each.message for each in snapshot(evening).reminders])
        beats = evening.supervisor.beats
        until(lambda: evening.supervisor.beats > beats + 20)
        # Nobody was told of what is not on the card.
        assert evening.ruled == []
        assert snapshot(evening).rulings == ()
        gate.set()
        until(lambda: evening.ruled == ["throw_off"])
        until(lambda: len(snapshot(evening).rulings) == 1 and not snapshot(evening).reminders)


def test_what_comes_meanwhile_is_taken_in_order_and_once(evening, running, gate):
    thrown = [(6, 4), (5, 4), (4, 4)]
    with running(evening):
        gate.clear()
        for dice in thrown:
            evening.inbox.post(ThrowRead(dice, f"tower/{dice}"))
        # The tower tells again what nobody has acknowledged.
        evening.inbox.post(ThrowRead(thrown[-1], f"tower/{thrown[-1]}"))
        until(lambda: evening.table._card.is_slow)
        gate.set()
        until(lambda: len(evening.ruled) == 3)
    match = Library(evening.config.record).match(1)
    assert [each.dice for each in match.throws] == thrown
    assert [each.line() for each in match.rulings] == evening.view.lines


def test_a_tower_is_answered_once_the_card_has_its_throw(evening, running, gate):
    with running(evening):
        gate.clear()
        answered = Event()
        tower = Thread(
            target=lambda: (evening.inbox.hand_over(ThrowRead((6, 4))), answered.set()), daemon=True
        )
        tower.start()
        until(lambda: evening.table._card.is_slow)
        assert not answered.is_set()
        gate.set()
        assert answered.wait(HANGS_S)
        lines = (evening.config.record / "0001/recording/events.jsonl").read_text().splitlines()
        assert [json.loads(line)["kind"] for line in lines][-1] == "throw"


def test_a_press_that_was_taken_is_said_to_be_and_another_of_its_moment_is_not(
    evening, running, gate, monkeypatch
):
    monkeypatch.setattr("uckers_table.table.desk.ANSWER_S", 0.3)
    with running(evening):
        moment = until(lambda: snapshot(evening).moment)
        gate.clear()
        assert evening.do(EnterThrow((6, 4)), of=moment) == Answer(True, TAKEN_LATE)
        assert snapshot(evening).moment == moment
        assert evening.do(EnterThrow((5, 4)), of=moment) == Answer(False, BEHIND)
        gate.set()
        until(lambda: snapshot(evening).moment != moment)
        assert evening.do(EnterThrow((5, 4)), of=snapshot(evening).moment) == DONE
    assert [each.dice for each in Library(evening.config.record).match(1).throws] == [(6, 4), (5, 4)]


def test_a_table_that_is_switched_off_meanwhile_ends_and_goes_on_as_people_know(
    evening, running, gate, monkeypatch
):
    for where in (cards, loop):
        monkeypatch.setattr(where, "SLOW_S", 0.05)
    monkeypatch.setattr(cards, "CLOSES_S", 0.1)
    monkeypatch.setattr("uckers_table.keeping.keeper.CLOSES_S", 0.1)
    with running(evening):
        assert evening.do(EnterThrow((6, 4))) == DONE
        gate.clear()
        evening.inbox.post(ThrowRead((5, 4)))
        until(lambda: evening.table._card.is_slow)
    assert evening.ruled == ["throw_off"]
    assert Library(evening.config.record).unfinished() == [1]

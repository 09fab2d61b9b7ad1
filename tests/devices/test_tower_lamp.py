"""The tray lamp by what it draws: none, half of it since one of its two strips is dead, or as it should."""

import json

import pytest

from uckers_table.devices.pico.tower import Tower

WHOLE, HALF = 5600, 2860
"""Converter counts of 60 mA through 4.7 Ω, and of one strip with its own 47 Ω at the same 5 V."""


class Lamp:
    """A tower whose lamp draws what a test says, looked at ten times a second."""

    flash_takes = True

    def __init__(self, learnt=None):
        self.tower = Tower("3fa9c1d2", "tray", "0.1.0", "tower", self.keep)
        self.tower.load(learnt)
        self.now_ms, self.told, self.kept = 1000, [], []
        self.tower.line.tell = lambda now_ms, *event: self.told.append(event[0])

    def keep(self, learnt):
        self.kept.append(json.loads(json.dumps(learnt)))
        return self.flash_takes

    def draws(self, level, seconds=60):
        for _ in range(10 * seconds):
            self.now_ms += 100
            self.tower.lamp_level(level, self.now_ms)
        return self


@pytest.mark.parametrize("whole", [3800, WHOLE, 7500])
def test_a_strip_that_dies_is_told_and_so_is_a_new_one(whole):
    lamp = Lamp().draws(whole)
    assert lamp.told == []
    lamp.draws(round(whole * HALF / WHOLE))
    assert lamp.told == ["dark"]
    assert lamp.draws(whole).told == ["dark", "lit"]


def test_what_a_lamp_draws_is_remembered_over_a_start():
    (learnt,) = Lamp().draws(WHOLE).kept
    assert learnt["lamp"] == WHOLE
    assert Lamp(learnt).draws(HALF).told == ["dark"]
    # One that nobody has known whole could be a weak one.
    assert Lamp().draws(HALF).told == []


def test_a_supply_that_sags_or_a_spike_is_no_dead_strip():
    lamp = Lamp().draws(WHOLE)
    for level in (0.85, 1.0, 0.75, 1.04, 1.0):
        lamp.draws(round(level * WHOLE))
    lamp.draws(60000, seconds=5).draws(WHOLE)
    assert lamp.told == []
    assert len(lamp.kept) == 1


def test_a_lamp_that_is_switched_off_has_not_failed():
    lamp = Lamp().draws(WHOLE)
    lamp.tower.line.light = "off"
    lamp.draws(0)
    lamp.tower.line.light = "on"
    assert lamp.draws(WHOLE).told == []


def test_a_lamp_that_draws_nothing_has_failed_from_the_start():
    assert Lamp().draws(0).told == ["dark"]


@pytest.mark.parametrize("learnt", [None, [], {"lamp": "bright"}, {"lamp": -1}, {"lamp": 70000}])
def test_what_is_damaged_was_not_learnt(learnt):
    assert Lamp(learnt).draws(WHOLE).told == []


def test_a_lamp_that_flash_does_not_take_is_said_and_goes_on():
    lamp = Lamp()
    lamp.flash_takes = False
    lamp.draws(WHOLE)
    assert (lamp.told, len(lamp.kept)) == (["blind"], 1)
    # It is known until the tower is switched off.
    assert lamp.draws(HALF).told == ["blind", "dark"]

"""Moments: what a machine without a clock can say of when something was."""

import ctypes

from uckers_table.machine import moment


class Kernel:
    """Says how right the clock is, as adjtimex(2) does."""

    def __init__(self, state):
        self.adjtimex = lambda timex: state


def test_moments_of_one_boot_can_be_put_in_order():
    first, second = moment.now(), moment.now()
    assert first.boot == second.boot != ""
    assert 0 < first.since_boot_s <= second.since_boot_s


def test_a_clock_that_nothing_keeps_right_gives_no_date(monkeypatch):
    for state, is_right in ((0, True), (5, False), (-1, False)):
        monkeypatch.setattr(ctypes, "CDLL", lambda name, state=state: Kernel(state))
        assert moment.is_clock_right() is is_right
        assert (moment.now().date is not None) is is_right


def test_a_system_that_does_not_tell_is_taken_not_to_know(monkeypatch, tmp_path):
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    monkeypatch.setattr(moment, "_BOOT_ID", tmp_path / "none")
    assert moment.now().date is None
    assert moment.now().boot == ""

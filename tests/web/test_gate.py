"""Who may change things: right PINs, wrong ones that run out, cookies that do."""

import pytest

from uckers_table.web.gate import ALL, EACH, SESSION_S, Admission, Gate, new_pin

PIN = "004217"


class Clock:
    def __init__(self):
        self.t = 0.0

    def __call__(self):
        return self.t


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def gate(clock):
    return Gate(PIN, clock)


def test_the_right_pin_gives_a_cookie_that_is_known_for_an_evening(gate, clock):
    token = gate.admit(PIN, "10.0.0.2").token
    assert len(token) >= 43
    assert gate.knows(token)
    clock.t = SESSION_S - 1
    assert gate.knows(token)
    clock.t = SESSION_S
    assert not gate.knows(token)


@pytest.mark.parametrize("wrong", ["", "4217", "004218", " 004217", "００４２１７", "\ud800", "004217\0"])
def test_a_wrong_pin_gives_nothing(gate, wrong):
    assert gate.admit(wrong, "10.0.0.2") == Admission()
    assert not gate.knows("")


def test_whoever_has_guessed_too_often_waits_even_with_the_right_one(gate, clock):
    for _ in range(EACH.at_once):
        assert gate.admit("000000", "10.0.0.2") == Admission()
    assert gate.admit(PIN, "10.0.0.2") == Admission(wait_s=30)
    assert gate.admit(PIN, "10.0.0.3").token, "another address is let in"
    clock.t = 29.0
    assert gate.admit(PIN, "10.0.0.2") == Admission(wait_s=1)
    clock.t = 30.0
    assert gate.admit(PIN, "10.0.0.2").token


def test_many_addresses_share_one_allowance(gate, clock):
    for host in range(ALL.at_once):
        assert gate.admit("000000", f"10.0.1.{host}") == Admission()
    assert gate.admit(PIN, "10.0.2.1") == Admission(wait_s=60)
    clock.t = 60.0
    assert gate.admit(PIN, "10.0.2.1").token


def test_addresses_that_one_machine_can_choose_among_are_one(gate):
    for host in range(EACH.at_once):
        gate.admit("000000", f"2001:db8:1:2::{host:x}")
    assert gate.admit(PIN, "2001:db8:1:2:ffff::1").wait_s
    assert gate.admit(PIN, "2001:db8:1:3::1").token
    for _ in range(EACH.at_once):
        gate.admit("000000", "::ffff:10.0.0.9")
    assert gate.admit(PIN, "::ffff:10.0.0.9").wait_s
    assert gate.admit(PIN, "::ffff:10.0.0.8").token


def test_guessing_shuts_nobody_out_who_is_in(gate):
    token = gate.admit(PIN, "10.0.0.2").token
    for _ in range(100):
        gate.admit("000000", "10.0.0.2")
    assert gate.knows(token)


def test_who_leaves_is_forgotten_and_others_are_not(gate):
    one, other = gate.admit(PIN, "10.0.0.2").token, gate.admit(PIN, "10.0.0.2").token
    gate.forget(one)
    assert not gate.knows(one)
    assert gate.knows(other)


def test_the_display_s_page_is_read_out_without_the_pin(gate):
    assert gate.hidden(f"PIN {PIN}, 192.168.4.1") == "PIN ••••••, 192.168.4.1"


def test_pins_are_six_digits_and_not_always_the_same():
    pins = {new_pin() for _ in range(50)}
    assert len(pins) > 40
    assert all(len(pin) == 6 and pin.isdecimal() for pin in pins)

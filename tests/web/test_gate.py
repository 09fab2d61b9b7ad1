"""Who may change things: right PINs, wrong ones that run out, cookies that do."""

import re
from pathlib import Path

import pytest

from uckers_table.announce.oled import letters
from uckers_table.machine.messages import Invitation
from uckers_table.web.gate import (
    EACH,
    LONG_PIN_DIGITS,
    MOST_CLIENTS,
    MOST_WRONG,
    PIN_DIGITS,
    Admission,
    Gate,
    new_pin,
)
from uckers_table.web.sessions import SESSION_S

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


def test_six_addresses_that_guess_shut_out_no_seventh(gate):
    wrong = [gate.admit("000000", f"10.0.1.{host % 6}") for host in range(30)]
    assert wrong == [Admission()] * 30
    assert gate.admit("000000", "10.0.1.0").wait_s
    assert gate.admit(PIN, "10.0.2.1").token


@pytest.mark.parametrize("addresses", [1, 6, 150])
def test_two_tries_a_second_keep_nobody_else_waiting(gate, clock, addresses):
    for number in range(150):
        clock.t = number / 2
        gate.admit("000000", f"10.0.1.{number % addresses}")
    assert gate.admit(PIN, "10.0.2.1").token


def test_a_pin_guessed_at_too_often_gives_way_to_a_longer_one_and_who_is_in_stays_in(gate):
    token = gate.admit(PIN, "10.0.0.2").token
    for number in range(MOST_WRONG - 1):
        gate.admit("000000", f"10.1.{number // 250}.{number % 250}")
    assert gate.pin == PIN
    gate.admit("000000", "10.0.0.3")
    longer = gate.pin
    assert re.fullmatch(rf"\d{{{LONG_PIN_DIGITS}}}", longer)
    assert gate.knows(token)
    assert gate.admit(PIN, "10.0.0.4") == Admission(), "the old one is worth nothing"
    assert gate.admit(longer, "10.0.0.5").token
    # However long that goes on: the one on the display stays.
    for number in range(2 * MOST_WRONG):
        gate.admit("000000", f"10.2.{number // 250}.{number % 250}")
    assert gate.pin == longer
    assert gate.admit(longer, "10.0.0.6").token


GUESSES_A_SECOND = 2000
"""More than a page answers."""


def test_the_chance_of_an_evening_s_guesses_is_what_the_page_s_document_says():
    guesses = SESSION_S * GUESSES_A_SECOND
    chance = MOST_WRONG / 10**PIN_DIGITS + guesses / 10**LONG_PIN_DIGITS
    text = (Path(__file__).parents[2] / "docs/page.md").read_text()
    (told,) = re.findall(r"one chance in\s(\d+)", text)
    assert chance < 1 / int(told) < 1.05 * chance


def test_a_long_press_forgets_who_has_guessed_and_not_how_often(gate):
    for _ in range(EACH.at_once):
        gate.admit("000000", "10.0.0.2")
    assert gate.admit(PIN, "10.0.0.2").wait_s
    gate.readmit()
    assert gate.admit(PIN, "10.0.0.2").token
    for number in range(MOST_WRONG - EACH.at_once):
        gate.admit("000000", f"10.1.{number // 250}.{number % 250}")
        gate.readmit()
    assert gate.pin != PIN


def test_clients_are_forgotten_and_not_kept_without_end(gate):
    for number in range(MOST_CLIENTS + 500):
        gate.admit(PIN, f"10.{number // 62500}.{number // 250 % 250}.{number % 250}")
    assert len(gate._each) == MOST_CLIENTS


def test_addresses_that_one_machine_can_choose_among_are_one(gate):
    for host in range(EACH.at_once):
        gate.admit("000000", f"2001:db8:1:2::{host:x}")
    assert gate.admit(PIN, "2001:db8:1:2:ffff::1").wait_s
    assert gate.admit(PIN, "2001:db8:1:3::1").token
    for _ in range(EACH.at_once):
        gate.admit("000000", "::ffff:10.0.0.9")
    assert gate.admit(PIN, "::ffff:10.0.0.9").wait_s
    assert gate.admit(PIN, "::ffff:10.0.0.8").token


def test_neighbours_share_their_first_64_bits_and_no_tries(gate):
    own = "fd00:1:2:3::1"
    for _ in range(EACH.at_once):
        gate.admit("000000", "fd00:1:2:3::a", own)
    assert gate.admit(PIN, "fd00:1:2:3::a", own).wait_s
    assert gate.admit(PIN, "fd00:1:2:3::b", own).token
    for _ in range(EACH.at_once):
        gate.admit("000000", "fe80::a%eth0", "fe80::1%eth0")
    assert gate.admit(PIN, "fe80::a%eth0", "fe80::1%eth0").wait_s
    assert gate.admit(PIN, "fe80::b%eth0", "fe80::1%eth0").token


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
    long = Gate("123456789012")
    shown = letters(Invitation("http://192.168.4.1/", long.pin))
    assert [long.hidden(text) for text, _ in shown] == ["192.168.4.1", "PIN", "••••••", "••••••"]


def test_pins_are_six_digits_and_not_always_the_same():
    pins = {new_pin() for _ in range(50)}
    assert len(pins) > 40
    assert all(len(pin) == 6 and pin.isdecimal() for pin in pins)

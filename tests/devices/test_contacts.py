"""Contacts that bounce: what each press is worth, whatever the contact does while it closes and opens."""

from hypothesis import given
from hypothesis import strategies as st

from uckers_table.devices.contacts import HOLD_S, SETTLE_S, Change, Contact

PRESSED, RELEASED, HELD = Change

gaps = st.lists(st.floats(0.00001, SETTLE_S * 0.9), max_size=30)
"""Times between the edges of a contact that bounces, none long enough to be at rest."""


def told(edges, until):
    """What a contact tells, and when, that has these edges (time, is_closed)."""
    contact, changes = Contact(), []

    def ask(before):
        while contact.due is not None and contact.due < before:
            at = contact.due
            changes.append((contact.settled(at), at))

    for t, is_closed in edges:
        ask(t)
        contact.edge(t, is_closed=is_closed)
    ask(until)
    assert None not in [change for change, _ in changes]
    return changes


def bounced(start, gaps, is_closed):
    """Edges that end with the contact closed, or open, at the last of them."""
    times = [start]
    for gap in gaps:
        times.append(times[-1] + gap)
    return [(t, is_closed if (len(times) - number) % 2 else not is_closed) for number, t in enumerate(times)]


def test_a_clean_press_is_told_when_the_contact_is_at_rest():
    edges = [(1.0, True), (1.2, False)]
    assert told(edges, 9.0) == [(PRESSED, 1.0 + SETTLE_S), (RELEASED, 1.2 + SETTLE_S)]


@given(gaps, st.floats(SETTLE_S * 1.1, HOLD_S - 1), gaps)
def test_however_it_bounces_a_press_is_one_press(closing, down_s, opening):
    down = bounced(1.0, closing, is_closed=True)
    up = bounced(down[-1][0] + down_s, opening, is_closed=False)
    assert [change for change, _ in told(down + up, 99.0)] == [PRESSED, RELEASED]


@given(gaps)
def test_spikes_are_no_press(spikes):
    assert told(bounced(1.0, spikes, is_closed=False), 99.0) == []


@given(gaps, st.integers(2, 6))
def test_so_many_presses_are_so_many(closing, number):
    edges, t = [], 1.0
    for _ in range(number):
        edges += bounced(t, closing, is_closed=True)
        edges += bounced(edges[-1][0] + 0.05, closing, is_closed=False)
        t = edges[-1][0] + 0.05
    assert [change for change, _ in told(edges, t + 9)] == [PRESSED, RELEASED] * number


def test_held_is_told_once_while_it_is_down():
    edges = [(1.0, True), (1.0 + HOLD_S + 5, False)]
    assert told(edges, 99.0) == [
        (PRESSED, 1.0 + SETTLE_S),
        (HELD, 1.0 + HOLD_S),
        (RELEASED, 1.0 + HOLD_S + 5 + SETTLE_S),
    ]


def test_a_contact_that_opens_for_a_moment_is_still_held():
    edges = [(1.0, True), (2.0, False), (2.0 + SETTLE_S / 2, True), (9.0, False)]
    assert [change for change, _ in told(edges, 99.0)] == [PRESSED, HELD, RELEASED]


def test_nothing_is_told_before_it_is_due():
    contact = Contact()
    assert (contact.due, contact.settled(5.0)) == (None, None)
    contact.edge(1.0, is_closed=True)
    assert contact.settled(1.0 + SETTLE_S / 2) is None
    assert contact.settled(1.0 + SETTLE_S) is PRESSED
    assert contact.settled(1.0 + SETTLE_S) is None

"""The inbox: in order, stamped with the table's time, and patient where its senders are."""

import threading

from tests.patience import HANGS_S
from uckers_table.devices.base import ListenerGoneError
from uckers_table.machine.clock import SimulatedClock, WallClock
from uckers_table.table.inbox import Inbox


def test_news_comes_out_in_order_with_the_time_it_came():
    now = [0.0]
    inbox = Inbox[str]()
    inbox.post("before it opened")
    inbox.open(SimulatedClock(lambda: now[0]), patient=False)
    now[0] = 2.5
    inbox.post("a throw")
    inbox.post("a frame", 2.4)
    taken = [inbox.take(0) for _ in range(4)]
    assert [(letter.t, letter.content) for letter in taken if letter] == [
        (0.0, "before it opened"),
        (2.5, "a throw"),
        (2.4, "a frame"),
    ]
    assert taken[3] is None


def test_a_patient_inbox_holds_its_sender_until_the_news_is_dealt_with():
    inbox = Inbox[str]()
    inbox.open(SimulatedClock(lambda: 1.0), patient=True)
    order = []

    def send():
        inbox.post("a throw")
        order.append("sent")

    sender = threading.Thread(target=send)
    sender.start()
    letter = inbox.take(HANGS_S)
    order.append("dealt with")
    letter.dealt_with.set()
    sender.join(HANGS_S)
    assert order == ["dealt with", "sent"]


def test_what_is_handed_over_is_dealt_with_or_was_not_taken():
    inbox = Inbox[str]()
    inbox.open(SimulatedClock(lambda: 1.0), patient=False)
    order = []

    def send():
        inbox.hand_over("a throw")
        order.append("taken")
        try:
            inbox.hand_over("another")
        except ListenerGoneError:
            order.append("not taken")

    sender = threading.Thread(target=send)
    sender.start()
    letter = inbox.take(HANGS_S)
    order.append("dealt with")
    letter.dealt_with.set()
    inbox.take(HANGS_S)
    inbox.close()
    sender.join(HANGS_S)
    assert order == ["dealt with", "taken", "not taken"]


def test_closing_lets_go_whoever_waits():
    inbox = Inbox[str]()
    inbox.open(SimulatedClock(lambda: 1.0), patient=True)
    sender = threading.Thread(target=inbox.post, args=("nobody listens",))
    sender.start()
    inbox.close()
    sender.join(HANGS_S)
    assert not sender.is_alive()


def test_a_simulated_clock_never_passes_by_itself_and_the_walls_does():
    assert SimulatedClock(lambda: 3.0).wait_s(10.0) is None
    wall = WallClock()
    assert wall.wait_s(wall.now() - 1) == 0.0
    assert 0 < wall.wait_s(wall.now() + 100) <= 100

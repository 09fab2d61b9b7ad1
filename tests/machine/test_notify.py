"""What the service manager hears, over a real socket: that the table is up, what it is at, that it lives."""

import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from tests.patience import HANGS_S
from tests.table_as_service import INTERRUPTED
from uckers_table.machine.clock import WallClock
from uckers_table.machine.notify import Supervisor
from uckers_table.record.library import Library
from uckers_table.table.inbox import Inbox

LIFE_S = 1.0
"""What the manager of these tests waits for a sign of life."""


def manager(address):
    """A notify socket as systemd has it."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    line.bind(address)
    line.settimeout(HANGS_S)
    return line


def heard(line):
    return line.recv(4096).decode()


@pytest.mark.parametrize("is_abstract", [False, True])
def test_the_manager_hears_what_it_is_told(tmp_path, is_abstract):
    name = f"uckers-table-{os.getpid()}" if is_abstract else str(tmp_path / "notify")
    with closing(manager(("\0" + name) if is_abstract else name)) as line:
        supervisor = Supervisor({"NOTIFY_SOCKET": ("@" + name) if is_abstract else name})
        supervisor.ready()
        supervisor.status("Match 3:\nred, throw")
        supervisor.status("Match 3:\nred, throw")
        supervisor.stopping()
        assert [heard(line) for _ in range(3)] == ["READY=1", "STATUS=Match 3: red, throw", "STOPPING=1"]


def test_signs_of_life_are_twice_as_many_as_due_and_no_more(tmp_path):
    now = [0.0]
    with closing(manager(str(tmp_path / "notify"))) as line:
        environment = {
            "NOTIFY_SOCKET": str(tmp_path / "notify"),
            "WATCHDOG_USEC": "8000000",
            "WATCHDOG_PID": str(os.getpid()),
        }
        supervisor = Supervisor(environment, clock=lambda: now[0])
        assert supervisor.every_s == 4.0
        for now[0] in (0.0, 0.1, 1.9, 2.0, 3.9, 4.0):
            supervisor.alive()
        supervisor.status("end")
        assert [heard(line) for _ in range(4)] == [*["WATCHDOG=1"] * 3, "STATUS=end"]


def test_a_start_that_goes_on_asks_for_more_time_before_it_is_over(tmp_path):
    now = [0.0]
    with closing(manager(str(tmp_path / "notify"))) as line:
        supervisor = Supervisor({"NOTIFY_SOCKET": str(tmp_path / "notify")}, clock=lambda: now[0])
        for now[0] in (0.0, 0.1, 4.9, 5.0, 6.0):
            supervisor.starting()
        supervisor.ready()
        longer = "EXTEND_TIMEOUT_USEC=120000000"
        assert [heard(line) for _ in range(3)] == [longer, longer, "READY=1"]


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"WATCHDOG_USEC": "1000000"},
        {"NOTIFY_SOCKET": "vsock:2:1234", "WATCHDOG_USEC": "1000000"},
        {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"},
        {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "soon"},
    ],
)
def test_where_nobody_waits_for_a_sign_of_life_none_is_due(environment):
    assert Supervisor(environment).every_s is None


def test_a_manager_that_is_gone_ends_nothing(tmp_path):
    supervisor = Supervisor({"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "1000000"})
    supervisor.ready()
    supervisor.alive()


def test_news_that_a_signal_brings_is_not_waited_for():
    inbox = Inbox[str | None]()
    inbox.open(WallClock(), patient=True)
    inbox.interject(None)
    assert inbox.take(0).content is None


class Service:
    """A table that runs as a service does, and what it tells its manager, with when it was heard."""

    def __init__(self, folder, name="notify"):
        self.said = queue.SimpleQueue()
        self._address = str(folder / name)
        self._line = manager(self._address)
        environment = os.environ | {
            "NOTIFY_SOCKET": self._address,
            "WATCHDOG_USEC": str(int(LIFE_S * 1e6)),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.table_as_service", str(folder)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while True:
            try:
                self.said.put(heard(self._line))
            except OSError:
                return

    def hear(self, wanted):
        """What was said until `wanted`, with it."""
        words = []
        while wanted not in words:
            words.append(self.said.get(timeout=HANGS_S))
        return words

    def hear_the_rest(self):
        """All that has been said so far, however late it is heard: a word of our own comes after it."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(b"so far", self._address)
        self.hear("so far")

    def close(self):
        self.process.kill()
        self.process.communicate()
        self._line.close()


@pytest.fixture
def service(tmp_path):
    with closing(Service(tmp_path)) as service:
        yield service


def test_a_service_is_ready_lives_while_idle_and_closes_in_good_order(service, tmp_path):
    before = service.hear("READY=1")
    assert "STATUS=Match 1: red, throw_off" in before
    # Nothing comes in, and still it lives.
    assert [service.hear("WATCHDOG=1")[-1] for _ in range(3)] == ["WATCHDOG=1"] * 3
    service.process.send_signal(signal.SIGTERM)
    service.hear("STOPPING=1")
    assert service.process.wait(HANGS_S) == 0
    # The match was not left: it goes on at the next start.
    assert Library(tmp_path).unfinished() == [1]


def test_a_start_that_judges_an_old_match_again_asks_for_time(service, tmp_path):
    service.hear("READY=1")
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(HANGS_S) == 0
    with closing(Service(tmp_path, "again")) as again:
        assert any(said.startswith("EXTEND_TIMEOUT_USEC=") for said in again.hear("READY=1"))


def test_an_interrupt_closes_in_good_order_too_and_says_where_all_is(service, tmp_path):
    service.hear("READY=1")
    service.process.send_signal(signal.SIGINT)
    assert service.process.wait(HANGS_S) == INTERRUPTED
    assert "(match 1)" in service.process.stdout.read()
    assert Library(tmp_path).unfinished() == [1]


def test_a_loop_that_hangs_falls_silent_though_its_process_lives(service):
    service.hear("READY=1")
    service.hear("WATCHDOG=1")
    # The table's voice hangs from here on, in the loop's own thread.
    service.process.stdin.write("hang\n")
    service.process.stdin.flush()
    assert service.process.stdout.readline() == "hung\n"
    service.hear_the_rest()
    # A loop that lived would say eight times in so long that it does.
    with pytest.raises(queue.Empty):
        service.said.get(timeout=2 * LIFE_S)
    assert service.process.poll() is None

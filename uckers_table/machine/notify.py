"""What a service manager is told of the table: that it is up, what it is at, and that it is alive.

systemd's protocol (sd_notify(3)) is a word to a datagram socket that the environment names; it needs no
library. Where nobody started the table as a service, nothing is sent.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping

LONGER_S, ASKS_EVERY_S = 120.0, 5.0
"""So much more time is asked for by a start that goes on, and so often at most (seconds). To open the record
takes five syncs, which a slow card does in 20 s each."""


class Supervisor:
    """The service manager that started this process, if one did. For one thread: the table's loop.

    Send `alive` from the loop and from nowhere else, so that a loop that hangs falls silent. A manager that
    cannot be reached any more is no reason to end a match.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self._clock = clock
        self._status = ""
        self._told_at = float("-inf")
        self.every_s = _every_s(environment) if self._address else None
        """How often a sign of life is due, in seconds; None where nobody waits for one."""

    @property
    def is_there(self) -> bool:
        """Whether there is one."""
        return bool(self._address)

    def starting(self) -> None:
        """The start goes on, and may take longer than the manager waits for one. Cheap, as `alive`."""
        if self._address and self._is_due(ASKS_EVERY_S):
            self._send(f"EXTEND_TIMEOUT_USEC={LONGER_S * 1e6:.0f}")

    def ready(self) -> None:
        """The table's loop runs."""
        self._send("READY=1")

    def status(self, text: str) -> None:
        """What the table is at, in a line for people (`systemctl status`)."""
        if text != self._status:
            self._status = text
            self._send(f"STATUS={' '.join(text.split())}")

    def alive(self) -> None:
        """The loop goes round. Cheap: it is said when it is due and no more often."""
        if self.every_s is not None and self._is_due(self.every_s / 2):
            self._send("WATCHDOG=1")

    def _is_due(self, every_s: float) -> bool:
        """Whether something is to be said that is said so often; then it counts as said."""
        now = self._clock()
        is_due = now - self._told_at >= every_s
        self._told_at = now if is_due else self._told_at
        return is_due

    def stopping(self) -> None:
        """The table closes in good order."""
        self._send("STOPPING=1")

    def _send(self, words: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                # A manager that does not read must not hold the table up.
                line.setblocking(False)
                line.sendto(words.encode(), self._address)
        except OSError as error:
            logging.getLogger(__name__).debug("the service manager was not told %s: %s", words, error)


def _address(named: str) -> str:
    """The socket's address: a path, or an abstract name, written with an @; none for any other kind."""
    if named.startswith("@"):
        return "\0" + named[1:]
    return named if named.startswith("/") else ""


def _every_s(environment: Mapping[str, str]) -> float | None:
    """Half of what the manager waits for a sign of life, where it is this process that it waits for."""
    wait_us, process = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not wait_us.isdecimal() or int(wait_us) == 0 or (process and process != str(os.getpid())):
        return None
    return int(wait_us) / 2e6

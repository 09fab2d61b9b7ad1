"""The one queue that every device's thread puts its news into, and the loop takes it out of, in order."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from uckers_table.devices.base import ListenerGoneError
from uckers_table.machine.clock import Clock

Content = TypeVar("Content")

GLANCE_S = 0.1
"""How often whoever waits looks whether the inbox has been closed meanwhile."""


@dataclass(frozen=True)
class Letter(Generic[Content]):
    """News with the time it came, in seconds of the table's clock."""

    t: float
    content: Content
    dealt_with: threading.Event = field(default_factory=threading.Event)


class Inbox(Generic[Content]):
    """A queue with a clock. News that comes before it is opened waits, and counts as of the start.

    An inbox that is `patient` lets its senders wait until what they sent has been dealt with: that is how
    a simulated table stands still while the referee thinks, and why a seed gives the same match anywhere.
    """

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Letter[Content]] = queue.SimpleQueue()
        self._clock: Clock | None = None
        self._patient = False
        self._closed = threading.Event()

    def open(self, clock: Clock, *, patient: bool) -> None:
        """Start the clock that news is stamped with."""
        self._clock, self._patient = clock, patient

    def post(self, content: Content, t: float | None = None) -> None:
        """Put news in, as of now or of a time given; safe from any thread, and never lost once it returns."""
        letter = self._put(content, t)
        if self._patient:
            self._wait(letter)

    def hand_over(self, content: Content, t: float | None = None) -> None:
        """As `post`, but return when it has been dealt with; ListenerGoneError when it never will be."""
        letter = self._put(content, t)
        self._wait(letter)
        if not letter.dealt_with.is_set():
            raise ListenerGoneError

    def interject(self, content: Content) -> None:
        """Put news in without waiting for anything, not even a clock: what a signal's handler may do."""
        self._put(content, 0.0)

    def leave(self, content: Content) -> None:
        """Put news in as of now, and wait for nobody, not even at a simulated table."""
        self._put(content, None)

    def _put(self, content: Content, t: float | None) -> Letter[Content]:
        if t is None:
            t = self._clock.now() if self._clock else 0.0
        letter = Letter(round(t, 3), content)
        self._queue.put(letter)
        return letter

    def _wait(self, letter: Letter[Content]) -> None:
        while not self._closed.is_set() and not letter.dealt_with.wait(GLANCE_S):
            pass

    def take(self, wait_s: float | None) -> Letter[Content] | None:
        """The oldest news, waiting for it so long (None: for ever); None when none came.

        Whoever takes it sets `dealt_with` when it is on the card, or closes the inbox if it never will be.
        """
        try:
            return self._queue.get(timeout=wait_s)
        except queue.Empty:
            return None

    def close(self) -> None:
        """Let go whoever waits; what comes now is not dealt with any more."""
        self._closed.set()

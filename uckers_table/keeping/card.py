"""The card as a device: a thread of its own writes to it, and nobody but that thread waits for it.

What people are told waits until the card has what it rests on; the loop goes on meanwhile.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from math import inf
from queue import SimpleQueue
from threading import Condition, Thread
from time import monotonic
from typing import NamedTuple

LOG = logging.getLogger(__name__)

QUICK_S = 0.1
"""So long the card may take before the loop goes on without it (seconds): nobody notices a sentence that is
so late."""
SLOW_S = 2.0
"""A card that takes longer than this (seconds) is said to be slow."""
CLOSES_S = 3.0
"""How long the end of a match, or of the table, waits for what is still to be written (seconds)."""


class _Given(NamedTuple):
    """A write, and when it was given (seconds)."""

    write: Callable[[], None]
    t: float


class Card:
    """Does writes in a thread, in the order given. All but the writes themselves is for one other thread.

    `wake` is called from the writing thread where that other one is to call `catch_up`. A card with
    `patience_s` keeps whoever tells something waiting for so long at most; infinity makes a simulated table
    the same on any card.
    """

    def __init__(self, wake: Callable[[], None], *, patience_s: float = QUICK_S) -> None:
        self._wake, self._patience_s = wake, patience_s
        self._writes = SimpleQueue[_Given | None]()
        self._telling = deque[tuple[int, Callable[[], None]]]()
        self.given = 0
        """How many writes were given so far."""
        self._done = 0
        self._changed = Condition()
        self._under_way: _Given | None = None
        self._fault: Exception | None = None
        self._is_late = False
        self._thread = Thread(target=self._run, name="the card", daemon=True)
        self._thread.start()

    def do(self, write: Callable[[], None]) -> None:
        """Have something written, after all that was given before."""
        self.given += 1
        self._writes.put(_Given(write, monotonic()))

    def once_kept(self, tell: Callable[[], None]) -> None:
        """Call `tell`, in this thread, when all that was given so far is written. Mostly it is at once."""
        self._telling.append((self.given, tell))
        if not self._is_late:
            self._is_late = not self.settles(self._patience_s)
        self.catch_up()

    def catch_up(self) -> None:
        """Tell what can be told by now. Whatever a write has raised is raised here."""
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault
        self._is_late = self._is_late and self.is_behind
        while self._telling and self._telling[0][0] <= self._done:
            self._telling.popleft()[1]()

    def settles(self, within_s: float) -> bool:
        """Whether all that was given is written within so long."""
        with self._changed:
            return self._changed.wait_for(lambda: not self.is_behind, within_s if within_s < inf else None)

    @property
    def is_behind(self) -> bool:
        """Whether something is not written yet."""
        return self._done < self.given

    @property
    def slow_in_s(self) -> float | None:
        """In how many seconds the card counts as slow, if it is not done before; 0 or less where it is."""
        given = self._under_way
        return given.t + SLOW_S - monotonic() if given is not None else None

    @property
    def is_slow(self) -> bool:
        """Whether something has waited for long to be written."""
        slow_in_s = self.slow_in_s
        return slow_in_s is not None and slow_in_s <= 0

    def close(self) -> None:
        """Write what waits, if that does not take long; of the rest nobody was told. Safe to call twice."""
        self._writes.put(None)
        self._thread.join(CLOSES_S)
        if self._thread.is_alive():
            LOG.warning("the card does not take what is written and is left behind")

    def _run(self) -> None:
        while (given := self._writes.get()) is not None:
            self._under_way = given
            try:
                given.write()
            except Exception as error:
                self._fault = error
            self._under_way = None
            with self._changed:
                self._done += 1
                self._changed.notify_all()
            if self._telling or self._fault is not None:
                self._wake()

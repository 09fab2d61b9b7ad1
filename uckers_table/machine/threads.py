"""Threads that can be told to stop, and threads that can be left behind.

A driver's call may never return: a camera whose ribbon is loose, an I²C bus that is held down. Nothing ends
a call from outside. So it is made in a thread of its own, and whoever waits for it has a clock.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Lock, Thread
from threading import enumerate as enumerate_threads
from typing import Any, Generic, TypeVar

from uckers_table.errors import HungError

LOG = logging.getLogger(__name__)

STOP_WAIT_S = 4.0
"""Long beside any single read or write here; a thread that outlives it hangs in a driver."""
CLOSE_S = 3.0
"""How long a thing may take to close. A camera needs half a second."""
CLOSE_ALL_S = 4.0
"""How long a table waits for its work to stop, and then for its devices to close.

With the pictures of a match and the page it ends within 15 s, whatever hangs. The service is killed after 20.
"""
MOST_LEFT, MOST_OF_A_NAME = 3, 16
"""How many threads may hang at once: of one device, and of all that were built under its name. Each holds a
file and some memory."""

_NAME = "{}, apart"

Thing = TypeVar("Thing")
Result = TypeVar("Result")


class StoppedError(BaseException):
    """Work is wanted no more. It is no Exception: work that goes on after any error of its own ends by it."""


def unless_stopped(stopping: Event) -> Callable[[], None]:
    """What long work calls between its steps: StoppedError once it has been told to stop."""

    def look() -> None:
        if stopping.is_set():
            raise StoppedError

    return look


class Worker:
    """Runs `work(stopping)` in a thread of its own.

    `work` returns soon after `stopping` is set, or ends by StoppedError.
    """

    def __init__(self, name: str, work: Callable[[Event], None]) -> None:
        self.stopping = Event()
        # A daemon, so that a driver that hangs cannot keep the program from ending.
        self._thread = Thread(target=self._run, args=(work,), name=name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Tell it to stop and wait for it. Safe to call twice.

        One that does not stop within STOP_WAIT_S is left behind and logged: nothing that hangs keeps a table
        from ending.
        """
        self.stopping.set()
        self._thread.join(STOP_WAIT_S)
        if self._thread.is_alive():
            LOG.warning("%s does not stop and is left behind", self._thread.name)

    def _run(self, work: Callable[[Event], None]) -> None:
        with suppress(StoppedError):
            work(self.stopping)


class Apart(Generic[Thing]):
    """A thing that is used only from a thread of its own, which is left behind when a call does not return.

    `open_it`, whatever is done with the thing, and `close_it` run in that thread, one after the other. A call
    that takes longer than its caller allows is HungError, with the line `hangs`. So is an opening that takes
    longer than `opens_within_s` (seconds).

    A thread that was left behind closes its thing when its call returns at last. The next call opens the
    thing anew, in another thread. While `most_left` threads are left behind and hang, nothing is opened, and
    every call is HungError.
    """

    def __init__(
        self,
        name: str,
        open_it: Callable[[], Thing],
        close_it: Callable[[Thing], None],
        *,
        hangs: str,
        opens_within_s: float,
        most_left: int = MOST_LEFT,
    ) -> None:
        self._name, self._open_it, self._close_it = name, open_it, close_it
        self._hangs, self._opens_within_s, self._most_left = hangs, opens_within_s, most_left
        self._lock = Lock()
        self._hand: _Hand[Thing] | None = None
        self._left = list[_Hand[Thing]]()
        self._is_closed = False

    @property
    def is_open(self) -> bool:
        """Whether the next call finds the thing open."""
        return self._hand is not None

    def open(self) -> None:
        """Open the thing, if it is not. HungError, or whatever opening it raises."""
        if self._hand is None:
            self._opened()

    def do(self, what: Callable[[Thing], Result], within_s: float) -> Result:
        """What `what` makes of the thing, which is opened before where it is not.

        HungError when it takes longer than `within_s`; otherwise whatever it or the opening raises. One call
        at a time.
        """
        hand = self._hand or self._opened()
        return self._waited_for(hand, hand.ask(what), within_s)

    def drop(self) -> None:
        """Close what is open, without waiting for it; the next call opens it anew."""
        with self._lock:
            hand, self._hand = self._hand, None
            if hand is not None:
                self._left.append(hand)
                hand.leave(HungError(self._hangs))

    def close(self) -> None:
        """Close what is open, for good; whoever waits for a call gets HungError. Safe to call twice.

        What does not close within CLOSE_S is left behind.
        """
        self._is_closed = True
        self.drop()
        end = time.monotonic() + CLOSE_S
        for hand in self._still_left():
            if not hand.has_ended(max(0.0, end - time.monotonic())):
                LOG.warning("%s does not close and is left behind", self._name)

    def _opened(self) -> _Hand[Thing]:
        end = time.monotonic() + CLOSE_S
        # Most things can be opened once only: what was dropped in good order is closed first.
        for left in self._still_left():
            left.has_ended(max(0.0, end - time.monotonic()))
        is_much = len(self._still_left()) >= self._most_left or _alike(self._name) >= MOST_OF_A_NAME
        if self._is_closed or is_much:
            raise HungError(self._hangs)
        hand = _Hand(self._name, self._open_it, self._close_it)
        with self._lock:
            self._hand = hand
        try:
            self._waited_for(hand, hand.opening, self._opens_within_s)
        except BaseException:
            self.drop()
            raise
        if self._is_closed:
            self.drop()
        return hand

    def _waited_for(self, hand: _Hand[Thing], answer: Future[Result], within_s: float) -> Result:
        try:
            return answer.result(within_s)
        except TimeoutError:
            if answer.done():
                # The call has returned, with an error of that kind.
                raise
        if hand is self._hand:
            self.drop()
        raise HungError(self._hangs)

    def _still_left(self) -> list[_Hand[Thing]]:
        with self._lock:
            self._left = [hand for hand in self._left if not hand.has_ended(0.0)]
            return list(self._left)


class _Hand(Generic[Thing]):
    """The thread in which one thing is opened, used and closed."""

    def __init__(self, name: str, open_it: Callable[[], Thing], close_it: Callable[[Thing], None]) -> None:
        self.opening: Future[None] = Future()
        self._calls: SimpleQueue[tuple[Callable[[Thing], Any], Future[Any]] | None] = SimpleQueue()
        self._answer: Future[Any] = self.opening
        self._is_left = False
        self._thread = Thread(
            target=self._run, args=(open_it, close_it), name=_NAME.format(name), daemon=True
        )
        self._thread.start()

    def ask(self, what: Callable[[Thing], Result]) -> Future[Result]:
        """Have it done; the result comes in what is given back."""
        answer: Future[Result] = Future()
        self._answer = answer
        self._calls.put((what, answer))
        return answer

    def has_ended(self, wait_s: float) -> bool:
        """Whether the thread has ended, or does within so long."""
        self._thread.join(wait_s)
        return not self._thread.is_alive()

    def leave(self, error: Exception) -> None:
        """Close the thing after the call that is on, if it returns; whoever waits for it gets the error."""
        self._is_left = True
        self._calls.put(None)
        _fail(self._answer, error)

    def _run(self, open_it: Callable[[], Thing], close_it: Callable[[Thing], None]) -> None:
        try:
            thing = open_it()
        # Whatever it is, it is for whoever waits.
        except Exception as error:
            _fail(self.opening, error)
            return
        _settle(self.opening, None)
        self._serve(thing)
        try:
            close_it(thing)
        except Exception as error:
            # What is gone cannot be closed in good order.
            LOG.info("%s", error)

    def _serve(self, thing: Thing) -> None:
        while not self._is_left and (call := self._calls.get()) is not None:
            what, answer = call
            try:
                result = what(thing)
            except Exception as error:
                _fail(answer, error)
            else:
                _settle(answer, result)
                # Frames are large: none is kept until the next.
                del result
            del call, what, answer


def _alike(name: str) -> int:
    """How many things of this name have a thread now."""
    return sum(thread.name == _NAME.format(name) for thread in enumerate_threads())


def _settle(answer: Future[Result], result: Result) -> None:
    """Give whoever waits the result, unless he has been given up on."""
    with suppress(InvalidStateError):
        answer.set_result(result)


def _fail(answer: Future[Any], error: Exception) -> None:
    """Raise the error where somebody waits, unless he has his answer."""
    with suppress(InvalidStateError):
        answer.set_exception(error)


def close_all(closers: Mapping[str, Callable[[], None]]) -> None:
    """Close everything at once, each in a thread of its own. Nothing that is wrong with one is raised.

    What fails to close is logged, by its name. So is what does not close within CLOSE_ALL_S, and is left
    behind.
    """
    answers = {name: Future[None]() for name in closers}
    for name, close in closers.items():
        Thread(target=_closed, args=(close, answers[name]), name=f"closing the {name}", daemon=True).start()
    end = time.monotonic() + CLOSE_ALL_S
    for name, answer in answers.items():
        try:
            answer.result(max(0.0, end - time.monotonic()))
        except Exception as error:
            if answer.done():
                _log_unclosed(name, error)
            else:
                LOG.warning("the %s does not close and is left behind", name)


def close_logged(name: str, close: Callable[[], None]) -> None:
    """Close something; an error is logged, so that whatever is to be closed after it still is."""
    try:
        close()
    except Exception as error:
        _log_unclosed(name, error)


def _log_unclosed(name: str, error: Exception) -> None:
    LOG.error("closing the %s failed: %s", name, error, exc_info=error)


def _closed(close: Callable[[], None], answer: Future[None]) -> None:
    try:
        close()
    except Exception as error:
        _fail(answer, error)
    else:
        _settle(answer, None)

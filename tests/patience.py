"""How long the tests wait before they believe that something hangs: said here, and nowhere else.

A limit catches what hangs; it measures nothing. A wait ends as soon as what it waits for happens, so a
generous limit takes time only in a test that fails. A machine twenty times slower passes the same tests.

UCKERS_HANGS_S sets it from outside, in seconds: more for a machine that is slower still, less for somebody
who looks for what hangs. The whole of a test has a limit too: `timeout` in pyproject.toml, a few times the
usual one of a wait. The two grow and shrink together (tests/conftest.py).
"""

import math
import os
import time
from contextlib import ExitStack, contextmanager
from unittest import mock

VARIABLE, USUAL_S = "UCKERS_HANGS_S", 600.0


def limit_s(said):
    """The limit that the variable says, in seconds. Anything else in it ends the tests with one line."""
    if said is None:
        return USUAL_S
    try:
        limit = float(said)
    except ValueError:
        limit = math.nan
    if not 0 < limit < math.inf:
        raise SystemExit(
            f"{VARIABLE}: {said!r} is no number of seconds above 0; leave it out for {USUAL_S:.0f}"
        )
    return limit


HANGS_S = limit_s(os.environ.get(VARIABLE))
"""The limit of one wait for one thing."""
A_TABLE = (
    "uckers_table.devices.dice_tower.HANGS_S",
    "uckers_table.devices.dice_tower.WRITE_WAIT_S",
    "uckers_table.devices.display.OPEN_S",
    "uckers_table.devices.display.SEND_S",
    "uckers_table.devices.live.OPEN_S",
    "uckers_table.devices.live.SILENT_S",
    "uckers_table.devices.tower_link.HELLO_S",
    "uckers_table.devices.tower_link.SILENCE_S",
    "uckers_table.keeping.card.CLOSES_S",
    "uckers_table.keeping.gallery.CLOSES_WITHIN_S",
    "uckers_table.keeping.keeper.CLOSES_S",
    "uckers_table.keeping.keeper.SLOW_S",
    "uckers_table.machine.threads.CLOSE_ALL_S",
    "uckers_table.machine.threads.STOP_WAIT_S",
    "uckers_table.table.desk.ANSWER_S",
    "uckers_table.table.loop.QUICK_S",
    "uckers_table.table.watcher.LEAVE_S",
)
"""The limits of a table."""


def until(holds, what="it never came", *, pause=lambda: time.sleep(0.005)):
    """Wait until it holds, and give what it gave. `what` says what did not come; `pause` is between looks."""
    end = time.monotonic() + HANGS_S
    while not (held := holds()):
        assert time.monotonic() < end, what() if callable(what) else what
        pause()
    return held


@contextmanager
def unhurried(*limits):
    """While it lasts, these limits of the product end only what hangs, as those of the tests do.

    It is for limits that a slow machine exceeds in good order: a page waits five seconds for its table.
    """
    with ExitStack() as patched:
        for limit in limits:
            patched.enter_context(mock.patch(limit, HANGS_S))
        yield


@contextmanager
def unhurried_table():
    """As `unhurried`, for a whole table that runs in this process, and for a tower that is simulated."""
    from uckers_table.devices.simulated_tower import SimulatedTower

    with unhurried(*A_TABLE), mock.patch.dict(SimulatedTower.__init__.__kwdefaults__, patience_s=HANGS_S):
        yield

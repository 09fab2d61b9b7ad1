"""Who is in: known by a cookie for an evening, also after the program was started again.

Only a digest of each cookie is kept, so the file lets nobody in. If the card takes no file, everybody who is
in stays so until the program ends, and shows the PIN again after the next start.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
import stat
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from uckers_table.foreign.documents import json_from
from uckers_table.machine import moment
from uckers_table.machine.files import is_there, make_folder, remove, write_whole

LOG = logging.getLogger(__name__)

SESSION_S = 12 * 3600.0
"""An evening, and not the next one."""
MOST_SESSIONS = 64
_MOST_BYTES = 64 * 1024
_DIGEST_LETTERS = 64


class Instant(NamedTuple):
    """A moment by which two runs of the table can tell how long ago something was."""

    boot: str
    since_boot_s: float
    unix_s: float


def this_instant() -> Instant:
    """This moment."""
    now = moment.now()
    return Instant(now.boot, now.since_boot_s, time.time())


class Sessions:
    """Those who are in, kept at `path`, or nowhere without one. Safe from any thread.

    `now` is a clock that never goes back, in seconds; `at` tells runs of the table apart.
    """

    def __init__(
        self,
        path: Path | None = None,
        now: Callable[[], float] = time.monotonic,
        at: Callable[[], Instant] = this_instant,
    ) -> None:
        self._path, self._now, self._at = path, now, at
        self._lock = Lock()
        self._until = OrderedDict[str, float]()
        self._is_kept = False
        if path is not None:
            self._until.update(_loaded(path, now(), at()))
            self._write(path)

    def begin(self) -> str:
        """A new one's token."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._until[_digest(token)] = self._now() + SESSION_S
            while len(self._until) > MOST_SESSIONS:
                self._until.popitem(last=False)
            self._keep()
        return token

    def has(self, token: str) -> bool:
        """Whether a token is that of somebody who is in."""
        until = self._until.get(_digest(token))
        return until is not None and self._now() < until

    def end(self, token: str) -> None:
        """Whoever has this token has left."""
        with self._lock:
            if self._until.pop(_digest(token), None) is not None:
                self._keep()

    def are_taken_away(self) -> bool:
        """Whether somebody has removed the file; then nobody is in any more."""
        if not self._is_lost():
            # Without the lock: whoever asks does not wait for a card that takes its time.
            return False
        with self._lock:
            if not self._is_lost():
                return False
            self._until.clear()
            self._keep()
            return True

    def _is_lost(self) -> bool:
        return self._is_kept and self._path is not None and not is_there(self._path)

    def _keep(self) -> None:
        """Keep who is in now. If the card does not take that, no older file may put back in who has left."""
        if self._path is not None and not self._write(self._path):
            with suppress(OSError):
                remove(self._path)

    def _write(self, path: Path) -> bool:
        """Write the file whole or not at all; whether it is on the card."""
        now = self._now()
        left = {digest: until - now for digest, until in self._until.items() if until > now}
        try:
            make_folder(path.parent)
            write_whole(path, json.dumps({**self._at()._asdict(), "left_s": left}), mode=0o600)
        except OSError as error:
            LOG.warning("%s: who is in on the page cannot be kept (%s)", path, error.strerror)
            self._is_kept = False
        else:
            self._is_kept = True
        return self._is_kept


def _loaded(path: Path, now: float, at: Instant) -> dict[str, float]:
    """Until when each is in by a file; nobody by one that is not this user's own, or makes no sense."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            about = os.fstat(descriptor)
            is_ours = stat.S_ISREG(about.st_mode) and about.st_uid == os.geteuid()
            if not is_ours or about.st_mode & 0o077 or about.st_size > _MOST_BYTES:
                LOG.warning("%s: is not this table's own; everybody shows the PIN again", path)
                return {}
            kept: Any = json_from(file.read(_MOST_BYTES))
        then = Instant(str(kept["boot"]), float(kept["since_boot_s"]), float(kept["unix_s"]))
        left = {str(digest): float(left_s) for digest, left_s in kept["left_s"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        LOG.warning("%s: cannot be read (%s); everybody shows the PIN again", path, error)
        return {}
    gone_s = _between_s(then, at)
    return {
        digest: now + min(left_s, SESSION_S) - gone_s
        for digest, left_s in list(left.items())[-MOST_SESSIONS:]
        if len(digest) == _DIGEST_LETTERS and isfinite(left_s) and min(left_s, SESSION_S) > gone_s
    }


def _between_s(then: Instant, now: Instant) -> float:
    """Seconds from then to now. A clock that has gone back, as one without a battery may, says none."""
    if then.boot and then.boot == now.boot:
        gone_s = now.since_boot_s - then.since_boot_s
    else:
        gone_s = now.unix_s - then.unix_s
    return max(0.0, gone_s) if isfinite(gone_s) else SESSION_S


def _digest(token: str) -> str:
    """What is kept of a token; looking it up tells a clock nothing about it."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()

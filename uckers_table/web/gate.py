"""Who may change things: whoever has the PIN, which those at the table can see and hear.

Six digits are few, so they are guessed slowly: wrong ones use up an allowance, one for each address and one
for all, that comes back with time. Whoever has been let in is known by a cookie, guessing or no guessing.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from math import ceil
from threading import Lock

PIN_DIGITS = 6
SESSION_S = 12 * 3600.0
"""An evening, and not the next one."""
MOST_SESSIONS = 64
MOST_ADDRESSES = 1024
"""So many addresses' wrong PINs are remembered; who has more still meets the allowance of all."""


@dataclass(frozen=True)
class Allowance:
    """So many wrong PINs at once, and another one every so many seconds."""

    at_once: int
    every_s: float


EACH = Allowance(5, 30.0)
ALL = Allowance(30, 60.0)
"""1470 guesses on the first day: one in 680 that a million PINs hold the right one among them."""


def new_pin() -> str:
    """A PIN for one run of the table."""
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}"


@dataclass(frozen=True)
class Admission:
    """Whoever showed the right PIN gets a `token`; whoever showed too many wrong ones waits `wait_s`."""

    token: str = ""
    wait_s: int = 0


class _Guesses:
    """An allowance that is used up and comes back."""

    def __init__(self, allowance: Allowance, now: float) -> None:
        self._allowance, self._left, self._at = allowance, float(allowance.at_once), now

    def wait_s(self, now: float) -> float:
        """How long until there is a guess; 0 when there is one."""
        self._left = min(self._allowance.at_once, self._left + (now - self._at) / self._allowance.every_s)
        self._at = now
        return max(0.0, (1.0 - self._left) * self._allowance.every_s)

    def use(self) -> None:
        self._left -= 1.0


class Gate:
    """Checks PINs and cookies. Safe from any thread; `now` is a clock that never goes back, in seconds."""

    def __init__(self, pin: str, now: Callable[[], float] = time.monotonic) -> None:
        self._pin, self._now = pin.encode(), now
        self._lock = Lock()
        self._all = _Guesses(ALL, now())
        self._each = OrderedDict[str, _Guesses]()
        self._sessions = OrderedDict[bytes, float]()

    def admit(self, pin: str, address: str) -> Admission:
        """A PIN shown from an address: a token for the right one, else nothing, or how long to wait."""
        with self._lock:
            now = self._now()
            guesses = self._guesses_of(address, now)
            wait_s = max(guesses.wait_s(now), self._all.wait_s(now))
            if wait_s > 0:
                return Admission(wait_s=ceil(wait_s))
            if not secrets.compare_digest(pin.encode(errors="replace"), self._pin):
                guesses.use()
                self._all.use()
                return Admission()
            token = secrets.token_urlsafe(32)
            self._sessions[_digest(token)] = now + SESSION_S
            while len(self._sessions) > MOST_SESSIONS:
                self._sessions.popitem(last=False)
            return Admission(token)

    def knows(self, token: str) -> bool:
        """Whether a cookie is that of somebody who was let in and still may."""
        with self._lock:
            until = self._sessions.get(_digest(token))
            return until is not None and self._now() < until

    def hidden(self, text: str) -> str:
        """A text that everybody may read, without the PIN, which is on the display between matches."""
        return text.replace(self._pin.decode(), "•" * PIN_DIGITS)

    def forget(self, token: str) -> None:
        """Whoever has this cookie has left."""
        with self._lock:
            self._sessions.pop(_digest(token), None)

    def _guesses_of(self, address: str, now: float) -> _Guesses:
        network = _network(address)
        guesses = self._each.pop(network, None) or _Guesses(EACH, now)
        self._each[network] = guesses
        while len(self._each) > MOST_ADDRESSES:
            self._each.popitem(last=False)
        return guesses


def _digest(token: str) -> bytes:
    """What is kept of a token; looking it up tells a clock nothing about it."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


def _network(address: str) -> str:
    """What one guesser has: an address, of IPv6 the 64 bits that a machine does not choose itself."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    return str(parsed.ipv4_mapped or parsed.packed[:8].hex())

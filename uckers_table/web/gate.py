"""Who may change things: whoever has the PIN, which those at the table can see and hear.

Six digits are few, so each client guesses slowly: wrong PINs use up its own allowance, which comes back with
time. No client's guesses cost another one anything. Somebody with very many addresses is met otherwise: the
PIN that was guessed at too often is replaced by a longer one. Whoever is in stays in meanwhile.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from math import ceil
from threading import Lock

from uckers_table.machine.messages import PIN_LINE, Invitation
from uckers_table.web.sessions import Sessions

PIN_DIGITS, LONG_PIN_DIGITS = 6, 12
MOST_WRONG = 1000
"""Wrong PINs, of all clients together, that a short PIN stands. One client alone shows five, then two a
minute. A mess that mistypes comes nowhere near; 200 addresses do at once.
"""
MOST_CLIENTS = 1024
"""Clients whose wrong PINs are remembered. The oldest are forgotten first, and may try again."""


@dataclass(frozen=True)
class Allowance:
    """`at_once` wrong PINs in a row, and another one every `every_s` seconds."""

    at_once: int
    every_s: float


EACH = Allowance(5, 30.0)


def new_pin(digits: int = PIN_DIGITS) -> str:
    """A PIN that nobody has seen yet."""
    return f"{secrets.randbelow(10**digits):0{digits}d}"


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
    """Checks PINs and cookies. Safe from any thread; `now` is a clock that never goes back, in seconds.

    `sessions` are those who are in; without, nobody is at first, and all are forgotten in the end.
    """

    def __init__(
        self, pin: str, now: Callable[[], float] = time.monotonic, sessions: Sessions | None = None
    ) -> None:
        self._pin, self._now = pin, now
        self._lock = Lock()
        self._sessions = sessions or Sessions(now=now)
        self._wrong = 0
        self._each = OrderedDict[str, _Guesses]()

    @property
    def pin(self) -> str:
        """The PIN as it is now."""
        return self._pin

    def admit(self, pin: str, address: str, own: str = "") -> Admission:
        """A PIN shown from an address: a token for the right one, else nothing, or how long to wait.

        `own` is the table's address that the client came to.
        """
        with self._lock:
            now = self._now()
            guesses = self._guesses_of(client_of(address, own), now)
            wait_s = guesses.wait_s(now)
            if wait_s > 0:
                return Admission(wait_s=ceil(wait_s))
            if not secrets.compare_digest(pin.encode(errors="replace"), self._pin.encode()):
                guesses.use()
                self._wrong += 1
                if self._wrong == MOST_WRONG:
                    self._pin = new_pin(LONG_PIN_DIGITS)
                return Admission()
        return Admission(self._sessions.begin())

    def readmit(self) -> None:
        """Somebody at the table says so: every client may try again at once.

        The PIN's own count stays, so that this gives nobody more guesses at it in all.
        """
        with self._lock:
            self._each.clear()

    def knows(self, token: str) -> bool:
        """Whether a cookie is that of somebody who was let in and still may."""
        return self._sessions.has(token)

    def forget(self, token: str) -> None:
        """Whoever has this cookie has left."""
        self._sessions.end(token)

    def renew_if_asked(self) -> None:
        """If the file of those who are in was taken away, put everybody out and have a new PIN."""
        if self._sessions.are_taken_away():
            with self._lock:
                self._pin, self._wrong = new_pin(), 0
                self._each.clear()

    def hidden(self, text: str) -> str:
        """A text that everybody may read, without the PIN, which is on the display between matches."""
        for line in Invitation("", self._pin).pin_lines:
            text = text.replace(line, "•" * PIN_LINE)
        return text

    def _guesses_of(self, client: str, now: float) -> _Guesses:
        guesses = self._each.pop(client, None) or _Guesses(EACH, now)
        self._each[client] = guesses
        while len(self._each) > MOST_CLIENTS:
            self._each.popitem(last=False)
        return guesses


def client_of(address: str, own: str = "") -> str:
    """What counts as one client: an address; of IPv6 from elsewhere its network, the first 64 bits.

    A machine chooses the other 64 itself. But all the neighbours of the table have the same first 64, those
    of its `own` address. There each address counts, or one phone would use up the tries of all.
    """
    theirs, ours = _parsed(address), _parsed(own)
    if not isinstance(theirs, IPv6Address):
        return str(theirs or address)
    is_neighbour = isinstance(ours, IPv6Address) and ours.packed[:8] == theirs.packed[:8]
    return theirs.packed.hex() if is_neighbour else theirs.packed[:8].hex()


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """An address as IPv4 or IPv6, of IPv4 written as IPv6 the former; None for anything else."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    return (parsed.ipv4_mapped or parsed) if isinstance(parsed, IPv6Address) else parsed

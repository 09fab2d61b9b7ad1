"""The page of a table, opened for people on its network and closed again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from threading import Event
from typing import TYPE_CHECKING, TextIO

from uckers_table.config import ABSENT, Config
from uckers_table.errors import DeviceError, RecordError
from uckers_table.keeping.closeups import cut_to
from uckers_table.machine.messages import Invitation, Joining
from uckers_table.machine.network import joining
from uckers_table.machine.pin import SESSIONS, kept_pin
from uckers_table.machine.threads import Worker
from uckers_table.record.library import Library
from uckers_table.table.desk import TableDesk
from uckers_table.table.inbox import Inbox
from uckers_table.table.news import News, Served
from uckers_table.web.feed import Feed

if TYPE_CHECKING:
    from uckers_table.web.app import Page
    from uckers_table.web.gate import Gate

TAKEN = "Port {} cannot be had: another program has it. It is tried every few seconds."
RETRY_S = 5.0
"""Between two tries to serve a page whose port another program has."""


@dataclass(frozen=True)
class OpenPage:
    """A page that is served: what the table shows on it, and what brings people there."""

    feed: Feed = field(default_factory=Feed)
    invitation: Invitation | None = None
    renewed: Callable[[Invitation], Invitation] = lambda invitation: invitation
    """The invitation as it is now: the network that the table is in may change, and so may the PIN."""
    joining: Callable[[Invitation], Joining | None] = lambda invitation: None
    """What phones have to join before they can open an invitation's page, None where nothing."""
    readmit: Callable[[], None] = lambda: None
    """Has every phone that has shown wrong PINs try again at once."""
    trouble: str = ""
    """Why the page could not be served at first; it is tried again."""

    def invitation_now(self, *, is_set_up: bool) -> Invitation | None:
        """Where people are to go first: to setting up, until the table is; None without a page."""
        if self.invitation is None:
            return None
        now = self.renewed(self.invitation)
        return now if is_set_up else replace(now, address=f"{now.address}setup")

    def in_a_line(self) -> str:
        """The page's address and PIN as they are now; empty without a page."""
        if self.invitation is None:
            return ""
        now = self.renewed(self.invitation)
        return f"{now.address}  PIN {now.pin}"


class _Door:
    """The page's server, which is tried until its port can be had; and the PIN, kept while it is served.

    The inbox hears when it is served at last. `out` is told where.
    """

    def __init__(self, page: Page, gate: Gate, config: Config, inbox: Inbox[News], out: TextIO) -> None:
        self._page, self._gate, self._inbox, self._out = page, gate, inbox, out
        self._config = config
        self._closing = ExitStack()
        self._worker: Worker | None = None
        self._kept: Invitation | None = None
        self._keep: Callable[[Invitation], None] = _kept_nowhere

    def open(self) -> str:
        """Serve the page, or else try it every few seconds; why it is not served yet, empty where it is."""
        try:
            self._serve()
        except DeviceError as error:
            print(f"No page: {error}", file=self._out, flush=True)
            self._inbox.post(Served(TAKEN.format(self._config.page_port)))
            self._worker = Worker("the page", self._try)
            return str(error)
        return ""

    def close(self) -> None:
        """Serve it no more, and try no more."""
        if self._worker is not None:
            self._worker.stop()
        self._closing.close()

    @property
    def invitation(self) -> Invitation:
        """Where the page is, or will be, with the PIN as it is now."""
        from uckers_table.web.server import address_at

        return Invitation(address_at(self._config.page_port), self._gate.pin)

    def renewed(self) -> Invitation:
        """The same; the PIN that is kept is another from now on, if it was renewed."""
        self._gate.renew_if_asked()
        now = self.invitation
        if self._kept is not None and now != self._kept:
            self._kept = now
            with suppress(RecordError):
                self._keep(now)
        return now

    def _try(self, stopping: Event) -> None:
        while not stopping.wait(RETRY_S):
            with suppress(DeviceError):
                self._serve()
                self._inbox.post(Served())
                return

    def _serve(self) -> None:
        from uckers_table.web.server import PageServer

        server = PageServer(self._page, self._config.page_port)
        self._closing.callback(server.close)
        invitation, told = self.invitation, "its PIN: uckers-table pin"
        try:
            self._keep = self._closing.enter_context(kept_pin(self._config.record, invitation))
        except RecordError as error:
            print(f"{error}", file=self._out, flush=True)
            told = _pin_without_command(self._config)
        self._kept = invitation
        # A journal, or a file, is there for more people to read, and longer, than a terminal.
        if self._out.isatty():
            told = f"PIN {invitation.pin}"
        print(f"Page:       {invitation.address} ({told})", file=self._out, flush=True)


def open_page(config: Config, inbox: Inbox[News], closing: ExitStack, out: TextIO) -> OpenPage:
    """Serve the page that the configuration asks for until `closing`, and say where.

    Without one there is nothing to invite anybody to. One whose port another program has is said to be
    missing, and tried again every few seconds. Its PIN is told to a terminal alone.
    """
    if not config.page_port:
        return OpenPage()
    # Only here: a table without a page does without the server.
    from uckers_table.web.app import Page
    from uckers_table.web.gate import Gate, new_pin
    from uckers_table.web.rulebook import OfferedRules
    from uckers_table.web.sessions import Sessions

    feed, gate = Feed(), Gate(new_pin(), sessions=Sessions(config.record / SESSIONS))
    rules = OfferedRules(config.rules, config.record)
    page = Page(feed, TableDesk(inbox), Library(config.record), gate, rules, cut_to=cut_to)
    door = _Door(page, gate, config, inbox, out)
    closing.callback(door.close)
    trouble = door.open()

    def joined_by(invitation: Invitation) -> Joining | None:
        return joining(config.record, invitation.address)

    return OpenPage(
        feed, door.invitation, lambda invitation: door.renewed(), joined_by, gate.readmit, trouble
    )


def _pin_without_command(config: Config) -> str:
    """Who tells the PIN of a table that could not keep it for `uckers-table pin`."""
    told = []
    if config.display not in ABSENT:
        told.append("the display shows its PIN")
    if config.voice not in ABSENT and config.buttons not in ABSENT:
        told.append("undo, pressed between matches, has it said")
    return "; ".join(told) or "its PIN cannot be told: start the table again when there is room"


def _kept_nowhere(invitation: Invitation) -> None:
    """Where the card takes no PIN, `uckers-table pin` has none to print."""

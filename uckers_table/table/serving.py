"""The page of a table, opened for people on its network and closed again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import TextIO

from uckers_table.config import Config
from uckers_table.errors import DeviceError, RecordError
from uckers_table.machine.messages import Invitation, Joining
from uckers_table.machine.network import joining
from uckers_table.machine.pin import SESSIONS, kept_pin
from uckers_table.record.library import Library
from uckers_table.table.desk import TableDesk
from uckers_table.table.inbox import Inbox
from uckers_table.table.news import News
from uckers_table.web.feed import Feed


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


def open_page(config: Config, inbox: Inbox[News], closing: ExitStack, out: TextIO) -> OpenPage:
    """Serve the page that the configuration asks for until `closing`, and say where.

    Without one, or where its port cannot be had, which is said, there is nothing to invite anybody to. Its
    PIN is told to a terminal alone.
    """
    if not config.page_port:
        return OpenPage()
    # Only here: a table without a page does without the server.
    from uckers_table.web.app import Page
    from uckers_table.web.gate import Gate, new_pin
    from uckers_table.web.server import PageServer
    from uckers_table.web.sessions import Sessions

    feed, gate = Feed(), Gate(new_pin(), sessions=Sessions(config.record / SESSIONS))
    page = Page(feed, TableDesk(inbox), Library(config.record), gate, own_rules=config.rules)
    try:
        server = PageServer(page, config.page_port)
    except DeviceError as error:
        print(f"No page: {error}", file=out, flush=True)
        return OpenPage()
    closing.callback(server.close)
    invitation = Invitation(server.address, gate.pin)
    kept = invitation
    keep: Callable[[Invitation], None] = _kept_nowhere
    try:
        keep = closing.enter_context(kept_pin(config.record, invitation))
    except RecordError as error:
        print(f"No `uckers-table pin`: {error}", file=out, flush=True)
    # A journal, or a file, is there for more people to read, and longer, than a terminal.
    told = f"PIN {gate.pin}" if out.isatty() else "its PIN: uckers-table pin"
    print(f"Page:       {server.address} ({told})", file=out, flush=True)

    def renewed(invitation: Invitation) -> Invitation:
        nonlocal kept
        gate.renew_if_asked()
        now = Invitation(server.address, gate.pin)
        if now != kept:
            kept = now
            with suppress(RecordError):
                keep(now)
        return now

    def joined_by(invitation: Invitation) -> Joining | None:
        return joining(config.record, invitation.address)

    return OpenPage(feed, invitation, renewed, joined_by, gate.readmit)


def _kept_nowhere(invitation: Invitation) -> None:
    """Where the card takes no PIN, `uckers-table pin` has none to print."""

"""The page's server: uvicorn in a thread and a loop of its own, on lines that nobody can hold for ever."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import defaultdict
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from uckers_table.errors import DeviceError
from uckers_table.web.app import Page

REQUEST_S = 10.0
"""How long a line may take to ask for something."""
TAKEN_S = 20.0
"""How long who is sent something may take nothing of it."""
KEPT_S = 10
"""How long a line is kept for the next request."""
MOST_LINES, MOST_LINES_EACH = 400, 40
"""Lines that are open at once, and those of one address; a browser opens six."""
STOP_S = 2.0
"""How long the page may take to let everybody go; its graceful end takes one."""
ELSEWHERE = ("192.0.2.1", "10.44.0.254")
"""Where a way out of this machine is asked for: the world, by an address kept for documents, and a network of
the table's own. Nobody needs to be at either.
"""


class _Line(H11Protocol):
    """A line that is dropped when nothing whole is asked for on it in time, or its caller has too many.

    When there are too many in all, one is dropped of whoever has most: so callers with many keep out nobody
    who has few. An idle one goes first, which has been so for longest: so idle lines keep out nobody at all.
    """

    lines: ClassVar[defaultdict[str, list[_Line]]]
    """Those of each caller, the oldest first; every server has its own."""
    idle: ClassVar[dict[_Line, None]]
    """Those on which nothing is being answered, the one first that has been so for longest."""
    _impatience: asyncio.TimerHandle | None = None
    _caller = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A caller."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        line = transport.get_extra_info("socket")
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Linux itself drops who does not take what was sent; closing would wait for him.
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(TAKEN_S * 1000))
        self._caller = str(transport.get_extra_info("peername", ("",))[0])
        mine = self.lines[self._caller]
        mine.append(self)
        if len(mine) > MOST_LINES_EACH:
            self._drop()
        elif sum(map(len, self.lines.values())) > MOST_LINES:
            self._one_to_go()._drop()
        if not transport.is_closing():
            self.idle[self] = None
            self._be_impatient()

    def _one_to_go(self) -> _Line:
        """Which line makes room for this new one."""
        if self.idle:
            return max(self.idle, key=lambda line: len(self.lines[line._caller]))
        mine, most = self.lines[self._caller], max(self.lines.values(), key=len)
        return (most if len(most) > len(mine) else mine)[-1]

    def _drop(self) -> None:
        """Close the line, and count it no more."""
        self._be_gone()
        self.transport.abort()

    def _be_gone(self) -> None:
        self.idle.pop(self, None)
        mine = self.lines[self._caller]
        if self in mine:
            mine.remove(self)
        if not mine:
            del self.lines[self._caller]

    def connection_lost(self, exc: Exception | None) -> None:
        """The caller has gone."""
        self._be_patient()
        self._be_gone()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some of a request."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self.idle.pop(self, None)
            self._be_patient()
        elif self._impatience is None:
            self._be_impatient()

    def on_response_complete(self) -> None:
        """What was asked for has been answered."""
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self.idle[self] = None

    def _be_impatient(self) -> None:
        self._impatience = self.loop.call_later(REQUEST_S, self.transport.abort)

    def _be_patient(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()
            self._impatience = None


class PageServer:
    """Serves a page until closed. DeviceError, with nothing open, when the port cannot be had."""

    def __init__(self, page: Page, port: int, host: str = "") -> None:
        self._page = page
        self._socket = _listening(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._server = uvicorn.Server(
            uvicorn.Config(
                page.app,
                http=type("Line", (_Line,), {"lines": defaultdict(list), "idle": {}}),
                loop="asyncio",
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=KEPT_S,
                timeout_graceful_shutdown=1,
                h11_max_incomplete_event_size=16 * 1024,
            )
        )
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])

    @property
    def address(self) -> str:
        """What a phone on the same network opens."""
        return address_at(self.port)

    def close(self) -> None:
        """Let everybody go and give the port back; safe to call twice."""
        self._server.should_exit = True
        self._page.watching.close()
        self._thread.join(timeout=STOP_S)
        self._socket.close()


def address_at(port: int) -> str:
    """What a phone on the same network opens for a page that is served on this port."""
    return f"http://{own_address()}{f':{port}' if port != 80 else ''}/"


def own_address() -> str:
    """This machine's address on the network it would use; its name where there is none."""
    for somewhere in ELSEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                # Nothing is sent: it only asks which way that would go.
                probe.connect((somewhere, 9))
            except OSError:
                continue
            return str(probe.getsockname()[0])
    return f"{socket.gethostname()}.local"


def _listening(host: str, port: int) -> socket.socket:
    options: dict[str, Any] = {"backlog": 128}
    try:
        if not host and socket.has_dualstack_ipv6():
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True, **options)
        return socket.create_server((host, port), **options)
    except (OSError, OverflowError) as error:
        raise DeviceError(
            f"the page cannot be served on port {port} ({error}); choose another 'page_port', or stop the "
            "program that has it"
        ) from None

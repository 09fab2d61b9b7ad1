"""Around every request: what is not for this table, too large, too slow, or from elsewhere goes no further.

An ASGI wrapper, with nothing in it of what the page is about. Names are checked because a stranger's name
can be made to lead here (DNS rebinding), and his page would then be this one's neighbour.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable, Mapping
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 64 * 1024
MOST_TARGET = 2048
"""Letters of a path and its query."""
BODY_S = 5.0
"""How long somebody may take to send a body of that size."""
METHODS = ("GET", "HEAD", "POST")

HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""What every answer carries: nothing from elsewhere is loaded, run, or let in."""


class Guard:
    """Lets through what is meant for this table, with its body, if any, already read and small."""

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self._app = app
        self._names = {"localhost", socket.gethostname().lower(), *names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None and scope["method"] == "POST":
            try:
                body = await asyncio.wait_for(_body(receive), BODY_S)
            except TimeoutError:
                refusal = _refused(408, "that took too long")
            else:
                if body is None:
                    refusal = _refused(413, "that is too long")
                else:
                    receive = _once(body, receive)
        await (refusal or self._app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        if scope["method"] not in METHODS:
            return _refused(405, f"only {', '.join(METHODS)} mean anything here")
        if len(scope["raw_path"]) + len(scope["query_string"]) > MOST_TARGET:
            return _refused(414, "that address is too long")
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return _refused(421, "go to the table by its address or its own name")
        if scope["method"] != "POST":
            has_body = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
            return _refused(400, "whoever looks at something sends nothing") if has_body else None
        if headers.get("origin") != f"{scope['scheme']}://{hosts[0]}":
            return _refused(403, "only the table's own page may ask that")
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return _refused(403, "only the table's own page may ask that")
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _refused(415, "give it as application/json")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 12 or int(length) > MOST_BODY:
            return _refused(413, "that is too long")
        return None

    def _is_ours(self, host: str) -> bool:
        """Whether a Host names this table: by number, by its own name, or by a name of the local network."""
        name, _, port = host.rpartition(":") if not host.endswith("]") and ":" in host else (host, "", "")
        if port and not (port.isdecimal() and len(port) <= 5):
            return False
        name = name.lower().removesuffix(".")
        if name in self._names or name.endswith(".local"):
            return True
        try:
            ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return True


def _refused(status: int, why: str) -> JSONResponse:
    # What is left of the request is not read, so the line cannot be used for another.
    return JSONResponse({"line": why}, status, {"connection": "close"})


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None for one that is too large, or whose sender has gone."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        part: bytes = message.get("body", b"")
        body += part
        if len(body) > MOST_BODY:
            return None
        if not message.get("more_body", False):
            return body


def _once(body: bytes, then: Receive) -> Receive:
    """What gives a body that has been read, and then whatever comes."""
    given = False

    async def receive() -> Message:
        nonlocal given
        if given:
            return await then()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive

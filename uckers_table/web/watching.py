"""The feed as server-sent events: everybody gets the newest, and who is slow gets less.

Each snapshot is encoded once, whoever watches. Who has the one before is sent what has changed since; who
has not, all of it. It runs in the server's loop, on time that the table would have: so nothing is sent
more often than a person can follow.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from uckers_table.web.feed import Feed
from uckers_table.web.shown import QUIET, Parts, as_object, parts_of

MOST_WATCHERS = 200
HEARTBEAT_S = 15.0
"""Something is sent at least so often: phones and what lies between give up silent lines."""
STUCK_S = 20.0
"""Who has not taken what was sent after so long has gone."""
LEAST_S, LEAST_QUIET_S = 0.1, 1.0
"""How far apart news are at least, and those that nobody waits for."""


class Watching:
    """The endpoint of all who watch: an ASGI application. Make and use it in the server's loop.

    `hidden` takes out of the display's page what not everybody may read.
    """

    def __init__(self, feed: Feed, hidden: Callable[[str], str]) -> None:
        self._feed, self._hidden = feed, hidden
        self._parts: Parts = {}
        self._version = 0
        self._all = self._some = b""
        self._news = asyncio.Event()
        self._published = asyncio.Event()
        self._watchers = 0
        self.is_closed = False

    async def run(self) -> None:
        """Encode what is published and let the watchers know, until cancelled."""
        loop = asyncio.get_running_loop()

        def wake() -> None:
            # The loop may have closed, and the table have something more to say.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._published.set)

        self._feed.wake_by(wake)
        told_at = -LEAST_QUIET_S
        try:
            while True:
                parts = parts_of(self._feed.latest())
                parts["screen"] = self._hidden(parts["screen"])
                changed = [name for name, part in parts.items() if self._parts.get(name) != part]
                wait_s = (LEAST_QUIET_S if QUIET.issuperset(changed) else 0.0) - (time.monotonic() - told_at)
                if changed and wait_s <= 0:
                    self._tell(parts, changed)
                    told_at = time.monotonic()
                    await asyncio.sleep(LEAST_S)
                await self._until_published(wait_s if changed and wait_s > 0 else None)
        finally:
            self._feed.wake_by(None)

    async def _until_published(self, wait_s: float | None) -> None:
        try:
            await asyncio.wait_for(self._published.wait(), wait_s)
        except TimeoutError:
            return
        self._published.clear()

    def _tell(self, parts: Parts, changed: list[str]) -> None:
        self._parts = parts
        self._version += 1
        self._all = _event("all", as_object(parts))
        self._some = _event("some", as_object(parts, changed))
        self._wake_watchers()

    def _wake_watchers(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def close(self) -> None:
        """Let everybody go."""
        self.is_closed = True
        self._wake_watchers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One watcher, until it goes, or does not take what it is sent."""
        if self._watchers >= MOST_WATCHERS:
            await PlainTextResponse("too many are watching", 503)(scope, receive, send)
            return
        self._watchers += 1
        gone = asyncio.create_task(_gone(receive))
        try:
            await self._stream(send, gone)
        except TimeoutError:
            # Returning with the answer unfinished makes the server drop the line.
            pass
        finally:
            gone.cancel()
            self._watchers -= 1

    async def _stream(self, send: Send, gone: asyncio.Task[None]) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]
        await _sent(send, {"type": "http.response.start", "status": 200, "headers": headers})
        seen = 0
        while not self.is_closed and not gone.done():
            if seen != self._version:
                is_next = seen and seen == self._version - 1
                seen, text = self._version, self._some if is_next else self._all
            else:
                text = b":\n\n"
            await _sent(send, {"type": "http.response.body", "body": text, "more_body": True})
            if seen == self._version:
                await self._until_news(gone)
        await _sent(send, {"type": "http.response.body", "body": b"", "more_body": False})

    async def _until_news(self, gone: asyncio.Task[None]) -> None:
        news = asyncio.ensure_future(self._news.wait())
        try:
            await asyncio.wait((news, gone), timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()


async def _sent(send: Send, message: Message) -> None:
    await asyncio.wait_for(send(message), STUCK_S)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _event(name: str, data: str) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()

"""The feed as server-sent events: everybody gets the newest, and who is slow gets less.

Each snapshot is encoded once, whoever watches. Who has the one before is sent what has changed since; who
has not, all of it. It runs in the server's loop, on time that the table would have: so nothing is sent
more often than a person can follow.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain

from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from uckers_table.web.feed import Feed, Snapshot, TableState
from uckers_table.web.shown import QUIET, JsonParts, as_object, parts_of

MOST_WATCHERS = 200
HEARTBEAT_S = 4.0
"""Something is sent at least so often. A page that has heard nothing for `SILENT_MS` (static/common.js) says
that its line is dead: two beats may be lost on the way.
"""
STUCK_S = 20.0
"""Who has not taken what was sent after so long has gone."""
LEAST_S, LEAST_QUIET_S = 0.2, 1.0
"""How far apart news are at least, and those that nobody waits for."""


@dataclass(eq=False)
class _Watcher:
    """One who watches. The `bell` is rung when there is something to be sent, or the watcher is dropped."""

    bell: asyncio.Event = field(default_factory=asyncio.Event)
    is_dropped: bool = False


class Watching:
    """The endpoint of all who watch: an ASGI application. Make and use it in the server's loop.

    `hidden` takes out of the display's page what not everybody may read. `version` is the page's own.
    """

    def __init__(self, feed: Feed, hidden: Callable[[str], str], version: str = "") -> None:
        self._feed, self._hidden, self._version_of_page = feed, hidden, version
        self._shown, self._encoded = Snapshot(TableState.IDLE), JsonParts()
        self._parts: JsonParts = {}
        """What the watchers were told last."""
        self._version = 0
        self._all = self._some = b""
        self._watchers: defaultdict[str, list[_Watcher]] = defaultdict(list)
        """Those of each address, the oldest first."""
        self._published = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.is_closed = False

    async def run(self) -> None:
        """Encode what is published and let the watchers know, until cancelled."""
        self._loop = asyncio.get_running_loop()
        self._feed.wake_by(lambda: self._soon(self._published.set))
        told_at = -LEAST_QUIET_S
        try:
            while True:
                changed = self._what_is_new()
                wait_s = (LEAST_QUIET_S if QUIET.issuperset(changed) else 0.0) - (time.monotonic() - told_at)
                if changed and wait_s <= 0:
                    self._tell(changed)
                    told_at = time.monotonic()
                    await asyncio.sleep(LEAST_S)
                await self._until_published(wait_s if changed and wait_s > 0 else None)
        finally:
            self._feed.wake_by(None)

    def _what_is_new(self) -> list[str]:
        """Encode the newest; the names of its parts of which the watchers were told something else."""
        before, self._shown = self._shown, self._feed.latest()
        self._encoded = parts_of(self._shown, before, self._encoded)
        self._encoded["screen"] = self._hidden(self._encoded["screen"])
        return [name for name, part in self._encoded.items() if self._parts.get(name) != part]

    async def _until_published(self, wait_s: float | None) -> None:
        try:
            await asyncio.wait_for(self._published.wait(), wait_s)
        except TimeoutError:
            return
        self._published.clear()

    def _tell(self, changed: list[str]) -> None:
        self._parts = self._encoded
        self._version += 1
        self._all = _event("all", as_object(self._parts))
        self._some = _event("some", as_object(self._parts, changed))
        self._ring()

    def _ring(self) -> None:
        for each in chain.from_iterable(self._watchers.values()):
            each.bell.set()

    def close(self) -> None:
        """Tell everybody the newest, and let them go; from any thread."""
        self._soon(self._end)

    def _end(self) -> None:
        self.is_closed = True
        if changed := self._what_is_new():
            self._tell(changed)
        self._ring()

    def _soon(self, what: Callable[[], None]) -> None:
        """Have it done in the loop, unless that has closed: the table may still have something to say."""
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(what)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One watcher, until it goes, does not take what it is sent, or is dropped because too many watch."""
        address = str((scope.get("client") or ("",))[0])
        me, mine = _Watcher(), self._watchers[address]
        mine.append(me)
        self._drop_one(mine)
        if me.is_dropped:
            await PlainTextResponse("too many are watching", 503)(scope, receive, send)
            return
        gone = asyncio.create_task(_gone(receive, me.bell))
        try:
            # Who does not take what is sent is left with the answer unfinished: that drops the line.
            with suppress(TimeoutError):
                await self._stream(send, me, gone)
        finally:
            gone.cancel()
            if not me.is_dropped:
                mine.remove(me)
            if not mine and self._watchers.get(address) is mine:
                del self._watchers[address]

    def _drop_one(self, mine: list[_Watcher]) -> None:
        """If there are too many, drop one of whoever has most, as with lines: who has few is kept out by
        nobody. Of those who have the same the newcomer is.
        """
        if sum(map(len, self._watchers.values())) <= MOST_WATCHERS:
            return
        most = max(self._watchers.values(), key=len)
        dropped = (most if len(most) > len(mine) else mine).pop()
        dropped.is_dropped = True
        dropped.bell.set()

    def _beat(self) -> bytes:
        """What time it is by the table's own clock, so that a command can say when it was given; and which
        page is served, so that an old one knows that it is.
        """
        return _event("beat", json.dumps({"at": round(time.monotonic(), 3), "page": self._version_of_page}))

    async def _stream(self, send: Send, me: _Watcher, gone: asyncio.Task[None]) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]
        await _sent(send, {"type": "http.response.start", "status": 200, "headers": headers})
        seen = 0
        while not (me.is_dropped or gone.done()):
            me.bell.clear()
            if self.is_closed and seen == self._version:
                break
            if seen != self._version:
                is_next = seen and seen == self._version - 1
                text = self._some if is_next else self._all + (b"" if seen else self._beat())
                seen = self._version
            else:
                text = self._beat()
            await _sent(send, {"type": "http.response.body", "body": text, "more_body": True})
            if seen == self._version and not self.is_closed:
                with suppress(TimeoutError):
                    async with asyncio.timeout(HEARTBEAT_S):
                        await me.bell.wait()
        await _sent(send, {"type": "http.response.body", "body": b"", "more_body": False})


async def _sent(send: Send, message: Message) -> None:
    async with asyncio.timeout(STUCK_S):
        await send(message)


async def _gone(receive: Receive, bell: asyncio.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    bell.set()


def _event(name: str, data: str) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()

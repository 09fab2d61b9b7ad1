"""What a hundred people who watch the page cost those who play: a table with them and without, in turn.

    python bench/watchers.py

prints the ratio, and the slowest answer. With a port and a number, the program is the crowd. On the word
"come" on its input they come and say so, on "go" they go.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from uckers_table.config import Config
from uckers_table.game import playing
from uckers_table.game.events import Awaiting
from uckers_table.machine.messages import Invitation
from uckers_table.record.library import Library
from uckers_table.table.desk import TableDesk
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table
from uckers_table.table.news import News
from uckers_table.table.parts import build_parts, first_match
from uckers_table.table.running import view_for
from uckers_table.table.serving import OpenPage
from uckers_table.web.app import Page
from uckers_table.web.commands import Command, EnterPlay, EnterThrow, LeaveMatch, StartMatch, SwitchOff
from uckers_table.web.feed import Feed
from uckers_table.web.gate import Gate, new_pin
from uckers_table.web.server import PageServer

WATCHERS = 100
EACH_ADDRESS = 20
"""The watchers of one address: fewer than the page allows."""
SLICES, EVENTS = 8, 40
PAUSE_S = 0.03
"""The most seconds between two events. The pause varies, so that events meet all that is going on. A real
table has an event every few seconds.
"""


def watched() -> float:
    """The median time from an event to its ruling with a hundred watching, over that with nobody."""
    times = answered()
    return statistics.median(times[True]) / statistics.median(times[False])


def answered() -> dict[bool, list[float]]:
    """How many seconds answers took, with a hundred watching (True) and with nobody."""
    times: dict[bool, list[float]] = {False: [], True: []}
    chance = random.Random(1)
    with (
        tempfile.TemporaryDirectory() as folder,
        _table(Path(folder)) as (events, port),
        _crowd(port) as crowd,
    ):
        for number in range(2 * SLICES + 2):
            is_watched = number % 2 == 1
            crowd(is_watched)
            for _ in range(EVENTS):
                time.sleep(chance.random() * PAUSE_S)
                took = next(events)
                # The first slice of each kind warms up.
                if number > 1:
                    times[is_watched].append(took)
    return times


@contextmanager
def _table(folder: Path) -> Iterator[tuple[Iterator[float], int]]:
    """A table without a camera: how long each next thing asked of it takes, and its page's port."""
    config = Config(
        camera="none",
        dice="buttons",
        tower="none",
        buttons="none",
        display="none",
        voice="silent",
        record=folder,
    )
    inbox = Inbox[News]()
    desk = TableDesk(inbox)
    page = OpenPage(Feed(), Invitation("http://table.local", "000000"))
    with (folder / "said").open("w") as said:
        table = Table(
            config, build_parts(config, inbox.post), inbox, view_for(said, headless=True), page=page
        )
        server = PageServer(Page(page.feed, desk, Library(folder), Gate(new_pin())), 0, "127.0.0.1")
        at_work = threading.Thread(target=table.run)
        at_work.start()
        try:
            yield _asked(config, desk), server.port
        finally:
            desk.do(SwitchOff())
            at_work.join()
            server.close()


def _asked(config: Config, desk: TableDesk) -> Iterator[float]:
    """Throws and plays at random, match after match. Gives the seconds that each took to
    be ruled and told.
    """
    chance = random.Random(1)
    match = first_match(config)
    while True:
        if match.awaiting is Awaiting.OVER:
            desk.do(LeaveMatch())
            desk.do(StartMatch(config.rules))
            match = first_match(config)
        if match.awaiting is Awaiting.PLAY and match.plays:
            board = chance.choice(sorted(match.plays))
            command: Command = EnterPlay(board)
            match = playing.see(match, board).match
        else:
            dice = tuple(chance.choices(range(1, 7), k=min(match.dice_wanted)))
            command = EnterThrow(dice)
            match = playing.throw(match, dice).match
        began = time.perf_counter()
        answer = desk.do(command)
        yield time.perf_counter() - began
        assert answer.is_done, answer.line


@contextmanager
def _crowd(port: int) -> Iterator[Callable[[bool], None]]:
    """A hundred people, in a program of their own, who come and go at a word."""
    command = [sys.executable, __file__, str(port), str(WATCHERS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
        assert crowd.stdin is not None and crowd.stdout is not None
        told, said = crowd.stdin, crowd.stdout

        def call(are_wanted: bool) -> None:
            print("come" if are_wanted else "go", file=told, flush=True)
            assert said.readline().strip() == (str(WATCHERS) if are_wanted else "0")

        yield call


async def _watch(port: int, watchers: int) -> None:
    """Comes and goes as told on the standard input."""
    lines: list[asyncio.StreamWriter] = []
    reading = set[asyncio.Task[None]]()
    while word := (await asyncio.to_thread(sys.stdin.readline)).strip():
        if word == "go":
            for line in lines:
                line.close()
            await asyncio.gather(*reading, return_exceptions=True)
            lines.clear()
            reading.clear()
        else:
            for number in range(watchers):
                address = f"127.0.1.{number // EACH_ADDRESS + 1}"
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
                writer.write(b"GET /api/feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
                await reader.readuntil(b"data: ")
                lines.append(writer)
                reading.add(asyncio.create_task(_read(reader)))
        print(len(lines), flush=True)


async def _read(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError):
        while await reader.read(65536):
            pass


if __name__ == "__main__":
    if sys.argv[1:]:
        asyncio.run(_watch(*map(int, sys.argv[1:])))
    else:
        took = answered()
        ratio = statistics.median(took[True]) / statistics.median(took[False])
        print(f"with {WATCHERS} watching, an answer takes {ratio:.2f} times as long as with nobody")
        print(f"the slowest of {len(took[True])} answers took {max(took[True]):.2f} s")

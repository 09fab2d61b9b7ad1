"""Films of matches for the page, one at a time: each in a process of its own, which is watched and killed.

Drawing takes the processor for seconds, and memory. In the referee's own process it would take both from the
match that is on.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from uckers_table.errors import FilmError
from uckers_table.machine.progress import Progress, Tell
from uckers_table.record.film_apart import NO_FILM
from uckers_table.record.match_record import MatchRecord

MOST_RESIDENT = 96 * 2**20
"""Bytes of memory that drawing a film may take; it takes thirty million, whatever the match."""
MOST_OF_A_FILM = 32 * 2**20
"""Bytes; a film of 400 rulings has half a million."""
FILM_S = 300.0
"""How long a film may take."""
LOOK_S = 0.1
"""Between two looks at how much memory is taken."""
MOST_WAITING = 4
"""Films that may wait for the one that is being drawn. Who asks for another is refused."""
KILLED_S = 2.0
"""A program that is killed ends at once, unless it hangs in the system."""
TOO_MANY = "several films are being made; ask again in a minute"
TOO_MUCH, TOO_LONG, FAILED = (
    "the film takes too much memory",
    "the film takes too long",
    "the film could not be drawn",
)
PROGRAM = (sys.executable, "-m", "uckers_table.record.film_apart")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Filming:
    """Has films drawn. Make and use it in the server's loop."""

    def __init__(self) -> None:
        self._one = asyncio.Semaphore(1)
        self._waiting = 0

    async def film(self, read: Callable[[], Awaitable[MatchRecord]], form: str, tell: Tell) -> bytes:
        """The film of the match that `read` gives once it is its turn, in a form of `record.moving`; `tell`
        hears of each picture.

        FilmError where there is none, or too many are waited for.
        """
        if self._waiting > MOST_WAITING:
            raise FilmError(TOO_MANY)
        self._waiting += 1
        try:
            async with self._one:
                return await drawn_apart(await read(), form, tell)
        finally:
            self._waiting -= 1


async def drawn_apart(match: MatchRecord, form: str, tell: Tell) -> bytes:
    """The film of a match, drawn in a process of its own, which ends with this. FilmError if it fails."""
    try:
        program = await asyncio.create_subprocess_exec(*PROGRAM, form, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    except OSError as error:
        raise FilmError(f"{FAILED} ({error.strerror})") from None
    watch = asyncio.create_task(_watched(program.pid))
    drawing = asyncio.create_task(_taken(program, match, tell))
    try:
        async with asyncio.timeout(FILM_S):
            await asyncio.wait((watch, drawing), return_when=asyncio.FIRST_COMPLETED)
        if not drawing.done():
            raise FilmError(TOO_MUCH)
        return await drawing
    except TimeoutError:
        raise FilmError(TOO_LONG) from None
    finally:
        await _stopped(watch, drawing)
        await _ended(program)


async def _ended(program: Process) -> None:
    """Kill a program that has not ended, and see it off."""
    with suppress(ProcessLookupError):
        program.kill()
    with suppress(TimeoutError):
        async with asyncio.timeout(KILLED_S):
            for pipe in (program.stdout, program.stderr):
                # A pipe is closed only once all that is in it has been read.
                while pipe is not None and await pipe.read(2**16):
                    pass
            await program.wait()


async def _stopped(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def _taken(program: Process, match: MatchRecord, tell: Tell) -> bytes:
    """Give it the match, and take what it draws."""
    assert program.stdin is not None
    assert program.stdout is not None
    assert program.stderr is not None
    with suppress(OSError):
        program.stdin.write(pickle.dumps(match))
        await program.stdin.drain()
    program.stdin.close()
    told = asyncio.create_task(_told(program.stderr, tell))
    parts, size = list[bytes](), 0
    try:
        while part := await program.stdout.read(2**16):
            parts.append(part)
            size += len(part)
            if size > MOST_OF_A_FILM:
                raise FilmError(TOO_MUCH)
        why = await told
    finally:
        await _stopped(told)
    status = await program.wait()
    if status != 0:
        # What a program says that crashes is for nobody at a table.
        raise FilmError(why if status == NO_FILM else FAILED)
    return b"".join(parts)


async def _told(lines: asyncio.StreamReader, tell: Tell) -> str:
    """How far it has got is told; the last line that says anything else."""
    said = ""
    while line := (await lines.readline()).decode(errors="replace").strip():
        done, _, of = line.partition(" ")
        if done.isdecimal() and of.isdecimal():
            tell(Progress("Drawing the film", int(done), int(of), "pictures"))
        else:
            said = line
    return said


async def _watched(process: int) -> None:
    """Return when a process takes too much memory."""
    while _resident(process) <= MOST_RESIDENT:
        await asyncio.sleep(LOOK_S)


def _resident(process: int) -> int:
    """Bytes of memory that a process takes; 0 where that is not known, or it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES
    except (OSError, ValueError, IndexError):
        return 0

"""How verbs write what is kept: dates, results, and files that are whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TextIO

from uckers_table.errors import InputError
from uckers_table.foreign.words import PlainStream
from uckers_table.machine.files import write_whole
from uckers_table.machine.plural import how_many
from uckers_table.machine.progress import Progress, Tell
from uckers_table.machine.threads import Worker
from uckers_table.record.backup import Copied
from uckers_table.record.match_record import MatchSummary

PACE_S = 0.3, 0.2
"""How many seconds a command may be silent before it says how far it has got, and between two such words."""


@contextmanager
def told_on(out: TextIO, *, pace_s: tuple[float, float] = PACE_S) -> Iterator[Tell]:
    """Says on a terminal how far a command has got, as long as it lasts. What is done at once says nothing.

    It is one line, which changes and is gone afterwards. A log or a pipe has none of it, so that a command
    which refuses says one line there.
    """
    line = out if isinstance(out, PlainStream) else PlainStream(out)
    first_s, every_s = pace_s
    newest = said = ""

    def tell(progress: Progress) -> None:
        nonlocal newest
        newest = progress.in_words + (f" ({progress.percent}%)" if progress.things else "")

    def say(stopping: Event) -> None:
        nonlocal said
        wait_s = first_s
        while not stopping.wait(wait_s):
            wait_s = every_s
            if newest != said:
                said = newest
                line.rewrite(said)

    if not out.isatty():
        yield tell
        return
    saying = Worker("progress", say)
    try:
        yield tell
    finally:
        saying.stop()
        if said:
            line.rewrite("")


def date(summary: MatchSummary) -> str:
    """When a match began, to the minute."""
    return summary.begun[:16].replace("T", " ") if summary.begun else "date unknown"


def clock(seconds: float) -> str:
    """A length of time as minutes and seconds."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


def copied_files(copied: Copied) -> str:
    """What a backup holds."""
    return f"{how_many(copied.matches, 'match', 'matches')} in {how_many(copied.files, 'file')}"


def result(summary: MatchSummary) -> str:
    """How a match ended."""
    if summary.winner is None:
        return "not finished"
    if not summary.winner:
        return "left"
    honours = "".join(f", {honour.replace('_', ' ')}" for honour in summary.honours)
    return f"{' and '.join(summary.winner)} won{honours}"


def write_out(target: Path, content: bytes) -> None:
    """Write a file that was asked for, whole or not at all; InputError when it cannot be written."""
    try:
        write_whole(target, content)
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror}); name another file") from None

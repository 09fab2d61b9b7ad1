"""How verbs write what is kept: dates, results, numbers of things, and files that are whole."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from uckers_table.errors import InputError
from uckers_table.record.backup import Copied
from uckers_table.record.match_record import MatchSummary


def date(summary: MatchSummary) -> str:
    """When a match began, to the minute."""
    return summary.begun[:16].replace("T", " ") if summary.begun else "date unknown"


def clock(seconds: float) -> str:
    """A length of time as minutes and seconds."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


def how_many(number: int, what: str, whats: str = "") -> str:
    """A number of things; `whats` is the plural where that takes more than an s."""
    return f"{number} {what}" if number == 1 else f"{number} {whats or f'{what}s'}"


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


def write_whole(target: Path, content: bytes) -> None:
    """Write a file so that it is there as a whole or not at all; InputError when it cannot be written."""
    beside = target.with_name(f".{target.name}.part")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise InputError(f"{target}: cannot be written ({error.strerror}); name another file") from None

"""How verbs write what is kept: dates, results, numbers of things, and files that are whole."""

from __future__ import annotations

from pathlib import Path

from uckers_table.errors import InputError
from uckers_table.machine.files import write_whole
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


def write_out(target: Path, content: bytes) -> None:
    """Write a file that was asked for, whole or not at all; InputError when it cannot be written."""
    try:
        write_whole(target, content)
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror}); name another file") from None

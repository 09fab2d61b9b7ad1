"""What a record does not have of its matches is put on it again, by judging their recordings once more.

That is how a record that was damaged is whole again. At a table it is done beside the loop, a match after the
other, and half of the time, so that the match that is on goes first. What is left undone when the table is
switched off is done at its next start.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic

from uckers_table.errors import InputError, RecordError, RecordingError, SenselessError, UnreadError
from uckers_table.keeping.resume import has_ended, told_again
from uckers_table.machine.journal import facts
from uckers_table.machine.threads import Worker
from uckers_table.record.claims import claimed, is_claimed
from uckers_table.record.heading import UNDATED, read_heading
from uckers_table.record.library import Library
from uckers_table.record.mending import pictures_found
from uckers_table.record.store import MatchStore, match_folder

LOG = logging.getLogger(__name__)

LONGEST_REST_S = 0.2


@dataclass(frozen=True)
class Rebuilt:
    """What became of matches that are put on record again, in a line for people."""

    line: str


def rebuild(folder: Path, number: int, *, is_over: bool, rest: Callable[[], None] = lambda: None) -> int:
    """Put on record what a match's recording leads to and the record does not have, all of it or nothing, and
    the pictures that were kept of it. How many entries that is.

    One that `is_over` though nobody has won has no result. `rest` is called after every event. RecordingError
    for a recording that cannot be judged again to its end, which leaves the match unfinished; RecordError
    where another writes that match.
    """
    with claimed(match_folder(folder, number)):
        return _rebuild(folder, number, is_over, rest)


def _rebuild(folder: Path, number: int, is_over: bool, rest: Callable[[], None]) -> int:
    was_lost = not Library(folder).match(number).rulings
    told = told_again(folder, number, rest)
    last = told.referee.match
    with closing(MatchStore(folder)) as store:
        store.append(number, told.missing)
        if was_lost:
            for each in pictures_found(folder, number, told.rulings):
                store.add_picture(number, each.ruling, each.what, each.file, each.size, each.t)
        if told.left_out:
            raise RecordingError(told.left_out)
        if last.winner or is_over:
            winner = [last.board.seats[seat] for seat in last.winner]
            ended = read_heading(match_folder(folder, number)).ended
            store.end_match(number, ended, t=told.t, winner=winner, honours=last.honours)
    return len(told.missing)


class Rebuilding:
    """Rebuilds the matches of a record in a thread, and `tell`s in a line how that went."""

    def __init__(self, record: Path, tell: Callable[[Rebuilt], None]) -> None:
        self._record, self._tell = record, tell
        self._worker: Worker | None = None

    def begin(self, match_on: int | None) -> int:
        """Rebuild whatever match is neither over nor `match_on` nor another table's: nobody goes on with it
        any more. How many.

        While none is on, the last that was played may yet be gone on with, unless people have ended it.
        RecordError where the record cannot be read.
        """
        self.close()
        library = Library(self._record)
        going_on = match_on if match_on is not None else _left_open(self._record, library.last_played())
        numbers = [
            number
            for number in library.unfinished()
            if number != going_on and not is_claimed(match_folder(self._record, number))
        ]
        if numbers:
            self._worker = Worker("rebuilding", lambda stopping: self._rebuild(numbers, stopping))
        return len(numbers)

    def close(self) -> None:
        """Stop; safe to call twice. What is not done yet is left for another time."""
        if self._worker is not None:
            self._worker.stop()

    def _rebuild(self, numbers: list[int], stopping: Event) -> None:
        rest, failed, unread = _Rest(stopping), list[int](), list[int]()
        for number in numbers:
            try:
                rebuild(self._record, number, is_over=True, rest=rest)
            except _StoppedError:
                return
            except (UnreadError, SenselessError, OSError) as error:
                # It stays unfinished, and the next start reads it again.
                LOG.warning("match %d cannot be read now: %s", number, error, extra=facts(match=number))
                unread.append(number)
            except RecordError as error:
                # The disk does not take it now; the next start tries again.
                self._tell(Rebuilt(f"The matches that were found again are not on record yet: {error}"))
                return
            except Exception as error:
                level = logging.WARNING if isinstance(error, InputError) else logging.ERROR
                LOG.log(
                    level,
                    "match %d cannot be judged again: %s",
                    number,
                    error,
                    exc_info=level == logging.ERROR,
                    extra=facts(match=number),
                )
                failed.append(number)
                self._give_up(number)
        self._tell(Rebuilt(_outcome(len(numbers) - len(failed) - len(unread), failed, unread)))

    def _give_up(self, number: int) -> None:
        """Others were played since. It stays as it is, without a result, and is not tried at every start."""
        with closing(MatchStore(self._record)) as store:
            store.end_match(number, UNDATED, t=0.0, winner=(), honours=())


def _left_open(folder: Path, last: int | None) -> int | None:
    return last if last is not None and not has_ended(folder, last) else None


class _StoppedError(Exception):
    """The table is switched off."""


class _Rest:
    """Waits as long as was worked before; `_StoppedError` once it is told to stop."""

    def __init__(self, stopping: Event) -> None:
        self._stopping, self._since = stopping, monotonic()

    def __call__(self) -> None:
        if self._stopping.wait(min(monotonic() - self._since, LONGEST_REST_S)):
            raise _StoppedError
        self._since = monotonic()


def _outcome(done: int, failed: list[int], unread: list[int]) -> str:
    said = "1 match is on record again." if done == 1 else f"{done} matches are on record again."
    for what, numbers in (("judged again", failed), ("read now", unread)):
        if numbers:
            said += f" The recordings of these cannot be {what}: {', '.join(map(str, numbers))}."
    return said

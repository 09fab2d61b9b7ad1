"""Picking up the match that was on when the power went: as the last ruling left it.

The recording is judged again, event by event, as any recording is. What it led to and the record does not
have, because the plug was pulled between the two, is put on record; nothing is put there twice.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from uckers_table.announce.lines import ruling_line
from uckers_table.errors import RecordingError
from uckers_table.game.match import Match
from uckers_table.keeping.replay import judged, recorded_match
from uckers_table.machine import moment
from uckers_table.record.claims import is_claimed
from uckers_table.record.entries import entries_of
from uckers_table.record.library import Library
from uckers_table.record.match_record import Called, Entry, Ruled, Terms, Thrown
from uckers_table.record.recording import RecordedFrame, Recording, open_recording
from uckers_table.record.store import MatchStore, match_folder
from uckers_table.referee.events import Due, Event
from uckers_table.referee.referee import Referee, Response

FAULT = "device_fault"
"""The `ruling` of a line that says what a device, or the card, made impossible; the referee ruled nothing."""


@dataclass(frozen=True)
class PickedUp:
    """A match to go on with, as its recording leaves it at time `t`.

    `rulings` are those so far, and `missing` what the record does not have yet of all that happened. `doubt`
    says in one line where record and recording tell different stories, in which case the match goes on by
    the recording; mostly it is empty.
    """

    number: int
    terms: Terms
    referee: Referee
    t: float
    rulings: tuple[Ruled, ...] = ()
    missing: tuple[Entry, ...] = ()
    doubt: str = ""


def pick_up(folder: Path) -> PickedUp | None:
    """The last match that was played at this table, if it was neither finished nor left.

    None as well where another table is at it.
    RecordError for a record that cannot be read, RecordingError for a recording that cannot be judged again.
    """
    number = _left_off(folder)
    if number is None or is_claimed(match_folder(folder, number)):
        return None
    return told_again(folder, number)


def _left_off(folder: Path) -> int | None:
    library = Library(folder)
    last = library.last_played()
    return last if last in library.unfinished() else None


def told_again(folder: Path, number: int, rest: Callable[[], None] = lambda: None) -> PickedUp:
    """A match as its recording, judged again, leaves it; `rest` is called after every event.

    RecordError for a record that cannot be read, RecordingError for a recording that cannot be judged again.
    """
    record = Library(folder).match(number)
    told = Retold(open_recording(folder / record.recording), rest)
    # The program may say things otherwise by now, and lines of devices are not the referee's: both are passed
    # over.
    kept = [entry for entry in record.entries if not (isinstance(entry, Ruled) and entry.ruling == FAULT)]
    if len(kept) > len(told.entries):
        # The last rulings fell due by time alone, after the last event.
        told.take(Due(max(entry.t for entry in kept)))
    agree = sum(1 for _ in takewhile(lambda pair: _same(*pair), zip(kept, told.entries, strict=False)))
    missing = told.entries[len(kept) :] if agree == len(kept) else []
    return PickedUp(
        number,
        record.summary.terms,
        told.referee,
        told.t,
        tuple(entry for entry in (*record.entries, *missing) if isinstance(entry, Ruled)),
        tuple(missing),
        _doubt(kept[agree:], number),
    )


def leave_unfinished(folder: Path) -> None:
    """Give up the match that `pick_up` cannot go on with; what is kept of it stays."""
    number = _left_off(folder)
    if number is not None:
        with closing(MatchStore(folder)) as store:
            store.end_match(number, moment.now(), t=0.0, winner=(), honours=())


class Retold:
    """A recording judged again from its beginning: the referee after it, and what that puts on record.

    `rest` is called after every event.
    """

    def __init__(self, recording: Recording, rest: Callable[[], None] = lambda: None) -> None:
        match = recorded_match(recording)
        self.referee = Referee(match, dice_from=recording.settings.dice)
        self.t = 0.0
        self.entries: list[Entry] = []
        for event, response in judged(recording, self.referee, _events(recording, match)):
            self._add(event, response)
            rest()

    def take(self, event: Event) -> None:
        """One event more; RulesError for one that cannot be."""
        self._add(event, self.referee.handle(event))

    def _add(self, event: Event, response: Response) -> None:
        board = self.referee.match.board
        lines = [ruling_line(timed, board) for timed in response.rulings]
        self.entries += entries_of(response, lines, board)
        self.referee, self.t = response.referee, event.t


def _events(recording: Recording, match: Match) -> Iterator[Event]:
    # A torn last line is mended when the recording goes on; until then it was never said.
    for event in recording.events(match.board, match.position, warn=io.StringIO()):
        if isinstance(event, RecordedFrame):
            raise RecordingError(f"{recording.folder}: names frames, and no table records such")
        yield event


def _same(kept: Entry, told: Entry) -> bool:
    """Whether an entry of the record is what judging the recording again leads to."""
    match kept, told:
        case Ruled(), Ruled():
            return (kept.t, kept.ruling) == (told.t, told.ruling)
        case (Thrown(), Thrown()) | (Called(), Called()):
            return kept == told
        case _:
            return False


def _doubt(otherwise: list[Entry], number: int) -> str:
    if not otherwise:
        return ""
    minutes, seconds = divmod(otherwise[0].t, 60)
    return (
        f"match {number}: from {minutes:.0f}:{seconds:04.1f} on its record and its recording differ; "
        "it goes on by the recording"
    )

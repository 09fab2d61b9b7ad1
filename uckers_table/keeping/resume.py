"""Picking up the match that was on when the power went: as the last ruling left it.

The recording is judged again, event by event, as any recording is. What it led to and the record does not
have, because the plug was pulled between the two, is put on record; nothing is put there twice. If the end
of the recording cannot be judged, and nothing on record rests on it, it is left out. People decide if
something does, or if the card took the rulings and not the recording.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from math import inf
from pathlib import Path

from uckers_table.announce.in_full import in_full
from uckers_table.announce.lines import ruling_line
from uckers_table.errors import InputError, RecordingError, UnreadError
from uckers_table.foreign.places import inside
from uckers_table.game.match import Match
from uckers_table.keeping.replay import judged, recorded_match
from uckers_table.machine.files import is_there
from uckers_table.record.claims import claimed, is_claimed
from uckers_table.record.entries import entries_of
from uckers_table.record.heading import UNDATED, read_heading
from uckers_table.record.library import Library
from uckers_table.record.match_record import Called, Entry, Ruled, Terms, Thrown, as_lists
from uckers_table.record.recording import (
    EVENTS,
    PROFILE,
    RecordedFrame,
    Recording,
    RecordingWriter,
    next_recording,
    open_recording,
    recording_folders,
    settings_of,
)
from uckers_table.record.store import MatchStore, match_folder
from uckers_table.referee.events import Due, Event, event_end
from uckers_table.referee.referee import Referee, Response

LOG = logging.getLogger(__name__)

FAULT = "device_fault"
"""The `ruling` of a line that says what a device, or the card, made impossible; the referee ruled nothing."""


@dataclass(frozen=True)
class PickedUp:
    """A match to go on with at time `t` (seconds), as the first `judged` events of its recording leave it.

    `rulings` are those so far, `words` each of them in full, and `evidence` the pictures behind them by their
    numbers, from 1. `missing` is what the record does not have yet of all that happened. `doubt`
    says in one line where record and recording tell different stories, in which case the match goes on by
    the recording. `left_out` says what the recording could not give. Mostly both are empty.
    """

    number: int
    terms: Terms
    referee: Referee
    t: float
    recording: Recording
    judged: int
    rulings: tuple[Ruled, ...] = ()
    words: tuple[str, ...] = ()
    evidence: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    missing: tuple[Entry, ...] = ()
    doubt: str = ""
    left_out: str = ""


class BrokenOffError(RecordingError):
    """The recording of match `number` does not lead to all that was ruled: people decide how it goes on.

    `last` is the last ruling on record, None where there is none.
    """

    def __init__(self, number: int, why: str, last: Ruled | None) -> None:
        super().__init__(why)
        self.number, self.last = number, last


def pick_up(folder: Path, rest: Callable[[], None] = lambda: None) -> PickedUp | None:
    """The last match that was played at this table, if it was neither finished nor left.

    None as well where another table is at it. `rest` is called after every event.
    RecordError for a record that cannot be read, BrokenOffError for a match of which the recording does not
    tell all.
    """
    number = _left_off(folder)
    if number is None or is_claimed(match_folder(folder, number)):
        return None
    return told_again(folder, number, rest)


def _left_off(folder: Path) -> int | None:
    library = Library(folder)
    last = library.last_played()
    if last is None or last not in library.unfinished():
        return None
    # A record that was lost does not know of the end.
    return None if has_ended(folder, last) else last


def has_ended(folder: Path, number: int) -> bool:
    """Whether people have ended a match, as its own folder says; UnreadError where that cannot be read."""
    return read_heading(match_folder(folder, number)).ended != UNDATED


def told_again(folder: Path, number: int, rest: Callable[[], None] = lambda: None) -> PickedUp:
    """A match as its recording, judged again, leaves it; `rest` is called after every event.

    RecordError for a record that cannot be read, BrokenOffError for a match of which the recording does not
    tell all.
    """
    record = Library(folder).match(number)
    last = record.rulings[-1] if record.rulings else None
    try:
        recording = _recording(inside(folder, record.recording), record.summary.terms)
        told = Retold(recording, rest)
    except InputError as error:
        raise BrokenOffError(number, str(error), last) from None
    # The program may say things otherwise by now, and lines of devices are not the referee's: both are passed
    # over. So is what came before a recording that was begun in the middle.
    kept = [
        entry
        for entry in record.entries
        if entry.t >= told.since and not (isinstance(entry, Ruled) and entry.ruling == FAULT)
    ]
    if len(kept) > len(told.entries):
        # The last rulings fell due by time alone, after the last event.
        told.take(Due(max(entry.t for entry in kept)))
    agree = sum(1 for _ in takewhile(lambda pair: _same(*pair), zip(kept, told.entries, strict=False)))
    if agree < len(kept) and (told.trouble or agree == len(told.entries)):
        why = told.trouble or f"{recording.folder / EVENTS}: ends before what is on record does"
        raise BrokenOffError(number, why, last)
    missing = told.entries[len(kept) :] if agree == len(kept) else []
    if not record.entries:
        missing = [*_told_before(recording, told.since, rest), *missing]
    rulings = [entry for entry in (*record.entries, *missing) if isinstance(entry, Ruled)]
    return PickedUp(
        number,
        record.summary.terms,
        told.referee,
        max([told.t, *(entry.t for entry in record.entries)]),
        recording,
        told.judged,
        tuple(rulings),
        tuple(_words(rulings, told)),
        {ruling: record.evidence(ruling) for ruling in record.pictures},
        tuple(missing),
        _doubt(kept[agree:], number),
        _left_out(told.trouble, number),
    )


def _told_before(recording: Recording, since: float, rest: Callable[[], None]) -> list[Entry]:
    """What a match that lost its record has from the recordings that it broke off in, before `since`."""
    entries: list[Entry] = []
    folders = takewhile(lambda each: each != recording.folder, recording_folders(recording.folder.parent))
    for folder in folders:
        with suppress(InputError):
            after = entries[-1].t if entries else 0.0
            told = Retold(open_recording(folder), rest)
            entries += [each for each in told.entries if after <= each.t < since]
    return entries


def _recording(folder: Path, terms: Terms) -> Recording:
    """A match's recording; where its settings cannot be read the record knows them."""
    try:
        return open_recording(folder)
    except RecordingError as error:
        LOG.warning("%s", error)
        table = folder / PROFILE
        return Recording(folder, settings_of(terms, table if is_there(table) else None))


def go_on_from_record(folder: Path, broken: BrokenOffError) -> PickedUp:
    """Go on with a match from its last ruling on record, in a recording that begins there.

    The one that broke off stays as it is. RecordError where the card does not take it, RecordingError where
    the rules of the match are not known any more.
    """
    record = Library(folder).match(broken.number)
    place = match_folder(folder, broken.number)
    path = next_recording(place)
    settings = settings_of(record.summary.terms, None)
    last = broken.last
    if last is not None:
        settings = replace(settings, start=as_lists(last.position), to_play=last.to_play)
    recorded_match(Recording(path, settings))
    with claimed(place):
        RecordingWriter(path, settings).close()
        with closing(MatchStore(folder)) as store:
            store.record_in(broken.number, str(path.relative_to(folder)))
    why = f"match {broken.number} goes on from its last ruling on record: {broken}"
    return replace(told_again(folder, broken.number), left_out=why)


class Retold:
    """A recording judged again from its beginning: the referee after it, and what that puts on record.

    It goes as far as the first event that cannot be read, or judged: `trouble` says what that is, and is
    empty where there is none. So many events before it were `judged`. `since` is when the recording begins,
    in seconds of its match. `rest` is called after every event. RecordingError where nothing can be judged.
    """

    def __init__(self, recording: Recording, rest: Callable[[], None] = lambda: None) -> None:
        match = recorded_match(recording)
        self.referee = Referee(match, dice_from=recording.settings.dice)
        self.t = 0.0
        # One that a match went on in begins later than its match.
        self.since = 0.0 if recording.settings.start is None else inf
        self.entries: list[Entry] = []
        self.words: list[str] = []
        """What each ruling among them says in full."""
        self.judged, self.trouble = 0, ""
        steps = judged(recording, self.referee, _events(recording, match))
        while (step := self._next(recording, steps)) is not None:
            event, response = step
            self.since = min(self.since, event.t)
            self._add(event, response)
            self.judged += 1
            rest()

    def _next(
        self, recording: Recording, steps: Iterator[tuple[Event, Response]]
    ) -> tuple[Event, Response] | None:
        try:
            return next(steps, None)
        except UnreadError:
            # The card does not give it now: no fault of the event's.
            raise
        except InputError as error:
            self.trouble = str(error)
        except Exception as error:
            # The program fails on this event. Without it the match goes on, and nobody is kept from playing.
            LOG.exception("an event cannot be judged")
            place = f"{recording.folder / EVENTS}: event {self.judged + 1}"
            self.trouble = f"{place} cannot be judged ({type(error).__name__}: {error})"
        return None

    def take(self, event: Event) -> None:
        """One event more; RulesError for one that cannot be."""
        self._add(event, self.referee.handle(event))

    def _add(self, event: Event, response: Response) -> None:
        board = self.referee.match.board
        lines = [ruling_line(timed, board) for timed in response.rulings]
        self.entries += entries_of(response, lines, board)
        self.words += [in_full(timed.ruling, board) for timed in response.rulings]
        self.referee, self.t = response.referee, event_end(event)


def _events(recording: Recording, match: Match) -> Iterator[Event]:
    # A torn last line is mended when the recording goes on; until then it was never said.
    for event in recording.events(match.board, match.position, warn=io.StringIO()):
        if isinstance(event, RecordedFrame):
            raise RecordingError(f"{recording.folder}: names frames, and no table records such")
        yield event


def _words(rulings: Sequence[Ruled], told: Retold) -> Iterator[str]:
    """Each ruling in full: the record keeps what was said, and of most plays nothing is.

    A line of a device, and a ruling that the recording does not lead to, has no other words than its own.
    """
    retold = zip((entry for entry in told.entries if isinstance(entry, Ruled)), told.words, strict=True)
    for ruled in rulings:
        is_told = ruled.ruling != FAULT and ruled.t >= told.since
        again = next(retold, None) if is_told else None
        yield again[1] if again is not None and _same(ruled, again[0]) else ruled.full


def _same(kept: Entry, told: Entry) -> bool:
    """Whether an entry of the record is what judging the recording again leads to."""
    match kept, told:
        case Ruled(), Ruled():
            return (kept.t, kept.ruling) == (told.t, told.ruling)
        case (Thrown(), Thrown()) | (Called(), Called()):
            return kept == told
        case _:
            return False


def _left_out(trouble: str, number: int) -> str:
    return f"match {number} goes on without the end of its recording: {trouble}" if trouble else ""


def _doubt(otherwise: list[Entry], number: int) -> str:
    if not otherwise:
        return ""
    minutes, seconds = divmod(otherwise[0].t, 60)
    return (
        f"match {number}: from {minutes:.0f}:{seconds:04.1f} on its record and its recording differ; "
        "it goes on by the recording"
    )

"""Recordings: whatever came in from the table, in a folder that can be judged again.

    recording.toml   rules, seats, dice, and the table profile or the pictures to calibrate from
    events.jsonl     one event a line, with its time
    left-out-1.jsonl what the match went on without after the program had stopped
    frames/          pictures: named by `frame` events; a live table keeps those behind its rulings here, each
                     under the time of its sighting

Reading is strict, because a recording is evidence; only a torn last line is forgiven, since that is what
pulling the plug leaves behind.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from itertools import count, takewhile
from pathlib import Path
from typing import IO, Any

from uckers_table.errors import InputError, RecordError, RecordingError, UnreadError
from uckers_table.foreign.documents import json_from, lines_of, toml_of
from uckers_table.foreign.places import inside
from uckers_table.game.board import COLOURS, Board
from uckers_table.game.position import Position, position_from
from uckers_table.machine.files import (
    free_name,
    is_missing,
    is_there,
    make_folder,
    not_given,
    refusals_said,
    sync_folder,
    write_whole,
)
from uckers_table.record.match_record import Terms
from uckers_table.referee.events import DICE_SOURCES, Event, Seen, event_end, event_from_json, event_time

SETTINGS = "recording.toml"
EVENTS = "events.jsonl"
FRAMES = "frames"
LEFT_OUT = "left-out-"
"""How the files are named that have the events which a match that went on could not use; a number follows."""
RECORDING = "recording"
"""The folder of a match's recording, in the match's own; `recording-2` is one that it went on in."""
LARGEST_EVENTS = 2**30
"""Bytes; an evening's have some tens of megabytes."""
PROFILE = "table.toml"
"""The profile that a live table reads by; one that was learned on the page is beside the record, too."""

MOST_UNSYNCED = 2**16
"""The most bytes by which a recording is ahead of the card: some minutes of a table without a ruling."""

WAITED_S = 600.0
"""For so long at most the sightings of a match that waits are one line (seconds): what is not on record of
them if the power goes, in a time in which nothing happened."""

_KEYS = {"rules", "options", "players", "seats", "dice", "table", "calibrate", "to_play", "start"}


@dataclass(frozen=True)
class RecordingSettings:
    """What `recording.toml` says. `table` and `calibrate` are paths inside the folder.

    `top_left`: the colour at the top left of the pictures to calibrate from, where they cannot tell it.
    `strange`: the seats of which one piece there has another paint.
    """

    rules: str = "br4006"
    options: Mapping[str, Any] = field(default_factory=dict)
    players: int = 4
    seats: tuple[str, ...] = COLOURS
    dice: str = "tower"
    to_play: str | None = None
    start: Mapping[str, list[int]] | None = None
    table: Path | None = None
    calibrate: tuple[Path, Path] | None = None
    top_left: str | None = None
    strange: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecordedFrame:
    """A picture of the table in a recording, yet to be read."""

    t: float
    path: Path


@dataclass(frozen=True)
class Recording:
    """A recording on disk: its settings, and its events one after the other."""

    folder: Path
    settings: RecordingSettings

    def events(self, board: Board, ground: Position, warn: IO[str]) -> Iterator[Event | RecordedFrame]:
        """The events in order; RecordingError names the file and line of one that makes no sense.

        `ground` is where the colours stand that a correction leaves out. A torn last line is one warning
        on `warn`; everything before it is given.
        """
        path, before = self.folder / EVENTS, 0.0
        lines = self._lines()
        event: Event | RecordedFrame | None = None
        said = b""
        for number, raw in lines:
            try:
                t, _, says = raw.partition(b",")
                is_again = says == said and t.startswith(b'{"t"')
                if is_again and isinstance(event, Seen) and event.times == 1:
                    # The same sighting once more, as in recordings that have no `times`.
                    event = replace(event, t=event_time(json_from(t + b"}")))
                else:
                    event, said = self._event(json_from(raw), board, ground), says
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                is_torn = isinstance(error, json.JSONDecodeError | UnicodeDecodeError)
                if is_torn and next(lines, None) is None:
                    print(f"{path}:{number}: the last line is torn and left out; the rest is used", file=warn)
                    return
                what = f"no key {error}" if isinstance(error, KeyError) else error
                raise RecordingError(f"{path}:{number}: {what}; mend or remove that line") from None
            if event.t < before:
                raise RecordingError(
                    f"{path}:{number}: 't' goes back from {before} to {event.t}; sort the lines"
                )
            before = event.t if isinstance(event, RecordedFrame) else event_end(event)
            yield event

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines that say something, each with its number."""
        path = self.folder / EVENTS
        try:
            for number, raw in enumerate(lines_of(path, LARGEST_EVENTS), start=1):
                if raw.strip():
                    yield number, raw.rstrip(b"\n")
        except OSError as error:
            raise _lacking(path, error, "a recording needs its events") from None
        except InputError as error:
            raise RecordingError(f"{path}: {error}") from None

    def _event(self, line: Any, board: Board, ground: Position) -> Event | RecordedFrame:
        if not isinstance(line, dict):
            raise RecordingError("a line is one JSON object")
        if line["kind"] != "frame":
            return event_from_json(line, board, ground)
        return RecordedFrame(event_time(line), inside(self.folder, str(line["file"])))


def open_recording(folder: Path) -> Recording:
    """The recording in a folder; RecordingError when its settings cannot be used, UnreadError when they
    cannot be read now.
    """
    path = folder / SETTINGS
    try:
        data = toml_of(path)
    except OSError as error:
        raise _lacking(path, error, f"a recording is a folder with {SETTINGS}") from None
    except ValueError as error:
        raise RecordingError(f"{path}: not TOML ({error})") from None
    try:
        return Recording(folder, _settings(folder, data))
    except InputError as error:
        raise RecordingError(f"{path}: {error}") from None


def _lacking(path: Path, error: OSError, hint: str) -> RecordingError | UnreadError:
    """A file that is not there makes no recording. One that cannot be read may be as it should be."""
    if is_missing(error):
        return RecordingError(f"{path}: {error.strerror}; {hint}")
    return not_given(path, error)


def _settings(folder: Path, data: Mapping[str, Any]) -> RecordingSettings:
    unknown = sorted(data.keys() - _KEYS)
    if unknown:
        raise RecordingError(f"key '{unknown[0]}' is unknown; known are {', '.join(sorted(_KEYS))}")
    if "rules" not in data:
        raise RecordingError("key 'rules' is missing; name a rule set, as in rules = \"br4006\"")
    for key, kind in (("rules", str), ("options", dict), ("players", int), ("seats", list), ("dice", str)):
        if key in data and not isinstance(data[key], kind):
            raise RecordingError(f"key '{key}' is {data[key]!r}, not a {kind.__name__}")
    if data.get("dice", "tower") not in DICE_SOURCES:
        raise RecordingError(f"key 'dice' is {data['dice']!r}; known are {', '.join(DICE_SOURCES)}")
    pair = data.get("calibrate")
    if pair is not None and not (isinstance(pair, dict) and {"empty", "start"} <= pair.keys()):
        raise RecordingError("key 'calibrate' needs the pictures 'empty' and 'start'")
    seats = tuple(str(colour) for colour in data.get("seats", COLOURS))
    top_left = pair.get("top_left") if pair else None
    if top_left is not None and top_left not in seats:
        raise RecordingError(
            f"key 'calibrate.top_left' is {top_left!r}; it is one of the seats {', '.join(seats)}"
        )
    strange = pair.get("strange", []) if pair else []
    if not isinstance(strange, list) or not set(strange) <= set(seats):
        raise RecordingError(
            f"key 'calibrate.strange' is {strange!r}; it lists some of the seats {', '.join(seats)}"
        )
    return RecordingSettings(
        rules=data["rules"],
        options=data.get("options", {}),
        players=data.get("players", 4),
        seats=seats,
        dice=data.get("dice", "tower"),
        to_play=data.get("to_play"),
        start=data.get("start"),
        table=inside(folder, str(data["table"])) if "table" in data else None,
        calibrate=(inside(folder, str(pair["empty"])), inside(folder, str(pair["start"]))) if pair else None,
        top_left=top_left,
        strange=tuple(strange),
    )


def recording_folders(match_folder: Path) -> Iterator[Path]:
    """Where the recordings of a match lie, one after the other, and where the next will."""
    yield match_folder / RECORDING
    for number in count(2):
        yield match_folder / f"{RECORDING}-{number}"


def last_recording(match_folder: Path) -> Path:
    """Where the recording lies that a match went on in last."""
    there = _names_in(match_folder)
    found = list(takewhile(lambda each: each.name in there, recording_folders(match_folder)))
    return found[-1] if found else match_folder / RECORDING


def next_recording(match_folder: Path) -> Path:
    """Where the recording will lie that a match goes on in next."""
    there = _names_in(match_folder)
    return next(each for each in recording_folders(match_folder) if each.name not in there)


def _names_in(match_folder: Path) -> frozenset[str]:
    """What lies in a match's folder; nothing if it is not there. UnreadError where it cannot be read."""
    try:
        return frozenset(each.name for each in match_folder.iterdir())
    except OSError as error:
        if is_missing(error):
            return frozenset()
        raise not_given(match_folder, error) from None


def settings_of(terms: Terms, table: Path | None) -> RecordingSettings:
    """What the recording says of a match under these terms, read by the profile in `table`."""
    return RecordingSettings(
        rules=terms.rules,
        options=terms.options,
        players=terms.players,
        seats=terms.seats,
        dice=terms.dice,
        to_play=terms.to_play,
        table=table,
    )


def start_position(settings: RecordingSettings, board: Board) -> Position | None:
    """Where the pieces stand at the beginning of a match that begins in the middle; None for all in base."""
    return position_from(board, settings.start) if settings.start is not None else None


class RecordingWriter:
    """Writes a recording while the match goes on.

    With `settings` it begins one: its folder, settings and empty events are on the card once it is there.
    Without, it adds to the one that is there, as it is; see `go_on_with`. RecordError when the card does not
    take something, or when a folder for a new one holds a recording already.
    """

    def __init__(self, folder: Path, settings: RecordingSettings | None) -> None:
        self.folder = folder
        with self._writing():
            make_folder(folder / FRAMES)
            if settings is not None:
                if is_there(folder / EVENTS):
                    raise RecordError(f"{folder}: holds a recording already; name a new folder")
                write_whole(folder / SETTINGS, settings_as_toml(settings))
            # Unbuffered, so that a line which the card refuses is not written by and by behind our back.
            self._events = (folder / EVENTS).open("xb" if settings is not None else "r+b", buffering=0)
            self._synced = self._events.seek(0, os.SEEK_END)
            self._since = bytearray()
            self._is_doubtful = False
            self._waiting: dict[str, Any] | None = None
            sync_folder(folder)

    def write(self, line: Mapping[str, Any]) -> None:
        """Append an event, which has reached the system, and after `sync` the card, when this returns."""
        self._write_waiting()
        self._append(line)

    def wait(self, line: Mapping[str, Any]) -> None:
        """Append a sighting that changes nothing. It is written with all that come after it and are the same,
        before the next line, or once they have taken so long (WAITED_S).
        """
        waiting = self._waiting
        is_same = waiting is not None and _but_for_time(waiting) == _but_for_time(line)
        if waiting is None or not is_same or line["t"] - waiting["t"] > WAITED_S:
            self._write_waiting()
            self._waiting = {**line, "until": line["t"], "times": 1}
        else:
            self._waiting = {**waiting, "until": line["t"], "times": waiting["times"] + 1}

    def _write_waiting(self) -> None:
        if self._waiting is None:
            return
        is_one = self._waiting["times"] == 1
        self._append(_but_for(self._waiting, "until", "times") if is_one else self._waiting)
        self._waiting = None

    def _append(self, line: Mapping[str, Any]) -> None:
        written = (json.dumps(line, separators=(", ", ": ")) + "\n").encode("utf-8")
        with self._writing():
            self._put(written)
        self._since += written
        if len(self._since) >= MOST_UNSYNCED:
            with suppress(RecordError):
                self._sync_written()

    def sync(self) -> None:
        """Return when all that was written has reached the card."""
        self._write_waiting()
        self._sync_written()

    def _sync_written(self) -> None:
        if not self._since:
            return
        with self._writing():
            if self._is_doubtful:
                self._put(b"")
            self._is_doubtful = True
            os.fdatasync(self._events.fileno())
            self._is_doubtful = False
        self._synced += len(self._since)
        self._since.clear()

    def _put(self, written: bytes) -> None:
        """Hand bytes to the system. What it takes of a line and not of its end is written over."""
        end = self._synced + len(self._since)
        if self._is_doubtful:
            # The system forgets what it could not bring to the card: all since then is written once more.
            end, written = self._synced, bytes(self._since) + written
        self._is_doubtful = True
        left = memoryview(written)
        while left:
            taken = os.pwrite(self._events.fileno(), left, end)
            end, left = end + taken, left[taken:]
        self._is_doubtful = False

    def close(self) -> None:
        """Finish; safe to call twice."""
        if not self._events.closed:
            with suppress(RecordError):
                self._write_waiting()
        with suppress(OSError):
            self._events.close()

    def _writing(self) -> AbstractContextManager[None]:
        return refusals_said(self.folder, "the recording cannot be written")


def go_on_with(recording: Recording, judged: int) -> RecordingWriter:
    """Go on writing a recording of which so many events were judged again.

    What comes after them goes. It may be a line that was being written when the power went. Several lines
    could not be judged, and are kept in a file of their own (LEFT_OUT). Settings that cannot be read are
    written anew. RecordError when the card does not take it.
    """
    path = recording.folder / EVENTS
    with refusals_said(path, "cannot be gone on with"):
        make_folder(recording.folder / FRAMES)
        if not is_recording(recording.folder):
            write_whole(recording.folder / SETTINGS, settings_as_toml(recording.settings))
        with path.open("a+b") as events:
            whole, ends_a_line = _end_of(path, judged)
            events.seek(whole)
            left = events.read()
            if b"\n" in left:
                write_whole(free_name(recording.folder, LEFT_OUT, ".jsonl"), left)
            events.truncate(whole)
            if not ends_a_line:
                events.write(b"\n")
                events.flush()
            os.fsync(events.fileno())
    return RecordingWriter(recording.folder, None)


def is_recording(folder: Path) -> bool:
    """Whether a folder has settings that can be used; UnreadError when they cannot be read now."""
    try:
        open_recording(folder)
    except RecordingError:
        return False
    return True


def _end_of(path: Path, events: int) -> tuple[int, bool]:
    """Where so many events end in a file, in bytes, and whether a line ends there."""
    end, ends_a_line = 0, True
    for line in lines_of(path, LARGEST_EVENTS) if events else ():
        end, ends_a_line = end + len(line), line.endswith(b"\n")
        events -= bool(line.strip())
        if not events:
            break
    return end, ends_a_line


def _but_for(line: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in keys}


def _but_for_time(line: Mapping[str, Any]) -> dict[str, Any]:
    return _but_for(line, "t", "until", "times")


def settings_as_toml(settings: RecordingSettings) -> str:
    """What `open_recording` reads."""
    lines = [f"rules = {json.dumps(settings.rules)}"]
    if settings.options:
        options = ", ".join(f"{key} = {json.dumps(value)}" for key, value in sorted(settings.options.items()))
        lines.append(f"options = {{ {options} }}")
    lines.append(f"players = {settings.players}")
    lines.append(f"seats = {json.dumps(list(settings.seats))}")
    lines.append(f"dice = {json.dumps(settings.dice)}")
    if settings.to_play is not None:
        lines.append(f"to_play = {json.dumps(settings.to_play)}")
    if settings.start is not None:
        start = ", ".join(f"{colour} = {steps}" for colour, steps in settings.start.items())
        lines.append(f"start = {{ {start} }}")
    if settings.table is not None:
        lines.append(f"table = {json.dumps(settings.table.name)}")
    if settings.calibrate is not None:
        empty, start = (json.dumps(picture.name) for picture in settings.calibrate)
        top_left = f", top_left = {json.dumps(settings.top_left)}" if settings.top_left else ""
        strange = f", strange = {json.dumps(list(settings.strange))}" if settings.strange else ""
        lines.append(f"calibrate = {{ empty = {empty}, start = {start}{top_left}{strange} }}")
    return "\n".join(lines) + "\n"

"""Judging a recording again: the same events, the same referee, the same lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.announce.lines import console_line, ruling_line
from uckers_table.announce.loudness import Loudness
from uckers_table.errors import InputError, ProfileError, RecordingError, RulesError
from uckers_table.game.match import Match, begin
from uckers_table.game.setting import load_setting
from uckers_table.record.recording import EVENTS, RecordedFrame, Recording, open_recording, start_position
from uckers_table.referee.events import Event, Seen
from uckers_table.referee.referee import Referee, Response
from uckers_table.sighting import Sighting

if TYPE_CHECKING:
    from uckers_table.vision.place.camera import Image
    from uckers_table.vision.profile import TableProfile


def replay_recording(
    folder: Path, *, json_lines: bool, out: TextIO, err: TextIO, loudness: Loudness = Loudness.CALLS
) -> int:
    """Print the rulings of a recording, all at any loudness, with what would be said at this one.

    RecordingError when it cannot be used. The exit status.
    """
    recording = open_recording(folder)
    referee = Referee(recorded_match(recording), dice_from=recording.settings.dice)
    board = referee.match.board
    # All lines are read before anything is ruled, so that a bad one leaves nothing half printed.
    recorded = list(recording.events(board, referee.match.position, err))
    for _, response in judged(recording, referee, _read(recording, recorded)):
        for timed in response.rulings:
            line = ruling_line(timed, board, loudness)
            print(json.dumps(line) if json_lines else console_line(line), file=out)
    return 0


def judged(
    recording: Recording, referee: Referee, events: Iterable[Event]
) -> Iterator[tuple[Event, Response]]:
    """Each event of a recording, and what the referee answers; RecordingError says where there is none."""
    for event in events:
        try:
            response = referee.handle(event)
        except RulesError as error:
            raise RecordingError(f"{recording.folder / EVENTS}: at t = {event.t}: {error}") from None
        referee = response.referee
        yield event, response


def recorded_match(recording: Recording) -> Match:
    """The match as it stands when a recording begins."""
    settings = recording.settings
    try:
        setting = load_setting(
            settings.rules, settings.options, seats=settings.seats, players=settings.players
        )
        position = start_position(settings, setting.board)
        return begin(setting, to_play=settings.to_play, position=position)
    except InputError as error:
        raise RecordingError(f"{recording.folder / 'recording.toml'}: {error}") from None


def _read(recording: Recording, recorded: Iterable[Event | RecordedFrame]) -> Iterator[Event]:
    """The events, frames read on the way."""
    eyes: _Eyes | None = None
    for event in recorded:
        if isinstance(event, RecordedFrame):
            eyes = eyes or _Eyes(recording)
            yield Seen(event.t, eyes.read(event.path))
        else:
            yield event


class _Eyes:
    """Reads a recording's frames; only a recording that has any needs them."""

    def __init__(self, recording: Recording) -> None:
        from uckers_table.vision.live import LiveReader

        self._reader = LiveReader(_profile(recording))
        self._last: tuple[Path, Image] | None = None

    def read(self, path: Path) -> Sighting:
        from uckers_table.vision.picture.files import load_picture

        # The same picture once more shows that nothing moves.
        if self._last is None or self._last[0] != path:
            self._last = path, load_picture(path)
        try:
            return self._reader.see(self._last[1])
        except ProfileError as error:
            raise RecordingError(f"{path}: {error}") from None


def _profile(recording: Recording) -> TableProfile:
    from uckers_table.vision.calibrate import calibrate
    from uckers_table.vision.picture.files import load_picture
    from uckers_table.vision.profile import TableProfile

    settings = recording.settings
    if settings.table is not None:
        return TableProfile.load(settings.table)
    if settings.calibrate is None:
        raise RecordingError(
            f"{recording.folder / 'recording.toml'}: 'table' or 'calibrate' is needed to read the frames by"
        )
    empty, start = (load_picture(path) for path in settings.calibrate)
    return calibrate(empty, start, settings.seats)

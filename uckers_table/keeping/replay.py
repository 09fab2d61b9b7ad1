"""Judging a recording again: the same events, the same referee, the same lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from uckers_table.errors import CalibrationError, InputError, ProfileError, RecordingError, RulesError
from uckers_table.game.match import Match, begin
from uckers_table.game.setting import load_setting
from uckers_table.record.recording import EVENTS, RecordedFrame, Recording, start_position
from uckers_table.referee.events import Event, Seen
from uckers_table.referee.referee import Referee, Response
from uckers_table.sighting import Sighting
from uckers_table.vision.picture.arrays import Image

if TYPE_CHECKING:
    from uckers_table.vision.profile import TableProfile


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


def with_frames_read(recording: Recording, recorded: Iterable[Event | RecordedFrame]) -> Iterator[Event]:
    """The events of a recording, its frames read on the way."""
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
    try:
        return calibrate(empty, start, settings.seats, settings.top_left, strange=settings.strange)
    except CalibrationError as error:
        said = error.reworded(IN_A_RECORDING)
        raise CalibrationError(f"{recording.folder / 'recording.toml'}: 'calibrate': {said}") from None


IN_A_RECORDING = {
    "--top-left": "top_left in 'calibrate'",
    "--seats": "'seats'",
    "--strange": "strange in 'calibrate':",
}
"""What a message calls the options of the command line, in words for whoever has a recording."""

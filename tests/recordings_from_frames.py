"""Turns a recording of camera frames into one of sightings, small enough to keep.

    .venv/bin/python tests/recordings_from_frames.py FRAMES_RECORDING OUTPUT

It reads every frame as `replay` would, and writes what was seen in its place; `expected.jsonl` is copied.
"""

import json
import shutil
import sys
from pathlib import Path

from uckers_table.keeping.replay import _Eyes, recorded_match
from uckers_table.record.recording import RecordedFrame, RecordingSettings, RecordingWriter, open_recording
from uckers_table.referee.events import Seen, event_to_json


def main(source: Path, target: Path) -> None:
    """Convert one recording."""
    recording = open_recording(source)
    match = recorded_match(recording)
    settings = recording.settings
    writer = RecordingWriter(
        target,
        RecordingSettings(
            rules=settings.rules,
            options=settings.options,
            players=settings.players,
            seats=settings.seats,
            dice=settings.dice,
            to_play=settings.to_play,
        ),
    )
    eyes = _Eyes(recording)
    for event in recording.events(match.board, match.position, sys.stderr):
        if isinstance(event, RecordedFrame):
            event = Seen(event.t, eyes.read(event.path))
        line = event_to_json(event, match.board)
        if line is not None:
            writer.write(line)
    writer.close()
    (target / "frames").rmdir()
    shutil.copy(source / "expected.jsonl", target / "expected.jsonl")
    print(f"{target}: {sum(1 for _ in (target / 'events.jsonl').open())} events", json.dumps(settings.rules))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

"""`uckers-table replay`: judges a recording again."""

from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.announce.lines import console_line, on_terminal, ruling_line
from uckers_table.announce.loudness import Loudness
from uckers_table.commands.options import add_loudness, add_referee
from uckers_table.keeping.replay import judged, recorded_match, with_frames_read
from uckers_table.record.recording import open_recording
from uckers_table.referee.referee import Referee

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("replay", help="judge a recording again")
    parser.add_argument("recording", type=Path, metavar="DIR", help="the recording's folder")
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each ruling")
    add_loudness(parser)
    add_referee(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the rulings. The exit status."""
    return replay_recording(
        arguments.recording,
        json_lines=arguments.json,
        out=sys.stdout,
        err=sys.stderr,
        loudness=Loudness(arguments.loudness),
    )


def replay_recording(
    folder: Path,
    *,
    json_lines: bool,
    out: TextIO,
    err: TextIO,
    loudness: Loudness = Loudness.CALLS,
) -> int:
    """Print the rulings of a recording, all at any loudness, with what would be said at this one.

    RecordingError when it cannot be used. The exit status.
    """
    recording = open_recording(folder)
    match = recorded_match(recording)
    board = match.board
    judge = Referee(match, recording.settings.dice)
    # All lines are read before anything is ruled, so that a bad one leaves nothing half printed.
    for _ in recording.events(board, match.position, err):
        pass
    recorded = recording.events(board, match.position, io.StringIO())
    for _, response in judged(recording, judge, with_frames_read(recording, recorded)):
        for timed in response.rulings:
            line = ruling_line(timed, board, loudness)
            print(json.dumps(line) if json_lines else on_terminal(console_line(line), out), file=out)
    return 0

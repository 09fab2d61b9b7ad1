"""The clips that a mess may replace by its own voice: one WAV file for each phrase said again and again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.announce.phrases import fixed_phrases
from uckers_table.devices.speech import Speech, clip_name
from uckers_table.errors import InputError
from uckers_table.machine.files import write_whole

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "clips",
        help="write what is said again and again as WAV files, for a mess to replace by its own voice",
        description="Writes a WAV file for each phrase that is said again and again, and leaves those alone "
        "that are there. Record your own under the same names, and let 'clips' in the configuration name the "
        "folder.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--voice", default="flite", metavar="NAME", help="who speaks: flite or espeak")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the clips. The exit status."""
    return write_clips(arguments.folder, arguments.voice, out=sys.stdout)


def write_clips(folder: Path, program: str, *, out: TextIO) -> int:
    """Speak each phrase into `folder`, but those that have a file there. The exit status.

    InputError when the folder cannot be written, DeviceError when the program is not installed.
    """
    speech = Speech(program)
    written, kept = 0, 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for phrase in fixed_phrases():
            path = folder / f"{clip_name(phrase)}.wav"
            if path.exists():
                kept += 1
                continue
            write_whole(path, b"".join(speech.sounds(phrase)))
            written += 1
            print(f"{path.name:<44} {phrase}", file=out)
    except OSError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{folder}: the clips cannot be written there ({error.strerror})") from None
    print(f"{folder}: {written} written, {kept} there already", file=out)
    return 0

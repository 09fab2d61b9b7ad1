"""`uckers-table read`: reads pieces and dice in camera frames."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.commands.status import UNUSABLE, one_line
from uckers_table.errors import InputError, ProfileError
from uckers_table.vision.overlay import draw_overlay
from uckers_table.vision.picture.files import load_picture, save_picture
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import Reader

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("read", help="read the pieces and dice in camera frames")
    parser.add_argument(
        "--table", required=True, type=Path, metavar="TABLE.toml", help="the table's profile, of `calibrate`"
    )
    parser.add_argument("frames", nargs="+", type=Path, metavar="FRAME.jpg", help="pictures of that table")
    parser.add_argument("--json", action="store_true", help="one JSON object a line (also the default)")
    parser.add_argument("--overlay", type=Path, metavar="DIR", help="draw what was read on each frame")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what each frame shows. The exit status."""
    return read_files(
        arguments.table, arguments.frames, overlay=arguments.overlay, out=sys.stdout, err=sys.stderr
    )


def read_files(table: Path, frames: Sequence[Path], *, overlay: Path | None, out: TextIO, err: TextIO) -> int:
    """Read frames against a table's profile and print a JSON object a line; the exit status.

    A frame that cannot be read gets one line on `err` and the status 2; the others are still read. `overlay`
    is the folder for the frames with what was read drawn on them.
    """
    reader = Reader(TableProfile.load(table))
    status = 0
    for path in frames:
        try:
            picture = load_picture(path)
            try:
                looked = reader.look(picture)
            except ProfileError as error:
                raise InputError(f"{path}: {error}") from None
            sighting = reader.sighting(looked)
            if overlay is not None:
                save_picture(overlay / path.name, draw_overlay(picture, reader.profile, sighting, looked))
        except InputError as error:
            print(f"uckers-table: {one_line(error)}", file=err)
            status = UNUSABLE
            continue
        print(json.dumps({"frame": str(path), **sighting.to_json()}), file=out, flush=True)
    return status

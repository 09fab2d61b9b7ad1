"""`uckers-table dice`: reads ordinary pip dice in any picture from above."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.commands.status import UNUSABLE, one_line
from uckers_table.errors import InputError
from uckers_table.vision.dice.photo_dice import PhotoDie, read_dice
from uckers_table.vision.picture.files import load_picture

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("dice", help="read ordinary dice in any picture from above")
    parser.add_argument(
        "photos", nargs="+", type=Path, metavar="PHOTO.jpg", help="pictures with dice in them"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the dice in each picture. The exit status."""
    return dice_files(arguments.photos, json_lines=arguments.json, out=sys.stdout, err=sys.stderr)


def dice_files(photos: Sequence[Path], json_lines: bool, out: TextIO, err: TextIO) -> int:
    """Read the dice in pictures of any table and print them; the exit status.

    A picture that cannot be read gets one line on `err` and the status 2; the others are still read.
    """
    status = 0
    for path in photos:
        try:
            dice = read_dice(load_picture(path))
        except InputError as error:
            print(f"uckers-table: {one_line(error)}", file=err)
            status = UNUSABLE
            continue
        if json_lines:
            print(
                json.dumps({"frame": str(path), "dice": [_rounded(die) for die in dice]}),
                file=out,
                flush=True,
            )
        else:
            shown = "  ".join(die.state if die.value is None else str(die.value) for die in dice)
            print(f"{path}: {shown or 'no dice'}", file=out, flush=True)
    return status


def _rounded(die: PhotoDie) -> dict[str, object]:
    """A die as a JSON object: tenths of a pixel are all that is known."""
    return {key: round(v, 1) if isinstance(v, float) else v for key, v in asdict(die).items()}

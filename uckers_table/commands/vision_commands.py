"""What `uckers-table calibrate`, `read` and `dice` do, with files in and files out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

from uckers_table.errors import CalibrationError, InputError, ProfileError
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.dice.photo_dice import PhotoDie, read_dice
from uckers_table.vision.overlay import draw_overlay
from uckers_table.vision.picture.files import load_picture, save_picture
from uckers_table.vision.place.lens import published_focal_px
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.quality import assess
from uckers_table.vision.reader import Reader

_UNUSABLE = 2


def calibrate_files(
    empty: Path,
    start: Path,
    seats: tuple[str, ...],
    output: Path,
    top_left: str | None = None,
    corners: list[tuple[float, float]] | None = None,
    overlay: Path | None = None,
    *,
    stickers: bool = False,
    camera: Path | None = None,
) -> str:
    """Learns the table that two picture files show, writes its profile to `output`, and returns the report.

    `overlay` is where the start picture goes with what was found drawn on it, `camera` a camera's profile.
    InputError or CalibrationError name the picture that cannot be used; nothing is written then.
    """
    bare, full = load_picture(empty), load_picture(start)
    focal_px = published_focal_px(camera, bare.shape[1], bare.shape[0]) if camera else None
    try:
        profile = calibrate(bare, full, seats, top_left, corners, stickers=stickers, focal_px=focal_px)
    except CalibrationError as error:
        raise CalibrationError(f"{empty}, {start}: {error}") from None
    reader = Reader(profile)
    looked = reader.look(full)
    sighting = reader.sighting(looked)
    if overlay is not None:
        save_picture(overlay, draw_overlay(full, profile, sighting, looked))
    profile.save(output)
    return assess(profile, full, sighting).report()


def read_files(
    table: Path,
    frames: Sequence[Path],
    json_lines: bool,
    overlay: Path | None,
    out: TextIO,
    err: TextIO,
) -> int:
    """Reads frames against a table's profile and prints what is seen; the exit status.

    A frame that cannot be read gets one line on `err` and the status 2; the others are still read.
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
            print(f"uckers-table: {error}", file=err)
            status = _UNUSABLE
            continue
        seen = {"frame": str(path), **sighting.to_json()}
        if json_lines:
            print(json.dumps(seen), file=out, flush=True)
        else:
            pieces = "  ".join(
                f"{colour} {' '.join(str(s) for s in steps)}" for colour, steps in sighting.pieces.items()
            )
            print(f"{path}: {pieces}", file=out, flush=True)
    return status


def dice_files(photos: Sequence[Path], json_lines: bool, out: TextIO, err: TextIO) -> int:
    """Reads the dice in pictures of any table and prints them; the exit status.

    A picture that cannot be read gets one line on `err` and the status 2; the others are still read.
    """
    status = 0
    for path in photos:
        try:
            dice = read_dice(load_picture(path))
        except InputError as error:
            print(f"uckers-table: {error}", file=err)
            status = _UNUSABLE
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

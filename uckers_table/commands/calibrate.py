"""`uckers-table calibrate`: learns a table from a picture of the bare board and one with all pieces."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from uckers_table.commands.printing import told_on
from uckers_table.errors import CalibrationError, InputError
from uckers_table.machine.progress import Progress
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.overlay import draw_overlay
from uckers_table.vision.picture.files import load_picture, save_picture
from uckers_table.vision.place.lens import published_lens
from uckers_table.vision.quality import assess
from uckers_table.vision.reader import Reader
from uckers_table.vision.settings import keep_settings, read_settings

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


_NEGATIVE = re.compile(r"-[\d.]+(,-?[\d.]+)?$")


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("calibrate", help="learn a table from two pictures")
    # The board's rim may lie a little outside the picture: a point that begins with a minus is no option.
    parser._negative_number_matcher = _NEGATIVE
    parser.add_argument("--empty", required=True, type=Path, help="a picture of the bare board")
    parser.add_argument("--start", required=True, type=Path, help="the same with all pieces in their bases")
    parser.add_argument("--seats", required=True, help="colours clockwise, as in red,green,yellow,blue")
    parser.add_argument("--top-left", metavar="COLOUR", help="whose base is at the picture's top left")
    parser.add_argument(
        "--strange",
        metavar="SEATS",
        help="the seats of which one piece has another paint, as in red or red,blue",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--corners", nargs=4, metavar="X,Y", help="the board's corners in pixels, clockwise from the top left"
    )
    where.add_argument(
        "--aruco", action="store_true", help="find the board by printed stickers (calibration/stickers.svg)"
    )
    parser.add_argument(
        "--camera", type=Path, metavar="CAMERA.toml", help="the camera's profile, of calibration/cameras"
    )
    parser.add_argument(
        "--settings", type=Path, metavar="SETTINGS.toml", help="what the camera is locked at, of `photo`"
    )
    parser.add_argument("--overlay", type=Path, metavar="PICTURE", help="write what was found, drawn in")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        type=Path,
        metavar="TABLE.toml",
        help="where the table's profile goes",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the table's profile, and say how good it is. The exit status."""
    # First: where they cannot be used, no profile is written without them.
    settings = read_settings(arguments.settings) if arguments.settings is not None else {}
    report = calibrate_files(
        arguments.empty,
        arguments.start,
        tuple(colour.strip() for colour in arguments.seats.split(",")),
        arguments.output,
        top_left=arguments.top_left,
        corners=[_point(text) for text in arguments.corners] if arguments.corners else None,
        overlay=arguments.overlay,
        stickers=arguments.aruco,
        camera=arguments.camera,
        strange=tuple(seat.strip() for seat in arguments.strange.split(",")) if arguments.strange else (),
    )
    if settings:
        keep_settings(settings, arguments.output)
    print(f"{arguments.output}: calibrated", report, sep="\n")
    return 0


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
    strange: tuple[str, ...] = (),
) -> str:
    """Learn the table that two picture files show, write its profile to `output`, and return the report.

    `overlay` is where the start picture goes with what was found drawn on it, `camera` a camera's profile.
    `strange` names the seats of which one piece has another paint.
    InputError or CalibrationError name the picture that cannot be used; nothing is written then.
    """
    with told_on(sys.stderr) as tell:
        tell(Progress("Reading the pictures", 1, 4))
        bare, full = load_picture(empty), load_picture(start)
        lens = published_lens(camera, bare.shape[1], bare.shape[0]) if camera else None
        tell(Progress("Finding the board and its pieces", 2, 4))
        try:
            profile = calibrate(
                bare, full, seats, top_left, corners, stickers=stickers, lens=lens, strange=strange
            )
        except CalibrationError as error:
            raise CalibrationError(f"{empty}, {start}: {error}") from None
        tell(Progress("Reading the pieces back", 3, 4))
        reader = Reader(profile)
        looked = reader.look(full)
        sighting = reader.sighting(looked)
        if overlay is not None:
            save_picture(overlay, draw_overlay(full, profile, sighting, looked))
        tell(Progress("Writing the profile", 4, 4))
        profile.save(output)
        return assess(profile, full, sighting).report()


def _point(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--corners: {text!r} is not a point; write four of them as X,Y in pixels") from None
    return x, y

"""Pictures to calibrate from: the camera focused once, and locked from then on."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.devices.cameras import WebcamCamera
from uckers_table.devices.pi_camera import Picamera2Camera
from uckers_table.devices.tray_eye import TRAY_PICTURE
from uckers_table.errors import DeviceError
from uckers_table.machine.files import is_there
from uckers_table.vision.picture.files import save_picture
from uckers_table.vision.settings import read_settings, write_settings

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs

_SETTLING = 5
"""Frames until what a camera was told at its start has arrived."""
_USB = {"webcam": (1920, 1080), "tray": TRAY_PICTURE}
"""The size of picture by what the USB camera is over."""


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "photo",
        help="take a picture with the table's camera, focused once and locked",
        description="Takes one picture. Where there is no settings' file yet, the camera focuses, lets "
        "exposure and colours settle, and writes what it is locked at; where there is one, it is locked at "
        "that. So take the bare board first, then all pieces in base, and give the file to `calibrate` too.",
    )
    parser.add_argument("picture", type=Path, metavar="PICTURE.jpg", help="where the picture goes")
    parser.add_argument(
        "--settings",
        required=True,
        type=Path,
        metavar="SETTINGS.toml",
        help="what the camera is locked at: written by the first picture, kept by later ones",
    )
    parser.add_argument(
        "--camera", choices=("picamera2", "webcam", "tray"), default="picamera2", help="which camera takes it"
    )
    parser.add_argument(
        "--source", default="0", help="which USB camera: its number, path or part of its name"
    )
    parser.add_argument(
        "--mains", type=int, choices=(50, 60), default=50, help="the lamps' mains frequency in Hz"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Take the picture. The exit status."""
    return take_photo(
        arguments.picture,
        arguments.settings,
        camera=arguments.camera,
        source=arguments.source,
        mains_hz=arguments.mains,
        out=sys.stdout,
    )


def take_photo(
    picture: Path, settings_file: Path, *, camera: str, source: str, mains_hz: int, out: TextIO
) -> int:
    """Take one picture and keep what the camera is locked at, or use what was kept. The exit status.

    DeviceError when the camera does not answer or finds no focus; InputError for a file that cannot be used.
    """
    settings = read_settings(settings_file) if is_there(settings_file) else None
    with closing(_opened(camera, source, settings)) as opened:
        locked = dict(settings) if settings is not None else opened.lock(mains_hz=mains_hz)
        for _ in range(_SETTLING):
            frame = opened.read()
    if frame is None:
        raise DeviceError(f"the {camera} gave no picture: try again")
    save_picture(picture, frame.image)
    if settings is None and locked:
        write_settings(locked, settings_file)
    told = ", ".join(f"{name} {value:g}" for name, value in locked.items()) or "what it chose itself"
    height, width = frame.image.shape[:2]
    print(f"{picture}: {width} × {height}, locked at {told}", file=out)
    if locked.get("flicker_period_us") == 0:
        print(
            "The light is too bright for an exposure that evens out lamps' flicker: shade them, unless it is "
            "daylight.",
            file=out,
        )
    return 0


def _opened(camera: str, source: str, settings: Mapping[str, float] | None) -> WebcamCamera | Picamera2Camera:
    if camera in _USB:
        return WebcamCamera(source, size=_USB[camera], settings=settings)
    return Picamera2Camera(settings=settings)

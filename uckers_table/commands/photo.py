"""Pictures to calibrate from: the camera focused once, and locked from then on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TextIO

from uckers_table.devices.cameras import WebcamCamera
from uckers_table.devices.pi_camera import Picamera2Camera
from uckers_table.devices.tray_eye import TRAY_PICTURE
from uckers_table.errors import DeviceError, InputError
from uckers_table.vision.picture.files import save_picture
from uckers_table.vision.profile import SETTINGS

_SETTLING = 5
"""Frames until what a camera was told at its start has arrived."""
_USB = {"webcam": (1920, 1080), "tray": TRAY_PICTURE}
"""The size of picture by what the USB camera is over."""


def take_photo(
    picture: Path, settings_file: Path, *, camera: str, source: str, mains_hz: int, out: TextIO
) -> int:
    """Take one picture and keep what the camera is locked at, or use what was kept. The exit status.

    DeviceError when the camera does not answer or finds no focus; InputError for a file that cannot be used.
    """
    settings = read_settings(settings_file) if settings_file.exists() else None
    with closing(_opened(camera, source, settings)) as opened:
        locked = dict(settings) if settings is not None else opened.lock(mains_hz=mains_hz)
        for _ in range(_SETTLING):
            frame = opened.read()
    if frame is None:
        raise DeviceError(f"the {camera} gave no picture: try again")
    save_picture(picture, frame.image)
    if settings is None and locked:
        settings_file.write_text(_to_toml(locked), encoding="utf-8")
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


def read_settings(path: Path) -> dict[str, float]:
    """What a camera is locked at, out of a file; InputError for anything else."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; let `uckers-table photo` write it") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not TOML ({error}); let `uckers-table photo` write it anew") from None
    for name, value in data.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if name not in SETTINGS or not is_number or value < 0:
            raise InputError(
                f"{path}: key '{name}' is {value!r}; known are numbers called {', '.join(SETTINGS)}"
            )
    return {name: float(value) for name, value in data.items()}


def keep_settings(settings: Mapping[str, float], profile_file: Path) -> None:
    """Write what its camera is locked at into a table's profile that `calibrate` has just written."""
    # Into the text: a profile that is loaded and saved has its picture packed once more, and loses by it.
    text = profile_file.read_text(encoding="utf-8")
    for name, value in settings.items():
        text = text.replace(f"\n# {name} =\n", f"\n{name} = {value}\n", 1)
    part = profile_file.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(profile_file)


def _to_toml(settings: Mapping[str, float]) -> str:
    lines = [f"{name} = {settings[name]}" for name in SETTINGS if name in settings]
    return "\n".join(["# What the camera is locked at, measured by `uckers-table photo`.", *lines]) + "\n"

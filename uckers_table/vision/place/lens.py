"""Camera profiles: what is published of a camera's view, to begin a calibration with.

A flat board seen from above hardly tells a high, narrow lens from a low, wide one. So calibration begins with
the published view, and measures the rest.
"""

from __future__ import annotations

from math import radians, tan
from pathlib import Path
from typing import Any

from uckers_table.errors import ProfileError
from uckers_table.foreign.documents import toml_of


def published_focal_px(path: Path, width: int, height: int) -> float:
    """The focal length, in pixels, that a camera's profile gives for pictures of this size.

    A picture whose size is none of the profile's modes is taken to show the camera's full view. A
    ProfileError says what is wrong in the file.
    """
    try:
        data = toml_of(path)
    except OSError as error:
        raise ProfileError(
            f"{path}: cannot be read ({error.strerror}): --camera takes one of calibration/cameras"
        ) from None
    except ValueError as error:
        raise ProfileError(f"{path}: is no camera profile ({error})") from None
    view_deg = _number(data.get("view_deg"), path, "view_deg")
    if not 10 < view_deg < 150:
        raise ProfileError(
            f"{path}: key 'view_deg' is {view_deg:g}: it is the view across the picture in degrees"
        )
    share = 1.0
    modes = data.get("modes", [])
    if not isinstance(modes, list) or not all(isinstance(mode, dict) for mode in modes):
        raise ProfileError(f"{path}: key 'modes' makes no sense: write [[modes]] tables")
    for mode in modes:
        if (mode.get("width"), mode.get("height")) == (width, height):
            share = _number(mode.get("share", 1.0), path, "modes.share")
    if not 0 < share <= 1:
        raise ProfileError(
            f"{path}: key 'modes.share' is {share:g}: it is the part of the full width that is seen"
        )
    return width / share / 2 / tan(radians(view_deg / 2))


def _number(value: Any, path: Path, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ProfileError(
            f"{path}: key '{key}' is {'missing' if value is None else f'{value!r}, no number'}"
        )
    return float(value)

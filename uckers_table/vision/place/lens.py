"""Camera profiles: what is published of a camera's view, to begin a calibration with.

A flat board seen from above hardly tells a high, narrow lens from a low, wide one. So calibration begins with
the published view, and measures the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import radians, tan
from pathlib import Path
from typing import Any

from uckers_table.errors import ProfileError
from uckers_table.foreign.documents import toml_of

MODULE_3_FOCAL = 0.77
"""Focal length over picture width of a Camera Module 3 (66 degrees published): where the search starts."""
WIDE_FOCAL, WIDE_K1 = 0.433, -0.0425
"""The same of a Camera Module 3 Wide, and its bend, by its published view of 102 × 67 degrees."""


_WIDE = "imx708_wide"


@dataclass(frozen=True)
class Lens:
    """A lens before it is measured: its focal length in pixels, and its bend (see `CameraModel`)."""

    focal_px: float
    k1: float = 0.0


def usual_lens(width: int, height: int) -> Lens:
    """A Camera Module 3's, for pictures of this size, upright or not."""
    return Lens(MODULE_3_FOCAL * max(width, height))


def wide_lens(width: int, height: int) -> Lens:
    """A Camera Module 3 Wide's, for pictures of this size, upright or not."""
    return Lens(WIDE_FOCAL * max(width, height), WIDE_K1)


def lens_of(model: str, width: int, height: int) -> Lens | None:
    """The lens that comes with a sensor, by the name that the camera itself gives, as in "imx708_wide_noir".

    None if its view is near a Camera Module 3's, or if it takes lenses of all sorts.
    """
    return wide_lens(width, height) if model.startswith(_WIDE) else None


def published_lens(path: Path, width: int, height: int) -> Lens:
    """The lens that a camera's profile gives for pictures of this size, upright or not.

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
    view_deg = _degrees(data.get("view_deg"), path, "view_deg", "across")
    share = 1.0
    modes = data.get("modes", [])
    if not isinstance(modes, list) or not all(isinstance(mode, dict) for mode in modes):
        raise ProfileError(f"{path}: key 'modes' makes no sense: write [[modes]] tables")
    long, short = max(width, height), min(width, height)
    for mode in modes:
        if (mode.get("width"), mode.get("height")) == (long, short):
            share = _number(mode.get("share", 1.0), path, "modes.share")
    if not 0 < share <= 1:
        raise ProfileError(
            f"{path}: key 'modes.share' is {share:g}: it is the part of the full width that is seen"
        )
    half_px, half = long / share / 2, tan(radians(view_deg / 2))
    if "view_down_deg" not in data:
        return Lens(half_px / half)
    down = tan(radians(_degrees(data["view_down_deg"], path, "view_down_deg", "down") / 2))
    return _bent(half, down, half_px, short / share / 2)


def _bent(across: float, down: float, across_px: float, down_px: float) -> Lens:
    """The lens that shows these tangents, `across` and `down`, at these pixels from the picture's middle.

    Both lie on one curve, px = focal_px · tangent · (1 + k1 · tangent²).
    """
    rise, fall = across_px / across, down_px / down
    bend_px = (rise - fall) / (across**2 - down**2)
    focal_px = fall - bend_px * down**2
    return Lens(focal_px, bend_px / focal_px)


def _degrees(value: Any, path: Path, key: str, way: str) -> float:
    degrees = _number(value, path, key)
    if not 10 < degrees < 150:
        raise ProfileError(f"{path}: key '{key}' is {degrees:g}: it is the view {way} the picture in degrees")
    return degrees


def _number(value: Any, path: Path, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ProfileError(
            f"{path}: key '{key}' is {'missing' if value is None else f'{value!r}, no number'}"
        )
    return float(value)

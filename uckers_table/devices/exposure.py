"""The settings that a camera over a table is locked at: pure arithmetic, and the names that libcamera has.

Exposure, gain, white balance and focus are measured once and then locked, so that a hand or a cloud does not
change what colours look like. The settings' names are those of a table's profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from uckers_table.errors import InputError

LONG_US = 50_000.0
"""A multiple of the flicker period of lamps at 50 Hz (10 ms) and at 60 Hz (8.33 ms) alike."""
FRAME_US = 100_000
"""Ten frames a second; the longest exposure too."""
MOST_GAIN = 8.0
"""Beyond that noise is worse than the motion blur of an exposure twice as long."""
MAINS_HZ = (50, 60)
FOCUSING_US = 33_333
"""Thirty frames a second, while the lens is moved: at ten a cycle of autofocus over a table took 25 seconds
(picamera2 #884)."""
ON_THE_BOARD = 0.75
"""The side of the square in the picture's middle that is focused on, as a share of the picture's height. The
board is 0.78 of it with the lens as high as it goes (1.05 m), and more below."""
_MANUAL_FOCUS, _FOCUS_BY_WINDOWS = 0, 1


def locked_exposure(exposure_us: float, gain: float, *, mains_hz: int = 50) -> tuple[float, float, float]:
    """Exposure (µs), gain and flicker period (µs) that let in as much light as was measured.

    The exposure is a multiple of the lamps' flicker period, so that no bands run through the picture: 50 ms,
    which suits both mains frequencies, or a shorter one where that is too bright. Where even one period is
    too bright, the exposure is what was measured, and the period 0: daylight does not flicker, and lamps so
    bright will show. InputError for other frequencies than 50 and 60 Hz.
    """
    if mains_hz not in MAINS_HZ:
        raise InputError(f"the mains frequency is {mains_hz} Hz; it is 50 or 60")
    period_us = 1e6 / (2 * mains_hz)
    light = exposure_us * max(gain, 1.0)
    if light >= LONG_US * MOST_GAIN:
        return FRAME_US, light / FRAME_US, period_us
    if light >= LONG_US:
        return LONG_US, light / LONG_US, period_us
    if light < period_us:
        return light, 1.0, 0.0
    locked_us = period_us * (light // period_us)
    return locked_us, light / locked_us, period_us


def exposures(*, mains_hz: int = 50) -> list[tuple[float, float]]:
    """Exposures (µs) to be tried where a camera does not tell what it measured, longest first, each with the
    flicker period that it is a multiple of; 0 for those too short for one.
    """
    period_us = 1e6 / (2 * mains_hz)
    even = [(period_us * periods, period_us) for periods in range(int(LONG_US / period_us), 0, -1)]
    return even + [(period_us / halved, 0.0) for halved in (2, 4, 8, 16)]


def libcamera_controls(settings: Mapping[str, float]) -> dict[str, Any]:
    """The controls that lock a camera at a profile's settings; what they leave out stays automatic."""
    controls: dict[str, Any] = {"FrameDurationLimits": (FRAME_US, FRAME_US)}
    if "exposure_us" in settings:
        controls |= {
            "AeEnable": False,
            "ExposureTime": round(settings["exposure_us"]),
            "AnalogueGain": settings.get("gain", 1.0),
        }
    if {"red_gain", "blue_gain"} <= settings.keys():
        controls |= {"AwbEnable": False, "ColourGains": (settings["red_gain"], settings["blue_gain"])}
    if "lens_position" in settings:
        controls |= {"AfMode": _MANUAL_FOCUS, "LensPosition": settings["lens_position"]}
    return controls


def focus_window(seen: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """The part of what a camera sees in which its lens is to be focused.

    Both are (left, top, width, height) in the dots of the sensor, of which a mode may see a part.
    """
    left, top, width, height = seen
    side = round(ON_THE_BOARD * min(width, height))
    return left + (width - side) // 2, top + (height - side) // 2, side, side


def focusing_controls() -> dict[str, Any]:
    """The controls with which a camera starts whose lens is to be focused."""
    return {"FrameDurationLimits": (FOCUSING_US, FOCUSING_US)}


def window_controls(seen: tuple[int, int, int, int]) -> dict[str, Any]:
    """The controls by which the lens is focused on the board; `seen` as for `focus_window`."""
    return {"AfMetering": _FOCUS_BY_WINDOWS, "AfWindows": [focus_window(seen)]}


def focused_controls(lens_position: float | None) -> dict[str, Any]:
    """The controls that keep a lens where it reports to be, at the frame rate that the camera will have."""
    controls: dict[str, Any] = {"FrameDurationLimits": (FRAME_US, FRAME_US)}
    if lens_position is not None:
        controls |= {"AfMode": _MANUAL_FOCUS, "LensPosition": lens_position}
    return controls


def measured_settings(metadata: Mapping[str, Any], *, mains_hz: int = 50) -> dict[str, float]:
    """A profile's settings out of the metadata of a frame that a camera took on its own."""
    exposure_us, gain, period_us = locked_exposure(
        float(metadata["ExposureTime"]), float(metadata["AnalogueGain"]), mains_hz=mains_hz
    )
    settings = {"exposure_us": exposure_us, "gain": gain, "flicker_period_us": period_us}
    if "ColourGains" in metadata:
        red, blue = metadata["ColourGains"]
        settings |= {"red_gain": float(red), "blue_gain": float(blue)}
    # The position that the lens reports, not one that it was asked for: modules differ.
    if "LensPosition" in metadata:
        settings["lens_position"] = float(metadata["LensPosition"])
    return {name: round(value, 4) for name, value in settings.items()}

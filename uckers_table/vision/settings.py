"""What a camera is locked at: exposure, gain, white balance and focus, measured once and kept in a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from uckers_table.errors import InputError
from uckers_table.foreign.documents import toml_of
from uckers_table.machine.files import write_whole

SETTINGS = ("exposure_us", "gain", "red_gain", "blue_gain", "lens_position", "flicker_period_us")
"""The settings that are locked at calibration. `lens_position` is in dioptres. The exposure is a multiple of
`flicker_period_us`, the period of the lamps' flicker.
"""


def read_settings(path: Path) -> dict[str, float]:
    """What a camera is locked at, out of a file; InputError for anything else."""
    try:
        data = toml_of(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; let `uckers-table photo` write it") from None
    except ValueError as error:
        raise InputError(f"{path}: not TOML ({error}); let `uckers-table photo` write it anew") from None
    for name, value in data.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if name not in SETTINGS or not is_number or value < 0:
            raise InputError(
                f"{path}: key '{name}' is {value!r}; known are numbers called {', '.join(SETTINGS)}"
            )
    return {name: float(value) for name, value in data.items()}


def write_settings(settings: Mapping[str, float], path: Path) -> None:
    """Write them into a file of their own, which `read_settings` reads."""
    lines = [f"{name} = {settings[name]}" for name in SETTINGS if name in settings]
    head = "# What the camera is locked at, measured by `uckers-table photo`."
    write_whole(path, "\n".join([head, *lines]) + "\n")


def keep_settings(settings: Mapping[str, float], profile_file: Path) -> None:
    """Write what its camera is locked at into a table's profile that `calibrate` has just written."""
    # Into the text: a profile that is loaded and saved has its picture packed once more, and loses by it.
    text = profile_file.read_text(encoding="utf-8")
    for name, value in settings.items():
        text = text.replace(f"\n# {name} =\n", f"\n{name} = {value}\n", 1)
    write_whole(profile_file, text)

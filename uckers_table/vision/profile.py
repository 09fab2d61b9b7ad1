"""A table profile: what calibration learned about one camera over one table, as one TOML file.

The picture of the bare board is kept inside it (base64 JPEG), because everything is compared with it.
"""

from __future__ import annotations

import base64
import binascii
import textwrap
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from uckers_table.errors import ProfileError, RulesError
from uckers_table.game.board import Board, Plan
from uckers_table.vision.camera import Camera, Image

FORMAT = 1
_QUALITY = 95
_CAMERA_KEYS = ("focal_px", "cx_px", "cy_px", "k1")
_SETTINGS = ("exposure_us", "gain", "red_gain", "blue_gain", "lens_position")

Spot = tuple[float, float]
Reflected = tuple[float, float, float]


@dataclass(frozen=True)
class TableProfile:
    """One table as its camera sees it.

    `base_spots_mm`: per seat, where its four pieces stand in its base.
    `piece_colours`: per seat, the blue, green and red that its pieces send back (white paint = 1). `bare`:
    the picture of the bare board, BGR. `settings`: the camera's exposure, gains and focus at calibration,
    where known.
    """

    seats: tuple[str, ...]
    camera: Camera
    piece_height_mm: float
    piece_diameter_mm: float
    base_spots_mm: tuple[tuple[Spot, ...], ...]
    piece_colours: tuple[Reflected, ...]
    bare: Image = field(repr=False, compare=False)
    settings: Mapping[str, float] = field(default_factory=dict)

    @property
    def plan(self) -> Plan:
        """The board's plan with these seats."""
        return Plan(Board(self.seats))

    def check_size(self, picture: Image) -> None:
        """ProfileError for a picture of another size than the profile's."""
        height, width = picture.shape[:2]
        if (width, height) != (self.camera.width, self.camera.height):
            raise ProfileError(
                f"the picture is {width} × {height}, the table was calibrated at "
                f"{self.camera.width} × {self.camera.height}: use that mode, or calibrate again"
            )

    def to_toml(self) -> str:
        """The text of the profile's file."""
        done, jpeg = cv2.imencode(".jpg", self.bare, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        if not done:
            raise ProfileError("the picture of the bare board could not be packed")
        c = self.camera
        lines = [
            "# A table, learned by `uckers-table calibrate`. Millimetres of the plan, pixels of the picture.",
            f"format = {FORMAT}",
            f"seats = {_strings(self.seats)}",
            f"piece_height_mm = {self.piece_height_mm:.2f}",
            f"piece_diameter_mm = {self.piece_diameter_mm:.2f}",
            "",
            "[camera]",
            f"width = {c.width}",
            f"height = {c.height}",
            *(f"{key} = {getattr(c, key):.6f}" for key in _CAMERA_KEYS),
            f"rvec = {_numbers(c.rvec, 8)}",
            f"t_mm = {_numbers(c.t_mm, 4)}",
            "",
            "[settings]",
            *(f"{key} = {value}" for key, value in self.settings.items()),
        ]
        for colour, spots, reflected in zip(self.seats, self.base_spots_mm, self.piece_colours, strict=True):
            lines += [
                "",
                f"[pieces.{colour}]",
                f"reflected_bgr = {_numbers(reflected, 4)}",
                f"base_spots_mm = [{', '.join(_numbers(spot, 2) for spot in spots)}]",
            ]
        packed = textwrap.fill(base64.b64encode(jpeg.tobytes()).decode("ascii"), 120)
        return "\n".join(
            [*lines, "", "[bare]", "# The bare board, a JPEG in base64.", f'jpeg = """\n{packed}"""', ""]
        )

    def save(self, path: Path) -> None:
        """Writes the file whole or not at all."""
        part = path.with_name(path.name + ".part")
        try:
            part.write_text(self.to_toml(), encoding="utf-8")
            part.replace(path)
        except OSError as error:
            raise ProfileError(f"{path}: cannot be written ({error.strerror})") from None

    @classmethod
    def load(cls, path: Path) -> TableProfile:
        """The profile in a file; ProfileError names the file and what is wrong in it."""
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise ProfileError(f"{path}: cannot be read ({error.strerror}): run calibrate first") from None
        except UnicodeDecodeError:
            raise ProfileError(f"{path}: is no table profile: run calibrate again") from None
        return cls.from_toml(text, str(path))

    @classmethod
    def from_toml(cls, text: str, name: str = "the table profile") -> TableProfile:
        """The profile that `to_toml` wrote; ProfileError names the key that is missing or wrong."""
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ProfileError(f"{name}: torn or not TOML ({error}): run calibrate again") from None
        if data.get("format") != FORMAT:
            raise ProfileError(
                f"{name}: key 'format' is {data.get('format')!r}, not {FORMAT}: run calibrate again"
            )
        reading = _Reading(data, name)
        seats = tuple(reading.get("seats", lambda v: [str(s) for s in v]))
        try:
            Board(seats)
        except RulesError as error:
            raise ProfileError(f"{name}: {error}") from None
        camera = Camera(
            width=reading.get("camera.width", int),
            height=reading.get("camera.height", int),
            rvec=reading.get("camera.rvec", _triple),
            t_mm=reading.get("camera.t_mm", _triple),
            **{key: reading.get(f"camera.{key}", float) for key in _CAMERA_KEYS},
        )
        bare = reading.get("bare.jpeg", _unpacked)
        if bare.shape[1::-1] != (camera.width, camera.height):
            raise ProfileError(
                f"{name}: key 'bare.jpeg' is of another size than 'camera': run calibrate again"
            )
        return cls(
            seats=seats,
            camera=camera,
            piece_height_mm=reading.get("piece_height_mm", float),
            piece_diameter_mm=reading.get("piece_diameter_mm", float),
            base_spots_mm=tuple(reading.get(f"pieces.{c}.base_spots_mm", _spots) for c in seats),
            piece_colours=tuple(reading.get(f"pieces.{c}.reflected_bgr", _triple) for c in seats),
            bare=bare,
            settings={k: float(v) for k, v in data.get("settings", {}).items() if k in _SETTINGS},
        )


@dataclass(frozen=True)
class _Reading:
    """Takes dotted keys out of a parsed file, naming the one that fails."""

    data: Mapping[str, Any]
    name: str

    def get(self, key: str, kind: Any) -> Any:
        value: Any = self.data
        for part in key.split("."):
            if not isinstance(value, Mapping) or part not in value:
                raise ProfileError(f"{self.name}: key '{key}' is missing: run calibrate again")
            value = value[part]
        try:
            return kind(value)
        except (TypeError, ValueError, IndexError):
            raise ProfileError(f"{self.name}: key '{key}' makes no sense: run calibrate again") from None


def _triple(value: Any) -> tuple[float, float, float]:
    a, b, c = value
    return float(a), float(b), float(c)


def _spots(value: Any) -> tuple[Spot, ...]:
    return tuple((float(x), float(y)) for x, y in value)


def _unpacked(value: str) -> Image:
    try:
        packed = np.frombuffer(base64.b64decode("".join(value.split()), validate=True), dtype=np.uint8)
    except binascii.Error as error:
        raise ValueError(str(error)) from None
    picture = cv2.imdecode(packed, cv2.IMREAD_COLOR) if len(packed) else None
    if picture is None:
        raise ValueError("no picture")
    return np.asarray(picture, dtype=np.uint8)


def _numbers(values: tuple[float, ...], places: int) -> str:
    return "[" + ", ".join(f"{v:.{places}f}" for v in values) + "]"


def _strings(values: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{v}"' for v in values) + "]"

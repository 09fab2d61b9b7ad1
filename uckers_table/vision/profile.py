"""A table profile: what calibration learned about one camera over one table, as one TOML file.

The picture of the bare board is kept inside it (base64 JPEG), because everything is compared with it.
"""

from __future__ import annotations

import base64
import binascii
import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from uckers_table.errors import InputError, ProfileError, RulesError
from uckers_table.foreign.documents import text_of, toml_from
from uckers_table.foreign.pictures import decoded
from uckers_table.game.board import BASE, PIECES, Board, Plan
from uckers_table.machine.files import write_whole
from uckers_table.vision.picture.arrays import Image
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.settings import SETTINGS

FORMAT = 1
_QUALITY = 95
_CAMERA_KEYS = ("focal_px", "cx_px", "cy_px", "k1", "k2")

Spot = tuple[float, float]
Reflected = tuple[float, float, float]


@dataclass(frozen=True)
class TableProfile:
    """One table as its camera sees it.

    `base_spots_mm`: per seat, where its four pieces stand in its base.
    `piece_colours`: per seat, the blue, green and red that its pieces send back (white paint = 1).
    `plain_colours`: the same without the lamp or window that some pieces mirror in their base. They equal
    `piece_colours` where none does. `strange_colours`: per seat, what its pieces of other paints send back.
    `bare`: the picture of the bare board, BGR. `settings`: those of `SETTINGS` that a camera backend locked;
    empty for pictures from files.
    """

    seats: tuple[str, ...]
    camera: CameraModel
    piece_height_mm: float
    piece_diameter_mm: float
    base_spots_mm: tuple[tuple[Spot, ...], ...]
    piece_colours: tuple[Reflected, ...]
    bare: Image = field(repr=False, compare=False)
    settings: Mapping[str, float] = field(default_factory=dict)
    plain_colours: tuple[Reflected, ...] = ()
    strange_colours: tuple[tuple[Reflected, ...], ...] = ()

    def __post_init__(self) -> None:
        if not self.plain_colours:
            object.__setattr__(self, "plain_colours", self.piece_colours)
        if not self.strange_colours:
            object.__setattr__(self, "strange_colours", ((),) * len(self.seats))

    @property
    def paints(self) -> list[tuple[Reflected, ...]]:
        """All that pieces send back: paint by paint, one of each seat. A seat with fewer has one twice."""
        plain = [self.plain_colours] if self.plain_colours != self.piece_colours else []
        most = max(map(len, self.strange_colours))
        strange = [
            tuple(
                others[k] if k < len(others) else own
                for others, own in zip(self.strange_colours, self.piece_colours, strict=True)
            )
            for k in range(most)
        ]
        return [self.piece_colours, *plain, *strange]

    def with_paint(self, base: str, paint: Reflected) -> TableProfile:
        """The same table, where a piece of the seat of that base has one more paint."""
        known = zip(self.seats, self.strange_colours, strict=True)
        strange = ((*paints, paint) if seat == base else paints for seat, paints in known)
        return replace(self, strange_colours=tuple(strange))

    @property
    def plan(self) -> Plan:
        """The board's plan with these seats."""
        return Plan(Board(self.seats))

    def middle_mm(self, seat: int, steps: int) -> tuple[float, float]:
        """The middle of a place on the plan: of a base's four spots, of the seat's triangle at home."""
        plan = self.plan
        cell = plan.cell(seat, steps)
        if cell is not None:
            return plan.centre_mm(cell)
        if steps == BASE:
            x, y = np.mean(self.base_spots_mm[seat], axis=0)
            return float(x), float(y)
        arm = plan.board.arm_length
        return plan.centre_mm(plan.turned((arm, arm + 1), seat))

    def check_size(self, picture: Image) -> None:
        """Raises ProfileError if the picture has another size than the profile's."""
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
            "# What the camera locked at calibration; pictures from files leave it out.",
            *(f"{key} = {self.settings[key]}" if key in self.settings else f"# {key} =" for key in SETTINGS),
        ]
        learned = self.base_spots_mm, self.piece_colours, self.plain_colours, self.strange_colours
        for colour, spots, reflected, plain, strange in zip(self.seats, *learned, strict=True):
            lines += [
                "",
                f"[pieces.{colour}]",
                f"reflected_bgr = {_numbers(reflected, 4)}",
                *([f"plain_bgr = {_numbers(plain, 4)}"] if plain != reflected else []),
                *([f"strange_bgr = [{', '.join(_numbers(one, 4) for one in strange)}]"] if strange else []),
                f"base_spots_mm = [{', '.join(_numbers(spot, 2) for spot in spots)}]",
            ]
        packed = textwrap.fill(base64.b64encode(jpeg.tobytes()).decode("ascii"), 120)
        return "\n".join(
            [*lines, "", "[bare]", "# The bare board, a JPEG in base64.", f'jpeg = """\n{packed}"""', ""]
        )

    def save(self, path: Path) -> None:
        """Writes the file whole or not at all, even if the power fails meanwhile."""
        try:
            write_whole(path, self.to_toml())
        except OSError as error:
            raise ProfileError(f"{path}: cannot be written ({error.strerror})") from None

    @classmethod
    def load(cls, path: Path) -> TableProfile:
        """The profile in a file. A ProfileError names the file and what is wrong in it."""
        try:
            text = text_of(path)
        except OSError as error:
            raise ProfileError(f"{path}: cannot be read ({error.strerror}): run calibrate first") from None
        except ValueError:
            raise ProfileError(f"{path}: is no table profile: run calibrate again") from None
        return cls.from_toml(text, str(path))

    @classmethod
    def from_toml(cls, text: str, name: str = "the table profile") -> TableProfile:
        """The profile that `to_toml` wrote. A ProfileError names the key that is missing or wrong."""
        try:
            data = toml_from(text)
        except InputError as error:
            raise ProfileError(f"{name}: {error}: run calibrate again") from None
        except ValueError as error:
            raise ProfileError(f"{name}: torn or not TOML ({error}): run calibrate again") from None
        reading = _Reading(data, name)
        version = reading.get("format", _whole)
        if version > FORMAT:
            raise ProfileError(
                f"{name}: was written by a newer version (format {version}, this one knows {FORMAT}): "
                "bring this one up to date, or run calibrate again"
            )
        if version != FORMAT:
            raise ProfileError(f"{name}: key 'format' is {version}, not {FORMAT}: run calibrate again")
        seats = tuple(reading.get("seats", _texts))
        try:
            Board(seats)
        except RulesError as error:
            raise ProfileError(f"{name}: {error}") from None
        camera = CameraModel(
            width=reading.get("camera.width", _whole),
            height=reading.get("camera.height", _whole),
            rvec=reading.get("camera.rvec", _triple),
            t_mm=reading.get("camera.t_mm", _triple),
            focal_px=reading.get("camera.focal_px", _length),
            **{key: reading.get(f"camera.{key}", _number) for key in _CAMERA_KEYS[1:-1]},
            # Profiles of earlier versions measured one term of the bend.
            k2=reading.get("camera.k2", _number) if "k2" in reading.get("camera", _table) else 0.0,
        )
        bare = reading.get("bare.jpeg", _unpacked)
        if bare.shape[1::-1] != (camera.width, camera.height):
            raise ProfileError(
                f"{name}: key 'bare.jpeg' is of another size than 'camera': run calibrate again"
            )
        return cls(
            seats=seats,
            camera=camera,
            piece_height_mm=reading.get("piece_height_mm", _length),
            piece_diameter_mm=reading.get("piece_diameter_mm", _length),
            base_spots_mm=tuple(reading.get(f"pieces.{c}.base_spots_mm", _spots) for c in seats),
            piece_colours=tuple(reading.get(f"pieces.{c}.reflected_bgr", _triple) for c in seats),
            plain_colours=tuple(
                reading.get(f"pieces.{c}.{_plain_key(reading.get(f'pieces.{c}', _table))}", _triple)
                for c in seats
            ),
            strange_colours=tuple(_strange(reading.get(f"pieces.{c}", _table), reading, c) for c in seats),
            bare=bare,
            settings={
                key: reading.get(f"settings.{key}", _number)
                for key in SETTINGS
                if key in reading.get("settings", _table)
            },
        )


@dataclass(frozen=True)
class _Reading:
    """Takes dotted keys out of a parsed file, and names the one that fails."""

    data: Mapping[str, Any]
    name: str

    def get(self, key: str, kind: Any) -> Any:
        value: Any = self.data
        for part in key.split("."):
            if not isinstance(value, Mapping) or part not in value:
                near = get_close_matches(part, value) if isinstance(value, Mapping) else []
                typed = f" (is '{near[0]}' meant for it?)" if near else ""
                raise ProfileError(f"{self.name}: key '{key}' is missing{typed}: run calibrate again")
            value = value[part]
        try:
            return kind(value)
        except (TypeError, ValueError, IndexError, AttributeError):
            raise ProfileError(f"{self.name}: key '{key}' makes no sense: run calibrate again") from None


def _plain_key(pieces: Mapping[str, Any]) -> str:
    """The key of a seat's plain colour; a file has it only where it differs from `reflected_bgr`."""
    return "plain_bgr" if "plain_bgr" in pieces else "reflected_bgr"


def _strange(pieces: Mapping[str, Any], reading: _Reading, colour: str) -> tuple[Reflected, ...]:
    """A seat's strange paints; a file has the key only where there are some."""
    found: tuple[Reflected, ...] = ()
    if "strange_bgr" in pieces:
        found = reading.get(f"pieces.{colour}.strange_bgr", _triples)
    return found


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("no number")
    return float(value)


def _length(value: Any) -> float:
    length = _number(value)
    if length <= 0:
        raise ValueError("no length")
    return length


def _whole(value: Any) -> int:
    if type(value) is not int or value <= 0:
        raise ValueError("no whole number")
    return value


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ValueError("no list of names")
    return value


def _table(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError("no table")
    return value


def _triple(value: Any) -> tuple[float, float, float]:
    a, b, c = value
    return _number(a), _number(b), _number(c)


def _triples(value: Any) -> tuple[Reflected, ...]:
    return tuple(_triple(one) for one in value)


def _spots(value: Any) -> tuple[Spot, ...]:
    spots = tuple((_number(x), _number(y)) for x, y in value)
    if len(spots) != PIECES:
        raise ValueError("not a spot for each piece")
    return spots


def _unpacked(value: str) -> Image:
    try:
        return decoded(base64.b64decode("".join(value.split()), validate=True))
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _numbers(values: tuple[float, ...], places: int) -> str:
    return "[" + ", ".join(f"{v:.{places}f}" for v in values) + "]"


def _strings(values: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{v}"' for v in values) + "]"

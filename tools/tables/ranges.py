"""The ranges in `drawn.toml`, from which tables are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from tools.tables.look import Lamp, Light, Paints, Pair, Panel, Rgb, Triple, Weave
from tools.tables.things import things
from tools.tables.typed_toml import load

FILE = Path(__file__).with_name("drawn.toml")

Span = Pair
"""The lowest and the highest that may be drawn."""


@dataclass(frozen=True)
class Family:
    """How the tables of one letter differ from the others. The keys are those of `look.Table`."""

    shaped_dice: bool
    """Dice are drawn in all shapes, not only in colour."""
    thrown_anyhow: bool
    leant_over: bool


@dataclass(frozen=True)
class Whites:
    """White paint is drawn evenly between two colours, each channel on its own."""

    least: Rgb
    most: Rgb


@dataclass(frozen=True)
class DiePaint:
    body: Rgb
    pips: Rgb


@dataclass(frozen=True)
class Cameras:
    height_mm: Span
    aim_x_mm: Span
    aim_y_mm: Span
    tilt_deg: Span
    tilt_az_deg: Span
    yaw_off_deg: Span
    minus_k1: Span
    centre_px: Pair
    centre_off_px: Span


@dataclass(frozen=True)
class Sensors:
    white: Span
    noise: Span
    balance: Span
    blur_px: Span
    jpeg: tuple[int, int]


@dataclass(frozen=True)
class Boards:
    """Ranges of the fields of `look.Table` of the same names, and the panels to choose from."""

    ambient: Span
    piece_height_mm: Span
    piece_rough: Span
    piece_chipped: Span
    tinted_corners: Span
    varnish: Span
    varnish_rough: Span
    wear: Span
    spots_mm: Span
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class Shapes:
    """Ranges of the fields of `look.DieLook` of the same names."""

    round_mm: Span
    pip_mm: Span
    apart_mm: Span
    deep_mm: Span
    rough: Span
    coat: Span


@dataclass(frozen=True)
class Hung:
    """A lamp that hangs so far from the board's middle, and so high."""

    kind: Literal["strip", "bulb", "window", "sun"]
    away_mm: float | Span
    height_mm: float | Span
    size: Pair
    power: float
    colour: Light

    def at(self, place: Triple) -> Lamp:
        """The lamp, hung at a place."""
        return Lamp(self.kind, place, self.size, self.power, self.colour)


@dataclass(frozen=True)
class Lighting:
    """Two lamps, and the top that goes with them."""

    cloth: Rgb
    weave: Weave
    ambient_colour: Light
    lamps: tuple[Hung, Hung]


@dataclass(frozen=True)
class Lightings:
    fluoro: Lighting
    side_lamp: Lighting
    window: Lighting
    warm_bulbs: Lighting


@dataclass(frozen=True)
class Ranges:
    """What `drawn.toml` has."""

    board_off: int
    pieces_off: int
    wood_off: int
    cloth_off: int
    die_off: int
    wood: Rgb
    white_paint: Whites
    dice: tuple[DiePaint, ...]
    other_dice: tuple[DiePaint, ...]
    clockwise: float
    outlined: float
    glossy: float
    tinted: float
    bulbs_apart_deg: Span
    families: dict[str, Family]
    board: Paints
    pieces: Paints
    camera: Cameras
    sensor: Sensors
    table: Boards
    shapes: Shapes
    lights: Lightings


@cache
def ranges() -> Ranges:
    """What the file has. InputError says in one line what is wrong in it."""
    return load(FILE, Ranges, things().lights)

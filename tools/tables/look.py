"""What a table looks like, as values. A file in `looks/`, or the ranges in `drawn.toml`, give them.

Colours of paint are sRGB (0 to 255), colours of light are linear shares (red, green, blue). Places are in the
plan: x to the right and y down, from the board's top left corner, in millimetres. Azimuths turn from x to y.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Literal

Rgb = tuple[int, int, int]
Light = tuple[float, float, float]
Triple = tuple[float, float, float]
Pair = tuple[float, float]
Paints = dict[str, Rgb]
Weave = Literal["baize", "planks", "steel", "formica"]
Panel = Literal["square", "rounded", "round"]
Scheme = Literal["spots", "rings", "plain", "wood", "discs"]

BOARD_MM = 610.0


@dataclass(frozen=True)
class Lamp:
    """A light. The first lamp of a table is the main one: people stand in it, and leaves hang before it."""

    kind: Literal["strip", "bulb", "window", "sun"]
    """A strip shines down, a window has blinds and faces the board, a sun shines from far away."""
    at_mm: Triple
    """Where it hangs: x, y, and the height above the board."""
    size: Pair
    """A strip's or a window's two sides in mm; a bulb's radius in mm, or a sun's angle in degrees, twice."""
    power: float
    """How much it lights the board's middle: 1 is about as much as `ambient` 1."""
    colour: Light = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class View:
    """Where the camera hangs and looks. Its axis is the line through the middle of the picture."""

    height_mm: float
    """From the board up to the lens."""
    aim_mm: Pair
    """Where the axis meets the board."""
    tilt_deg: float
    """Between the axis and the upright."""
    tilt_az_deg: float
    """The azimuth towards which the axis goes down."""
    yaw_deg: float
    """The azimuth that points to the right in the picture."""
    k1: float
    """The lens's distortion: radius r from the middle, in focal lengths, is seen as r (1 + k1 r²)."""
    centre_px: Pair = (1151.5, 647.5)
    focal_px: float = 1773.92
    k2: float = 0.0
    """The second term of the distortion: r (1 + k1 r² + k2 r⁴)."""
    size_px: tuple[int, int] = (2304, 1296)
    """Width and height of the picture."""
    wider: float = 1.1
    """The size of the picture without distortion from which the camera's is made, beside the camera's."""


@dataclass(frozen=True)
class Sensor:
    """How the camera makes a picture of light."""

    white: float = 0.62
    """The level of white paint in the middle of the board, of 1."""
    balance: float = 0.75
    """The share of the light's colour that white balance takes out."""
    noise: float = 2.0
    """At mid-grey, in steps of 255."""
    blur_px: float = 0.6
    """A standard deviation."""
    sharpen: float = 0.3
    """The strength of the camera's own unsharp mask."""
    saturation: float = 1.1
    vignette: float = 0.25
    """The share of light that is lost in the picture's corners."""
    jpeg: tuple[int, int] = (85, 92)
    """The lowest and the highest quality; each picture draws its own."""


@dataclass(frozen=True)
class DieLook:
    """What a die looks like."""

    body: Rgb
    pips: Rgb
    round_mm: float = 1.7
    """How far its edges are rounded."""
    pip_mm: float = 1.75
    """A pip's radius."""
    apart_mm: float = 4.2
    """From the middle of a face to its outer pips, along each side."""
    deep_mm: float = 1.1545
    """How deep the pips are sunk."""
    rough: float = 0.3
    """The roughness of its paint: 0 mirrors, 1 is matt."""
    coat: float = 0.3
    """How much clear coat it has, of 1."""


@dataclass(frozen=True)
class Table:
    """One table: a board, pieces, dice, what they lie on, the light and the camera."""

    seats: tuple[str, str, str, str]
    """The colours, clockwise from the plan's top left."""
    lighting: str
    """A name for the light. It goes into the labels, and nothing else depends on it."""
    board: Paints
    """The board's paint of each colour."""
    pieces: Paints
    """The pieces' paint of each colour."""
    wood: Rgb
    cloth: Rgb
    """The colour of what the board lies on."""
    weave: Weave
    """What the board lies on."""
    lamps: tuple[Lamp, ...]
    view: View
    die: DieLook
    sensor: Sensor = field(default_factory=Sensor)
    ambient: float = 0.25
    """The light that comes evenly from all around."""
    ambient_colour: Light = (1.0, 1.0, 1.0)
    white_paint: Rgb = (226, 221, 205)
    line_paint: Rgb = (28, 28, 34)
    panel: Panel = "rounded"
    """The shape of the bases."""
    spots_mm: float = 44.0
    """From a base's middle to the middle of each of its spots, along x and along y."""
    wear: float = 0.5
    """How chipped, scratched and dirty the board is, of 1."""
    fade: float = 0.0
    """How far the board's paint has faded, of 1."""
    varnish_rough: float = 0.35
    """The roughness of the board's surface: 0 mirrors, 1 is matt."""
    varnish: float = 0.4
    """How much clear varnish lies on the board, of 1."""
    piece_height_mm: float = 17.0
    piece_diameter_mm: float = 20.4
    piece_rough: float = 0.35
    """The roughness of the pieces' paint, but for colours in `glossy`."""
    piece_painted: float = 0.75
    """The share of a piece's height that is painted, from the top down. Below, it is brass."""
    piece_chipped: float = 0.3
    """How worn the pieces' paint is, of 1."""
    glossy: tuple[str, ...] = ()
    """Colours whose pieces are enamelled."""
    scheme: Scheme = "spots"
    """How bases are painted: white spots on the seat's paint, rings on it, nothing on it; bare wood with the
    panel's outline, or with four discs of the seat's paint.
    """
    is_outlined: bool = True
    """Whether bases and their spots have painted lines."""
    tinted_corners: float = 0.0
    """How much of its colour's paint the wood of each quarter has taken, of 1."""
    thrown_anyhow: bool = False
    """Dice also lean on each other and on the board's edge, and fall up to 200 mm beside the board.
    Otherwise they lean on pieces only, and fall up to 42 mm beside it.
    """
    leant_over: bool = False
    """People lean over the board from any side. Otherwise they stand in the first lamp's light each time."""
    is_dappled: bool = False
    """Leaves hang between the first lamp and the board."""
    lettering: str = "6H MESS"


def placed(away_mm: float, azimuth_deg: float, height_mm: float) -> Triple:
    """The place at a distance from the board's middle, in a direction, at a height."""
    x, y = (BOARD_MM / 2 + away_mm * way(radians(azimuth_deg)) for way in (cos, sin))
    return x, y, height_mm

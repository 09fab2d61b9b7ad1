"""What one table looks like: paints, wood, cloth, light, and the camera's place. A seed chooses it."""

from __future__ import annotations

import random
from dataclasses import dataclass

Rgb = tuple[int, int, int]
"""A colour in sRGB, red first, 0 to 255."""

BRASS: Rgb = (176, 138, 66)
WHITE_PAINT: Rgb = (226, 221, 205)
LINES: Rgb = (28, 28, 34)

BOARD_PAINTS: dict[str, tuple[Rgb, ...]] = {
    "red": ((176, 36, 44), (196, 30, 34), (158, 40, 48)),
    "green": ((24, 108, 66), (40, 128, 66), (16, 96, 60)),
    "yellow": ((224, 166, 28), (232, 178, 44), (218, 156, 24)),
    "blue": ((44, 80, 168), (40, 94, 166), (50, 72, 156)),
    "white": ((240, 238, 230),),
    "black": ((40, 40, 44),),
}
"""Paints of the board's panels, chutes and doorsteps, by colour. Each board has its own tins."""

PIECE_PAINTS: dict[str, tuple[Rgb, ...]] = {
    "red": ((206, 26, 40), (214, 40, 34), (190, 24, 40)),
    "green": ((18, 124, 70), (30, 138, 62), (12, 108, 70)),
    "yellow": ((242, 200, 24), (246, 206, 40), (236, 186, 20)),
    "blue": ((26, 56, 140), (30, 50, 158), (24, 62, 128)),
    "white": ((246, 244, 238),),
    "black": ((30, 30, 34),),
}
"""Paints of the pieces, by colour. They are near the board's, but never from the same tin."""

WOODS: tuple[Rgb, ...] = ((206, 168, 116), (196, 150, 98), (214, 182, 134))
"""Colours of plywood."""


@dataclass(frozen=True)
class Lamp:
    """A lamp: where it hangs, and how it lights.

    `x_mm`, `y_mm`: its place on the plan. `height_mm`: how high above the board it hangs.
    `share`: its part of all light on the board's middle. The rest comes from everywhere.
    `soft_mm`: the blur of the edge of a shadow that is cast from 18 mm up.
    """

    x_mm: float
    y_mm: float
    height_mm: float
    share: float
    soft_mm: float


@dataclass(frozen=True)
class Look:
    """One table. Colours are in sRGB, lengths in mm, angles in degrees.

    `name`: for people.
    `cloth_weave`: "baize", "planks" or "steel", the table's surface.
    `panel`: the shape of the bases, "square", "rounded" or "round".
    `spot_offset_mm`: how far base spots lie from the base's middle, along x and along y.
    `tint`: the factors of all light, red first.
    `exposure`: the light that a white surface in the board's middle sends to the sensor; 1 is its most.
    `vignette`: the part of the light that is lost in the picture's corners.
    `noise`: the sensor's, in steps of 255 at mid-grey.
    `height_mm`, `tilt_deg`, `tilt_az_deg`, `yaw_deg`, `k1`: the camera's, as in `optics.Viewpoint`.
    `aim_off_mm`: where the camera aims, from the board's middle.
    """

    name: str
    board_paints: dict[str, Rgb]
    piece_paints: dict[str, Rgb]
    wood: Rgb
    cloth: Rgb
    cloth_weave: str
    panel: str
    spot_offset_mm: float
    lights: tuple[Lamp, ...]
    tint: tuple[float, float, float]
    exposure: float
    vignette: float
    noise: float
    wear: float
    gloss: float
    piece_height_mm: float
    bare_rims: bool
    die: Rgb
    pips: Rgb
    skin: Rgb
    sleeve: Rgb
    lettering: str
    height_mm: float
    tilt_deg: float
    tilt_az_deg: float
    yaw_deg: float
    k1: float
    aim_off_mm: tuple[float, float]


_SKINS: tuple[Rgb, ...] = ((226, 178, 148), (198, 146, 112), (150, 102, 74), (104, 70, 52))
_SLEEVES: tuple[Rgb, ...] = ((38, 46, 74), (104, 132, 176), (92, 96, 78), (216, 216, 212), (44, 44, 48))
_MESSES = ("3M MESS", "HMS VIGILANT", "STOKERS", "2 DECK FWD", "HMS ARGONAUT", "5K MESS")

_ROOMS: tuple[tuple[str, Rgb, str, tuple[float, float, float]], ...] = (
    ("deckhead strips on baize", (30, 92, 62), "baize", (0.98, 1.0, 0.97)),
    ("a lamp to one side", (104, 66, 44), "planks", (1.0, 0.95, 0.86)),
    ("by the scuttle", (128, 132, 138), "steel", (0.95, 0.99, 1.05)),
    ("warm bulbs", (92, 60, 42), "planks", (1.0, 0.92, 0.78)),
)
"""Light and table: name, cloth, weave, tint."""


def look_for(seed: int) -> Look:
    """The look that belongs to a seed. It is the same on every machine."""
    dice = random.Random(f"look {seed}")
    room = seed % len(_ROOMS)
    name, cloth, weave, tint = _ROOMS[room]
    die, pips = dice.choice((((236, 236, 232), (24, 24, 28)), ((190, 28, 34), (240, 238, 234))))
    return Look(
        name=name,
        board_paints={colour: dice.choice(tins) for colour, tins in BOARD_PAINTS.items()},
        piece_paints={colour: dice.choice(tins) for colour, tins in PIECE_PAINTS.items()},
        wood=dice.choice(WOODS),
        cloth=cloth,
        cloth_weave=weave,
        panel=("square", "rounded", "round", "rounded")[room],
        spot_offset_mm=dice.uniform(42.0, 46.0),
        lights=_lights(room, dice),
        tint=tint,
        exposure=(0.62, 0.58, 0.6, 0.56)[room] * dice.uniform(0.92, 1.08),
        vignette=dice.uniform(0.15, 0.3),
        noise=(1.6, 2.2, 1.8, 2.2)[room],
        wear=dice.uniform(0.2, 1.0),
        gloss=dice.uniform(0.3, 1.0),
        piece_height_mm=dice.uniform(15.5, 19.5),
        bare_rims=dice.random() < 0.4,
        die=die,
        pips=pips,
        skin=dice.choice(_SKINS),
        sleeve=dice.choice(_SLEEVES),
        lettering=dice.choice(_MESSES),
        height_mm=dice.uniform(965.0, 1000.0),
        tilt_deg=dice.uniform(0.8, 4.5),
        tilt_az_deg=dice.uniform(0.0, 360.0),
        yaw_deg=dice.uniform(-3.0, 3.0),
        k1=dice.uniform(-0.028, -0.018),
        aim_off_mm=(dice.uniform(-25.0, 25.0), dice.uniform(-8.0, 8.0)),
    )


def _lights(room: int, dice: random.Random) -> tuple[Lamp, ...]:
    jitter = dice.uniform(-120.0, 120.0)
    if room == 0:
        return (
            Lamp(-250.0, 305.0 + jitter, 1500.0, 0.3, 5.0),
            Lamp(900.0, 200.0 + jitter, 1500.0, 0.3, 5.0),
        )
    if room == 1:
        return (Lamp(dice.choice((-500.0, 1100.0)), 80.0 + jitter, 1000.0, 0.62, 1.0),)
    if room == 2:
        return (Lamp(305.0 + jitter, dice.choice((-1100.0, 1700.0)), 1100.0, 0.5, 6.0),)
    return (
        Lamp(-150.0 + jitter, -450.0, 1350.0, 0.35, 2.0),
        Lamp(800.0 + jitter, 1150.0, 1350.0, 0.3, 2.0),
    )

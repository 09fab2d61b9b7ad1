"""What `things.toml` lists: colours of light, and what lies on tables or reaches over them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.tables.look import Light, Pair, Rgb
from tools.tables.typed_toml import load

FILE = Path(__file__).with_name("things.toml")
BARE = "bare"
"""The name of a sleeve that is not there."""


@dataclass(frozen=True)
class Surface:
    """How a surface reflects: roughness (0 mirrors, 1 is matt), and how much of a metal it is, of 1."""

    rough: float
    metal: float


@dataclass(frozen=True)
class Box:
    """A flat thing: a card, a telephone, a sheet of paper, a pencil."""

    size_mm: tuple[float, float, float]
    paint: Rgb


@dataclass(frozen=True)
class Clutter:
    """What lies beside the board."""

    places_mm: tuple[Pair, ...]
    """Places in the plan. Each table shuffles them: mug first, then boxes, coins about the seventh."""
    mug_paints: tuple[Rgb, ...]
    tea: Rgb
    boxes: tuple[Box, ...]
    coin_paints: tuple[Rgb, ...]
    coins: int


@dataclass(frozen=True)
class Things:
    """All of it."""

    lights: dict[str, Light]
    """Colours of light that files in `looks/` and `drawn.toml` name."""
    weaves: dict[str, Surface]
    """What the board lies on."""
    brass: Rgb
    """The colour of a piece where it has no paint."""
    slats: Rgb
    leaf: Rgb
    skins: tuple[Rgb, ...]
    sleeves: dict[str, Rgb]
    clutter: Clutter

    def sleeve_names(self) -> tuple[str, ...]:
        """All sleeves that a hand may have, the bare arm first."""
        return (BARE, *self.sleeves)


@cache
def things() -> Things:
    """What the file lists. InputError says in one line what is wrong in it."""
    return load(FILE, Things)

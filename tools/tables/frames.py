"""What `frames.toml` lists: what a table's frames must have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from tools.tables.typed_toml import load

FILE = Path(__file__).with_name("frames.toml")

Want = Literal[
    "stack",
    "mixi",
    "crowd",
    "own_paint",
    "floor",
    "cocked",
    "off_board",
    "shadow",
    "hand",
    "bumped_board",
    "bumped_camera",
]
Lies = Literal["flat", "off_board", "cocked", "on_edge", "on_die", "touching", "alone", "glare"]
"""How a die lies."""


@dataclass(frozen=True)
class Full:
    """Frames that are full of something."""

    ways: tuple[tuple[Want, ...], ...]
    """What else the frames have, in turn."""
    dice: tuple[Lies, ...] = ()
    """How each die lies. Empty for two dice, as in a game."""


@dataclass(frozen=True)
class Frames:
    """All of it."""

    frames: tuple[tuple[Want, ...], ...]
    """What each mid-game frame of a table must have."""
    anyhow: tuple[Lies, ...]
    """How a cocked die lies where dice are thrown anyhow: one is drawn."""
    full_of: dict[str, Full]


@cache
def frames() -> Frames:
    """What the file lists. InputError says in one line what is wrong in it."""
    return load(FILE, Frames)

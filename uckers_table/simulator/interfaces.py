"""What the simulated table needs of others: a dice tower to throw into, and somebody who paints it."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from uckers_table.devices.base import BgrImage
from uckers_table.game.board import Plan
from uckers_table.simulator.outlines import base_spots
from uckers_table.simulator.scene import Scene

USUAL_SPOT_OFFSET_MM = 45.0


class TowerPort(Protocol):
    """The dice tower as the players' hands know it; every call blocks until the host knows.

    False says that the host could not be told, as far as the tower knows.
    """

    def throw(self, dice: tuple[int, ...]) -> bool:
        """Dice go in and lie as given."""

    def cocked(self) -> bool:
        """One lies tilted."""

    def dropped(self) -> bool:
        """One does not come to rest in the tower."""


class Painter(Protocol):
    """What shows the table: a `Renderer`, or `Unpainted` where nobody looks."""

    plan: Plan

    @property
    def empty(self) -> BgrImage:
        """The bare board."""

    @property
    def start(self) -> BgrImage:
        """All pieces in their bases."""

    def spots(self, seat: int) -> tuple[tuple[float, float], ...]:
        """The base spots of a seat in millimetres."""

    def frame(self, scene: Scene) -> BgrImage:
        """The picture of a scene."""


class Unpainted:
    """For a table that nobody looks at: its frames are one black pixel, its base spots so far apart."""

    def __init__(self, plan: Plan, spots_mm: float = USUAL_SPOT_OFFSET_MM) -> None:
        self.plan, self._spots_mm = plan, spots_mm
        self.empty = self.start = np.zeros((1, 1, 3), np.uint8)

    def spots(self, seat: int) -> tuple[tuple[float, float], ...]:
        """The base spots of a seat in millimetres."""
        return base_spots(self.plan, seat, self._spots_mm)

    def frame(self, scene: Scene) -> BgrImage:
        """One black pixel, whatever the scene."""
        return self.empty

"""A table that is painted only part of the time: otherwise the referee is told what a reader would report.

Painting and reading frames is nearly all the work of a simulated table. What is told errs and doubts as the
reader was measured to (see `trial.noise`).
"""

from __future__ import annotations

import random
from collections.abc import Callable

from uckers_table.devices.base import BgrImage
from uckers_table.sighting import Sighting
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Scene
from uckers_table.trial.eyes import NoisyEyes
from uckers_table.trial.noise import Noise
from uckers_table.vision.live import Eyes, LiveReader
from uckers_table.vision.profile import TableProfile

BLINDING = {"dark": "too_dark", "red": "colours_indistinct"}
"""What keeps a reader from seeing, by the light."""


class SparingPainter:
    """Paints as its renderer does while `is_painting`, else gives the last picture again; knows the scene."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self.plan = renderer.plan
        self.is_painting = True
        self.scene = Scene()
        self._painted = renderer.start

    @property
    def empty(self) -> BgrImage:
        """The bare board."""
        return self._renderer.empty

    @property
    def start(self) -> BgrImage:
        """All pieces in their bases."""
        return self._renderer.start

    def spots(self, seat: int) -> tuple[tuple[float, float], ...]:
        """The base spots of a seat in millimetres."""
        return self._renderer.spots(seat)

    def frame(self, scene: Scene) -> BgrImage:
        """The picture of a scene, or of one before it."""
        self.scene = scene
        if self.is_painting:
            self._painted = self._renderer.frame(scene)
        return self._painted


class SparingEyes:
    """Reads painted frames; of others it is told, by `light`'s name and the time `now` in seconds."""

    def __init__(
        self,
        profile: TableProfile,
        painter: SparingPainter,
        seed: int,
        now: Callable[[], float],
        light: Callable[[], str],
    ) -> None:
        self._reader: Eyes = LiveReader(profile)
        self._painter, self._now, self._light = painter, now, light
        self._told = NoisyEyes(painter.plan, Noise(), random.Random(f"eyes {seed}"))

    def see(self, image: BgrImage) -> Sighting:
        """What the newest frame shows."""
        if self._painter.is_painting:
            return self._reader.see(image)
        if (trouble := BLINDING.get(self._light())) is not None:
            seats = self._painter.plan.board.seats
            return Sighting(dict.fromkeys(seats, ()), trouble=(trouble,), confidence=0.0)
        return self._told.see(self._painter.scene, self._now())

    def marked(self, image: BgrImage) -> BgrImage:
        """The frame with what was last read drawn on it."""
        return self._reader.marked(image)

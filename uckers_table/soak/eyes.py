"""A table that is painted only part of the time. At other times the referee is told what a reader would
report.

Painting and reading frames is nearly all the work of a simulated table. What is told has the errors and
doubts that were measured of the reader (see `trial.noise`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace

from uckers_table.devices.base import BgrImage
from uckers_table.sighting import Sighting
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Scene
from uckers_table.trial.eyes import NoisyEyes
from uckers_table.trial.noise import Noise
from uckers_table.vision.live import Eyes, LiveReader
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import StrangePaint

BLINDING = {"dark": "too_dark", "red": "colours_indistinct"}
"""By light: the trouble that keeps a reader from seeing."""


class SparingPainter:
    """Paints as its renderer does while `is_painting`; at other times it gives the last picture again.
    `scene` is what it was last asked to paint.
    """

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self.plan = renderer.plan
        self.is_painting = True
        self.scene = Scene()
        self._painted = renderer.start

    @property
    def empty(self) -> BgrImage:
        """The bare board, BGR."""
        return self._renderer.empty

    @property
    def start(self) -> BgrImage:
        """All pieces in their bases, BGR."""
        return self._renderer.start

    def spots(self, seat: int) -> tuple[tuple[float, float], ...]:
        """The middles of a seat's four base spots, in mm of the plan."""
        return self._renderer.spots(seat)

    def frame(self, scene: Scene) -> BgrImage:
        """The picture of a scene; while nothing is painted, that of an earlier one."""
        self.scene = scene
        if self.is_painting:
            self._painted = self._renderer.frame(scene)
        return self._painted


class SparingEyes:
    """Reads frames that are painted. Of others it is told, by the name of the `light` and the time `now` in
    seconds.
    """

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
        self._reading: tuple[str, int] = "", 0
        self._readings = 0

    def see(self, image: BgrImage) -> Sighting:
        """What the newest frame shows."""
        if self._painter.is_painting:
            return self._counted("painted", self._reader.see(image))
        if (trouble := BLINDING.get(self._light())) is not None:
            seats = self._painter.plan.board.seats
            blind = Sighting(dict.fromkeys(seats, ()), trouble=(trouble,), confidence=0.0)
            return self._counted(trouble, blind)
        return self._counted("told", self._told.see(self._painter.scene, self._now()))

    def _counted(self, how: str, seen: Sighting) -> Sighting:
        """A sighting under its reading's number among those of all kinds."""
        if (how, seen.reading) != self._reading:
            self._reading, self._readings = (how, seen.reading), self._readings + 1
        return replace(seen, reading=self._readings)

    def read_again(self, places: Iterable[str]) -> None:
        """Have places read again, in frames as they come now: painted or told."""
        (self._reader if self._painter.is_painting else self._told).read_again(places)

    @property
    def strange(self) -> StrangePaint | None:
        """The piece in a base whose paint is no seat's, if the frame was painted."""
        return self._reader.strange

    def marked(self, image: BgrImage) -> BgrImage:
        """The frame with what was last read drawn on it."""
        return self._reader.marked(image)

"""The camera over a table that is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from uckers_table.devices.base import Frame


class Watched(Protocol):
    """What it looks at: a `SimulatedTable`, or an evening of them."""

    def now(self) -> float:
        """The simulated clock, in seconds."""

    def advance(self) -> Frame | None:
        """Live on until the next camera frame and give it; None when the evening is over."""


class SimulatedCamera:
    """Implements `devices.base.Camera`: asking for a frame is what moves the simulated table on.

    `pause` is told before each frame how many simulated seconds it comes after the one before, so that
    whoever wants life at a certain speed can wait; left out, life goes as fast as it is looked at.
    """

    name = "camera"
    waits = True

    def __init__(self, table: Watched, pause: Callable[[float], None] | None = None) -> None:
        self.table, self._pause = table, pause
        self._open = True

    def read(self) -> Frame | None:
        """The next frame; None when the evening is over or the camera closed."""
        if not self._open:
            return None
        before = self.table.now()
        frame = self.table.advance()
        if frame is not None and self._pause is not None:
            self._pause(frame.t - before)
        return frame

    def close(self) -> None:
        """Give no more frames; safe to call twice."""
        self._open = False

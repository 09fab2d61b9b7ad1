"""The camera over a simulated table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from uckers_table.devices.base import Frame


class Watched(Protocol):
    """What the camera looks at: a `SimulatedTable`, or an evening of them."""

    def now(self) -> float:
        """The simulated clock, in seconds."""

    def advance(self) -> Frame | None:
        """Lives on until the next camera frame and gives it; None once the evening is over."""


class SimulatedCamera:
    """Implements `devices.base.Camera`. Asking for a frame moves the simulated table on.

    Before each frame `pause` is told how many simulated seconds it comes after the one before. So a caller
    who wants life at some speed can wait. Without `pause`, life goes as fast as it is looked at.
    """

    name = "camera"
    waits = True

    def __init__(self, table: Watched, pause: Callable[[float], None] | None = None) -> None:
        self.table, self._pause = table, pause
        self._open = True

    def read(self) -> Frame | None:
        """The next frame; None once the evening is over or the camera is closed."""
        if not self._open:
            return None
        before = self.table.now()
        frame = self.table.advance()
        if frame is not None and self._pause is not None:
            self._pause(frame.t - before)
        return frame

    def close(self) -> None:
        """Gives no more frames. Safe to call twice."""
        self._open = False

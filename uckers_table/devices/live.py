"""A live camera that is believed only while it gives new pictures, and that nobody waits for too long.

A ribbon that is loose stalls the camera: a call to it never returns, or the same picture comes for ever. Here
both are a camera that is lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from uckers_table.devices.base import Camera, Frame, LockingCamera, NamedCamera
from uckers_table.errors import DeviceError
from uckers_table.machine.threads import MOST_LEFT, Apart

SILENT_S = 8.0
"""A camera that gives no frame for so long has stopped. The slowest honest one needs half of it: three
seconds to be opened again and, on a machine that is busy, one for an exposure of 0.2 s."""
FROZEN_S = 5.0
"""A camera that gives the same bytes for so long is stuck. In the dark a USB camera may give a frame twice;
and every frame of a sensor has noise of its own."""
OPEN_S = 20.0
"""How long a camera may take to open. At first its libraries are read from a cold card."""
LOCK_S = 60.0
"""How long a camera may measure what lies in view: thirty seconds of focusing, two starts, and a hundred
frames."""
TO_TRY = "is its lead in at both ends? If it is, switch the table off and on"
_CLIPPED = (0, 16, 235, 255)
"""Black and white, in full and in video range. No noise shows in a picture that is nothing else: a lens is
covered, or a lamp shines into it. The reader says so."""


@runtime_checkable
class KnowingCamera(Camera, Protocol):
    """A camera that knows whether its sensor took the newest frame anew: every real one."""

    is_new: bool
    """Whether the newest frame is another one than that before it."""


class Novelty:
    """Tells pictures that a sensor took anew from the same one given again. Keeps the newest, and no copy."""

    def __init__(self) -> None:
        self._before: npt.NDArray[np.uint8] | None = None

    def of(self, picture: npt.NDArray[np.uint8]) -> bool:
        """Whether any byte differs from the picture before, or no noise would show in it.

        The comparison ends at the first row that differs: in a live picture that is the first.
        """
        before, self._before = self._before, picture
        if before is None or before.shape != picture.shape:
            return True
        if before is not picture and not all(map(np.array_equal, picture, before)):
            return True
        darkest, brightest = int(picture.min()), int(picture.max())
        return darkest == brightest and darkest in _CLIPPED


class LiveCamera:
    """The camera that `open_it` gives, used in a thread of its own, which is left behind when it hangs.

    Nothing is opened before the first call. A frame that the camera knows to be no new one is not given.
    Where `compares`, the pictures of a camera that does not know are compared. DeviceError comes from every
    call that takes too long, and from `read` when no new picture has come for FROZEN_S. The next call opens
    the camera anew.
    """

    waits = False

    def __init__(
        self,
        open_it: Callable[[], Camera],
        *,
        name: str = "camera",
        close_it: Callable[[Camera], None] = lambda camera: camera.close(),
        most_left: int = MOST_LEFT,
        compares: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self._clock = name, clock
        self._apart = Apart(
            name,
            open_it,
            close_it,
            hangs=f"the {name} has given no picture for {SILENT_S:.0f} s: {TO_TRY}",
            opens_within_s=OPEN_S,
            most_left=most_left,
        )
        self._novelty = Novelty() if compares else None
        self._same_since: float | None = None
        self._is_doubted = False

    @classmethod
    def opened(cls, open_it: Callable[[], Camera]) -> LiveCamera:
        """The camera, opened now; DeviceError when it is not there."""
        camera = cls(open_it)
        camera._apart.open()
        return camera

    @classmethod
    def around(cls, camera: Camera) -> LiveCamera:
        """A camera that is open, and that somebody else closes. It cannot be opened anew."""
        return cls(lambda: camera, name=camera.name, close_it=lambda camera: None, most_left=1, compares=True)

    def read(self) -> Frame | None:
        """The newest frame, if it is new; DeviceError when none comes."""
        while True:
            frame, is_new = self._apart.do(self._looked, SILENT_S)
            now = self._clock()
            if is_new and not self._is_doubted:
                self._same_since = None
                return frame
            if is_new:
                # The first picture of a camera that was opened anew has none before it to be compared with.
                self._is_doubted = False
                continue
            if self._same_since is None:
                self._same_since = now
            if now - self._same_since >= FROZEN_S:
                self._is_doubted = True
                self.drop()
                raise DeviceError(f"the {self.name} gives the same picture again and again: {TO_TRY}")

    def lock(self, *, mains_hz: int = 50) -> dict[str, float]:
        """Lock the camera at what it measures; it stays as it is where it cannot be locked."""
        return self._apart.do(
            lambda camera: camera.lock(mains_hz=mains_hz) if isinstance(camera, LockingCamera) else {}, LOCK_S
        )

    @property
    def model(self) -> str:
        """The camera's sensor; empty where it does not name it."""
        return self._apart.do(lambda camera: camera.model if isinstance(camera, NamedCamera) else "", LOCK_S)

    def drop(self) -> None:
        """Close the camera, without waiting for it; the next call opens it anew."""
        self._apart.drop()

    def close(self) -> None:
        """Close the camera for good, or leave it behind; whoever waits for a frame gets DeviceError."""
        self._apart.close()

    def _looked(self, camera: Camera) -> tuple[Frame | None, bool]:
        """A frame, and whether it is new. In the camera's own thread."""
        frame = camera.read()
        if frame is None:
            return None, True
        if isinstance(camera, KnowingCamera):
            return frame, camera.is_new
        return frame, self._novelty is None or self._novelty.of(frame.image)

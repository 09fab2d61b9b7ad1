"""The table's camera: who looks through it, what was seen last, and how it is tried again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from uckers_table.config import Config
from uckers_table.errors import InputError, UckersTableError
from uckers_table.machine.starts import Starts
from uckers_table.sighting import Sighting
from uckers_table.table.inbox import Inbox
from uckers_table.table.left_out import CAMERA, SafeStart, TriedAgain, failed
from uckers_table.table.news import News, ReadFrame
from uckers_table.table.parts import Parts
from uckers_table.table.showing import CameraShot
from uckers_table.table.watcher import Watcher
from uckers_table.vision.reader import StrangePaint

RATE_OF = 10
"""Frames by which it is told how fast they come."""


class Sight:
    """What the camera sees. For the table's loop, but for `shot`.

    `watcher` looks through the camera, and is None at a table without one. `starts` is told when the camera
    is tried, and what comes of it; `safe`, of a camera that the start did without.
    """

    def __init__(
        self, config: Config, parts: Parts, inbox: Inbox[News], starts: Starts, safe: SafeStart
    ) -> None:
        self._config, self._parts, self._inbox = config, parts, inbox
        self._starts, self._safe = starts, safe
        self._look: ReadFrame | None = None
        self._is_tried_again = False
        self._came = deque[float](maxlen=RATE_OF)
        self.frames = 0
        """How many frames have come."""
        with starts.trying(CAMERA):
            self.watcher = self._new_watcher(is_blind=safe.does_without(CAMERA))

    def _new_watcher(self, *, is_blind: bool = False) -> Watcher | None:
        """What watches the table; one that `is_blind` reads nothing."""
        if self._config.camera == "none":
            return None
        return Watcher(
            self._parts.camera,
            self._parts.profile if not is_blind else None,
            self._inbox,
            mains_hz=self._config.mains_hz,
            haste=self._parts.clock.haste,
            eyes=self._parts.eyes,
        )

    def light_by(self, mains_hz: int) -> None:
        """The lamps' mains have this frequency: the camera is locked for it from now on."""
        self._config = replace(self._config, mains_hz=mains_hz)
        if self.watcher is not None:
            self.watcher.mains_hz = mains_hz

    def start(self) -> None:
        """Look, from now on. The camera is being tried until its first frame is here."""
        if self.watcher is not None:
            self._starts.begin(CAMERA)
            self.watcher.start()

    def stop(self) -> None:
        """Look no more; safe to call before the start."""
        if self.watcher is not None:
            self.watcher.stop()

    def read_again(self, places: Iterable[str]) -> None:
        """Have places (as in `Alternative.place`) read anew, if there is a camera."""
        if self.watcher is not None:
            self.watcher.read_again(places)

    @property
    def is_calibrated(self) -> bool:
        """Whether there is a profile to read the camera's pictures by, or no camera."""
        return self.watcher is None or self._parts.profile is not None

    @property
    def is_left_out(self) -> bool:
        """Whether the start did without the camera, and nobody looks for it yet."""
        return self._safe.does_without(CAMERA) and not self._is_tried_again

    def try_again(self) -> None:
        """Look for a camera that the start did without. InputError while that is being done."""
        if self._is_tried_again:
            raise InputError("the camera is being looked for already")
        try:
            with self._starts.trying(CAMERA):
                self.watcher = self._new_watcher()
        except Exception as error:
            self._safe.settle(failed(CAMERA, error))
            return
        self._is_tried_again = True
        self.start()

    def see(self, look: ReadFrame) -> bool:
        """A frame is here: so the camera has been tried. Whether it is one that the start did without."""
        self._look, self.frames = look, self.frames + 1
        self._came.append(look.frame.t)
        self._starts.end(CAMERA)
        was_tried_again, self._is_tried_again = self._is_tried_again, False
        if was_tried_again:
            self._safe.settle(TriedAgain(CAMERA))
        return was_tried_again

    def lose(self, why: str) -> None:
        """The camera is lost, and looked for: that does not end the program."""
        if self._is_tried_again:
            self._safe.settle(TriedAgain(CAMERA, why))
        else:
            self._starts.end(CAMERA)

    def end(self, error: UckersTableError) -> None:
        """Nobody watches any more. The error itself, but for a camera that the start did without."""
        if not self._is_tried_again:
            self._starts.blame(CAMERA)
            raise error
        self._is_tried_again = False
        self._safe.settle(failed(CAMERA, error))

    @property
    def sighting(self) -> Sighting | None:
        """What was read in the newest frame."""
        return self._look.sighting if self._look is not None else None

    @property
    def frames_a_second(self) -> float:
        """How fast the last frames came, by the table's clock; 0 before there are two."""
        span_s = self._came[-1] - self._came[0] if self._came else 0.0
        return (len(self._came) - 1) / span_s if span_s > 0 else 0.0

    @property
    def strange(self) -> StrangePaint | None:
        """The piece in a base whose paint is no seat's, as last read."""
        return self.watcher.strange if self.watcher is not None else None

    def shot(self) -> CameraShot | None:
        """The newest frame, for the page; from its threads."""
        look, watcher = self._look, self.watcher
        if look is None or watcher is None:
            return None
        return CameraShot(self.frames, look.frame.image, watcher.marked)

"""The camera's thread: it reads each frame, and posts what was seen in it, or why nothing more will be."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from uckers_table.devices.awaited import AwaitedCamera
from uckers_table.devices.base import (
    Back,
    BgrImage,
    Camera,
    ListenerGoneError,
    LockingCamera,
    Lost,
    NamedCamera,
)
from uckers_table.devices.live import LiveCamera
from uckers_table.errors import DeviceError, UckersTableError
from uckers_table.machine.heap import give_back
from uckers_table.table.calibrating import EMPTY, ShownPicture
from uckers_table.table.inbox import Inbox
from uckers_table.table.news import News, ReadFrame
from uckers_table.vision.live import Eyes, LiveReader
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import StrangePaint

CAMERA_RETRY_S = 2.0
"""How often a lost camera is tried again."""
GIVES_BACK_AFTER = 3
"""After so many frames what reading them has left free is given back, which takes some milliseconds.

With three for ten the service takes three megabytes less (`python bench/service.py`).
"""
LEAVE_S = 10.0
"""How long the thread may take to notice that the table is closing."""


@dataclass(frozen=True)
class _Wanted:
    """A picture to calibrate from."""

    what: str
    listener: Callable[[ShownPicture], None]
    prepare: Callable[[], None]


class Watcher:
    """Watches one table through its camera, from `start` until `stop`.

    A camera that fails, hangs or gives the same picture for ever is posted as lost and tried again. Anything
    else that goes wrong ends the watch and is posted as an error. Without a profile it posts frames in which
    nothing is read. `mains_hz` is that of the lamps in whose light the camera is locked; `haste` is how many
    times faster than the wall's clock the table's goes. `eyes` gives what reads by a profile; left out, that
    is a `LiveReader`.
    """

    def __init__(
        self,
        camera: Camera,
        profile: TableProfile | None,
        inbox: Inbox[News],
        *,
        mains_hz: int = 50,
        haste: float = 1.0,
        eyes: Callable[[TableProfile], Eyes] | None = None,
    ) -> None:
        self._eyes_for = eyes or LiveReader
        self._camera, self._inbox, self._haste = _live(camera), inbox, haste
        self.mains_hz = mains_hz
        self._eyes: Eyes | None = self._eyes_for(profile) if profile is not None else None
        self._profile, self._settings = profile, dict[str, float]()
        self._profiles = deque[TableProfile]()
        self._wanted = deque[_Wanted]()
        self._frames = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watching", daemon=True)

    def start(self) -> None:
        """Look, from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; safe to call before the start."""
        self._stopping.set()
        if isinstance(self._camera, LiveCamera):
            # Nobody waits any longer for a frame.
            self._camera.close()
        if self._thread.ident is not None:
            self._thread.join(timeout=LEAVE_S)

    def read_by(self, profile: TableProfile) -> None:
        """Read the next frames by another profile; from any thread."""
        self._profiles.append(profile)

    def read_again(self, places: Iterable[str]) -> None:
        """Have places (as in `Alternative.place`) read again, if anything is read; from any thread."""
        eyes = self._eyes
        if eyes is not None:
            eyes.read_again(places)

    def take_picture(
        self, what: str, listener: Callable[[ShownPicture], None], prepare: Callable[[], None] = lambda: None
    ) -> None:
        """Have a picture taken to calibrate from, the camera locked anew for the bare board; from any thread.

        `prepare` is called right before. The listener gets it in the camera's thread.
        """
        self._wanted.append(_Wanted(what, listener, prepare))

    def marked(self, image: BgrImage) -> BgrImage:
        """The board in the newest frame, with what is seen there drawn on it; from any thread."""
        eyes = self._eyes
        return eyes.marked(image) if eyes is not None else image

    @property
    def strange(self) -> StrangePaint | None:
        """The piece in a base whose paint is no seat's, as last read; from any thread."""
        eyes = self._eyes
        return eyes.strange if eyes is not None else None

    def _watch(self) -> None:
        is_lost = False
        while not self._stopping.is_set():
            try:
                look = self._look()
            # The referee's only eye: whatever goes wrong here, somebody has to be told.
            except Exception as error:
                if self._stopping.is_set():
                    return
                if isinstance(error, UckersTableError) and not isinstance(error, DeviceError):
                    self._inbox.post(error)
                    return
                if not is_lost:
                    self._inbox.post(Lost("camera", str(error)))
                    if not isinstance(error, DeviceError):
                        logging.getLogger(__name__).exception("a frame could not be read")
                is_lost = True
                self._stopping.wait(CAMERA_RETRY_S / self._haste)
                continue
            if is_lost:
                is_lost = False
                self._inbox.post(Back("camera"))
            if look is None:
                self._inbox.post(None)
                return
            # Frames are large: while the loop is busy the next is not taken, rather than laid beside it.
            try:
                self._inbox.hand_over(look, look.frame.t)
            except ListenerGoneError:
                return
            del look

    def _look(self) -> ReadFrame | None:
        while self._wanted:
            wanted = self._wanted.popleft()
            wanted.listener(self._shown(wanted))
        while self._profiles:
            self._profile = self._profiles.popleft()
            self._eyes = self._eyes_for(self._profile)
        frame = self._camera.read()
        if frame is None:
            return None
        self._frames += 1
        if self._frames % GIVES_BACK_AFTER == 0:
            give_back()
        return ReadFrame(frame, self._eyes.see(frame.image) if self._eyes is not None else None)

    def _shown(self, wanted: _Wanted) -> ShownPicture:
        """The picture that is wanted, or why there is none."""
        camera = self._camera
        try:
            if isinstance(camera, LockingCamera):
                if wanted.what == EMPTY:
                    self._settings = camera.lock(mains_hz=self.mains_hz)
                # Settings that were asked for before the start have arrived by the second frame.
                camera.read()
            wanted.prepare()
            frame = camera.read()
            model = camera.model if isinstance(camera, NamedCamera) else ""
        except DeviceError as error:
            return ShownPicture(wanted.what, trouble=str(error))
        if frame is None:
            return ShownPicture(wanted.what, trouble="The camera gives no pictures any more.")
        settings = self._settings or (self._profile.settings if self._profile is not None else {})
        return ShownPicture(wanted.what, frame.image, settings, model)


def _live(camera: Camera) -> Camera:
    """The camera, or what keeps a live one from being waited for too long."""
    is_safe = camera.waits or isinstance(camera, LiveCamera | AwaitedCamera)
    return camera if is_safe else LiveCamera.around(camera)

"""The camera's thread: it reads each frame, and posts what was seen in it, or why nothing more will be."""

from __future__ import annotations

import logging
import threading

from uckers_table.devices.base import Back, BgrImage, Camera, Lost
from uckers_table.errors import DeviceError, UckersTableError
from uckers_table.inbox import Inbox
from uckers_table.news import Look, News
from uckers_table.vision.live import LiveReader
from uckers_table.vision.profile import TableProfile

CAMERA_RETRY_S = 2.0
"""How often a lost camera is tried again."""
LEAVE_S = 10.0
"""How long the thread may take to notice that the table is closing."""


class Watcher:
    """Watches one table through its camera, from `start` until `stop`.

    A camera that fails is posted as lost and tried again. Anything else that goes wrong ends the watch and
    is posted as an error.
    """

    def __init__(self, camera: Camera, profile: TableProfile, inbox: Inbox[News]) -> None:
        self._camera, self._inbox = camera, inbox
        self._eyes = LiveReader(profile)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watching", daemon=True)

    def start(self) -> None:
        """Look, from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; safe to call before the start."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(timeout=LEAVE_S)

    def marked(self, image: BgrImage) -> BgrImage:
        """The board in the newest frame, with what is seen there drawn on it; from any thread."""
        return self._eyes.marked(image)

    def _watch(self) -> None:
        is_lost = False
        while not self._stopping.is_set():
            try:
                look = self._look()
            # The referee's only eye: whatever goes wrong here, somebody has to be told.
            except Exception as error:
                if isinstance(error, UckersTableError) and not isinstance(error, DeviceError):
                    self._inbox.post(error)
                    return
                if not is_lost:
                    self._inbox.post(Lost("camera", str(error)))
                    if not isinstance(error, DeviceError):
                        logging.getLogger(__name__).exception("a frame could not be read")
                is_lost = True
                self._stopping.wait(CAMERA_RETRY_S)
                continue
            if is_lost:
                is_lost = False
                self._inbox.post(Back("camera"))
            if look is None:
                self._inbox.post(None)
                return
            self._inbox.post(look, look.frame.t)

    def _look(self) -> Look | None:
        frame = self._camera.read()
        return Look(frame, self._eyes.see(frame.image)) if frame is not None else None

"""The camera over the tower's tray: a thread that reads it, and the newest of what was seen."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, Lock

from uckers_table.devices.base import BgrImage, Camera, TrayLook
from uckers_table.devices.live import LOCK_S, LiveCamera
from uckers_table.errors import DeviceError
from uckers_table.machine.threads import Worker

STALE_S = 1.0
"""The camera gives ten pictures a second; a look so old says nothing of now."""
RETRY_S = 1.0
TRAY_PICTURE = (1280, 720)
"""Enough for pips of 14 px, and little enough for ten a second over a hub."""


class TrayEye:
    """`read` makes a look of each picture. Its thread opens the camera, and again whenever it is lost."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        read: Callable[[BgrImage], TrayLook],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._camera, self._read, self._clock = LiveCamera(open_camera, name="tray camera"), read, clock
        self._lock = Lock()
        self._looks: list[tuple[float, TrayLook]] = []
        self._picture: BgrImage | None = None
        self._fresh = clock()
        self._why: str | None = None
        self._locking: tuple[int, Future[dict[str, float]]] | None = None
        """The mains frequency that it is to be locked for, and who waits for that."""
        self._worker = Worker("tray camera", self._run)

    @property
    def trouble(self) -> str | None:
        """Why it sees nothing; None while all is well."""
        with self._lock:
            return self._why

    @property
    def picture(self) -> BgrImage | None:
        """The newest picture; None before the first."""
        with self._lock:
            return self._picture

    def looks(self) -> list[tuple[float, TrayLook | None]]:
        """What was seen since the last time, with when; one None when it has seen nothing for too long."""
        now = self._clock()
        with self._lock:
            looks: list[tuple[float, TrayLook | None]] = list(self._looks)
            self._looks.clear()
            if not looks and now - self._fresh > STALE_S:
                looks = [(now, None)]
        return looks

    def lock(self, *, mains_hz: int = 50) -> dict[str, float]:
        """Lock its camera at what it measures, and give that; takes some seconds, in the eye's own thread.

        DeviceError where the camera cannot be locked, or gives no pictures.
        """
        answer: Future[dict[str, float]] = Future()
        with self._lock:
            self._locking = mains_hz, answer
        try:
            return answer.result(timeout=LOCK_S + RETRY_S)
        except TimeoutError:
            raise DeviceError("the tray camera gives no pictures: is its cable in?") from None

    def close(self) -> None:
        """Stop the thread and give the camera back; safe to call twice."""
        self._worker.stopping.set()
        self._camera.close()
        self._worker.stop()

    def _run(self, stopping: Event) -> None:
        while not stopping.is_set():
            try:
                self._watch(stopping)
            # The tower's only eye: whatever goes wrong here, somebody has to be told.
            except Exception as error:
                self._camera.drop()
                if not isinstance(error, DeviceError):
                    logging.getLogger(__name__).exception("a picture of the tray could not be read")
                with self._lock:
                    self._why = str(error)
                stopping.wait(RETRY_S)

    def _lock_it(self) -> None:
        """Lock the camera if somebody waits for that: it does one thing at a time."""
        with self._lock:
            locking, self._locking = self._locking, None
        if locking is None:
            return
        mains_hz, answer = locking
        try:
            answer.set_result(self._camera.lock(mains_hz=mains_hz))
        except Exception as error:
            answer.set_exception(error)
            raise

    def _watch(self, stopping: Event) -> None:
        while not stopping.is_set():
            self._lock_it()
            frame = self._camera.read()
            if frame is None:
                raise DeviceError("the tray camera has come to its end")
            look, now = self._read(frame.image), self._clock()
            with self._lock:
                self._why, self._fresh, self._picture = None, now, frame.image
                self._looks.append((now, look))
                del self._looks[:-20]
